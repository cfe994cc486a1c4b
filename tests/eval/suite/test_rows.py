"""Rows come back from a witness's script as they were, and from nothing that does more than a witness."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from equiv.dialects.registry import reference
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.eval.suite.script import counts_of, rows_of

DDL = """CREATE TABLE bird (id INTEGER PRIMARY KEY, name TEXT UNIQUE, weight REAL, twice AS (weight * 2));
CREATE TABLE nest (bird_id INTEGER REFERENCES bird (id), height INTEGER DEFAULT 4 CHECK (height > 0));"""
SCHEMA = load_ddl(DDL)
ROWS = "INSERT INTO bird (id, name) VALUES (7, 'o''wl'); INSERT INTO nest (bird_id) VALUES (7), (NULL);"


def test_defaults_are_written_out_and_generated_columns_left_out() -> None:
    found = rows_of(DDL + ROWS, SCHEMA)
    assert found is not None
    assert found.tables == {
        "bird": (("id", "name", "weight"), ((7, "o'wl", None),)),
        "nest": (("bird_id", "height"), ((7, 4), (None, 4))),
    }
    assert counts_of(found) == {"bird": 1, "nest": 2}


def test_a_file_keeps_the_whole_schema(tmp_path: Path) -> None:
    found = rows_of(DDL + ROWS, SCHEMA)
    assert found is not None
    reference().engine.store(tmp_path / "zoo.sqlite", SCHEMA, found.tables)
    with closing(sqlite3.connect(tmp_path / "zoo.sqlite")) as connection:
        assert connection.execute("SELECT * FROM bird").fetchall() == [(7, "o'wl", None, None)]
        with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
            connection.execute("INSERT INTO nest VALUES (7, -1)")
        with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
            connection.execute("INSERT INTO bird (name) VALUES ('o''wl')")


@pytest.mark.parametrize(
    "more",
    [
        "ATTACH '{file}' AS other; CREATE TABLE other.t (x);",
        "VACUUM INTO '{file}';",
        "PRAGMA writable_schema = ON;",
        "CREATE TRIGGER t AFTER INSERT ON bird BEGIN SELECT 1; END;",
        "CREATE VIRTUAL TABLE v USING fts5(x);",
        "DELETE FROM bird;",
        "INSERT INTO bird (id) VALUES (7);",
        "SELECT load_extension('x');",
        "no SQL",
    ],
)
def test_a_script_that_does_more_gives_no_rows(more: str, tmp_path: Path) -> None:
    file = tmp_path / "written"
    assert rows_of(DDL + ROWS + more.format(file=file), SCHEMA) is None
    assert not file.exists()


def test_rows_of_another_schema_are_none() -> None:
    assert rows_of("CREATE TABLE bird (feather TEXT); INSERT INTO bird VALUES ('x');", SCHEMA) is None
