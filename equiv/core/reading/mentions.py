"""Tables, columns and literals of a query that could not be resolved, from its tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from equiv.core.lexer import Kind, Token, name_of, tokens
from equiv.core.model import Schema, Table
from equiv.core.reading.hints import Hint
from equiv.graphs import depth_first_postorder

_REACH = 8
"""How many tokens a literal may stand away from the column that it is held against."""

_MAX_TOKENS = 5_000


@dataclass(frozen=True, slots=True)
class _Lexeme:
    """A token, and what it names, quotes removed."""

    token: Token
    text: str

    @property
    def name(self) -> str:
        """In lower case, as names are compared; a string may be a name too; '' where it cannot be one."""
        named = self.token.kind in (Kind.NAME, Kind.QUOTED, Kind.STRING)
        return self.text.lower() if named else ""


def mentions_of_text(
    sql: str,
    schema: Schema,
    mentioned: dict[str, dict[str, None]],
    hints: dict[tuple[str, str], list[Hint]],
) -> None:
    """Add what the tokens of a query mention: tables, columns of theirs, literals near these.

    A star mentions every column; views mention what their own text mentions.
    """

    @cache
    def lexemes_of(text: str) -> list[_Lexeme]:
        return list(islice(_lexemes(text), _MAX_TOKENS))

    def views_in(text: str) -> list[str]:
        names = {lexeme.name for lexeme in lexemes_of(text)}
        return [view.sql for view in schema.views if view.name.lower() in names]

    for text in depth_first_postorder([sql], views_in):
        _add(lexemes_of(text), schema, mentioned, hints)


def _lexemes(text: str) -> Iterator[_Lexeme]:
    """The lexemes of a text; of a name in square brackets (elsewhere a list) what is in it too."""
    for token in tokens(text):
        yield _Lexeme(token, name_of(text, token))
        if token.kind is Kind.QUOTED and text[token.start] == "[":
            inner = text[token.start + 1 : token.end - 1]
            yield from (_Lexeme(each, name_of(inner, each)) for each in tokens(inner))


def _add(
    lexemes: Sequence[_Lexeme],
    schema: Schema,
    mentioned: dict[str, dict[str, None]],
    hints: dict[tuple[str, str], list[Hint]],
) -> None:
    names = {lexeme.name for lexeme in lexemes}
    tables = [table for table in schema.tables if table.name.lower() in names]
    everything = "natural" in names or any(_is_star(lexemes, at) for at in range(1, len(lexemes)))
    for table in tables:
        known = mentioned.setdefault(table.name, {})
        known.update((c.name, None) for c in table.columns if everything or c.name.lower() in names)
    _add_hints(lexemes, tables, hints)


def _is_star(lexemes: Sequence[_Lexeme], at: int) -> bool:
    """Whether a token is the star of a column list: after SELECT, DISTINCT, a comma or a dot."""
    return lexemes[at].token.word == "*" and lexemes[at - 1].token.word in ("SELECT", "DISTINCT", ",", ".")


def _add_hints(
    lexemes: Sequence[_Lexeme], tables: Sequence[Table], hints: dict[tuple[str, str], list[Hint]]
) -> None:
    places: dict[str, list[int]] = {}
    for at, lexeme in enumerate(lexemes):
        places.setdefault(lexeme.name, []).append(at)
    named = [
        (at, (table.name, column.name))
        for table in tables
        for column in table.columns
        for at in places.get(column.name.lower(), ())
    ]
    for at, lexeme in enumerate(lexemes):
        hint = _hint_of(lexeme, lexemes[at - 1].token.word if at else "")
        if hint is None:
            continue
        for place, key in named:
            if abs(place - at) <= _REACH and hint not in hints[key]:
                hints[key].append(hint)


def _hint_of(lexeme: _Lexeme, before: str) -> Hint | None:
    text = lexeme.text
    match lexeme.token.kind:
        case Kind.NUMBER:
            try:
                return Hint(int(text))
            except ValueError:
                return Hint(float(text)) if text.replace(".", "", 1).isdigit() else None
        case Kind.STRING:
            return Hint(text, "pattern", before.lower()) if before in ("LIKE", "GLOB") else Hint(text)
    return None
