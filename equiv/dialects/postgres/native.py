"""Statements of PostgreSQL's that make again what its catalogue holds, as far as it forbids rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from equiv.core.single_values import sql_literal

Known = dict[str, Any]
"""A row of the catalogue."""


_UNCHECKED = " NOT VALID"


def foundations(
    namespaces: Iterable[Known],
    extensions: Iterable[Known],
    types: Iterable[Known],
    sequences: Iterable[Known],
) -> Iterator[str]:
    """The statements that make schemas, extensions, enumerations, domains, composite types and sequences."""
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
                checks = each["checks"] or ()
                yield " ".join([*parts, *(check for check in checks if not check.endswith(_UNCHECKED))])
                for check in checks:
                    if check.endswith(_UNCHECKED):
                        yield f"ALTER DOMAIN {each['name']} ADD {check}"
    for each in sequences:
        bounds = f"INCREMENT {each['increment']} MINVALUE {each['least']} MAXVALUE {each['most']}"
        cycles = " CYCLE" if each["cycles"] else ""
        yield f"CREATE SEQUENCE {each['qualified']} AS {each['type']} {bounds} START {each['start']}{cycles}"


def creating(
    relation: Known,
    columns: list[Known],
    constraints: list[Known],
    indexes: list[Known],
    parents: Mapping[int, str],
) -> Iterator[str]:
    """The statements that make a table, or one that inherits, and all that forbids its rows one by one.

    Args:
        parents: names of tables, with their schemas, by number.
    """
    parts = [_definition(column) for column in columns if column["own"] and not relation["bound"]]
    parts += [f"NOT NULL {c['quoted']}" for c in columns if c["bare_not_null"]] if relation["bound"] else []
    parts += sorted(c["definition"] for c in constraints if c["kind"] in "pucxn" and not _is_later(c))
    listed = "(\n  " + ",\n  ".join(parts) + "\n)"
    above = [parents[each] for each in relation["parents"] or () if each in parents]
    partitioned = f" PARTITION BY {relation['partition_key']}" if relation["partition_key"] else ""
    if relation["bound"]:
        inner = f"{listed} " if parts else ""
        head = f"CREATE TABLE {relation['qualified']} PARTITION OF {', '.join(above)} {inner}"
        yield f"{head}{relation['bound']}{partitioned}"
    else:
        inherits = f" INHERITS ({', '.join(above)})" if above else ""
        yield f"CREATE TABLE {relation['qualified']} {listed}{inherits}{partitioned}"
    for column in columns:
        # Apart from the table, which is there without the functions that a default may call.
        if column["expression"] and not column["generated"] and column["own"]:
            change = f"ALTER COLUMN {column['quoted']} SET DEFAULT {column['expression']}"
            yield f"ALTER TABLE {relation['qualified']} {change}"
    for index in indexes:
        yield index["definition"]


def completing(relation: Known, constraints: list[Known]) -> Iterator[str]:
    """The statements for constraints that rows need not keep one by one."""
    for constraint in constraints:
        if constraint["kind"] == "f" or (constraint["kind"] in "pucn" and _is_later(constraint)):
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
    if column["identity"]:
        parts.append(f"GENERATED {'ALWAYS' if column['identity'] == 'a' else 'BY DEFAULT'} AS IDENTITY")
    if column["bare_not_null"]:
        parts.append("NOT NULL")
    return " ".join(parts)
