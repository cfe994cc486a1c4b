"""DuckDB as a dialect: what its engine brings, imported when it is first asked."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from equiv.core.lexer import name_of, tokens
from equiv.dialects.duckdb.session_settings import COLLATION, PINNED, TAKEN
from equiv.dialects.protocol import Dialect
from equiv.dialects.typed.dialect import EngineParts, TypedEngine, TypedLoader, TypedReader
from equiv.dialects.typed.query_texts import DatabaseNaming
from equiv.errors import InputError
from equiv.names import fold

if TYPE_CHECKING:
    from equiv.core.model import Schema
    from equiv.dialects.duckdb.session import DuckdbSession
    from equiv.dialects.protocol import Filled
    from equiv.dialects.words import Words


_READ = "2"
"""The first number of the versions that are read."""


@cache
def _parts() -> EngineParts:
    """What DuckDB brings.

    Raises:
        InputError: its library is not installed, or in a version whose arithmetic is another.
    """
    try:
        from equiv.dialects.duckdb.database import VERSION, statements_of
    except ImportError:
        raise InputError("the dialect duckdb needs the package duckdb: pip install 'equiv[duckdb]'") from None
    if VERSION.partition(".")[0] != _READ:
        raise InputError(
            f"DuckDB {VERSION} is installed, and equiv reads DuckDB {_READ} alone (before it a division by"
            " zero is NULL, not an error): pip install 'duckdb>=2,<3'"
        )
    from equiv.dialects.duckdb import files, parameters, read, session, values
    from equiv.dialects.duckdb.session import script

    return EngineParts(
        version=lambda: VERSION,
        read=read.read_query,
        statements=statements_of,
        empty=session.empty_session,
        open=files.opened,
        script=script,
        replay=session.replayed,
        store=files.stored,
        filled=parameters.filled,
        at_instant=parameters.at_instant,
        read_ddl=files.load_ddl,
        read_database=files.load_database,
        told=values.TOLD,
        naming=DatabaseNaming(
            "main", lambda name: fold(name_of(name, tokens(name)[0])), may_skip_schema=True
        ),
    )


class DuckdbEngine(TypedEngine):
    """The engine, which takes the rows of a populated database at once, too."""

    def loaded(self, schema: Schema, filled: Filled) -> DuckdbSession:
        """See :class:`~equiv.dialects.protocol.Loading`."""
        from equiv.dialects.duckdb.session import replayed

        with replayed(self.script(schema, list(filled), {})).handed_on() as found:
            found.fill(filled)
        return found


def _shell(script: str, database: Path | None) -> list[str]:
    return ["duckdb", *([":memory:"] if database is None else ["-readonly", str(database)]), "-f", script]


@cache
def _words() -> Words:
    from equiv.dialects.duckdb.session import DuckdbDatabases
    from equiv.dialects.words import read_words

    return read_words(Path(__file__).parent, DuckdbDatabases, often=2)


DUCKDB = Dialect(
    "duckdb",
    "DuckDB",
    TypedReader(_parts),
    # A line that begins with a dot is a command of the shell's.
    DuckdbEngine(_parts, _shell, lambda text: any(line.startswith(".") for line in text.splitlines())),
    TypedLoader(_parts, (".duckdb", ".db")),
    taken=TAKEN,
    pinned=PINNED,
    collations=frozenset((COLLATION,)),
    words=_words,
)
