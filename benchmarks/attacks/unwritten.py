"""Tasks of pairs of ways to ask a question whose answer hangs on collation and affinity, a schema each."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from benchmarks.attacks.pools import PoolAttacker
from benchmarks.attacks.targets import code_digest, digest
from equiv.core.model import Schema
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.engine.make import make_engine
from equiv.errors import InputError
from equiv.options import Options
from equiv.testing.fuzz.attacker import Asking
from equiv.testing.fuzz.batches import sizes
from equiv.testing.making.comparisons import KINDS, QUESTIONS, Questions
from equiv.testing.making.databases import Schemas

BATCH = 250
"""How many pairs one task has, on one schema."""

WAYS = 8
"""How many ways of one question stand beside each other."""

PAIRS = 28
"""How many of their pairs are asked about."""

DATABASES = 80
"""How many databases of a schema attack each of its proofs."""

TABLES = 2
"""How many tables a drawn schema has at most."""

OWN = 0.3
"""The share of tasks on a schema of :data:`KNOWN`."""

POLICIES = ("intended", "declared", "declared")
"""The fact policies, each as often as it stands here: under ``declared`` columns hold values of any type."""

KNOWN = Path(__file__).with_name("known_schemas.sql").read_text(encoding="utf-8").split("\n\n")
"""Schemas of which some tasks take one; the others draw theirs."""


@dataclass(frozen=True, slots=True)
class Unwritten:
    """Some pairs on one schema."""

    seed: int
    number: int
    pairs: int
    asking: Asking
    kind: str = ""
    """The kind of the questions; '': all kinds."""

    @property
    def key(self) -> str:
        """SHA-256 of all that the outcome depends on."""
        return digest(code_digest(), self.seed, self.number, self.pairs, self.asking, DATABASES, self.kind)


def unwritten(pairs: int, seed: int, asking: Asking, kind: str = "") -> list[Unwritten]:
    """Tasks of so many pairs in all."""
    return [Unwritten(seed, number, size, asking, kind) for number, size in enumerate(sizes(pairs, BATCH))]


def attack_unwritten(task: Unwritten) -> dict[str, Any]:
    """What came of one task, as a JSON object."""
    random = Random(f"unwritten {task.seed} {task.number}")
    options = Options(facts=random.choice(POLICIES), timeout=None)
    start = process_time()
    with closing(make_engine(_schema(random), None, options)) as engine:
        questions = Questions(random, engine.schema, KINDS.get(task.kind, QUESTIONS))
        with closing(PoolAttacker(engine, random.getrandbits(32), task.asking, DATABASES)) as attacker:
            asked = 0
            while asked < task.pairs:
                attacker.turn()
                pairs = list(combinations(questions.ways(WAYS), 2))
                chosen = random.sample(pairs, min(PAIRS, len(pairs), task.pairs - asked))
                for number, (one, other) in enumerate(chosen):
                    name = f"seed {task.seed}, task {task.number}, pair {asked + number}"
                    attacker.ask(name, one, other)
                asked += max(1, len(chosen))
    return {"seconds": process_time() - start, **attacker.found.to_json()}


def _schema(random: Random) -> Schema:
    while True:
        if random.random() < OWN:
            return load_ddl(random.choice(KNOWN), "known")
        try:
            return Schemas(random).schema(TABLES)
        except InputError:
            continue
