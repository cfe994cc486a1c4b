"""Planted rows, and queries of many shapes whose conditions they meet, each beside a near miss."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from random import Random
from string import ascii_lowercase

from benchmarks.pairs.planted_conditions import CONDITIONS, Cells, Condition
from benchmarks.pairs.planted_worlds import World

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
        kinds = self.world.columns[table]
        ways = [way for way, kind in CONDITIONS if kinds[kind]]
        way = self.rng.choice(ways)
        kind = next(kind for each, kind in CONDITIONS if each is way)
        names = self.rng.sample(kinds[kind], len(kinds[kind]))
        return way(self.rng, alias, row, names)


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
