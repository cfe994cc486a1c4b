"""Metrics against one another: how often they agree, and on which pairs they do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from equiv.eval.metrics.measured import Measured, PairId, pair_of
from equiv.eval.metrics.metric import Needs
from equiv.eval.metrics.registry import METRICS
from equiv.eval.sections.section import Cases, Heat, Part, Section
from equiv.records.record import Record
from equiv.show.page import Grid, Text

DISAGREEMENTS = 60
"""How many kinds of disagreement are listed."""

KINDS_SHOWN = 8
"""Of how many kinds of disagreement cases are shown."""

CASES = 5
"""How many cases of a kind are shown."""

CRUDE = frozenset(each.name for each in METRICS if each.needs is not Needs.DATABASE and not each.leads)
"""Metrics that neither run the queries nor lead a report: what they disagree on comes last."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The pairs that one metric scores 1 and another 0."""

    yes: str
    no: str
    pairs: tuple[PairId, ...]
    known: int
    """How many pairs both metrics score."""


def section_of(records: Sequence[Record], measures: Sequence[Measured]) -> Section:
    """The section on agreement between metrics; with one metric it says so."""
    if len(measures) < 2:
        parts: tuple[Part, ...] = (Text("There is one metric alone."),)
    else:
        found = disagreements(records, measures)
        parts = (_agreement(measures), _listed(found), *_cases(records, found))
    about = (
        "Percent of the pairs that both metrics score on which they agree. A disagreement is no fault of"
        " either by itself: the witness shows what the one sees and the other does not."
    )
    return Section("metrics", "Metrics against one another", about, parts)


def disagreements(records: Sequence[Record], measures: Sequence[Measured]) -> list[Disagreement]:
    """The disagreements of any two metrics, the most frequent first."""
    order = [pair_of(record) for record in records]
    scores = [[measured.scores.get(pair) for pair in order] for measured in measures]
    found = []
    for one, own in zip(measures, scores, strict=True):
        for other, others in zip(measures, scores, strict=True):
            known = [(a, b) for a, b in zip(own, others, strict=True) if a is not None and b is not None]
            if (True, False) in known:
                parted = [pair for pair, a, b in zip(order, own, others, strict=True) if a and b is False]
                found.append(Disagreement(one.name, other.name, tuple(parted), len(known)))
    return sorted(found, key=lambda each: -len(each.pairs))


def _agreement(measures: Sequence[Measured]) -> Heat:
    shades = tuple(tuple(_agreeing(one, other) for other in measures) for one in measures)
    rows = tuple(
        (measured.name, *("-" if share is None else f"{100 * share:.1f}" for share in own))
        for measured, own in zip(measures, shades, strict=True)
    )
    columns = ("metric", *(measured.name for measured in measures))
    return Heat(Grid("agreement of metrics, percent", columns, rows), tuple((None, *own) for own in shades))


def _agreeing(one: Measured, other: Measured) -> float | None:
    known = one.scores.keys() & other.scores.keys()
    return sum(one.scores[pair] == other.scores[pair] for pair in known) / len(known) if known else None


def _listed(found: Sequence[Disagreement]) -> Grid:
    rows = tuple(
        (
            *(each.yes, each.no, str(len(each.pairs))),
            *(f"{100 * len(each.pairs) / each.known:.1f}", str(each.known)),
        )
        for each in found[:DISAGREEMENTS]
    )
    omitted = len(found) - len(rows)
    title = "disagreements" + (f" (the first {len(rows)} kinds of {len(found)})" if omitted else "")
    return Grid(title, ("right by", "wrong by", "pairs", "percent", "scored by both"), rows)


def _cases(records: Sequence[Record], found: Sequence[Disagreement]) -> list[Part]:
    """Cases of the kinds of disagreement that a verdict or the score is part of."""
    telling = [each for each in found if {"equiv", "score"} & {each.yes, each.no}]
    telling.sort(key=lambda each: bool(CRUDE & {each.yes, each.no}))
    telling = telling[:KINDS_SHOWN]
    by_pair = {pair_of(record): record for record in records}
    groups = []
    rows = []
    for each in telling:
        examples = [by_pair[pair] for pair in _spread(each.pairs)]
        title = f"right by {each.yes}, wrong by {each.no}: {len(examples)} of {len(each.pairs)} pairs"
        groups.append((title, tuple(str(record["key"]) for record in examples)))
        rows += [
            (each.yes, each.no, r["source"], r["db_id"], str(r["question_id"]), r["key"][:12])
            for r in examples
        ]
    if not groups:
        return []
    columns = ("right by", "wrong by", "system", "database", "question id", "key")
    return [Cases(Grid("cases of disagreement", columns, tuple(rows)), tuple(groups))]


def _spread(pairs: Sequence[PairId]) -> list[PairId]:
    """A few pairs from all over the list, so that they are not all of one database."""
    step = max(len(pairs) // CASES, 1)
    return list(pairs[::step][:CASES])
