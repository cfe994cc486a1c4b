"""Attack the provers on PostgreSQL: ways to ask a question put to rules and proof directly.

Most pairs are near misses.  Whatever is proved runs on PostgreSQL itself, on databases of the schema that
are made once (``--databases``); a difference where both texts answer is a broken proof.

Usage: ``python -m benchmarks.postgres.near_misses --pairs 20000``.  Exit code 1 if a proof is broken.
What is done is kept in ``results/near_misses_postgres.jsonl``; a rerun with the same code goes on from there.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import monotonic

from benchmarks import ROOT
from benchmarks.postgres.unprotected import Task, attack
from equiv.testing.fuzz.findings import Findings
from equiv.testing.fuzz.tasks import run

BATCH = 200
"""How many pairs one task has, on one schema."""

KEPT = ROOT / "results" / "near_misses_postgres.jsonl"


def main() -> int:
    """Attack, and print what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--databases", type=int, default=40, help="of each schema")
    parser.add_argument("--seconds", type=float, default=0.3, help="of processor time for one question")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kept", type=Path, default=KEPT, help="where finished tasks are kept")
    given = parser.parse_args()
    sizes = [min(BATCH, given.pairs - start) for start in range(0, given.pairs, BATCH)]
    tasks = [Task(given.seed, at, size, given.databases, given.seconds) for at, size in enumerate(sizes)]
    total, lost, start = Findings(), 0, monotonic()
    for each in run(tasks, attack, given.workers, given.kept):
        if each is None:
            lost += 1
        else:
            total.add(each)
    print("\n\n".join((summary(total, monotonic() - start), *total.crashed, *total.broken)))
    if lost:
        print(f"{lost} tasks were lost; run again", file=sys.stderr)
    return 1 if total.broken or total.crashed or lost else 0


def summary(found: Findings, seconds: float) -> str:
    """The figures."""
    proved = ", ".join(f"{what}: {number}" for what, number in sorted(found.proved.items()))
    broken = f"{len(found.broken)} proofs broken, {len(found.crashed)} errors"
    return (
        f"{found.pairs} pairs asked about, {found.unread} not readable or not modelled; {seconds:.0f} s, "
        f"{found.given_up} questions given up\n  {found.proved.total()} proofs ({proved or 'none'})\n"
        f"  {found.databases} databases on PostgreSQL, {broken}"
    )


if __name__ == "__main__":
    sys.exit(main())
