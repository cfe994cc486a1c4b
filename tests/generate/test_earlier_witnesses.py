"""Killers of a question are kept, bounded, and used on predictions that mention something else."""

from __future__ import annotations

from collections.abc import Callable

from equiv.answers.pair import Pair
from equiv.core.model import Schema
from equiv.generate.database import Arena, Database, EarlierWitnesses
from equiv.generate.plan import databases
from equiv.schema.violations import FactChecker


def of(number: int) -> Database:
    return Database.of({"tag": (("a", "b"), [(str(number), "x")])})


def test_the_most_recent_killer_comes_first() -> None:
    killers = EarlierWitnesses()
    for number in (1, 2, 3, 1):
        killers.remember("SELECT 1", of(number))
    assert killers.candidates("SELECT 1") == (of(1), of(3), of(2))
    assert killers.candidates("SELECT 2") == ()


def test_both_bounds_hold() -> None:
    killers = EarlierWitnesses(per_question=2, questions=2)
    for number in range(5):
        killers.remember("first", of(number))
    assert killers.candidates("first") == (of(4), of(3))
    killers.remember("second", of(0))
    killers.remember("first", of(0))
    killers.remember("third", of(0))
    assert killers.candidates("second") == ()
    assert len(killers.candidates("first")) == 2


def test_a_killer_is_filled_up_for_another_prediction(
    pair_of: Callable[..., Pair], arena: Arena, schema: Schema
) -> None:
    killer = Database.of({"emp": (("id", "mgr", "active", "name"), [(1, 1, 1, "Ann"), (2, 1, 1, "Bo")])})
    pair = pair_of(
        "SELECT e.name, d.name FROM emp e JOIN dept d ON e.dept_code = d.code WHERE e.lo > 3",
        "SELECT e.name, d.name FROM emp e JOIN dept d ON e.dept_code = d.code",
    )
    first = next(databases(pair, 0, (killer,)))
    columns, rows = first.tables["emp"]
    assert {"lo", "dept_code", "name"} <= set(columns)
    assert {row[columns.index("name")] for row in rows} >= {"Ann", "Bo"}
    assert "dept" in first.tables
    assert arena.load(first)
    assert FactChecker(schema, pair.facts).violated(arena.connection) == ()


def test_a_killer_that_lacks_nothing_stays_as_it_is(pair_of: Callable[..., Pair]) -> None:
    pair = pair_of("SELECT a FROM tag WHERE b = 'x'", "SELECT a FROM tag WHERE b = 'y'")
    assert next(databases(pair, 0, (of(1),))) == of(1)
