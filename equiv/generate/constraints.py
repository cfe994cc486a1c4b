"""The facts of a schema, CHECKs among them, sorted by table into the form that a row builder needs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast
from weakref import WeakKeyDictionary

from sqlglot import exp

from equiv.core.model import Affinity, Column, Domain, Schema, Table
from equiv.dialects.registry import reference
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.generate.scratch import columns_behind, columns_in, scratch
from equiv.names import folded


def condition_of(check: str, table: Table) -> exp.Expression | None:
    """A CHECK as a condition over the table's columns; None if it uses more than queries may."""
    query = reference().rows_breaking(check, table)
    return None if query is None else cast(exp.Expression, query.args["where"].this.this)


def columns_of(check: str, table: Table) -> frozenset[str]:
    """The columns that a CHECK reads, in lower case; empty if they are not known."""
    condition = condition_of(check, table)
    found = condition.find_all(exp.Column) if condition is not None else ()
    return folded(column.name for column in found)


@dataclass(frozen=True, slots=True)
class Reference:
    """An INCLUSION fact seen from the child: ``columns`` are found in ``parent_columns`` of ``parent``."""

    columns: tuple[str, ...]
    parent: str
    parent_columns: tuple[str, ...]
    affinities: tuple[Affinity, ...]
    """Those of the parent's columns: values of the child are converted by them."""
    converts: bool
    """Whether some column of the child has another affinity."""


@dataclass(slots=True)
class Constraints:
    """The facts of one table that its rows satisfy, one by one and together.

    Names are spelt as in the schema.
    """

    table: Table
    not_null: set[str] = field(default_factory=set)
    keys: list[tuple[str, ...]] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    functional: list[tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)
    typed: set[str] = field(default_factory=set)
    iso_dates: set[str] = field(default_factory=set)
    iso_timestamps: set[str] = field(default_factory=set)
    numeric_texts: set[str] = field(default_factory=set)
    _judged: set[str] | None = None
    _read: dict[str, set[str]] = field(default_factory=dict)

    def required(self) -> set[str]:
        """The columns that need a value in every row, whether a query mentions them or not.

        A column whose DEFAULT no fact can forbid is left to it.
        """
        alias = self.table.rowid_alias
        defaults = {
            c.name for c in self.table.columns if c.default is not None and c.default.upper() != "NULL"
        }
        plain = (self.not_null | defaults) - self._left_to_default()
        return plain | ({alias} if alias else set()) | self.judged()

    def judged(self) -> set[str]:
        """The columns on which the DDL forbids rows in other ways than by keys and NOT NULL.

        Those that an index reads, that lie behind a generated column that must be unique or not NULL, and
        those of a CHECK that a row of NULLs fails.
        """
        if self._judged is None:
            table = self.table
            bound = self.not_null | {name for key in self.keys for name in key}
            self._judged = {n for index in table.indexes for n in columns_in(index, table)}
            self._judged |= columns_behind({c.name for c in table.columns if c.name in bound}, table)
            failing = (text for text in self.checks if not scratch().row_check(table, [text])({}))
            self._judged |= {name for text in failing for name in self.read_by(text)}
        return self._judged

    def is_checked(self, name: str) -> bool:
        """Whether a CHECK may read a column."""
        return any(name in self.read_by(check) for check in self.checks)

    def read_by(self, check: str) -> set[str]:
        """The columns that a CHECK may read, those behind generated ones included."""
        if check not in self._read:
            self._read[check] = columns_in(check, self.table)
        return self._read[check]

    def tied(self, names: set[str]) -> set[str]:
        """The columns that some depend on: those that a generated column reads, those in the same CHECK."""
        found = columns_behind(names, self.table)
        for check in self.checks:
            read = self.read_by(check)
            found |= read if read & names else set()
        return found

    def _left_to_default(self) -> set[str]:
        bound = {name for key in self.keys for name in key}
        bound |= {name for reference in self.references for name in reference.columns}
        bound |= {name for names in self.functional for side in names for name in side}
        bound |= self.iso_dates | self.iso_timestamps | self.numeric_texts
        if self.checks:
            return set()
        return {c.name for c in self.table.columns if _is_plain_default(c) and c.name not in bound}


def _is_plain_default(column: Column) -> bool:
    """Whether a column's DEFAULT is a literal of the column's own type."""
    match column.domain:
        case Domain.INTEGER | Domain.NUMBER:
            return re.fullmatch(r"-?\d{1,15}", column.default or "") is not None
        case Domain.TEXT:
            return re.fullmatch(r"'[A-Za-z ]*'", column.default or "") is not None
        case _:
            return False


_digests: WeakKeyDictionary[Facts, tuple[Schema, dict[str, Constraints]]] = WeakKeyDictionary()


def constraints_of(schema: Schema, facts: Facts) -> dict[str, Constraints]:
    """The constraints of each table by its name as the schema spells it; kept as long as ``facts`` lives."""
    known = _digests.get(facts)
    if known is not None and known[0] is schema:
        return known[1]
    digest = {table.name: _declared(table) for table in schema.tables}
    for fact in (*facts, *_enforced_unseen(schema)):
        table = schema.table(fact.table) if fact.table else None
        if table is not None:
            _add(digest[table.name], fact, schema)
    _digests[facts] = (schema, digest)
    return digest


def _declared(table: Table) -> Constraints:
    """What SQLite itself enforces binds the rows even where the facts are silent."""
    found = Constraints(table)
    found.not_null.update(column.name for column in table.columns if column.not_null)
    for key in (table.primary_key, *table.unique):
        names = _spelt(table, key)
        if names and names not in found.keys:
            found.keys.append(names)
    return found


def _enforced_unseen(schema: Schema) -> Iterator[Fact]:
    """The inclusions that an engine enforces of a parent whose rows are hidden from who asks: no facts."""
    for table in schema.tables:
        for key in table.foreign_keys:
            parent = schema.table(key.parent)
            if parent is not None and parent.is_filtered:
                columns = key.columns, parent.name, key.parent_columns
                yield Fact(FactKind.INCLUSION, Grade.DECLARED, table.name, *columns)


def _spelt(table: Table, names: tuple[str, ...]) -> tuple[str, ...]:
    found = (table.column(name) for name in names)
    return tuple(column.name for column in found if column is not None)


def _add(target: Constraints, fact: Fact, schema: Schema) -> None:
    columns = _spelt(target.table, fact.columns)
    match fact.kind:
        case FactKind.NOT_NULL:
            target.not_null.update(columns)
        case FactKind.UNIQUE:
            if columns not in target.keys:
                target.keys.append(columns)
        case FactKind.INCLUSION:
            parent = schema.table(fact.parent)
            if parent is not None:
                above = [column for name in fact.parent_columns if (column := parent.column(name))]
                names, affinities = tuple(c.name for c in above), tuple(c.affinity for c in above)
                own = tuple(column.affinity for name in columns if (column := target.table.column(name)))
                target.references.append(
                    Reference(columns, parent.name, names, affinities, converts=own != affinities)
                )
        case FactKind.CHECK:
            target.checks.append(fact.expression)
        case FactKind.FUNCTIONAL:
            target.functional.append((columns, _spelt(target.table, fact.parent_columns)))
        case _ if fact.kind in _OF_VALUES:
            getattr(target, _OF_VALUES[fact.kind]).update(columns)
        case FactKind.NOT_EMPTY | FactKind.EXACT_ARITHMETIC | FactKind.NO_OVERFLOW:
            pass
        case FactKind.NO_ERROR | FactKind.SETTING | FactKind.FRESH | FactKind.IMMUTABLE | FactKind.STABLE:
            pass


_OF_VALUES = {
    FactKind.TYPE: "typed",
    FactKind.ISO_DATE: "iso_dates",
    FactKind.ISO_TIMESTAMP: "iso_timestamps",
    FactKind.NUMERIC_TEXT: "numeric_texts",
}
"""The columns of which a fact about values holds."""
