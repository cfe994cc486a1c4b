"""Connections to database files that somebody gave: nothing is recovered, rolled back or written.

SQLite takes what stands beside a file for part of the database.  A rollback journal makes it write to the
file, and delete the super-journal that the journal names, which can be any file of the user's; so a file
beside a journal that would be rolled back is refused.  Committed pages of a write-ahead log are read here.

The committed pages of a write-ahead log, read as SQLite's recovery reads it, without SQLite.

SQLite recovers a log only where it may write, and a stranger's database is written nowhere.  Frames count up
to the last commit before the first frame whose salts or checksum are not those of the log.
Source: https://www.sqlite.org/fileformat2.html#the_write_ahead_log.
"""

from __future__ import annotations

import os
import stat
import struct
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from equiv.core.connection import Connection
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
        commits = _read_log(log)
        if not commits.places:
            return Connection.read_only(path)
        if _page_size(database) != commits.page_size:
            raise ValueError(f"not a SQLite database: {path}: its write-ahead log has pages of another size")
        connection = _connect_image(commits, (database, log))
        if _states(database, log) != before:
            connection.close()
            raise ValueError(f"not opened: {path}: it was written to meanwhile")
    return connection


def _connect_image(commits: _Log, parts: tuple[BinaryIO, BinaryIO]) -> Connection:
    with ExitStack() as opened:
        with folder() as place:
            name = place / "image"
            image = opened.enter_context(name.open("xb"))
            _write_first(commits, parts, image)
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


_HEADER, _FRAME = struct.Struct(">8I"), struct.Struct(">6I")
_MAGIC, _VERSION = 0x377F0682, 3_007_000
_PAGE_SIZES = frozenset(1 << power for power in range(9, 17))
_WORD = 0xFFFFFFFF

_Sums = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Log:
    """The committed pages of a write-ahead log; empty if it has none."""

    page_size: int = 0
    size: int = 0
    """The pages of the database after the last commit."""
    places: dict[int, int] = field(default_factory=dict)
    """Where the latest content of a page begins in the log, by the page's number."""


def _read_log(file: BinaryIO) -> _Log:
    """The commits of a log; none if its header is not one."""
    header = file.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return _Log()
    magic, version, page_size, _, *salts, first, second = _HEADER.unpack(header)
    order = ">" if magic & 1 else "<"
    sums = _checksum(header[:24], order, (0, 0))
    is_log = magic | 1 == _MAGIC | 1 and version == _VERSION and page_size in _PAGE_SIZES
    if not is_log or sums != (first, second):
        return _Log()
    committed: dict[int, int] = {}
    pending: dict[int, int] = {}
    size, place = 0, _HEADER.size
    while len(frame := file.read(_FRAME.size + page_size)) == _FRAME.size + page_size:
        number, commit, *frame_salts, first, second = _FRAME.unpack_from(frame)
        sums = _checksum(frame[_FRAME.size :], order, _checksum(frame[:8], order, sums))
        if not number or frame_salts != salts or sums != (first, second):
            break
        pending[number] = place + _FRAME.size
        place += len(frame)
        if commit:
            committed |= pending
            pending, size = {}, commit
    return _Log(page_size, size, committed)


def _checksum(data: bytes, order: str, sums: _Sums) -> _Sums:
    first, second = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & _WORD
        second = (second + odd + first) & _WORD
    return first, second


def _write_first(log: _Log, parts: tuple[BinaryIO, BinaryIO], image: BinaryIO) -> None:
    """Give the image its size and its first page: all that SQLite asks of a file that it opens.

    Args:
        log: the commits.
        parts: the database file and its log.
        image: an empty file.
    """
    image.truncate(log.size * log.page_size)
    _copy_page(log, parts, image, 1)
    image.flush()


def write_rest(log: _Log, parts: tuple[BinaryIO, BinaryIO], image: BinaryIO) -> None:
    """Fill an image that has its first page: the database file's pages, and over them the log's."""
    database, _ = parts
    database.seek(0)
    image.seek(0)
    left = log.size * log.page_size
    while left > 0 and (chunk := database.read(min(left, 1 << 20))):
        image.write(chunk)
        left -= len(chunk)
    for number in log.places:
        if number <= log.size:
            _copy_page(log, parts, image, number)
    image.flush()


def _copy_page(log: _Log, parts: tuple[BinaryIO, BinaryIO], image: BinaryIO, number: int) -> None:
    database, file = parts
    start = (number - 1) * log.page_size
    source, place = (file, log.places[number]) if number in log.places else (database, start)
    source.seek(place)
    image.seek(start)
    image.write(source.read(log.page_size))
