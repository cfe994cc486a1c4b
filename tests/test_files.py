"""Database files: read-only, untouched, and whole even beside a write-ahead log."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.hostile_files import leave_hot_journal, leave_log, make_database, make_endless_schema

from equiv.core import connection, runner
from equiv.core.connection import write_rest
from equiv.core.runner import Failure, Result, RunnerError, open_file
from equiv.errors import InputError
from equiv.files import read_text


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
        with pytest.raises(RunnerError, match="readonly"):
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
        with pytest.raises(RunnerError, match="readonly"):
            guarded.connection.execute("DELETE FROM t")
        assert not any(scratch.iterdir())
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


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


def test_beside_a_hot_journal_a_file_is_refused_in_one_line_and_left_alone(tmp_path: Path) -> None:
    database = make_database(tmp_path / "zoo.sqlite")
    victim = tmp_path / "thesis.tex"
    victim.write_text("years of work")
    leave_hot_journal(database, victim)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(ValueError, match=r"zoo\.sqlite-journal holds an unfinished transaction") as caught:
        open_file(database)
    assert "\n" not in str(caught.value)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_sqlite_itself_deletes_what_the_journal_names(tmp_path: Path) -> None:
    """The journal of these tests is a real one."""
    database = make_database(tmp_path / "zoo.sqlite")
    victim = tmp_path / "thesis.tex"
    victim.write_text("years of work")
    leave_hot_journal(database, victim)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("SELECT * FROM t").fetchall()
    assert not victim.exists()


@pytest.mark.parametrize("mode", ["PERSIST", "TRUNCATE"])
def test_a_journal_that_is_kept_for_the_next_transaction_does_not_matter(tmp_path: Path, mode: str) -> None:
    path = make(tmp_path / "a.sqlite", f"PRAGMA journal_mode = {mode}", "INSERT INTO t VALUES (3)")
    assert (tmp_path / "a.sqlite-journal").exists()
    with open_file(path) as guarded:
        assert guarded.run("SELECT count(*) FROM t") == Result(((3,),), 1)


@pytest.mark.parametrize("ending", ["-wal", "-journal"])
@pytest.mark.parametrize("kind", ["link", "folder", "pipe"])
def test_what_stands_in_place_of_a_part_is_refused(tmp_path: Path, kind: str, ending: str) -> None:
    path = make(tmp_path / "a.sqlite")
    beside, other = tmp_path / f"a.sqlite{ending}", tmp_path / "other"
    other.write_bytes(b"private")
    match kind:
        case "link":
            beside.symlink_to(other)
        case "folder":
            beside.mkdir()
        case _:
            os.mkfifo(beside)
    with pytest.raises(ValueError, match="is not a regular file"):
        open_file(path)


def test_beside_a_link_nothing_counts_and_beside_its_file_the_log_does(tmp_path: Path) -> None:
    path = make_database(tmp_path / "a.sqlite")
    leave_log(path)
    away = tmp_path / "away"
    away.mkdir()
    link = away / "b.sqlite"
    link.symlink_to(path)
    (away / "b.sqlite-journal").write_bytes(b"no part of it")
    with open_file(link) as guarded:
        assert guarded.run("SELECT count(*) FROM t") == Result(((3,),), 1)


def test_a_pipe_is_no_database(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.sqlite")
    with pytest.raises(FileNotFoundError, match="no such database file"):
        open_file(tmp_path / "a.sqlite")


def test_a_log_counts_up_to_its_last_commit(tmp_path: Path) -> None:
    path = make_database(tmp_path / "a.sqlite")
    log = leave_log(path)
    with open_file(path) as guarded:
        assert guarded.run("SELECT count(*) FROM t") == Result(((3,),), 1)
    log.write_bytes(log.read_bytes()[:-1])
    with open_file(path) as guarded:
        assert guarded.run("SELECT count(*) FROM t") == Result(((2,),), 1)


def test_a_log_that_is_written_to_meanwhile_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_database(tmp_path / "a.sqlite")
    log = leave_log(path)

    def rest(*given: Any) -> None:
        write_rest(*given)
        with log.open("ab") as file:
            file.write(b"more")

    monkeypatch.setattr(connection, "write_rest", rest)
    with pytest.raises(ValueError, match="wrote to it meanwhile"):
        open_file(path)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32), harm=st.sampled_from(["none", "cut", "flip"]))
def test_a_log_says_what_sqlite_recovers_from_it(seed: int, harm: str) -> None:
    random = Random(seed)
    with TemporaryDirectory() as folder, TemporaryDirectory() as scratch:
        ours, theirs = (Path(folder, name) for name in ("ours", "theirs"))
        parts = random_parts(Path(folder, "live"), random)
        if harm != "none" and (log := parts.get("-wal")):
            parts["-wal"] = tampered(log, harm, random)
        for path in (ours, theirs):
            for ending, content in parts.items():
                Path(f"{path}{ending}").write_bytes(content)
        with closing(sqlite3.connect(theirs)) as connection:
            expected = connection.execute(ROWS).fetchall()
        with mock.patch.object(tempfile, "tempdir", scratch), open_file(ours) as guarded:
            assert guarded.connection.execute(ROWS).fetchall() == expected
            assert guarded.connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert not any(Path(scratch).iterdir())


ROWS = "SELECT a, hex(b) FROM t ORDER BY rowid"
FILL = (
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :rows)"
    " INSERT INTO t SELECT i, randomblob(:bytes) FROM n"
)


def random_parts(path: Path, random: Random) -> dict[str, bytes]:
    """The files of a database at some moment of its life, by their endings."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {random.choice((512, 1024, 4096, 65536))}")
        connection.execute("CREATE TABLE t (a, b)")
        for setting in ("journal_mode = WAL", "wal_autocheckpoint = 0", "cache_size = 5"):
            connection.execute(f"PRAGMA {setting}")
        for _ in range(random.randint(1, 10)):
            match random.randrange(6):
                case 0 | 1:
                    connection.execute(
                        FILL, {"rows": random.randint(1, 150), "bytes": random.randint(1, 700)}
                    )
                case 2:
                    connection.execute("DELETE FROM t WHERE a % ? = 0", (random.randint(1, 4),))
                case 3:
                    connection.execute("VACUUM")
                case 4:
                    how = random.choice(("PASSIVE", "FULL", "RESTART", "TRUNCATE"))
                    connection.execute(f"PRAGMA wal_checkpoint({how})")
                case _:
                    connection.execute("BEGIN")
                    connection.execute(FILL, {"rows": 100, "bytes": 900})
                    connection.execute("ROLLBACK")
        if random.random() < 0.4:
            connection.execute("BEGIN")
            connection.execute(FILL, {"rows": 100, "bytes": 900})
        files = {ending: Path(f"{path}{ending}") for ending in ("", "-wal")}
        return {ending: file.read_bytes() for ending, file in files.items() if file.exists()}


def tampered(log: bytes, harm: str, random: Random) -> bytes:
    """A log cut short, or with a bit that is another."""
    if not log or harm == "cut":
        return log[: random.randint(0, len(log))]
    place = random.randrange(len(log))
    return log[:place] + bytes([log[place] ^ 1 << random.randrange(8)]) + log[place + 1 :]


def test_a_schema_without_end_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "_OPENING_SECONDS", 0.2)
    with pytest.raises(ValueError, match="reading its schema takes too long"):
        open_file(make_endless_schema(tmp_path / "a.sqlite"))


def test_a_strangers_view_calls_nothing_that_is_not_harmless(tmp_path: Path) -> None:
    path = make(tmp_path / "a.sqlite", "CREATE VIEW v AS SELECT danger(a) FROM t")
    with open_file(path) as guarded:
        guarded.connection.create_function("danger", 1, lambda value: value)
        assert guarded.run("SELECT danger(1)") == Result(((1,),), 1)
        found = guarded.run("SELECT * FROM v")
    assert isinstance(found, Failure)
    assert "unsafe use of danger()" in found.message


@pytest.mark.parametrize("content", [b"SQLite format 3\0" + bytes(90), bytes(8) + b"DUCK" + bytes(90)])
def test_a_database_in_the_place_of_text_is_called_one(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "shop.sql"
    path.write_bytes(content)
    with pytest.raises(InputError, match="a database, not text: give it as --db, or its folder as --db-root"):
        read_text(path)
