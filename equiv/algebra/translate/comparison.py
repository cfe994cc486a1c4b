"""Comparisons: which operand SQLite converts before it compares, and under which collation.

https://sqlite.org/datatype3.html section 4.2: a numeric affinity converts the other operand to numbers; else
TEXT affinity converts an operand that has no affinity (a BLOB column has one) to text; else nothing is
converted.  The elements of an IN list have no affinity whatever they are, the column of an IN subquery has
its own, NULLIF converts nothing.

Under a collation (which one: section 7.1) the collation keys of the values are compared as BINARY compares.
``Convert(name, value, explicit=False)`` is the key of a value under NOCASE or RTRIM: see
:mod:`equiv.core.single_values`.  A comparison under NOCASE of a text with a literal without a NUL is said by
LOWER instead, which queries write themselves: a text with a NUL is not equal to the literal, and is ordered
by what stands before the NUL.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlglot import exp

from equiv.algebra import terms as t
from equiv.algebra.kinds import is_number
from equiv.algebra.translate.symbol_table import SymbolTable
from equiv.core.claims.blocks import base_column, feeds
from equiv.core.claims.value_types import Applied, affinity, collation, is_binary
from equiv.core.model import Context, Domain
from equiv.core.query import UnsupportedError
from equiv.core.single_values import COLLATIONS, key_of_text

BINARY = "BINARY"


def collated(
    left: exp.Expression,
    right: exp.Expression,
    values: tuple[t.Expression, t.Expression],
    symbols: SymbolTable,
    *,
    is_listed: bool = False,
) -> tuple[t.Expression, t.Expression]:
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
    if t.NULL in values or _is_no_text(left, values[0], symbols) or _is_no_text(right, values[1], symbols):
        return values
    name = comparison_collation(left, exp.Null() if is_listed else right, symbols.translation.context)
    if name == "NOCASE":
        plain = [node.this if isinstance(node, exp.Collate) else node for node in (left, right)]
        match values:
            case (t.Constant("text", text), value) if _is_text(plain[1], symbols) and "\0" not in text:
                return keyed(name, values[0]), t.Apply("LOWER", (value,))
            case (value, t.Constant("text", text)) if _is_text(plain[0], symbols) and "\0" not in text:
                return t.Apply("LOWER", (value,)), keyed(name, values[1])
    return keyed(name, values[0]), keyed(name, values[1])


def keyed(name: str | None, value: t.Expression) -> t.Expression:
    """The key of a value under a collation.

    Raises:
        UnsupportedError: the collation is not known, or none of SQLite's own.
    """
    if name in ("", BINARY) or is_number(value):
        return value
    match name:
        case "NOCASE" | "RTRIM":
            if isinstance(value, t.Constant):
                is_text = value.kind == "text"
                return t.Constant("text", key_of_text(name, value.text)) if is_text else value
            return t.Convert(name, value, explicit=False)
    raise UnsupportedError("Collate", "an unknown collation")


def sorted_by(node: exp.Expression, value: t.Expression, symbols: SymbolTable) -> t.Expression:
    """A value as ORDER BY, GROUP BY, DISTINCT and windows compare it: its key under its own collation.

    Raises:
        UnsupportedError: the collation is not known, or none of SQLite's own.
    """
    if not symbols.translation.folds:
        return value
    return keyed(collation(node, symbols.translation.context), value)


def sorted_row(
    nodes: Sequence[exp.Expression], values: Sequence[t.Expression], symbols: SymbolTable
) -> tuple[t.Expression, ...]:
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


def _is_no_text(node: exp.Expression, value: t.Expression, symbols: SymbolTable) -> bool:
    """Whether a value is NULL, a number or a blob: it compares alike with a text and with the text's key."""
    if isinstance(value, t.Constant):
        return value.kind != "text"
    if isinstance(value, t.Convert) and value.to == "TEXT":
        return False
    return is_number(value) or symbols.translation.conforms(node, Domain.NUMBER)


TranslatedOperand = tuple[exp.Expression, t.Expression]
"""An operand in the tree, and its translation."""

_PLAIN = re.compile(r"-?(0|[1-9][0-9]{0,14})")


def compared(
    operator: type[exp.Expression], left: TranslatedOperand, right: TranslatedOperand, symbols: SymbolTable
) -> t.Expression:
    """``left operator right``, by one of the comparison nodes of sqlglot."""
    one, two = converted(left, right, symbols)
    return plainly_compared(operator, one, two)


def plainly_compared(operator: type[exp.Expression], one: t.Expression, two: t.Expression) -> t.Expression:
    """A comparison of operands that need no conversion any more."""
    if operator is exp.EQ:
        return t.Compare("=", one, two)
    if operator is exp.NEQ:
        return t.Not(t.Compare("=", one, two))
    if operator is exp.NullSafeEQ:
        return t.Compare("IS", one, two)
    if operator is exp.NullSafeNEQ:
        return t.Not(t.Compare("IS", one, two))
    if operator in (exp.GT, exp.GTE):
        one, two = two, one
    return t.Compare("<" if operator in (exp.LT, exp.GT) else "<=", one, two)


def compared_rows(
    operator: type[exp.Expression],
    left: Sequence[TranslatedOperand],
    right: Sequence[TranslatedOperand],
    symbols: SymbolTable,
) -> t.Expression:
    """A comparison of row values, by https://sqlite.org/rowvalue.html section 2.1.

    Raises:
        UnsupportedError: rows of different lengths.
    """
    if len(left) != len(right):
        raise UnsupportedError("Tuple", "row values of different lengths")
    pairs = list(zip(left, right, strict=True))
    if len(pairs) == 1:
        return compared(operator, *pairs[0], symbols)
    if operator in (exp.EQ, exp.NullSafeEQ):
        return t.And(tuple(compared(operator, one, two, symbols) for one, two in pairs))
    if operator in (exp.NEQ, exp.NullSafeNEQ):
        # NOT of an AND: (1, NULL) <> (2, NULL) is true by its first component alone.
        equal = exp.EQ if operator is exp.NEQ else exp.NullSafeEQ
        return t.Not(compared_rows(equal, left, right, symbols))
    strict = exp.LT if operator in (exp.LT, exp.LTE) else exp.GT
    first = compared(strict, *pairs[0], symbols)
    tied = compared(exp.EQ, *pairs[0], symbols)
    return t.Or((first, t.And((tied, compared_rows(operator, left[1:], right[1:], symbols)))))


def converted(
    left: TranslatedOperand, right: TranslatedOperand, symbols: SymbolTable
) -> tuple[t.Expression, t.Expression]:
    """Both operands as they are compared.

    Raises:
        UnsupportedError: a collation or an affinity that is not known.
    """
    affinities = _affinity(left[0], symbols), _affinity(right[0], symbols)
    found = with_affinities(left, affinities[0], right, affinities[1], symbols)
    if not symbols.translation.folds or all(
        is_binary(each[0], symbols.translation.context) for each in (left, right)
    ):
        return found
    return collated(left[0], right[0], found, symbols)


def comparing(left: exp.Expression, right: exp.Expression, symbols: SymbolTable) -> tuple[object, ...]:
    """In which way two operands compare: the affinity of each, and the collation if one is in use."""
    affinities = _affinity(left, symbols), _affinity(right, symbols)
    if not symbols.translation.folds:
        return affinities
    return (*affinities, comparison_collation(left, right, symbols.translation.context))


def _compares_as_number(operand: TranslatedOperand, applied: Applied, symbols: SymbolTable) -> bool:
    """Whether an operand without affinity, or a merged column of numbers, compares as with NUMERIC affinity.

    What is stored in columns of NUMERIC affinity was converted there; a number is one already.
    """
    node, value = operand
    if applied is Applied.NONE:
        return is_number(value) or symbols.translation.conforms(node, Domain.NUMBER)
    if applied is not Applied.UNKNOWN or not isinstance(node, exp.Coalesce):
        return False
    return all(_affinity(each, symbols) is Applied.NUMERIC for each in (node.this, *node.expressions))


def listed(left: TranslatedOperand, element: TranslatedOperand, symbols: SymbolTable) -> t.Expression:
    """``left = element`` as in ``left IN (..., element, ...)``: an element has no affinity, no collation."""
    one, two = with_affinities(left, _affinity(left[0], symbols), element, Applied.NONE, symbols)
    if symbols.translation.folds and not is_binary(left[0], symbols.translation.context):
        one, two = collated(left[0], element[0], (one, two), symbols, is_listed=True)
    return t.Compare("=", one, two)


def _affinity(node: exp.Expression, symbols: SymbolTable) -> Applied:
    return affinity(node, symbols.translation.context)


def with_affinities(
    left: TranslatedOperand, one: Applied, right: TranslatedOperand, two: Applied, symbols: SymbolTable
) -> tuple[t.Expression, t.Expression]:
    """Both operands as they are compared under affinities.

    Raises:
        UnsupportedError: what is converted depends on an affinity that is not known.
    """
    if Applied.NUMERIC in (one, two):
        return _to_number(left, one), _to_number(right, two)
    if Applied.UNKNOWN in (one, two):
        if all(_compares_as_number(*side, symbols) for side in ((left, one), (right, two))):
            return left[1], right[1]
        raise UnsupportedError("Column", "a column of a set operation of mixed types, compared")
    if one is Applied.TEXT:
        return left[1], _to_text(right, two, symbols)
    if two is Applied.TEXT:
        return _to_text(left, one, symbols), right[1]
    return left[1], right[1]


def _to_number(operand: TranslatedOperand, own: Applied) -> t.Expression:
    """The operand under NUMERIC affinity; one that has it already holds no text that is a number."""
    value = operand[1]
    if own is Applied.NUMERIC or is_number(value):
        return value
    # Only spellings that NUMERIC affinity surely reads: 15 digits at most, no leading zero.
    if isinstance(value, t.Constant) and value.kind == "text" and _PLAIN.fullmatch(value.text):
        return t.Constant("integer", "0" if value.text == "-0" else value.text)
    if isinstance(value, t.Constant) and value.kind == "blob":
        return value
    return t.Convert("NUMERIC", value, explicit=False)


def _to_text(operand: TranslatedOperand, own: Applied, symbols: SymbolTable) -> t.Expression:
    """The operand beside one of TEXT affinity: converted if it has no affinity itself."""
    node, value = operand
    if own in (Applied.TEXT, Applied.BLOB):
        return value
    if isinstance(value, t.Constant) and value.kind in ("null", "text", "blob"):
        return value
    if isinstance(value, t.Constant) and value.kind == "integer" and _PLAIN.fullmatch(value.text):
        return t.Constant("text", "0" if value.text == "-0" else value.text)
    if symbols.translation.conforms(node, Domain.TEXT):
        return value
    if own is Applied.WEAK:
        raise UnsupportedError("Column", "a text compared with an expression column of a derived table")
    symbols.translation.compares_as_text = True
    return t.Convert("TEXT", value, explicit=False)


def between(
    node: exp.Expression, subject: tuple[TranslatedOperand, TranslatedOperand], symbols: SymbolTable
) -> t.Expression:
    """``x BETWEEN low AND high``; ``x`` is given in two translations, whose bound variables differ."""
    from equiv.algebra.translate.expression import operand

    low, high = operand(node.args["low"], symbols), operand(node.args["high"], symbols)
    return t.And((compared(exp.GTE, subject[0], low, symbols), compared(exp.LTE, subject[1], high, symbols)))


def not_false(
    left: Sequence[t.Expression], right: Sequence[t.Expression], equality: t.Expression
) -> t.Expression:
    """The truth value "an equality is true or NULL", which is itself never NULL."""
    if len(left) == 1:
        return t.Or((equality, t.IsNull(left[0]), t.IsNull(right[0])))
    return t.Or((equality, t.IsNull(equality)))


def same(left: Sequence[t.Expression], right: Sequence[t.Expression]) -> t.Expression:
    """Whether two rows are the same, NULLs too."""
    return t.conjunction(t.Compare("IS", one, two) for one, two in zip(left, right, strict=True))


def before(
    left: Sequence[t.Expression], right: Sequence[t.Expression], directions: Sequence[t.Direction]
) -> t.Expression:
    """Whether a row stands strictly before another in an order: true, or else false or NULL.

    Args:
        left: its keys.
        right: the keys of the other.
        directions: how each key sorts.
    """
    if not left:
        return t.FALSE
    one, two = left[0], right[0]
    less = t.Compare("<", two, one) if directions[0].descending else t.Compare("<", one, two)
    # A comparison with NULL says nothing of the order: where NULLs stand does.
    missing, other = (one, two) if directions[0].nulls_first else (two, one)
    first = t.Or((less, t.And((t.IsNull(missing), t.Not(t.IsNull(other))))))
    if len(left) == 1:
        return first
    return t.Or((first, t.And((t.Compare("IS", one, two), before(left[1:], right[1:], directions[1:])))))
