"""The beginning of a query within a text, and the queries that stand in prose."""

from __future__ import annotations

import re
from bisect import bisect_left

from equiv.replies.endings import CLAUSE_WORDS, without_prose_after

_NAME = r"""(?:\w++|"[^"]{1,99}+"|`[^`]{1,99}+`|\[[^\]]{1,99}+\])"""
_QUERY = rf"(?:SELECT\b|VALUES\s*+\(|WITH\s++(?:RECURSIVE\s++)?{_NAME}\s*+(?:\(|AS\b))"
_BEGINNING = re.compile(rf"(?:[\s(]|--[^\n]*+\n|/\*(?>.*?\*/))*+{_QUERY}", re.DOTALL | re.IGNORECASE)
_WORD = re.compile(r"(?<!\w)(?:SELECT|VALUES|WITH)\b", re.IGNORECASE)
_HERE = re.compile(_QUERY, re.IGNORECASE)
_SENTENCE = re.compile(r"[\s(*>]*+(?:Select|With|Values)\b")

_REACH = 40
"""How many characters before a query are looked at for what introduces it."""
_INTRODUCED = re.compile(
    r"(?:\A|\n|[:`]|(?<![^\W_])sql)[ \t\r(*>]*+(?:(?:[-*\u2022]|\d{1,2}[.)])[ \t]++)?(?:\"\"\"|'''|[\"'(])?\Z"
    r"|=[ \t]*+(?:\"\"\"|'''|[\"'])\Z",
    re.IGNORECASE,
)
_WITHIN_SQL = re.compile(
    r"(?:[\w(]\(|[,<+|]|(?<![:=])=|\b(?:except|intersect|union|union\s+all)"
    r"|\b(?:ALL|AND|AS|ELSE|EXCEPT|EXISTS|EXPLAIN|FROM|IN|INTERSECT|JOIN|NOT|ON|OR|THEN|UNION|WHEN))"
    r"\s*+\(?\s*+\Z"
)
"""What a query within a larger text of SQL stands behind: a part of what may be broken is no answer."""
_OPENING_QUOTE = re.compile(r"(\"\"\"|'''|[\"'`])\Z")
_IN_SENTENCE = re.compile(r"[a-z][,.]?\s+\Z")
_LATER_CLAUSE = re.compile(r"(?<!\w)FROM\b")

_STOP = re.compile(r"""'[^']*+'|"[^"]*+"|;""")
_BLANK_LINE = re.compile(r"\n[ \t\r]*+\n\s*+(\w*+)")


def begins_query(text: str) -> bool:
    """Whether a text begins with a query, after white space, comments and parentheses."""
    return _BEGINNING.match(text) is not None


def begins_as_sentence(text: str) -> bool:
    """Whether the first word of a text is written as a sentence begins: ``Select the rows``."""
    return _SENTENCE.match(text) is not None


def last_in_prose(text: str) -> str | None:
    """The last query that begins a line or an item of a list, or follows a colon, an equals sign or a quote.

    Where there is none, the last SELECT in capitals, if a FROM in capitals follows.  A query ends with a
    semicolon, a blank line after which no clause goes on, the quote that closes its own, or prose.
    """
    last, loose, end = None, None, 0
    limits = _Limits(text)
    for word in _WORD.finditer(text):
        start = word.start()
        if start < end or not _HERE.match(text, start):
            continue
        before = text[max(0, start - _REACH, end) : start]
        if _WITHIN_SQL.search(before):
            continue
        if not _INTRODUCED.search(before if start <= _REACH else f"x{before}"):
            loose = start if word[0].isupper() and _IN_SENTENCE.search(before) else loose
            continue
        end = _end_of(text, start, limits.after(word), _OPENING_QUOTE.search(before))
        # "Select the rows" is a sentence, if another is written as keywords are.
        found = text[start:end].strip()
        if last is None or not begins_as_sentence(found):
            last = found
    if last is None and loose is not None and _LATER_CLAUSE.search(text, loose):
        last = text[loose : _end_of(text, loose, len(text), None)].strip()
    return without_prose_after(last) if last else None


class _Limits:
    """The blank lines of a text that end a query.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        self._length = len(text)
        blanks = list(_BLANK_LINE.finditer(text))
        self._starts = {
            is_upper: [match.start() for match in blanks if not _goes_on(match[1], is_upper=is_upper)]
            for is_upper in (True, False)
        }

    def after(self, word: re.Match[str]) -> int:
        """The first blank line after a query's first word that no clause of its own letters follows."""
        starts = self._starts[word[0].isupper()]
        place = bisect_left(starts, word.start())
        return starts[place] if place < len(starts) else self._length


def _goes_on(word: str, *, is_upper: bool) -> bool:
    return word.upper() in CLAUSE_WORDS and (word.isupper() if is_upper else word.islower())


def _end_of(text: str, start: int, limit: int, quote: re.Match[str] | None) -> int:
    if quote is not None and quote[1] != "'":
        closing = text.find(quote[1], start, limit)
        if closing >= 0:
            return closing
    stops = (match.start() for match in _STOP.finditer(text, start, limit) if match[0] == ";")
    end = next(stops, limit)
    if quote is not None and text.count("'", start, end) % 2:
        return text.rindex("'", start, end)
    return end
