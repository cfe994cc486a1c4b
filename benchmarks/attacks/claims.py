"""Claims tried on databases: what the proof tier states of a pair must be true of all rows, proved or not.

Every pair of a corpus is put to the proof tier alone.  All statements on the way (claims that a solver
proved, lemmas, matches, each step of both normal forms) and both queries as translated are tried on
generated databases by the independent evaluator.  With ``--rewrites`` it says for each rewrite of the algebra
how many pairs fire it.

Usage: ``python -m benchmarks.attacks.claims rose-vec calcite --relation bird``; exit code 1 if one is broken,
or a rewrite that is asked for fires nowhere.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing import Pool

from benchmarks.attacks.targets import Task, parser, readable_pairs, tasks
from benchmarks.journal import Sums, markdown
from equiv.algebra.trials import Trials
from equiv.proof.catalogue import REWRITES
from equiv.tiers.proof import ProofTier, Steps, Trial

DATABASES = 6


@dataclass(slots=True)
class Found(Sums):
    """What came of the pairs of one task, or of several."""

    pairs: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    fired: Counter[str] = field(default_factory=Counter)
    """How many pairs fire each rewrite."""
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
            found.fired.update({step.rewrite for steps in attempts for step in steps.applied})
            for steps in attempts:
                trials, broken = trial.run(pair, steps)
                found.trials.add(Trials(trials.statements, trials.choices))
                if broken:
                    found.broken.append(f"{name}: {broken}\n{pair.pred.sql}\n----\n{pair.gold.sql}")
    return found


def main() -> int:
    """Try the statements about the pairs of some corpora, and print what was found."""
    databases, rewrites = (DATABASES, "on which each is tried"), (False, "say how many pairs fire each")
    given = parser(__doc__, "bag", databases=databases, rewrites=rewrites).parse_args()
    total, fired = list[str](), Counter[str]()
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
        fired += found.fired
    print("\n\n".join(total))
    if given.rewrites:
        rows = sorted(((each.name, fired[each.name]) for each in REWRITES), key=lambda row: (-row[1], row[0]))
        print(*markdown(("rewrite", "pairs"), rows), sep="\n")
    is_idle = given.rewrites and not all(fired[each.name] for each in REWRITES)
    return 1 if total or is_idle else 0


if __name__ == "__main__":
    sys.exit(main())
