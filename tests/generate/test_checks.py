"""CHECKs are read by the grammar that queries are read by, and say what SQLite enforces."""

from __future__ import annotations

from random import Random

import pytest

from equiv.answers.pair import Pair
from equiv.core.printing import to_sql
from equiv.core.query import Query
from equiv.core.runner import Connection, RunnerError
from equiv.dialects.registry import dialect_named
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.generate.complete import Builder, Style
from equiv.generate.constraints import columns_of, condition_of, constraints_of
from equiv.generate.plan import make_plan
from equiv.relation import Relation, Rows
from equiv.schema.policy import facts_for

COLUMNS = "i INT, s TEXT, r REAL"
CELLS = (None, -1, 0, 3, 11, "a", "3", "abcd", 2.5)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("i > 2", {"i"}),
        ("T.I > 2 AND length(s) < 3", {"i", "s"}),
        ("s IN ('a', \"b\") OR s IS NULL", {"s"}),
        ("r BETWEEN 0 AND i", {"r", "i"}),
        ("s GLOB '[a-c]*'", {"s"}),
        ("1", set()),
    ],
)
def test_a_check_is_read_as_sqlite_enforces_it(text: str, columns: set[str]) -> None:
    ddl = f"CREATE TABLE t ({COLUMNS}, CHECK ({text}))"
    (table,) = load_ddl(ddl).tables
    condition = condition_of(table.checks[0], table)
    assert condition is not None
    assert columns_of(table.checks[0], table) == columns
    enforced, plain = Connection(), Connection()
    enforced.execute(ddl)
    plain.execute(f"CREATE TABLE t ({COLUMNS})")
    for cell in CELLS:
        for row in ((cell, "a", 1.0), (3, cell, 1.0), (3, "a", cell)):
            plain.execute("DELETE FROM t")
            plain.execute("INSERT INTO t VALUES (?, ?, ?)", row)
            broken = plain.execute(f"SELECT COUNT(*) FROM t WHERE NOT ({to_sql(condition)})").fetchone()[0]
            try:
                enforced.execute("INSERT INTO t VALUES (?, ?, ?)", row)
            except RunnerError:
                assert broken
            else:
                assert not broken


def test_a_check_that_is_no_condition_of_a_query_is_not_read() -> None:
    (table,) = load_ddl(f"CREATE TABLE t ({COLUMNS}, CHECK (s MATCH 'x'))").tables
    assert condition_of(table.checks[0], table) is None
    assert columns_of(table.checks[0], table) == set()


def test_a_check_reads_the_columns_that_it_names_and_no_others() -> None:
    columns = "i INT, s TEXT, id INT, g AS (id + 1)"
    schema = load_ddl(f"CREATE TABLE t ({columns}, CHECK (length(S) < 4), CHECK (g > 0))")
    rules = constraints_of(schema, facts_for(schema, "declared"))["t"]
    assert {name for name in ["i", "s", "id", "g"] if rules.is_checked(name)} == {"s", "id", "g"}


def test_a_row_keeps_what_is_asked_of_it_where_other_columns_can_give_way() -> None:
    columns = "id INTEGER PRIMARY KEY, state TEXT NOT NULL, kind TEXT NOT NULL, at TEXT, x INT, y INT"
    ended = "(at IS NULL AND state <> 'done') OR (at IS NOT NULL AND state = 'done')"
    sized = "(kind = 'a' AND x > 10) OR (kind = 'b' AND y IS NULL)"
    schema = load_ddl(f"CREATE TABLE job ({columns}, CHECK ({ended}), CHECK ({sized}))")
    dialect = dialect_named("sqlite")
    with dialect.engine.empty(schema) as empty:
        query = dialect.reader.read("SELECT id FROM job WHERE state = 'on'", schema, empty)
    assert isinstance(query, Query)
    plan = make_plan(Pair(query, query, schema, facts_for(schema, "declared"), Relation(Rows.BAG)))
    kept = 0
    for seed in range(50):
        wanted = {"state": "on", "kind": "a"} if seed % 2 else {"state": "done", "kind": "b"}
        row = Builder(plan.specs, Random(seed), Style(nulls=0.0)).add("job", wanted)
        assert row is not None
        kept += wanted.items() <= row.items()
    # What is NULL of several cells is left to chance.
    assert kept > 40
