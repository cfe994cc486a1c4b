"""Names of PostgreSQL's tables in the core, which has one space of names and does not tell case apart."""

from __future__ import annotations

from equiv.core.model import Schema, Table

DEFAULT = "public"


def core_name(namespace: str, name: str) -> str:
    """What the core calls a table or view."""
    return name if namespace == DEFAULT else f"{namespace}.{name}"


def core_table(schema: Schema, namespace: str, name: str) -> Table | None:
    """The table that PostgreSQL has under a name of a schema, or None."""
    found = schema.table(core_name(namespace, name))
    return found if found is not None and found.name == core_name(namespace, name) else None
