"""Names of our own SQL functions, with which queries with exposed choices are written, and calls of them."""

from __future__ import annotations

from sqlglot import exp

RANDOM = "equiv_random"
ANY_VALUE = "equiv_any"
AT_MINIMUM = "equiv_at_min"
AT_MAXIMUM = "equiv_at_max"
AT_SOME_EXTREME = "equiv_at_some_extreme"
"""Called with a text of ``<`` and ``>``, one for each MIN and MAX, with their arguments, and the value."""
SHUFFLED_CONCAT = "equiv_shuffled_concat"
AS_NUMBER = "equiv_as_number"
AS_TEXT = "equiv_as_text"


def sql_call(name: str, *arguments: exp.Expression) -> exp.Expression:
    """A tree node that calls a function by name."""
    return exp.Anonymous(this=name, expressions=list(arguments))
