"""The table, column or function that was probably meant where SQLite knows none of a name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from equiv.core.functions.table import TABLE
from equiv.core.lexer import Token
from equiv.core.model import Schema
from equiv.spelling import did_you_mean

_MISSING = re.compile(r"no such (table|column|function): (?:.*\.)?([^.]+)\Z")


def nearest_name(message: str, schema: Schema, found: Sequence[Token]) -> str:
    """``; did you mean x?`` for a message of SQLite's that names what is missing; else ''.

    Args:
        message: the message.
        schema: where the name is looked for.
        found: the tokens of the query: columns of the tables that it names come first.
    """
    match _MISSING.match(message):
        case re.Match() as missing if missing[1] == "table":
            known = [*(table.name for table in schema.tables), *(view.name for view in schema.views)]
        case re.Match() as missing if missing[1] == "column":
            known = list(_columns(schema, {token.word.strip('"`[]').lower() for token in found}))
        case re.Match() as missing:
            known = [row.name for row in TABLE]
        case _:
            return ""
    return did_you_mean(missing[2], known)


def _columns(schema: Schema, named: set[str]) -> Iterator[str]:
    tables = sorted(schema.tables, key=lambda table: table.name.lower() not in named)
    return (column.name for table in tables for column in table.columns)
