"""The limits of a query within a text: where it begins, and where what follows can be no SQL."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from difflib import get_close_matches
from heapq import merge

from equiv.core.lexer import Token, TokenKind, tokens
from equiv.core.texts import MAX_BYTES, OTHER_STATEMENTS, is_query

CLAUSE_WORDS = frozenset(
    """ALL AND AS ASC BETWEEN BY CASE COLLATE CROSS DESC DISTINCT ELSE END ESCAPE EXCEPT EXISTS FILTER FROM
    FULL GLOB GROUP HAVING ILIKE IN INDEXED INNER INTERSECT INTO IS ISNULL JOIN LEFT LIKE LIMIT MATCH NATURAL
    NOT NOTNULL NULL NULLS OFFSET ON OR ORDER OUTER OVER OVERLAPS PARTITION QUALIFY RANGE REGEXP RIGHT ROWS
    SELECT THEN UNION USING VALUES WHEN WHERE WINDOW WITH WITHIN TABLESAMPLE LATERAL""".split()  # noqa: SIM905
)
_PAIRS = frozenset(
    [
        ("AT", "TIME"),
        ("FETCH", "FIRST"),
        ("FETCH", "NEXT"),
        ("FOR", "KEY"),
        ("FOR", "NO"),
        ("FOR", "SHARE"),
        ("FOR", "UPDATE"),
        ("KEY", "SHARE"),
        ("KEY", "UPDATE"),
        ("NO", "KEY"),
        ("SIMILAR", "TO"),
        ("TIME", "ZONE"),
    ]
)
"""Words that go on with a query of PostgreSQL's, and that sentences have alone."""

_OPERANDS = frozenset((TokenKind.QUOTED, TokenKind.STRING, TokenKind.NUMBER))
_PROSE = frozenset((TokenKind.NAME, TokenKind.STRING, TokenKind.NUMBER, TokenKind.ILLEGAL))
_HEAD = 200
_SIGNS = frozenset(":@!^#?$")
"""What begins PostgreSQL's operators and typed parameters (``$1::int``); SQLite's lexer refuses it."""
_BLANK_LINE = re.compile(r"\n[ \t\r]*+\n")
_LONG_WORDS = ("SELECT", "INSERT", "UPDATE", "DELETE")
_TAG = re.compile(r"<(?:/\w{1,20}|\|\w{1,20}\|)>")
_LINE_FENCE = re.compile(r"(?:\A|\n)[ \t>]*+\Z")


def is_comment(text: str) -> bool:
    """Whether a text holds comments and white space alone."""
    return text.lstrip()[:2] in ("", "--", "/*") and len(tokens(text)) == 1


def begins_other_statement(text: str) -> bool:
    """Whether a text begins with a statement that is not a query: nothing in it is an answer either."""
    first, after = (*tokens(text[:_HEAD]), None)[:2]
    if first is None or first.word not in OTHER_STATEMENTS or after is None:
        return False
    # "Create the view" is a sentence.
    return text[first.start : first.end].isupper() or is_sql_to_its_end(text)


def is_sql_to_its_end(text: str) -> bool:
    """Whether a text that begins with a query holds nothing outside strings and comments that SQL cannot.

    That is an unclosed quote or a stray character, a fence or a tag, two bare words behind an operand, and
    what is no statement behind a semicolon.
    """
    if len(text) > MAX_BYTES:
        return False
    found = tokens(text)
    brackets = _brackets_of_values(text, found)
    return not any(
        (token.kind is TokenKind.ILLEGAL and text[token.start] not in _SIGNS and token.start not in brackets)
        or _is_fence(text, token)
        or (token.word == "<" and _TAG.match(text, token.start) is not None)
        for token in found
    ) and (_prose_at(text, found, anywhere=True) is None)


def without_prose_after(text: str) -> str:
    """A text that begins with a query, up to where what follows can be no SQL.

    That is prose after a semicolon, after a blank line, or on a further line that begins as a sentence does:
    two bare words behind an operand, of which neither belongs to a clause; three behind a closing
    parenthesis.  A further statement stays, a misspelt one, too (``SELEC 2``), and so does
    a misspelt clause: ``WERE a > 1``.
    """
    if len(text) > MAX_BYTES or not (";" in text or "\n" in text):
        return text
    end = _prose_at(text, tokens(text), anywhere=False)
    return text if end is None else text[:end].rstrip()


def _prose_at(text: str, found: Sequence[Token], *, anywhere: bool) -> int | None:
    """The place after the last token before prose; None if there is no prose.

    Args:
        text: a text that begins with a query.
        found: its tokens.
        anywhere: whether prose may begin within a line, too.
    """
    depth = 0
    ahead = [*found, found[-1], found[-1]]
    for place, before in enumerate(found[:-1]):
        depth += {"(": 1, ")": -1}.get(before.word, 0) if before.kind is TokenKind.SIGN else 0
        token, *after = ahead[place + 1 : place + 4]
        if before.kind is TokenKind.SIGN and before.word == ";":
            if token.kind is not TokenKind.END and not _is_statement(token):
                return before.start
            continue
        may_begin = anywhere or _may_begin(text[before.end : token.start], text[token.start : token.end])
        is_operand = _ends_operand(before) and (before.word, token.word) not in _PAIRS
        if depth > 0 or not may_begin or not is_operand:
            continue
        if _is_prose(text, token, *after[: 1 + (before.word == ")")]):
            return before.end
    return None


def _may_begin(gap: str, word: str) -> bool:
    """Whether prose may begin with a word, after what stands between it and the token before."""
    if "\n" not in gap:
        return False
    return _BLANK_LINE.search(gap) is not None or (word[:1].isupper() and not word.isupper())


def _is_statement(token: Token) -> bool:
    word = token.word
    if token.kind is TokenKind.NAME:
        return is_query(word) or word == "WITH" or word in OTHER_STATEMENTS or _is_misspelt(word)
    return word in (";", "(")


def _is_misspelt(word: str) -> bool:
    """Whether a word is nearly one that begins a statement, as SELEC is: no form of it, as "selects" is."""
    found = get_close_matches(word[:_HEAD], _LONG_WORDS, n=1, cutoff=0.8)
    return bool(found) and not word.startswith(found[0])


def _ends_operand(token: Token) -> bool:
    if token.kind is TokenKind.NAME:
        return token.word not in CLAUSE_WORDS
    return token.kind in _OPERANDS or token.word in (")", "*")


def _is_prose(text: str, token: Token, first: Token, *further: Token) -> bool:
    if token.kind is not TokenKind.NAME or token.word in CLAUSE_WORDS or (token.word, first.word) in _PAIRS:
        return False
    if first.kind not in _PROSE or first.word in CLAUSE_WORDS or text.startswith("::", first.start):
        return False
    # A parenthesis wants one word more: DISTINCT ON (a) b c has a column and its alias in PostgreSQL.
    return all(each.kind in _PROSE and each.word not in CLAUSE_WORDS for each in further)


def _brackets_of_values(text: str, found: Sequence[Token]) -> frozenset[int]:
    """The places of what SQLite's lexer refuses of values of DuckDB's: ``{'k': a}``, ``[[a], [b]]``."""
    places, braces, lists = [], list[tuple[int, bool]](), 0
    for place, token in enumerate(found):
        if token.kind is TokenKind.QUOTED and token.word.startswith("["):
            # A name in brackets ends with the first that closes, and may hold several that open.
            lists += token.word.count("[") - 1
        if token.kind is not TokenKind.ILLEGAL:
            continue
        match text[token.start : token.end]:
            case "{":
                key, colon = (*found[place + 1 : place + 3], token, token)[:2]
                is_struct = key.kind in (TokenKind.NAME, TokenKind.STRING) and text.startswith(
                    ":", colon.start
                )
                braces.append((token.start, is_struct))
            case "}" if braces:
                start, is_struct = braces.pop()
                places += [start, token.start] if is_struct else []
            case "]" if lists:
                lists -= 1
                places.append(token.start)
    return frozenset(places)


def _is_fence(text: str, token: Token) -> bool:
    """Whether a token is the beginning of a line's fence, which SQLite reads as a quoted name or as signs."""
    if not text.startswith(("```", "~~~"), token.start):
        return False
    return _LINE_FENCE.search(text[max(0, token.start - 20) : token.start]) is not None


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
_BLANK_LINE_AND_WORD = re.compile(r"\n[ \t\r]*+\n\s*+(\w*+)")


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
    """The comments of a text, each from its sign to the end of its line, or to ``*/``."""

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
    """The blank lines of a text that end a query."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        blanks = list(_BLANK_LINE_AND_WORD.finditer(text))
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
