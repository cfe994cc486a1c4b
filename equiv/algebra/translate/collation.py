"""Comparisons under NOCASE: of texts in small letters.

NOCASE compares two texts as BINARY compares what LOWER makes of them, which changes the 26 letters of ASCII
alone, but for what stands behind a NUL: that counts only by its length.  So it is exact where one side is a
literal without a NUL: a text that has one is not equal to it, and is ordered by what stands before.
https://sqlite.org/datatype3.html section 7.1 says whose collation counts.
"""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase

from sqlglot import exp

from equiv.algebra.terms import NULL, Apply, Constant, Expression
from equiv.algebra.translate.symbol_table import SymbolTable
from equiv.core.claims.sources import base_column
from equiv.core.claims.value_types import collation
from equiv.core.model import Domain
from equiv.core.unsupported import UnsupportedError

_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)


def collated(
    left: exp.Expression, right: exp.Expression, values: tuple[Expression, Expression], symbols: SymbolTable
) -> tuple[Expression, Expression]:
    """Both sides of a comparison, such that BINARY compares them as the collation in use compares the values.

    Args:
        left: the operand whose collation counts first.
        right: the other.
        values: what is compared, converted as the affinities ask.
        symbols: where the comparison stands.

    Raises:
        UnsupportedError: a collation that is not known or is none of these two, or NOCASE without a literal.
    """
    name = _collation(left, right, symbols)
    if name == "BINARY" or NULL in values:
        return values
    plain = [node.this if isinstance(node, exp.Collate) else node for node in (left, right)]
    if name == "NOCASE":
        match values:
            case (Constant("text", text), value) if _is_text(plain[1], symbols) and "\0" not in text:
                return Constant("text", text.translate(_SMALL)), Apply("LOWER", (value,))
            case (value, Constant("text", text)) if _is_text(plain[0], symbols) and "\0" not in text:
                return Apply("LOWER", (value,)), Constant("text", text.translate(_SMALL))
    raise UnsupportedError("Collate", "a collation other than BINARY in a comparison")


def _collation(left: exp.Expression, right: exp.Expression, symbols: SymbolTable) -> str | None:
    """The collation of a comparison: of a COLLATE, else of a column, the left side first; None if not known.

    A column of a derived table that is computed there is refused: whether it has a collation of its own is
    up to how SQLite runs the query.
    """
    context, nodes = symbols.translation.context, (left, right)
    plain = [node.this if isinstance(node, exp.Collate) else node for node in nodes]
    if not all(isinstance(node, exp.Literal | exp.Null) or _is_stored(node, symbols) for node in plain):
        return None
    explicit = next((node for node in nodes if isinstance(node, exp.Collate)), None)
    found = [collation(explicit or node, context) for node in nodes]
    return None if None in found else next(filter(None, found), "BINARY")


def _is_stored(node: exp.Expression, symbols: SymbolTable) -> bool:
    """Whether a value is a column of a base table."""
    return isinstance(node, exp.Column) and base_column(node, symbols.translation.context) is not None


def _is_text(node: exp.Expression, symbols: SymbolTable) -> bool:
    """Whether a value is NULL or a text: LOWER would make one of a number or a blob."""
    return isinstance(node, exp.Column) and symbols.translation.conforms(node, Domain.TEXT)
