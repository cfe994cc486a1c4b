"""Rows for a typed query: values that its conditions name, their neighbours, NULLs, ties and nasty ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import islice, pairwise
from random import Random

from equiv.answers.pair import Pair
from equiv.cells import Cell
from equiv.core.query import UnsupportedError
from equiv.dialects.typed import tree as t
from equiv.generate.plan import databases

Place = tuple[str, int]
"""A table and the position of one of its columns."""

Rows = dict[str, list[tuple[str | None, ...]]]
"""The rows of tables, each value as PostgreSQL writes it."""

NASTY = {
    "text": ("", "a", "A", "b", "aB", " a", "a ", "É", "%", "a_b", "10", "9", "é", "x*y", "[a]"),
    "number": ("0", "1", "-1", "2", "3", "5", "-7", "10"),
    "decimal": ("0.5", "1.5", "2.5", "-0.5", "-2.5", "0.25", "0.75"),
    "date": ("2000-01-01", "1999-12-31", "2000-02-29", "2000-03-31", "2001-12-31"),
}


@dataclass(frozen=True)
class Column:
    """A column as PostgreSQL has it."""

    name: str
    type: str
    modifier: int
    not_null: bool


@dataclass(frozen=True)
class Table:
    """A table, its columns, and the positions (from 0) of its keys."""

    name: str
    columns: tuple[Column, ...]
    keys: tuple[tuple[int, ...], ...]


class Pools:
    """What a query compares: constants by column, columns that are compared with one another together."""

    def __init__(self, query: t.TypedQuery) -> None:
        self._sources: dict[int, t.FromSource | t.Joined] = {}
        self._ctes: dict[int, t.CommonTable] = {}
        self.tables: set[str] = set()
        self._parent: dict[Place, Place] = {}
        self._constants: dict[Place, set[str]] = defaultdict(set)
        everything = list(t.parts_of(query))
        for each in everything:
            if isinstance(each, t.FromSource | t.Joined):
                self._sources[each.number] = each
            if isinstance(each, t.TableUse):
                self.tables.add(each.name)
            if isinstance(each, t.CommonTable):
                self._ctes[each.number] = each
        for each in everything:
            self._learn(each)
        self.loose = [
            each.text for each in everything if isinstance(each, t.TypedConstant) and each.text is not None
        ]

    def of(self, place: Place) -> list[str]:
        """The constants that a column is compared with."""
        return sorted(self._constants.get(self._root(place), ()))

    def cluster(self, place: Place) -> Place:
        """The column that stands for all that a column is equated with."""
        return self._root(place)

    def _root(self, place: Place) -> Place:
        while self._parent.get(place, place) != place:
            place = self._parent[place]
        return place

    def _learn(self, each: object) -> None:
        groups: list[tuple[t.Expr, ...]] = []
        match each:
            case t.RoutineCall(routine=routine, arguments=arguments) if (
                routine.operator or len(arguments) > 1
            ):
                groups.append(arguments)
            case t.Compared(value=value, array=t.Array(elements=elements)):
                groups.append((value, *elements))
            case t.NullIf(value=value, other=other):
                groups.append((value, other))
            case t.NestedQuery(query=t.Select(targets=targets), left=left) if left:
                groups += [(one, target.value) for one, target in zip(left, targets, strict=False)]
        for values in groups:
            places = [found for value in values for found in self._columns(value)]
            for one, other in pairwise(places):
                self._parent[self._root(one)] = self._root(other)
            constants = {
                part.text for value in values for part in t.parts_of(value)
                if isinstance(part, t.TypedConstant) and part.text is not None
            }  # fmt: skip
            if places:
                self._constants[self._root(places[-1])] |= constants

    def _columns(self, value: t.Expr) -> list[Place]:
        found = []
        for each in t.parts_of(value):
            if isinstance(each, t.SourceColumn):
                found += self._base(each)
        return found

    def _base(self, field: t.SourceColumn) -> list[Place]:
        source = self._sources.get(field.source)
        match source:
            case t.TableUse():
                return [(source.name, field.position - 1)]
            case t.Joined():
                return self._columns(source.merged[field.position - 1])
            case t.DerivedTable():
                return self._output(source.query, field.position)
            case t.CommonTableUse() if source.cte in self._ctes:
                return self._output(self._ctes[source.cte].query, field.position)
        return []

    def _output(self, query: t.TypedQuery, position: int) -> list[Place]:
        if isinstance(query, t.Select):
            value = query.targets[position - 1].value
            value = value.value if isinstance(value, t.Grouped) else value
            return self._base(value) if isinstance(value, t.SourceColumn) else []
        branch: t.Compound | t.SetOperand = query.body
        while isinstance(branch, t.Compound):
            branch = branch.left
        return self._output(branch.query, position)


def databases_of(
    query: t.TypedQuery, tables: dict[str, Table], seeds: Sequence[int], asked: Pair
) -> list[Rows]:
    """A database a seed for the tables of a query.

    Up to a third are those by which the engine would refute the pair that is asked about, which may be one of
    the query and itself: a query that joins many tables answers to drawn rows with nothing.
    """
    pools = Pools(query)
    ours = list(_of_engine(asked, tables, len(seeds) // 3))
    drawn = (_database(pools, tables, Random(f"rows {seed}")) for seed in seeds[len(ours) :])
    return [*ours, *drawn]


def _of_engine(asked: Pair, tables: dict[str, Table], count: int) -> Iterator[Rows]:
    """The first databases that the engine makes for a pair, as far as the columns take their values."""
    try:
        made = list(islice(databases(asked, count), count))
    except UnsupportedError:
        return
    for database in made:
        found: Rows = {}
        for name, (columns, rows) in database.tables.items():
            table = tables[name]
            places = [columns.index(each.name) if each.name in columns else None for each in table.columns]
            cells = [[None if at is None else row[at] for at in places] for row in rows]
            kept = (_row(row, table) for row in cells)
            found[name] = _unique([row for row in kept if row is not None], table)
        yield found


def _row(cells: Sequence[Cell], table: Table) -> tuple[str | None, ...] | None:
    """A row as its columns keep it; None where a column does not take its value."""
    kept = []
    for cell, column in zip(cells, table.columns, strict=True):
        text = None if cell is None else _written(cell, column)
        try:
            kept.append(None if text is None else _kept(text, column))
        except (ValueError, ArithmeticError):
            return None
        if column.not_null and kept[-1] is None:
            return None
    return tuple(kept)


def _written(cell: Cell, column: Column) -> str:
    return ("true" if cell else "false") if column.type == "bool" else str(cell)


def database(query: t.TypedQuery, tables: dict[str, Table], random: Random) -> Rows:
    """Rows for the tables of a query, each value as PostgreSQL writes it."""
    return _database(Pools(query), tables, random)


def _database(pools: Pools, tables: dict[str, Table], random: Random) -> Rows:
    cells = _Cells(pools, random)
    found = {}
    for name in sorted(cells.pools.tables & tables.keys()):
        table = tables[name]
        rows: list[tuple[str | None, ...]] = []
        for _ in range(random.choice((0, 1, 2, 4, 7)) if random.random() < 0.5 else random.randint(3, 8)):
            row = tuple(cells.cell(column, (name, at)) for at, column in enumerate(table.columns))
            rows.append(row)
        found[name] = _unique(rows, table)
    return found


def _unique(rows: list[tuple[str | None, ...]], table: Table) -> list[tuple[str | None, ...]]:
    for key in table.keys:
        seen: set[tuple[str | None, ...]] = set()
        kept = []
        for row in rows:
            value = tuple(row[at] for at in key)
            if None in value or value not in seen:
                seen.add(value)
                kept.append(row)
        rows = kept
    return rows


class _Cells:
    """Draws cells: few values for columns that are equated, so that they meet."""

    def __init__(self, pools: Pools, random: Random) -> None:
        self.pools = pools
        self._random = random
        self._shared: dict[Place, list[str]] = {}
        self._few = random.choice((1, 2, 3, 5))
        self._nulls = random.choice((0.0, 0.1, 0.3))

    def cell(self, column: Column, place: Place) -> str | None:
        """A cell of a column."""
        random, pools = self._random, self.pools
        if not column.not_null and random.random() < self._nulls:
            return None
        given = pools.of(place)
        cluster = pools.cluster(place)
        if cluster not in self._shared:
            self._shared[cluster] = [
                _value(column.type, given, pools.loose, random) for _ in range(self._few)
            ]
        wanted = random.choice(self._shared[cluster]) if random.random() < 0.8 else ""
        if not wanted or not _fits(wanted, column.type):
            wanted = _value(column.type, given, pools.loose, random)
        return _kept(wanted, column)


def _fits(text: str, name: str) -> bool:
    try:
        _kept(text, Column("", name, -1, False))
    except (ValueError, ArithmeticError):
        return False
    return True


def _value(name: str, given: list[str], loose: list[str], random: Random) -> str:
    chosen = random.choice(given) if given and random.random() < 0.75 else ""
    if not chosen and loose and random.random() < 0.3:
        chosen = random.choice(loose)
    if chosen and _fits(chosen, name):
        return _near(chosen, name, random)
    if name in ("int2", "int4", "int8"):
        return random.choice(NASTY["number"])
    if name in ("numeric", "float4", "float8"):
        return random.choice(NASTY["number"] + NASTY["decimal"])
    if name in ("date", "timestamp", "timestamptz"):
        day = random.choice(NASTY["date"])
        return day if name == "date" else f"{day} {random.choice(('00:00:00', '12:34:56', '23:59:59.5'))}"
    if name == "bool":
        return random.choice(("true", "false"))
    if name == "time":
        return random.choice(("00:00:00", "12:34:56"))
    return random.choice(NASTY["text"])


def _near(text: str, name: str, random: Random) -> str:
    """A value, or one beside it."""
    way = random.random()
    if way < 0.6:
        return text
    if name in ("int2", "int4", "int8"):
        return str(int(Decimal(text)) + random.choice((-1, 1)))
    if name in ("numeric", "float4", "float8"):
        return str(Decimal(text) + random.choice((Decimal(-1), Decimal("0.25"), Decimal(1))))
    if name == "date":
        return (date.fromisoformat(text[:10]) + timedelta(random.choice((-1, 1, 30, -365)))).isoformat()
    if name in ("timestamp", "timestamptz"):
        at = datetime.fromisoformat(text.removesuffix("+00")) + timedelta(
            seconds=random.choice((-1, 1, 86400, -86400))
        )
        return _spelt(at)
    if name in ("text", "varchar", "bpchar"):
        plain = text.replace("%", random.choice(("", "x", "yz"))).replace("_", random.choice(("", "q")))
        return random.choice((plain, plain.swapcase(), plain + "x", plain[:-1], text))
    return text


def _kept(text: str, column: Column) -> str:
    """The value as a column of the type keeps it."""
    name = column.type
    if name in ("int2", "int4", "int8"):
        return str(max(-30000, min(30000, int(Decimal(text)))) if name == "int2" else int(Decimal(text)))
    if name == "numeric":
        scale = (column.modifier - 4) & 0x7FF if column.modifier >= 4 else 2
        digits = ((column.modifier - 4) >> 16) - scale if column.modifier >= 4 else 12
        value = Decimal(text).quantize(Decimal(1).scaleb(-scale))
        return str(
            value if abs(value) < Decimal(10) ** digits else Decimal(1).quantize(Decimal(1).scaleb(-scale))
        )
    if name in ("float4", "float8"):
        return str(float(round(Decimal(text) * 4) / 4))
    if name == "date":
        return date.fromisoformat(text[:10]).isoformat()
    if name in ("timestamp", "timestamptz"):
        return _spelt(datetime.fromisoformat(text.removesuffix("+00")))
    if name == "bool":
        return text if text in ("true", "false") else "true"
    if name in ("varchar", "bpchar") and column.modifier >= 4:
        text = text[: column.modifier - 4]
    return text.rstrip(" ") if name == "bpchar" else text


def _spelt(at: datetime) -> str:
    text = at.isoformat(" ")
    return text.rstrip("0") if at.microsecond else text
