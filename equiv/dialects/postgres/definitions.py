"""Questions to PostgreSQL's catalogue, and what it holds as statements and as conditions of the core.

Of conditions and generated columns what cannot be translated exactly is PostgreSQL's alone to enforce.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from equiv.core.lexer import TokenKind, tokens
from equiv.core.model import Schema, Table, quoted_name
from equiv.core.single_values import sql_literal
from equiv.errors import InputError

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


class TranslateExpression(Protocol):
    """A function that returns the core's text of an expression."""

    def condition(self, qualified: str, text: str) -> str | None:
        """That of a condition on the rows of a table (its name with its schema), or None."""

    def value(self, qualified: str, text: str) -> str | None:
        """The same of a value."""


class Nothing:
    """Translates nothing."""

    def condition(self, qualified: str, text: str) -> str | None:
        """None."""

    def value(self, qualified: str, text: str) -> str | None:
        """None."""


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
