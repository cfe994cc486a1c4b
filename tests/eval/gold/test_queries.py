"""Which gold queries the files of an audit hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kit.result_records import result_record

from equiv.errors import InputError
from equiv.eval.gold.finding import GoldQuery, is_gold_file, read_material


def write(path: Path, value: object) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def test_a_gold_file_is_told_from_predictions(tmp_path: Path) -> None:
    question = {"db_id": "zoo", "SQL": "SELECT 1"}
    both = {"db_id": "zoo", "gold_sql": "SELECT 1", "predicted_sql": "SELECT 2"}
    for name, value, bare in (
        ("gold.txt", "SELECT 1\tzoo\n", True),
        ("pred.txt", "SELECT 1\n", False),
        ("dev.json", [question], True),
        ("dev.jsonl", json.dumps(question), True),
        ("rose.json", [both], False),
        ("rose.jsonl", json.dumps(both), False),
        ("bird.json", {"0": "SELECT 1\t----- bird -----\tzoo"}, False),
        ("none.json", [], False),
    ):
        assert is_gold_file(write(tmp_path / name, value)) is bare, name


def test_no_gold_query_is_lost_or_doubled(tmp_path: Path) -> None:
    records = [
        {
            "question_id": 1,
            "db_id": "zoo",
            "gold_sql": "SELECT 1",
            "predicted_sql": "SELECT 2",
            "method": "a",
        },
        {"question_id": 1, "db_id": "zoo", "gold_sql": "SELECT 1", "predicted_sql": 0, "method": "b"},
        {"question_id": 2, "db_id": "zoo", "gold_sql": None, "predicted_sql": "SELECT 2"},
        {"question_id": 3, "db_id": "zoo", "gold_sql": "", "predicted_sql": "null", "feasible": False},
        {"question_id": 4, "db_id": "zoo", "gold_sql": ["SELECT 3", "SELECT 4"], "predicted_sql": "SELECT 3"},
    ]
    found = read_material([write(tmp_path / "all.json", records)])
    assert [(gold.question_id, gold.sql, gold.earlier) for gold in found.golds] == [
        (1, "SELECT 1", ()),
        (2, "", ()),
        (4, "SELECT 3", ()),
        (4, "SELECT 4", ("SELECT 3",)),
    ]
    assert len(found.items) == 5


def test_the_same_words_are_the_same_question(tmp_path: Path) -> None:
    golds = [
        {"db_id": "zoo", "SQL": "SELECT 1", "question": "How many?"},
        {"db_id": "zoo", "SQL": "SELECT 2", "question": "how  MANY?"},
        {"db_id": "farm", "SQL": "SELECT 3", "question": "How many?"},
    ]
    found = read_material([write(tmp_path / "dev.json", golds)])
    assert found.golds[1] == GoldQuery("zoo", 1, "SELECT 2", "how  MANY?", ("SELECT 1",))
    assert [gold.earlier for gold in found.golds] == [(), ("SELECT 1",), ()]


def test_a_query_stands_where_its_file_has_it_first(tmp_path: Path) -> None:
    golds = [{"question_id": 1, "db_id": "zoo", "gold_sql": sql, "predicted_sql": ""} for sql in "ABA"]
    found = read_material([write(tmp_path / "all.json", golds)])
    assert [(gold.sql, gold.earlier) for gold in found.golds] == [("A", ()), ("B", ("A",))]


def test_results_of_eval_bring_their_records(tmp_path: Path) -> None:
    path = write(tmp_path / "results.jsonl", json.dumps(result_record()))
    found = read_material([path])
    assert [record["verdict"] for record in found.records] == ["equivalent"]
    assert [gold.sql for gold in found.golds] == ["SELECT 1"]


def test_files_without_a_gold_query_are_refused(tmp_path: Path) -> None:
    infeasible = [{"db_id": "zoo", "gold_sql": "", "predicted_sql": "null", "feasible": False}]
    with pytest.raises(InputError, match="the file has no gold queries"):
        read_material([write(tmp_path / "only.json", infeasible)])
