"""Shrinking keeps the difference and leaves little else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from equiv.answers.pair import Pair
from equiv.core.model import Schema
from equiv.generate.database import Arena, Database, shrink
from equiv.generate.plan import databases
from equiv.schema.violations import FactChecker

PAIRS = [
    ("SELECT name FROM emp", "SELECT DISTINCT name FROM emp", 2),
    ("SELECT COUNT(*) FROM emp", "SELECT COUNT(salary) FROM emp", 1),
    ("SELECT id FROM emp WHERE salary > 99.5", "SELECT id FROM emp WHERE salary >= 99.5", 1),
    (
        "SELECT p.note FROM pay p JOIN emp e ON p.emp = e.id WHERE p.year = 2020",
        "SELECT p.note FROM pay p JOIN emp e ON p.emp = e.id WHERE p.month = 5",
        3,
    ),
    ("SELECT id FROM emp ORDER BY id LIMIT 9", "SELECT id FROM emp ORDER BY id LIMIT 10", 10),
]


@pytest.mark.parametrize("case", PAIRS)
def test_few_rows_are_left(
    pair_of: Callable[..., Pair],
    differs: Callable[[Pair, Database], bool],
    arena: Arena,
    schema: Schema,
    case: tuple[str, str, int],
) -> None:
    *queries, rows = case
    pair = pair_of(*queries)
    checker = FactChecker(schema, pair.facts)

    def still_differs(database: Database) -> bool:
        return differs(pair, database) and checker.holds(arena.connection)

    found = next(database for database in databases(pair, 300) if differs(pair, database))
    small = shrink(found, still_differs, 400)
    assert still_differs(small)
    assert small.size <= rows
    assert small.size <= found.size


def test_values_become_plain() -> None:
    database = Database.of({"t": (("a", "b"), [("Lorem ipsum", 12345), ("dolor", 99)])})

    def test(candidate: Database) -> bool:
        _, rows = candidate.tables.get("t", ((), ()))
        return len(rows) == 2 and rows[0][0] != rows[1][0] and rows[1][1] == 99

    small = shrink(database, test)
    assert small.tables["t"][1][1][1] == 99
    assert {len(str(row[0])) for row in small.tables["t"][1]} == {1}
    assert small.tables["t"][1][0][1] == 0


def test_values_that_are_held_stay() -> None:
    database = Database.of({"t": (("a", "b"), [("Lorem ipsum", "dolor"), ("{}", "sit")])})
    small = shrink(database, lambda candidate: candidate.size == 2, held={"Lorem ipsum", "{}"})
    assert [row[0] for row in small.tables["t"][1]] == ["Lorem ipsum", "{}"]
    assert {len(str(row[1])) for row in small.tables["t"][1]} == {1}


def test_texts_of_one_letter_become_the_first_letters() -> None:
    database = Database.of({"t": (("id", "name"), [(1, "d"), (2, "b")])})
    found = shrink(database, lambda small: len({row[1] for row in small.tables["t"][1]}) == 2)
    assert {row[1] for row in found.tables["t"][1]} == {"a", "b"}


def test_columns_of_nothing_but_null_are_left_out() -> None:
    database = Database.of({"t": (("a", "b"), [("x", None), ("y", None)])})
    assert shrink(database, lambda candidate: candidate.size == 2).tables["t"][0] == ("a",)


def test_the_budget_bounds_the_questions() -> None:
    asked = 0

    def test(_: Database) -> bool:
        nonlocal asked
        asked += 1
        return False

    database = Database.of({"t": (("a",), [(number,) for number in range(50)])})
    assert shrink(database, test, budget=7) == database
    assert asked == 7


@pytest.mark.parametrize("budget", [50, 60, 80, 120])
def test_no_row_is_left_that_can_go_when_values_took_the_budget(budget: int) -> None:
    rows = [(number, f"value {number}") for number in range(40)]

    def differs(database: Database) -> bool:
        return len({3, 17, 31} & {row[0] for row in database.tables.get("t", ((), ()))[1]}) >= 2

    found = shrink(Database.of({"t": (("id", "name"), rows)}), differs, budget)
    assert len(found.tables["t"][1]) == 2
