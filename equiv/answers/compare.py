"""Comparison of two results under a relation, and of the results that two queries may return.

Cells are equal as SQLite's ``IS`` has it: NULL equals NULL, 1 equals 1.0, 1 does not equal '1'; numbers of
which one is REAL are equal within 1e-9 relative. Because that is not an equivalence relation, bags are
compared by matching rows, not by hashing them.

A query's possible answers are the results that it may return on one database, however ties fall. Its top
level is kept exact: its rows in groups that the ORDER BY leaves tied, and the window that OFFSET and LIMIT
cut out of them. Two queries are distinguished by a database only if no possible answer of one equals a
possible answer of the other.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from math import comb, isinf

from equiv.cells import Cell, Row
from equiv.graphs import maximum_matching, perfect_matchings
from equiv.relation import Columns, Relation, Rows

RELATIVE_TOLERANCE = 1e-9
MAX_PERMUTATIONS = 720
"""How many column permutations are tried before a comparison is given up."""


def same_cell(left: Cell, right: Cell) -> bool:
    """Whether two cells are equal."""
    if isinstance(left, int | float) and isinstance(right, int | float):
        if left == right:
            return True
        if (isinstance(left, int) and isinstance(right, int)) or isinf(left) or isinf(right):
            return False
        return abs(left - right) <= RELATIVE_TOLERANCE * max(abs(left), abs(right))
    return type(left) is type(right) and left == right


def same_row(left: Row, right: Row) -> bool:
    """Whether two rows are equal cell by cell."""
    return len(left) == len(right) and all(map(same_cell, left, right))


def _signature(row: Row) -> Row:
    """The row with its numbers blanked: rows that can be equal have equal signatures."""
    return tuple(0.5 if isinstance(cell, int | float) else cell for cell in row)


def match_rows(left: Sequence[Row], right: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """A largest one-to-one matching of equal rows; returns the unmatched rows of each side.

    Identical rows cancel out at once.  Where REAL cells remain, all rows that could be equal
    to them are matched anew, because "nearly equal" is not transitive.
    """
    surplus = Counter(left)
    surplus.subtract(Counter(right))
    only_left = [row for row, n in surplus.items() for _ in range(n)]
    only_right = [row for row, n in surplus.items() for _ in range(-n)]
    if not only_left or not only_right or not (_has_real(only_left) or _has_real(only_right)):
        return only_left, only_right
    open_signatures = {_signature(row) for row in (*only_left, *only_right)}
    return _match_closely(
        [row for row in left if _signature(row) in open_signatures],
        [row for row in right if _signature(row) in open_signatures],
    )


def _has_real(rows: Sequence[Row]) -> bool:
    return any(isinstance(cell, float) for row in rows for cell in row)


def _match_closely(left: list[Row], right: list[Row]) -> tuple[list[Row], list[Row]]:
    """The rows without a partner in a maximum matching among rows of equal signature."""
    candidates = _Candidates(right)
    partner = maximum_matching(range(len(left)), lambda i: candidates.of(left[i]))
    taken = set(partner.values())
    unmatched = [row for i, row in enumerate(left) if i not in partner]
    return unmatched, [row for j, row in enumerate(right) if j not in taken]


class _Candidates:
    """Rows indexed by signature and sorted by their first number, so that near ones are found fast."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._groups: dict[Row, list[tuple[float, int]]] = {}
        for index, row in enumerate(rows):
            self._groups.setdefault(_signature(row), []).append((_first_number(row), index))
        for group in self._groups.values():
            group.sort()

    def of(self, row: Row) -> Iterator[int]:
        """The indices of the rows that are equal to the given one."""
        group = self._groups.get(_signature(row), [])
        number = _first_number(row)
        reach = 2 * RELATIVE_TOLERANCE * abs(number)
        # A slice would copy the rest of the group for every row.
        for place in range(bisect_left(group, (number - reach, -1)), len(group)):
            value, index = group[place]
            if value > number + reach:
                return
            if same_row(row, self._rows[index]):
                yield index


def _first_number(row: Row) -> float:
    return next((float(cell) for cell in row if isinstance(cell, int | float)), 0.0)


def same_bag(left: Sequence[Row], right: Sequence[Row]) -> bool:
    """Whether two results are equal as bags."""
    return len(left) == len(right) and match_rows(left, right) == ([], [])


def same_set(left: Sequence[Row], right: Sequence[Row]) -> bool:
    """Whether each row of either result has an equal row in the other."""
    only_left, only_right = set_difference(left, right)
    return not only_left and not only_right


def set_difference(left: Sequence[Row], right: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """The distinct rows of each side without an equal row on the other."""
    left_set, right_set = dict.fromkeys(left), dict.fromkeys(right)
    only_left = [row for row in left_set if row not in right_set]
    only_right = [row for row in right_set if row not in left_set]
    if not (_has_real(only_left) or _has_real(only_right)):
        return only_left, only_right
    lefts, rights = _Candidates(list(left_set)), _Candidates(list(right_set))
    return (
        [row for row in only_left if next(rights.of(row), None) is None],
        [row for row in only_right if next(lefts.of(row), None) is None],
    )


def same_rows(left: Sequence[Row], right: Sequence[Row], rows: Rows) -> bool:
    """Whether two results are equal as lists, bags or sets, columns by position."""
    match rows:
        case Rows.LIST:
            return len(left) == len(right) and all(map(same_row, left, right))
        case Rows.BAG:
            return same_bag(left, right)
        case Rows.SET:
            return same_set(left, right)


def fits_some_permutation(
    left: Sequence[Row], right: Sequence[Row], fits: Callable[[Sequence[Row]], bool]
) -> bool:
    """Whether ``fits`` holds for ``right`` under some permutation of its columns.

    Only permutations under which each column of ``right`` has the set of values of its
    counterpart in ``left`` are tried.  True also when there are too many to try.
    """
    if not left or not right:
        return fits(right)
    tried = 0
    for order in islice(_column_orders(left, right), MAX_PERMUTATIONS):
        tried += 1
        if fits([tuple(row[i] for i in order) for row in right]):
            return True
    return tried == MAX_PERMUTATIONS


def _column_orders(left: Sequence[Row], right: Sequence[Row]) -> Iterator[tuple[int, ...]]:
    width = len(left[0])
    left_columns = [[(row[i],) for row in left] for i in range(width)]
    right_columns = [[(row[i],) for row in right] for i in range(width)]
    return perfect_matchings(
        [[j for j in range(width) if same_set(left_columns[i], right_columns[j])] for i in range(width)]
    )


def same_result(left: Sequence[Row], right: Sequence[Row], relation: Relation) -> bool:
    """Whether two results are equal under a relation; both must have the same column count."""
    if relation.columns is Columns.ORDERED:
        return same_rows(left, right, relation.rows)
    return fits_some_permutation(left, right, lambda turned: same_rows(left, turned, relation.rows))


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
