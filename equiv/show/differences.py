"""Differences between two queries word by word, and between two results cell by cell."""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from difflib import SequenceMatcher
from typing import Any

from equiv.show.aliases import resolved_words

_WORDS = re.compile(r"'(?:[^']++|'')*+(?:'|\Z)|\w+|[^\w\s]")
"""A string, a word or a sign; white space is between words."""

MAX_WORDS = 1_500
"""Where a query has more, no words are compared, which takes quadratic time."""

Cuts = list[int]
"""Where changed stretches of a text begin and end, in code points: begin, end, begin, end and so on."""


def changed_words(one: str, other: str) -> tuple[Cuts, Cuts] | None:
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
    cuts: tuple[Cuts, Cuts] = [], []
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


Rows = Sequence[Sequence[Hashable]]
Marks = list[list[int]]
"""For each row the places of the cells that differ."""


def differing_cells(
    one: Rows,
    other: Rows,
    *,
    ordered: bool,
    repeated: bool = True,
    same: Callable[[Any, Any], bool] = operator.eq,
) -> tuple[Marks, Marks]:
    """The cells of two results that tell them apart.

    Args:
        one: rows of one result; a cell is marked by its place.
        other: rows of the other.
        ordered: whether rows are held against each other by position where both have the same rows.
        repeated: whether it counts how often a row occurs.
        same: whether two cells are equal, where that is more than being equal in Python.

    Rows that both results have are not marked.  The others are held against each other in order, cell by
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


def _at(rows: Rows, positions: Sequence[int], place: int) -> Sequence[Hashable] | None:
    return rows[positions[place]] if place < len(positions) else None


def _left_over(rows: Rows, others: Rows, *, repeated: bool) -> list[int]:
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
