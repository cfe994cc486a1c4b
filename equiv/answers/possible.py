"""Possible answers: the results that a query may return on one database, however ties fall.

The top level of a query is kept exact: its rows in groups that the ORDER BY
leaves tied, and the window that OFFSET and LIMIT cut out of them.  Two
queries are told apart by a database only if no possible answer of one equals
a possible answer of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb

from equiv.answers.compare import fits_some_permutation, match_rows, same_bag, same_rows
from equiv.cells import Cell, Row
from equiv.relation import Columns, Relation, Rows

MAX_CHOICES = 300
"""How many ways of breaking top-level ties are enumerated."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Rows in tied groups, of which the positions from ``start`` up to ``stop`` are returned."""

    groups: tuple[tuple[Row, ...], ...]
    start: int = 0
    stop: int | None = None

    @property
    def total(self) -> int:
        """How many rows are returned, whatever the choice."""
        available = sum(map(len, self.groups))
        stop = available if self.stop is None else min(self.stop, available)
        return max(0, stop - self.start)

    def slices(self) -> Iterator[tuple[tuple[Row, ...], int]]:
        """The groups that meet the window, each with the number of its rows that are returned."""
        position = 0
        for group in self.groups:
            low = max(self.start, position)
            high = position + len(group)
            if self.stop is not None:
                high = min(high, self.stop)
            position += len(group)
            if low < high:
                yield group, high - low

    @property
    def is_determined(self) -> bool:
        """Whether the returned rows are the same bag however ties fall."""
        return self.cut is None

    @property
    def cut(self) -> tuple[int, int] | None:
        """The tie that a LIMIT cuts: (rows taken, rows tied); None if it takes all, or they are equal."""
        for group, taken in self.slices():
            if taken < len(group) and len(set(group)) > 1:
                return taken, len(group)
        return None

    def mapped(self, change: Callable[[Cell], Cell]) -> Answers:
        """The answers with every cell changed."""
        groups = (tuple(tuple(map(change, row)) for row in group) for group in self.groups)
        return Answers(tuple(groups), self.start, self.stop)

    def choices(self) -> list[tuple[tuple[Row, ...], ...]] | None:
        """Every way to fill the window, as tied groups of returned rows; None if too many."""
        parts: list[Sequence[tuple[Row, ...]]] = []
        number = 1
        for group, taken in self.slices():
            if taken == len(group) or len(set(group)) == 1:
                parts.append([group[:taken]])
                continue
            number *= comb(len(group), taken)
            if number > MAX_CHOICES:
                return None
            parts.append(list(dict.fromkeys(combinations(group, taken))))
        return list(product(*parts))


def disjoint(pred: Answers, gold: Answers, relation: Relation) -> bool:
    """Whether no possible answer of one side equals one of the other under the relation.

    False also when there are too many choices to be sure.
    """
    # However ties fall, a LIMIT returns equally many rows.
    if relation.rows is not Rows.SET and pred.total != gold.total:
        return True
    pred_choices, gold_choices = pred.choices(), gold.choices()
    if pred_choices is None or gold_choices is None:
        return False
    if len(pred_choices) * len(gold_choices) > 10 * MAX_CHOICES:
        return False
    return not any(_may_equal(p, g, relation) for p in pred_choices for g in gold_choices)


def same_possibilities(pred: Sequence[Answers], gold: Sequence[Answers], relation: Relation) -> bool:
    """Whether both sides have the same possible answers, as far as they can be enumerated.

    True also when there are too many choices to tell.
    """
    pred_choices = [choice for answers in pred for choice in answers.choices() or ()]
    gold_choices = [choice for answers in gold for choice in answers.choices() or ()]
    if not pred_choices or not gold_choices or len(pred_choices) * len(gold_choices) > 10 * MAX_CHOICES:
        return True
    return all(any(_are_alike(p, g, relation) for g in gold_choices) for p in pred_choices) and all(
        any(_are_alike(p, g, relation) for p in pred_choices) for g in gold_choices
    )


def _are_alike(
    pred: tuple[tuple[Row, ...], ...], gold: tuple[tuple[Row, ...], ...], relation: Relation
) -> bool:
    """Whether two choices allow the same results: the same rows, and for lists the same tied groups."""
    if relation.rows is not Rows.LIST:
        return _may_equal(pred, gold, relation)
    pred_groups = _separable(pred)

    def fits(turned: Sequence[Row]) -> bool:
        gold_groups = _separable(_regroup(turned, gold))
        return len(pred_groups) == len(gold_groups) and all(map(same_bag, pred_groups, gold_groups))

    pred_rows, gold_rows = [r for g in pred for r in g], [r for g in gold for r in g]
    if relation.columns is Columns.ORDERED:
        return fits(gold_rows)
    return fits_some_permutation(pred_rows, gold_rows, fits)


def _separable(groups: Sequence[Sequence[Row]]) -> list[Sequence[Row]]:
    """Tied groups, those of equal rows taken apart: their order cannot be seen."""
    return [part for g in groups for part in ([(r,) for r in g] if len(set(g)) == 1 else [g])]


def _may_equal(
    pred: tuple[tuple[Row, ...], ...], gold: tuple[tuple[Row, ...], ...], relation: Relation
) -> bool:
    """Whether some order within the tied groups makes the two choices equal."""
    pred_rows = [row for group in pred for row in group]
    gold_rows = [row for group in gold for row in group]

    def fits(turned: Sequence[Row]) -> bool:
        if relation.rows is not Rows.LIST:
            return same_rows(pred_rows, turned, relation.rows)
        return _share_an_order(pred, _regroup(turned, gold))

    if relation.columns is Columns.ORDERED:
        return fits(gold_rows)
    return fits_some_permutation(pred_rows, gold_rows, fits)


def _regroup(rows: Sequence[Row], like: tuple[tuple[Row, ...], ...]) -> list[list[Row]]:
    iterator = iter(rows)
    return [[next(iterator) for _ in group] for group in like]


def _share_an_order(left: Sequence[Sequence[Row]], right: Sequence[Sequence[Row]]) -> bool:
    """Whether two sequences of tied groups allow one common order of rows.

    The shorter of the two leading groups must be contained in the longer, whose rest leads on.
    """
    left_groups = [list(group) for group in left if group]
    right_groups = [list(group) for group in right if group]
    while left_groups and right_groups:
        first, second = left_groups[0], right_groups[0]
        only_first, only_second = match_rows(first, second)
        if (only_first and only_second) or (len(first) == len(second) and only_first):
            return False
        left_groups[0], right_groups[0] = only_first, only_second
        if not only_first:
            left_groups.pop(0)
        if not only_second:
            right_groups.pop(0)
    return not left_groups and not right_groups
