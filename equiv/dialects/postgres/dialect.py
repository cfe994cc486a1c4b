"""PostgreSQL as a dialect: its reader, engine and loader, each imported when it is first asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from equiv.dialects.postgres.session_settings import ORDER, PINNED, TAKEN
from equiv.dialects.protocol import Dialect, others_by

if TYPE_CHECKING:
    from equiv.core.model import Column, Schema
    from equiv.core.query import Broken, Query
    from equiv.dialects.postgres.live import LiveSession, RestoredSession
    from equiv.dialects.postgres.session import PostgresSession
    from equiv.dialects.protocol import Filled, Session, ValueType
    from equiv.dialects.words import Words
    from equiv.verdict import Remark

NAME = "postgres"


class PostgresReader:
    """See :class:`~equiv.dialects.protocol.Reader`."""

    def read(self, text: str, schema: Schema, empty: Session) -> Query | Broken:
        from equiv.core.query import Broken, withheld
        from equiv.dialects.postgres.read import read_query

        found = read_query(text, schema, cast("PostgresSession", empty))
        return withheld(found, schema.withheld) if isinstance(found, Broken) else found

    def filled(self, text: str, parameters: Mapping[str, str]) -> str:
        from equiv.dialects.postgres.parameters import filled

        return filled(text, parameters)

    def without_schema_names(self, text: str, schema: Schema) -> str:
        return text

    def statements(self, text: str) -> list[str]:
        from equiv.dialects.postgres.script import statements

        return [statement.text for statement in statements(text)]

    def remarks(
        self, pred: Query | Broken, gold: Query | Broken, schema: Schema, texts: tuple[str, str]
    ) -> Iterator[Remark]:
        from equiv.dialects.postgres.remarks import remarks_on

        return remarks_on(schema, pred, gold)


class PostgresEngine:
    """See :class:`~equiv.dialects.protocol.DialectEngine`."""

    @property
    def version(self) -> str:
        from equiv.dialects.postgres.embedded.server import place

        return place().version

    def empty(self, schema: Schema) -> PostgresSession:
        from equiv.dialects.postgres.session import empty_session

        return empty_session(schema)

    def open(self, path: Path) -> LiveSession | RestoredSession:
        from equiv.dialects.postgres.live import opened

        return opened(path)

    def script(self, schema: Schema, tables: Iterable[str], filled: Filled) -> str:
        from equiv.dialects.postgres.script import script
        from equiv.dialects.postgres.session import made_by

        return script(schema, tables, filled, made_by)

    def replay(self, script: str) -> PostgresSession:
        from equiv.dialects.postgres.session import replayed

        return replayed(script)

    def command(self, script: str, database: Path | None) -> list[str]:
        on = [] if database is None else [str(database)]
        return ["psql", "-X", *on, "-f", script]

    def is_plain_in_shell(self, text: str) -> bool:
        # A backslash begins a command of psql's anywhere outside of what psql takes for a string.
        return "\\" not in text

    def store(self, path: Path, schema: Schema, filled: Filled) -> None:
        from equiv.dialects.postgres.live import stored

        stored(path, schema, filled)


class PostgresLoader:
    """See :class:`~equiv.dialects.protocol.SchemaLoader`."""

    suffixes = (".sql",)

    def read_ddl(self, text: str, name: str = "") -> Schema:
        from equiv.dialects.postgres.ddl import load_ddl

        return load_ddl(text, name)

    def read_database(self, path: Path) -> Schema:
        from equiv.dialects.postgres.live import load_database

        return load_database(path)

    def value_type(self, column: Column) -> ValueType | None:
        from equiv.dialects.postgres.values import value_type

        return value_type(column)

    def type_name(self, found: ValueType) -> str | None:
        from equiv.dialects.postgres.values import type_name

        return type_name(found)

    def plain_name(self, name: str) -> str:
        from equiv.dialects.postgres.values import plain_name

        return plain_name(name)


def _words() -> Words:
    from equiv.dialects.postgres.words import WORDS

    return WORDS


POSTGRES = Dialect(
    NAME,
    "PostgreSQL",
    PostgresReader(),
    PostgresEngine(),
    PostgresLoader(),
    taken=TAKEN,
    others=others_by("postgres"),
    pinned=PINNED,
    collations=frozenset((ORDER,)),
    words=_words,
)
