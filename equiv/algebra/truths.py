"""Syntactic analysis: which expressions are truth values or numbers, and what a true condition implies."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from equiv.algebra.function_kinds import STRICT
from equiv.algebra.terms import (
    FALSE,
    NULL,
    Aggregate,
    And,
    Apply,
    Bag,
    Case,
    Compare,
    Constant,
    Convert,
    Exists,
    Expression,
    Field,
    First,
    Found,
    IsNull,
    IsTrue,
    Limited,
    Lookup,
    Not,
    Or,
    Term,
    alpha,
    free,
)
from equiv.core.functions.table import AGGREGATES, names
from equiv.core.functions.traits import LiteralStyle, Nulls

_PATTERNS = names(lambda function: function.style is LiteralStyle.PATTERN)
_NUMBERS = names(lambda function: function.is_number)
_NULL_OF_NONE = frozenset(name for name, row in AGGREGATES.items() if row.nulls is Nulls.NOTHING)


def is_condition(value: Expression) -> bool:
    """Whether an expression is a comparison, a test or made of such: 1, 0 or NULL, and no literal or CASE."""
    return isinstance(value, Compare | And | Or | Not | IsTrue | IsNull | Exists | Found)


def is_truth(value: Expression) -> bool:
    """Whether an expression is 1, 0 or NULL."""
    match value:
        case _ if is_condition(value):
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
    """A value as a truth value: true if a number other than 0; text and blobs count by their numeric prefix.

    SQLite casts to REAL, not to NUMERIC (``sqlite3VdbeBooleanValue`` in https://sqlite.org/src/file/src/vdbe.c):
    '0.5' is true, 'abc' false.
    """
    if is_truth(value):
        return value
    number = value if is_number(value) else Convert("REAL", value, explicit=True)
    return Not(Compare("=", number, FALSE))


def has_arguments_if_not_null(value: Aggregate) -> bool:
    """Whether an aggregate is NULL unless some argument is not."""
    return value.function in _NULL_OF_NONE


def not_null_if(conditions: Iterable[Expression]) -> set[Expression]:
    """Expressions that are not NULL if all the conditions are true, up to the names of bound variables."""
    return set[Expression]().union(*map(_not_null_if, conditions))


def _not_null_if(condition: Expression) -> set[Expression]:
    match condition:
        case Compare("=" | "<" | "<=", left, right) | Not(Compare("=" | "<" | "<=", left, right)):
            return _not_null_with(left) | _not_null_with(right)
        case Compare("IS", left, Constant() as right) | Compare("IS", Constant() as right, left):
            return _not_null_with(left) if right != NULL else set()
        case Not(IsNull(value)):
            return _not_null_with(value)
        case Found(_, _, values):
            return {alpha(condition)}.union(*map(_not_null_with, values))
        case IsTrue(part):
            return _not_null_if(part)
        case Exists(bag):
            return _not_null_if_some(bag)
        case And(parts):
            return not_null_if(parts)
        case Or(parts) if parts:
            return set.intersection(*map(_not_null_if, parts))
        case Apply("LIKE" | "GLOB", arguments):
            # A LIKE that is 0 may have a NULL argument beside a blob.
            return set[Expression]().union(*map(_not_null_with, arguments))
        case Field() | Lookup() | Apply() | Convert():
            return _not_null_with(condition)
    return set()


def _not_null_if_some(bag: Bag, shown: int = 0) -> set[Expression]:
    """Expressions over outer rows that are not NULL if a bag has a row, its first outputs not NULL."""
    found = [_not_null_if_there(term, shown) for term in bag.terms]
    return set[Expression]().union(frozenset.intersection(*found)) if found else set()


@lru_cache(maxsize=5_000)
def _not_null_if_there(term: Term, shown: int) -> frozenset[Expression]:
    """Expressions without a term's own variables that are not NULL if the term has such a row."""
    own = {binding.row for binding in term.bindings}
    found = _not_null_if(term.condition).union(*map(_not_null_with, term.outputs[:shown]))
    return frozenset(each for each in found if not free(each) & own)


def _not_null_with(value: Expression) -> set[Expression]:
    """The value and what it needs in order not to be NULL."""
    match value:
        case Lookup(_, _, values):
            return {alpha(value)}.union(*map(_not_null_with, values))
        case Apply(function, arguments) if function in STRICT:
            return {alpha(value)}.union(*map(_not_null_with, arguments))
        case Convert(_, inner):
            return {alpha(value)} | _not_null_with(inner)
        case Aggregate(_, bag) if has_arguments_if_not_null(value):
            return {alpha(value)} | _not_null_if_some(bag, 1)
        case First(Limited(bag)):
            return {alpha(value)} | _not_null_if_some(bag, 1)
        case Case(branches, default):
            ways = [_not_null_if(when) | _not_null_with(then) for when, then in branches if then != NULL]
            ways += [_not_null_with(default)] if default != NULL else []
            return {alpha(value)} | (set.intersection(*ways) if ways else set())
    return {alpha(value)}
