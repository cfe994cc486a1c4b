"""What ``equiv gold`` wrote tells the judge which gold queries are faulty."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kit.result_records import result_record

from equiv.errors import InputError
from equiv.eval.gold.finding import Basis, GoldFault, GoldFinding, GoldQuery, to_record
from equiv.judge.setup import NO_FAULT, read_gold_faults

GOLD = GoldQuery("zoo", 2, "SELECT 1")


def write(path: Path, *records: object) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def test_findings_are_told_one_after_the_other(tmp_path: Path) -> None:
    found = [
        GoldFinding(GoldFault.TIE, Basis.DATA, "its LIMIT takes 1 of 2"),
        GoldFinding(GoldFault.EMPTY, Basis.DATA, "no row"),
        GoldFinding(GoldFault.CONTRADICTED, Basis.JUDGE, "it counts twice"),
    ]
    path = write(tmp_path / "found.jsonl", *(to_record(GOLD, finding) for finding in found))
    told = "tie: its LIMIT takes 1 of 2\nempty: no row\ncontradicted: it counts twice"
    assert read_gold_faults(path) == {("zoo", "2", "SELECT 1"): told}


def test_a_suspicion_is_not_told_as_a_fault(tmp_path: Path) -> None:
    found = [GoldFinding(kind, Basis.SYSTEMS, "?") for kind in NO_FAULT]
    assert {GoldFault.PRECEDENCE, GoldFault.UNSOLVED} <= NO_FAULT
    path = write(tmp_path / "found.jsonl", *(to_record(GOLD, finding) for finding in found))
    assert read_gold_faults(path) == {}


def test_judged_records_are_read_as_before(tmp_path: Path) -> None:
    fault = {"overturn": False, "reason": "it counts twice", "ambiguity": "none", "gold_correct": False}
    path = write(tmp_path / "judged.jsonl", result_record(judge="m", question_id=2, refuter_result=fault))
    assert read_gold_faults(path) == {("zoo", "2", "SELECT 1"): "it counts twice"}


def test_a_mixture_is_refused(tmp_path: Path) -> None:
    finding = to_record(GOLD, GoldFinding(GoldFault.TIE, Basis.DATA, "?"))
    with pytest.raises(InputError, match=r"mixed.jsonl:2: not a record of equiv gold"):
        read_gold_faults(write(tmp_path / "mixed.jsonl", finding, result_record(judge="m")))
