"""How the types of one dialect's columns are told to another's engine."""

from __future__ import annotations

import pytest

from equiv.core.model import Schema
from equiv.dialects.crossing.dialect import across, sides_of
from equiv.dialects.postgres.wire import is_installed
from equiv.dialects.registry import dialect_named
from equiv.facts import FactKind, Grade

pytest.importorskip("duckdb")
POSTGRES = pytest.mark.skipif(not is_installed(), reason="no embedded PostgreSQL")
SQLITE = [
    ("INTEGER", "bigint", "BIGINT"),
    ("TINYINT", "bigint", "BIGINT"),
    ("REAL", "double precision", "DOUBLE"),
    ("FLOAT", "double precision", "DOUBLE"),
    ("DECIMAL(10,2)", "numeric(10,2)", "DECIMAL(10,2)"),
    ("NUMERIC", "numeric", "DECIMAL(18,3)"),
    ("TEXT", "text", "VARCHAR"),
    ("VARCHAR(20)", "text", "VARCHAR"),
    ("CHAR(3)", "text", "VARCHAR"),
    ("DATE", "date", "DATE"),
    ("DATETIME", "timestamp without time zone", "TIMESTAMP"),
    ("BOOLEAN", "boolean", "BOOLEAN"),
    ("BLOB", "bytea", "BLOB"),
]
REFUSED = {
    "sqlite": ("", "TIME", "STRING", "JSON", "TEXT COLLATE NOCASE", "POINT"),
    "duckdb": ("UUID", "FLOAT", "HUGEINT", "UBIGINT", "TIME", "INTEGER[]", "TIMESTAMPTZ", "INTERVAL"),
    "postgres": ("uuid", "real", "char(3)", "time", "integer[]", "timestamptz", "interval", "jsonb"),
}


def _crossed(given: str, dialects: str) -> Schema:
    dialect = dialect_named(dialects)
    return across(sides_of(dialect)[0].loader.read_ddl(f"CREATE TABLE t (id INTEGER, {given})"), dialect)


def _types(schema: Schema, side: int) -> list[str]:
    return [column.native_type or column.declared_type for column in schema.sides[side].tables[0].columns[1:]]


def test_types_of_sqlite_as_duckdb_stores_them() -> None:
    columns = ", ".join(f"c{place} {kind}" for place, (kind, _, _) in enumerate(SQLITE))
    assert _types(_crossed(columns, "sqlite/duckdb"), 1) == [each for _, _, each in SQLITE]


@POSTGRES
def test_types_of_sqlite_as_postgres_stores_them() -> None:
    columns = ", ".join(f"c{place} {kind}" for place, (kind, _, _) in enumerate(SQLITE))
    assert _types(_crossed(columns, "sqlite/postgres"), 1) == [each for _, each, _ in SQLITE]


@POSTGRES
def test_types_of_postgres_as_duckdb_and_sqlite_store_them() -> None:
    columns = (
        "a smallint, b int, c bigint, d numeric(8,2), e varchar(5), f text, g date, h timestamp, i boolean"
    )
    assert _types(_crossed(columns, "postgres/duckdb"), 1) == [
        "SMALLINT", "INTEGER", "BIGINT", "DECIMAL(8,2)", "VARCHAR", "VARCHAR", "DATE", "TIMESTAMP", "BOOLEAN",
    ]  # fmt: skip
    assert _types(_crossed(columns, "postgres/sqlite"), 1) == [
        "INTEGER", "INTEGER", "INTEGER", "NUMERIC(8, 2)", "TEXT", "TEXT", "DATE TEXT",
        "TIMESTAMP TEXT", "BOOLEAN",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "dialects", ["sqlite/duckdb", "duckdb/sqlite", pytest.param("postgres/sqlite", marks=POSTGRES)]
)
def test_a_table_with_a_type_without_counterpart_is_not_told(dialects: str) -> None:
    giver, _, taker = dialects.partition("/")
    kept = "CREATE TABLE kept (id INTEGER);"
    for kind in REFUSED[giver]:
        ddl = f"{kept} CREATE TABLE lost (id INTEGER, c {kind})"
        schema = dialect_named(dialects).loader.read_ddl(ddl)
        assert [table.name for table in schema.tables] == ["kept"], kind
        assert schema.sides[1].withheld == ("lost",)
        assert schema.notes[0].startswith("lost cannot be represented in"), (taker, schema.notes)


def test_what_one_engine_alone_enforces_is_assumed() -> None:
    schema = _crossed("name TEXT, born DATE, PRIMARY KEY (name)", "sqlite/duckdb")
    promised = {(fact.kind, fact.columns, fact.grade) for fact in schema.tables[0].promised}
    assert (FactKind.NOT_NULL, ("name",), Grade.ASSUMED) in promised
    assert (FactKind.ISO_DATE, ("born",), Grade.ASSUMED) in promised
    assert (FactKind.TYPE, ("id",), Grade.ASSUMED) in promised


def test_the_constraints_of_the_schema_given_hold() -> None:
    schema = _crossed("x INTEGER CHECK (x > 0), u TEXT UNIQUE", "sqlite/duckdb")
    assert len(schema.tables[0].checks) == 1
    assert schema.tables[0].unique == (("u",),)
