"""Steps of rules that the driver refuses because they would change how values are compared, over corpora.

Every distinct query of the pairs of a corpus is normalised.  A step that would bring another collation or
another conversion to a comparison is counted by its rule; the first few are shown with what was compared,
how, and how it would have been.

Usage: ``python -m benchmarks.outcomes.rules_stopped rose-vec:bird calcite:bag --shown 5``.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from multiprocessing import Pool

from benchmarks.attacks.attack import Task, readable_pairs
from benchmarks.attacks.targets import tasks
from equiv.core.model import Context
from equiv.engine.make import make_engine
from equiv.relation import resolve_relation
from equiv.rewrite.normalise import RuleSet, normalise
from equiv.rules import RULES

RUNS = ("rose-vec:bird", "rose-bench:bird", "spider:spider", "calcite:bag", "literature:bag", "leetcode:bag")


@dataclass(frozen=True, slots=True)
class Refused:
    """A step that was refused, and the query in which it was."""

    rule: str
    change: str
    sql: str


def refused(task: Task) -> tuple[int, list[Refused]]:
    """How many distinct queries a task has, and the steps refused in them."""
    place, rules, seen = task.target.place, RuleSet(RULES), set()
    found = []
    with closing(make_engine(place.schema, place.database, task.target.options)) as engine:
        for _, pred, gold in readable_pairs(task, engine):
            relation = resolve_relation(engine.relation, gold_orders=gold.orders)
            context = Context(engine.schema, engine.facts, relation.rows)
            for query in (pred, gold):
                if query.tree is not None and (query.sql, relation.rows) not in seen:
                    seen.add((query.sql, relation.rows))
                    stopped = normalise(query.tree, rules, context).stopped
                    found += [Refused(each.rule, each.change, query.sql) for each in stopped]
    return len(seen), found


def report(name: str, queries: int, found: Iterable[Refused], shown: int) -> str:
    """The refused steps of a corpus, by rule, as Markdown."""
    found = list(found)
    counts = Counter(each.rule for each in found)
    examples: dict[str, dict[str, Refused]] = defaultdict(dict)
    for each in found:
        if len(examples[each.rule]) < shown:
            examples[each.rule].setdefault(each.change, each)
    lines = [f"### {name}: {queries} queries, {counts.total()} steps refused", ""]
    for rule, count in counts.most_common():
        lines += [f"- `{rule}`: {count}"]
        lines += [f"  - {each.change}; {' '.join(each.sql.split())}" for each in examples[rule].values()]
    return "\n".join([*lines, ""])


def main() -> None:
    """Print the refused steps of some corpora."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="*", default=list(RUNS), help="corpus:relation")
    parser.add_argument("--shown", type=int, default=2, help="how many steps of a rule are shown")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--limit", type=int, default=0, help="how many tasks of each corpus; 0: all")
    given = parser.parse_args()
    for run in given.runs:
        name, _, relation = run.partition(":")
        with Pool(given.workers) as pool:
            todo = list(tasks(name, relation, 0, 0))
            done = pool.map(refused, todo[: given.limit or None], chunksize=1)
        queries = sum(count for count, _ in done)
        print(report(run, queries, [each for _, found in done for each in found], given.shown), flush=True)


if __name__ == "__main__":
    main()
