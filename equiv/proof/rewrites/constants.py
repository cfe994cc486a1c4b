"""Constant folding, only where SQLite's result is beyond doubt."""

from __future__ import annotations

import re

from equiv.algebra.scalar_functions import STRICT
from equiv.algebra.terms import FALSE, NULL, TRUE, Apply, Compare, Constant, Convert, Expression, integer
from equiv.core.single_values import key_of_text

_PLAIN_INTEGER = re.compile(r"-?[1-9][0-9]{0,17}|0", re.ASCII)
_SAFE = range(-(2**53), 2**53)


def is_exact(constant: Expression) -> bool:
    """Whether two such constants are equal in SQLite just if they are here: integers and texts."""
    if isinstance(constant, Constant) and constant.kind == "integer":
        return int(constant.text) in _SAFE
    return isinstance(constant, Constant) and constant.kind in ("text", "blob")


def same_constant(left: Constant, right: Constant) -> bool:
    """Whether two exact constants are equal."""
    if left.kind == right.kind == "integer":
        return int(left.text) == int(right.text)
    if left.kind == right.kind == "blob":
        return left.text.lower() == right.text.lower()
    return left == right


def truth_of(expression: Expression) -> bool | None:
    """Whether a constant number is true; None for what is no such constant."""
    match expression:
        case Constant("integer", text):
            return int(text) != 0
        case Constant("real", text):
            return float(text) != 0
    return None


def fold_compare(node: Compare) -> Expression:
    """A comparison of constants decided."""
    left, right = node.left, node.right
    if not (isinstance(left, Constant) and isinstance(right, Constant)):
        return node
    if NULL in (left, right):
        return NULL if node.operator != "IS" else (TRUE if left == right else FALSE)
    if not (is_exact(left) and is_exact(right)):
        return node
    if node.operator in ("=", "IS"):
        return TRUE if same_constant(left, right) else FALSE
    if left.kind != right.kind:
        # SQLite orders numbers before texts before blobs.
        order = ("integer", "text", "blob")
        return TRUE if order.index(left.kind) < order.index(right.kind) else FALSE
    one, two = _sortable(left), _sortable(right)
    less = one < two if node.operator == "<" else one <= two  # type: ignore[operator]
    return TRUE if less else FALSE


def _sortable(constant: Constant) -> int | bytes:
    if constant.kind == "integer":
        return int(constant.text)
    if constant.kind == "blob":
        return bytes.fromhex(constant.text)
    return constant.text.encode("utf-8", "surrogatepass")


def fold_apply(node: Apply) -> Expression:
    """A call with a NULL argument, or arithmetic of small integers, computed."""
    if node.function in STRICT and NULL in node.arguments:
        return NULL
    values = [
        int(each.text) for each in node.arguments if isinstance(each, Constant) and each.kind == "integer"
    ]
    if len(values) < len(node.arguments) or not all(value in _SAFE for value in values):
        return node
    match node.function, values:
        case "+", [a, b]:
            number = a + b
        case "-", [a, b]:
            number = a - b
        case "*", [a, b]:
            number = a * b
        case "NEG", [a]:
            number = -a
        case _:
            return node
    return integer(number) if number in _SAFE else node


def fold_convert(node: Convert) -> Expression:
    """A constant after a conversion (``'5'`` to 5, 5 to ``'5'``), where SQLite's result is beyond doubt."""
    value = node.value
    if not isinstance(value, Constant):
        return node
    if value == NULL:
        return NULL
    if node.to in ("NOCASE", "RTRIM"):
        return Constant("text", key_of_text(node.to, value.text)) if value.kind == "text" else value
    if value.kind == "text" and node.to in ("INTEGER", "NUMERIC") and _PLAIN_INTEGER.fullmatch(value.text):
        return Constant("integer", value.text)
    if value.kind == "integer" and int(value.text) in _SAFE:
        if node.to in ("INTEGER", "NUMERIC"):
            return value
        if node.to == "TEXT":
            return Constant("text", str(int(value.text)))
    if value.kind == "text" and node.to == "TEXT":
        return value
    return node
