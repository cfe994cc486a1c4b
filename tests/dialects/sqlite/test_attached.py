"""Tables of attached databases and temporary ones, in a script and in queries; no file is read for them."""

from __future__ import annotations

from pathlib import Path

import pytest

import equiv
from equiv.errors import InputError
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


@pytest.mark.parametrize(
    ("first", "second"), [("o.t", "main.t"), ("p.t", "o.t"), ("main.t", "temp.t"), ("temp.t", "main.t")]
)
@pytest.mark.parametrize("condition", ["", "IF NOT EXISTS"])
def test_a_name_alone_means_no_other_table_than_sqlite_finds(first: str, second: str, condition: str) -> None:
    script, other = (
        ATTACHED + _create(first, "(id INTEGER PRIMARY KEY)"),
        _create(second, "(id INT)", condition),
    )
    pair = "SELECT id FROM t", "SELECT DISTINCT id FROM t"
    with pytest.raises(InputError, match=f"two tables are named t: {first} and {second}"):
        equiv.check(*pair, schema=script + other)
    # What is dropped before has no name.
    assert isinstance(equiv.check(*pair, schema=f"{script} DROP TABLE t; {other}"), NotEquivalent)
