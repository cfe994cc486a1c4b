"""Questions to PostgreSQL's catalogue, what it holds as statements, and what of it is left out.

Of conditions and generated columns what cannot be translated exactly is PostgreSQL's alone to enforce.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from equiv.core.lexer import TokenKind, tokens
from equiv.core.model import PassedOver, Schema, Table
from equiv.core.single_values import sql_literal
from equiv.errors import InputError
from equiv.names import fold, quoted_name

CatalogueRow = dict[str, Any]
"""A row of the catalogue."""


_UNCHECKED = " NOT VALID"


def foundations(
    namespaces: Iterable[CatalogueRow],
    extensions: Iterable[CatalogueRow],
    types: Iterable[CatalogueRow],
    sequences: Iterable[CatalogueRow],
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
    relation: CatalogueRow,
    columns: list[CatalogueRow],
    constraints: list[CatalogueRow],
    indexes: list[CatalogueRow],
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


def completing(relation: CatalogueRow, constraints: list[CatalogueRow]) -> Iterator[str]:
    """The statements for constraints that rows need not keep one by one."""
    for constraint in constraints:
        if constraint["kind"] == "f" or (constraint["kind"] in "pucn" and _is_later(constraint)):
            yield f"ALTER TABLE {relation['qualified']} ADD {constraint['definition']}"


def _is_later(constraint: CatalogueRow) -> bool:
    return not constraint["valid"] or not constraint["enforced"] or bool(constraint["deferrable"])


def _definition(column: CatalogueRow) -> str:
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


_VALUE = re.compile(r"CHECK \((.*)\)\Z", re.DOTALL)


def of_domain(check: str, column: str) -> str | None:
    """The condition that the CHECK of a domain puts on a column of it; none if it is NOT VALID."""
    found = _VALUE.match(check)
    if found is None:
        return None
    body, parts, position = found[1], [], 0
    for token in tokens(body):
        if token.kind is TokenKind.NAME and token.word == "VALUE":
            parts += [body[position : token.start], quoted_name(column)]
            position = token.end
    return "".join([*parts, body[position:]])


def holdable(table: Table) -> Table:
    """The table with the checks, indexes and generated columns that the core's engine itself takes."""
    if _is_taken(table):
        return table
    plain = replace(
        table, checks=(), indexes=(), columns=tuple(replace(c, generated=False) for c in table.columns)
    )
    checks = [check for check in table.checks if _is_taken(replace(plain, checks=(check,)))]
    indexes = [each for each in table.indexes if _is_taken(replace(plain, indexes=(each,)))]
    derived = {c.name for c in table.columns if c.generated}
    columns = tuple(
        replace(c, generated=False, expression="", derived=True) if c.name in derived else c
        for c in table.columns
    )
    return replace(table, checks=tuple(checks), indexes=tuple(indexes), columns=columns)


def _is_taken(table: Table) -> bool:
    """Whether the core's DDL can be read again, by an engine that has no functions but its own."""
    from equiv.dialects.registry import reference

    try:
        statements = reference().create(Schema((replace(table, foreign_keys=()),)))
        reference().loader.read_ddl(";\n".join(statements))
    except InputError:
        return False
    return True


def _questions() -> dict[str, str]:
    """The questions of ``catalogue.sql``, by name, with the parts that they name in their places."""
    text = (Path(__file__).parent / "catalogue.sql").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for part in re.split(r"^-- (?=\w+$)", text, flags=re.MULTILINE)[1:]:
        name, _, body = part.partition("\n")
        found[name] = re.sub(r"\{(\w+)\}", lambda named: found[named[1]], body.strip("\n"))
    return found


QUESTIONS = _questions()
UNSETTLED = QUESTIONS["unsettled"]
"""Whether a policy, ``o``, calls a volatile function, so that no two queries need see the same rows."""


def read_apart(
    relations: list[CatalogueRow], columns: Mapping[int, list[CatalogueRow]]
) -> tuple[list[CatalogueRow], list[PassedOver]]:
    """The tables and views that the core can distinguish, and the others."""
    kept: dict[str, str] = {}
    found, notes = [], []
    for each in relations:
        own = columns.get(each["oid"], [])
        why = _why_not(each, own)
        other = kept.setdefault(fold(f"{each['namespace']}.{each['name']}"), each["qualified"])
        if other != each["qualified"]:
            why = f"its name differs from {other} only in letter case"
        if why:
            notes.append(passed_over(each, why))
        else:
            found.append(each)
    return found, notes


def passed_over(relation: CatalogueRow, why: str) -> PassedOver:
    """A table or view that is left out, and why."""
    kinds = {"v": "view", "m": "materialized view", "f": "foreign table"}
    return PassedOver(kinds.get(relation["kind"], "table"), relation["qualified"], why)


def hidden_relations(relations: list[CatalogueRow]) -> dict[int, str]:
    """The tables and views whose rows are not those that a query of this role reads; why, by number.

    A view reads a table under row-level security as its owner does, and a query as the role that asks.
    """
    known = {each["oid"]: each for each in relations}
    found = {
        each["oid"]: "a row-level security policy calls a volatile function"
        for each in relations
        if each["filtered"] and each["unsettled"]
    }
    for each in relations:
        if each["kind"] != "v" or each["invoked"]:
            continue
        seen = [each["oid"]]
        for oid in seen:
            within = known[oid]["reads"] or () if known[oid]["kind"] == "v" else ()
            seen += [inner for inner in within if inner in known and inner not in seen]
        if guarded := [known[oid]["qualified"] for oid in seen if known[oid]["guarded"]]:
            found[each["oid"]] = f"it shows {guarded[0]} as row-level security shows it to its owner"
    return found


def remark_on(relation: CatalogueRow, family: list[CatalogueRow]) -> str:
    """What a reader of a verdict should know of the rows of a table."""
    said = []
    if relation["filtered"]:
        said.append("row-level security shows this role only some rows; a foreign key may name a hidden one")
    if relation["kind"] == "f":
        said.append("a foreign table: the server does not enforce its constraints; they are not facts")
    elif any(each["kind"] == "f" for each in family):
        said.append(
            "a foreign table is part of it: the server does not enforce its constraints; they are not facts"
        )
    if relation["inherited"]:
        said.append("it includes the rows of the tables that inherit from it, to which its keys do not apply")
    return "; ".join(said)


def _why_not(relation: CatalogueRow, columns: list[CatalogueRow]) -> str:
    if "." in relation["name"] or "." in relation["namespace"]:
        return "a name with a dot is not supported"
    if relation["kind"] != "v" and not columns:
        return "a table without columns is not supported"
    spelt: dict[str, str] = {}
    for column in columns:
        other = spelt.setdefault(fold(column["name"]), column["name"])
        if other != column["name"]:
            return f"the names {other!r} and {column['name']!r} of columns differ only in letter case"
        if not column["deterministic"]:
            return f"the collation of {column['name']} equates texts, which is not supported"
    return ""
