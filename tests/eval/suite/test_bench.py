"""A database is refused that would call a right prediction wrong, or might."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from equiv.dialects.sqlite.ddl import load_ddl
from equiv.eval import worker
from equiv.eval.plan import settings_of
from equiv.eval.suite.part import kills_of_file, pool_of
from equiv.eval.suite.script import EvaluationScript, Layout, Rival, RivalKind, SuiteQuestion
from equiv.eval.suite.worker import (
    BenchAsked,
    LostError,
    Refusal,
    Sight,
    SuiteBench,
    SuiteWorker,
    look,
    restored,
)
from equiv.generate.database import Database
from equiv.options import Options
from equiv.schema.locate import Place

SCHEMA = load_ddl(
    """CREATE TABLE club (id INTEGER PRIMARY KEY, town TEXT);
    CREATE TABLE player (name TEXT, club_id INTEGER REFERENCES club (id), age INTEGER);"""
)
OLDEST = "SELECT name FROM player ORDER BY age DESC LIMIT 1"
BY_AGE = "SELECT name FROM player ORDER BY age"
ALL = BenchAsked((0,), frozenset({0}))


def bench(gold: str, *rivals: tuple[RivalKind, str], layout: Layout = Layout.BIRD) -> SuiteBench:
    worker.enter(settings_of({"sport": Place("sport", schema=SCHEMA)}, Options()))
    found = tuple(Rival(kind, "someone", sql) for kind, sql in rivals)
    return SuiteBench("sport", [SuiteQuestion("sport", 0, gold, found)], EvaluationScript(layout))


def players(*found: tuple[str, int | None, int | None]) -> Database:
    columns = ("name", "club_id", "age")
    return Database({"club": (("id", "town"), ((1, "Bergen"),)), "player": (columns, found)})


CLEAR, TIED = players(("a", 1, 30), ("b", 1, 20)), players(("a", 1, 30), ("b", 1, 30))


@pytest.fixture(autouse=True)
def _leave_no_worker() -> Iterator[None]:
    yield
    worker.WORKER.__init__()  # type: ignore[misc]


def test_a_tie_refuses_where_the_answer_must_be_determined() -> None:
    it = bench(OLDEST, (RivalKind.WRONG, "SELECT name FROM player ORDER BY age LIMIT 1"))
    assert it.look(CLEAR, ALL) == Sight(frozenset({(0, 0)}), frozenset())
    with pytest.raises(Refusal):
        it.look(TIED, ALL)
    assert it.look(TIED, replace(ALL, fixed=frozenset())).loose == {0}


def test_a_tie_in_an_order_refuses_only_where_lists_are_compared() -> None:
    assert bench(BY_AGE).look(TIED, ALL).loose == frozenset()
    assert bench(BY_AGE, layout=Layout.SPIDER).look(CLEAR, ALL).loose == frozenset()
    with pytest.raises(Refusal):
        bench(BY_AGE, layout=Layout.SPIDER).look(TIED, ALL)


def test_a_right_prediction_that_would_fail_refuses() -> None:
    gold = "SELECT town FROM club"
    assert (
        bench(gold, (RivalKind.RIGHT, "SELECT DISTINCT town FROM club")).look(CLEAR, ALL).kills == frozenset()
    )
    for sql in ("SELECT id FROM club", "SELECT town FROM club WHERE json('x')"):
        with pytest.raises(Refusal):
            bench(gold, (RivalKind.RIGHT, sql)).look(CLEAR, ALL)


def test_facts_and_missed_kills_refuse() -> None:
    it = bench("SELECT name FROM player", (RivalKind.MUTANT, "SELECT name FROM player WHERE age > 10"))
    with pytest.raises(Refusal):
        it.look(players(("orphan", 2, 3)), ALL)
    with pytest.raises(Refusal):
        it.look(CLEAR, replace(ALL, kills=frozenset({(0, 0)})))
    assert it.look(players(("child", 1, 3)), replace(ALL, kills=frozenset({(0, 0)}))).kills == {(0, 0)}


def test_a_query_that_fails_is_wrong_and_a_gold_query_that_fails_leaves_it_open() -> None:
    failing = "SELECT json(name) FROM player"
    assert bench("SELECT name FROM player", (RivalKind.WRONG, failing)).look(CLEAR, ALL).kills == {(0, 0)}
    it = bench(failing, (RivalKind.WRONG, "SELECT name FROM player"))
    assert it.look(CLEAR, replace(ALL, fixed=frozenset())) == Sight(frozenset(), frozenset({0}))


def test_a_text_without_a_query_gives_no_rows_and_is_wrong_where_there_are_some() -> None:
    it = bench(
        "SELECT name FROM player WHERE age > 25",
        (RivalKind.INVALID, "-- none"),
        (RivalKind.INVALID, "SELECT"),
    )
    assert it.look(CLEAR, ALL).kills == {(0, 0), (0, 1)}
    assert it.look(players(("child", 1, 3)), ALL).kills == {(0, 1)}


class Poisoned:
    """Stands in for a worker that dies of one query."""

    def __init__(self, it: SuiteBench, poison: str) -> None:
        self.it, self.poison = it, poison

    def ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if function is restored:
            return CLEAR
        asked = arguments[1]
        rivals = self.it.questions[0].rivals
        if self.poison == self.it.questions[0].gold:
            raise LostError
        among = asked.among if function is look else {arguments[0]}
        if any(rivals[at].sql == self.poison for _, at in among):
            raise LostError
        return self.it.look(arguments[0], asked) if function is look else None

    def look(self, source: Database | Path, asked: BenchAsked) -> Sight | None:
        try:
            return cast(Sight, self.ask(look, source, asked))
        except LostError:
            return None


def test_a_query_that_costs_the_worker_is_left_out_and_named() -> None:
    names = [f"SELECT name FROM player WHERE age > {age}" for age in (10, 20, 25)]
    it = bench("SELECT name FROM player", *((RivalKind.WRONG, sql) for sql in names))
    question = replace(it.questions[0], scripts=("a witness",))
    pool = pool_of(cast(SuiteWorker, Poisoned(it, names[1])), [question], 0)
    assert [candidate.kills for candidate in pool.candidates] == [{(0, 2)}]
    assert pool.lost == {(0, 1)}


def test_a_gold_query_that_costs_the_worker_is_given_up_at_once() -> None:
    it = bench("SELECT name FROM player", (RivalKind.WRONG, "SELECT age FROM player"))
    question = replace(it.questions[0], scripts=("a witness", "another"))
    pool = pool_of(cast(SuiteWorker, Poisoned(it, question.gold)), [question], 0)
    assert (pool.is_lost, pool.is_fixed, pool.candidates) == (True, False, [])


def test_an_undecided_query_that_costs_the_worker_costs_no_database() -> None:
    poison = "SELECT club_id FROM player"
    it = bench(
        "SELECT name FROM player", (RivalKind.OPEN, poison), (RivalKind.WRONG, "SELECT age FROM player")
    )
    worker = cast(SuiteWorker, Poisoned(it, poison))
    assert kills_of_file(worker, cast(Path, CLEAR), ALL, it.questions, frozenset()) == frozenset({(0, 1)})
