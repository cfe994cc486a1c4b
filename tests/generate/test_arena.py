"""Loading a database replaces the rows, in any order, and reports what the DDL forbids."""

from __future__ import annotations

import json

from equiv.core.model import Schema
from equiv.generate.database import Arena, Database


def rows_of(arena: Arena, table: str) -> list[tuple[object, ...]]:
    return arena.connection.execute(f"SELECT * FROM {table}").fetchall()


def tags(*values: str) -> Database:
    return Database.of({"tag": (("a", "b"), [(value, "x") for value in values])})


def test_loading_replaces_all_rows(schema: Schema) -> None:
    arena = Arena(schema)
    assert arena.load(tags("1", "2"))
    assert arena.load(Database.of({"one": (("id", "flag"), [(1, 0)])}))
    assert rows_of(arena, "tag") == []
    assert rows_of(arena, "one") == [(1, None, 0)]
    arena.clear()
    assert rows_of(arena, "one") == []


def test_a_row_that_the_ddl_forbids_leaves_nothing(schema: Schema) -> None:
    arena = Arena(schema)
    assert not arena.load(tags("1", "2", "1"))
    assert rows_of(arena, "tag") == []
    assert not arena.load(Database.of({"one": (("id", "flag"), [(1, None)])}))
    assert not arena.load(Database.of({"emp": (("id", "mgr", "status"), [(1, 1, "gone")])}))
    assert arena.load(tags("1", "2"))


def test_foreign_keys_are_not_enforced(schema: Schema) -> None:
    assert Arena(schema).load(Database.of({"one": (("id", "flag"), [(5, 1)])}))


def test_rows_are_inserted_in_the_order_of_a_seed(schema: Schema) -> None:
    arena = Arena(schema)
    database = Database.of({"gen": (("x", "z"), [(number, number) for number in range(8)])})
    orders = set()
    for seed in range(5):
        assert arena.load(database, order=seed)
        orders.add(tuple(arena.connection.execute("SELECT x FROM gen ORDER BY rowid")))
    assert len(orders) > 1
    assert {tuple(sorted(order)) for order in orders} == {tuple((number,) for number in range(8))}


def test_only_named_tables_are_created(schema: Schema) -> None:
    arena = Arena(schema, ["tag"])
    names = {
        row[0] for row in arena.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    assert names == {"tag"}


def test_databases_go_through_json() -> None:
    database = Database.of({"t": (("a", "b"), [(1, None), (0.5, "x")]), "empty": (("a",), [])})
    assert database.size == 2
    assert Database.of(json.loads(json.dumps(database.to_json()))) == database
