"""The beginning and the end of a query within a text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice

from equiv.core.lexer import Kind, Token, tokens
from equiv.core.query_text import MAX_BYTES, OTHER_STATEMENTS, is_query

_NAME = r"""(?:\w++|"[^"]{1,99}+"|`[^`]{1,99}+`|\[[^\]]{1,99}+\])"""
_QUERY = rf"(?:SELECT\b|VALUES\s*+\(|WITH\s++(?:RECURSIVE\s++)?{_NAME}\s*+(?:\(|AS\b))"
_BEGINNING = re.compile(rf"(?:[\s(]|--[^\n]*+\n|/\*(?>.*?\*/))*+{_QUERY}", re.DOTALL | re.IGNORECASE)
_WORD = re.compile(r"(?<!\w)(?:SELECT|VALUES|WITH)\b", re.IGNORECASE)
_HERE = re.compile(_QUERY, re.IGNORECASE)

_REACH = 24
"""How many characters before a query are looked at for what introduces it."""
_INTRODUCED = re.compile(r"(?:\A|\n|:|`)[ \t\r(*>]*+\Z")

_STOP = re.compile(r"""'[^']*+'|"[^"]*+"|;""")
_MARKED_STOP = re.compile(r"""'[^']*+'|"[^"]*+"|;|`""")
_BLANK_LINE = re.compile(r"\n(?=[ \t\r]*+\n)")

_OPERANDS = frozenset((Kind.QUOTED, Kind.STRING, Kind.NUMBER))
_PROSE = frozenset((Kind.NAME, Kind.STRING, Kind.NUMBER, Kind.ILLEGAL))
_WORDS_OF_CLAUSES = frozenset(
    """ALL AND AS ASC BETWEEN BY CASE COLLATE CROSS DESC DISTINCT ELSE END ESCAPE EXCEPT EXISTS FILTER FROM
    FULL GLOB GROUP HAVING IN INDEXED INNER INTERSECT INTO IS ISNULL JOIN LEFT LIKE LIMIT MATCH NATURAL NOT
    NOTNULL NULL NULLS OFFSET ON OR ORDER OUTER OVER PARTITION RANGE REGEXP RIGHT ROWS SELECT THEN UNION
    USING VALUES WHEN WHERE WINDOW WITH""".split()  # noqa: SIM905
)


def begins_query(text: str) -> bool:
    """Whether a text begins with a query, after white space, comments and parentheses."""
    return _BEGINNING.match(text) is not None


def without_prose_after(text: str) -> str:
    """A text that begins with a query, up to where what follows can be no SQL.

    That is prose after a semicolon, or after a blank line: two bare words behind an operand, of which neither
    belongs to a clause.  A further statement stays.
    """
    if len(text) > MAX_BYTES or (";" not in text and not _BLANK_LINE.search(text)):
        return text
    parts = tokens(text)
    for before, token, after in zip(parts, islice(parts, 1, None), islice(parts, 2, None), strict=False):
        if before.word == ";" and before.kind is Kind.SIGN:
            return text if _is_statement(token) else text[: before.start].rstrip()
        if (
            _ends_operand(before)
            and _is_prose(token, after)
            and _BLANK_LINE.search(text, before.end, token.start)
        ):
            return text[: before.end]
    return text


def _is_statement(token: Token) -> bool:
    word = token.word
    if token.kind is Kind.NAME:
        return is_query(word) or word == "WITH" or word in OTHER_STATEMENTS
    return word in (";", "(")


def _ends_operand(token: Token) -> bool:
    if token.kind is Kind.NAME:
        return token.word not in _WORDS_OF_CLAUSES
    return token.kind in _OPERANDS or token.word in (")", "*")


def _is_prose(token: Token, after: Token) -> bool:
    if token.kind is not Kind.NAME or after.kind not in _PROSE:
        return False
    return token.word not in _WORDS_OF_CLAUSES and after.word not in _WORDS_OF_CLAUSES


def last_in_prose(text: str) -> str | None:
    """The last query that begins a line of a text, or follows a colon or a back quote.

    It ends with a semicolon, a blank line, or the back quote that closes its own.
    """
    last = None
    for found in _in_prose(text):
        # "Select the rows" is a sentence, if another is written as keywords are.
        if last is None or not found.startswith(("Select", "With", "Values")):
            last = found
    return last


def _in_prose(text: str) -> Iterator[str]:
    blanks = [match.start() for match in _BLANK_LINE.finditer(text)]
    end = 0
    for word in _WORD.finditer(text):
        start = word.start()
        if start < end or not _HERE.match(text, start):
            continue
        before = text[max(0, start - _REACH, end) : start]
        if _INTRODUCED.search(before if start <= _REACH else f"x{before}"):
            following = bisect_left(blanks, start)
            limit = blanks[following] if following < len(blanks) else len(text)
            end = _end_of(text, start, limit, is_marked=before.endswith("`"))
            yield text[start:end].strip()


def _end_of(text: str, start: int, limit: int, *, is_marked: bool) -> int:
    for match in (_MARKED_STOP if is_marked else _STOP).finditer(text, start, limit):
        if match[0] in (";", "`"):
            return match.start()
    return limit
