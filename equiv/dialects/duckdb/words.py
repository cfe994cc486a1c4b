"""DuckDB's words for random schemas and questions, and databases that answer under any settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from equiv.cells import Row
from equiv.dialects.duckdb.database import DuckdbError, unlocked_connection
from equiv.dialects.duckdb.values import cell_of
from equiv.dialects.words import read_questions, read_words

_FOLDER = Path(__file__).parent
_OWN = read_questions(_FOLDER / "questions.sql")

_ZONED = frozenset(("TIMESTAMP WITH TIME ZONE", "TIME WITH TIME ZONE"))


class DuckdbDatabases:
    """Databases of one schema, as schemas of one database in memory; the optimiser is off in those turned.

    Args:
        ddl: the statements that make the tables.
        filled: for each database the statements that fill it; one that is refused is passed over.
    """

    def __init__(self, ddl: str, filled: Sequence[Sequence[str]]) -> None:
        self._connection, self._count = unlocked_connection(), len(filled)
        self._set: dict[str, str] = {}
        self.settings = WORDS.settings
        for number, statements in enumerate(filled):
            self._make(f"w{number}", ddl)
            for statement in statements:
                with suppress(DuckdbError):
                    self._connection.execute(statement)
            self._make(f"w{number + len(filled)}", ddl)
            for table in ("t", "u"):
                there = f"w{number}.{table}"
                self._connection.execute(f"INSERT INTO {table} SELECT * FROM {there} ORDER BY rowid DESC")

    def _make(self, name: str, ddl: str) -> None:
        self._connection.execute(f"CREATE SCHEMA {name}; USE {name}; {ddl}")

    def rows(self, number: int, settings: Mapping[str, str], texts: Sequence[str]) -> list[list[Row] | None]:
        """See :class:`~equiv.dialects.words.OpenDatabases`."""
        for name in [name for name in settings if settings[name] != self._set.get(name)]:
            self._connection.execute(f"SET {name} = '{settings[name]}'")
        self._set = dict(settings)
        optimising = "disable" if number >= self._count else "enable"
        self._connection.execute(f"PRAGMA {optimising}_optimizer; USE w{number}; BEGIN")
        found = [self._answer(text) for text in texts]
        self._connection.execute("ROLLBACK")
        return found

    def _answer(self, text: str) -> list[Row] | None:
        try:
            found = self._fetched(text)
        except (DuckdbError, ValueError, OverflowError):
            with suppress(DuckdbError):
                self._connection.execute("ROLLBACK")
            self._connection.execute("BEGIN")
            return None
        return found

    def _fetched(self, text: str) -> list[Row]:
        asked = self._connection.execute(text)
        kinds = [str(each[1]) for each in asked.description or ()]
        if not _ZONED.isdisjoint(kinds):
            names = [f"c{at}" for at in range(len(kinds))]
            shown_as = (
                f"CAST({name} AS VARCHAR)" if kind in _ZONED else name
                for name, kind in zip(names, kinds, strict=True)
            )
            asked = self._connection.execute(
                f"SELECT {', '.join(shown_as)} FROM ({text}) AS q({', '.join(names)})"
            )
        return [tuple(map(cell_of, row)) for row in asked.fetchall()]

    def close(self) -> None:
        """See :class:`~equiv.dialects.words.OpenDatabases`."""
        self._connection.close()


_READ = read_words(_FOLDER, DuckdbDatabases, (*_OWN, *_OWN))
WORDS = replace(_READ, hanging=(*_READ.hanging, *read_questions(_FOLDER / "symbols.sql")))
"""Half of the questions are those of all typed dialects."""
