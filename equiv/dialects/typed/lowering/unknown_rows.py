"""Rows of which the core has no meaning: up to a number, which is a symbol, as is each of their columns.

Such are those of functions in FROM and of recursive common table expressions.  They are numbered, and its
place tells a row apart from others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from hashlib import sha256

from sqlglot import exp

from equiv.core.model import NUMBERS as ALL_NUMBERS
from equiv.core.model import quoted_name
from equiv.core.query import UnsupportedError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.build import all_of, case, column, named, number, select, table, unique
from equiv.dialects.typed.lowering.calls import LoweringPlace
from equiv.dialects.typed.lowering.unknown import is_function, places_of, symbol, symbol_of_values

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

    The symbols are named by all that the expression says: it has the same rows wherever it says the same.

    Raises:
        UnsupportedError: there are no symbols, or it has values that may be none.
    """
    assert isinstance(cte.query, t.SetQuery)
    if place.state.symbols is None:
        raise UnsupportedError("With", "WITH RECURSIVE")
    alias = place.state.names.fresh("numbers")
    within = column(alias, "n")
    said = sha256(repr(_canonical(cte.query, {})).encode()).hexdigest()

    def part(what: str, kind: t.Type, *given: exp.Expression) -> exp.Expression:
        found = symbol(t.TypedConstant(kind, None), f"{what} of recursion {said}", (), given, place)
        if found is None:
            raise UnsupportedError("With", "WITH RECURSIVE of such values")
        return found

    names = unique(cte.columns)
    kinds = cte.query.body.types
    shown = [part(f"column {at}", kind, within.copy()) for at, kind in enumerate(kinds, 1)]
    return _numbered(alias, shown, names, exp.LTE(this=within, expression=part("rows", _NUMBER)))


def require_whole_recursions(query: t.TypedQuery) -> None:
    """Make sure that each recursion of a query says itself what its rows are, and has rows of one choice.

    Raises:
        UnsupportedError: one does not.
    """
    found = [each for each in t.parts_of(query) if isinstance(each, t.CommonTable) and each.recursive]
    if len(found) > len({repr(_canonical(each.query, {})) for each in found}):
        # UNION keeps one of several equal rows, which may show otherwise.
        raise UnsupportedError("With", "one recursion twice")
    for each in found:
        parts = list(t.parts_of(each.query))
        own = {part.number for part in parts if isinstance(part, t.FromSource | t.Joined | t.CommonTable)}
        own.add(each.number)
        read = {part.source for part in parts if isinstance(part, t.SourceColumn)}
        read |= {part.cte for part in parts if isinstance(part, t.CommonTableUse)}
        if each not in query.ctes or not read <= own:
            raise UnsupportedError("With", "WITH RECURSIVE that reads what is around it")
        if any(isinstance(part, t.Limit | t.AggregateCall | t.Over) for part in parts) or any(
            (isinstance(part, t.Select) and part.distinct_on)
            or (isinstance(part, t.NestedQuery) and part.form == "array")
            for part in parts
        ):
            raise UnsupportedError("With", "WITH RECURSIVE with LIMIT, aggregates or windows in it")


_COMMUTES = {"=": "=", "<>": "<>", ">": "<", ">=": "<="}
"""Operators of PostgreSQL's own that are others, or themselves, with their operands the other way round."""
_NUMBERED = frozenset(("number", "source", "cte"))
_NAMING = frozenset(("alias", "names", "renamed"))


def _canonical(value: object, numbers: dict[int, int], field: str = "") -> object:
    """A part of a tree without names and orders that say nothing, its sources numbered as they come.

    Args:
        value: the part.
        numbers: the new numbers of sources; is added to.
        field: where it stands in what holds it.
    """
    match value:
        case tuple():
            return tuple(_canonical(each, numbers) for each in value)
        case int() if field in _NUMBERED:
            return numbers.setdefault(value, len(numbers))
        case t.Logic(operator="and" | "or" as operator, operands=operands):
            return operator, *sorted((_canonical(each, numbers) for each in operands), key=repr)
        case t.RoutineCall(routine=t.Routine(name=sign, schema="pg_catalog", operator=True) as routine):
            one, *others = sides = [_canonical(each, numbers) for each in value.arguments]
            kinds = routine.arguments
            turned = _COMMUTES.get(sign) if len(others) == 1 else None
            if turned is not None and (turned != sign or repr(others[0]) < repr(one)):
                sign, sides, kinds = turned, sides[::-1], kinds[::-1]
            return sign, kinds, *sides
    if not is_dataclass(value):
        return value
    left_out = set(_NAMING)
    if isinstance(value, t.FromSource) and not isinstance(value, t.TableUse):
        left_out.add("columns")
    if isinstance(value, t.ResultColumn | t.CommonTable):
        left_out |= {"name", "columns"}
    if isinstance(value, t.Select | t.SetQuery):
        # Without LIMIT the order of rows that another step reads says nothing.
        left_out.add("order")
    kept = (each.name for each in fields(value) if each.name not in left_out)
    return type(value).__name__, *(_canonical(getattr(value, each), numbers, each) for each in kept)


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
