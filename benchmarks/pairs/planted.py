"""Near misses with conditions that values drawn at random rarely meet, each planted on rows that meet it.

Rows are drawn first, then conditions that hold on them (a remainder, a pattern, a product, a part of a date),
then a query of some shape and a near miss of it.  A pair is kept if SQLite tells the two apart on rows near
the planted ones, so every pair is known to be no equivalence.  The planted rows are not part of the pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from benchmarks.pairs.planted_conditions import Cells
from benchmarks.pairs.planted_shapes import SHAPES, Maker, Pair, Shape
from benchmarks.pairs.planted_worlds import WORLDS, World
from equiv.core.runner import Connection

_TRIES = 60


@dataclass(frozen=True)
class Planted:
    """A pair that is known not to be equivalent."""

    name: str
    kind: str
    world: World
    pred: str
    gold: str


def planted(seed: int, number: int) -> Iterator[Planted]:
    """So many pairs; each depends on the seed and its place alone."""
    made, at = 0, 0
    while made < number:
        rng = Random(f"planted {seed} {at}")
        at += 1
        world = WORLDS[at % len(WORLDS)]
        shape = SHAPES[at % len(SHAPES)]
        pair = _pair(world, shape, rng)
        if pair is not None:
            made += 1
            yield Planted(f"{seed}-{at}", shape.__name__.strip("_"), world, *pair)


def _pair(world: World, shape: Shape, rng: Random) -> Pair | None:
    """A pair that SQLite tells apart near the planted rows; None if it does not."""
    make = Maker(world, rng)
    pred, gold = shape(make)
    with closing(Connection()) as connection:
        connection.run_script(world.ddl)
        for _ in range(_TRIES):
            if _differs(connection, make, pred, gold):
                return pred, gold
    return None


def _differs(connection: Connection, make: Maker, pred: str, gold: str) -> bool:
    """Whether the two answers differ on planted rows, some of them changed, repeated or left out."""
    w, rng = make.world, make.rng
    connection.execute(f"DELETE FROM {w.child}")
    connection.execute(f"DELETE FROM {w.parent}")
    parents = [make.parent, *(make.parent for _ in range(rng.randrange(2)))]
    for number, row in enumerate(parents):
        _insert(connection, w.parent, {**_changed(make, row), w.key: number + 1, **_unique(w, number)})
    number = 0
    tags = rng.sample(("north", "south", "early", "late", "spare"), 5)
    for row in make.children:
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            number += 1
            tag = tags[0] if rng.random() < 0.5 else rng.choice(tags)
            cells = {w.child_key: number, w.reference: rng.choice((1, 1, len(parents))), w.tag: tag}
            _insert(connection, w.child, {**_changed(make, row), **cells})
    found = [sorted(map(repr, connection.execute(text))) for text in (pred, gold)]
    return found[0] != found[1]


def _unique(world: World, number: int) -> Cells:
    return {world.label: f"other{number}"} if number and world.name == "works" else {}


def _changed(make: Maker, row: Cells) -> Cells:
    """A row with no, or one, cell changed a little."""
    rng, cells = make.rng, dict(row)
    if rng.random() < 0.4:
        name = rng.choice(list(cells))
        value = cells[name]
        if isinstance(value, int):
            cells[name] = value + rng.choice((-1, 1, 2, 1000))
        elif isinstance(value, str) and len(value) == 10 and value[4] == "-" and value[:4].isdigit():
            cells[name] = (
                date.fromisoformat(value) + timedelta(days=rng.choice((-1, 1, 7, 365)))
            ).isoformat()
        elif isinstance(value, str):
            cells[name] = rng.choice(
                (value + "x", value[:-1], value + value, value[:1] + value, value.upper())
            )
    return cells


def _insert(connection: Connection, table: str, row: Cells) -> None:
    marks = ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))
