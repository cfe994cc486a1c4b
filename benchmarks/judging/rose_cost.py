"""What each saving costs and brings, replayed from recorded replies, as Markdown.

Usage: ``python -m benchmarks.judging.rose_cost > benchmarks/judging/rose_cost.md`` writes the page on ROSE's
published judgements.  ``python -m benchmarks.judging.rose_cost FILE --schema PATH`` prints the same tables of
any other file of pairs whose lines carry the replies of a judge (``method, question_id, db_id, question,
gold_sql, predicted_sql, prover, refuter``, perhaps ``label`` and ``ex_score``).

The verdicts stand in ``results/`` (``--results DIR``); delete them to measure anew.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks import ROOT
from benchmarks.judging.cost_tables import (
    PRICES,
    Judged,
    agreement_with,
    alone,
    calibration_table,
    labelled_table,
    left_out_of,
    plain_table,
    same_as_published,
    thresholds_table,
)
from benchmarks.judging.replays import Pairs
from benchmarks.pairs.corpora import DATA
from equiv.judge.asking.published import published_runs
from equiv.judge.options import ACCEPT, REJECT, JudgeOptions
from equiv.judge.triage.decide import Triage, load_table
from equiv.judge.triage.fit import examples_of

JUDGEMENTS = DATA / "rose-vec" / "bird.judgements.jsonl"
BENCH = DATA / "rose-bench" / "pairs.jsonl"
DDL = DATA / "bird" / "ddl"
BEST = ("o3", "ROSE")
"""The judge that agrees best with the labels."""

HEAD = f"""# What a judgement costs, and where calls are saved

Made by `python -m benchmarks.judging.rose_cost > benchmarks/judging/rose_cost.md` from recorded replies; no
model was asked: what this project's own prompts are worth with any model has never been measured. Savings are
those of `--savings`; `none` applies the recorded replies as ROSE does. Equality of results is taken from the
record (a Refuter reply without a Prover reply), since the databases are not at hand, or *by EX* from the
recorded execution accuracy, as it always is for the Prover alone, whose replies do not say. A replay has
nothing for `cache` (every reply is there) and `gold` (replies were made without it) to save, so that `all` is
proof, classes and execution. *Overruled* counts the pairs that score 1 for equal results although a database
tells the two queries apart. Figures are percentages with 95 % bootstrap intervals; *better, worse* counts the
pairs whose score moves to, or away from, the label. Relation `sql`, facts `intended`.

Published replies come without counts of tokens. Tokens are **estimated**: four characters each, of the
prompt that this project would send (its own words, schema without rows or descriptions) and of the recorded
reply as it is kept, which leaves out the thoughts of a model that thinks first: a lower bound. Dollars are
**estimated** from them, at an assumed ${PRICES["o3"].input:g} (prompt) and ${PRICES["o3"].output:g}
(completion) per million tokens of o3, without cached prefixes. ROSE's paper has $2.25 for its 322 pairs.

*Triage* rows score by the probability of [docs/judge.md](../../docs/judge.md#triage) at the default
thresholds, {ACCEPT:g} and {REJECT:g}. On ROSE-VEC every database is scored by a table that was fitted on the
ten others; on rose-bench, whose pairs have no labels, by the shipped table.
"""


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
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judging.rose_cost")
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--schema", type=Path)
    parser.add_argument("--db-root", type=Path)
    parser.add_argument("--judge-model", default="", help="who gave the replies; o3 has a price")
    parser.add_argument("--results", type=Path, default=ROOT / "results")
    given = parser.parse_args(arguments)
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
