"""Just enough of SQLite's lexical rules to take DDL text apart without losing a character.

A parser would print an expression anew, and differently; what is cut out
here is the user's own text, less its comments.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

_QUOTED = r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`|\[[^\]]*\]"
_COMMENT = r"--[^\n]*|/\*.*?(?:\*/|\Z)"
_COMMENTS = re.compile(rf"({_QUOTED})|{_COMMENT}", re.DOTALL)
_TOKEN = re.compile(rf"\s+|({_QUOTED}|[^\W\d][\w$]*|\.?\d[\w.]*|->|.)", re.DOTALL)
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number, quoted text or sign of some text, and where it stands there."""

    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        """The token in upper case, quotes and all; a quoted name is therefore no keyword."""
        return self.text.upper()


def strip_comments(sql: str) -> str:
    """The text with a blank for each comment, and no blank at either end."""
    return _COMMENTS.sub(lambda match: match[1] or " ", sql).strip()


def tokens(sql: str) -> list[Token]:
    """The tokens of a text without comments."""
    return [Token(match[1], *match.span(1)) for match in _TOKEN.finditer(sql) if match[1] is not None]


def statements(text: str) -> Iterator[str]:
    """The statements of a script, each without comments and without its semicolon."""
    pending = ""
    for piece in text.split(";"):
        pending += f"{piece};"
        if sqlite3.complete_statement(pending):
            if statement := strip_comments(pending).rstrip(";").rstrip():
                yield statement
            pending = ""
    if statement := strip_comments(pending).rstrip(";").rstrip():
        yield statement


@lru_cache(maxsize=4096)
def quote(name: str) -> str:
    """A name as a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def quote_all(names: Sequence[str]) -> str:
    """Names as a list of quoted SQL identifiers."""
    return ", ".join(map(quote, names))


def quote_if_needed(name: str) -> str:
    """A name as it is if it is made of ASCII letters, digits and _, else quoted."""
    return name if _PLAIN_NAME.match(name) else quote(name)


def unquote(text: str) -> str:
    """The name that a token means."""
    if text[:1] == "[":
        return text[1:-1]
    if len(text) > 1 and text[0] in "\"'`":
        return text[1:-1].replace(text[0] * 2, text[0])
    return text


def is_name(text: str) -> bool:
    """Whether a token can name a table or column."""
    return text[:1] in ('"', "`", "[") or bool(re.match(r"[^\W\d]", text))


def closing_index(found: Sequence[Token], opening: int) -> int:
    """The index of the parenthesis that closes the one at ``opening``, or the number of tokens."""
    depth = 0
    for index in range(opening, len(found)):
        depth += {"(": 1, ")": -1}.get(found[index].text, 0)
        if depth == 0:
            return index
    return len(found)
