"""The answers of the core's SQLite beside those of DuckDB, to find bugs of the engine that is asked.

Random queries in words that both mean alike are asked of both on random rows.  Where the answers part, the
evaluator of the algebra says whose is right: a query that SQLite answers wrongly is one that refutes what is
equivalent, and belongs among what the algebra refuses.  Each difference is told with its schema, its rows and
a smaller query that shows it, too.

Usage: ``python -m benchmarks.attacks.engines --queries 100000``.  Exit code 1 if SQLite's answer is not the
algebra's, or is another where the algebra has none.  What is done is kept in ``results/engines.jsonl``, and a
rerun with the same code goes on from there.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import monotonic

import duckdb

from benchmarks import ROOT
from benchmarks.attacks.differences import DUCKDB, Batch, Differences, compare
from equiv.core.runner import VERSION
from equiv.testing.fuzz.tasks import run

KEPT = ROOT / "results" / "engines.jsonl"

BATCH = 500
"""How many queries one task has."""


def main() -> int:
    """Compare, and print what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--queries", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kept", type=Path, default=KEPT, help="where finished tasks are kept")
    given = parser.parse_args()
    starts = range(0, given.queries, BATCH)
    work = [Batch(given.seed, n, min(BATCH, given.queries - start)) for n, start in enumerate(starts)]
    total, lost, begun = Differences(), 0, monotonic()
    try:
        for found in run(work, compare, given.workers, given.kept):
            if found is None:
                lost += 1
            else:
                total.add(found)
    except KeyboardInterrupt:
        print("interrupted; what is done is kept", file=sys.stderr)
        return 130
    print("\n\n".join(total.told))
    print(f"SQLite {VERSION} and DuckDB {duckdb.__version__}: {total.asked} queries, {total.rows} with rows")
    print(f"  {monotonic() - begun:.0f} s, {total.refused.total()} more that one of them does not answer")
    for message, number in total.refused.most_common(8):
        print(f"    {number:6} {message}")
    print(f"  answered otherwise: {dict(total.wrong) or 'none'}")
    if lost:
        print(f"{lost} tasks were lost; run again", file=sys.stderr)
    return 1 if lost or set(total.wrong) - {DUCKDB} else 0


if __name__ == "__main__":
    sys.exit(main())
