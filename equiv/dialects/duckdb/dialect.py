"""DuckDB as a dialect: its reader, engine and loader, each imported when it is first asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from equiv.dialects.duckdb.session_settings import COLLATION, PINNED, TAKEN
from equiv.dialects.protocol import Dialect
from equiv.errors import InputError

if TYPE_CHECKING:
    from equiv.core.model import Column, Schema
    from equiv.core.query import Broken, Query
    from equiv.dialects.duckdb.files import FileSession
    from equiv.dialects.duckdb.session import DuckdbSession
    from equiv.dialects.protocol import Filled, Session, ValueType
    from equiv.dialects.words import Words
    from equiv.verdict import Remark

NAME = "duckdb"


def _require_library() -> None:
    """Make sure that DuckDB is installed.

    Raises:
        InputError: it is not.
    """
    try:
        import equiv.dialects.duckdb.database  # noqa: F401 - whether it can be
    except ImportError:
        raise InputError("the dialect duckdb wants the library duckdb: pip install 'equiv[duckdb]'") from None


class DuckdbReader:
    """See :class:`~equiv.dialects.protocol.Reader`."""

    def read(self, text: str, schema: Schema, empty: Session) -> Query | Broken:
        from equiv.core.query import Broken, withheld
        from equiv.dialects.duckdb.read import read_query

        found = read_query(text, schema, cast("DuckdbSession", empty))
        return withheld(found, schema.withheld) if isinstance(found, Broken) else found

    def filled(self, text: str, parameters: Mapping[str, str]) -> str:
        return text

    def without_schema_names(self, text: str, schema: Schema) -> str:
        return text

    def statements(self, text: str) -> list[str]:
        _require_library()
        from equiv.dialects.duckdb.database import DuckdbDatabase, DuckdbError

        with DuckdbDatabase() as database:
            try:
                return [statement for _, statement in database.kinds(text)]
            except (DuckdbError, RuntimeError, ValueError):
                return [text]

    def remarks(
        self, pred: Query | Broken, gold: Query | Broken, schema: Schema, texts: tuple[str, str]
    ) -> Iterator[Remark]:
        from equiv.dialects.typed.remarks import remarks_on

        return remarks_on(schema, pred, gold)


class DuckdbEngine:
    """See :class:`~equiv.dialects.protocol.DialectEngine`."""

    @property
    def version(self) -> str:
        _require_library()
        from equiv.dialects.duckdb.database import VERSION

        return VERSION

    def empty(self, schema: Schema) -> DuckdbSession:
        _require_library()
        from equiv.dialects.duckdb.session import empty_session

        return empty_session(schema)

    def open(self, path: Path) -> FileSession:
        _require_library()
        from equiv.dialects.duckdb.files import opened

        return opened(path)

    def script(self, schema: Schema, tables: Iterable[str], filled: Filled) -> str:
        from equiv.dialects.duckdb.script import script

        return script(schema, tables, filled)

    def replay(self, script: str) -> DuckdbSession:
        _require_library()
        from equiv.dialects.duckdb.session import replayed

        return replayed(script)

    def loaded(self, schema: Schema, filled: Filled) -> DuckdbSession:
        """See :class:`~equiv.dialects.protocol.Loading`."""
        found = self.replay(self.script(schema, list(filled), {}))
        try:
            found.fill(filled)
        except BaseException:
            found.close()
            raise
        return found

    def command(self, script: str, database: Path | None) -> list[str]:
        on = [":memory:"] if database is None else ["-readonly", str(database)]
        return ["duckdb", *on, "-f", script]

    def is_plain_in_shell(self, text: str) -> bool:
        # A line that begins with a dot is a command of the shell's.
        return not any(line.startswith(".") for line in text.splitlines())

    def store(self, path: Path, schema: Schema, filled: Filled) -> None:
        _require_library()
        from equiv.dialects.duckdb.files import stored

        stored(path, schema, filled)


class DuckdbLoader:
    """See :class:`~equiv.dialects.protocol.SchemaLoader`."""

    suffixes = (".duckdb", ".db")

    def read_ddl(self, text: str, name: str = "") -> Schema:
        _require_library()
        from equiv.dialects.duckdb.files import load_ddl

        return load_ddl(text, name)

    def read_database(self, path: Path) -> Schema:
        _require_library()
        from equiv.dialects.duckdb.files import opened, whole_schema

        with opened(path) as session:
            return whole_schema(session.database, session.schema.name)

    def value_type(self, column: Column) -> ValueType | None:
        from equiv.dialects.duckdb.values import value_type

        return value_type(column)

    def type_name(self, found: ValueType) -> str | None:
        from equiv.dialects.duckdb.values import type_name

        return type_name(found)

    def plain_name(self, name: str) -> str:
        return name


def _words() -> Words:
    from equiv.dialects.duckdb.words import WORDS

    return WORDS


DUCKDB = Dialect(
    NAME,
    "DuckDB",
    DuckdbReader(),
    DuckdbEngine(),
    DuckdbLoader(),
    taken=TAKEN,
    pinned=PINNED,
    collations=frozenset((COLLATION,)),
    words=_words,
)
