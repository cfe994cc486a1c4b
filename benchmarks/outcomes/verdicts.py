"""Verdicts by tier and reason over whole corpora, as Markdown tables.

Usage: ``python -m benchmarks.outcomes.verdicts rose-vec bird`` evaluates (or resumes) a corpus under a
relation into ``results/`` and prints its table; without arguments, every corpus and relation of the README.
Corpora whose source says of each pair whether it is equivalent, or was executed equal on one database, get
a second table, by group and by what the source says.
"""

from __future__ import annotations

import sys
from collections import Counter
from statistics import median
from time import perf_counter

from benchmarks import ROOT
from benchmarks.command import evaluated
from benchmarks.journal import Record, read_lines, section
from benchmarks.pairs.corpora import DATA, corpus
from benchmarks.pairs.published import NAMES

RUNS = (
    ("rose-vec", "bird"),
    ("rose-vec", "bag"),
    ("rose-bench", "bird"),
    ("rose-bench", "bag"),
    ("spider", "spider"),
    ("spider", "bag"),
    *((name, "bag") for name in NAMES),
)


def table(name: str, relation: str) -> str:
    """One corpus under one relation as a Markdown table."""
    chosen, start = corpus(name), perf_counter()
    out = ROOT / "results" / f"{name}.{relation}.jsonl"
    records = evaluated(chosen.files, out, **chosen.options, relation=relation, workers=2)
    seconds = perf_counter() - start
    times = sorted(sum(record["ms"].values()) for record in records)
    counts = Counter((r["verdict"], r["reason"] or r["failure_code"] or r["tier"]) for r in records)
    lines = [
        f"### {name}, relation `{relation}`: {len(records)} pairs",
        "",
        *section(("verdict", "tier or reason", "pairs"), ((*each, n) for each, n in counts.most_common())),
        *by_group(name, records),
        (
            f"{len(records) / seconds:.0f} pairs a second on two cores; a pair takes "
            f"{median(times):.1f} ms (median), {times[int(len(times) * 0.95)]:.0f} ms (95th percentile)."
        ),
        "",
    ]
    return "\n".join(lines)


def by_group(name: str, records: list[Record]) -> list[str]:
    """The verdicts of each group of a corpus beside what its source says; no line if it says nothing."""
    if name == "rewrites":
        lines = read_lines(DATA / name / "pairs.jsonl")
        executed = {(line["predicted_sql"], line["gold_sql"]): line["executed_equal"] for line in lines}
        records = [r | {"label": executed.get((r["predicted_sql"], r["gold_sql"]))} for r in records]
    records = [record for record in records if isinstance(record["label"], bool)]
    if not records:
        return []
    verdicts = ("equivalent", "not_equivalent", "undecided", "invalid")
    groups: dict[tuple[str, str], Counter[str]] = {}
    for record in records:
        said = "equivalent" if record["label"] else "not equivalent"
        groups.setdefault((str(record["difficulty"]), said), Counter())[record["verdict"]] += 1
    rows = ((*group, *(counts[verdict] for verdict in verdicts)) for group, counts in sorted(groups.items()))
    return [*section(("group", "its source says", *verdicts), rows)]


def main() -> int:
    """Print the tables asked for."""
    runs = RUNS if len(sys.argv) < 3 else ((sys.argv[1], sys.argv[2]),)
    for name, relation in runs:
        print(table(name, relation), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
