"""Rows of which the core has no meaning: up to a number, which is a symbol, as is each of their columns.

Such are those of functions in FROM, of recursive common table expressions, and of the engine's own catalogue.
They are numbered, and its place tells a row apart from others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from equiv.core.functions.traits import MOST_ARGUMENTS
from equiv.core.model import NUMBERS as ALL_NUMBERS
from equiv.core.model import quoted_name
from equiv.core.query import UnsupportedError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.build import (
    all_of,
    call,
    case,
    column,
    derived,
    identifier,
    named,
    number,
    outputs,
    select,
    string,
    table,
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

    The order of rows is a function of the arguments, as their number is: a row's place tells it apart.

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
    return _numbered(alias, shown, names, all_of(ends, exp.Or))


def _numbered(
    alias: str, shown: Sequence[exp.Expression], names: Sequence[str], test: exp.Expression
) -> exp.Expression:
    """A row for each number that passes a test."""
    found = select([named(value, name) for value, name in zip(shown, names, strict=True)])
    found.set("from_", exp.From(this=table(ALL_NUMBERS.name, alias)))
    found.set("where", exp.Where(this=test))
    return found


def rows_of_recursion(cte: t.CommonTable, place: LoweringPlace) -> exp.Expression:
    """The rows of a recursive common table expression: up to a number, which is a symbol, as are columns.

    They are symbols of two bags: of the rows of its first operand, and of the rows that its second one makes
    of each relation that it may read.  Those relations are symbols in their turn, one for each number.  Where
    both bags are the same whatever symbols mean, two recursions begin alike, go on alike, and have the same
    rows; symbols that tell apart any bags of a database, and enough relations, tell apart those that do not.

    Raises:
        UnsupportedError: there are no symbols, or it has values that may be none.
    """
    from equiv.dialects.typed.lowering.queries import query_in

    whole, state = _whole(cte), place.state
    body = whole.body
    kinds, columns = body.types, unique(cte.columns)
    if state.symbols is None:
        raise UnsupportedError("With", "WITH RECURSIVE")
    listed = [kind.signature for kind in kinds]

    def rows(of: str, *given: exp.Expression) -> exp.Expression:
        alias = state.names.fresh("numbers")
        within = column(alias, "n")

        def part(what: str, kind: t.Type, *further: exp.Expression) -> exp.Expression:
            of_all = tuple(each.copy() for each in (*given, *further))
            text = f"{what} of {of}{f' at {{{len(given)}}}' * bool(further)}"
            found = symbol(t.TypedConstant(kind, None), text, listed, of_all, place)
            if found is None:
                raise UnsupportedError("With", "WITH RECURSIVE of such values")
            return found

        shown = [part(f"column {at}", kind, within) for at, kind in enumerate(kinds, 1)]
        return _numbered(alias, shown, columns, exp.LTE(this=within, expression=part("rows", _NUMBER)))

    # Of rows that are equal and differ UNION keeps any: then the bag counts.
    as_set = not body.all and not any(map(is_merged, kinds))
    first = _bag(query_in(_operand(body.left, whole), place), as_set, place)
    moment, working = state.names.fresh("numbers"), state.cte_names.fresh(cte.name)
    state.ctes[cte.number] = working, tuple(columns)
    step = query_in(_operand(body.right, whole), place)
    read = rows("relation {0}", column(moment, "n"))
    ctes = [exp.CTE(this=read, alias=exp.TableAlias(this=identifier(working)))]
    if (inner := step.args.get("with_")) is not None:
        ctes += inner.expressions
    step.set("with_", exp.With(expressions=ctes))
    following = _bag(step, as_set, place, moment)
    nth = state.choosing.get(cte.number)
    name = f"recursion {'' if nth is None else f'{nth} '}({{0}} UNION {'ALL ' * body.all}{{1}})"
    return rows(name, first, following)


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
    return _numbered(alias, shown, unique(source.columns), test)


_STEPS = 2


def first_rows_of_recursion(cte: t.CommonTable, place: LoweringPlace) -> exp.Expression:
    """The rows of a recursive common table expression that its first steps make, of which data is made."""
    from equiv.dialects.typed.lowering.queries import query_in

    state, columns = place.state, unique(cte.columns)
    query = _whole(cte)
    ctes: list[exp.Expression] = []
    whole: exp.Expression | None = None
    for side in (query.body.left, *[query.body.right] * _STEPS):
        rows = query_in(_operand(side, query), place)
        name, alias = state.cte_names.fresh(cte.name), state.names.fresh(cte.name)
        own = tuple(each.alias for each in outputs(rows))
        state.ctes[cte.number] = name, own
        ctes.append(exp.CTE(this=rows, alias=exp.TableAlias(this=identifier(name))))
        found = select([named(column(alias, old), new) for old, new in zip(own, columns, strict=True)])
        found.set("from_", exp.From(this=table(name, alias)))
        whole = found if whole is None else exp.Union(this=whole, expression=found, distinct=False)
    assert whole is not None
    whole.set("with_", exp.With(expressions=ctes))
    return whole


def _whole(cte: t.CommonTable) -> t.SetQuery:
    assert isinstance(cte.query, t.SetQuery)
    return cte.query


def _operand(side: t.Compound | t.SetOperand, around: t.SetQuery) -> t.TypedQuery:
    """An operand of a recursion as a query of its own; without LIMIT the order of its rows says nothing."""
    if isinstance(side, t.Compound):
        return t.SetQuery(side, around.names, (), None, around.ctes)
    found = replace(side.query, ctes=(*around.ctes, *side.query.ctes))
    # Both sorts of queries have an order, of another type, and no order is of both.
    return found if found.limit is not None else replace(found, order=())  # type: ignore[arg-type]


def _bag(rows: exp.Expression, as_set: bool, place: LoweringPlace, moment: str = "") -> exp.Expression:
    """A number for the bag of some rows, or for the set of them, which is never the same for two others.

    Args:
        rows: the rows.
        as_set: whether how often a row is there does not count.
        place: where it stands.
        moment: the alias of the numbers for each of which there are rows; none by default.
    """
    alias = place.state.names.fresh("rows")
    names = [each.alias for each in outputs(rows)]
    if as_set:
        whole = select([named(column(alias, name), name) for name in names])
        whole.set("from_", exp.From(this=derived(rows, alias)))
        whole.set("distinct", exp.Distinct())
        rows, alias = whole, place.state.names.fresh("rows")
    values = [*([column(moment, "n")] if moment else [number("1")]), *(column(alias, name) for name in names)]
    element = call("ELEMENT", *values[:MOST_ARGUMENTS])
    for start in range(MOST_ARGUMENTS, len(values), MOST_ARGUMENTS - 1):
        element = call("ELEMENT", element, *values[start : start + MOST_ARGUMENTS - 1])
    found = select([named(call("COALESCE", call("SUM", element), number("0")), "bag")])
    source = derived(rows, alias)
    if moment:
        source.set("lateral", True)
        found.set("from_", exp.From(this=table(ALL_NUMBERS.name, moment)))
        found.append("joins", exp.Join(this=source))
    else:
        found.set("from_", exp.From(this=source))
    return exp.Subquery(this=found)


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
            raise UnsupportedError("With", "WITH RECURSIVE inside a query, whose rows may be a choice")
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
