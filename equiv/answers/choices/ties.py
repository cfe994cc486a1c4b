"""In which order tied rows come: under windows, GROUP_CONCAT, nested LIMITs and scalar subqueries."""

from __future__ import annotations

from sqlglot import exp

from equiv.answers.calls import RANDOM, SHUFFLED_CONCAT, sql_call
from equiv.core.claims.block import is_aggregate, is_scalar, returns_one_row
from equiv.core.functions.nodes import function_of
from equiv.core.functions.traits import Order
from equiv.core.opaque_choices import Opaque

_ALL_ROWS = {"start": "UNBOUNDED", "start_side": "PRECEDING", "end": "UNBOUNDED", "end_side": "FOLLOWING"}


def randomise_window(window: exp.Expression) -> bool:
    """Break the ties of a window's ORDER BY, as far as its function and frame let them be seen."""
    function = window.this.this if isinstance(window.this, exp.Filter) else window.this
    spec = window.args.get("spec")
    kind = "" if spec is None else str(spec.args.get("kind", "")).upper()
    called = function_of(function)
    order = called.order if called is not None else Order.NO
    by_position = order in (Order.FRAME, Order.ROWS)
    if order is Order.PARTITION:
        return append_random(window)
    if spec is None and (not by_position or isinstance(function, exp.FirstValue)):
        return by_position and append_random(window)
    if spec is not None and str(spec.args.get("exclude") or "") in ("GROUP", "TIES"):
        raise Opaque("WindowSpec", "a window that excludes tied rows")
    if kind == "ROWS":
        return append_random(window)
    if not by_position:
        return False
    if isinstance(function, exp.LastValue) and _ends_with_peers(window):
        return _randomise_peers(window)
    if not _takes_all(window):
        raise Opaque("Window", "a window function that picks among tied rows")
    window.set("spec", exp.WindowSpec(kind="ROWS", **_ALL_ROWS))
    return append_random(window)


def _ends_with_peers(window: exp.Expression) -> bool:
    """Whether the frame of every row ends with its peers."""
    spec = window.args.get("spec")
    if window.args.get("order") is None or spec is None:
        return window.args.get("order") is not None
    return spec.args.get("exclude") is None and spec.args.get("end") == "CURRENT ROW"


def _randomise_peers(window: exp.Expression) -> bool:
    """Let LAST_VALUE return any one of a row's peers, the same for all of these."""
    peers = [term.this.copy() for term in window.args["order"].expressions]
    window.set("partition_by", [*(window.args.get("partition_by") or ()), *peers])
    window.set("order", None)
    window.set("spec", exp.WindowSpec(kind="ROWS", **_ALL_ROWS))
    return append_random(window)


def _takes_all(window: exp.Expression) -> bool:
    """Whether the frame of every row is its whole partition."""
    spec = window.args.get("spec")
    if spec is None:
        return window.args.get("order") is None
    return spec.args.get("exclude") is None and all(spec.args.get(k) == v for k, v in _ALL_ROWS.items())


def append_random(node: exp.Expression) -> bool:
    """Append a random last key to the ORDER BY of a query or a window."""
    if isinstance(node, exp.Window) and node.args.get("alias") is not None:
        raise Opaque("Window", "a named window")
    order = node.args.get("order")
    terms = list(order.expressions) if order is not None else []
    node.set("order", exp.Order(expressions=[*terms, exp.Ordered(this=sql_call(RANDOM), desc=False)]))
    return True


def randomise_concatenation(call: exp.Expression) -> bool:
    """Concatenate in any order."""
    if not is_aggregate(call):
        return False
    separator = call.args.get("separator")
    arguments = [call.this.copy()] if separator is None else [call.this.copy(), separator.copy()]
    call.replace(sql_call(SHUFFLED_CONCAT, *arguments))
    return True


def randomise_subquery(query: exp.Expression) -> bool:
    """Break the ties of a nested LIMIT, or of a scalar subquery that may return several rows."""
    limited = query.args.get("limit") is not None or query.args.get("offset") is not None
    scalar = is_scalar(query) and not returns_one_row(query)
    if not limited and not scalar:
        return False
    if isinstance(query, exp.SetOperation):
        if limited and query.args.get("order") is not None:
            raise Opaque("Limit", "LIMIT over an ordered set operation in a subquery")
        query = _wrap(query)
    append_random(query)
    if query.args.get("limit") is None:
        query.set("limit", exp.Limit(expression=exp.Literal.number(1)))
    return True


def _wrap(query: exp.Expression) -> exp.Expression:
    """Put ``SELECT * FROM (query)`` in the place of a query; the LIMIT moves to the outer one."""
    outer = exp.Select(expressions=[exp.Star()])
    query.replace(outer)
    for name in ("limit", "offset"):
        outer.set(name, query.args.get(name))
        query.set(name, None)
    alias = exp.TableAlias(this=exp.to_identifier("equiv_inner"))
    outer.set("from_", exp.From(this=exp.Subquery(this=query, alias=alias)))
    return outer
