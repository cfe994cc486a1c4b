"""Near misses: a query with one thing changed anywhere, beside a text of the query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random

from equiv.core.model import Schema
from equiv.core.query import Broken, Query
from equiv.testing.making.comparisons.questions import Questions
from equiv.testing.making.equivalent_texts import disguised
from equiv.testing.making.idioms import idioms
from equiv.testing.making.mutants import mutants
from equiv.testing.making.nested_queries import within
from equiv.testing.making.queries import Queries

MISSES = 8
"""How many near misses of one query are made."""

SIZES = (*((0,) * 14), *((1,) * 5), 2)
"""How large queries are, each size as often as it stands here."""

IDIOMATIC = 0.35
"""The share of bases that are one question asked in two ways."""

UNWRITTEN = 0.15
"""The share of bases that are two ways of a question that hangs on collation and affinity."""

Read = Callable[[str], Query | Broken]


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
        yield next(asked if roll < IDIOMATIC else compared if roll < IDIOMATIC + UNWRITTEN else queries)


def placed(
    texts: tuple[str, str], schema: Schema, read: Read, random: Random, number: int
) -> list[tuple[str, str]]:
    """A pair as parts of a query around them, in some of the ways of :func:`within`."""
    queries = [read(text) for text in texts]
    trees = [query.tree for query in queries if isinstance(query, Query) and query.tree is not None]
    found = [(one, other) for one, other in within(trees, schema)] if len(trees) == len(texts) else []
    return random.sample(found, min(number, len(found)))


def near_misses(
    schema: Schema, random: Random, bases: Iterable[tuple[str, str]], read: Read
) -> Iterator[tuple[int, str, str]]:
    """Near misses of queries, each with the number of the base that it comes from, and a text of the query.

    Two texts of a base stand beside each other first, if they are two.

    Args:
        schema: the tables.
        random: what the pairs depend on.
        bases: two texts of a query each; the second is changed, the first stands beside what comes of it.
        read: as :meth:`equiv.engine.engine.Engine.read`.
    """
    for number, (left, right) in enumerate(bases):
        query = read(right)
        if not isinstance(query, Query) or query.tree is None:
            continue
        if left != right:
            yield number, right, left
        asides = [Queries(random, schema).query()] if random.random() < 0.3 else []
        for miss in mutants(query.tree, schema, random.getrandbits(32), MISSES, asides):
            text = left
            if random.random() < 0.25:
                miss = disguised(miss, random)  # noqa: PLW2901
            elif random.random() < 0.2:
                text = disguised(left, random)
            yield number, miss, text
