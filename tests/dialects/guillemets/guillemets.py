"""A dialect for tests: SQLite with names quoted «so», and no other quotes for names.

Its engine refuses whatever is quoted otherwise, so that a query of the core that is run there, or a query of
the dialect that is run on the core, fails instead of passing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from equiv.cells import Cell
from equiv.core.lexer import TokenKind, tokens, unquoted
from equiv.core.model import Schema
from equiv.core.query import Broken, Query
from equiv.core.runner import DEFAULT_LIMITS, Failure, Guarded, Limits, Result, RunnerError
from equiv.dialects.protocol import Dialect, Filled, Session
from equiv.dialects.registry import reference
from equiv.errors import InputError
from equiv.verdict import Remark

NAME = "guillemets"

_PART = re.compile(r"""'[^']*'|--[^\n]*|/\*.*?(?:\*/|\Z)|«(?P<name>[^»]*)»|(?P<foreign>["`\[«])""", re.DOTALL)


class ForeignQuoteError(ValueError):
    """A text has quotes for names that the dialect does not know."""


def to_core(text: str) -> str:
    """The text with names quoted as the core quotes them."""

    def change(found: re.Match[str]) -> str:
        if found["foreign"]:
            raise ForeignQuoteError(f"unrecognized quote: {found['foreign']}")
        if found["name"] is None:
            return found[0]
        return '"' + found["name"].replace('"', '""') + '"'

    return _PART.sub(change, text)


def from_core(text: str) -> str:
    """A text of the core with its quoted names quoted «so»."""
    parts, position = [], 0
    for token in tokens(text):
        if token.kind is TokenKind.QUOTED:
            name = unquoted(text[token.start : token.end])
            parts += [text[position : token.start], f"«{name}»"]
            position = token.end
    return "".join([*parts, text[position:]])


@dataclass(frozen=True)
class OwnSession:
    """A database that takes the dialect's text only."""

    inner: Session

    @property
    def core(self) -> Guarded:
        return self.inner.core

    @property
    def has_core(self) -> bool:
        return self.inner.has_core

    def run(
        self, text: str, limits: Limits = DEFAULT_LIMITS, values: Mapping[str, Cell] | None = None
    ) -> Result | Failure:
        try:
            return self.inner.run(to_core(text), limits, values)
        except ForeignQuoteError as error:
            return Failure("error", str(error))

    def close(self) -> None:
        self.inner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class Reader:
    """Reads the dialect's text as SQLite's with other quotes."""

    def read(self, text: str, schema: Schema, empty: Session) -> Query | Broken:
        try:
            inner = to_core(text)
        except ForeignQuoteError as error:
            return Broken("SYNTAX", str(error))
        found = reference().reader.read(inner, schema, empty)
        if isinstance(found, Broken):
            return found
        return replace(found, sql=from_core(found.sql), core_text=found.sql)

    def at_instant(self, text: str, instant: str) -> str | None:
        del text, instant
        return None

    def filled(self, text: str, parameters: Mapping[str, str]) -> str:
        literals = {name: from_core(literal) for name, literal in parameters.items()}
        return from_core(reference().reader.filled(to_core(text), literals))

    def without_schema_names(self, text: str, schema: Schema) -> str:
        return text

    def statements(self, text: str) -> list[str]:
        return [from_core(each) for each in reference().reader.statements(to_core(text))]

    def remarks(
        self, pred: Query | Broken, gold: Query | Broken, schema: Schema, texts: tuple[str, str]
    ) -> Iterator[Remark]:
        return iter(())


class Engine:
    """SQLite behind the dialect's quotes."""

    @property
    def version(self) -> str:
        return reference().engine.version

    def is_plain_in_shell(self, text: str) -> bool:
        return reference().engine.is_plain_in_shell(to_core(text))

    def empty(self, schema: Schema) -> OwnSession:
        return OwnSession(reference().engine.empty(schema))

    def open(self, path: Path) -> OwnSession:
        return OwnSession(reference().engine.open(path))

    def script(self, schema: Schema, tables: Iterable[str], filled: Filled) -> str:
        return from_core(reference().engine.script(schema, tables, filled))

    def replay(self, script: str) -> OwnSession:
        try:
            return OwnSession(reference().engine.replay(to_core(script)))
        except ForeignQuoteError as error:
            raise RunnerError(str(error)) from None

    def command(self, script: str, database: Path | None) -> list[str]:
        return [NAME, *([str(database)] if database else []), script]

    def store(self, path: Path, schema: Schema, filled: Filled) -> None:
        reference().engine.store(path, schema, filled)


class Loader:
    """Schemas by SQLite's loader, from DDL in the dialect's quotes."""

    suffixes = (".sqlite",)

    def read_ddl(self, text: str, name: str = "") -> Schema:
        try:
            return replace(reference().loader.read_ddl(to_core(text), name), dialect=NAME)
        except ForeignQuoteError as error:
            raise InputError(f"{name or 'DDL'}: {error}") from None

    def read_database(self, path: Path) -> Schema:
        return replace(reference().loader.read_database(path), dialect=NAME)


GUILLEMETS = Dialect(NAME, "SQLite in guillemets", Reader(), Engine(), Loader())
