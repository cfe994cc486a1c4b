"""Attack every proof: 20 times the normal generation effort against each proved pair.

A proof, by rules or by the proof tier, must withstand databases under the strongest relation that it claims,
under that of the comparison, and as a comparison of sets.  With ``--mutants N`` the pairs are not those of
the corpus but each of its gold queries against N small changes of it.  ``own`` is the project's own golden
pairs, which need no published data.

Usage: ``python -m benchmarks.attacks.soundness rose-vec --relation bird``; exit code 1 if a proof is broken.
What is done is kept in ``results/soundness.jsonl``, and a rerun with the same code goes on from there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks import ROOT
from benchmarks.attacks.attack import Report, Task, attacked
from benchmarks.attacks.targets import OWN, tasks
from benchmarks.pairs.corpora import corpora
from equiv.options import EFFORTS
from equiv.relation import RELATION_NAMES
from equiv.testing.fuzz import tasks as resumable
from equiv.verdict import PROVERS

EFFORT = 20 * EFFORTS["normal"]
KEPT = ROOT / "results" / "soundness.jsonl"


def run(work: list[Task], workers: int, kept: Path) -> Iterator[Report | None]:
    """The reports of all tasks: those that the file has, then new ones; None for one that was lost."""
    for found in resumable.run(work, attacked, workers, kept):
        yield None if found is None else Report.of_json(found)


def main() -> int:
    """Attack some corpora and print what was found."""
    names = [OWN, *(c.name for c in corpora())]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", choices=names, nargs="+")
    parser.add_argument("--relation", choices=RELATION_NAMES, default="bird")
    parser.add_argument("--effort", type=int, default=EFFORT, help="databases against one proof")
    parser.add_argument("--mutants", type=int, default=0, help="of each gold query, instead of predictions")
    parser.add_argument(
        "--tier", choices=("", *PROVERS), default="", help="attack the proofs of this one alone"
    )
    parser.add_argument("--every", type=int, default=1, help="take each so-many-th task alone")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kept", type=Path, default=KEPT, help="where finished tasks are kept")
    given = parser.parse_args()
    total, lost = Report(), 0
    for name in given.corpus:
        found = Report()
        work = tasks(name, given.relation, given.effort, given.mutants)[:: given.every]
        for report in run([replace(task, only=given.tier) for task in work], given.workers, given.kept):
            if report is None:
                lost += 1
            else:
                found += report
        kind = f"{given.mutants} mutants of each gold query" if given.mutants else "pairs"
        print(f"{name}, relation {given.relation}, {kind}: {found.pairs} distinct readable pairs")
        proved = ", ".join(f"{what}: {number}" for what, number in sorted(found.proved.items()))
        print(f"  {found.proved.total()} proved ({proved or 'none'})")
        print(f"  {found.databases} databases tried, {len(found.broken)} proofs broken", flush=True)
        total += found
    print("\n\n".join(total.broken))
    if lost:
        print(f"{lost} tasks were lost; run again", file=sys.stderr)
    return 1 if total.broken or lost else 0


if __name__ == "__main__":
    sys.exit(main())
