"""Tasks of pairs put to the provers on one schema of PostgreSQL, each proof attacked there."""

from __future__ import annotations

import hashlib
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from random import Random
from time import process_time
from typing import Any

from benchmarks.attacks.attack import code_digest
from benchmarks.postgres.pool import Pool
from benchmarks.postgres.worlds import Questions, world
from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.dialects.registry import dialect_named
from equiv.engine.engine import Engine
from equiv.engine.families import told_apart_by_types
from equiv.engine.make import make_engine
from equiv.options import Options
from equiv.relation import Columns, Relation, Rows
from equiv.testing.fuzz.attacker import Asking, Attacker
from equiv.tiers.outcome import Settler

WAYS = 8
"""How many ways of one question stand beside each other."""

PAIRS = 28
"""How many of their pairs are asked about."""

ASKED = (Rows.LIST, Rows.BAG, Rows.BAG, Rows.SET)
"""The relations that are asked about, each as often as it stands here."""


@dataclass(frozen=True, slots=True)
class Task:
    """Some pairs on one schema."""

    seed: int
    number: int
    pairs: int
    databases: int
    seconds: float

    @property
    def key(self) -> str:
        """SHA-256 of all that the outcome depends on."""
        return hashlib.sha256(repr((code_digest(), self)).encode()).hexdigest()


class PostgresAttacker(Attacker):
    """Attacks proofs with the databases of a pool on PostgreSQL."""

    def __init__(self, engine: Engine, seed: int, seconds: float, pool: Pool) -> None:
        super().__init__(engine, seed, Asking(0, seconds, 0))
        self._pool, self._choices = pool, Random(seed)
        self.turn()

    def turn(self) -> None:
        """Draw the relation that is asked about from now on."""
        self._relation = Relation(self._choices.choice(ASKED), Columns.ORDERED)

    def relation(self) -> Relation:
        """The relation that is asked about first."""
        return self._relation

    def paired(self, pred: Query, gold: Query) -> tuple[Query, Query]:
        """Both queries, as the engine compares them: values of types that have none in common apart."""
        return told_apart_by_types(pred, gold, self._relation, alike=False)

    def _attack(self, name: str, pair: Pair, tiers: list[Settler]) -> bool:
        self.found.databases += len(self._pool)
        found = self._pool.parting(pair)
        if found is None:
            return True
        place, one, other = found
        by = ", ".join(str(tier.tier) for tier in tiers)
        rows = "\n".join(f"# {line}" for line in self._pool.scripts[place][1:])
        answers = f"# {one}\n# {other}"
        head = f"# {name}: {by} proves under {pair.relation} what a database refutes"
        texts = f"{pair.pred.sql}\n----\n{pair.gold.sql}\n----\nnot_equivalent"
        self.found.broken.append(
            f"{head}\n{rows}\n{answers}\nschema dialect=postgres\n{self._pool.scripts[place][0]}\n\ndecide "
            f"relation={pair.relation.rows}\n{texts}"
        )
        return False


def attack(task: Task) -> dict[str, Any]:
    """What came of one task, as a JSON object."""
    random = Random(f"postgres {task.seed} {task.number}")
    start, drawn = process_time(), world(random)
    schema = dialect_named("postgres").loader.read_ddl(drawn.ddl, "drawn")
    questions = Questions(random)
    with (
        closing(make_engine(schema, None, Options(timeout=None, dialect="postgres"))) as engine,
        closing(Pool(drawn, random.getrandbits(32), task.databases)) as pool,
        closing(PostgresAttacker(engine, random.getrandbits(32), task.seconds, pool)) as attacker,
    ):
        asked = 0
        while asked < task.pairs:
            attacker.turn()
            pairs = list(combinations(questions.ways(WAYS), 2))
            chosen = random.sample(pairs, min(PAIRS, len(pairs), task.pairs - asked))
            for number, (one, other) in enumerate(chosen):
                attacker.ask(f"seed {task.seed}, task {task.number}, pair {asked + number}", one, other)
            asked += max(1, len(chosen))
        return {"seconds": process_time() - start, **attacker.found.to_json()}
