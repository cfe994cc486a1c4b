"""Connections to the core's SQLite, apsw's, one version on every machine, and to databases that are given.

Each statement commits by itself unless a transaction was begun; what a registered function raises comes out
as it is.

SQLite takes what stands beside a file for part of the database.  A rollback journal makes it write to the
file, and delete the super-journal that the journal names, which can be any file of the user's; so a file
beside a journal that would be rolled back is refused.  Committed pages of a write-ahead log are read here.

Committed pages are read as SQLite's recovery reads them, without SQLite, which recovers a log only where it
may write, and a stranger's database is written nowhere.  Frames count up to the last commit before the first
frame whose salts or checksum are not those of the log. Source:
https://www.sqlite.org/fileformat2.html#the_write_ahead_log.

A server's URL may stand in the place of a path.  All that handles databases hands paths on; a URL travels as
the last component of one, its signs quoted.  A password does not: it goes to the environment of this process
and its workers, where libpq finds it, so that no record, message or command shows it.
"""

from __future__ import annotations

import getpass
import os
import stat
import struct
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, Self
from urllib.parse import parse_qsl, quote, unquote, urlsplit, urlunsplit

import apsw

from equiv.cells import Cell
from equiv.core.lexer import tokens
from equiv.names import quoted
from equiv.scratch import folder

VERSION = apsw.sqlite_lib_version()

RunnerError = apsw.Error
"""The exceptions that a statement of our own raises if it is refused or fails."""

OperationalError = apsw.SQLError
"""Those of a statement that SQLite refuses, for a name that is missing, say, or that fails on some value."""

BoundValues = Sequence[Cell] | Mapping[str, Cell]
"""The values of parameters: by position, or by name without its sign."""


class GroupFunction(Protocol):
    """One group of a function over rows."""

    @property
    def step(self) -> Callable[..., None]:
        """Take the arguments of a row."""

    @property
    def final(self) -> Callable[[], Cell]:
        """Return the value, also for a group without rows."""


class CellRows(apsw.Cursor):
    """The rows of a statement of our own.

    Raises:
        RunnerError: also for a text that is not UTF-8.
    """

    def __next__(self) -> Any:
        try:
            return super().__next__()
        except UnicodeDecodeError as error:
            raise _undecoded(error) from None

    def fetchone(self) -> Any:
        try:
            return super().fetchone()
        except UnicodeDecodeError as error:
            raise _undecoded(error) from None

    def fetchall(self) -> list[Any]:
        try:
            return super().fetchall()
        except UnicodeDecodeError as error:
            raise _undecoded(error) from None


def _undecoded(error: UnicodeDecodeError) -> OperationalError:
    return OperationalError(f"a text is not UTF-8: {error.reason}")


class Connection(apsw.Connection):
    """A connection of the core.

    Args:
        name: the path of a database, or ``:memory:``.
        flags: as SQLite takes them.
    """

    def __init__(
        self, name: str = ":memory:", flags: int = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    ) -> None:
        super().__init__(name, flags=flags)
        self.cursor_factory = CellRows

    if TYPE_CHECKING:

        def execute(  # type: ignore[override]
            self, statements: str, bindings: Sequence[Any] | Mapping[str, Any] = ()
        ) -> CellRows: ...

    def create_function(
        self, name: str, arguments: int, function: Callable[..., Cell], *, deterministic: bool = False
    ) -> None:
        """Make a function known by its name and its number of arguments, -1 for any."""
        self.create_scalar_function(name, function, arguments, deterministic=deterministic)

    def create_aggregate(self, name: str, arguments: int, made: Callable[[], GroupFunction]) -> None:
        """Make a function over rows known, of which one is made for each group."""
        self.create_aggregate_function(name, made, arguments)

    @classmethod
    def read_only(cls, path: Path) -> Self:
        """A connection to a file that is taken not to change: no lock, journal or log is looked for."""
        uri = f"{path.as_uri()}?mode=ro&immutable=1"
        return cls(uri, apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)

    def run_script(self, script: str) -> None:
        """Run all statements of a text, whatever rows they have."""
        for _ in self.execute(script):
            pass

    def run_alone(self, text: str, values: BoundValues = ()) -> tuple[apsw.Cursor, tuple[str, ...]]:
        """The rows of a text that is one statement, and the names of their columns.

        Raises:
            RunnerError: it is several statements, of which none is run, or SQLite refuses it.
            UnicodeDecodeError: when the rows are read, for a text that is not UTF-8.
        """
        described: list[tuple[str, ...]] = []

        def is_alone(cursor: apsw.Cursor, statement: str, _: object) -> bool:
            if described:
                return True  # a comment
            if len(statement) < len(text) and len(tokens(text[len(statement) :])) > 1:
                raise RunnerError("more than one statement")
            described.append(tuple([name for name, _ in cursor.get_description()]))
            return True

        cursor = apsw.Cursor(self)
        cursor.exec_trace = is_alone
        cursor.execute(text, values)
        return cursor, described[0] if described else ()

    def names(self, table: str) -> tuple[str, ...]:
        """The names of a table's columns that ``*`` stands for."""
        return self.run_alone(f"SELECT * FROM {quoted(table)} LIMIT 0")[1]

    def copy(self) -> Connection:
        """A database in memory with the same tables and rows."""
        made = Connection()
        # No statement is run, which an authorizer could refuse.
        with made.backup("main", self, "main") as backup:
            backup.step()
        return made


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
                f"not opened: {path}: {journal.name} holds an unfinished transaction, and equiv never writes"
                " to a database to roll one back"
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
        raise ValueError(f"not opened: {beside} is not a regular file")
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
            raise ValueError(f"not a SQLite database: {path}: its write-ahead log has a different page size")
        connection = _connect_image(commits, (database, log))
        if _states(database, log) != before:
            connection.close()
            raise ValueError(f"not opened: {path}: another process wrote to it meanwhile")
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


SCHEMES = ("postgresql", "postgres")
HERE = "{db}"
"""Stands in the URL of many databases for the name of one."""
_MARK = "postgresql:"


def is_url(text: str) -> bool:
    """Whether an argument is the URL of a database of PostgreSQL's."""
    return text.startswith(tuple(f"{scheme}://" for scheme in SCHEMES))


def path_of(url: str) -> Path:
    """The path that stands for a URL; its password is kept where libpq looks."""
    parts = urlsplit(url)
    place = parts.netloc
    if parts.password is not None:
        os.environ["PGPASSWORD"] = unquote(parts.password)
        user, _, host = place.rpartition("@")
        place = f"{user.split(':', 1)[0]}@{host}"
    # An empty host is kept, as three slashes.
    plain = f"//{place}" + urlunsplit(("", "", parts.path, parts.query, ""))
    return Path(_MARK + quote(plain, safe=""))


def url_of(path: Path) -> str | None:
    """The URL that a path stands for, or None: then it is the path of a file."""
    return _MARK + unquote(path.name.removeprefix(_MARK)) if path.name.startswith(_MARK) else None


def place_of(text: str) -> Path:
    """The path that an argument means: that of a file or folder, or one that stands for a server's URL."""
    return path_of(text) if is_url(text) else Path(text)


def named_below(url: str, name: str) -> str:
    """The URL of a database by its name, of one in which ``{db}`` stands for that.

    Without ``{db}`` and without a database the name comes last; a URL of one database is that of all names.
    """
    parts = urlsplit(url)
    spelt = quote(name, safe="")
    if HERE in parts.path:
        path = parts.path.replace(HERE, spelt)
    elif not parts.path.strip("/"):
        path = f"/{spelt}"
    else:
        return url
    # An empty host is kept, as three slashes.
    return f"{parts.scheme}://{parts.netloc}" + urlunsplit(("", "", path, parts.query, ""))


def name_of(url: str) -> str:
    """The name of a database; where a URL has none, the name that libpq uses."""
    parts = urlsplit(url)
    asked = dict(parse_qsl(parts.query))
    default = asked.get("dbname") or os.environ.get("PGDATABASE") or asked.get("user") or parts.username
    return unquote(parts.path.strip("/")) or default or os.environ.get("PGUSER") or getpass.getuser()


def shown_name(path: Path) -> str:
    """The name under which users are told of a database."""
    url = url_of(path)
    return path.stem if url is None else name_of(url)
