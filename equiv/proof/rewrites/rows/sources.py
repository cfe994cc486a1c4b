"""Derived tables inlined into the term that reads them, and scalar subqueries of at most one row."""

from __future__ import annotations

from itertools import combinations

from equiv.algebra import terms as t
from equiv.algebra.world import Claim
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.ranged import Ranged
from equiv.proof.rewrites.scalars.simplify import conditions, value
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.existence import MAX_TERMS


def written_out(at: Ranged, bag: t.Bag, scope: Scope) -> list[t.Term] | None:
    """The terms of the product of a term with the bag that its variable ranges over; None if too many."""
    if len(bag.terms) > MAX_TERMS:
        return None
    made = [at.inlined(inner, scope) for inner in bag.terms]
    return made if len(made) < 2 else [scope.world.names.copy_of(each) for each in made]


@rewrite(on=t.Binding, keeps="bag")
def eliminate_empty_source(at: Ranged, scope: Scope) -> list[t.Term] | None:
    """Drop a term that ranges over no rows.

    Before:  Σ r ∈ (first 0 of Σ t ∈ a → (t.x)) → (r.#1)
    After:   ∅
    Refuse:  the bag has a term, even if no row is known to be in it
    Sound:   there is no choice of rows, so the term contributes none
    """
    match at.source:
        case t.Limited(limit=0) | t.Squash(t.Bag(())) | t.Limited(t.Bag(())) | t.Numbered(t.Bag(())):
            return []
    return None


def has_distinct_rows(at: Ranged) -> bool:
    """Whether the variable ranges over distinct rows."""
    return isinstance(at.source, t.Squash)


def has_first_rows(at: Ranged) -> bool:
    """Whether the variable ranges over one or more rows from the first on."""
    return isinstance(at.source, t.Limited) and at.source.limit != 0 and not at.source.offset


def equal_rows_are_identical(at: Ranged, scope: Scope) -> bool:
    """Whether equal rows of the source are identical, or the term reads none of their columns."""
    assert isinstance(at.source, t.Squash)
    return is_definite(at.source.bag, at.around(scope)) or not _is_read(at.shown, at.row, None)


@rewrite(on=t.Binding, keeps="set", shape=(has_distinct_rows,), needs=(equal_rows_are_identical,))
def inline_distinct_in_set(at: Ranged, scope: Scope) -> list[t.Term] | None:
    """Range over the rows themselves instead of the distinct ones where duplicates do not count.

    Before:  distinct: Σ r ∈ distinct(Σ t ∈ a → (t.x)) → (r.#1)
    After:   distinct: Σ t ∈ a → (t.x)
    Refuse:  a column holds 1 and 1.0, of which DISTINCT keeps one, and the term shows it
    Sound:   the same rows occur, more often
    """
    assert isinstance(at.source, t.Squash)
    return written_out(at, at.source.bag, scope)


def has_at_most_one_row(at: Ranged, scope: Scope) -> bool:
    """Whether the source has at most one row."""
    assert isinstance(at.source, t.Limited)
    return at_most_one(at.source.bag, at.around(scope))


@rewrite(on=t.Binding, keeps="bag", shape=(has_first_rows,), needs=(has_at_most_one_row,))
def inline_single_row(at: Ranged, scope: Scope) -> list[t.Term] | None:
    """Range over the rows themselves where a LIMIT has but one row to choose from.

    Before:  Σ r ∈ (first 1 of Σ [x = 1] → (2) + Σ [x = 2] → (3)) → (r.#1)
    After:   Σ [x = 1] → (2) + Σ [x = 2] → (3)
    Refuse:  two conditions that may be true together
    Sound:   one row has no duplicate and no order; a LIMIT of one or more keeps it
    """
    assert isinstance(at.source, t.Limited)
    return written_out(at, at.source.bag, scope)


def has_all_rows(at: Ranged) -> bool:
    """Whether the variable ranges over all rows from the first on."""
    return isinstance(at.source, t.Limited) and at.source.limit is None and not at.source.offset


@rewrite(on=t.Binding, keeps="bag", shape=(has_all_rows,))
def inline_uncut_rows(at: Ranged, scope: Scope) -> list[t.Term] | None:
    """Range over the rows themselves where a LIMIT leaves none out.

    Before:  Σ r ∈ (Σ t ∈ a → (t.x) by t.x; rows from 1 on) → (r.#1)
    After:   Σ t ∈ a → (t.x)
    Refuse:  a LIMIT, or an OFFSET
    Sound:   all rows are chosen, in whichever order
    """
    assert isinstance(at.source, t.Limited)
    return written_out(at, at.source.bag, scope)


@rewrite(on=t.Binding, keeps="bag", shape=(has_first_rows,))
def convert_constant_choice_to_exists(at: Ranged, scope: Scope) -> list[t.Term] | None:
    """Ask whether there is a row, instead of choosing one of many that look alike.

    Before:  Σ r ∈ (first 1 of Σ t ∈ a [t.y = 1] → (5)) → (r.#1)
    After:   Σ [(∃ t ∈ a [t.y = 1])] → (5)
    Refuse:  a column of the chosen row that depends on which row it is; an OFFSET; a LIMIT of two
    Sound:   whichever row is chosen, its columns are those values; there is one if the bag has a row
    """
    match at.source:
        case t.Limited(t.Bag((term,)) as bag, visible, limit=1) if not depends(bag, visible):
            return written_out(at, t.Bag((t.Term((), t.Exists(hollow(bag)), term.outputs),)), scope)
    return None


@rewrite(on=t.Binding, keeps="set", shape=(has_first_rows,))
def inline_unread_choice(at: Ranged, scope: Scope) -> list[t.Term] | None:
    """Drop the LIMIT of a source none of whose columns is read, where duplicates do not count.

    Before:  distinct: Σ r ∈ (first 3 of Σ t ∈ a → (t.x) by t.x) → (1)
    After:   distinct: Σ t ∈ a → (1)
    Refuse:  a column of the chosen row is read; duplicates count
    Sound:   some row is chosen exactly if there is one
    """
    assert isinstance(at.source, t.Limited)
    if _is_read(at.shown, at.row, None):
        return None
    return written_out(at, at.source.bag, scope)


@rewrite(on=t.Binding, keeps="bag")
def inline_unnumbered_rows(at: Ranged, scope: Scope) -> list[t.Term] | None:
    """Range over the rows themselves where nobody reads their numbers.

    Before:  Σ r ∈ (numbered Σ t ∈ a → (t.x)) → (r.#1)
    After:   Σ t ∈ a → (t.x)
    Refuse:  the number is read, in a condition or an output
    Sound:   ROW_NUMBER adds a column, and drops no row
    """
    match at.source:
        case t.Numbered(bag, visible) if not _is_read(at.shown, at.row, visible):
            return written_out(at, bag, scope)
    return None


def is_definite(bag: t.Bag, scope: Scope) -> bool:
    """Whether equal rows of a bag are identical, so that DISTINCT has no choice (1 or 1.0)."""
    row = t.Variable(0)
    inside = scope.within((t.Binding(row, t.Squash(bag)),))
    width = len(bag.terms[0].outputs) if bag.terms else 0
    return not t.sites(bag) and all(inside.is_one_value(t.Field(row, place)) for place in range(width))


def _is_read(term: t.Term, row: t.Variable, column: int | None) -> bool:
    fields = (node for node in t.walk(term) if isinstance(node, t.Field) and node.row == row)
    return any(column is None or field.column == column for field in fields)


def depends(bag: t.Bag, visible: int) -> bool:
    """Whether the visible columns of a bag's rows depend on its own variables."""
    return any(t.free(output) & term.bound for term in bag.terms for output in term.outputs[:visible])


def hollow(bag: t.Bag) -> t.Bag:
    """The bag without outputs, as EXISTS needs none."""
    return t.Bag(tuple(t.Term(term.bindings, term.condition, ()) for term in bag.terms))


def at_most_one(bag: t.Bag, scope: Scope) -> bool:
    """Whether a bag surely has at most one row."""
    if any(term.bindings for term in bag.terms):
        return False
    return all(are_exclusive((), one, two, scope) for one, two in combinations(bag.terms, 2))


def are_exclusive(bindings: tuple[t.Binding, ...], one: t.Term, two: t.Term, scope: Scope) -> bool:
    """Whether two conditions over the same bindings are never true together."""
    parts = (*one.conjuncts, *two.conjuncts)
    inside = scope.within(bindings)
    with scope.world.aside():
        if conditions(parts, inside) == t.FALSE:
            return True
    return scope.prover.proves(Claim(inside.rows, (*scope.given, *parts), t.FALSE))


@rewrite(on=t.First, keeps="value")
def fold_empty_subquery(node: t.First, scope: Scope) -> t.Expression | None:
    """A scalar subquery without rows is NULL.

    Before:  first(0 of Σ t ∈ a → (t.x))
    After:   NULL
    Refuse:  the bag has a term, even if no row is known to be in it
    Sound:   a scalar subquery that returns no row is NULL
    """
    return t.NULL if node.rows.limit == 0 or not node.rows.bag.terms else None


def chooses_from_one_row(node: t.First, scope: Scope) -> bool:
    """Whether the bag of the subquery has at most one row."""
    return at_most_one(node.rows.bag, scope)


@rewrite(on=t.First, keeps="value", needs=(chooses_from_one_row,))
def convert_single_row_to_case(node: t.First, _: Scope) -> t.Expression | None:
    """Read a scalar subquery over at most one row as a CASE.

    Before:  first(Σ [x = 1] → (2) + Σ [x = 2] → (3))
    After:   {x = 1: 2; x = 2: 3; else NULL}
    Refuse:  two conditions that may be true together
    Sound:   the one row, if there is one, is the first; without one the subquery is NULL, as with an OFFSET
    """
    rows = node.rows
    if rows.offset:
        return t.NULL
    return t.Case(tuple((term.condition, term.outputs[0]) for term in rows.bag.terms), t.NULL)


@rewrite(on=t.First, keeps="value")
def convert_constant_subquery_to_case(node: t.First, scope: Scope) -> t.Expression | None:
    """Read a scalar subquery whose value is the same for all rows as a CASE on whether there is one.

    Before:  first(Σ t ∈ a [t.y = 1] → (5))
    After:   {(∃ t ∈ a [t.y = 1]): 5; else NULL}
    Refuse:  the value depends on the row; an OFFSET
    Sound:   whichever row comes first, it has that value
    """
    rows = node.rows
    if len(rows.bag.terms) != 1 or rows.offset or depends(rows.bag, 1):
        return None
    return t.Case(((t.Exists(hollow(rows.bag)), rows.bag.terms[0].outputs[0]),), t.NULL)


SUBQUERIES = (fold_empty_subquery, convert_single_row_to_case, convert_constant_subquery_to_case)
"""Rewrites of a scalar subquery over a normal bag, in firing order."""


def first_value(node: t.First, scope: Scope) -> t.Expression:
    """A scalar subquery over a normal bag: a CASE if at most one row is there to be had."""
    for each in SUBQUERIES:
        found = each(node, scope)
        if found is not None:
            return value(found, scope)
    rows = node.rows
    terms = tuple(
        t.Term(term.bindings, term.condition, (term.outputs[0], *term.outputs[rows.visible :]))
        for term in rows.bag.terms
    )
    return t.First(t.Limited(t.Bag(terms), 1, rows.directions, 1, rows.offset, rows.site))


INLINING = (
    eliminate_empty_source,
    inline_distinct_in_set,
    inline_single_row,
    inline_uncut_rows,
    convert_constant_choice_to_exists,
    inline_unread_choice,
    inline_unnumbered_rows,
)
"""Rewrites that inline or simplify a source, in firing order."""
