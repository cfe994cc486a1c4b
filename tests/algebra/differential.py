"""Databases of all sorts, and whether an answer of the algebra is one that SQLite may give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from drawing import nasty_tables
from drawing import queries as random_queries
from kit.harness import World as Schematic

from equiv.algebra.evaluate import ConcreteRow, ConcreteValue, Evaluator
from equiv.algebra.terms import Answer, sites
from equiv.core.runner import Connection
from equiv.dialects.sqlite.render import create_statements

CHOICES = 60
"""How many ways of making the choices of an answer are tried."""
MANY = 6
"""From how many rows on it is no wonder if none of these ways is SQLite's."""


@dataclass(frozen=True)
class Database:
    """A database and an evaluator of its rows."""

    connection: Connection
    evaluator: Evaluator

    def contents(self) -> str:
        """All rows, for a failure's message."""
        tables = self.evaluator.tables.items()
        return "\n".join(f"{name}: {[tuple(row.values()) for row in rows]}" for name, rows in tables)


Fill = Callable[..., None]


def databases(world: Schematic, fill: Fill, number: int) -> list[Database]:
    """Random databases; every second one keeps values in the domain of their declared type."""
    made = []
    for seed in range(number):
        connection = Connection()
        for statement in create_statements(world.schema):
            connection.execute(statement)
        fill(connection, Random(seed), conforming=seed % 2 == 0)
        made.append(Database(connection, Evaluator.of(connection, world.schema)))
    return made


def plain_databases(number: int) -> tuple[Schematic, list[Database]]:
    """Databases of two tables that hold values of every class, and their schema."""
    world = Schematic(random_queries.DDL, "declared")
    return world, databases(world, random_queries.fill, number)


def nasty_databases(number: int) -> tuple[Schematic, list[Database]]:
    """Databases of tables with every kind of key and reference, and their schema."""
    world = Schematic(nasty_tables.DDL, "declared")
    return world, databases(world, nasty_tables.fill, number)


def is_determined(answer: Answer) -> bool:
    """Whether an answer has no choice but the order of its rows."""
    return not sites(answer) and answer.limit is None and not answer.offset


def is_possible(answer: Answer, found: Sequence[ConcreteRow], database: Database) -> bool:
    """Whether SQLite's rows are what the answer is, whatever their order, or what it may be if it chooses."""
    evaluator = database.evaluator
    tries = 1 if is_determined(answer) else CHOICES
    for evaluator.seed in range(tries):
        if as_bag(evaluator.rows(answer)) == as_bag(found):
            return True
    return tries > 1 and len(found) > MANY


def as_bag(rows: Sequence[ConcreteRow]) -> Counter[tuple[object, ...]]:
    """The rows as a bag, 1 and 1.0 the same, REAL to nine digits."""
    return Counter(tuple(_cell(value) for value in row) for row in rows)


def _cell(value: ConcreteValue) -> object:
    if isinstance(value, int | float):
        return float(f"{value:.9g}")
    return value
