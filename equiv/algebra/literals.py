"""Literals as exact numbers."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite

from equiv.algebra.terms import Constant, Expression
from equiv.answers.exact import stands_for

_WHOLE = range(-(2**63), 2**63)


def number_of(value: Expression) -> int | Fraction | None:
    """The number that a numeric literal stands for; None if SQLite has no finite number for it.

    A REAL below 2**53 stands for its shortest decimal notation, a larger one for itself, a whole number:
    this keeps order and equality among REALs, and of REALs with integers.
    """
    if not isinstance(value, Constant) or value.kind not in ("integer", "real"):
        return None
    if value.kind == "integer" and int(value.text) in _WHOLE:
        return int(value.text)
    try:
        real = float(value.text)
    except ValueError:
        return None
    return stands_for(real) if isfinite(real) else None
