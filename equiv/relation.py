"""Relations: what "the same result" means between two query results.

A relation is rows x columns: rows compare as a list, a bag or a set; columns
compare by position (``ordered``) or under one permutation that serves every
allowed database (``any``).  Column names never count.

The metric presets fix both, some of them by whether the *gold* query orders
its rows at top level; see :func:`resolve_relation`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Rows(StrEnum):
    """How the rows of two results are compared."""

    LIST = "list"
    """Row order counts, as far as the ORDER BY fixes it."""
    BAG = "bag"
    """Duplicates count, order does not."""
    SET = "set"
    """Neither order nor duplicates count."""

    def implies(self, other: Rows) -> bool:
        """Whether equality under ``self`` is equality under ``other`` too."""
        strictness = (Rows.LIST, Rows.BAG, Rows.SET)
        return strictness.index(self) <= strictness.index(other)


class Columns(StrEnum):
    """How the columns of two results are paired."""

    ORDERED = "ordered"
    """By position."""
    ANY = "any"
    """By one permutation, the same on every allowed database."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A comparison of results: ``Relation(Rows.BAG, Columns.ORDERED)``."""

    rows: Rows
    columns: Columns = Columns.ORDERED

    def __str__(self) -> str:
        return self.rows.value if self.columns is Columns.ORDERED else f"{self.rows.value}/any"

    def implies(self, other: Relation) -> bool:
        """Whether equality under ``self`` is equality under ``other`` too."""
        by_position = self.columns is Columns.ORDERED or other.columns is Columns.ANY
        return by_position and self.rows.implies(other.rows)


RELATIONS = tuple(Relation(rows, columns) for rows in Rows for columns in Columns)
"""All relations; none stands after one that it implies."""


RELATION_NAMES = ("sql", "bird", "spider", "rose", "list", "bag", "set")
"""The names that the command line and the library accept."""

ROUNDINGS = ("ignore", "shown", "strict")
"""What rounding counts for: nothing; a difference where the engine itself shows one; whatever it may do."""

_OF_EVALUATION = frozenset(("bird", "spider", "rose"))


def usual_rounding(relation: str) -> str:
    """The default treatment of rounding under a relation of :data:`RELATION_NAMES`."""
    return "ignore" if relation in _OF_EVALUATION else "shown"


def resolve_relation(name: str, *, gold_orders: bool) -> Relation:
    """The relation that a preset or a plain name stands for.

    Args:
        name: one of :data:`RELATION_NAMES`.
        gold_orders: whether the gold query has a top-level ORDER BY.

    Raises:
        ValueError: the name is not one of them.
    """
    rows_by_gold = Rows.LIST if gold_orders else Rows.BAG
    match name:
        case "sql":
            return Relation(rows_by_gold)
        case "spider":
            return Relation(rows_by_gold, Columns.ANY)
        case "bird":
            return Relation(Rows.SET)
        case "rose":
            return Relation(Rows.BAG, Columns.ANY)
        case "list" | "bag" | "set":
            return Relation(Rows(name))
    raise ValueError(f"unknown relation {name!r}; choose one of {', '.join(RELATION_NAMES)}")
