"""Results of two engines, in which numbers of equal values are the same cells.

The published tools of execution accuracy compare cells exactly, as one engine gives them.  Two engines give
one number as 5 and as 5.0, and add up floats in another order.
"""

from __future__ import annotations

from dataclasses import replace
from math import isfinite

from equiv.cells import Cell
from equiv.core.runner import Failure, Result

DIGITS = 12
"""The significant digits of a number that count."""

Answer = Result | Failure


def shown_alike(answers: tuple[Answer, Answer]) -> tuple[Answer, Answer]:
    """Both results, whole real numbers as integers, others rounded to :data:`DIGITS` significant digits."""
    pred, gold = map(_shown, answers)
    return pred, gold


def _shown(answer: Answer) -> Answer:
    if isinstance(answer, Failure):
        return answer
    return replace(answer, rows=tuple(tuple(map(_cell, row)) for row in answer.rows))


def _cell(cell: Cell) -> Cell:
    if not isinstance(cell, float) or not isfinite(cell):
        return cell
    number = cell if cell.is_integer() else float(f"{cell:.{DIGITS}g}")
    return int(number) if number.is_integer() else number
