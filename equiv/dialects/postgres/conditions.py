"""Conditions and generated columns of PostgreSQL's DDL, as far as tables of the core hold them.

What cannot be translated exactly is PostgreSQL's alone to enforce.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Protocol

from equiv.core.lexer import TokenKind, tokens
from equiv.core.model import Schema, Table
from equiv.dialects.postgres.script import quoted_name
from equiv.errors import InputError

_VALUE = re.compile(r"CHECK \((.*)\)\Z", re.DOTALL)


class Translate(Protocol):
    """What knows the core's text of an expression."""

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
    """The table with as much of its checks and generated columns as the core's engine itself takes."""
    if _is_taken(table):
        return table
    plain = replace(table, checks=(), columns=tuple(replace(c, generated=False) for c in table.columns))
    checks = [check for check in table.checks if _is_taken(replace(plain, checks=(check,)))]
    derived = {c.name for c in table.columns if c.generated}
    columns = tuple(
        replace(c, generated=False, expression="", derived=True) if c.name in derived else c
        for c in table.columns
    )
    return replace(table, checks=tuple(checks), columns=columns)


def _is_taken(table: Table) -> bool:
    """Whether the core's DDL can be read again, by an engine that has no functions but its own."""
    from equiv.dialects.registry import reference

    try:
        statements = reference().create(Schema((replace(table, foreign_keys=()),)))
        reference().loader.read_ddl(";\n".join(statements))
    except InputError:
        return False
    return True
