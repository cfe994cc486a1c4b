"""Window functions.

ROW_NUMBER numbers the rows of the block, a choice where keys tie.  RANK, DENSE_RANK and aggregates over a
whole partition, or over the rows up to the current one and its peers, are aggregates over a copy of the
block's rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.algebra.terms import (
    TRUE,
    Aggregate,
    Apply,
    Bag,
    Binding,
    Expression,
    Field,
    Numbered,
    Or,
    Squash,
    Term,
    conjunction,
)
from equiv.algebra.translate.comparison import before, same
from equiv.algebra.translate.expression import expression, holds
from equiv.algebra.translate.group import aggregate_call, check_aggregate
from equiv.algebra.translate.query import direction
from equiv.algebra.translate.scope import Scope
from equiv.algebra.translate.stage import Part, Stage
from equiv.query.block import result_clauses, source_aliases, walk_block
from equiv.query.resolve.scope import UnsupportedError
from equiv.sqlite.functions.nodes import uncall
from equiv.sqlite.printing.trees import key

_AGGREGATES = ("COUNT", "SUM", "TOTAL", "AVG", "MIN", "MAX")


@dataclass(frozen=True)
class Window:
    """A window call taken apart."""

    node: exp.Expression
    function: exp.Expression
    condition: exp.Expression | None
    partition: tuple[exp.Expression, ...]
    order: tuple[exp.Expression, ...]
    """The expressions of its ORDER BY."""
    directions: tuple[tuple[bool, bool], ...]

    @staticmethod
    def of(node: exp.Expression) -> Window:
        """Take a window call apart."""
        function, condition = node.this, None
        if isinstance(function, exp.Filter):
            function, condition = function.this, function.expression.this
        order = node.args.get("order")
        terms = order.expressions if order is not None else []
        return Window(
            node,
            function,
            condition,
            tuple(node.args.get("partition_by") or ()),
            tuple(term.this for term in terms),
            tuple((d.descending, d.nulls_first) for d in map(direction, terms)),
        )


def windowed(select: exp.Expression, stage: Stage, scope: Scope) -> Stage:
    """The stage with the values of the block's window calls."""
    clauses = [*select.expressions, *filter(None, [select.args.get("order")])]
    calls = {
        key(node): Window.of(node)
        for clause in clauses
        for node in walk_block(clause)
        if isinstance(node, exp.Window)
    }
    for window in calls.values():
        scope.translation.require_binary((*window.partition, *window.order), "a window")
        if isinstance(window.function, exp.RowNumber):
            stage = _numbered(select, window, stage, scope)
    others = [w for w in calls.values() if not isinstance(w.function, exp.RowNumber)]
    if not others:
        return stage
    values: list[dict[object, Expression]] = [
        {key(w.node): _value(w, part, stage, scope) for w in others} for part in stage.parts
    ]
    return stage.with_values(values)


def _numbered(select: exp.Expression, window: Window, stage: Stage, scope: Scope) -> Stage:
    """The stage as the rows of a numbered bag: the columns and values that the block's results mention."""
    own = source_aliases(select)
    mentioned = {
        (column.text("table"), column.name): None
        for clause in result_clauses(select)
        for column in clause.find_all(exp.Column)
        if column.text("table") in own
    }
    first = stage.parts[0].scope
    places = [place for place in mentioned if place in first.columns]
    known = list(first.values)
    terms = []
    for part in stage.parts:
        shown = [part.scope.columns[p] for p in places] + [part.scope.values[k] for k in known]
        keys = [expression(each, part.scope) for each in (*window.partition, *window.order)]
        terms.append(replace(part.term, outputs=(*shown, *keys)))
    width = len(places) + len(known)
    directions = tuple(direction(term) for term in _order_terms(window))
    site = scope.translation.site(window.node, "number")
    row = scope.world.names.variable("numbered")
    source = Numbered(Bag(tuple(terms)), width, len(window.partition), directions, site)
    columns = {place: Field(row, n) for n, place in enumerate(places)}
    values: dict[object, Expression] = {k: Field(row, n) for n, k in enumerate(known, len(places))}
    values[key(window.node)] = Field(row, width)
    inside = replace(scope.inside(columns), values=values)
    return Stage((Part(Term((Binding(row, source),), TRUE, ()), inside),))


def _order_terms(window: Window) -> Sequence[exp.Expression]:
    order = window.node.args.get("order")
    return order.expressions if order is not None else ()


def _value(window: Window, part: Part, stage: Stage, scope: Scope) -> Expression:
    function = window.function
    if isinstance(function, exp.Rank):
        bag = _others(window, part, stage, [exp.Literal.number(1)], "before")
        return Apply("+", (Aggregate("COUNT", bag), TRUE))
    if isinstance(function, exp.DenseRank):
        bag = _others(window, part, stage, window.order, "before")
        bag = Bag(tuple(replace(t, outputs=t.outputs or (TRUE,)) for t in bag.terms))
        row = scope.world.names.variable("rank")
        distinct = Bag((Term((Binding(row, Squash(bag)),), TRUE, (TRUE,)),))
        return Apply("+", (Aggregate("COUNT", distinct), TRUE))
    name = (uncall(function) or (type(function).__name__,))[0]
    if name not in _AGGREGATES:
        raise UnsupportedError("Window", f"the window function {name}")
    argument = aggregate_call(function)[1]
    check_aggregate(window.node, scope)
    bag = _others(window, part, stage, [argument], _frame(window))
    return Aggregate(name, bag)  # type: ignore[arg-type]


def _frame(window: Window) -> str:
    """Which rows of the partition an aggregate ranges over: all, or those up to the peers.

    Raises:
        UnsupportedError: a frame of another kind.
    """
    spec = window.node.args.get("spec")
    if spec is None:
        return "peers" if window.order else "all"
    bounds = tuple(spec.args.get(name) for name in ("start", "start_side", "end", "end_side"))
    if spec.args.get("exclude") is None and bounds[:2] == ("UNBOUNDED", "PRECEDING"):
        if bounds[2:] == ("UNBOUNDED", "FOLLOWING"):
            return "all"
        if bounds[2] == "CURRENT ROW" and str(spec.args.get("kind")).upper() in ("RANGE", "GROUPS"):
            return "peers"
    raise UnsupportedError("WindowSpec", "a frame other than the default and the whole partition")


def _others(
    window: Window,
    part: Part,
    stage: Stage,
    outputs: Sequence[exp.Expression],
    which: str,
) -> Bag:
    """The rows of the current row's partition: all, those up to its peers, or those strictly before it."""
    nodes = (*window.partition, *window.order)
    current = [expression(node, part.scope) for node in nodes]
    split = len(window.partition)
    terms = []
    for other in stage.parts:
        condition = other.term.condition
        if window.condition is not None:
            condition = conjunction((condition, holds(window.condition, other.scope)))
        values = tuple(expression(node, other.scope) for node in (*nodes, *outputs))
        terms.append(Term(other.term.bindings, condition, values))
    found = []
    for term in part.scope.world.names.copy_of(Bag(tuple(terms))).terms:
        keys, own = term.outputs[split : len(nodes)], current[split:]
        parts = [term.condition, same(term.outputs[:split], current[:split])]
        if which != "all":
            ahead = before(keys, own, window.directions)
            parts.append(ahead if which == "before" else Or((ahead, same(keys, own))))
        found.append(Term(term.bindings, conjunction(parts), term.outputs[len(nodes) :]))
    return Bag(tuple(found))
