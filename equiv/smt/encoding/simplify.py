"""Expressions brought to one form before they are encoded: literals evaluated, dates spelt one way.

Calls on literals, evaluated by SQLite itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from equiv.algebra.function_kinds import ARITHMETIC
from equiv.algebra.terms import Apply, Constant, Convert, Expression
from equiv.facts import FactKind
from equiv.smt.encoding import dates

if TYPE_CHECKING:
    from equiv.smt.encoding.expressions import Encoder
from collections.abc import Sequence
from functools import lru_cache
from math import isfinite

from equiv.algebra.terms import NULL, Target
from equiv.cells import Cell
from equiv.core.functions.table import CALLS, call_text
from equiv.core.runner import RunnerError
from equiv.core.single_values import Calculator, key_of_text

_LOWER = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
"""LIKE ignores the case of ASCII letters, and of no others."""


class Simplifier:
    """Simplifies calls and conversions, bottom up."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._rounds = encoder.world.facts.find(FactKind.EXACT_ARITHMETIC) is None

    def __call__(self, expression: Expression) -> Expression:
        """The expression or an equal one that is simpler."""
        if not isinstance(expression, Apply | Convert):
            return expression
        return self._apply(expression) if isinstance(expression, Apply) else self._convert(expression)

    def _apply(self, node: Apply) -> Expression:
        arguments = self._plain_arguments(node.function, tuple(self(each) for each in node.arguments))
        literals = [each for each in arguments if isinstance(each, Constant)]
        if arguments and len(literals) == len(arguments) and self._folds(node.function, literals):
            value = _call(node.function, literals)
            if value is not None:
                return value
        if any(old is not new for old, new in zip(node.arguments, arguments, strict=True)):
            node = Apply(node.function, arguments)
        return dates.normalised(node, self._encoder)

    def _plain_arguments(self, function: str, arguments: tuple[Expression, ...]) -> tuple[Expression, ...]:
        """The arguments, or simpler ones that make no difference to this function."""
        if function in ARITHMETIC:
            # Text that is nothing but digits counts as that integer.
            return tuple(
                Convert("INTEGER", each, explicit=True) if dates.digits(each, self._encoder) else each
                for each in arguments
            )
        if function == "LIKE" and len(arguments) == 2:
            text, pattern = arguments
            if isinstance(pattern, Constant) and pattern.kind == "text":
                pattern = Constant("text", pattern.text.translate(_LOWER))
            match text:
                case Apply("UPPER" | "LOWER", (inner,)) if "blob" not in self._encoder.value(inner).kinds:
                    text = inner
            return text, pattern
        return arguments

    def _folds(self, function: str, arguments: list[Constant]) -> bool:
        """Whether SQLite's own arithmetic on literals is what the facts say: exact, or rounding."""
        exact = self._rounds or all(each.kind in ("integer", "null") for each in arguments)
        return function not in ARITHMETIC or exact

    def _convert(self, node: Convert) -> Expression:
        value = self(node.value)
        if isinstance(value, Constant):
            run = _cast if node.explicit else _affinity
            found = run(node.to, value)
            if found is not None:
                return found
        if node.to in ("REAL", "NUMERIC") and dates.digits(value, self._encoder):
            value = Convert("INTEGER", value, explicit=True)
            if node.to == "NUMERIC":
                return value
        return node if value is node.value else Convert(node.to, value, node.explicit)


_CLOCK_WORDS = ("now", "localtime", "utc")
_LONGEST = 1000
_SQLITE = Calculator(longest=100_000)


def _call(function: str, arguments: Sequence[Constant]) -> Constant | None:
    """The value of a call on literals; None if it is not certain: an error, the clock, no finite number."""
    found = CALLS.get(function)
    if found is None or not found.folds or not found.takes(len(arguments)):
        return None
    if found.reads_time and any(word in each.text.lower() for each in arguments for word in _CLOCK_WORDS):
        return None
    return _evaluate(call_text(function, len(arguments)), arguments)


def _cast(to: Target, value: Constant) -> Constant | None:
    """The value of ``CAST(value AS to)``."""
    return _evaluate(f"CAST(? AS {to})", (value,))


def _affinity(to: Target, value: Constant) -> Constant | None:
    """A literal under the NUMERIC or TEXT affinity, or the collation, that a comparison applies."""
    if to in ("NOCASE", "RTRIM"):
        return Constant("text", key_of_text(to, value.text)) if value.kind == "text" else value
    if to == "TEXT":
        return _cast("TEXT", value) if value.kind in ("integer", "real") else value
    if to != "NUMERIC" or value.kind != "text":
        return value if to in ("NUMERIC", "BLOB") else None
    try:
        return _constant(_SQLITE.stored("NUMERIC", value.text))
    except (RunnerError, UnicodeError, OverflowError):
        return None


@lru_cache(maxsize=4096)
def _cached(expression: str, arguments: tuple[Constant, ...]) -> Constant | None:
    try:
        cells = [_cell(argument) for argument in arguments]
        if any(isinstance(cell, float) and not isfinite(cell) for cell in cells):
            return None
        return _constant(_SQLITE.value(expression, cells))
    except (RunnerError, ValueError, OverflowError):
        return None


def _evaluate(expression: str, arguments: Sequence[Constant]) -> Constant | None:
    return _cached(expression, tuple(arguments))


def _cell(constant: Constant) -> Cell:
    match constant.kind:
        case "null":
            return None
        case "integer":
            value = int(constant.text)
            return value if -(2**63) <= value < 2**63 else float(constant.text)
        case "real":
            return float(constant.text)
        case "blob":
            return bytes.fromhex(constant.text)
    return constant.text


def _constant(cell: Cell) -> Constant | None:
    match cell:
        case None:
            return NULL
        case int():
            return Constant("integer", str(cell))
        case float():
            return Constant("real", repr(cell)) if isfinite(cell) else None
        case bytes():
            return Constant("blob", cell.hex()) if len(cell) <= _LONGEST else None
    return Constant("text", cell) if len(cell) <= _LONGEST else None
