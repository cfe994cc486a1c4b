"""This module runs one query on a real SQLite: guarded, within a deadline and within caps.

:class:`Limits`, :class:`Result` and :class:`Failure` serve the runs of all dialects.
Predicted SQL comes from a model and is not trusted.  :class:`Guarded` wraps one
connection for two kinds of statements: our own, through ``connection``, and
untrusted text, through :meth:`Guarded.run`.  The authorizer and the deadline
stand from the start and are armed only while ``run`` lasts, because setting an
authorizer expires every prepared statement of the connection.

What cannot be stopped here is one long step *inside* SQLite (a LIKE that
backtracks for hours, a query whose preparation explodes): the deadline is looked
at between steps.  :mod:`equiv.workers.lanes` kills the process that is caught in one.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from threading import get_ident
from time import perf_counter, thread_time
from typing import Literal

import apsw

from equiv.cells import Cell, Row
from equiv.core.connection import VERSION, BoundValues, Connection, OperationalError, RunnerError, connect
from equiv.core.functions.own import register
from equiv.core.lexer import tokens
from equiv.names import fold
from equiv.scratch import Closing

if sys.platform == "linux":
    from time import clock_gettime, pthread_getcpuclockid


__all__ = [
    "DEFAULT_LIMITS",
    "ENCODING",
    "MAX_STATEMENT",
    "VERSION",
    "BoundValues",
    "Connection",
    "Failure",
    "Guarded",
    "Limits",
    "OperationalError",
    "Result",
    "RunnerError",
    "connect_memory",
    "open_file",
    "open_memory",
]


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one run of an untrusted query."""

    seconds: float = 30.0
    """Time, preparation and fetching included; see :class:`Deadline`."""
    rows: int = 1_000_000
    """Rows of the result."""
    bytes: int = 256 * 1024 * 1024
    """Bytes of the result: 8 for each cell, plus the length of text (in characters) and blobs."""
    steps: float = math.inf
    """Instructions of SQLite's virtual machine: work that is the same on every machine, under any load."""


@dataclass(frozen=True, slots=True)
class Result:
    """The rows of a query, in the order in which SQLite gave them."""

    rows: tuple[Row, ...]
    columns: int
    names: tuple[str, ...] = field(default=(), compare=False)
    """What the engine calls the columns; names never count for a verdict."""
    printed: tuple[Row, ...] = field(default=(), compare=False)
    """The rows as the engine prints them, if it was asked; for people alone."""


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

_BARE = "equiv_bare"
"""The name of a query whose texts are read as bytes."""

MAX_STATEMENT = 200_000
"""The longest statement, in bytes of UTF-8."""

ENGINE_LIMITS = {
    apsw.SQLITE_LIMIT_SQL_LENGTH: MAX_STATEMENT,
    apsw.SQLITE_LIMIT_LENGTH: 10_000_000,
    apsw.SQLITE_LIMIT_EXPR_DEPTH: 1_000,
    apsw.SQLITE_LIMIT_COMPOUND_SELECT: 500,
    apsw.SQLITE_LIMIT_COLUMN: 2_000,
    apsw.SQLITE_LIMIT_VDBE_OP: 500_000,
    apsw.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 10_000,
    apsw.SQLITE_LIMIT_ATTACHED: 0,
    apsw.SQLITE_LIMIT_WORKER_THREADS: 0,
}
"""What SQLite refuses of a query, however little time it would take."""
OPCODES_BETWEEN_CHECKS = 2_000
_OPENING_SECONDS = 30.0
"""For the schema of a database file: a few pages can hold one without end."""
_UNSIZED = frozenset((int, float, type(None)))
_FIRST_CHUNK, _NEXT_CHUNKS = 64, 512

_OK, _DENY = apsw.SQLITE_OK, apsw.SQLITE_DENY
_READ, _FUNCTION = apsw.SQLITE_READ, apsw.SQLITE_FUNCTION
_HARMLESS = frozenset((apsw.SQLITE_SELECT, apsw.SQLITE_RECURSIVE))
_FORBIDDEN_FUNCTIONS = frozenset(
    ("load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "sqlite_log", "zipfile")
)
_TABLES_OF_THE_ENGINE = frozenset(("dbstat", "bytecode", "tables_used"))
_TOO_COMPLEX = "LIKE or GLOB pattern too complex"


_BY_CLOCK = 6.0
"""A query is ended after so many times its seconds, however long its thread had no processor."""


class Deadline:
    """When the seconds of a query are up: those for which its thread had a processor.

    By the clock alone, a query would end under load that else returns rows, and a verdict depend on the load.
    """

    __slots__ = ("_by_clock", "_of_processor", "_seconds", "_thread")

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._by_clock = perf_counter()
        self._of_processor = thread_time()
        self._thread = get_ident()

    def is_past(self) -> bool:
        """Whether it is over, asked by the thread for which it was made."""
        passed = perf_counter() - self._by_clock
        if passed <= self._seconds:
            return False
        return passed > _BY_CLOCK * self._seconds or thread_time() - self._of_processor > self._seconds

    def seconds_left(self) -> float:
        """How long it is not over at the least, asked by any thread while the one it was made for lives."""
        passed = perf_counter() - self._by_clock
        if sys.platform == "linux":
            spent = clock_gettime(pthread_getcpuclockid(self._thread)) - self._of_processor
        else:
            spent = passed  # no system but Linux is known to tell one thread the time of another
        return min(self._seconds - spent, _BY_CLOCK * self._seconds - passed)


_NEVER = Deadline(math.inf)


class Guarded(Closing):
    """One SQLite connection on which untrusted queries may run.

    ``connection`` is for trusted statements only: creating and filling tables,
    registering functions and collations, which untrusted queries may then use.
    It commits by itself (no implicit transactions).
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._armed = False
        self._sealed = False
        self._deadline = _NEVER
        self._steps = math.inf
        for category, value in ENGINE_LIMITS.items():
            connection.limit(category, value)
        connection.set_progress_handler(self._is_late, OPCODES_BETWEEN_CHECKS)
        with self.within(_OPENING_SECONDS):
            connection.execute("PRAGMA temp_store = MEMORY")
            # Their first use declares a table, which the authorizer would refuse.
            functions = "json_each('[]'), json_tree('[]'), jsonb_each('[]'), jsonb_tree('[]')"
            connection.execute(f"SELECT 1 FROM {functions}").close()
        register(connection)
        connection.set_authorizer(self._authorise)

    def run(self, sql: str, limits: Limits = DEFAULT_LIMITS, values: BoundValues = ()) -> Result | Failure:
        """Run one untrusted query and fetch its whole result; ``values`` are bound to its parameters.

        Text that is not UTF-8 comes back with its stray bytes as lone surrogates
        (``surrogateescape``), which keeps different texts different.  Never raises,
        but for KeyboardInterrupt.
        """
        self._deadline, self._steps = Deadline(limits.seconds), limits.steps
        self._armed = True
        try:
            try:
                return self._fetch(sql, limits, values)
            except UnicodeDecodeError:
                return self._fetch_stray_bytes(sql, limits, values)
        except MemoryError:
            return Failure("resource", "out of memory")
        except Exception as error:  # noqa: BLE001 - what a registered function raises comes out as it is
            if self._steps < 0:
                return Failure("resource", f"the query takes more than {limits.steps:,} steps of SQLite's")
            return _failure(error)
        finally:
            self._armed = self._sealed
            self._deadline, self._steps = _NEVER, math.inf

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Interrupt statements of ``connection`` that run when so many seconds have passed."""
        self._deadline = Deadline(seconds)
        try:
            yield
        finally:
            self._deadline = _NEVER

    def seal(self) -> None:
        """From now on hold every statement of ``connection`` for untrusted too."""
        self._armed = self._sealed = True

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    def _fetch(self, sql: str, limits: Limits, values: BoundValues) -> Result | Failure:
        cursor, names = self.connection.run_alone(_UNTRUSTED + sql, values)
        if not names:
            return Failure("error", "not a query")
        width = len(names)
        rows: list[Row] = []
        spent, size = 0, _FIRST_CHUNK
        while chunk := list(islice(cursor, size)):
            rows += chunk
            spent += _bytes(chunk, width)
            if len(rows) > limits.rows or spent > limits.bytes:
                cursor.close(force=True)
                return Failure("resource", f"the result exceeds {limits.rows} rows or {limits.bytes} bytes")
            if len(chunk) < size:
                break
            size = _NEXT_CHUNKS
        return Result(tuple(rows), width, names)

    def _fetch_stray_bytes(self, sql: str, limits: Limits, values: BoundValues) -> Result | Failure:
        """The result where each text comes as bytes, beside a mark that it is one."""
        _, names = self.connection.run_alone(_UNTRUSTED + sql, values)
        found = self._fetch(_with_bytes(sql, len(names)), limits, values)
        if isinstance(found, Failure):
            return found
        rows = tuple(tuple(map(_decoded, row[::2], row[1::2])) for row in found.rows)
        return Result(rows, len(names), names)

    def _is_late(self) -> bool:
        self._steps -= OPCODES_BETWEEN_CHECKS
        return self._steps < 0 or self._deadline.is_past()

    def _authorise(self, action: int, first: str | None, second: str | None, *_where: str | None) -> int:
        return permission_for(action, first, second) if self._armed else _OK


def permission_for(action: int, first: str | None, second: str | None, *_where: str | None) -> int:
    """SQLite's OK or DENY for what an untrusted query is about to do, as its authorizer is told it."""
    if action in _HARMLESS:
        return _OK
    if action == _READ and first is not None:
        return _DENY if _belongs_to_engine(fold(first)) else _OK
    if action == apsw.SQLITE_PRAGMA and first == "data_version":
        return _OK  # FTS5 asks whether its table has changed.
    if action == _FUNCTION and second is not None:
        return _DENY if fold(second) in _FORBIDDEN_FUNCTIONS else _OK
    return _DENY


def connect_memory() -> Connection:
    """An empty database in memory for statements of our own alone, unguarded."""
    connection = Connection()
    register(connection)
    return connection


def open_memory() -> Guarded:
    """An empty database in memory."""
    return Guarded(Connection())


def open_file(path: str | Path) -> Guarded:
    """A database file, read-only; see :func:`equiv.core.connection.connect`.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is not a SQLite database, would be rolled back, or its encoding is UTF-16: there, texts
            sort otherwise, and hex, CAST to BLOB and their like see other bytes.
    """
    try:
        connection = connect(path)
        try:
            return _of_a_stranger(connection, path)
        except BaseException:
            connection.close()
            raise
    except RunnerError as error:
        why = "reading its schema takes too long" if str(error) == "interrupted" else error
        raise ValueError(f"not a SQLite database: {path}: {why}") from error


def _of_a_stranger(connection: Connection, path: str | Path) -> Guarded:
    # Its views, CHECKs and generated columns call what is harmless alone; pages are checked as they are read.
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    guarded = Guarded(connection)
    connection.execute("PRAGMA query_only = ON")
    encoding = connection.execute("PRAGMA encoding").fetchone()[0]
    if encoding != ENCODING:
        raise ValueError(f"not supported: {path}: its encoding is {encoding}, not {ENCODING}")
    return guarded


def _belongs_to_engine(table: str) -> bool:
    return table.startswith(("sqlite_", "pragma_")) or table in _TABLES_OF_THE_ENGINE


def _failure(error: Exception) -> Failure:
    message = " ".join(str(error).split())
    match error:
        case apsw.InterruptError():
            return Failure("timeout", "the query ran out of time")
        case apsw.TooBigError() | apsw.NoMemError() | apsw.FullError():
            return Failure("resource", message)
    return Failure("resource" if message == _TOO_COMPLEX else "error", message)


def _with_bytes(sql: str, width: int) -> str:
    """A query's rows in their order, each cell after whether it is a text; texts as bytes."""
    names = [f"c{place}" for place in range(width)]
    cells = ", ".join(
        f"typeof({name}) = 'text', CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END"
        for name in names
    )
    parts = [token for token in tokens(sql) if token.word != ";"]
    bare = sql[: parts[-2].end]
    return f"WITH {_BARE}({', '.join(names)}) AS MATERIALIZED ({bare}) SELECT {cells} FROM {_BARE}"


def _decoded(is_text: Cell, cell: Cell) -> Cell:
    return cell.decode("utf-8", "surrogateescape") if is_text and isinstance(cell, bytes) else cell


def _bytes(rows: list[Row], width: int) -> int:
    total = 8 * width * len(rows)
    for column in zip(*rows, strict=True):
        if not _UNSIZED.issuperset(map(type, column)):
            total += sum([len(cell) for cell in column if isinstance(cell, str | bytes)])
    return total


_WHAT_A_WITNESS_DOES = frozenset(
    (
        *(apsw.SQLITE_CREATE_TABLE, apsw.SQLITE_CREATE_INDEX, apsw.SQLITE_CREATE_VIEW),
        *(apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_READ, apsw.SQLITE_SELECT),
        *(apsw.SQLITE_FUNCTION, apsw.SQLITE_TRANSACTION, apsw.SQLITE_REINDEX),
    )
)


def run_script(engine: Guarded, script: str) -> None:
    """Create tables, indexes and views and insert rows, as a witness's script does, and nothing besides.

    From then on the connection takes nothing else either.

    Raises:
        RunnerError: the script does anything else, or fails.
        ValueError: it is not text that the runner takes.
    """
    engine.connection.set_authorizer(_allow)
    engine.connection.run_script(script)


def _allow(action: int, *_what: str | None) -> int:
    return apsw.SQLITE_OK if action in _WHAT_A_WITNESS_DOES else apsw.SQLITE_DENY
