"""Queries on which textbook rewrites go wrong, on any schema: NULL, duplicates, ties, no rows, letter case.

Conditions on further columns are added now and then; whether a query shows what goes wrong depends on little
else, so that little stands in its way.  What is written is in ``traps.sql``, by what goes
wrong:

- ``$A`` is a table with alias ``a``, ``$B`` one with alias ``b``, perhaps the same; ``a.$x`` and ``b.$y`` can
  be compared; ``a.$u`` is another column, of the kind of ``a.$x`` if there is one, ``a.$s`` and ``b.$z`` are
  any, ``$k`` is the key of ``$A``;
- ``$p`` is a condition on ``a`` and ``$q`` one on ``b``; ``$wp`` is WHERE with it, ``$ap`` AND with it, or
  nothing;
- ``$l`` is a literal of the kind of ``a.$x``, so are ``$lo`` and ``$hi``, of which the first is the smaller;
  ``$n`` is a number, ``$op`` a comparison, ``$dir`` DESC or nothing, ``$call_a`` an aggregate over ``a``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from string import Template

from equiv.core.model import Column, Schema, Table
from equiv.names import quoted
from equiv.testing.making.conditions import Conditions
from equiv.testing.making.queries import ALL, Features, uses_only
from equiv.testing.making.texts import (
    HARD_COLUMNS,
    LITERALS,
    OPERATORS,
    Chances,
    columns_of,
    kind_of,
    read_ways,
    usual,
)

TRAPS = {sort: texts for sort, (texts,) in read_ways("traps.sql").items()}
KINDS_OF = {"numbers": "ir", "texts": "t", "denied patterns": "t", "dates": "d"}
"""The kinds of columns without which a sort makes no sense."""

NULLABLE_WEIGHT = 4
"""How much more often a column that may hold NULL is taken than one that may not."""

TrapColumn = tuple[Table, Column]
"""A column, and the table that has it."""


@dataclass(frozen=True, slots=True)
class Trap:
    """A text of a query with places for names and literals, and the kinds that its column may be of."""

    text: str
    kinds: str
    """'' for any."""


@dataclass
class Traps(Chances):
    """Makes queries of the texts of :data:`TRAPS`."""

    schema: Schema
    features: Features = ALL
    """What they may use."""

    def sorts(self) -> list[list[Trap]]:
        """The traps that the schema and the features allow, sort by sort."""
        return [
            [Trap(text, KINDS_OF.get(sort, "")) for text in texts]
            for sort in TRAPS
            if self._places(KINDS_OF.get(sort, "")) and (texts := texts_of(sort, self.features))
        ]

    def shuffled(self) -> list[Trap]:
        """All of them, in an order in which near ones are of different sorts."""
        sorts = self.sorts()
        self.random.shuffle(sorts)
        for traps in sorts:
            self.random.shuffle(traps)
        return [trap for traps in zip_longest(*sorts) for trap in traps if trap is not None]

    def query(self, trap: Trap) -> str:
        """A query that a trap makes."""
        (table, x), (other, y) = self._pair(trap.kinds, refers="$B" in trap.text)
        return Template(trap.text).substitute(
            {**self._columns(table, x, other, y), **self._tests(table, other), **self._literals(x)}
        )

    def _places(self, kinds: str) -> list[TrapColumn]:
        """The columns of some kinds, or of all; several times if they may be NULL, or texts fold."""
        return [
            (table, column)
            for table in self.schema.tables
            for column in table.columns
            if column.name not in HARD_COLUMNS and (not kinds or kind_of(column) in kinds)
            for _ in range(2 if kinds == "t" and _folds(column) else weight_of(table, column))
        ]

    def _pair(self, kinds: str, *, refers: bool) -> tuple[TrapColumn, TrapColumn]:
        """Two columns that can be compared: of one kind, or one that refers to the other."""
        if refers and self.chance(0.35) and (found := list(self._references(kinds))):
            return self.random.choice(found)
        table, column = self.random.choice(self._places(kinds))
        return (table, column), self.random.choice(self._places(kind_of(column)))

    def _references(self, kinds: str) -> Iterable[tuple[TrapColumn, TrapColumn]]:
        for table in self.schema.tables:
            for key in table.foreign_keys:
                parent = self.schema.table(key.parent)
                own = table.column(key.columns[0])
                target = parent.column(key.parent_columns[0]) if parent is not None else None
                if parent is None or own is None or target is None or len(key.columns) > 1:
                    continue
                if not kinds or kind_of(target) in kinds:
                    yield (parent, target), (table, own)

    def _columns(self, table: Table, x: Column, other: Table, y: Column) -> dict[str, str]:
        others = [each for each in _open(table) if each.name != x.name]
        alike = [each for each in others if kind_of(each) == kind_of(x)]
        key = table.primary_key[0] if len(table.primary_key) == 1 else x.name
        names = {
            "x": x.name,
            "y": y.name,
            "u": self._one(table, alike or others or [x]).name,
            "s": self._one(table, _open(table)).name,
            "z": self._one(other, _open(other)).name,
            "k": key,
        }
        return {"A": quoted(table.name), "B": quoted(other.name)} | {n: quoted(c) for n, c in names.items()}

    def _one(self, table: Table, columns: Sequence[Column]) -> Column:
        """One of some columns, more often one that may be NULL."""
        return self.random.choice([c for c in columns for _ in range(weight_of(table, c))])

    def _tests(self, table: Table, other: Table) -> dict[str, str]:
        """Conditions ``p`` on one table and ``q`` on the other; with a word before them, or nothing."""
        conditions = Conditions(self.random, self.schema, "s", hardness=0, size=0, nests=False)
        tests: dict[str, str] = {}
        for name, alias, source in (("p", "a", table), ("q", "b", other)):
            seen = usual(columns_of(source, alias)) or columns_of(source, alias)
            test = conditions.plain(seen)
            tests |= {
                name: test,
                f"w{name}": f" WHERE {test}" if self.chance(0.3) else "",
                f"a{name}": f" AND {test}" if self.chance(0.3) else "",
                f"call_{alias}": conditions.value(seen),
            }
        return tests

    def _literals(self, x: Column) -> dict[str, str]:
        """Literals of the kind of a column; ``lo`` is below ``hi``."""
        options = LITERALS[kind_of(x)]
        low, high = sorted(self.random.sample(sorted(set(options)), 2), key=_by_size)
        return {
            "l": self.pick(*options),
            "lo": low,
            "hi": high,
            "n": self.pick("1", "1", "2", "3"),
            "op": self.pick(*OPERATORS),
            "dir": self.pick("", "", " DESC"),
        }


@lru_cache(maxsize=1024)
def texts_of(sort: str, features: Features) -> tuple[str, ...]:
    """The texts of a sort that use no more than some features."""
    return tuple(text for text in TRAPS[sort] if uses_only(Template(text).substitute(_ANY), features))


_ANY = dict.fromkeys(["A", "B", "x", "y", "u", "s", "z", "k", "p", "q", "l", "lo", "hi", "n"], "x") | {
    "op": "=", "dir": "", "call_a": "COUNT(*)", **dict.fromkeys(("wp", "wq", "ap", "aq"), ""),
}  # fmt: skip
"""What makes a query of any text."""


def _open(table: Table) -> list[Column]:
    """The columns that any query may mention; all of them if there are only others."""
    return [each for each in table.columns if each.name not in HARD_COLUMNS] or list(table.columns)


def weight_of(table: Table, column: Column) -> int:
    """How often a column is taken: more often if it may be NULL.

    A column with a collation of its own is taken no more often: where texts that are equal under one are
    merged, it is open which of them is kept, so that hardly any database shows a difference.
    """
    is_plain = not column.not_null and not _folds(column)
    return NULLABLE_WEIGHT if is_plain and column.name not in table.primary_key else 1


def _folds(column: Column) -> bool:
    """Whether texts of the column may be equal and yet not the same."""
    return column.collation.upper() != "BINARY"


def _by_size(literal: str) -> tuple[bool, float, str]:
    """Numbers before texts."""
    is_text = literal.startswith("'")
    return is_text, 0.0 if is_text else float(literal), literal
