"""Databases from the rows of a model: as they are, filled in, or multiplied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, combinations, islice
from random import Random

from equiv.cells import Cell
from equiv.generate.database import Database
from equiv.generate.rows.cells import Style
from equiv.generate.rows.complete import Builder
from equiv.generate.rows.row_combinations import Plan, occupy
from equiv.generate.rows.specs import TableSpec

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
        """A value of a column that is no key: a number or a text that was not used before."""
        for value in (self.count, f"x{self.count}"):
            if spec.fit[name](value) is not None:
                return spec.fit[name](value)
        return None
