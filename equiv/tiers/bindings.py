"""Queries with parameters under given values: what tests such a pair, one binding after the other.

A parameter is an unknown constant.  Equivalent means: for all values, of every storage class and NULL.  One
binding and one database that tell the queries apart refute that; so the tiers that refute are asked about
the pair with values in the parameters' places, and what they find is run again with the values bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from sqlglot import exp

from equiv.answers.answers import explains
from equiv.answers.pair import Pair
from equiv.cells import Cell
from equiv.core.printing import to_sql
from equiv.core.query import Query
from equiv.core.runner import Failure, Limits, Result
from equiv.core.single_values import sql_literal
from equiv.dialects.crossing.sides import gold_side
from equiv.dialects.protocol import Dialect, Session
from equiv.tiers.outcome import Open, Outcome, Refuted, most_telling
from equiv.tiers.parameter_values import Sample, bindings
from equiv.verdict import Binding

MOST_BINDINGS = 24
"""How many bindings of a pair's parameters are tried."""

_LEAST_EFFORT = 8


def settle_bound(
    settle: Callable[[Pair, int], Outcome],
    pair: Pair,
    effort: int,
    sample: Sample | None = None,
    *,
    most: int = MOST_BINDINGS,
) -> Outcome:
    """The outcome of a refuting tier on a pair with parameters: the first binding that is refuted settles it.

    The effort is shared among the bindings.  That none of them is refuted within some bound says nothing of
    other values, so no bound is claimed.
    """
    chosen = bindings(pair, most, sample)
    share = min(effort, max(_LEAST_EFFORT, effort // len(chosen)))
    open_ones: list[Open] = []
    for values in chosen:
        bound = bind(pair, values)
        outcome = settle(bound, share)
        if isinstance(outcome, Refuted):
            return replace(outcome, evidence=replace(outcome.evidence, binding=bound.binding))
        assert isinstance(outcome, Open)
        evidence = None if outcome.evidence is None else replace(outcome.evidence, binding=bound.binding)
        remarks = () if open_ones else outcome.remarks
        open_ones.append(
            replace(outcome, evidence=evidence, bounded=None, failure_code=None, remarks=remarks)
        )
    return most_telling(open_ones)


def bind(pair: Pair, values: Mapping[str, Cell]) -> Pair:
    """The pair with values in the places of its parameters."""
    pred, gold = (_filled(query, values, pair.dialect) for query in (pair.pred, pair.gold))
    binding = Binding(tuple(values.items()), pred.sql, gold.sql)
    return replace(pair, pred=pred, gold=gold, binding=binding, asked=(pair.pred.sql, pair.gold.sql))


def replays(pair: Pair, played: Session, caps: Limits) -> bool:
    """Whether both queries as asked return, on their own engine, what the core's texts of them may return.

    So must a query with the values of its parameters bound, and one that the core runs as another text.
    """
    values = {} if pair.binding is None else dict(pair.binding.values)
    asked = pair.asked or (pair.pred.sql, pair.gold.sql)
    sides = played, gold_side(played)
    for sql, query, plan, side in zip(asked, (pair.pred, pair.gold), pair.plans, sides, strict=True):
        if pair.binding is None and query.core_sql == sql and not pair.is_across:
            continue
        result = side.run(sql, caps, values)
        if isinstance(result, Failure):
            return False
        if not plan.opaque and not explains(played.core, plan, caps, signed(result, query)):
            return False
    return True


def signed(result: Result, query: Query) -> Result:
    """A result with the query's sign where the core's text has it."""
    if not query.apart:
        return result
    rows = (
        tuple(query.sign if at in query.apart and cell is not None else cell for at, cell in enumerate(row))
        for row in result.rows
    )
    return replace(result, rows=tuple(rows))


def _filled(query: Query, values: Mapping[str, Cell], dialect: Dialect) -> Query:
    if not query.parameters:
        return query
    tree = None if query.tree is None else _filled_tree(query.tree, values)
    spelt = _shielded if query.tree is None or _is_delicate(query.tree) else _literal
    sql = dialect.reader.filled(query.sql, {name: spelt(values[name]) for name in query.parameters})
    core = None if query.core_text is None else "" if tree is None else to_sql(tree)
    return replace(query, sql=sql, tree=tree, parameters=(), core_text=core, with_symbols=None)


def _is_delicate(tree: exp.Expression) -> bool:
    """Whether a parameter stands where SQLite's parser treats a literal in its own way.

    A number as a term of ORDER BY or GROUP BY is a position, and ``x AND 0`` is folded before x is looked at.
    """
    return any(_is_folded_place(node) for node in tree.find_all(exp.Parameter))


def _is_folded_place(node: exp.Expression) -> bool:
    parent = node.parent
    while isinstance(parent, exp.Collate | exp.Neg):
        parent = parent.parent
    return isinstance(parent, exp.Ordered | exp.Group | exp.And)


def _literal(value: Cell) -> str:
    text = sql_literal(value)
    return f"({text})" if text.startswith("-") else text


def _shielded(value: Cell) -> str:
    """A value as what no parser folds, has no affinity and is no position."""
    return f"(SELECT {sql_literal(value)})"


def _filled_tree(tree: exp.Expression, values: Mapping[str, Cell]) -> exp.Expression:
    def change(node: exp.Expression) -> exp.Expression:
        if not isinstance(node, exp.Parameter):
            return node
        parent = node.parent
        while isinstance(parent, exp.Collate | exp.Neg):
            parent = parent.parent
        # As a term of ORDER BY or GROUP BY a constant orders nothing, and a number would be a position.
        constant = isinstance(parent, exp.Ordered | exp.Group)
        return exp.Null() if constant else value_node(values[node.name])

    filled = tree.copy().transform(change, copy=False)
    assert isinstance(filled, exp.Expression)
    return filled


def value_node(value: Cell) -> exp.Expression:
    """A value as the literal of a resolved tree."""
    match value:
        case None:
            return exp.Null()
        case bytes():
            return exp.HexString(this=value.hex())
        case str():
            return exp.Literal.string(value)
        case _ if value < 0:
            return exp.Neg(this=exp.Literal(this=repr(-value), is_string=False))
    return exp.Literal(this=repr(value), is_string=False)
