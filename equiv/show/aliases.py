"""The words of a query with aliases resolved, so that queries that differ in aliases alone read alike.

Read from words alone, since a query of a model need not parse.  What is not understood stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

_KEYWORDS = """
where group order having limit union intersect except on using join inner left right full cross natural
outer window as set values returning select from and or not in is like between case when then else end
asc desc offset with
"""
_ENDS = frozenset(_KEYWORDS.split())
"""Words that are no alias where one may stand."""

_QUOTES = {'"': '"', "`": "`", "[": "]"}


@dataclass(slots=True)
class _Scope:
    """A SELECT with the tables of its FROM clause: table and place of the alias, in order."""

    parent: _Scope | None
    tables: list[tuple[str, str]] = field(default_factory=list)
    """Table and alias, which is the table's name if there is none."""

    def resolved(self, name: str) -> str | None:
        """The table that a qualifier stands for, numbered where the scope reads it several times."""
        scope: _Scope | None = self
        while scope is not None:
            known = [table for table, _ in scope.tables]
            for place, (table, alias) in enumerate(scope.tables):
                if alias == name:
                    return table if known.count(table) == 1 else f"{table}#{known[:place].count(table)}"
            scope = scope.parent
        return None


def resolved_words(words: Sequence[str]) -> list[str | None]:
    """Each word, a qualifier as the table that it stands for; None for what only gives an alias.

    Args:
        words: in lower case but for strings; quotes of names are words of their own.
    """
    found: list[str | None] = list(words)
    scopes = _scopes(words)
    for place, word in enumerate(words):
        if word in ("from", "join"):
            _read_tables(words, place + 1, scopes, found, several=word == "from")
        elif word == "as":
            _drop_column_alias(words, place, found)
    for place, word in enumerate(words):
        follows = place + 1 + (place > 0 and words[place - 1] in _QUOTES)
        if found[place] is not None and follows < len(words) and words[follows] == ".":
            found[place] = scopes[place].resolved(word) or word
    return found


def _scopes(words: Sequence[str]) -> list[_Scope]:
    """The scope of each word: every SELECT, with those within parentheses inside of it, begins one."""
    scope = _Scope(None)
    open_scopes: list[_Scope] = []
    found = []
    for word in words:
        if word == "(":
            open_scopes.append(scope)
        elif word == ")" and open_scopes:
            scope = open_scopes.pop()
        elif word == "select":
            scope = _Scope(open_scopes[-1] if open_scopes else None)
        found.append(scope)
    return found


def _name(words: Sequence[str], place: int) -> tuple[str, int]:
    """The name that begins at a place, quoted or not, and the place after it; '' if there is none."""
    if place < len(words) and words[place] in _QUOTES:
        closing = place + 2
        if closing < len(words) and words[closing] == _QUOTES[words[place]]:
            return words[place + 1], closing + 1
        return "", place
    if place < len(words) and words[place].isidentifier() and words[place] not in _ENDS:
        return words[place], place + 1
    return "", place


def _read_tables(
    words: Sequence[str], place: int, scopes: Sequence[_Scope], found: list[str | None], *, several: bool
) -> None:
    """Take in the table at a place, and those after commas; what only gives aliases is dropped."""
    while True:
        table, after = _name(words, place)
        if not table:
            return
        start = after
        if after < len(words) and words[after] == "as":
            after += 1
        alias, end = _name(words, after)
        scopes[place].tables.append((table, alias or table))
        if alias:
            found[start:end] = [None] * (end - start)
        place = end if alias else start
        if not (several and place < len(words) and words[place] == ","):
            return
        place += 1


def _drop_column_alias(words: Sequence[str], place: int, found: list[str | None]) -> None:
    """Drop the alias of an output column; the type of a CAST, and what a WITH names, stay."""
    name, end = _name(words, place + 1)
    follows = words[end] if end < len(words) else ""
    if (
        name
        and found[place] is not None
        and (follows in ("", ",", "from", ";", ")") and not _in_cast(words, place))
    ):
        found[place:end] = [None] * (end - place)


def _in_cast(words: Sequence[str], place: int) -> bool:
    """Whether the innermost parenthesis around a place is that of a CAST."""
    depth = 0
    for number in range(place - 1, -1, -1):
        if words[number] == ")":
            depth += 1
        elif words[number] == "(":
            if depth == 0:
                return number > 0 and words[number - 1] == "cast"
            depth -= 1
    return False
