"""Joins on constants within outer joins: the engine, the algebra and a second engine give the same rows.

SQLite 3.40 let no row of ``t1`` through ``t2 JOIN t3 ON 0 RIGHT JOIN t1 ON 1``.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from algebra.differential import Database, as_bag
from kit.harness import World as Schematic
from kit.sizes import sized

from equiv.algebra.evaluate import Evaluator
from equiv.algebra.translate.query import translate
from equiv.algebra.world import World
from equiv.core.runner import Connection

duckdb = pytest.importorskip("duckdb")
if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

DDL = "CREATE TABLE t1 (a INTEGER); CREATE TABLE t2 (b INTEGER); CREATE TABLE t3 (c INTEGER);"
ROWS = [
    "INSERT INTO t1 VALUES (1), (NULL); INSERT INTO t2 VALUES (1), (1); INSERT INTO t3 VALUES (3), (NULL);",
    "INSERT INTO t1 VALUES (1), (1); INSERT INTO t2 VALUES (1);",
    "INSERT INTO t1 VALUES (2); INSERT INTO t3 VALUES (2);",
]
TRUTHS = {"0": "false", "1": "true", "NULL": "CAST(NULL AS BOOLEAN)"}
"""Constants, and what a typed engine takes in their place."""
KINDS = ["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"]


Shape = tuple[str, str, str, str]
"""Inner kind, constant, outer kind, outer condition."""
SHAPES = list(product(KINDS, TRUTHS, KINDS[1:], [*TRUTHS, "t1.a = t2.b", "t1.a = t3.c"]))
FEW = [each for each in SHAPES if each[0] == "JOIN" and each[3] in ("1", "t1.a = t2.b")]


def texts_of(shape: Shape) -> list[tuple[str, str]]:
    """A join on a constant before an outer join and in parentheses behind it, for SQLite and for DuckDB."""
    inner, constant, outer, on = shape
    found = []
    for form in ("{inner} {outer} t1 ON {on}", "t1 {outer} ({inner}) ON {on}"):
        sqlite, typed = (
            "SELECT t1.a, t2.b, t3.c FROM "
            + form.format(inner=f"t2 {inner} t3 ON {said(constant)}", outer=outer, on=said(on))
            for said in (str, lambda text: TRUTHS.get(text, text))
        )
        found.append((sqlite, typed))
    return found


@pytest.fixture(scope="module")
def world() -> Schematic:
    return Schematic(DDL, "declared")


@pytest.fixture(scope="module")
def databases(world: Schematic) -> list[tuple[Database, DuckDBPyConnection]]:
    made = []
    for rows in ROWS:
        connection, other = Connection(), duckdb.connect(config={"threads": "1"})
        connection.run_script(DDL + rows)
        other.execute(DDL + rows)
        made.append((Database(connection, Evaluator.of(connection, world.schema)), other))
    return made


@sized("given", FEW, SHAPES)
def test_three_ways_give_the_same_rows(
    given: list[Shape], world: Schematic, databases: list[tuple[Database, DuckDBPyConnection]]
) -> None:
    for sql, typed in [each for shape in given for each in texts_of(shape)]:
        tree = world.read(sql).tree
        assert tree is not None, sql
        answer = translate(tree, World(world.schema, world.facts))
        for database, other in databases:
            found = as_bag(database.connection.execute(sql).fetchall())
            assert as_bag(database.evaluator.rows(answer)) == found, f"{sql}\n{database.contents()}"
            assert as_bag(other.execute(typed).fetchall()) == found, f"{sql}\n{database.contents()}"
