"""The net under resolution: SQLite must compile both texts to one program."""

from __future__ import annotations

import re
import sqlite3

from equiv.core.functions.nodes import SYNONYMS, is_unrepeatable
from equiv.core.functions.table import TABLE
from equiv.core.functions.traits import Sort
from equiv.core.parameters import values_for

Instruction = tuple[object, ...]

_CALLED = re.compile(rb"([a-z_0-9]+)(\(-?\d+\))\Z")
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
            if is_unrepeatable(name):
                return name
    return ""


_CALLS = frozenset((b"Function", b"PureFunc"))


def unknown_aggregate(found: list[Instruction]) -> str:
    """The function that a program calls over rows and of which nothing is known, not even that; or ''."""
    known = {row.name for row in TABLE if row.sort in (Sort.AGGREGATE, Sort.WINDOW)}
    for opcode, *_, operand, _ in found:
        if opcode in _STEPS and isinstance(operand, bytes):
            name = operand.split(b"(")[0].decode("utf-8", "replace").upper()
            if name not in known:
                return name
    return ""


_STEPS = frozenset((b"AggStep", b"AggStep1", b"AggInverse", b"AggValue", b"AggFinal"))


def spares(original: list[Instruction], spared: list[Instruction]) -> bool:
    """Whether a program is another one, but for what SQLite keeps of columns that it does not compute.

    Of a join in parentheses SQLite computes no column that nothing reads: it puts NULL into the register.
    ``spared`` is compiled from a text that has NULL there.  What may differ then is the number of columns
    that a cursor has room for, and the affinity that such a register is given, which NULL does not feel.
    """
    if len(original) != len(spared):
        return False
    return all(
        _unhinted(one) == _unhinted(other) or _differs_on_null(one, place, spared)
        for place, (one, other) in enumerate(zip(original, spared, strict=True))
    )


_LOADS = {b"Column": 3, b"Rowid": 2, b"IdxRowid": 2, b"Null": 2, b"RealAffinity": 1}
"""Which operand of an instruction names the register that it writes."""


def _differs_on_null(original: Instruction, place: int, spared: list[Instruction]) -> bool:
    """Whether a MakeRecord differs only in affinities of registers that were just set to NULL."""
    other = spared[place]
    if original[0] != b"MakeRecord" or (*original[:4], original[5]) != (*other[:4], other[5]):
        return False
    first, width, wanted, affinities = other[1], other[2], original[4], other[4]
    if not (isinstance(first, int) and isinstance(width, int) and isinstance(wanted, bytes)):
        return False
    # A closing NONE is not written.
    affinities = (affinities if isinstance(affinities, bytes) else b"").ljust(width, b"@")
    return all(
        mine == yours or (yours == ord("@") and _was_nulled(spared, place, first + at))
        for at, (mine, yours) in enumerate(zip(wanted.ljust(width, b"@"), affinities, strict=True))
    )


def _was_nulled(found: list[Instruction], place: int, register: int) -> bool:
    """Whether of the loads right before an instruction the last that writes a register is Null."""
    for opcode, *operands in reversed(found[:place]):
        target = _LOADS.get(opcode) if isinstance(opcode, bytes) else None
        if target is None:
            return False
        if operands[target - 1] == register:
            return (opcode, operands[0], operands[2]) == (b"Null", 0, 0)
    return False


def _unhinted(instruction: Instruction) -> Instruction:
    """An instruction without the number of columns that a cursor on a table has room for.

    SQLite writes enough for what it reads; https://sqlite.org/opcode.html#OpenRead.  (On an index, the
    operand p4 is no number but says how to compare.)
    """
    opcode, p1, p2, p3, p4, p5 = instruction
    if opcode == b"OpenRead" and isinstance(p4, bytes) and p4.isdigit():
        return opcode, p1, p2, p3, None, p5
    if opcode == b"OpenEphemeral" and p4 is None:
        return opcode, p1, None, p3, p4, p5
    return instruction
