"""Unions of conjunctive queries, as the fragment has them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from equiv.algebra.terms import Expression
from equiv.fragment.regions import Value

Cell = tuple[int, str]
"""The number of an atom in its block, and a column of its table."""


class OutsideError(Exception):
    """A query or its schema lies outside the fragment; the message says by what, in one line."""


class Sort(StrEnum):
    """Values that may be compared with one another without a conversion."""

    NUMBER = "number"
    TEXT = "text"
    DATE = "date"
    """Columns of dates and times, which SQLite converts as it does numbers."""
    ANY = "any"
    """Columns without a declared type."""


@dataclass(frozen=True, slots=True)
class Null:
    """The output that is NULL."""


Output = Cell | Value | Null


@dataclass(frozen=True)
class Block:
    """One conjunctive query: a row of outputs for each choice of rows that meets all conditions."""

    atoms: tuple[str, ...]
    """The table of each atom, as the schema spells it."""
    sames: tuple[tuple[Cell, Cell], ...]
    """Cells that are equal, and not NULL."""
    nulls: tuple[Cell, ...]
    """Cells that are NULL."""
    fixed: tuple[tuple[Cell, Value], ...]
    """Cells that equal a constant."""
    tests: tuple[Expression, ...]
    """Conditions on cells and constants; their fields have the atom's number in place of a variable's."""
    outputs: tuple[Output, ...]


@dataclass(frozen=True)
class Union:
    """The sum of blocks, or the set of its rows."""

    blocks: tuple[Block, ...]
    distinct: bool


@dataclass
class Cuts:
    """Where cases are told apart in one column: what any condition of the pair compares it with."""

    nulls: bool = False
    """Whether it matters if a cell is NULL."""
    bounds: set[int] = field(default_factory=set)
    """Integers that matter: a value is below one, or not."""
    points: set[Value] = field(default_factory=set)
    """Values that matter: a value is the one, or another."""
