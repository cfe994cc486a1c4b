"""Database files: read-only, untouched, and whole even beside a journal."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from pathlib import Path

import pytest

from equiv.core.runner import Failure, Result, open_file


def make(path: Path, *statements: str) -> Path:
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in ("CREATE TABLE t (a)", "INSERT INTO t VALUES (1), (2)", *statements):
        connection.execute(statement)
    connection.close()
    return path


@pytest.mark.parametrize("name", ["plain.sqlite", "50% off? #1 & more.db", "dír/ünï çode.sqlite", "mode=rw"])
def test_a_file_is_read_and_left_alone(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    make(path)
    path.chmod(0o444)
    content, listing = path.read_bytes(), sorted(path.parent.iterdir())
    with open_file(str(path)) as guarded:
        assert guarded.run("SELECT a FROM t ORDER BY a DESC") == Result(((2,), (1,)), 1)
        assert isinstance(guarded.run("DELETE FROM t"), Failure)
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            guarded.connection.execute("DELETE FROM t")
        assert sorted(path.parent.iterdir()) == listing
    assert path.read_bytes() == content
    assert sorted(path.parent.iterdir()) == listing


def test_a_relative_path_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path / "here.sqlite")
    monkeypatch.chdir(tmp_path)
    with open_file("here.sqlite") as guarded:
        assert guarded.run("SELECT count(*) FROM t") == Result(((2,),), 1)


def beside_its_log(tmp_path: Path) -> Path:
    """A database whose last row is in the write-ahead log only, as after a crash."""
    source = make(tmp_path / "source.sqlite", "PRAGMA journal_mode = WAL")
    writer = sqlite3.connect(source, isolation_level=None)
    writer.execute("INSERT INTO t VALUES (3)")
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for suffix in ("", "-wal"):
        shutil.copy(f"{source}{suffix}", crashed)
    writer.close()
    return crashed / source.name


def test_what_is_only_in_the_log_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = beside_its_log(tmp_path)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    with open_file(path) as guarded:
        assert guarded.run("SELECT count(*) FROM t") == Result(((3,),), 1)
        assert isinstance(guarded.run("DELETE FROM t"), Failure)
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            guarded.connection.execute("DELETE FROM t")
        assert any(scratch.iterdir())
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before
    assert not any(scratch.iterdir())


def test_an_empty_log_is_no_log(tmp_path: Path) -> None:
    path = make(tmp_path / "a.sqlite")
    (tmp_path / "a.sqlite-wal").touch()
    with open_file(path) as guarded:
        assert guarded.run("SELECT count(*) FROM t") == Result(((2,),), 1)


@pytest.mark.parametrize("content", [b"", b"id,name\n1,Ann\n", b"SQLite format 3\0" + b"\xff" * 500])
def test_what_is_no_database_is_told_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="not a SQLite database") as caught:
        open_file(path)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_directory_are_told(tmp_path: Path) -> None:
    for path in (tmp_path / "none.sqlite", tmp_path):
        with pytest.raises(FileNotFoundError, match="no such database file"):
            open_file(path)
    assert not any(tmp_path.iterdir())
