"""What the core makes of PostgreSQL's types: docs/postgres.md has the table."""

from __future__ import annotations

import re
from dataclasses import dataclass

from equiv.facts import FactKind

_ANY = "TEXT"


@dataclass(frozen=True, slots=True)
class CoreType:
    """How the core holds the values of a type."""

    declared: str
    """The declared type of a core column."""
    form: FactKind | None = None
    """The fact that says how its texts are spelt, assumed of what a column may hold beyond."""
    exact: bool = True
    """Whether every value has a cell of the declared type."""
    samples: tuple[str | bytes, ...] | None = None
    """Values to generate, where few texts are values of the type."""


_TYPES = {
    **dict.fromkeys(("smallint", "integer", "bigint"), CoreType("INTEGER")),
    "numeric": CoreType("NUMERIC", exact=False),
    **dict.fromkeys(("real", "double precision"), CoreType("REAL", exact=False)),
    **dict.fromkeys(("text", "character varying", "character", "bpchar", "name"), CoreType("TEXT")),
    "boolean": CoreType("BOOLEAN"),
    "date": CoreType("DATE TEXT", FactKind.ISO_DATE),
    **dict.fromkeys(
        ("timestamp without time zone", "timestamp with time zone"),
        CoreType("TIMESTAMP TEXT", FactKind.ISO_TIMESTAMP),
    ),
    "bytea": CoreType("BLOB", samples=(b"a", b"\x00", b"")),
}
_SAMPLES: dict[str, tuple[str, ...]] = {
    '"char"': ("a", "b"),
    "time without time zone": ("00:00:00", "09:30:00", "23:59:59.5"),
    "time with time zone": ("09:30:00+00", "10:00:00+00"),
    "interval": ("0 days 00:00:00", "1 days 00:00:00", "30 days 12:00:00"),
    "uuid": ("00000000-0000-0000-0000-000000000001", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    "json": ('{"a": 1}', "[]"),
    "jsonb": ('{"a": 1}', "[]"),
    "inet": ("10.0.0.1", "192.168.0.0/24"),
    "cidr": ("10.0.0.0/8", "192.168.0.0/24"),
    "macaddr": ("08:00:2b:01:02:03", "08:00:2b:01:02:04"),
    "money": ("$1.00", "$2.50"),
    "point": ("(1,2)", "(0,0)"),
    "tsvector": ("'a'", "'b'"),
    "xml": ("<a/>", "<b/>"),
    "int4range": ("[1,3)", "empty"),
    "int8range": ("[1,3)", "empty"),
    "numrange": ("[1,3)", "empty"),
    "daterange": ("[2010-01-01,2010-02-01)", "empty"),
}
_SIZE = re.compile(r"(?:character varying|character)\((\d+)\)\Z")
_NUMERIC = re.compile(r"numeric\((\d+)(?:,(-?\d+))?\)\Z")
_BELOW = {"smallint": 2**15, "integer": 2**31}
_MODIFIER = re.compile(r"\([\d, -]+\)")


def core_type(name: str, labels: tuple[str, ...] = ()) -> CoreType:
    """How the core holds a type, which is no domain.

    Args:
        name: the type as ``format_type`` writes it.
        labels: those of an enumeration.
    """
    if labels:
        return CoreType("TEXT", samples=labels)
    bare = _MODIFIER.sub("", name)
    if bare in _TYPES:
        return _TYPES[bare]
    if bare.endswith("[]"):
        return CoreType(_ANY, samples=_of_arrays(bare))
    return CoreType(_ANY, samples=_SAMPLES.get(bare, ()))


def longest(name: str) -> int:
    """The most characters of a type's texts; 0: no limit."""
    found = _SIZE.match(name)
    return int(found[1]) if found else 0


def bounds(name: str) -> tuple[int, int | None]:
    """The number that a type's are below, sign apart (0: no limit), and the most decimals (None: any)."""
    found = _NUMERIC.match(name)
    if found is None:
        return _BELOW.get(name, 0), None
    scale = int(found[2] or 0)
    return int(10 ** max(int(found[1]) - scale, 0)), scale


def _of_arrays(name: str) -> tuple[str, ...]:
    element = _TYPES.get(name.removesuffix("[]"))
    match element.declared if element else "":
        case "INTEGER" | "NUMERIC" | "REAL":
            return ("{}", "{1,2}", "{3}")
        case "TEXT":
            return ("{}", "{a,b}", "{c}")
    return ("{}",)
