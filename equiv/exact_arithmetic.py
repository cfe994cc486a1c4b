"""Arithmetic without rounding, as SQL functions that stand for SQLite's operators.

A REAL that such a function returns stands for the rational number that it was
computed from, which is remembered: two computations of one number give one REAL,
whatever their order.  A REAL from elsewhere stands for its shortest decimal
notation.  All that does not round (integers, NULL, text, overflow) is left to SQLite.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from fractions import Fraction
from math import isfinite
from typing import Any

from equiv.verdict import Cell

ADD, SUBTRACT, MULTIPLY, DIVIDE = "equiv_add", "equiv_subtract", "equiv_multiply", "equiv_divide"
SUM, AVG, TOTAL = "equiv_sum", "equiv_avg", "equiv_total"
DAYS, ROUNDED = "equiv_days", "equiv_rounded"

ROUNDING = frozenset(
    (
        *("ACOS", "ACOSH", "ASIN", "ASINH", "ATAN", "ATAN2", "ATANH"),
        *("COS", "COSH", "SIN", "SINH", "TAN", "TANH"),
        *("DEGREES", "RADIANS", "EXP", "LN", "LOG", "LOG10", "LOG2", "POW", "POWER", "SQRT"),
    )
)
"""Functions whose value is seldom rational; https://sqlite.org/lang_mathfunc.html."""

SIMPLE_DENOMINATOR = 10_000
"""Results this close to a fraction with at most this denominator are taken for the fraction."""

_NEARBY = 1e-12
_DECIMAL_DIGITS = 15
"""A REAL of more digits is itself the outcome of rounding."""

_MILLISECONDS_A_DAY = 86_400_000
_WHOLE = range(-(2**63), 2**63)
_OPERATORS = {ADD: "+", SUBTRACT: "-", MULTIPLY: "*", DIVIDE: "/"}
_KEPT = 1_000_000

_sqlite = sqlite3.connect(":memory:", check_same_thread=False)


def nearest_simple(value: float) -> float:
    """A finite REAL without the rounding that led to it: the simple fraction nearby, or else 12 digits."""
    simple = Fraction(value).limit_denominator(SIMPLE_DENOMINATOR)
    if abs(value - simple) <= _NEARBY * max(1.0, abs(value)):
        return float(simple)
    return float(f"{value:.12g}")


class Rationals:
    """Which rational number each REAL stands for."""

    def __init__(self) -> None:
        self._known: dict[float, Fraction] = {}
        self._rounded: set[float] = set()

    def of(self, value: float) -> Fraction:
        """The number that an integer or a finite REAL stands for."""
        if isinstance(value, int):
            return Fraction(value)
        for sign in (1, -1):
            if sign * value in self._known:
                return sign * self._known[sign * value]
        return Fraction(repr(value))

    def is_rounded(self, value: float) -> bool:
        """Whether a REAL comes from a function that rounds, such as SQRT."""
        if isinstance(value, int) or abs(value) in self._rounded:
            return not isinstance(value, int)
        digits = repr(value).split("e")[0].replace(".", "").lstrip("-0")
        return len(digits) > _DECIMAL_DIGITS and value not in self._known and -value not in self._known

    def real(self, number: Fraction, *, rounded: bool) -> float:
        """The REAL that stands for a number."""
        if len(self._known) > _KEPT:
            raise OverflowError("too much arithmetic")
        if rounded:
            return self._trusted(number)
        value = float(number)
        self._known.setdefault(value, number)
        return value

    def days(self, value: Cell) -> Cell:
        """A Julian day number, which SQLite computes from whole milliseconds."""
        if isinstance(value, float) and isfinite(value):
            number = Fraction(round(value * _MILLISECONDS_A_DAY), _MILLISECONDS_A_DAY)
            if float(number) == value:
                self._known.setdefault(value, number)
        return value

    def rounded(self, value: Cell) -> Cell:
        """What a function gave that rounds, to trusted digits; arithmetic goes on with all of them."""
        if not isinstance(value, float) or not isfinite(value):
            return value
        return self._trusted(Fraction(value))

    def _trusted(self, number: Fraction) -> float:
        simple = nearest_simple(float(number))
        self._rounded.add(abs(simple))
        self._known.setdefault(simple, number)
        return simple

    def operator(self, name: str) -> Callable[[Cell, Cell], Cell]:
        """One of the four operators."""
        sign = _OPERATORS[name]

        def compute(left: Cell, right: Cell) -> Cell:
            if left is None or right is None:
                return None
            a, b = _number(left), _number(right)
            if (isinstance(a, int) and isinstance(b, int)) or not (isfinite(a) and isfinite(b)):
                found: Cell = _sqlite.execute(f"SELECT ? {sign} ?", (a, b)).fetchone()[0]
                return found
            if sign == "/" and b == 0:
                return None
            number = _APPLY[sign](self.of(a), self.of(b))
            return self.real(number, rounded=self.is_rounded(a) or self.is_rounded(b))

        return compute

    def aggregate(self, name: str) -> type:
        """SUM, AVG or TOTAL, also over windows."""
        rationals = self

        class Aggregate:
            """Adds up in any order with one outcome."""

            def __init__(self) -> None:
                self.sum = Fraction(0)
                self.count = self.reals = self.rounded = 0

            def step(self, value: Cell) -> None:
                self._add(value, 1)

            def inverse(self, value: Cell) -> None:
                self._add(value, -1)

            def _add(self, value: Cell, sign: int) -> None:
                if value is None:
                    return
                number = _summand(value)
                self.sum += sign * rationals.of(number)
                self.count += sign
                self.reals += sign * isinstance(number, float)
                self.rounded += sign * rationals.is_rounded(number)

            def value(self) -> Cell:
                if not self.count:
                    return 0.0 if name == TOTAL else None
                if name == SUM and not self.reals:
                    if int(self.sum) not in _WHOLE:
                        raise OverflowError("integer overflow")
                    return int(self.sum)
                number = self.sum / self.count if name == AVG else self.sum
                return rationals.real(number, rounded=self.rounded > 0)

            finalize = value

        return Aggregate


_APPLY: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}


def _number(value: Cell) -> Any:
    """An operand as the number that SQLite's operators take it for."""
    if isinstance(value, int | float):
        return value
    return _sqlite.execute("SELECT ? + 0", (value,)).fetchone()[0]


def _summand(value: Cell) -> Any:
    """A value as the number that SQLite's SUM takes it for."""
    if isinstance(value, int | float):
        return value
    return _sqlite.execute("SELECT SUM(?)", (value,)).fetchone()[0]


def register(connection: sqlite3.Connection) -> None:
    """Make the functions known to a connection."""
    rationals = Rationals()
    for name in _OPERATORS:
        connection.create_function(name, 2, rationals.operator(name), deterministic=True)
    connection.create_function(DAYS, 1, rationals.days, deterministic=True)
    connection.create_function(ROUNDED, 1, rationals.rounded, deterministic=True)
    for name in (SUM, AVG, TOTAL):
        connection.create_window_function(name, 1, rationals.aggregate(name))
