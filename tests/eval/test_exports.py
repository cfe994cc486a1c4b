"""Records in the forms of others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kit.result_records import result_record

from equiv.eval.arguments import column, rose_entry, write_parquet, write_rose

KEYS = ["question_id", "question", "db_id", "predicted_sql", "gold_sql", "evidence", "score"]
KEYS += ["prover_result", "refuter_result"]


def test_roses_keys_and_no_others() -> None:
    entry = rose_entry(result_record(hint="a hint", label=True, difficulty="simple"))
    assert list(entry) == [*KEYS, "label", "difficulty"]
    assert (entry["evidence"], entry["score"], entry["prover_result"]) == ("a hint", 1.0, None)
    assert list(rose_entry(result_record("undecided"))) == KEYS
    assert rose_entry(result_record("undecided"))["score"] is None
    judged = result_record(prover_result={"verdict": True}, refuter_result={"overturn": False})
    assert (rose_entry(judged)["prover_result"], rose_entry(judged)["refuter_result"]) == (True, False)


def test_several_systems_have_a_file_each_that_stays_in_the_folder(tmp_path: Path) -> None:
    names = ["one", "..", "../up", "a/b", "\ud800"]
    written = write_rose([result_record(source=name) for name in names], tmp_path / "r" / "eval_results.json")
    assert len(set(written)) == len(names)
    for path in written:
        assert path.resolve().parent.parent == tmp_path / "r"
        assert [entry["score"] for entry in json.loads(path.read_text())] == [1.0]


def test_columns_keep_one_type_and_mixed_ones_become_json() -> None:
    assert column([1, None, 2]) == [1, None, 2]
    assert column(["a", "\ud800"]) == ["a", "\\ud800"]
    assert column([1, "1", [2], True]) == ["1", '"1"', "[2]", "true"]
    assert column([2**70]) == [str(2**70)]


def test_parquet_has_a_row_a_record(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    records = [result_record(question_id=n, label=bool(n)) for n in range(2)] + [result_record("undecided")]
    write_parquet(records, tmp_path / "new" / "out.parquet")
    rows = parquet.read_table(tmp_path / "new" / "out.parquet").to_pylist()
    assert [row["score"] for row in rows] == [1, 1, None]
    assert [json.loads(row["llm"])["calls"] for row in rows] == [0, 0, 0]
    assert list(rows[0]) == list(records[0])
