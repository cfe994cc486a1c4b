"""Connections to database files that somebody gave: nothing is recovered, rolled back or written.

SQLite takes what stands beside a file for part of the database.  A rollback journal makes it write to the
file, and delete the super-journal that the journal names, which can be any file of the user's; so a file
beside a journal that would be rolled back is refused.  Committed pages of a write-ahead log are read here.
"""

from __future__ import annotations

import os
import stat
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from equiv.core.connection import Connection
from equiv.core.write_ahead_log import Log, read_log, write_first, write_rest
from equiv.scratch import folder

_PAGE_SIZE = slice(16, 18)
"""The bytes of a database file that have its page size; 1 is 65,536."""


@dataclass(frozen=True, slots=True)
class DatabaseFile:
    """A database as it lies in a file system."""

    path: Path
    """The file, links followed: SQLite looks beside that one."""
    log: Path | None
    """Its write-ahead log, if it has one that is not empty."""

    @classmethod
    def at(cls, path: str | Path) -> DatabaseFile:
        """The database of a path.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: what stands there, or beside it, is no part of a database, or would be rolled back.
            OSError: it cannot be looked at.
        """
        real, log, journal = map(Path, parts_of(path))
        if not real.is_file():
            raise FileNotFoundError(f"no such database file: {path}")
        if not real.stat().st_size:
            raise ValueError(f"not a SQLite database: {path}: the file is empty")
        # A journal that is kept for the next transaction (PRAGMA journal_mode = PERSIST) begins with zeros.
        if _is_part(journal) and _first_byte(journal) not in (b"", b"\0"):
            raise ValueError(
                f"not opened: {path}: beside it is the journal of an unfinished transaction, {journal.name},"
                " which is not rolled back here"
            )
        return cls(real, log if _is_part(log) else None)


def parts_of(path: str | Path) -> list[str]:
    """The paths of the files that a database may consist of, itself first."""
    try:
        real = os.path.realpath(path)
    except (OSError, ValueError):  # no file can have this name
        real = str(path)
    return [f"{real}{ending}" for ending in ("", "-wal", "-journal")]


def _is_part(beside: Path) -> bool:
    """Whether there is such a file beside a database and it is not empty."""
    try:
        status = beside.lstat()
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(status.st_mode):
        raise ValueError(f"not opened: {beside} is not a plain file, as a part of a database is")
    return status.st_size > 0


def _first_byte(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(1)


def connect(path: str | Path) -> Connection:
    """A read-only connection to a database file, which is taken not to change while it is open.

    Beside a write-ahead log with commits an image of both is opened, whose name is gone before it is
    filled: however this process ends, nothing stays behind.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is not opened (see :meth:`DatabaseFile.at`), or cannot be read.
        RunnerError: SQLite cannot open it.
    """
    try:
        file = DatabaseFile.at(path)
        return Connection.read_only(file.path) if file.log is None else _connect_both(file.path, file.log)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror or error}") from error


def _connect_both(path: Path, beside: Path) -> Connection:
    """To a database file and its log together."""
    with path.open("rb") as database, beside.open("rb") as log:
        before = _states(database, log)
        commits = read_log(log)
        if not commits.places:
            return Connection.read_only(path)
        if _page_size(database) != commits.page_size:
            raise ValueError(f"not a SQLite database: {path}: its write-ahead log has pages of another size")
        connection = _connect_image(commits, (database, log))
        if _states(database, log) != before:
            connection.close()
            raise ValueError(f"not opened: {path}: it was written to meanwhile")
    return connection


def _connect_image(commits: Log, parts: tuple[BinaryIO, BinaryIO]) -> Connection:
    with ExitStack() as opened:
        with folder() as place:
            name = place / "image"
            image = opened.enter_context(name.open("xb"))
            write_first(commits, parts, image)
            connection = opened.enter_context(closing(Connection.read_only(name)))
        write_rest(commits, parts, image)
        opened.pop_all()
        image.close()
        return connection


def _states(*files: BinaryIO) -> list[tuple[int, int]]:
    found = [os.fstat(file.fileno()) for file in files]
    return [(status.st_size, status.st_mtime_ns) for status in found]


def _page_size(database: BinaryIO) -> int:
    found = int.from_bytes(database.read(_PAGE_SIZE.stop)[_PAGE_SIZE], "big")
    return 1 << 16 if found == 1 else found
