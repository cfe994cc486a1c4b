"""Expressions of DuckDB's tree with their names resolved and every conversion written out.

Which conversions those are DuckDB says itself (:mod:`equiv.dialects.duckdb.resolving.scope`).  What stands
for the columns of a star is told here, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.macros import Tree, nodes, without_keys
from equiv.dialects.duckdb.resolving import calls
from equiv.dialects.duckdb.resolving import scope as s
from equiv.dialects.duckdb.resolving import tree as d
from equiv.dialects.duckdb.resolving.calls import SIGNS, chosen, compared, list_of, row_of
from equiv.dialects.duckdb.values import string
from equiv.dialects.typed import tree as t
from equiv.names import fold, folded, quoted_name

_NUMBER = re.compile(r"-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\Z")
_DIGITS = 18
_MOST = 2**63 - 1
"""Numbers of more digits are not what they are in the core."""


def resolved(node: Tree, scope: s.DuckdbScope) -> t.Expr:
    """An expression as a typed one.

    Raises:
        UnsupportedError: of a kind that is not known, or of names that are not.
    """
    kind = node["class"]
    if kind not in _KINDS:
        raise UnsupportedError(str(kind).title(), "in an expression")
    return _KINDS[kind](node, scope)


def _resolved_before(node: Tree) -> t.Expr:
    found = node["value"]
    assert isinstance(found, t.Expr)
    return found


def _constant(node: Tree, scope: s.DuckdbScope) -> t.Expr:
    kind, text = node["literal"]["kind"], node["literal"]["text"]
    match kind:
        case "NULL_LITERAL":
            return t.TypedConstant(d.UNKNOWN, None)
        case "STRING":
            return t.TypedConstant(d.type_named("VARCHAR"), text)
        case "BOOLEAN":
            return t.TypedConstant(d.BOOLEAN, text.lower())
        case "INTEGER" | "NUMERIC":
            if not _NUMBER.match(text) or (len(text) > _DIGITS and not _is_bigint(text)):
                raise UnsupportedError("Constant", f"the number {text[:40]}")
            return t.TypedConstant(scope.session.probe.bound(text, []).type, text)
    raise UnsupportedError("Constant", str(kind))


def _is_bigint(text: str) -> bool:
    """Whether a number is a whole one of 64 bits."""
    return text.isdecimal() and len(text) <= len(str(_MOST)) and int(text) <= _MOST


def _parameter(node: Tree, scope: s.DuckdbScope) -> t.Expr:
    name = s.place_of(node).name
    kind = scope.session.parameters.get(name)
    return d.OpenParameter(d.UNKNOWN, None, name) if kind is None else t.ParameterValue(kind, name)


def _column(node: Tree, scope: s.DuckdbScope) -> t.Expr:
    names = node["column_names"]
    word = fold(str(names[-1]))
    clock = _CLOCK.get(word)
    try:
        found = scope.column(names)
    except UnsupportedError:
        if len(names) > 1:
            field = t.TypedConstant(d.type_named("VARCHAR"), str(names[-1]))
            whole = _column({"column_names": names[:-1]}, scope)
            is_union = isinstance(whole.type, d.DuckType) and whole.type.spelt.startswith("UNION(")
            return _element("union_extract" if is_union else "struct_extract", (whole, field), scope)
        if clock is not None:
            return t.Now(clock, word)
        raise
    if clock is not None:
        # Where the clock's words are replaced this one would be, too.
        raise UnsupportedError("Column", f"{word}, which is the name of a column here")
    return found


_CLOCK = {"current_date": d.type_named("DATE"), "current_timestamp": d.TIMESTAMPTZ}
"""What the clock shows, by a name without parentheses that is not a column's."""


def _comparison(node: Tree, scope: s.DuckdbScope) -> t.Expr:
    rows = row_of(node["left"]), row_of(node["right"])
    if rows[0] is not None and rows[1] is not None and node["type"] in SIGNS:
        return _compared_rows(SIGNS[node["type"]], rows[0], rows[1], scope)
    left, right = scope.resolved(node["left"]), scope.resolved(node["right"])
    return compared(node["type"], left, right, scope)


def _conjunction(node: Tree, scope: s.DuckdbScope) -> t.Expr:
    operands = tuple(scope.condition(each) for each in node["children"])
    return t.Logic(d.BOOLEAN, "and" if node["type"] == "CONJUNCTION_AND" else "or", operands)


def _between(node: Tree, scope: s.DuckdbScope) -> t.Expr:
    values = [scope.resolved(node[each]) for each in ("input", "lower", "upper")]
    found = scope.bound("({0} BETWEEN {1} AND {2})", values)
    if len(found.parts) != 4:
        raise UnsupportedError("resolution", "DuckDB reads BETWEEN differently")
    first, lower, second, upper = found.parts
    parts = []
    for sign, kind, other, bound in ((">=", first, lower, values[1]), ("<=", second, upper, values[2])):
        left, right = d.converted(values[0], kind), d.converted(bound, other)
        parts.append(t.RoutineCall(d.BOOLEAN, d.comparison(sign, left, right), (left, right)))
    return d.Between(d.BOOLEAN, "and", tuple(parts))


def _operator(node: Tree, scope: s.DuckdbScope) -> t.Expr:
    children = node["children"]
    match node["type"]:
        case "OPERATOR_NOT":
            return t.Logic(d.BOOLEAN, "not", (scope.condition(children[0]),))
        case "OPERATOR_IS_NULL" | "OPERATOR_IS_NOT_NULL":
            value = scope.resolved(children[0])
            return t.NullTest(d.BOOLEAN, value, node["type"] == "OPERATOR_IS_NOT_NULL")
        case "COMPARE_IN" | "COMPARE_NOT_IN":
            return _in(node, scope)
        case "GROUPING_FUNCTION":
            return t.Grouping(d.BIGINT, tuple(scope.resolved(each) for each in children))
        case "OPERATOR_COALESCE":
            values = [scope.resolved(each) for each in children]
            template = "COALESCE(" + s.places(len(values)) + ")"
            kind, values = scope.unified(values, template)
            return t.Coalesce(kind, tuple(values))
        case "ARRAY_CONSTRUCTOR":
            return calls.written_list(children, scope)
        case "ARRAY_EXTRACT" | "ARRAY_SLICE" | "STRUCT_EXTRACT" as kind:
            values = [scope.resolved(each) for each in children]
            return _element(fold(kind), values, scope)
    raise UnsupportedError("Operator", str(node["type"]))


def _element(name: str, values: Sequence[t.Expr], scope: s.DuckdbScope) -> t.Expr:
    """A part of a list, a struct, a map, a document or a text, whichever the operator makes of it."""
    template = calls.template_of(name, len(values), is_operator=False)
    values = scope.with_types(values, template)
    found = scope.bound(template, values)
    if len(found.parts) != len(values):
        raise UnsupportedError("resolution", f"DuckDB reads {name} differently")
    kinds = zip(values, found.parts, strict=True)
    typed = [
        value if isinstance(value, t.TypedConstant) else d.converted(value, kind) for value, kind in kinds
    ]
    return calls.called_by(name, typed, found.type, scope, is_operator=False)


def _arrow(node: Tree, scope: s.DuckdbScope) -> t.Expr:
    """A part of a document; where a function of a list is given its arrow, DuckDB refuses what this makes."""
    return _element("json_extract", [scope.resolved(node[each]) for each in ("lhs", "expr")], scope)


def _compared_rows(sign: str, left: Sequence[Tree], right: Sequence[Tree], scope: s.DuckdbScope) -> t.Expr:
    """A comparison of two rows.

    Raises:
        UnsupportedError: of different lengths.
    """
    if len(left) != len(right) or not left:
        raise UnsupportedError("Row", "rows of different lengths")
    pairs = [
        scope.unified((scope.resolved(one), scope.resolved(other)), "({0} = {1})")[1]
        for one, other in zip(left, right, strict=True)
    ]
    routines = tuple(d.comparison("=", *pair) for pair in pairs)
    return d.RowCompared(d.BOOLEAN, sign, routines, tuple(p[0] for p in pairs), tuple(p[1] for p in pairs))


def _in(node: Tree, scope: s.DuckdbScope) -> t.Expr:
    rows = [row_of(each) for each in node["children"]]
    if all(each is not None for each in rows):
        tests = tuple(_compared_rows("=", rows[0] or (), each or (), scope) for each in rows[1:])
        row_in: t.Expr = d.RowIn(d.BOOLEAN, "or", tests)
        return row_in if node["type"] == "COMPARE_IN" else t.Logic(d.BOOLEAN, "not", (row_in,))
    first, *others = (scope.resolved(each) for each in node["children"])
    values = [first, *others]
    if not others:
        raise UnsupportedError("In", "without a value")
    template = "({0} IN (" + s.places(len(values), 1) + "))"
    _, (first, *others) = scope.unified(values, template)
    array = t.Array(first.type, tuple(others))
    found = t.Compared(d.BOOLEAN, d.comparison("=", first, others[0]), True, first, array)
    return found if node["type"] == "COMPARE_IN" else t.Logic(d.BOOLEAN, "not", (found,))


def _case(node: Tree, scope: s.DuckdbScope) -> t.Expr:
    checks = node["case_checks"]
    results = [*(each["then_expr"] for each in checks), node["else_expr"]]
    return chosen([each["when_expr"] for each in checks], results, scope)


def _cast(node: Tree, scope: s.DuckdbScope) -> t.Expr:
    value, wanted = scope.resolved(node["child"]), _target(node["type_expr"], scope)
    if node["child"]["class"] == "PARAMETER" and not node.get("try_cast"):
        scope.session.cast[s.place_of(node["child"])] = wanted
    if not node.get("try_cast"):
        return d.converted(value, wanted, written=True)
    if d.typed(value.type).spelt == wanted.spelt:
        return value
    return d.TryCast(wanted, d.own("try_cast", (value,)), (value,))


def _target(node: Tree, scope: s.DuckdbScope) -> d.DuckType:
    name, parts = str(node["type_name"]), node.get("children") or []
    if any(each["class"] == "TYPE" for each in parts):
        return scope.session.probe.type_called(_nested(node, scope))
    if not name.isidentifier() or any(each["class"] != "CONSTANT" for each in parts):
        raise UnsupportedError("Cast", f"to the type {name}")
    arguments = ", ".join(each["literal"]["text"] for each in parts if each["literal"]["kind"] == "INTEGER")
    if name.upper() == "ENUM":
        listed = ", ".join(string(each["literal"]["text"]) for each in parts)
        return d.type_named(f"ENUM({listed})")
    text = f"{name}({arguments})" if arguments else name
    return scope.session.probe.type_called(text)


def _nested(node: Tree, scope: s.DuckdbScope) -> str:
    """A list, struct, map or union as DuckDB writes it."""
    name, parts = fold(str(node["type_name"])), node.get("children") or []
    inner = [_target(each, scope).spelt for each in parts if each["class"] == "TYPE"]
    sizes = [str(each["literal"]["text"]) for each in parts if each["class"] == "CONSTANT"]
    match name:
        case "list" if len(inner) == 1 and not sizes:
            return f"{inner[0]}[]"
        case "array" if len(inner) == len(sizes) == 1:
            return f"{inner[0]}[{sizes[0]}]"
        case "map" if len(inner) == 2:
            return f"MAP({', '.join(inner)})"
        case "struct" | "row" | "union" if all(each.get("alias") for each in parts) and not sizes:
            shown = (f"{quoted_name(each['alias'])} {kind}" for each, kind in zip(parts, inner, strict=True))
            return f"{'UNION' if name == 'union' else 'STRUCT'}({', '.join(shown)})"
    raise UnsupportedError("Cast", f"to the type {name}")


def _subquery(node: Tree, scope: s.DuckdbScope) -> t.Expr:

    elements = _unnested(node)
    if elements is not None and node["comparison_type"] in SIGNS:
        return _with_elements(SIGNS[node["comparison_type"]], node["child"], elements, scope)
    within = scope.inside(merges=node["subquery_type"] == "ANY")
    query = within.query(node["subquery"]["node"])
    columns = t.columns_of(query)
    match node["subquery_type"]:
        case "EXISTS":
            return t.NestedQuery(d.BOOLEAN, "exists", query)
        case "SCALAR" if len(columns) == 1:
            return t.NestedQuery(columns[0], "scalar", query)
        case "ANY" if node["comparison_type"] in SIGNS:
            row = row_of(node["child"]) or [node["child"]]
            sign = SIGNS[node["comparison_type"]]
            if len(row) == len(columns) and (len(row) == 1 or sign == "="):
                pairs = [
                    _held(sign, scope.resolved(one), kind, scope)
                    for one, kind in zip(row, columns, strict=True)
                ]
                routines, shown = (tuple(each) for each in zip(*pairs, strict=True))
                return t.NestedQuery(d.BOOLEAN, "any", query, routines, shown)
    raise UnsupportedError("Subquery", f"{node['subquery_type']} of {len(columns)} columns")


_NOTHING_ELSE = tuple("where_clause group_expressions group_sets having qualify sample modifiers".split())  # noqa: SIM905


def _unnested(node: Tree) -> Tree | None:
    """The list whose elements a value is compared with: ``ANY (list)`` is a subquery to DuckDB's parser."""
    query = node["subquery"]["node"]
    if node["subquery_type"] != "ANY" or query["type"] != "SELECT_NODE" or row_of(node["child"]) is not None:
        return None
    if (
        query["from_table"]["type"] != "EMPTY"
        or query["cte_map"]["map"]
        or any(map(query.get, _NOTHING_ELSE))
    ):
        return None
    (shown,) = query["select_list"] if len(query["select_list"]) == 1 else (query,)
    if fold(str(shown.get("function_name"))) != "unnest" or len(shown["arguments"]) != 1:
        return None
    found: Tree = shown["arguments"][0]["expression"]
    return found


def _with_elements(sign: str, value: Tree, elements: Tree, scope: s.DuckdbScope) -> t.Expr:
    """A comparison with any element of a list.

    Raises:
        UnsupportedError: of what is no list.
    """
    given, first = scope.inside().resolved(elements), scope.resolved(value)
    each = calls.unnested(given, scope, d.typed(first.type))
    routine, left = _held(sign, first, each.type, scope)
    return d.AnyElement(d.BOOLEAN, routine, left, *each.arguments)


def _held(sign: str, left: t.Expr, kind: t.Type, scope: s.DuckdbScope) -> tuple[t.Routine, t.Expr]:
    """How a value is compared with a column of a subquery, and the value as it is compared."""
    column = t.SourceColumn(kind, 0, 1)
    # The conversions stay with the comparison, which takes cells of one family as they are.
    _, (one, other) = scope.unified((left, column), f"({{0}} {sign} {{1}})")
    if other is not column and kind != d.UNKNOWN and not d.is_number(kind, one.type):
        raise UnsupportedError("Subquery", f"a column of {kind.name} compared as {one.type.name}")
    shown = left if d.is_number(left.type, one.type) else one
    return d.comparison(sign, one, other), shown


def starred(node: Tree, scope: s.DuckdbScope) -> Iterator[t.ResultColumn]:
    """The result columns of ``*``, ``t.*`` or ``COLUMNS('…')`` with EXCLUDE, REPLACE and RENAME.

    Raises:
        UnsupportedError: of a form that is not known.
    """
    if node.get("qualified_exclude_list") or node.get("unpacked"):
        raise UnsupportedError("Star", "EXCLUDE with a qualified column name, or UNPACK")
    out = {_name(each) for each in node.get("exclude_list") or ()}
    replaced = {fold(str(each["key"])): each["value"] for each in node.get("replace_list") or ()}
    renamed = {_name(each["key"]): str(each["value"]) for each in node.get("rename_list") or ()}
    chosen = _pattern(node, scope)
    for each in _columns_of(str(node.get("relation_name") or ""), scope):
        name = fold(each.name)
        if name in out or not chosen(each.name):
            continue
        value = each.plain if not node.get("relation_name") else each.value
        assert value is not None
        if name in replaced:
            value = scope.resolved(replaced[name])
        yield t.ResultColumn(value, renamed.get(name, each.name))


def _name(found: object) -> str:
    if isinstance(found, dict):
        if found.get("table"):
            raise UnsupportedError("Star", "EXCLUDE or RENAME with a qualified column name")
        found = found["column"]
    return fold(str(found))


def _columns_of(relation: str, scope: s.DuckdbScope) -> Iterator[s.Visible]:
    if not relation:
        yield from (each for each in scope.columns if each.plain is not None)
        return
    found = [each for each in scope.columns if each.qualifier == fold(relation)]
    if not found:
        raise UnsupportedError("Star", f"{relation}.*, which equiv cannot resolve")
    yield from found


def _pattern(node: Tree, scope: s.DuckdbScope) -> Callable[[str], bool]:
    """Whether COLUMNS takes a column of a name: all, those of a list, or those of a pattern.

    Raises:
        UnsupportedError: what stands there is none of these.
    """
    given = node.get("expr")
    if given is None:
        return lambda name: True
    listed = list_of(given)
    if listed is not None and all(map(_is_text, listed)):
        names = folded(str(each["literal"]["text"]) for each in listed)
        return lambda name: fold(name) in names
    if _is_text(given):
        return partial(scope.session.probe.names, "regexp_matches", str(given["literal"]["text"]))
    if given.get("class") == "FUNCTION" and given["function_name"] == "list_filter":
        return _lambda(given["arguments"][1]["expression"], scope)
    raise UnsupportedError("Star", "COLUMNS with an argument other than a pattern, a list or a simple lambda")


def _lambda(node: Tree, scope: s.DuckdbScope) -> Callable[[str], bool]:
    """``lambda c: c LIKE '…'`` and its like."""
    body, name = node["expr"], node["lhs"].get("column_names")
    if body.get("class") == "FUNCTION" and body["function_name"] in _TESTS and len(body["arguments"]) == 2:
        subject, pattern = (each["expression"] for each in body["arguments"])
        if subject.get("column_names") == name and _is_text(pattern):
            test, text = str(body["function_name"]), str(pattern["literal"]["text"])
            return partial(scope.session.probe.names, test, text)
    raise UnsupportedError("Star", "COLUMNS with a lambda that is not a simple test")


_TESTS = frozenset(("~~", "!~~", "~~*", "!~~*", "~~~", "regexp_matches", "starts_with", "contains", "suffix"))


def _is_text(node: Tree) -> bool:
    return bool(node.get("class") == "CONSTANT" and node["literal"]["kind"] == "STRING")


def filtered_star(node: Tree) -> Tree | None:
    """The star of ``* LIKE '…'`` with its test as COLUMNS has it; None of anything else."""
    if node.get("class") != "FUNCTION" or node["function_name"] not in _TESTS or len(node["arguments"]) != 2:
        return None
    star, pattern = (each["expression"] for each in node["arguments"])
    if star.get("class") != "STAR" or star.get("columns") or star.get("expr") or not _is_text(pattern):
        return None
    subject = {"class": "COLUMN_REF", "column_names": ["name"]}
    arguments = [{"name": "", "expression": each} for each in (subject, pattern)]
    body = {"class": "FUNCTION", "function_name": node["function_name"], "arguments": arguments}
    test = {"class": "LAMBDA", "lhs": subject, "expr": body}
    listed = [{"name": "", "expression": each} for each in ({}, test)]
    return {**star, "expr": {"class": "FUNCTION", "function_name": "list_filter", "arguments": listed}}


def spread(node: Tree, scope: s.DuckdbScope) -> list[Tree] | None:
    """An expression once for each column that COLUMNS(…) within it stands for; None if there is no COLUMNS.

    Raises:
        UnsupportedError: several that differ.
    """
    stars = [each for each in nodes(node) if each.get("class") == "STAR" and each.get("columns")]
    if not stars:
        return None
    if any(_unplaced(each) != _unplaced(stars[0]) for each in stars):
        raise UnsupportedError("Star", "several COLUMNS that differ")
    found = []
    for target in starred(stars[0], scope):
        known = {"class": RESOLVED, "value": target.value, "name": target.name}
        found.append(_replaced(node, known))
    return found


RESOLVED = "RESOLVED"
"""The class of a node that stands for an expression that is resolved already."""


def _unplaced(node: Tree) -> object:
    """A node without the place at which it stands."""
    return without_keys(node, ("query_location", "query_location_length"))


def _replaced(node: Any, known: Tree) -> Any:
    if isinstance(node, dict):
        if node.get("class") == "STAR" and node.get("columns"):
            return known
        return {key: _replaced(each, known) for key, each in node.items()}
    return [_replaced(each, known) for each in node] if isinstance(node, list) else node


_KINDS: dict[str, Callable[[Tree, s.DuckdbScope], t.Expr]] = {
    "BETWEEN": _between,
    "CASE": _case,
    "CAST": _cast,
    "COLUMN_REF": _column,
    "COMPARISON": _comparison,
    "CONJUNCTION": _conjunction,
    "CONSTANT": _constant,
    "FUNCTION": calls.called,
    "LAMBDA": _arrow,
    "OPERATOR": _operator,
    "PARAMETER": _parameter,
    "RESOLVED": lambda node, scope: _resolved_before(node),
    "SUBQUERY": _subquery,
    "WINDOW": calls.over,
}
