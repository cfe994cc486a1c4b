"""Which rewrites of the algebra the pairs of corpora ever fire, and how many pairs each.

Every pair is put to the proof tier alone.

Usage: ``python -m benchmarks.outcomes.rewrites calcite leetcode --relation bag``; exit code 1 if one never
fires.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from contextlib import closing
from multiprocessing import Pool

from benchmarks.attacks.attack import Task, readable_pairs
from benchmarks.attacks.targets import OWN, tasks
from benchmarks.pairs.corpora import corpora
from equiv.answers.pair import Pair
from equiv.engine.make import make_engine
from equiv.proof.catalogue import REWRITES
from equiv.relation import RELATION_NAMES, resolve_relation
from equiv.tiers.proof import ProofTier, Steps


def fired(task: Task) -> tuple[int, Counter[str]]:
    """How many pairs a task has, and for each rewrite how many of them fire it."""
    attempts: list[Steps] = []
    tier = ProofTier(watch=attempts.append)
    found: Counter[str] = Counter()
    pairs = 0
    place = task.target.place
    with closing(make_engine(place.schema, place.database, task.target.options)) as engine:
        for _, pred, gold in readable_pairs(task, engine):
            relation = resolve_relation(engine.relation, gold_orders=gold.orders)
            attempts.clear()
            tier.settle(Pair(pred, gold, engine.schema, engine.facts, relation), 0)
            pairs += 1
            found.update({step.rewrite for steps in attempts for step in steps.applied})
    return pairs, found


def main() -> int:
    """Print how many pairs of some corpora fire each rewrite."""
    names = [OWN, *(c.name for c in corpora())]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", choices=names, nargs="+")
    parser.add_argument("--relation", choices=RELATION_NAMES, default="bag")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    total, pairs = Counter({rewrite.name: 0 for rewrite in REWRITES}), 0
    with Pool(given.workers) as pool:
        for name in given.corpus:
            for number, found in pool.imap_unordered(fired, tasks(name, given.relation, 0, 0)):
                pairs += number
                total += found
    print(f"{pairs} pairs of {', '.join(given.corpus)}, relation {given.relation}\n")
    print("| rewrite | pairs |\n|---|---|")
    rows = sorted((-total[rewrite.name], rewrite.name) for rewrite in REWRITES)
    print("\n".join(f"| {name} | {-number} |" for number, name in rows))
    return 1 if any(number == 0 for number, _ in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
