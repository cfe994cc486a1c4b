"""Random sums of terms over tables with keys and references, and small databases that keep the facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from equiv.algebra.terms import (
    NULL,
    Aggregate,
    And,
    Apply,
    Bag,
    Binding,
    Case,
    Compare,
    Constant,
    Direction,
    Exists,
    Expression,
    Field,
    First,
    FreshNames,
    IsNull,
    IsTrue,
    Limited,
    Not,
    Numbered,
    Or,
    Scan,
    Source,
    Squash,
    Term,
    Variable,
    conjunction,
    integer,
)

DDL = """
CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE, x INTEGER);
CREATE TABLE c (
  id INTEGER PRIMARY KEY, p_id INTEGER REFERENCES p (id), q_id INTEGER NOT NULL REFERENCES p (id), x INTEGER,
  code TEXT, n NUMERIC, tag TEXT REFERENCES p (id));
CREATE TABLE o (p_id INTEGER PRIMARY KEY REFERENCES p (id), x INTEGER NOT NULL, r REAL);
CREATE TABLE e (a INTEGER, b INTEGER, x INTEGER, UNIQUE (a, b));
"""
COLUMNS = {
    "p": ("id", "code", "x"),
    "c": ("id", "p_id", "q_id", "x", "code", "n", "tag"),
    "o": ("p_id", "x", "r"),
    "e": ("a", "b", "x"),
}
LINKS = (
    (("c", "p_id"), ("p", "id")),
    (("c", "q_id"), ("p", "id")),
    (("o", "p_id"), ("p", "id")),
    (("c", "code"), ("p", "code")),
    (("c", "id"), ("o", "p_id")),
    (("c", "n"), ("o", "r")),
    (("c", "n"), ("p", "id")),
    (("o", "r"), ("p", "id")),
    (("c", "tag"), ("p", "id")),
)


ASCENDING = (Direction(), Direction())


def with_total_order(bag: Bag, width: int) -> Bag:
    """The bag with its first outputs as further keys."""
    return Bag(tuple(replace(term, outputs=(*term.outputs, *term.outputs[:width])) for term in bag.terms))


def random_rows(random: Random) -> dict[str, list[dict[str, object]]]:
    """A few rows in each table, keys and references kept."""

    def some(count: int, pool: Sequence[object]) -> list[object]:
        return random.sample(list(pool), min(random.randint(0, count), len(pool)))

    def small() -> object:
        return random.choice((None, 0, 1, 2))

    keys = some(3, (1, 2, 3))
    codes = ["a", None, "b"]
    parents = [{"id": key, "code": codes[at], "x": small()} for at, key in enumerate(keys)]
    children = [
        {
            "id": key,
            "p_id": random.choice([None, *keys]),
            "q_id": random.choice(keys),
            "x": small(),
            "code": random.choice((None, "a", "b", "c")),
            "n": random.choice((None, 1, 1, 1.5)),
            # A reference that holds by numeric affinity, and never by ``=`` without conversion.
            "tag": random.choice([None, *(f"0{key}" for key in keys)]),
        }
        for key in (some(3, (1, 2, 3, 4)) if keys else [])
    ]
    ones = [
        {"p_id": key, "x": random.randint(0, 2), "r": random.choice((None, 1.0, 1.0, 1.5))}
        for key in some(3, keys)
    ]
    pairs = some(4, [(a, b) for a in (1, 2, None) for b in (1, 2, None)])
    marks = [{"a": pair[0], "b": pair[1], "x": small()} for pair in pairs]  # type: ignore[index]
    return {"p": parents, "c": children, "o": ones, "e": marks}


@dataclass
class Maker:
    """Makes bags; ``sources`` are those of all variables made so far."""

    random: Random
    names: FreshNames = field(default_factory=FreshNames)
    sources: dict[Variable, Source] = field(default_factory=dict)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def bag(self, outer: Sequence[Variable], depth: int, width: int) -> Bag:
        count = self.random.choice((1, 1, 1, 2))
        return Bag(tuple(self.term(outer, depth, width) for _ in range(count)))

    def term(self, outer: Sequence[Variable], depth: int, width: int) -> Term:
        rows = list(outer)
        bindings = []
        for _ in range(self.random.choice((0, 1, 1, 2, 2, 3) if depth else (0, 1, 1, 1))):
            row = self.names.variable()
            source = self.source(rows, depth)
            self.sources[row] = source
            rows.append(row)
            bindings.append(Binding(row, source))
        own = rows[len(outer) :]
        parts = [self.link(rows, row) for row in own if self.chance(0.6)]
        parts += [self.condition(rows, depth) for _ in range(self.random.choice((0, 0, 0, 1)))]
        if depth and bindings and self.chance(0.2):
            return self.padded(bindings, conjunction(parts), rows, width)
        outputs = tuple(self.value(rows, depth) for _ in range(width))
        return Term(tuple(bindings), conjunction(parts), outputs)

    def padded(
        self, bindings: Sequence[Binding], condition: Expression, rows: Sequence[Variable], width: int
    ) -> Term:
        """A variable over the two terms of an outer join."""
        row, inner = self.names.variable(), self.names.variable()
        table = self.random.choice(list(COLUMNS))
        self.sources[inner] = Scan(table)
        link = self.link([*rows, inner], inner)
        padded = Binding(inner, Scan(table))
        left = tuple(self.value(rows, 0) for _ in range(width))
        matched = Term(
            (*bindings, padded),
            conjunction([condition, link]),
            (*left, *(Field(inner, name) for name in COLUMNS[table])),
        )
        missing = Not(Exists(Bag((Term((padded,), link, ()),))))
        nulls = (NULL,) * len(COLUMNS[table])
        unmatched = self.names.copy_of(
            Term(tuple(bindings), conjunction([condition, missing]), (*left, *nulls))
        )
        bag = Bag((self.names.copy_of(matched), unmatched))
        source = Limited(bag, len(bag.terms[0].outputs), (), None, 0, self.names.site())
        outputs = tuple(
            Field(row, at if self.chance(0.4) else self.random.randrange(width, source.visible))
            for at in range(width)
        )
        return Term((Binding(row, source),), conjunction([]), outputs)

    def source(self, outer: Sequence[Variable], depth: int) -> Source:
        if not depth or self.chance(0.65):
            return Scan(self.random.choice(list(COLUMNS)))
        width = self.random.choice((1, 1, 2))
        inner = outer if self.chance(0.3) else ()
        if self.chance(0.6):
            return Squash(self.bag(inner, depth - 1, width))
        if self.chance(0.15):
            bag = with_total_order(self.bag(inner, depth - 1, width + 1), width)
            return Numbered(bag, width, 1, ASCENDING[:width], self.names.site())
        return self.limited(inner, depth - 1, width)

    def limited(self, outer: Sequence[Variable], depth: int, width: int) -> Limited:
        """Some rows by a key, if there is one, and then by all columns: no tie is left."""
        keys = self.random.choice((0, 1, 1))
        directions = tuple(Direction.of(descending=self.chance(0.5)) for _ in range(keys))
        limit = self.random.choice((None, None, 1, 1, 2, 2, 0) if depth else (None, 1, 2))
        offset = self.random.choice((0, 0, 0, 0, 1))
        bag = with_total_order(self.bag(outer, depth, width + keys), width)
        return Limited(bag, width, directions + ASCENDING[:width], limit, offset, self.names.site())

    def column(self, row: Variable) -> Expression:
        source = self.sources[row]
        if isinstance(source, Scan):
            return Field(row, self.random.choice(COLUMNS[source.table]))
        width = len(source.bag.terms[0].outputs) if isinstance(source, Squash) else source.visible
        return Field(row, self.random.randrange(width))

    def link(self, rows: Sequence[Variable], row: Variable) -> Expression:
        """An equation of a column of one row with something: a key where there is one."""
        source = self.sources[row]
        operator = self.random.choice(("=", "=", "=", "=", "IS"))
        if isinstance(source, Scan):
            ends = [(a, b) for pair in LINKS for a, b in (pair, pair[::-1]) if a[0] == source.table]
            near = [
                Compare(operator, Field(row, mine[1]), Field(other, theirs[1]))  # type: ignore[arg-type]
                for mine, theirs in ends
                for other in rows
                if other != row and self.sources[other] == Scan(theirs[0])
            ]
            if near and self.chance(0.6):
                return self.random.choice(near)
            columns = {"p": ("id",), "c": ("id",), "o": ("p_id",), "e": ("a", "b")}[source.table]
            if self.chance(0.6):
                return conjunction(Compare("=", Field(row, name), self.simple(rows)) for name in columns)
        return Compare(operator, self.column(row), self.simple(rows))  # type: ignore[arg-type]

    def simple(self, rows: Sequence[Variable]) -> Expression:
        if rows and self.chance(0.8):
            return self.column(self.random.choice(rows))
        return self.random.choice((integer(0), integer(1), integer(1), integer(2), Constant("text", "a")))

    def value(self, rows: Sequence[Variable], depth: int) -> Expression:
        if not depth or self.chance(0.6):
            return self.simple(rows)
        match self.random.randrange(6):
            case 0:
                branch = (self.condition(rows, depth - 1), self.value(rows, depth - 1))
                return Case((branch,), self.value(rows, depth - 1))
            case 1 | 5:
                stored = [row for row in rows if isinstance(self.sources[row], Scan)]
                return Apply("||", (self.simple(stored), self.simple(stored)))
            case 2:
                function = self.random.choice(("COUNT", "MIN", "MAX", "SUM"))
                return Aggregate(function, self.bag(rows, depth - 1, 1))  # type: ignore[arg-type]
            case 3:
                return First(self.limited(rows, depth - 1, 1))
        return self.condition(rows, depth - 1)

    def condition(self, rows: Sequence[Variable], depth: int) -> Expression:
        if depth and self.chance(0.35):
            return self.random.choice((lambda x: x, Not, IsTrue))(
                Exists(self.bag(rows, depth - 1, self.random.choice((0, 1))))
            )
        if depth and self.chance(0.4):
            parts = tuple(self.condition(rows, depth - 1) for _ in range(self.random.choice((1, 2, 2))))
            return self.random.choice((And, Or, Or, lambda each: Not(And(each))))(parts)
        if self.chance(0.25):
            found = IsNull(self.simple(rows))
            return found if self.chance(0.5) else Not(found)
        operator = self.random.choice(("=", "=", "<", "<=", "IS"))
        compared = Compare(operator, self.simple(rows), self.simple(rows))  # type: ignore[arg-type]
        return self.random.choice((lambda x: x, lambda x: x, Not, IsTrue))(compared)
