"""Window functions.

ROW_NUMBER numbers the rows of the block, a choice where keys tie.  RANK, DENSE_RANK and aggregates over a
whole partition, or over the rows up to the current one and its peers, are aggregates over a copy of the
block's rows.  A frame of ROWS, and what reads a row by its place (:mod:`equiv.algebra.translate.positions`),
needs an order that tells the rows of a partition apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
    Squash,
    Term,
)
from equiv.algebra.translate.collation import sorted_row
from equiv.algebra.translate.frames import Window, keys_of, order_tells, others
from equiv.algebra.translate.group import aggregate_call, check_aggregate
from equiv.algebra.translate.offsets import framed
from equiv.algebra.translate.positions import BY_PLACE
from equiv.algebra.translate.query import direction
from equiv.algebra.translate.stage import Part, Stage
from equiv.algebra.translate.symbol_table import SymbolTable
from equiv.core.claims.block import result_clauses, source_aliases, walk_block
from equiv.core.functions.nodes import function_of, uncall
from equiv.core.functions.traits import Form, Order
from equiv.core.printing.trees import key
from equiv.core.unsupported import UnsupportedError


def windowed(select: exp.Expression, stage: Stage, symbols: SymbolTable) -> Stage:
    """The stage with the values of the block's window calls."""
    clauses = [*select.expressions, *filter(None, [select.args.get("order")])]
    calls = {
        key(node): Window.of(node)
        for clause in clauses
        for node in walk_block(clause)
        if isinstance(node, exp.Window)
    }
    computed = []
    for window in calls.values():
        is_beside_others = len(calls) > 1 and _counts_rows(window, stage)
        if not isinstance(window.function, exp.RowNumber) or is_beside_others:
            computed.append(window)
        else:
            stage = _numbered(select, window, stage, symbols)
    if not computed:
        return stage
    values: list[dict[object, Expression]] = [
        {key(w.node): _value(w, part, stage, symbols) for w in computed} for part in stage.parts
    ]
    return stage.with_values(values)


def _counts_rows(window: Window, stage: Stage) -> bool:
    """Whether a ROW_NUMBER within partitions is a rank, as no rows tie."""
    return bool(window.partition) and order_tells(window, stage.parts[0], stage)


def _numbered(select: exp.Expression, window: Window, stage: Stage, symbols: SymbolTable) -> Stage:
    """The stage as the rows of a numbered bag: the columns and values that the block's results mention."""
    own = source_aliases(select)
    mentioned = {
        (column.text("table"), column.name): None
        for clause in result_clauses(select)
        for column in clause.find_all(exp.Column)
        if column.text("table") in own
    }
    first = stage.parts[0].symbols
    places = [place for place in mentioned if place in first.columns]
    known = list(first.values)
    terms = []
    for part in stage.parts:
        outputs = [part.symbols.columns[p] for p in places] + [part.symbols.values[k] for k in known]
        keys = keys_of(window, part)
        terms.append(replace(part.term, outputs=(*outputs, *keys)))
    width = len(places) + len(known)
    directions = tuple(direction(term) for term in _order_terms(window))
    site = symbols.translation.site(window.node, "number")
    row = symbols.world.names.variable("numbered")
    source = Numbered(Bag(tuple(terms)), width, len(window.partition), directions, site)
    columns = {place: Field(row, n) for n, place in enumerate(places)}
    values: dict[object, Expression] = {k: Field(row, n) for n, k in enumerate(known, len(places))}
    values[key(window.node)] = Field(row, width)
    inside = replace(symbols.inside(columns), values=values)
    return Stage((Part(Term((Binding(row, source),), TRUE, ()), inside),))


def _order_terms(window: Window) -> Sequence[exp.Expression]:
    order = window.node.args.get("order")
    return order.expressions if order is not None else ()


def _ranks(window: Window, term: Term, symbols: SymbolTable) -> tuple[Expression, ...]:
    """The keys by which the ranks of a window's order differ."""
    return sorted_row(window.order, term.outputs, symbols) or (TRUE,)


def _value(window: Window, part: Part, stage: Stage, symbols: SymbolTable) -> Expression:
    function = window.function
    if isinstance(function, exp.Rank | exp.RowNumber):
        bag = others(window, part, stage, [exp.Literal.number(1)], "before")
        return Apply("+", (Aggregate("COUNT", bag), TRUE))
    if isinstance(function, exp.DenseRank):
        bag = others(window, part, stage, window.order, "before")
        bag = Bag(tuple(replace(t, outputs=_ranks(window, t, symbols)) for t in bag.terms))
        row = symbols.world.names.variable("rank")
        distinct = Bag((Term((Binding(row, Squash(bag)),), TRUE, (TRUE,)),))
        return Apply("+", (Aggregate("COUNT", distinct), TRUE))
    name, arguments = uncall(function) or (type(function).__name__, ())
    if name in BY_PLACE:
        return BY_PLACE[name](window, (*arguments, None, None), part, stage)
    called = function_of(function)
    if called is None or called.form is not Form.AGGREGATE or called.order is not Order.NO:
        raise UnsupportedError("Window", f"the window function {name}")
    argument = aggregate_call(function)[1]
    check_aggregate(window.node, symbols)
    bag = framed(window, part, stage, [argument])
    return Aggregate(name, bag)  # type: ignore[arg-type]
