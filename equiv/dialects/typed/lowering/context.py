"""What lowering knows at one place of a query."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from sqlglot import exp

from equiv.core.model import Schema
from equiv.core.query import UnsupportedError
from equiv.dialects.typed.lowering.build import column
from equiv.dialects.typed.lowering.names import Names
from equiv.dialects.typed.tree import Call, Expr, Field, Joined

Routines = Callable[[Call, "Place"], exp.Expression]
"""Lowers a call, or raises UnsupportedError."""


@dataclass
class State:
    """What was lowered so far.

    Attributes:
        names: gives aliases.
        cte_names: gives names of common table expressions, which are no table's.
        sources: by number, the alias of a source and the names of its columns.
        joins: by number, the joins whose columns expressions may name.
        ctes: by number, the name of a common table expression and those of its columns.
        routines: by schema, what lowers calls of routines that are not PostgreSQL's.
    """

    schema: Schema
    names: Names
    cte_names: Names
    sources: dict[int, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    joins: dict[int, Joined] = field(default_factory=dict)
    ctes: dict[int, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    routines: Mapping[str, Routines] = field(default_factory=dict)


@dataclass(frozen=True)
class Place:
    """A place in a query.

    Attributes:
        subject: what CASE compares, within its branches.
        missing: keys of GROUP BY that the grouping set at hand lacks: there they are NULL.
        known: expressions that are columns of a derived table already.
    """

    state: State
    subject: Expr | None = None
    missing: frozenset[Expr] = frozenset()
    known: Mapping[Expr, exp.Expression] = field(default_factory=dict)

    def under(self, subject: Expr) -> Place:
        """The place within the branches of CASE."""
        return replace(self, subject=subject)

    def inside(self) -> Place:
        """The place within the arguments of an aggregate, where rows are not grouped yet."""
        return replace(self, missing=frozenset())

    def column(self, field: Field) -> exp.Expression:
        """A column of a source."""
        found = self.state.sources.get(field.source)
        if found is None:
            raise UnsupportedError("Lateral", "a column of a source beside")
        alias, names = found
        return column(alias, names[field.position - 1])
