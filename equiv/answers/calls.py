"""SQL functions of our own: what the rewrites of free choices are written with, and calls by name."""

from __future__ import annotations

from sqlglot import exp

RANDOM = "equiv_random"
ANY_VALUE = "equiv_any"
AT_MINIMUM = "equiv_at_min"
AT_MAXIMUM = "equiv_at_max"
SHUFFLED_CONCAT = "equiv_shuffled_concat"
AS_NUMBER = "equiv_as_number"
AS_TEXT = "equiv_as_text"


def sql_call(name: str, *arguments: exp.Expression) -> exp.Expression:
    """A call of a function by name."""
    return exp.Anonymous(this=name, expressions=list(arguments))
