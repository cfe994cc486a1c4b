"""SQL text over several lines, one clause a line, for reading and for line-by-line diffs.

Nothing but white space changes; strings, quoted names and comments are kept
as they are.
"""

from __future__ import annotations

from equiv.core.lexer import lexemes

_CLAUSES = frozenset(
    {"SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "WINDOW", "VALUES"}
    | {"UNION", "INTERSECT", "EXCEPT", "LEFT", "RIGHT", "FULL", "JOIN"}
)
_CONNECTIVES = frozenset({"AND", "OR", "ON"})
_SIDES = frozenset({"LEFT", "RIGHT", "FULL", "OUTER", "INNER", "CROSS", "NATURAL"})
_QUERY_STARTS = frozenset({"SELECT", "WITH", "VALUES"})
_INDENT = "  "
_DEEPEST = 40
"""Queries nested deeper than this are indented no further."""


def lines_of(sql: str) -> list[str]:
    """The query's text, broken before each clause and connective of a query (not inside calls)."""
    tokens = lexemes(sql)
    lines: list[str] = []
    line = ""
    nesting: list[bool] = []
    depth = 0
    previous = ""
    for token, following in zip(tokens, _following(tokens), strict=True):
        word = token.upper()
        in_query = not nesting or nesting[-1]
        if word == "(":
            nesting.append(following in _QUERY_STARTS)
            depth += nesting[-1]
        elif word == ")" and nesting:
            depth -= nesting.pop()
        elif in_query and _breaks_before(word, previous) and line.strip():
            lines.append(line)
            line = _INDENT * (min(depth, _DEEPEST) + (word in _CONNECTIVES))
        if token.isspace():
            line += " " if line.strip() and not line.endswith(" ") else ""
            continue
        line += token
        previous = word
        if token.startswith("--"):
            lines.append(line)
            line = _INDENT * min(depth, _DEEPEST)
    return [text.rstrip() for text in (*lines, line) if text.strip()]


def _breaks_before(word: str, previous: str) -> bool:
    if word == "JOIN":
        return previous not in _SIDES
    return word in _CLAUSES or word in _CONNECTIVES


def _following(tokens: list[str]) -> list[str]:
    """For each token the next that is no white space, in upper case."""
    found, following = [], ""
    for token in reversed(tokens):
        found.append(following)
        following = following if token.isspace() else token.upper()
    return found[::-1]
