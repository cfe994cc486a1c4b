"""FROM of DuckDB's tree: sources with numbers, and the columns that they show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.resolving.asof import asof
from equiv.dialects.duckdb.resolving.functions import called_source
from equiv.dialects.duckdb.resolving.pivots import pivoted
from equiv.dialects.duckdb.resolving.scope import Node, Scope, Visible
from equiv.dialects.duckdb.resolving.tree import HalfJoined, Unpivoted
from equiv.dialects.duckdb.resolving.types import BOOLEAN, VARCHAR, type_named
from equiv.dialects.typed import tree as t

Found = tuple[t.FromItem | None, list[Visible]]
_SIDES: dict[str, Any] = {"INNER": "INNER", "LEFT": "LEFT", "RIGHT": "RIGHT", "OUTER": "FULL", "FULL": "FULL"}
_DEEPEST = 20


def from_clause(node: Node, scope: Scope, beside: Sequence[Visible] = ()) -> Found:
    """An item of FROM, and what it shows; no item where there is no FROM.

    Args:
        node: the item.
        scope: the place of the query.
        beside: what stands before it in FROM, which a subquery may name.

    Raises:
        UnsupportedError: of a kind that is not known.
    """
    if node.get("sample") or node.get("at_clause"):
        raise UnsupportedError("From", "a sample, or the state of another time")
    match node["type"]:
        case "EMPTY":
            return None, []
        case "BASE_TABLE":
            return _table(node, scope)
        case "SUBQUERY":
            return _derived(node, scope, beside)
        case "EXPRESSION_LIST":
            return _values(node, scope)
        case "TABLE_FUNCTION":
            call = called_source(node, scope)
            return call, _shown(call, [call.call.type], node)
        case "PIVOT":
            source = pivoted(node, scope)
            kinds = _types_of(source)
            return source, _shown(source, kinds, node)
        case "JOIN":
            return _join(node, scope, beside)
    raise UnsupportedError("From", str(node["type"]))


def _table(node: Node, scope: Scope) -> Found:
    name, place = str(node["table_name"]), (node.get("catalog_name"), node.get("schema_name"))
    seen = scope.ctes.get(name.lower()) if not any(place) else None
    session = scope.session
    number = next(session.numbers)
    alias = str(node.get("alias") or name)
    if seen is not None:
        source: t.FromSource = t.CommonTableUse(number, alias, seen.names, seen.number)
        return source, _shown(source, seen.types, node)
    if place[0] or place[1] not in ("", None, "main"):
        raise UnsupportedError("From", f"a table of another schema: {name}")
    view = session.views.get(name.lower())
    if view is not None:
        return _view(name, *view, number=number, node=node, scope=scope)
    table = session.schema.table(name)
    if table is None:
        raise UnsupportedError("From", f"{name}, which is no table")
    columns = tuple(column.name for column in table.columns)
    source = t.TableUse(number, alias, columns, "", table.name)
    return source, _shown(source, [type_named(column.native_type) for column in table.columns], node)


def _view(
    name: str, query: Node, columns: tuple[str, ...], *, number: int, node: Node, scope: Scope
) -> Found:
    from equiv.dialects.duckdb.resolving.queries import resolved_query

    if scope.viewing > _DEEPEST:
        raise UnsupportedError("From", f"the view {name}, too deep")
    fresh = Scope(scope.session, viewing=scope.viewing + 1)
    found = resolved_query(query, fresh)
    names = columns or names_of(found)
    source = t.DerivedTable(number, str(node.get("alias") or name), tuple(names), found, view=name)
    return source, _shown(source, t.columns_of(found), node)


def _types_of(source: t.FromSource) -> list[t.Type]:
    if isinstance(source, Unpivoted):
        return [*(source.fields[place].type for place in source.kept), VARCHAR, source.kind]
    assert isinstance(source, t.DerivedTable)
    return list(t.columns_of(source.query))


def _derived(node: Node, scope: Scope, beside: Sequence[Visible]) -> Found:
    from equiv.dialects.duckdb.resolving.queries import resolved_query

    query = resolved_query(node["subquery"]["node"], scope.beside(beside))
    alias = str(node.get("alias") or "unnamed_subquery")
    near = {field.source for each in beside for field in _fields(each.value)}
    lateral = any(field.source in near for field in _fields(query))
    source = t.DerivedTable(next(scope.session.numbers), alias, names_of(query), query, lateral)
    return source, _shown(source, t.columns_of(query), node)


def _fields(value: object) -> Iterator[t.SourceColumn]:
    return (each for each in t.parts_of(value) if isinstance(each, t.SourceColumn))


def _values(node: Node, scope: Scope) -> Found:
    from equiv.dialects.duckdb.resolving.expressions import resolved, unified

    rows = [[resolved(each, scope.beside()) for each in row] for row in node["values"]]
    columns = [list(column) for column in zip(*rows, strict=True)]
    typed = []
    for column in columns:
        if len(column) == 1:
            typed.append(column)
            continue
        kind, values = unified(
            column, f"COALESCE({', '.join(f'{{{i}}}' for i in range(len(column)))})", scope
        )
        del kind
        typed.append(values)
    types = tuple(column[0].type for column in typed)
    names = tuple(f"col{place}" for place in range(len(types)))
    number = next(scope.session.numbers)
    source = t.ValuesList(
        number, str(node.get("alias") or "valueslist"), names, tuple(zip(*typed, strict=True)), types
    )
    return source, _shown(source, types, node)


def names_of(query: t.TypedQuery) -> tuple[str, ...]:
    """The names of the columns of a query's result."""
    if isinstance(query, t.Select):
        return tuple(target.name for target in query.targets)
    return query.names


def _shown(source: t.FromSource, types: Sequence[t.Type], node: Node) -> list[Visible]:
    renamed = [str(each) for each in node.get("column_name_alias") or ()]
    names = [*renamed, *source.columns[len(renamed) :]]
    fields = [t.SourceColumn(kind, source.number, place) for place, kind in enumerate(types, 1)]
    alias = source.alias.lower()
    return [Visible(alias, name, each, each) for name, each in zip(names, fields, strict=True)]


def _join(node: Node, scope: Scope, beside: Sequence[Visible]) -> Found:
    left, shown_left = from_clause(node["left"], scope, beside)
    right, shown_right = from_clause(node["right"], scope, (*beside, *shown_left))
    if left is None or right is None:
        raise UnsupportedError("Join", "of nothing")
    reference, kind = node["ref_type"], str(node["join_type"])
    if reference == "ASOF" and not node.get("using_columns"):
        on = _condition(node.get("condition"), scope.over([*shown_left, *shown_right]))
        return asof(kind, left, right, on, scope), [*shown_left, *shown_right]
    if reference not in ("REGULAR", "CROSS", "NATURAL"):
        raise UnsupportedError("Join", str(reference))
    half = kind in ("SEMI", "ANTI")
    if not half and kind not in _SIDES:
        raise UnsupportedError("Join", kind)
    both = [*shown_left, *shown_right]
    using = [str(each) for each in node.get("using_columns") or ()]
    if reference == "NATURAL":
        using = _common(shown_left, shown_right)
    if using:
        side = "INNER" if half else _SIDES[kind]
        on, both = _merged(using, shown_left, shown_right, side, scope)
    else:
        on = _condition(node.get("condition"), scope.over(both))
    if half:
        if on is None:
            raise UnsupportedError("Join", f"{kind} without a condition")
        return HalfJoined("INNER", left, right, on, anti=kind == "ANTI"), shown_left
    return t.Joined(_SIDES[kind], left, right, on), both


def _condition(node: Node | None, scope: Scope) -> t.Expr | None:
    from equiv.dialects.duckdb.resolving.expressions import condition

    return None if node is None else condition(node, scope)


def _common(left: Sequence[Visible], right: Sequence[Visible]) -> list[str]:
    others = {each.name.lower() for each in right if each.plain is not None}
    return [each.name for each in left if each.plain is not None and each.name.lower() in others]


def _merged(
    using: Sequence[str], left: list[Visible], right: list[Visible], side: str, scope: Scope
) -> tuple[t.Expr, list[Visible]]:
    """The condition that USING means, and the columns of which each named one shows once."""
    from equiv.dialects.duckdb.resolving.expressions import compared, unified

    tests = []
    for name in using:
        one, other = (_only(name, shown) for shown in (left, right))
        first, second = left[one].plain, right[other].plain
        assert first is not None
        assert second is not None
        pair = first, second
        tests.append(compared("COMPARE_EQUAL", *pair, scope))
        value: t.Expr = second if side == "RIGHT" else first
        if side == "FULL":
            kind, values = unified(pair, "COALESCE({0}, {1})", scope)
            value = t.Coalesce(kind, tuple(values))
        left = [*left[:one], _taking(left[one], value), *left[one + 1 :]]
        right = [*right[:other], _taking(right[other], None), *right[other + 1 :]]
    test = tests[0] if len(tests) == 1 else t.Logic(BOOLEAN, "and", tuple(tests))
    return test, [*left, *right]


def _only(name: str, shown: Sequence[Visible]) -> int:
    found = [place for place, each in enumerate(shown) if each.plain and each.name.lower() == name.lower()]
    if len(found) != 1:
        raise UnsupportedError("Join", f"USING ({name}), which may be one of several")
    return found[0]


def _taking(shown: Visible, plain: t.Expr | None) -> Visible:
    return Visible(shown.qualifier, shown.name, shown.value, plain)
