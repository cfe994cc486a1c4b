"""Objects of a DuckDB script stand and fall alone, each named once with its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.engines import read_text

from equiv import Checker
from equiv.core.model import Schema
from equiv.core.query import Broken
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError


def load(ddl: str) -> Schema:
    return dialect_named("duckdb").loader.read_ddl(ddl)


def test_what_cannot_be_made_takes_what_names_it() -> None:
    ddl = """CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER);
CREATE TABLE lost (a nope);
CREATE INDEX i ON lost (a);
CREATE VIEW v AS SELECT a FROM lost;
CREATE MACRO upper(x) AS x * 2;
CREATE SCHEMA s; CREATE TABLE s.other (a INTEGER);
ATTACH 'x.db' AS x (TYPE sqlite); CREATE TABLE x.main.far (a INTEGER);
ALTER TABLE absent ADD COLUMN b INTEGER;
DROP TABLE nothing;
"""
    schema = load(ddl)
    assert [table.name for table in schema.tables] == ["t", "s.other"]
    assert {(each.kind, each.name, each.line) for each in schema.passed} == {
        ("table", "lost", 2),
        ("index", "i", 3),
        ("view", "v", 4),
        ("macro", "upper", 5),
        ("included file", "ATTACH 'x.db' AS x (TYPE sqlite)", 7),
        ("table", "x.main.far", 7),
        ("table", "absent", 8),
    }
    with Checker(ddl, dialect="duckdb", effort="quick") as checker:
        beside = checker.check("SELECT id FROM t WHERE a > 1", "SELECT id FROM t")
        assert (beside.name, beside.remarks) == ("not_equivalent", ())
        named = checker.check("SELECT a FROM lost", "SELECT a FROM t")
        assert (named.name, getattr(named, "reason", "")) == ("undecided", "UNSUPPORTED")
        assert any(each.text.startswith("table lost: ") for each in named.remarks)


def test_names_mean_what_the_script_says_last_of_where_to_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    schema = load("""CREATE SCHEMA s; USE s; CREATE TABLE t (u INTEGER REFERENCES later (id));
        USE memory.main; CREATE TABLE t (a INTEGER); USE s; CREATE TABLE later (id INTEGER PRIMARY KEY);
        USE nowhere; USE memory; ATTACH 'x.duckdb' AS d; CREATE TABLE d.t (a INTEGER);
        CREATE SCHEMA d.far; CREATE TABLE d.far.t (a INT);
        CREATE SCHEMA d."a.b"; CREATE TABLE d."a.b".t (a INT)""")
    assert {table.name for table in schema.tables} == {"t", "s.t", "s.later", "d.t", "d.far.t"}
    assert [each.name for each in schema.passed] == ["USE nowhere", "ATTACH 'x.duckdb' AS d", "d.a.b.t"]
    # What the file holds is not known: it is neither opened nor made.
    assert not list(tmp_path.iterdir())
    with pytest.raises(InputError, match="only schema = 'main' is supported: USE s"):
        load("CREATE SCHEMA s; CREATE TABLE t (a INTEGER); USE s")


def test_what_wants_a_later_object_is_made_when_that_is_there() -> None:
    schema = load("""CREATE VIEW v AS SELECT b FROM child;
CREATE TABLE child (a INTEGER REFERENCES parent (id), b mood);
ALTER TABLE child ADD COLUMN c INTEGER;
CREATE TYPE mood AS ENUM ('sad');
CREATE TABLE parent (id INTEGER PRIMARY KEY);
""")
    assert not schema.passed
    child = schema.table("child")
    assert child is not None
    assert [column.name for column in child.columns] == ["a", "b", "c"]
    assert [key.parent for key in child.foreign_keys] == ["parent"]
    assert [view.name for view in schema.native_views] == ["v"]


def test_a_table_that_lacks_a_constraint_is_left_out_or_refutes_nothing() -> None:
    alone = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER); CREATE UNIQUE INDEX i ON t (nope);"
    keeps = "CREATE TABLE w (id INTEGER);"
    assert [table.name for table in load(alone + keeps).tables] == ["w"]
    held = alone.replace("CREATE UNIQUE", "CREATE TABLE u (t_id INTEGER REFERENCES t (id)); CREATE UNIQUE")
    schema = load(held)
    assert [(table.name, bool(table.looser)) for table in schema.tables] == [("t", True), ("u", False)]
    assert [f"{each.kind} {each.name}" for each in schema.passed] == ["index i on t"]


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE t (a INT UNIQUE); CREATE TEMP TABLE t (a INT)",
        "CREATE TEMP TABLE t (a INT); CREATE TABLE t (a INT UNIQUE)",
        "CREATE TABLE t (a INT); CREATE TEMP VIEW t AS SELECT 1 AS a",
        "CREATE TABLE t (a INT UNIQUE); CREATE TEMP TABLE IF NOT EXISTS t (a INT)",
        'CREATE TABLE t (a INT); CREATE OR REPLACE TEMPORARY TABLE "t" (a INT UNIQUE); DROP TABLE t',
        "USE shop; CREATE TABLE t (a INT UNIQUE); CREATE TEMP TABLE t (a INT)",
        "CREATE TEMP TABLE t (a INT); CREATE OR REPLACE TABLE main.t (a INT UNIQUE)",
    ],
)
def test_a_temporary_table_that_hides_another_is_refused(script: str) -> None:
    with pytest.raises(InputError, match="the temporary one hides the other"):
        load(script)


def test_a_temporary_table_that_is_gone_hides_nothing() -> None:
    (table,) = load("CREATE TEMP TABLE t (a INT); DROP TABLE t; CREATE TABLE t (a INT UNIQUE)").tables
    assert table.unique == (("a",),)


def test_what_calls_a_macro_that_hides_a_function_is_passed_over() -> None:
    ddl = """CREATE TABLE t (a INTEGER);
CREATE TABLE u (a INTEGER CHECK (abs(a) > 0));
CREATE VIEW v AS SELECT abs(a) AS a FROM t;
CREATE VIEW w AS SELECT ABS FROM (SELECT a AS ABS FROM t);
CREATE MACRO abs(x) AS x + 1;
"""
    schema = load(ddl)
    assert {(each.kind, each.name) for each in schema.passed} == {
        ("table", "u"),
        ("view", "v"),
        ("macro", "abs"),
    }


def test_what_a_script_brings_along_from_elsewhere_is_not_known() -> None:
    for elsewhere in ("IMPORT DATABASE 'd'", "ATTACH 'x.db' AS d", "ATTACH 'x.db' (TYPE sqlite)"):
        schema = load(f"CREATE TABLE t (a INTEGER);\n{elsewhere};")
        assert [(each.kind, each.name, each.line) for each in schema.passed] == [
            ("included file", elsewhere, 2)
        ]
        for query in ("SELECT a FROM u", "SELECT b FROM t", "SELECT own(a) FROM t"):
            found = read_text("duckdb", f"CREATE TABLE t (a INTEGER); {elsewhere};", query)
            assert isinstance(found, Broken)
            assert found.cause == "WITHHELD"
    assert not load("CREATE TABLE t (a INTEGER); ATTACH ':memory:' AS d;").passed
