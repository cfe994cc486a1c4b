"""Functions, aggregates and window functions, typed; comparisons of row values and with lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.macros import Tree, nodes
from equiv.dialects.duckdb.resolving import scope as s
from equiv.dialects.duckdb.resolving import tree as d
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.numbers import NUMBERINGS, READERS
from equiv.names import fold, quoted_name

INSTANTS = frozenset(("now", "transaction_timestamp", "get_current_timestamp", "current_timestamp"))
"""Functions of the current time; the last is one without parentheses."""
CONTAINING = frozenset(("contains", "list_contains", "list_has", "array_contains", "array_has"))


def row_of(node: Tree) -> list[Tree] | None:
    """The values of a row as it is written; None of anything else."""
    return _operands(node, ("row",))


def list_of(node: Tree) -> list[Tree] | None:
    """The elements of a list as it is written; None of anything else."""
    if node.get("type") == "ARRAY_CONSTRUCTOR":
        return [*node["children"]]
    return _operands(node, ("list_value",))


def written_list(elements: Sequence[Tree], scope: s.DuckdbScope) -> t.Expr:
    """``ARRAY[…]``, which DuckDB binds as the function of a list."""
    arguments = [{"name": "", "expression": each} for each in elements]
    return called({"function_name": "list_value", "arguments": arguments}, scope)


def _operands(node: Tree, names: Sequence[str]) -> list[Tree] | None:
    if node.get("class") != "FUNCTION" or fold(str(node["function_name"])) not in names:
        return None
    given = node.get("arguments") or []
    return None if any(each.get("name") for each in given) else [each["expression"] for each in given]


SIGNS = {
    "COMPARE_EQUAL": "=",
    "COMPARE_NOTEQUAL": "<>",
    "COMPARE_LESSTHAN": "<",
    "COMPARE_GREATERTHAN": ">",
    "COMPARE_LESSTHANOREQUALTO": "<=",
    "COMPARE_GREATERTHANOREQUALTO": ">=",
}


def compared(kind: str, left: t.Expr, right: t.Expr, scope: s.DuckdbScope) -> t.Expr:
    """A comparison of two values."""
    distinct = kind in ("COMPARE_DISTINCT_FROM", "COMPARE_NOT_DISTINCT_FROM")
    sign = "=" if distinct else SIGNS.get(kind)
    if sign is None:
        raise UnsupportedError("Comparison", kind)
    template = "({0} IS DISTINCT FROM {1})" if distinct else f"({{0}} {sign} {{1}})"
    _, (left, right) = scope.unified((left, right), template)
    routine = d.comparison(sign, left, right)
    if not distinct:
        return t.RoutineCall(d.BOOLEAN, routine, (left, right))
    found = t.IsDistinct(d.BOOLEAN, routine, left, right)
    return found if kind == "COMPARE_DISTINCT_FROM" else d.NotDistinct(d.BOOLEAN, "not", (found,))


def chosen(whens: Sequence[Tree], thens: Sequence[Tree], scope: s.DuckdbScope) -> t.Expr:
    """CASE: conditions, and a result for each and for none of them."""
    conditions = [scope.condition(each) for each in whens]
    results = [scope.resolved(each) for each in thens]
    tests = " ".join(f"WHEN random() > {place} THEN {{{place}}}" for place in range(len(conditions)))
    template = f"CASE {tests} ELSE {{{len(conditions)}}} END"
    found = scope.bound(template, results)
    kinds = [*found.parts[1::2], *found.parts[-1:]]
    if len(kinds) != len(results):
        raise UnsupportedError("resolution", "DuckDB reads CASE differently")
    results = [d.converted(value, kind) for value, kind in zip(results, kinds, strict=True)]
    branches = tuple(zip(conditions, results, strict=False))
    return t.CaseWhen(found.type, None, branches, results[-1])


AGGREGATES = frozenset(
    """count count_star sum avg mean min max bool_and bool_or stddev stddev_samp stddev_pop var_samp variance
    var_pop string_agg group_concat listagg list array_agg
    count_if countif any_value first arbitrary""".split()  # noqa: SIM905
)
_CHOICES = frozenset(("any_value", "first", "arbitrary"))
SAMPLING = frozenset(
    """approx_count_distinct approx_quantile approx_top_k combine_aggr lttb reservoir_quantile
    variant_group_object""".split()  # noqa: SIM905
)
"""Aggregates whose value the rows in their order do not tell: they sample, or merge parts of the rows."""
_OF_DECIMALS = frozenset("+-*%")
_ESCAPED = {"like_escape": "LIKE", "not_like_escape": "NOT LIKE"}
_ENDS = {
    "UNBOUNDED_PRECEDING": ("", "UNBOUNDED PRECEDING"),
    "UNBOUNDED_FOLLOWING": ("", "UNBOUNDED FOLLOWING"),
    **{f"CURRENT_ROW_{unit}": (unit, "CURRENT ROW") for unit in ("ROWS", "RANGE", "GROUPS")},
    **{f"EXPR_PRECEDING_{unit}": (unit, "PRECEDING") for unit in ("ROWS", "RANGE", "GROUPS")},
    **{f"EXPR_FOLLOWING_{unit}": (unit, "FOLLOWING") for unit in ("ROWS", "RANGE", "GROUPS")},
}


def called(node: Tree, scope: s.DuckdbScope) -> t.Expr:
    """A function, an operator or an aggregate.

    Raises:
        UnsupportedError: it is not of the kinds that are read.
    """
    name = fold(str(node["function_name"]))
    if node.get("schema") or node.get("catalog") or node.get("export_state"):
        if (method := _of_column(node, scope)) is not None:
            return called(method, scope)
        raise UnsupportedError("Func", f"{name} with the name of a schema")
    if name in AGGREGATES or scope.session.probe.is_aggregate(name):
        return _aggregate(name, node, scope)
    if node.get("distinct") or node.get("filter") or (node.get("order_bys") or {}).get("orders"):
        raise UnsupportedError("AggFunc", name)
    given = [each["expression"] for each in node.get("arguments", ())]
    if name in ("if", "iif") and len(given) == 3:
        return chosen([given[0]], given[1:], scope)
    if name in INSTANTS | {"today"} and not given:
        return t.Now(d.type_named("DATE") if name == "today" else d.TIMESTAMPTZ, f"{name}()")
    if name == "struct_pack" and given:
        return _packed(node, scope)
    if any(each.get("syntax_type") == _LAMBDA for each in given):
        return _with_lambda(name, node, scope)
    values = _arguments(node, scope)
    if (made := _of_own(name, values, scope)) is not None:
        return made
    kind, values = _bound(name, values, scope, is_operator=bool(node.get("is_operator")))
    if name in ("greatest", "least"):
        return t.GreatestLeast(kind, name == "greatest", tuple(values))
    return called_by(name, values, kind, scope, is_operator=bool(node.get("is_operator")))


def _of_own(name: str, values: Sequence[t.Expr], scope: s.DuckdbScope) -> t.Expr | None:
    """A call that is an expression of another kind; None of any other call."""
    match name, len(values):
        case (("unnest" | "unlist"), 1):
            return unnested(values[0], scope)
        case "nullif", 2:
            return _null_if(values, scope)
        case (("ifnull" | "nvl"), 2):
            kind, values = scope.unified(values, "COALESCE({0}, {1})")
            return t.Coalesce(kind, tuple(values))
    return None


def unnested(value: t.Expr, scope: s.DuckdbScope, element: d.DuckType = d.VARCHAR) -> t.RoutineCall:
    """UNNEST of a list, whose rows are its elements in their order, none of NULL.

    Args:
        value: the list.
        scope: its place.
        element: the type of the elements of a parameter that has none.

    Raises:
        UnsupportedError: of a struct, whose fields it makes columns, or of what else is no list.
    """
    if isinstance(value, d.OpenParameter):
        value = d.converted(value, d.type_named(f"{element.spelt}[]"))
    spelt = d.typed(value.type).spelt
    if not spelt.endswith("[]"):
        raise UnsupportedError("Func", f"unnest of a value of the type {spelt}, which is no list")
    kind = scope.session.probe.bound("({0})[1]", [d.operand(value)]).type
    routine = replace(d.own("unnest", (value,)), returns_set=True)
    return t.RoutineCall(kind, routine, (value,))


def _of_column(node: Tree, scope: s.DuckdbScope) -> Tree | None:
    """``x.f(y)`` as ``f(x, y)`` where x is a column; None of another call."""
    name = str(node.get("schema") or "")
    if node.get("catalog") or node.get("export_state"):
        return None
    try:
        scope.column([name])
    except UnsupportedError:
        return None
    column = {"class": "COLUMN_REF", "type": "COLUMN_REF", "alias": "", "column_names": [name]}
    arguments = [{"name": "", "expression": column}, *node.get("arguments", ())]
    return {**node, "schema": "", "arguments": arguments}


def called_by(
    name: str, values: Sequence[t.Expr], kind: d.DuckType, scope: s.DuckdbScope, *, is_operator: bool
) -> t.RoutineCall:
    """A call of a function or operator of DuckDB's, with what DuckDB says of it."""
    probe = scope.session.probe
    is_vouched = probe.is_function(name)
    template = template_of(name, len(values), is_operator=is_operator)
    strict = is_vouched and bool(values) and probe.is_strict(template, list(map(d.operand, values)))
    volatility = "i" if is_vouched else "v"
    routine = d.own(name, tuple(values), operator=is_operator, strict=strict, volatility=volatility)
    return t.RoutineCall(kind, routine, tuple(values))


def _packed(node: Tree, scope: s.DuckdbScope) -> t.Expr:
    """A struct of named values; its routine's name is the template of the call."""
    given = node["arguments"]
    values = tuple(scope.resolved(each["expression"]) for each in given)
    names = [quoted_name(str(each.get("name") or each["expression"].get("alias") or "")) for each in given]
    parts = (f"{_plain(name)} := {{{place}}}" for place, name in enumerate(names))
    template = f"struct_pack({', '.join(parts)})"
    found = scope.bound(template, values)
    return t.RoutineCall(found.type, d.own(template, values, strict=False), values)


def _with_lambda(name: str, node: Tree, scope: s.DuckdbScope) -> t.Expr:
    """A function that is given a lambda; its routine's name is the template of the call.

    The parameters have names by number there, and what else the lambda names is an argument like others.
    """
    values: list[t.Expr] = []

    def argument(part: Tree) -> Tree:
        value = scope.resolved(part)
        if value not in values:
            values.append(value)
        place = {"class": "COLUMN_REF", "column_names": [f"equiv_{values.index(value)}_"]}
        return {**part, **place, "type": "COLUMN_REF"}

    def changed(part: Any, names: dict[str, str]) -> Any:
        if isinstance(part, list):
            return [changed(each, names) for each in part]
        if not isinstance(part, dict):
            return part
        match part.get("class"):
            case "LAMBDA" if part["syntax_type"] == _LAMBDA:
                bound = _operands(part["lhs"], ("row",)) or [part["lhs"]]
                words = [fold(str(each["column_names"][0])) for each in bound]
                inner = names | {word: f"l{len(names) + at}" for at, word in enumerate(words)}
                return {**part, "lhs": changed(part["lhs"], inner), "expr": changed(part["expr"], inner)}
            case "COLUMN_REF" if fold(str(part["column_names"][0])) in names:
                first, *rest = part["column_names"]
                return {**part, "column_names": [names[fold(str(first))], *rest]}
            case "COLUMN_REF" | "PARAMETER":
                return argument(part)
            case "SUBQUERY" | "WINDOW" | "STAR":
                raise UnsupportedError("Func", f"{name} of a lambda with a query, a window or a star")
        return {key: changed(each, names) for key, each in part.items()}

    probe = scope.session.probe
    given = [each["expression"] for each in node["arguments"]]
    shown = [changed(e, {}) if e.get("syntax_type") == _LAMBDA else argument(e) for e in given]
    arguments = [{**each, "expression": e} for each, e in zip(node["arguments"], shown, strict=True)]
    template = _PLACE.sub(r"{\1}", _plain(probe.printed({**node, "alias": "", "arguments": arguments})))
    names = {fold(str(each["function_name"])) for each in nodes(arguments) if "function_name" in each}
    operands = list(map(d.operand, values))
    found = probe.bound(template, operands)
    volatility = "i" if all(map(probe.is_function, {name} | names - {"row"})) else "v"
    strict = probe.is_strict(template, operands)
    routine = d.own(template, tuple(values), strict=strict, volatility=volatility)
    plain = t.RoutineCall(found.type, routine, tuple(values))
    return _filtered_list(plain, given[1], scope) if s.alias_of(name) == "list_filter" else plain


def _filtered_list(call: t.RoutineCall, written: Tree, scope: s.DuckdbScope) -> t.RoutineCall:
    """``list_filter(l, lambda x: …)`` with its condition; the call alone where that is not read by itself."""
    from equiv.dialects.duckdb.resolving.expressions import resolved

    names = [*(written["lhs"].get("column_names") or ())]
    if len(names) != 1 or call.routine.volatility == "v":
        return call
    number, name = next(scope.session.numbers), str(names[0])
    try:
        element = t.SourceColumn(unnested(call.arguments[0], scope).type, number, 1)
        within = scope.inside().over([s.Visible("", name, element, element)])
        condition = resolved(written["expr"], within)
    except UnsupportedError:
        return call
    return d.ListFiltered(call.type, call.routine, call.arguments, element=element, condition=condition)


_LAMBDA = "LAMBDA_KEYWORD"
_PLACE = re.compile(r"\bequiv_(\d+)_\b")


def _plain(name: str) -> str:
    return name.replace("{", "{{").replace("}", "}}")


def template_of(name: str, count: int, *, is_operator: bool) -> str:
    """A call of so many arguments as text."""
    places = [f"{{{place}}}" for place in range(count)]
    if is_operator and not name[0].isalpha() and count == 2:
        return f"({places[0]} {name} {places[1]})"
    if name in _ESCAPED and count == 3:
        return f"({places[0]} {_ESCAPED[name]} {places[1]} ESCAPE {places[2]})"
    if is_operator and not name[0].isalpha() and count == 1:
        return f"({name} {places[0]})"
    if "{" in name:
        return name
    if name in ("array_extract", "array_slice"):
        return f"({places[0]})[{':'.join(places[1:])}]"
    quoted = _plain(name.replace('"', '""'))
    return f'"{quoted}"({", ".join(places)})'


def _arguments(node: Tree, scope: s.DuckdbScope) -> list[t.Expr]:

    if any(each.get("name") for each in node.get("arguments", ())):
        raise UnsupportedError("Func", f"{node['function_name']} with named arguments")
    return [scope.resolved(each["expression"]) for each in node.get("arguments", ())]


def _bound(
    name: str, values: Sequence[t.Expr], scope: s.DuckdbScope, *, is_operator: bool
) -> tuple[d.DuckType, list[t.Expr]]:

    template = template_of(name, len(values), is_operator=is_operator)
    values = scope.with_types(values, template)
    found = scope.bound(template, values)
    if name in _OF_DECIMALS and any(each.name == "numeric" for each in found.parts):
        # A decimal of more digits as an argument would give a result of still more.
        return found.type, list(values)
    # A constant that says what is to be done (the part of a date) is no part of what is bound.
    every = len(found.parts) == len(values) or name in s.OF_LISTS
    places = [at for at, each in enumerate(values) if every or not isinstance(each, t.TypedConstant)]
    parts = found.parts[:1] if name in s.OF_LISTS else found.parts
    if len(places) != len(parts):
        raise UnsupportedError("resolution", f"DuckDB reads {name} differently")
    typed = list(values)
    for at, kind in zip(places, parts, strict=True):
        typed[at] = d.converted(values[at], kind)
    return found.type, typed


def _null_if(values: Sequence[t.Expr], scope: s.DuckdbScope) -> t.Expr:
    """NULLIF, which DuckDB takes for a CASE with a comparison."""
    test = compared("COMPARE_EQUAL", values[0], values[1], scope)
    assert isinstance(test, t.RoutineCall)
    value, other = test.arguments
    if value is values[0]:
        return t.NullIf(value.type, d.comparison("=", value, other), value, other)
    if not d.is_number(values[0].type, values[1].type):
        raise UnsupportedError("Func", "NULLIF of a value that needs a conversion")
    # Numbers of all types compare by their values, converted or not.
    return t.NullIf(values[0].type, d.comparison("=", *values), values[0], values[1])


def _aggregate(name: str, node: Tree, scope: s.DuckdbScope) -> t.Expr:

    if scope.aliases and not scope.columns:
        raise UnsupportedError("AggFunc", name)
    values = _arguments(node, scope)
    order = tuple(_sort_keys((node.get("order_bys") or {}).get("orders") or (), scope))
    kept = scope.condition(node["filter"]) if node.get("filter") else None
    if name == "count_star" or (name == "count" and not values):
        return t.AggregateCall(d.BIGINT, _routine("count", ()), (), star=True, filter=kept)
    # A separator that is a parameter is a constant to DuckDB only when it is given.
    given = values[1:] if len(values) == 2 and _is_given(values[1]) else []
    kind, values = _bound(name, values[: len(values) - len(given)], scope, is_operator=False)
    values += [d.converted(each, d.VARCHAR) for each in given]
    routine = _routine(name, values)
    return t.AggregateCall(kind, routine, tuple(values), False, bool(node.get("distinct")), order, kept)


def _is_given(value: t.Expr) -> bool:
    """Whether a value is a parameter, cast or not."""
    if isinstance(value, t.RoutineCall) and value.cast:
        return _is_given(value.arguments[0])
    return isinstance(value, d.OpenParameter | t.ParameterValue)


def _routine(name: str, values: Sequence[t.Expr]) -> t.Routine:
    if name not in AGGREGATES | NUMBERINGS | READERS or (name in ("max", "min") and len(values) > 1):
        return d.own(name, tuple(values), volatility="v" if name in SAMPLING else "i")
    return t.Routine(name, tuple(each.type.name for each in values))


def over(node: Tree, scope: s.DuckdbScope) -> t.Expr:
    """A window function.

    Raises:
        UnsupportedError: it is not of the kinds that are read.
    """
    name = fold(str(node["function_name"]))
    if node.get("ignore_nulls") or node.get("distinct") or node.get("arg_orders"):
        raise UnsupportedError("Window", f"{name} with IGNORE NULLS, DISTINCT or ORDER BY")
    if name in _CHOICES or name not in AGGREGATES | NUMBERINGS | READERS:
        raise UnsupportedError("Window", name)
    if name in READERS and (node.get("filter_expr") or node.get("filter")):
        raise UnsupportedError("Window", f"FILTER of {name}")
    values = _arguments(node, scope)
    star = name == "count_star" or (name == "count" and not values)
    filtered = node.get("filter_expr") or node.get("filter")
    kept = scope.condition(filtered) if filtered else None
    kind: d.DuckType = d.BIGINT
    if not star:
        template = template_of(name, len(values), is_operator=False)
        bound = scope.bound(f"{template} OVER ()", values)
        if len(bound.parts) < len(values):
            raise UnsupportedError("resolution", f"DuckDB reads {name} differently")
        kind = bound.type
        # What stands behind the arguments are those that DuckDB adds.
        values = [d.converted(each, wanted) for each, wanted in zip(values, bound.parts, strict=False)]
    return t.Over(
        kind,
        _routine("count" if star else name, values),
        tuple(values),
        star,
        kept,
        tuple(scope.resolved(each) for each in node.get("partitions") or ()),
        tuple(_sort_keys(node.get("orders") or (), scope)),
        _frame(node, scope),
    )


def _frame(node: Tree, scope: s.DuckdbScope) -> t.Frame:

    (unit, start), (other, end) = _ENDS.get(node["start"], ("", "")), _ENDS.get(node["end"], ("", ""))
    if not start or not end or (unit and other and unit != other):
        raise UnsupportedError("Window", f"a frame from {node['start']} to {node['end']}")
    if node.get("exclude_clause", "NO_OTHER") != "NO_OTHER":
        raise UnsupportedError("Window", "EXCLUDE")
    offsets = [
        scope.resolved(node[each]) if node.get(each) is not None else None
        for each in ("start_expr", "end_expr")
    ]
    given = (node["start"], node["end"]) != ("UNBOUNDED_PRECEDING", "CURRENT_ROW_RANGE")
    whole: Literal["ROWS", "RANGE", "GROUPS"] = unit or other or "ROWS"  # type: ignore[assignment]
    return t.Frame(whole, start, end, offsets[0], offsets[1], given=given)


def sort_key(node: Tree, value: t.Expr) -> t.SortKey:
    """The sort key of a term of ORDER BY, by ``value``, the expression of that term, already resolved."""
    return t.SortKey(value, node["type"] == "DESCENDING", nulls_first(node))


def nulls_first(node: Tree) -> bool:
    """Whether a term of ORDER BY puts NULL before all values."""
    return str(node["null_order"]).replace("_", " ") == "NULLS FIRST"


def _sort_keys(orders: Iterable[Tree], scope: s.DuckdbScope) -> Iterable[t.SortKey]:
    """The terms of an ORDER BY of a window, which names no result column by position."""
    for each in orders:
        yield sort_key(each, scope.resolved(each["expression"]))
