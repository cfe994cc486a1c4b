"""Expressions of DuckDB's tree with their names resolved and every conversion written out.

Which conversions those are DuckDB says itself (:mod:`equiv.dialects.duckdb.resolving.scope`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from equiv.core.model import quoted_name
from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.resolving import calls
from equiv.dialects.duckdb.resolving import scope as s
from equiv.dialects.duckdb.resolving.calls import compared_rows, is_number, row_of
from equiv.dialects.duckdb.values import string
from equiv.dialects.typed import tree as t
from equiv.names import fold

_NUMBER = re.compile(r"-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\Z")
_DIGITS = 18
_MOST = 2**63 - 1
"""Numbers of more digits are not what they are in the core."""
SIGNS = {
    "COMPARE_EQUAL": "=",
    "COMPARE_NOTEQUAL": "<>",
    "COMPARE_LESSTHAN": "<",
    "COMPARE_GREATERTHAN": ">",
    "COMPARE_LESSTHANOREQUALTO": "<=",
    "COMPARE_GREATERTHANOREQUALTO": ">=",
}


def resolved(node: s.ParseNode, scope: s.DuckdbScope) -> t.Expr:
    """An expression as a typed one.

    Raises:
        UnsupportedError: of a kind that is not known, or of names that are not.
    """
    kind = node["class"]
    if kind not in _KINDS:
        raise UnsupportedError(str(kind).title(), "in an expression")
    return _KINDS[kind](node, scope)


def condition(node: s.ParseNode, scope: s.DuckdbScope) -> t.Expr:
    """A condition: a Boolean, converted if it is none."""
    return converted(resolved(node, scope), s.BOOLEAN)


def converted(value: t.Expr, wanted: s.DuckType, *, written: bool = False) -> t.Expr:
    """A value as one of another type, if it is not of that type; ``written``: by a CAST in the text."""
    assert isinstance(value.type, s.DuckType)
    if value.type.spelt == wanted.spelt:
        return value
    is_list = isinstance(value, t.RoutineCall) and value.routine.name == "list_value"
    is_written_out = isinstance(value, t.TypedConstant) or is_list
    kind = s.Implied if is_written_out and not written else t.RoutineCall
    return kind(wanted, s.own(wanted.name, (value,)), (value,), cast=True)


def operand(value: t.Expr) -> str | s.DuckType:
    """A value as DuckDB is asked about it: a literal, or its type."""
    assert isinstance(value.type, s.DuckType)
    if not value.type.is_known:
        raise UnsupportedError("Type", value.type.spelt)
    if isinstance(value, t.TypedConstant) and (value.text is not None or value.type.spelt == s.UNKNOWN.spelt):
        return literal(value)
    return value.type


def literal(value: t.TypedConstant) -> str:
    """A constant as DuckDB reads it, of the type that the literal has by itself."""
    if value.text is None:
        return "NULL"
    return string(value.text) if value.type.name == "text" else value.text


def unified(values: Sequence[t.Expr], template: str, scope: s.DuckdbScope) -> tuple[s.DuckType, list[t.Expr]]:
    """Values as DuckDB converts them within an expression, and the type of that."""
    found = scope.session.probe.bound(template, [operand(each) for each in values])
    if len(found.parts) != len(values):
        raise UnsupportedError("resolution", f"DuckDB reads {template} differently")
    return found.type, [converted(value, kind) for value, kind in zip(values, found.parts, strict=True)]


def _resolved_before(node: s.ParseNode) -> t.Expr:
    found = node["value"]
    assert isinstance(found, t.Expr)
    return found


def _constant(node: s.ParseNode, scope: s.DuckdbScope) -> t.Expr:
    kind, text = node["literal"]["kind"], node["literal"]["text"]
    match kind:
        case "NULL_LITERAL":
            return t.TypedConstant(s.UNKNOWN, None)
        case "STRING":
            return t.TypedConstant(s.type_named("VARCHAR"), text)
        case "BOOLEAN":
            return t.TypedConstant(s.BOOLEAN, text.lower())
        case "INTEGER" | "NUMERIC":
            if not _NUMBER.match(text) or (len(text) > _DIGITS and not _is_bigint(text)):
                raise UnsupportedError("Constant", f"the number {text[:40]}")
            return t.TypedConstant(scope.session.probe.bound(text, []).type, text)
    raise UnsupportedError("Constant", str(kind))


def _is_bigint(text: str) -> bool:
    """Whether a number is a whole one of 64 bits."""
    return text.isdecimal() and len(text) <= len(str(_MOST)) and int(text) <= _MOST


def _parameter(node: s.ParseNode, scope: s.DuckdbScope) -> t.Expr:
    name = s.place_of(node).name
    kind = scope.session.parameters.get(name)
    return s.OpenParameter(s.UNKNOWN, None, name) if kind is None else t.ParameterValue(kind, name)


_LIKELY = tuple(
    map(s.type_named, ("VARCHAR", "BIGINT", "DOUBLE", "DATE", "TIMESTAMP", "INTERVAL", "BOOLEAN"))
)
"""The types of which one is taken for a parameter of a function that says none; see :func:`with_types`."""


def with_types(values: Sequence[t.Expr], template: str, scope: s.DuckdbScope) -> list[t.Expr]:
    """The arguments of a call, each parameter of no known type converted to what DuckDB takes there.

    That is the type of another argument or a list of these, as PostgreSQL takes it for an operator, else the
    first of some.
    """
    if not any(isinstance(each, s.OpenParameter) for each in values):
        return [*values]
    others = [each.type for each in values if isinstance(each.type, s.DuckType) and each.type.is_known]
    others = [each for each in others if each.spelt != s.UNKNOWN.spelt]
    lists = [s.type_named(f"{each.spelt}[]") for each in others]
    for kind in (*others, *lists, *_LIKELY):
        known = [converted(each, kind) if isinstance(each, s.OpenParameter) else each for each in values]
        try:
            scope.session.probe.bound(template, list(map(operand, known)))
        except UnsupportedError:
            continue
        return known
    return [*values]


def _column(node: s.ParseNode, scope: s.DuckdbScope) -> t.Expr:
    names = node["column_names"]
    word = fold(str(names[-1]))
    clock = _CLOCK.get(word)
    try:
        found = scope.column(names)
    except UnsupportedError:
        if len(names) > 1:
            field = t.TypedConstant(s.type_named("VARCHAR"), str(names[-1]))
            whole = _column({"column_names": names[:-1]}, scope)
            is_union = isinstance(whole.type, s.DuckType) and whole.type.spelt.startswith("UNION(")
            return _element("union_extract" if is_union else "struct_extract", (whole, field), scope)
        if clock is not None:
            return t.Now(clock, word)
        raise
    if clock is not None:
        # Where the clock's words are replaced this one would be, too.
        raise UnsupportedError("Column", f"{word}, which is the name of a column here")
    return found


_CLOCK = {"current_date": s.type_named("DATE"), "current_timestamp": s.TIMESTAMPTZ}
"""What the clock shows, by a name without parentheses that is not a column's."""


def _comparison(node: s.ParseNode, scope: s.DuckdbScope) -> t.Expr:
    rows = row_of(node["left"]), row_of(node["right"])
    if rows[0] is not None and rows[1] is not None and node["type"] in SIGNS:
        return compared_rows(SIGNS[node["type"]], rows[0], rows[1], scope)
    left, right = resolved(node["left"], scope), resolved(node["right"], scope)
    return compared(node["type"], left, right, scope)


def compared(kind: str, left: t.Expr, right: t.Expr, scope: s.DuckdbScope) -> t.Expr:
    """A comparison of two values."""
    distinct = kind in ("COMPARE_DISTINCT_FROM", "COMPARE_NOT_DISTINCT_FROM")
    sign = "=" if distinct else SIGNS.get(kind)
    if sign is None:
        raise UnsupportedError("Comparison", kind)
    template = "({0} IS DISTINCT FROM {1})" if distinct else f"({{0}} {sign} {{1}})"
    _, (left, right) = unified((left, right), template, scope)
    routine = s.comparison(sign, left, right)
    if not distinct:
        return t.RoutineCall(s.BOOLEAN, routine, (left, right))
    found = t.IsDistinct(s.BOOLEAN, routine, left, right)
    return found if kind == "COMPARE_DISTINCT_FROM" else s.NotDistinct(s.BOOLEAN, "not", (found,))


def _conjunction(node: s.ParseNode, scope: s.DuckdbScope) -> t.Expr:
    operands = tuple(condition(each, scope) for each in node["children"])
    return t.Logic(s.BOOLEAN, "and" if node["type"] == "CONJUNCTION_AND" else "or", operands)


def _between(node: s.ParseNode, scope: s.DuckdbScope) -> t.Expr:
    values = [resolved(node[each], scope) for each in ("input", "lower", "upper")]
    found = scope.session.probe.bound("({0} BETWEEN {1} AND {2})", [operand(each) for each in values])
    if len(found.parts) != 4:
        raise UnsupportedError("resolution", "DuckDB reads BETWEEN differently")
    first, lower, second, upper = found.parts
    parts = []
    for sign, kind, other, bound in ((">=", first, lower, values[1]), ("<=", second, upper, values[2])):
        left, right = converted(values[0], kind), converted(bound, other)
        parts.append(t.RoutineCall(s.BOOLEAN, s.comparison(sign, left, right), (left, right)))
    return s.Between(s.BOOLEAN, "and", tuple(parts))


def _operator(node: s.ParseNode, scope: s.DuckdbScope) -> t.Expr:
    children = node["children"]
    match node["type"]:
        case "OPERATOR_NOT":
            return t.Logic(s.BOOLEAN, "not", (condition(children[0], scope),))
        case "OPERATOR_IS_NULL" | "OPERATOR_IS_NOT_NULL":
            value = resolved(children[0], scope)
            return t.NullTest(s.BOOLEAN, value, node["type"] == "OPERATOR_IS_NOT_NULL")
        case "COMPARE_IN" | "COMPARE_NOT_IN":
            return _in(node, scope)
        case "GROUPING_FUNCTION":
            return t.Grouping(s.BIGINT, tuple(resolved(each, scope) for each in children))
        case "OPERATOR_COALESCE":
            values = [resolved(each, scope) for each in children]
            template = "COALESCE(" + places(len(values)) + ")"
            kind, values = unified(values, template, scope)
            return t.Coalesce(kind, tuple(values))
        case "ARRAY_CONSTRUCTOR":
            return calls.written_list(children, scope)
        case "ARRAY_EXTRACT" | "ARRAY_SLICE" | "STRUCT_EXTRACT" as kind:
            values = [resolved(each, scope) for each in children]
            return _element(fold(kind), values, scope)
    raise UnsupportedError("Operator", str(node["type"]))


def _element(
    name: str, values: Sequence[t.Expr], scope: s.DuckdbScope, *, is_operator: bool = False
) -> t.Expr:
    """A part of a list, a struct, a map, a document or a text, whichever the operator makes of it."""
    template = calls.template_of(name, len(values), is_operator=is_operator)
    values = with_types(values, template, scope)
    found = scope.session.probe.bound(template, [operand(each) for each in values])
    if len(found.parts) != len(values):
        raise UnsupportedError("resolution", f"DuckDB reads {name} differently")
    kinds = zip(values, found.parts, strict=True)
    typed = [value if isinstance(value, t.TypedConstant) else converted(value, kind) for value, kind in kinds]
    return calls.called_by(name, typed, found.type, scope, is_operator=is_operator)


def _arrow(node: s.ParseNode, scope: s.DuckdbScope) -> t.Expr:
    """A part of a document; where a function of a list is given its arrow, DuckDB refuses what this makes."""
    return _element("json_extract", [resolved(node[each], scope) for each in ("lhs", "expr")], scope)


def _in(node: s.ParseNode, scope: s.DuckdbScope) -> t.Expr:
    rows = [row_of(each) for each in node["children"]]
    if all(each is not None for each in rows):
        tests = tuple(compared_rows("=", rows[0] or (), each or (), scope) for each in rows[1:])
        row_in: t.Expr = s.RowIn(s.BOOLEAN, "or", tests)
        return row_in if node["type"] == "COMPARE_IN" else t.Logic(s.BOOLEAN, "not", (row_in,))
    first, *others = (resolved(each, scope) for each in node["children"])
    values = [first, *others]
    if not others:
        raise UnsupportedError("In", "without a value")
    template = "({0} IN (" + places(len(values), 1) + "))"
    _, (first, *others) = unified(values, template, scope)
    array = t.Array(first.type, tuple(others))
    found = t.Compared(s.BOOLEAN, s.comparison("=", first, others[0]), True, first, array)
    return found if node["type"] == "COMPARE_IN" else t.Logic(s.BOOLEAN, "not", (found,))


def places(number: int, start: int = 0) -> str:
    """So many places of a template."""
    return ", ".join(f"{{{place}}}" for place in range(start, number))


def _case(node: s.ParseNode, scope: s.DuckdbScope) -> t.Expr:
    checks = node["case_checks"]
    results = [*(each["then_expr"] for each in checks), node["else_expr"]]
    return chosen([each["when_expr"] for each in checks], results, scope)


def chosen(whens: Sequence[s.ParseNode], thens: Sequence[s.ParseNode], scope: s.DuckdbScope) -> t.Expr:
    """CASE: conditions, and a result for each and for none of them."""
    conditions = [condition(each, scope) for each in whens]
    results = [resolved(each, scope) for each in thens]
    tests = " ".join(f"WHEN random() > {place} THEN {{{place}}}" for place in range(len(conditions)))
    template = f"CASE {tests} ELSE {{{len(conditions)}}} END"
    found = scope.session.probe.bound(template, [operand(each) for each in results])
    kinds = [*found.parts[1::2], *found.parts[-1:]]
    if len(kinds) != len(results):
        raise UnsupportedError("resolution", "DuckDB reads CASE differently")
    results = [converted(value, kind) for value, kind in zip(results, kinds, strict=True)]
    branches = tuple(zip(conditions, results, strict=False))
    return t.CaseWhen(found.type, None, branches, results[-1])


def _cast(node: s.ParseNode, scope: s.DuckdbScope) -> t.Expr:
    value, wanted = resolved(node["child"], scope), _target(node["type_expr"], scope)
    if node["child"]["class"] == "PARAMETER" and not node.get("try_cast"):
        scope.session.cast[s.place_of(node["child"])] = wanted
    if not node.get("try_cast"):
        return converted(value, wanted, written=True)
    assert isinstance(value.type, s.DuckType)
    if value.type.spelt == wanted.spelt:
        return value
    return s.TryCast(wanted, s.own("try_cast", (value,)), (value,))


def _target(node: s.ParseNode, scope: s.DuckdbScope) -> s.DuckType:
    name, parts = str(node["type_name"]), node.get("children") or []
    if any(each["class"] == "TYPE" for each in parts):
        return scope.session.probe.type_called(_nested(node, scope))
    if not name.isidentifier() or any(each["class"] != "CONSTANT" for each in parts):
        raise UnsupportedError("Cast", f"to the type {name}")
    arguments = ", ".join(each["literal"]["text"] for each in parts if each["literal"]["kind"] == "INTEGER")
    if name.upper() == "ENUM":
        listed = ", ".join(string(each["literal"]["text"]) for each in parts)
        return s.type_named(f"ENUM({listed})")
    text = f"{name}({arguments})" if arguments else name
    return scope.session.probe.type_called(text)


def _nested(node: s.ParseNode, scope: s.DuckdbScope) -> str:
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


def _subquery(node: s.ParseNode, scope: s.DuckdbScope) -> t.Expr:
    from equiv.dialects.duckdb.resolving.queries import resolved_query

    elements = _unnested(node)
    if elements is not None and node["comparison_type"] in SIGNS:
        return _with_elements(SIGNS[node["comparison_type"]], node["child"], elements, scope)
    within = scope.inside(merges=node["subquery_type"] == "ANY")
    query = resolved_query(node["subquery"]["node"], within)
    columns = t.columns_of(query)
    match node["subquery_type"]:
        case "EXISTS":
            return t.NestedQuery(s.BOOLEAN, "exists", query)
        case "SCALAR" if len(columns) == 1:
            return t.NestedQuery(columns[0], "scalar", query)
        case "ANY" if node["comparison_type"] in SIGNS:
            row = row_of(node["child"]) or [node["child"]]
            sign = SIGNS[node["comparison_type"]]
            if len(row) == len(columns) and (len(row) == 1 or sign == "="):
                pairs = [
                    _held(sign, resolved(one, scope), kind, scope)
                    for one, kind in zip(row, columns, strict=True)
                ]
                routines, shown = (tuple(each) for each in zip(*pairs, strict=True))
                return t.NestedQuery(s.BOOLEAN, "any", query, routines, shown)
    raise UnsupportedError("Subquery", f"{node['subquery_type']} of {len(columns)} columns")


_NOTHING_ELSE = tuple("where_clause group_expressions group_sets having qualify sample modifiers".split())  # noqa: SIM905


def _unnested(node: s.ParseNode) -> s.ParseNode | None:
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
    found: s.ParseNode = shown["arguments"][0]["expression"]
    return found


def _with_elements(sign: str, value: s.ParseNode, elements: s.ParseNode, scope: s.DuckdbScope) -> t.Expr:
    """A comparison with any element of a list.

    Raises:
        UnsupportedError: of what is no list.
    """
    given, first = resolved(elements, scope.inside()), resolved(value, scope)
    assert isinstance(first.type, s.DuckType)
    each = calls.unnested(given, scope, first.type)
    routine, left = _held(sign, first, each.type, scope)
    return s.AnyElement(s.BOOLEAN, routine, left, *each.arguments)


def _held(sign: str, left: t.Expr, kind: t.Type, scope: s.DuckdbScope) -> tuple[t.Routine, t.Expr]:
    """How a value is compared with a column of a subquery, and the value as it is compared."""
    column = t.SourceColumn(kind, 0, 1)
    # The conversions stay with the comparison, which takes cells of one family as they are.
    _, (one, other) = unified((left, column), f"({{0}} {sign} {{1}})", scope)
    if other is not column and kind != s.UNKNOWN and not is_number(kind, one.type):
        raise UnsupportedError("Subquery", f"a column of {kind.name} compared as {one.type.name}")
    shown = left if is_number(left.type, one.type) else one
    return s.comparison(sign, one, other), shown


_KINDS: dict[str, Callable[[s.ParseNode, s.DuckdbScope], t.Expr]] = {
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
