"""Random expressions in random places: the normal form must give what the query gives, on nasty databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

import pytest
from kit.harness import UnmetError, World
from kit.sizes import SEED, seeds, sized

from equiv.answers.compare import same_result
from equiv.core.printing import to_sql
from equiv.core.runner import Connection, RunnerError
from equiv.dialects.sqlite.render import create_statements
from equiv.relation import Relation, Rows
from equiv.schema.violations import FactChecker

DATABASES = 24

DDL = """
CREATE TABLE t (
  id INTEGER PRIMARY KEY, i INTEGER, n INTEGER NOT NULL, r REAL, f REAL NOT NULL, g NUMERIC, s TEXT,
  z TEXT NOT NULL, b BOOLEAN, d DATE, u, v NOT NULL);
CREATE TABLE p (id INTEGER PRIMARY KEY, h INTEGER NOT NULL, w REAL, m TEXT NOT NULL, x);
CREATE TABLE t_2 (id INTEGER PRIMARY KEY, i INTEGER, z TEXT NOT NULL);
CREATE TABLE c (a INTEGER, k TEXT COLLATE NOCASE, l TEXT NOT NULL COLLATE NOCASE, e TEXT COLLATE RTRIM);
"""
COLUMNS = {
    "t": ("id", "i", "n", "r", "f", "g", "s", "z", "b", "d", "u", "v"),
    "p": ("id", "h", "w", "m", "x"),
    "t_2": ("id", "i", "z"),
    "c": ("a", "k", "l", "e"),
}
SOURCES = (("t",), ("t",), ("t", "p"), ("t", "c"), ("c",), ("c", "p"), ("t", "y"), ("t_2", "y", "t"))
"""What queries read; y is a second t."""
WORLDS = {
    "intended": World(DDL),
    "dates": World(DDL, "intended", ("iso_date(t.d)",)),
    "declared": World(DDL, "declared"),
    "strict": World(DDL, "intended", (), "strict"),
}

WHOLE = (0, 1, 2, 4, -1, 8, 16)
NUMBERS = (*WHOLE, 0.5, 2.0, -1.5)
TEXTS = ("a", "A", "b", "a ", "", "4", "04", "16", "2.0", " 2", "1e1", "0x2", "4a", "2020-01-01", "%", "1990")
DATES = ("2020-01-01", "1990-05-31", "0001-12-31")
BLOBS = (b"", b"a", b"4")
HUGE = (2**63 - 1, -(2**63), 2**53 + 1, 1e300, 9007199254740993.0)
ANYTHING = (*NUMBERS, *TEXTS, *DATES, *BLOBS)
KINDS: dict[str, tuple[object, ...]] = {
    **dict.fromkeys(("i", "n", "h", "a"), WHOLE),
    **dict.fromkeys(("r", "f", "w"), (0.0, 0.5, 2.0, -1.5, 4.0)),
    "g": NUMBERS,
    **dict.fromkeys(("s", "z", "m", "k", "l", "e"), TEXTS),
    "b": (0, 1),
    "d": (*DATES, "a", "2020-01-01 10:00", "2020-02-30"),
    **dict.fromkeys(("u", "v", "x"), ANYTHING),
}
LITERALS = (
    *("0", "1", "2", "4", "-1", "16", "3", "0.5", "2.0", "1.50", "04", "1e1", "0x2", "9223372036854775807"),
    *("'a'", "'A'", "'b'", "''", "'4'", "'04'", "'16'", "'2.0'", "' 2'", "'4a'", "'2020-01-01'", "'1990'"),
    *("NULL", "NULL", "TRUE", "FALSE", "x'61'", "x''"),
)
COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")
PATTERNS = ("%", "a%", "a", "4", "1990%", "1990-05%", "1990-%", "_", "%a", "A%")


def rows(world: str, random: Random) -> Iterator[tuple[str, list[object]]]:
    """Rows for all tables."""
    for table, names in COLUMNS.items():
        for number in range(random.choice((0, 0, 1, 1, 2, 4))):
            row = [_cell(world, table, name, random) for name in names]
            yield table, [number if name == "id" else cell for name, cell in zip(names, row, strict=True)]


def _cell(world: str, table: str, name: str, random: Random) -> object:
    column = WORLDS[world].schema.table(table).column(name)  # type: ignore[union-attr]
    if column is not None and not column.not_null and random.random() < 0.25:
        return None
    if world == "declared" and random.random() < 0.4:
        return random.choice(ANYTHING)
    if world == "strict" and name in "inhag" and random.random() < 0.2:
        return random.choice(HUGE[:3])
    return random.choice(DATES if world == "dates" and name == "d" else KINDS.get(name, WHOLE))


def databases(world: str, random: Random) -> list[Connection]:
    """Small databases that break none of a world's facts."""
    checker = FactChecker(WORLDS[world].schema, WORLDS[world].facts)
    found: list[Connection] = []
    while len(found) < DATABASES:
        connection = Connection()
        # The Bloom filter of an automatic index knows no RTRIM in some versions.
        connection.execute("PRAGMA automatic_index = OFF")
        for statement in create_statements(WORLDS[world].schema):
            connection.execute(statement)
        for table, row in rows(world, random):
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        if checker.holds(connection):
            found.append(connection)
    return found


@dataclass
class Maker:
    """Makes queries; expressions read ``sources``, and now and then repeat one made before."""

    random: Random
    sources: tuple[str, ...] = ("t",)
    made: list[str] = field(default_factory=list)

    def pick(self, *texts: str) -> str:
        return self.random.choice(texts)

    def again(self, make: Callable[[], str]) -> str:
        if self.made and self.random.random() < 0.2:
            return self.random.choice(self.made)
        found = make()
        self.made.append(found)
        return found

    def column(self) -> str:
        return self.column_of(self.random.choice(self.sources))

    def column_of(self, source: str) -> str:
        return f"{source}.{self.random.choice(COLUMNS['t' if source == 'y' else source])}"

    def literal(self) -> str:
        return self.random.choice(LITERALS)

    def value(self, n: int) -> str:
        if n <= 0 or self.random.random() < 0.35:
            return self.column() if self.random.random() < 0.65 else self.literal()
        return self.again(lambda: self.random.choice(self.values())(n - 1))

    def values(self) -> tuple[Callable[[int], str], ...]:
        v, p, pick = self.value, self.condition, self.pick
        return (
            lambda n: f"({v(n)} {pick(*'+-*/%')} {v(n)})",
            lambda n: f"({pick('1.0', '100', '100.0', '2')} * {v(n)} / {v(n)})",
            lambda n: f"(CAST({v(n)} AS REAL) {pick('* 100 /', '/', '*')} {v(n)})",
            lambda n: f"({v(n)} || {v(n)})",
            lambda n: f"({p(n)})",
            lambda n: f"COALESCE({v(n)}, {v(n)})",
            lambda n: f"COALESCE({v(n)}, {v(n)}, {v(n)})",
            lambda n: f"IIF({p(n)}, {v(n)}, {v(n)})",
            lambda n: f"CASE WHEN {p(n)} THEN {v(n)} ELSE {v(n)} END",
            lambda n: f"CASE WHEN {p(n)} THEN {v(n)} WHEN {p(n)} THEN {v(n)} {pick('', f'ELSE {v(n)}')} END",
            lambda n: f"CASE WHEN {p(n)} THEN {pick('1 ELSE 0', '0 ELSE 1')} END",
            lambda n: (x := v(n)) and f"CASE WHEN {x} IS NULL THEN {v(n)} ELSE {x} END",
            lambda n: f"CASE {v(n)} WHEN {v(n)} THEN {v(n)} WHEN {self.literal()} THEN {v(n)} END",
            lambda n: f"NULLIF({v(n)}, {v(n)})",
            lambda n: f"CAST({v(n)} AS {pick('INTEGER', 'REAL', 'TEXT', 'NUMERIC', 'BLOB')})",
            lambda n: f"{pick('ABS', 'LENGTH', 'UPPER', 'TRIM', 'ROUND')}({v(n)})",
            lambda n: f"{pick('DATE', 'TYPEOF', '-', '~')}({v(n)})",
            lambda n: f"{pick('MAX', 'MIN', 'REPLACE')}({v(n)}, {v(n)}{pick('', ', ' + v(n))})",
            lambda n: f"SUBSTR({v(n)}, {pick('1, 4', '6, 2', '1, 7', '2')})",
            lambda n: f"STRFTIME({self.format()}, {v(n)})",
            lambda n: f"{self.column()} COLLATE {pick('NOCASE', 'BINARY', 'RTRIM')}",
            lambda n: f"(SELECT {self.other_aggregate(n)} FROM p AS o WHERE {pick('1', 'o.id = ' + v(n))})",
        )

    def format(self) -> str:
        return self.pick("'%Y'", "'%m'", "'%d'", "'%Y-%m'")

    def other_aggregate(self, n: int) -> str:
        name = self.pick("COUNT", "SUM", "MIN", "MAX", "AVG")
        if self.random.random() < 0.3:
            return f"{name}(CASE WHEN o.h {self.pick(*COMPARISONS)} {self.value(n)} THEN {self.value(n)} END)"
        return f"{name}({self.pick('o.m', 'o.h', 'o.w')} {self.pick('||', '+', '=')} {self.value(n)})"

    def condition(self, n: int) -> str:
        return self.again(lambda: self.random.choice(self.conditions(n))(n - 1))

    def conditions(self, n: int) -> tuple[Callable[[int], str], ...]:
        v, p, pick, literal, column = self.value, self.condition, self.pick, self.literal, self.column
        plain: tuple[Callable[[int], str], ...] = (
            lambda n: f"{v(n)} {pick(*COMPARISONS)} {v(n)}",
            lambda n: f"{v(n)} {pick(*COMPARISONS)} {literal()}",
            lambda n: f"{column()} {pick(*COMPARISONS)} {literal()}",
            lambda n: f"{column()} IS {pick('', 'NOT ')}NULL",
            lambda n: f"{v(n)} IS {pick('', 'NOT ')}NULL",
            lambda n: f"({v(n)}) IS {pick('', 'NOT ')}{pick('TRUE', 'FALSE', v(n), literal())}",
            lambda n: f"{v(n)} {pick('', 'NOT ')}IN ({literal()}, {pick(v(n), literal())})",
            lambda n: f"{v(n)} {pick('', 'NOT ')}IN ({pick('', 'NULL', literal())})",
            lambda n: f"{v(n)} {pick('', 'NOT ')}BETWEEN {v(n)} AND {v(n)}",
            lambda n: f"{v(n)} {pick('', 'NOT ')}LIKE '{pick(*PATTERNS)}'{pick('', '', self.escape())}",
            lambda n: f"{v(n)} {pick('LIKE', 'GLOB')} {v(n)}",
            lambda n: f"CAST(STRFTIME({self.format()}, {v(n)}) AS INTEGER) {pick(*COMPARISONS)} {literal()}",
            lambda n: f"STRFTIME({self.format()}, {v(n)}) {pick(*COMPARISONS)} {pick('1990', '05')!r}",
        )
        nested: tuple[Callable[[int], str], ...] = (
            lambda n: f"({p(n)} AND {p(n)})",
            lambda n: f"({p(n)} OR {p(n)})",
            lambda n: f"({p(n)} {pick('AND', 'OR')} {p(n)} {pick('AND', 'OR')} {p(n)})",
            lambda n: f"NOT ({p(n)})",
            lambda n: f"({p(n)}) {pick('=', '<>')} {pick('0', '1')}",
            lambda n: self.bounds(v(n)),
            lambda n: self.bounds(column()),
            v,
            lambda n: f"EXISTS (SELECT 1 FROM p AS o WHERE o.h = {v(n)})",
            lambda n: f"{v(n)} {pick('', 'NOT ')}IN (SELECT o.h FROM p AS o)",
        )
        return plain if n <= 0 else plain + nested

    def escape(self) -> str:
        return f" ESCAPE '{self.pick('%', '-', 'a', '1')}'"

    def bounds(self, value: str) -> str:
        one, two = (f"{value} {self.pick(*COMPARISONS)} {self.literal()}" for _ in range(2))
        word = self.pick("AND", "OR")
        return f"({one} {word} {two} {word} {value} IN ({self.literal()}, {self.literal()}))"

    def aggregate(self) -> str:
        v, p = self.value(1), self.condition(1)
        return self.pick(
            "COUNT(*)",
            f"COUNT({v})",
            f"SUM({v})",
            f"MAX({v})",
            f"TOTAL({v})",
            f"AVG({v}) FILTER (WHERE {p})",
            f"MIN(DISTINCT {v})",
            f"COUNT(DISTINCT {v})",
            f"SUM(DISTINCT {v})",
            f"SUM(CASE WHEN {p} THEN 1 ELSE 0 END)",
            f"COUNT(CASE WHEN {p} THEN {v} END)",
            f"COALESCE(SUM({p}), 0)",
            f"SUM({p})",
            f"CAST(SUM({v}) AS REAL) * 100 / COUNT({v})",
        )

    def around_aggregate(self) -> str:
        a, b = self.aggregate(), self.aggregate()
        return self.pick(
            a,
            f"CASE WHEN {a} IN ({self.pick('NULL', '1', '1, NULL')}) THEN 1 ELSE {self.literal()} END",
            f"COALESCE({self.literal()}, {a})",
            f"({a} > 1 {self.pick('AND', 'OR')} {self.literal()})",
            f"({a} = {self.literal()} {self.pick('AND', 'OR')} {b} IS NULL)",
            f"({a} IS {self.literal()})",
            f"({a} {self.pick(*COMPARISONS)} {a})",
        )

    def query(self) -> str:
        self.made.clear()
        self.sources = self.random.choice(SOURCES)
        return self.random.choice((self.plain, self.plain, self.grouped, self.ungrouped, self.nested))()

    def origin(self) -> str:
        """RIGHT and FULL JOIN of two sources on two columns only: else some versions of SQLite lose rows."""
        first, *others = self.sources
        found = named(first)
        for other in others:
            join = self.pick("JOIN", "LEFT JOIN", *(("RIGHT JOIN", "FULL JOIN") if len(others) == 1 else ()))
            columns = f"{self.column_of(first)} = {self.column_of(other)}"
            condition = columns if join in ("RIGHT JOIN", "FULL JOIN") else self.condition(1)
            found += f" {join} {named(other)} ON {condition}"
        return found

    def inner_origin(self) -> str:
        """A plainer origin: some versions of SQLite miscompute outer joins below UNION ALL."""
        first, *others = self.sources
        return " ".join([first, *(f"{self.pick('JOIN', 'LEFT JOIN')} {named(other)}" for other in others)])

    def plain(self) -> str:
        extra = self.pick("", f", RANK() OVER (ORDER BY {self.value(2)})", f", {self.condition(2)}")
        distinct = self.pick("", "", "DISTINCT ")
        return f"SELECT {distinct}{self.value(3)}{extra} FROM {self.origin()} WHERE {self.condition(3)}"

    def grouped(self) -> str:
        key = self.column() if self.random.random() < 0.7 else self.value(1)
        having = f"{self.around_aggregate()} {self.pick(*COMPARISONS)} {self.literal()}"
        return f"SELECT {self.around_aggregate()} FROM {self.origin()} GROUP BY {key}, 1 + 1 HAVING {having}"

    def ungrouped(self) -> str:
        results = f"{self.around_aggregate()}, {self.around_aggregate()}"
        where = self.pick("", f" WHERE {self.condition(1)}")
        return f"SELECT {results} FROM {self.origin()}{where}"

    def nested(self) -> str:
        # No outer join of a scalar subquery either: some versions pad its value for good.
        inner = f"SELECT {self.value(2)} AS x, {self.value(2)} AS y FROM {self.inner_origin()}"
        other = f" UNION ALL SELECT {self.value(1)}, {self.value(1)} FROM {self.inner_origin()}"
        union = self.pick("", "", other)
        outer = f"{self.sources[0]} LEFT JOIN q ON {self.column_of(self.sources[0])} = q.y"
        left = "q" if "(SELECT" in inner + union else self.pick("q", outer)
        test = self.pick(f"q.x = {self.literal()}", f"q.y IN ({self.literal()}, {self.literal()})", "q.x")
        where = f"q.x {self.pick(*COMPARISONS)} q.y {self.pick('AND', 'OR')} {test}"
        return f"WITH q AS ({inner}{union}) SELECT q.x, q.y = {self.literal()} FROM {left} WHERE {where}"


def named(source: str) -> str:
    """A source as FROM has it."""
    return "t AS y" if source == "y" else source


def difference(world: str, sql: str, pool: list[Connection]) -> str:
    """What tells a query from its normal form; '' for nothing, or where it is not for the rules."""
    try:
        normal = to_sql(WORLDS[world].norm(sql).tree)
    except UnmetError:
        return ""
    for connection in pool:
        try:
            expected = connection.execute(sql).fetchall()
        except RunnerError:
            continue
        try:
            got = connection.execute(normal).fetchall()
        except RunnerError as error:
            if "overflow" in str(error):
                continue
            return f"{sql}\n{normal}\n{error}"
        if not same_result(got, expected, Relation(Rows.BAG)):
            found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            database = {name: connection.execute(f'SELECT * FROM "{name}"').fetchall() for (name,) in found}
            return f"{sql}\n{normal}\n{expected}\n{got}\n{database}"
    return ""


@pytest.mark.parametrize("world", WORLDS)
@sized("count", 60, 150)
def test_the_normal_form_gives_what_the_query_gives(world: str, count: int) -> None:
    pool = databases(world, Random(SEED))
    for seed in seeds(count):
        found = difference(world, Maker(Random(f"{world} {seed}")).query(), pool)
        assert not found, f"{world} {seed}\n{found}"
