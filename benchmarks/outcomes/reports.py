"""Pairs after public bug reports and disputes: which verdicts are among those that the engines bear out.

Each line of ``$EQUIV_DATA/reports/cases.jsonl`` is a pair with its schema, its dialect, options of ``check``
and the verdicts that are acceptable.  A verdict that is none of these is *against* the case if it claims
something (``equivalent``, ``not_equivalent``, ``invalid``), and *short* of it if it claims nothing.

Usage: ``python -m benchmarks.outcomes.reports [FILE] [--dialect NAME] [--out FILE.jsonl]`` (minutes); exit
code 1 if a verdict is against its case.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import Any

import equiv
from benchmarks.journal import read_lines, write_lines
from benchmarks.pairs.corpora import DATA

Case = dict[str, Any]


def judge(case: Case) -> dict[str, object]:
    """A row for one case: its verdict, how that stands to the case, what it rests on, and its seconds."""
    flags = case["opts"]
    options = {name.removeprefix("--"): value for name, value in zip(flags[::2], flags[1::2], strict=True)}
    start = perf_counter()
    try:
        verdict = equiv.check(
            equiv.query_in(case["pred"]),
            case["gold"],
            schema=case["schema"],
            dialect=case["dialect"],
            **options,
        ).to_dict()
    except equiv.InputError as error:
        verdict = {"verdict": "refused", "reason": str(error)}
    return {
        "stands": standing(verdict["verdict"], case["expected"]),
        **{name: verdict.get(name) for name in ("verdict", "tier", "reason", "failure_code", "difference")},
        "seconds": round(perf_counter() - start, 2),
        **case,
    }


def standing(verdict: str, expected: list[str]) -> str:
    """How a verdict stands to the acceptable ones: ``as expected``, ``short`` or ``against``."""
    if verdict in expected:
        return "as expected"
    return "short" if verdict in ("undecided", "refused") else "against"


def main() -> int:
    """Judge the cases, print those that are not as expected and the counts by dialect."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("file", nargs="?", type=Path, default=DATA / "reports" / "cases.jsonl")
    parser.add_argument("--dialect")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    cases = [case for case in read_lines(given.file) if given.dialect in (None, case["dialect"])]
    counts: Counter[tuple[str, str]] = Counter()
    rows = []
    for case in cases:
        row = judge(case)
        rows.append(row)
        counts[case["dialect"], str(row["stands"])] += 1
        if row["stands"] != "as expected":
            print(
                f"{row['stands']}: {row['verdict']} {row['tier'] or row['reason']}, {case['source']}",
                flush=True,
            )
            print(f"    {case['pred']}\n    {case['gold']}")
    if given.out:
        write_lines(given.out, rows)
    for (dialect, stands), n in sorted(counts.items()):
        print(f"{dialect} {stands}: {n}")
    return int(any(stands == "against" for _, stands in counts))


if __name__ == "__main__":
    sys.exit(main())
