"""Literals: text, integers, and REALs in a spelling that tells them apart."""

from __future__ import annotations

import math

from sqlglot import exp

from equiv.algebra.terms import Constant
from equiv.core.unsupported import UnsupportedError

_LARGEST = 2**63 - 1
_EXACT_DIGITS = 15
"""So many significant digits a REAL keeps apart."""


def literal(node: exp.Expression) -> Constant:
    """The constant of a literal; digits beyond 64 bits are a REAL.

    Raises:
        UnsupportedError: an infinite number.
    """
    text = node.name
    if node.is_string:
        return Constant("text", text)
    if text.isdigit() and int(text) <= _LARGEST:
        return Constant("integer", str(int(text)))
    return Constant("real", _real(text))


def negative_literal(node: exp.Expression) -> Constant | None:
    """The constant of a negated number; None for anything else, and for zero.

    -9223372036854775808 is an integer although its digits alone are not.
    """
    if not isinstance(node, exp.Literal) or node.is_string or not float(node.name):
        return None
    if node.name.isdigit() and int(node.name) <= _LARGEST + 1:
        return Constant("integer", str(-int(node.name)))
    return Constant("real", f"-{_real(node.name)}")


def _real(text: str) -> str:
    """A spelling of a REAL: two literals are one REAL only if their spellings are one number."""
    if math.isinf(float(text)):
        raise UnsupportedError("Literal", "an infinite number")
    digits = text.lower().split("e")[0].replace(".", "").strip("0")
    return text if len(digits) <= _EXACT_DIGITS else repr(float(text))
