"""Verdicts by tier and reason over whole corpora, as Markdown tables.

Usage: ``python -m benchmarks.verdicts rose-vec bird`` evaluates (or resumes) a corpus under a relation into
``results/`` and prints its table; without arguments, every corpus and relation of the README.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.corpora import ROOT, corpus

RUNS = (
    ("rose-vec", "bird"),
    ("rose-vec", "bag"),
    ("rose-bench", "bird"),
    ("rose-bench", "bag"),
    ("spider", "spider"),
    ("spider", "bag"),
)
RESULTS = ROOT / "results"


def evaluate(name: str, relation: str) -> tuple[Path, float]:
    """Run ``equiv eval``; the results file and the seconds that it took."""
    RESULTS.mkdir(exist_ok=True)
    out = RESULTS / f"{name}.{relation}.jsonl"
    command = corpus(name).command("--relation", relation, "--out", str(out), "--workers", "2")
    start = perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return out, perf_counter() - start


def rows(records: list[dict[str, object]]) -> list[tuple[str, str, int]]:
    """Verdict, tier or reason or failure code, and count; most frequent first."""

    def by(record: dict[str, object]) -> tuple[str, str]:
        verdict = str(record["verdict"])
        return verdict, str(record["reason"] or record["failure_code"] or record["tier"])

    return [(verdict, what, n) for (verdict, what), n in Counter(map(by, records)).most_common()]


def table(name: str, relation: str) -> str:
    """One corpus under one relation as a Markdown table."""
    out, seconds = evaluate(name, relation)
    records = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    times = sorted(sum(record["ms"].values()) for record in records)
    lines = [
        f"### {name}, relation `{relation}`: {len(records)} pairs",
        "",
        "| verdict | tier or reason | pairs |",
        "|---|---|---|",
        *(f"| {verdict} | {what} | {n} |" for verdict, what, n in rows(records)),
        "",
        (
            f"{len(records) / seconds:.0f} pairs a second on two cores; a pair takes "
            f"{median(times):.1f} ms (median), {times[int(len(times) * 0.95)]:.0f} ms (95th percentile)."
        ),
        "",
    ]
    return "\n".join(lines)


def main() -> int:
    """Print the tables asked for."""
    runs = RUNS if len(sys.argv) < 3 else ((sys.argv[1], sys.argv[2]),)
    for name, relation in runs:
        print(table(name, relation), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
