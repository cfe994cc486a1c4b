"""This module says where a difference between two results comes from: a label, a single bound, or rounding.

Queries differ by a single bound if one has ``<`` where the other has ``<=``, before the same constant.

Rounding shows beyond the tolerance of cells: a number that is off by one part in 10**15 is the same cell,
but not the same operand of a comparison, of ``%``, of CAST to integer or text, of ROUND; nor is it the
same key of a group or an order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from textwrap import shorten
from typing import TypeAlias, cast

from sqlglot import exp

from equiv.answers.compare import match_rows, same_bag, same_result, same_row, set_difference
from equiv.answers.pair import Pair
from equiv.cells import Cell, Row
from equiv.core.claims.blocks import feeds
from equiv.core.claims.value_types import conforms
from equiv.core.functions.table import cast_affinity, function_of
from equiv.core.functions.traits import Nearby, Rounds
from equiv.core.model import Affinity, Context, Domain
from equiv.core.nodes import Expr
from equiv.core.printing import to_sql
from equiv.core.query import CAST, COMPARISON
from equiv.core.runner import Failure, Guarded, Limits
from equiv.facts import Fact, rests_on_exactness
from equiv.relation import Rows
from equiv.verdict import Caveat, Difference, Execution, Witness

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
        pred: the prediction's rows.
        gold: the gold query's rows.
        by_a_bound: tells whether the queries differ by a single bound alone; it is called only where no
            more specific label fits.
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


def _untyped(cell: Cell) -> Cell:
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


_VIEWS: tuple[tuple[Difference, Callable[[Cell], Cell]], ...] = (
    (Difference.CASE, lambda cell: cell.lower() if isinstance(cell, str) else cell),
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


MOST_BOUNDS = 6
"""So many bounds of each query are tried at most."""

_Side: TypeAlias = tuple[type[Expr], str]
"""A comparison and the constant in it, as text."""

_OTHER: dict[type[exp.Expr], type[exp.Binary]] = {
    exp.GT: exp.GTE,
    exp.GTE: exp.GT,
    exp.LT: exp.LTE,
    exp.LTE: exp.LT,
}


def differs_by_a_bound(
    pair: Pair, pred: Sequence[Row], gold: Sequence[Row], engine: Guarded, caps: Limits
) -> bool:
    """Whether results become equal once a bound that one query alone has is of the other strictness.

    Args:
        pair: two queries of equal column count.
        pred: the prediction's rows on the engine's database.
        gold: the gold query's rows there.
        engine: runs what the moved bound makes of a query.
        caps: what one run may cost.
    """
    mine, theirs = _bounds(pair.pred.tree), _bounds(pair.gold.tree)
    for tree, other, known in ((pair.pred.tree, gold, theirs), (pair.gold.tree, pred, mine)):
        for moved in islice(_moved(tree, known), MOST_BOUNDS):
            moved_result = engine.run(to_sql(moved), caps)
            if not isinstance(moved_result, Failure) and same_result(moved_result.rows, other, pair.relation):
                return True
    return False


def _bounds(tree: exp.Expression | None) -> set[_Side]:
    return set() if tree is None else {side for node in _comparisons(tree) for side in _sides(node)}


def _comparisons(tree: exp.Expression) -> list[exp.Expr]:
    return list(tree.find_all(*_OTHER, exp.Between))


def _sides(node: exp.Expr) -> Iterator[_Side]:
    """The constants that a comparison has as bounds, each with the comparison; BETWEEN is two."""
    ends: tuple[tuple[type[exp.Expr], exp.Expr], ...]
    if isinstance(node, exp.Between):
        ends = ((exp.GTE, node.args["low"]), (exp.LTE, node.args["high"]))
    else:
        ends = ((type(node), node.this), (type(node), node.expression))
    for kind, end in ends:
        if isinstance(end.this if isinstance(end, exp.Neg) else end, exp.Literal):
            yield kind, to_sql(cast(exp.Expression, end))


def _moved(tree: exp.Expression | None, known: set[_Side]) -> Iterator[exp.Expression]:
    """The query with one bound, none of those known, strict in place of not, or the other way round."""
    for place, node in enumerate(() if tree is None else _comparisons(tree)):
        for kind, _ in (side for side in _sides(node) if side not in known):
            assert tree is not None
            copied = tree.copy()
            at = _comparisons(copied)[place]
            at.replace(_of_other_strictness(at, kind))
            yield copied


def _of_other_strictness(node: exp.Expr, kind: type[exp.Expr]) -> exp.Expr:
    if not isinstance(node, exp.Between):
        return _OTHER[kind](this=node.this.copy(), expression=node.expression.copy())
    value, low, high = node.this, node.args["low"], node.args["high"]
    above, below = (exp.GT, exp.LTE) if kind is exp.GTE else (exp.GTE, exp.LT)
    both = exp.And(
        this=above(this=value.copy(), expression=low.copy()),
        expression=below(this=value.copy(), expression=high.copy()),
    )
    return cast(Expr, exp.paren(both))


_PLACES_SHOWN = 3
_WIDTH = 80


def caveat(pair: Pair, facts: Iterable[Fact], evidence: Witness | Execution | None) -> Caveat | None:
    """The caveat of an equivalence that rests on exact arithmetic; None if no engine rounds.

    Args:
        facts: what its proof rests on.
        evidence: a database on which results differ by rounding alone, if one was met.
    """
    if not rests_on_exactness(facts) or (evidence is None and _computes_exactly(pair)):
        return None
    ctx = Context(pair.schema, pair.facts)
    trees = [query.tree for query in (pair.pred, pair.gold) if query.tree is not None]
    places = dict.fromkeys(place for tree in trees for place in rounding_shows(tree, ctx))
    places |= dict.fromkeys(_rounded_on_the_engine(pair.computed))
    return Caveat(tuple(places)[:_PLACES_SHOWN], evidence)


_TO_THE_LAST_DIGIT = frozenset(("+", "-", "*", "%", "abs", "mod", "round", "sum"))
"""What the engine of a typed dialect computes of decimals as the core does, or refuses; no quotient."""


def _computes_exactly(pair: Pair) -> bool:
    """Whether all that the queries of a pair compute is of integers and decimals, and none is rounded."""
    computed = pair.pred.computed | pair.gold.computed
    known = {"integer", *((name, "numeric") for name in _TO_THE_LAST_DIGIT)}
    return bool(computed) and not pair.is_across and all({each, each[1]} & known for each in computed)


def _rounded_on_the_engine(computed: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The places of a typed dialect's rounding that leaves no trace in the core's tree."""
    for name, kind in sorted(computed):
        if name == COMPARISON:
            yield "a comparison with CAST(… AS DOUBLE PRECISION)"
        elif kind == "float4":
            yield "CAST(… AS REAL)" if name == CAST else f"{name} of REAL"


def rounding_shows(root: exp.Expression, ctx: Context) -> Iterator[str]:
    """The parts of a query, as SQL, that may come out otherwise because an operand was rounded."""
    seen: set[int] = set()
    for node in root.walk():
        if isinstance(node, exp.Expression) and _rounds(node, ctx):
            yield from _above(node, root, seen)


def _rounds(node: exp.Expression, ctx: Context) -> bool:
    if isinstance(node, exp.Cast):
        return cast_affinity(node) is Affinity.REAL
    function = function_of(node)
    if function is None or function.rounds in (Rounds.NO, Rounds.DIGITS):
        return False
    return conforms(node, Domain.INTEGER, ctx) is None


def _above(node: exp.Expression, root: exp.Expression, seen: set[int]) -> Iterator[str]:
    """The constructs above a rounded value in which rounding can show."""
    while id(node) not in seen:
        seen.add(id(node))
        above = node.parent
        if not isinstance(above, exp.Expression):
            return
        if isinstance(above, exp.Select) and node.arg_key == "expressions":
            yield from _of_output(above, node, root, seen)
            return
        if not _passes(above, node):
            if not _is_indifferent(above):
                yield _shown(node if isinstance(above, exp.Ordered) else above, above)
            return
        node = above


def _passes(above: exp.Expression, node: exp.Expression) -> bool:
    match above:
        case exp.Window():
            return node.arg_key == "this"
        case exp.Case():
            return node.arg_key in ("default", "ifs")
        case exp.If():
            return node.arg_key in ("true", "false")
        case exp.Cast():
            return cast_affinity(above) is Affinity.REAL
    function = function_of(above)
    is_near = function is not None and function.nearby is Nearby.NEAR
    return is_near or isinstance(above, exp.Alias | exp.Paren | exp.Filter)


def _is_indifferent(above: exp.Expression) -> bool:
    tests_null = isinstance(above, exp.Is) and isinstance(above.expression, exp.Null)
    function = function_of(above)
    is_same = function is not None and function.nearby is Nearby.SAME
    return tests_null or is_same or isinstance(above, exp.Exists)


def _of_output(
    select: exp.Expression, output: exp.Expression, root: exp.Expression, seen: set[int]
) -> Iterator[str]:
    """The constructs above a rounded output of a SELECT: DISTINCT, a set operation, the query around it."""
    if select.args.get("distinct") is not None:
        yield _shown(output.unalias(), select)
        return
    query: exp.Expr = select
    while isinstance(query.parent, exp.SetOperation):
        query = query.parent
        if query.args.get("distinct") or not isinstance(query, exp.Union):
            yield to_sql(cast(exp.Expression, query))
            return
    if isinstance(query.parent, exp.Subquery) and not isinstance(query.parent.parent, exp.From | exp.Join):
        yield from _above(query.parent, root, seen)
        return
    if isinstance(query.parent, exp.In):
        yield _shown(query.parent)
        return
    for column in cast(Iterator[exp.Expression], root.find_all(exp.Column)):
        if any(fed is output.unalias() for fed in feeds(column) or ()):
            yield from _above(column, root, seen)


def _shown(part: exp.Expr, above: exp.Expr | None = None) -> str:
    """A part of a query on one line, with what orders by it or keeps it once."""
    words = {"Ordered": "ORDER BY ", "Select": "DISTINCT "}.get(type(above).__name__, "")
    return shorten(words + to_sql(cast(exp.Expression, part)), _WIDTH, placeholder=" …")
