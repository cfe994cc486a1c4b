"""Databases that the facts of a world allow, for attacks on what must hold on every one of them."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Protocol

from kit.harness import World

from equiv.answers import choices as choice_functions
from equiv.core.runner import Connection, Guarded, open_memory
from equiv.dialects.sqlite.render import create_statements
from equiv.schema.violations import FactChecker


class Fill(Protocol):
    """Replaces all rows of a world's tables; ``conforming`` keeps values in their column's domain."""

    def __call__(self, connection: Connection, random: Random, *, conforming: bool) -> None: ...


def allowed_databases(world: World, fill: Fill, seed: str, number: int) -> tuple[Guarded, ...]:
    """So many databases, each filled until it keeps every fact of a world."""
    random, checker = Random(seed), FactChecker(world.schema, world.facts)
    made: list[Guarded] = []
    while len(made) < number:
        engine = open_memory()
        for statement in create_statements(world.schema):
            engine.connection.execute(statement)
        choice_functions.register(engine.connection)
        fill(engine.connection, random, conforming=world.policy != "declared")
        while not checker.holds(engine.connection):
            fill(engine.connection, random, conforming=world.policy != "declared")
        made.append(engine)
    return tuple(made)


def contents(engine: Guarded, tables: Iterable[str]) -> str:
    """The rows of some tables, a line each."""
    return "\n".join(f"{t}: {engine.connection.execute(f'SELECT * FROM {t}').fetchall()}" for t in tables)
