"""Existence in one form: without groups and doubles, what concerns outer rows only outside; distinct rows.

Conditions on distinct rows in a sum belong inside, and a few known values are summed one by one:
``COUNT(DISTINCT x)`` over rows with ``x IN ('a', 'b')`` is 1 if there is an 'a', plus 1 if there is a 'b'.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from equiv.algebra import terms as t
from equiv.algebra.scalar_functions import number_of
from equiv.facts import Fact
from equiv.proof.rewrite import first, rewrite
from equiv.proof.rewrites.ranged import Ranged, rows_equal_to, variables
from equiv.proof.rewrites.scope import ConditionOf, GivenRows, Scope, tidied
from equiv.proof.rewrites.sums.groups import (
    eliminate_determined_group,
    is_read,
    push_outer_value_into_distinct,
)

MAX_TERMS = 16
"""How many terms one bag may have before no more are made by distribution."""

MAX_BINDINGS = 10
"""Rows of more variables are not unfolded any more."""


def existence(terms: Iterable[t.Term], scope: Scope) -> t.Expression:
    """A condition that is true exactly if one of some terms has a row."""
    found: dict[t.Expression, None] = {}
    for term in terms:
        fresh = scope.world.names.copy_of(term)
        for rows in unfolded(replace(fresh, outputs=()), scope):
            found[_exists(rows, scope)] = None
    parts = {t.alpha(part): part for part in found}
    return t.disjunction(parts.values())


def unfolded(rows: t.Term, scope: Scope) -> list[t.Term]:
    """Rows where multiplicity does not count, with nested distinct rows and existence spelt out."""
    rows = eliminate_determined_group.until_done(rows, scope)
    if len(rows.bindings) > MAX_BINDINGS:
        return [rows]
    single = (at for at in asked_for(rows, scope) if len(at.part.bag.terms) == 1)
    several = first((inline_semi_join,), single, scope) or inline_distinct_rows(rows, scope)
    if several is not None:
        return [deeper for each in several for deeper in unfolded(each, scope)]
    return [folded(rows, scope)]


def asked_for(rows: t.Term, scope: Scope) -> Iterator[ConditionOf[t.Exists]]:
    """The EXISTS among the conditions of a term."""
    return (ConditionOf(rows, part) for part in rows.conjuncts if isinstance(part, t.Exists))


def a_row_around_is_such_a_row(node: t.Exists, scope: Scope) -> bool:
    """Whether a row around, or one behind it, meets the conditions, as the others show."""
    return GivenRows.of((), scope.given, scope).implies(node)


@rewrite(on=t.Exists, keeps="value", needs=(a_row_around_is_such_a_row,))
def fold_exists_of_row_around(node: t.Exists, scope: Scope) -> t.Expression | None:
    """Do not ask for a row that is there, be it behind a distinct row.

    Before:  Σ t ∈ a [not (∃ s ∈ a [s.x = t.x]) or t.y = 2] → (t.z), where x is NOT NULL
    After:   Σ t ∈ a [t.y = 2] → (t.z)
    Refuse:  x may be NULL; a condition that the row itself may not meet
    Sound:   a row that meets the conditions is a witness
    """
    return t.TRUE


def has_few_terms(at: ConditionOf[t.Exists]) -> bool:
    """Whether the rows that are asked for are those of few terms."""
    return len(at.part.bag.terms) <= MAX_TERMS


@rewrite(on=t.Term, keeps="set", shape=(has_few_terms,))
def inline_semi_join(at: ConditionOf[t.Exists], scope: Scope) -> list[t.Term] | None:
    """Range over the rows of an EXISTS where duplicates do not count.

    Before:  distinct: Σ t ∈ a [(∃ s ∈ b [s.a_id = t.id])] → (t.x)
    After:   distinct: Σ t ∈ a, s ∈ b [s.a_id = t.id] → (t.x)
    Refuse:  duplicates count; NOT EXISTS
    Sound:   a row occurs if there is a choice for these variables, however many there are
    """
    rows, copies = at.shown, scope.world.names.copy_of
    made = [
        replace(rows, bindings=(*rows.bindings, *term.bindings)).where((*at.others, *term.conjuncts))
        for term in map(copies, at.part.bag.terms)
    ]
    return made[:1] + [copies(each) for each in made[1:]]


def _over_distinct(rows: t.Term, scope: Scope) -> Iterator[Ranged]:
    return variables(rows, t.Squash)


def columns_are_identical_or_compared(at: Ranged, scope: Scope) -> bool:
    """Whether each column that is read outside comparisons is identical to the output behind it."""
    for term in at.bag.terms:
        inner = scope.within([*at.shown.bindings, *term.bindings])
        for number, output in enumerate(term.outputs):
            field = t.Field(at.row, number)
            if is_read(at.shown, field) and not inner.are_identical_if_equal(field, output):
                return False
    return True


@rewrite(on=t.Term, keeps="set", at=_over_distinct, needs=(columns_are_identical_or_compared,))
def inline_distinct_rows(at: Ranged, scope: Scope) -> list[t.Term] | None:
    """Range over the rows themselves instead of the distinct ones where multiplicity does not count.

    Before:  exists: Σ g ∈ distinct(Σ t ∈ a → (t.x)) [g.#1 > 1]
    After:   exists: Σ t ∈ a [t.x > 1]
    Refuse:  a column that holds 1 and 1.0, of which DISTINCT keeps one, read as more than that
    Sound:   the same rows occur, more often
    """
    return [_inlined(at, term, scope) for term in at.bag.terms]


def _inlined(at: Ranged, term: t.Term, scope: Scope) -> t.Term:
    """The rows with distinct rows replaced by the rows of a term."""
    fresh = scope.world.names.copy_of(term)
    found = at.replaced(fresh.bindings, dict(enumerate(fresh.outputs)), scope)
    return found.where((*found.conjuncts, *fresh.conjuncts))


def folded(rows: t.Term, scope: Scope) -> t.Term:
    """The rows without one that can be any of the others: its conditions hold there too."""
    rows = rows.where(tidied(rows.conjuncts, scope))
    found = eliminate_idle_row(rows, scope)
    return rows if found is None else folded(found, scope)


def _unread(rows: t.Term, scope: Scope) -> Iterator[Ranged]:
    """The variables that no value and no source mentions."""
    read = frozenset[t.Variable]().union(*map(t.free, (*rows.outputs, *(b.source for b in rows.bindings))))
    return (at for at in variables(rows) if at.row not in read)


def another_row_will_do(at: Ranged, scope: Scope) -> bool:
    """Whether the other variables and their conditions guarantee a row that this one's conditions accept."""
    rest = _rest(at)
    return GivenRows.of(rest.bindings, rest.conjuncts, scope).has_row(
        t.Term((at.binding,), t.conjunction(at.mine), ())
    )


@rewrite(on=t.Term, keeps="set", at=_unread, needs=(another_row_will_do,))
def eliminate_idle_row(at: Ranged, scope: Scope) -> t.Term | None:
    """Drop a variable whose conditions another variable's row meets, where multiplicity does not count.

    Before:  exists: Σ t ∈ a, s ∈ a [t.x = 1 and s.x = 1] → (t.y)
    After:   exists: Σ t ∈ a [t.x = 1] → (t.y)
    Refuse:  a condition that holds of no other row; the value, or a source, mentions the variable
    Sound:   the row of the other variable is a choice for this one
    """
    return _rest(at)


def _rest(at: Ranged) -> t.Term:
    """The rows without a variable and the conditions that mention it."""
    return at.over().where(part for part in at.shown.conjuncts if part not in at.mine)


def _exists(rows: t.Term, scope: Scope) -> t.Expression:
    rows = push_outer_value_into_distinct.until_done(rows, scope)
    conditions = tidied(rows.conjuncts, scope)
    own = rows.bound
    outer = [part for part in conditions if not t.mentions(part, own)]
    inner = [part for part in conditions if t.mentions(part, own)]
    if t.FALSE in outer:
        return t.FALSE
    term = t.Term(rows.bindings, t.conjunction(inner), ())
    if GivenRows.of((), outer, scope).has_row(term):
        return t.conjunction(outer)
    return t.conjunction([*outer, t.Exists(t.Bag((term,)))])


MAX_VALUES = 6
"""How many values are summed one by one."""


@dataclass(frozen=True, slots=True)
class Conditioned(Ranged):
    """Rows, a variable of theirs over distinct rows, and conditions on it alone."""

    parts: tuple[t.Expression, ...]
    alike: tuple[Fact, ...] | None
    """Facts by which they are the same for a distinct row and those behind it; None if they may not be."""


def _conditioned(rows: t.Term, scope: Scope) -> Iterator[Conditioned]:
    """The variables over distinct rows with the conditions that belong inside; after these, other ones."""
    for at in variables(rows, t.Squash):
        own = [part for part in at.mine if not t.mentions(part, rows.bound - {at.row})]
        mark = scope.world.open_step()
        alike = [part for part in own if _can_move(part, at, scope)]
        facts = scope.world.close_step(mark, is_taken=False)
        if own:
            yield Conditioned(rows, at.place, tuple(alike or own), facts if alike else None)


def conditions_are_alike_for_equal_rows(at: Conditioned, scope: Scope) -> bool:
    """Whether rows that are one distinct row meet the same conditions."""
    return scope.world.rests_on(at.alike)


@rewrite(on=t.Term, keeps="bag", at=_conditioned, needs=(conditions_are_alike_for_equal_rows,))
def push_condition_into_distinct(at: Conditioned, scope: Scope) -> t.Term | None:
    """Put conditions on distinct rows alone into their source.

    Before:  Σ g ∈ distinct(Σ s ∈ a → (s.x)) [g.#1 > 1] → (1)
    After:   Σ g ∈ distinct(Σ s ∈ a [s.x > 1] → (s.x)) → (1)
    Refuse:  a condition that tells 1 and 1.0 apart, where both may be a column; one about other rows
    Sound:   rows that are one distinct row meet such a condition together
    """
    return at.with_conditions_inside(at.parts, scope)


def _can_move(part: t.Expression, at: Ranged, scope: Scope) -> bool:
    """Whether a condition is the same for a distinct row and for the rows behind it."""
    for column in range(len(at.bag.terms[0].outputs) if at.bag.terms else 0):
        field = t.Field(at.row, column)
        if field not in t.walk(part) or not is_read(t.Term((), part, ()), field):
            continue
        for term in at.bag.terms:
            inner = scope.within([*at.shown.bindings, *term.bindings])
            if not inner.are_identical_if_equal(field, term.outputs[column]):
                return False
    return True


@dataclass(frozen=True, slots=True)
class Valued(Ranged):
    """Rows, a variable of theirs over distinct rows, and the values that its one column can have."""

    values: tuple[t.Constant, ...]


def _valued(rows: t.Term, scope: Scope) -> Iterator[Valued]:
    """The variables over distinct rows of one column whose values are few and known."""
    for at in variables(rows, t.Squash):
        values = _values(at.bag)
        if values is not None:
            yield Valued(rows, at.place, tuple(values))


def values_can_stand_for_column(at: Valued, scope: Scope) -> bool:
    """Whether the values are identical to the column, or it is only compared."""
    field = t.Field(at.row, 0)
    if not is_read(at.shown, field) and field not in at.shown.outputs:
        return True
    inner = scope.within(at.shown.bindings)
    return all(inner.are_identical_if_equal(field, value) for value in at.values)


@rewrite(on=t.Term, keeps="bag", at=_valued, needs=(values_can_stand_for_column,))
def split_sum_by_values(at: Valued, scope: Scope) -> list[t.Term] | None:
    """Sum over the few values that a distinct row can have one by one.

    Before:  Σ g ∈ distinct(Σ s ∈ a [s.x = 'p' or s.x = 'q'] → (s.x)) → (1)
    After:   Σ [(∃ s ∈ a [s.x is 'p'])] → (1) + Σ [(∃ s ∈ a [s.x is 'q'])] → (1)
    Refuse:  values that no condition names; too many; 1 and 1.0 where they are read as more than that
    Sound:   each of the values is in one distinct row, if it occurs
    """
    return [_with_value(at, value, scope) for value in at.values]


def _values(bag: t.Bag) -> list[t.Constant] | None:
    """All values of the only output of a bag, each once, if conditions name them."""
    found: dict[object, t.Constant] = {}
    for term in bag.terms:
        values = _of_term(term) if len(term.outputs) == 1 else None
        if values is None:
            return None
        for value in values:
            number = number_of(value)
            found.setdefault((value.kind, value.text) if number is None else number, value)
    return list(found.values()) if len(found) <= MAX_VALUES else None


def _of_term(term: t.Term) -> list[t.Constant] | None:
    output = term.outputs[0]
    if isinstance(output, t.Constant):
        return None if output.kind == "null" else [output]
    for part in term.conjuncts:
        found = _named(part, output)
        if found is not None:
            return found
    return None


def _named(condition: t.Expression, output: t.Expression) -> list[t.Constant] | None:
    """Constants of which an expression must equal one for a condition to be true."""
    match condition:
        case t.Compare("=", left, t.Constant() as value) | t.Compare("=", t.Constant() as value, left):
            return [value] if left == output and value.kind != "null" else None
        case t.Or(parts):
            lists = [_named(part, output) for part in parts]
            return [value for each in lists for value in each or ()] if None not in lists else None
        case t.And(parts):
            return next((found for part in parts if (found := _named(part, output)) is not None), None)
    return None


def _with_value(at: Ranged, value: t.Constant, scope: Scope) -> t.Term:
    there = existence(rows_equal_to(at.bag, (value,), scope).terms, at.around(scope))
    left = at.replaced((), {0: value}, scope)
    return left.where((*left.conjuncts, there))
