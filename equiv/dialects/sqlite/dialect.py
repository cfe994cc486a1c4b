"""SQLite as a dialect: its reader, engine and loader, each imported when it is first asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from equiv.core.model import Affinity, Column, Domain
from equiv.core.runner import DEFAULT_LIMITS, VERSION, Guarded, Limits, open_file, open_memory
from equiv.dialects.protocol import ReferenceDialect, ValueSort, ValueType
from equiv.scratch import Closing

if TYPE_CHECKING:
    from sqlglot import exp

    from equiv.cells import Cell
    from equiv.core.model import Schema, Table
    from equiv.core.query import Broken, Query
    from equiv.core.runner import Failure, Result
    from equiv.dialects.protocol import Filled, Session
    from equiv.verdict import Remark


_DECIMAL = re.compile(r"(?:NUMERIC|DECIMAL|DEC|NUMBER)(?: ?\((\d{1,4})(?: ?, ?(\d{1,4}))?\))?\Z")
_CALENDAR = {
    "DATE": ValueSort.DATE,
    "DATE TEXT": ValueSort.DATE,
    "DATETIME": ValueSort.TIMESTAMP,
    "TIMESTAMP": ValueSort.TIMESTAMP,
    "TIMESTAMP TEXT": ValueSort.TIMESTAMP,
    "BLOB": ValueSort.BYTES,
}
_NAMES = {
    ValueSort.INTEGER: "INTEGER",
    ValueSort.FLOAT: "REAL",
    ValueSort.TEXT: "TEXT",
    ValueSort.BOOLEAN: "BOOLEAN",
    ValueSort.DATE: "DATE TEXT",
    ValueSort.TIMESTAMP: "TIMESTAMP TEXT",
    ValueSort.BYTES: "BLOB",
}


def value_type(column: Column) -> ValueType | None:
    """The kind of values that the declared type promises; no length of a text is enforced."""
    if column.collation.upper() != "BINARY":
        return None
    name = " ".join(column.declared_type.upper().split())
    if name in _CALENDAR:
        return ValueType(_CALENDAR[name])
    decimal = _DECIMAL.match(name)
    if decimal is not None:
        return ValueType(ValueSort.NUMBER, int(decimal[1] or 0), int(decimal[2] or 0))
    match column.domain, column.affinity:
        case Domain.INTEGER, Affinity.INTEGER:
            return ValueType(ValueSort.INTEGER, 64)
        case Domain.NUMBER, Affinity.REAL:
            return ValueType(ValueSort.FLOAT)
        case Domain.BOOLEAN, Affinity.NUMERIC if name in ("BOOL", "BOOLEAN"):
            return ValueType(ValueSort.BOOLEAN)
        case Domain.TEXT, Affinity.TEXT if not {"DATE", "TIME"} & set(name.partition("(")[0].split()):
            return ValueType(ValueSort.TEXT)
    return None


def type_name(found: ValueType) -> str:
    """The declared type of a column that stores such values."""
    if found.sort is ValueSort.NUMBER:
        return f"NUMERIC({found.width}, {found.scale})" if found.width else "NUMERIC"
    return _NAMES[found.sort]


@dataclass(frozen=True)
class OnRunner(Closing):
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


class SqliteReader:
    """See :class:`~equiv.dialects.protocol.Reader`."""

    def read(self, text: str, schema: Schema, empty: Session) -> Query | Broken:
        from equiv.dialects.sqlite.read import read_query

        return read_query(text, schema, empty.core.connection)

    def at_instant(self, text: str, instant: str) -> str | None:
        del text, instant
        return None

    def filled(self, text: str, parameters: Mapping[str, str]) -> str:
        from equiv.core.lexer import tokens
        from equiv.core.texts import placeholders, replaced

        return replaced(text, placeholders(text, tokens(text)), lambda place: parameters[place.name])

    def without_schema_names(self, text: str, schema: Schema) -> str:
        from equiv.dialects.sqlite.attached import unqualified

        return unqualified(text, schema) or text

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
    """See :class:`~equiv.dialects.protocol.DialectEngine` and :class:`~equiv.dialects.protocol.Rerunner`."""

    @property
    def version(self) -> str:
        return VERSION

    def empty(self, schema: Schema) -> OnRunner:
        from equiv.dialects.sqlite.render import empty_database

        return OnRunner(empty_database(schema))

    def open(self, path: Path) -> OnRunner:
        return OnRunner(open_file(path))

    def script(self, schema: Schema, tables: Iterable[str], filled: Filled) -> str:
        from equiv.dialects.sqlite.render import script

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
        from equiv.dialects.sqlite.render import store

        store(path, schema, filled)


class SqliteLoader:
    """See :class:`~equiv.dialects.protocol.SchemaLoader`."""

    suffixes = (".sqlite", ".db", ".sqlite3")

    def read_ddl(self, text: str, name: str = "") -> Schema:
        from equiv.dialects.sqlite.ddl import load_ddl

        return load_ddl(text, name)

    def read_database(self, path: Path) -> Schema:
        from equiv.dialects.sqlite.pragmas import load_sqlite
        from equiv.dialects.sqlite.render import with_sound_triggers

        return with_sound_triggers(load_sqlite(path))

    def value_type(self, column: Column) -> ValueType | None:

        return value_type(column)

    def type_name(self, found: ValueType) -> str | None:

        return type_name(found)

    def plain_name(self, name: str) -> str:
        return name


def _create(schema: Schema, tables: Iterable[str] | None = None) -> list[str]:
    from equiv.dialects.sqlite.render import create_statements

    return create_statements(schema, tables)


def _parse(text: str) -> exp.Expression:
    from equiv.dialects.sqlite.grammar.queries import read

    return read(text)


def _rows_breaking(check: str, table: Table) -> exp.Expression | None:
    from equiv.dialects.sqlite.resolve.trees import rows_breaking

    return rows_breaking(check, table)


def _read_unprepared(text: str, schema: Schema) -> Query:
    from equiv.dialects.sqlite.read import read_unprepared

    return read_unprepared(text, schema)


SQLITE = ReferenceDialect(
    "sqlite",
    "SQLite",
    SqliteReader(),
    SqliteEngine(),
    SqliteLoader(),
    _create,
    _parse,
    _rows_breaking,
    _read_unprepared,
)
