"""What each saving costs and brings, replayed from the published judgements of ROSE, as Markdown.

Usage: ``python -m benchmarks.rose_cost > benchmarks/rose_cost.md``.  Every row is a run of ``equiv eval`` on
recorded replies, which starts from the engine's verdicts in ``results/``; delete these to measure anew.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.corpora import DATA, ROOT, corpus
from equiv.eval.metrics.agreement import FIGURES, Figure, agreement, change
from equiv.eval.metrics.measured import against_labels, by_judge
from equiv.records.record import Record
from judge.asking.published import published_runs
from judge.classes import Contradiction, contradictions
from judge.report import read_judged

RESULTS = ROOT / "results"
JUDGEMENTS = DATA / "rose-vec" / "bird.judgements.jsonl"
PAIRS = DATA / "rose-bench" / "pairs.jsonl"


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
    Row("proof, classes", "proof,classes"),
    Row("all", "all"),
)


def judged(name: str, row: Row, replay: Path, *options: str) -> list[Record]:
    """The records of one run."""
    out = RESULTS / f"rose-cost.{name}.judged.jsonl"
    out.write_bytes(verdicts(name).read_bytes())
    run(
        name,
        *("--out", str(out), "--judge", f"replay:{replay}", "--savings", row.savings),
        *("--equality", row.equality, *options),
    )
    return read_judged([out])


@cache
def verdicts(name: str) -> Path:
    """The records of a corpus without a judge."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"rose-cost.{name}.verdicts.jsonl"
    run(name, "--out", str(path), "--workers", "2")
    return path


def run(name: str, *options: str) -> None:
    """Evaluate a corpus."""
    done = subprocess.run(
        corpus(name).command(*options), cwd=ROOT, check=False, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(done.stderr)


def judges() -> Iterator[tuple[str, str, str]]:
    """Model, run and variant of every recorded cascade and of every run of the Prover alone."""
    for model, name in sorted(published_runs(JUDGEMENTS), key=lambda run: (run[1] == "ProverOnly", *run)):
        yield model, name, "prover-only" if name == "ProverOnly" else "rose"


def scores_published(model: str, name: str) -> dict[str, float]:
    """The scores of a run by question id."""
    lines = map(json.loads, JUDGEMENTS.read_text(encoding="utf-8").splitlines())
    return {
        json.dumps(line["question_id"]): line["score"]
        for line in lines
        if (line["model"], line["metric"]) == (model, name)
    }


def calls(records: Sequence[Record]) -> int:
    """Calls to the model."""
    return sum(int(record["llm"]["calls"]) for record in records)


def by_pair(records: Sequence[Record]) -> dict[str, Record]:
    """Records by what does not depend on the judge."""
    return {
        json.dumps([r["source"], r["question_id"], r["gold_sql"], r["predicted_sql"]]): r for r in records
    }


def changed(before: Sequence[Record], after: Sequence[Record]) -> list[tuple[Record, Record]]:
    """The pairs whose score changes."""
    later = by_pair(after)
    pairs = [(one, later[key]) for key, one in by_pair(before).items()]
    return [(one, other) for one, other in pairs if one["score"] != other["score"]]


def compared(before: Sequence[Record], after: Sequence[Record]) -> dict[str, Figure]:
    """The change of the figures from one run to another."""
    later = by_pair(after)
    return change(
        (one["label"], one["score"] == 1, later[key]["score"] == 1) for key, one in by_pair(before).items()
    )


NO_JUDGE = {
    "EX": "of equal results on the one given database (EX, recorded)",
    "ETM": "matched by the rules of ETM (recorded)",
}
"""The recorded metrics that ask no model."""


def alone() -> Iterator[str]:
    """How far verdicts without a judge agree with the labels of rose-vec, beside the recorded metrics."""
    lines = verdicts("rose-vec").read_text(encoding="utf-8").splitlines()
    records = [record for record in map(json.loads, lines) if isinstance(record["label"], bool)]
    yield "### Without a judge: equivalence alone"
    yield ""
    yield f"| 1 if | scored 1 | of these right | of the others right | {' | '.join(FIGURES)} |"
    yield "|---|---|---|---|---|---|---|---|"
    ways = {
        "proven equivalent to the gold query": {r["key"] for r in records if r["verdict"] == "equivalent"}
    }
    for metric, name in NO_JUDGE.items():
        score = scores_published("decisive", metric)
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


def judge_table(model: str, name: str, variant: str) -> Iterator[str]:
    """One judge of rose-vec under every setting."""
    options = ("--judge-model", model, "--judge-run", name, "--judge-variant", variant)
    runs = {row.name: judged("rose-vec", row, JUDGEMENTS, *options) for row in ROWS}
    none = runs["none"]
    yield f"### {model}, {name}"
    yield ""
    yield f"| savings | calls | {' | '.join(FIGURES)} | change of kappa | better, worse |"
    yield "|---|---|---|---|---|---|---|---|"
    for row in ROWS:
        records = runs[row.name]
        (scores,) = by_judge(records)
        figures = agreement(against_labels(records, scores)).figures
        better = Counter(
            (one["label"] is True) == (other["score"] == 1) for one, other in changed(none, records)
        )
        shift = compared(none, records)["kappa"]
        cells = [row.name, str(calls(records)), *(str(figures[figure]) for figure in FIGURES)]
        cells += ["", ""] if row.name == "none" else [signed(shift), f"{better[True]}, {better[False]}"]
        yield f"| {' | '.join(cells)} |"
    yield ""
    published = scores_published(model, name)
    same = sum(record["score"] == published[json.dumps(record["question_id"])] for record in none)
    yield f"`none` gives the published score of {same} of {len(none)} pairs."
    yield ""
    if compared(none, runs["all"])["kappa"].value < 0:
        yield f"Kappa falls with `all`. The pairs whose score changes under {model}, {name}:"
        yield ""
        for one, other in changed(none, runs["all"]):
            yield (
                f"- question {one['question_id']} ({one['db_id']}): label {str(one['label']).lower()}, "
                f"{one['score']} by {one['score_by']} becomes {other['score']} by {other['score_by']}"
            )
        yield ""


def signed(figure: Figure) -> str:
    """A difference in percentage points."""
    low, high = 100 * figure.low, 100 * figure.high
    return f"{100 * figure.value:+.2f} [{low:+.2f}, {high:+.2f}]"


FREE = frozenset({"rules", "proof", "class", "execution"})
"""``score_by`` of the records that took no call."""


def bench_table() -> Iterator[str]:
    """The six systems of rose-bench under every setting."""
    runs = {row.name: judged("rose-bench", row, PAIRS) for row in ROWS}
    none = runs["none"]
    yield "| savings | calls | less | scored without a call | scores changed: to 1, to 0 | open |"
    yield "|---|---|---|---|---|---|"
    for row in ROWS:
        records = runs[row.name]
        moved = Counter(other["score"] for _, other in changed(none, records))
        free = Counter(r["score_by"] for r in records if r["score_by"] in FREE)
        shown = ", ".join(f"{by} {count}" for by, count in sorted(free.items())) or "-"
        unscored = sum(record["score"] is None for record in records)
        less = 100 * (1 - calls(records) / calls(none))
        yield (
            f"| {row.name} | {calls(records):,} | {less:.0f} % | {shown} "
            f"| {moved[1]}, {moved[0]} | {unscored} |"
        )
    yield ""
    yield from noise(none, runs["classes"])


def noise(none: Sequence[Record], with_classes: Sequence[Record]) -> Iterator[str]:
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
        yield f"| {' | '.join(listed(one))} |"
    yield ""


def listed(one: Contradiction) -> tuple[str, ...]:
    """The cells of one contradiction."""
    texts = {record["predicted_sql"] for record in (*one.passed, *one.failed)}
    sides = (", ".join(record["source"] for record in side) for side in (one.passed, one.failed))
    return (one.question[0], one.question[1], *sides, "yes" if len(texts) == 1 else "no")


HEAD = """# What a judgement costs, and where calls are saved

Made by `python -m benchmarks.rose_cost > benchmarks/rose_cost.md` from recorded replies; no model was
asked: what this project's own prompts are worth with any model has never been measured. Savings are those of
`--savings`; `none` applies the recorded replies as ROSE does. Equality of results is taken from
the record (a Refuter reply without a Prover reply), since the databases are not at hand, or *by EX* from
the recorded execution accuracy, as it always is for the Prover alone, whose replies do not say. A replay
has nothing for `cache` (every reply is there) and `gold` (replies were made without it) to save, so that
`all` is proof, classes and execution. Figures are percentages with 95 % bootstrap intervals; *better,
worse* counts the pairs whose score moves to, or away from, the label. Relation `sql`, facts `intended`.
"""


def main() -> int:
    """Print the page."""
    print(HEAD)
    print("## ROSE-VEC: 322 expert-labelled pairs\n")
    print("\n".join(alone()), flush=True)
    for judge in judges():
        print("\n".join(judge_table(*judge)), flush=True)
    print("## rose-bench: 2,796 predictions of six systems, judged by o3\n")
    print("\n".join(bench_table()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
