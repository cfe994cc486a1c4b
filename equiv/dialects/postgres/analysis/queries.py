"""Queries of node trees as typed trees, what FROM reads, and the lengths that values of character(n) show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Literal

from equiv.core.query import UnsupportedError
from equiv.dialects.postgres.analysis.expressions import called, expression, maybe, sort_key
from equiv.dialects.postgres.analysis.nodes import TreeNode
from equiv.dialects.postgres.analysis.scope import SYSTEM_SCHEMAS, NodeReading, PostgresScope
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.numbers import OF_ONE_ROW
from equiv.dialects.typed.walks import parts_of
from equiv.names import quoted_name

_KEEPING = OF_ONE_ROW | {"any_value"}
"""Aggregates and window functions whose values are among those of their first argument, or NULL."""
_DEEPEST = 40


def shown_lengths(query: t.TypedQuery) -> tuple[int | None, ...]:
    """For each column the characters that its values show, blanks behind among them; None: not known."""
    parts = list(parts_of(query))
    queries = {part.number: part.query for part in parts if isinstance(part, t.DerivedTable)}
    ctes = {part.number: part.query for part in parts if isinstance(part, t.CommonTable)}
    queries |= {
        part.number: ctes[part.cte]
        for part in parts
        if isinstance(part, t.CommonTableUse) and part.cte in ctes
    }
    return tuple(_column(query, place, queries, 0) for place, _ in enumerate(t.columns_of(query)))


def _column(query: t.TypedQuery, place: int, queries: dict[int, t.TypedQuery], depth: int) -> int | None:
    if isinstance(query, t.Select):
        return _length(query.targets[place].value, queries, depth)
    return _operand(query.body, place, queries, depth)


def _operand(
    body: t.Compound | t.SetOperand, place: int, queries: dict[int, t.TypedQuery], depth: int
) -> int | None:
    if isinstance(body, t.SetOperand):
        return _column(body.query, place, queries, depth)
    sides = {_operand(side, place, queries, depth) for side in (body.left, body.right)}
    return sides.pop() if len(sides) == 1 else None


def _length(value: t.Expr, queries: dict[int, t.TypedQuery], depth: int) -> int | None:
    if value.type.name != "bpchar" or depth > _DEEPEST:
        return None
    if value.type.length is not None:
        return value.type.length
    match value:
        case t.Grouped(value=inner):
            return _length(inner, queries, depth + 1)
        case t.AggregateCall() | t.Over() if value.routine.name in _KEEPING and len(value.arguments) < 3:
            return _length(value.arguments[0], queries, depth + 1)
        case t.SourceColumn(source=source, position=position) if source in queries:
            return _column(queries[source], position - 1, queries, depth + 1)
        case t.Coalesce(arguments=results):
            return _common(results, queries, depth)
        case t.CaseWhen(branches=branches, default=default):
            return _common((*(result for _, result in branches), default), queries, depth)
    return None


def _common(results: tuple[t.Expr, ...], queries: dict[int, t.TypedQuery], depth: int) -> int | None:
    """The length of all values of several expressions, NULL apart."""
    shown = [each for each in results if not (isinstance(each, t.TypedConstant) and each.text is None)]
    lengths = {_length(each, queries, depth + 1) for each in shown}
    return lengths.pop() if len(lengths) == 1 else None


_SIDES: dict[int, Literal["INNER", "LEFT", "RIGHT", "FULL"]] = {0: "INNER", 1: "LEFT", 2: "FULL", 3: "RIGHT"}


def item(node: TreeNode, scope: PostgresScope) -> t.FromItem:
    """A source or a join that FROM names."""
    if node.name == "RANGETBLREF":
        return source(node.number("rtindex"), scope)
    if node.name != "JOINEXPR":
        raise UnsupportedError("From", node.name)
    left, right = item(node.node("larg"), scope), item(node.node("rarg"), scope)
    number = node.number("rtindex")
    entry = scope.level().table(number)
    names = _names(entry)
    found = t.Joined(
        _SIDES[node.number("jointype")],
        left,
        right,
        None,
        tuple(str(each) for each in node.list("usingClause")),
        scope.session.numbers(),
        _alias(entry) if entry.maybe("alias") is not None else "",
        names,
        tuple(expression(each, scope) for each in entry.nodes("joinaliasvars")),
    )
    if len(found.merged) != len(names):
        raise UnsupportedError("Join", "a join with dropped columns")
    scope.level().entries[number] = found
    found = replace(found, condition=maybe(node.maybe("quals"), scope))
    scope.level().entries[number] = found
    return found


def source(number: int, scope: PostgresScope) -> t.FromSource:
    """An entry of the range table that is not a join, by its number; is read once."""
    level = scope.level()
    if number not in level.entries:
        level.entries[number] = _source(level.table(number), scope)
    found = level.entries[number]
    assert isinstance(found, t.FromSource)
    return found


def _names(entry: TreeNode) -> tuple[str, ...]:
    return tuple(str(each) for each in entry.node("eref").list("colnames"))


def _alias(entry: TreeNode) -> str:
    return entry.node("eref").text("aliasname")


def _source(entry: TreeNode, scope: PostgresScope) -> t.FromSource:
    kind = entry.number("rtekind")
    if entry.maybe("tablesample") is not None:
        raise UnsupportedError("From", "TABLESAMPLE")
    if kind == 0 or entry.text("relkind") == "v":
        return _relation(entry, scope)
    number, alias, names = scope.session.numbers(), _alias(entry), _names(entry)
    if kind == 1:
        return t.DerivedTable(
            number, alias, names, query(entry.node("subquery"), scope), entry.flag("lateral")
        )
    if kind == 5:
        rows = [_row(each, scope) for each in entry.list("values_lists")]
        types = _typed(entry, scope)
        return t.ValuesList(number, alias, names, tuple(rows), types, entry.flag("lateral"))
    if kind == 3:
        functions = tuple(_function(each, scope) for each in entry.nodes("functions"))
        if sum(each.width for each in functions) + entry.flag("funcordinality") != len(names):
            raise UnsupportedError("From", "a function in FROM with dropped columns")
        return t.Called(number, alias, names, functions, entry.flag("funcordinality"), entry.flag("lateral"))
    if kind == 6:
        cte = scope.cte(entry.text("ctename"), entry.number("ctelevelsup"))
        return t.CommonTableUse(number, alias, names, cte.number)
    what = {4: "XMLTABLE or JSON_TABLE", 7: "a transition table"}.get(kind, "this kind of item in FROM")
    raise UnsupportedError("From", f"{what} in FROM")


def _function(node: TreeNode, scope: PostgresScope) -> t.CalledFunction:
    """A function in FROM.

    Raises:
        UnsupportedError: something else that PostgreSQL takes for one.
    """
    call = node.node("funcexpr")
    if call.name != "FUNCEXPR":
        raise UnsupportedError("From", "a value of the session in FROM")
    kinds = zip(node.list("funccoltypes"), node.list("funccoltypmods"), strict=True)
    types = (scope.catalogue.type(int(str(oid)), int(str(modifier))) for oid, modifier in kinds)
    defined = tuple(zip(map(str, node.list("funccolnames")), types, strict=True))
    return t.CalledFunction(called(call, scope), node.number("funccolcount"), defined)


def _row(values: object, scope: PostgresScope):  # type: ignore[no-untyped-def]
    assert isinstance(values, list)
    return tuple(expression(each, scope) for each in values)


def _typed(entry: TreeNode, scope: PostgresScope):  # type: ignore[no-untyped-def]
    modifiers = entry.list("coltypmods")
    return tuple(
        scope.catalogue.type(int(str(oid)), int(str(modifier)))
        for oid, modifier in zip(entry.list("coltypes"), modifiers, strict=True)
    )


def _relation(entry: TreeNode, scope: PostgresScope) -> t.FromSource:
    oid, alias, names = entry.number("relid"), _alias(entry), _names(entry)
    found = scope.catalogue.relation(oid)
    number = scope.session.numbers()
    is_renamed = any(name and name != own for name, own in zip(names, found.columns, strict=True))
    if found.schema in SYSTEM_SCHEMAS:
        called = f"{found.schema}.{found.name}"
        if found.kind not in "rv":
            raise UnsupportedError("From", f"{called}, which is neither a table nor a view")
        if scope.session.refreshed:
            raise UnsupportedError(
                "From",
                f"the system table {called} in a materialised view, which shows it as of its last refresh",
            )
        return t.SystemTable(
            number,
            alias,
            found.columns,
            found.schema,
            found.name,
            renamed=names if is_renamed else (),
            required=found.required,
        )
    if found.kind in "rp":
        return t.TableUse(
            number,
            alias,
            found.columns,
            found.schema,
            found.name,
            entry.flag("inh"),
            not entry.flag("inh") and not found.has_children,
            scope.session.refreshed,
            names if is_renamed else (),
        )
    if found.kind not in "vm":
        raise UnsupportedError("From", f"{found.name}, which is neither a table nor a view")

    session = scope.session
    if found.kind == "m":
        session = replace(session, refreshed=(*session.refreshed, f"{found.schema}.{found.name}"))
    if session.refreshed and not session.is_immutable(oid):
        raise UnsupportedError("From", f"{found.name}, whose rows depend on when it was last refreshed")
    inner = query(session.view_query(oid), PostgresScope(session, ()))
    view = f"{quoted_name(found.schema)}.{quoted_name(found.name)}"
    return t.DerivedTable(number, alias, names, inner, view=view)


_REFUSED = {
    "hasModifyingCTE": "a statement that changes data in WITH",
    "hasForUpdate": "FOR UPDATE",
    "hasRowSecurity": "row security",
}
_SETS = 4_096
"""The most sets of keys that CUBE may stand for, as PostgreSQL has it."""


def read_query(node: TreeNode, session: NodeReading) -> t.TypedQuery:
    """The typed tree of a whole query.

    Raises:
        UnsupportedError: a part of it that is not read.
    """
    return query(node, PostgresScope(session, ()))


def query(node: TreeNode, around: PostgresScope) -> t.TypedQuery:
    """The typed tree of a query within others."""
    if node.number("commandType") != 1:
        raise UnsupportedError("Query", "a statement that is not a query")
    for flag, what in _REFUSED.items():
        if node.flag(flag):
            raise UnsupportedError("Query", what)
    if node.nodes("rowMarks"):
        raise UnsupportedError("Query", "FOR UPDATE")
    scope = around.inside(node)
    ctes = _ctes(node, scope)
    if node.maybe("setOperations") is not None:
        return _set_query(node, scope, ctes)
    return _select(node, scope, ctes)


_NO_ROWS = t.Select(())


def _ctes(node: TreeNode, scope: PostgresScope) -> tuple[t.CommonTable, ...]:
    found = []
    for each in node.nodes("cteList"):
        if each.maybe("search_clause") or each.maybe("cycle_clause"):
            raise UnsupportedError("With", "SEARCH or CYCLE of WITH RECURSIVE")
        name, columns = each.text("ctename"), tuple(str(column) for column in each.list("ctecolnames"))
        is_recursive = each.flag("cterecursive")
        cte = t.CommonTable(
            scope.session.numbers(),
            name,
            columns,
            _NO_ROWS,
            each.text("ctematerialized"),
            is_recursive,
        )
        if is_recursive:
            # Its second operand reads it by its number.
            scope.level().ctes[name] = cte
        cte = replace(cte, query=query(each.node("ctequery"), scope))
        scope.level().ctes[name] = cte
        found.append(cte)
    return tuple(found)


def _select(node: TreeNode, scope: PostgresScope, ctes: tuple[t.CommonTable, ...]) -> t.TypedQuery:
    tree = node.node("jointree")
    items = tuple(item(each, scope) for each in tree.nodes("fromlist"))
    if node.flag("hasGroupRTE"):
        group = next(each for each in node.nodes("rtable") if each.number("rtekind") == 9)
        scope.level().groups = [expression(each, scope) for each in group.nodes("groupexprs")]
    where = maybe(tree.maybe("quals"), scope)
    targets = node.nodes("targetList")
    values = {each.number("ressortgroupref"): each for each in targets if each.number("ressortgroupref")}

    def terms(field: str) -> list[t.Expr]:
        clauses = node.nodes(field)
        return [expression(values[each.number("tleSortGroupRef")].node("expr"), scope) for each in clauses]

    is_on = node.flag("hasDistinctOn")
    return t.Select(
        _targets(targets, scope),
        items,
        where,
        _group(node, terms("groupClause")),
        maybe(node.maybe("havingQual"), scope),
        bool(node.nodes("distinctClause")) and not is_on,
        tuple(terms("distinctClause")) if is_on else (),
        _order(node.nodes("sortClause"), terms("sortClause"), scope),
        _limit(node, scope),
        ctes,
        node.flag("hasAggs") or node.maybe("havingQual") is not None,
    )


def _targets(targets: Sequence[TreeNode], scope: PostgresScope) -> tuple[t.ResultColumn, ...]:
    return tuple(
        t.ResultColumn(expression(each.node("expr"), scope), each.text("resname"))
        for each in targets
        if not each.flag("resjunk")
    )


def _order(
    clauses: Sequence[TreeNode], values: Sequence[t.Expr], scope: PostgresScope
) -> tuple[t.SortKey, ...]:
    return tuple(sort_key(clause, value, scope) for clause, value in zip(clauses, values, strict=True))


def _limit(node: TreeNode, scope: PostgresScope) -> t.Limit | None:
    count, offset = maybe(node.maybe("limitCount"), scope), maybe(node.maybe("limitOffset"), scope)
    if count is None and offset is None:
        return None
    return t.Limit(count, offset, node.number("limitOption") == 1)


def _group(node: TreeNode, terms: Sequence[t.Expr]) -> t.GroupBy | None:
    keys = tuple(term.value if isinstance(term, t.Grouped) else term for term in terms)
    sets = node.nodes("groupingSets")
    distinct = "DISTINCT " if node.flag("groupDistinct") else ""
    if not sets:
        return t.GroupBy(keys, text=distinct) if keys else None
    places = {each.number("tleSortGroupRef"): at for at, each in enumerate(node.nodes("groupClause"))}
    found: list[tuple[int, ...]] = [()]
    for each in sets:
        expanded = _expanded(each, places)
        if len(found) * len(expanded) > _SETS:
            raise UnsupportedError("Group", "too many grouping sets")
        found = [(*one, *other) for one in found for other in expanded]
    unique = [tuple(sorted(set(each))) for each in found]
    text = distinct + ", ".join(_written(each, places) for each in sets)
    return t.GroupBy(keys, tuple(dict.fromkeys(unique) if distinct else unique), text)


def _expanded(node: TreeNode, places: dict[int, int]) -> list[tuple[int, ...]]:
    """The sets of keys, by index, that a GROUPING SETS, ROLLUP or CUBE stands for."""
    kind = node.number("kind")
    if kind == 0:
        return [()]
    if kind == 1:
        return [tuple(places[int(str(each))] for each in node.list("content"))]
    parts = [_expanded(each, places) for each in node.nodes("content")]
    if kind == 4:
        return [each for part in parts for each in part]
    singles = [part[0] for part in parts]
    if kind == 2:
        return [_joined(singles[:length]) for length in range(len(singles), -1, -1)]
    if len(singles) > 12:
        raise UnsupportedError("Group", "too many grouping sets")
    return [
        _joined(chosen) for length in range(len(singles), -1, -1) for chosen in combinations(singles, length)
    ]


def _joined(parts: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(each for part in parts for each in part)


def _written(node: TreeNode, places: dict[int, int]) -> str:
    kind = node.number("kind")
    if kind == 0:
        return "()"
    if kind == 1:
        return "(" + ", ".join(f"{{{places[int(str(each))]}}}" for each in node.list("content")) + ")"
    inner = ", ".join(_written(each, places) for each in node.nodes("content"))
    return f"{ {2: 'ROLLUP', 3: 'CUBE', 4: 'GROUPING SETS'}[kind] } ({inner})"


def _set_query(node: TreeNode, scope: PostgresScope, ctes: tuple[t.CommonTable, ...]) -> t.TypedQuery:
    body = _compound(node.node("setOperations"), scope)
    assert isinstance(body, t.Compound)
    targets = [each for each in node.nodes("targetList") if not each.flag("resjunk")]
    positions = {each.number("ressortgroupref"): at for at, each in enumerate(targets, 1)}
    order = []
    for clause in node.nodes("sortClause"):
        position = positions.get(clause.number("tleSortGroupRef"))
        if position is None:
            raise UnsupportedError("Order", "a set operation ordered by something other than its columns")
        key = sort_key(clause, expression(targets[position - 1].node("expr"), scope), scope)
        order.append((position, key.descending, key.nulls_first))
    names = tuple(each.text("resname") for each in targets)
    return t.SetQuery(body, names, tuple(order), _limit(node, scope), ctes)


def _compound(node: TreeNode, scope: PostgresScope) -> t.Compound | t.SetOperand:
    if node.name == "RANGETBLREF":
        found = source(node.number("rtindex"), scope)
        assert isinstance(found, t.DerivedTable)
        return t.SetOperand(found.query)
    operators: dict[int, Literal["UNION", "INTERSECT", "EXCEPT"]] = {1: "UNION", 2: "INTERSECT", 3: "EXCEPT"}
    modifiers = [int(str(each)) for each in node.list("colTypmods")]
    types = [
        scope.catalogue.type(int(str(each)), modifier)
        for each, modifier in zip(node.list("colTypes"), modifiers, strict=True)
    ]
    left, right = (_compound(node.node(side), scope) for side in ("larg", "rarg"))
    return t.Compound(operators[node.number("op")], node.flag("all"), left, right, tuple(types))
