"""Detection of arithmetic in which SQLite rounds, or overflows an integer.

A REAL stands for its shortest decimal notation, as under ``exact_arithmetic``.  So 0.4 - 0.3 is inexact:
binary arithmetic subtracts close numbers without rounding, and gives 0.10000000000000003.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite
from typing import TypeAlias

from equiv.algebra.terms import Aggregate
from equiv.answers.exact import stands_for

Value: TypeAlias = int | float | str | bytes | None
Row: TypeAlias = tuple[Value, ...]


class MeaninglessError(Exception):
    """An expression without a value on the database: a text as truth value, a key with two rows."""


def exact_number(value: float) -> Fraction:
    """The number that an integer or a finite REAL stands for.

    Raises:
        OverflowError: an infinite REAL.
    """
    return Fraction(value) if isinstance(value, int) else stands_for(value)


def is_inexact(operator: str, values: Sequence[Value], result: Value) -> bool:
    """Whether an operation on numbers gives another number than exact arithmetic would."""
    left, right = (each if isinstance(each, int | float) else None for each in values)
    if left is None or right is None:
        return any(isinstance(each, str | bytes) for each in values) and isinstance(result, float)
    if result is None or not isinstance(result, int | float):
        return False
    if not all(isfinite(each) for each in (left, right, result)):
        return True
    if isinstance(left, int) and isinstance(right, int):
        return not isinstance(result, int)
    one, two, exact_result = exact_number(left), exact_number(right), exact_number(result)
    match operator:
        case "+":
            return one + two != exact_result
        case "-":
            return one - two != exact_result
        case "*":
            return one * two != exact_result
        case "/":
            return bool(two) and one / two != exact_result
    return True


def is_inexact_sum(node: Aggregate, rows: Sequence[Row], result: Value) -> bool:
    """Whether SUM, TOTAL or AVG gives another number than exact arithmetic would."""
    if not isinstance(result, int | float):
        return False
    present = [row[0] for row in rows if row[0] is not None]
    if any(isinstance(each, str | bytes) for each in present) or not isfinite(result):
        return True
    if any(isinstance(each, float) and not isfinite(each) for each in present):
        return True
    total = sum((exact_number(each) for each in present if isinstance(each, int | float)), Fraction(0))
    exact = total / len(present) if node.function == "AVG" and present else total
    return exact != exact_number(result)


def runs_over(number: Value) -> bool:
    """Whether an integer has no room in SQLite."""
    return isinstance(number, int) and not -(2**63) <= number < 2**63


def exact_sum(rows: Sequence[Row], *, whole: bool) -> Fraction:
    """The sum of the first columns.

    Raises:
        MeaninglessError: one of them is no number, or no integer although all are said to be.
    """
    total = Fraction(0)
    for row in rows:
        if not isinstance(row[0], int | float) or (whole and not isinstance(row[0], int)):
            raise MeaninglessError(f"LINEAR over {row[0]!r}")
        total += exact_number(row[0])
    return total
