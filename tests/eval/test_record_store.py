"""What a report keeps of records says what whole records say, and whole ones are read back as they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kit.result_records import result_record

from equiv.eval.html.page import page_of
from equiv.eval.metrics.registry import MetricContext, measure
from equiv.eval.metrics.scores import compared, pairs_in
from equiv.eval.results import RecordStore, read_records
from equiv.eval.sections import whole_report
from equiv.records.record import Record

STEPS: list[Record] = [
    {"side": "pred", "rule": rule, "before": "SELECT 2", "after": "SELECT 1", "facts": [], "under": "list"}
    for rule in ("push_filter", "push_filter", "fold_constant")
]
FACT = {"kind": "not_null", "table": "animal", "columns": ["legs"], "grade": "declared"}
REPLY = {
    "verdict": True,
    "reason": "it fits " * 40,
    "gold_correct": False,
    "overturn": False,
    "ambiguity": "none",
}
GOLD = {"verdict": "undecided", "tier": None, "reason": "NO_PROOF", "difference": None, "same_as": None}
GOLDS = [{"sql": sql, **GOLD} for sql in ("x", "y")]
ATTEMPT = {"tier": "proof", "outcome": "passed", "reason": "", "ms": 3.0}


def records() -> list[Record]:
    evidence: dict[str, Any] = {"kind": "derivation", "steps": STEPS, "normal_form": "SELECT 1"}
    proved = {"evidence": evidence, "facts": [FACT], "attempts": [ATTEMPT], "ms": {"rules": 2.5}}
    witness = {"kind": "witness", "sql": "CREATE TABLE t (a);", "pred_rows": [[1]], "gold_rows": [[2]]}
    return [
        result_record(question_id=1, source="a", ex={"ex-bird": True}) | proved,
        result_record(question_id=1, source="b", predicted_sql="SELECT 3") | proved | {"golds": GOLDS},
        result_record("not_equivalent", question_id=2, difference="values", ex={"ex-bird": True})
        | {"evidence": witness, "remarks": [{"kind": "tie", "side": "gold", "text": "a tie"}]},
        result_record("undecided", question_id=3, judge="o3", score=1, score_by="refuter", label=True)
        | {"prover_result": REPLY, "refuter_result": REPLY, "hint": "see below"},
        result_record("undecided", question_id=4, score=1, score_by="abstention", feasible=False),
        result_record("invalid", question_id=5, source="b", difficulty="simple"),
    ]


def page(found: list[Record], whole: Any) -> str:
    from equiv.judge.commands import report

    measured = measure(compared(pairs_in(found)), MetricContext())
    return page_of(whole_report(found, measured, lambda rule: f"about {rule}", report(found), whole=whole))


def test_a_page_of_what_is_kept_is_the_page_of_whole_records(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records()), encoding="utf-8")
    known = read_records([path])
    shelf = RecordStore.of_files([path])
    assert page(list(shelf.values()), shelf.whole) == page(known, lambda record: record)
    assert [shelf.whole(record) for record in shelf.values()] == known
    kept = json.dumps(list(shelf.values()))
    assert "push_filter" in kept
    assert not any(text in kept for text in ("normal_form", "it fits", "CREATE TABLE", "passed", "see below"))
    shelf.close()


def test_of_two_records_of_a_key_that_worth_more_is_kept() -> None:
    late = result_record("undecided") | {"reason": "TIMEOUT"}
    settled = result_record() | {"key": late["key"]}
    for order in ([late, settled], [settled, late]):
        shelf = RecordStore(order)
        (part,) = shelf.values()
        assert (part["verdict"], shelf.whole(part)) == ("equivalent", settled)
        shelf.close()
