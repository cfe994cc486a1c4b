"""Which columns tell the rows of a join apart, by keys and equalities of the schema's tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from sqlglot import exp

from equiv.core.claims.fingerprint import operands, sources
from equiv.core.claims.predicates import is_literal
from equiv.core.claims.sources import defining_query
from equiv.core.context import Context
from equiv.core.model import Table

Place = tuple[str, str]
"""A column: the alias of its source and its name, both in lower case."""


@dataclass(frozen=True)
class JoinedTables:
    """The base tables that a SELECT joins, with the equalities between their columns."""

    select: exp.Select
    tables: dict[str, Table]
    """By alias, in lower case."""
    context: Context

    @cached_property
    def equalities(self) -> list[tuple[Place, Place]]:
        """The columns that the conjuncts of ON and WHERE equate."""
        pairs = []
        for condition in self._conjuncts:
            if isinstance(condition, exp.EQ):
                one, other = condition.this, condition.expression
                if isinstance(one, exp.Column) and isinstance(other, exp.Column):
                    pairs.append((place_of(one), place_of(other)))
        return pairs

    @cached_property
    def constants(self) -> set[Place]:
        """The columns that a conjunct of ON or WHERE holds to a constant."""
        found = set()
        for condition in self._conjuncts:
            if isinstance(condition, exp.EQ):
                for side, other in (
                    (condition.this, condition.expression),
                    (condition.expression, condition.this),
                ):
                    if isinstance(side, exp.Column) and is_literal(other):
                        found.add(place_of(side))
        return found

    @cached_property
    def _conjuncts(self) -> list[exp.Expression]:
        joins = self.select.args.get("joins") or []
        where = self.select.args.get("where")
        conditions = [join.args.get("on") for join in joins]
        conditions.append(where.this if where is not None else None)
        return [
            part for condition in conditions if condition is not None for part in operands(condition, exp.And)
        ]

    def determined(self, columns: Iterable[Place] = (), alias: str = "") -> set[str]:
        """The aliases whose row is fixed once some columns, or the row of one source, are.

        A row is fixed by a key of its table; equal columns are fixed together.  NULL in a key is left aside.
        """
        known = set(columns) | self.constants
        fixed = {alias} if alias else set()
        changed = True
        while changed:
            known |= {(name, column.name.lower()) for name in fixed for column in self.tables[name].columns}
            for one, other in self.equalities:
                if one in known or other in known:
                    known |= {one, other}
            new = {name for name in self.tables.keys() - fixed if self._has_key(name, known)}
            fixed |= new
            changed = bool(new)
        return fixed

    def _has_key(self, alias: str, known: set[Place]) -> bool:
        keys = self.context.facts.keys(self.tables[alias].name)
        return any(all((alias, column.lower()) in known for column in key.columns) for key in keys)

    def repeaters(self, alias: str) -> list[str]:
        """The aliases of which several rows may stand beside one row of a source."""
        return sorted(self.tables.keys() - self.determined(alias=alias))


def joined_tables(select: exp.Expression, context: Context) -> JoinedTables | None:
    """The tables that a SELECT joins; None if a source is anything else than a base table."""
    found = {}
    for source in sources(select):
        table = context.schema.table(source.name) if isinstance(source, exp.Table) else None
        if table is None or defining_query(source) is not None:
            return None
        found[source.alias_or_name.lower()] = table
    return JoinedTables(select, found, context) if isinstance(select, exp.Select) and found else None


def place_of(column: exp.Expression) -> Place:
    """The place that a column of a resolved tree names."""
    return column.text("table").lower(), column.name.lower()
