"""Rewrites of a query that lay its free choices open.

SQL leaves choices to the engine: which of tied rows a LIMIT keeps, which row
a bare column comes from, the order in which GROUP_CONCAT concatenates, the
row of a scalar subquery with several.  :func:`randomised` makes each of them
at random, through functions that :mod:`equiv.answers` registers; the results
then range over the possible answers (or, where choices of one row are made
column by column, over a superset, which errs on the side of caution).
:func:`ranked` numbers the tied groups of the top-level ORDER BY, and
:func:`exact` removes rounding from arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

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

RANDOM = "equiv_random"
ANY_VALUE = "equiv_any"
AT_MINIMUM = "equiv_at_min"
AT_MAXIMUM = "equiv_at_max"
SHUFFLED_CONCAT = "equiv_shuffled_concat"
EXACT = "equiv_exact"

_ORDER_SENSITIVE = (
    exp.RowNumber,
    exp.Ntile,
    exp.Lag,
    exp.Lead,
    exp.FirstValue,
    exp.LastValue,
    exp.NthValue,
    exp.GroupConcat,
)
_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div)


class Opaque(Exception):  # noqa: N818 - a condition of the query, not an error
    """The query has a choice that cannot be laid open."""


def _call(name: str, *arguments: exp.Expression) -> exp.Expression:
    return exp.Anonymous(this=name, expressions=list(arguments))


def randomised(root: exp.Expression) -> exp.Expression | None:
    """The query with every choice below its top-level ORDER BY and LIMIT made at random.

    Returns None if there is no such choice.

    Raises:
        Opaque: a choice cannot be laid open.
    """
    root = root.copy()
    changed = False
    for select in list(root.find_all(exp.Select)):
        changed |= _randomise_distinct_order(select)
        changed |= _randomise_bare_columns(select)
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


def _randomise_bare_columns(select: exp.Expression) -> bool:
    if not is_grouped(select):
        return False
    group = select.args.get("group")
    keys = {key(x) for x in group.expressions} if group is not None else set()
    own = source_aliases(select)
    picker = _picker(select)
    changed = False
    for clause in result_clauses(select):
        for column in _bare_columns(clause, keys, own):
            if not _is_in_block(column, select):
                raise Opaque("bare column inside a correlated subquery")
            column.replace(picker(column.copy()))
            changed = True
    return changed


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


def _bare_columns(
    node: exp.Expression, keys: set[tuple[object, ...]], own: set[str]
) -> list[exp.Expression]:
    """Columns of the own sources outside aggregates and group keys, nested queries included."""
    if keys and key(node.this if isinstance(node, exp.Alias) else node) in keys:
        return []
    if isinstance(node, exp.Filter) and is_aggregate(node.this):
        return []
    if is_aggregate(node) or (isinstance(node, exp.Anonymous) and node.name == ANY_VALUE):
        return []
    if isinstance(node, exp.Column):
        return [node] if node.table in own else []
    found = []
    for child in node.iter_expressions():
        found += _bare_columns(child, keys, own)
    return found


def _is_in_block(node: exp.Expr, select: exp.Expression) -> bool:
    while node.parent is not None and not isinstance(node, QUERY_BLOCKS):
        node = node.parent
    return node is select


def _randomise_window(window: exp.Expression) -> bool:
    function = window.this.this if isinstance(window.this, exp.Filter) else window.this
    spec = window.args.get("spec")
    by_rows = spec is not None and str(spec.args.get("kind", "")).upper() != "RANGE"
    if not isinstance(function, _ORDER_SENSITIVE) and not by_rows:
        return False
    _append_random(window)
    return True


def _append_random(node: exp.Expression) -> None:
    """Append a random last key to the ORDER BY of a query or a window."""
    order = node.args.get("order")
    terms = list(order.expressions) if order is not None else []
    node.set("order", exp.Order(expressions=[*terms, exp.Ordered(this=_call(RANDOM), desc=False)]))


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
    """The query without its top-level LIMIT, and with the rank of each row's ORDER BY group as last column."""
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
    names = (f"equiv_c{number}" for number in range(1, len(first.expressions) + 1))
    first.set("expressions", [exp.alias_(x.unalias().copy(), n) for x, n in zip(first.expressions, names, strict=True)])


def _output_terms(root: exp.Expression, terms: list[exp.Expression]) -> list[exp.Expression]:
    """ORDER BY terms of a DISTINCT or compound query, as references to its numbered outputs."""
    projections = [key(x.unalias()) for x in root.expressions] if isinstance(root, exp.Select) else []
    renamed = []
    for term in terms:
        wanted = term.this
        if isinstance(wanted, exp.Collate):
            raise Opaque("ORDER BY with COLLATE over DISTINCT or a set operation")
        if isinstance(root, exp.Select):
            position = projections.index(key(wanted)) + 1
        else:
            position = _integer(wanted)
        copied = term.copy()
        copied.set("this", exp.column(f"equiv_c{position}"))
        renamed.append(copied)
    return renamed


def computes_reals(root: exp.Expression) -> bool:
    """Whether arithmetic of the query may round."""
    if root.find(exp.Avg, *_ARITHMETIC, exp.Sum, exp.Round) is not None:
        return True
    return any(call.name.upper() == "TOTAL" for call in root.find_all(exp.Anonymous))


def exact(root: exp.Expression) -> exp.Expression:
    """The query with the result of every arithmetic step rounded to the nearby simple rational."""
    root = root.copy()
    for node in reversed(list(root.walk(bfs=True))):
        if not isinstance(node, (*_ARITHMETIC, exp.Avg, exp.Sum)) and not _is_total(node):
            continue
        outermost = node
        while isinstance(outermost.parent, exp.Filter | exp.Window) and outermost.parent.this is outermost:
            outermost = outermost.parent
        if outermost is root:
            continue
        placeholder = _call(EXACT)
        outermost.replace(placeholder)
        placeholder.set("expressions", [outermost])
    return root


def _is_total(node: exp.Expr) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.upper() == "TOTAL"
