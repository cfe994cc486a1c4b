"""Queries of node trees as typed trees."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Literal

from equiv.core.query import UnsupportedError
from equiv.dialects.postgres.analysis.expressions import expression, maybe, sort_key
from equiv.dialects.postgres.analysis.nodes import Node
from equiv.dialects.postgres.analysis.scope import Scope, Session
from equiv.dialects.postgres.analysis.sources import item, source
from equiv.dialects.typed.tree import (
    CommonTable,
    Compound,
    DerivedTable,
    Expr,
    GroupBy,
    Grouped,
    Limit,
    ResultColumn,
    Select,
    SetOperand,
    SetQuery,
    SortKey,
    TypedQuery,
)

_REFUSED = {
    "hasTargetSRFs": "a function that returns rows in the SELECT list",
    "hasRecursive": "WITH RECURSIVE",
    "hasModifyingCTE": "a statement that changes data in WITH",
    "hasForUpdate": "FOR UPDATE",
    "hasRowSecurity": "row security",
}
_SETS = 4_096
"""The most sets of keys that CUBE may stand for, as PostgreSQL has it."""


def read_query(node: Node, session: Session) -> TypedQuery:
    """The typed tree of a whole query.

    Raises:
        UnsupportedError: a part of it that is not read.
    """
    return query(node, Scope(session, ()))


def query(node: Node, around: Scope) -> TypedQuery:
    """The typed tree of a query within others."""
    if node.number("commandType") != 1:
        raise UnsupportedError("Query", "a statement that is no query")
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


def _ctes(node: Node, scope: Scope) -> tuple[CommonTable, ...]:
    found = []
    for each in node.nodes("cteList"):
        if each.flag("cterecursive") or each.maybe("search_clause") or each.maybe("cycle_clause"):
            raise UnsupportedError("With", "WITH RECURSIVE")
        name, columns = each.text("ctename"), tuple(str(column) for column in each.list("ctecolnames"))
        cte = CommonTable(
            scope.session.numbers(),
            name,
            columns,
            query(each.node("ctequery"), scope),
            each.text("ctematerialized"),
        )
        scope.level().ctes[name] = cte
        found.append(cte)
    return tuple(found)


def _select(node: Node, scope: Scope, ctes: tuple[CommonTable, ...]) -> TypedQuery:
    tree = node.node("jointree")
    items = tuple(item(each, scope) for each in tree.nodes("fromlist"))
    if node.flag("hasGroupRTE"):
        group = next(each for each in node.nodes("rtable") if each.number("rtekind") == 9)
        scope.level().groups = [expression(each, scope) for each in group.nodes("groupexprs")]
    where = maybe(tree.maybe("quals"), scope)
    targets = node.nodes("targetList")
    values = {each.number("ressortgroupref"): each for each in targets if each.number("ressortgroupref")}

    def terms(field: str) -> list[Expr]:
        clauses = node.nodes(field)
        return [expression(values[each.number("tleSortGroupRef")].node("expr"), scope) for each in clauses]

    is_on = node.flag("hasDistinctOn")
    return Select(
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


def _targets(targets: Sequence[Node], scope: Scope) -> tuple[ResultColumn, ...]:
    return tuple(
        ResultColumn(expression(each.node("expr"), scope), each.text("resname"))
        for each in targets
        if not each.flag("resjunk")
    )


def _order(clauses: Sequence[Node], values: Sequence[Expr], scope: Scope) -> tuple[SortKey, ...]:
    return tuple(sort_key(clause, value, scope) for clause, value in zip(clauses, values, strict=True))


def _limit(node: Node, scope: Scope) -> Limit | None:
    count, offset = maybe(node.maybe("limitCount"), scope), maybe(node.maybe("limitOffset"), scope)
    if count is None and offset is None:
        return None
    return Limit(count, offset, node.number("limitOption") == 1)


def _group(node: Node, terms: Sequence[Expr]) -> GroupBy | None:
    keys = tuple(term.value if isinstance(term, Grouped) else term for term in terms)
    sets = node.nodes("groupingSets")
    if not sets:
        return GroupBy(keys) if keys else None
    places = {each.number("tleSortGroupRef"): at for at, each in enumerate(node.nodes("groupClause"))}
    found: list[tuple[int, ...]] = [()]
    for each in sets:
        expanded = _expanded(each, places)
        if len(found) * len(expanded) > _SETS:
            raise UnsupportedError("Group", "too many grouping sets")
        found = [(*one, *other) for one in found for other in expanded]
    unique = [tuple(sorted(set(each))) for each in found]
    if node.flag("groupDistinct"):
        unique = list(dict.fromkeys(unique))
    text = ", ".join(_written(each, places) for each in sets)
    return GroupBy(keys, tuple(unique), text + (" " if node.flag("groupDistinct") else ""))


def _expanded(node: Node, places: dict[int, int]) -> list[tuple[int, ...]]:
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


def _written(node: Node, places: dict[int, int]) -> str:
    kind = node.number("kind")
    if kind == 0:
        return "()"
    if kind == 1:
        return "(" + ", ".join(f"{{{places[int(str(each))]}}}" for each in node.list("content")) + ")"
    inner = ", ".join(_written(each, places) for each in node.nodes("content"))
    return f"{ {2: 'ROLLUP', 3: 'CUBE', 4: 'GROUPING SETS'}[kind] } ({inner})"


def _set_query(node: Node, scope: Scope, ctes: tuple[CommonTable, ...]) -> TypedQuery:
    body = _compound(node.node("setOperations"), scope)
    assert isinstance(body, Compound)
    targets = [each for each in node.nodes("targetList") if not each.flag("resjunk")]
    positions = {each.number("ressortgroupref"): at for at, each in enumerate(targets, 1)}
    order = []
    for clause in node.nodes("sortClause"):
        position = positions.get(clause.number("tleSortGroupRef"))
        if position is None:
            raise UnsupportedError("Order", "a set operation ordered by what is no column of its")
        key = sort_key(clause, expression(targets[position - 1].node("expr"), scope), scope)
        order.append((position, key.descending, key.nulls_first))
    names = tuple(each.text("resname") for each in targets)
    return SetQuery(body, names, tuple(order), _limit(node, scope), ctes)


def _compound(node: Node, scope: Scope) -> Compound | SetOperand:
    if node.name == "RANGETBLREF":
        found = source(node.number("rtindex"), scope)
        assert isinstance(found, DerivedTable)
        return SetOperand(found.query)
    operators: dict[int, Literal["UNION", "INTERSECT", "EXCEPT"]] = {1: "UNION", 2: "INTERSECT", 3: "EXCEPT"}
    modifiers = [int(str(each)) for each in node.list("colTypmods")]
    types = [
        scope.catalogue.type(int(str(each)), modifier)
        for each, modifier in zip(node.list("colTypes"), modifiers, strict=True)
    ]
    left, right = (_compound(node.node(side), scope) for side in ("larg", "rarg"))
    return Compound(operators[node.number("op")], node.flag("all"), left, right, tuple(types))
