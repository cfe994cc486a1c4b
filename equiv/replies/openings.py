"""The beginning of a query within a text, and the queries that stand in prose."""

from __future__ import annotations

import re
from bisect import bisect_left
from heapq import merge

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
    r"(?:\A|\n|[:`])[ \t\r(*>]*+(?:sql[ \t*]++)?"
    r"(?:(?:[-*\u2022]|\d{1,2}[.)])[ \t]++)?(?:\"\"\"|'''|[\"'(])?\Z"
    r"|=[ \t]*+(?:\"\"\"|'''|[\"'])\Z",
    re.IGNORECASE,
)
_WITHIN_SQL = re.compile(
    r"(?:[\w(]\(|[,<+|]|(?<![:=])=|\b(?:except|intersect|union|union\s+all)"
    r"|\b(?:ALL|AND|AS|ELSE|EXCEPT|EXISTS|EXPLAIN(?:\s++(?:ANALYZE|QUERY\s++PLAN))?|FROM|IN|INTERSECT|INTO\s++\S++"
    r"|JOIN|NOT|ON|OR|THEN|UNION|WHEN))"
    r"\s*+\(?\s*+\Z"
)
"""What a query within a larger text of SQL stands behind: a part of what may be broken is no answer."""
_OPENING_QUOTE = re.compile(r"(\"\"\"|'''|[\"'`])\Z")
_COMMENT = re.compile(r"(?<![^\s;)])--|/\*")
_LINE_COMMENT = re.compile(r"^[ \t]*+(?:#|//)", re.MULTILINE)
"""What begins a comment of SQL, or of a program in which it stands."""

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

    What stands in a comment is none.  A query ends with a semicolon, a blank line after which no clause goes
    on, the quote that closes its own, or prose.
    """
    last, end = None, 0
    limits, comments = _Limits(text), _Comments(text)
    for word in _WORD.finditer(text):
        start = word.start()
        if start < end or not _HERE.match(text, start) or comments.holds(start):
            continue
        before = text[max(0, start - _REACH, end) : start]
        if _WITHIN_SQL.search(before) or not _INTRODUCED.search(before if start <= _REACH else f"x{before}"):
            continue
        end = _end_of(text, start, limits.after(word), _OPENING_QUOTE.search(before))
        # "Select the rows" is a sentence, if another is written as keywords are.
        found = text[start:end].strip()
        if last is None or not begins_as_sentence(found):
            last = found
    return without_prose_after(last) if last else None


class _Comments:
    """The comments of a text, each from its sign to the end of its line, or to ``*/``.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._last_closing = text.rfind("*/")
        self._signs = merge(_COMMENT.finditer(text), _LINE_COMMENT.finditer(text), key=re.Match.start)
        self._sign = next(self._signs, None)
        self._end = 0

    def holds(self, place: int) -> bool:
        """Whether a comment holds a place, which lies behind all that were asked about before."""
        while self._sign is not None and self._sign.start() < place:
            start = self._sign.start()
            if start >= self._end:
                self._end = self._end_of(start, self._sign)
            self._sign = next(self._signs, None)
        return place < self._end

    def _end_of(self, start: int, sign: re.Match[str]) -> int:
        """The end of the comment that a sign begins; one that nothing closes begins behind white space."""
        text = self._text
        if sign[0] != "/*":
            end = text.find("\n", sign.end())
            return end if end >= 0 else len(text)
        if sign.end() <= self._last_closing:
            return text.index("*/", sign.end()) + 2
        return len(text) if start == 0 or text[start - 1].isspace() else 0


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
