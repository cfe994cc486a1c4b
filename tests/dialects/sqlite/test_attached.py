"""Tables of attached databases and temporary ones, in a script and in queries; no file is read for them."""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import equiv
from equiv.core.connection import Connection, RunnerError
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.verdict import Equivalent, Invalid, NotEquivalent, Undecided

DDL = """
ATTACH DATABASE '{file}' AS "Other";
CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
CREATE TABLE other.u (id INTEGER PRIMARY KEY, a TEXT);
CREATE TEMP TABLE w (id INTEGER PRIMARY KEY, a TEXT);
"""


@pytest.fixture
def script(tmp_path: Path) -> str:
    """A script that names a file which must not be touched."""
    return DDL.format(file=tmp_path / "other.sqlite")


def test_names_of_databases_stand_before_their_tables(script: str, tmp_path: Path) -> None:
    same = equiv.check("SELECT a FROM OTHER.u WHERE id > 3", "SELECT a FROM u WHERE 3 < id", schema=script)
    assert isinstance(same, Equivalent)
    both = "SELECT x.a FROM main.t AS x JOIN other.u ON other.u.id = x.id"
    same = equiv.check(both, "SELECT t.a FROM t JOIN u ON u.id = t.id", schema=script)
    assert isinstance(same, Equivalent)
    assert isinstance(equiv.check("SELECT a FROM temp.w", "SELECT a FROM w", schema=script), Equivalent)
    assert isinstance(equiv.check("SELECT a FROM other.u", "SELECT a FROM t", schema=script), NotEquivalent)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["other.t", "temp.t", "temp.u", "main.nothing", "o.u"])
def test_a_database_has_its_own_tables_alone(script: str, text: str) -> None:
    assert isinstance(equiv.check(f"SELECT a FROM {text}", "SELECT a FROM t", schema=script), Invalid)


ATTACHED = "ATTACH 'x' AS o; ATTACH 'y' AS p;"


def _create(table: str, columns: str, condition: str = "") -> str:
    is_temporary = table.startswith("temp.")
    return f"CREATE {'TEMP' * is_temporary} TABLE {condition} {table.removeprefix('temp.')} {columns};"


@pytest.mark.parametrize(("first", "second"), [("main.t", "o.t"), ("o.t", "p.t"), ("temp.t", "o.t")])
def test_of_two_tables_of_one_name_none_is_taken_for_the_other(first: str, second: str) -> None:
    script = ATTACHED + _create(first, "(id INTEGER PRIMARY KEY, a TEXT)") + _create(second, "(a TEXT)")
    found = equiv.check(f"SELECT a FROM {second}", "SELECT a FROM t", schema=script)
    assert isinstance(found, Undecided)
    assert f"two tables are named t: {first} and {second}" in found.detail
    # The name alone means what SQLite finds first, which is the one that is read.
    same = equiv.check(f"SELECT DISTINCT id FROM {first}", "SELECT id FROM t", schema=script)
    assert isinstance(same, Equivalent)


MAKES = {
    "main.t": "CREATE TABLE t (id INTEGER PRIMARY KEY);",
    "main.t if not there": "CREATE TABLE IF NOT EXISTS main.t (id INTEGER PRIMARY KEY);",
    "o.t": "CREATE TABLE o.t (id INT, a INT);",
    "o.t in quotes": "CREATE TABLE 'o'.\"t\" (id INT, a INT);",
    "o.t if not there": "CREATE TABLE IF NOT EXISTS o.t (id INT, a INT);",
    "p.t as a view": "CREATE VIEW p.t AS SELECT 1 AS id;",
    "temp.t": "CREATE TEMP TABLE t (id INT, b INT);",
    "temp.t to search": "CREATE VIRTUAL TABLE temp.t USING fts5(id);",
    "drop": "DROP TABLE t;",
    "drop of o's": "DROP TABLE o.t;",
    "rename": "ALTER TABLE t RENAME TO u;",
    "detach": "DETACH o; ATTACH ':memory:' AS o;",
}


@given(st.lists(st.sampled_from(sorted(MAKES)), min_size=1, max_size=6))
@example(["o.t", "main.t"])
@example(["o.t", "drop of o's", "o.t if not there", "main.t", "drop"])
@example(["main.t", "o.t", "rename"])
@example(["detach", "o.t", "p.t as a view"])
def test_a_name_alone_means_what_sqlite_finds(steps: list[str]) -> None:
    script = "ATTACH ':memory:' AS o; ATTACH ':memory:' AS p; CREATE TABLE other (id INT);"
    with closing(Connection()) as real:
        real.run_script(script)
        for step in steps:
            with suppress(RunnerError):
                real.run_script(MAKES[step])
                script += MAKES[step]
        schema = load_ddl(script)
        meant = list(real.names("t")) if _has(real, "t") else None
        table = schema.table("t")
        seen = [column.name for column in table.columns if not column.hidden] if table else None
        assert (seen or (["id"] if schema.view("t") else None)) == meant
        # A database that is attached again comes last.
        attached = [name for _, name, _ in real.execute("PRAGMA database_list") if name in ("o", "p")]
        there = [home for home in ("temp", "main", *attached) if _has(real, f"{home}.t")]
        for home in ("temp", "main", "o", "p"):
            found = equiv.check(f"SELECT id FROM {home}.t", "SELECT id FROM t", schema=schema)
            assert not isinstance(found, NotEquivalent)
            assert isinstance(found, Equivalent) == ([home] == there[:1])
            assert home not in there or not isinstance(found, Invalid)


def _has(connection: Connection, table: str) -> bool:
    try:
        connection.execute(f"SELECT 1 FROM {table} LIMIT 0").close()
    except RunnerError:
        return False
    return True
