"""``NOT EXISTS`` a greater row, turned into a comparison with MAX (or MIN, if smaller)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from equiv.algebra.terms import (
    TRUE,
    Aggregate,
    Bag,
    Binding,
    Compare,
    Exists,
    Expression,
    Field,
    Not,
    Scan,
    Term,
    Variable,
    alpha,
    conjunction,
    conjuncts,
    free,
    sites,
    substitute,
)
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.exists import Witnessed
from equiv.proof.rewrites.scope import Scope


@dataclass(frozen=True, slots=True)
class Beyond:
    """A condition ``NOT EXISTS (row beyond value)`` of a term, and a row variable that may hold the value."""

    shown: Term
    part: Not
    binding: Binding
    """The variable within the EXISTS."""
    value: Expression
    """The value of the row beyond."""
    bound: Expression
    function: Literal["MIN", "MAX"]
    others: tuple[Expression, ...]
    """The other conditions on the row beyond."""
    own: Variable

    def is_own_value(self) -> bool:
        """Whether the bound is the value of the term's own row."""
        return alpha(_at(self.value, self.binding.row, self.own)) == alpha(self.bound)


def nothing_beyond(term: Term, _: Scope) -> Iterator[Beyond]:
    """The conditions ``NOT EXISTS (row beyond value)`` of a term, with each row that may hold the value."""
    for part in conjuncts(term.condition):
        match part:
            case Not(Exists(Bag((Term((Binding(row, Scan() as source) as binding,), condition),)))):
                pass
            case _:
                continue
        if sites(part):
            continue
        parts = conjuncts(condition)
        owners = [each.row for each in term.bindings if each.source == source]
        for claim in parts:
            sides = _sides(claim, row)
            others = tuple(other for other in parts if other is not claim)
            if sides is not None:
                for own in owners:
                    yield Beyond(term, part, binding, *sides, others, own)


def _sides(claim: Expression, row: Variable) -> tuple[Expression, Expression, Literal["MIN", "MAX"]] | None:
    match claim:
        case Compare("<", low, high) if free(high) == {row} and row not in free(low):
            return high, low, "MAX"
        case Compare("<", low, high) if free(low) == {row} and row not in free(high):
            return low, high, "MIN"
    return None


def is_the_rows_own(at: Beyond) -> bool:
    """The bound is the value of a row of the term."""
    return at.is_own_value()


def row_is_among_them(at: Beyond, scope: Scope) -> bool:
    """The row meets what else is asked, and its value is not NULL."""
    rest = [other for other in conjuncts(at.shown.condition) if other is not at.part]
    inside = scope.within(at.shown.bindings, rest)
    if not inside.never_null(at.bound):
        return False
    asked = Exists(Bag((Term((at.binding,), conjunction(at.others), ()),)))
    whole = replace(at.shown, condition=conjunction((*rest, asked)))
    return not at.others or all(each == TRUE for each in Witnessed(whole, asked, at.own).said(scope))


@rewrite(on=Term, keeps="bag", shape=(is_the_rows_own,), needs=(row_is_among_them,))
def convert_nothing_beyond_to_extreme(at: Beyond, scope: Scope) -> list[Term] | None:
    """Turn ``NOT EXISTS`` a greater (smaller) row into equality with the MAX (MIN).

    Before:  Σ t ∈ a [not (∃ s ∈ a [s.x is t.x and t.nn < s.nn])] → (t.id)
    After:   Σ t ∈ a [MAX{Σ s ∈ a [s.x is t.x] → (s.nn)} = t.nn] → (t.id)
    Refuse:  a value that may be NULL; a row that may not be of its kind itself; <=; another column
    Sound:   the row is among those whose MAX is taken, so that there is one, which is not below its value
    """
    row, source = at.binding.row, at.binding.source
    bag = Bag((Term((Binding(row, source),), conjunction(at.others), (at.value,)),))
    extreme = Compare("=", Aggregate(at.function, bag), at.bound)
    parts = [extreme if part is at.part else part for part in conjuncts(at.shown.condition)]
    return [replace(at.shown, condition=conjunction(parts))]


def _at(value: Expression, row: Variable, own: Variable) -> Expression:
    return substitute(value, lambda field: Field(own, field.column) if field.row == row else field)
