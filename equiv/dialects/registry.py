"""Dialects by name: the ones that come with this program, and those of installed packages.

A package adds one by an entry point of the group ``equiv.dialects``: its name is the dialect's, its object a
:class:`~equiv.dialects.protocol.Dialect`.  No other module names a dialect.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from equiv.core.connection import is_url, url_of
from equiv.core.model import REFERENCE, Schema
from equiv.core.texts import is_dump
from equiv.dialects.protocol import Dialect, ReferenceDialect
from equiv.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.metadata import EntryPoint

GROUP = "equiv.dialects"

_OWN = {
    "sqlite": "equiv.dialects.sqlite.dialect:SQLITE",
    "postgres": "equiv.dialects.postgres.dialect:POSTGRES",
    "duckdb": "equiv.dialects.duckdb.dialect:DUCKDB",
}
"""Where a dialect of ours stands, as an entry point says it."""

OWN_NAMES = tuple(_OWN)


def dialect_named(name: str) -> Dialect:
    """The dialect of a name; '' is the reference, ``sqlite/postgres`` that of pairs across these two.

    ``sqlite/postgres/postgres`` is the same, its schemas and databases of the last.

    Raises:
        InputError: there is none, or its package is broken.
    """
    return _loaded(_ALIASES.get(name, name) or REFERENCE)


_ALIASES = {"postgresql": "postgres"}
"""What people call a dialect besides."""

_HEAD = 100_000
"""Bytes of a file that show what it is."""


def dialect_at(place: str | Path | None) -> str:
    """The name of the dialect that a place shows: a server's URL, a dump, the file of a database; or ''."""
    if place is None:
        return ""
    if is_url(str(place)) or (isinstance(place, Path) and url_of(place)):
        return "postgres"
    try:
        if not Path(place).is_file():  # a pipe is read once
            return ""
        with Path(place).open("rb") as file:
            head = file.read(_HEAD)
    except (OSError, ValueError):
        return ""
    if head[8:12] == b"DUCK" or (Path(place).suffix == ".duckdb" and not head.startswith(b"SQLite format 3")):
        return "duckdb"
    return "" if head.startswith(b"SQLite format 3") else dialect_of_ddl(head.decode("latin-1"))


def dialect_of_ddl(text: str) -> str:
    """The name of the dialect that a script shows, a dump's; or ''."""
    return "postgres" if is_dump(text[:_HEAD]) else ""


def dialect_of(schema: Schema) -> Dialect:
    """The dialect that queries on a schema are written in."""
    return dialect_named(schema.dialect)


@cache
def reference() -> ReferenceDialect:
    """The dialect in whose text the core is printed."""
    found = _loaded(REFERENCE)
    assert isinstance(found, ReferenceDialect)
    return found


@cache
def _loaded(name: str) -> Dialect:
    one, across, rest = name.partition("/")
    if across:
        other, _, giver = rest.partition("/")
        pred, gold = dialect_named(one), dialect_named(other)
        given = _place_of(dialect_named(giver), pred, gold) if giver else 0
        both: Dialect = pred if pred is gold else _crossed()(pred, gold, given)
        return both
    if name in _OWN:
        module, _, attribute = _OWN[name].partition(":")
        own: Dialect = getattr(import_module(module), attribute)
        return own
    installed = _installed()
    if name not in installed:
        known = ", ".join(sorted({*_OWN, *installed}))
        raise InputError(f"unknown dialect {name!r}; choose among {known}")
    try:
        loaded = installed[name].load()
    except Exception as error:  # noqa: BLE001 - the package is a stranger's
        raise InputError(f"the dialect {name} cannot be loaded: {' '.join(str(error).split())}") from None
    if not isinstance(loaded, Dialect) or loaded.name != name:
        raise InputError(
            f"the dialect {name} cannot be loaded: its entry point is not a Dialect of that name"
        )
    return loaded


def _place_of(giver: Dialect, pred: Dialect, gold: Dialect) -> int:
    if giver not in (pred, gold):
        known = " or ".join(dict.fromkeys((pred.name, gold.name)))
        raise InputError(f"the schema must be in a query's dialect, {known}, not in {giver.name}")
    return (pred, gold).index(giver)


def _crossed() -> Callable[[Dialect, Dialect, int], Dialect]:
    crossing = import_module("equiv.dialects.crossing.dialect")
    made: Callable[[Dialect, Dialect, int], Dialect] = crossing.crossed
    return made


def _installed() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}
