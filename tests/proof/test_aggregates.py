"""Aggregates by primitives: the same values, of the same classes, on random databases."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from kit.sizes import swept
from proof.random_aggregate_sql import random_query
from proof.random_aggregates import DDL, Maker, random_rows

from equiv.algebra.evaluate import Evaluator
from equiv.algebra.terms import (
    Aggregate,
    Answer,
    Apply,
    Binding,
    Compare,
    First,
    Node,
    Scan,
    Term,
    map_children,
)
from equiv.algebra.translate.query import translate
from equiv.algebra.world import World
from equiv.core.query import Query, UnsupportedError
from equiv.core.runner import Connection
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.read import read_query
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.aggregates import normal_aggregate, normal_first, normal_number

SCHEMA = load_ddl(DDL)


def facts(*, exact: bool = True) -> Facts:
    found = [Fact(FactKind.TYPE, Grade.INTENDED, t.name, (c.name,)) for t in SCHEMA.tables for c in t.columns]
    found += [Fact(FactKind.NOT_NULL, Grade.INTENDED, t.name, ("b",)) for t in SCHEMA.tables]
    if exact:
        found += [Fact(FactKind.EXACT_ARITHMETIC, Grade.ASSUMED), Fact(FactKind.NO_OVERFLOW, Grade.ASSUMED)]
    return Facts(found)


def normal(node: Node, scope: Scope) -> Node:
    """The node with all aggregates and first rows in normal form, from the inside out."""
    if isinstance(node, Term):
        bindings: list[Binding] = []
        for binding in node.bindings:
            source = normal(binding.source, scope.within(bindings))
            bindings.append(Binding(binding.row, source))  # type: ignore[arg-type]
        inner = scope.within(bindings)
        condition = normal(node.condition, inner)
        outputs = tuple(normal(each, inner) for each in node.outputs)
        return Term(tuple(bindings), condition, outputs)  # type: ignore[arg-type]
    changed = map_children(node, lambda inner: normal(inner, scope))
    if isinstance(changed, Aggregate):
        return normal_aggregate(changed, scope)
    if isinstance(changed, Compare | Apply):
        return normal_number(changed, scope)
    if isinstance(changed, First):
        return normal_first(changed, scope)
    return changed


def differs(seed: int, *, mixed: bool, databases: int) -> str:
    """What tells a random aggregate from its normal form, if anything."""
    random = Random(seed)
    maker = Maker(random, mixed=mixed)
    world = World(SCHEMA, facts(exact=random.random() < 0.9), maker.names)
    outer = maker.names.variable("outer")
    maker.sources[outer] = Scan("t")
    around = [outer] if random.random() < 0.5 else []
    before = maker.first(around) if random.random() < 0.15 else maker.aggregate(around, 2)
    after = normal(before, Scope.alone(world, [Binding(row, Scan("t")) for row in around]))
    for number in range(databases):
        tables = random_rows(random)
        evaluator = Evaluator(tables, number)  # type: ignore[arg-type]
        for environment in [{outer: row} for row in tables["t"][:2]] if around else [{}]:
            one = evaluator.value(before, environment)  # type: ignore[arg-type]
            two = evaluator.value(after, environment)  # type: ignore[arg-type]
            if one != two or (not mixed and type(one) is not type(two)):
                return f"{seed}: {one!r} became {two!r}\n{before}\n{after}\n{tables}\n{environment}"
    return ""


@swept("start", [0], range(50, 200, 50))
@pytest.mark.parametrize("mixed", [False, True])
def test_keeps_values(start: int, mixed: bool) -> None:
    for seed in range(start, start + 50):
        assert not differs(seed, mixed=mixed, databases=6)


def rows_of(answer: Answer, connection: Connection, seed: int) -> list[str]:
    return sorted(map(_shown, Evaluator.of(connection, SCHEMA, seed).rows(answer)))


def _shown(row: Iterable[object]) -> str:
    """A row in which 1 is 1.0, and rounding does not show."""
    return repr([round(float(each), 9) + 0.0 if isinstance(each, int | float) else each for each in row])


def sql_differs(seed: int, connection: Connection) -> str:
    """What tells a random query on SQLite from its normal form, if anything."""
    random = Random(seed)
    sql = random_query(random)
    query = read_query(sql, SCHEMA, connection)
    assert isinstance(query, Query)
    world = World(SCHEMA, facts())
    try:
        if query.tree is None:
            return ""
        after = normal(translate(query.tree, world), Scope.alone(world))
    except UnsupportedError:
        return ""
    assert isinstance(after, Answer)
    for number in range(5):
        for table, rows in random_rows(random).items():
            connection.execute(f"DELETE FROM {table}")
            connection.executemany(
                f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?)", [tuple(row.values()) for row in rows]
            )
        wanted = sorted(map(_shown, connection.execute(sql)))
        if rows_of(after, connection, number) != wanted:
            return f"{seed}: {sql}\n{after}\n{wanted}"
    return ""


@pytest.mark.long
@pytest.mark.parametrize("start", range(0, 200, 50))
def test_keeps_what_sqlite_says(start: int) -> None:
    connection = Connection()
    connection.run_script(DDL)
    for seed in range(start, start + 50):
        assert not sql_differs(seed, connection)
    connection.close()
