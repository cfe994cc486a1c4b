"""Rewrites of a query that lay its free choices open.

SQL leaves choices to the engine: which of tied rows a LIMIT keeps, which row
a bare column comes from, the order in which GROUP_CONCAT concatenates, the
row of a scalar subquery with several.  :func:`randomised` makes each of them
at random, or as prescribed, through :mod:`equiv.answers.choices.functions`; the
results then range over the possible answers, or over a superset, which errs on
the side of caution.
The top level is left to :mod:`equiv.core.claims.choices`, rounding to
:mod:`equiv.answers.exact.queries`.

In which order tied rows come: under windows, GROUP_CONCAT, nested LIMITs and scalar subqueries.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.answers.calls import RANDOM, SHUFFLED_CONCAT, sql_call
from equiv.answers.choices.representatives import folds_text, free_representative, tells_types
from equiv.answers.choices.rows import (
    randomise_bare_columns,
    randomise_distinct_numbers,
    randomise_distinct_order,
    randomise_extremes,
)
from equiv.core.claims.blocks import is_aggregate, is_scalar, returns_one_row
from equiv.core.claims.choices import freeze_time
from equiv.core.functions.table import calls_of, function_of
from equiv.core.functions.traits import OrderDependence
from equiv.core.model import Context
from equiv.core.query import Opaque


def laid_open(root: exp.Expression, ctx: Context) -> exp.Expression | None:
    """The query with its choices made at random, and one instant for the current time.

    Returns None if there is nothing to choose and no mention of the current time.

    Raises:
        Opaque: a choice cannot be laid open.
    """
    if reason := free_representative(root, ctx):
        raise Opaque("Select", reason)
    frozen = root.copy()
    mentions_time = freeze_time(frozen)
    return frozen if _randomise(frozen, ctx) or mentions_time else None


def randomised(root: exp.Expression, ctx: Context | None = None) -> exp.Expression | None:
    """The query with every choice below its top-level ORDER BY and LIMIT made at random.

    Returns None if there is no such choice.  Without a context, bare columns lose their affinity:
    enough to tell whether there is a choice.

    Raises:
        Opaque: a choice cannot be laid open.
    """
    root = root.copy()
    return root if _randomise(root, ctx) else None


def _randomise(root: exp.Expression, ctx: Context | None) -> bool:
    """Make every choice of a query at random, in place; whether there is any."""
    changed = False
    folds = ctx is not None and folds_text(root, ctx)
    numbers = ctx if ctx is not None and tells_types(root) else None
    for select in list(root.find_all(exp.Select)):
        if numbers is not None and select is not root:
            changed |= randomise_distinct_numbers(select, numbers)
        chosen = randomise_distinct_order(select, ctx)
        chosen |= randomise_bare_columns(select, ctx)
        if chosen and folds:
            raise Opaque("Column", "a bare column beside a collation")
        changed |= chosen
    for window in list(root.find_all(exp.Window)):
        changed |= _randomise_window(window)
    for call in list(root.find_all(exp.GroupConcat)):
        changed |= _randomise_concatenation(call)
    queries: list[exp.Expression] = list(root.find_all(exp.Select, exp.SetOperation))
    for query in queries:
        if query is not root:
            changed |= _randomise_subquery(query)
    if numbers is not None:
        changed |= randomise_extremes(root, numbers)
    for function in calls_of(root):
        if function.order is OrderDependence.ROWS and function.node is None:
            raise Opaque("AggFunc", f"{function.name}, whose order is free")
    return changed


_ALL_ROWS = {"start": "UNBOUNDED", "start_side": "PRECEDING", "end": "UNBOUNDED", "end_side": "FOLLOWING"}


def _randomise_window(window: exp.Expression) -> bool:
    """Break the ties of a window's ORDER BY, as far as its function and frame let them be seen."""
    function = window.this.this if isinstance(window.this, exp.Filter) else window.this
    spec = window.args.get("spec")
    kind = "" if spec is None else str(spec.args.get("kind", "")).upper()
    called = function_of(function)
    order = called.order if called is not None else OrderDependence.NO
    by_position = order in (OrderDependence.FRAME, OrderDependence.ROWS)
    if order is OrderDependence.PARTITION:
        return _append_random(window)
    if spec is None and (not by_position or isinstance(function, exp.FirstValue)):
        return by_position and _append_random(window)
    if spec is not None and str(spec.args.get("exclude") or "") in ("GROUP", "TIES"):
        raise Opaque("WindowSpec", "a window that excludes tied rows")
    if kind == "ROWS":
        return _append_random(window)
    if not by_position:
        return False
    if isinstance(function, exp.LastValue) and _ends_with_peers(window):
        return _randomise_peers(window)
    if not _takes_all(window):
        raise Opaque("Window", "a window function that picks among tied rows")
    window.set("spec", exp.WindowSpec(kind="ROWS", **_ALL_ROWS))
    return _append_random(window)


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
    return _append_random(window)


def _takes_all(window: exp.Expression) -> bool:
    """Whether the frame of every row is its whole partition."""
    spec = window.args.get("spec")
    if spec is None:
        return window.args.get("order") is None
    return spec.args.get("exclude") is None and all(spec.args.get(k) == v for k, v in _ALL_ROWS.items())


def _append_random(node: exp.Expression) -> bool:
    """Append a random last key to the ORDER BY of a query or a window."""
    if isinstance(node, exp.Window) and node.args.get("alias") is not None:
        raise Opaque("Window", "a named window")
    order = node.args.get("order")
    terms = list(order.expressions) if order is not None else []
    node.set("order", exp.Order(expressions=[*terms, exp.Ordered(this=sql_call(RANDOM), desc=False)]))
    return True


def _randomise_concatenation(call: exp.Expression) -> bool:
    """Concatenate in any order."""
    if not is_aggregate(call):
        return False
    separator = call.args.get("separator")
    arguments = [call.this.copy()] if separator is None else [call.this.copy(), separator.copy()]
    call.replace(sql_call(SHUFFLED_CONCAT, *arguments))
    return True


def _randomise_subquery(query: exp.Expression) -> bool:
    """Break the ties of a nested LIMIT, or of a scalar subquery that may return several rows."""
    limited = query.args.get("limit") is not None or query.args.get("offset") is not None
    scalar = is_scalar(query) and not returns_one_row(query)
    if not limited and not scalar:
        return False
    if isinstance(query, exp.SetOperation):
        if limited and query.args.get("order") is not None:
            raise Opaque("Limit", "LIMIT over an ordered set operation in a subquery")
        query = _wrap(query)
    _append_random(query)
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
