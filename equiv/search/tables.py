"""Symbolic tables: at most so many rows of each table, their cells chosen from pools, under the facts.

A pool has the likeliest values of a column, and is shared where columns are compared.  A model of the tables
is a database: as it is, filled in, or multiplied.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice, product
from random import Random

from equiv.algebra import terms
from equiv.algebra.terms import Answer, Scan, Variable
from equiv.cells import Cell
from equiv.core.model import Affinity
from equiv.core.reading.queries import ColumnKey
from equiv.generate.complete import Builder, Style
from equiv.generate.constraints import Reference
from equiv.generate.database import Database
from equiv.generate.specs import Computed, TableSpec
from equiv.generate.templates import Plan, occupy
from equiv.graphs import components
from equiv.search.circuit import FALSE, TRUE, Literal, TooLargeError, UncomputedError
from equiv.search.evaluate import SymbolicRow
from equiv.search.values import NUMBER, TEXT, Symbolic, SymbolicValues

CellPools = Mapping[ColumnKey, tuple[Cell, ...]]
"""The cells that each column may hold, NULL included where it is allowed."""

_FINE = 0.125


def narrow_pools(
    plan: Plan, columns: Mapping[str, tuple[str, ...]], width: int
) -> dict[ColumnKey, tuple[Cell, ...]]:
    """At most ``width`` values a column; columns that are compared share values.

    Columns that arithmetic reads get half as many: sums multiply cases.
    """
    keys = [(table, name) for table, names in columns.items() for name in names]
    groups = _compared(plan, keys)
    pools: dict[ColumnKey, tuple[Cell, ...]] = {}
    for group in groups:
        shared = _shared(plan, group)
        for table, name in group:
            spec = plan.specs[table]
            size = width if (table, name) not in plan.reading.numeric else max(2, width // 2)
            fitting = [fit for value in shared if (fit := spec.fit[name](value)) is not None]
            pool = list(dict.fromkeys(_typed([*fitting, *_finely(spec, name)])))[:size]
            values = [value for _, value in dict.fromkeys(pool)]
            pools[table, name] = (*values, None) if name in spec.nullable or not values else tuple(values)
    return pools


def _finely(spec: TableSpec, name: str) -> list[Cell]:
    """The pool of a column, with a number of three decimals early on if it has fractions: ROUND shows."""
    pool = spec.pools[name]
    if any(isinstance(value, float) and not value.is_integer() for value in pool):
        return [*pool[:2], _FINE, *pool[2:]]
    return pool


def _typed(values: list[Cell]) -> list[tuple[type, Cell]]:
    return [(type(value), value) for value in values]


def _shared(plan: Plan, group: list[ColumnKey]) -> list[Cell]:
    """The values that all columns of a group may hold, those first that stand early in some pool.

    Where a number refers to text, the numbers that both may hold, each in its own way.
    """
    specs = [(plan.specs[table], name) for table, name in group]
    pools = [_typed(spec.pools[name]) for spec, name in specs]
    common = set(pools[0]).intersection(*pools[1:])
    if not common:
        numbers = {case for pool in pools for case in pool if case[0] is int}
        common = {
            case for case in numbers if all(spec.fit[name](case[1]) is not None for spec, name in specs)
        }
    best: dict[tuple[type, Cell], int] = {}
    for pool in pools:
        for at, case in enumerate(pool):
            if case in common:
                best[case] = min(at, best.get(case, at))
    return [value for _, value in sorted(best, key=lambda case: best[case])]


def _compared(plan: Plan, keys: list[ColumnKey]) -> list[list[ColumnKey]]:
    """The columns in groups of those that are compared with one another, or refer to one another."""
    links = list(plan.reading.equal)
    for table, spec in plan.specs.items():
        for reference in spec.references:
            ends = zip(reference.columns, reference.parent_columns, strict=True)
            links += [((table, child), (reference.parent, parent)) for child, parent in ends]
    return components(keys, links)


_MAX_CHECKED = 3000
"""How many combinations of cells a CHECK over several columns is tried on."""


def columns_read(answers: Iterable[Answer]) -> dict[str, dict[str, None]]:
    """The tables that answers scan, each with the columns that are read of it."""
    columns: dict[str, dict[str, None]] = {}
    scans: dict[Variable, str] = {}
    fields: list[terms.Field] = []
    for answer in answers:
        for node in terms.walk(answer):
            match node:
                case terms.Binding(row, Scan(table)):
                    scans[row] = table
                    columns.setdefault(table, {})
                case terms.Field():
                    fields.append(node)
    for node in fields:
        if node.row in scans:
            columns[scans[node.row]][str(node.column)] = None
    return columns


def columns_bound(read: Mapping[str, Collection[str]], plan: Plan) -> dict[str, tuple[str, ...]]:
    """The columns that symbolic tables need: the columns read, and those that facts tie to them.

    Generated columns are not among them, but those are from which they are computed.
    """
    names = {table: set(columns) for table, columns in read.items()}
    size = -1
    while size != sum(map(len, names.values())):
        size = sum(map(len, names.values()))
        for table in names:
            _close(plan.specs[table], names)
    return {
        table: tuple(n for n in plan.specs[table].columns if n in known) for table, known in names.items()
    }


def columns_computed(read: Mapping[str, Collection[str]], plan: Plan) -> dict[str, tuple[str, ...]]:
    """The generated columns among those read."""
    return {
        table: tuple(name for name in plan.specs[table].computed if name in columns)
        for table, columns in read.items()
    }


def _close(spec: TableSpec, names: dict[str, set[str]]) -> None:
    """Add what one table's facts tie to the columns chosen so far."""
    known = names[spec.name]
    for name in known & set(spec.computed):
        known.update(spec.computed[name].columns)
    for key in spec.keys:
        known.update(key if known & set(key) else ())
    for left, right in spec.functional:
        known.update((*left, *right) if known & set(right) else ())
    for reference in spec.references:
        if reference.parent in names:
            known.update(reference.columns)
            names[reference.parent].update(reference.parent_columns)
    if spec.check is not None and known & spec.check.columns:
        known.update(spec.check.columns)


class SymbolicTables:
    """The rows of the tables that two queries read.

    Attributes:
        tables: the rows by table.
        rules: what must hold of them: exactly one cell a place, and the facts.
    """

    def __init__(
        self,
        plan: Plan,
        columns: Mapping[str, tuple[str, ...]],
        pools: CellPools,
        values: SymbolicValues,
        computed: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self._plan = plan
        self._columns = columns
        self._computed = computed or {}
        self._pools = pools
        self._values = values
        self._circuit = values.circuit
        self._keys: dict[tuple[str, Symbolic], Symbolic] = {}
        self.rules: list[Literal] = []
        self.tables: dict[str, list[SymbolicRow]] = {table: [] for table in columns}

    def add(self, table: str, count: int) -> None:
        """Add rows that are all free: each may be there or not, the later ones only if the earlier are."""
        cell, before = self._values.cells.of, TRUE
        for number in range(count):
            there = self._circuit.variable()
            self.rules.append(self._circuit.either(-there, before))
            if not number and table in self._plan.occupied:
                self.rules.append(there)
            before = there
            cells: dict[str | int, Symbolic] = {}
            for name in self._columns[table]:
                pool = dict.fromkeys(map(cell, self._pools[table, name]))
                cells[name] = self._values.free(tuple(pool), self.rules)
            for name in self._computed.get(table, ()):
                cells[name] = self._generated(self._plan.specs[table].computed[name], cells)
            rows = self.tables[table]
            rows.append(SymbolicRow(there, cells))
            if number:
                self._sort(table, rows[-2], rows[-1])

    def _generated(self, column: Computed, cells: Mapping[str | int, Symbolic]) -> Symbolic:
        """The value of a generated column in a row with some cells."""

        def compute(values: tuple[Cell, ...]) -> Cell:
            try:
                return column.compute(dict(zip(column.columns, values, strict=True)))
            except ValueError as error:
                raise UncomputedError(f"a generated column: {error}") from error

        return self._values.computed(compute, [cells[name] for name in column.columns])

    def _sort(self, table: str, first: SymbolicRow, second: SymbolicRow) -> None:
        """Sort free rows by one column, a key if there is one: their order changes nothing."""
        names = self._columns[table]
        keyed = [key[0] for key in self._plan.specs[table].keys if len(key) == 1 and key[0] in names]
        for name in (keyed or list(names))[:1]:
            falls = self._values.less(second.fields[name], first.fields[name])
            self.rules.append(-self._circuit.both(second.there, falls))

    def constrain(self) -> None:
        """Demand what the facts demand of the rows."""
        for table, names in self._columns.items():
            spec = self._plan.specs[table]
            for key in spec.keys:
                if set(key) <= set(names):
                    self._demand_key(table, key)
            for left, right in spec.functional:
                self._demand_dependency(
                    table, [n for n in left if n in names], [n for n in right if n in names]
                )
            for reference in spec.references:
                if reference.parent in self.tables:
                    self._demand_reference(table, reference)
            self._demand_check(table, spec)

    def database(self, model: Collection[Literal]) -> dict[str, list[dict[str, Cell]]]:
        """The rows that a model makes of the tables: their cells by column."""

        def holds(literal: Literal) -> bool:
            return literal == TRUE or literal in model

        rows_by_table: dict[str, list[dict[str, Cell]]] = {}
        for table, rows in self.tables.items():
            rows_by_table[table] = [
                {name: self._cell(row.fields[name], holds) for name in self._columns[table]}
                for row in rows
                if holds(row.there)
            ]
        return rows_by_table

    def _cell(self, value: Symbolic, holds: object) -> Cell:
        assert callable(holds)
        number = next(number for number, literal in value.cases.items() if holds(literal))
        return self._values.cells.cell(number)

    def _pairs(self, table: str) -> Iterator[tuple[SymbolicRow, SymbolicRow, Literal]]:
        for left, right in combinations(self.tables[table], 2):
            self._circuit.spend()
            yield left, right, self._circuit.both(left.there, right.there)

    def _demand_key(self, table: str, key: tuple[str, ...]) -> None:
        circuit = self._circuit
        for left, right, there in self._pairs(table):
            own = [self._collated(table, name, left.fields[name]) for name in key]
            self.rules.append(-circuit.all([there, *self._equal(own, table, right, key)]))

    def _demand_dependency(self, table: str, names: Sequence[str], dependent: Sequence[str]) -> None:
        alike, circuit = self._values.alike, self._circuit
        for left, right, there in self._pairs(table) if dependent else ():
            same = alike([left.fields[n] for n in names], [right.fields[n] for n in names])
            then = alike([left.fields[n] for n in dependent], [right.fields[n] for n in dependent])
            self.rules.append(-circuit.all([there, same, -then]))

    def _demand_reference(self, table: str, reference: Reference) -> None:
        circuit, values, names = self._circuit, self._values, reference.parent_columns
        for child in self.tables[table]:
            own = [child.fields[name] for name in reference.columns]
            looked_up = [
                self._collated(reference.parent, name, self._converted(value, affinity))
                for name, value, affinity in zip(names, own, reference.affinities, strict=True)
            ]
            found = [
                circuit.all([parent.there, *self._equal(looked_up, reference.parent, parent, names)])
                for parent in self.tables[reference.parent]
            ]
            free = [values.null(value) for value in own]
            self.rules.append(circuit.any([-child.there, *free, *found]))

    def _equal(
        self, own: Sequence[Symbolic], table: str, row: SymbolicRow, names: Sequence[str]
    ) -> Iterator[Literal]:
        """Whether values, of which the collation keys are given, equal those of a row of a table."""
        for value, name in zip(own, names, strict=True):
            yield self._values.equal(value, self._collated(table, name, row.fields[name]))

    def _collated(self, table: str, name: str, value: Symbolic) -> Symbolic:
        """The collation key of a value under a column's collation: parents' decide in a foreign key."""
        collation = self._plan.specs[table].collations.get(name)
        return value if collation is None else self._key(collation, value)

    def _key(self, kind: str, value: Symbolic) -> Symbolic:
        if (kind, value) not in self._keys:
            self._keys[kind, value] = self._values.apply(f"AS {kind}", [value])
        return self._keys[kind, value]

    def _converted(self, value: Symbolic, affinity: Affinity) -> Symbolic:
        """A value of a child as a foreign key compares it: by the affinity of the parent's column."""
        if affinity is Affinity.BLOB:
            return value
        kind = "TEXT" if affinity is Affinity.TEXT else "NUMERIC"
        other = NUMBER if kind == "TEXT" else TEXT
        if other not in {self._values.cells.order[number][0] for number in value.cases}:
            return value
        return self._key(kind, value)

    def _demand_check(self, table: str, spec: TableSpec) -> None:
        """Forbid the combinations of cells that a CHECK forbids, as far as these are few."""
        if spec.check is None or not spec.check.columns <= set(self._columns[table]):
            return
        names = sorted(spec.check.columns)
        for row in self.tables[table]:
            cases = [row.fields[name].cases.items() for name in names]
            size = 1
            for each in cases:
                size *= len(each)
            if size > _MAX_CHECKED:
                raise TooLargeError("a CHECK over many columns")
            self._circuit.spend(size)
            for combination in product(*cases):
                cells = [self._values.cells.cell(number) for number, _ in combination]
                if not spec.check.passes(dict(zip(names, cells, strict=True))):
                    there = self._circuit.all([row.there, *(literal for _, literal in combination)])
                    if there != FALSE:
                        self.rules.append(-there)


MAX_VARIANTS = 12
"""In how many ways the rows of one table are multiplied."""

MAX_ROWS = 4_000

_MAX_DEPTH = 4
_FIRST_FRESH = 100


@dataclass(frozen=True, slots=True)
class Made:
    """The rows of a model by table, with some columns each; a row stands for ``factor`` rows."""

    rows: Mapping[str, list[dict[str, Cell]]]
    factor: int = 1


def databases(plan: Plan, made: Made) -> Iterator[Database]:
    """Databases that realise a model, plain ones first."""
    if made.factor > 1:
        yield from _multiplied(plan, made)
        return
    yield Database.of(
        {
            table: (tuple(rows[0]), [tuple(row.values()) for row in rows])
            for table, rows in made.rows.items()
            if rows and rows[0]
        }
    )
    yield _filled(plan, made.rows).database()


def _filled(plan: Plan, rows: Mapping[str, list[dict[str, Cell]]]) -> Builder:
    """The rows with the cells that the queries do not read filled in, and the parents that they need."""
    builder = Builder(plan.specs, Random(plan.seed), Style(fresh_keys=1.0))
    for table in plan.specs:
        for row in rows.get(table, ()):
            builder.add(table, row)
    occupy(plan, builder)
    return builder


def _multiplied(plan: Plan, made: Made) -> Iterator[Database]:
    for table, rows in made.rows.items():
        if not rows or len(rows) * made.factor > MAX_ROWS:
            continue
        for names in islice(_renewals(plan.specs[table]), MAX_VARIANTS):
            builder = _filled(plan, made.rows)
            copier = _Copier(plan, builder)
            originals = list(builder.rows.get(table, ()))
            for original in originals:
                for _ in range(made.factor - 1):
                    copier.copy(table, original, names)
            yield builder.database()


def _renewals(spec: TableSpec) -> Iterator[tuple[str, ...]]:
    """Sets of columns that take new values in each copy of a row: enough for every key, small ones first."""
    columns = [name for name in spec.columns if name in spec.fresh or name not in spec.ordered]
    subsets = chain.from_iterable(combinations(columns, size) for size in range(len(columns) + 1))
    for names in subsets:
        if all(set(key) & set(names) for key in spec.keys):
            yield names


@dataclass
class _Copier:
    """Adds copies of rows to a builder, some cells of them new."""

    plan: Plan
    builder: Builder
    count: int = _FIRST_FRESH

    def copy(self, table: str, original: Mapping[str, Cell], names: tuple[str, ...], depth: int = 0) -> None:
        """Add a copy of a row with new values in the named columns; a parent they refer to is copied too."""
        spec = self.plan.specs[table]
        row = dict(original)
        for name in names:
            row[name] = self._new(spec, name, row, depth)
        self.builder.add(table, row)

    def _new(self, spec: TableSpec, name: str, row: Mapping[str, Cell], depth: int) -> Cell:
        for reference in spec.references:
            if reference.columns == (name,) and row[name] is not None and depth < _MAX_DEPTH:
                source = reference.parent_columns[0]
                parents = self.builder.rows.get(reference.parent, ())
                parent = next((each for each in parents if each[source] == row[name]), None)
                if parent is not None:
                    self.copy(reference.parent, parent, (source,), depth + 1)
                    return self.builder.rows[reference.parent][-1][source]
        self.count += 1
        return spec.fresh[name](self.count) if name in spec.fresh else self._other(spec, name)

    def _other(self, spec: TableSpec, name: str) -> Cell:
        """A value of a column that is not a key: a number or a text that was not used before."""
        for value in (self.count, f"x{self.count}"):
            if spec.fit[name](value) is not None:
                return spec.fit[name](value)
        return None
