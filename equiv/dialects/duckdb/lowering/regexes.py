"""Plain regular expressions of DuckDB's, which are RE2's, as GLOB.

A ``.`` matches no newline unless the option ``s`` says so; ``^`` and ``$`` are the ends of the text alone.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.query import UnsupportedError
from equiv.dialects.typed.lowering.calls import Given
from equiv.dialects.typed.lowering.texts import matches

_NO_NEWLINE = "[^\n]"


def found(given: Given) -> exp.Expression:
    """REGEXP_MATCHES: a part of the text matches.

    Raises:
        UnsupportedError: the expression is not plain, or of other options.
    """
    options = given.literal(2) if len(given.call.arguments) > 2 else ""
    if not set(options) <= {"s", "c"}:
        raise UnsupportedError("Regexp", f"with the options {options[:20]!r}")
    return _matched(given, given.literal(1), "s" in options)


def whole(given: Given) -> exp.Expression:
    """REGEXP_FULL_MATCH and SIMILAR TO: all of the text matches.

    Raises:
        UnsupportedError: the expression is not plain.
    """
    pattern = given.literal(1)
    if "^" in pattern.replace("[^", "") or "$" in pattern:
        raise UnsupportedError("Regexp", f"the regular expression {pattern[:60]!r} for a whole text")
    return _matched(given, f"^({pattern})$" if "|" in pattern else f"^{pattern}$", False)


def _matched(given: Given, pattern: str, sees_newlines: bool) -> exp.Expression:
    if sees_newlines:
        return matches(given.value(0), pattern)
    if "|" not in pattern:
        # What is found without them is found with them.
        while pattern.startswith(".*"):
            pattern = pattern[2:]
        while pattern.endswith(".*") and not pattern.endswith("\\.*"):
            pattern = pattern[:-2]
    return matches(given.value(0), pattern, any_character=_NO_NEWLINE)
