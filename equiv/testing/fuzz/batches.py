"""This module draws batches of random pairs, each batch on one schema, and attacks the pairs of a batch.

The pairs are near misses: a query, and the same query with one thing changed anywhere.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import cache
from itertools import islice, repeat
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from equiv.core.model import Schema
from equiv.core.query import Broken, Query
from equiv.dialects.registry import reference
from equiv.engine.make import all_rules, make_engine
from equiv.options import Options
from equiv.testing.fuzz.attacker import Asking, Attacker
from equiv.testing.making.comparisons import Questions
from equiv.testing.making.databases import Schemas
from equiv.testing.making.mutants import mutants
from equiv.testing.making.queries import Queries
from equiv.testing.making.remade_queries import disguised, within
from equiv.testing.making.texts import idioms

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
    for number, size in enumerate(sizes(pairs, PAIRS)):
        yield Batch(seed, number, schema, asking, size)


def sizes(pairs: int | None, most: int) -> Iterator[int]:
    """How many pairs each batch has of so many in all, at most so many each; None: endless."""
    if pairs is None:
        yield from repeat(most)
    else:
        yield from (min(most, pairs - start) for start in range(0, pairs, most))


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


def digest_of(folders: Iterable[Path]) -> str:
    """SHA-256 of the Python sources and the data in SQL and TOML below some folders, in their order."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for each in ("py", "sql", "toml") for path in folder.rglob(f"*.{each}")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def code_digest() -> str:
    """SHA-256 of the engine and the rules."""
    packages = {rule.module.partition(".")[0] for rule in all_rules()}
    names = {"equiv", "equiv.rules", *packages}
    folders = {Path(str(sys.modules[name].__file__)).parent for name in names}
    return digest_of(sorted(folders))


_MISSES = 8
"""How many near misses of one query are made."""

SIZES = (*((0,) * 14), *((1,) * 5), 2)
"""How large queries are, each size as often as it stands here."""

_IDIOMATIC = 0.35
"""The share of bases that are one question asked in two ways."""

_UNWRITTEN = 0.15
"""The share of bases that are two ways of a question that depends on collation and affinity."""

TextReader = Callable[[str], Query | Broken]


def same_twice(random: Random, schema: Schema) -> Iterator[tuple[str, str]]:
    """Endless random queries, each beside itself."""
    while True:
        yield (Queries(random, schema, random.choice(SIZES)).query(),) * 2


def same_question(random: Random, schema: Schema) -> Iterator[tuple[str, str]]:
    """Endless bases of all sorts: random queries beside themselves, and questions in two ways."""
    queries, asked = same_twice(random, schema), idioms(random, schema)
    compared = Questions(random, schema).pairs()
    while True:
        roll = random.random()
        yield next(asked if roll < _IDIOMATIC else compared if roll < _IDIOMATIC + _UNWRITTEN else queries)


def placed(
    texts: tuple[str, str], schema: Schema, read: TextReader, random: Random, number: int
) -> list[tuple[str, str]]:
    """A pair as parts of a query around them, in some of the ways of :func:`within`."""
    queries = [read(text) for text in texts]
    trees = [query.tree for query in queries if isinstance(query, Query) and query.tree is not None]
    found = [(one, other) for one, other in within(trees, schema)] if len(trees) == len(texts) else []
    return random.sample(found, min(number, len(found)))


def near_misses(
    schema: Schema, random: Random, bases: Iterable[tuple[str, str]], read: TextReader
) -> Iterator[tuple[int, str, str]]:
    """Near misses of queries, each with the number of the base that it comes from, and a text of the query.

    Two texts of a base stand beside each other first, if they are two.

    Args:
        schema: the tables.
        random: what the pairs depend on.
        bases: two texts of a query each; the second is changed, the first stands beside what comes of it.
        read: as :meth:`equiv.engine.pipeline.Engine.read`.
    """
    for number, (left, right) in enumerate(bases):
        query = read(right)
        if not isinstance(query, Query) or query.tree is None:
            continue
        if left != right:
            yield number, right, left
        asides = [Queries(random, schema).query()] if random.random() < 0.3 else []
        for miss in mutants(query.tree, schema, random.getrandbits(32), _MISSES, asides):
            text = left
            if random.random() < 0.25:
                miss = disguised(miss, random)  # noqa: PLW2901
            elif random.random() < 0.2:
                text = disguised(left, random)
            yield number, miss, text
