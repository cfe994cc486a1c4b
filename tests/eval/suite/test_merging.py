"""Merged databases have the rows of both; keys that clash are renamed wherever they stand."""

from __future__ import annotations

from contextlib import closing

from equiv.core.runner import Connection, RunnerError
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.eval.suite.worker import merged
from equiv.generate.database import Database

DDL = """CREATE TABLE band (id INTEGER PRIMARY KEY, name TEXT, founded DATE, members INTEGER);
CREATE TABLE album (band_id INTEGER NOT NULL REFERENCES band (id), title TEXT, year INTEGER,
    PRIMARY KEY (band_id, title));"""
SCHEMA = load_ddl(DDL)
BAND, ALBUM = ("id", "name", "founded", "members"), ("band_id", "title", "year")


def database(bands: list[tuple[object, ...]], albums: list[tuple[object, ...]]) -> Database:
    return Database({"band": (BAND, tuple(bands)), "album": (ALBUM, tuple(albums))})  # type: ignore[arg-type]


ONE = database([(1, "a", None, 4), (2, "b", None, None)], [(1, "x", 1999)])
OTHER = database([(1, "c", None, None), (5, "d", "2000-01-01", 3)], [(1, "x", None), (5, "x", 1990)])


def accepted(found: Database) -> bool:
    """Whether SQLite takes the rows, foreign keys enforced."""
    with closing(Connection()) as connection:
        connection.run_script(DDL)
        connection.execute("PRAGMA foreign_keys = ON")
        try:
            for name, (columns, rows) in found.tables.items():
                marks = ", ".join("?" * len(columns))
                connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
        except RunnerError:
            return False
    return True


def test_keys_that_clash_are_renamed_in_all_tables() -> None:
    plain, renamed, *_ = merged(ONE, OTHER, SCHEMA)
    assert not accepted(plain)
    assert accepted(renamed)
    assert renamed.tables["band"][1] == (
        *ONE.tables["band"][1],
        (6, "c", None, None),
        (5, "d", "2000-01-01", 3),
    )
    assert renamed.tables["album"][1] == ((1, "x", 1999), (6, "x", None), (5, "x", 1990))


def test_missing_cells_become_different_values_beyond_the_others() -> None:
    *_, below, above = [found for found in merged(ONE, OTHER, SCHEMA) if accepted(found)]
    for found, compare in ((below, min), (above, max)):
        assert accepted(found)
        members = [row[3] for row in found.tables["band"][1] if row[3] is not None]
        added = found.tables["band"][1][2]
        assert isinstance(added[3], int)
        assert compare(members) == added[3]
        assert members.count(added[3]) == 1
        assert isinstance(added[2], str)
        assert len(added[2]) == len("2000-01-01")
    assert above.tables["band"][1][:2] == ONE.tables["band"][1]


def test_a_row_with_a_key_stands_once_and_one_without_as_often_as_it_did() -> None:
    loose = load_ddl("CREATE TABLE note (text TEXT);")
    notes = Database({"note": (("text",), (("a",), ("a",)))})
    assert next(merged(notes, notes, loose)).tables["note"][1] == (("a",),) * 4
    assert next(merged(ONE, ONE, SCHEMA)).tables == ONE.tables
