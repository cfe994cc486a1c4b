"""The results file: resumed from, never spoilt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from kit.result_records import result_record

from equiv.errors import InputError
from equiv.eval.results import ResultsFile, merge, records_in


def record(key: str, reason: str | None = None) -> dict[str, Any]:
    return {"key": key, "verdict": "undecided" if reason else "equivalent", "reason": reason}


def test_records_are_appended_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "out.jsonl"
    for key in ("a", "b"):
        with ResultsFile(path) as results:
            results.write(record(key))
    with ResultsFile(path) as results:
        assert list(results.settled) == ["a", "b"]


@pytest.mark.parametrize("cut", [1, 5, 12, 30])
def test_an_unfinished_last_line_is_cut_off(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "out.jsonl"
    whole = json.dumps(record("a")) + "\n"
    path.write_text(whole + json.dumps(record("b"))[:cut])
    with ResultsFile(path) as results:
        assert list(results.settled) == ["a"]
        results.write(record("c"))
    assert [json.loads(line)["key"] for line in path.read_text().splitlines()] == ["a", "c"]


def test_readers_pass_over_blank_lines_and_an_unfinished_last_one_as_a_rerun_does(tmp_path: Path) -> None:
    path, out = tmp_path / "out.jsonl", tmp_path / "merged.jsonl"
    first, second = (json.dumps(result_record() | {"key": key}) for key in "ab")
    path.write_text(f"\n{first}\n \n{second}\n{first[:30]}")
    assert [each["key"] for each in records_in(path)] == ["a", "b"]
    merged = merge([path], out)
    assert (merged.lines, merged.added, merged.cut_off) == (2, 2, [path])
    assert out.read_text() == f"{first}\n{second}\n"
    with ResultsFile(path) as results:
        assert list(results.settled) == ["a", "b"]
    assert path.read_text() == f"\n{first}\n \n{second}\n"
    path.write_text(f"{first}\n ")
    with ResultsFile(path) as results:
        results.write(record("c"))
    assert [each["key"] for each in map(json.loads, filter(str.strip, path.read_text().splitlines()))] == [
        "a",
        "c",
    ]


def test_a_whole_last_line_without_its_newline_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text(json.dumps(record("a")))
    with ResultsFile(path) as results:
        results.write(record("b"))
    assert [json.loads(line)["key"] for line in path.read_text().splitlines()] == ["a", "b"]


def test_timeouts_and_internal_errors_are_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    records = [record("a", "TIMEOUT"), record("b", "INTERNAL"), record("c", "RESOURCE"), record("a")]
    path.write_text("".join(json.dumps(r) + "\n" for r in records))
    with ResultsFile(path) as results:
        assert sorted(results.settled) == ["a", "c"]


@pytest.mark.parametrize("detail", ["killed by SIGKILL", "killed by SIGTERM", "its machine was lost: gone"])
def test_a_pair_whose_worker_was_killed_is_tried_again(tmp_path: Path, detail: str) -> None:
    path = tmp_path / "out.jsonl"
    killed = record("a", "RESOURCE") | {"detail": detail}
    scored, own = killed | {"key": "b", "score": 1}, killed | {"key": "c", "detail": "out of memory"}
    path.write_text("".join(json.dumps(r) + "\n" for r in (killed, scored, own)))
    with ResultsFile(path) as results:
        assert sorted(results.settled) == ["b", "c"]


@pytest.mark.parametrize("content", ['{"question_id": 1}\n', "SELECT 1", '[{"key": 1}]', '{"key": "a"}\nx\n'])
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, content: str) -> None:
    path = tmp_path / "predictions.jsonl"
    path.write_text(content)
    with pytest.raises(InputError, match="not a record"):
        ResultsFile(path)
    assert path.read_text() == content


def test_two_runs_do_not_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with ResultsFile(path), pytest.raises(InputError, match="another run"):
        ResultsFile(path)


def test_a_superseding_record_ends_where_the_first_of_its_key_stood(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("".join(f"{json.dumps(record(key))}\n" for key in "abca"))
    with ResultsFile(path) as results:
        results.write(record("d"))
        results.supersede(record("a", "NO_PROOF"))
        results.supersede(record("d", "NO_PROOF"))
        assert [one["key"] for one in map(json.loads, path.read_text().splitlines())] == list("abcadad")
        results.tidy()
        results.write(record("e"))
    found = [json.loads(line) for line in path.read_text().splitlines()]
    assert found == [
        *(record("a", "NO_PROOF"), record("b"), record("c"), record("d", "NO_PROOF"), record("e"))
    ]
    assert list(tmp_path.iterdir()) == [path]


def test_where_no_file_can_be_made_the_superseding_record_stays_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out.jsonl"
    with ResultsFile(path) as results:
        results.write(record("a"))
        results.supersede(record("a", "NO_PROOF"))
        monkeypatch.setattr("shutil.copymode", _refuse)
        results.tidy()
        results.write(record("b"))
    assert [json.loads(line)["key"] for line in path.read_text().splitlines()] == ["a", "a", "b"]
    with ResultsFile(path) as results:
        assert results.settled["a"]["reason"] == "NO_PROOF"
    assert list(tmp_path.iterdir()) == [path]


def _refuse(*_: object) -> None:
    raise PermissionError
