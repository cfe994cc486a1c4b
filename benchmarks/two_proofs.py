"""Two independent proofs: which pairs that rules or proof settle does the algebra prove without rules?

Every distinct pair of a corpus is put to the rules, then to the proof tier as it is; what either proves is
put to the algebra alone.  One line of JSON a proved pair goes to the results file, a table is printed.

Usage: ``python -m benchmarks.two_proofs rose-vec:bird calcite:bag --out results/two_proofs.jsonl``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.attack import ROOT, Task, readable_pairs
from benchmarks.soundness import tasks
from equiv.answers.pair import Pair
from equiv.api import make_engine, make_tiers
from equiv.relation import resolve_relation
from equiv.tiers.outcome import Open, Outcome, Proved, Refuted, Settler
from equiv.tiers.prove_alone import prove_alone
from equiv.verdict import Tier

RUNS = (
    *("rose-vec:bird", "rose-vec:bag", "calcite:bag", "literature:bag", "leetcode:bag", "spotit:bag"),
    *("rose-bench:bird", "rose-bench:bag", "spider:spider", "spider:bag"),
)
OUT = ROOT / "results" / "two_proofs.jsonl"

LOOKS = 20
"""How many databases may refute a pair before the proof tier is asked about it."""

Found = dict[str, Any]


def compared(task: Task) -> list[Found]:
    """What came of the pairs of a task that rules or proof settle."""
    place = task.target.place
    with closing(make_engine(place.schema, place.database, task.target.options)) as engine:
        tiers = make_tiers(engine.schema, engine.facts, None)
        rules, generate, proof = (_tier(tiers, tier) for tier in (Tier.RULES, Tier.GENERATE, Tier.PROOF))
        found = []
        for name, pred, gold in readable_pairs(task, engine):
            relation = resolve_relation(engine.relation, gold_orders=gold.orders)
            pair = Pair(pred, gold, engine.schema, engine.facts, relation)
            for tier in (rules, generate, proof):
                start = process_time()
                outcome = _settled(partial(tier.settle, pair, LOOKS if tier is generate else 0))
                spent = process_time() - start
                if isinstance(outcome, Proved):
                    found.append(_compared(name, pair, str(tier.tier), outcome, spent))
                if isinstance(outcome, Proved | Refuted):
                    break
        return found


def _tier(tiers: list[Settler], wanted: Tier) -> Settler:
    return next(tier for tier in tiers if tier.tier is wanted)


def _compared(name: str, pair: Pair, by: str, proved: Proved, seconds: float) -> Found:
    start = process_time()
    alone = _settled(partial(prove_alone, pair))
    spent = process_time() - start
    rules = {step.rule for side in (proved.evidence.pred_steps, proved.evidence.gold_steps) for step in side}
    return {
        "pair": name,
        "relation": str(pair.relation),
        "by": by,
        "alone": isinstance(alone, Proved),
        "reason": f"{alone.reason} {alone.detail}".strip() if isinstance(alone, Open) else "",
        "strongest": str(proved.strongest),
        "strongest_alone": str(alone.strongest) if isinstance(alone, Proved) else None,
        "rules": sorted(rules),
        "identical": pair.pred.sql == pair.gold.sql,
        "ms": round(seconds * 1000, 1),
        "ms_alone": round(spent * 1000, 1),
        "pred": pair.pred.sql,
        "gold": pair.gold.sql,
    }


def _settled(settle: Callable[[], Outcome]) -> Outcome | str:
    try:
        outcome: Outcome = settle()
    except Exception as error:  # noqa: BLE001 - told with its pair
        return f"{type(error).__name__}: {error}"
    return outcome


def run(name: str, relation: str, workers: int) -> Iterator[Found]:
    """What came of all pairs of a corpus under a relation."""
    with Pool(workers) as pool:
        for found in pool.imap_unordered(compared, tasks(name, relation, 0, 0)):
            yield from ({"corpus": name, "asked": relation, **each} for each in found)


def table(found: list[Found]) -> str:
    """How many pairs of each corpus are proved alone, by the tier that settles them, as Markdown."""
    lines = [
        "| corpus | relation | by | pairs | alone | share | as strong | ms | ms alone |",
        "|" + "---|" * 9,
    ]
    keys = dict.fromkeys((each["corpus"], each["asked"], each["by"]) for each in found)
    for key in sorted(keys):
        mine = [each for each in found if (each["corpus"], each["asked"], each["by"]) == key]
        alone = sum(each["alone"] for each in mine)
        strong = sum(each["strongest"] == each["strongest_alone"] for each in mine)
        means = [sum(each[name] for each in mine) / len(mine) for name in ("ms", "ms_alone")]
        share = f"{100 * alone / len(mine):.1f} %"
        lines.append(
            f"| {' | '.join(key)} | {len(mine)} | {alone} | {share} | {strong} "
            f"| {means[0]:.1f} | {means[1]:.1f} |"
        )
    reasons = Counter(each["reason"] for each in found if not each["alone"])
    lines += ["", *(f"- {reason}: {number}" for reason, number in reasons.most_common())]
    return "\n".join(lines)


def main() -> int:
    """Compare the runs asked for, write what was found and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", nargs="*", default=RUNS, metavar="CORPUS:RELATION")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    given.out.parent.mkdir(parents=True, exist_ok=True)
    found: list[Found] = []
    with given.out.open("w", encoding="utf-8") as out:
        for each in given.runs:
            name, relation = each.split(":")
            for one in run(name, relation, given.workers):
                found.append(one)
                print(json.dumps(one), file=out, flush=True)
    print(table(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
