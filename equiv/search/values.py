"""Symbolic values: for each cell that a value may be, the literal under which it is.

The literals of a value's cells exclude one another and one of them always holds.  Concrete cells have
numbers, and are ordered and equal as in SQLite, whose functions they are given to.

A REAL is kept as the rational number that it stands for, so that arithmetic does not round; see
:mod:`equiv.answers.exact`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import isfinite
from typing import TypeAlias

from equiv.algebra.terms import Constant
from equiv.answers.exact import stands_for
from equiv.cells import Cell
from equiv.core.claims import choices
from equiv.core.functions.table import CALLS, call_text
from equiv.core.runner import RunnerError
from equiv.core.single_values import Calculator, Collation, key_of
from equiv.search.circuit import FALSE, TRUE, Circuit, Literal, TooLargeError, UncomputedError

Exact: TypeAlias = "int | Fraction | str | bytes | None"
"""A cell; REAL is :class:`~fractions.Fraction`, also where it is whole."""

_NULL, NUMBER, TEXT, _BLOB = range(4)
"""The classes that SQLite sorts cells into, in order."""

_KEYS: dict[str, Collation] = {"AS NOCASE": "NOCASE", "AS RTRIM": "RTRIM"}
_INTEGERS = range(-(2**63), 2**63)
_MAX_DIGITS = 60
_EXACT, _INFINITE = 2**53, 2**1024


class NumberedCells:
    """Interned cells: a number for each, equal numbers for equal cells of one storage class."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[type, Exact], int] = {}
        self._values: list[Exact] = []
        self._classes: dict[Exact, int] = {}
        self.alike: list[int] = []
        """For each cell the first one that SQLite's ``IS`` holds equal to it: 1 and 1.0 are alike."""
        self.order: list[tuple[int, Exact]] = []
        """For each cell what sorts as SQLite does: its class, then its value."""
        self._calls: dict[tuple[str, tuple[int, ...]], int] = {}
        self._sqlite = Calculator()
        self.null = self.number(None)
        self.zero = self.number(0)
        self.one = self.number(1)

    def number(self, value: Exact) -> int:
        """The number of a cell."""
        key = (type(value), value)
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self._values)
            self._values.append(value)
            self.alike.append(self._classes.setdefault(value, found))
            self.order.append((_rank(value), value))
        return found

    def of(self, value: Cell) -> int:
        """The number of a cell as SQLite returns it.

        Raises:
            UncomputedError: an infinite REAL.
        """
        if isinstance(value, float):
            if not isfinite(value):
                raise UncomputedError("an infinite number")
            return self.number(stands_for(value))
        return self.number(value)

    def constant(self, constant: Constant) -> int:
        """The number of a literal."""
        match constant.kind:
            case "integer":
                return self.number(int(constant.text, 0))
            case "real":
                return self.of(float(constant.text))
            case "text":
                return self.number(constant.text)
            case "blob":
                return self.number(bytes.fromhex(constant.text))
        return self.null

    def value(self, number: int) -> Exact:
        """The cell of a number."""
        return self._values[number]

    def cell(self, number: int) -> Cell:
        """The cell of a number as SQLite takes it."""
        value = self._values[number]
        return float(value) if isinstance(value, Fraction) else value

    def is_true(self, number: int) -> bool:
        """Whether a cell counts as true; NULL does not."""
        value = self._values[number]
        if isinstance(value, str | bytes):
            return bool(self._run("CAST(? AS REAL)", (value,)))
        return bool(value)

    def call(self, function: str, arguments: tuple[int, ...]) -> int:
        """A function or operator of SQLite, by its name in the algebra, on cells.

        Raises:
            UncomputedError: SQLite refuses, or the result is no number any more.
        """
        key = (function, arguments)
        found = self._calls.get(key)
        if found is None:
            found = self._calls[key] = self._compute(function, arguments)
        return found

    def _compute(self, function: str, arguments: tuple[int, ...]) -> int:
        values = [self._values[number] for number in arguments]
        if function in ("+", "-", "*", "/") and all(isinstance(v, int | Fraction) for v in values):
            exact = _arithmetic(function, *values)
            if isinstance(exact, Fraction) and len(str(exact)) > _MAX_DIGITS:
                raise TooLargeError("a number with many digits")
            return self.number(_of_a_real(exact))
        converted = _converted(function, values[0]) if len(values) == 1 else None
        if converted is not None:
            return self.number(converted)
        if function == "AS NUMERIC":
            return self.of(self._sqlite.stored("NUMERIC", self.cell(arguments[0])))
        if function == "AS TEXT":
            return self.of(self._sqlite.stored("TEXT", self.cell(arguments[0])))
        if function in _KEYS:
            return self.of(key_of(_KEYS[function], self.cell(arguments[0])))
        if function in CALLS and CALLS[function].spelling:
            return self.number(choices.NOW[slice(*CALLS[function].shown)])
        is_cast = function.startswith("CAST ")
        text = f"CAST(? AS {function.removeprefix('CAST ')})" if is_cast else call_text(function, len(values))
        return self.of(self._run(text, tuple(map(self.cell, arguments))))

    def _run(self, text: str, values: tuple[Cell, ...]) -> Cell:
        try:
            found: Cell = self._sqlite.value(text, values)
        except (RunnerError, OverflowError) as error:
            raise UncomputedError(f"SQLite refuses {text}: {error}") from error
        return found


def _rank(value: Exact) -> int:
    match value:
        case None:
            return _NULL
        case str():
            return TEXT
        case bytes():
            return _BLOB
    return NUMBER


def _converted(function: str, value: Exact) -> Exact:
    """A number negated, or as one of the other class; None if it is something else.

    Raises:
        UncomputedError: an integer overflows, or no REAL stands for it.
    """
    match function, value:
        case "NEG", int() | Fraction():
            number: int | Fraction = -value
        case "CAST REAL", int():
            return _of_a_real(Fraction(value))
        case "CAST INTEGER", Fraction():
            number = int(value)
        case _:
            return None
    return _within_64_bits(number)


def _within_64_bits(found: Exact) -> Exact:
    if isinstance(found, int) and found not in _INTEGERS:
        raise UncomputedError("an integer overflow")
    return found


def _of_a_real(found: Exact) -> Exact:
    """A number again; large ones must be REALs, since whole numbers that share one are distinguished by none.

    Raises:
        UncomputedError: a large one is none.
    """
    if (
        isinstance(found, Fraction)
        and abs(found) >= _EXACT
        and (abs(found) >= _INFINITE or float(found) != found)
    ):
        raise UncomputedError("a number that REAL cannot represent exactly")
    return found


def _arithmetic(sign: str, *values: Exact) -> Exact:
    left, right = values
    assert isinstance(left, int | Fraction)
    assert isinstance(right, int | Fraction)
    if sign == "/":
        if right == 0:
            return None
        if isinstance(left, int) and isinstance(right, int):
            quotient = abs(left) // abs(right)
            return _within_64_bits(quotient if (left < 0) == (right < 0) else -quotient)
        return Fraction(left) / right
    result = left + right if sign == "+" else left - right if sign == "-" else left * right
    if isinstance(result, int) and not (isinstance(left, int) and isinstance(right, int)):
        return Fraction(result)
    return _within_64_bits(result)


MAX_CASES = 700
"""How many cells a value may range over."""

MAX_PRODUCT = 4000
"""How many combinations of argument cells a function is computed on."""


@dataclass(frozen=True, slots=True, eq=False)
class Symbolic:
    """A symbolic value: the number of each possible cell, with the literal under which it is the value."""

    cases: dict[int, Literal]


class SymbolicValues:
    """Makes and compares symbolic values over one circuit."""

    def __init__(self, circuit: Circuit, cells: NumberedCells) -> None:
        self.circuit = circuit
        self.cells = cells
        self._constants: dict[int, Symbolic] = {}
        self._equal: dict[tuple[Symbolic, Symbolic], Literal] = {}
        self._less: dict[tuple[Symbolic, Symbolic], Literal] = {}
        self._sorted: dict[Symbolic, list[tuple[tuple[int, object], Literal]]] = {}

    def constant(self, number: int) -> Symbolic:
        """The value that is one cell."""
        if number not in self._constants:
            self._constants[number] = Symbolic({number: TRUE})
        return self._constants[number]

    def free(self, numbers: Sequence[int], rules: list[Literal]) -> Symbolic:
        """A value that may be any of some cells; "exactly one of them" is added to the rules."""
        if len(numbers) == 1:
            return self.constant(numbers[0])
        circuit = self.circuit
        literals = [circuit.variable() for _ in numbers]
        rules.append(circuit.any(literals))
        rules += [-circuit.both(a, b) for at, a in enumerate(literals) for b in literals[:at]]
        return Symbolic(dict(zip(numbers, literals, strict=True)))

    def gather(self, cases: Iterable[tuple[int, Literal]]) -> Symbolic:
        """The value of exclusive and exhaustive cases; a cell may occur several times.

        Raises:
            TooLargeError: it may be too many cells.
        """
        literals: dict[int, list[Literal]] = {}
        for number, literal in cases:
            if literal != FALSE:
                literals.setdefault(number, []).append(literal)
        if len(literals) > MAX_CASES:
            raise TooLargeError("a value with too many cases")
        circuit = self.circuit
        return Symbolic({n: ls[0] if len(ls) == 1 else circuit.any(ls) for n, ls in literals.items()})

    def choice(self, branches: Iterable[tuple[Literal, Symbolic]], default: Symbolic) -> Symbolic:
        """The value of the first branch whose literal holds, or else the default."""
        circuit, open_ = self.circuit, TRUE
        cases: list[tuple[int, Literal]] = []
        for condition, value in branches:
            taken = circuit.both(open_, condition)
            if taken != FALSE:
                cases += [(number, circuit.both(taken, lit)) for number, lit in value.cases.items()]
            open_ = circuit.both(open_, -condition)
        if open_ != FALSE:
            cases += [(number, circuit.both(open_, lit)) for number, lit in default.cases.items()]
        return self.gather(cases)

    def apply(self, function: str, arguments: Sequence[Symbolic]) -> Symbolic:
        """A function of SQLite on values, computed on every combination of their cells."""
        return self._over(arguments, lambda numbers: self.cells.call(function, numbers))

    def computed(
        self, compute: Callable[[tuple[Cell, ...]], Cell], arguments: Sequence[Symbolic]
    ) -> Symbolic:
        """A function of cells, as SQLite takes and returns them, on values."""
        cells = self.cells
        return self._over(arguments, lambda numbers: cells.of(compute(tuple(map(cells.cell, numbers)))))

    def _over(self, arguments: Sequence[Symbolic], call: Callable[[tuple[int, ...]], int]) -> Symbolic:
        """A function on every combination of the arguments' cells."""
        size = 1
        for argument in arguments:
            size *= len(argument.cases)
        if size > MAX_PRODUCT:
            raise TooLargeError("a function with too many combinations of arguments")
        self.circuit.spend(size)
        cases = []
        for combination in product(*(argument.cases.items() for argument in arguments)):
            holds = self.circuit.all([literal for _, literal in combination])
            if holds != FALSE:
                cases.append((call(tuple([number for number, _ in combination])), holds))
        return self.gather(cases)

    def null(self, value: Symbolic) -> Literal:
        """Whether a value is NULL."""
        return value.cases.get(self.cells.null, FALSE)

    def equal(self, left: Symbolic, right: Symbolic) -> Literal:
        """Whether two values are equal and not NULL."""
        key = (left, right)
        found = self._equal.get(key)
        if found is None:
            both = [(a, b) for cell, a, b in self._shared(left, right) if cell != self.cells.null]
            found = self.circuit.any([self.circuit.both(a, b) for a, b in both])
            self._equal[key] = self._equal[right, left] = found
        return found

    def is_(self, left: Symbolic, right: Symbolic) -> Literal:
        """Whether two values are equal, NULL being equal to NULL."""
        if left is right:
            return TRUE
        nulls = self.circuit.both(self.null(left), self.null(right))
        return self.circuit.either(nulls, self.equal(left, right))

    def less(self, left: Symbolic, right: Symbolic) -> Literal:
        """Whether one value sorts before another, neither being NULL."""
        key = (left, right)
        found = self._less.get(key)
        if found is None:
            found = self._less[key] = self._compare(left, right)
        return found

    def alike(self, left: Sequence[Symbolic], right: Sequence[Symbolic]) -> Literal:
        """Whether two rows are the same, NULL being equal to NULL."""
        return self.circuit.all([self.is_(a, b) for a, b in zip(left, right, strict=True)])

    def sorted_cases(self, value: Symbolic) -> list[tuple[tuple[int, object], Literal]]:
        """The cases of a value without NULL, in SQLite's sort order.

        Returns:
            (sort key of the cell, literal under which the value is that cell), sorted.
        """
        known = self._sorted.get(value)
        if known is None:
            order, null = self.cells.order, self.cells.null
            found = [(order[n], lit) for n, lit in value.cases.items() if n != null]
            known = self._sorted[value] = sorted(found, key=lambda case: case[0])
        return known

    def _shared(self, left: Symbolic, right: Symbolic) -> list[tuple[int, Literal, Literal]]:
        alike = self.cells.alike
        mine: dict[int, Literal] = {}
        for number, literal in left.cases.items():
            mine[alike[number]] = self.circuit.either(mine.get(alike[number], FALSE), literal)
        return [(alike[n], mine[alike[n]], literal) for n, literal in right.cases.items() if alike[n] in mine]

    def _compare(self, left: Symbolic, right: Symbolic) -> Literal:
        circuit, below, found = self.circuit, FALSE, []
        lower = self.sorted_cases(left)
        at = 0
        for key, literal in self.sorted_cases(right):
            while at < len(lower) and lower[at][0] < key:
                below = circuit.either(below, lower[at][1])
                at += 1
            found.append(circuit.both(below, literal))
        return circuit.any(found)
