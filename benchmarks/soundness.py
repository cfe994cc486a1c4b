"""Attack every proof: 20 times the normal generation effort against each proved pair.

A pair proved under a relation must not be refuted under it or a looser one.  With ``--mutants N`` the pairs
are not those of the corpus but each of its gold queries against N small changes of it.

Usage: ``python -m benchmarks.soundness rose-vec --relation bird``; exit code 1 if a proof is broken.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path

from benchmarks.corpora import corpora, corpus
from benchmarks.mutation import mutants
from equiv.api import EFFORTS, Options, make_engine
from equiv.engine import Engine
from equiv.eval.formats import format_named, read_items
from equiv.item import Item
from equiv.locate import Place, places_for_eval
from equiv.pair import Pair
from equiv.query import Query
from equiv.relation import RELATION_NAMES, Columns, Relation, Rows, resolve_relation
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import Proved, Refuted
from equiv.tiers.rules import RulesTier

EFFORT = 20 * EFFORTS["normal"]


@dataclass(frozen=True, slots=True)
class Task:
    """The pairs of one database, to be attacked in one process."""

    place: Place
    items: tuple[Item, ...]
    relation: str
    effort: int
    mutants: int = 0
    """How many mutants of each gold query take the place of the predictions; 0: none."""


@dataclass(frozen=True, slots=True)
class Report:
    """What an attack on the pairs of one database found."""

    pairs: int
    proved: int
    databases: int
    broken: tuple[str, ...]


def looser(relation: Relation) -> list[Relation]:
    """The relation and every looser one."""
    columns = [relation.columns] if relation.columns is Columns.ANY else list(Columns)
    return [Relation(rows, c) for rows in Rows if relation.rows.implies(rows) for c in columns]


def attack(task: Task) -> Report:
    """Try to break every proof of one database's pairs."""
    engine = make_engine(
        task.place.schema, task.place.database, Options(relation=task.relation, timeout=None)
    )
    rules = next(tier for tier in engine.tiers if isinstance(tier, RulesTier))
    refuter = GenerateTier(engine.schema, engine.facts)
    pairs = proved = databases = 0
    broken = []
    for name, pred, gold in _pairs(task, engine):
        pairs += 1
        relation = resolve_relation(task.relation, gold_orders=gold.orders)
        if not isinstance(rules.settle(Pair(pred, gold, engine.schema, engine.facts, relation), 0), Proved):
            continue
        proved += 1
        for weaker in looser(relation):
            databases += task.effort
            pair = Pair(pred, gold, engine.schema, engine.facts, weaker)
            if isinstance(refuter.settle(pair, task.effort), Refuted):
                broken.append(f"{name} under {weaker}:\n  {pred.sql}\n  {gold.sql}")
    return Report(pairs, proved, databases, tuple(broken))


def _pairs(task: Task, engine: Engine) -> Iterator[tuple[str, Query, Query]]:
    """The readable pairs of a task, each with a name."""
    golds = dict.fromkeys(item.gold_sql for item in task.items)
    if task.mutants:
        for number, text in enumerate(golds):
            gold = engine.read(text)
            if isinstance(gold, Query) and gold.tree is not None:
                for mutant in mutants(gold.tree, engine.schema, number, task.mutants):
                    pred = engine.read(mutant)
                    if isinstance(pred, Query):
                        yield f"{task.place.name}: mutant", pred, gold
        return
    for item in task.items:
        pred, gold = engine.read(item.predicted_sql), engine.read(item.gold_sql)
        if isinstance(pred, Query) and isinstance(gold, Query):
            yield f"{item.db_id} {item.question_id}", pred, gold


def tasks(arguments: tuple[str, ...], relation: str, effort: int, number: int = 0) -> list[Task]:
    """One task per database, largest first; pairs that stand twice are attacked once."""
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--gold", type=Path)
    parser.add_argument("--format", default="auto")
    parser.add_argument("--db-root", type=Path)
    parser.add_argument("--schema", type=Path)
    given = parser.parse_args(arguments)
    items = list(read_items(given.files, given.gold, format_named(given.format)))
    places = places_for_eval([item.db_id for item in items], given.db_root, given.schema)
    distinct: dict[tuple[str, str, str], Item] = {}
    for item in items:
        distinct.setdefault((item.db_id, item.predicted_sql, item.gold_sql), item)
    by_place: dict[str, list[Item]] = {}
    for item in distinct.values():
        by_place.setdefault(item.db_id, []).append(item)
    made = [Task(places[name], tuple(found), relation, effort, number) for name, found in by_place.items()]
    return sorted(made, key=lambda task: -len(task.items))


def total(reports: Iterable[Report]) -> Report:
    """The sum of some reports."""
    found = list(reports)
    return Report(
        sum(r.pairs for r in found),
        sum(r.proved for r in found),
        sum(r.databases for r in found),
        tuple(text for r in found for text in r.broken),
    )


def main() -> int:
    """Attack one corpus and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", choices=[c.name for c in corpora()])
    parser.add_argument("--relation", choices=RELATION_NAMES, default="bird")
    parser.add_argument("--effort", type=int, default=EFFORT)
    parser.add_argument("--mutants", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    work = tasks(corpus(given.corpus).arguments, given.relation, given.effort, given.mutants)
    with Pool(given.workers) as pool:
        found = total(pool.imap_unordered(attack, work))
    print(f"{found.pairs} distinct readable pairs, {found.proved} proved by rules")
    print(f"{found.databases} databases tried")
    print(f"{len(found.broken)} proofs broken")
    print("\n".join(found.broken))
    return 1 if found.broken else 0


if __name__ == "__main__":
    sys.exit(main())
