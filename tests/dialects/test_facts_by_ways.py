"""The facts of one schema are the same by script, dump and database file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from equiv import Checker
from equiv.core.model import Schema
from equiv.dialects.registry import dialect_named
from equiv.schema.policy import claim_of, facts_for

SQLITE = """
CREATE TABLE p (a TEXT PRIMARY KEY COLLATE NOCASE, qty INT NOT NULL CHECK (qty > 0),
    twice INT AS (qty * 2) STORED);
CREATE TABLE k (
    id INTEGER PRIMARY KEY AUTOINCREMENT, p TEXT NOT NULL REFERENCES p, c CHARINT DEFAULT 7, /* a, b */
    d DATE,    f FLOATING POINT, "odd "" name" TEXT UNIQUE,
    CONSTRAINT ordered CHECK (c > id OR d IS NULL), UNIQUE (c, d)
);
CREATE TABLE w (x, y BLOB NOT NULL, z REAL, PRIMARY KEY (y, x)) WITHOUT ROWID;
CREATE TABLE s (n INTEGER NOT NULL, t TEXT, any ANY, half REAL GENERATED ALWAYS AS (n / 2.0) VIRTUAL) STRICT;
CREATE UNIQUE INDEX u ON k (d, f); CREATE INDEX plain ON k (c); CREATE UNIQUE INDEX part ON k (f) WHERE c > 3;
CREATE VIEW v (n, m) AS SELECT id, c FROM k WHERE c > 1; CREATE VIEW vv AS SELECT n FROM v;
CREATE TRIGGER r AFTER INSERT ON k BEGIN DELETE FROM k WHERE id = 1; END;
ALTER TABLE w ADD COLUMN late TEXT NOT NULL DEFAULT 'x'; ALTER TABLE w RENAME COLUMN z TO zz;
INSERT INTO p (a, qty) VALUES ('x', 3), ('y', 4);
INSERT INTO k (p, d) VALUES ('X', '2024-01-02'), ('y', NULL);
"""
DUCKDB = """
CREATE TYPE mood AS ENUM ('sad', 'so; so'); CREATE SEQUENCE ids;
CREATE TABLE p (a VARCHAR PRIMARY KEY, qty INT NOT NULL CHECK (qty > 0),
    twice INT GENERATED ALWAYS AS (qty * 2));
CREATE TABLE k (
    id INTEGER PRIMARY KEY DEFAULT nextval('ids'), p VARCHAR NOT NULL REFERENCES p (a), m mood, d DATE,
    t TIMESTAMP, n DECIMAL(8, 2),
    "odd "" name" TEXT UNIQUE, h HUGEINT, l INT[], CHECK (n > 1 OR d IS NULL), UNIQUE (d, n)
);
CREATE UNIQUE INDEX u ON k (t, d); CREATE INDEX plain ON k (n);
CREATE VIEW v (n, m) AS SELECT id, n FROM k WHERE n > 1; CREATE VIEW vv AS SELECT n FROM v;
ALTER TABLE p ADD COLUMN late VARCHAR DEFAULT 'x';
INSERT INTO p (a, qty) VALUES ('x', 3), ('y', 4);
INSERT INTO k (p, m, d, n) VALUES ('x', 'sad', '2024-01-02', 5);
"""


def facts(schema: Schema) -> list[str]:
    return sorted(str((claim_of(fact), fact.grade)) for fact in facts_for(schema, "intended"))


def views(schema: Schema) -> set[str]:
    return {view.name for view in (*schema.views, *schema.native_views)}


def ways_of_sqlite(folder: Path) -> Iterator[Schema]:
    loader, file = dialect_named("sqlite").loader, folder / "some.sqlite"
    yield loader.read_ddl(SQLITE, "some")
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(SQLITE)
        yield loader.read_ddl("\n".join(connection.iterdump()), "some")
    yield loader.read_database(file)


def ways_of_duckdb(folder: Path) -> Iterator[Schema]:
    duckdb = pytest.importorskip("duckdb")
    loader, file = dialect_named("duckdb").loader, folder / "some.duckdb"
    yield loader.read_ddl(DUCKDB, "some")
    with duckdb.connect(str(file)) as connection:
        connection.execute(DUCKDB)
        connection.execute(f"EXPORT DATABASE '{folder / 'dump'}'")
    yield loader.read_ddl((folder / "dump" / "schema.sql").read_text(encoding="utf-8"), "some")
    yield loader.read_database(file)


@pytest.mark.parametrize(("ways", "promised"), [(ways_of_sqlite, 25), (ways_of_duckdb, 25)])
def test_facts_are_the_same_whichever_way_a_schema_comes(ways: object, promised: int, tmp_path: Path) -> None:
    assert callable(ways)
    first, *others = ways(tmp_path)
    assert len(facts(first)) >= promised
    assert views(first) == {"v", "vv"}
    for other in others:
        assert facts(other) == facts(first)
        assert views(other) == views(first)
        assert {t.name: t.columns for t in other.tables} == {t.name: t.columns for t in first.tables}


PAIRS = [
    ("SELECT a FROM p", "SELECT a FROM p WHERE qty > 0"),
    ("SELECT twice FROM p", "SELECT qty * 2 FROM p"),
    ("SELECT k.id FROM k JOIN p ON p.a = k.p", "SELECT id FROM k"),
    ("SELECT n FROM vv", "SELECT n FROM v"),
]


@pytest.mark.long
@pytest.mark.parametrize("name", ["sqlite", "duckdb"])
def test_a_file_proves_what_its_script_proves(name: str, tmp_path: Path) -> None:
    list(ways_of_sqlite(tmp_path) if name == "sqlite" else ways_of_duckdb(tmp_path))
    with Checker(schema=SQLITE if name == "sqlite" else DUCKDB, dialect=name) as by_script:
        expected = [by_script.check(*pair).name for pair in PAIRS]
    assert expected.count("equivalent") >= 3
    with Checker(db=tmp_path / f"some.{name}", dialect=name) as by_file:
        assert [by_file.check(*pair).name for pair in PAIRS] == expected
