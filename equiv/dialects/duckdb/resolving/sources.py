"""FROM of DuckDB's tree: sources with numbers, the columns that they show, ASOF joins, PIVOT, functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from equiv.core.model import Table
from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.database import OWN
from equiv.dialects.duckdb.macros import Tree, nodes
from equiv.dialects.duckdb.resolving import scope as s
from equiv.dialects.duckdb.resolving import tree as d
from equiv.dialects.duckdb.resolving.calls import compared, unnested
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.walks import found_in
from equiv.names import NameMap, fold, folded, is_same

_FEW = 50


def is_let(node: Tree) -> bool:
    """Whether queries may call a function in FROM: UNNEST, or one of few rows, which constants say."""
    call = node["function"]
    name, given = fold(str(call["function_name"])), [each["expression"] for each in call["arguments"]]
    if call.get("schema") or call.get("catalog") or any(each.get("name") for each in call["arguments"]):
        return False
    if name == "unnest":
        return len(given) == 1
    if name not in ("range", "generate_series") or _is_numbered(node) or not 1 <= len(given) <= 3:
        return False
    whole = [_whole(each) for each in given]
    numbers = [each for each in whole if each is not None]
    if len(numbers) < len(whole):
        return False
    start, end, step = (0, *numbers, 1) if len(numbers) == 1 else (*numbers, 1)[:3]
    return step != 0 and (end - start) // step < _FEW


def _is_numbered(node: Tree) -> bool:
    return bool(node.get("with_ordinality", "WITHOUT_ORDINALITY") != "WITHOUT_ORDINALITY")


def _whole(node: Tree) -> int | None:
    """The small integer that a node is as it is written."""
    if node["class"] == "FUNCTION" and node["function_name"] == "-" and len(node["arguments"]) == 1:
        found = _whole(node["arguments"][0]["expression"])
        return None if found is None else -found
    if node["class"] != "CONSTANT" or node["literal"]["kind"] != "INTEGER":
        return None
    text = str(node["literal"]["text"])
    return int(text) if len(text) <= 9 else None


def _called_source(node: Tree, scope: s.DuckdbScope) -> t.Called:
    """The rows of a function: of a list, or of constants.

    Raises:
        UnsupportedError: it is another one, or has many rows.
    """
    call = node["function"]
    name = fold(str(call["function_name"]))
    if not is_let(node):
        raise UnsupportedError("From", f"the function {name} in FROM, unless few rows of constants")
    values = tuple(scope.resolved(each["expression"]) for each in call["arguments"])
    found = t.RoutineCall(d.BIGINT, d.own(name, values), values)
    if name == "unnest":
        found = unnested(values[0], scope)
    number, alias = next(scope.session.numbers), str(node.get("alias") or name)
    is_numbered = _is_numbered(node)
    columns = (alias, "ordinality") if is_numbered else (alias,)
    return t.Called(number, alias, columns, (t.CalledFunction(found),), is_numbered)


_NEARER = frozenset(("<", "<=", ">", ">="))


def _asof(
    side: str, left: t.FromItem, right: t.FromItem, condition: t.Expr | None, scope: s.DuckdbScope
) -> d.AsofJoined:
    """The join, its comparisons turned so that the right side's column stands on the right.

    Raises:
        UnsupportedError: of several rows that are equally near the join takes any.
    """
    named = f"{right.schema}.{right.name}".lstrip(".") if isinstance(right, t.TableUse) else ""
    table = scope.session.schema.table(named)
    if side not in ("INNER", "LEFT") or table is None or not isinstance(right, t.TableUse):
        raise UnsupportedError("Join", "ASOF join that is RIGHT or FULL, or whose right side is not a table")
    parts = condition.operands if isinstance(condition, t.Logic) else (condition,)
    tests = [_turned(each, right.number) for each in parts]
    signs = [each.routine.name for each in tests]
    if sum(sign in _NEARER for sign in signs) != 1 or signs.count("=") != len(signs) - 1:
        raise UnsupportedError("Join", "ASOF join with conditions other than equalities and one inequality")
    compared = folded(table.columns[_field(each).position - 1].name for each in tests)
    keys = (table.primary_key, *table.unique)
    if not any(key and folded(key) <= compared for key in keys):
        raise UnsupportedError("Join", "ASOF join in which several rows may be equally near")
    return d.AsofJoined("INNER" if side == "INNER" else "LEFT", left, right, condition, tests=tuple(tests))


def _field(test: t.RoutineCall) -> t.SourceColumn:
    field = test.arguments[1]
    assert isinstance(field, t.SourceColumn)
    return field


_OPPOSITE = {"=": "=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _turned(test: t.Expr | None, right: int) -> t.RoutineCall:
    """A comparison of a value of the left side with a column of the right side."""
    if isinstance(test, t.RoutineCall) and test.routine.name in _OPPOSITE and len(test.arguments) == 2:
        routine, (one, other) = test.routine, test.arguments
        if isinstance(one, t.SourceColumn) and one.source == right:
            name, arguments = _OPPOSITE[routine.name], routine.arguments[::-1]
            routine = t.Routine(name, arguments, operator=True)
            one, other = other, one
        mentions = any(each.source == right for each in found_in(one, t.SourceColumn))
        if isinstance(other, t.SourceColumn) and other.source == right and not mentions:
            return t.RoutineCall(test.type, routine, (one, other))
    raise UnsupportedError("Join", "ASOF join on a condition without a column of the right side")


_MOST = 40
"""Columns that a PIVOT makes."""


def pivoted(node: Tree, scope: s.DuckdbScope) -> t.FromSource:
    """The source that a PIVOT or UNPIVOT is.

    Raises:
        UnsupportedError: its columns depend on rows, or it is of a form that is not known.
    """
    item, shown = from_clause(node["source"], scope)
    shown = [each for each in shown if each.plain is not None]
    names = [fold(each.name) for each in shown]
    if item is None or len(set(names)) < len(names):
        raise UnsupportedError("Pivot", "over columns of the same name")
    if node.get("unpivot_names"):
        return _unpivoted(node, item, shown, scope)
    return _pivoted(node, item, shown, scope)


def _pivoted(node: Tree, item: t.FromItem, shown: Sequence[s.Visible], scope: s.DuckdbScope) -> t.FromSource:
    """A row for each group, and a column for each combination of values and each aggregate."""
    within = scope.over(shown)
    keys = [_entries(each, within) for each in node["pivots"]]
    aggregates = [(_alias(each), each) for each in node["aggregates"]]
    used = {name for each in (*node["pivots"], *node["aggregates"]) for name in _columns_in(each)}
    grouped = [fold(str(each)) for each in node.get("groups") or ()]
    left = [
        each for each in shown if (fold(each.name) in grouped if grouped else fold(each.name) not in used)
    ]
    if grouped and len(left) != len(grouped):
        raise UnsupportedError("Pivot", "grouped by something other than a column")
    targets = [t.ResultColumn(_plain(each), each.name) for each in left]
    combinations = list(product(*keys))
    if not combinations or not aggregates or len(combinations) * len(aggregates) > _MOST:
        raise UnsupportedError("Pivot", "without an aggregate, or with several")
    for entries in combinations:
        for alias, each in aggregates:
            parts = [entry[0] for entry in entries]
            parts += [alias] if alias or len(aggregates) > 1 else []
            targets.append(
                t.ResultColumn(_filtered(each, [entry[1] for entry in entries], within), "_".join(parts))
            )
    inner = d.Qualified(
        tuple(targets),
        (item,),
        group=t.GroupBy(tuple(map(_plain, left))) if left else None,
        aggregates=True,
    )
    names = tuple(each.name for each in targets)
    return t.DerivedTable(
        next(scope.session.numbers), str(node.get("alias") or "unnamed_pivot"), names, inner
    )


def _plain(shown: s.Visible) -> t.Expr:
    assert shown.plain is not None
    return shown.plain


def _alias(node: Tree) -> str:
    return str(node.get("alias") or "")


def _entries(pivot: Tree, scope: s.DuckdbScope) -> list[tuple[str, t.Expr]]:
    """The name of each value that a column is pivoted on, and the condition that a row has it."""
    if pivot.get("pivot_enum") or pivot.get("subquery") or len(pivot["pivot_expressions"]) != 1:
        raise UnsupportedError("Pivot", "on several columns at once, an enumeration or a subquery")
    if not pivot.get("entries"):
        raise UnsupportedError("Pivot", "on values found in the rows")
    # The values are compared as texts.
    subject = d.converted(scope.resolved(pivot["pivot_expressions"][0]), d.VARCHAR, written=True)
    found: list[tuple[str, t.Expr]] = []
    for entry in pivot["entries"]:
        value = entry.get("star_expr")
        if value is None or value["class"] != "CONSTANT" or value["literal"]["kind"] == "NULL_LITERAL":
            raise UnsupportedError("Pivot", "a value after IN that is not a constant")
        text = str(value["literal"]["text"])
        constant = t.TypedConstant(d.VARCHAR, text)
        test = t.IsDistinct(d.BOOLEAN, d.comparison("=", subject, constant), subject, constant)
        found.append((_alias(entry) or _alias(value) or text, d.NotDistinct(d.BOOLEAN, "not", (test,))))
    return found


def _filtered(node: Tree, tests: Sequence[t.Expr], scope: s.DuckdbScope) -> t.Expr:

    found = scope.resolved(node)
    if not isinstance(found, t.AggregateCall) or found.filter is not None:
        raise UnsupportedError("Pivot", "USING something other than a simple aggregate")
    return replace(found, filter=t.joined("and", tests))


def _columns_in(node: Tree) -> Iterator[str]:
    """The names of the columns that a part of a tree mentions, in lower case."""
    return (fold(str(each["column_names"][-1])) for each in nodes(node) if each.get("class") == "COLUMN_REF")


def _unpivoted(
    node: Tree, item: t.FromItem, shown: Sequence[s.Visible], scope: s.DuckdbScope
) -> t.FromSource:
    """A row for each row and column that is named, with the column's name and the row's value there."""
    pivot, *others = node["pivots"]
    value_names, name_names = node["unpivot_names"], pivot.get("unpivot_names") or []
    if others or len(value_names) != 1 or len(name_names) != 1:
        raise UnsupportedError("Unpivot", "into several columns")
    at = NameMap((each.name, place) for place, each in enumerate(shown))
    chosen = [_unpivot_entry(entry, at) for entry in pivot["entries"]]
    if not chosen:
        raise UnsupportedError("Unpivot", "of no column")
    kept = [place for place in range(len(shown)) if place not in {each for _, each in chosen}]
    fields = [each.plain for each in shown if isinstance(each.plain, t.SourceColumn)]
    if not isinstance(item, t.TableUse | t.DerivedTable | t.CommonTableUse) or len(fields) < len(shown):
        raise UnsupportedError("Unpivot", "of a join")
    values = [_plain(shown[place]) for _, place in chosen]
    kind = d.typed(values[0].type)
    if len(values) > 1:
        kind, same = scope.unified(values, f"COALESCE({s.places(len(values))})")
        if same != values:
            raise UnsupportedError("Unpivot", "of columns of several types")
    columns = (*(shown[place].name for place in kept), str(name_names[0]), str(value_names[0]))
    return d.Unpivoted(
        next(scope.session.numbers), str(node.get("alias") or "unnamed_pivot"), columns, item, tuple(fields),
        tuple(kept), tuple(chosen), kind, bool(node.get("include_nulls")),
    )  # fmt: skip


def _unpivot_entry(entry: Tree, at: NameMap[int]) -> tuple[str, int]:
    """The name that an entry of UNPIVOT shows, and the place of its column."""
    node = entry.get("star_expr")
    if node is None or node["class"] != "COLUMN_REF" or len(node["column_names"]) != 1:
        raise UnsupportedError("Unpivot", "of something other than a column")
    name = str(node["column_names"][0])
    if name not in at:
        raise UnsupportedError("Unpivot", f"of {name}, which is not a column")
    if _alias(entry) or _alias(node):
        raise UnsupportedError("Unpivot", "with an alias of a column")
    return name, at[name]


FoundSource = tuple[t.FromItem | None, list[s.Visible]]
_SIDES: dict[str, Any] = {"INNER": "INNER", "LEFT": "LEFT", "RIGHT": "RIGHT", "OUTER": "FULL", "FULL": "FULL"}
_DEEPEST = 20


def from_clause(node: Tree, scope: s.DuckdbScope, beside: Sequence[s.Visible] = ()) -> FoundSource:
    """An item of FROM, and what it shows; no item where there is no FROM.

    Args:
        node: the item.
        scope: the place of the query.
        beside: what stands before it in FROM, which a subquery may name.

    Raises:
        UnsupportedError: of a kind that is not known.
    """
    if node.get("sample") or node.get("at_clause"):
        raise UnsupportedError("From", "TABLESAMPLE, or the state of a table at another time")
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
            call = _called_source(node, scope.beside(beside))
            return call, _shown(call, [call.functions[0].call.type, *[d.BIGINT] * call.numbered], node)
        case "PIVOT":
            source = pivoted(node, scope)
            kinds = _types_of(source)
            return source, _shown(source, kinds, node)
        case "JOIN":
            return _join(node, scope, beside)
    raise UnsupportedError("From", str(node["type"]))


def called_table(node: Tree) -> str:
    """The name of the table that a node names, if a name without a schema means a table of main.

    That of another database has its name before it; a database of one's own need not be named.
    """
    place = [fold(str(node.get(each) or "")) for each in ("catalog_name", "schema_name")]
    place = [each for each in place if each not in ("", "main", OWN)]
    return ".".join([*place, str(node["table_name"])])


def _table(node: Tree, scope: s.DuckdbScope) -> FoundSource:
    name, place = str(node["table_name"]), (node.get("catalog_name"), node.get("schema_name"))
    seen = scope.ctes.get(name) if not any(place) else None
    session = scope.session
    number = next(session.numbers)
    alias = str(node.get("alias") or name)
    if seen is not None:
        source: t.FromSource = t.CommonTableUse(number, alias, seen.names, seen.number)
        return source, _shown(source, seen.types, node)
    name = called_table(node)
    view = session.views.get(name)
    if view is not None:
        return _view(name, *view, number=number, node=node, scope=scope)
    table = session.schema.table(name)
    if table is None:
        raise UnsupportedError("From", f"{name}, which is not a table")
    columns = tuple(column.name for column in table.columns)
    source = t.TableUse(number, alias, columns, table.namespace, _bare(table))
    return source, _shown(source, [d.type_named(column.native_type) for column in table.columns], node)


def _bare(table: Table) -> str:
    return table.name.removeprefix(f"{table.namespace}.") if table.namespace else table.name


def _view(
    name: str,
    query: Tree,
    columns: tuple[str, ...],
    *,
    number: int,
    node: Tree,
    scope: s.DuckdbScope,
) -> FoundSource:

    if scope.viewing > _DEEPEST:
        raise UnsupportedError("From", f"the view {name}, nested too deeply")
    fresh = s.DuckdbScope(scope.session, viewing=scope.viewing + 1)
    found = fresh.query(query)
    names = columns or names_of(found)
    source = t.DerivedTable(number, str(node.get("alias") or name), tuple(names), found, view=name)
    return source, _shown(source, t.columns_of(found), node)


def _types_of(source: t.FromSource) -> list[t.Type]:
    if isinstance(source, d.Unpivoted):
        return [*(source.fields[place].type for place in source.kept), d.VARCHAR, source.kind]
    assert isinstance(source, t.DerivedTable)
    return list(t.columns_of(source.query))


def _derived(node: Tree, scope: s.DuckdbScope, beside: Sequence[s.Visible]) -> FoundSource:

    query = scope.beside(beside).query(node["subquery"]["node"])
    alias = str(node.get("alias") or "unnamed_subquery")
    near = {field.source for each in beside for field in found_in(each.value, t.SourceColumn)}
    lateral = any(field.source in near for field in found_in(query, t.SourceColumn))
    source = t.DerivedTable(next(scope.session.numbers), alias, names_of(query), query, lateral)
    return source, _shown(source, t.columns_of(query), node)


def _values(node: Tree, scope: s.DuckdbScope) -> FoundSource:

    rows = [[scope.beside().resolved(each) for each in row] for row in node["values"]]
    columns = [list(column) for column in zip(*rows, strict=True)]
    typed = []
    for column in columns:
        if len(column) == 1:
            typed.append(column)
            continue
        typed.append(scope.unified(column, f"COALESCE({s.places(len(column))})")[1])
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


def _shown(source: t.FromSource, types: Sequence[t.Type], node: Tree) -> list[s.Visible]:
    renamed = [str(each) for each in node.get("column_name_alias") or ()]
    names = [*renamed, *source.columns[len(renamed) :]]
    fields = [t.SourceColumn(kind, source.number, place) for place, kind in enumerate(types, 1)]
    alias = fold(source.alias)
    return [s.Visible(alias, name, each, each) for name, each in zip(names, fields, strict=True)]


def _join(node: Tree, scope: s.DuckdbScope, beside: Sequence[s.Visible]) -> FoundSource:
    left, shown_left = from_clause(node["left"], scope, beside)
    right, shown_right = from_clause(node["right"], scope, (*beside, *shown_left))
    if left is None or right is None:
        raise UnsupportedError("Join", "without an argument")
    reference, kind = node["ref_type"], str(node["join_type"])
    if reference == "ASOF" and not node.get("using_columns"):
        on = _condition(node.get("condition"), scope.over([*shown_left, *shown_right]))
        return _asof(kind, left, right, on, scope), [*shown_left, *shown_right]
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
        return d.HalfJoined("INNER", left, right, on, anti=kind == "ANTI"), shown_left
    return t.Joined(_SIDES[kind], left, right, on), both


def _condition(node: Tree | None, scope: s.DuckdbScope) -> t.Expr | None:

    return None if node is None else scope.condition(node)


def _common(left: Sequence[s.Visible], right: Sequence[s.Visible]) -> list[str]:
    others = folded(each.name for each in right if each.plain is not None)
    return [each.name for each in left if each.plain is not None and fold(each.name) in others]


def _merged(
    using: Sequence[str], left: list[s.Visible], right: list[s.Visible], side: str, scope: s.DuckdbScope
) -> tuple[t.Expr, list[s.Visible]]:
    """The condition that USING means, and the columns of which each named one shows once."""
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
            kind, values = scope.unified(pair, "COALESCE({0}, {1})")
            value = t.Coalesce(kind, tuple(values))
        left = [*left[:one], _taking(left[one], value), *left[one + 1 :]]
        right = [*right[:other], _taking(right[other], None), *right[other + 1 :]]
    return t.joined("and", tests), [*left, *right]


def _only(name: str, shown: Sequence[s.Visible]) -> int:
    found = [place for place, each in enumerate(shown) if each.plain and is_same(each.name, name)]
    if len(found) != 1:
        raise UnsupportedError("Join", f"USING ({name}), which is ambiguous")
    return found[0]


def _taking(shown: s.Visible, plain: t.Expr | None) -> s.Visible:
    return s.Visible(shown.qualifier, shown.name, shown.value, plain)
