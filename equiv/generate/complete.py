"""Completes partial rows to a database that satisfies the facts.

The rows kept so far for one database stand with the key values taken and the dependencies settled by them.
Where nothing else decides, a cell gets a new key, a value of a palette, the next of a pool, or NULL.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import cycle, repeat
from random import Random

from equiv.cells import Cell
from equiv.core.model import Affinity
from equiv.core.single_values import key_of
from equiv.generate.constraints import Reference
from equiv.generate.database import Database
from equiv.generate.specs import TableSpec, same_number

_ORDERED_WALK = 0.8
"""How often at least a column that orders rows takes no value twice."""

_STEPS = (5, 7, 11, 13)
"""Primes: a step that does not divide the size of a pool visits all of it."""


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
    respelt: float = 0.0
    """The share of values that are spelt in several ways where that is allowed."""


@dataclass(slots=True)
class _Palette:
    """The values that a column takes in one database."""

    values: list[Cell]
    step: int
    """If not 0, the column walks through its values by so many at a time."""
    at: int = -1
    """The current position; -1 before the first step."""


@dataclass
class Cells:
    """The choices made for one database."""

    specs: Mapping[str, TableSpec]
    rng: Random
    style: Style
    _palettes: dict[tuple[str, str], _Palette] = field(default_factory=dict)
    _counts: dict[tuple[str, str], int] = field(default_factory=dict)
    _ways: dict[tuple[str, str, Cell], Iterator[Cell]] = field(default_factory=dict)
    """The spellings of a value still to come, without end."""

    def fresh(self, table: str, name: str) -> Cell:
        """A value that a key column has not been given before, or None if there are no more."""
        return self.specs[table].fresh[name](self.turn(table, name))

    def turn(self, table: str, name: str) -> int:
        """How many values a key column has been given before; one more now."""
        count = self._counts.get((table, name), 0)
        self._counts[table, name] = count + 1
        return count

    def pick(self, table: str, name: str) -> Cell:
        """A value of the column's palette, or NULL."""
        rng = self.rng
        if self.style.nulls and name in self.specs[table].nullable and rng.random() < self.style.nulls:
            return None
        palette = self._palettes.get((table, name))
        if palette is None:
            palette = self._palettes[table, name] = self._palette(self.specs[table], name)
        values = palette.values
        if not values:
            return None
        if not palette.step:
            return values[int(rng.random() * len(values))]
        at = palette.at
        at = int(rng.random() * len(values)) if at < 0 else (at + palette.step) % len(values)
        palette.at = at
        return values[at]

    def respelt(self, spec: TableSpec, name: str, value: Cell) -> Cell:
        """A value as it is, or in one of its other spellings.

        A value is spelt either in one way throughout or in a new way each time, as long as there are any: so
        groups by spelling and groups by value have their largest elsewhere.
        """
        if value is None or not self.style.respelt:
            return value
        key = (spec.name, name, value)
        ways = self._ways.get(key)
        if ways is None:
            varies = self.rng.random() < self.style.respelt
            ways = self._ways[key] = cycle((*spec.spellings[name](value), value)) if varies else repeat(value)
        return next(ways)

    def _palette(self, spec: TableSpec, name: str) -> _Palette:
        """The values of a column, and whether it walks through them without repeating."""
        random, pool = self.rng.random, spec.pools.get(name, [])
        if random() < (max(self.style.walks, _ORDERED_WALK) if name in spec.ordered else self.style.walks):
            first = int(random() * len(_STEPS))
            steps = (_STEPS[(first + turn) % len(_STEPS)] for turn in range(len(_STEPS)))
            return _Palette(pool, next((step for step in steps if len(pool) % step), 1))
        size = 1 + int(random() * self.style.palette) if pool else 0
        return _Palette([pool[int(random() * len(pool))] for _ in range(size)], 0)


@dataclass
class _KeptRows:
    """Kept rows in their order; the last ones can be taken back."""

    rows: dict[str, list[dict[str, Cell]]] = field(default_factory=dict)
    _seen: dict[tuple[str, tuple[str, ...]], set[tuple[Cell, ...]]] = field(default_factory=dict)
    _agreed: dict[tuple[str, int], dict[tuple[Cell, ...], dict[str, Cell]]] = field(default_factory=dict)
    _log: list[tuple[TableSpec, dict[str, Cell]]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self._log)

    def keep(self, spec: TableSpec, row: dict[str, Cell]) -> None:
        """Add a row."""
        self.rows.setdefault(spec.name, []).append(row)
        self._log.append((spec, row))
        for key in spec.keys:
            values = _identity(spec, row, key)
            if None not in values:
                self._seen.setdefault((spec.name, key), set()).add(values)
        for number, (left, _) in enumerate(spec.functional):
            self._agreed.setdefault((spec.name, number), {}).setdefault(tuple([row[n] for n in left]), row)

    def cut(self, kept: int) -> None:
        """Take back all rows but the first so many."""
        while len(self._log) > kept:
            spec, row = self._log.pop()
            self.rows[spec.name].pop()
            for key in spec.keys:
                self._seen.get((spec.name, key), set()).discard(_identity(spec, row, key))
            for number in range(len(spec.functional)):
                agreed = self._agreed.get((spec.name, number), {})
                for values in [values for values, first in agreed.items() if first is row]:
                    del agreed[values]

    def is_taken(self, spec: TableSpec, row: Mapping[str, Cell], key: tuple[str, ...]) -> bool:
        """Whether a kept row has the key of this one."""
        seen = self._seen.get((spec.name, key))
        return seen is not None and _identity(spec, row, key) in seen

    def taken(self, spec: TableSpec, key: tuple[str, ...]) -> set[tuple[Cell, ...]]:
        """The values of a key that kept rows have."""
        return self._seen.get((spec.name, key), set())

    def agree(self, spec: TableSpec, row: dict[str, Cell]) -> bool:
        """Copy into a row the values that kept rows determine by functional dependencies.

        Returns:
            False if that would change a key or a reference, or comes to no end.
        """
        fixed = {name for key in spec.keys for name in key} | {n for r in spec.references for n in r.columns}
        for _ in range(len(spec.functional) + 1):
            settled = True
            for number, (left, right) in enumerate(spec.functional):
                known = self._agreed.get((spec.name, number), {})
                earlier = known.get(tuple([row[name] for name in left]), row)
                for name in right:
                    if row[name] != earlier[name]:
                        if name in fixed:
                            return False
                        row[name], settled = earlier[name], False
            if settled:
                return True
        return False


def _identity(spec: TableSpec, row: Mapping[str, Cell], key: tuple[str, ...]) -> tuple[Cell, ...]:
    """The values of a key as its collations compare them."""
    if not spec.collations:
        return tuple([row[name] for name in key])
    return tuple(
        [
            key_of(collation, row[name]) if (collation := spec.collations.get(name)) else row[name]
            for name in key
        ]
    )


Partial = Mapping[str, Cell]
"""Some cells of a row; the builder chooses the others."""

_MAX_DEPTH = 6
_ATTEMPTS = 4
_ABSENT = 0.5
_AGAIN = 4
"""How many times as often a row is tried whose CHECK reads cells that nothing fixes."""
_FAILURES_IN_ALL = 1000
"""Facts that can hardly be met, parents' parents included, would else take time without end."""

_PARENTS, _NEW_PARENT = 4, 0.3
"""A reference that is free gets a parent of its own this often, as long as there are so few."""


@dataclass
class Builder:
    """Collects the rows of one database; every row that it accepts satisfies the facts."""

    specs: Mapping[str, TableSpec]
    rng: Random
    style: Style
    _cells: Cells = field(init=False)
    _ledger: _KeptRows = field(default_factory=_KeptRows)
    _failures_left: int = _FAILURES_IN_ALL
    _unfinished: list[tuple[str, dict[str, Cell]]] = field(default_factory=list)
    """The rows that are being completed: references may run in a circle."""
    _relied_on: dict[int, dict[str, Cell]] = field(default_factory=dict)
    """Unfinished rows that a kept row refers to, by identity; kept here, so that no other row gets theirs."""

    def __post_init__(self) -> None:
        self._cells = Cells(self.specs, self.rng, self.style)
        self.fresh, self.turn, self.pick = self._cells.fresh, self._cells.turn, self._cells.pick

    @property
    def rows(self) -> Mapping[str, list[dict[str, Cell]]]:
        """The rows kept so far, by table."""
        return self._ledger.rows

    def add(self, table: str, partial: Partial, depth: int = 0) -> dict[str, Cell] | None:
        """Complete a row and keep it; None if no completion was found that the facts allow.

        A row whose key is already taken is not kept: the first one stands.
        """
        spec = self.specs[table]
        values = {}
        for name in spec.columns:
            if name in partial:
                value = spec.fit[name](partial[name])
                if value is not None or (partial[name] is None and name in spec.nullable):
                    values[name] = value
        for name in spec.compared:
            if name in values:
                values[name] = self._cells.respelt(spec, name, values[name])
        row = self._attempt(spec, values, depth)
        if row is None and (spec.check is not None or spec.enforcer is not None):
            free = {name: value for name, value in values.items() if name not in spec.judged}
            row = self._attempt(spec, free, depth)
        if row is not None:
            self._ledger.keep(spec, row)
        return row

    def database(self) -> Database:
        """The rows kept so far."""
        tables = {}
        for table, spec in self.specs.items():
            kept = self.rows.get(table)
            if kept:
                columns = spec.columns
                tables[table] = (columns, tuple([tuple([row[name] for name in columns]) for row in kept]))
        return Database(tables)

    def _attempt(self, spec: TableSpec, given: dict[str, Cell], depth: int) -> dict[str, Cell] | None:
        # A CHECK that fails asks first for other values of what nothing fixes, NULL the likeliest.
        open_ = spec.judged.difference(given) if given.keys() & spec.judged else ()
        tries = _ATTEMPTS if len(given) < len(spec.columns) else 1
        for turn in range(_AGAIN * tries if open_ else tries):
            if self._failures_left <= 0:
                return None
            row, kept = dict(given), len(self._ledger)
            if open_ and turn >= tries:
                absent = spec.nullable.intersection(open_)
                row.update((name, None) for name in spec.columns if name in absent and self._is_absent(turn))
            self._unfinished.append((spec.name, row))
            done = self._complete(spec, row, depth, new_parents=turn > 0)
            self._unfinished.pop()
            if done:
                return row
            self._failures_left -= 1
            if id(row) in self._relied_on:
                self._ledger.cut(kept)
        return None

    def _is_absent(self, turn: int) -> bool:
        """Whether a cell that may be NULL is: all of them are at first, then any of them."""
        return turn == _ATTEMPTS or self.rng.random() < _ABSENT

    def _complete(self, spec: TableSpec, row: dict[str, Cell], depth: int, *, new_parents: bool) -> bool:
        """Fill a row in place; False if that failed.

        With ``new_parents``, free references get parents of their own: in a table that links others, a key
        of references is soon taken else.
        """
        for reference in spec.references:
            if reference.parent != spec.name and not self._refer(
                spec, row, reference, depth, new_parents=new_parents
            ):
                return False
        for key in spec.keys:
            if not self._take_key(spec, row, key):
                return False
        for reference in spec.references:
            if reference.parent == spec.name and not self._refer(spec, row, reference, depth):
                return False
        pick, table = self.pick, spec.name
        for name in spec.columns:
            if name not in row:
                row[name] = pick(table, name)
        return self._is_allowed(spec, row)

    def _is_allowed(self, spec: TableSpec, row: dict[str, Cell]) -> bool:
        """Whether a row that is filled keeps what its table asks for beyond keys and references."""
        for name in spec.required:
            if row[name] is None:
                return False
        if spec.functional and not self._ledger.agree(spec, row):
            return False
        if spec.check is not None and not spec.check.passes(row):
            return False
        return spec.enforcer is None or spec.enforcer.accepts(self.rows.get(spec.name, ()), row)

    def _refer(
        self,
        spec: TableSpec,
        row: dict[str, Cell],
        reference: Reference,
        depth: int,
        *,
        new_parents: bool = False,
    ) -> bool:
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
        parent = self._parent(spec, row, reference, depth, open_=bool(missing), new_parents=new_parents)
        if parent is not None:
            for name, source in zip(reference.columns, reference.parent_columns, strict=True):
                value = spec.fit[name](parent[source])
                if value is None:
                    return False
                if name not in spec.spellings:
                    row[name] = value
                elif row.get(name) in (None, value):
                    spelt = self._cells.respelt(spec, name, value)
                    row[name] = spelt if self._refers(reference, {source: spelt}, parent) else value
            return True
        if escapes:
            row[missing] = None
        return escapes

    def _parent(
        self,
        spec: TableSpec,
        row: dict[str, Cell],
        reference: Reference,
        depth: int,
        *,
        open_: bool,
        new_parents: bool,
    ) -> Mapping[str, Cell] | None:
        """A row, made if need be, that a reference may point at; ``open_`` if it is not wholly given."""
        sources = reference.parent_columns
        values = {s: row[name] for name, s in zip(reference.columns, sources, strict=True) if name in row}
        known = self._ledger.rows.get(reference.parent, [])

        def is_met_by(row: Mapping[str, Cell]) -> bool:
            pairs = zip(reference.columns, sources, strict=True)
            own = {s: values[s] if s in values else spec.fit[name](row[s]) for name, s in pairs}
            return self._refers(reference, own, row)

        if values or reference.converts:
            known = [p for p in known if is_met_by(p)]
        if open_ and reference.columns in spec.keys:
            taken = self._ledger.taken(spec, reference.columns)
            known = [p for p in known if tuple([p[source] for source in sources]) not in taken]
        few = len(known) < _PARENTS and self.rng.random() < _NEW_PARENT
        adds = open_ and depth < _MAX_DEPTH and (few or new_parents)
        if known and not adds:
            parent = known[int(self.rng.random() * len(known))]
        elif depth and (circle := self._close_circle(spec, reference, values)) is not None:
            parent = circle
        elif reference.parent == spec.name and all(s in row for s in sources) and is_met_by(row):
            parent = row
        elif depth < _MAX_DEPTH:
            made = self.add(reference.parent, values, depth + 1)
            if made is None or not is_met_by(made):
                return None
            parent = made
        else:
            return None
        return None if any(parent[source] is None for source in sources) else parent

    def _refers(self, reference: Reference, own: Mapping[str, Cell], parent: Mapping[str, Cell]) -> bool:
        """Whether values, by those of the parent's columns that they stand for, refer to a row of the parent.

        They are compared as SQLite compares those of a foreign key.
        """
        collations = self.specs[reference.parent].collations

        def key(name: str, value: Cell) -> Cell:
            return key_of(collations[name], value) if name in collations else value

        pairs = zip(reference.parent_columns, reference.affinities, strict=True)
        return all(
            _finds(key(name, parent[name]), key(name, own[name]), affinity)
            for name, affinity in pairs
            if name in own
        )

    def _close_circle(
        self, spec: TableSpec, reference: Reference, given: Mapping[str, Cell]
    ) -> dict[str, Cell] | None:
        """An unfinished row that the reference may point at, with what the reference reads filled in."""
        for table, row in self._unfinished[:-1]:
            fits = all(row.get(name, value) == value for name, value in given.items())
            if table != reference.parent or not fits:
                continue
            for name, source in zip(reference.columns, reference.parent_columns, strict=True):
                if source not in row:
                    row[source] = given[source] if source in given else self._any(spec, name, table, source)
            self._relied_on[id(row)] = row
            return row
        return None

    def _any(self, spec: TableSpec, name: str, parent: str, source: str) -> Cell:
        """A value for a reference of one column: a new one where a key is made of it."""
        if (source,) in self.specs[parent].keys:
            return self.fresh(parent, source)
        return self.fresh(spec.name, name) if (name,) in spec.keys else self.pick(parent, source)

    def _take_key(self, spec: TableSpec, row: dict[str, Cell], key: tuple[str, ...]) -> bool:
        """Fill what is missing of a key so that it is not yet taken; False if it is."""
        is_taken = self._ledger.is_taken
        missing = [name for name in key if name not in row]
        for name in missing[:-1]:
            row[name] = self.pick(spec.name, name)
        if not missing:
            return not is_taken(spec, row, key)
        last = missing[-1]
        if len(key) > 1 or self.rng.random() >= self.style.fresh_keys:
            row[last] = self.pick(spec.name, last)
            if not is_taken(spec, row, key):
                return True
        while (value := self.fresh(spec.name, last)) is not None:
            row[last] = value
            if not is_taken(spec, row, key):
                return True
        row[last] = None
        return last in spec.nullable


def _finds(held: Cell, value: Cell, affinity: Affinity) -> bool:
    """Whether a value of a child refers to one of a parent's column of an affinity, collations apart."""
    match held, value:
        case str(), int() | float():
            return affinity is Affinity.TEXT and held == str(value)
        case int() | float(), str():
            return affinity not in (Affinity.TEXT, Affinity.BLOB) and same_number(held, value)
    return held == value
