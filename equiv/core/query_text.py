"""Checks of a query's text by its tokens alone: kind of statement, ORDER BY, expansions of its CTEs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from equiv.core.lexer import Kind, Token, unquoted

MAX_BYTES = 100_000
"""The longest text of a query, in bytes of UTF-8, that is read."""

MAX_EXPANSIONS = 2_000
_ROUNDS = 50
_MAX_MENTIONS = 200_000
"""How many names all bodies may hold together, those of a body within another once for each."""
_NAMES = (Kind.NAME, Kind.QUOTED, Kind.STRING)
_DEEPER = {"(": 1, ")": -1}
_QUERIES = ("SELECT", "VALUES")
OTHER_STATEMENTS = frozenset(
    [
        "ALTER",
        "ANALYZE",
        "ATTACH",
        "BEGIN",
        "COMMIT",
        "CREATE",
        "DELETE",
        "DETACH",
        "DROP",
        "END",
        "EXPLAIN",
        "INSERT",
        "PRAGMA",
        "REINDEX",
        "RELEASE",
        "REPLACE",
        "ROLLBACK",
        "SAVEPOINT",
        "UPDATE",
        "VACUUM",
    ]
)


def is_query(word: str) -> bool:
    """Whether the main word of a statement makes it a query."""
    return word in _QUERIES


def main_word(found: Sequence[Token]) -> str:
    """The keyword that names the kind of statement: the first word, or after WITH the body's first word."""
    if found[0].word != "WITH":
        return found[0].word
    starts = (*_QUERIES, "INSERT", "REPLACE", "UPDATE", "DELETE")
    return next((token.word for token in _outermost(found) if token.word in starts), "WITH")


def orders(found: Sequence[Token]) -> bool:
    """Whether a query has an ORDER BY of its own: one outside all parentheses."""
    outside = list(_outermost(found))
    return any(
        token.kind is Kind.NAME and token.word == "ORDER" and after.word == "BY"
        for token, after in pairwise(outside)
    )


def _outermost(found: Sequence[Token]) -> Iterator[Token]:
    depth = 0
    for token in found:
        depth += _DEEPER.get(token.word, 0)
        if depth == 0:
            yield token


def expands_much(text: str, found: Sequence[Token]) -> bool:
    """Whether SQLite might expand common table expressions more than :data:`MAX_EXPANSIONS` times.

    It copies the body at every reference, so that a short text, each of whose
    expressions refers twice to the one before, takes hours and all memory to
    prepare, and cannot be interrupted meanwhile.
    """
    names = [
        # What stands before a point qualifies a column, and reads no rows.
        None if after is not None and after.word == "." else _name(text, token)
        for token, after in zip(found, [*found[1:], None], strict=True)
    ]
    bodies: dict[str, list[str]] = {}
    mentions = 0
    for name, first, last in _bodies(found, names):
        mentions += last - first
        if mentions > _MAX_MENTIONS:
            return True
        bodies.setdefault(name, []).extend(each for each in names[first:last] if each not in (None, name))
    weights = dict.fromkeys(bodies, 1)
    for _ in range(_ROUNDS):
        before = dict(weights)
        for name, mentioned in bodies.items():
            weights[name] = 1 + sum(weights.get(each, 0) for each in mentioned)
        if max(weights.values(), default=0) > MAX_EXPANSIONS:
            return True
        if weights == before:
            return sum(weights.get(name, 0) for name in names if name is not None) > MAX_EXPANSIONS
    return True


def _name(text: str, token: Token) -> str | None:
    if token.kind not in _NAMES:
        return None
    source = text[token.start : token.end]
    return (source if token.kind is Kind.NAME else unquoted(source)).lower()


def _bodies(found: Sequence[Token], names: Sequence[str | None]) -> Iterator[tuple[str, int, int]]:
    """The token ranges of the bodies of common table expressions: ``name [(columns)] AS [hint] (body)``."""
    partner = _parentheses(found)
    for place, token in enumerate(found):
        if token.kind is not Kind.NAME or token.word != "AS" or place == 0:
            continue
        first = place + 1
        while found[first].word in ("NOT", "MATERIALIZED"):
            first += 1
        before = partner.get(place - 1, place) - 1 if found[place - 1].word == ")" else place - 1
        name = names[before]
        if first in partner and name is not None:
            yield name, first, partner[first]


def _parentheses(found: Sequence[Token]) -> dict[int, int]:
    """For each parenthesis that has a partner the place of that."""
    partner: dict[int, int] = {}
    opened: list[int] = []
    for place, token in enumerate(found):
        if token.word == "(":
            opened.append(place)
        elif token.word == ")" and opened:
            partner[place] = opened.pop()
            partner[partner[place]] = place
    return partner
