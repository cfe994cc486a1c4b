"""One query on a real SQLite: guarded, within a deadline and within caps.

Predicted SQL comes from a model and is not trusted.  :class:`Guarded` wraps one
connection for two kinds of statements: our own, through ``connection``, and
untrusted text, through :meth:`Guarded.run`.  The authorizer and the deadline
stand from the start and are armed only while ``run`` lasts, because setting an
authorizer expires every prepared statement of the connection.

What cannot be stopped here is one long step *inside* SQLite (a LIKE that
backtracks for hours, a query whose preparation explodes): the deadline is looked
at between steps.  :mod:`equiv.workers.isolate` kills the process that is caught in one.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Literal, Self

from equiv.cells import Cell, Row
from equiv.core.database_file import connect
from equiv.core.functions.lengths import DEFAULT_LENGTH
from equiv.core.functions.own import register

Connection = sqlite3.Connection
"""The runner itself, for statements of our own; who holds one gets it here."""

RunnerError = sqlite3.Error
"""The exceptions that a statement of our own raises if it is refused or fails."""

OperationalError = sqlite3.OperationalError
"""The exceptions that it raises if a name is missing, or a deadline has passed."""

VERSION = sqlite3.sqlite_version

Values = Sequence[Cell] | Mapping[str, Cell]
"""The values of parameters: by position, or by name without its sign."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one run of an untrusted query."""

    seconds: float = 30.0
    """Wall-clock time, preparation and fetching included."""
    rows: int = 1_000_000
    """Rows of the result."""
    bytes: int = 256 * 1024 * 1024
    """Bytes of the result: 8 for each cell, plus the length of text (in characters) and blobs."""


@dataclass(frozen=True, slots=True)
class Result:
    """The rows of a query, in the order in which SQLite gave them."""

    rows: tuple[Row, ...]
    columns: int
    names: tuple[str, ...] = field(default=(), compare=False)
    """What SQLite calls the columns; names never count for a verdict."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no result: SQLite refused or failed, the deadline passed, or a cap was reached."""

    kind: Literal["error", "timeout", "resource"]
    message: str


DEFAULT_LIMITS = Limits()

ENCODING = "UTF-8"
"""How every database that is opened or made keeps its texts."""

_UNTRUSTED = "/* untrusted */ "
"""Put before untrusted text, so that it never equals a cached statement that was prepared unarmed."""

MAX_STATEMENT = 200_000
"""The longest statement, in bytes of UTF-8."""

_ENGINE_LIMITS = {
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: MAX_STATEMENT,
    sqlite3.SQLITE_LIMIT_LENGTH: 10_000_000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 1_000,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 500,
    sqlite3.SQLITE_LIMIT_COLUMN: 2_000,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 500_000,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 10_000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_OPCODES_BETWEEN_CHECKS = 2_000
_OPENING_SECONDS = 30.0
"""For the schema of a database file: a few pages can hold one without end."""
_UNSIZED = frozenset((int, float, type(None)))
_FIRST_CHUNK, _NEXT_CHUNKS = 64, 512

_OK, _DENY = sqlite3.SQLITE_OK, sqlite3.SQLITE_DENY
_READ, _FUNCTION = sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION
_HARMLESS = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE))
_FORBIDDEN_FUNCTIONS = frozenset(
    ("load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "sqlite_log", "zipfile")
)
_TABLES_OF_THE_ENGINE = frozenset(("dbstat", "bytecode", "tables_used"))
_LIMIT_MESSAGES = frozenset(("query string is too large", "LIKE or GLOB pattern too complex"))
_ERRORS = (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError)


class Guarded:
    """One SQLite connection on which untrusted queries may run.

    ``connection`` is for trusted statements only: creating and filling tables,
    registering functions and collations, which untrusted queries may then use.
    It commits by itself (no implicit transactions).
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._armed = False
        self._sealed = False
        self._deadline = math.inf
        for category, value in _ENGINE_LIMITS.items():
            connection.setlimit(category, value)
        connection.set_progress_handler(self._is_late, _OPCODES_BETWEEN_CHECKS)
        with self.within(_OPENING_SECONDS):
            connection.execute("PRAGMA temp_store = MEMORY")
            # Their first use declares a table, which the authorizer would refuse.
            connection.execute("SELECT 1 FROM json_each('[]'), json_tree('[]')").close()
        register(connection)
        connection.set_authorizer(self._authorise)

    @contextmanager
    def with_default_length(self) -> Iterator[None]:
        """Let texts and blobs be as long as SQLite's default has it, in a with statement."""
        lower = self.connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, DEFAULT_LENGTH)
        try:
            yield
        finally:
            self.connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, lower)

    def run(self, sql: str, limits: Limits = DEFAULT_LIMITS, values: Values = ()) -> Result | Failure:
        """Run one untrusted query and fetch its whole result; ``values`` are bound to its parameters.

        Text that is not UTF-8 comes back with its stray bytes as lone surrogates
        (``surrogateescape``), which keeps different texts different.  Never raises,
        but for KeyboardInterrupt.
        """
        self._deadline = perf_counter() + limits.seconds
        self._armed = True
        try:
            try:
                return self._fetch(sql, limits, values)
            except sqlite3.OperationalError as error:
                if not str(error).startswith("Could not decode to UTF-8"):
                    raise
                return self._fetch_stray_bytes(sql, limits, values)
        except _ERRORS as error:
            return self._failure(error)
        except MemoryError:
            return Failure("resource", "out of memory")
        finally:
            self._armed = self._sealed
            self._deadline = math.inf

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Interrupt statements of ``connection`` that run when so many seconds have passed."""
        self._deadline = perf_counter() + seconds
        try:
            yield
        finally:
            self._deadline = math.inf

    def seal(self) -> None:
        """From now on hold every statement of ``connection`` for untrusted too."""
        self._armed = self._sealed = True

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _fetch(self, sql: str, limits: Limits, values: Values) -> Result | Failure:
        cursor = self.connection.execute(_UNTRUSTED + sql, values)
        if cursor.description is None:
            return Failure("error", "not a query")
        names = tuple([column[0] for column in cursor.description])
        width = len(names)
        rows: list[Row] = []
        spent, size = 0, _FIRST_CHUNK
        while chunk := cursor.fetchmany(size):
            rows += chunk
            spent += _bytes(chunk, width)
            if len(rows) > limits.rows or spent > limits.bytes:
                cursor.close()
                return Failure("resource", f"the result exceeds {limits.rows} rows or {limits.bytes} bytes")
            if len(chunk) < size:
                break
            size = _NEXT_CHUNKS
        return Result(tuple(rows), width, names)

    def _fetch_stray_bytes(self, sql: str, limits: Limits, values: Values) -> Result | Failure:
        self.connection.text_factory = _decode
        try:
            return self._fetch(sql, limits, values)
        finally:
            self.connection.text_factory = str

    def _failure(self, error: Exception) -> Failure:
        message = " ".join(str(error).split())
        match getattr(error, "sqlite_errorcode", None):
            case sqlite3.SQLITE_INTERRUPT if perf_counter() < self._deadline:
                # A signal handler raised inside the progress handler, and sqlite3 swallowed it.
                raise KeyboardInterrupt from error
            case sqlite3.SQLITE_INTERRUPT:
                return Failure("timeout", "the query ran out of time")
            case sqlite3.SQLITE_TOOBIG | sqlite3.SQLITE_NOMEM | sqlite3.SQLITE_FULL:
                return Failure("resource", message)
        return Failure("resource" if message in _LIMIT_MESSAGES else "error", message)

    def _is_late(self) -> bool:
        return perf_counter() > self._deadline

    def _authorise(self, action: int, first: str | None, second: str | None, *_where: str | None) -> int:
        if not self._armed or action in _HARMLESS:
            return _OK
        if action == _READ and first is not None:
            return _DENY if _belongs_to_engine(first.lower()) else _OK
        if action == _FUNCTION and second is not None:
            return _DENY if second.lower() in _FORBIDDEN_FUNCTIONS else _OK
        return _DENY


def connect_memory() -> Connection:
    """An empty database in memory for statements of our own alone, unguarded."""
    connection = sqlite3.connect(":memory:")
    register(connection)
    return connection


def open_memory() -> Guarded:
    """An empty database in memory."""
    # Engines of one process are used by one thread at a time, but not always by the same.
    return Guarded(sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False))


def open_file(path: str | Path) -> Guarded:
    """A database file, read-only; see :func:`equiv.core.database_file.connect`.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is no SQLite database, would be rolled back, or keeps its texts as UTF-16: there, texts
            sort otherwise, and hex, CAST to BLOB and their like see other bytes.
    """
    try:
        connection = connect(path)
        try:
            return _of_a_stranger(connection, path)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        why = "its schema takes too long to read" if str(error) == "interrupted" else error
        raise ValueError(f"not a SQLite database: {path}: {why}") from error


def _of_a_stranger(connection: sqlite3.Connection, path: str | Path) -> Guarded:
    # Its views, CHECKs and generated columns call what is harmless alone; pages are checked as they are read.
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    guarded = Guarded(connection)
    connection.execute("PRAGMA query_only = ON")
    encoding = connection.execute("PRAGMA encoding").fetchone()[0]
    if encoding != ENCODING:
        raise ValueError(f"not supported: {path}: its texts are {encoding}, not {ENCODING}")
    return guarded


def _belongs_to_engine(table: str) -> bool:
    return table.startswith("sqlite_") or table in _TABLES_OF_THE_ENGINE


def _decode(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")


def _bytes(rows: list[Row], width: int) -> int:
    total = 8 * width * len(rows)
    for column in zip(*rows, strict=True):
        if not _UNSIZED.issuperset(map(type, column)):
            total += sum([len(cell) for cell in column if isinstance(cell, str | bytes)])
    return total
