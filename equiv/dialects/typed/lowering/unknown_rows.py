"""Rows of which the core has no meaning: up to a number, which is a symbol, as is each of their columns.

Such are those of functions in FROM, of recursive common table expressions, and of the engine's own catalogue.
They are numbered, and its place distinguishes a row from others.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from equiv.core.building import numbered
from equiv.core.model import quoted_name
from equiv.core.query import UnsupportedError
from equiv.core.recursion import ColumnSymbol, Recursion
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.build import (
    all_of,
    case,
    column,
    named,
    number,
    outputs,
    select,
    string,
    unique,
)
from equiv.dialects.typed.lowering.calls import LoweringPlace
from equiv.dialects.typed.lowering.unknown import (
    is_function,
    is_held,
    is_merged,
    places_of,
    sort_of,
    symbol,
    symbol_of_values,
)
from equiv.dialects.typed.walks import parts_of

_NUMBER = t.Type("int8")


def rows_of_unknown(source: t.Called, place: LoweringPlace) -> exp.Expression:
    """The rows of functions in FROM: those up to a number, which is a symbol, as is each of their columns.

    The order of rows is a function of the arguments, as their number is: a row's place distinguishes it.

    Raises:
        UnsupportedError: a function may be no symbol.
    """
    from equiv.dialects.typed.lowering.expressions import lowered

    first = source.functions[0]
    names = unique(source.columns)
    if source.functions == (t.CalledFunction(first.call),) and not first.call.routine.returns_set:
        row = (lowered(first.call, place), number("1"))
        return select([named(value, name) for value, name in zip(row, names, strict=False)])
    alias = place.state.names.fresh("numbers")
    within = column(alias, "n")
    ends: list[exp.Expression] = []
    shown: list[exp.Expression] = []
    for function in source.functions:
        routine = function.call.routine
        if place.state.symbols is None or not is_function(replace(routine, returns_set=False), place):
            why = f"the function {routine.name} in FROM, unless few rows of constants"
            raise UnsupportedError("From", why)
        end = number("1")
        if routine.returns_set:
            end = _part(t.RowsOfFunction(_NUMBER, function), (), place)
        ends.append(exp.LTE(this=within.copy(), expression=end))
        for at in range(1, function.width + 1):
            kind = place.state.kinds.get((source.number, len(shown) + 1))
            cell: exp.Expression = exp.Null()
            if kind is not None:
                asked = t.RowsOfFunction(kind, function, at, t.TypedConstant(_NUMBER, None))
                cell = _part(asked, (within.copy(),), place)
            # The rows of one that has none left are NULL beside those of others.
            shown.append(cell if len(source.functions) == 1 else case([(ends[-1].copy(), cell)], exp.Null()))
    shown += [within.copy()] * source.numbered
    return numbered(alias, shown, names, all_of(ends, exp.Or))


def recursion(cte: t.CommonTable, name: str, place: LoweringPlace) -> tuple[exp.Expression, Recursion]:
    """The body of a recursive common table expression, which reads itself, and what its columns are.

    Raises:
        UnsupportedError: there are no symbols, or it has values that may be none.
    """
    from equiv.dialects.typed.lowering.queries import query_in

    whole, state = cte.query, place.state
    assert isinstance(whole, t.SetQuery)
    body, kinds = whole.body, whole.body.types
    if state.symbols is None:
        raise UnsupportedError("With", "WITH RECURSIVE")
    if not all(map(is_held, kinds)):
        raise UnsupportedError("With", "WITH RECURSIVE over values of this type")
    first = query_in(_operand(body.left, whole), place)
    state.ctes[cte.number] = name, tuple(each.alias for each in outputs(first))
    step = query_in(_operand(body.right, whole), place)
    columns = tuple(ColumnSymbol(sort_of(kind), kind.signature) for kind in kinds)
    # No engine computes it: it is a constant there.
    state.symbols[f"recursion {name}"] = t.TypedConstant(_NUMBER, None)
    found = exp.Union(this=first, expression=step, distinct=not body.all)
    return found, Recursion(columns, not any(map(is_merged, kinds)), state.choosing.get(cte.number))


def rows_of_system_table(source: t.SystemTable, place: LoweringPlace) -> exp.Expression:
    """The rows of a table or view of the engine's own: up to a number, which is a symbol, as are columns.

    A column that is never NULL is the same as COALESCE of it, by which that is said.

    Raises:
        UnsupportedError: there are no symbols.
    """
    name = f"{source.schema}.{source.name}"
    if place.state.symbols is None:
        raise UnsupportedError("From", f"the table {name}")
    alias = place.state.names.fresh("numbers")
    within = column(alias, "n")

    def part(what: str, kind: t.Type, *given: exp.Expression) -> exp.Expression:
        # What cannot be held is mentioned by a join alone, which lists all columns: nothing else takes it.
        held = kind if is_held(kind) else t.Type("text")
        found = symbol(t.TypedConstant(held, None), f"{what} of {name}", (), given, place)
        assert found is not None
        return found

    shown: list[exp.Expression] = []
    for at, is_required in enumerate(source.required, 1):
        kind = place.state.kinds.get((source.number, at))
        cell = exp.Null() if kind is None else part(f"column {at}", kind, within.copy())
        if kind is not None and is_required:
            other = string("") if sort_of(kind) == "TEXT" else number("0")
            cell = exp.Coalesce(this=cell, expressions=[other])
        shown.append(cell)
    test = exp.LTE(this=within, expression=part("rows", _NUMBER))
    return numbered(alias, shown, unique(source.columns), test)


def _operand(side: t.Compound | t.SetOperand, around: t.SetQuery) -> t.TypedQuery:
    """An operand of a recursion as a query of its own; without LIMIT the order of its rows says nothing."""
    if isinstance(side, t.Compound):
        return t.SetQuery(side, around.names, (), None, around.ctes)
    found = replace(side.query, ctes=(*around.ctes, *side.query.ctes))
    # Both sorts of queries have an order, of another type, and no order is of both.
    return found if found.limit is not None else replace(found, order=())  # type: ignore[arg-type]


def choosing_recursions(query: t.TypedQuery) -> dict[int, int]:
    """The recursive common table expressions that may choose among rows, by number, counted from 1.

    A choice is made anew wherever such an expression is evaluated: it has to stand where that is once.

    Raises:
        UnsupportedError: one does not.
    """
    found = dict[int, int]()
    for each in parts_of(query):
        if not isinstance(each, t.CommonTable) or not each.recursive or not _may_choose(each.query):
            continue
        if each not in query.ctes or each.query.ctes:
            raise UnsupportedError("With", "WITH RECURSIVE in a subquery whose rows are not determined")
        found[each.number] = len(found) + 1
    return found


def _may_choose(query: t.TypedQuery) -> bool:
    """Whether the rows of a query, or of one within it, may be others for the same database."""
    return any(map(_chooses, parts_of(query)))


def _chooses(part: object) -> bool:
    match part:
        case t.Limit() | t.AggregateCall() | t.Over() | t.NestedQuery(form="array"):
            return True
        case t.Select(distinct_on=(_, *_)):
            return True
        case t.Select(group=t.GroupBy(keys=keys)) if any(is_merged(each.type) for each in keys):
            return True
        case t.Select(distinct=True) | t.Compound(all=False):
            kinds = part.types if isinstance(part, t.Compound) else t.columns_of(part)
            return any(map(is_merged, kinds))
    return False


def _part(
    value: t.RowsOfFunction, within: tuple[exp.Expression, ...], place: LoweringPlace
) -> exp.Expression:
    """The symbol of a column of a function's row, or of how many rows it has."""
    call, defined = value.function.call, value.function.defined
    listed = ", ".join(f"{quoted_name(name)} {kind.signature}" for name, kind in defined)
    what = f"{f'column {value.column}' if value.column else 'rows'} of {call.routine.name}"
    name = f"{what}({'VARIADIC ' * call.variadic}{places_of(call.arguments)})" + f" AS ({listed})" * bool(
        listed
    )
    found = symbol_of_values(value, name, call.arguments, place, strict=call.routine.strict, within=within)
    if found is None:
        raise UnsupportedError("From", f"the function {call.routine.name} in FROM, of such values")
    return found
