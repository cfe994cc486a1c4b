"""Values that are equal under ``=`` after conversion and distinct for GROUP BY, DISTINCT and keys.

Text held against a number is converted, so that '1', '01' and '1.0' all refer to the key 1; a key whose
collation folds case or blanks is met by every case and any blanks behind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from equiv.cells import Cell
from equiv.core.model import Affinity, Column
from equiv.core.reading.queries import ColumnKey
from equiv.generate.constraints import Constraints

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
        """Whether a column is held against one of numbers."""
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
