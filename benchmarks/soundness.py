"""Attack every proof: 20 times the normal generation effort against each proved pair.

A pair proved under a relation must not be refuted under it or a looser one.
Usage: ``python -m benchmarks.soundness rose-vec --relation bird``; exit code 1 if a proof is broken.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path

from benchmarks.corpora import corpora, corpus
from equiv.api import EFFORTS, Options, make_engine
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
    proved = databases = 0
    broken = []
    for item in task.items:
        pred, gold = engine.read(item.predicted_sql), engine.read(item.gold_sql)
        if not isinstance(pred, Query) or not isinstance(gold, Query):
            continue
        relation = resolve_relation(task.relation, gold_orders=gold.orders)
        if not isinstance(rules.settle(Pair(pred, gold, engine.schema, engine.facts, relation), 0), Proved):
            continue
        proved += 1
        for weaker in looser(relation):
            pair = Pair(pred, gold, engine.schema, engine.facts, weaker)
            databases += task.effort
            if isinstance(refuter.settle(pair, task.effort), Refuted):
                broken.append(f"{item.db_id} {item.question_id} under {weaker}:\n  {pred.sql}\n  {gold.sql}")
    return Report(len(task.items), proved, databases, tuple(broken))


def tasks(arguments: tuple[str, ...], relation: str, effort: int) -> list[Task]:
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
    made = [Task(places[name], tuple(found), relation, effort) for name, found in by_place.items()]
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
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    work = tasks(corpus(given.corpus).arguments, given.relation, given.effort)
    with Pool(given.workers) as pool:
        found = total(pool.imap_unordered(attack, work))
    print(f"{found.pairs} distinct pairs, {found.proved} proved by rules, {found.databases} databases tried")
    print(f"{len(found.broken)} proofs broken")
    print("\n".join(found.broken))
    return 1 if found.broken else 0


if __name__ == "__main__":
    sys.exit(main())
