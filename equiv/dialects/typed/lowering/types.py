"""What PostgreSQL's types become in the core, and which of them its engine tells apart."""

from __future__ import annotations

from equiv.core.query import UnsupportedError
from equiv.dialects.typed.tree import Type

INTEGERS = frozenset(("int2", "int4", "int8"))
FLOATS = frozenset(("float4", "float8"))
NUMBERS = INTEGERS | FLOATS | {"numeric"}
TEXTS = frozenset(("text", "varchar", "name"))
STAMPS = frozenset(("timestamp", "timestamptz"))
PLAIN = NUMBERS | TEXTS | STAMPS | {"bool", "bpchar", "date", "time", "uuid", "unknown"}
"""Types whose values are cells of the core that are equal, and in order, just if the values are."""


def is_plain(found: Type) -> bool:
    """Whether values of a type are cells of the core that are equal just if the values are."""
    return found.name in PLAIN or found.sort == "e"


def require_plain(found: Type, where: str) -> None:
    """Make sure that values can be compared as cells of the core.

    Raises:
        UnsupportedError: they cannot.
    """
    if not is_plain(found):
        raise UnsupportedError("Type", f"{found.name} in {where}")


def require_ordered(found: Type, where: str) -> None:
    """Make sure that the core orders the values, or the ranks of labels, as PostgreSQL does.

    Raises:
        UnsupportedError: it does not.
    """
    require_plain(found, where)
    if found.sort == "e" and not found.labels:
        raise UnsupportedError("Type", f"the order of an enumerated type in {where}")
