"""The tables of :mod:`benchmarks.judging.rose_cost`: one judge of some pairs, under each of the savings."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from benchmarks.judging.replays import Pairs, by_pair, changed
from equiv.eval.metrics.agreement import FIGURES, Figure, agreement, change
from equiv.eval.metrics.measured import against_labels, by_judge
from equiv.judge.asking.prices import Price
from equiv.judge.classes import Contradiction, contradictions
from equiv.judge.judging_terms import SCORED_WITHOUT_A_CALL, overruled
from equiv.judge.options import JudgeOptions
from equiv.judge.report import cost
from equiv.judge.triage.decide import Triage
from equiv.records.record import Record

PRICES = {"o3": Price(2.0, 0.5, 8.0)}
"""Assumed, not quoted: US dollars per million tokens."""


@dataclass(frozen=True, slots=True)
class Row:
    """One setting of the savings."""

    name: str
    savings: str
    equality: str = "record"


ROWS = (
    Row("none", "none"),
    Row("proof", "proof"),
    Row("classes", "classes"),
    Row("execution", "execution"),
    Row("execution, by EX", "execution", "ex_score"),
    Row("triage", "triage"),
    Row("proof, classes", "proof,classes"),
    Row("proof, classes, triage", "proof,classes,triage"),
    Row("all", "all"),
    Row("all, triage", "all,triage"),
)


@dataclass(frozen=True)
class Judged:
    """One judge of some pairs."""

    pairs: Pairs
    options: JudgeOptions
    triage: Triage

    @cached_property
    def runs(self) -> Mapping[str, list[Record]]:
        """The records of each row."""
        return {row.name: self._run(row) for row in ROWS}

    def _run(self, row: Row) -> list[Record]:
        options = replace(self.options, savings=row.savings, equality=row.equality)
        triage = self.triage if "triage" in row.savings else None
        return self.pairs.judged(options, triage)

    def spent(self, row: Row) -> list[str]:
        """Calls, estimated tokens in thousands, and estimated dollars."""
        found = cost(self.runs[row.name])
        price = PRICES.get(self.options.judge_model)
        dollars = f"{sum(found.dollars(price)):.2f}" if price else "-"
        tokens = found.counted + found.estimated
        thousands = f"{tokens.prompt_tokens / 1000:,.0f} + {tokens.completion_tokens / 1000:,.0f}"
        return [f"{calls(self.runs[row.name]):,}", thousands, dollars]


def calls(records: Sequence[Record]) -> int:
    """Calls to the model."""
    return sum(int(record["llm"]["calls"]) for record in records)


def scores_published(judgements: Path, model: str, name: str) -> dict[str, float]:
    """The scores of a run by question id."""
    lines = map(json.loads, judgements.read_text(encoding="utf-8").splitlines())
    return {
        json.dumps(line["question_id"]): line["score"]
        for line in lines
        if (line["model"], line["metric"]) == (model, name)
    }


NO_JUDGE = {
    "EX": "of equal results on the one given database (EX, recorded)",
    "ETM": "matched by the rules of ETM (recorded)",
}
"""The recorded metrics that ask no model."""


def alone(records: Sequence[Record], judgements: Path) -> Iterator[str]:
    """How far verdicts without a judge agree with the labels, beside the recorded metrics."""
    yield "### Without a judge: equivalence alone"
    yield ""
    yield f"| 1 if | scored 1 | of these right | of the others right | {' | '.join(FIGURES)} |"
    yield "|---|---|---|---|---|---|---|---|"
    ways = {
        "proven equivalent to the gold query": {r["key"] for r in records if r["verdict"] == "equivalent"}
    }
    for metric, name in NO_JUDGE.items():
        score = scores_published(judgements, "decisive", metric)
        ways[name] = {r["key"] for r in records if score[json.dumps(r["question_id"])] == 1}
    for name, ones_of in ways.items():
        found = agreement((record["label"], record["key"] in ones_of) for record in records)
        ones, zeros = found.true_positive + found.false_positive, found.true_negative + found.false_negative
        cells = [name, str(ones), f"{found.true_positive} of {ones}", f"{found.false_negative} of {zeros}"]
        yield f"| {' | '.join([*cells, *(str(found.figures[figure]) for figure in FIGURES)])} |"
    yield ""
    yield (
        "Most predictions that are not equivalent to their gold query answer the question all the same: "
        "*not equivalent* does not say *wrong*, and a score of 0 without a judge is no measure of a system."
    )
    yield ""


def labelled_table(judged: Judged) -> Iterator[str]:
    """One judge of labelled pairs: what each setting costs, and how it agrees with the labels."""
    none = judged.runs["none"]
    head = ("savings", "calls", "tokens, thousands (est.)", "$ (est.)", "kappa", "accuracy", "MCC", "F1")
    yield f"| {' | '.join(head)} | change of kappa | better, worse | overruled |"
    yield "|---" * (len(head) + 3) + "|"
    for row in ROWS:
        records = judged.runs[row.name]
        (scores,) = by_judge(records)
        figures = agreement(against_labels(records, scores)).figures
        better = Counter(
            (one["label"] is True) == (other["score"] == 1) for one, other in changed(none, records)
        )
        cells = [row.name, *judged.spent(row), *(str(figures[figure]) for figure in FIGURES)]
        shift = [signed(compared(none, records)["kappa"]), f"{better[True]}, {better[False]}"]
        cells += ["", ""] if row.name == "none" else shift
        yield f"| {' | '.join([*cells, str(overruled(records) or '-')])} |"
    yield ""
    if compared(none, judged.runs["all"])["kappa"].value < 0:
        yield "Kappa falls with `all`. The pairs whose score changes:"
        yield ""
        for one, other in changed(none, judged.runs["all"]):
            yield (
                f"- question {one['question_id']} ({one['db_id']}): label {str(one['label']).lower()}, "
                f"{one['score']} by {one['score_by']} becomes {other['score']} by {other['score_by']}"
            )
        yield ""


def same_as_published(none: Sequence[Record], judgements: Path, model: str, run: str) -> str:
    """How many scores without savings are those that were published."""
    published = scores_published(judgements, model, run)
    same = sum(record["score"] == published[json.dumps(record["question_id"])] for record in none)
    return f"`none` gives the published score of {same} of {len(none)} pairs.\n"


def plain_table(judged: Judged) -> Iterator[str]:
    """Pairs of several systems under every setting, whether they have labels or not."""
    none = judged.runs["none"]
    yield (
        "| savings | calls | tokens, thousands (est.) | $ (est.) | less calls | scored without a call "
        "| scores changed: to 1, to 0 | overruled | open |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for row in ROWS:
        records = judged.runs[row.name]
        moved = Counter(other["score"] for _, other in changed(none, records))
        free = Counter(r["score_by"] for r in records if r["score_by"] in SCORED_WITHOUT_A_CALL)
        shown = ", ".join(f"{by} {count}" for by, count in sorted(free.items())) or "-"
        unscored = sum(record["score"] is None for record in records)
        less = 100 * (1 - calls(records) / max(calls(none), 1))
        cells = [row.name, *judged.spent(row), f"{less:.0f} %", shown, f"{moved[1]}, {moved[0]}"]
        yield f"| {' | '.join([*cells, str(overruled(records) or '-'), str(unscored)])} |"
    yield ""
    execution = judged.runs["execution"]
    accepted = [record for record in execution if record["score_by"] == "execution"]
    yield (
        f"The saving `execution` accepts {len(accepted):,} of the {len(execution):,} pairs, and overrules a "
        f"shown difference on {overruled(execution):,} of them."
    )
    yield ""


def compared(before: Sequence[Record], after: Sequence[Record]) -> dict[str, Figure]:
    """The change of the figures from one run to another."""
    later = by_pair(after)
    return change(
        (one["label"], one["score"] == 1, later[key]["score"] == 1) for key, one in by_pair(before).items()
    )


def signed(figure: Figure) -> str:
    """A difference in percentage points."""
    low, high = 100 * figure.low, 100 * figure.high
    return f"{100 * figure.value:+.2f} [{low:+.2f}, {high:+.2f}]"


def contradictions_table(none: Sequence[Record], with_classes: Sequence[Record]) -> Iterator[str]:
    """How often the judge contradicts itself within a class."""
    name_of = {key: record["judge"].get("class") for key, record in by_pair(with_classes).items()}
    classes: dict[str, list[Record]] = {}
    for key, record in by_pair(none).items():
        if name := name_of[key]:
            classes.setdefault(name, []).append(record)
    several = [members for members in classes.values() if len(members) > 1]
    found = list(contradictions(several))
    yield (
        f"{len(classes):,} classes, {len(several):,} of them with several members "
        f"({sum(map(len, several)):,} predictions). In {len(found)} of these the recorded judge "
        f"contradicts itself: it passes {sum(len(one.passed) for one in found)} members and fails "
        f"{sum(len(one.failed) for one in found)} that are proven equivalent to them."
    )
    yield ""
    yield "| database | question | passed | failed | same text |"
    yield "|---|---|---|---|---|"
    for one in sorted(found, key=lambda one: one.question):
        yield f"| {' | '.join(_listed(one))} |"
    yield ""


def _listed(one: Contradiction) -> tuple[str, ...]:
    texts = {record["predicted_sql"] for record in (*one.passed, *one.failed)}
    sides = (", ".join(record["source"] for record in side) for side in (one.passed, one.failed))
    return (one.question[0], one.question[1], *sides, "yes" if len(texts) == 1 else "no")
