"""The net under resolution: SQLite must compile both texts to one program."""

from __future__ import annotations

import re
import sqlite3

from equiv.functions import SYNONYMS, UNREPEATABLE
from equiv.placeholders import values_for

Instruction = tuple[object, ...]

_CALLED = re.compile(rb"([a-z]+)(\(-?\d+\))\Z")
_FIRST_NAMES = {second.lower().encode(): first.lower().encode() for second, first in SYNONYMS.items()}


def program(probe: sqlite3.Connection, sql: str) -> list[Instruction]:
    """The bytecode of a query by EXPLAIN: opcode and operands p1 to p5 of each instruction, texts as bytes.

    Second names of functions are replaced by the first ones: they name the same
    code (``substring`` is registered as an alias of ``substr``).

    Raises:
        sqlite3.Error: SQLite does not take the text.
    """
    factory = probe.text_factory
    probe.text_factory = bytes
    try:
        rows = probe.execute(f"EXPLAIN {sql}", values_for(sql, {})).fetchall()
    finally:
        probe.text_factory = factory
    return [(*row[1:5], _operand(row[1], row[5]), row[6]) for row in rows if row[1] != b"Explain"]


def _operand(opcode: bytes, value: object) -> object:
    if opcode == b"Variable":
        return None  # The parameter's name; its number is p1.
    called = _CALLED.match(value) if isinstance(value, bytes) else None
    if called is None:
        return value
    return _FIRST_NAMES.get(called[1], called[1]) + called[2]


def unrepeatable(found: list[Instruction]) -> str:
    """The function whose value is not fixed by the database that a program calls, wherever; or ''."""
    for opcode, *_, operand, _ in found:
        if opcode in _CALLS and isinstance(operand, bytes):
            name = operand.split(b"(")[0].decode("utf-8", "replace").upper()
            if name in UNREPEATABLE:
                return name
    return ""


_CALLS = frozenset((b"Function", b"PureFunc"))


def same_program(probe: sqlite3.Connection, original: str, resolved: str) -> bool:
    """Whether SQLite compiles both texts to the same bytecode on the probe's empty database.

    Opcodes and operands decide what a program computes; names of columns and
    aliases do not occur in them.

    Raises:
        sqlite3.Error: the original cannot be compiled.
    """
    try:
        found = program(probe, resolved)
    except sqlite3.Error:
        return False
    return found == program(probe, original)
