"""This module turns expressions of node trees into typed ones, each window function with its window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from equiv.core.query import UnsupportedError
from equiv.dialects.postgres.analysis.nodes import TreeNode, is_read, text_of
from equiv.dialects.postgres.analysis.scope import PostgresScope, require_own_collation
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.build import is_widened

_UNITS: dict[int, Literal["RANGE", "ROWS", "GROUPS"]] = {0x2: "RANGE", 0x4: "ROWS", 0x8: "GROUPS"}
_BETWEEN = 0x10
_STARTS = {0x20: "UNBOUNDED PRECEDING", 0x200: "CURRENT ROW", 0x800: "PRECEDING", 0x2000: "FOLLOWING"}
_ENDS = {0x100: "UNBOUNDED FOLLOWING", 0x400: "CURRENT ROW", 0x1000: "PRECEDING", 0x4000: "FOLLOWING"}
_EXCLUSIONS = {0x8000: "CURRENT ROW", 0x10000: "GROUP", 0x20000: "TIES"}


def _over(node: TreeNode, scope: PostgresScope) -> t.Expr:
    """The typed expression of a window function.

    Raises:
        UnsupportedError: a part of it that is not read.
    """
    if node.text("winignorenulls") not in ("", "false", "0"):
        raise UnsupportedError("Window", "IGNORE NULLS")
    level = scope.level().node
    (clause,) = [
        each for each in level.nodes("windowClause") if each.number("winref") == node.number("winref")
    ]
    targets = {each.number("ressortgroupref"): each for each in level.nodes("targetList")}

    def target(term: TreeNode) -> t.Expr:
        return expression(targets[term.number("tleSortGroupRef")].node("expr"), scope)

    return t.Over(
        scope.type(node, "wintype"),
        scope.catalogue.routine(node.number("winfnoid")),
        tuple(expression(each, scope) for each in node.nodes("args")),
        node.flag("winstar"),
        maybe(node.maybe("aggfilter"), scope),
        tuple(target(each) for each in clause.nodes("partitionClause")),
        tuple(sort_key(each, target(each), scope) for each in clause.nodes("orderClause")),
        _frame(clause, scope),
    )


def _frame(clause: TreeNode, scope: PostgresScope) -> t.Frame:
    options = clause.number("frameOptions")
    return t.Frame(
        next(unit for bit, unit in _UNITS.items() if options & bit),
        _bound(_STARTS, options),
        _bound(_ENDS, options),
        maybe(clause.maybe("startOffset"), scope),
        maybe(clause.maybe("endOffset"), scope),
        next((word for bit, word in _EXCLUSIONS.items() if options & bit), ""),
        bool(options & 1),
        not options & _BETWEEN,
    )


def _bound(bounds: dict[int, str], options: int) -> str:
    found = [word for bit, word in bounds.items() if options & bit]
    if len(found) != 1:
        raise UnsupportedError("Window", "this kind of window frame")
    return found[0]


BOOL = t.Type("bool")


def expression(node: TreeNode, scope: PostgresScope) -> t.Expr:
    """The typed expression of a node.

    Raises:
        UnsupportedError: a kind of node, or a form of one, that is not read.
    """
    reading = _READINGS.get(node.name)
    if reading is None:
        raise UnsupportedError(node.name.capitalize(), "not supported yet")
    require_own_collation(node)
    return reading(node, scope)


def maybe(node: TreeNode | None, scope: PostgresScope) -> t.Expr | None:
    """The typed expression of a node, if there is one."""
    return None if node is None else expression(node, scope)


def _all(node: TreeNode, field: str, scope: PostgresScope) -> tuple[t.Expr, ...]:
    return tuple(expression(each, scope) for each in node.nodes(field))


def _constant(node: TreeNode, scope: PostgresScope) -> t.Expr:
    found = scope.type(node, "consttype", "consttypmod")
    if node.flag("constisnull"):
        return t.TypedConstant(found, None)
    if found.sort == "e":
        # A label is kept by its number.
        return t.TypedConstant(found, scope.catalogue.label(int(text_of("oid", node.text("constvalue")))))
    if not is_read(found.name):
        return t.TypedConstant(
            found, scope.session.constant(node.number("consttype"), node.text("constvalue"))
        )
    return t.TypedConstant(found, text_of(found.name, node.text("constvalue")))


def called(node: TreeNode, scope: PostgresScope) -> t.RoutineCall:
    """The call of a function, which may return rows."""
    routine = scope.catalogue.routine(node.number("funcid"))
    is_cast = node.number("funcformat") in (1, 2)
    arguments = _given(node, routine, scope)
    modifier = _modifier(arguments) if is_cast else -1
    found = scope.catalogue.type(node.number("funcresulttype"), modifier)
    return t.RoutineCall(found, routine, arguments, is_cast, node.flag("funcvariadic"))


def _modifier(arguments: tuple[t.Expr, ...]) -> int:
    """The type modifier that a cast by a function gives, its second argument."""
    if len(arguments) < 2 or arguments[1].type.name != "int4":
        return -1
    second = arguments[1]
    return int(second.text) if isinstance(second, t.TypedConstant) and second.text is not None else -1


def _operator(node: TreeNode, scope: PostgresScope) -> t.Expr:
    routine = scope.catalogue.operator(node.number("opno"))
    return t.RoutineCall(scope.type(node, "opresulttype"), routine, _given(node, routine, scope))


def _given(node: TreeNode, routine: t.Routine, scope: PostgresScope) -> tuple[t.Expr, ...]:
    return _as_declared(_all(node, "args", scope), routine)


def _as_declared(values: Sequence[t.Expr], routine: t.Routine) -> tuple[t.Expr, ...]:
    """The arguments of a function, values of a domain where it is declared for any type alone."""
    plain = {at for at, kind in enumerate(routine.arguments) if not kind.startswith(("any", "record"))}
    return tuple(_below(each) if at in plain else each for at, each in enumerate(values))


def _below(value: t.Expr) -> t.Expr:
    """A value of a domain as one of the type below, in which PostgreSQL casts and compares it."""
    return value if value.type.base is None else replace(value, type=value.type.base)


def _logic(node: TreeNode, scope: PostgresScope) -> t.Expr:
    operators: dict[str, Literal["and", "or", "not"]] = {"and": "and", "or": "or", "not": "not"}
    return t.Logic(BOOL, operators[node.text("boolop")], _all(node, "args", scope))


def _is_null(node: TreeNode, scope: PostgresScope) -> t.Expr:
    if node.flag("argisrow") and node.node("arg").name != "ROWEXPR":
        raise UnsupportedError("Is", "IS NULL of a row")
    return t.NullTest(BOOL, expression(node.node("arg"), scope), node.number("nulltesttype") == 1)


def _is_truth(node: TreeNode, scope: PostgresScope) -> t.Expr:
    test = node.number("booltesttype")
    truth = (True, False, None)[test // 2]
    return t.IsTruth(BOOL, expression(node.node("arg"), scope), truth, bool(test % 2))


def _distinct(node: TreeNode, scope: PostgresScope) -> t.Expr:
    operator = scope.catalogue.operator(node.number("opno"))
    return t.IsDistinct(BOOL, operator, *_given(node, operator, scope))


def _case(node: TreeNode, scope: PostgresScope) -> t.Expr:
    branches = tuple(
        (expression(each.node("expr"), scope), expression(each.node("result"), scope))
        for each in node.nodes("args")
    )
    default = expression(node.node("defresult"), scope)
    return t.CaseWhen(scope.type(node, "casetype"), maybe(node.maybe("arg"), scope), branches, default)


def _extreme(node: TreeNode, scope: PostgresScope) -> t.Expr:
    found = scope.type(node, "minmaxtype")
    return t.GreatestLeast(found, node.number("op") == 0, _all(node, "args", scope))


def _null_if(node: TreeNode, scope: PostgresScope) -> t.Expr:
    value, other = _all(node, "args", scope)
    return t.NullIf(value.type, scope.catalogue.operator(node.number("opno")), value, other)


def _compared(node: TreeNode, scope: PostgresScope) -> t.Expr:
    operator = scope.catalogue.operator(node.number("opno"))
    return t.Compared(BOOL, operator, node.flag("useOr"), *_given(node, operator, scope))


def _array(node: TreeNode, scope: PostgresScope) -> t.Expr:
    if node.flag("multidims"):
        raise UnsupportedError("Array", "an array of several dimensions")
    return t.Array(scope.type(node, "array_typeid"), _all(node, "elements", scope))


def _rows(node: TreeNode, scope: PostgresScope) -> t.Expr:
    names = {"1": "<", "2": "<=", "4": ">=", "5": ">"}
    operator = names.get(node.text("cmptype") or node.text("rctype"))
    if operator is None:
        raise UnsupportedError("Comparison", "an operator on rows")
    return t.RowComparison(BOOL, operator, _all(node, "largs", scope), _all(node, "rargs", scope))


def _nested(node: TreeNode, scope: PostgresScope) -> t.Expr:
    from equiv.dialects.postgres.analysis.queries import query

    kind = node.number("subLinkType")
    inner = query(node.node("subselect"), scope)
    if kind == 0:
        return t.NestedQuery(BOOL, "exists", inner)
    if kind in (4, 6):
        (found, *_) = t.columns_of(inner)
        if kind == 4:
            return t.NestedQuery(found, "scalar", inner)
        # An array of arrays is one of the elements of these.
        name = found.name if found.name.startswith("_") else f"_{found.name}"
        return t.NestedQuery(replace(found, name=name, modifier=-1, sort="b", labels=()), "array", inner)
    if kind not in (1, 2):
        raise UnsupportedError("Subquery", "a row of a subquery")
    test = node.node("testexpr")
    parts = test.nodes("args") if test.name == "BOOLEXPR" else [test]
    if test.name == "BOOLEXPR" and test.text("boolop") not in ("and", "or"):
        raise UnsupportedError("Subquery", "a comparison of rows")
    if any(
        part.name != "OPEXPR" or not _is_column(part.nodes("args")[1], at, scope)
        for at, part in enumerate(parts, 1)
    ):
        raise UnsupportedError("Subquery", "a comparison with a subquery without a comparison operator")
    routines = tuple(scope.catalogue.operator(part.number("opno")) for part in parts)
    left = tuple(_below(expression(part.nodes("args")[0], scope)) for part in parts)
    negated = test.name == "BOOLEXPR" and test.text("boolop") == "or"
    return t.NestedQuery(BOOL, "all" if kind == 1 else "any", inner, routines, left, negated)


def _is_column(node: TreeNode, place: int, scope: PostgresScope) -> bool:
    """Whether a node is the column of the subquery at a place, from 1, or its value as one of its base."""
    if node.name == "RELABELTYPE":
        result, node = scope.type(node, "resulttype").name, node.node("arg")
        if node.name != "PARAM":
            return False
        kind = scope.type(node, "paramtype")
        below = (kind.base or kind).name
        if below == "bpchar" or (below != result and (below, result) != ("varchar", "text")):
            return False
    return node.name == "PARAM" and node.number("paramkind") == 2 and node.number("paramid") == place


def _aggregate(node: TreeNode, scope: PostgresScope) -> t.Expr:
    routine = scope.catalogue.routine(node.number("aggfnoid"))
    targets = node.nodes("args")
    by_reference = {each.number("ressortgroupref"): each for each in targets}
    order = tuple(
        sort_key(each, expression(by_reference[each.number("tleSortGroupRef")].node("expr"), scope), scope)
        for each in node.nodes("aggorder")
    )
    given = [expression(each.node("expr"), scope) for each in targets if not each.flag("resjunk")]
    arguments = _as_declared(given, routine)
    return t.AggregateCall(
        scope.type(node, "aggtype"),
        routine,
        arguments,
        node.flag("aggstar"),
        bool(node.nodes("aggdistinct")),
        order,
        maybe(node.maybe("aggfilter"), scope),
        _all(node, "aggdirectargs", scope),
        node.text("aggkind") != "n",
    )


def sort_key(clause: TreeNode, value: t.Expr, scope: PostgresScope) -> t.SortKey:
    """A term of ORDER BY, of the expression that it sorts by."""
    operator = scope.catalogue.operator(clause.number("sortop"))
    if operator.name not in ("<", ">") or operator.schema != "pg_catalog":
        raise UnsupportedError("Order", f"ORDER BY … USING {operator.name}")
    return t.SortKey(value, operator.name == ">", clause.flag("nulls_first"))


def _grouping(node: TreeNode, scope: PostgresScope) -> t.Expr:
    if node.number("agglevelsup"):
        raise UnsupportedError("Grouping", "GROUPING of an outer query")
    return t.Grouping(t.Type("int4"), _all(node, "args", scope))


def _now(node: TreeNode, scope: PostgresScope) -> t.Expr:
    words = (
        "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIME(n)", "CURRENT_TIMESTAMP", "CURRENT_TIMESTAMP(n)",
        "LOCALTIME", "LOCALTIME(n)", "LOCALTIMESTAMP", "LOCALTIMESTAMP(n)", "CURRENT_ROLE", "CURRENT_USER",
        "USER", "SESSION_USER", "CURRENT_CATALOG", "CURRENT_SCHEMA",
    )  # fmt: skip
    kind = node.number("op")
    if "(n)" in words[kind]:
        raise UnsupportedError("Func", "a value of the session")
    return t.Now(scope.type(node, "type"), words[kind])


def _field(node: TreeNode, scope: PostgresScope) -> t.Expr:
    """A field of a row whose type its own node says."""
    of = node.node("arg")
    kinds = [name for name in ("vartype", "funcresulttype", "resulttype", "row_typeid") if name in of.fields]
    if len(kinds) != 1:
        raise UnsupportedError("Fieldselect", f"of {of.name}")
    fields = scope.catalogue.fields(of.number(kinds[0]))
    names = [each.name for each in fields if each.position == node.number("fieldnum")]
    if len(names) != 1:
        raise UnsupportedError("Fieldselect", "of a row without a type")
    return t.FieldAccess(scope.type(node, "resulttype", "resulttypmod"), expression(of, scope), names[0])


def _of_elements(node: TreeNode, scope: PostgresScope) -> t.Expr:
    """A cast of an array: of its elements as they are, or of each whole number or text to another type."""
    kind = scope.type(node, "resulttype", "resulttypmod")
    value = expression(node.node("arg"), scope)
    if node.node("elemexpr").name == "CASETESTEXPR":
        return t.Conversion(kind, value, through_text=False)
    given, made = (each.name.removeprefix("_") for each in (value.type, kind))
    if not is_widened(given, made) and not (given in ("text", "varchar") and (kind.labels or made == "uuid")):
        raise UnsupportedError("Cast", f"of the elements of an array: {value.type.name} as {kind.name}")
    return t.Conversion(kind, value, through_text=True)


_READINGS: dict[str, Callable[[TreeNode, PostgresScope], t.Expr]] = {
    "AGGREF": _aggregate,
    "ARRAYCOERCEEXPR": _of_elements,
    "ARRAYEXPR": _array,
    "BOOLEANTEST": _is_truth,
    "BOOLEXPR": _logic,
    "CASEEXPR": _case,
    "CASETESTEXPR": lambda node, scope: t.Subject(scope.type(node, "typeId", "typeMod")),
    "COALESCEEXPR": lambda node, scope: t.Coalesce(
        scope.type(node, "coalescetype"), _all(node, "args", scope)
    ),
    "COERCEVIAIO": lambda node, scope: t.Conversion(
        scope.type(node, "resulttype"), _below(expression(node.node("arg"), scope)), through_text=True
    ),
    "CONST": _constant,
    "DISTINCTEXPR": _distinct,
    "FIELDSELECT": _field,
    "FUNCEXPR": called,
    "GROUPINGFUNC": _grouping,
    "MINMAXEXPR": _extreme,
    "NULLIFEXPR": _null_if,
    "NULLTEST": _is_null,
    "OPEXPR": _operator,
    "RELABELTYPE": lambda node, scope: t.Conversion(
        scope.type(node, "resulttype", "resulttypmod"),
        _below(expression(node.node("arg"), scope)),
        through_text=False,
    ),
    "ROWCOMPAREEXPR": _rows,
    "ROWEXPR": lambda node, scope: t.RowValue(scope.type(node, "row_typeid"), _all(node, "args", scope)),
    "SCALARARRAYOPEXPR": _compared,
    "SQLVALUEFUNCTION": _now,
    "SUBLINK": _nested,
    "VAR": lambda node, scope: scope.variable(node),
    "WINDOWFUNC": _over,
}
