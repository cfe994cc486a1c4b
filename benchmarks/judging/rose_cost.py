"""What each saving costs and brings, replayed from recorded replies, as Markdown.

Usage: ``python -m benchmarks.judging.rose_cost > benchmarks/judging/rose_cost.md`` writes the page on ROSE's
published judgements.  ``python -m benchmarks.judging.rose_cost FILE --schema PATH`` prints the same tables of
any other file of pairs whose lines carry the replies of a judge (``method, question_id, db_id, question,
gold_sql, predicted_sql, prover, refuter``, perhaps ``label`` and ``ex_score``).

The verdicts stand in ``results/`` (``--results DIR``); delete them to measure anew.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from benchmarks import ROOT
from benchmarks.command import parser
from benchmarks.journal import calibration, head_of, section
from benchmarks.judging.replays import Pairs, by_pair, changed
from benchmarks.pairs.corpora import DATA
from equiv.eval.metrics.agreement import FIGURES, Figure, agreement, change
from equiv.eval.metrics.scores import against_labels, by_judge
from equiv.judge.asking.budget import Price
from equiv.judge.asking.published import published_runs
from equiv.judge.judging_terms import SCORED_WITHOUT_A_CALL, overruled
from equiv.judge.options import ACCEPT, REJECT, JudgeOptions
from equiv.judge.report import cost
from equiv.judge.triage.decide import Triage, TriageTable, load_table
from equiv.judge.triage.fit import Example, examples_of, left_out
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
    *(Row(name, name) for name in ("none", "proof", "classes", "execution")),
    Row("execution, by EX", "execution", "ex_score"),
    *(
        Row(name, name.replace(" ", ""))
        for name in ("triage", "proof, classes", "proof, classes, triage", "all", "all, triage")
    ),
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
    ways = {
        "proven equivalent to the gold query": {r["key"] for r in records if r["verdict"] == "equivalent"}
    }
    for metric, name in NO_JUDGE.items():
        score = scores_published(judgements, "decisive", metric)
        ways[name] = {r["key"] for r in records if score[json.dumps(r["question_id"])] == 1}
    rows = []
    for name, ones_of in ways.items():
        found = agreement((record["label"], record["key"] in ones_of) for record in records)
        ones, zeros = found.true_positive + found.false_positive, found.true_negative + found.false_negative
        rights = f"{found.true_positive} of {ones}", f"{found.false_negative} of {zeros}"
        rows.append((name, ones, *rights, *(found.figures[figure] for figure in FIGURES)))
    yield from section(("1 if", "scored 1", "of these right", "of the others right", *FIGURES), rows)
    yield (
        "Most predictions that are not equivalent to their gold query answer the question all the same: "
        "*not equivalent* does not say *wrong*, and a score of 0 without a judge is no measure of a system."
    )
    yield ""


def labelled_table(judged: Judged) -> Iterator[str]:
    """One judge of labelled pairs: what each setting costs, and how it agrees with the labels."""
    none = judged.runs["none"]
    head = ("savings", "calls", "tokens, thousands (est.)", "$ (est.)", "kappa", "accuracy", "MCC", "F1")
    rows = []
    for row in ROWS:
        records = judged.runs[row.name]
        (scores,) = by_judge(records)
        figures = agreement(against_labels(records, scores)).figures
        better = Counter(
            (one["label"] is True) == (other["score"] == 1) for one, other in changed(none, records)
        )
        shift = [signed(compared(none, records)["kappa"]), f"{better[True]}, {better[False]}"]
        shift = ["", ""] if row.name == "none" else shift
        cells = (row.name, *judged.spent(row), *(figures[figure] for figure in FIGURES))
        rows.append((*cells, *shift, overruled(records) or "-"))
    yield from section((*head, "change of kappa", "better, worse", "overruled"), rows)
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
    head = ("savings", "calls", "tokens, thousands (est.)", "$ (est.)", "less calls", "scored without a call")
    rows = []
    for row in ROWS:
        records = judged.runs[row.name]
        moved = Counter(other["score"] for _, other in changed(none, records))
        free = Counter(r["score_by"] for r in records if r["score_by"] in SCORED_WITHOUT_A_CALL)
        shown = ", ".join(f"{by} {count}" for by, count in sorted(free.items())) or "-"
        unscored = sum(record["score"] is None for record in records)
        less = 100 * (1 - calls(records) / max(calls(none), 1))
        cells = (row.name, *judged.spent(row), f"{less:.0f} %", shown, f"{moved[1]}, {moved[0]}")
        rows.append((*cells, overruled(records) or "-", unscored))
    yield from section((*head, "scores changed: to 1, to 0", "overruled", "open"), rows)
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
    head = ("accept, reject", "accepted (of these right)", "rejected (of these wrong)", "calls", "kappa")
    rows = [(f"no triage ({savings})", "", "", calls(judged), *_figures(judged, none))]
    for accept, reject in THRESHOLDS:
        triage = replace(left, accept=accept, reject=reject)
        given = [_given(triage, record) for record in judged]
        counts = Counter((score, record["label"]) for score, record in zip(given, judged, strict=True))
        scores = [score == 1 if score is not None else old for score, old in zip(given, none, strict=True)]
        asked = [record for score, record in zip(given, judged, strict=True) if score is None]
        ones, zeros = counts[1, True] + counts[1, False], counts[0, True] + counts[0, False]
        cells = (f"{accept:g}, {reject:g}", f"{ones} ({counts[1, True]})", f"{zeros} ({counts[0, False]})")
        rows.append((*cells, calls(asked), *_figures(judged, scores)))
    yield from section((*head, "accuracy"), rows)


def _given(triage: LeftOut, record: Record) -> int | None:
    """The score by triage of a pair that took a call; others keep theirs."""
    if not record["llm"]["calls"]:
        return None
    return triage.score(triage.probability(record, record["judge"]["equal"]))


def calibration_table(examples: Sequence[Example], left: LeftOut) -> Iterator[str]:
    """Probabilities foretold for pairs of left-out databases, and how many of the pairs are right."""
    found = [(left.tables[one.database].probability(one.features), one.right) for one in examples]
    known = [(p, right) for p, right in found if p is not None]
    yield from section(("probability", "pairs", "foretold right", "right"), calibration(known, BINS))
    share = sum(right for _, right in known) / len(known)
    brier = sum((p - right) ** 2 for p, right in known) / len(known)
    yield (
        f"Brier score {brier:.4f}, against {share * (1 - share):.4f} of the share of right pairs alone; "
        f"{len(found) - len(known)} pairs have a value that the other databases do not show, and are judged."
    )
    yield ""


def agreement_with(judged: Sequence[Record], triage: Triage) -> Iterator[str]:
    """Of pairs without labels: how often a recorded judge says what triage says."""
    counts: Counter[tuple[int, int]] = Counter(
        (score, record["score"])
        for record in judged
        if record["score_by"] in {"prover", "refuter"}
        and (score := triage.score(triage.probability(record, record["judge"]["equal"]))) is not None
    )
    for given, what in ((1, "accepts"), (0, "rejects")):
        same, other = counts[given, given], counts[given, 1 - given]
        yield f"Triage {what} {same + other} of them; the recorded judge agrees on {same}."
    yield ""


def _figures(records: Sequence[Record], scores: Sequence[bool]) -> tuple[Figure, Figure]:
    """Kappa and accuracy of some scores."""
    pairs = zip(records, scores, strict=True)
    found = agreement((record["label"], score) for record, score in pairs).figures
    return found["kappa"], found["accuracy"]


JUDGEMENTS = DATA / "rose-vec" / "bird.judgements.jsonl"
BENCH = DATA / "rose-bench" / "pairs.jsonl"
DDL = DATA / "bird" / "ddl"
BEST = ("o3", "ROSE")
"""The judge that agrees best with the labels."""

HEAD = head_of(__file__).format(price=PRICES["o3"], accept=ACCEPT, reject=REJECT)


def judges() -> Iterator[tuple[str, str, str]]:
    """Model, run and variant of every recorded cascade and of every run of the Prover alone."""
    for model, name in sorted(published_runs(JUDGEMENTS), key=lambda run: (run[1] == "ProverOnly", *run)):
        yield model, name, "prover-only" if name == "ProverOnly" else "rose"


def rose_vec(results: Path) -> Iterator[str]:
    """The part of the page on the labelled pairs."""
    pairs = Pairs(
        "rose-vec", DATA / "rose-vec" / "bird.json", results / "rose-vec.verdicts.jsonl", schema=DDL
    )
    yield f"## ROSE-VEC: {len(pairs.records)} expert-labelled pairs\n"
    yield from alone(pairs.records, JUDGEMENTS)
    best = JudgeOptions(judge=f"replay:{JUDGEMENTS}", judge_model=BEST[0], judge_run=BEST[1], savings="none")
    examples = examples_of(pairs.judged(best))
    triage = left_out_of(examples, ACCEPT, REJECT)
    for model, run, variant in judges():
        options = JudgeOptions(
            judge=f"replay:{JUDGEMENTS}", judge_model=model, judge_run=run, judge_variant=variant
        )
        judged = Judged(pairs, options, triage)
        yield f"### {model}, {run}\n"
        yield from labelled_table(judged)
        yield same_as_published(judged.runs["none"], JUDGEMENTS, model, run)
        if (model, run) == BEST:
            yield "#### Triage of ROSE-VEC at other thresholds, over o3\n"
            yield "Each database by the table of the others.\n"
            for savings in ("none", "all"):
                yield from thresholds_table(judged.runs[savings], savings, triage)
            yield from calibration_table(examples, triage)


def bench(pairs: Pairs, file: Path, model: str, triage: Triage) -> Iterator[str]:
    """The tables of pairs that carry the replies of one judge, with labels or without."""
    judged = Judged(pairs, JudgeOptions(judge=f"replay:{file}", judge_model=model), triage)
    none = judged.runs["none"]
    if any(isinstance(record["label"], bool) for record in none):
        yield from labelled_table(judged)
    yield from plain_table(judged)
    yield "Of the pairs that the recorded judge was asked about with `none`:"
    yield from agreement_with(none, triage)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the page, or the tables of one file."""
    model = "", "who gave the replies; o3 has a price"
    flags = parser(__doc__, judge_model=model, results=ROOT / "results")
    flags.add_argument("file", nargs="?", type=Path)
    for name in ("--schema", "--db-root"):
        flags.add_argument(name, type=Path)
    given = flags.parse_args(arguments)
    triage = Triage(load_table())
    if given.file is not None:
        verdicts = given.results / f"{given.file.stem}.verdicts.jsonl"
        pairs = Pairs(given.file.stem, given.file, verdicts, given.db_root, given.schema)
        print("\n".join(bench(pairs, given.file, given.judge_model, triage)))
        return 0
    print(HEAD, *rose_vec(given.results), sep="\n", flush=True)
    pairs = Pairs("rose-bench", BENCH, given.results / "rose-bench.verdicts.jsonl", schema=DDL)
    systems = len({record["source"] for record in pairs.records})
    print(f"## rose-bench: {len(pairs.records):,} predictions of {systems} systems, judged by o3\n")
    print(*bench(pairs, BENCH, BEST[0], triage), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
