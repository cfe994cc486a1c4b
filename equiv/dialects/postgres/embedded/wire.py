"""One connection to a PostgreSQL server, by libpq: statements of our own, and untrusted ones row by row.

Untrusted text is sent by the extended protocol, which takes one statement, and its rows are fetched one at a
time, so that a deadline and caps can be kept whatever it returns.
"""

from __future__ import annotations

import select
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Self

from equiv.errors import InputError

if TYPE_CHECKING:
    from psycopg.pq.abc import PGresult

Field = bytes | None
"""A value as PostgreSQL writes it, or NULL."""

_GRACE_SECONDS = 2.0
"""What the server has, beyond its own deadline, to say that it is over."""
_CONNECT_SECONDS = 10


class WireError(Exception):
    """The server refuses, or is not there.

    Attributes:
        code: PostgreSQL's five letters, or '' where the connection failed.
    """

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Address:
    """Where a database is: a server of ours by its socket, or anybody's by a URL."""

    socket: str
    user: str = ""
    database: str = ""
    url: str = ""

    @property
    def options(self) -> str:
        """What libpq is told."""
        if self.url:
            return self.url
        parts = {"host": self.socket, "port": "5432", "user": self.user, "dbname": self.database}
        parts |= {"sslmode": "disable", "gssencmode": "disable", "client_encoding": "UTF8"}
        return " ".join(f"{name}={_option(value)}" for name, value in parts.items())


def _option(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a statement of our own returns."""

    names: tuple[str, ...]
    types: tuple[int, ...]
    """The number of each column's type in ``pg_type``."""
    rows: list[tuple[str | None, ...]]


class Wire:
    """An open connection.

    Raises:
        WireError: there is no connection.
        InputError: the driver is not installed.
    """

    def __init__(self, address: Address) -> None:
        pq = self._pq
        options = address.options if address.url else f"{address.options} connect_timeout={_CONNECT_SECONDS}"
        self._connection = pq.PGconn.connect(options.encode())
        if self._connection.status != pq.ConnStatus.OK:
            said = _one_line(self._connection.error_message)
            self._connection.finish()
            raise WireError(said or "no connection")

    @cached_property
    def _pq(self) -> ModuleType:
        try:
            from psycopg import pq
        except ImportError:
            from equiv.dialects.postgres.embedded.place import MISSING

            raise InputError(MISSING) from None
        return pq

    @property
    def version(self) -> str:
        """The server's version, as people write it."""
        number = self._connection.server_version
        return f"{number // 10_000}.{number % 10_000}"

    def is_alive(self) -> bool:
        """Whether the connection can be used, by asking the server."""
        try:
            self.execute("")
        except WireError:
            return False
        return bool(self._connection.status == self._pq.ConnStatus.OK)

    def execute(self, statements: str) -> Answer:
        """Run statements of our own, several as one text; what the last of them returns.

        Raises:
            WireError: one is refused.
        """
        return self._answer(self._connection.exec_(_encoded(statements)))

    def each(self, statements: str) -> list[Answer]:
        """Run statements of our own, several as one text, in one round trip; what each of them returns.

        Raises:
            WireError: one is refused; those behind it have not run.
        """
        self._connection.send_query(_encoded(statements))
        results = []
        while (result := self._connection.get_result()) is not None:
            results.append(result)
        return [self._answer(result) for result in results]

    def one(self, statement: str, values: Sequence[str | None] = ()) -> Answer:
        """Run one statement, which cannot be several; values stand for ``$1``, ``$2``, ….

        Raises:
            WireError: it is refused.
        """
        given = [None if value is None else _encoded(value) for value in values]
        return self._answer(self._connection.exec_params(_encoded(statement), given))

    def describe(self, statement: str, seconds: float | None = None) -> Answer:
        """The names and types of the columns of one statement, which is not run, nor planned.

        Args:
            statement: the statement.
            seconds: what the server may take to analyse it; None: what it likes.

        Raises:
            WireError: it is refused, or late (code 57014).
        """
        if seconds is None:
            self._answer(self._connection.prepare(b"", _encoded(statement)))
            return self._answer(self._connection.describe_prepared(b""))
        deadline = monotonic() + seconds + _GRACE_SECONDS
        try:
            self._connection.send_prepare(b"", _encoded(statement))
            self._answer(self._last(deadline))
            self._connection.send_describe_prepared(b"")
            return self._answer(self._last(deadline))
        finally:
            self._finish()

    def parameter_types(self, statement: str) -> tuple[int, ...]:
        """The numbers of the types of ``$1``, ``$2``, … in one statement, which is not run.

        Raises:
            WireError: it is refused, or leaves a type open.
        """
        self._answer(self._connection.prepare(b"", _encoded(statement)))
        found = self._connection.describe_prepared(b"")
        self._answer(found)
        return tuple(found.param_type(place) for place in range(found.nparams))

    def stream(self, statement: str, seconds: float) -> Iterator[tuple[tuple[int, ...], tuple[Field, ...]]]:
        """The rows of one statement, each with the types of its columns, as they come.

        An answer of no row gives the types, if there are columns, with an empty row of fields.

        Raises:
            WireError: it is refused, or too late (code 57014).
        """
        connection, status = self._connection, self._pq.ExecStatus
        deadline = monotonic() + seconds + _GRACE_SECONDS
        connection.send_query_params(_encoded(statement), None)
        connection.set_single_row_mode()
        types: tuple[int, ...] | None = None
        try:
            while (result := self._next(deadline)) is not None:
                if result.status == status.FATAL_ERROR:
                    raise _refused(result, self._pq)
                width = result.nfields
                if types is None:
                    types = tuple([result.ftype(i) for i in range(width)])
                    if width and not result.ntuples:
                        yield types, ()
                for row in range(result.ntuples):
                    yield types, tuple([result.get_value(row, i) for i in range(width)])
        finally:
            self._finish()

    def copy(self, statement: str, rows: str) -> None:
        """Run a ``COPY … FROM stdin`` with its rows.

        Raises:
            WireError: it is refused.
        """
        result = self._connection.exec_params(_encoded(statement), None)
        if result.status != self._pq.ExecStatus.COPY_IN:
            self._answer(result)
            raise WireError("not a COPY from standard input")
        self._connection.put_copy_data(_encoded(rows))
        self._connection.put_copy_end()
        while (found := self._connection.get_result()) is not None:
            self._answer(found)

    def close(self) -> None:
        """Close the connection; the server rolls back what is open."""
        self._connection.finish()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _next(self, deadline: float) -> PGresult | None:
        connection = self._connection
        while connection.is_busy():
            left = deadline - monotonic()
            if left <= 0 or not select.select([connection.socket], [], [], left)[0]:
                raise WireError("canceling statement due to statement timeout", "57014")
            self._consume()
        found: PGresult | None = connection.get_result()
        return found

    def _last(self, deadline: float) -> PGresult:
        """The result of a statement that was sent."""
        found = None
        while (result := self._next(deadline)) is not None:
            found = result
        if found is None:
            raise WireError("the connection is lost")
        return found

    def _consume(self) -> None:
        try:
            self._connection.consume_input()
        except Exception as error:  # noqa: BLE001 - whatever the driver raises, the connection is lost
            raise WireError(_one_line(str(error).encode()) or "the connection is lost") from None

    def _finish(self) -> None:
        """Drop what is still to come; a server that does not end in time loses the connection."""
        if self._connection.transaction_status != self._pq.TransactionStatus.ACTIVE:
            return
        try:
            self._connection.get_cancel().cancel()
            deadline = monotonic() + _GRACE_SECONDS
            while self._next(deadline) is not None:
                pass
        except Exception:  # noqa: BLE001 - it is given up in any case
            self._connection.finish()

    def _answer(self, result: PGresult) -> Answer:
        if result.status == self._pq.ExecStatus.FATAL_ERROR:
            raise _refused(result, self._pq)
        width = result.nfields
        names = tuple((result.fname(i) or b"").decode(errors="replace") for i in range(width))
        types = tuple(result.ftype(i) for i in range(width))
        rows = [tuple(_text(result.get_value(row, i)) for i in range(width)) for row in range(result.ntuples)]
        return Answer(names, types, rows)


def _text(value: Field) -> str | None:
    return None if value is None else value.decode("utf-8", "replace")


def _encoded(text: str) -> bytes:
    """The text as UTF-8.

    Raises:
        WireError: it is no text that PostgreSQL takes.
    """
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise WireError("the text is not Unicode", "22021") from None
    if b"\0" in data:
        raise WireError("the text holds a NUL character", "22021")
    return data


def _refused(result: PGresult, pq: ModuleType) -> WireError:
    fields = pq.DiagnosticField
    message = result.error_field(fields.MESSAGE_PRIMARY) or result.error_message
    code = result.error_field(fields.SQLSTATE) or b""
    return WireError(_one_line(message), code.decode(errors="replace"))


def _one_line(message: bytes) -> str:
    return " ".join(message.decode("utf-8", "replace").split())
