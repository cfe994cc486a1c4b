"""docs/record.md names every field and every member of every closed list of a record, and no other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from enum import StrEnum
from typing import Any

import pytest
from kit.pages import ROOT

import equiv
from equiv.facts import FactKind, Grade
from equiv.judge.case import ProverReply, RefuterReply
from equiv.judge.judging_terms import NOTHING_KNOWN, Terms
from equiv.records.record import FaultKind, Item, Record, to_record
from equiv.verdict import Difference, FailureCode, Reason, RemarkKind, Tier

PAGE = (ROOT / "docs" / "record.md").read_text(encoding="utf-8")
DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER CHECK (a > 0), u REFERENCES t (id), x REAL)"
PAIRS = (
    ("SELECT DISTINCT id FROM t", "SELECT id FROM t"),
    ("SELECT TOTAL(a) FROM t", "SELECT COALESCE(SUM(a), 0) FROM t"),
    ("SELECT a FROM t WHERE a > :n", "SELECT a FROM t WHERE a >= :n"),
    ('SELECT COUNT(a) FROM t WHERE a <> "no"', "SELECT COUNT(*) FROM t"),
    ("SELECT nothing FROM t", "SELECT a FROM t"),
)


def section(heading: str) -> str:
    """The part of the page under a heading, as far as the next one."""
    return re.split(r"^#+ ", PAGE.partition(f" {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def named(text: str) -> set[str]:
    """The names in the first cells of the tables of a text."""
    cells = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


def members(text: str, field: str) -> set[str]:
    """The fields that a row's braces give to what it is about."""
    found = re.search(rf"^\| `{field}` \|.*?`\{{(.+?)\}}`", text, re.MULTILINE)
    assert found is not None, field
    return set(found[1].split(", "))


@pytest.fixture(scope="module")
def records() -> list[Record]:
    """Records of several kinds."""
    options = {"timeout": None, "conditions": True, "effort": "quick"}
    return [
        to_record(Item("s", 0, "db", pred, gold), equiv.check(pred, gold, schema=DDL, **options), "key")  # type: ignore[arg-type]
        for pred, gold in PAIRS
    ]


def test_every_field_is_named_and_no_other(records: list[Record]) -> None:
    tables = "".join(section(heading) for heading in ("What it is of", "The verdict", "What it cost"))
    score = section("The score").partition("| field of `judge`")[0]
    ours = (named(tables) | named(score)) - {str(one) for one in Difference}
    assert ours == set(records[0])
    assert all(set(record) == ours for record in records)


def test_every_field_of_evidence_is_named(records: list[Record]) -> None:
    table = section("Evidence")
    found = [record["evidence"] for record in records if record["evidence"]]
    assert {one["kind"] for one in found} == {"derivation", "proof", "witness"}
    execution = {
        "kind",
        "database",
        "pred_rows",
        "gold_rows",
        "pred_columns",
        "gold_columns",
        "binding",
        "few",
    }
    assert named(table) == {key for one in found for key in one} | execution
    for one in found:
        for key in one:
            row = re.search(rf"^\| [^|]*`{key}`[^|]* \| ([^|]+) \|", table, re.MULTILINE)
            assert row is not None
            assert one["kind"] in row[1] or row[1] == "all", key
    steps = [step for one in found for step in one.get("steps", ())]
    assert set(steps[0]) == members(table, "steps")
    obligations = [claim for one in found for claim in one.get("obligations", ())]
    assert set(obligations[0]) == members(table, "obligations")
    bound = next(one["binding"] for one in found if one.get("binding"))
    assert set(bound) == members(table, "binding")


def test_fields_of_facts_and_lists_are_named(records: list[Record]) -> None:
    facts = [fact for record in records for fact in record["facts"]]
    assert {key for fact in facts for key in fact} <= named(section("Facts"))
    assert named(section("Facts")) == set(_keys_of_all_facts())
    verdict, cost = section("The verdict"), section("What it cost")
    for field, text in (("equivalent_if", verdict), ("remarks", verdict), ("attempts", cost)):
        example = next(record[field][0] for record in records if record[field])
        assert members(text, field) == set(example)
    assert members(cost, "versions") == set(records[0]["versions"])
    assert members(section("The score"), "llm") == set(records[0]["llm"])


def _keys_of_all_facts() -> Iterator[str]:
    from equiv.facts import Fact

    for one in fields(Fact):
        yield one.name


def test_what_a_judge_adds_is_named() -> None:
    score = section("The score")
    known = set(Terms("model").described()) | set(NOTHING_KNOWN)
    assert named(score.partition("| field of `judge`")[2]) == known
    assert members(score, "prover_result") == {one.name for one in fields(ProverReply)}
    assert members(score, "refuter_result") == {one.name for one in fields(RefuterReply)}


@pytest.mark.parametrize("closed", [Tier, Reason, Difference, RemarkKind, FactKind, Grade, FaultKind])
def test_closed_lists_are_whole(closed: type[StrEnum]) -> None:
    assert [one for one in closed if not re.search(rf"\b{one}\b", PAGE)] == []


def test_failure_codes_are_two_sides_and_a_cause() -> None:
    (line,) = re.findall(r"^- `failure_code`: .*?(?=^- )", PAGE, re.DOTALL | re.MULTILINE)
    causes = set(
        re.findall(r"\b[A-Z]{2,}(?:_[A-Z]+)*\b", re.sub(r"\(.*?\)|GOLD_|PRED_", "", line, flags=re.DOTALL))
    )
    assert {f"{side}_{cause}" for side in ("PRED", "GOLD") for cause in causes} == set(FailureCode)


def test_what_is_said_of_infinities_and_blobs() -> None:
    from equiv.records.forms import json_cell

    cells: list[Any] = [json_cell(b"\x00\xff"), json_cell(float("inf"))]
    assert all(f"`{json.dumps(cell)}`" in PAGE for cell in cells)
