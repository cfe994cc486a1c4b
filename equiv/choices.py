"""Rewrites of a query that lay its free choices open.

SQL leaves choices to the engine: which of tied rows a LIMIT keeps, which row
a bare column comes from, the order in which GROUP_CONCAT concatenates, the
row of a scalar subquery with several.  :func:`randomised` makes each of them
at random, through functions that :mod:`equiv.answers` registers; the results
then range over the possible answers (or, where choices of one row are made
column by column, over a superset, which errs on the side of caution).
:func:`ranked` numbers the tied groups of the top-level ORDER BY, and
:func:`exact` takes rounding out of arithmetic (:mod:`equiv.exact_arithmetic`).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from sqlglot import exp

from equiv import exact_arithmetic
from equiv.representatives import (
    folds_text,
    free_representative,
    is_plain_distinct,
    mixes_numbers,
    tells_types,
)
from equiv.rule import Context
from equiv.scope import (
    QUERY_BLOCKS,
    aggregates,
    is_aggregate,
    is_grouped,
    is_scalar,
    result_clauses,
    returns_one_row,
    source_aliases,
)
from equiv.sql import key
from equiv.value_types import Applied, affinity

RANDOM = "equiv_random"
ANY_VALUE = "equiv_any"
AT_MINIMUM = "equiv_at_min"
AT_MAXIMUM = "equiv_at_max"
SHUFFLED_CONCAT = "equiv_shuffled_concat"
AS_NUMBER = "equiv_as_number"
AS_TEXT = "equiv_as_text"

NOW = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
"""The one instant for which 'now' and CURRENT_TIMESTAMP stand in laid-open queries."""

_FRAMELESS = (exp.RowNumber, exp.Ntile, exp.Lag, exp.Lead)
_BY_POSITION = (exp.FirstValue, exp.LastValue, exp.NthValue, exp.GroupConcat)
_DATE_FUNCTIONS = {"DATE", "TIME", "DATETIME", "JULIANDAY", "UNIXEPOCH", "STRFTIME"}
_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div)


class Opaque(Exception):  # noqa: N818 - a condition of the query, not an error
    """The query has a choice that cannot be laid open."""


def _call(name: str, *arguments: exp.Expression) -> exp.Expression:
    return exp.Anonymous(this=name, expressions=list(arguments))


def laid_open(root: exp.Expression, ctx: Context) -> exp.Expression | None:
    """The query with its choices made at random, and one instant for the current time.

    Returns None if there is nothing to choose and no mention of the current time.

    Raises:
        Opaque: a choice cannot be laid open.
    """
    if reason := free_representative(root, ctx):
        raise Opaque(reason)
    frozen = root.copy()
    mentions_time = _freeze_time(frozen)
    return randomised(frozen, ctx) or (frozen if mentions_time else None)


def randomised(root: exp.Expression, ctx: Context | None = None) -> exp.Expression | None:
    """The query with every choice below its top-level ORDER BY and LIMIT made at random.

    Returns None if there is no such choice.  Without a context, bare columns lose their affinity:
    enough to tell whether there is a choice.

    Raises:
        Opaque: a choice cannot be laid open.
    """
    root = root.copy()
    changed = False
    folds = ctx is not None and folds_text(root, ctx)
    numbers = ctx if ctx is not None and tells_types(root) else None
    for select in list(root.find_all(exp.Select)):
        if numbers is not None and select is not root:
            changed |= _randomise_distinct_numbers(select, numbers)
        chosen = _randomise_distinct_order(select)
        chosen |= _randomise_bare_columns(select, ctx)
        if chosen and folds:
            raise Opaque("a bare column beside a collation")
        changed |= chosen
    for window in list(root.find_all(exp.Window)):
        changed |= _randomise_window(window)
    for call in list(root.find_all(exp.GroupConcat)):
        changed |= _randomise_concatenation(call)
    queries: list[exp.Expression] = list(root.find_all(exp.Select, exp.SetOperation))
    for query in queries:
        if query is not root:
            changed |= _randomise_subquery(query)
    if any(call.name.upper().startswith("JSON_GROUP_") for call in root.find_all(exp.Anonymous)):
        raise Opaque("JSON aggregate, whose order is free")
    return root if changed else None


def _freeze_time(root: exp.Expression) -> bool:
    """Put one instant for 'now' and CURRENT_*, which else differ between two statements."""
    currents = (exp.CurrentTimestamp, exp.CurrentDate, exp.CurrentTime)
    found = list(root.find_all(*currents))
    for node in found:
        start, stop = {exp.CurrentTimestamp: (0, 19), exp.CurrentDate: (0, 10)}.get(type(node), (11, 19))
        node.replace(exp.Literal.string(NOW[start:stop]))
    calls = [call for call in root.walk() if _is_date_call(call)]
    for call in calls:
        if isinstance(call, exp.Anonymous) and len(call.expressions) == (call.name.upper() == "STRFTIME"):
            call.append("expressions", exp.Literal.string("now"))
    texts = [text for text in root.find_all(exp.Literal) if text.is_string]
    words = [text for text in texts if text.name.lower() == "now"] if calls else []
    for word in words:
        if not _is_date_call(word.parent):
            raise Opaque("'now', handed to a date function or not")
        word.replace(exp.Literal.string(NOW))
    return bool(found or words)


def reads_the_clock(root: exp.Expression) -> bool:
    """Whether a query mentions the current time."""
    return _freeze_time(root.copy())


def _is_date_call(node: object) -> bool:
    if isinstance(node, exp.Anonymous):
        return node.name.upper() in _DATE_FUNCTIONS
    return isinstance(node, exp.Date | exp.TsOrDsToTimestamp)


def _randomise_distinct_order(select: exp.Expression) -> bool:
    """Sort SELECT DISTINCT by any of the rows that were merged, where it does not project the sort key."""
    order = select.args.get("order")
    if order is None or select.args.get("distinct") is None:
        return False
    projected = {key(x.unalias()) for x in select.expressions}
    hidden = [term for term in order.expressions if key(term.this) not in projected]
    if not hidden:
        return False
    if is_grouped(select):
        raise Opaque("SELECT DISTINCT with GROUP BY, ordered by what it does not project")
    keys = [x.unalias().copy() for x in select.expressions if x.find(exp.Column) is not None]
    if not keys:
        raise Opaque("SELECT DISTINCT of constants, ordered")
    for term in hidden:
        term.set("this", _call(ANY_VALUE, term.this.copy()))
    select.set("distinct", None)
    select.set("group", exp.Group(expressions=keys))
    return True


def _randomise_distinct_numbers(select: exp.Expression, ctx: Context) -> bool:
    """Keep any of the equal numbers, such as 1 and 1.0, that DISTINCT merges."""
    outputs = [x.unalias() for x in select.expressions]
    if not is_plain_distinct(select) or not any(mixes_numbers([x], ctx) for x in outputs):
        return False
    select.set("distinct", None)
    select.set("group", exp.Group(expressions=[x.copy() for x in outputs]))
    for x in outputs:
        kind = affinity(x, ctx)
        x.replace(_with_affinity(_call(ANY_VALUE, x.copy()), kind))
    return True


def _randomise_bare_columns(select: exp.Expression, ctx: Context | None) -> bool:
    if not is_grouped(select):
        return False
    group = select.args.get("group")
    terms = group.expressions if group is not None else []
    keys = {
        key(x) for x in terms if ctx is None or not (isinstance(x, exp.Column) and mixes_numbers([x], ctx))
    }
    own = source_aliases(select)
    picker = _picker(select)
    changed = False
    for clause in result_clauses(select):
        for column in _bare_columns(clause, keys, own):
            if not _is_in_block(column, select):
                raise Opaque("bare column inside a correlated subquery")
            kind = affinity(column, ctx) if ctx is not None and _may_be_compared(column) else Applied.NONE
            column.replace(_with_affinity(picker(column.copy()), kind))
            changed = True
    return changed


def _may_be_compared(column: exp.Expression) -> bool:
    """Whether the affinity of a result column's value can matter: in a comparison, here or further out."""
    parent = column.parent.parent if isinstance(column.parent, exp.Alias) else column.parent
    if isinstance(parent, exp.Select):
        return parent.parent is not None
    return isinstance(parent, (exp.Predicate, exp.Case, exp.If, exp.Tuple, exp.Collate))


def _with_affinity(chosen: exp.Expression, kind: Applied) -> exp.Expression:
    """A chosen value with the affinity of its column, which decides how comparisons convert."""
    match kind:
        case Applied.NUMERIC:
            return exp.Cast(this=_call(AS_NUMBER, chosen), to=exp.DataType(this=exp.DType.DECIMAL))
        case Applied.TEXT:
            return exp.Cast(this=_call(AS_TEXT, chosen), to=exp.DataType(this=exp.DType.TEXT))
        case Applied.UNKNOWN:
            raise Opaque("bare column of unknown affinity")
    return chosen


def _picker(select: exp.Expression) -> Callable[[exp.Expression], exp.Expression]:
    """How a bare column is chosen: beside a single plain MIN or MAX, from an extremal row."""
    extremes = [call for call in aggregates(select) if isinstance(call, exp.Min | exp.Max)]
    if len({key(call) for call in extremes}) == 1:
        call = extremes[0]
        if not isinstance(call.this, exp.Distinct) and not isinstance(call.parent, exp.Filter):
            name = AT_MINIMUM if isinstance(call, exp.Min) else AT_MAXIMUM
            value = call.this.copy()
            return lambda column: _call(name, value.copy(), column)
    return lambda column: _call(ANY_VALUE, column)


def _bare_columns(node: exp.Expression, keys: set[tuple[object, ...]], own: set[str]) -> list[exp.Expression]:
    """Columns of the own sources outside aggregates and group keys, nested queries included."""
    if keys and key(node.this if isinstance(node, exp.Alias) else node) in keys:
        return []
    call = node.this if isinstance(node, exp.Filter) else node
    if is_aggregate(call) and _own_aggregate(call, own):
        return []
    if isinstance(node, exp.Anonymous) and node.name == ANY_VALUE:
        return []
    if isinstance(node, exp.Column):
        return [node] if node.table in own else []
    found = []
    for child in node.iter_expressions():
        found += _bare_columns(child, keys, own)
    return found


def _own_aggregate(call: exp.Expression, own: set[str]) -> bool:
    """Whether an aggregate is of the query with these sources, not of one nested in it."""
    select = call.find_ancestor(exp.Select)
    return select is None or source_aliases(select) == own


def _is_in_block(node: exp.Expr, select: exp.Expression) -> bool:
    while node.parent is not None and not isinstance(node, QUERY_BLOCKS):
        node = node.parent
    return node is select


def _randomise_window(window: exp.Expression) -> bool:
    """Break the ties of a window's ORDER BY, as far as its function and frame let them be seen."""
    function = window.this.this if isinstance(window.this, exp.Filter) else window.this
    spec = window.args.get("spec")
    kind = "" if spec is None else str(spec.args.get("kind", "")).upper()
    by_position = isinstance(function, _BY_POSITION)
    if isinstance(function, _FRAMELESS):
        return _append_random(window)
    if spec is None and (not by_position or isinstance(function, exp.FirstValue)):
        return by_position and _append_random(window)
    if spec is not None and str(spec.args.get("exclude") or "") in ("GROUP", "TIES"):
        raise Opaque("a window that excludes tied rows")
    if kind == "ROWS":
        return _append_random(window)
    if not by_position:
        return False
    if not _takes_all(window):
        raise Opaque("a window function that picks among tied rows")
    window.set("spec", exp.WindowSpec(kind="ROWS", **_ALL_ROWS))
    return _append_random(window)


_ALL_ROWS = {"start": "UNBOUNDED", "start_side": "PRECEDING", "end": "UNBOUNDED", "end_side": "FOLLOWING"}


def _takes_all(window: exp.Expression) -> bool:
    """Whether the frame of every row is its whole partition."""
    spec = window.args.get("spec")
    if spec is None:
        return window.args.get("order") is None
    return spec.args.get("exclude") is None and all(spec.args.get(k) == v for k, v in _ALL_ROWS.items())


def _append_random(node: exp.Expression) -> bool:
    """Append a random last key to the ORDER BY of a query or a window."""
    if isinstance(node, exp.Window) and node.args.get("alias") is not None:
        raise Opaque("a named window")
    order = node.args.get("order")
    terms = list(order.expressions) if order is not None else []
    node.set("order", exp.Order(expressions=[*terms, exp.Ordered(this=_call(RANDOM), desc=False)]))
    return True


def _randomise_concatenation(call: exp.Expression) -> bool:
    if not is_aggregate(call):
        return False
    separator = call.args.get("separator")
    arguments = [call.this.copy()] if separator is None else [call.this.copy(), separator.copy()]
    call.replace(_call(SHUFFLED_CONCAT, *arguments))
    return True


def _randomise_subquery(query: exp.Expression) -> bool:
    """Break the ties of a nested LIMIT, or of a scalar subquery that may return several rows."""
    limited = query.args.get("limit") is not None or query.args.get("offset") is not None
    scalar = is_scalar(query) and not returns_one_row(query)
    if not limited and not scalar:
        return False
    if isinstance(query, exp.SetOperation):
        if limited and query.args.get("order") is not None:
            raise Opaque("LIMIT over an ordered set operation in a subquery")
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


def limits(root: exp.Expression) -> tuple[int, int | None]:
    """The window of the top-level LIMIT and OFFSET: start and stop (None: no limit).

    Raises:
        Opaque: they are no integer literals.
    """
    start = _integer(root.args["offset"].expression) if root.args.get("offset") is not None else 0
    start = max(start, 0)
    if root.args.get("limit") is None:
        return start, None
    count = _integer(root.args["limit"].expression)
    return start, None if count < 0 else start + count


def _integer(node: exp.Expression) -> int:
    if isinstance(node, exp.Neg):
        return -_integer(node.this)
    if isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit():
        return int(node.name)
    raise Opaque("LIMIT or OFFSET that is no integer literal")


def ranked(root: exp.Expression) -> exp.Expression:
    """The query without its top-level LIMIT; its last column is the rank of each row's ORDER BY group."""
    root = root.copy()
    order = root.args.get("order")
    for name in ("order", "limit", "offset"):
        root.set(name, None)
    if order is None:
        terms: list[exp.Expression] = []
    elif isinstance(root, exp.Select) and root.args.get("distinct") is None:
        root.append("expressions", _rank(order.expressions))
        return root
    else:
        terms = _output_terms(root, order.expressions)
    outer = exp.Select(expressions=[exp.Star(), _rank(terms)])
    if terms:
        _name_outputs(root)
    alias = exp.TableAlias(this=exp.to_identifier("equiv_top"))
    outer.set("from_", exp.From(this=exp.Subquery(this=root, alias=alias)))
    return outer


def _rank(terms: list[exp.Expression]) -> exp.Expression:
    order = exp.Order(expressions=[term.copy() for term in terms]) if terms else None
    return exp.Window(this=exp.Rank(), order=order, over="OVER") if order else exp.Literal.number(1)


def _name_outputs(root: exp.Expression) -> None:
    first = root
    while isinstance(first, exp.SetOperation | exp.Subquery):
        first = first.this
    if not isinstance(first, exp.Select):
        raise Opaque("ordered VALUES")
    outputs = [x.unalias().copy() for x in first.expressions]
    first.set("expressions", [exp.alias_(x, f"equiv_c{n}") for n, x in enumerate(outputs, 1)])


def _output_terms(root: exp.Expression, terms: list[exp.Expression]) -> list[exp.Expression]:
    """ORDER BY terms of a DISTINCT or compound query, as references to its numbered outputs."""
    projections = [key(x.unalias()) for x in root.expressions] if isinstance(root, exp.Select) else []
    renamed = []
    for term in terms:
        wanted = term.this
        if isinstance(wanted, exp.Collate):
            raise Opaque("ORDER BY with COLLATE over DISTINCT or a set operation")
        is_select = isinstance(root, exp.Select)
        position = projections.index(key(wanted)) + 1 if is_select else _integer(wanted)
        copied = term.copy()
        copied.set("this", exp.column(f"equiv_c{position}"))
        renamed.append(copied)
    return renamed


_ROUNDING_CALLS = exact_arithmetic.ROUNDING | {"TOTAL", "JULIANDAY"}


def computes_reals(root: exp.Expression) -> bool:
    """Whether arithmetic of the query may round."""
    if root.find(exp.Avg, *_ARITHMETIC, exp.Sum, exp.Round) is not None:
        return True
    return any(call.name.upper() in _ROUNDING_CALLS for call in root.find_all(exp.Anonymous))


_EXACT_NAMES: dict[type[exp.Expr], str] = {
    exp.Add: exact_arithmetic.ADD,
    exp.Sub: exact_arithmetic.SUBTRACT,
    exp.Mul: exact_arithmetic.MULTIPLY,
    exp.Div: exact_arithmetic.DIVIDE,
    exp.Sum: exact_arithmetic.SUM,
    exp.Avg: exact_arithmetic.AVG,
}


def exact(root: exp.Expression) -> exp.Expression:
    """The query with every arithmetic step computed as on rational numbers."""
    root = root.copy()
    for node in reversed(list(root.walk(bfs=True))):
        match node:
            case exp.Add() | exp.Sub() | exp.Mul() | exp.Div():
                node.replace(_call(_EXACT_NAMES[type(node)], node.this, node.expression))
            case exp.Sum() | exp.Avg():
                node.replace(_call(_EXACT_NAMES[type(node)], node.this))
            case exp.Anonymous() if node.name.upper() == "TOTAL":
                node.set("this", exact_arithmetic.TOTAL)
            case exp.Anonymous() if node.name.upper() == "JULIANDAY":
                _wrap_call(node, exact_arithmetic.DAYS)
            case exp.Anonymous() if node.name.upper() in exact_arithmetic.ROUNDING:
                _wrap_call(node, exact_arithmetic.ROUNDED)
    return root


def _wrap_call(node: exp.Expression, name: str) -> None:
    wrapper = _call(name)
    node.replace(wrapper)
    wrapper.set("expressions", [node])
