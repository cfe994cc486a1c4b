"""Which translated expressions are truth values, and which are numbers, by their form alone."""

from __future__ import annotations

from equiv.algebra.terms import (
    FALSE,
    Aggregate,
    And,
    Apply,
    Case,
    Compare,
    Constant,
    Convert,
    Exists,
    Expression,
    Found,
    IsNull,
    IsTrue,
    Not,
    Or,
)
from equiv.sqlite.functions.nodes import AGGREGATES, names
from equiv.sqlite.functions.traits import Style

_PATTERNS = names(lambda function: function.style is Style.PATTERN)
_NUMBERS = names(lambda function: function.is_number)


def is_truth(value: Expression) -> bool:
    """Whether an expression is 1, 0 or NULL."""
    match value:
        case Compare() | And() | Or() | Not() | IsTrue() | IsNull() | Exists() | Found():
            return True
        case Constant():
            return value.kind == "null" or (value.kind == "integer" and value.text in ("0", "1"))
        case Apply():
            return value.function in _PATTERNS
        case Case():
            return all(is_truth(each) for each in results(value))
    return False


def is_number(value: Expression) -> bool:
    """Whether an expression is a number or NULL."""
    match value:
        case Constant():
            return value.kind in ("null", "integer", "real")
        case Apply():
            return value.function in _NUMBERS
        case Aggregate():
            return value.function == "LINEAR" or AGGREGATES[value.function].is_number
        case Convert():
            return value.explicit and value.to in ("INTEGER", "REAL", "NUMERIC")
        case Case():
            return all(is_number(each) for each in results(value))
    return is_truth(value)


def results(value: Case) -> tuple[Expression, ...]:
    """The values that a CASE may have."""
    return (*(each for _, each in value.branches), value.default)


def as_truth(value: Expression) -> Expression:
    """The truth of a value: a number other than 0; text and blobs count as the REAL that they start with.

    SQLite casts to REAL, not to NUMERIC (``sqlite3VdbeBooleanValue`` in https://sqlite.org/src/file/src/vdbe.c):
    '0.5' is true, 'abc' false.
    """
    if is_truth(value):
        return value
    number = value if is_number(value) else Convert("REAL", value, explicit=True)
    return Not(Compare("=", number, FALSE))
