"""Records of the engine get their scores: by the verdict, by a saving, or by the judge."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import pytest

from equiv.dialects.sqlite.pragmas import load_sqlite
from equiv.engine.host import Checker
from equiv.errors import InputError
from equiv.eval.plan import Setting
from equiv.eval.questions import QuestionRecords, question_of
from equiv.eval.worker import SideWorker
from equiv.judge.case import (
    Answer,
    Ask,
    Case,
    NoAnswer,
    OutOfBudget,
    ProverReply,
    RefuterReply,
    Reply,
    Role,
    Shown,
    Standard,
    Usage,
)
from equiv.judge.judging_terms import ALL, Saving, Terms
from equiv.judge.stage import Stage
from equiv.options import Options
from equiv.records.record import Item, pair_key, to_record
from equiv.schema.locate import Place

GOLD = "SELECT name FROM person WHERE age > 17"
PROVEN = "SELECT name FROM person WHERE NOT age <= 17"
EQUAL_HERE = "SELECT name FROM person WHERE age > 16"
"""The same result on the populated database, not on all."""
OTHER = "SELECT name FROM person WHERE age > 30"
OTHER_AGAIN = "SELECT name FROM person WHERE 30 < age"
FAILS = "SELECT name FROM person WHERE age > abs(-9223372036854775807 - age / age)"
NOTHING: frozenset[Saving] = frozenset()

Run = Callable[..., list[dict[str, Any]]]


@dataclass
class Scripted:
    """Answers by role; what it was asked stands in ``asked``."""

    prover: Reply = field(default_factory=lambda: ProverReply(verdict=True, reason="fits"))
    refuter: Reply = field(default_factory=lambda: RefuterReply(overturn=False, reason="no flaw"))
    source: Any = "live"
    allowance: int = 1000
    asked: list[Ask] = field(default_factory=list)

    def ask(self, ask: Ask) -> Answer:
        if len(self.asked) >= self.allowance:
            raise OutOfBudget("the allowance is used up")
        self.asked.append(ask)
        reply = self.prover if ask.role is Role.PROVER else self.refuter
        return Answer(reply, Usage(1, 100, 10, 0), self.source)

    @property
    def roles(self) -> list[str]:
        return [str(ask.role) for ask in self.asked]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Place]:
    """The same schema with rows and without."""
    path = tmp_path_factory.mktemp("data") / "people.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INTEGER NOT NULL)")
        connection.executemany(
            "INSERT INTO person VALUES (?, ?, ?)", [(1, "Ada", 36), (2, "Bo", 9), (3, "Cy", 20)]
        )
    schema = load_sqlite(path)
    return {"full": Place("full", path, schema), "empty": Place("empty", schema=schema)}


@pytest.fixture(scope="module")
def aside(places: dict[str, Place]) -> Iterator[SideWorker]:
    settings = {name: Setting(place, Options()) for name, place in places.items()}
    with closing(SideWorker(settings)) as aside:
        yield aside


@pytest.fixture
def records(places: dict[str, Place]) -> Callable[..., list[dict[str, Any]]]:
    """The engine's records of some predictions for one question."""

    def make(*predictions: str, gold: str = GOLD, db: str = "empty") -> list[dict[str, Any]]:
        place, options = places[db], Options(timeout=None, effort=60)
        made = []
        with Checker(place.schema, place.database, timeout=None, effort=60) as checker:
            for number, pred in enumerate(predictions):
                item = Item(f"system {number}", 1, db, pred, gold, "Who is grown up?", "from 18")
                made.append(to_record(item, checker.check(pred, gold), pair_key(item, place.digest, options)))
        return made

    return make


def judge(
    records: list[dict[str, Any]],
    aside: SideWorker,
    responder: Scripted,
    savings: frozenset[Saving] = NOTHING,
    *,
    scored: tuple[dict[str, Any], ...] = (),
    terms: dict[str, Any] | None = None,
    **options: Any,
) -> list[dict[str, Any]]:
    stage = Stage(Terms("m", savings=savings, **(terms or {})), responder, threads=2, **options)
    found = list(stage.scored(iter([None, QuestionRecords(tuple(records), scored), None]), aside))
    order = {record["source"]: place for place, record in enumerate(records)}
    return sorted(found, key=lambda record: order[record["source"]])


def scores(records: list[dict[str, Any]]) -> list[tuple[Any, Any]]:
    return [(record["score"], record["score_by"]) for record in records]


def test_without_savings_all_but_invalid_predictions_are_judged(records: Run, aside: SideWorker) -> None:
    responder = Scripted()
    found = judge(records(GOLD, PROVEN, OTHER, "SELEC"), aside, responder)
    assert [r["verdict"] for r in found] == ["equivalent", "equivalent", "not_equivalent", "invalid"]
    assert scores(found) == [(1, "refuter")] * 3 + [(0, "parse")]
    assert responder.roles.count("prover") == responder.roles.count("refuter") == 3
    assert all(record["judge"]["model"] == "m" for record in found)


def test_a_record_tells_what_the_judge_said_and_what_it_cost(records: Run, aside: SideWorker) -> None:
    responder = Scripted(
        refuter=RefuterReply(overturn=True, reason="too young", ambiguity="none", gold_correct=True)
    )
    bare = records(OTHER)
    (found,) = judge(bare, aside, responder)
    assert scores([found]) == [(0, "refuter")]
    assert found["prover_result"]["verdict"] is True
    assert found["refuter_result"] == {
        "overturn": True,
        "reason": "too young",
        "ambiguity": "none",
        "gold_correct": True,
    }
    assert found["llm"] == {"calls": 2, "prompt_tokens": 200, "completion_tokens": 20, "cached_tokens": 0}
    assert [(a["tier"], a["outcome"]) for a in found["attempts"][-2:]] == [
        ("prover", "passed"),
        ("refuter", "settled"),
    ]
    assert {"prover", "refuter"} <= found["ms"].keys()
    assert found["key"] != bare[0]["key"]
    assert {name: found[name] for name in ("verdict", "tier", "reason")} == {
        name: bare[0][name] for name in ("verdict", "tier", "reason")
    }


def test_a_proof_scores_1_without_a_call(records: Run, aside: SideWorker) -> None:
    responder = Scripted(prover=ProverReply(verdict=False, reason="no"))
    found = judge(records(PROVEN, OTHER), aside, responder, frozenset({Saving.PROOF}))
    assert scores(found) == [(1, "rules"), (0, "prover")]
    assert responder.roles == ["prover"]


def test_results_on_the_populated_database_are_shown_and_compared(records: Run, aside: SideWorker) -> None:
    responder = Scripted()
    found = judge(records(EQUAL_HERE, OTHER, db="full"), aside, responder)
    cases = {ask.case.pred_sql: ask.case for ask in responder.asked}
    equal, other = cases[EQUAL_HERE], cases[OTHER]
    assert (equal.results_equal, equal.equality_from) == (True, "execution")
    assert other.results_equal is False
    assert other.pred_result == Shown((("Ada",),), 1)
    assert other.gold_result == Shown((("Ada",), ("Cy",)), 2)
    assert [len([a for a in responder.asked if a.case.pred_sql == sql]) for sql in (EQUAL_HERE, OTHER)] == [
        1,
        2,
    ]
    assert [record["judge"]["equality"] for record in found] == ["execution", "execution"]


def test_equal_results_are_accepted_by_their_saving_alone(records: Run, aside: SideWorker) -> None:
    responder = Scripted(prover=ProverReply(verdict=False, reason="no"))
    found = judge(records(EQUAL_HERE, OTHER, db="full"), aside, responder, frozenset({Saving.EXECUTION}))
    assert found[0]["verdict"] == "not_equivalent"
    assert scores(found) == [(1, "execution"), (0, "prover")]


def test_the_standard_of_rose_takes_rows_and_columns_in_any_order(records: Run, aside: SideWorker) -> None:
    gold = "SELECT name, age FROM person WHERE age > 17 ORDER BY age"
    turned = "SELECT age, name FROM person WHERE age > 17 ORDER BY age DESC"
    both = records(turned, gold=gold, db="full")
    for standard, equal in ((Standard.ROSE, True), (Standard.OURS, False)):
        responder = Scripted()
        (found,) = judge(both, aside, responder, terms={"standard": standard})
        assert responder.asked[0].case.results_equal is equal
        assert (found["judge"]["equal"], found["judge"]["standard"]) == (equal, str(standard))


def test_the_standard_of_rose_shows_fewer_rows(records: Run, aside: SideWorker) -> None:
    many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) SELECT i FROM n"
    both = records(many, db="full")
    for standard, rows in ((Standard.ROSE, 20), (Standard.OURS, 50)):
        responder = Scripted()
        judge(both, aside, responder, terms={"standard": standard})
        shown = responder.asked[0].case.pred_result
        assert shown is not None
        assert (len(shown.rows), shown.total) == (rows, 60)


def test_what_equal_results_overrule_is_counted(records: Run, aside: SideWorker) -> None:
    stage = Stage(Terms("m", savings=frozenset({Saving.EXECUTION})), Scripted())
    question = QuestionRecords((*records(EQUAL_HERE, GOLD, OTHER, db="full"),))
    assert len(list(stage.scored(iter([question]), aside))) == 3
    assert sorted(stage.accepted) == [False, True]


def test_tokens_that_nobody_counted_are_estimated_apart(records: Run, aside: SideWorker) -> None:
    class Silent(Scripted):
        def ask(self, ask: Ask) -> Answer:
            return Answer(super().ask(ask).reply, Usage(1))

    counted, silent = (judge(records(OTHER), aside, kind())[0] for kind in (Scripted, Silent))
    assert counted["judge"]["estimate"] is None
    assert silent["llm"] == {"calls": 2, "prompt_tokens": 0, "completion_tokens": 0, "cached_tokens": 0}
    assert silent["judge"]["estimate"]["prompt_tokens"] > 1000
    assert 0 < silent["judge"]["estimate"]["completion_tokens"] < 100


def test_with_the_switch_the_refuter_and_never_the_prover_sees_the_witness(
    records: Run, aside: SideWorker
) -> None:
    for switch in (True, False):
        responder = Scripted()
        judge(records(OTHER), aside, responder, terms={"witness_evidence": switch})
        prover, refuter = (ask.messages[1].content for ask in responder.asked)
        assert ("INSERT INTO" in refuter) is ("the gold query returns" in refuter) is switch
        assert "INSERT INTO" not in prover


def test_without_a_database_nothing_is_known_of_results(records: Run, aside: SideWorker) -> None:
    responder = Scripted()
    judge(records(OTHER), aside, responder, frozenset({Saving.EXECUTION}))
    case = responder.asked[0].case
    assert (case.results_equal, case.pred_result, case.equality_from) == (None, None, "")
    assert "CREATE TABLE person" in case.schema


def test_a_prediction_that_fails_on_the_data_scores_0(records: Run, aside: SideWorker) -> None:
    responder = Scripted()
    found = judge(records(FAILS, db="full"), aside, responder)
    assert scores(found) == [(0, "parse")]
    assert (found[0]["failure_code"], responder.asked) == ("PRED_EXEC", [])


def test_a_gold_query_that_is_none_leaves_the_score_open(records: Run, aside: SideWorker) -> None:
    responder = Scripted()
    (found,) = judge(records(OTHER, gold="SELECT nothing FROM nowhere"), aside, responder)
    assert (found["score"], found["reason"], responder.asked) == (None, "GOLD_INVALID", [])


def test_the_witness_is_part_of_the_case(records: Run, aside: SideWorker) -> None:
    responder = Scripted()
    judge(records(OTHER), aside, responder)
    case = responder.asked[0].case
    assert "INSERT INTO" in case.witness
    assert "the gold query returns" in case.witness
    assert case.difference


def test_one_answer_serves_a_class(records: Run, aside: SideWorker) -> None:
    responder = Scripted()
    found = judge(
        records(OTHER, EQUAL_HERE, OTHER_AGAIN, OTHER), aside, responder, frozenset({Saving.CLASSES})
    )
    assert scores(found) == [(1, "refuter"), (1, "refuter"), (1, "class"), (1, "class")]
    assert len(responder.asked) == 4
    names = [record["judge"]["class"] for record in found]
    assert names[0] == names[2] == names[3] != names[1]
    assert found[2]["refuter_result"] == found[0]["refuter_result"]
    assert found[2]["llm"]["calls"] == 0


def test_a_class_takes_the_answer_that_a_member_got_before(records: Run, aside: SideWorker) -> None:
    savings = frozenset({Saving.CLASSES})
    both = records(OTHER, OTHER_AGAIN)
    (first,) = judge(both[:1], aside, Scripted(prover=ProverReply(verdict=False, reason="no")), savings)
    responder = Scripted()
    (second,) = judge(both[1:], aside, responder, savings, scored=(first,))
    assert (scores([second]), responder.asked) == ([(0, "class")], [])
    assert second["judge"]["class"] == first["judge"]["class"]


def test_members_that_contradict_each_other_answer_for_nobody(records: Run, aside: SideWorker) -> None:
    savings = frozenset({Saving.CLASSES})
    three = records(OTHER, OTHER_AGAIN, OTHER)
    (no,) = judge(three[:1], aside, Scripted(prover=ProverReply(verdict=False, reason="no")), savings)
    (yes,) = judge(three[1:2], aside, Scripted(), savings)
    responder = Scripted()
    (third,) = judge(three[2:], aside, responder, savings, scored=(no, yes))
    assert (scores([third]), len(responder.asked)) == ([(1, "refuter")], 2)


def test_the_next_member_is_asked_about_where_the_first_got_no_answer(
    records: Run, aside: SideWorker
) -> None:
    class Once(Scripted):
        def ask(self, ask: Ask) -> Answer:
            answer = super().ask(ask)
            return answer if len(self.asked) > 1 else Answer(NoAnswer("refused"), Usage(1))

    found = judge(records(OTHER, OTHER_AGAIN, OTHER), aside, Once(), frozenset({Saving.CLASSES}))
    assert scores(found) == [(None, None), (1, "refuter"), (1, "class")]
    assert (found[0]["reason"], found[0]["detail"]) == ("NO_ANSWER", "Prover: refused")
    assert found[0]["llm"]["calls"] == 1


def test_an_allowance_that_runs_out_leaves_scores_open(records: Run, aside: SideWorker) -> None:
    found = judge(records(OTHER, EQUAL_HERE), aside, Scripted(allowance=0))
    assert scores(found) == [(None, None)] * 2
    assert {record["reason"] for record in found} == {"BUDGET"}
    assert {record["verdict"] for record in found} == {"not_equivalent"}


def test_answers_of_the_cache_are_told(records: Run, aside: SideWorker) -> None:
    found = judge(records(OTHER), aside, Scripted(source="cache"))
    assert scores(found) == [(1, "cache")]


def test_a_known_fault_of_the_gold_query_is_told_by_its_saving(records: Run, aside: SideWorker) -> None:
    bare = records(OTHER)
    faults = {question_of(bare[0]): "it should say >="}
    for savings, told in ((frozenset({Saving.GOLD}), "it should say >="), (NOTHING, "")):
        responder = Scripted()
        judge(bare, aside, responder, savings, gold_faults=faults)
        assert responder.asked[0].case.gold_fault == told


def test_a_record_may_know_whether_results_were_equal(records: Run, aside: SideWorker) -> None:
    class Knows:
        def results_equal(self, case: Case) -> tuple[bool | None, Any]:
            return case.pred_sql == EQUAL_HERE, "record"

    responder = Scripted()
    found = judge(records(EQUAL_HERE, OTHER), aside, responder, knows=Knows())
    assert sorted(responder.roles) == ["prover", "refuter", "refuter"]
    assert [record["judge"]["equality"] for record in found] == ["record", "record"]


def test_a_rehearsal_leaves_records_as_they_are(records: Run, aside: SideWorker) -> None:
    responder = Scripted()
    bare = records(PROVEN, OTHER, OTHER_AGAIN)
    assert judge(bare, aside, responder, frozenset(Saving), rehearse=True) == bare
    assert len(responder.asked) == 2


def test_an_error_inside_is_a_record_and_trouble_with_the_server_ends_the_run(
    records: Run, aside: SideWorker
) -> None:
    class Broken(Scripted):
        error: Exception = KeyError("x")

        def ask(self, ask: Ask) -> Answer:
            self.asked.append(ask)
            raise self.error

    responder = Broken()
    (found,) = judge(records(OTHER), aside, responder)
    assert (found["score"], found["reason"], found["detail"]) == (None, "INTERNAL", "KeyError: 'x'")
    responder.error = InputError("no connection")
    with pytest.raises(InputError, match="no connection"):
        judge(records(OTHER), aside, responder)


def test_closing_the_records_asks_nothing_more(records: Run, aside: SideWorker) -> None:
    first = threading.Event()
    go_on = threading.Event()

    class Slow(Scripted):
        def ask(self, ask: Ask) -> Answer:
            answer = super().ask(ask)
            first.set()
            go_on.wait(10)
            return answer

    responder = Slow()
    stage = Stage(Terms("m", savings=NOTHING), responder, threads=1)
    question = QuestionRecords((*records("SELEC", OTHER),))
    found = stage.scored(iter([question]), aside)
    assert next(found)["verdict"] == "invalid"
    assert first.wait(10)
    threading.Timer(0.2, go_on.set).start()
    found.close()
    assert responder.roles == ["prover"]


def test_keys_follow_what_may_change_a_score() -> None:
    def key(**terms: Any) -> str:
        return Stage(Terms(**{"model": "m", **terms}), Scripted()).key("k")

    different = [
        key(),
        key(model="n"),
        key(run="ROSE"),
        key(savings=NOTHING),
        key(witness_evidence=True),
        key(standard=Standard.ROSE),
        key(savings=ALL | {Saving.TRIAGE}),
        key(prompts={"prover": "x"}),
        key(settings={"temperature": 0}),
        "k",
    ]
    assert len(set(different)) == len(different)
    assert key() == key(savings=ALL - {Saving.CACHE})
