"""A process that stops the embedded server when no process uses it; run as a script, with no other module.

Each process that uses the server holds a shared lock on a file, which the kernel gives back however the
process ends.  When the lock has been free for a while, nobody uses the server.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
import time
from pathlib import Path
from typing import IO

IDLE_SECONDS = 120.0
"""How long the server outlives its last user."""
_LOOK_SECONDS = 2.0
_STOP_SECONDS = 30.0


def main(data: str, lock: str, users: str, watch: str) -> None:
    """Watch a server until it is stopped; return at once if another process watches it.

    Args:
        data: the server's data folder.
        lock: the file that is locked while the server is started or stopped.
        users: the file that users lock, shared.
        watch: the file that the one watcher locks.
    """
    # Its own lock is given up first: who gets one of the others then finds no watcher, and starts one.
    with Path(users).open("a+b") as used, Path(lock).open("a+b") as start, Path(watch).open("a+b") as own:
        if not _locked(own):
            return
        since = time.monotonic()
        while True:
            time.sleep(_LOOK_SECONDS)
            pid = postmaster(Path(data))
            if pid is None and not Path(data).exists():
                return
            if _is_used(used):
                since = time.monotonic()
            elif time.monotonic() - since >= IDLE_SECONDS and _locked(start):
                # Who comes now waits for one of the two locks, and then starts the server anew.
                if _locked(used):
                    if pid is not None:
                        stop(pid, Path(data))
                    return
                _unlock(start)


def postmaster(data: Path) -> int | None:
    """The process of the server of a data folder, if it runs."""
    try:
        pid = int((data / "postmaster.pid").read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None
    return pid if _is_postmaster(pid, data) else None


def _is_postmaster(pid: int, data: Path) -> bool:
    """Whether a process is the server of a data folder; where its arguments cannot be read: whether it is."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    try:
        arguments = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return not Path("/proc/self").exists()
    return os.fsencode(str(data)) in arguments


def stop(pid: int, data: Path) -> bool:
    """Stop a server, its connections with it; whether it is gone."""
    for number in (signal.SIGINT, signal.SIGQUIT):
        try:
            os.kill(pid, number)
        except OSError:
            return not _is_postmaster(pid, data)
        deadline = time.monotonic() + _STOP_SECONDS
        while time.monotonic() < deadline:
            if not _is_postmaster(pid, data):
                return True
            time.sleep(0.02)
    return False


def _is_used(users: IO[bytes]) -> bool:
    if _locked(users):
        _unlock(users)
        return False
    return True


def _locked(file: IO[bytes]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _unlock(file: IO[bytes]) -> None:
    fcntl.flock(file, fcntl.LOCK_UN)


if __name__ == "__main__":
    IDLE_SECONDS = float(sys.argv[5]) if len(sys.argv) > 5 else IDLE_SECONDS
    main(*sys.argv[1:5])
