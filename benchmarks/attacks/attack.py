"""Proofs attacked with generated databases, and what came of it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Self

import benchmarks
import equiv
from equiv import rules
from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.engine.driver import decide
from equiv.engine.engine import Engine
from equiv.engine.make import make_engine
from equiv.options import Options
from equiv.relation import Rows, resolve_relation
from equiv.schema.locate import Place
from equiv.testing.fuzz.attacker import is_excused
from equiv.testing.fuzz.findings import golden_file
from equiv.testing.fuzz.tasks import digest_of
from equiv.testing.making.mutants import mutants
from equiv.tiers.data import DataTier
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import Refuted, Settler
from equiv.verdict import PROVERS, Equivalent


@dataclass(frozen=True, slots=True)
class Target:
    """What pairs are compared on, and how."""

    place: Place
    options: Options


@dataclass(frozen=True, slots=True)
class Task:
    """Some pairs on one target, to be attacked in one process."""

    target: Target
    pairs: tuple[tuple[str, str, str], ...]
    """Name, prediction, gold query."""
    effort: int
    """How many databases attack one proof under one relation."""
    mutants: int = 0
    """How many mutants of each gold query take the place of the predictions; 0: none."""
    only: str = ""
    """The tier whose proofs are attacked; '': all."""

    @property
    def key(self) -> str:
        """SHA-256 of all that the outcome depends on, the project's code included."""
        options = repr(self.target.options)
        parts = (
            code_digest(),
            self.target.place.digest,
            options,
            self.pairs,
            self.effort,
            self.mutants,
            self.only,
        )
        return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(slots=True)
class Report:
    """What attacks found; reports add up."""

    pairs: int = 0
    proved: Counter[str] = field(default_factory=Counter)
    """Proofs by tier and strongest relation."""
    databases: int = 0
    broken: list[str] = field(default_factory=list)
    """Proofs that a database breaks, each as a golden file."""

    def __iadd__(self, other: Report) -> Self:
        self.pairs += other.pairs
        self.proved += other.proved
        self.databases += other.databases
        self.broken += other.broken
        return self

    def to_json(self) -> dict[str, Any]:
        """As a JSON object that :meth:`of_json` reads back."""
        return {
            "pairs": self.pairs,
            "proved": dict(self.proved),
            "databases": self.databases,
            "broken": self.broken,
        }

    @staticmethod
    def of_json(value: dict[str, Any]) -> Report:
        """The report that :meth:`to_json` wrote."""
        return Report(value["pairs"], Counter(value["proved"]), value["databases"], value["broken"])


@cache
def code_digest() -> str:
    """SHA-256 of the engine, the rules and the benchmarks, wherever each is imported from."""
    return digest_of(Path(module.__path__[0]) for module in (equiv, rules, benchmarks))


def attack(task: Task) -> Report:
    """What came of trying to break every proof of the pairs of a task."""
    place = task.target.place
    report = Report()
    with closing(make_engine(place.schema, place.database, task.target.options)) as engine:
        provers = [tier for tier in engine.tiers if tier.tier in PROVERS]
        refuters: list[Settler] = [GenerateTier(engine.schema, engine.facts)]
        if place.database is not None:
            refuters.append(DataTier(place.database))
        for name, pred, gold in readable_pairs(task, engine):
            report.pairs += 1
            relation = resolve_relation(engine.relation, gold_orders=gold.orders)
            pair = Pair(pred, gold, engine.schema, engine.facts, relation)
            verdict = decide(pair, provers, 0)
            if not isinstance(verdict, Equivalent) or task.only not in ("", verdict.tier):
                continue
            strongest = verdict.strongest or relation
            report.proved[f"{verdict.tier} {strongest}"] += 1
            for claim in dict.fromkeys((strongest, relation, replace(relation, rows=Rows.SET))):
                report.databases += task.effort
                outcome = _first_refuted(replace(pair, relation=claim), refuters, task.effort)
                if outcome is not None and not is_excused(pair, outcome):
                    report.broken.append(golden_file(pair, claim, name, verdict, outcome))
    return report


def attacked(task: Task) -> dict[str, Any]:
    """:func:`attack`, and its report as a JSON object."""
    return attack(task).to_json()


def _first_refuted(pair: Pair, refuters: Iterable[Settler], effort: int) -> Refuted | None:
    found = (tier.settle(pair, effort) for tier in refuters)
    return next((outcome for outcome in found if isinstance(outcome, Refuted)), None)


def readable_pairs(task: Task, engine: Engine) -> Iterator[tuple[str, Query, Query]]:
    """The readable pairs of a task, each with a name."""
    if not task.mutants:
        for name, pred_sql, gold_sql in task.pairs:
            pred, gold = engine.read(pred_sql), engine.read(gold_sql)
            if isinstance(pred, Query) and isinstance(gold, Query):
                yield name, pred, gold
        return
    for gold_sql, name in {gold: name for name, _, gold in task.pairs}.items():
        gold = engine.read(gold_sql)
        if isinstance(gold, Query) and gold.tree is not None:
            seed = int.from_bytes(hashlib.sha256(gold_sql.encode("utf-8", "surrogatepass")).digest()[:4])
            for text in mutants(gold.tree, engine.schema, seed, task.mutants):
                pred = engine.read(text)
                if isinstance(pred, Query):
                    yield f"{name}, mutant", pred, gold
