"""Two independent proofs: which pairs that the rules settle, or help to settle, does the algebra prove alone?

Every distinct pair of a corpus is put to the rules; what they and a few databases leave open is put to the
algebra after the rules have rewritten both queries.  All of these are put to the algebra alone.  One line of
JSON a proved pair goes to the results file, a table is printed.

Usage: ``python -m benchmarks.outcomes.two_proofs rose-vec:bird calcite:bag --out results/two_proofs.jsonl``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks import ROOT
from benchmarks.attacks.attack import Task, readable_pairs
from benchmarks.attacks.targets import tasks
from equiv.answers.pair import Pair
from equiv.core.model import Context
from equiv.engine.make import make_engine
from equiv.relation import resolve_relation
from equiv.rewrite.normalise import RuleSet, normalise
from equiv.rules import RULES
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import Open, Outcome, Proved, Refuted
from equiv.tiers.prove_alone import prove_alone
from equiv.tiers.rules import RulesTier
from equiv.verdict import Derivation

RUNS = (
    *("rose-vec:bird", "rose-vec:bag", "calcite:bag", "literature:bag", "leetcode:bag", "spotit:bag"),
    *("rose-bench:bird", "rose-bench:bag", "spider:spider", "spider:bag"),
)
OUT = ROOT / "results" / "two_proofs.jsonl"

LOOKS = 20
"""How many databases may refute a pair before the algebra is asked about it."""

Found = dict[str, Any]

Timed = tuple[Outcome | str, float]
"""What was made of a pair, or an error, and the processor time that it took, in milliseconds."""


def compared(task: Task) -> list[Found]:
    """What came of the pairs of a task that are proved in one way or another."""
    place = task.target.place
    rules = RuleSet(RULES)
    with closing(make_engine(place.schema, place.database, task.target.options)) as engine:
        settled = RulesTier(rules)
        looks = GenerateTier(engine.schema, engine.facts)
        found = []
        for name, pred, gold in readable_pairs(task, engine):
            relation = resolve_relation(engine.relation, gold_orders=gold.orders)
            pair = Pair(pred, gold, engine.schema, engine.facts, relation)
            by, first = "rules", _timed(partial(settled.settle, pair, 0))
            if not isinstance(first[0], Proved):
                if isinstance(_timed(partial(looks.settle, pair, LOOKS))[0], Refuted):
                    continue
                by, first = "algebra after rules", _timed(partial(_prove_after_rules, pair, rules))
            alone = _timed(partial(prove_alone, pair))
            if isinstance(first[0], Proved) or isinstance(alone[0], Proved):
                by = by if isinstance(first[0], Proved) else "algebra alone"
                found.append(_compared(name, pair, by, first, alone))
        return found


def _prove_after_rules(pair: Pair, rules: RuleSet) -> Outcome:
    """What the algebra proves of the normal forms that the rules make of both queries."""
    context = Context(pair.schema, pair.facts, pair.relation.rows)
    pred, gold = (
        replace(query, tree=query.tree and normalise(query.tree, rules, context).tree)
        for query in (pair.pred, pair.gold)
    )
    return prove_alone(replace(pair, pred=pred, gold=gold))


def _compared(name: str, pair: Pair, by: str, first: Timed, alone: Timed) -> Found:
    evidence = first[0].evidence if isinstance(first[0], Proved) else None
    steps = (*evidence.pred_steps, *evidence.gold_steps) if isinstance(evidence, Derivation) else ()
    return {
        "pair": name,
        "relation": str(pair.relation),
        "by": by,
        "alone": isinstance(alone[0], Proved),
        "reason": "" if isinstance(alone[0], Proved) else _why(alone[0]),
        "strongest": _strongest(first[0]),
        "strongest_alone": _strongest(alone[0]),
        "rules": sorted({step.rule for step in steps}),
        "identical": pair.pred.sql == pair.gold.sql,
        "ms": first[1],
        "ms_alone": alone[1],
        "pred": pair.pred.sql,
        "gold": pair.gold.sql,
    }


def _strongest(outcome: Outcome | str) -> str | None:
    return str(outcome.strongest) if isinstance(outcome, Proved) else None


def _why(outcome: Outcome | str) -> str:
    return f"{outcome.reason} {outcome.detail}".strip() if isinstance(outcome, Open) else str(outcome)


def _timed(settle: Callable[[], Outcome]) -> Timed:
    start = process_time()
    outcome = _settled(settle)
    return outcome, round((process_time() - start) * 1000, 1)


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
