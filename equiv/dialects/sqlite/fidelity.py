"""The net under resolution: SQLite must compile both texts to one program."""

from __future__ import annotations

import re

from equiv.core.connection import Connection
from equiv.core.functions.nodes import SYNONYMS, is_unrepeatable
from equiv.core.functions.table import TABLE
from equiv.core.functions.traits import Sort
from equiv.core.lexer import Kind, tokens
from equiv.core.parameters import values_for

Instruction = tuple[object, ...]

_CALLED = re.compile(r"([a-z_0-9]+)(\(-?\d+\))\Z")
_FIRST_NAMES = {second.lower(): first.lower() for second, first in SYNONYMS.items()}


def program(probe: Connection, sql: str) -> list[Instruction]:
    """The bytecode of a query by EXPLAIN: opcode and operands p1 to p5 of each instruction.

    Second names of functions are replaced by the first ones: they name the same
    code (``substring`` is registered as an alias of ``substr``).  The SELECT of an IN is
    numbered by its first use: SQLite counts SELECTs as it parses them, and the operand does nothing
    when the program runs (``subrtnsig`` in SQLite's ``expr.c``).

    Raises:
        RunnerError: SQLite does not take the text.
    """
    rows, _ = probe.run_alone(f"EXPLAIN {_with_plain_blobs(sql)}", values_for(sql, {}))
    numbers: dict[str, int] = {}
    return [(*row[1:5], _operand(row[1], row[5], numbers), row[6]) for row in rows if row[1] != "Explain"]


def _with_plain_blobs(sql: str) -> str:
    """The text with the digits of each blob in its place: EXPLAIN shows its bytes as if they were UTF-8."""
    if "'" not in sql:
        return sql
    parts, place = [], 0
    for token in tokens(sql):
        if token.kind is Kind.BLOB:
            digits = token.word[2:-1].encode().hex()
            parts += [sql[place : token.start], f"x'{digits}'"]
            place = token.end
    return "".join([*parts, sql[place:]])


def _operand(opcode: str, value: object, numbers: dict[str, int]) -> object:
    if opcode == "Variable":
        return None  # The parameter's name; its number is p1.
    if opcode == "BeginSubrtn" and isinstance(value, str):
        number, _, affinities = value.partition(",")
        return f"{numbers.setdefault(number, len(numbers))},{affinities}"
    called = _CALLED.match(value) if isinstance(value, str) else None
    if called is None:
        return value
    return _FIRST_NAMES.get(called[1], called[1]) + called[2]


def unrepeatable(found: list[Instruction]) -> str:
    """The function whose value is not fixed by the database that a program calls, wherever; or ''."""
    for opcode, *_, operand, _ in found:
        if opcode in _CALLS and isinstance(operand, str):
            name = operand.split("(")[0].upper()
            if is_unrepeatable(name):
                return name
    return ""


_CALLS = frozenset(("Function", "PureFunc"))


def unknown_aggregate(found: list[Instruction]) -> str:
    """The function that a program calls over rows and of which nothing is known, not even that; or ''."""
    known = {row.name for row in TABLE if row.sort in (Sort.AGGREGATE, Sort.WINDOW)}
    for opcode, *_, operand, _ in found:
        if opcode in _STEPS and isinstance(operand, str):
            name = operand.split("(")[0].upper()
            if name not in known:
                return name
    return ""


_STEPS = frozenset(("AggStep", "AggStep1", "AggInverse", "AggValue", "AggFinal"))
