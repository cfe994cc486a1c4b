"""Databases near another one."""

from __future__ import annotations

from random import Random

from equiv.dialects.sqlite.ddl import load_ddl
from equiv.generate.database import Database
from equiv.generate.nearby_databases import nudged

SCHEMA = load_ddl("CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT UNIQUE, n INTEGER, r REAL)")
START = Database.of({"t": (("id", "code", "n", "r"), [(1, "a", 3, 0.5), (2, None, None, 1.5)])})


def test_they_are_near_and_differ() -> None:
    made = [nudged(START, SCHEMA, Random(seed)) for seed in range(60)]
    assert sum(each != START for each in made) > 40
    assert all(abs(each.size - START.size) <= 12 for each in made)
    assert len({tuple(each.tables.items()) for each in made}) > 20


def test_copies_of_rows_have_keys_of_their_own() -> None:
    for seed in range(60):
        rows = nudged(START, SCHEMA, Random(seed)).tables.get("t", ((), ()))[1]
        ids = [row[0] for row in rows]
        codes = [row[1] for row in rows if row[1] is not None]
        assert len(set(ids)) == len(ids)
        assert len(set(codes)) == len(codes)


def test_nothing_is_near_an_empty_database() -> None:
    assert nudged(Database.of({}), SCHEMA, Random(1)) == Database.of({})
