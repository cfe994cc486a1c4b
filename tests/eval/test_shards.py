"""Shards of an evaluation hold whole questions and all of them; merged, they are the records of one run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.zoo_runs import PAIRS, records_of, without_times, write_zoo

from equiv import cli
from equiv.errors import InputError
from equiv.eval.plan import Shard, shard_named
from equiv.eval.results import merge
from equiv.records.record import Item

pytestmark = pytest.mark.long

RECORD = {"verdict": "equivalent", "reason": None, "score": 1, "judge": None}


def item(source: str = "m", number: int = 1, pred: str = "SELECT 1", gold: str = "SELECT 2") -> Item:
    return Item(source, number, "zoo", pred, gold)


def line(key: str, reason: str | None = None, **more: object) -> str:
    known = {**RECORD, "score": None, "verdict": "undecided"} if reason else RECORD
    return json.dumps({"key": key, **known, "reason": reason, **more}) + "\n"


def run(*arguments: object) -> int:
    return cli.run(list(map(str, arguments)))


@given(st.lists(st.text(max_size=8), max_size=20), st.integers(1, 9))
def test_each_question_is_in_one_shard_whatever_surrounds_it(golds: list[str], count: int) -> None:
    for gold in golds:
        holders = {
            number
            for number in range(1, count + 1)
            for one in (item(gold=gold), item("other", 7, "SELECT 9", gold))
            if Shard(number, count).holds(one)
        }
        assert len(holders) == 1


def test_a_shard_does_not_change_between_versions() -> None:
    found = [next(n for n in (1, 2, 3) if Shard(n, 3).holds(item(gold=f"SELECT {g}"))) for g in range(8)]
    assert found == [1, 3, 1, 1, 1, 2, 3, 1]


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "a/b", "1/0", "-1/2", "1/2/3"])
def test_other_shards_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="i/n"):
        shard_named(text)


def test_merged_shards_are_one_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    zoo = write_zoo(tmp_path)
    whole, merged = tmp_path / "whole.jsonl", tmp_path / "merged.jsonl"
    assert run("eval", *zoo, "--out", whole) == 0
    shards = [tmp_path / f"{number}.jsonl" for number in (1, 2)]
    for number, shard in enumerate(shards, 1):
        assert run("eval", *zoo, "--out", shard, "--shard", f"{number}/2") == 0
    golds = [{record["gold_sql"] for record in records_of(shard)} for shard in shards]
    assert sum(map(len, golds)) == len(set().union(*golds)) == 2
    capsys.readouterr()
    assert run("merge", *shards, "--out", merged) == 0
    assert capsys.readouterr().err == f"equiv: 9 records of 9 pairs read, 9 appended to {merged}\n"
    assert without_times(merged) == without_times(whole)
    assert run("eval", *zoo, "--out", merged) == 0
    assert f"{len(PAIRS)} records resumed from {merged}, 0 appended" in capsys.readouterr().err


def test_the_record_worth_most_is_merged_and_of_equals_the_last(tmp_path: Path) -> None:
    one, two, out = tmp_path / "1.jsonl", tmp_path / "2.jsonl", tmp_path / "out.jsonl"
    one.write_text(line("a", tier="rules") + line("b", "TIMEOUT") + line("c", "RESOURCE") + line("d", n=1))
    two.write_text(line("a", "TIMEOUT") + line("b", "RESOURCE") + line("c", "TIMEOUT") + line("d", n=2))
    with two.open("a") as file:
        file.write(line("c", "NO_PROOF") + line("e", "INTERNAL"))
    assert merge([one, two], out).unsettled == 1
    found = {record["key"]: record for record in records_of(out)}
    assert len(found) == len(records_of(out)) == 5
    assert [found[key]["reason"] for key in "abcde"] == [None, "RESOURCE", "NO_PROOF", None, "INTERNAL"]
    assert (found["a"]["tier"], found["d"]["n"]) == ("rules", 2)


def test_merging_again_adds_what_is_better_and_nothing_else(tmp_path: Path) -> None:
    one, out = tmp_path / "1.jsonl", tmp_path / "out.jsonl"
    out.write_text(line("mine") + line("b", "TIMEOUT"))
    one.write_text(line("a", "TIMEOUT") + line("b") + line("mine", "TIMEOUT"))
    assert [merge([one, out], out).added for _ in range(3)] == [2, 0, 0]
    assert [record["key"] for record in records_of(out)] == ["mine", "b", "a", "b"]


def test_a_cut_off_last_line_is_told_and_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two, out = tmp_path / "1.jsonl", tmp_path / "2.jsonl", tmp_path / "out.jsonl"
    one.write_text(line("a") + line("b")[:30])
    two.write_text(line("c").rstrip("\n"))
    assert run("merge", one, two, "--out", out) == 0
    assert capsys.readouterr().err.splitlines() == [
        f"equiv: {one}: its last line is not finished and was skipped",
        f"equiv: 2 records of 2 pairs read, 2 appended to {out}",
    ]
    assert out.read_text() == line("a") + line("c")


@pytest.mark.parametrize("content", ["SELECT 1\n", '{"key": "a"}\n', '{"key": "a\n' + line("b")])
def test_what_holds_no_records_is_refused_and_nothing_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    good, bad, out = tmp_path / "1.jsonl", tmp_path / "2.jsonl", tmp_path / "out.jsonl"
    good.write_text(line("a"))
    bad.write_text(content)
    assert run("merge", good, bad, "--out", out) == 2
    assert run("merge", good, tmp_path / "none.jsonl", "--out", out) == 2
    assert not out.exists()
    first, second = capsys.readouterr().err.splitlines()
    assert first == f"equiv: {bad}:1: not a record of equiv eval; nothing was written"
    assert "none.jsonl: No such file" in second
