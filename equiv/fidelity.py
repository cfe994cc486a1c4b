"""The net under resolution: SQLite must compile both texts to one program."""

from __future__ import annotations

import sqlite3

Instruction = tuple[object, ...]


def program(probe: sqlite3.Connection, sql: str) -> list[Instruction]:
    """The bytecode of a query: opcode and operands of each instruction, by EXPLAIN.

    Raises:
        sqlite3.Error: SQLite does not take the text.
    """
    return [tuple(row[1:7]) for row in probe.execute(f"EXPLAIN {sql}") if row[1] != "Explain"]


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
