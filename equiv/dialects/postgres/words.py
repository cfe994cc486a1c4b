"""PostgreSQL's words for random schemas and questions, and databases that answer under any settings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from equiv.cells import Cell, Row
from equiv.dialects.postgres import server
from equiv.dialects.postgres.values import Family, cell_of, family_of
from equiv.dialects.postgres.wire import Address, Wire, WireError
from equiv.dialects.words import read_questions, read_words

_FOLDER = Path(__file__).parent
_OWN = read_questions(_FOLDER / "questions.sql")

SERVER = "EQUIV_FUZZ_POSTGRES"
"""The variable of the environment with the URL of a server on which databases are opened in place of the
embedded one: its ICU collations are drawn, too, each as the collation of all columns.  They are made in one
transaction, which is rolled back."""


class PostgresDatabases:
    """Databases of one schema, as schemas of one database; columns of texts have a collation that is drawn.

    Args:
        ddl: the statements that make the tables.
        filled: for each database the statements that fill it; one that is refused is passed over.
    """

    def __init__(self, ddl: str, filled: Sequence[Sequence[str]]) -> None:
        url = os.environ.get(SERVER, "")
        self._wire = Wire(Address("", url=url)) if url else server.borrow()
        self._give_back = Wire.close if url else server.give_back
        self._count = len(filled)
        self._wire.execute(
            "BEGIN; SET LOCAL statement_timeout = 2000; SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = ISO"
        )
        for number, statements in enumerate(filled):
            self._make(f"w{number}", ddl)
            self._fill(statements)
            self._make(f"w{number + self._count}", ddl)
            self._copy(f"w{number}", backwards=True)
        self._collations = ("C", *self._foreign())
        for at, _ in enumerate(self._collations[1:], 1):
            for number in range(2 * self._count):
                self._make(f"c{at}w{number}", ddl)
                self._collate(self._collations[at])
                self._copy(f"w{number}", backwards=False)
        self._wire.execute("SAVEPOINT ready")
        self.settings = {**WORDS.settings, "lc_collate": self._collations}

    def _foreign(self) -> list[str]:
        """Some collations by which texts are in another order than that of their bytes."""
        asked = "SELECT collname FROM pg_collation WHERE collprovider = 'i' AND collname = ANY ($1::text[])"
        found = [str(name) for (name,) in self._wire.one(asked, ("{en-US-x-icu,sv-x-icu,unicode}",)).rows]
        self._wire.execute("SAVEPOINT icu")
        try:
            self._wire.execute("".join(f"SELECT 'a' < 'B' COLLATE \"{each}\";" for each in found))
        except WireError:
            found = []
        self._wire.execute("ROLLBACK TO icu")
        return found

    def _make(self, name: str, ddl: str) -> None:
        self._wire.execute(f"CREATE SCHEMA {name}; SET LOCAL search_path = {name}; {ddl}")

    def _fill(self, statements: Sequence[str]) -> None:
        for statement in statements:
            self._wire.execute("SAVEPOINT filling")
            with suppress(WireError):
                self._wire.execute(statement)
                continue
            self._wire.execute("ROLLBACK TO filling")

    def _copy(self, source: str, *, backwards: bool) -> None:
        order = " ORDER BY ctid DESC" if backwards else ""
        for table in ("t", "u"):
            self._wire.execute(f"INSERT INTO {table} SELECT * FROM {source}.{table}{order}")

    def _collate(self, collation: str) -> None:
        for table in ("t", "u"):
            for name, kind in self._wire.one(_OF_TEXTS, (table,)).rows:
                changed = f'ALTER COLUMN "{name}" TYPE {kind} COLLATE "{collation}"'
                self._wire.execute(f"ALTER TABLE {table} {changed}")

    def rows(self, number: int, settings: Mapping[str, str], texts: Sequence[str]) -> list[list[Row] | None]:
        """See :class:`~equiv.dialects.words.OpenDatabases`."""
        at = self._collations.index(settings["lc_collate"])
        where = f"w{number}" if at == 0 else f"c{at}w{number}"
        given = [f"SET LOCAL {name} = '{value}'" for name, value in settings.items() if name != "lc_collate"]
        path = f"SET LOCAL search_path = {where}"
        self._wire.execute("; ".join(("ROLLBACK TO ready", *given, path, "SAVEPOINT asking")))
        return [self._answer(text) for text in texts]

    def _answer(self, text: str) -> list[Row] | None:
        try:
            found = self._wire.execute(text)
        except WireError:
            self._wire.execute("ROLLBACK TO asking")
            return None
        return [tuple(map(_cell, row, found.types)) for row in found.rows]

    def close(self) -> None:
        """See :class:`~equiv.dialects.words.OpenDatabases`."""
        self._give_back(self._wire)


def _cell(value: str | None, kind: int) -> Cell:
    """The cell of a value; dates and times as the settings have them written."""
    plain = family_of(kind) in (Family.NUMBER, Family.BOOLEAN, Family.TEXT)
    return cell_of(value.encode(), kind) if plain and value is not None else value


_OF_TEXTS = """
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
WHERE attrelid = $1::regclass AND attnum > 0 AND attcollation <> 0
"""

_READ = read_words(_FOLDER, PostgresDatabases, _OWN)
WORDS = replace(_READ, hanging=(*_READ.hanging, *read_questions(_FOLDER / "symbols.sql")))
