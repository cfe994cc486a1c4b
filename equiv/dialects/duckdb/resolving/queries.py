"""Queries of DuckDB's tree as typed queries; the keys of grouping sets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.macros import Tree
from equiv.dialects.duckdb.resolving import scope as s
from equiv.dialects.duckdb.resolving import tree as d
from equiv.dialects.duckdb.resolving.calls import nulls_first, sort_key
from equiv.dialects.duckdb.resolving.expressions import filtered_star, spread, starred
from equiv.dialects.duckdb.resolving.sources import from_clause, names_of
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.walks import children, exchanged, found_in, parts_of
from equiv.names import NameMap, fold


def _with_keys(query: d.Qualified, keys: tuple[t.Expr, ...]) -> d.Qualified:
    """A SELECT whose result, HAVING, QUALIFY and ORDER BY have their keys marked."""
    return replace(
        query,
        targets=_marked(query.targets, keys),
        having=_marked(query.having, keys),
        qualify=_marked(query.qualify, keys),
        order=_marked(query.order, keys),
    )


def _marked(value: Any, keys: tuple[t.Expr, ...]) -> Any:
    """A part of a query; what stands in an aggregate or in a subquery is no key."""

    def instead(found: Any) -> Any:
        if isinstance(found, t.Expr) and found in keys:
            return t.Grouped(found.type, found)
        return found if isinstance(found, t.AggregateCall | t.Grouping | t.NestedQuery) else None

    return exchanged(value, instead)


_MATERIALIZED = {"CTE_MATERIALIZE_ALWAYS": "1", "CTE_MATERIALIZE_NEVER": "2"}


def resolved_query(node: Tree, scope: s.DuckdbScope) -> t.TypedQuery:
    """A query with all within it.

    Raises:
        UnsupportedError: of a kind that is not known, or of names that are not.
    """
    ctes, scope = _ctes(node, scope)
    match node["type"]:
        case "SELECT_NODE":
            return _select(node, scope, ctes)
        case "SET_OPERATION_NODE":
            return _set_query(node, scope, ctes)
    raise UnsupportedError("Query", str(node["type"]))


def _ctes(node: Tree, scope: s.DuckdbScope) -> tuple[tuple[t.CommonTable, ...], s.DuckdbScope]:
    found, known = [], NameMap(scope.ctes)
    for each in (node.get("cte_map") or {}).get("map") or ():
        value, name = each["value"], str(each["key"])
        if value.get("key_targets"):
            raise UnsupportedError("With", "RECURSIVE … USING KEY")
        inner = value["query_node"] if "query_node" in value else value["query"]["node"]
        own = [str(each) for each in value.get("aliases") or ()]
        number = next(scope.session.numbers)
        within = replace(scope, ctes=NameMap(known))
        if inner["type"] == "RECURSIVE_CTE_NODE":
            query = _recursion(inner, within, name, own, number)
        else:
            query = resolved_query(inner, within)
        is_recursive = _reads(query, number)
        names = (*own, *names_of(query)[len(own) :])
        kept = _MATERIALIZED.get(str(value.get("materialized")), "0")
        found.append(t.CommonTable(number, name, names, query, kept, is_recursive))
        known[name] = s.CteSeen(number, names, t.columns_of(query))
    return tuple(found), replace(scope, ctes=known)


def _recursion(node: Tree, scope: s.DuckdbScope, name: str, own: Sequence[str], number: int) -> t.TypedQuery:
    """What a common table expression under RECURSIVE reads, which may be itself, under its name."""
    ctes, around = _ctes(node, scope)
    first = resolved_query(node["left"], around)
    types = t.columns_of(first)
    seen = s.CteSeen(number, (*own, *names_of(first)[len(own) :]), types)
    step = resolved_query(node["right"], replace(around, ctes=NameMap(around.ctes, **{name: seen})))
    if not _reads(step, number):
        operands = {"children": [node["left"], node["right"]], "setop_all": node.get("union_all")}
        return _set_query({**node, **operands, "setop_type": "UNION"}, around, ctes)
    if node.get("modifiers") or t.columns_of(step) != types:
        raise UnsupportedError("With", "WITH RECURSIVE whose second operand has different types")
    sides = t.SetOperand(first), t.SetOperand(step)
    body = t.Compound("UNION", bool(node.get("union_all")), *sides, types)
    return t.SetQuery(body, names_of(first), ctes=ctes)


def _reads(query: t.TypedQuery, number: int) -> bool:
    return any(each.cte == number for each in found_in(query, t.CommonTableUse))


def _select(node: Tree, scope: s.DuckdbScope, ctes: tuple[t.CommonTable, ...]) -> t.TypedQuery:
    if node.get("sample"):
        raise UnsupportedError("From", "a sample")
    item, shown = from_clause(node["from_table"], scope)
    within = scope.over(shown)
    targets, aliases = _targets(node["select_list"], within)
    named = within.naming(aliases)
    where = named.condition(node["where_clause"]) if node.get("where_clause") else None
    having = named.condition(node["having"]) if node.get("having") else None
    qualify = named.condition(node["qualify"]) if node.get("qualify") else None
    plain = d.Qualified(
        tuple(targets),
        () if item is None else (item,),
        where,
        _group(node, named, targets),
        having,
        ctes=ctes,
        aggregates=any(_has_aggregate(each.value) for each in targets) or _has_aggregate(having),
        qualify=qualify,
    )
    found = _modified(plain, node, named)
    return found if found.group is None or found.group.sets is None else _with_keys(found, found.group.keys)


def _targets(nodes: Sequence[Tree], scope: s.DuckdbScope) -> tuple[list[t.ResultColumn], NameMap[t.Expr]]:
    found: list[t.ResultColumn] = []
    aliases = NameMap[t.Expr]()
    for each in _spread(nodes, scope):
        if each["class"] == "STAR":
            if each.get("alias"):
                raise UnsupportedError("Star", "with an alias")
            found += starred(each, scope)
            continue
        value = scope.naming(NameMap(aliases)).resolved(each)
        alias = str(each.get("alias") or "")
        name = alias or (each["column_names"][-1] if each["class"] == "COLUMN_REF" else "column")
        found.append(t.ResultColumn(value, name))
        if alias:
            aliases.setdefault(alias, value)
    return found, aliases


def _spread(nodes: Sequence[Tree], scope: s.DuckdbScope) -> Iterable[Tree]:
    """The terms of a SELECT, one with COLUMNS for each of the columns."""
    for each in nodes:
        star = filtered_star(each)
        if star is not None or each["class"] == "STAR":
            yield each if star is None else star
            continue
        parts = spread(each, scope)
        yield from [each] if parts is None else parts


def _has_aggregate(value: object) -> bool:
    """Whether a value holds an aggregate of its own query."""
    if isinstance(value, t.AggregateCall):
        return True
    return any(map(_has_aggregate, value.left if isinstance(value, t.NestedQuery) else children(value)))


def _group(node: Tree, scope: s.DuckdbScope, targets: Sequence[t.ResultColumn]) -> t.GroupBy | None:
    if node.get("aggregate_handling") == "FORCE_AGGREGATES":
        values = (each.value for each in targets if not isinstance(each.value, t.TypedConstant))
        plain = [value for value in values if not _has_aggregate(value)]
        own = frozenset(part for each in scope.columns for part in parts_of(each.value))
        is_plain = all(_is_made_of(own, value) for value in plain)
        return t.GroupBy(tuple(dict.fromkeys(plain)), text="ALL" * is_plain) if plain else None
    given = node.get("group_expressions") or []
    sets = node.get("group_sets") or []
    if not given:
        if sets:
            raise UnsupportedError("Group", "one group of all rows")
        return None
    keys = tuple(_key(each, scope, targets) for each in given)
    if not sets or (len(sets) == 1 and sorted(sets[0]) == list(range(len(given)))):
        return t.GroupBy(keys)
    if any(isinstance(each, t.TypedConstant) for each in keys):
        raise UnsupportedError("Group", "grouping sets of a constant")
    return t.GroupBy(keys, tuple(map(tuple, sets)))


def _is_made_of(own: frozenset[object], value: t.Expr) -> bool:
    """Whether a value is made of columns of FROM by functions alone: GROUP BY ALL surely groups by it."""
    parts = [*parts_of(value)]
    fields = [each for each in parts if isinstance(each, t.SourceColumn)]
    is_plain = not any(isinstance(each, t.NestedQuery | t.Over) for each in parts)
    return is_plain and bool(fields) and own.issuperset(fields)


def _key(node: Tree, scope: s.DuckdbScope, targets: Sequence[t.ResultColumn]) -> t.Expr:
    """A key of GROUP BY or ORDER BY: by position, or an expression, which is not a parameter to DuckDB."""
    if node["class"] == "PARAMETER":
        raise UnsupportedError("Parameter", "a key of GROUP BY, DISTINCT ON or ORDER BY")
    if node["class"] == "CONSTANT" and node["literal"]["kind"] == "INTEGER":
        place = int(node["literal"]["text"])
        if not 1 <= place <= len(targets):
            raise UnsupportedError("Order", "by a position that does not exist")
        return targets[place - 1].value
    return scope.resolved(node)


def _modified(query: d.Qualified, node: Tree, scope: s.DuckdbScope) -> d.Qualified:
    """DISTINCT, ORDER BY and LIMIT around a SELECT."""
    found = query
    for each in node.get("modifiers") or ():
        match each["type"]:
            case "DISTINCT_MODIFIER":
                keys = [_key(key, scope, query.targets) for key in each.get("distinct_on_targets") or ()]
                found = replace(found, distinct=not keys, distinct_on=tuple(keys))
            case "ORDER_MODIFIER":
                found = replace(found, order=tuple(_order(each["orders"], scope, query.targets)))
            case "LIMIT_MODIFIER":
                found = replace(found, limit=_limit(each, scope))
            case kind:
                raise UnsupportedError("Limit", str(kind))
    return found


def _order(
    orders: Iterable[Tree], scope: s.DuckdbScope, targets: Sequence[t.ResultColumn]
) -> Iterable[t.SortKey]:
    for each in orders:
        node = each["expression"]
        if node["class"] == "STAR":
            if node.get("expr") or node.get("relation_name"):
                raise UnsupportedError("Order", "BY COLUMNS")
            yield from (sort_key(each, target.value) for target in targets)
        elif node["class"] == "COLUMN_REF" and len(node["column_names"]) == 1:
            # A result column comes before a column of FROM.
            value = scope.aliases.get(node["column_names"][0])
            yield sort_key(each, scope.resolved(node) if value is None else value)
        else:
            yield sort_key(each, _key(node, scope, targets))


def _limit(node: Tree, scope: s.DuckdbScope) -> t.Limit:
    if node.get("limit_type", "ROW_COUNT") != "ROW_COUNT":
        raise UnsupportedError("Limit", "a percentage of the rows")
    count, offset = (
        None if node.get(name) is None else scope.over(()).resolved(node[name])
        for name in ("limit", "offset")
    )
    count, offset = (
        d.converted(each, d.BIGINT) if isinstance(each, d.OpenParameter) else each for each in (count, offset)
    )
    return t.Limit(count, offset)


def _set_query(node: Tree, scope: s.DuckdbScope, ctes: tuple[t.CommonTable, ...]) -> t.SetQuery:
    operator = str(node["setop_type"])
    if operator == "UNION_BY_NAME":
        return _by_name(node, scope, ctes)
    if operator not in ("UNION", "INTERSECT", "EXCEPT"):
        raise UnsupportedError("SetOperation", operator)
    first, *others = [resolved_query(each, scope) for each in node["children"]]
    body: t.Compound | t.SetOperand = t.SetOperand(first)
    for each in others:
        sides = body, t.SetOperand(each)
        types = _unified_types(sides, scope)
        body = t.Compound(operator, bool(node.get("setop_all")), *sides, types)  # type: ignore[arg-type]
    if not isinstance(body, t.Compound):
        raise UnsupportedError("SetOperation", "of one query")
    names = names_of(first)
    found = t.SetQuery(_with_typed_nulls(body, body.types), names, ctes=ctes)
    return _set_modified(found, node, scope)


def _by_name(node: Tree, scope: s.DuckdbScope, ctes: tuple[t.CommonTable, ...]) -> t.SetQuery:
    """UNION BY NAME: each operand with NULL for the columns that it lacks."""
    queries = [resolved_query(each, scope) for each in node["children"]]
    columns = NameMap[tuple[str, list[t.Type]]]()
    for query in queries:
        for name, kind in zip(names_of(query), t.columns_of(query), strict=True):
            columns.setdefault(name, (name, []))[1].append(kind)
    types = tuple(_common(kinds, scope) for _, kinds in columns.values())
    places = {name: place for place, name in enumerate(columns)}
    body: t.Compound | t.SetOperand | None = None
    for query in queries:
        branch = _named_branch(query, places, types)
        both = body is not None
        body = t.Compound("UNION", bool(node.get("setop_all")), body, branch, types) if both else branch  # type: ignore[arg-type]
    if not isinstance(body, t.Compound):
        raise UnsupportedError("SetOperation", "of one query")
    found = t.SetQuery(body, tuple(name for name, _ in columns.values()), ctes=ctes)
    return _set_modified(found, node, scope)


def _common(kinds: Sequence[t.Type], scope: s.DuckdbScope) -> t.Type:
    found = d.typed(kinds[0])
    for each in kinds[1:]:
        if (found.name == "float4") is not (each.name == "float4"):
            raise UnsupportedError("SetOperation", f"of {found.name} and {each.name}")
        found = scope.session.probe.common(found, d.typed(each))
    return found


def _named_branch(query: t.TypedQuery, places: dict[str, int], types: Sequence[t.Type]) -> d.NamedBranch:
    names = [fold(name) for name in names_of(query)]
    if not isinstance(query, t.Select) or len(set(names)) < len(names):
        raise UnsupportedError("SetOperation", "BY NAME over a set operation, or with a repeated name")
    own = dict(zip(names, query.targets, strict=True))
    null = t.TypedConstant(d.UNKNOWN, None)
    targets = tuple(
        own.get(name) or t.ResultColumn(d.converted(null, d.typed(types[place])), name)
        for name, place in places.items()
    )
    return d.NamedBranch(replace(query, targets=targets), query, tuple(places[name] for name in names))


def _unified_types(
    sides: tuple[t.Compound | t.SetOperand, t.SetOperand], scope: s.DuckdbScope
) -> tuple[t.Type, ...]:
    left, right = (each.types if isinstance(each, t.Compound) else t.columns_of(each.query) for each in sides)
    if len(left) != len(right):
        raise UnsupportedError("SetOperation", "of queries with different columns")
    return tuple(_common(pair, scope) for pair in zip(left, right, strict=True))


def _with_typed_nulls(body: t.Compound, types: tuple[t.Type, ...]) -> t.Compound:
    """The set operation with NULL as a value of the column's type wherever an operand has it."""

    def side(found: t.Compound | t.SetOperand) -> t.Compound | t.SetOperand:
        if isinstance(found, t.Compound):
            return _with_typed_nulls(found, types)
        if not isinstance(found.query, t.Select) or found.query.distinct or found.query.order:
            return found
        targets = tuple(
            replace(each, value=d.converted(each.value, d.typed(kind)))
            if isinstance(each.value, t.TypedConstant) and each.value.text is None
            else each
            for each, kind in zip(found.query.targets, types, strict=True)
        )
        return t.SetOperand(replace(found.query, targets=targets))

    return replace(body, left=side(body.left), right=side(body.right))


def _set_modified(query: t.SetQuery, node: Tree, scope: s.DuckdbScope) -> t.SetQuery:
    found = query
    for each in node.get("modifiers") or ():
        match each["type"]:
            case "ORDER_MODIFIER":
                terms = [
                    (place, key["type"] == "DESCENDING", nulls_first(key))
                    for key in each["orders"]
                    for place in _positions(key["expression"], query.names)
                ]
                found = replace(found, order=tuple(terms))
            case "LIMIT_MODIFIER":
                found = replace(found, limit=_limit(each, scope))
            case kind:
                raise UnsupportedError("SetOperation", str(kind))
    return found


def _positions(node: Tree, names: Sequence[str]) -> list[int]:
    """The columns, from 1, that a term of ORDER BY names."""
    if node["class"] == "CONSTANT" and node["literal"]["kind"] == "INTEGER":
        return [int(node["literal"]["text"])]
    if node["class"] == "STAR" and not node.get("expr") and not node.get("relation_name"):
        return list(range(1, len(names) + 1))
    if node["class"] == "COLUMN_REF" and len(node["column_names"]) == 1:
        wanted = fold(str(node["column_names"][0]))
        found = [place for place, name in enumerate(names, 1) if fold(name) == wanted]
        if len(found) == 1:
            return found
    raise UnsupportedError("Order", "of a set operation by an expression")
