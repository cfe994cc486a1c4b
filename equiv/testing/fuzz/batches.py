"""Batches of random pairs on one schema each, and what comes of asking about one."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import cache
from itertools import count, islice
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from equiv.core.model import Schema
from equiv.dialects.registry import reference
from equiv.engine.make import all_rules, make_engine
from equiv.options import Options
from equiv.testing.fuzz.attacker import Asking, Attacker
from equiv.testing.fuzz.near_misses import near_misses, placed, same_question
from equiv.testing.fuzz.tasks import digest_of
from equiv.testing.making.schemas import Schemas

PAIRS = 50
"""How many pairs a batch has at most, besides those that stand within a query."""

WITHIN = 0.2
"""The share of pairs that are asked about as parts of a query around them, too."""

TABLES = 3
"""How many tables a drawn schema has at most."""

POLICIES = ("intended", "intended", "declared")
"""The fact policies, each as often as it stands here."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch of random pairs on one schema."""

    seed: int
    number: int
    schema: Schema | None
    """What they are made on; None: a schema is drawn."""
    asking: Asking
    pairs: int

    @property
    def key(self) -> str:
        """SHA-256 of all that the outcome depends on, the code included."""
        tables = reference().create(self.schema) if self.schema is not None else []
        parts = (code_digest(), self.seed, self.number, self.pairs, tables, asdict(self.asking))
        return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()


def batches(seed: int, schema: Schema | None, asking: Asking, pairs: int | None) -> Iterator[Batch]:
    """The batches of a seed with so many pairs in all; None: endless."""
    starts = count(0, PAIRS) if pairs is None else range(0, pairs, PAIRS)
    for number, start in enumerate(starts):
        yield Batch(seed, number, schema, asking, PAIRS if pairs is None else min(PAIRS, pairs - start))


def attacked(batch: Batch) -> dict[str, Any]:
    """The findings of a batch, as a JSON object."""
    random = Random(f"fuzz {batch.seed} {batch.number}")
    schema = batch.schema or Schemas(random).schema(TABLES)
    options = Options(facts=random.choice(POLICIES), timeout=None)
    start = process_time()
    with closing(make_engine(schema, None, options)) as engine:
        attacker = Attacker(engine, random.getrandbits(32), batch.asking)
        misses = near_misses(schema, random, same_question(random, schema), engine.read)
        for number, miss, text in islice(misses, batch.pairs):
            name = f"seed {batch.seed}, batch {batch.number}, query {number}"
            attacker.ask(name, miss, text)
            if random.random() < WITHIN:
                for one, other in placed((miss, text), engine.schema, engine.read, random, 1):
                    attacker.ask(f"{name}, within a query", one, other)
                    attacker.ask_normal_form(f"{name}, within a query", one)
    return {"seconds": process_time() - start, **attacker.found.to_json()}


@cache
def code_digest() -> str:
    """SHA-256 of the engine and the rules."""
    packages = {rule.module.partition(".")[0] for rule in all_rules()}
    names = {"equiv", "equiv.rules", *packages}
    folders = {Path(str(sys.modules[name].__file__)).parent for name in names}
    return digest_of(sorted(folders))
