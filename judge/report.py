"""What the judged records of results files come to: agreement, faults, calls and contradictions.

Their cost is calls, tokens counted or estimated, dollars, and what was saved.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from equiv.eval.gold.catalogue import NO_REASON, replies_on_gold
from equiv.eval.metrics.agreement import agreement_blocks
from equiv.eval.metrics.scores import against_labels, by_judge, name_of_judge
from equiv.eval.questions import QuestionId, question_of
from equiv.eval.results import read_records
from equiv.graphs import grouped_by
from equiv.judge.asking.budget import Price, PriceTable
from equiv.judge.case import CHARACTERS, Usage
from equiv.judge.judging_terms import (
    NOTHING_KNOWN,
    Contradiction,
    Saving,
    contradictions,
    overruled,
    pairs_by_saving,
)
from equiv.records.record import Record
from equiv.show.page import Block, Grid, Text


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of some calls.

    Attributes:
        counted: all calls, and the tokens of those whose server counted them.
        estimated: the tokens of the others; its calls are not counted again.
    """

    counted: Usage = field(default_factory=Usage)
    estimated: Usage = field(default_factory=Usage)

    def dollars(self, price: Price) -> tuple[float, float]:
        """The cost of counted and of estimated tokens, in US dollars."""
        return price.dollars(self.counted), price.dollars(self.estimated)


def cost(records: Iterable[Record]) -> Cost:
    """The cost of all calls of some records."""
    counted, estimated = Usage(), Usage()
    for record in records:
        counted += Usage(**record["llm"])
        if estimate := record["judge"].get("estimate"):
            estimated += Usage(**estimate)
    return Cost(counted, estimated)


def cost_of(records: Sequence[Record], prices: PriceTable | None) -> Grid:
    """The table of what some records of one judge took."""
    found = cost(records)
    counted, estimated = _tokens(found.counted), _tokens(found.estimated)
    rows = [("calls", f"{found.counted.calls:,}")]
    rows += [(name, f"{number:,}") for name, number in counted.items() if number]
    by = f"estimated: characters / {CHARACTERS}, without hidden thoughts"
    rows += [(f"{name} ({by})", f"{number:,}") for name, number in estimated.items() if number]
    if prices is not None:
        rows += _money(found, prices, records[0]["judge"]["model"])
    for saving, number in pairs_by_saving(records).items():
        rows.append((f"pairs without a call by {saving}", f"{number:,}"))
        if saving is Saving.EXECUTION:
            rows.append(("of these, distinguished by a database", f"{overruled(records):,}"))
    return Grid("usage", ("what", "number"), tuple(rows))


def _tokens(usage: Usage) -> Mapping[str, int]:
    return {
        "prompt tokens": usage.prompt_tokens,
        "of these cached": usage.cached_tokens,
        "completion tokens": usage.completion_tokens,
    }


def _money(found: Cost, prices: PriceTable, model: str) -> list[tuple[str, str]]:
    price = prices.prices.get(model)
    if price is None:
        return [("dollars", f"no price for {model!r}")]
    counted, estimated = found.dollars(price)
    rows = [("dollars", f"{counted:,.4f}")] if counted or not estimated else []
    return [*rows, *([("dollars (estimated)", f"{estimated:,.4f}")] if estimated else [])]


OF_A_PAIR = frozenset(NOTHING_KNOWN)
"""What a record's ``judge`` says of the pair; the rest says how it was judged."""

SHOWN = 12
"""How many contradictions are listed."""


def judged(records: Iterable[Record]) -> list[Record]:
    """The records that were judged."""
    return [record for record in records if record["judge"]]


def read_judged(files: Iterable[Path]) -> list[Record]:
    """The judged records of some results files.

    Raises:
        InputError: a file cannot be read, or holds something other than records.
    """
    return judged(read_records(files))


def gold_faults_in(records: Iterable[Record]) -> dict[QuestionId, str]:
    """The gold queries that the Refuter of some records calls faulty, and its first reason for each."""
    faults: dict[QuestionId, str] = {}
    for record in records:
        for reply in replies_on_gold([record]):
            if not reply["gold_correct"]:
                faults.setdefault(question_of(record), reply["reason"] or NO_REASON)
    return faults


def contradictions_in(records: Iterable[Record]) -> list[Contradiction]:
    """The classes whose members were judged differently, as far as the records name their classes."""
    named = (record for record in records if record["judge"]["class"])
    classes = grouped_by(lambda record: (_terms(record), record["judge"]["class"]), named)
    return list(contradictions(classes.values()))


def report_of(records: Sequence[Record], prices: PriceTable | None = None) -> list[Block]:
    """The blocks of ``equiv report`` on judged records, judge by judge; dollars where prices are given."""
    return [block for own in grouped_by(_terms, records).values() for block in _judge(own, prices)]


def _terms(record: Record) -> str:
    return json.dumps(
        {name: value for name, value in record["judge"].items() if name not in OF_A_PAIR}, sort_keys=True
    )


def _judge(records: Sequence[Record], prices: PriceTable | None) -> list[Block]:
    blocks: list[Block] = [
        Text(f"{name_of_judge(records[0])}: {len(records)} pairs"),
        _scores(records),
        cost_of(records, prices),
    ]
    (scores,) = by_judge(records)
    slices = {name: against_labels(own, scores) for name, own in _slices(records).items()}
    if samples := {name: counts for name, counts in slices.items() if counts}:
        blocks += agreement_blocks(samples, "answer of the Refuter")
    blocks += _gold_share(records)
    return [*blocks, *_contradictions(contradictions_in(records))]


def _scores(records: Iterable[Record]) -> Grid:
    counts = Counter(
        (r["score_by"] or "-", _score(r), r["reason"] if r["score"] is None else "") for r in records
    )
    rows = tuple((by, score, reason or "", str(n)) for (by, score, reason), n in sorted(counts.items()))
    return Grid("scores by who gave them", ("score_by", "score", "undecided because", "pairs"), rows)


def _score(record: Record) -> str:
    return "null" if record["score"] is None else str(record["score"])


def _slices(records: Sequence[Record]) -> dict[str, list[Record]]:
    """The records of each answer of the Refuter on ambiguity and on the gold query."""
    slices: dict[str, list[Record]] = {}
    for record in records:
        reply: Mapping[str, object] = record["refuter_result"] or {}
        if ambiguity := reply.get("ambiguity"):
            slices.setdefault(f"ambiguity: {ambiguity}", []).append(record)
        if isinstance(correct := reply.get("gold_correct"), bool):
            slices.setdefault(f"gold query {'correct' if correct else 'faulty'}", []).append(record)
    return dict(sorted(slices.items()))


def _gold_share(records: Iterable[Record]) -> list[Block]:
    told = [reply["gold_correct"] for reply in replies_on_gold(records)]
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
