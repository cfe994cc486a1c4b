"""Names of tables in the core, which has one space of names and does not tell case apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from equiv.core.model import Schema, Table
from equiv.errors import InputError

DEFAULT = "public"


def core_names(found: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """What the core calls tables and views, by the name of their schema and their own.

    One of the schema ``public`` has its bare name, if no other schema has a table of that name; any other is
    called ``schema.name``.

    Raises:
        InputError: a name holds a dot.
    """
    places = list(found)
    counts = Counter(name.lower() for _, name in places)
    for namespace, name in places:
        if "." in name or "." in namespace:
            raise InputError(f"not supported: a dot in the name {name!r} of the schema {namespace!r}")
    return {
        (namespace, name): name
        if namespace == DEFAULT and counts[name.lower()] == 1
        else f"{namespace}.{name}"
        for namespace, name in places
    }


def core_table(schema: Schema, namespace: str, name: str) -> Table | None:
    """The table that a dialect has under a name of a schema (of none: ''), or None."""
    wanted = (name, f"{namespace}.{name}") if namespace in ("", DEFAULT) else (f"{namespace}.{name}",)
    found = (schema.table(each) for each in wanted)
    return next((t for t in found if t is not None and t.namespace == namespace and t.name in wanted), None)
