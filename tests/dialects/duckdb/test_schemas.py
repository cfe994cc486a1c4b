"""Tables of other schemas than main, by names of two parts."""

from __future__ import annotations

from equiv import Checker
from equiv.dialects.registry import dialect_named

DDL = """
CREATE SCHEMA s;
CREATE SCHEMA "Big One";
CREATE TYPE s.mood AS ENUM ('a', 'b');
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER);
CREATE TABLE s.t (id INTEGER PRIMARY KEY, b INTEGER, m s.mood);
CREATE TABLE s.c (id INTEGER REFERENCES s.t (id), x INTEGER DEFAULT 4);
CREATE VIEW s.v AS SELECT id, b FROM s.t WHERE b > 1;
CREATE TABLE "Big One"."T x" (id INTEGER);
CREATE TABLE s."a.b" (id INTEGER);
CREATE UNIQUE INDEX ui ON s.c (x);
"""
EQUIVALENT = (
    ("SELECT id FROM s.v", "SELECT id FROM S.T WHERE 1 < b"),
    ("SELECT c.x FROM s.c JOIN s.t ON s.t.id = s.c.id", "SELECT x FROM s.c WHERE id IS NOT NULL"),
    ('SELECT id FROM "Big One"."T x"', 'SELECT id + 0 FROM "big one"."t X"'),
    ("SELECT id FROM main.t", "SELECT id FROM t"),
    ("SELECT id FROM s.t WHERE m = 'a'", "SELECT id FROM s.t AS y WHERE m IN ('a')"),
    ("SELECT id FROM s.t WHERE m = 'a'", "SELECT id FROM s.t WHERE m <> 'b'"),
)
APART = (
    ("SELECT id FROM t", "SELECT id FROM s.t"),
    ("SELECT id FROM s.t", "SELECT id FROM s.v"),
    ("SELECT x.id FROM s.t AS x JOIN t ON t.id = x.id", "SELECT id FROM s.t"),
)


def test_each_table_is_itself_by_its_schema() -> None:
    schema = dialect_named("duckdb").loader.read_ddl(DDL)
    assert [table.name for table in schema.tables] == ["t", "s.t", "s.c", "Big One.T x"]
    assert [each.name for each in schema.passed] == ["s.a.b"]
    with Checker(DDL, dialect="duckdb") as checker:
        for pred, gold in EQUIVALENT:
            found = checker.check(pred, gold)
            assert found.name == "equivalent", (pred, gold, found)
        for pred, gold in APART:
            found = checker.check(pred, gold)
            assert found.name == "not_equivalent", (pred, gold, found)
        unknown = checker.check("SELECT id FROM nowhere.t", "SELECT id FROM t")
        assert unknown.name == "invalid"
