"""Comparison of results under a relation.

Cells are equal as SQLite's ``IS`` has it: NULL equals NULL, 1 equals 1.0, 1
does not equal '1'; numbers of which one is REAL are equal within 1e-9
relative.  Because that is no equivalence relation, bags are compared by
matching rows, not by hashing them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import isinf

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
        for value, index in group[bisect_left(group, (number - reach, -1)) :]:
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
