"""The replay of witnesses passes a true one and catches every kind of false one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.outcomes import replay_witnesses
from benchmarks.outcomes.replay_witnesses import replay, same

SQL = "CREATE TABLE t (a INT, b REAL);\nINSERT INTO t VALUES (1, 0.5);\nINSERT INTO t VALUES (1, 2.0);\n"


def record(
    pred: str, gold: str, pred_rows: object, gold_rows: object, relation: str = "bag"
) -> dict[str, object]:
    evidence = {"kind": "witness", "sql": SQL, "pred_rows": pred_rows, "gold_rows": gold_rows}
    return {
        "verdict": "not_equivalent",
        "question_id": 1,
        "relation": relation,
        "predicted_sql": pred,
        "gold_sql": gold,
        "evidence": evidence,
    }


TRUE = record("SELECT a FROM t", "SELECT DISTINCT a FROM t", [[1], [1]], [[1]])
FALSE = {
    "other rows": record("SELECT a FROM t", "SELECT DISTINCT a FROM t", [[1], [2]], [[1]]),
    "same": record("SELECT a FROM t", "SELECT a FROM t WHERE a = 1", [[1], [1]], [[1], [1]]),
    "same set": record("SELECT a FROM t", "SELECT DISTINCT a FROM t", [[1], [1]], [[1]], "set"),
}


def test_a_true_witness_passes() -> None:
    assert replay(TRUE) == (2, "")


@pytest.mark.parametrize("kind", FALSE)
def test_a_false_witness_fails(kind: str) -> None:
    assert replay(FALSE[kind])[1]


def test_a_file_is_replayed_in_a_process_of_its_own(tmp_path: Path) -> None:
    for name, found in (("good.jsonl", TRUE), ("bad.jsonl", FALSE["same"])):
        (tmp_path / name).write_text(json.dumps(found) + "\n", encoding="utf-8")
    command = [sys.executable, replay_witnesses.__file__]
    good = subprocess.run(
        [*command, str(tmp_path / "good.jsonl")], capture_output=True, text=True, check=False
    )
    assert (good.returncode, "1 witnesses, 0 failed; median 2 rows" in good.stdout) == (0, True)
    both = [str(tmp_path / name) for name in ("good.jsonl", "bad.jsonl")]
    bad = subprocess.run([*command, *both], capture_output=True, text=True, check=False)
    assert (bad.returncode, "the results are the same" in bad.stdout) == (1, True)


@pytest.mark.parametrize(
    ("pred", "gold", "relation", "expected"),
    [
        ([(1, "a")], [("a", 1)], "bag/any", True),
        ([(1, "a")], [("a", 1)], "bag", False),
        ([(1,), (2,)], [(2,), (1,)], "list", False),
        ([(1,), (2,)], [(2,), (1,)], "list/any", False),
        ([(1,), (2,)], [(2,), (1,)], "bag", True),
        ([(1,), (1,)], [(1,)], "set/any", True),
        ([(1.0,)], [(1.0 + 1e-12,)], "bag", True),
        ([(1,)], [("1",)], "set", False),
        ([(1, 2), (3, 4)], [(2, 1), (3, 4)], "bag/any", False),
        ([tuple(range(9))], [tuple(reversed(range(9)))], "set/any", True),
        ([(None,)], [(None,)], "bag", True),
    ],
)
def test_relations(
    pred: list[tuple[object]], gold: list[tuple[object]], relation: str, expected: bool
) -> None:
    assert same(pred, gold, relation) is expected
