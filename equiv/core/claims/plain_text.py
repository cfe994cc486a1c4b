"""Whether an unsupported query surely has one possible answer, judged by its tokens alone."""

from __future__ import annotations

from itertools import pairwise

from equiv.core.functions.nodes import rows_named
from equiv.core.functions.traits import Rounds
from equiv.core.lexer import Kind, Token, tokens
from equiv.core.model import Schema


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CHOOSING = _words("""
    LIMIT OFFSET OVER WINDOW GROUP DISTINCT UNION INTERSECT EXCEPT WITH VALUES COLLATE HAVING FILTER
    CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP ROWID OID _ROWID_
""")
_ROUNDING = frozenset(("/", "+", "-", "%"))
_BEFORE_STAR = frozenset(("SELECT", "ALL", ",", "."))
_CALLABLE = frozenset((Kind.NAME, Kind.QUOTED))
"""SQLite takes a quoted name for that of a function."""
_BEFORE_PARENTHESIS = _words("""
    AND BETWEEN BY CASE CAST ELSE FROM GLOB IN IS JOIN LIKE NOT ON OR SELECT THEN WHEN WHERE
""")


def is_plain_text(sql: str, schema: Schema) -> bool:
    """Whether a query has one SELECT, of no view, and nothing that chooses, rounds, or may vary."""
    parts = tokens(sql)
    words = [token.word for token in parts]
    if any(schema.view(word.strip('"`[]')) is not None for word in words):
        return False
    if words.count("SELECT") != 1 or not _CHOOSING.isdisjoint(word.strip('"`[]') for word in words):
        return False
    if not _ROUNDING.isdisjoint(words) or any(map(_multiplies, parts, parts[1:])):
        return False
    return all(
        first.kind not in _CALLABLE or second.word != "(" or _may_precede(first.word)
        for first, second in pairwise(parts)
    )


def _may_precede(word: str) -> bool:
    """Whether a word before a parenthesis neither chooses nor rounds nor reads the clock."""
    rows = rows_named(word)
    is_plain = all(row.is_call and row.is_fixed and row.rounds is Rounds.NO for row in rows)
    is_timeless = not any(row.reads_time for row in rows)
    return word in _BEFORE_PARENTHESIS or (bool(rows) and is_plain and is_timeless)


def _multiplies(first: Token, second: Token) -> bool:
    """Whether an asterisk is no star of a SELECT list."""
    return second.word == "*" and first.word not in _BEFORE_STAR
