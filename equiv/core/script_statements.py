"""Scripts split into their statements: a trigger is one, whatever semicolons its body has."""

from __future__ import annotations

from collections.abc import Iterator

from equiv.core.lexer import Kind, Token, tokens


def statements(text: str) -> Iterator[str]:
    """The statements of a script with their comments and semicolons; the last may be incomplete or empty."""
    start = 0
    for parts in _split(text):
        end = parts[-1].end if parts[-1].word == ";" else len(text)
        yield text[start:end]
        start = end


def bare_statements(text: str, *, bodiless: bool = False) -> list[str]:
    r"""The statements of a script without semicolons and the comments between them; empty ones are left out.

    Args:
        text: the script.
        bodiless: whether every semicolon ends a statement: triggers in dumps of other systems call functions.

    >>> bare_statements("SELECT ';' -- one; two\n; SELECT 2;;")
    ["SELECT ';'", 'SELECT 2']
    """
    bare = ([part for part in parts if part.kind is not Kind.END] for parts in _split(text, bodiless))
    ended = (parts[:-1] if parts and parts[-1].word == ";" else parts for parts in bare)
    return [text[parts[0].start : parts[-1].end] for parts in ended if parts]


def _split(text: str, bodiless: bool = False) -> Iterator[list[Token]]:
    """The tokens of each statement, its semicolon the last; of what follows the last one, up to END."""
    parts: list[Token] = []
    state = "start"
    for token in tokens(text):
        parts.append(token)
        state = _after(state, token)
        if token.word == ";" and (bodiless or state == "start"):
            yield parts
            parts = []
    yield parts


_STATES: dict[str, dict[str, str]] = {
    "start": {";": "start", "EXPLAIN": "explain", "CREATE": "create"},
    "normal": {";": "start"},
    "explain": {";": "start", "CREATE": "create", "": "explain"},
    "create": {";": "start", "TEMP": "create", "TEMPORARY": "create", "TRIGGER": "trigger"},
    "trigger": {";": "semicolon", "": "trigger"},
    "semicolon": {";": "semicolon", "END": "end", "": "trigger"},
    "end": {";": "start", "": "trigger"},
}
"""Where a statement ends, after sqlite3_complete: a trigger has semicolons of its own.

For each state the next one by a token's word, '' for any other word; where that is missing, ``normal``.
"""


def _after(state: str, token: Token) -> str:
    word = token.word if token.kind in (Kind.NAME, Kind.SIGN) else "other"
    following = _STATES[state]
    return following.get(word) or following.get("", "normal")
