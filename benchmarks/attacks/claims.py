"""Claims tried on databases: what the proof tier states of a pair must be true of all rows, proved or not.

Every pair of a corpus is put to the proof tier alone.  All statements on the way (claims that a solver
proved, lemmas, matches, each step of both normal forms) and both queries as translated are tried on
generated databases by the independent evaluator.

Usage: ``python -m benchmarks.attacks.claims rose-vec calcite --relation bird``; exit code 1 if one is broken.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing import Pool
from typing import Any

from benchmarks.attacks.targets import Task, parser, readable_pairs, tasks
from benchmarks.journal import Sums
from equiv.algebra.trials import Trials
from equiv.tiers.proof import ProofTier, Steps, Trial

DATABASES = 6


@dataclass(slots=True)
class Found(Sums):
    """What came of the pairs of one task, or of several."""

    pairs: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    trials: Trials = field(default_factory=Trials)
    broken: list[str] = field(default_factory=list)


def tried(work: tuple[Task, int]) -> Found:
    """Try all that the proof tier states of the pairs of a task."""
    task, count = work
    found, attempts, trial = Found(), list[Steps](), Trial(count, thorough=True)
    tier = ProofTier(watch=attempts.append)
    with task.target.opened() as engine:
        for name, pair in readable_pairs(task, engine):
            attempts.clear()
            found.pairs += 1
            found.outcomes[type(tier.settle(pair, 0)).__name__] += 1
            for steps in attempts:
                trials, broken = trial.run(pair, steps)
                found.trials.add(Trials(trials.statements, trials.choices))
                if broken:
                    found.broken.append(f"{name}: {broken}\n{pair.pred.sql}\n----\n{pair.gold.sql}")
    return found


def main() -> int:
    """Try the statements about the pairs of some corpora, and print what was found."""
    arguments = parser(__doc__, "bag")
    arguments.add_argument("--databases", type=int, default=DATABASES, help="on which each is tried")
    given = arguments.parse_args()
    total: list[Any] = []
    for name in given.corpus:
        found = Found()
        work = [(task, given.databases) for task in tasks(name, given)]
        with Pool(given.workers) as pool:
            for each in pool.imap_unordered(tried, work):
                found.add(each)
        proved = found.outcomes["Proved"]
        print(
            f"{name}, relation {given.relation}: {found.pairs} pairs, {proved} proved; "
            f"{found.trials.statements} statements on {found.trials.choices} choices of rows, "
            f"{len(found.broken)} broken",
            flush=True,
        )
        total += found.broken
    print("\n\n".join(total))
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
