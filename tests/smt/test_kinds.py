"""The storage classes that are promised contain those that SQLite gives."""

from __future__ import annotations

from itertools import product

import pytest
from smt.random_claims.world import FACTS, SCHEMA

from equiv.algebra.kinds import kinds
from equiv.algebra.scalar_functions import STRICT, function_kinds
from equiv.algebra.terms import Apply, Constant, Convert, Field, Scan, Variable
from equiv.algebra.world import World
from equiv.core.functions.traits import ALL, StorageClass
from equiv.core.model import Schema
from equiv.core.runner import Connection, RunnerError
from equiv.facts import Facts

_CELLS: tuple[object, ...] = (
    *(None, 1, 0, -5, 2**63 - 1, -(2**63), 1.5, 0.0, 2.0, float("inf"), float("-inf")),
    *("abc", "12", "1.5", "", "5.0", b"", b"12", b"x"),
)
_KINDS: dict[type, StorageClass] = {
    type(None): "null",
    int: "integer",
    float: "real",
    str: "text",
    bytes: "blob",
}
_INFIX = ("+", "-", "*", "/", "%", "||", "&", "|", "<<", ">>", "LIKE", "GLOB")
_UNARY = (
    "ABS",
    "ROUND",
    "LENGTH",
    "UPPER",
    "LOWER",
    "TRIM",
    "LTRIM",
    "RTRIM",
    "UNICODE",
    "SIGN",
    "DATE",
    "TIME",
)
_UNARY_TOO = ("DATETIME", "JULIANDAY", "UNIXEPOCH", "TYPEOF", "HEX", "QUOTE", "PRINTF", "CHAR")
_BINARY = (
    "ROUND",
    "TRIM",
    "SUBSTR",
    "INSTR",
    "MAX",
    "MIN",
    "STRFTIME",
    "RTRIM",
)
_TERNARY = ("SUBSTR", "REPLACE", "MAX", "MIN")

_CALLS = [
    *((name, f"? {name} ?", 2) for name in _INFIX),
    *(("NEG", "- ?", 1), ("~", "~ ?", 1)),
    *((name, f"{name}(?)", 1) for name in (*_UNARY, *_UNARY_TOO)),
    *((name, f"{name}(?, ?)", 2) for name in _BINARY),
    *((name, f"{name}(?, ?, ?)", 3) for name in _TERNARY),
]
_NO_FACTS = World(Schema(()), Facts())


def _ask(sql: str, cells: tuple[object, ...]) -> object:
    return _SQLITE.execute(f"SELECT {sql}", cells).fetchone()[0]


_SQLITE = Connection()


@pytest.mark.parametrize(("name", "sql", "count"), _CALLS, ids=str)
def test_results_are_of_the_promised_classes(name: str, sql: str, count: int) -> None:
    for cells in product(_CELLS, repeat=count):
        try:
            found = _ask(sql, cells)
        except RunnerError:
            continue
        classes = [frozenset({_KINDS[type(cell)]}) for cell in cells]
        assert _KINDS[type(found)] in function_kinds(name, classes, _NO_FACTS), cells


@pytest.mark.parametrize(("name", "sql", "count"), [c for c in _CALLS if c[0] in STRICT], ids=str)
def test_strict_functions_are_null_for_null(name: str, sql: str, count: int) -> None:
    for cells in product(_CELLS, repeat=count):
        if None in cells:
            assert _ask(sql, cells) is None, (name, cells)


@pytest.mark.parametrize("to", ["INTEGER", "REAL", "NUMERIC", "TEXT", "BLOB"])
def test_casts_are_of_the_promised_classes(to: str) -> None:
    for cell in _CELLS:
        if isinstance(cell, float) and cell in (float("inf"), float("-inf")):
            continue
        text = cell.hex() if isinstance(cell, bytes) else "" if cell is None else str(cell)
        constant = Constant(_KINDS[type(cell)], text)
        found = kinds(Convert(to, constant, explicit=True), _NO_FACTS, {})  # type: ignore[arg-type]
        assert _KINDS[type(_ask(f"CAST(? AS {to})", (cell,)))] in found


def test_columns_rest_on_facts_and_affinity() -> None:
    world, row = World(SCHEMA, FACTS), Variable(1)
    sources = {row: Scan("child")}
    assert kinds(Field(row, "n"), world, sources) == {"integer"}
    assert kinds(Field(row, "r"), world, sources) == {"real", "null"}
    assert kinds(Field(row, "d"), world, sources) == {"text", "null"}
    assert kinds(Field(row, "a"), world, sources) == ALL
    assert {fact.columns for fact in world.used} == {("n",), ("r",), ("d",)}
    bare = World(SCHEMA, Facts())
    assert kinds(Field(row, "r"), bare, sources) == {"real", "text", "blob", "null"}
    assert kinds(Field(row, "s"), bare, sources) == {"text", "blob", "null"}
    assert kinds(Field(row, "n"), bare, sources) == ALL
    assert not bare.used


def test_integers_that_may_overflow_may_be_reals() -> None:
    one = Constant("integer", "1")
    assert kinds(Apply("+", (one, one)), _NO_FACTS, {}) == {"integer", "real"}


def test_replace_and_like_are_not_strict() -> None:
    assert _ask("REPLACE(?, ?, ?)", (1, "", None)) == "1"
    assert _ask("? LIKE ?", (b"x", None)) == 0
    assert not STRICT & {"REPLACE", "LIKE", "GLOB"}
