"""Concrete cells by number, ordered and equal as in SQLite, and SQLite's functions on them.

A REAL is kept as the rational number that it stands for, so that arithmetic does not round; see
:mod:`equiv.answers.exact.arithmetic`.
"""

from __future__ import annotations

from fractions import Fraction
from math import isfinite
from typing import TypeAlias

from equiv.algebra.terms import Constant
from equiv.answers.exact.arithmetic import stands_for
from equiv.cells import Cell
from equiv.core.claims import choices
from equiv.core.functions.table import call_text
from equiv.core.runner import RunnerError
from equiv.core.single_values import Calculator, Collation, key_of
from equiv.search.circuit import TooLargeError, UncomputedError

Exact: TypeAlias = "int | Fraction | str | bytes | None"
"""A cell; REAL is :class:`~fractions.Fraction`, also where it is whole."""

_NULL, NUMBER, TEXT, _BLOB = range(4)
"""The classes that SQLite sorts cells into, in order."""

_KEYS: dict[str, Collation] = {"AS NOCASE": "NOCASE", "AS RTRIM": "RTRIM"}
_INTEGERS = range(-(2**63), 2**63)
_MAX_DIGITS = 60
_EXACT, _INFINITE = 2**53, 2**1024


class Cells:
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
                raise TooLargeError("a number of many digits")
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
        if function in choices.SHOWN:
            start, stop = choices.SHOWN[function]
            return self.number(choices.NOW[start:stop])
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
    """A number again; large ones must be REALs, since whole numbers that share one are told apart by none.

    Raises:
        UncomputedError: a large one is none.
    """
    if (
        isinstance(found, Fraction)
        and abs(found) >= _EXACT
        and (abs(found) >= _INFINITE or float(found) != found)
    ):
        raise UncomputedError("a number that a REAL cannot tell from its neighbours")
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
