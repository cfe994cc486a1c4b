"""Random queries with names that clash: the resolved text answers as the original does, on random rows."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from equiv.core.model import Schema
from equiv.core.printing import key, to_sql
from equiv.core.query import Query
from equiv.core.runner import Connection, RunnerError
from equiv.dialects.sqlite.read import read_query

TABLES = {
    "t": ["id", "a", "b", "x"],
    "u": ["id", "t_id", "b", "y"],
    "w": ["a", "b", "z"],
    "r": ["k", "v"],
    "one": ["v"],
}
NAMES = ["a", "b", "id", "x", "y", "v", "k", "z", "n", "t_id", "s", "q"]
VALUES: list[object] = [None, 0, 1, 2, -1, 1.5, 1.0, "a", "A", "b", "1", "1.0", "", b"a"]
BINARY = ["=", "<", "<>", "IS", "IS NOT", "+", "-", "*", "/", "||", "AND", "OR", "LIKE", "&", ">="]


class Maker:
    """Makes query texts, of which SQLite takes about a third."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.visible: list[list[tuple[str, list[str]]]] = []

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def maybe(self, text: str, chance: float = 0.4) -> str:
        return text if self.random.random() < chance else ""

    def name(self) -> str:
        found = self.pick(*NAMES)
        return self.pick(found, found, found, f'"{found}"', f"[{found}]", found.upper())

    def column(self) -> str:
        """Mostly one that can be seen here."""
        frames = [frame for frame in self.visible if frame]
        if not frames or self.random.random() < 0.1:
            return self.name()
        frame = frames[-1] if self.random.random() < 0.8 else self.random.choice(frames)
        alias, columns = self.random.choice(frame)
        name = self.pick(*columns)
        return self.pick(name, f"{alias}.{name}", f'{alias.upper()}."{name}"', f"{alias}.[{name.upper()}]")

    def value(self, depth: int) -> str:
        if depth <= 0:
            return self.pick(self.column(), self.column(), "1", "'a'", "2.0", "NULL", '"zz"')
        if self.random.random() < 0.2:
            return self.nested(depth - 1)
        one, two = self.value(depth - 1), self.value(depth - 1)
        return self.pick(
            f"{one} {self.pick(*BINARY)} {two}",
            f"{one} {self.pick(*BINARY)} {two}",
            f"({one}) {self.pick(*BINARY)} {two}",
            f"{self.pick('NOT ', '-', '~')}{one}",
            f"{one} {self.pick('', 'NOT ')}IN ({two}, 1)",
            f"{one} {self.pick('', 'NOT ')}BETWEEN 0 AND {two}",
            f"CASE WHEN {one} THEN {two} END",
            f"CAST({one} AS {self.pick('TEXT', 'INT', 'REAL', 'NUMERIC', 'DATE')})",
            f"{self.pick('coalesce', 'max', 'ifnull', 'nullif')}({one}, {two})",
            f"{one} COLLATE NOCASE",
        )

    def nested(self, depth: int) -> str:
        query = self.query(depth, ["c"])
        return self.pick(f"({query} LIMIT 1)", f"EXISTS ({query})", f"{self.value(depth)} IN ({query})")

    def source(self, depth: int, place: int) -> str:
        alias = f"{self.pick('t', 'u', 'q', 's')}{place or ''}"
        if depth > 0 and self.random.random() < 0.3:
            names = self.random.sample(NAMES, 2)
            inner = self.query(depth - 1, columns=names)
            self.visible[-1].append((alias, names))
            return f"({inner}) AS {alias}"
        table = self.pick(*TABLES)
        named = place > 0 or self.random.random() < 0.4
        self.visible[-1].append((alias if named else table, TABLES[table]))
        return f"{table} AS {alias}" if named else table

    def sources(self, depth: int) -> str:
        text = self.source(depth, 0)
        for place in range(1, self.random.choice([1, 1, 2, 3])):
            join = self.pick(", ", " JOIN ", " LEFT JOIN ", " NATURAL JOIN ", " FULL JOIN ")
            text += join + self.source(depth, place)
            if "NATURAL" not in join and join != ", ":
                text += self.pick(
                    "", f" ON {self.value(depth)}", f" USING ({self.pick('a', 'b', 'id', 'v')})"
                )
        return text

    def projections(self, depth: int, columns: list[str]) -> str:
        if not columns and self.random.random() < 0.2:
            return self.pick("*", "*, 1", f"{self.visible[-1][0][0]}.*")
        values = [
            self.value(self.random.randint(0, depth)) for _ in columns or range(self.random.randint(1, 3))
        ]
        if columns:
            return ", ".join(f"{value} AS {name}" for value, name in zip(values, columns, strict=True))
        return ", ".join(value + self.maybe(f" AS {self.name()}") for value in values)

    def query(self, depth: int, columns: list[str]) -> str:
        self.visible.append([])
        sources = self.sources(depth)
        shown = self.projections(depth, columns)
        text = f"SELECT {self.maybe('DISTINCT ', 0.2)}{shown} FROM {sources}"
        text += self.maybe(f" WHERE {self.value(depth)}")
        if self.random.random() < 0.25:
            grouped = ", ".join(
                self.pick("1", self.value(depth - 1)) for _ in range(self.random.randint(1, 2))
            )
            text += f" GROUP BY {grouped}" + self.maybe(f" HAVING {self.pick('count(*)', 'max(a)', 's')} > 0")
        self.visible.pop()
        return text

    def statement(self) -> str:
        text = self.query(2, [])
        while self.random.random() < 0.2:
            operator = self.pick("UNION", "UNION ALL", "EXCEPT", "INTERSECT")
            text += f" {operator} {self.query(1, [])}"
        if self.random.random() < 0.5:
            terms = [self.pick("1", "2", self.name(), self.name()) for _ in range(self.random.randint(1, 2))]
            text += " ORDER BY " + ", ".join(
                term + self.maybe(" DESC") + self.maybe(" NULLS LAST", 0.2) for term in terms
            )
        return text + self.maybe(" LIMIT 3", 0.2)


def fill(connection: Connection, rng: random.Random) -> None:
    for table, width, keyed in (("t", 4, 1), ("u", 4, 1), ("w", 3, 2), ("r", 2, 0), ("one", 1, 0)):
        for number in range(rng.randint(0, 4)):
            row = [rng.choice(VALUES) for _ in range(width)]
            row[:keyed] = [number, str(number)][:keyed]
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * width)})", row)


def texts(count: int) -> Iterator[str]:
    for seed in range(count):
        yield Maker(seed).statement()


@pytest.mark.long
@pytest.mark.parametrize("block", range(4))
def test_original_and_resolved_text_answer_alike(block: int, schema: Schema, probe: Connection) -> None:
    full = probe.copy()
    fill(full, random.Random(block))
    resolved = refused = 0
    for sql in list(texts(1600))[block::4]:
        found = read_query(sql, schema, probe)
        if not isinstance(found, Query):
            continue
        refused += found.tree is None
        if found.tree is None:
            continue
        resolved += 1
        printed = to_sql(found.tree)
        assert answer(full, printed) == answer(full, sql), sql
        again = read_query(printed, schema, probe)
        if isinstance(again, Query) and again.tree is not None:
            assert key(again.tree) == key(found.tree), sql
    assert resolved > 80
    assert refused < resolved / 10


def answer(connection: Connection, sql: str) -> object:
    """The rows, or the error: an integer overflow, or a blob that is not text."""
    try:
        return connection.execute(sql).fetchall()
    except RunnerError as error:
        return str(error)
