"""Symbolic tables: at most so many rows of each table, their cells chosen from pools, under the facts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

from equiv.algebra import terms
from equiv.algebra.terms import Answer, Scan, Variable
from equiv.cells import Cell
from equiv.core.model import Affinity
from equiv.generate.constraints import Reference
from equiv.generate.rows.row_combinations import Plan
from equiv.generate.rows.specs import Computed, TableSpec
from equiv.search.cells import NUMBER, TEXT
from equiv.search.circuit import FALSE, TRUE, Literal, TooLargeError, UncomputedError
from equiv.search.evaluate import Row
from equiv.search.pools import Pools
from equiv.search.values import Value, Values

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
        pools: Pools,
        values: Values,
        computed: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self._plan = plan
        self._columns = columns
        self._computed = computed or {}
        self._pools = pools
        self._values = values
        self._circuit = values.circuit
        self._keys: dict[tuple[str, Value], Value] = {}
        self.rules: list[Literal] = []
        self.tables: dict[str, list[Row]] = {table: [] for table in columns}

    def add(self, table: str, count: int) -> None:
        """Add rows that are all free: each may be there or not, the later ones only if the earlier are."""
        cell, before = self._values.cells.of, TRUE
        for number in range(count):
            there = self._circuit.variable()
            self.rules.append(self._circuit.either(-there, before))
            if not number and table in self._plan.occupied:
                self.rules.append(there)
            before = there
            cells: dict[str | int, Value] = {}
            for name in self._columns[table]:
                pool = dict.fromkeys(map(cell, self._pools[table, name]))
                cells[name] = self._values.free(tuple(pool), self.rules)
            for name in self._computed.get(table, ()):
                cells[name] = self._generated(self._plan.specs[table].computed[name], cells)
            rows = self.tables[table]
            rows.append(Row(there, cells))
            if number:
                self._sort(table, rows[-2], rows[-1])

    def _generated(self, column: Computed, cells: Mapping[str | int, Value]) -> Value:
        """The value of a generated column in a row with some cells."""

        def compute(values: tuple[Cell, ...]) -> Cell:
            try:
                return column.compute(dict(zip(column.columns, values, strict=True)))
            except ValueError as error:
                raise UncomputedError(f"a generated column: {error}") from error

        return self._values.computed(compute, [cells[name] for name in column.columns])

    def _sort(self, table: str, first: Row, second: Row) -> None:
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

    def _cell(self, value: Value, holds: object) -> Cell:
        assert callable(holds)
        number = next(number for number, literal in value.cases.items() if holds(literal))
        return self._values.cells.cell(number)

    def _pairs(self, table: str) -> Iterator[tuple[Row, Row, Literal]]:
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

    def _equal(self, own: Sequence[Value], table: str, row: Row, names: Sequence[str]) -> Iterator[Literal]:
        """Whether values, of which the collation keys are given, equal those of a row of a table."""
        for value, name in zip(own, names, strict=True):
            yield self._values.equal(value, self._collated(table, name, row.fields[name]))

    def _collated(self, table: str, name: str, value: Value) -> Value:
        """The collation key of a value under a column's collation: parents' decide in a foreign key."""
        collation = self._plan.specs[table].collations.get(name)
        if collation is None:
            return value
        if (collation, value) not in self._keys:
            self._keys[collation, value] = self._values.apply(f"AS {collation}", [value])
        return self._keys[collation, value]

    def _converted(self, value: Value, affinity: Affinity) -> Value:
        """A value of a child as a foreign key compares it: by the affinity of the parent's column."""
        if affinity is Affinity.BLOB:
            return value
        kind = "TEXT" if affinity is Affinity.TEXT else "NUMERIC"
        other = NUMBER if kind == "TEXT" else TEXT
        if other not in {self._values.cells.order[number][0] for number in value.cases}:
            return value
        if (kind, value) not in self._keys:
            self._keys[kind, value] = self._values.apply(f"AS {kind}", [value])
        return self._keys[kind, value]

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
