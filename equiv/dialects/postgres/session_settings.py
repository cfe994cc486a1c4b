"""The settings of PostgreSQL's sessions that its reader asks for: how a script states one, how one is set.

A text means what it means under the settings of the session that sends it.  PostgreSQL reads some when it
parses (a literal without an offset, ``'01/02/2026'``), others when it runs: a function is then ``STABLE``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from equiv.core.lexer import Kind, Token, tokens
from equiv.dialects.settings import taken_by

if TYPE_CHECKING:
    from equiv.dialects.postgres.embedded.wire import Wire

TAKEN: Final = taken_by("postgres")
_SPELT = {name.upper(): name for name in TAKEN}
_UTC = frozenset(
    """utc etc/utc uct etc/uct gmt etc/gmt zulu etc/zulu universal etc/universal greenwich etc/greenwich gmt0
    etc/gmt0 gmt+0 gmt-0 etc/gmt+0 etc/gmt-0 0 +00 00 +00:00 00:00 +0""".split()  # noqa: SIM905
)


def stated_by(statement: str) -> tuple[str, str] | None:
    """The setting that a statement states, with its value as written; None if it states none that counts.

    ``SET``, and the ``SET`` of ``ALTER DATABASE``, ``ALTER ROLE`` and ``ALTER SYSTEM``.
    """
    found = tokens(statement)[:-1]
    at = next((i for i, each in enumerate(found) if each.word == "SET"), len(found))
    rest = [each for each in found[at + 1 :] if each.word != ";"]
    if rest and rest[0].word in ("SESSION", "LOCAL"):
        rest = rest[1:]
    words = [each.word for each in rest]
    if words[:2] == ["TIME", "ZONE"]:
        name, values = "TimeZone", rest[2:]
    elif len(rest) > 2 and words[0] in _SPELT and words[1] in ("=", "TO"):
        name, values = _SPELT[words[0]], rest[2:]
    else:
        return None
    return name, "".join(_written(values, statement))


def _written(values: Sequence[Token], statement: str) -> Iterator[str]:
    for each in values:
        text = statement[each.start : each.end]
        yield text[1:-1] if each.kind in (Kind.STRING, Kind.QUOTED) else text


def set_in(wire: Wire, name: str, value: str) -> str | None:
    """Set a setting of an open transaction; the value as PostgreSQL calls it, None if it refuses.

    Values are still written as this program reads them.
    """
    from equiv.dialects.postgres.embedded.wire import WireError

    text = value.replace("'", "''")
    try:
        wire.execute(f"SAVEPOINT equiv_setting; SET LOCAL {name} = '{text}'")
        called = str(wire.one(f"SHOW {name}").rows[0][0])
    except WireError:
        wire.execute("ROLLBACK TO equiv_setting; RELEASE equiv_setting")
        return None
    wire.execute("ROLLBACK TO equiv_setting; RELEASE equiv_setting")
    wire.execute(f"SET LOCAL {name} = '{_read_back(name, called)}'")
    return canonical(name, called)


def _read_back(name: str, called: str) -> str:
    """The value under which values are written as this program reads them, and dates read as under that."""
    if name == "DateStyle":
        return "ISO, " + called.rpartition(" ")[2]
    if name == "IntervalStyle":
        return TAKEN[name]
    return called.replace("'", "''")


def canonical(name: str, called: str) -> str:
    """One spelling for the zones that are UTC, and the value as it is of others."""
    return "UTC" if name == "TimeZone" and called.lower() in _UTC else called


def session_of(wire: Wire) -> list[tuple[str, str]]:
    """The settings that the session of a connection has, with their values."""
    return [(name, str(wire.one(f"SHOW {name}").rows[0][0])) for name in TAKEN]


def writes_otherwise(stated: Iterable[tuple[str, str]]) -> bool:
    """Whether dates or intervals are cast to other texts than those that :func:`set_in` leaves."""
    values = {**TAKEN, **dict(stated)}
    return not values["DateStyle"].startswith("ISO") or values["IntervalStyle"] != TAKEN["IntervalStyle"]
