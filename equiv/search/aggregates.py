"""Aggregates over symbolic rows: folds over the cells that their arguments may be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TypeVar

from equiv.core.query import UnsupportedError
from equiv.search.cells import Cells, Exact
from equiv.search.circuit import FALSE, TRUE, Literal, TooLargeError
from equiv.search.counts import Counts
from equiv.search.values import MAX_CASES, Value, Values

SymbolicRows = Sequence[tuple[Literal, tuple[Value, ...]]]
"""Under which literal a row is there, and the row."""

_Sum = tuple[Exact, bool, int]
"""The total so far (None: no summand yet), whether a REAL is among the summands, and their number."""

_State = TypeVar("_State")


def aggregate(function: str, rows: SymbolicRows, values: Values, counts: Counts) -> Value:
    """An aggregate, by its name in the algebra, of which the first column of the rows is the argument.

    Raises:
        TooLargeError: the result may be too many cells.
        UnsupportedError: a GROUP_CONCAT whose separators vary.
        UnsupportedError: the function is not modelled.
    """
    # Aggregates skip NULL arguments; COUNT(*) has a literal as its argument.
    counted_rows = [(values.circuit.both(there, -values.null(row[0])), row) for there, row in rows]
    counted_rows = [(there, row) for there, row in counted_rows if there != FALSE]
    match function:
        case "COUNT":
            exact = counts.exactly([there for there, _ in counted_rows])
            return values.gather((values.cells.number(n), literal) for n, literal in enumerate(exact))
        case "MIN" | "MAX":
            return _extreme(counted_rows, values, last=function == "MAX")
        case "SUM" | "TOTAL" | "AVG" | "LINEAR":
            return _sum(function, counted_rows, values)
        case "GROUP_CONCAT":
            return _concatenation(counted_rows, values)
    raise UnsupportedError("AggFunc", f"{function} over symbolic rows")


def _extreme(rows: SymbolicRows, values: Values, *, last: bool) -> Value:
    circuit, order = values.circuit, values.cells.order
    present: dict[int, list[Literal]] = {}
    for there, row in rows:
        for number, literal in row[0].cases.items():
            if number != values.cells.null:
                present.setdefault(number, []).append(circuit.both(there, literal))
    open_, cases = TRUE, []
    for number in sorted(present, key=lambda n: order[n], reverse=last):
        here = circuit.any(present[number])
        cases.append((number, circuit.both(open_, here)))
        open_ = circuit.both(open_, -here)
    return values.gather([*cases, (values.cells.null, open_)])


def _sum(function: str, rows: SymbolicRows, values: Values) -> Value:
    counted = function == "AVG"
    summands = _Summands(values.cells)

    def step(state: _Sum, number: int) -> _Sum:
        total = summands.add(state[0], number)
        return total, isinstance(total, Fraction), state[2] + counted

    start: _Sum = (None, False, 0)
    states = _fold(rows, values, start, step)
    cases = ((_result(function, total, n), literal) for (total, _, n), literal in states.items())
    return values.gather((values.cells.number(value), literal) for value, literal in cases)


class _Summands:
    """The numbers that SUM takes cells for."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._known: dict[int, int | Fraction] = {}

    def add(self, total: Exact, number: int) -> Exact:
        if number not in self._known:
            self._known[number] = self._summand(number)
        summand = self._known[number]
        if total is None:
            return summand
        assert isinstance(total, int | Fraction)
        whole = isinstance(total, int) and isinstance(summand, int)
        return total + summand if whole else Fraction(total) + summand

    def _summand(self, number: int) -> int | Fraction:
        value = self._cells.value(number)
        if isinstance(value, str | bytes):
            value = self._cells.value(self._cells.call("SUM", (number,)))
        assert isinstance(value, int | Fraction)
        return value


def _result(function: str, total: Exact, count: int) -> Exact:
    if total is None:
        # Over no rows SUM and AVG are NULL, TOTAL is 0.0.
        return Fraction(0) if function == "TOTAL" else 0 if function == "LINEAR" else None
    assert isinstance(total, int | Fraction)
    match function:
        case "AVG":
            return Fraction(total) / count
        case "TOTAL":
            return Fraction(total)
    return total


def _concatenation(rows: SymbolicRows, values: Values) -> Value:
    """The concatenation in *one* order, that of the cells, so that equal bags give equal texts."""
    cells = values.cells

    def step(state: tuple[int, ...], number: int) -> tuple[int, ...]:
        return tuple(sorted((*state, number)))

    separators = {row[1] for _, row in rows if len(row) > 1}
    if any(len(separator.cases) > 1 for separator in separators) or len(separators) > 1:
        raise UnsupportedError("GroupConcat", "several separators")
    between = [cells.cell(number) for separator in separators for number in separator.cases]
    glue = str(between[0] or "") if between else ","
    start: tuple[int, ...] = ()
    states = _fold(rows, values, start, step)

    def joined(parts: tuple[int, ...]) -> Exact:
        texts = (cells.value(cells.call("AS TEXT", (part,))) for part in parts)
        return glue.join(map(str, texts)) if parts else None

    return values.gather((cells.number(joined(state)), literal) for state, literal in states.items())


def _fold(
    rows: SymbolicRows, values: Values, start: _State, step: Callable[[_State, int], _State]
) -> dict[_State, Literal]:
    """The states that the rows may lead to, each with its literal."""
    circuit, null = values.circuit, values.cells.null
    states: dict[_State, Literal] = {start: TRUE}
    for there, row in rows:
        moves: dict[_State, list[Literal]] = {}
        cases = [(n, circuit.both(there, lit)) for n, lit in row[0].cases.items() if n != null]
        for state, reached in states.items():
            moves.setdefault(state, []).append(circuit.both(reached, -there))
            for number, literal in cases:
                taken = circuit.both(reached, literal)
                if taken != FALSE:
                    moves.setdefault(step(state, number), []).append(taken)
        states = _joined(moves.items(), values)
    return states


def _joined(moves: Iterable[tuple[_State, list[Literal]]], values: Values) -> dict[_State, Literal]:
    found = {state: values.circuit.any(literals) for state, literals in moves}
    states = {state: literal for state, literal in found.items() if literal != FALSE}
    if len(states) > MAX_CASES:
        raise TooLargeError("a sum of too many cases")
    return states
