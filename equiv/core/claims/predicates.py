"""Claims about single nodes of a tree: literals, and expressions that are truth values."""

from __future__ import annotations

from sqlglot import exp

from equiv.core.functions.nodes import nodes

COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
BOOLEAN = (
    *COMPARISONS,
    exp.And,
    exp.Or,
    exp.Not,
    exp.Is,
    exp.NullSafeEQ,
    exp.NullSafeNEQ,
    exp.In,
    exp.Between,
    exp.Like,
    exp.Glob,
    exp.Exists,
)

COLLATION_READERS: tuple[type[exp.Expr], ...] = (
    *COMPARISONS,
    exp.NullSafeEQ,
    exp.NullSafeNEQ,
    exp.In,
    exp.Between,
    *nodes(lambda function: function.compares),
    exp.Distinct,
    exp.Ordered,
    exp.Group,
    exp.Window,
)
"""Node classes that depend on the collation of their operands."""


def is_number(node: exp.Expression) -> bool:
    """A numeric literal, possibly negative."""
    literal = node.this if isinstance(node, exp.Neg) else node
    return isinstance(literal, exp.Literal) and not literal.is_string


def is_text(node: exp.Expression) -> bool:
    """A string literal."""
    return isinstance(node, exp.Literal) and bool(node.is_string)


def is_literal(node: exp.Expression) -> bool:
    """A number or a string, not NULL."""
    return is_number(node) or is_text(node)


def is_integer_literal(node: exp.Expression) -> bool:
    """An integer literal that fits in 64 bits, possibly negative."""
    literal = node.this if isinstance(node, exp.Neg) else node
    digits = literal.name.lstrip("0")
    return is_number(node) and literal.name.isdigit() and len(digits) < 20 and int(digits or "0") < 2**63


def is_real_literal(node: exp.Expression) -> bool:
    """A numeric literal of storage class REAL, possibly negative."""
    return is_number(node) and not (node.this if isinstance(node, exp.Neg) else node).name.isdigit()


def is_boolean(node: exp.Expression) -> bool:
    """Whether an expression can only be 0, 1 or NULL."""
    if isinstance(node, exp.Escape):
        return isinstance(node.this, exp.Like)
    return isinstance(node, BOOLEAN) or is_bit(node)


def is_bit(node: exp.Expression) -> bool:
    """The literal 0 or 1."""
    return isinstance(node, exp.Literal) and not node.is_string and node.name in ("0", "1")
