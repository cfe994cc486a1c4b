"""Random queries: as resolved and as the rules leave them, what they translate to is what SQLite answers."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from algebra.differential import Database, is_possible, nasty_databases, plain_databases
from drawing import queries as random_queries
from drawing import rare_constructs
from kit.harness import UnmetError
from kit.harness import World as Schematic
from sqlglot import exp

from equiv.algebra.translate.query import translate
from equiv.algebra.world import World
from equiv.core.query import UnsupportedError
from equiv.core.runner import RunnerError
from equiv.rewrite.normalise import RuleSet, normalise
from equiv.rules import RULES

MAX_ROWS = 300

PLAIN = plain_databases(8)
NASTY = nasty_databases(8)


def plain_query(seed: int) -> str:
    return random_queries.Maker(Random(seed)).query()


def nasty_query(seed: int) -> str:
    return rare_constructs.Corners(Random(seed)).query()


def check(tree: exp.Expression, sql: str, world: Schematic, databases: list[Database]) -> bool:
    """Whether a tree could be translated; if so it must answer as SQLite does."""
    try:
        answer = translate(tree, World(world.schema, world.facts))
    except UnsupportedError:
        return False
    for database in databases:
        try:
            found = database.connection.execute(sql).fetchall()
            if len(found) <= MAX_ROWS:
                assert is_possible(answer, found, database), f"{sql}\n{found}\n{database.contents()}"
        except RunnerError:
            continue
    return True


@pytest.mark.long
@pytest.mark.parametrize(
    ("make", "where"), [(plain_query, PLAIN), (nasty_query, NASTY)], ids=["plain", "nasty"]
)
def test_random_queries(make: Callable[[int], str], where: tuple[Schematic, list[Database]]) -> None:
    world, databases = where
    done = 0
    for seed in range(200):
        sql = make(seed)
        try:
            tree = world.read(sql).tree
        except UnmetError:
            continue
        assert tree is not None
        done += check(tree, sql, world, databases)
        check(normalise(tree, RuleSet(RULES), world.context()).tree, sql, world, databases)
    assert done > 100
