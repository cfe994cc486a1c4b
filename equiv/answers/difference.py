"""The closed label for what two results on one database show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sqlglot import exp

from equiv.answers.compare import match_rows, same_bag, same_row, set_difference
from equiv.answers.pair import Pair
from equiv.cells import Cell, Row
from equiv.relation import Rows
from equiv.verdict import Difference

CLOSE = 0.01
"""Numbers within this relative distance are called close."""

_BOUNDS = (exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between)


def classify(
    pair: Pair, pred: Sequence[Row], gold: Sequence[Row], stored: Iterable[Cell] = (), *, tied: bool = False
) -> Difference:
    """The most specific label that fits two results that tell a pair apart.

    Args:
        pair: the pair.
        pred: the prediction's rows.
        gold: the gold query's rows.
        stored: the cells of the database, if it is small.
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
    return _by_rows(pair, pred, gold, missing, extra, stored=stored, tied=tied)


def _by_rows(
    pair: Pair,
    pred: Sequence[Row],
    gold: Sequence[Row],
    missing: list[Row],
    extra: list[Row],
    *,
    stored: Iterable[Cell],
    tied: bool,
) -> Difference:
    if any(cell is None for row in (*missing, *extra) for cell in row):
        return Difference.NULL
    if not pred or not gold:
        return Difference.EMPTY
    if tied:
        return Difference.TIE
    if _touches_boundary(pair, stored):
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
    """Whether the two lists pair up, in sorted order, to rows whose numbers are close."""

    def close(left: Cell, right: Cell) -> bool:
        if isinstance(left, int | float) and isinstance(right, int | float):
            return abs(left - right) <= CLOSE * max(abs(left), abs(right))
        return same_row((left,), (right,))

    if len(missing) != len(extra):
        return False
    pairs = zip(sorted(missing, key=repr), sorted(extra, key=repr), strict=True)
    return all(all(map(close, left, right)) for left, right in pairs)


def _touches_boundary(pair: Pair, stored: Iterable[Cell]) -> bool:
    """Whether a stored value equals a bound that only one of the queries has."""
    one_sided = {value for _, value in _bounds(pair.pred.tree) ^ _bounds(pair.gold.tree)}
    return bool(one_sided) and any(_text(cell) in one_sided for cell in stored)


def _bounds(tree: exp.Expression | None) -> set[tuple[str, str]]:
    found = set()
    for node in tree.find_all(*_BOUNDS) if tree is not None else ():
        for literal in _literals(node):
            found.add((type(node).__name__, literal))
    return found


def _literals(node: exp.Expr) -> Iterable[str]:
    return (child.name for child in node.iter_expressions() if isinstance(child, exp.Literal))


def _text(cell: Cell) -> str:
    return "" if cell is None else str(_untyped(cell))
