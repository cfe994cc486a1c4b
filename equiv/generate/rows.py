"""Completes partial rows to a database that satisfies the facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

from equiv.generate.constraints import Constraints, Reference
from equiv.generate.database import Database
from equiv.generate.domains import Pools
from equiv.schema.model import Affinity, Column, Domain
from equiv.verdict import Cell

Partial = Mapping[str, Cell]
"""Some cells of a row; the builder chooses the others."""

_MAX_DEPTH = 6
_ATTEMPTS = 3
_STEPS = (5, 7, 11, 13)
"""Primes: a step that does not divide the size of a pool visits all of it."""
_FIRST_DAY = date(2000, 1, 1)


@dataclass
class TableSpec:
    """What the builder needs of one table, restricted to the columns that are filled."""

    name: str
    columns: tuple[str, ...]
    pools: dict[str, list[Cell]]
    nullable: frozenset[str]
    required: tuple[str, ...]
    keys: list[tuple[str, ...]]
    references: list[Reference]
    functional: list[tuple[tuple[str, ...], tuple[str, ...]]]
    fit: dict[str, Callable[[Cell], Cell]]
    fresh: dict[str, Callable[[int], Cell]]
    """The n-th of endlessly many values of a key column, or None when there are no more."""
    allows: Callable[[Mapping[str, Cell]], bool] | None = None
    """Whether a row passes the CHECKs that span columns."""


def table_specs(
    layout: Mapping[str, tuple[str, ...]],
    constraints: Mapping[str, Constraints],
    pools: Pools,
    row_checks: Mapping[str, Callable[[Mapping[str, Cell]], bool]],
) -> dict[str, TableSpec]:
    """The specs of all tables of a layout, parents first."""
    specs = {}
    for table, names in layout.items():
        rules, present = constraints[table], set(names)
        keyed = {name for key in rules.keys for name in key}
        columns = {name: pools.columns[table, name] for name in names}
        specs[table] = TableSpec(
            table,
            names,
            {name: pools.values[table, name] for name in names},
            frozenset(name for name in names if (table, name) in pools.nullable),
            tuple(name for name in names if (table, name) not in pools.nullable),
            [key for key in rules.keys if set(key) <= present],
            [r for r in rules.references if set(r.columns) <= present and r.parent in layout],
            [(tuple(c for c in left if c in present), tuple(c for c in right if c in present)) for left, right in rules.functional],
            {name: _fitting(columns[name], name in rules.typed, pools.values[table, name]) for name in names},
            {name: _counter(columns[name], name, rules, pools.values[table, name]) for name in names if name in keyed},
            row_checks.get(table),
        )
    return specs


def _fitting(column: Column, typed: bool, pool: list[Cell]) -> Callable[[Cell], Cell]:
    """A function that turns a value into what the column would hold, or None if the facts forbid it."""
    known = {(type(value), value) for value in pool}

    def fit(value: Cell) -> Cell:
        if value is None or (type(value), value) in known:
            return value
        if column.affinity is Affinity.TEXT and isinstance(value, int | float):
            return str(value)
        if column.affinity is not Affinity.TEXT and isinstance(value, str):
            number = _number(value)
            value = value if number is None or column.affinity is Affinity.BLOB else number
        if not typed or column.domain is Domain.ANY:
            return value
        match column.domain:
            case Domain.INTEGER:
                return value if isinstance(value, int) else None
            case Domain.NUMBER:
                return value if isinstance(value, int | float) else None
            case Domain.BOOLEAN:
                return value if value in (0, 1) else None
        return value if isinstance(value, str) else None

    return fit


def _number(text: str) -> int | float | None:
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return None


def _counter(column: Column, name: str, rules: Constraints, pool: list[Cell]) -> Callable[[int], Cell]:
    if column.domain is Domain.BOOLEAN or any(name.lower() in check.lower() for check in rules.checks):
        return lambda n: pool[n] if n < len(pool) else None
    if name in rules.iso_dates:
        return lambda n: (_FIRST_DAY + timedelta(days=n)).isoformat()
    if name in rules.numeric_texts:
        return lambda n: str(n + 1)
    if column.domain is Domain.TEXT:
        return lambda n: f"k{n + 1}"
    return lambda n: n + 1


@dataclass(frozen=True, slots=True)
class Style:
    """How one database is filled where nothing else decides."""

    nulls: float = 0.0
    """The share of NULLs in nullable cells."""
    walks: float = 0.5
    """The share of columns whose values do not repeat while the pool lasts."""
    palette: int = 3
    """How many different values the other columns hold at most."""
    fresh_keys: float = 0.7
    """How often a free key takes a value of its own rather than one of the pool."""


@dataclass
class Builder:
    """Collects the rows of one database; every row that it accepts satisfies the facts."""

    specs: Mapping[str, TableSpec]
    rng: Random
    style: Style
    rows: dict[str, list[dict[str, Cell]]] = field(default_factory=dict)
    _seen: dict[tuple[str, tuple[str, ...]], set[tuple[Cell, ...]]] = field(default_factory=dict)
    _agreed: dict[tuple[str, tuple[str, ...]], dict[tuple[Cell, ...], dict[str, Cell]]] = field(default_factory=dict)
    _palettes: dict[tuple[str, str], tuple[list[Cell], int]] = field(default_factory=dict)
    _walked: dict[tuple[str, str], int] = field(default_factory=dict)
    _counts: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, table: str, partial: Partial, depth: int = 0) -> dict[str, Cell] | None:
        """Complete a row and keep it; None if no completion was found that the facts allow.

        A row whose key is already taken is not kept: the first one stands.
        """
        spec = self.specs[table]
        given = {}
        for name in spec.columns:
            if name in partial:
                value = spec.fit[name](partial[name])
                if value is not None or (partial[name] is None and name in spec.nullable):
                    given[name] = value
        for _ in range(_ATTEMPTS):
            row = self._complete(spec, dict(given), depth)
            if row is not None:
                self._keep(spec, row)
                return row
            if len(given) == len(spec.columns):
                break
        return None

    def database(self) -> Database:
        """The rows kept so far."""
        tables = {}
        for table, spec in self.specs.items():
            kept = self.rows.get(table)
            if kept:
                columns = spec.columns
                tables[table] = (columns, tuple([tuple([row[name] for name in columns]) for row in kept]))
        return Database(tables)

    def fresh(self, table: str, name: str) -> Cell:
        """A value that a key column has not been given before, or None if there are no more."""
        count = self._counts.get((table, name), 0)
        self._counts[table, name] = count + 1
        return self.specs[table].fresh[name](count)

    def pick(self, table: str, name: str) -> Cell:
        """A value of the column's palette, or NULL."""
        rng = self.rng
        if self.style.nulls and name in self.specs[table].nullable and rng.random() < self.style.nulls:
            return None
        palette = self._palettes.get((table, name))
        if palette is None:
            palette = self._palettes[table, name] = self._palette(self.specs[table].pools[name])
        values, step = palette
        if not values:
            return None
        if not step:
            return values[int(rng.random() * len(values))]
        at = self._walked.get((table, name))
        at = int(rng.random() * len(values)) if at is None else (at + step) % len(values)
        self._walked[table, name] = at
        return values[at]

    def _palette(self, pool: list[Cell]) -> tuple[list[Cell], int]:
        """The values of a column and, if it walks through them without repeating, the width of a step."""
        random = self.rng.random
        if random() < self.style.walks:
            first = int(random() * len(_STEPS))
            steps = (_STEPS[(first + turn) % len(_STEPS)] for turn in range(len(_STEPS)))
            return pool, next((step for step in steps if len(pool) % step), 1)
        return [pool[int(random() * len(pool))] for _ in range(1 + int(random() * self.style.palette)) if pool], 0

    def _complete(self, spec: TableSpec, row: dict[str, Cell], depth: int) -> dict[str, Cell] | None:
        own = [reference for reference in spec.references if reference.parent == spec.name]
        for reference in spec.references:
            if reference.parent != spec.name and not self._refer(spec, row, reference, depth):
                return None
        if not all(self._take_key(spec, row, key) for key in spec.keys):
            return None
        for reference in own:
            if not self._refer(spec, row, reference, depth):
                return None
        for name in spec.columns:
            if name not in row:
                row[name] = self.pick(spec.name, name)
        for name in spec.required:
            if row[name] is None:
                return None
        if spec.functional and not self._agree(spec, row):
            return None
        return row if spec.allows is None or spec.allows(row) else None

    def _refer(self, spec: TableSpec, row: dict[str, Cell], reference: Reference, depth: int) -> bool:
        """Make a row's reference point at a parent row, at itself, or at nothing (NULL)."""
        missing = ""
        for name in reference.columns:
            if name not in row:
                missing = name
            elif row[name] is None:
                return True
        escapes = missing in spec.nullable
        if escapes and self.style.nulls and self.rng.random() < self.style.nulls:
            row[missing] = None
            return True
        parent = self._parent(spec, row, reference, bool(missing), depth)
        if parent is not None:
            for name, source in zip(reference.columns, reference.parent_columns, strict=True):
                row[name] = spec.fit[name](parent[source])
                if row[name] is None:
                    return False
            return True
        if escapes:
            row[missing] = None
        return escapes

    def _parent(
        self, spec: TableSpec, row: dict[str, Cell], reference: Reference, open_: bool, depth: int
    ) -> Mapping[str, Cell] | None:
        """A row, made if need be, that a reference may point at; ``open_`` if it is not wholly given."""
        sources = reference.parent_columns
        given = {s: row[name] for name, s in zip(reference.columns, sources, strict=True) if name in row}
        known = [p for p in self.rows.get(reference.parent, ()) if _holds(p, given)]
        if open_ and reference.columns in spec.keys:
            taken = self._seen.get((spec.name, reference.columns), ())
            known = [p for p in known if tuple([p[source] for source in sources]) not in taken]
        if known:
            found = known[int(self.rng.random() * len(known))]
        elif reference.parent == spec.name and all(s in row for s in sources) and _holds(row, given):
            found = row
        elif depth < _MAX_DEPTH:
            made = self.add(reference.parent, given, depth + 1)
            if made is None or not _holds(made, given):
                return None
            found = made
        else:
            return None
        return None if any(found[source] is None for source in sources) else found

    def _take_key(self, spec: TableSpec, row: dict[str, Cell], key: tuple[str, ...]) -> bool:
        """Fill what is missing of a key so that it is not yet taken; False if it is."""
        seen = self._seen.get((spec.name, key))
        missing = [name for name in key if name not in row]
        for name in missing[:-1]:
            row[name] = self.pick(spec.name, name)
        if not missing:
            return not seen or tuple([row[name] for name in key]) not in seen
        last = missing[-1]
        if self.rng.random() >= self.style.fresh_keys:
            row[last] = self.pick(spec.name, last)
            if not seen or tuple([row[name] for name in key]) not in seen:
                return True
        while (value := self.fresh(spec.name, last)) is not None:
            row[last] = value
            if not seen or tuple([row[name] for name in key]) not in seen:
                return True
        row[last] = None
        return last in spec.nullable

    def _agree(self, spec: TableSpec, row: dict[str, Cell]) -> bool:
        """Copy what earlier rows determine; False if that would change a key or a reference."""
        fixed = {name for key in spec.keys for name in key} | {n for r in spec.references for n in r.columns}
        for left, right in spec.functional:
            earlier = self._agreed.get((spec.name, left + ("->",) + right), {}).get(tuple([row[n] for n in left]))
            for name in right if earlier else ():
                if earlier is not None and row[name] != earlier[name]:
                    if name in fixed or name in left:
                        return False
                    row[name] = earlier[name]
        return all(
            all(row[n] == earlier[n] for n in right)
            for left, right in spec.functional
            if (earlier := self._agreed.get((spec.name, left + ("->",) + right), {}).get(tuple(row[n] for n in left)))
        )

    def _keep(self, spec: TableSpec, row: dict[str, Cell]) -> None:
        self.rows.setdefault(spec.name, []).append(row)
        for key in spec.keys:
            values = tuple([row[name] for name in key])
            if None not in values:
                self._seen.setdefault((spec.name, key), set()).add(values)
        for left, right in spec.functional:
            agreed = self._agreed.setdefault((spec.name, left + ("->",) + right), {})
            agreed.setdefault(tuple([row[name] for name in left]), row)


def _holds(row: Mapping[str, Cell], given: Mapping[str, Cell]) -> bool:
    """Whether a row holds the given values; a number and its text match, as affinity makes them equal."""
    for name, value in given.items():
        held = row[name]
        if held != value and (held.__class__ is value.__class__ or str(held) != str(value)):
            return False
    return True
