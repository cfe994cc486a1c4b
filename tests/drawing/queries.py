"""Random queries over all kinds of expressions, and random rows of every storage class allowed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from equiv.core.runner import Connection

DDL = """
CREATE TABLE t (
  id INTEGER PRIMARY KEY, i INTEGER, n INTEGER NOT NULL, r REAL, s TEXT, z TEXT NOT NULL, b BOOLEAN, u,
  d DATE, k TEXT COLLATE NOCASE);
CREATE TABLE p (id INTEGER PRIMARY KEY, tid INTEGER REFERENCES t (id), w REAL, m TEXT NOT NULL);
"""
COLUMNS = {"t": ("id", "i", "n", "r", "s", "z", "b", "u", "d", "k"), "p": ("id", "tid", "w", "m")}
NUMBERS = ("0", "1", "2", "3", "5", "9", "10", "-1", "1.5", "2.0")
LITERALS = (
    *NUMBERS,
    "NULL",
    "TRUE",
    "FALSE",
    "'a'",
    "'b'",
    "'A'",
    "'5'",
    "'05'",
    "'1.0'",
    "''",
    "'2020-01-01'",
)
COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")

TEXTS = ("a", "b", "A", "5", "05", "1.0", "", "2020-01-01", "10", "9")
WHOLE = (0, 1, 2, 3, 5, -1, 9, 10)
ANYTHING = (None, *WHOLE, 1.5, 2.0, *TEXTS, b"a", b"5")
CONFORMING: dict[str, Sequence[object]] = {
    "i": (None, *WHOLE),
    "n": WHOLE,
    "r": (None, 0.0, 1.5, 2.0, -1.0),
    "s": (None, *TEXTS),
    "z": TEXTS,
    "b": (None, 0, 1),
    "u": (None, 0, 1, 5, 10, 1.5, "a", "5", "05", "1.0", b"5", b""),
    "d": (None, "2020-01-01", "2019-12-31", "x"),
    "k": (None, "a", "A", "b", "5", "05"),
}


@dataclass
class Maker:
    """Makes queries; ``sources`` are the tables that expressions read."""

    random: Random
    sources: tuple[str, ...] = ("t",)

    def literal(self) -> str:
        return self.random.choice(LITERALS)

    def column(self) -> str:
        table = self.random.choice(self.sources)
        return f"{table}.{self.random.choice(COLUMNS[table])}"

    def value(self, depth: int) -> str:
        if depth <= 0 or self.random.random() < 0.4:
            return self.column() if self.random.random() < 0.6 else self.literal()
        makers: tuple[Callable[[int], str], ...] = (
            lambda n: f"({self.value(n)} {self.random.choice('+-*/%')} {self.value(n)})",
            lambda n: f"(1.0 * {self.value(n)} / {self.value(n)})",
            lambda n: f"({self.value(n)} || {self.value(n)})",
            lambda n: f"({self.condition(n)})",
            lambda n: f"COALESCE({self.value(n)}, {self.value(n)})",
            lambda n: f"IIF({self.condition(n)}, {self.value(n)}, {self.value(n)})",
            lambda n: f"CASE WHEN {self.condition(n)} THEN {self.value(n)} ELSE {self.value(n)} END",
            lambda n: f"CASE WHEN {self.condition(n)} THEN 1 ELSE 0 END",
            lambda n: f"CASE {self.value(n)} WHEN {self.value(n)} THEN {self.value(n)} WHEN 1 THEN 2 END",
            lambda n: f"CAST({self.value(n)} AS {self.random.choice(('INTEGER', 'REAL', 'TEXT'))})",
            lambda n: f"{self.random.choice(('ABS', 'LENGTH', 'UPPER'))}({self.value(n)})",
            lambda n: f"STRFTIME('{self.random.choice(('%Y', '%m'))}', {self.value(n)})",
        )
        return self.random.choice(makers)(depth - 1)

    def condition(self, depth: int) -> str:
        plain: tuple[Callable[[int], str], ...] = (
            lambda n: f"{self.value(n)} {self.comparison()} {self.value(n)}",
            lambda n: f"{self.column()} {self.comparison()} {self.literal()}",
            lambda n: f"{self.value(n)} IS {self.negation()}NULL",
            lambda n: f"{self.value(n)} IS {self.negation()}{self.literal()}",
            lambda n: f"{self.value(n)} {self.negation()}IN ({self.literal()}, {self.value(n)})",
            lambda n: f"{self.value(n)} {self.negation()}BETWEEN {self.literal()} AND {self.literal()}",
            lambda n: f"{self.value(n)} {self.negation()}LIKE {self.random.choice((*TEXTS, '%', 'a%'))!r}",
        )
        nested: tuple[Callable[[int], str], ...] = (
            lambda n: f"({self.condition(n)} AND {self.condition(n)})",
            lambda n: f"({self.condition(n)} OR {self.condition(n)})",
            lambda n: f"NOT ({self.condition(n)})",
            lambda n: self.bounds(),
            self.value,
        )
        return self.random.choice(plain if depth <= 0 else plain + nested)(depth - 1)

    def comparison(self) -> str:
        return self.random.choice(COMPARISONS)

    def negation(self) -> str:
        return self.random.choice(("", "NOT "))

    def bounds(self) -> str:
        column, word = self.column(), self.random.choice(("AND", "OR"))
        one, two = (f"{column} {self.comparison()} {self.literal()}" for _ in range(2))
        return f"({one} {word} {two} {word} {column} IN ({self.literal()}, {self.literal()}))"

    def aggregate(self) -> str:
        value, condition = self.value(1), self.condition(1)
        return self.random.choice(
            (
                "COUNT(*)",
                f"COUNT({value})",
                f"SUM({value})",
                f"AVG({value}) FILTER (WHERE {condition})",
                f"MIN(DISTINCT {value})",
                f"COUNT(DISTINCT {value})",
                f"SUM(CASE WHEN {condition} THEN 1 ELSE 0 END)",
                f"COUNT(CASE WHEN {condition} THEN {value} END)",
                f"COALESCE(SUM({condition}), 0)",
                f"CAST(SUM({value}) AS REAL) / COUNT({value})",
            )
        )

    def query(self) -> str:
        shapes = (self.plain, self.joined, self.grouped, self.ungrouped, self.nested)
        return self.random.choice(shapes)()

    def plain(self) -> str:
        return f"SELECT {self.value(3)}, {self.condition(2)} FROM t WHERE {self.condition(3)}"

    def joined(self) -> str:
        self.sources = ("t", "p")
        side = self.random.choice(("", "LEFT ", "RIGHT ", "FULL "))
        join = f"t {side}JOIN p ON p.tid = t.id AND {self.condition(1)}"
        return f"SELECT t.id, p.id, {self.value(2)} FROM {join} WHERE {self.condition(2)}"

    def grouped(self) -> str:
        key = f"t.{self.random.choice(('i', 's', 'b', 'n', 'id'))}"
        having = f"{self.aggregate()} {self.comparison()} {self.literal()}"
        return f"SELECT {key}, {self.aggregate()} FROM t GROUP BY {key} HAVING {having}"

    def ungrouped(self) -> str:
        return f"SELECT {self.aggregate()}, {self.aggregate()} FROM t WHERE {self.condition(1)}"

    def nested(self) -> str:
        inner = f"SELECT {self.value(2)} AS x, {self.value(2)} AS y FROM t"
        return f"SELECT q.x FROM ({inner}) AS q WHERE q.x {self.comparison()} q.y AND q.x <> {self.literal()}"


def fill(connection: Connection, random: Random, *, conforming: bool) -> None:
    """Replace the rows of both tables; ``conforming`` keeps values in the domain of their declared type."""
    connection.execute("DELETE FROM p")
    connection.execute("DELETE FROM t")
    for number in range(random.choice((0, 1, 1, 3, 6))):
        values = [random.choice(CONFORMING[name] if conforming else ANYTHING) for name in CONFORMING]
        values[1] = 1 if values[1] is None else values[1]
        values[4] = "a" if values[4] is None else values[4]
        connection.execute("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", [number, *values])
    keys = [row[0] for row in connection.execute("SELECT id FROM t")]
    for number in range(random.choice((0, 1, 3))):
        row = (number, random.choice([None, *keys]), random.choice((None, 0.0, 1.5)), random.choice("ab5"))
        connection.execute("INSERT INTO p VALUES (?, ?, ?, ?)", row)
