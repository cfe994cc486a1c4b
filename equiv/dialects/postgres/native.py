"""Statements of PostgreSQL's that make again what its catalogue holds, as far as it forbids rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from equiv.core.literals import sql_literal

Known = dict[str, Any]
"""A row of the catalogue."""


def foundations(
    namespaces: Iterable[Known], extensions: Iterable[Known], types: Iterable[Known]
) -> Iterator[str]:
    """The statements that make schemas, extensions, enumerations, domains and composite types."""
    for each in namespaces:
        yield f"CREATE SCHEMA {each['name']}"
    for each in extensions:
        yield f"CREATE EXTENSION IF NOT EXISTS {each['name']} SCHEMA {each['namespace']}"
    for each in sorted(types, key=lambda each: int(each["oid"])):
        if each["system"]:
            continue
        match each["kind"]:
            case "e":
                labels = ", ".join(map(sql_literal, each["labels"] or ()))
                yield f"CREATE TYPE {each['name']} AS ENUM ({labels})"
            case "c":
                yield f"CREATE TYPE {each['name']} AS ({each['attributes'] or ''})"
            case "d":
                parts = [f"CREATE DOMAIN {each['name']} AS {each['base_name']}"]
                parts += ["NOT NULL"] if each["not_null"] else []
                yield " ".join([*parts, *(each["checks"] or ())])


def creating(
    relation: Known, columns: list[Known], constraints: list[Known], indexes: list[Known]
) -> Iterator[str]:
    """The statements that make a table and all that forbids rows as they come."""
    parts = [_definition(column) for column in columns]
    parts += [c["definition"] for c in constraints if c["kind"] in "pucx" and not _is_later(c)]
    partitioned = f" PARTITION BY {relation['partition_key']}" if relation["partition_key"] else ""
    yield f"CREATE TABLE {relation['qualified']} (\n  " + ",\n  ".join(parts) + f"\n){partitioned}"
    for bound in relation["partitions"] or ():
        yield f"CREATE TABLE {bound['name']} PARTITION OF {bound['parent']} {bound['bound']}" + (
            f" PARTITION BY {bound['key']}" if bound["key"] else ""
        )
    for index in indexes:
        yield index["definition"]


def completing(relation: Known, constraints: list[Known]) -> Iterator[str]:
    """The statements for constraints that rows need not keep one by one."""
    for constraint in constraints:
        if constraint["kind"] == "f" or (constraint["kind"] in "puc" and _is_later(constraint)):
            yield f"ALTER TABLE {relation['qualified']} ADD {constraint['definition']}"


def _is_later(constraint: Known) -> bool:
    return not constraint["valid"] or not constraint["enforced"] or bool(constraint["deferrable"])


def _definition(column: Known) -> str:
    parts = [column["quoted"], column["type_name"]]
    if column["collation_name"]:
        parts.append(f"COLLATE {column['collation_name']}")
    if column["generated"]:
        kind = "STORED" if column["generated"] == "s" else "VIRTUAL"
        parts.append(f"GENERATED ALWAYS AS ({column['expression']}) {kind}")
    if column["not_null"]:
        parts.append("NOT NULL")
    return " ".join(parts)
