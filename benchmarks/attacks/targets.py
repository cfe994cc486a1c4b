"""What is attacked: the pairs of a corpus, on the databases that they are compared on.

The project's own pairs are what its golden files decide and normalise, and the two of ``examples/``.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kit.harness import World, all_cases

import benchmarks
import equiv
from benchmarks import ROOT, command
from benchmarks.pairs.corpora import corpora, corpus
from equiv import rules
from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.dialects.registry import reference
from equiv.engine.make import make_engine
from equiv.engine.pipeline import Engine
from equiv.options import Options
from equiv.relation import RELATION_NAMES, resolve_relation
from equiv.schema.locate import Place
from equiv.testing.fuzz.batches import digest_of
from equiv.testing.making.mutants import mutants

OWN = "own"
BATCH = 20
"""How many pairs of one database one task has."""

Texts = tuple[str, str, str]
"""Name, prediction, gold query."""


@dataclass(frozen=True, slots=True)
class Target:
    """What pairs are compared on, and how."""

    place: Place
    options: Options

    def opened(self) -> AbstractContextManager[Engine]:
        """An engine for its pairs, closed at the end."""
        return closing(make_engine(self.place.schema, self.place.database, self.options))


@dataclass(frozen=True, slots=True)
class Task:
    """Some pairs on one target, to be attacked in one process."""

    target: Target
    pairs: tuple[Texts, ...]
    effort: int
    """How many databases attack one proof under one relation."""
    mutants: int = 0
    """How many mutants of each gold query take the place of the predictions; 0: none."""
    only: str = ""
    """The tier whose proofs are attacked; '': all."""

    @property
    def key(self) -> str:
        """SHA-256 of all that the outcome depends on, the project's code included."""
        target = self.target.place.digest, repr(self.target.options)
        return digest(code_digest(), *target, self.pairs, self.effort, self.mutants, self.only)


def digest(*parts: object) -> str:
    """SHA-256 of what an outcome depends on."""
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()


@cache
def code_digest() -> str:
    """SHA-256 of the engine, the rules and the benchmarks, wherever each is imported from."""
    return digest_of(Path(module.__path__[0]) for module in (equiv, rules, benchmarks))


def parser(doc: str | None, relation: str, **options: object) -> argparse.ArgumentParser:
    """The arguments that all attacks on corpora take."""
    mutants = 0, "of each gold query, instead of predictions"
    found = command.parser(doc, mutants=mutants, every=1, workers=2, **options)
    found.add_argument("corpus", choices=[OWN, *(each.name for each in corpora())], nargs="+")
    found.add_argument("--relation", choices=RELATION_NAMES, default=relation)
    return found


def readable_pairs(task: Task, engine: Engine) -> Iterator[tuple[str, Pair]]:
    """The readable pairs of a task, each with a name."""
    for name, pred_sql, gold_sql in _texts(task, engine):
        pred, gold = engine.read(pred_sql), engine.read(gold_sql)
        if isinstance(pred, Query) and isinstance(gold, Query):
            relation = resolve_relation(engine.relation, gold_orders=gold.orders)
            yield name, Pair(pred, gold, engine.schema, engine.facts, relation)


def _texts(task: Task, engine: Engine) -> Iterator[Texts]:
    if not task.mutants:
        yield from task.pairs
        return
    for gold, name in {gold: name for name, _, gold in task.pairs}.items():
        yield from ((f"{name}, mutant", text, gold) for text in mutants_of(gold, engine, task.mutants))


def mutants_of(sql: str, engine: Engine, number: int) -> Iterator[str]:
    """So many small changes of a query, which are always the same."""
    query = engine.read(sql)
    if isinstance(query, Query) and query.tree is not None and number:
        seed = int.from_bytes(hashlib.sha256(sql.encode("utf-8", "surrogatepass")).digest()[:4])
        yield from mutants(query.tree, engine.schema, seed, number)


def tasks(name: str, given: argparse.Namespace, effort: int = 0, only: str = "") -> list[Task]:
    """The tasks of a corpus, largest database first; pairs that stand twice are attacked once."""
    found = sorted(targets(name, given.relation), key=lambda entry: -len(entry[1]))
    return [
        Task(target, pairs[start : start + BATCH], effort, given.mutants, only)
        for target, pairs in found
        for start in range(0, len(pairs), BATCH)
    ][:: given.every]


def targets(name: str, relation: str) -> Iterator[tuple[Target, tuple[Texts, ...]]]:
    """What the pairs of a corpus are compared on, each with its (name, prediction, gold query)."""
    if name == OWN:
        yield from own_targets(relation)
        return
    chosen = corpus(name)
    items, places = chosen.read()
    by_place: dict[str, dict[tuple[str, str], str]] = {}
    for item in sorted(items, key=lambda item: item.gold_sql):
        names = by_place.setdefault(item.db_id, {})
        names.setdefault((item.predicted_sql, item.gold_sql), f"{name} {item.db_id} {item.question_id}")
    for db_id, found in by_place.items():
        target = Target(places[db_id], Options(relation=relation, dialect=chosen.dialect, timeout=None))
        yield target, tuple((label, pred, gold) for (pred, gold), label in found.items())


def own_targets(relation: str) -> Iterator[tuple[Target, tuple[Texts, ...]]]:
    """What to compare on, and the (name, prediction, gold query) to compare there."""
    by_world: dict[World, list[Texts]] = {}
    for case in all_cases():
        if case.world is not None and not case.world.dialect and len(case.parts) > 1:
            by_world.setdefault(case.world, []).append((case.name, case.parts[0], case.parts[1]))
    for number, (world, pairs) in enumerate(by_world.items()):
        options = Options(
            relation=relation, facts=world.policy, assume=world.assume, rounding=world.rounding, timeout=None
        )
        yield Target(Place(f"golden {number}", schema=world.schema), options), tuple(pairs)
    ddl = (ROOT / "dev_databases" / "card_games" / "schema.sql").read_text(encoding="utf-8")
    schema = reference().loader.read_ddl(ddl)
    texts = tuple(
        (name, _example(f"{stem}pred"), _example(f"{stem}gold"))
        for name, stem in (("examples", ""), ("examples, different", "different_"))
    )
    yield Target(Place("card_games", schema=schema), Options(relation=relation, timeout=None)), texts


def _example(stem: str) -> str:
    return (ROOT / "examples" / f"{stem}.sql").read_text(encoding="utf-8")
