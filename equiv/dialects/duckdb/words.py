"""DuckDB's words for random schemas and questions, and databases that answer under any settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from equiv.cells import Row
from equiv.dialects.duckdb.database import DuckdbError, unlocked_connection
from equiv.dialects.duckdb.values import cell_of
from equiv.dialects.words import Words, questions_hanging, questions_of_all, read_questions

_FOLDER = Path(__file__).parent
_OWN = read_questions(_FOLDER / "questions.sql")

WORDS = Words(
    types={
        "n": ("DECIMAL(6,2)", "DECIMAL(5,1)", "DECIMAL(8,3)", "DECIMAL(18,2)"),
        "o": ("DECIMAL(7,2)", "DECIMAL(4,0)"),
        "i": ("INTEGER",),
        "j": ("TINYINT", "SMALLINT", "BIGINT", "HUGEINT"),
        "f": ("DOUBLE",),
        "c": ("VARCHAR",),
        "e": ("VARCHAR",),
        "v": ("VARCHAR",),
        "s": ("VARCHAR",),
        "b": ("BOOLEAN",),
        "g": ("BOOLEAN",),
        "d": ("DATE",),
        "x": ("DATE",),
        "m": ("TIMESTAMP",),
        "y": ("TIMESTAMP",),
        "k": ("TIMESTAMPTZ",),
        "l": ("TIMESTAMPTZ",),
    },
    unique=("UNIQUE",),
    checks=("CHECK (i >= -100)", "CHECK (c <> 'zz')", "CHECK (n < 1000)", "CHECK (b OR NOT b)"),
    literals={
        "number": (
            *("0", "1", "2", "-1", "1.5", "0.5", "2.0", "1.50", "2.25", "1e0", "NULL"),
            *("5 // 2", "3 / 2", "-3 % 2", "2.5::DOUBLE::INTEGER", "2.5::DECIMAL(2,1)::INTEGER"),
            "(DATE '2000-03-01' - DATE '2000-02-28')",
        ),
        "text": (
            *("'a'", "'A'", "'ab'", "'a '", "''", "'b'", "'1'", "NULL"),
            *("1::VARCHAR", "'a' || 'b'", "LOWER('A')", "SUBSTR('abc', 1, 2)"),
        ),
        "boolean": ("true", "false", "NULL"),
        "date": (
            "DATE '2000-01-01'",
            "DATE '1999-12-31'",
            "DATE '2000-02-29'",
            "TIMESTAMP '2000-01-01 12:34:56'",
            "'2000-03-31'::DATE",
            "(DATE '2000-01-01' + 1)",
            "(DATE '2000-01-31' + INTERVAL 1 MONTH)",
            "DATE_TRUNC('year', DATE '2000-02-29')",
        ),
        "instant": (
            "TIMESTAMPTZ '2000-01-01 00:00:00+00'",
            "TIMESTAMPTZ '1999-12-31 19:00:00-05'",
            "'2000-04-02 07:00:00Z'::TIMESTAMPTZ",
            "TIMESTAMPTZ '2000-10-29 01:30:00'",
        ),
    },
    wrappers={
        "number": (
            "$ + 0",
            "-(-$)",
            "$ * 1",
            "$ / 1",
            "$ // 1",
            "COALESCE($, 0)",
            "$::DECIMAL(9,2)",
            "$::DECIMAL(9,1)",
            "$::DOUBLE",
            "$::INTEGER",
            "ABS($)",
        ),
        "text": ("$ || ''", "TRIM($)", "LOWER($)", "$::VARCHAR", "$[1:2]", "COALESCE($, '')", "CONCAT($)"),
        "boolean": ("NOT NOT $", "$ IS TRUE", "$ = true", "COALESCE($, false)", "NOT $", "($::INTEGER = 1)"),
        "date": (
            "$::TIMESTAMP",
            "$::DATE",
            "DATE_TRUNC('month', $)",
            "$ + INTERVAL 1 DAY",
            "$ - INTERVAL 1 DAY",
        ),
        "instant": (
            "$::TIMESTAMP::TIMESTAMPTZ",
            "$ + INTERVAL 1 DAY",
            "$ AT TIME ZONE 'UTC' AT TIME ZONE 'UTC'",
            "$::TIMESTAMPTZ",
            "DATE_TRUNC('day', $)",
        ),
    },
    questions=(*questions_of_all(), *_OWN, *_OWN),
    hanging=(*questions_hanging(), *read_questions(_FOLDER / "sessions.sql")),
    spellings={
        "date": (
            *("'%Y-%m-%d'", "DATE '%Y-%m-%d'", "'%Y/%m/%d'::DATE", "MAKE_DATE(%Y, %m, %d)"),
            *("STRPTIME('%d.%m.%Y', '%%d.%%m.%%Y')::DATE", "CAST('%Y-%m-%d' AS DATE)"),
        ),
        "timestamp": (
            *("'%Y-%m-%d %H:%M:%S'", "TIMESTAMP '%Y-%m-%d %H:%M:%S'", "'%Y-%m-%dT%H:%M:00'::TIMESTAMP"),
            "'%Y-%m-%d %H:%M:%S+00'::TIMESTAMPTZ::TIMESTAMP",
            "'%Y-%m-%d %H:%M:%S+05'::TIMESTAMP",
        ),
        "instant": (
            *("'%Y-%m-%d %H:%M:%S+00'", "'%Y-%m-%d %H:%M:%S+00'", "'%Y-%m-%d %H:%M:%S'"),
            *("TIMESTAMPTZ '%Y-%m-%d %H:%M:%SZ'", "TIMESTAMPTZ '%Y-%m-%d %H:%M:%S UTC'"),
            *("'%Y-%m-%d %H:%M:%S America/New_York'::TIMESTAMPTZ", "'%Y-%m-%d %H:%M:%S+00'::TIMESTAMPTZ"),
            "TIMESTAMP '%Y-%m-%d %H:%M:%S' AT TIME ZONE 'UTC'",
            "('%Y-%m-%d %H:%M:%S'::TIMESTAMP)::TIMESTAMPTZ",
        ),
    },
    settings={
        "default_null_order": (
            *("NULLS_LAST", "NULLS_FIRST", "NULLS_FIRST_ON_ASC_LAST_ON_DESC"),
            "NULLS_LAST_ON_ASC_FIRST_ON_DESC",
        ),
        "default_order": ("ASC", "DESC"),
        "default_collation": ("binary", "NOCASE", "NOACCENT", "NOCASE.NOACCENT"),
        "integer_division": ("false", "true"),
        "TimeZone": (
            *("UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/St_Johns"),
            *("Europe/Dublin", "Pacific/Apia", "Asia/Kolkata"),
        ),
        "Calendar": ("gregorian", "japanese", "buddhist", "hebrew"),
        "ieee_floating_point_ops": ("false", "true"),
        "error_on_division_by_zero": ("true", "false"),
        "scalar_subquery_error_on_multiple_rows": ("true", "false"),
        "preserve_insertion_order": ("true", "false"),
        "disable_timestamptz_casts": ("false", "true"),
        "order_by_non_integer_literal": ("false", "true"),
        "regex_match_operator_semantics": ("partial", "full"),
        "preserve_identifier_case": ("preserve_case", "lowercase"),
    },
    databases=lambda ddl, filled: DuckdbDatabases(ddl, filled),  # noqa: PLW0108 - it stands below
)
"""Half of the questions are those of all typed dialects."""

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
