"""Comparisons under a collation: of the collation keys of the values, which BINARY compares.

``Convert(name, value, explicit=False)`` is the key of a value under NOCASE or RTRIM: see
:mod:`equiv.core.single_values`.
Which collation counts: https://sqlite.org/datatype3.html section 7.1.

A comparison under NOCASE of a text with a literal without a NUL is said by LOWER instead, which queries write
themselves: a text with a NUL is not equal to the literal, and is ordered by what stands before the NUL.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from equiv.algebra.terms import NULL, Apply, Constant, Convert, Expression
from equiv.algebra.translate.symbol_table import SymbolTable
from equiv.algebra.truths import is_number
from equiv.core.claims.blocks import base_column, feeds
from equiv.core.claims.value_types import collation
from equiv.core.model import Context, Domain
from equiv.core.query import UnsupportedError
from equiv.core.single_values import COLLATIONS, key_of_text

BINARY = "BINARY"


def collated(
    left: exp.Expression,
    right: exp.Expression,
    values: tuple[Expression, Expression],
    symbols: SymbolTable,
    *,
    is_listed: bool = False,
) -> tuple[Expression, Expression]:
    """Both sides of a comparison, such that BINARY compares them as the collation in use compares the values.

    Args:
        left: the operand whose collation counts first.
        right: the other.
        values: what is compared, converted as the affinities ask.
        symbols: where the comparison stands.
        is_listed: whether the right one is an element of an IN list, whose collation does not count.

    Raises:
        UnsupportedError: the collation is not known, or none of SQLite's own.
    """
    if NULL in values or _is_no_text(left, values[0], symbols) or _is_no_text(right, values[1], symbols):
        return values
    name = comparison_collation(left, exp.Null() if is_listed else right, symbols.translation.context)
    if name == "NOCASE":
        plain = [node.this if isinstance(node, exp.Collate) else node for node in (left, right)]
        match values:
            case (Constant("text", text), value) if _is_text(plain[1], symbols) and "\0" not in text:
                return keyed(name, values[0]), Apply("LOWER", (value,))
            case (value, Constant("text", text)) if _is_text(plain[0], symbols) and "\0" not in text:
                return Apply("LOWER", (value,)), keyed(name, values[1])
    return keyed(name, values[0]), keyed(name, values[1])


def keyed(name: str | None, value: Expression) -> Expression:
    """The key of a value under a collation.

    Raises:
        UnsupportedError: the collation is not known, or none of SQLite's own.
    """
    if name in ("", BINARY) or is_number(value):
        return value
    match name:
        case "NOCASE" | "RTRIM":
            if isinstance(value, Constant):
                is_text = value.kind == "text"
                return Constant("text", key_of_text(name, value.text)) if is_text else value
            return Convert(name, value, explicit=False)
    raise UnsupportedError("Collate", "a collation that is not known")


def sorted_by(node: exp.Expression, value: Expression, symbols: SymbolTable) -> Expression:
    """A value as ORDER BY, GROUP BY, DISTINCT and windows compare it: its key under its own collation.

    Raises:
        UnsupportedError: the collation is not known, or none of SQLite's own.
    """
    if not symbols.translation.folds:
        return value
    return keyed(collation(node, symbols.translation.context), value)


def sorted_row(
    nodes: Sequence[exp.Expression], values: Sequence[Expression], symbols: SymbolTable
) -> tuple[Expression, ...]:
    """Several values as :func:`sorted_by` has them."""
    return tuple(sorted_by(node, value, symbols) for node, value in zip(nodes, values, strict=True))


def comparison_collation(left: exp.Expression, right: exp.Expression, context: Context) -> str | None:
    """The collation of a comparison: of a COLLATE, else of a column, left before right; None if not known."""
    explicit = [node for node in (left, right) if isinstance(node, exp.Collate)]
    if any(node.find(exp.Collate) is not None for node in (left, right) if node not in explicit):
        return None
    if explicit:
        return collation(explicit[0], context)
    found = [own_collation(node, context) for node in (left, right)]
    return None if None in found else next(filter(None, found), BINARY)


def call_collation(arguments: Sequence[exp.Expression], context: Context) -> str | None:
    """The collation of a function that compares its arguments: of the first with one; None if not known."""
    for argument in arguments:
        found = own_collation(argument, context)
        if found != "":
            return found
    return BINARY


def own_collation(node: exp.Expression, context: Context) -> str | None:
    """The collation that an operand brings to a comparison, '' for none, None if not known.

    A column of a derived table that is computed there is refused: whether it has a collation of its own is
    up to how SQLite runs the query.  So is a scalar subquery.
    """
    plain = node
    while isinstance(plain, exp.Cast | exp.Collate):
        plain = plain.this
    if isinstance(plain, exp.Subquery) or (isinstance(plain, exp.Column) and not _is_stored(plain, context)):
        return None
    found = collation(node, context)
    return found if found in ("", *COLLATIONS) else None


def _is_stored(column: exp.Expression, context: Context) -> bool:
    """Whether a value is a column of base tables, also by way of derived tables."""
    if base_column(column, context) is not None:
        return True
    fed = feeds(column)
    return bool(fed) and all(isinstance(each, exp.Column) and _is_stored(each, context) for each in fed or ())


def _is_text(node: exp.Expression, symbols: SymbolTable) -> bool:
    """Whether a value is NULL or a text: LOWER would make one of a number or a blob."""
    return isinstance(node, exp.Column) and symbols.translation.conforms(node, Domain.TEXT)


def _is_no_text(node: exp.Expression, value: Expression, symbols: SymbolTable) -> bool:
    """Whether a value is NULL, a number or a blob: it compares alike with a text and with the text's key."""
    if isinstance(value, Constant):
        return value.kind != "text"
    if isinstance(value, Convert) and value.to == "TEXT":
        return False
    return is_number(value) or symbols.translation.conforms(node, Domain.NUMBER)
