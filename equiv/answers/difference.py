"""The closed label for what two results on one database show."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from equiv.answers.compare import match_rows, same_bag, same_row, set_difference
from equiv.answers.pair import Pair
from equiv.cells import Cell, Row
from equiv.relation import Rows
from equiv.verdict import Difference

CLOSE = 0.01
"""REALs within this relative distance, and less than one apart, are called close."""


def classify(
    pair: Pair,
    pred: Sequence[Row],
    gold: Sequence[Row],
    *,
    by_a_bound: Callable[[], bool] = lambda: False,
    tied: bool = False,
) -> Difference:
    """The most specific difference label for two different results of a pair.

    Args:
        pair: the pair.
        pred: the prediction's rows.
        gold: the gold query's rows.
        by_a_bound: says whether a bound that includes its own value, or does not, is all that makes them
            differ; asked only where no label before fits.
        tied: whether a top-level LIMIT cuts through tied rows in one of the results.
    """
    if pair.pred.columns != pair.gold.columns:
        return Difference.COLUMNS
    if pair.relation.rows is Rows.LIST and same_bag(pred, gold):
        return Difference.ORDER
    missing, extra = set_difference(gold, pred)
    if not missing and not extra:
        return Difference.DUPLICATES
    if pair.relation.rows is not Rows.SET:
        missing, extra = match_rows(gold, pred)
    return _by_rows(pred, gold, missing, extra, by_a_bound=by_a_bound, tied=tied)


def _by_rows(
    pred: Sequence[Row],
    gold: Sequence[Row],
    missing: list[Row],
    extra: list[Row],
    *,
    by_a_bound: Callable[[], bool],
    tied: bool,
) -> Difference:
    if any(cell is None for row in (*missing, *extra) for cell in row):
        return Difference.NULL
    if not pred or not gold:
        return Difference.EMPTY
    if tied:
        return Difference.TIE
    if by_a_bound():
        return Difference.BOUNDARY
    for label, view in _VIEWS:
        if same_bag([tuple(map(view, row)) for row in missing], [tuple(map(view, row)) for row in extra]):
            return label
    if _are_close(missing, extra):
        return Difference.ROUNDING
    if not extra:
        return Difference.ROWS_MISSING
    return Difference.VALUES if missing else Difference.ROWS_EXTRA


def _folded(cell: Cell) -> Cell:
    return cell.lower() if isinstance(cell, str) else cell


def _untyped(cell: Cell) -> Cell:
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


_VIEWS: tuple[tuple[Difference, Callable[[Cell], Cell]], ...] = (
    (Difference.CASE, _folded),
    (Difference.TYPE, _untyped),
)


def _are_close(missing: Sequence[Row], extra: Sequence[Row]) -> bool:
    """Whether the two lists pair up, in sorted order, to rows whose numbers are close, one of them a REAL."""

    def close(left: Cell, right: Cell) -> bool:
        if same_row((left,), (right,)):
            return True
        if not isinstance(left, int | float) or not isinstance(right, int | float):
            return False
        if isinstance(left, int) and isinstance(right, int):
            return False
        return abs(left - right) < min(1, CLOSE * max(abs(left), abs(right)))

    if len(missing) != len(extra):
        return False
    pairs = zip(sorted(missing, key=repr), sorted(extra, key=repr), strict=True)
    return all(all(map(close, left, right)) for left, right in pairs)
