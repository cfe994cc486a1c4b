"""Tables, columns and literals of a query that could not be resolved, from its tokens."""

from __future__ import annotations

from sqlglot import tokenize
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from equiv.core.model import Schema, Table
from equiv.core.reading.hints import Hint

_REACH = 8
"""How many tokens a literal may stand away from the column that it is held against."""

_MAX_TOKENS = 5_000


def mentions_of_text(
    sql: str,
    schema: Schema,
    mentioned: dict[str, dict[str, None]],
    hints: dict[tuple[str, str], list[Hint]],
) -> None:
    """Add what the tokens of a query mention: tables, columns of theirs, literals near these.

    A star mentions every column; views mention what their own text mentions.
    """
    try:
        tokens = tokenize(sql, read="sqlite")[:_MAX_TOKENS]
    except SqlglotError:
        return
    words = {token.text.lower() for token in tokens if token.token_type is not TokenType.NUMBER}
    for view in schema.views:
        if view.name.lower() in words and view.sql != sql:
            mentions_of_text(view.sql, schema, mentioned, hints)
    tables = [table for table in schema.tables if table.name.lower() in words]
    everything = "natural" in words or any(_is_star(tokens, at) for at in range(len(tokens)))
    for table in tables:
        known = mentioned.setdefault(table.name, {})
        known.update((c.name, None) for c in table.columns if everything or c.name.lower() in words)
    _add_hints(tokens, tables, hints)


def _is_star(tokens: list[Token], at: int) -> bool:
    """Whether a token is the star of a column list: after SELECT, DISTINCT, a comma or a dot."""
    if tokens[at].token_type is not TokenType.STAR or at == 0:
        return False
    before = tokens[at - 1].token_type
    return before in (TokenType.SELECT, TokenType.DISTINCT, TokenType.COMMA, TokenType.DOT)


def _add_hints(tokens: list[Token], tables: list[Table], hints: dict[tuple[str, str], list[Hint]]) -> None:
    named = [
        (at, (table.name, column.name))
        for table in tables
        for column in table.columns
        for at, token in enumerate(tokens)
        if token.token_type is not TokenType.NUMBER and token.text.lower() == column.name.lower()
    ]
    for at, token in enumerate(tokens):
        hint = _hint_of(token, tokens[at - 1] if at else None)
        if hint is None:
            continue
        for place, key in named:
            if abs(place - at) <= _REACH and hint not in hints[key]:
                hints[key].append(hint)


def _hint_of(token: Token, before: Token | None) -> Hint | None:
    if token.token_type is TokenType.NUMBER:
        try:
            return Hint(int(token.text))
        except ValueError:
            return Hint(float(token.text)) if token.text.replace(".", "", 1).isdigit() else None
    if token.token_type is TokenType.STRING:
        pattern = before is not None and before.text.upper() in ("LIKE", "GLOB")
        return Hint(token.text, "pattern", before.text.lower()) if pattern and before else Hint(token.text)
    return None
