"""The embedded server: made on first use, shared by all processes of a user, stopped when none uses it.

What may happen to it: two processes start it at once (a lock); it or a user of it is killed (locks are the
kernel's, and a stale ``postmaster.pid`` names no server of ours); its data is damaged, since nothing is
written through to the disk (it is made anew: it holds nothing of value).
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from equiv.dialects.postgres.embedded import settings, watcher
from equiv.dialects.postgres.embedded.place import Place, owner_of, place_for
from equiv.dialects.postgres.embedded.wire import Address, Wire, WireError
from equiv.errors import InputError

_READY = "equiv-ready"
"""A file in the data folder, written when all is set up."""
_START_SECONDS = 60.0
_held: dict[Path, IO[bytes]] = {}
"""The files whose shared lock says that this process uses a server."""
_running: dict[int, Place] = {}
"""The place of the server, by the process that asked: a fork asks anew."""


def place() -> Place:
    """The place of the server, whether it runs or not.

    Raises:
        InputError: the extra is not installed, or there is no room for the data.
    """
    return place_for(settings.TEXT)


def running() -> Place:
    """The place of the server, which runs when this returns and for as long as this process does.

    Raises:
        InputError: the extra is not installed, or the server cannot be started: one line says why.
    """
    found = _running.get(os.getpid())
    if found is not None and _answers(found):
        return found
    found = place()
    _use(found)
    if not _answers(found) or not (found.data / _READY).exists():
        with _locked(found.lock):
            if not _answers(found) or not (found.data / _READY).exists():
                _make_and_start(found)
    _watch(found)
    _running[os.getpid()] = found
    return found


def address(at: Place, database: str, user: str = settings.SESSION) -> Address:
    """Where a database of the server is reached."""
    return Address(str(at.socket), user, database)


def stop() -> bool:
    """Stop the server, whoever uses it; whether one ran."""
    at = place()
    with _locked(at.lock):
        pid = watcher.postmaster(at.data)
        return pid is not None and watcher.stop(pid, at.data)


def _use(at: Place) -> None:
    """Say that this process uses the server, until it ends."""
    if at.users not in _held:
        file = at.users.open("a+b")
        # Who stops an idle server holds the lock alone until it is down.
        fcntl.flock(file, fcntl.LOCK_SH)
        _held[at.users] = file


def _answers(at: Place) -> bool:
    try:
        Wire(address(at, "postgres", settings.ADMIN)).close()
    except WireError:
        return False
    return True


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make_and_start(at: Place) -> None:
    """Start the server, its data made first; data on which it does not start are made anew, once."""
    made = (at.data / _READY).exists()
    try:
        if not made:
            _make(at)
        _start(at)
        if not made:
            _set_up(at)
    except _NotStartedError as error:
        if not made:
            raise InputError(f"PostgreSQL does not start: {error}") from None
        (at.data / _READY).unlink(missing_ok=True)
        _make_and_start(at)


class _NotStartedError(Exception):
    """The server or its data cannot be made; one line says why."""


def _make(at: Place) -> None:
    pid = watcher.postmaster(at.data)
    if pid is not None:
        watcher.stop(pid, at.data)
    shutil.rmtree(at.data, ignore_errors=True)
    at.data.mkdir(mode=0o700, parents=True)
    owner = owner_of(at.account)
    if owner is not None:
        os.chown(at.data, *owner)
    options = [part for item in settings.CONFIGURATION.items() for part in ("-c", "=".join(item))]
    _run(at, ["initdb", "-D", str(at.data), *settings.INITDB, *options])


def _start(at: Place) -> None:
    """Start the server on its data, as soon as what is left of one that was killed has gone."""
    at.log.touch(mode=0o600)
    if (owner := owner_of(at.account)) is not None:
        os.chown(at.log, *owner)
    deadline = time.monotonic() + _START_SECONDS
    while True:
        _forget_stale(at)
        at.log.write_bytes(b"")
        socket = str(at.socket).replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
        arguments = ["-D", str(at.data), "-l", str(at.log), "-s", "-w", "-t", "60", "-o", f'-k "{socket}"']
        try:
            _run(at, ["pg_ctl", "start", *arguments], memory=settings.MEMORY_KILOBYTES)
        except _NotStartedError as error:
            said = at.log.read_text(errors="replace")
            if "still in use" not in said or time.monotonic() > deadline:
                raise _NotStartedError(_last_line(said) or str(error)) from None
            time.sleep(0.2)
        else:
            return


def _forget_stale(at: Place) -> None:
    """Remove the file that names a server which is gone: its number may be another process's by now."""
    if watcher.postmaster(at.data) is None:
        (at.data / "postmaster.pid").unlink(missing_ok=True)


def _set_up(at: Place) -> None:
    """Make roles and the database that is copied for each use."""
    try:
        with Wire(address(at, "postgres", settings.ADMIN)) as wire:
            for statement in filter(None, map(str.strip, settings.ROLES.split(";\n"))):
                wire.execute(statement)
        with Wire(address(at, settings.TEMPLATE, settings.ADMIN)) as wire:
            wire.execute(settings.GRANTS)
    except WireError as error:
        raise InputError(f"PostgreSQL cannot be set up: {error}") from None
    (at.data / _READY).touch()


def _watch(at: Place) -> None:
    """Start a process that stops the server when nobody uses it, if there is none."""
    with at.watch.open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return
    files = [str(each) for each in (at.data, at.lock, at.users, at.watch)]
    script = [sys.executable, "-I", "-S", watcher.__file__, *files]
    # The shell ends at once: the watcher is nobody's child, and no signal of a terminal reaches it.
    _quietly(["/bin/sh", "-c", '"$@" >/dev/null 2>&1 </dev/null &', "sh", *script], start_new_session=True)


def _run(at: Place, command: Sequence[str], memory: int | None = None) -> None:
    """Run a program of PostgreSQL's under its account.

    Raises:
        _NotStartedError: it fails.
    """
    program = [str(at.programs / command[0]), *command[1:]]
    limit = f"ulimit -v {memory} 2>/dev/null; " if memory else ""
    owner = owner_of(at.account)
    found = _quietly(
        ["/bin/sh", "-c", limit + 'exec "$@"', "sh", *program],
        start_new_session=True,
        cwd="/",
        env={"LC_ALL": "C", "TZ": "UTC", "PATH": os.environ.get("PATH", os.defpath)},
        user=owner[0] if owner else None,
        group=owner[1] if owner else None,
        extra_groups=[] if owner else None,
    )
    if found is not None:
        raise _NotStartedError(f"{command[0]}: {found}")


def _quietly(command: Sequence[str], **options: object) -> str | None:
    """Run a command; None if it succeeds, or the last line of what it says.

    A server keeps its output open: a pipe would be read for as long as it runs.
    """
    with tempfile.TemporaryFile() as said:
        run: Callable[..., subprocess.CompletedProcess[bytes]] = subprocess.run
        try:
            code = run(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, check=False, **options)
        except OSError as error:
            return str(error)
        if not code.returncode:
            return None
        said.seek(0)
        return _last_line(said.read().decode(errors="replace")) or f"exit code {code.returncode}"


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    fatal = [line for line in lines if "FATAL" in line or "error" in line.lower()]
    return (fatal or lines or [""])[-1][:300]
