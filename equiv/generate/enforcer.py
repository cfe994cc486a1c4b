"""Constraints that only SQLite can check on rows: whatever the DDL has beyond keys, NOT NULL and CHECKs.

Partial indexes, indexes on expressions, keys under other collations, generated columns: rows are tried in
the table's own DDL, so that a constraint that nothing here reads is enforced all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from equiv.cells import Cell
from equiv.core.lexer import TokenKind, name_of, tokens
from equiv.core.model import Schema, Table, quoted
from equiv.core.runner import RunnerError, open_memory
from equiv.dialects.registry import reference

_NAMES = (TokenKind.NAME, TokenKind.QUOTED)
_FOLDED = frozenset({"BINARY", "NOCASE"})
"""The collations under which keys are compared without SQLite."""


def columns_in(text: str, table: Table) -> set[str]:
    """The columns of a table that an SQL text may read, those behind generated ones included."""
    found = _named(text, table)
    return found | columns_behind(found, table)


def columns_behind(names: set[str], table: Table) -> set[str]:
    """The columns from which the generated ones among some names are computed, through others too."""
    found: set[str] = set()
    everything = {column.name for column in table.columns if not column.generated}
    pending = set(names)
    while pending:
        column = table.column(pending.pop())
        if column is None or not column.generated:
            continue
        read = _named(column.expression, table) if column.expression else everything
        pending |= read - found
        found |= read
    return found


def _named(text: str, table: Table) -> set[str]:
    named = (table.column(name_of(text, token)) for token in tokens(text) if token.kind in _NAMES)
    return {column.name for column in named if column is not None}


def enforces_more(table: Table) -> bool:
    """Whether the DDL may forbid rows that the facts allow."""
    return (
        bool(table.indexes)
        or table.collated_keys
        or any(column.generated for column in table.columns)
        or not _collations_of_keys(table) <= _FOLDED
    )


def folds_keys(table: Table) -> bool:
    """Whether a key compares texts without regard to case, which the facts do not show."""
    return "NOCASE" in _collations_of_keys(table)


def _collations_of_keys(table: Table) -> set[str]:
    keyed = {name for key in (table.primary_key, *table.unique) for name in key}
    return {column.collation.upper() for column in table.columns if column.name in keyed}


class Enforcer:
    """A table with its whole DDL in a scratch SQLite, in which a row is tried beside the rows kept so far."""

    def __init__(self, table: Table) -> None:
        self._guarded = open_memory()
        self._name = quoted(table.name)
        self._held: list[Mapping[str, Cell]] = []
        for statement in reference().create(Schema((table,))):
            self._guarded.connection.execute(statement)

    def accepts(self, kept: Sequence[Mapping[str, Cell]], row: Mapping[str, Cell]) -> bool:
        """Whether SQLite stores a row beside rows that it has stored before."""
        if len(self._held) != len(kept) or (kept and self._held[-1] is not kept[-1]):
            self._guarded.connection.execute(f"DELETE FROM {self._name}")
            self._held = [earlier for earlier in kept if self._stores(earlier)]
        if not self._stores(row):
            return False
        self._held.append(row)
        return True

    def _stores(self, row: Mapping[str, Cell]) -> bool:
        # Not IGNORE nor REPLACE, whatever a constraint itself says.
        names, marks = ", ".join(map(quoted, row)), ", ".join("?" * len(row))
        try:
            self._guarded.connection.execute(
                f"INSERT OR ABORT INTO {self._name} ({names}) VALUES ({marks})", tuple(row.values())
            )
        except (RunnerError, OverflowError):
            return False
        return True
