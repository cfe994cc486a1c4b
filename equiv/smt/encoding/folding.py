"""Calls on literals, evaluated by SQLite itself."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isfinite

from equiv.algebra.terms import NULL, Constant, Target
from equiv.cells import Cell
from equiv.core.collation import key_of_text
from equiv.core.functions.nodes import CALLS, call_text
from equiv.core.runner import RunnerError
from equiv.core.single_values import Calculator

_CLOCK_WORDS = ("now", "localtime", "utc")
_LONGEST = 1000
_SQLITE = Calculator(longest=100_000)


def call(function: str, arguments: Sequence[Constant]) -> Constant | None:
    """The value of a call on literals; None if it is not certain: an error, the clock, no finite number."""
    found = CALLS.get(function)
    if found is None or not found.folds or not found.takes(len(arguments)):
        return None
    if found.reads_time and any(word in each.text.lower() for each in arguments for word in _CLOCK_WORDS):
        return None
    return _evaluate(call_text(function, len(arguments)), arguments)


def cast(to: Target, value: Constant) -> Constant | None:
    """The value of ``CAST(value AS to)``."""
    return _evaluate(f"CAST(? AS {to})", (value,))


def affinity(to: Target, value: Constant) -> Constant | None:
    """A literal under the NUMERIC or TEXT affinity, or the collation, that a comparison applies."""
    if to in ("NOCASE", "RTRIM"):
        return Constant("text", key_of_text(to, value.text)) if value.kind == "text" else value
    if to == "TEXT":
        return cast("TEXT", value) if value.kind in ("integer", "real") else value
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
