"""What the algebra proves and the rules do not, clustered by how the normal forms of the two queries differ.

Every distinct pair of a corpus is put to the rules.  What they leave open, and a few databases do not refute,
is put to the algebra alone.  A pair that it proves falls to the cluster of its edit: the kinds of nodes that
one normal form has more of than the other.  The largest clusters are where a rule would pay most.
Nothing here is cut off by the clock: the solver counts its steps, so a busy machine finds the same.

Usage: ``python -m benchmarks.outcomes.mine rose-vec:bird spider:spider --out results/mine.jsonl``;
``--shares`` asks the rules alone, and prints the share of pairs that they settle.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any

from sqlglot import exp

from benchmarks import ROOT
from benchmarks.attacks.attack import Task, readable_pairs
from benchmarks.attacks.targets import tasks
from equiv.answers.pair import Pair
from equiv.core.model import Context
from equiv.core.printing import to_sql
from equiv.engine.make import make_engine
from equiv.relation import resolve_relation
from equiv.rewrite.normalise import RuleSet, normalise
from equiv.rules import RULES
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import Proved, Refuted
from equiv.tiers.prove_alone import prove_alone
from equiv.tiers.rules import RulesTier

RUNS = ("rose-vec:bird", "rose-bench:bird", "spider:spider")
OUT = ROOT / "results" / "mine.jsonl"
LOOKS = 20
"""How many databases may refute a pair before the algebra is asked about it."""
SHOWN = 3
"""How many pairs of a cluster are shown."""

Found = dict[str, Any]


def settled(task: Task, *, shares: bool) -> list[Found]:
    """By whom each pair of a task is settled; of those that the algebra settles, both normal forms too."""
    place = task.target.place
    rules = RuleSet(RULES)
    tier = RulesTier(rules)
    found = []
    with closing(make_engine(place.schema, place.database, task.target.options)) as engine:
        looks = GenerateTier(engine.schema, engine.facts)
        for name, pred, gold in readable_pairs(task, engine):
            relation = resolve_relation(engine.relation, gold_orders=gold.orders)
            pair = Pair(pred, gold, engine.schema, engine.facts, relation)
            by = "rules" if isinstance(tier.make_again(pair, 0), Proved) else ""
            if not by and not shares:
                by = _by_the_rest(pair, looks)
            found.append({"pair": name, "pred": pred.sql, "gold": gold.sql, "by": by})
            if by == "algebra":
                found[-1] |= _forms(pair, rules)
    return found


def _by_the_rest(pair: Pair, looks: GenerateTier) -> str:
    try:
        if isinstance(looks.settle(pair, LOOKS), Refuted):
            return "databases"
        return "algebra" if isinstance(prove_alone(pair), Proved) else ""
    except Exception as error:  # noqa: BLE001 - told with its pair
        return f"{type(error).__name__}: {error}"


def _forms(pair: Pair, rules: RuleSet) -> Found:
    """Both normal forms, and the edit between them."""
    context = Context(pair.schema, pair.facts, pair.relation.rows)
    trees = [pair.pred.tree, pair.gold.tree]
    pred, gold = (normalise(tree, rules, context).tree for tree in trees if tree is not None)
    return {"edit": edit(pred, gold), "forms": [to_sql(pred), to_sql(gold)]}


def edit(left: exp.Expression, right: exp.Expression) -> str:
    """The kinds of nodes that one tree has more of than the other; the same with the sides changed."""
    kinds = [Counter(type(node).__name__ for node in tree.find_all(exp.Expression)) for tree in (left, right)]
    only = sorted(" ".join(sorted(more.elements())) for more in (kinds[0] - kinds[1], kinds[1] - kinds[0]))
    return " <> ".join(only) if any(only) else "(names and order only)"


def run(name: str, relation: str, workers: int, *, shares: bool) -> Iterator[Found]:
    """By whom each distinct pair of a corpus is settled under a relation."""
    with Pool(workers) as pool:
        for found in pool.imap_unordered(partial(settled, shares=shares), tasks(name, relation, 0, 0)):
            yield from ({"corpus": f"{name}:{relation}", **each} for each in found)


def table(found: Iterable[Found]) -> str:
    """How many of the distinct pairs each settles, as Markdown."""
    by_corpus: dict[str, Counter[str]] = defaultdict(Counter)
    for each in found:
        by_corpus[each["corpus"]][each["by"]] += 1
    lines = ["| corpus | distinct readable pairs | by rules | share | by algebra |", "|" + "---|" * 5]
    lines += [
        f"| {name} | {by.total()} | {by['rules']} | {by['rules'] / by.total():.2%} | {by['algebra']} |"
        for name, by in by_corpus.items()
    ]
    return "\n".join(lines)


def clusters(found: Iterable[Found]) -> Iterator[str]:
    """The clusters of what the algebra alone proves, largest first, each with some of its pairs."""
    by_edit: dict[str, list[Found]] = defaultdict(list)
    for each in found:
        if each["by"] == "algebra":
            by_edit[each["edit"]].append(each)
    for name, mine in sorted(by_edit.items(), key=lambda entry: -len(entry[1])):
        yield f"\n{len(mine)}  {name}"
        for each in mine[:SHOWN]:
            yield "  " + each["pair"]
            yield from (f"    {form}" for form in each["forms"])


def main() -> int:
    """Mine the corpora asked for, write what was found and print a table and the clusters."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", nargs="*", default=RUNS, metavar="CORPUS:RELATION")
    parser.add_argument("--shares", action="store_true", help="ask the rules alone")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    given.out.parent.mkdir(parents=True, exist_ok=True)
    found: list[Found] = []
    with given.out.open("w", encoding="utf-8") as out:
        for each in given.runs:
            for one in run(*each.split(":"), given.workers, shares=given.shares):
                found.append(one)
                print(json.dumps(one), file=out, flush=True)
    print(table(found))
    print("\n".join(clusters(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
