"""Every generated database satisfies every fact, and is the same whenever it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from equiv.answers.pair import Pair
from equiv.core.model import Schema
from equiv.facts import Fact, FactKind, Grade
from equiv.generate.database import Arena
from equiv.generate.plan import canonical, databases, make_database, make_plan
from equiv.schema.violations import FactChecker

PAIRS = [
    (
        "SELECT e.id FROM emp e JOIN dept d ON dept_code = code WHERE salary > 100 AND d.opened = '2020-01'",
        "SELECT e.id FROM emp e JOIN dept d ON dept_code = code WHERE salary >= 100 AND d.name LIKE 'A%'",
    ),
    (
        "SELECT note FROM pay JOIN part USING (emp, year, month) GROUP BY note HAVING COUNT(*) > 7",
        "SELECT note FROM pay JOIN part USING (emp, year, month) GROUP BY note HAVING COUNT(*) > 8",
    ),
    ("SELECT * FROM one, tag WHERE v = 'x' AND a <> b", "SELECT * FROM one, tag WHERE v = 'y' AND a <> b"),
    ("SELECT x, y, z FROM gen WHERE y > 3", "SELECT x, y, z FROM gen WHERE x > 2"),
    ("SELECT id FROM rich WHERE lo = 5 OR hi = 5", "SELECT id FROM rich WHERE lo = 5 AND hi = 5"),
    (
        "SELECT mgr FROM emp WHERE NOT EXISTS (SELECT 1 FROM dept WHERE boss = emp.id)",
        "SELECT mgr FROM emp WHERE id NOT IN (SELECT boss FROM dept)",
    ),
    ("SELECT COUNT(*) FROM emp WHERE active", "SELECT COUNT(status) FROM emp WHERE active = 1"),
]


def fact(
    kind: FactKind,
    table: str,
    *columns: str,
    parent: str = "",
    parent_columns: tuple[str, ...] = (),
    expression: str = "",
) -> Fact:
    return Fact(kind, Grade.ASSUMED, table, columns, parent, parent_columns, expression)


ASSUMED = (
    fact(FactKind.FUNCTIONAL, "emp", "dept_code", parent="emp", parent_columns=("salary", "lo")),
    fact(FactKind.FUNCTIONAL, "dept", "name", parent="dept", parent_columns=("budget",)),
    fact(FactKind.ISO_DATE, "dept", "opened"),
    fact(FactKind.NUMERIC_TEXT, "pay", "note"),
    fact(FactKind.UNIQUE, "emp", "status", "dept_code"),
    fact(FactKind.INCLUSION, "tag", "a", parent="dept", parent_columns=("name",)),
    fact(FactKind.NOT_NULL, "dept", "boss"),
    fact(FactKind.CHECK, "pay", expression="amount > month AND note IS NOT NULL"),
)

FILLED = tuple(
    fact(FactKind.NOT_EMPTY, table)
    for table in ("dept", "emp", "pay", "part", "tag", "gen", "one", "member", "hen", "egg")
)
"""Circles of references, keys of references and CHECKs among them; most tables are read by no query."""


@pytest.mark.parametrize(
    "options",
    [("declared", ()), ("intended", ()), ("intended", ASSUMED), ("intended", FILLED)],
    ids=["ddl", "sql", "more", "filled"],
)
@pytest.mark.parametrize("queries", PAIRS)
def test_every_fact_holds(
    pair_of: Callable[..., Pair],
    arena: Arena,
    schema: Schema,
    queries: tuple[str, str],
    options: tuple[str, tuple[Fact, ...]],
) -> None:
    pair = pair_of(*queries, *options)
    checker = FactChecker(schema, pair.facts)
    filled = 0
    for database in databases(pair, 80):
        assert arena.load(database), database.to_json()
        broken = checker.violated(arena.connection)
        assert {found.kind for found in broken} <= {FactKind.NOT_EMPTY}, database.to_json()
        filled += not broken and database.size > 0
    assert filled > 40


@pytest.mark.parametrize(("pred", "gold"), PAIRS[:3])
def test_the_same_pair_gets_the_same_databases(pair_of: Callable[..., Pair], pred: str, gold: str) -> None:
    first = [database.to_json() for database in databases(pair_of(pred, gold), 80)]
    plan = make_plan(pair_of(pred, gold))
    backwards = [make_database(plan, index).to_json() for index in reversed(range(20))]
    constructed = [database.to_json() for _, database in canonical(plan)]
    assert first[: len(constructed) + 20] == constructed + backwards[::-1]


def test_another_pair_gets_other_databases(pair_of: Callable[..., Pair]) -> None:
    (pred, gold), _ = PAIRS[0], None
    one = [database.to_json() for database in databases(pair_of(pred, gold), 20)]
    other = [database.to_json() for database in databases(pair_of(gold, pred), 20)]
    assert one != other


def test_without_type_facts_values_may_break_their_declared_type(pair_of: Callable[..., Pair]) -> None:
    pair = pair_of("SELECT id FROM emp WHERE hi > 3", "SELECT id FROM emp WHERE hi >= 4", "declared")
    held = {
        type(row[columns.index("hi")])
        for database in databases(pair, 60)
        for columns, rows in database.tables.values()
        if "hi" in columns
        for row in rows
    }
    assert str in held


def test_only_what_the_pair_needs_is_filled(pair_of: Callable[..., Pair]) -> None:
    pair = pair_of("SELECT a FROM tag WHERE b = 'x'", "SELECT a FROM tag WHERE b = 'y'")
    assert {table for database in databases(pair, 30) for table in database.tables} == {"tag"}
    pair = pair_of("SELECT name FROM emp", "SELECT DISTINCT name FROM emp")
    columns = {name for database in databases(pair, 30) for name in database.tables.get("emp", ((), ()))[0]}
    assert columns == {"id", "mgr", "name", "active"}


def test_queries_that_cannot_be_resolved_get_databases_too(pair_of: Callable[..., Pair]) -> None:
    pair = pair_of("SELECT a FROM tag WHERE b = 'xyz'", "SELECT a FROM tag WHERE b = 'xyZ'")
    opaque = replace(pair, pred=replace(pair.pred, tree=None), gold=replace(pair.gold, tree=None))
    values = {
        cell
        for database in databases(opaque, 30)
        for _, rows in database.tables.values()
        for row in rows
        for cell in row
    }
    assert {"xyz", "xyZ"} <= values
