"""Table specifications for the row builder: columns, value pools, keys, references, and spellings of keys.

Spellings are values that are equal under ``=`` after conversion and distinct for GROUP BY, DISTINCT and
keys. Text compared with a number is converted, so that '1', '01' and '1.0' all refer to the key 1; a key
whose collation folds case or blanks is met by every case and any blanks behind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal

from equiv.cells import Cell
from equiv.core.model import Affinity, Column, Domain
from equiv.core.reading.queries import ColumnKey
from equiv.core.single_values import Collation, collation_of
from equiv.generate.constraints import Constraints, Reference
from equiv.generate.pools import Pools
from equiv.generate.scratch import Enforcer

Spellings = Callable[[Cell], tuple[str, ...]]

_NUMBER = re.compile(r"(-?)(\d{1,9})(\.\d{1,6})?", re.ASCII)
"""Short enough to be exact as REAL, into which SQLite turns 1.0."""

_NUMERIC = (Affinity.INTEGER, Affinity.REAL, Affinity.NUMERIC)


@dataclass(frozen=True, slots=True)
class Partners:
    """The columns that each column is compared with, by a foreign key or in a query."""

    of: Mapping[ColumnKey, Sequence[Column]]
    constraints: Mapping[str, Constraints]

    def spellings(self, table: str, names: Iterable[str]) -> dict[str, Spellings]:
        """Spellings by column, for the columns of a table whose values partners may spell otherwise."""
        rules = self.constraints[table]
        referring = [name for reference in rules.references for name in reference.columns]
        found = {}
        for name in names:
            # Where a column refers to several tables, each reference would have to be met anew.
            if (table, name) in self.of and referring.count(name) < 2:
                spellings = _spellings(name, self.of[table, name], rules)
                if spellings is not None:
                    found[name] = spellings
        return found

    def is_number(self, key: ColumnKey) -> bool:
        """Whether a column is compared with one of numbers."""
        return any(column.affinity in _NUMERIC for column in self.of.get(key, ()))


def partners(
    tables: Iterable[str],
    constraints: Mapping[str, Constraints],
    equal: Iterable[tuple[ColumnKey, ColumnKey]],
) -> Partners:
    """The partners of the columns of some tables.

    Args:
        equal: columns that a query compares with one another.
    """
    pairs = list(equal)
    for table in tables:
        for reference in constraints[table].references:
            for name, source in zip(reference.columns, reference.parent_columns, strict=True):
                pairs.append(((table, name), (reference.parent, source)))
    columns: dict[ColumnKey, list[Column]] = {}
    for pair in pairs:
        for one, (table, name) in (pair, pair[::-1]):
            column = constraints[table].table.column(name)
            if column is not None:
                columns.setdefault(one, []).append(column)
    return Partners(columns, constraints)


def _spellings(name: str, others: Sequence[Column], rules: Constraints) -> Spellings | None:
    """How a column that equals others may spell their values, or None if in one way only."""
    column = rules.table.column(name)
    if column is None or rules.is_checked(name) or column.affinity in _NUMERIC or column.samples is not None:
        return None
    if name in rules.iso_dates or name in rules.iso_timestamps:
        return None
    if any(other.affinity in _NUMERIC for other in others):
        return _plain_numbers if name in rules.numeric_texts else _numbers
    collations = {other.collation.upper() for other in others} - {column.collation.upper()}
    if name in rules.numeric_texts or not collations & {"NOCASE", "RTRIM"}:
        return None
    return _cases if "NOCASE" in collations else _blanks


def _plain_numbers(value: Cell) -> tuple[str, ...]:
    """Digits and a point alone, as NUMERIC_TEXT wants them."""
    text = str(value)
    match = _NUMBER.fullmatch(text)
    if match is None:
        return ()
    sign, whole, fraction = match[1], match[2], match[3]
    return (f"{sign}0{whole}{fraction or ''}", f"{text}0" if fraction else f"{text}.0")


def _numbers(value: Cell) -> tuple[str, ...]:
    plain = _plain_numbers(value)
    return (*plain, f" {value!s}") if plain else ()


def _cases(value: Cell) -> tuple[str, ...]:
    if not isinstance(value, str) or not value.isascii() or value.swapcase() == value:
        return ()
    return (value.swapcase(),)


def _blanks(value: Cell) -> tuple[str, ...]:
    return (f"{value} ",) if isinstance(value, str) else ()


def same_number(one: Cell, other: Cell) -> bool:
    """Whether a text and a number, or two texts, stand for one plain number."""
    texts = (str(one).strip(" "), str(other).strip(" "))
    return all(map(_NUMBER.fullmatch, texts)) and Decimal(texts[0]) == Decimal(texts[1])


_FIRST_DAY = date(2000, 1, 1)
_LONG = 8
"""Texts of so many characters can be counted without end."""


@dataclass(frozen=True, slots=True)
class RowCheck:
    """The multi-column CHECKs of a table: the columns they read, and a test of a row."""

    columns: frozenset[str]
    passes: Callable[[Mapping[str, Cell]], bool]


@dataclass(frozen=True, slots=True)
class Computed:
    """A generated column: the columns that it reads, and a function that computes it."""

    columns: tuple[str, ...]
    compute: Callable[[Mapping[str, Cell]], Cell]
    """Raises ValueError where SQLite fails."""


@dataclass
class TableSpec:
    """The specification of one table for the builder, restricted to the columns that are filled."""

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
    collations: Mapping[str, Collation]
    """The columns whose texts are equal where their collation keys are."""
    ordered: frozenset[str]
    """Columns on which ties are better avoided."""
    spellings: dict[str, Spellings]
    """How columns that refer to others, or are compared with them, may spell their values otherwise."""
    compared: tuple[str, ...]
    """The columns of ``spellings`` that refer to no parent."""
    check: RowCheck | None = None
    enforcer: Enforcer | None = None
    """Where the DDL may forbid rows in ways that are not read here."""
    computed: Mapping[str, Computed] = field(default_factory=dict)
    """The generated columns; they are not among ``columns``."""
    judged: frozenset[str] = frozenset()
    """Columns that other values may do for where a row is refused."""


@dataclass(frozen=True, slots=True)
class Beyond:
    """Constraints of tables beyond the facts: multi-column CHECKs, whole DDL, generated columns."""

    checks: Mapping[str, RowCheck]
    enforcers: Mapping[str, Enforcer]
    computed: Mapping[str, Mapping[str, Computed]]


def table_specs(
    layout: Mapping[str, tuple[str, ...]],
    constraints: Mapping[str, Constraints],
    pools: Pools,
    ordered: Collection[ColumnKey],
    *,
    partners: Partners,
    beyond: Beyond,
) -> dict[str, TableSpec]:
    """The specs of all tables of a layout, parents first."""
    specs = {}
    for table, names in layout.items():
        rules, present = constraints[table], set(names)
        keyed = {name for key in rules.keys for name in key}
        columns = {name: pools.columns[table, name] for name in names}
        pool_values = {name: pools.values[table, name] for name in names}
        numbers = {name for name in names if partners.is_number((table, name))}
        spellings = partners.spellings(table, names)
        specs[table] = TableSpec(
            table,
            names,
            pool_values,
            frozenset(name for name in names if (table, name) in pools.nullable),
            tuple(name for name in names if (table, name) not in pools.nullable),
            [key for key in rules.keys if set(key) <= present],
            [r for r in rules.references if set(r.columns) <= present and r.parent in layout],
            [(_present(left, present), _present(right, present)) for left, right in rules.functional],
            {name: _fitting(columns[name], name in rules.typed, pool_values[name]) for name in names},
            {
                name: _counter(columns[name], name in numbers, rules, pool_values[name])
                for name in names
                if name in keyed
            },
            {
                name: collation
                for name, column in columns.items()
                if (collation := collation_of(column.collation)) is not None
            },
            frozenset(name for name in names if (table, name) in ordered),
            spellings,
            tuple(name for name in spellings if not any(name in r.columns for r in rules.references)),
            check := beyond.checks.get(table),
            enforcer := beyond.enforcers.get(table),
            beyond.computed.get(table, {}),
            (check.columns if check else frozenset()) | (rules.judged() if enforcer else set()),
        )
    return specs


def _present(names: tuple[str, ...], present: set[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name in present)


def _fitting(column: Column, typed: bool, pool: list[Cell]) -> Callable[[Cell], Cell]:
    """A function that turns a value into what the column would hold, or None if the facts forbid it."""
    known = {(type(value), value) for value in pool}

    def fit(value: Cell) -> Cell:
        if value is None or (type(value), value) in known:
            return value
        found = typed_as(value)
        return found if column.stores(found) else None

    def typed_as(value: Cell) -> Cell:
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


def _counter(column: Column, of_numbers: bool, rules: Constraints, pool: list[Cell]) -> Callable[[int], Cell]:
    name = column.name
    few = column.samples is not None or 0 < column.longest < _LONG
    if column.domain is Domain.BOOLEAN or few or rules.is_checked(name):
        return lambda n: pool[n] if n < len(pool) else None
    if name in rules.iso_dates:
        return lambda n: (_FIRST_DAY + timedelta(days=n)).isoformat()
    if name in rules.iso_timestamps:
        return lambda n: f"{_FIRST_DAY + timedelta(days=n)} 00:00:00"
    if name in rules.numeric_texts or (of_numbers and column.domain is Domain.TEXT):
        return lambda n: str(n + 1)
    if column.domain is Domain.TEXT:
        return lambda n: f"k{n + 1}"
    return lambda n: n + 1
