"""What the judged records of results files come to: agreement, faults, calls and contradictions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from equiv.errors import InputError
from equiv.eval.questions import QuestionId, question_of
from equiv.files import json_lines, read_text
from equiv.records.record import Record
from equiv.show.page import Block, Grid, Text

from .classes import Contradiction, contradictions
from .metrics import FIGURES, Agreement, agreement
from .savings import pairs_by_saving

OF_A_PAIR = frozenset({"class", "equality"})
"""What a record's ``judge`` says of the pair; the rest says how it was judged."""

SHOWN = 12
"""How many contradictions are listed."""


def read_judged(files: Iterable[Path]) -> list[Record]:
    """The judged records of some results files; of those with one key the last counts.

    Raises:
        InputError: a file cannot be read, or holds something other than records.
    """
    found: dict[str, Record] = {}
    for path in files:
        for number, record in json_lines(path, read_text(path)):
            if not isinstance(record, dict) or not {"key", "verdict", "score", "judge"} <= record.keys():
                raise InputError(f"{path}:{number}: not a record of equiv eval")
            if record["judge"]:
                found[record["key"]] = record
    return list(found.values())


def gold_faults_in(records: Iterable[Record]) -> dict[QuestionId, str]:
    """The gold queries that the Refuter of some records calls faulty, and its first reason for each."""
    faults: dict[QuestionId, str] = {}
    for record in records:
        reply = record["refuter_result"]
        if reply and reply["gold_correct"] is False:
            faults.setdefault(question_of(record), reply["reason"] or "no reason was given")
    return faults


def contradictions_in(records: Iterable[Record]) -> list[Contradiction]:
    """The classes whose members were judged differently, as far as the records name their classes."""
    classes: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        if name := record["judge"]["class"]:
            classes.setdefault((_terms(record), name), []).append(record)
    return list(contradictions(classes.values()))


def report_of(records: Sequence[Record]) -> list[Block]:
    """The tables of ``judge-report``, judge by judge."""
    by_terms: dict[str, list[Record]] = {}
    for record in records:
        by_terms.setdefault(_terms(record), []).append(record)
    if not by_terms:
        return [Text("No judged record.")]
    return [block for own in by_terms.values() for block in _judge(own)]


def _terms(record: Record) -> str:
    return json.dumps(
        {name: value for name, value in record["judge"].items() if name not in OF_A_PAIR}, sort_keys=True
    )


def _judge(records: Sequence[Record]) -> list[Block]:
    judge = records[0]["judge"]
    run = f", run {judge['run']}" if judge["run"] else ""
    savings = ", ".join(judge["savings"]) or "none"
    blocks: list[Block] = [
        Text(f"{judge['model']}{run}, variant {judge['variant']}, savings {savings}: {len(records)} pairs"),
        _scores(records),
        _cost(records),
    ]
    labelled = [
        record for record in records if isinstance(record["label"], bool) and record["score"] is not None
    ]
    if labelled:
        blocks += [_agreement("agreement with the labels", _slices(labelled)), _confusion(labelled)]
    blocks += _gold_share(records)
    return [*blocks, *_contradictions(contradictions_in(records))]


def _scores(records: Iterable[Record]) -> Grid:
    counts = Counter(
        (r["score_by"] or "-", _score(r), r["reason"] if r["score"] is None else "") for r in records
    )
    rows = tuple((by, score, reason or "", str(n)) for (by, score, reason), n in sorted(counts.items()))
    return Grid("scores by who gave them", ("score_by", "score", "open because", "pairs"), rows)


def _score(record: Record) -> str:
    return "null" if record["score"] is None else str(record["score"])


def _cost(records: Sequence[Record]) -> Grid:
    used = {name: sum(record["llm"][name] for record in records) for name in records[0]["llm"]}
    rows = [
        (name.replace("_", " "), f"{number:,}") for name, number in used.items() if number or name == "calls"
    ]
    rows += [
        (f"pairs without a call by {saving}", f"{n:,}") for saving, n in pairs_by_saving(records).items()
    ]
    return Grid("what it took", ("what", "number"), tuple(rows))


def _slices(records: Sequence[Record]) -> dict[str, list[Record]]:
    """All labelled pairs, and those of each answer of the Refuter on ambiguity and on the gold query."""
    slices: dict[str, list[Record]] = {"all": list(records)}
    for record in records:
        reply: Mapping[str, object] = record["refuter_result"] or {}
        if ambiguity := reply.get("ambiguity"):
            slices.setdefault(f"ambiguity: {ambiguity}", []).append(record)
        if isinstance(correct := reply.get("gold_correct"), bool):
            slices.setdefault(f"gold query {'correct' if correct else 'faulty'}", []).append(record)
    return dict(sorted(slices.items()))


def agreement_of(records: Iterable[Record]) -> Agreement:
    """The agreement of records that have a label and a score."""
    return agreement((record["label"], record["score"] == 1) for record in records)


def _agreement(title: str, slices: Mapping[str, Sequence[Record]]) -> Grid:
    rows = []
    for name, records in slices.items():
        found = agreement_of(records)
        rows.append((name, str(found.pairs), *(str(found.figures[figure]) for figure in FIGURES)))
    return Grid(f"{title}, percent with 95 % intervals", ("pairs", "number", *FIGURES), tuple(rows))


def _confusion(records: Iterable[Record]) -> Grid:
    found = agreement_of(records)
    rows = (
        ("true", str(found.true_positive), str(found.false_negative)),
        ("false", str(found.false_positive), str(found.true_negative)),
    )
    return Grid("confusion", ("label", "score 1", "score 0"), rows)


def _gold_share(records: Iterable[Record]) -> list[Block]:
    answers = [reply["gold_correct"] for record in records if (reply := record["refuter_result"])]
    told = [answer for answer in answers if answer is not None]
    if not told:
        return []
    faulty = told.count(False)
    share = f"{faulty} of {len(told)} ({100 * faulty / len(told):.1f} %)"
    return [Text(f"Pairs whose gold query the Refuter calls faulty: {share}.")]


def _contradictions(found: Sequence[Contradiction]) -> list[Block]:
    if not found:
        return []
    rows = tuple(
        (
            one.question[0],
            one.question[1],
            str(len(one.passed)),
            str(len(one.failed)),
            one.passed[0]["predicted_sql"],
        )
        for one in found[:SHOWN]
    )
    title = f"{len(found)} classes of proven-equivalent predictions with contradictory scores"
    return [Grid(title, ("database", "question", "scored 1", "scored 0", "a member"), rows)]
