"""Differences between two queries word by word, and between two results cell by cell.

Aliases are resolved first, so that queries that differ in aliases alone read alike; from words alone, since a
query of a model need not parse.  What is not understood stays as it is.
"""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

_KEYWORDS = """
where group order having limit union intersect except on using join inner left right full cross natural
outer window as set values returning select from and or not in is like between case when then else end
asc desc offset with
"""
_ENDS = frozenset(_KEYWORDS.split())
"""Words that are not alias where one may stand."""

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


_WORDS = re.compile(r"'(?:[^']++|'')*+(?:'|\Z)|\w+|[^\w\s]")
"""A string, a word or a sign; white space is between words."""

MAX_WORDS = 1_500
"""Where a query has more, no words are compared, which takes quadratic time."""

TextCuts = list[int]
"""Where changed stretches of a text begin and end, in code points: begin, end, begin, end and so on."""


def changed_words(one: str, other: str) -> tuple[TextCuts, TextCuts] | None:
    """The stretches of each text that the other lacks; aliases, letter case and white space do not count.

    None: the texts are too long to be compared.
    """
    sides = [list(_WORDS.finditer(text)) for text in (one, other)]
    if max(map(len, sides)) > MAX_WORDS:
        return None
    words: list[list[str]] = []
    for number, side in enumerate(sides):
        resolved = resolved_words([_folded(match.group()) for match in side])
        words.append([word for word in resolved if word is not None])
        sides[number] = [match for match, word in zip(side, resolved, strict=True) if word is not None]
    cuts: tuple[TextCuts, TextCuts] = [], []
    for tag, *places in SequenceMatcher(None, words[0], words[1], autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        for side, own, (start, end) in zip(sides, cuts, (places[:2], places[2:]), strict=True):
            if start < end:
                own += [side[start].start(), side[end - 1].end()]
    return cuts


def _folded(word: str) -> str:
    """A word without its letter case, which counts in strings alone."""
    return word if word.startswith("'") else word.casefold()


ShownRows = Sequence[Sequence[Hashable]]
Marks = list[list[int]]
"""For each row the places of the cells that differ."""


def differing_cells(
    one: ShownRows,
    other: ShownRows,
    *,
    ordered: bool,
    repeated: bool = True,
    same: Callable[[Any, Any], bool] = operator.eq,
) -> tuple[Marks, Marks]:
    """The cells of two results that distinguish them.

    Args:
        one: rows of one result; a cell is marked by its place.
        other: rows of the other.
        ordered: whether rows are compared with each other by position where both have the same rows.
        repeated: whether it counts how often a row occurs.
        same: whether two cells are equal, where that is more than being equal in Python.

    Rows that both results have are not marked.  The others are compared with each other in order, cell by
    cell; where one result has more of them, or they have other numbers of columns, whole rows are marked.
    """
    unmatched = _left_over(one, other, repeated=repeated), _left_over(other, one, repeated=repeated)
    if not any(unmatched) and ordered:
        shared = min(len(one), len(other))
        unmatched = list(range(shared)), list(range(shared))
    marks: tuple[Marks, Marks] = [[] for _ in one], [[] for _ in other]
    for place in range(max(map(len, unmatched))):
        row, twin = _at(one, unmatched[0], place), _at(other, unmatched[1], place)
        if row is not None:
            marks[0][unmatched[0][place]] = _differing(row, twin, same)
        if twin is not None:
            marks[1][unmatched[1][place]] = _differing(twin, row, same)
    return marks


def _at(rows: ShownRows, positions: Sequence[int], place: int) -> Sequence[Hashable] | None:
    return rows[positions[place]] if place < len(positions) else None


def _left_over(rows: ShownRows, others: ShownRows, *, repeated: bool) -> list[int]:
    """The positions of the rows that the other result has less often, or not at all."""
    if not repeated:
        others_once = set(map(tuple, others))
        return [position for position, row in enumerate(map(tuple, rows)) if row not in others_once]
    known = Counter(map(tuple, others))
    found = []
    for position, row in enumerate(map(tuple, rows)):
        if known[row]:
            known[row] -= 1
        else:
            found.append(position)
    return found


def _differing(
    row: Sequence[Hashable], twin: Sequence[Hashable] | None, same: Callable[[Any, Any], bool]
) -> list[int]:
    if twin is None or len(row) != len(twin):
        return list(range(len(row)))
    return [place for place, (a, b) in enumerate(zip(row, twin, strict=True)) if not same(a, b)]
