"""Reports from the command line: one HTML file, Markdown, and what stands in the way."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kit.result_records import result_record

Run = Callable[..., Any]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "results.jsonl"
    records = [result_record(v, question_id=n) for n, v in enumerate(["equivalent", "undecided", "invalid"])]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return path


def keys_in(page: Path) -> set[str]:
    (data,) = re.findall(
        r'<script type="application/json" id="data">(.*?)</script>', page.read_text(), re.DOTALL
    )
    found = json.loads(data)
    return {found["pool"][line[0]] for line, _ in found["pairs"]}


def test_a_report_as_a_page_and_as_markdown(equiv: Run, results: Path, tmp_path: Path) -> None:
    page, text = tmp_path / "report.html", tmp_path / "report.md"
    done = equiv("report", results, "--html", page, "--markdown", text)
    assert (done.code, done.err) == (0, f"equiv: report written to {page}: open it in a browser\n")
    assert "Headline" in done.out
    assert "pairs by the tier that settles them" not in done.out, "what is in a file is not shown twice"
    assert "**pairs by the tier that settles them**" in text.read_text()
    assert len(keys_in(page)) == 3


@pytest.mark.long
def test_an_evaluation_ends_with_its_report(equiv: Run, tmp_path: Path) -> None:
    pairs = [
        {
            "question_id": n,
            "db_id": "zoo",
            "question": "how many?",
            "predicted_sql": sql,
            "gold_sql": "SELECT COUNT(*) FROM pet",
        }
        for n, sql in enumerate(["SELECT COUNT(id) FROM pet", "SELECT COUNT(name) FROM pet", "SELECT"])
    ]
    (tmp_path / "pairs.json").write_text(json.dumps(pairs))
    (tmp_path / "zoo.sql").write_text("CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT);")
    out, page = tmp_path / "out.jsonl", tmp_path / "report.html"
    arguments = ("eval", tmp_path / "pairs.json", "--schema", tmp_path, "--out", out, "--report", page)
    done = equiv(*arguments)
    assert done.code == 0
    assert f"report written to {page}" in done.err
    first = page.read_text()
    assert keys_in(page) == {json.loads(line)["key"] for line in out.read_text().splitlines()}
    assert "convert_count_to_star" in first
    assert equiv(*arguments).code == 0
    assert page.read_text() == first


def test_a_page_that_cannot_be_written_stops_an_evaluation_before_it_begins(
    equiv: Run, tmp_path: Path
) -> None:
    done = equiv("eval", tmp_path / "none.json", "--report", tmp_path / "none" / "report.html")
    assert done.code == 2
    assert "there is no folder" in done.err
