"""Databases and schemas are found by name, and a name never leaves its root."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import equiv
from equiv.errors import InputError
from equiv.schema.locate import Place, named_database, place_for_check, places_for_eval


def make(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE animal (id INTEGER PRIMARY KEY)")
    return path


def test_a_name_is_looked_up_in_its_folder_and_flat(tmp_path: Path) -> None:
    folder, flat = make(tmp_path / "zoo/zoo.sqlite"), make(tmp_path / "farm.sqlite")
    assert named_database("zoo", [tmp_path]) == folder
    assert named_database("farm", [tmp_path / "nowhere", tmp_path]) == flat
    assert named_database("sea", [tmp_path]) is None


@pytest.mark.parametrize(
    "name", ["../secret", "..", ".", "", "/etc/passwd", "a/../../secret", "a\\b", "x\x00y"]
)
def test_a_name_never_leaves_its_root(tmp_path: Path, name: str) -> None:
    make(tmp_path / "secret.sqlite")
    make(tmp_path / "secret/secret.sqlite")
    (tmp_path / "root").mkdir()
    assert named_database(name, [tmp_path / "root"]) is None


def test_a_link_out_of_the_root_is_not_followed(tmp_path: Path) -> None:
    outside = make(tmp_path / "secret.sqlite")
    root = tmp_path / "root"
    root.mkdir()
    (root / "zoo.sqlite").symlink_to(outside)
    (root / "farm").symlink_to(tmp_path)
    (root / "loop").symlink_to(root / "loop")
    assert [named_database(name, [root]) for name in ("zoo", "farm", "loop")] == [None] * 3
    inside = make(root / "real.sqlite")
    (root / "alias.sqlite").symlink_to(inside)
    assert named_database("alias", [root]) == root / "alias.sqlite"


def test_names_come_from_the_working_folder_and_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EQUIV_DB_ROOT", str(tmp_path / "elsewhere"))
    make(tmp_path / "elsewhere/zoo/zoo.sqlite")
    assert place_for_check("zoo", None).database == tmp_path / "elsewhere/zoo/zoo.sqlite"
    make(tmp_path / "dev_databases/zoo/zoo.sqlite")
    assert place_for_check("zoo", None).database == Path("dev_databases/zoo/zoo.sqlite")


def test_a_folder_of_ddl_serves_each_name(tmp_path: Path) -> None:
    (tmp_path / "zoo.sql").write_text("CREATE TABLE animal (id INTEGER)")
    place = places_for_eval(["zoo", "zoo"], None, tmp_path)["zoo"]
    assert place.database is None
    assert place.schema is not None
    assert place.schema.table("animal") is not None


def test_a_database_goes_before_a_schema_which_fills_the_gaps(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text("CREATE TABLE animal (id INTEGER)")
    database = make(tmp_path / "root/zoo/zoo.sqlite")
    places = places_for_eval(["zoo", "farm"], tmp_path / "root", tmp_path / "schema.sql")
    assert places["zoo"].database == database
    assert places["farm"].database is None
    assert places["farm"].schema is not None


def test_what_is_missing_is_named_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no database or schema for db_id 'zoo', '\.\./farm'$"):
        places_for_eval(["zoo", "../farm"], tmp_path, None)
    (tmp_path / "zoo.sqlite").write_text("not a database at all")
    with pytest.raises(InputError, match="not a SQLite database"):
        places_for_eval(["zoo"], tmp_path, None)
    with pytest.raises(InputError, match="give schemas with --db-root"):
        places_for_eval(["zoo"], None, None)


def test_the_digest_follows_content(tmp_path: Path) -> None:
    database = make(tmp_path / "zoo.sqlite")
    before = Place("zoo", database).digest
    assert Place("zoo", database).digest == before
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("INSERT INTO animal VALUES (1)")
    assert Place("zoo", database).digest != before


@pytest.mark.parametrize("name", ["\ud800", "\ud800.sqlite", "a\0b", "a/\ud800.db"])
def test_what_no_file_can_be_called_is_not_found(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        equiv.check("SELECT 1", "SELECT 1", db=name, timeout=None)
    with pytest.raises(InputError):
        equiv.check("SELECT 1", "SELECT 1", schema=Path(name), timeout=None)
    with pytest.raises(InputError):
        place_for_check(None, Path(name))
    for root, schema in ((tmp_path, None), (None, tmp_path)):
        with pytest.raises(InputError, match="no database or schema for db_id"):
            places_for_eval([name], root, schema)


def test_a_schema_may_come_from_a_pipe() -> None:
    end, start = os.pipe()
    os.write(start, b"CREATE TABLE animal (id INTEGER PRIMARY KEY);")
    os.close(start)
    try:
        place = place_for_check(None, Path(f"/dev/fd/{end}"))
    finally:
        os.close(end)
    assert place.schema is not None
    assert place.schema.table("animal") is not None
