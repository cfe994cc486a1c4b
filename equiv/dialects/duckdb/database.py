"""One DuckDB database in this process, locked: untrusted queries read it and nothing else, within limits.

A deadline interrupts the query from a second thread, one for all statements of a process: one for each costs
more than most statements do.  What no interrupt stops (one long step inside DuckDB) ends with the process:
:mod:`equiv.workers.lanes` kills the one that is caught in it.
"""

from __future__ import annotations

import atexit
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from itertools import count, pairwise
from pathlib import Path
from threading import Condition, Thread
from time import monotonic
from typing import Any

import duckdb

from equiv.cells import Row
from equiv.core.runner import Deadline, Failure, Limits, Result
from equiv.dialects.duckdb.macros import OF_CATALOGUE, Expansion, Macros, defaults_of, macros_of, nodes
from equiv.dialects.duckdb.values import cell_of, printed_cell, single, size_of
from equiv.names import quoted_name
from equiv.scratch import Closing, remembered

_IDLE = 60.0
"""Seconds after which the thread looks whether there is anything to do, and ends if there is not."""

_SOON = 0.002
"""Seconds between two looks at a thread whose time is nearly up."""


class Watch:
    """A thread that interrupts what runs beyond its deadline."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._due: dict[int, tuple[Deadline, Callable[[], object]]] = {}
        self._numbers = count()
        self._wakes = 0.0
        """When the thread looks next."""
        self._runs = False

    @contextmanager
    def within(self, seconds: float, interrupt: Callable[[], object]) -> Iterator[None]:
        """Let ``interrupt`` be called once if the block takes longer; never when it has ended."""
        deadline = Deadline(max(seconds, 0.001))
        end = monotonic() + max(seconds, 0.001)
        with self._changed:
            number = next(self._numbers)
            self._due[number] = deadline, interrupt
            if not self._runs:
                self._runs = True
                Thread(target=self._run, daemon=True).start()
            elif end < self._wakes:
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._due.pop(number, None)

    def _run(self) -> None:
        with self._changed:
            while True:
                # Each thread that waits for its block still lives: to end it, it needs the lock.
                left = {number: deadline.seconds_left() for number, (deadline, _) in self._due.items()}
                for number in [number for number, seconds in left.items() if seconds <= 0]:
                    self._due.pop(number)[1]()
                now = monotonic()
                soonest = min((left[number] for number in self._due), default=_IDLE)
                self._wakes = now + max(soonest, _SOON)
                # A thread that did not wait while nothing ran would be started for each statement.
                self._changed.wait(self._wakes - now)
                if not self._due and monotonic() >= self._wakes:
                    self._runs = False
                    return


_watches: dict[int, Watch] = {}


def watch() -> Watch:
    """The watch of this process: a child has none of its parent's threads."""
    return _watches.setdefault(os.getpid(), Watch())


DuckdbError = duckdb.Error
"""The exceptions that a statement raises."""

VERSION = duckdb.__version__

DDL_SECONDS = 30.0
_READ_SECONDS = 20.0
_FAILURES = (duckdb.Error, RuntimeError, ValueError, OverflowError)
_OPTIONS: dict[str, str | bool | int | float | list[str]] = {
    "threads": "1",
    "memory_limit": "1GB",
    "temp_directory": "",
    "enable_external_access": "false",
    "autoload_known_extensions": "false",
    "autoinstall_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_persistent_secrets": "false",
    "python_enable_replacements": "false",
    # A division of floats by zero then raises an error, as one of integers does.
    "ieee_floating_point_ops": "false",
    "error_on_division_by_zero": "true",
    "scalar_subquery_error_on_multiple_rows": "true",
    "default_null_order": "nulls_last",
    "default_order": "asc",
}
_CHUNK = 512
_KEPT = 3
_idle: dict[int, list[DuckdbDatabase]] = {}
"""Databases that nobody uses, by process: a child shares none with its parent."""
OWN, IDLE = "memory", "equiv_idle"
"""The database of a script, by the name that DuckDB gives to one in memory; the one that all statements
mean while nobody uses the connection."""
ATTACHED = "SELECT database_name FROM duckdb_databases() WHERE NOT internal"
_LEFT = """SELECT (SELECT count(*) FROM duckdb_tables() WHERE NOT internal)
    + (SELECT count(*) FROM duckdb_views() WHERE NOT internal)
    + (SELECT count(*) FROM duckdb_types() WHERE NOT internal) + (SELECT count(*) FROM duckdb_sequences())"""
"""What a script has made elsewhere than in the database that was lent."""


@atexit.register
def _close_idle() -> None:
    """Close what nobody uses: else DuckDB's library reports each of its objects as the process ends."""
    for each in _idle.pop(os.getpid(), ()):
        each.close(for_good=True)


def borrowed() -> DuckdbDatabase:
    """An empty database, quicker than a new one, for statements that make tables, views and types."""
    idle = _idle.setdefault(os.getpid(), [])
    database = idle.pop() if idle else DuckdbDatabase()
    database.lend()
    return database


def unlocked_connection() -> duckdb.DuckDBPyConnection:
    """A connection to a new database in memory for statements of our own, which may set what is asked for."""
    connection = duckdb.connect(":memory:", config=_OPTIONS)
    connection.execute("SET TimeZone = 'UTC'")
    return connection


_macros_read: dict[tuple[str, ...], Macros] = {}


class DuckdbDatabase(Closing):
    """A database in memory, or a file that is only read."""

    def __init__(self, path: Path | None = None) -> None:
        where = ":memory:" if path is None else str(path)
        self._connection = duckdb.connect(where, read_only=path is not None, config=_OPTIONS)
        self._plain = self._connection.cursor()
        for each in (self._connection, self._plain):
            each.execute("SET TimeZone = 'UTC'")
        self._plain.execute("PRAGMA disable_optimizer")
        self._connection.execute("SET lock_configuration = true")
        self._is_lent = self._has_more = False
        self._macros: Macros | None = {} if path is None else None
        """None: not read yet."""
        self._made_by: tuple[str, ...] | None = None
        """The statements that have made what is there, but for rows; None: not all are known."""
        self.defaults: dict[str, dict[str, str]] = {}
        """What parameters of macros are where they are left out, by the macro's name in lower case."""

    def execute(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows of a statement of our own, or of DDL, which may come from anybody.

        Raises:
            DuckdbError: it fails, or takes too long.
        """
        with self._interrupting(self._connection, DDL_SECONDS):
            return self._executed(statement, values)

    def make(self, statements: Iterable[str]) -> None:
        """Run statements of DDL and INSERTs, all within one deadline.

        Raises:
            DuckdbError: one fails, or they take too long.
        """
        before, self._made_by, made = self._made_by, None, []
        with self._interrupting(self._connection, DDL_SECONDS):
            for statement in statements:
                self._executed(statement)
                if not statement.startswith("INSERT"):
                    made.append(statement)
        self._made_by = None if before is None else (*before, *made)

    def _executed(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows of a statement; remembers that it may attach a database, or make a macro."""
        words = statement.upper()
        self._has_more = self._has_more or "ATTACH" in words
        if not ("MACRO" in words or "FUNCTION" in words):
            return self._connection.execute(statement, list(values)).fetchall()
        self._macros = self._made_by = None
        found = self._connection.execute(statement, list(values)).fetchall()
        # One that failed says nothing of the macro that is there.
        self.defaults.update(filter(None, [defaults_of(statement, tokens_of(statement))]))
        return found

    def kinds(self, text: str) -> list[tuple[str, str]]:
        """The kind of each statement of a text, and the statement.

        Raises:
            DuckdbError: it cannot be parsed.
        """
        with self._interrupting(self._connection, _READ_SECONDS):
            found = self._connection.extract_statements(text)
            return [(each.type.name, each.query.strip().rstrip(";").rstrip()) for each in found]

    def parsed(self, text: str) -> dict[str, Any]:
        """DuckDB's own tree of a query, with what its macros stand for.

        Its keys ``error`` and ``error_message`` say what is wrong.  A call of a macro whose parameters have
        types, or that fits several of a name, stays as it is.
        """
        found = self._serialised("json_serialize_sql", text)
        try:
            macros = self._macros if self._macros is not None else self._read_macros()
        except (*_FAILURES, KeyError) as error:
            return {"error": True, "error_type": "", "error_message": one_line(error)}
        return Expansion(macros).of(found) if macros and not found["error"] else found

    def placed(self, query: str, name: str) -> str:
        """A query whose tables are those of another database, and of main where it says no schema."""
        tree = self._serialised("json_serialize_sql", query)
        for node in nodes(tree):
            if node.get("type") == "BASE_TABLE" and not node["catalog_name"]:
                path = [name, node["schema_name"] or "main", node["table_name"]]
                node["catalog_name"], node["schema_name"], _ = path
                node["qualified_name"] = {"path": path}
        return str(self.execute("SELECT json_deserialize_sql(?::JSON)", [json.dumps(tree)])[0][0])

    def _read_macros(self) -> Macros:
        """The macros, which are read once for all databases that the same statements have made."""

        def read() -> Macros:
            rows = self._connection.execute(OF_CATALOGUE).fetchall()
            return macros_of(rows, self.defaults, lambda text: self._serialised("json_serialize_sql", text))

        self._macros = read() if self._made_by is None else remembered(_macros_read, self._made_by, read)
        return self._macros

    def planned(self, text: str) -> dict[str, Any]:
        """The bound plan of a query, not optimised, in the same way."""
        return self._serialised("json_serialize_plan", text)

    def planned_at_once(self, *texts: str) -> list[dict[str, Any]]:
        """The bound plans of queries at one instant, which plans may hold."""
        self.execute("BEGIN TRANSACTION")
        try:
            return list(map(self.planned, texts))
        finally:
            self.execute("ROLLBACK")

    def described(self, text: str, parameters: Sequence[str] = ()) -> list[tuple[str, str]]:
        """The names and types of the columns of a query, which is not run; its parameters are NULL.

        Raises:
            DuckdbError: DuckDB refuses it.
        """
        with self._interrupting(self._connection, _READ_SECONDS):
            nulls = dict.fromkeys((name.removeprefix("$") for name in parameters), None)
            found = self._connection.execute(f"DESCRIBE {text}", nulls).fetchall()
            return [(str(name), str(kind)) for name, kind, *_ in found]

    def run(self, text: str, limits: Limits, *, optimised: bool = True) -> Result | Failure:
        """The result of one query; never raises for the text."""
        connection = self._connection if optimised else self._plain
        try:
            with self._interrupting(connection, limits.seconds):
                answer = connection.execute(text)
                kinds = [str(each[1]) for each in answer.description or ()]
                if ZONED in kinds:
                    answer = connection.execute(_without_zones(text, kinds))
                return _fetched(answer, limits)
        except duckdb.InterruptException:
            return Failure("timeout", "the query ran out of time")
        except duckdb.OutOfMemoryException as error:
            return Failure("resource", one_line(error))
        except MemoryError:
            return Failure("resource", "out of memory")
        except _FAILURES as error:
            # Of values within others, no query's failure.
            return Failure("resource" if "'pytz'" in str(error) else "error", one_line(error))

    def printed(self, text: str, limits: Limits) -> Result | Failure:
        """The same with the names of the columns and the rows as DuckDB prints them."""
        try:
            names, kinds = zip(*self.described(text), strict=True)
        except DuckdbError as error:
            return Failure("error", one_line(error))
        found = self.run(_without_zones(text, kinds, prints=True), limits)
        if isinstance(found, Failure):
            return found
        width = len(kinds)
        printed = tuple(tuple(map(printed_cell, row[width:], kinds)) for row in found.rows)
        return Result(tuple(row[:width] for row in found.rows), width, names, printed)

    def lend(self) -> None:
        """Make an empty database within this one that all statements mean from now on, until it is closed."""
        if not self._is_lent:
            # The name that queries may write is that of the one within.
            self._connection.execute(f"ATTACH ':memory:' AS {IDLE}")
            self._put_away()
        self._macros, self._made_by, self.defaults = {}, (), {}
        self._connection.execute(f"ATTACH ':memory:' AS {OWN}")
        self._use(OWN)
        self._is_lent = True

    def close(self, *, for_good: bool = False) -> None:
        """Close it; one that was lent and is clean is kept for the next."""
        if self._is_lent and not for_good and self._is_given_back():
            return
        self._plain.close()
        self._connection.close()

    def _use(self, name: str) -> None:
        for each in (self._connection, self._plain):
            each.execute(f"USE {name}")

    def _put_away(self) -> None:
        """Detach all databases but the one that nobody uses."""
        self._use(IDLE)
        beside = f"{ATTACHED} AND database_name <> '{IDLE}'"
        names = self._connection.execute(beside).fetchall() if self._has_more else [(OWN,)]
        for (name,) in names:
            self._connection.execute(f"DETACH {quoted_name(name)}")
        self._has_more = False

    def _is_given_back(self) -> bool:
        idle = _idle.setdefault(os.getpid(), [])
        try:
            self._put_away()
            ((left,),) = self._connection.execute(_LEFT).fetchall()
        except _FAILURES:
            return False
        if left or len(idle) >= _KEPT:
            return False
        idle.append(self)
        return True

    def _serialised(self, function: str, text: str) -> dict[str, Any]:
        try:
            with self._interrupting(self._connection, _READ_SECONDS):
                (found,) = self._connection.execute(f"SELECT {function}(?::VARCHAR)", [text]).fetchall()
        except _FAILURES as error:
            return {"error": True, "error_type": "", "error_message": one_line(error)}
        answer: dict[str, Any] = json.loads(found[0])
        return answer

    def _interrupting(
        self, connection: duckdb.DuckDBPyConnection, seconds: float
    ) -> AbstractContextManager[None]:
        return watch().within(seconds, connection.interrupt)


ZONED = "TIMESTAMP WITH TIME ZONE"
"""DuckDB's type of instants."""


def in_utc(instant: str) -> str:
    """An expression for the timestamp that an instant is in the zone of the session, UTC."""
    return f"CAST({instant} AS TIMESTAMP)"


def _without_zones(text: str, kinds: Sequence[str], *, prints: bool = False) -> str:
    """The query with timestamps, which are in UTC here, for instants; each column also as text if wanted.

    The client makes values of instants with a library that need not be there.
    """
    names = [f"c{place}" for place in range(len(kinds))]
    shown = [in_utc(name) if kind == ZONED else name for name, kind in zip(names, kinds, strict=True)]
    if prints:
        shown += [f"CAST({name} AS VARCHAR)" for name in names]
    return f"SELECT {', '.join(shown)} FROM ({text}\n) q({', '.join(names)})"


def _fetched(answer: duckdb.DuckDBPyConnection, limits: Limits) -> Result | Failure:
    described = answer.description or ()
    columns = len(described)
    singles = [place for place, each in enumerate(described) if str(each[1]) == "FLOAT"]
    rows: list[Row] = []
    spent = 0
    while chunk := answer.fetchmany(_CHUNK):
        for each in chunk:
            row = tuple(map(cell_of, each))
            if singles:
                row = tuple(single(cell) if place in singles else cell for place, cell in enumerate(row))
            rows.append(row)
            spent += sum(map(size_of, row))
        if len(rows) > limits.rows or spent > limits.bytes:
            return Failure("resource", f"the result exceeds {limits.rows} rows or {limits.bytes} bytes")
    return Result(tuple(rows), columns)


def setting_called(name: str, value: str) -> str | None:
    """DuckDB's name for the value of a setting; None if it does not accept the value."""
    text = value.replace("'", "''")
    with closing(duckdb.connect()) as connection:
        try:
            connection.execute(f"SET {name} = '{text}'")
            ((called,),) = connection.execute(f"SELECT current_setting('{name}')").fetchall()
        except duckdb.Error:
            return None
    return str(called)


def one_line(error: BaseException | str) -> str:
    """The message of an error, in one line."""
    return " ".join(str(error).split("\nLINE", 1)[0].split())[:300]


def tokens_of(text: str) -> list[tuple[int, str]]:
    """The tokens of a text, comments among them, each with the byte of UTF-8 at which it begins."""
    whole = text.encode()
    starts = [start for start, _ in duckdb.tokenize(text)]
    return [(start, whole[start:end].decode().strip()) for start, end in pairwise((*starts, len(whole)))]


def statements_of(text: str) -> list[str]:
    """The statements of a script; what DuckDB does not parse is one."""
    with DuckdbDatabase() as database:
        try:
            return [statement for _, statement in database.kinds(text)]
        except (DuckdbError, RuntimeError, ValueError):
            return [text]
