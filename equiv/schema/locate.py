"""Finding what a pair is checked on: the populated database, the schema, or both.

A database *name* comes from a data file and so from strangers: it is one path
component, and what it leads to stays below its root, links included.

Databases that are built on first use: of those shipped, the sources are shipped and not the file.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import islice
from pathlib import Path

from equiv.core.connection import is_url, name_of, named_below, parts_of, path_of, url_of
from equiv.core.model import REFERENCE, Schema
from equiv.core.texts import reads_as_postgres
from equiv.dialects.registry import dialect_at, dialect_named
from equiv.errors import InputError, did_you_mean, listed
from equiv.files import FileErrors, one_line, read_text

Load = Callable[[str, str], Schema]
"""Gives the schema of some DDL, and a name."""

SUFFIXES = (".sqlite", ".db", ".sqlite3")
"""How the file of a database may end, most usual first."""


@dataclass(frozen=True)
class Place:
    """A database to check pairs on: a file with its rows, a schema, or both."""

    name: str
    database: Path | None = None
    schema: Schema | None = None

    @property
    def remark(self) -> str:
        """A remark, made once, on a schema that lacks objects of its source; '' if it has all."""
        count = len(self.schema.passed) if self.schema is not None else 0
        objects = "object was" if count == 1 else "objects were"
        return f"{self.name}: {count} {objects} skipped; run 'equiv schema' for the list" if count else ""

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all that the place can contribute to a verdict: the file's content, the schema."""
        import hashlib

        digest = hashlib.sha256(repr(self.schema).encode())
        if self.database is not None and (url := url_of(self.database)):
            digest.update(url.encode())
        for path in _content(self.database):
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()


def _content(database: Path | None) -> list[Path]:
    """The database file and, if there is one, its write-ahead log."""
    if database is None or url_of(database) is not None:
        # What a server holds may change: a run against one is resumed by its URL.
        return []
    file, log, _ = map(Path, parts_of(database))
    return [file, log] if log.is_file() else [file]


def default_roots() -> tuple[Path, ...]:
    """The folders in which a database name is looked up.

    They are ./dev_databases, that of the checkout or the installed copy, and $EQUIV_DB_ROOT.
    """
    roots = [Path("dev_databases"), CHECKOUT]
    if INSTALLED.is_dir():
        roots.append(INSTALLED)
    if given := os.environ.get("EQUIV_DB_ROOT"):
        roots.append(Path(given))
    return tuple(roots)


def is_plain_name(name: str) -> bool:
    """Whether a name is one path component that leads neither up nor elsewhere."""
    return bool(name) and name not in {".", ".."} and not any(c in "/\\:" or ord(c) < 32 for c in name)


def confined(root: Path, *parts: str) -> Path | None:
    """The existing file below ``root`` that the parts lead to, or None; a link out of the root is no file."""
    path = root.joinpath(*parts)
    try:
        real = path.resolve(strict=True)
        return path if real.is_file() and real.is_relative_to(root.resolve()) else None
    except (OSError, RuntimeError, ValueError):
        # A ValueError: half of a surrogate pair or NUL in it, which no file's name can have.
        return None


def named_database(name: str, roots: Iterable[Path], dialect: str = "") -> Path | None:
    """The file ``<root>/<name>/<name>.sqlite`` or ``<root>/<name>.sqlite`` of the first root that has one.

    A root that is a file, or the URL of a database, is the database of every name, a file that of '' too.  Of
    another dialect, its file may end otherwise.  A database of ours is built on first use.

    Raises:
        InputError: a database of ours cannot be built.
    """
    if not is_plain_name(name):
        return next((root for root in roots if root.is_file()), None) if not name else None
    for root in roots:
        if url := url_of(root):
            return path_of(named_below(url, name))
        if root.is_file():
            return root
        for suffix in dialect_named(dialect).loader.suffixes:
            for parts in ((name, name + suffix), (name + suffix,)):
                if found := confined(root, *parts):
                    return found
        if dialect_named(dialect).name == REFERENCE and (built := built_database(name, root)):
            return built
    return None


def database_names(roots: Iterable[Path], dialect: str = "", most: int = 10_000) -> list[str]:
    """The names that :func:`named_database` finds in some roots, sorted; of the first entries of each."""
    suffixes = dialect_named(dialect).loader.suffixes
    names: set[str] = set()
    for root in roots:
        if dialect_named(dialect).name == REFERENCE:
            names.update(_buildable(root))
        with suppress(OSError), os.scandir(root) as entries:
            for entry in islice(entries, most):
                stem = next((entry.name.removesuffix(s) for s in suffixes if entry.name.endswith(s)), "")
                of_folder = (confined(root, entry.name, entry.name + suffix) for suffix in suffixes)
                if stem and confined(root, entry.name):
                    names.add(stem)
                elif any(of_folder):
                    names.add(entry.name)
    return sorted(name for name in names if is_plain_name(name))


def looks_like_path(text: str) -> bool:
    """Whether an argument names a file rather than something to look up."""
    return text.endswith(SUFFIXES) or "/" in text or os.sep in text


@cache
def _text_of_pipe(path: Path) -> str:
    """What a pipe gives, which can be read once, for all who ask."""
    return read_text(path)


class SchemaSource:
    """The schemas that ``--schema`` names: a DDL file, a folder of ``<db_id>.sql``, or a tables.json.

    Args:
        path: the file or folder.
        dialect: the dialect of its DDL and of the queries, by name; '' is the reference.

    Raises:
        InputError: the path is missing, or its file is neither DDL nor a tables.json.
    """

    def __init__(self, path: Path, dialect: str = "", load: Load | None = None) -> None:
        if str(path).startswith(("postgresql:/", "postgres:/")):
            raise InputError("--schema takes a file; give the URL of a server with --db")
        self.path = path
        self._dialect = dialect
        loader = dialect_named(dialect).loader
        self._load = load or loader.read_ddl
        self._folder = path.is_dir()
        self._named: dict[str, Schema] = {}
        self._ddl: Schema | None = None
        if self._folder:
            return
        text = read_text(path) if path.is_file() else _text_of_pipe(path)
        if text.lstrip()[:1] in {"[", "{"}:
            from equiv.schema.tables_json import load_tables_json

            name = dialect_named(dialect).name
            schemas = load_tables_json(path, text)
            self._named = {key: replace(each, dialect=name) for key, each in schemas.items()}
        else:
            self._ddl = _ddl(path, path.stem, text, self._load, dialect)

    def find(self, name: str) -> Schema | None:
        """The schema of a database, or None; a DDL file serves every name."""
        if self._folder:
            return self._from_folder(name)
        return self._ddl or self._named.get(name)

    def only(self) -> Schema:
        """The schema, when no name is given.

        Raises:
            InputError: the source holds several, or none.
        """
        if self._ddl is not None:
            return self._ddl
        if len(self._named) == 1 and not self._folder:
            return next(iter(self._named.values()))
        raise InputError(f"{self.path}: it holds the schemas of several databases; name one with --db")

    def _from_folder(self, name: str) -> Schema | None:
        if name not in self._named:
            found = confined(self.path, f"{name}.sql") if is_plain_name(name) else None
            if found is None:
                return None
            self._named[name] = _ddl(found, name, read_text(found), self._load, self._dialect)
        return self._named[name]


def _ddl(path: Path, name: str, text: str, load: Load, dialect: str) -> Schema:
    try:
        return load(text, name)
    except InputError as error:
        message = str(error).removeprefix(f"{path}: ").removeprefix(f"{name}: ")
        hint = (
            ""
            if dialect == "postgres" or not reads_as_postgres(text)
            else "; --dialect postgres reads PostgreSQL"
        )
        raise InputError(f"{path}: {message}{hint}") from None


def place_for_check(
    db: str | None, schema: Path | None, dialect: str = "", load: Load | None = None
) -> Place:
    """The place that ``--db NAME|FILE`` and ``--schema FILE`` mean together.

    With a folder or a tables.json as schema, the name of the database picks
    one; it needs no database file then.

    Args:
        db: a name or a path.
        schema: a file or a folder.
        dialect: the dialect of DDL and queries, by name; '' is the reference.
        load: reads DDL in the place of the dialect's loader, in a worker say.

    Raises:
        InputError: neither is given, or one cannot be found or read; or there is no such dialect.
    """
    source = SchemaSource(schema, dialect, load) if schema else None
    if db is None:
        if source is None:
            raise InputError("give a schema with --db, --schema or both")
        chosen = source.only()
        return Place(chosen.name, schema=chosen)
    if is_url(db):
        _require_server(dialect)
        return Place(name_of(db), path_of(db), source.find(name_of(db)) if source else None)
    if looks_like_path(db) or Path(db).is_file():
        path = Path(db)
        require_dialect(path, dialect)
        return Place(path.stem, path, source.find(path.stem) if source else None)
    return _named_place(db, source, dialect)


def place_for_schema(source: str, dialect: str = "") -> tuple[Place, str]:
    """The place that a file, a URL or the name of a database is, and its dialect.

    Args:
        source: DDL or a populated database, by its file; a server by its URL; a name to look up.
        dialect: the dialect by name; '' is that which the source shows, else the reference.

    Raises:
        InputError: it cannot be found or read.
    """
    path = Path(source)
    dialect = dialect or dialect_at(source)
    if path.is_dir():
        raise InputError(f"{source} is a folder; name one of its files")
    if not path.is_file() and path.exists():
        # A pipe is read once.
        return place_for_check(None, path, dialect), dialect
    if not path.is_file():
        if not is_url(source) and (looks_like_path(source) or path.suffix):
            raise InputError(f"{source}: no such file")
        return place_for_check(source, None, dialect), dialect
    if require_dialect(path, dialect):
        return Place(path.stem, path), dialect
    return place_for_check(None, path, dialect), dialect


_SIGNED = 16
"""Bytes of a file that say which engine's database it is."""


def require_dialect(path: Path, dialect: str) -> str:
    """The dialect of a populated database in a file; '' if it does not show to be one.

    Raises:
        InputError: it is another than the one that was asked for.
    """
    if not path.is_file():
        return ""
    with FileErrors(path), path.open("rb") as file:
        signs = file.read(_SIGNED)
    is_sqlite = signs.startswith(b"SQLite format 3")
    made = "sqlite" if is_sqlite else "duckdb" if dialect_at(path) == "duckdb" else ""
    if made and dialect and made != dialect_named(dialect).name:
        title = dialect_named(made).title
        raise InputError(f"{path}: a database of {title}: the dialect {made} reads it, not {dialect}")
    return made


def _named_place(db: str, source: SchemaSource | None, dialect: str) -> Place:
    roots = default_roots()
    found = named_database(db, roots, dialect)
    schema = source.find(db) if source else None
    if found is None and schema is None:
        raise InputError(_unknown(db, roots, dialect))
    return Place(db, found, schema)


def _unknown(db: str, roots: Sequence[Path], dialect: str) -> str:
    script = Path("dev_databases") / db / "build.py"
    if is_plain_name(db) and script.is_file():
        return f"the database {db!r} has not been built; try: python3 {script}"
    if Path(db).suffix in (".sql", ".duckdb"):
        return f"{db}: no such file"
    where = ", ".join(dict.fromkeys(str(root) for root in roots))
    known = did_you_mean(db, database_names(roots, dialect))
    return f"unknown database {db!r}: no {db}.sqlite in {where} (see $EQUIV_DB_ROOT){known}"


def places_for_eval(
    names: Sequence[str], db_root: Path | None, schema: Path | None, dialect: str = ""
) -> dict[str, Place]:
    """The place of each database name of a data file; a database file goes before a schema.

    Raises:
        InputError: neither option is given, or names lead nowhere (the message lists them).
    """
    if db_root is None and schema is None:
        raise InputError("give schemas with --db-root, --schema or both")
    if db_root is not None:
        _require_root(db_root, dialect)
    loader = dialect_named(dialect).loader
    source = SchemaSource(schema, dialect) if schema else None
    places: dict[str, Place] = {}
    for name in dict.fromkeys(names):
        if db_root is not None and (path := named_database(name, [db_root], dialect)):
            places[name] = Place(name, path, loader.read_database(path))
        elif source is not None and is_plain_name(name) and (chosen := source.find(name)):
            places[name] = Place(name, schema=chosen)
    if missing := [name for name in dict.fromkeys(names) if name not in places]:
        raise InputError(f"no database or schema for db_id {listed(missing)}")
    return places


def _require_root(db_root: Path, dialect: str) -> None:
    url = url_of(db_root)
    if url is not None:
        _require_server(dialect)
    elif not db_root.exists():
        raise InputError(f"{db_root}: no such folder or database")


def _require_server(dialect: str) -> None:
    if dialect_named(dialect).name == REFERENCE:
        raise InputError("the URL of a PostgreSQL server needs --dialect postgres")


_HERE = Path(__file__).resolve()
CHECKOUT = _HERE.parents[2] / "dev_databases"
"""Sources in a checkout, beside which a database is written."""
INSTALLED = _HERE.parents[1] / "shipped"
"""Sources in an installed copy, whose databases are written to the user's cache."""

_SECONDS = 120


def built_database(name: str, root: Path) -> Path | None:
    """The file of a database of ours, built if it is not there; None if a root has no sources of ours for it.

    Processes that build at once write a file each and move it into place, whole.

    Args:
        name: one component of a path.
        root: where the database is looked for.

    Raises:
        InputError: it cannot be built.
    """
    home = root.resolve()
    script = home / name / "build.py"
    # Only what lies beside this module is run: a working folder may be anyone's.
    if home not in (CHECKOUT, INSTALLED) or not script.is_file():
        return None
    try:
        target = _target(script)
    except (OSError, RuntimeError) as error:
        raise InputError(_failed(script, one_line(error))) from None
    if not target.is_file():
        _build(script, target)
    return target


def _buildable(root: Path) -> list[str]:
    """The names of the databases that can be built in a root."""
    if root.resolve() not in (CHECKOUT, INSTALLED):
        return []
    return sorted(path.parent.name for path in root.glob("*/build.py"))


def _target(script: Path) -> Path:
    """Where a database is kept: beside its sources in a checkout that can be written, else in the cache."""
    folder, name = script.parent, script.parent.name
    beside = folder / f"{name}.sqlite"
    if folder.parent == CHECKOUT and (beside.is_file() or os.access(folder, os.W_OK)):
        return beside
    sources = sorted([*folder.glob("*.py"), *folder.glob("*.sql")])
    version = zlib.crc32(b"".join(source.read_bytes() for source in sources))
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "equiv" / f"{name}-{version:08x}" / f"{name}.sqlite"


def _build(script: Path, target: Path) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(  # noqa: S603 - a script of this project
            [sys.executable, "-B", str(script), str(target)],
            check=True,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
        )
    except subprocess.CalledProcessError as error:
        last = error.stderr.strip().splitlines()[-1:] or ["it fails"]
        raise InputError(_failed(script, last[0])) from None
    except (OSError, RuntimeError, subprocess.TimeoutExpired) as error:
        raise InputError(_failed(script, one_line(error))) from None


def _failed(script: Path, why: str) -> str:
    name = script.parent.name
    return f"the database {name} could not be built: {why}; try: python3 {script} FILE, then give that FILE"
