"""Queries of DuckDB's tree as typed queries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.resolving.expressions import condition, converted, resolved
from equiv.dialects.duckdb.resolving.groups import with_keys
from equiv.dialects.duckdb.resolving.scope import CteSeen, Node, Scope
from equiv.dialects.duckdb.resolving.sources import from_clause, names_of
from equiv.dialects.duckdb.resolving.stars import filtered_star, spread, starred
from equiv.dialects.duckdb.resolving.tree import NamedBranch, Qualified
from equiv.dialects.duckdb.resolving.types import UNKNOWN, DuckType
from equiv.dialects.typed import tree as t

_MATERIALIZED = {"CTE_MATERIALIZE_ALWAYS": "1", "CTE_MATERIALIZE_NEVER": "2"}


def resolved_query(node: Node, scope: Scope) -> t.TypedQuery:
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
        case "RECURSIVE_CTE_NODE":
            raise UnsupportedError("With", "WITH RECURSIVE")
    raise UnsupportedError("Query", str(node["type"]))


def _ctes(node: Node, scope: Scope) -> tuple[tuple[t.CommonTable, ...], Scope]:
    found, known = [], dict(scope.ctes)
    for each in (node.get("cte_map") or {}).get("map") or ():
        value, name = each["value"], str(each["key"])
        if value.get("key_targets"):
            raise UnsupportedError("With", "RECURSIVE … USING KEY")
        inner = value["query_node"] if "query_node" in value else value["query"]["node"]
        query = resolved_query(inner, replace(scope, ctes=dict(known)))
        own = [str(each) for each in value.get("aliases") or ()]
        names = (*own, *names_of(query)[len(own) :])
        number = next(scope.session.numbers)
        kept = _MATERIALIZED.get(str(value.get("materialized")), "0")
        found.append(t.CommonTable(number, name, names, query, kept))
        known[name.lower()] = CteSeen(number, names, t.columns_of(query))
    return tuple(found), replace(scope, ctes=known)


def _select(node: Node, scope: Scope, ctes: tuple[t.CommonTable, ...]) -> t.TypedQuery:
    if node.get("sample"):
        raise UnsupportedError("From", "a sample")
    item, shown = from_clause(node["from_table"], scope)
    within = scope.over(shown)
    targets, aliases = _targets(node["select_list"], within)
    named = within.naming(aliases)
    where = condition(node["where_clause"], named) if node.get("where_clause") else None
    having = condition(node["having"], named) if node.get("having") else None
    qualify = condition(node["qualify"], named) if node.get("qualify") else None
    plain = Qualified(
        tuple(targets),
        () if item is None else (item,),
        where,
        _group(node, named, targets),
        having,
        distinct=False,
        distinct_on=(),
        order=(),
        limit=None,
        ctes=ctes,
        aggregates=any(_has_aggregate(each.value) for each in targets) or _has_aggregate(having),
        qualify=qualify,
    )
    found = _modified(plain, node, named)
    return found if found.group is None or found.group.sets is None else with_keys(found, found.group.keys)


def _targets(nodes: Sequence[Node], scope: Scope) -> tuple[list[t.ResultColumn], dict[str, t.Expr]]:
    found: list[t.ResultColumn] = []
    aliases: dict[str, t.Expr] = {}
    for each in _spread(nodes, scope):
        if each["class"] == "STAR":
            if each.get("alias"):
                raise UnsupportedError("Star", "with an alias")
            found += starred(each, scope)
            continue
        value = resolved(each, scope.naming(dict(aliases)))
        alias = str(each.get("alias") or "")
        name = alias or (each["column_names"][-1] if each["class"] == "COLUMN_REF" else "column")
        found.append(t.ResultColumn(value, name))
        if alias:
            aliases.setdefault(alias.lower(), value)
    return found, aliases


def _spread(nodes: Sequence[Node], scope: Scope) -> Iterable[Node]:
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
    match value:
        case t.AggregateCall():
            return True
        case t.NestedQuery():
            return any(map(_has_aggregate, value.left))
        case tuple():
            return any(map(_has_aggregate, value))
        case t.Expr() | t.SortKey() | t.Frame():
            return any(_has_aggregate(getattr(value, name)) for name in value.__dataclass_fields__)
    return False


def _group(node: Node, scope: Scope, targets: Sequence[t.ResultColumn]) -> t.GroupBy | None:
    if node.get("aggregate_handling") == "FORCE_AGGREGATES":
        values = (each.value for each in targets if not isinstance(each.value, t.TypedConstant))
        plain = [value for value in values if not _has_aggregate(value)]
        return t.GroupBy(tuple(dict.fromkeys(plain))) if plain else None
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


def _key(node: Node, scope: Scope, targets: Sequence[t.ResultColumn]) -> t.Expr:
    """A key of GROUP BY or ORDER BY: by position, or an expression."""
    if node["class"] == "CONSTANT" and node["literal"]["kind"] == "INTEGER":
        place = int(node["literal"]["text"])
        if not 1 <= place <= len(targets):
            raise UnsupportedError("Order", "by a position that is none")
        return targets[place - 1].value
    return resolved(node, scope)


def _modified(query: Qualified, node: Node, scope: Scope) -> Qualified:
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


def _order(orders: Iterable[Node], scope: Scope, targets: Sequence[t.ResultColumn]) -> Iterable[t.SortKey]:
    for each in orders:
        node = each["expression"]
        if node["class"] == "STAR":
            if node.get("expr") or node.get("relation_name"):
                raise UnsupportedError("Order", "BY COLUMNS")
            yield from (_sort_key(each, target.value) for target in targets)
        elif node["class"] == "COLUMN_REF" and len(node["column_names"]) == 1:
            # A result column comes before a column of FROM.
            value = scope.aliases.get(node["column_names"][0].lower())
            yield _sort_key(each, resolved(node, scope) if value is None else value)
        else:
            yield _sort_key(each, _key(node, scope, targets))


def _sort_key(node: Node, value: t.Expr) -> t.SortKey:
    return t.SortKey(value, node["type"] == "DESCENDING", _nulls_first(node))


def _nulls_first(node: Node) -> bool:
    return str(node["null_order"]).replace("_", " ") == "NULLS FIRST"


def sort_keys(orders: Iterable[Node], scope: Scope) -> Iterable[t.SortKey]:
    """The terms of an ORDER BY of a window, which names no result column by position."""
    for each in orders:
        yield _sort_key(each, resolved(each["expression"], scope))


def _limit(node: Node, scope: Scope) -> t.Limit:
    if node.get("limit_type", "ROW_COUNT") != "ROW_COUNT":
        raise UnsupportedError("Limit", "a share of the rows")
    count, offset = (
        None if node.get(name) is None else resolved(node[name], scope.over(()))
        for name in ("limit", "offset")
    )
    return t.Limit(count, offset, with_ties=False)


def _set_query(node: Node, scope: Scope, ctes: tuple[t.CommonTable, ...]) -> t.SetQuery:
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
    found = t.SetQuery(_with_typed_nulls(body, body.types), names, (), None, ctes)
    return _set_modified(found, node, scope)


def _by_name(node: Node, scope: Scope, ctes: tuple[t.CommonTable, ...]) -> t.SetQuery:
    """UNION BY NAME: each operand with NULL for the columns that it lacks."""
    queries = [resolved_query(each, scope) for each in node["children"]]
    columns: dict[str, tuple[str, list[t.Type]]] = {}
    for query in queries:
        for name, kind in zip(names_of(query), t.columns_of(query), strict=True):
            columns.setdefault(name.lower(), (name, []))[1].append(kind)
    types = tuple(_common(kinds, scope) for _, kinds in columns.values())
    places = {name: place for place, name in enumerate(columns)}
    body: t.Compound | t.SetOperand | None = None
    for query in queries:
        branch = _named_branch(query, places, types)
        both = body is not None
        body = t.Compound("UNION", bool(node.get("setop_all")), body, branch, types) if both else branch  # type: ignore[arg-type]
    if not isinstance(body, t.Compound):
        raise UnsupportedError("SetOperation", "of one query")
    found = t.SetQuery(body, tuple(name for name, _ in columns.values()), (), None, ctes)
    return _set_modified(found, node, scope)


def _common(kinds: Sequence[t.Type], scope: Scope) -> t.Type:
    found = _duck(kinds[0])
    for each in kinds[1:]:
        if (found.name == "float4") is not (each.name == "float4"):
            raise UnsupportedError("SetOperation", f"of {found.name} and {each.name}")
        template = "CASE WHEN random() > 0 THEN {0} ELSE {1} END"
        found = scope.session.probe.bound(template, [found, _duck(each)]).type
    return found


def _named_branch(query: t.TypedQuery, places: dict[str, int], types: Sequence[t.Type]) -> NamedBranch:
    names = [name.lower() for name in names_of(query)]
    if not isinstance(query, t.Select) or len(set(names)) < len(names):
        raise UnsupportedError("SetOperation", "BY NAME of a set operation, or of one name twice")
    own = dict(zip(names, query.targets, strict=True))
    null = t.TypedConstant(UNKNOWN, None)
    targets = tuple(
        own.get(name) or t.ResultColumn(converted(null, _duck(types[place])), name)
        for name, place in places.items()
    )
    return NamedBranch(replace(query, targets=targets), query, tuple(places[name] for name in names))


def _unified_types(sides: tuple[t.Compound | t.SetOperand, t.SetOperand], scope: Scope) -> tuple[t.Type, ...]:
    left, right = (each.types if isinstance(each, t.Compound) else t.columns_of(each.query) for each in sides)
    if len(left) != len(right):
        raise UnsupportedError("SetOperation", "of queries with different columns")
    found = []
    for one, other in zip(left, right, strict=True):
        template = "CASE WHEN random() > 0 THEN {0} ELSE {1} END"
        kind = scope.session.probe.bound(template, [_duck(one), _duck(other)]).type
        if (one.name == "float4") is not (other.name == "float4"):
            raise UnsupportedError("SetOperation", f"of {one.name} and {other.name}")
        found.append(kind)
    return tuple(found)


def _duck(found: t.Type) -> DuckType:
    assert isinstance(found, DuckType)
    return found


def _with_typed_nulls(body: t.Compound, types: tuple[t.Type, ...]) -> t.Compound:
    """The set operation with NULL as a value of the column's type wherever an operand has it."""

    def side(found: t.Compound | t.SetOperand) -> t.Compound | t.SetOperand:
        if isinstance(found, t.Compound):
            return _with_typed_nulls(found, types)
        if not isinstance(found.query, t.Select) or found.query.distinct or found.query.order:
            return found
        targets = tuple(
            replace(each, value=converted(each.value, _duck(kind)))
            if isinstance(each.value, t.TypedConstant) and each.value.text is None
            else each
            for each, kind in zip(found.query.targets, types, strict=True)
        )
        return t.SetOperand(replace(found.query, targets=targets))

    return replace(body, left=side(body.left), right=side(body.right))


def _set_modified(query: t.SetQuery, node: Node, scope: Scope) -> t.SetQuery:
    found = query
    for each in node.get("modifiers") or ():
        match each["type"]:
            case "ORDER_MODIFIER":
                terms = [
                    (place, key["type"] == "DESCENDING", _nulls_first(key))
                    for key in each["orders"]
                    for place in _positions(key["expression"], query.names)
                ]
                found = replace(found, order=tuple(terms))
            case "LIMIT_MODIFIER":
                found = replace(found, limit=_limit(each, scope))
            case kind:
                raise UnsupportedError("SetOperation", str(kind))
    return found


def _positions(node: Node, names: Sequence[str]) -> list[int]:
    """The columns, from 1, that a term of ORDER BY names."""
    if node["class"] == "CONSTANT" and node["literal"]["kind"] == "INTEGER":
        return [int(node["literal"]["text"])]
    if node["class"] == "STAR" and not node.get("expr") and not node.get("relation_name"):
        return list(range(1, len(names) + 1))
    if node["class"] == "COLUMN_REF" and len(node["column_names"]) == 1:
        wanted = str(node["column_names"][0]).lower()
        found = [place for place, name in enumerate(names, 1) if name.lower() == wanted]
        if len(found) == 1:
            return found
    raise UnsupportedError("Order", "of a set operation by an expression")
