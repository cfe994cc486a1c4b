"""Gold queries known to be faulty: from judged records, or from what ``equiv gold`` found."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from equiv.eval.gold.finding import SIGNS, Kind, question_of
from equiv.eval.gold.store import is_findings_file, read_findings
from equiv.eval.questions import QuestionId
from equiv.records.record import Record

from .report import gold_faults_in, read_judged

NO_FAULT = SIGNS | {Kind.UNSUPPORTED, Kind.UNSOLVED, Kind.OUTVOTED}
"""Findings that are no fault of the query, or a mere suspicion against it: the judge is not told."""


def read_gold_faults(path: Path) -> dict[QuestionId, str]:
    """The faulty gold queries of a file, and what is wrong with each.

    Raises:
        InputError: the file cannot be read, or holds neither findings nor judged records.
    """
    if is_findings_file(path):
        return faults_found(read_findings(path))
    return gold_faults_in(read_judged([path]))


def faults_found(findings: Iterable[Record]) -> dict[QuestionId, str]:
    """The findings on each gold query as one text."""
    told: dict[QuestionId, list[str]] = {}
    for finding in findings:
        if finding["kind"] not in NO_FAULT:
            told.setdefault(question_of(finding), []).append(f"{finding['kind']}: {finding['detail']}")
    return {question: "\n".join(dict.fromkeys(lines)) for question, lines in told.items()}
