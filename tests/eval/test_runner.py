"""The runner ends every pair with a record, whatever happens to its process."""

from __future__ import annotations

import os
import time
from typing import Any

import pytest

from equiv.errors import InputError
from equiv.eval.plan import Job, Setting, groups_of, jobs_of, settings_of
from equiv.eval.runner import run
from equiv.eval.summary import Summary, percentile
from equiv.options import Options
from equiv.records.item import Item
from equiv.records.record import is_settled
from equiv.relation import Relation, Rows
from equiv.schema.locate import Place
from equiv.schema.model import Column, Schema, Table
from equiv.verdict import Reason, Undecided, Verdict

ZOO = Schema((Table("animal", (Column("id", "INTEGER"),)),), name="zoo")
ENDS = {
    "exit": "RESOURCE",
    "sleep": "TIMEOUT",
    "raise": "INTERNAL",
    "hoard": "RESOURCE",
    "fine": "NO_PROOF",
}


def misbehave(_db_id: str, pred: str, gold: str) -> Verdict:
    """Stands in for the engine: the prediction says what to do."""
    match pred:
        case "exit":
            os._exit(3)
        case "sleep":
            time.sleep(60)
        case "raise":
            raise KeyError(gold)
        case "hoard":
            bytearray(1 << 40)
    return Undecided(relation=Relation(Rows.BAG), reason=Reason.NO_PROOF, detail=f"{os.getpid()} {gold}")


def settings(**options: Any) -> dict[str, Setting]:
    return settings_of({"zoo": Place("zoo", schema=ZOO)}, Options(**options))


def jobs(*pairs: tuple[str, str]) -> list[Job]:
    items = [Item("test", position, "zoo", pred, gold) for position, (pred, gold) in enumerate(pairs)]
    return jobs_of(items, settings())


def test_a_pair_that_takes_its_process_down_ends_as_a_record() -> None:
    todo = jobs(*((pred, f"gold {pred}") for pred in ENDS))
    records = list(run(groups_of(todo), settings(timeout=1.0), 2, misbehave))
    assert {record["predicted_sql"]: record["reason"] for record in records} == ENDS
    assert {r["predicted_sql"] for r in records if not is_settled(r)} == {"sleep", "raise"}


def test_the_predictions_for_one_gold_query_share_a_lane_in_file_order() -> None:
    todo = jobs(*((f"pred {n}", f"gold {n % 3}") for n in range(12)))
    records = list(run(groups_of(todo), settings(), 2, misbehave))
    for gold in {record["gold_sql"] for record in records}:
        own = [record for record in records if record["gold_sql"] == gold]
        assert [r["question_id"] for r in own] == sorted(r["question_id"] for r in own)
        assert len({r["detail"] for r in own}) == 1


def test_a_resumed_group_repeats_what_left_a_database() -> None:
    todo = jobs(*((f"pred {n}", "gold") for n in range(5)))
    refuted = {"verdict": "not_equivalent", "tier": "generate"}
    settled = {todo[0].key: refuted, todo[1].key: refuted | {"tier": "data"}, todo[4].key: refuted}
    (group,) = groups_of(todo, settled)
    assert [(job.item.question_id, job.recorded) for job in group] == [(0, True), (2, False), (3, False)]
    records = list(run([group], settings(), 1, misbehave))
    assert [record["question_id"] for record in records] == [2, 3]
    assert groups_of(todo[:2], settled) == []


def test_closing_the_records_kills_the_workers() -> None:
    started = time.perf_counter()
    records = run(groups_of(jobs(("fine", "a"), ("sleep", "b"), ("sleep", "c"))), settings(), 2, misbehave)
    assert next(records)["predicted_sql"] == "fine"
    records.close()
    assert time.perf_counter() - started < 20


def test_a_pair_that_stands_twice_makes_one_job() -> None:
    item = Item("m", 1, "zoo", "SELECT 1", "SELECT 1")
    other = Item("m", "1", "zoo", "SELECT 1", "SELECT 1")
    assert len(jobs_of([item, item, other], settings())) == 2


def test_keys_follow_what_may_change_a_verdict_and_not_the_timeout() -> None:
    item = Item("m", 1, "zoo", "SELECT 1", "SELECT 1")

    def key(**options: Any) -> str:
        return jobs_of([item], settings(**options))[0].key

    assert key() == key(timeout=5.0)
    different = [key(), key(relation="set"), key(effort=7), key(strict_float=True), key(facts="declared")]
    assert len({*different, key(assume=("not_null(animal.id)",)), key(confirm=True)}) == 7


def test_an_assumed_fact_is_used_where_it_fits() -> None:
    farm = Schema((Table("cow", (Column("id"),)),), name="farm")
    places = {"zoo": Place("zoo", schema=ZOO), "farm": Place("farm", schema=farm)}
    fact = "not_null(animal.id)"
    used = {name: s.options.assume for name, s in settings_of(places, Options(assume=(fact,))).items()}
    assert used == {"zoo": (fact,), "farm": ()}
    with pytest.raises(InputError):
        settings_of(places, Options(assume=("not_null(horse.id)",)))


def test_a_summary_counts_by_tier_and_reason() -> None:
    summary = Summary()
    for record in run(groups_of(jobs(("fine", "a"), ("raise", "a"))), settings(), 1, misbehave):
        summary.add(record)
    assert summary.pairs == 2
    assert summary.reasons == {"NO_PROOF": 1, "INTERNAL": 1}
    assert summary.verdicts == {("undecided", ""): 2}


def test_percentiles_are_nearest_ranks() -> None:
    values = [float(n) for n in range(1, 21)]
    assert (percentile(values, 0.5), percentile(values, 0.95), percentile([7.0], 0.95)) == (10, 19, 7)


def test_further_facts_are_looked_for_beside_the_pairs() -> None:
    pairs = [("SELECT COUNT(id) FROM animal", "SELECT COUNT(*) FROM animal"), ("SELECT nope", "SELECT 1")]
    for wanted, facts in ((True, [{"fact": "not_null(animal.id)", "satisfied": None}]), (False, [])):
        chosen = settings(conditions=wanted, timeout=30.0)
        records = list(run(groups_of(jobs(*pairs)), chosen, 1))
        assert [record["verdict"] for record in records] == ["not_equivalent", "invalid"]
        assert [record["equivalent_if"] for record in records] == [facts, []]
