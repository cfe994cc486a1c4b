"""Near misses as tasks: of generated queries on a schema, and of a corpus, its pairs within queries too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from time import process_time
from typing import Any

from benchmarks.attacks.schemas import WORLDS, World, bases
from benchmarks.attacks.targets import Target, Texts, code_digest, digest, mutants_of, targets
from equiv.testing.fuzz import batches as fuzzed
from equiv.testing.fuzz.attacker import Asking, Attacker
from equiv.testing.fuzz.batches import TextReader, sizes

BATCH = 200
"""How many generated pairs one task has."""
CORPUS_BATCH = 20


@dataclass(frozen=True, slots=True)
class Generated:
    """Near misses of generated queries on one schema."""

    world: World
    seed: int
    pairs: int
    asking: Asking

    @property
    def key(self) -> str:
        """SHA-256 of all that the outcome depends on."""
        return digest(code_digest(), self.world, self.seed, self.pairs, self.asking)


@dataclass(frozen=True, slots=True)
class Published:
    """Pairs of a corpus on one database, and mutants of their gold queries."""

    target: Target
    pairs: tuple[Texts, ...]
    mutants: int
    within: int
    """In how many ways each pair is put within a query."""
    asking: Asking

    @property
    def key(self) -> str:
        """SHA-256 of all that the outcome depends on."""
        target = self.target.place.digest, repr(self.target.options)
        return digest(code_digest(), *target, self.pairs, self.mutants, self.within, self.asking)


def attack(task: Generated | Published) -> dict[str, Any]:
    """What came of one task, as a JSON object."""
    target = Target(task.world.place, task.world.options) if isinstance(task, Generated) else task.target
    with target.opened() as engine:
        attacker = Attacker(engine, int(task.key[:8], 16), task.asking)
        start = process_time()
        if isinstance(task, Generated):
            for name, left, right in islice(near_misses(task.world, task.seed, engine.read), task.pairs):
                attacker.ask(name, left, right)
        else:
            golds = {gold: name for name, _, gold in task.pairs}
            for name, pred, gold in task.pairs:
                attacker.ask(name, pred, gold)
            for gold, name in golds.items():
                for miss in mutants_of(gold, engine, task.mutants):
                    attacker.ask(f"{name}, mutant", miss, gold)
            for name, pred, gold in task.pairs if task.within else ():
                random = Random(f"{pred} {gold}")
                for pair in fuzzed.placed((pred, gold), engine.schema, engine.read, random, task.within):
                    attacker.ask(f"{name}, within a query", *pair)
                    for text in pair:
                        attacker.ask_normal_form(f"{name}, within a query", text)
    return {"seconds": process_time() - start, **attacker.found.to_json()}


def near_misses(world: World, seed: int, read: TextReader) -> Iterator[tuple[str, str, str]]:
    """Endless pairs on a schema, each with a name: a near miss of a query, and a text of the query.

    Args:
        world: the schema.
        seed: what the pairs depend on.
        read: makes a :class:`~equiv.core.query.Query` of a text, as :meth:`Engine.read` does.
    """
    random, schema = Random(f"{world.name} {seed}"), world.schema
    for number, miss, shown in fuzzed.near_misses(schema, random, bases(world, schema, random), read):
        yield f"{world.name}, seed {seed}, query {number}", miss, shown


def generated(pairs: int, seed: int, asking: Asking) -> list[Generated]:
    """Tasks of so many pairs in all."""
    drawn = [world for world in WORLDS for _ in range(world.weight)]
    Random(seed).shuffle(drawn)
    return [
        Generated(drawn[number % len(drawn)], seed * 1_000_000 + number, size, asking)
        for number, size in enumerate(sizes(pairs, BATCH))
    ]


def published(name: str, number: int, ways: int, asking: Asking) -> list[Published]:
    """Tasks of all pairs of a corpus, of mutants of each gold query, and of the pairs within others."""
    return [
        Published(target, pairs[start : start + CORPUS_BATCH], number, ways, asking)
        for target, pairs in targets(name, "bag")
        for start in range(0, len(pairs), CORPUS_BATCH)
    ]
