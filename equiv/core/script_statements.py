"""The statements of a script, triggers included."""

from __future__ import annotations

from collections.abc import Iterator

from equiv.core.lexer import Kind, Token, tokens


def statements(text: str) -> Iterator[str]:
    """The statements of a script as they stand there, the last maybe incomplete or empty."""
    start, state = 0, "start"
    for token in tokens(text):
        state = _after(state, token)
        if state == "start" and token.word == ";":
            yield text[start : token.end]
            start = token.end
    yield text[start:]


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
