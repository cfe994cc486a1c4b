"""Which rewrites of the algebra the pairs of corpora ever fire, and how many pairs each.

Every pair is put to the proof tier alone.

Usage: ``python -m benchmarks.outcomes.rewrites calcite leetcode --relation bag``; exit code 1 if one never
fires.
"""

from __future__ import annotations

import sys
from collections import Counter
from multiprocessing import Pool

from benchmarks.attacks.targets import Task, parser, readable_pairs, tasks
from benchmarks.journal import markdown
from equiv.proof.catalogue import REWRITES
from equiv.tiers.proof import ProofTier, Steps


def fired(task: Task) -> tuple[int, Counter[str]]:
    """How many pairs a task has, and for each rewrite how many of them fire it."""
    attempts: list[Steps] = []
    tier = ProofTier(watch=attempts.append)
    found: Counter[str] = Counter()
    pairs = 0
    with task.target.opened() as engine:
        for _, pair in readable_pairs(task, engine):
            attempts.clear()
            tier.settle(pair, 0)
            pairs += 1
            found.update({step.rewrite for steps in attempts for step in steps.applied})
    return pairs, found


def main() -> int:
    """Print how many pairs of some corpora fire each rewrite."""
    given = parser(__doc__, "bag").parse_args()
    total, pairs = Counter({rewrite.name: 0 for rewrite in REWRITES}), 0
    with Pool(given.workers) as pool:
        for name in given.corpus:
            for number, found in pool.imap_unordered(fired, tasks(name, given)):
                pairs += number
                total += found
    print(f"{pairs} pairs of {', '.join(given.corpus)}, relation {given.relation}\n")
    rows = sorted((-total[rewrite.name], rewrite.name) for rewrite in REWRITES)
    print(*markdown(("rewrite", "pairs"), ((name, -number) for number, name in rows)), sep="\n")
    return 1 if any(number == 0 for number, _ in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
