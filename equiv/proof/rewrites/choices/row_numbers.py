"""``ROW_NUMBER() <= n`` turned into the choice that LIMIT n makes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from equiv.algebra.terms import (
    Binding,
    Compare,
    Constant,
    Expression,
    Field,
    Limited,
    Numbered,
    Term,
    conjunction,
    conjuncts,
    integer,
    substitute,
    walk,
)
from equiv.proof.rewrite import Surroundings, rewrite


@dataclass(frozen=True, slots=True)
class Choosing:
    """A term, and the choices that are made in one place only."""

    shown: Term
    once: Collection[int]


@rewrite(on=Term, keeps="answers")
def convert_first_numbers_to_choice(at: Choosing, scope: Surroundings) -> Term | None:
    """Turn numbered rows with a bound on the ROW_NUMBER into the choice that LIMIT makes.

    Before:  Σ r ∈ (numbered Σ t ∈ a → (t.x) by t.y) [r.#2 = 1] → (r.#1)
    After:   Σ r ∈ (Σ t ∈ a → (t.x) by t.y; rows 1 to 1) → (r.#1)
    Refuse:  PARTITION BY; a number that is read besides, where it is not fixed; rows numbered in two places
    Sound:   in whichever order tied rows are numbered, the numbers from m to n are those of rows m to n
    """
    for place, binding in enumerate(at.shown.bindings):
        source = binding.source
        if isinstance(source, Numbered) and not source.partition and source.site in at.once:
            choice = _cut(at.shown, place, binding, source)
            if choice is not None:
                return choice
    return None


def _cut(term: Term, place: int, binding: Binding, source: Numbered) -> Term | None:
    number = Field(binding.row, source.visible)
    least, most, kept = 1, None, list[Expression]()
    for part in conjuncts(term.condition):
        bounds = _bounds(part, number)
        if bounds is None:
            kept.append(part)
            continue
        least = max(least, bounds[0])
        if bounds[1] is not None:
            most = bounds[1] if most is None else min(most, bounds[1])
    if (least, most) == (1, None) or (most is not None and most < least):
        return None
    remainder = Term((), conjunction(kept), term.outputs)
    later = [each.source for each in term.bindings[place + 1 :]]
    is_read = any(field == number for node in (remainder, *later) for field in walk(node))
    if is_read and least != most:
        return None
    limit = None if most is None else most - least + 1
    cut = Limited(source.bag, source.visible, source.directions, limit, least - 1, source.site)
    bindings = (*term.bindings[:place], Binding(binding.row, cut), *term.bindings[place + 1 :])
    choice = replace(remainder, bindings=bindings)
    return substitute(choice, lambda field: integer(least) if field == number else field)


def _bounds(part: Expression, number: Field) -> tuple[int, int | None] | None:
    """The least and the greatest number that a condition allows, if it says no more; None: no bound."""
    match part:
        case Compare("=" | "IS", left, right) if number in (left, right):
            value = _literal(right if left == number else left)
            return None if value is None else (value, value)
        case Compare("<" | "<=" as operator, left, right) if left == number:
            value = _literal(right)
            return None if value is None else (1, value - (operator == "<"))
        case Compare("<" | "<=" as operator, left, right) if right == number:
            value = _literal(left)
            return None if value is None else (value + (operator == "<"), None)
    return None


def _literal(value: Expression) -> int | None:
    if isinstance(value, Constant) and value.kind == "integer" and len(value.text) < 10:
        return int(value.text)
    return None
