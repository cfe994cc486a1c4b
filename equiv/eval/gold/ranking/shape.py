"""The shape of a query by its tokens: tables, constants, operators and the like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import pairwise

from equiv.core.lexer import Kind, Token, tokens, unquoted

_AGGREGATES = frozenset(["COUNT", "SUM", "AVG", "MIN", "MAX", "TOTAL", "GROUP_CONCAT"])
_OPERATORS = {"<>": "!=", "==": "="}
_ENDS = frozenset(["FROM", "WHERE", "GROUP", "ORDER", "LIMIT", "UNION", "INTERSECT", "EXCEPT"])


@dataclass(frozen=True, slots=True)
class Shape:
    """What a query has, whatever its aliases and its order of clauses."""

    tables: frozenset[str]
    columns: int
    """How many columns the outermost SELECT lists."""
    texts: frozenset[str]
    """Its string constants, in lower case."""
    numbers: frozenset[float]
    operators: frozenset[str]
    """Inequalities; BETWEEN counts as two."""
    aggregates: frozenset[str]
    distinct: bool
    limited: bool
    downwards: bool
    """Whether anything is sorted by DESC."""
    grouped: bool
    outer: bool
    """Whether anything is joined by an outer join."""


ASPECTS = tuple(field.name for field in fields(Shape))


@lru_cache(maxsize=4096)
def shape_of(sql: str) -> Shape:
    """The shape of a query; of anything else, too."""
    found = [token for token in tokens(sql) if token.kind is not Kind.END]
    words = [token.word for token in found]
    known = set(words)
    return Shape(
        tables=frozenset(_tables(sql, found)),
        columns=_columns(words),
        texts=frozenset(
            sql[t.start + 1 : t.end - 1].lower() for t in found if _is_text(t) and "%Y" not in t.word
        ),
        numbers=frozenset(_numbers(found)),
        operators=frozenset(_operators(words)),
        aggregates=frozenset(
            word for word, following in pairwise(words) if word in _AGGREGATES and following == "("
        ),
        distinct="DISTINCT" in known,
        limited="LIMIT" in known,
        downwards="DESC" in known,
        grouped="GROUP" in known,
        outer=bool(known & {"LEFT", "RIGHT", "FULL"}),
    )


def _is_text(token: Token) -> bool:
    return token.kind is Kind.STRING


def _tables(sql: str, found: Sequence[Token]) -> Iterator[str]:
    for before, token in pairwise(found):
        if before.word in {"FROM", "JOIN"} and token.kind in {Kind.NAME, Kind.QUOTED}:
            text = sql[token.start : token.end]
            yield (unquoted(text) if token.kind is Kind.QUOTED else text).lower()


def _columns(words: Sequence[str]) -> int:
    """Commas of the first SELECT list, and one; a query in WITH counts by its own list."""
    start = next((n for n, word in enumerate(words) if word == "SELECT"), None)
    if start is None:
        return 0
    depth, columns = 0, 1
    for word in words[start + 1 :]:
        depth += (word == "(") - (word == ")")
        if depth < 0 or (depth == 0 and word in _ENDS):
            break
        columns += depth == 0 and word == ","
    return columns


def _numbers(found: Sequence[Token]) -> Iterator[float]:
    for token in found:
        if token.kind is Kind.NUMBER:
            try:
                yield float(token.word)
            except ValueError:
                continue


def _operators(words: Sequence[str]) -> Iterator[str]:
    for word in words:
        operator = _OPERATORS.get(word, word)
        if operator == "BETWEEN":
            yield from (">=", "<=")
        elif operator in {"<", ">", "<=", ">=", "!="}:
            yield operator
