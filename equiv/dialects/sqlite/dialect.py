"""SQLite as a dialect: its reader, engine and loader, each imported when it is first asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

from equiv.core.runner import DEFAULT_LIMITS, VERSION, Guarded, Limits, open_file, open_memory
from equiv.dialects.protocol import Reference

if TYPE_CHECKING:
    from sqlglot import exp

    from equiv.cells import Cell
    from equiv.core.model import Column, Schema, Table
    from equiv.core.query import Broken, Query
    from equiv.core.runner import Failure, Result
    from equiv.dialects.protocol import Filled, Session, ValueType
    from equiv.verdict import Remark


@dataclass(frozen=True)
class OnRunner:
    """A database of the core's runner, which is SQLite: its own text runs there as it is."""

    core: Guarded
    has_core: ClassVar[bool] = True

    def run(
        self, text: str, limits: Limits = DEFAULT_LIMITS, values: Mapping[str, Cell] | None = None
    ) -> Result | Failure:
        """See :class:`~equiv.dialects.protocol.Session`."""
        if not values:
            return self.core.run(text, limits)
        from equiv.core.texts import values_for

        return self.core.run(text, limits, values_for(text, values))

    def close(self) -> None:
        """Close the connection."""
        self.core.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class SqliteReader:
    """See :class:`~equiv.dialects.protocol.Reader`."""

    def read(self, text: str, schema: Schema, empty: Session) -> Query | Broken:
        from equiv.dialects.sqlite.read import read_query

        return read_query(text, schema, empty.core.connection)

    def filled(self, text: str, parameters: Mapping[str, str]) -> str:
        from equiv.core.lexer import tokens
        from equiv.core.texts import placeholders, replaced

        return replaced(text, placeholders(text, tokens(text)), lambda place: parameters[place.name])

    def without_schema_names(self, text: str, schema: Schema) -> str:
        from equiv.dialects.sqlite.foreign import unqualified

        return unqualified(text, schema)

    def statements(self, text: str) -> list[str]:
        from equiv.core.texts import bare_statements

        return bare_statements(text)

    def remarks(
        self, pred: Query | Broken, gold: Query | Broken, schema: Schema, texts: tuple[str, str]
    ) -> Iterator[Remark]:
        from equiv.dialects.sqlite.remarks import remarks_on, remarks_on_versions

        yield from remarks_on(pred, gold, schema)
        yield from remarks_on_versions(*texts)


class SqliteEngine:
    """See :class:`~equiv.dialects.protocol.Engine` and :class:`~equiv.dialects.protocol.Rerunner`."""

    @property
    def version(self) -> str:
        return VERSION

    def empty(self, schema: Schema) -> OnRunner:
        from equiv.dialects.sqlite.schema.writing import empty_database

        return OnRunner(empty_database(schema))

    def open(self, path: Path) -> OnRunner:
        return OnRunner(open_file(path))

    def script(self, schema: Schema, tables: Iterable[str], filled: Filled) -> str:
        from equiv.dialects.sqlite.schema.writing import script

        return script(schema, tables, filled)

    def replay(self, script: str) -> OnRunner:
        engine = open_memory()
        engine.connection.run_script(script)
        return OnRunner(engine)

    @property
    def other_version(self) -> str:
        from equiv.dialects.sqlite.versions import other_version

        return other_version()

    def run_elsewhere(self, script: str, texts: Sequence[str], limits: Limits) -> list[Result | Failure]:
        from equiv.dialects.sqlite.versions import run_elsewhere

        return run_elsewhere(script, texts, limits)

    def command(self, script: str, database: Path | None) -> list[str]:
        on = (":memory:",) if database is None else ("-readonly", str(database))
        return ["sqlite3", *on, f".read {script}"]

    def is_plain_in_shell(self, text: str) -> bool:
        lines = text.split("\n")
        return not any(
            line.lstrip()[:1] in {".", "#"} or line.strip().lower() in {"/", "go"} for line in lines
        )

    def store(self, path: Path, schema: Schema, filled: Filled) -> None:
        from equiv.dialects.sqlite.schema.writing import store

        store(path, schema, filled)


class SqliteLoader:
    """See :class:`~equiv.dialects.protocol.SchemaLoader`."""

    suffixes = (".sqlite", ".db", ".sqlite3")

    def read_ddl(self, text: str, name: str = "") -> Schema:
        from equiv.dialects.sqlite.schema.ddl import load_ddl

        return load_ddl(text, name)

    def read_database(self, path: Path) -> Schema:
        from equiv.dialects.sqlite.schema.pragmas import load_sqlite
        from equiv.dialects.sqlite.schema.render import with_sound_triggers

        return with_sound_triggers(load_sqlite(path))

    def value_type(self, column: Column) -> ValueType | None:
        from equiv.dialects.sqlite.telling import value_type

        return value_type(column)

    def type_name(self, found: ValueType) -> str | None:
        from equiv.dialects.sqlite.telling import type_name

        return type_name(found)

    def plain_name(self, name: str) -> str:
        return name


def _create(schema: Schema, tables: Iterable[str] | None = None) -> list[str]:
    from equiv.dialects.sqlite.schema.render import create_statements

    return create_statements(schema, tables)


def _parse(text: str) -> exp.Expression:
    from equiv.dialects.sqlite.grammar.queries import read

    return read(text)


def _rows_breaking(check: str, table: Table) -> exp.Expression | None:
    from equiv.dialects.sqlite.checks import rows_breaking

    return rows_breaking(check, table)


SQLITE = Reference(
    "sqlite", "SQLite", SqliteReader(), SqliteEngine(), SqliteLoader(), _create, _parse, _rows_breaking
)
