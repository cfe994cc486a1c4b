"""The runner ends every pair with a record, whatever happens to its process."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from equiv.core.model import Column, Schema, Table
from equiv.errors import InputError
from equiv.eval import runner as running
from equiv.eval.plan import JobGroup, JobState, PairStore, Setting, settings_of
from equiv.eval.runner import run
from equiv.eval.summary import Summary, percentile
from equiv.options import Options
from equiv.records.record import Item, is_settled
from equiv.relation import Relation, Rows
from equiv.schema.locate import Place
from equiv.verdict import Difference, NotEquivalent, Reason, Tier, Undecided, Verdict, Witness

ZOO = Schema((Table("animal", (Column("id", "INTEGER"),)),), name="zoo")
BAG = Relation(Rows.BAG)
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


def ledger(*pairs: tuple[str, str]) -> PairStore:
    items = [Item("test", position, "zoo", pred, gold) for position, (pred, gold) in enumerate(pairs)]
    return PairStore.of(items, settings())


def groups(*pairs: tuple[str, str]) -> list[JobGroup]:
    return list(ledger(*pairs).groups())


def test_a_pair_that_takes_its_process_down_ends_as_a_record() -> None:
    todo = groups(*((pred, f"gold {pred}") for pred in ENDS))
    records = list(run(todo, settings(timeout=1.0), 2, misbehave))
    assert {record["predicted_sql"]: record["reason"] for record in records} == ENDS
    assert {r["predicted_sql"] for r in records if not is_settled(r)} == {"sleep", "raise"}


def test_the_predictions_for_one_gold_query_share_a_lane_in_file_order() -> None:
    todo = groups(*((f"pred {n}", f"gold {n % 3}") for n in range(12)))
    records = list(run(todo, settings(), 2, misbehave))
    for gold in {record["gold_sql"] for record in records}:
        own = [record for record in records if record["gold_sql"] == gold]
        assert [r["question_id"] for r in own] == sorted(r["question_id"] for r in own)
        assert len({r["detail"] for r in own}) == 1


def test_a_resumed_group_repeats_what_left_a_database() -> None:
    todo = ledger(*((f"pred {n}", "gold") for n in range(5)))
    keys = list(todo.all_keys())
    settled = {keys[0]: JobState.REPEATED, keys[1]: JobState.SETTLED, keys[4]: JobState.REPEATED}
    (group,) = todo.groups(lambda key: settled.get(key, JobState.OPEN))
    assert [(job.item.question_id, job.recorded) for job in group] == [(0, True), (2, False), (3, False)]
    records = list(run([group], settings(), 1, misbehave))
    assert [record["question_id"] for record in records] == [2, 3]
    assert list(todo.groups(lambda _: JobState.REPEATED)) == []


def test_closing_the_records_kills_the_workers() -> None:
    started = time.perf_counter()
    records = run(groups(("fine", "a"), ("sleep", "b"), ("sleep", "c")), settings(), 2, misbehave)
    assert next(records)["predicted_sql"] == "fine"
    records.close()
    assert time.perf_counter() - started < 20


def test_a_pair_that_stands_twice_makes_one_job() -> None:
    item = Item("m", 1, "zoo", "SELECT 1", "SELECT 1")
    other = Item("m", "1", "zoo", "SELECT 1", "SELECT 1")
    assert len(PairStore.of([item, item, other], settings())) == 2


def test_keys_follow_what_may_change_a_verdict_and_not_the_timeout() -> None:
    item = Item("m", 1, "zoo", "SELECT 1", "SELECT 1")

    def key(**options: Any) -> str:
        return next(PairStore.of([item], settings(**options)).all_keys())

    assert key() == key(timeout=5.0)
    different = [key(), key(relation="set"), key(effort=7), key(rounding="strict"), key(facts="declared")]
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
    for record in run(groups(("fine", "a"), ("raise", "a")), settings(), 1, misbehave):
        summary.add(record)
    assert summary.pairs == 2
    assert summary.counts[0] == {"NO_PROOF": 1, "INTERNAL": 1}
    assert summary.verdicts == {("undecided", ""): 2}


def test_percentiles_are_nearest_ranks() -> None:
    values = [float(n) for n in range(1, 21)]
    assert (percentile(values, 0.5), percentile(values, 0.95), percentile([7.0], 0.95)) == (10, 19, 7)


REFUTATION = NotEquivalent(
    relation=BAG, tier=Tier.GENERATE, evidence=Witness("", (), ()), difference=Difference.VALUES
)


def forget(_db_id: str, pred: str, _gold: str) -> Verdict:
    """Stands in for the engine: refutes a prediction, says which were refuted before, or gives out."""
    told = " ".join(REFUTED)
    if pred.startswith("refuted"):
        REFUTED.append(pred)
        return REFUTATION
    if pred == "exit":
        os._exit(3)
    if pred == "killed once" and not FLAG.exists():
        FLAG.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return Undecided(relation=BAG, reason=Reason.NO_PROOF, detail=told)


REFUTED: list[str] = []
FLAG = Path(tempfile.gettempdir()) / f"equiv-{os.getppid()}-killed-once"


@pytest.mark.long
def test_a_new_worker_is_given_again_what_was_refuted() -> None:
    preds = ("refuted 1", "refuted 2", "exit", "fine", "refuted 3", "killed once", "fine too")
    flag = Path(tempfile.gettempdir()) / f"equiv-{os.getpid()}-killed-once"
    try:
        records = list(run(groups(*((pred, "gold") for pred in preds)), settings(timeout=30.0), 1, forget))
    finally:
        flag.unlink(missing_ok=True)
    assert [record["predicted_sql"] for record in records] == list(preds)
    told = {record["predicted_sql"]: record["detail"] for record in records}
    assert told["fine"] == "refuted 1 refuted 2"
    assert told["killed once"] == told["fine too"] == "refuted 1 refuted 2 refuted 3"
    assert told["exit"] == "exit code 3"


def process(_db_id: str, _pred: str, _gold: str) -> Verdict:
    return Undecided(relation=BAG, reason=Reason.NO_PROOF, detail=str(os.getpid()))


def test_a_worker_is_recycled_between_gold_queries_and_never_within(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "RECYCLED_AFTER", 3)
    golds = [gold for gold in "abc" for _ in range(2)]
    records = list(run(groups(*((f"p{n}", g) for n, g in enumerate(golds))), settings(), 1, process))
    workers = [record["detail"] for record in records]
    assert [workers.index(each) for each in workers] == [0, 0, 0, 0, 4, 4]


def test_what_was_said_of_a_prediction_is_said_again_of_the_same_text() -> None:
    gold, same = "SELECT COUNT(*) FROM animal", "SELECT COUNT(1) FROM animal"
    wrong, broken, missed = "SELECT COUNT(id) FROM animal", "SELEC", "SELECT random() FROM animal"
    preds = [wrong, same, broken, missed, same, wrong, broken, missed]
    records = list(run(groups(*((pred, gold) for pred in preds)), settings(effort=5), 1))
    for first, again in zip(records[:4], (records[5], records[4], *records[6:]), strict=False):
        assert first["predicted_sql"] == again["predicted_sql"]
    by_text = {pred: [r for r in records if r["predicted_sql"] == pred] for pred in preds}
    for pred, (first, again) in by_text.items():
        own = ("ms", "attempts", "key", "question_id")
        assert {**first, **dict.fromkeys(own)} == {**again, **dict.fromkeys(own)}
        assert [a["outcome"] for a in first["attempts"]] == [a["outcome"] for a in again["attempts"]]
        assert (sum(again["ms"].values()) == 0) is (pred != missed)


@pytest.mark.long
def test_what_refuted_a_prediction_is_tried_on_the_next_one_also_after_a_resume() -> None:
    gold = "SELECT id FROM animal"
    wrong = "SELECT id FROM animal WHERE id <> 4711 OR name <> 'xyzzy'"
    veiled = "SELECT id FROM animal WHERE hex(name) || '!' <> '78797A7A79!' OR id % 1009 <> 675"
    zoo = Schema((Table("animal", (Column("id", "INTEGER"), Column("name", "TEXT"))),), name="zoo")
    chosen = settings_of({"zoo": Place("zoo", schema=zoo)}, Options(effort=4, tiers=("generate",)))

    def verdicts(preds: list[str]) -> list[str]:
        """Those of all but the first, whose record stands."""
        todo = PairStore.of([Item("test", n, "zoo", pred, gold) for n, pred in enumerate(preds)], chosen)
        first = next(todo.all_keys())
        known = todo.groups(lambda key: JobState.REPEATED if key == first else JobState.OPEN)
        return [record["verdict"] for record in run(known, chosen, 1)]

    assert verdicts([gold, veiled]) == ["undecided"]
    assert verdicts([wrong, veiled]) == ["not_equivalent"]
