"""Databases constructed from the queries: strategies one by one, and hard conditions solved for."""

from __future__ import annotations

import re
from itertools import zip_longest
from pathlib import Path

import pytest
from sqlglot import exp

from equiv.answers.answers import DatabaseFinding
from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.core.runner import Result, open_memory
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.read import read_query
from equiv.generate.database import Arena
from equiv.generate.models import models, new_context
from equiv.generate.plan import canonical, databases, make_plan
from equiv.generate.sketches import STRATEGIES, Strategy
from equiv.relation import Relation, Rows
from equiv.schema.policy import facts_for
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import Open, Refuted
from equiv.tiers.witness import Bench

SCHEMA = load_ddl(
    """
    CREATE TABLE driver (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born DATE, points INTEGER, wins INTEGER);
    CREATE TABLE car (
        plate TEXT PRIMARY KEY, driver INTEGER REFERENCES driver (id), model TEXT, code TEXT, seen TEXT,
        power INTEGER, weight INTEGER
    );
    """,
    "races",
)
BAG = Relation(Rows.BAG)
OWNED = "driver AS d JOIN car AS c ON c.driver = d.id"
SOME = "EXISTS (SELECT 1 FROM car AS c WHERE c.driver = d.id AND {})"
QUOTED = SOME.format("c.code LIKE 'q%7_z'")
COUNTED = "(SELECT COUNT(*) FROM car AS c WHERE c.driver = d.id AND c.power % 97 = 5)"

TOLD_APART = {
    "freeze_bodies": (
        "SELECT name FROM driver WHERE points % 97 = 5",
        "SELECT name || 'x' FROM driver WHERE points % 97 = 5",
    ),
    "part_bodies": (
        "SELECT id FROM driver WHERE points * wins = 391",
        "SELECT id FROM driver WHERE points * wins = 391 AND points < wins",
    ),
    "meet_within_negations": (
        f"SELECT id FROM driver AS d WHERE NOT {SOME.format('power % 211 = 7')}",
        "SELECT id FROM driver AS d",
    ),
    "double_atoms": (
        f"SELECT d.name FROM {OWNED} WHERE c.code LIKE 'q%7_z'",
        f"SELECT d.name FROM driver AS d WHERE {QUOTED}",
    ),
    "size_groups": (
        "SELECT driver FROM car GROUP BY driver HAVING SUM(power) = 917 AND COUNT(*) = 2",
        "SELECT driver FROM car GROUP BY driver HAVING SUM(power) >= 917 AND COUNT(*) = 2",
    ),
    "merge_atoms": (
        "SELECT model FROM car WHERE power % 97 = 5 UNION ALL SELECT model FROM car WHERE weight % 89 = 3",
        "SELECT model FROM car WHERE power % 97 = 5 OR weight % 89 = 3",
    ),
    "count_groups": (
        f"SELECT name FROM driver AS d WHERE {COUNTED} = 3",
        f"SELECT name FROM driver AS d WHERE {COUNTED} >= 3",
    ),
    "lack_rows": (
        f"SELECT d.name FROM driver AS d WHERE d.points % 97 = 5 OR {SOME.format('1')}",
        (
            "SELECT d.name FROM driver AS d LEFT JOIN car AS c ON c.driver = d.id"
            " WHERE d.points % 97 = 5 AND c.plate IS NOT NULL"
        ),
    ),
    "miss_conditions": (
        f"SELECT COUNT(d.id) FROM {OWNED} WHERE c.code LIKE 'q%7_z' AND d.points % 97 = 5",
        (
            f"SELECT COUNT(*) + (SELECT COUNT(*) FROM car WHERE code LIKE 'q%7_z') - COUNT(*) FROM {OWNED}"
            " WHERE c.code LIKE 'q%7_z' AND d.points % 97 = 5"
        ),
    ),
    "put_beside": (
        "SELECT MAX(d.points) FROM driver AS d WHERE d.points % 97 = 5",
        "SELECT SUM(d.points) FROM driver AS d WHERE d.points % 97 = 5",
    ),
}
"""For each strategy a pair that it distinguishes alone."""

HARD = (
    ("points % 97 = 5 AND points % 89 = 3", "points % 97 = 5 AND points % 89 IN (3, 7)"),
    ("points * wins = 391", "points * wins >= 391"),
    ("points + 3 * wins = 1234", "points + 3 * wins BETWEEN 1234 AND 1235"),
    ("points * points = 6889", "points * points BETWEEN 6889 AND 7056"),
    ("points & 63 = 44", "points & 127 = 44"),
    ("points LIKE '%7%3'", "points LIKE '7%3'"),
    ("CASE WHEN points % 31 = 4 THEN wins ELSE points END = 55", "wins = 55"),
    ("LENGTH(name) = 9 AND name LIKE '%7%3'", "LENGTH(name) >= 9 AND name LIKE '%7%3'"),
    ("SUBSTR(name, 3, 2) = 'qz' AND name LIKE '%x'", "INSTR(name, 'qz') = 3 AND name LIKE '%x'"),
    ("STRFTIME('%m-%d', born) = '11-23'", "STRFTIME('%m', born) = '11' AND STRFTIME('%d', born) > '22'"),
    ("STRFTIME('%w', born) = '3' AND STRFTIME('%d', born) = '17'", "STRFTIME('%d', born) = '17'"),
    ("DATE(born, '+45 days') = '2001-03-17'", "DATE(born, '+1 month', '+14 days') = '2001-03-17'"),
    ("TIME(name) = TIME('21:20:00')", "name = '21:20:00'"),
    ("STRFTIME('%J', born) = JULIANDAY('2001-03-17')", "JULIANDAY(born) = JULIANDAY('2001-03-17')"),
)
"""Conditions that drawn values rarely meet, and near misses of them."""


PROBE = Arena(SCHEMA).connection


def pair_of(pred: str, gold: str) -> Pair:
    predicted, wanted = (read_query(sql, SCHEMA, PROBE) for sql in (pred, gold))
    assert isinstance(predicted, Query), predicted
    assert isinstance(wanted, Query), wanted
    return Pair(predicted, wanted, SCHEMA, facts_for(SCHEMA, "intended"), BAG)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.__name__)
def test_each_strategy_alone_tells_a_pair_apart(strategy: Strategy) -> None:
    pair = pair_of(*TOLD_APART[strategy.__name__])
    bench = Bench(SCHEMA, pair.facts)
    made = list(canonical(make_plan(pair), (strategy,)))
    assert {name for name, _ in made} == {strategy.__name__}
    assert DatabaseFinding.APART in {bench.finding(pair, database) for _, database in made}


@pytest.mark.parametrize(("held", "near"), HARD)
@pytest.mark.parametrize(
    "text", ["SELECT id FROM driver WHERE {}", "SELECT COUNT(*) FROM driver WHERE NOT ({})"]
)
def test_a_near_miss_of_a_hard_condition_is_refuted(held: str, near: str, text: str) -> None:
    pair = pair_of(text.format(near), text.format(held))
    outcome = GenerateTier(SCHEMA, pair.facts).settle(pair, 12)
    assert isinstance(outcome, Refuted)


def test_the_page_lists_the_strategies() -> None:
    page = (Path(__file__).parents[2] / "docs" / "generation.md").read_text()
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == [each.__name__ for each in STRATEGIES]


def test_an_equivalent_pair_with_hard_conditions_is_not_refuted() -> None:
    pair = pair_of(
        "SELECT id FROM driver WHERE points * wins = 391 AND points % 17 = 0",
        "SELECT id FROM driver WHERE points % 17 = 0 AND wins * points = 391",
    )
    assert isinstance(GenerateTier(SCHEMA, pair.facts).settle(pair, 80), Open)


def test_for_a_long_query_databases_are_drawn_alone() -> None:
    """Goals are taken apart recursively, and each is missed in turn."""
    conditions = [f"points % {number} <> 1" for number in range(2, 180)]
    pair = pair_of(
        f"SELECT id FROM driver WHERE {' AND '.join(conditions)}",
        f"SELECT id FROM driver WHERE {' AND '.join(conditions[1:])}",
    )
    assert not list(canonical(make_plan(pair)))
    assert len(list(databases(pair, 6))) == 6


def test_small_databases_come_first() -> None:
    pair = pair_of(*TOLD_APART["merge_atoms"])
    sizes = [database.size for _, database in canonical(make_plan(pair))]
    assert sizes
    assert max(sizes[:3]) <= 4
    assert max(sizes) <= 16


@pytest.mark.parametrize("pair", list(TOLD_APART.values())[:4])
def test_databases_do_not_depend_on_pairs_between(pair: tuple[str, str]) -> None:
    """The scratch database that conditions are tried in is shared, and refilled for each pair."""
    alone = [database.to_json() for database in databases(pair_of(*pair), 30)]
    other = databases(pair_of("SELECT plate FROM car WHERE power > 3", "SELECT plate FROM car"), 30)
    mixed = []
    for database, _ in zip_longest(databases(pair_of(*pair), 30), other):
        if database is not None:
            mixed.append(database.to_json())
            make_plan(pair_of("SELECT model FROM car WHERE weight = 8", "SELECT model FROM car"))
    assert mixed == alone


@pytest.mark.parametrize(
    "condition",
    [
        "points * wins = 391 AND points < wins",
        "points % 97 = 5 AND points > 5000",
        "ABS(points - wins) = 77 AND points / 13 = 9",
        "name LIKE '%7%3' AND LENGTH(name) = 6",
        "name GLOB 'ab[0-9]*z' AND LENGTH(name) = 5",
        "SUBSTR(name, -2) = '6v' AND LENGTH(name) > 7 AND name LIKE 'x%'",
        "CASE WHEN points % 19 = 3 THEN wins ELSE points END = 3870 AND points = 22",
        "name || ' ' || points = 'abc 17'",
    ],
)
def test_models_are_solutions(condition: str) -> None:
    query = read_query(f"SELECT 1 FROM driver WHERE {condition}", SCHEMA, PROBE)
    assert isinstance(query, Query)
    assert query.tree is not None

    def ground(node: exp.Expr) -> exp.Expr:
        return exp.column(node.name, table="s1", quoted=True) if isinstance(node, exp.Column) else node

    where = query.tree.args["where"].this.transform(ground)
    named = {column.name for column in where.find_all(exp.Column)}
    columns = {(1, c.name): c for c in SCHEMA.tables[0].columns if c.name in named}
    found = next(models(columns, [(where, True)], new_context()))
    guarded = open_memory()
    guarded.connection.execute("CREATE TABLE driver (id INTEGER, name TEXT, points INTEGER, wins INTEGER)")
    names = ", ".join(name for _, name in found)
    guarded.connection.execute(
        f"INSERT INTO driver ({names}) VALUES ({', '.join('?' * len(found))})", tuple(found.values())
    )
    result = guarded.run(f"SELECT COUNT(*) FROM driver WHERE {condition}")
    assert isinstance(result, Result)
    assert [*result.rows] == [(1,)]
