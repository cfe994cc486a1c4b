"""Near misses with conditions that values drawn at random rarely meet, each planted on rows that meet it.

The schemas are a parent and a child each, with keys, with few and with none.  Rows are drawn first, then
conditions that hold on them (a remainder, a pattern, a product, a part of a date), each with one that is
nearly the same, then a query of some shape and a near miss of it.  A pair is kept if SQLite tells the two
apart on rows near the planted ones, so every pair is known to be no equivalence.  The planted rows are not
part of the pair.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random
from string import ascii_lowercase

from equiv.core.runner import Connection


@dataclass(frozen=True)
class World:
    """A schema of a parent and a child, and the columns that conditions may read, by kind."""

    name: str
    ddl: str
    parent: str
    key: str
    label: str
    child: str
    child_key: str
    reference: str
    tag: str
    columns: dict[str, dict[str, list[str]]]
    """For each table its columns: ``whole``, ``text``, ``day``, ``clock``."""


_PRINTED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
WORLDS = tuple(World(**each) for each in _PRINTED["world"])


Cells = dict[str, int | float | str]
Condition = tuple[str, str]
"""A condition that the row meets, and another one like it."""


CONDITIONS = [(kind, way) for kind, ways in _PRINTED["conditions"].items() for way in ways]
"""The kind of a column, and a form of both conditions; perhaps what is drawn for it."""


def _said(kind: str, cell: float | str, other: float | str, by: int) -> dict[str, object]:
    """What conditions say of a cell, and of another of its row."""
    text = str(cell)
    ends = {"text": text, "first": text[0], "last": text[-1], "two": text[:2], "size": len(text)}
    match kind:
        case "whole":
            v, w = int(cell), int(other)
            return ends | {
                "by": by,
                "rest": v % by,
                "next": (v + 1) % by,
                "other": other,
                "by11": v % 11,
                "by13": v % 13,
                "off13": (v + 4) % 13,
                "by17": v // 17,
                "square": v * v,
                "product": v * w,
                "sum": v + 3 * w,
                "more": v + 3 * w + 1,
                "gap": abs(v - w),
                "low": v & 63,
                "lower": v & 127,
            }
        case "text":
            where = {"fourth": text[3], "at": text.index(text[3]) + 1, "inner": text[1:3], "tail": text[-2:]}
            return ends | where | {"drawn": text[by], "upper": text.upper(), "start": text[:-1].upper()}
        case "day":
            day = date.fromisoformat(text)
            near = day + timedelta(days=1 if day.month < 12 else -1)
            age = (date(2024, 3, 1) - day).days
            return ends | {"day": day, "near": near, "then": day + timedelta(days=45), "age": age}
    return ends | {"minutes": text[3:5]}


DAY_ZERO = date(1990, 1, 1)


class Maker:
    """Conditions on planted rows of one world, and the rows."""

    def __init__(self, world: World, rng: Random) -> None:
        self.world = world
        self.rng = rng
        self.parent = self._row(world.parent)
        self.children = [self._row(world.child) for _ in range(3)]

    def _row(self, table: str) -> Cells:
        rng, kinds = self.rng, self.world.columns[table]
        row: Cells = {name: rng.randrange(20, 4000) for name in kinds["whole"]}
        row |= {name: self._text() for name in kinds["text"]}
        row |= {name: (DAY_ZERO + timedelta(days=rng.randrange(11_000))).isoformat() for name in kinds["day"]}
        row |= {
            name: f"{rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}"
            for name in kinds["clock"]
        }
        return row

    def _text(self) -> str:
        rng = self.rng
        letters = ascii_lowercase + "0123456789-"
        return "".join(rng.choice(letters) for _ in range(rng.randrange(4, 13)))

    def on(self, alias: str, row: Cells, parts: int = 1) -> Condition:
        """A conjunction of conditions on one row, and one in which a part differs."""
        table = self.world.parent if row is self.parent else self.world.child
        found = [self._one(alias, row, table) for _ in range(parts)]
        changed = self.rng.randrange(parts)
        near = [miss if at == changed else text for at, (text, miss) in enumerate(found)]
        return " AND ".join(text for text, _ in found), " AND ".join(near)

    def _one(self, alias: str, row: Cells, table: str) -> Condition:
        kinds, rng = self.world.columns[table], self.rng
        kind, (held, near, *drawn) = rng.choice([each for each in CONDITIONS if kinds[each[0]]])
        names = rng.sample(kinds[kind], len(kinds[kind]))
        by = 1
        if drawn:
            by = rng.choice(drawn[0]) if drawn[0] else rng.randrange(1, len(str(row[names[0]])) - 1)
        said = _said(kind, row[names[0]], row[names[-1]], by)
        said |= {"x": f"{alias}.{names[0]}", "y": f"{alias}.{names[-1]}"}
        return held.format(**said), near.format(**said)


Pair = tuple[str, str]
Shape = Callable[[Maker], Pair]


def _row(make: Maker) -> Pair:
    w = make.world
    held, near = make.on("p", make.parent, make.rng.choice((1, 2, 2, 3)))
    head = f"SELECT p.{w.key} FROM {w.parent} AS p WHERE "
    return head + near, head + held


def _join(make: Maker) -> Pair:
    w = make.world
    first, _ = make.on("p", make.parent)
    held, near = make.on("c", make.children[0], make.rng.choice((1, 2)))
    joined = f"{w.parent} AS p JOIN {w.child} AS c ON c.{w.reference} = p.{w.key}"
    head = f"SELECT p.{w.label}, c.{w.tag} FROM {joined}"
    return f"{head} WHERE {first} AND {near}", f"{head} WHERE {first} AND {held}"


def _second_match(make: Maker) -> Pair:
    w = make.world
    held, _ = make.on("c", make.children[0], make.rng.choice((1, 2)))
    inner = f"{w.child} AS c WHERE c.{w.reference} = p.{w.key} AND {held}"
    joined = f"{w.parent} AS p JOIN {w.child} AS c ON c.{w.reference} = p.{w.key}"
    join = f"SELECT p.{w.label} FROM {joined} WHERE {held}"
    return join, f"SELECT p.{w.label} FROM {w.parent} AS p WHERE EXISTS (SELECT 1 FROM {inner})"


def _missing(make: Maker) -> Pair:
    w = make.world
    held, near = make.on("c", make.children[0], make.rng.choice((1, 2)))

    def text(condition: str) -> str:
        inner = f"SELECT 1 FROM {w.child} AS c WHERE c.{w.reference} = p.{w.key} AND {condition}"
        return f"SELECT p.{w.label} FROM {w.parent} AS p WHERE NOT EXISTS ({inner})"

    return text(near), text(held)


def _padded(make: Maker) -> Pair:
    w = make.world
    held, near = make.on("c", make.children[0])
    joined = f"{w.child} AS c ON c.{w.reference} = p.{w.key}"
    head = f"SELECT p.{w.label}, c.{w.tag} FROM {w.parent} AS p LEFT JOIN {joined}"
    return f"{head} AND {near}", f"{head} AND {held}"


def _both(make: Maker) -> Pair:
    w = make.world
    one, _ = make.on("c", make.children[0])
    two, near = make.on("c", make.children[1])

    def some(condition: str) -> str:
        return f"EXISTS (SELECT 1 FROM {w.child} AS c WHERE c.{w.reference} = p.{w.key} AND {condition})"

    head = f"SELECT p.{w.label} FROM {w.parent} AS p WHERE "
    other = some(f"{one} AND {two}") if make.rng.random() < 0.5 else f"{some(one)} AND {some(near)}"
    return head + other, f"{head}{some(one)} AND {some(two)}"


def _shared(make: Maker) -> Pair:
    w = make.world
    one, _ = make.on("c", make.children[0])
    two, near = make.on("c", make.children[1])
    sign = make.rng.choice(("INTERSECT", "EXCEPT"))
    head = f"SELECT c.{w.reference} FROM {w.child} AS c WHERE "
    miss = near if make.rng.random() < 0.5 else f"{one} AND {two}"
    return f"{head}{one} {sign} {head}{miss}", f"{head}{one} {sign} {head}{two}"


def _group(make: Maker) -> Pair:
    w, size = make.world, make.rng.choice((2, 3))
    held, near = make.on("c", make.children[0])
    head = f"SELECT c.{w.reference}, COUNT(*) FROM {w.child} AS c WHERE "
    tail = f" GROUP BY c.{w.reference} HAVING COUNT(*) "
    miss = make.rng.choice(
        (
            f"{held}{tail}>= {size}",
            f"{near}{tail}= {size}",
            f"{held}{tail.replace('COUNT(*)', f'COUNT(DISTINCT c.{w.tag})')}= {size}",
        )
    )
    return head + miss, f"{head}{held}{tail}= {size}"


def _total(make: Maker) -> Pair:
    w = make.world
    name = w.columns[w.child]["whole"][0]
    total = sum(int(row[name]) for row in make.children[:2])
    head = f"SELECT c.{w.reference} FROM {w.child} AS c GROUP BY c.{w.reference} HAVING "
    held = f"SUM(c.{name}) = {total} AND COUNT(*) = 2"
    miss = make.rng.choice(
        (
            f"SUM(c.{name}) = {total} AND COUNT(*) >= 2",
            f"SUM(c.{name}) >= {total} AND COUNT(*) = 2",
            f"SUM(DISTINCT c.{name}) = {total} AND COUNT(*) = 2",
        )
    )
    return head + miss, head + held


def _weighed(make: Maker) -> Pair:
    w = make.world
    one, two = w.columns[w.child]["whole"]
    total = sum(int(row[one]) * int(row[two]) for row in make.children[:2])
    low = min(int(row[one]) for row in make.children[:2])
    head = f"SELECT c.{w.reference} FROM {w.child} AS c GROUP BY c.{w.reference} HAVING "
    held = f"SUM(c.{one} * c.{two}) > {total - 1} AND MIN(c.{one}) = {low}"
    miss = (
        held.replace(f"> {total - 1}", f"> {total}")
        if make.rng.random() < 0.5
        else held.replace("MIN", "MAX")
    )
    return head + miss, head + held


def _sorts(make: Maker) -> Pair:
    w, rng = make.world, make.rng
    tags = rng.sample(("north", "south", "early", "late", "spare"), rng.choice((2, 3)))
    listed = ", ".join(f"'{tag}'" for tag in tags)
    held, _ = make.on("c", make.children[0])
    head = f"SELECT c.{w.reference} FROM {w.child} AS c WHERE c.{w.tag} IN ({listed}) AND {held}"
    tail = f" GROUP BY c.{w.reference} HAVING COUNT(DISTINCT c.{w.tag}) = {len(tags)}"
    miss = tail.replace("DISTINCT ", "") if rng.random() < 0.5 else tail.replace("= ", ">= ", 1)
    miss = miss if "DISTINCT" not in miss else tail.replace(f"= {len(tags)}", f"= {len(tags) - 1}")
    return head + miss, head + tail


def _share(make: Maker) -> Pair:
    w = make.world
    held, near = make.on("c", make.children[0])
    name = w.columns[w.child]["whole"][0]

    def text(condition: str) -> str:
        return f"SELECT SUM(CASE WHEN {condition} THEN c.{name} ELSE 0 END) FROM {w.child} AS c"

    return text(near), text(held)


def _counted(make: Maker) -> Pair:
    w, size = make.world, make.rng.choice((2, 3))
    held, near = make.on("c", make.children[0])

    def text(condition: str, sign: str) -> str:
        inner = f"SELECT COUNT(*) FROM {w.child} AS c WHERE c.{w.reference} = p.{w.key} AND {condition}"
        return f"SELECT p.{w.label} FROM {w.parent} AS p WHERE ({inner}) {sign} {size}"

    return make.rng.choice((text(near, "="), text(held, ">="))), text(held, "=")


def _twice(make: Maker) -> Pair:
    w = make.world
    one, near = make.on("c", make.children[0])
    two, _ = make.on("d", make.children[1])
    joined = f"{w.child} AS c JOIN {w.child} AS d ON c.{w.reference} = d.{w.reference}"
    head = f"SELECT c.{w.tag}, d.{w.tag} FROM {joined} WHERE "
    return f"{head}{near} AND {two}", f"{head}{one} AND {two}"


def _either(make: Maker) -> Pair:
    w = make.world
    one, _ = make.on("c", make.children[0])
    two, near = make.on("c", make.children[1])
    head = f"SELECT c.{w.tag} FROM {w.child} AS c WHERE "
    if make.rng.random() < 0.5:
        return f"{head}{one} UNION ALL {head}{two}", f"{head}({one}) OR ({two})"
    return f"{head}({one}) OR ({near})", f"{head}({one}) OR ({two})"


SHAPES: tuple[Shape, ...] = (
    *(_row, _join, _second_match, _missing, _padded, _both, _shared, _group),
    *(_total, _weighed, _sorts, _share, _counted, _twice, _either),
)


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
