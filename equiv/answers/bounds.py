"""Whether a single bound makes two results differ: ``<`` a constant in one query, ``<=`` it in the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeAlias, cast

from sqlglot import exp

from equiv.answers.compare import same_result
from equiv.answers.pair import Pair
from equiv.cells import Row
from equiv.core.printing import to_sql
from equiv.core.runner import Failure, Guarded, Limits

MOST_BOUNDS = 6
"""So many bounds of each query are tried at most."""

_Side: TypeAlias = tuple[type[exp.Expr], str]
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
    yield from ((kind, to_sql(cast(exp.Expression, end))) for kind, end in ends if _is_constant(end))


def _is_constant(node: exp.Expr) -> bool:
    return isinstance(node.this if isinstance(node, exp.Neg) else node, exp.Literal)


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
    return cast(exp.Expr, exp.paren(both))
