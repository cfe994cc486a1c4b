"""SQL text over several lines, one clause a line, for reading and for line-by-line diffs.

Nothing but white space changes; strings, quoted names and comments are kept
as they are.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""
    '(?:[^']|'')*' | "(?:[^"]|"")*" | `(?:[^`]|``)*` | \[[^\]]*\]
    | --[^\n]* | /\*.*?(?:\*/|\Z)
    | \w+ | \s+ | .
    """,
    re.VERBOSE | re.DOTALL,
)
_CLAUSES = frozenset(
    {"SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "WINDOW", "VALUES"}
    | {"UNION", "INTERSECT", "EXCEPT", "LEFT", "RIGHT", "FULL", "JOIN"}
)
_CONNECTIVES = frozenset({"AND", "OR", "ON"})
_SIDES = frozenset({"LEFT", "RIGHT", "FULL", "OUTER", "INNER", "CROSS", "NATURAL"})
_QUERY_STARTS = frozenset({"SELECT", "WITH", "VALUES"})
_INDENT = "  "


def lines_of(sql: str) -> list[str]:
    """The query's text, broken before each clause and connective of a query (not inside calls)."""
    tokens = _TOKEN.findall(sql)
    lines: list[str] = []
    line = ""
    nesting: list[bool] = []
    previous = ""
    for position, token in enumerate(tokens):
        word = token.upper()
        in_query = not nesting or nesting[-1]
        if word == "(":
            nesting.append(_next_word(tokens, position) in _QUERY_STARTS)
        elif word == ")" and nesting:
            nesting.pop()
        elif in_query and _breaks_before(word, previous) and line.strip():
            lines.append(line)
            line = _INDENT * (sum(nesting) + (word in _CONNECTIVES))
        if token.isspace():
            line += " " if line.strip() and not line.endswith(" ") else ""
            continue
        line += token
        previous = word
        if token.startswith("--"):
            lines.append(line)
            line = _INDENT * sum(nesting)
    return [text.rstrip() for text in (*lines, line) if text.strip()]


def _breaks_before(word: str, previous: str) -> bool:
    if word == "JOIN":
        return previous not in _SIDES
    return word in _CLAUSES or word in _CONNECTIVES


def _next_word(tokens: list[str], position: int) -> str:
    following = (token.upper() for token in tokens[position + 1 :] if not token.isspace())
    return next(following, "")
