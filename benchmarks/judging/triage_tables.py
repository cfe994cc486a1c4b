"""What triage saves and costs, each database scored by a table that never saw it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from equiv.eval.metrics.agreement import Agreement, agreement
from equiv.judge.triage.decide import Triage, TriageTable
from equiv.judge.triage.fit import Example, left_out
from equiv.records.record import Record

THRESHOLDS = ((0.99, 0.01), (0.95, 0.05), (0.9, 0.1), (0.85, 0.15), (0.8, 0.2), (0.7, 0.3))
"""Pairs of accept and reject."""
BINS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 1.01)


@dataclass(frozen=True, slots=True)
class LeftOut(Triage):
    """Scores each pair by the table of the other databases."""

    tables: Mapping[str, TriageTable] = field(default_factory=dict)

    def probability(self, record: Record, equal: bool | None) -> float | None:
        """As that table has it."""
        return Triage(self.tables[record["db_id"]]).probability(record, equal)


def left_out_of(examples: Sequence[Example], accept: float, reject: float) -> LeftOut:
    """Triage by the tables of some labelled pairs."""
    tables = left_out(examples)
    return LeftOut(next(iter(tables.values())), accept, reject, tables)


def thresholds_table(judged: Sequence[Record], savings: str, left: LeftOut) -> Iterator[str]:
    """What triage would save and cost on top of records that were judged, at several thresholds."""
    none = [record["score"] == 1 for record in judged]
    head = ("accept, reject", "accepted (of these right)", "rejected (of these wrong)", "calls")
    yield f"| {' | '.join(head)} | kappa | accuracy |"
    yield "|---|---|---|---|---|---|"
    yield f"| no triage ({savings}) | | | {_calls(judged)} | {_figures(_agreed(judged, none))} |"
    for accept, reject in THRESHOLDS:
        triage = replace(left, accept=accept, reject=reject)
        given = [_given(triage, record) for record in judged]
        counts = Counter((score, record["label"]) for score, record in zip(given, judged, strict=True))
        scores = [score == 1 if score is not None else old for score, old in zip(given, none, strict=True)]
        asked = [record for score, record in zip(given, judged, strict=True) if score is None]
        ones, zeros = counts[1, True] + counts[1, False], counts[0, True] + counts[0, False]
        cells = [f"{accept:g}, {reject:g}", f"{ones} ({counts[1, True]})", f"{zeros} ({counts[0, False]})"]
        yield f"| {' | '.join(cells)} | {_calls(asked)} | {_figures(_agreed(judged, scores))} |"
    yield ""


def _given(triage: LeftOut, record: Record) -> int | None:
    """The score by triage of a pair that took a call; others keep theirs."""
    if not record["llm"]["calls"]:
        return None
    return triage.score(triage.probability(record, record["judge"]["equal"]))


def calibration_table(examples: Sequence[Example], left: LeftOut) -> Iterator[str]:
    """Probabilities foretold for pairs of left-out databases, and how many of the pairs are right."""
    found = [(left.tables[one.database].probability(one.features), one.right) for one in examples]
    known = [(p, right) for p, right in found if p is not None]
    yield "| probability | pairs | foretold right | right |"
    yield "|---|---|---|---|"
    for low, high in pairwise(BINS):
        inside = [(p, right) for p, right in known if low <= p < high]
        if inside:
            told = sum(p for p, _ in inside)
            name = f"{low:g} to {min(high, 1):g}"
            yield f"| {name} | {len(inside)} | {told:.1f} | {sum(right for _, right in inside)} |"
    yield ""
    share = sum(right for _, right in known) / len(known)
    brier = sum((p - right) ** 2 for p, right in known) / len(known)
    yield (
        f"Brier score {brier:.4f}, against {share * (1 - share):.4f} of the share of right pairs alone; "
        f"{len(found) - len(known)} pairs have a value that the other databases do not show, and are judged."
    )
    yield ""


def agreement_with(judged: Sequence[Record], triage: Triage) -> Iterator[str]:
    """Of pairs without labels: how often a recorded judge says what triage says."""
    counts = Counter(
        (score, record["score"])
        for record in judged
        if record["score_by"] in {"prover", "refuter"}
        and (score := triage.score(triage.probability(record, record["judge"]["equal"]))) is not None
    )
    for given, what in ((1, "accepts"), (0, "rejects")):
        same, other = counts[given, given], counts[given, 1 - given]
        yield f"Triage {what} {same + other} of them; the recorded judge agrees on {same}."
    yield ""


def _calls(records: Sequence[Record]) -> int:
    return sum(int(record["llm"]["calls"]) for record in records)


def _agreed(records: Sequence[Record], scores: Sequence[bool]) -> Agreement:
    return agreement((record["label"], score) for record, score in zip(records, scores, strict=True))


def _figures(found: Agreement) -> str:
    return f"{found.figures['kappa']} | {found.figures['accuracy']}"
