"""Each format, read from tiny invented files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from equiv.errors import InputError
from equiv.eval.formats import Format, detect, read_items, source_names
from equiv.eval.paired import BIRD_SEPARATOR

ROSE = {"question_id": 3, "db_id": "zoo", "predicted_sql": "SELECT 1", "gold_sql": "SELECT 2"}


def write(folder: Path, name: str, content: object) -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_formats_are_detected_by_content() -> None:
    assert detect(json.dumps([ROSE])) is Format.ROSE
    assert detect(json.dumps(ROSE) + "\n" + json.dumps(ROSE)) is Format.JSONL
    assert detect(json.dumps(ROSE)) is Format.JSONL
    assert detect(json.dumps({"0": "SELECT 1"})) is Format.BIRD
    assert detect('{\n  "0": "SELECT 1"\n}') is Format.BIRD
    assert detect("SELECT 1\nSELECT 2\n") is Format.SPIDER


def test_rose_keeps_the_json_types_of_ids_and_reads_labels(tmp_path: Path) -> None:
    records = [ROSE | {"evidence": "a hint", "label": "true"}, ROSE | {"question_id": "3", "label": False}]
    first, second = read_items([write(tmp_path, "sys.json", records)])
    assert (first.source, first.question_id, first.hint, first.label) == ("sys", 3, "a hint", True)
    assert (second.question_id, second.label) == ("3", False)
    assert first.target == second.target


@pytest.mark.parametrize("nothing", [0, None, ""])
def test_no_answer_is_an_empty_prediction(tmp_path: Path, nothing: object) -> None:
    rose = write(tmp_path, "rose.json", [ROSE | {"predicted_sql": nothing}])
    assert [item.predicted_sql for item in read_items([rose])] == [""]
    bird = write(tmp_path, "bird.json", {"0": nothing})
    gold = write(tmp_path, "gold.sql", "SELECT 1\tzoo\n")
    assert [item.predicted_sql for item in read_items([bird], gold)] == [""]


def test_jsonl_takes_method_as_source_and_any_case_of_field_names(tmp_path: Path) -> None:
    upper = {name.upper(): value for name, value in ROSE.items()}
    path = write(tmp_path, "all.jsonl", f"{json.dumps(upper | {'method': 'm1'})}\n\n{json.dumps(ROSE)}\n")
    assert [(item.source, item.db_id) for item in read_items([path])] == [("m1", "zoo"), ("all", "zoo")]


def test_jsonl_without_ids_counts_from_zero(tmp_path: Path) -> None:
    record = {name: value for name, value in ROSE.items() if name != "question_id"}
    path = write(tmp_path, "all.jsonl", "\n".join([json.dumps(record)] * 2))
    assert [item.question_id for item in read_items([path])] == [0, 1]


def test_bird_is_paired_by_key_not_by_order(tmp_path: Path) -> None:
    predictions = {"1": f"SELECT b\nFROM t{BIRD_SEPARATOR}zoo", "0": "SELECT a"}
    path = write(tmp_path, "predict_dev.json", predictions)
    gold = write(tmp_path, "gold.sql", "SELECT 'x\ty'\tzoo\nSELECT 2\tzoo\n")
    items = {item.question_id: item for item in read_items([path], gold)}
    assert (items[1].predicted_sql, items[1].gold_sql) == ("SELECT b\nFROM t", "SELECT 2")
    assert (items[0].predicted_sql, items[0].gold_sql) == ("SELECT a", "SELECT 'x\ty'")


def test_bird_dev_json_is_joined_by_question_id_else_by_position(tmp_path: Path) -> None:
    entries = [
        {"question_id": 7, "db_id": "zoo", "SQL": "SELECT 7", "evidence": "h", "difficulty": "simple"},
        {"question_id": 9, "db_id": "zoo", "SQL": "SELECT 9"},
    ]
    gold = write(tmp_path, "dev.json", entries)
    by_id = list(read_items([write(tmp_path, "a.json", {"9": "SELECT 0"})], gold))
    assert [(item.question_id, item.gold_sql) for item in by_id] == [(9, "SELECT 9")]
    by_position = list(read_items([write(tmp_path, "b.json", {"0": "SELECT 0", "1": "SELECT 1"})], gold))
    assert [(item.question_id, item.gold_sql) for item in by_position] == [(7, "SELECT 7"), (9, "SELECT 9")]
    assert (by_position[0].hint, by_position[0].difficulty) == ("h", "simple")


def test_spider_is_paired_line_by_line(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.txt", "SELECT 1\tzoo\nSELECT 2\tfarm\nSELECT 3\tzoo\n")
    path = write(tmp_path, "sys.txt", "SELECT a\tb\nSELECT c\tfarm\n\n")
    items = list(read_items([path], gold))
    assert [item.predicted_sql for item in items] == ["SELECT a\tb", "SELECT c", ""]
    assert [(item.question_id, item.db_id) for item in items] == [(0, "zoo"), (1, "farm"), (2, "zoo")]


def test_blank_gold_lines_end_interactions(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.txt", "SELECT 1\tzoo\nSELECT 2\tzoo\n\nSELECT 3\tzoo\n\n")
    aligned = write(tmp_path, "aligned.txt", "SELECT a\n\n\nSELECT c\n\n")
    assert [item.predicted_sql for item in read_items([aligned], gold)] == ["SELECT a", "", "SELECT c"]
    without = write(tmp_path, "without.txt", "SELECT a\nSELECT b\nSELECT c\n")
    assert [item.predicted_sql for item in read_items([without], gold)] == [
        "SELECT a",
        "SELECT b",
        "SELECT c",
    ]


def test_other_line_separators_stay_in_the_query(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.txt", "SELECT 1\tzoo\r\n")
    path = write(tmp_path, "sys.txt", "SELECT '\u2028\x0c'\r\n")
    assert [item.predicted_sql for item in read_items([path], gold)] == ["SELECT '\u2028\x0c'"]


def test_files_of_one_stem_are_told_apart_by_their_folder(tmp_path: Path) -> None:
    assert source_names([tmp_path / "a/p.json", tmp_path / "b/p.json", tmp_path / "q.json"]) == [
        "a/p",
        "b/p",
        "q",
    ]
    with pytest.raises(InputError, match="2 files are called"):
        source_names([tmp_path / "p.json", tmp_path / "p.json"])


GOLD = "SELECT 1\tzoo\nSELECT 2\tfarm\n"


@pytest.mark.parametrize(
    ("content", "gold", "message"),
    [
        ("[1]", None, "entry 0: not a record"),
        ("[", None, "not JSON"),
        (json.dumps([{"db_id": "zoo"}]), None, "entry 0: no field 'predicted_sql'"),
        (json.dumps([ROSE | {"gold_sql": 5}]), None, "entry 0: 'gold_sql' is not a string"),
        (json.dumps(ROSE) + "\n{", None, ":2: not JSON"),
        ('{"question_id": NaN}\n', None, "not JSON"),
        ("[" * 100_000, None, "not JSON"),
        ("", None, "--gold"),
        ('{"0": "SELECT 1"}', None, "--gold"),
        ('{"0": "SELECT 1", "0": "SELECT 2"}', GOLD, "'0' stands twice"),
        ('{"5": "SELECT 1"}', GOLD, "no gold query for key '5'"),
        (json.dumps({"0": f"SELECT 1{BIRD_SEPARATOR}farm"}), GOLD, "key '0' is on 'farm'"),
        ('{"0": "SELECT 1"}', "SELECT 1\n", "gold:1: not a gold query, a tab and a db_id"),
        ("SELECT 1\n", GOLD, "1 lines, but .* has 2 gold queries"),
        ("SELECT 1\tfarm\nSELECT 2\n", GOLD, ":1: a prediction on 'farm'"),
        ("a\nb\nc\n", "SELECT 1\tzoo\n\nSELECT 2\tzoo\n", ":2: a prediction where"),
    ],
)
def test_bad_input_is_one_line_that_says_where(
    tmp_path: Path, content: str, gold: str | None, message: str
) -> None:
    path = write(tmp_path, "pred", content)
    with pytest.raises(InputError, match=message) as caught:
        list(read_items([path], None if gold is None else write(tmp_path, "gold", gold)))
    assert "\n" not in str(caught.value)
