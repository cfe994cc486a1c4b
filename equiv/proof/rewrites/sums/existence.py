"""Whether a bag has a row, in one form: without groups and doubles, what concerns outer rows only outside."""

from __future__ import annotations

from collections.abc import Iterable

from equiv.algebra.terms import (
    FALSE,
    Bag,
    Binding,
    Exists,
    Expression,
    Field,
    Squash,
    Term,
    alpha,
    conjunction,
    conjuncts,
    disjunction,
    mentions,
    substitute,
)
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.groups import TermParts, is_read, narrowed, without_groups
from equiv.proof.rewrites.sums.rows import Given, tidied

MAX_BINDINGS = 10
"""Rows of more variables are not unfolded any more."""


def existence(terms: Iterable[Term], scope: Scope) -> Expression:
    """A condition that is true exactly if one of some terms has a row."""
    found: dict[Expression, None] = {}
    for term in terms:
        fresh = scope.world.names.copy_of(term)
        for rows in unfolded(TermParts(fresh.bindings, conjuncts(fresh.condition), ()), scope):
            found[_exists(rows, scope)] = None
    parts = {alpha(part): part for part in found}
    return disjunction(parts.values())


def unfolded(rows: TermParts, scope: Scope) -> list[TermParts]:
    """Rows where multiplicity does not count, with nested distinct rows and existence spelt out."""
    rows = without_groups(rows, scope)
    if len(rows.bindings) > MAX_BINDINGS:
        return [rows]
    joined = inline_existing_row(rows, scope)
    if joined is not None:
        return unfolded(joined, scope)
    several = inline_distinct_rows(rows, scope)
    if several is not None:
        return [deeper for each in several for deeper in unfolded(each, scope)]
    return [folded(rows, scope)]


@rewrite(on=Term, keeps="set")
def inline_existing_row(rows: TermParts, scope: Scope) -> TermParts | None:
    """Bind the row of an EXISTS among the rows where multiplicity does not count.

    Before:  exists: Σ t ∈ a [(∃ s ∈ b [s.a_id = t.id])]
    After:   exists: Σ t ∈ a, s ∈ b [s.a_id = t.id]
    Refuse:  an EXISTS over several terms; NOT EXISTS
    Sound:   a row occurs if there is a choice for these variables, however many there are
    """
    for part in rows.conditions:
        if isinstance(part, Exists) and len(part.bag.terms) == 1:
            return _with_rows_of(rows, part, scope)
    return None


@rewrite(on=Term, keeps="set")
def inline_distinct_rows(rows: TermParts, scope: Scope) -> list[TermParts] | None:
    """Range over the rows themselves instead of the distinct ones where multiplicity does not count.

    Before:  exists: Σ g ∈ distinct(Σ t ∈ a → (t.x)) [g.#1 > 1]
    After:   exists: Σ t ∈ a [t.x > 1]
    Refuse:  a column that holds 1 and 1.0, of which DISTINCT keeps one, read as more than that
    Sound:   the same rows occur, more often
    """
    for binding in rows.bindings:
        if isinstance(binding.source, Squash):
            found = [_inlined(rows, binding, term, scope) for term in binding.source.bag.terms]
            if all(each is not None for each in found):
                return [each for each in found if each is not None]
    return None


def _with_rows_of(rows: TermParts, part: Exists, scope: Scope) -> TermParts:
    """The rows with an existing row bound among them."""
    term = scope.world.names.copy_of(part.bag).terms[0]
    others = tuple(each for each in rows.conditions if each != part)
    return TermParts((*rows.bindings, *term.bindings), (*others, *conjuncts(term.condition)), rows.values)


def _inlined(rows: TermParts, binding: Binding, term: Term, scope: Scope) -> TermParts | None:
    """The rows with distinct rows replaced by the rows of a term; None where values may change class."""
    fresh = scope.world.names.copy_of(term)
    place = rows.bindings.index(binding)
    inner = scope.within([*rows.bindings, *fresh.bindings])
    for number, output in enumerate(fresh.outputs):
        field = Field(binding.row, number)
        if is_read(rows, field) and not inner.are_identical_if_equal(field, output):
            return None

    def each(field: Field) -> Expression:
        return (
            scope.world.names.copy_of(fresh.outputs[int(field.column)]) if field.row == binding.row else field
        )

    after = tuple(substitute(later, each) for later in rows.bindings[place + 1 :])
    return TermParts(
        (*rows.bindings[:place], *fresh.bindings, *after),
        (
            *(substitute(part, each) for part in rows.conditions),
            *conjuncts(fresh.condition),
        ),
        tuple(substitute(value, each) for value in rows.values),
    )


def folded(rows: TermParts, scope: Scope) -> TermParts:
    """The rows without one that can be any of the others: its conditions hold there too."""
    rows = TermParts(rows.bindings, tidied(rows.conditions, scope), rows.values)
    found = eliminate_idle_row(rows, scope)
    return rows if found is None else folded(found, scope)


@rewrite(on=Term, keeps="set")
def eliminate_idle_row(rows: TermParts, scope: Scope) -> TermParts | None:
    """Drop a variable that can be any of the others where multiplicity does not count.

    Before:  exists: Σ t ∈ a, s ∈ a [t.x = 1 and s.x = 1] → (t.y)
    After:   exists: Σ t ∈ a [t.x = 1] → (t.y)
    Refuse:  a condition that holds of no other row; the value, or a source, mentions the variable
    Sound:   the row of the other variable is a choice for this one
    """
    conditions = rows.conditions
    for binding in rows.bindings:
        if any(mentions(node, {binding.row}) for node in (*rows.values, *(b.source for b in rows.bindings))):
            continue
        left = tuple(each for each in rows.bindings if each != binding)
        mine = tuple(part for part in conditions if mentions(part, {binding.row}))
        rest = tuple(part for part in conditions if part not in mine)
        given = Given.of(left, rest, scope)
        if given.has_row(Term((binding,), conjunction(mine), ())):
            return TermParts(left, rest, rows.values)
    return None


def _exists(rows: TermParts, scope: Scope) -> Expression:
    rows = narrowed(rows, scope)
    conditions = tidied(rows.conditions, scope)
    own = rows.own()
    outer = [part for part in conditions if not mentions(part, own)]
    inner = [part for part in conditions if mentions(part, own)]
    if FALSE in outer:
        return FALSE
    term = Term(rows.bindings, conjunction(inner), ())
    if Given.of((), outer, scope).has_row(term):
        return conjunction(outer)
    return conjunction([*outer, Exists(Bag((term,)))])
