"""The net: equal programs are the same query, and a wrong tree does not pass."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlglot import exp

from equiv.core.model import Schema
from equiv.core.query import Query
from equiv.core.runner import Connection
from equiv.dialects.sqlite import read as query_module
from equiv.dialects.sqlite.dialect import SQLITE
from equiv.dialects.sqlite.read import program
from equiv.dialects.sqlite.resolve.trees import resolve


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT a FROM t", "SELECT q.a AS z FROM t AS q"),
        ("SELECT a FROM t ORDER BY 1", "SELECT a FROM t ORDER BY a"),
        ("SELECT substring(b, 1) FROM t", "SELECT substr(b, 1) FROM t"),
        ("SELECT format('%d', a) FROM t", "SELECT printf('%d', a) FROM t"),
    ],
)
def test_spellings_of_one_program(one: str, other: str, probe: Connection) -> None:
    assert program(probe, one) == program(probe, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT a FROM t WHERE +a = '1'", "SELECT a FROM t WHERE a = '1'"),
        ("SELECT a FROM t WHERE b = 'x'", "SELECT a FROM t WHERE b = 'X'"),
        ("SELECT a = b IN (1) FROM t", "SELECT a = (b IN (1)) FROM t"),
        ("SELECT (a || b) * 2 FROM t", "SELECT a || (b * 2) FROM t"),
        ("SELECT CAST(a AS NUMERIC) FROM t", "SELECT CAST(a AS REAL) FROM t"),
        ("SELECT a FROM t ORDER BY a", "SELECT a FROM t ORDER BY a DESC"),
        ("SELECT a FROM t LEFT JOIN u ON a = t_id", "SELECT a FROM t JOIN u ON a = t_id"),
        ("SELECT 1 UNION SELECT 2", "SELECT 1 UNION ALL SELECT 2"),
        ("SELECT x'00' FROM t", "SELECT x'0000' FROM t"),
    ],
)
def test_other_programs(one: str, other: str, probe: Connection) -> None:
    assert program(probe, one) != program(probe, other)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a FROM t CROSS JOIN u",
        "SELECT NOT a IS NULL, NOT (a IS NOT TRUE) FROM t",
        "VALUES (1, 2), (3, 4)",
        "WITH c(m, n) AS (VALUES (1, 2), (3, 4)) SELECT m FROM c",
        "SELECT * FROM counts, merged, u",
        "SELECT * FROM counts WHERE n > (SELECT max(n) FROM counts)",
        "SELECT (SELECT max(y) FROM u WHERE t_id = t.id) AS m FROM t ORDER BY m DESC",
        "SELECT b AS c FROM t ORDER BY c COLLATE NOCASE, 1 COLLATE RTRIM",
        "SELECT x'ff00fe', '' FROM t",
    ],
)
def test_spellings_that_the_tree_forgets_pass(sql: str, read: Callable[[str], Query]) -> None:
    assert read(sql).unsupported is None


def test_a_tree_that_means_something_else_is_refused(
    read: Callable[[str], Query], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query_module, "to_sql", lambda tree, verbatim: "SELECT a FROM t WHERE a = 2")
    found = read("SELECT a FROM t WHERE a = 1")
    assert found.tree is None
    assert found.unsupported is not None
    assert found.unsupported.node == "resolution"


def test_texts_of_the_connection_stay_as_they_were(probe: Connection, read: Callable[[str], Query]) -> None:
    read("SELECT a FROM t")
    assert probe.execute("SELECT 'k'").fetchone() == ("k",)


KEYED = """
CREATE TABLE a (id INTEGER PRIMARY KEY, x INT NOT NULL, y INT NOT NULL);
CREATE TABLE b (id INT NOT NULL UNIQUE, x INT NOT NULL, w INT, UNIQUE (x, w));
CREATE TABLE c (id INT PRIMARY KEY, x INT NOT NULL UNIQUE) WITHOUT ROWID;
"""

MERGED = [
    "SELECT y, w FROM a LEFT JOIN b USING (id)",
    "SELECT y, w FROM a LEFT JOIN b USING (x)",
    "SELECT * FROM a NATURAL LEFT JOIN b",
    "SELECT * FROM c JOIN a USING (x) LEFT JOIN b USING (x)",
    "SELECT * FROM c LEFT JOIN a USING (id) LEFT JOIN b USING (id)",
    "SELECT * FROM a LEFT JOIN (SELECT * FROM b LEFT JOIN c USING (id)) AS q USING (id)",
]


@pytest.mark.parametrize(
    "sql",
    [
        *MERGED,
        "WITH m AS NOT MATERIALIZED (SELECT x AS n FROM a WHERE x > 3) SELECT * FROM m, m AS k",
        "WITH p AS (SELECT x FROM a WHERE x IN (SELECT x FROM b)), q AS (SELECT y FROM a) SELECT * FROM q, p",
        "WITH p AS (SELECT 1 AS x), q AS (SELECT y FROM a WHERE y IN (SELECT x FROM b)) SELECT * FROM q, p",
    ],
)
def test_what_a_plan_makes_of_keys_hints_and_order_is_no_other_reading(sql: str) -> None:
    schema = SQLITE.loader.read_ddl(KEYED)
    with SQLITE.engine.empty(schema) as empty:
        found = SQLITE.reader.read(sql, schema, empty)
    assert isinstance(found, Query)
    assert found.tree is not None, found.unsupported


@pytest.mark.parametrize("sql", MERGED)
def test_another_column_is_merged_in_no_plan(sql: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def misread(raw: exp.Expression, schema: Schema) -> exp.Expression:
        tree = resolve(raw, schema)
        equality = next(iter(tree.find_all(exp.EQ)))
        equality.expression.this.set("this", "x" if equality.expression.name == "id" else "id")
        return tree

    monkeypatch.setattr(query_module, "resolve", misread)
    schema = SQLITE.loader.read_ddl(KEYED)
    with SQLITE.engine.empty(schema) as empty:
        found = SQLITE.reader.read(sql, schema, empty)
    assert isinstance(found, Query)
    assert found.unsupported is not None
