"""The pairs that a page holds: whole, or cut and told so."""

from __future__ import annotations

import json
from typing import Any

import pytest
from kit.result_records import result_record

from equiv.eval.html import page
from equiv.eval.html.page import LINE, cell_text, fact_text, inserts_and_others, payload_of
from equiv.eval.metrics.scores import Measured, by_score, by_verdict
from equiv.records.record import Record

WITNESS: dict[str, Any] = {
    "kind": "witness",
    "sql": "CREATE TABLE t (a TEXT);\nINSERT INTO t VALUES ('x; INSERT');\n",
    "pred_rows": [[1, {"blob": "00ff"}], [None, {"real": "-inf"}]],
    "gold_rows": [[1, "x"]],
    "pred_columns": ["id", "</script>"],
    "gold_columns": ["id", "name"],
    "binding": None,
}


def pairs_of(records: list[Record], *measures: Measured) -> tuple[Any, tuple[str, ...]]:
    found = payload_of(records, measures or (by_score(records),))
    return json.loads(found.text), found.remarks


def test_every_pair_has_its_line_and_its_details() -> None:
    records = [
        result_record("equivalent", question_id=1),
        result_record("not_equivalent", question_id="b", difference="null", evidence=WITNESS),
    ]
    data, remarks = pairs_of(records, by_score(records), by_verdict(records))
    texts = data["pool"]
    lines = [[texts[number] for number in line[: len(LINE)]] for line, _ in data["pairs"]]
    assert [dict(zip(LINE, line, strict=True))["question id"] for line in lines] == ["1", "b"]
    assert [line[len(LINE) + 2] for line, _ in data["pairs"]] == ["1" + "1", "00"]
    evidence = data["pairs"][1][1]["evidence"]
    shown = [[texts[cell] for cell in row] for row in evidence["pred"]["rows"]]
    assert shown == [["1", "x'00ff'"], ["NULL", "-9e999"]]
    assert evidence["pred"]["marks"] == [[1], [0, 1]]
    assert [texts[name] for name in evidence["pred"]["names"]] == ["id", "</script>"]
    assert texts[evidence["rows"]] == "INSERT INTO t VALUES ('x; INSERT');"
    assert texts[evidence["schema"]] == "CREATE TABLE t (a TEXT);"
    assert remarks == ()


def test_an_undecided_pair_tells_in_what_it_differs_and_how_much_was_tried() -> None:
    parts = {"pred": "x > 1", "gold": ""}
    record = result_record("undecided", question_id=1, reason="NO_PROOF", parts=parts, databases=25)
    data, _ = pairs_of([record])
    detail, texts = data["pairs"][0][1], data["pool"]
    assert [texts[number] for number in detail["parts"]] == ["x > 1", "(nothing)"]
    assert texts[detail["tried"]] == "25"


def test_the_first_rows_of_a_long_result_are_not_marked() -> None:
    rows = [[number] for number in range(20)]
    execution = {
        "kind": "execution",
        "database": "zoo",
        "pred_rows": rows,
        "gold_rows": rows[::-1][:19],
        "binding": None,
    }
    record = result_record("not_equivalent", evidence=execution)
    data, _ = pairs_of([record])
    assert data["pairs"][0][1]["evidence"]["pred"]["marks"] == [[]] * 20


def test_pairs_beyond_the_cap_are_left_out_by_interest_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "PAIRS", 2)
    records = [
        result_record(verdict, question_id=verdict) for verdict in ("equivalent", "invalid", "undecided")
    ]
    data, remarks = pairs_of(records)
    verdicts = [data["pool"][line[LINE.index("verdict")]] for line, _ in data["pairs"]]
    assert verdicts == ["invalid", "undecided"]
    assert "2 of 3 pairs" in remarks[0]


def test_details_beyond_the_cap_are_left_out_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "CHARACTERS", 0)
    data, remarks = pairs_of([result_record(), result_record(question_id=2)])
    assert [detail for _, detail in data["pairs"]] == [None, None]
    assert remarks == ("Of 2 pairs only the line is here; the results file has the rest.",)


def test_long_texts_are_cut_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "TEXT_LENGTH", 100)
    data, remarks = pairs_of([result_record(predicted_sql="SELECT " + "1" * 200, key="k")])
    assert any(text.endswith("… (107 more characters)") for text in data["pool"])
    assert remarks == ("1 texts of more than 100 characters are cut.",)


def test_a_disagreement_comes_before_what_is_open() -> None:
    records = [result_record("undecided"), result_record("equivalent", question_id=2)]
    other = Measured("other", dict.fromkeys(by_verdict(records).scores, False))
    ranks = [page._rank(record, [by_verdict(records).scores, other.scores]) for record in records]
    assert ranks == [1, 0]


def test_statements_end_where_no_string_holds_the_semicolon() -> None:
    script = (
        "CREATE TABLE \"a;b\" (c); -- one; two\nDROP TABLE [x;y]; INSERT t VALUES ('it''s; so');INSERT 'a"
    )
    rows, schema = inserts_and_others(script)
    assert schema == ['CREATE TABLE "a;b" (c);', "-- one; two\nDROP TABLE [x;y];"]
    assert rows == ["INSERT t VALUES ('it''s; so');", "INSERT 'a"]


def test_cells_and_facts_read_as_sql() -> None:
    assert [cell_text(cell) for cell in (None, 1, 1.5, "it's")] == ["NULL", "1", "1.5", "'it''s'"]
    assert cell_text("x" * 300).endswith("… (102 more characters)")
    fact = {"kind": "not_null", "table": "t", "columns": ["c"], "grade": "declared"}
    assert fact_text(fact) == "not_null(t.c) (declared)"
    assert fact_text({"kind": "new"}) == "{'kind': 'new'}"
