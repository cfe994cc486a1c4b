"""Whether two sides sort their rows alike: the keys may differ as long as any two rows compare the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from equiv.algebra.terms import (
    FALSE,
    Compare,
    Direction,
    Expression,
    IsNull,
    IsTrue,
    Not,
    Or,
    Term,
    conjunction,
    conjuncts,
)
from equiv.proof.match.cell_equality import not_distinct
from equiv.proof.match.matching import Matching, Pairing, Place

Alike = Callable[[Expression, Expression], Expression]
"""The claim that two values look alike."""


def same_order(
    m: Matching,
    pairings: Sequence[Pairing],
    visible: int,
    directions: tuple[Sequence[Direction], Sequence[Direction]],
    here: Place,
    *,
    alike: Alike = not_distinct,
) -> bool:
    """Whether both sides sort any two rows alike, one before, level with or after the other, if they differ.

    Rows that look alike may stand in different orders: exchanged within a sequence that one side allows, they
    make one that the other allows, and the sequence looks the same.

    Args:
        m: the matching.
        pairings: terms of one side and the equal ones of the other, with the keys as last outputs.
        visible: how many outputs stand before the keys.
        directions: those of either side.
        here: what is known around.
        alike: what makes two values look alike.
    """
    return all(
        _sorts_alike(m, (first, second), visible, directions, here, alike=alike)
        for first in pairings
        for second in pairings
    )


def _sorts_alike(
    m: Matching,
    pair: tuple[Pairing, Pairing],
    visible: int,
    directions: tuple[Sequence[Direction], Sequence[Direction]],
    here: Place,
    *,
    alike: Alike,
) -> bool:
    first, second = pair
    outputs = (*second.left.outputs, *second.right.outputs)
    copy = m.world.names.copy_of(Term(second.left.bindings, second.left.condition, outputs))
    place = here.within((*first.left.bindings, *copy.bindings)).knowing(
        [*conjuncts(first.left.condition), *conjuncts(copy.condition)]
    )
    width = len(second.left.outputs)
    mine = _before(first.left.outputs[visible:], copy.outputs[visible:width], directions[0])
    theirs = _before(first.right.outputs[visible:], copy.outputs[width + visible :], directions[1])
    level = Compare("IS", IsTrue(mine), IsTrue(theirs))
    if m.proves(level, place):
        return True
    visible_outputs = zip(first.left.outputs[:visible], copy.outputs[:visible], strict=True)
    return m.proves(Or((conjunction([alike(left, right) for left, right in visible_outputs]), level)), place)


def _before(
    left: Sequence[Expression], right: Sequence[Expression], directions: Sequence[Direction]
) -> Expression:
    """The claim that a row with the left keys sorts strictly before one with the right keys."""
    claim: Expression = FALSE
    for mine, theirs, direction in reversed(list(zip(left, right, directions, strict=True))):
        claim = Or((_precedes(mine, theirs, direction), conjunction([not_distinct(mine, theirs), claim])))
    return claim


def _precedes(left: Expression, right: Expression, direction: Direction) -> Expression:
    low, high = (right, left) if direction.descending else (left, right)
    null_first, null_last = (left, right) if direction.nulls_first else (right, left)
    nulls = conjunction([IsNull(null_first), Not(IsNull(null_last))])
    return Or((nulls, Compare("<", low, high)))
