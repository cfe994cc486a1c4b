"""Claims tried on databases: what the proof tier states of a pair must be true of all rows, proved or not.

Every pair of a corpus is put to the proof tier alone.  All statements on the way (claims that a solver
proved, lemmas, matches, each step of both normal forms) and both queries as translated are tried on
generated databases by the independent evaluator.

Usage: ``python -m benchmarks.attacks.claims rose-vec calcite --relation bird``; exit code 1 if one is broken.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from multiprocessing import Pool
from typing import Any

from benchmarks.attacks.attack import Task, readable_pairs
from benchmarks.attacks.targets import OWN, tasks
from benchmarks.pairs.corpora import corpora
from equiv.algebra.trials import Trials
from equiv.answers.pair import Pair
from equiv.engine.make import make_engine
from equiv.relation import RELATION_NAMES, resolve_relation
from equiv.tiers.proof import ProofTier, Steps, Trial

DATABASES = 6


@dataclass(slots=True)
class Found:
    """What came of the pairs of one task, or of several."""

    pairs: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    trials: Trials = field(default_factory=Trials)
    broken: list[str] = field(default_factory=list)

    def add(self, other: Found) -> None:
        """Add what came of other pairs."""
        self.pairs += other.pairs
        self.outcomes += other.outcomes
        self.trials.add(other.trials)
        self.broken += other.broken


def tried(work: tuple[Task, int]) -> Found:
    """Try all that the proof tier states of the pairs of a task."""
    task, count = work
    found, attempts, trial = Found(), list[Steps](), Trial(count, thorough=True)
    tier = ProofTier(watch=attempts.append)
    place = task.target.place
    with closing(make_engine(place.schema, place.database, task.target.options)) as engine:
        for name, pred, gold in readable_pairs(task, engine):
            relation = resolve_relation(engine.relation, gold_orders=gold.orders)
            pair = Pair(pred, gold, engine.schema, engine.facts, relation)
            attempts.clear()
            found.pairs += 1
            found.outcomes[type(tier.settle(pair, 0)).__name__] += 1
            for steps in attempts:
                trials, broken = trial.run(pair, steps)
                found.trials.add(Trials(trials.statements, trials.choices))
                if broken:
                    found.broken.append(f"{name}: {broken}\n{pred.sql}\n----\n{gold.sql}")
    return found


def main() -> int:
    """Try the statements about the pairs of some corpora, and print what was found."""
    names = [OWN, *(c.name for c in corpora())]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", choices=names, nargs="+")
    parser.add_argument("--relation", choices=RELATION_NAMES, default="bag")
    parser.add_argument("--databases", type=int, default=DATABASES, help="on which each statement is tried")
    parser.add_argument("--mutants", type=int, default=0, help="of each gold query, instead of predictions")
    parser.add_argument("--every", type=int, default=1, help="take each so-many-th task alone")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    total: list[Any] = []
    for name in given.corpus:
        found = Found()
        of_corpus = tasks(name, given.relation, 0, given.mutants)[:: given.every]
        work = [(task, given.databases) for task in of_corpus]
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
