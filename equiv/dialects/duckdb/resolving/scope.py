"""What names mean at one place of a query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from equiv.core.model import Schema
from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.resolving.probe import Probe
from equiv.dialects.typed.tree import Expr, Type

Node = dict[str, Any]
"""A node of DuckDB's tree."""


@dataclass(frozen=True, slots=True)
class Visible:
    """A column that FROM shows."""

    qualifier: str
    """In lower case."""
    name: str
    value: Expr
    plain: Expr | None
    """What its name alone stands for; None where USING has taken it into another column."""


@dataclass(frozen=True, slots=True)
class CteSeen:
    """A common table expression that a name may mean."""

    number: int
    names: tuple[str, ...]
    types: tuple[Type, ...]


@dataclass
class Session:
    """What one reading of a query shares.

    Attributes:
        schema: the tables and views.
        probe: what asks DuckDB.
        types: the types of the columns of tables, as DuckDB writes them.
        views: the trees of views, by name in lower case, with the names of their columns.
        numbers: gives numbers to sources.
    """

    schema: Schema
    probe: Probe
    views: Mapping[str, tuple[Node, tuple[str, ...]]]
    numbers: Iterator[int] = field(default_factory=lambda: count(1))


@dataclass(frozen=True)
class Scope:
    """A place in a query.

    Attributes:
        columns: what FROM shows.
        outer: the place of the query around, for a subquery of an expression.
        ctes: common table expressions by name in lower case.
        aliases: result columns by name in lower case, where they may be named.
        aggregates: whether an aggregate may stand here.
    """

    session: Session
    columns: Sequence[Visible] = ()
    outer: Scope | None = None
    ctes: Mapping[str, CteSeen] = field(default_factory=dict)
    aliases: Mapping[str, Expr] = field(default_factory=dict)
    viewing: int = 0

    def inside(self) -> Scope:
        """The place of a subquery in an expression."""
        return Scope(self.session, (), self, self.ctes, viewing=self.viewing)

    def beside(self, before: Sequence[Visible] = ()) -> Scope:
        """The place of a subquery in FROM: it sees what stands around, and before it."""
        around = self.outer if not before else replace(self, columns=before, aliases={})
        return Scope(self.session, (), around, self.ctes, viewing=self.viewing)

    def over(self, columns: Sequence[Visible]) -> Scope:
        """The place with what FROM shows."""
        return replace(self, columns=columns)

    def naming(self, aliases: Mapping[str, Expr]) -> Scope:
        """The place with result columns that may be named."""
        return replace(self, aliases=aliases)

    def column(self, names: Sequence[str]) -> Expr:
        """What a column reference means: a column, else a result column by its alias.

        Raises:
            UnsupportedError: nothing, or several things, by what is known here.
        """
        found = self._here(names)
        if found is not None:
            return found
        if len(names) == 1 and names[0].lower() in self.aliases:
            return self.aliases[names[0].lower()]
        if self.outer is not None:
            return self.outer.column(names)
        raise UnsupportedError("Column", f"{'.'.join(names)}, which is not resolved")

    def _here(self, names: Sequence[str]) -> Expr | None:
        name = names[-1].lower()
        if len(names) == 1:
            found = [each.plain for each in self.columns if each.name.lower() == name and each.plain]
        elif len(names) == 2 or (len(names) == 3 and names[0].lower() == "main"):
            qualifier = names[-2].lower()
            found = [
                each.value
                for each in self.columns
                if each.name.lower() == name and each.qualifier == qualifier
            ]
        else:
            raise UnsupportedError("Column", ".".join(names))
        if len(found) > 1:
            raise UnsupportedError("Column", f"{'.'.join(names)}, which may be one of several")
        return found[0] if found else None
