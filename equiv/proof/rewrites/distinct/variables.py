"""Variables over distinct rows, and what stays of a term when one is rewritten.

All that is done with one needs that equal values of an output are one value, for else DISTINCT chooses
between 1 and 1.0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from equiv.algebra.terms import (
    Bag,
    Binding,
    Scan,
    Squash,
    Term,
)
from equiv.facts import Fact
from equiv.proof.rewrites.distinct.narrow import FixedColumns, LookedUpColumn, fixed_columns, looked_up_column
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sources import Ranged, is_definite


@dataclass(frozen=True)
class Distinct(Ranged):
    """A variable of a term over a DISTINCT source, and the table that could replace the source, if any."""

    scope: Scope
    """The scope around the term."""
    definite: tuple[Fact, ...] | None
    """Facts by which rows that are equal are identical; None if they may not be."""
    instead: Binding | None = None
    key: tuple[str, ...] = ()
    """The key of that table that the columns of the distinct rows are."""
    unique: Fact | None = None
    """That it is one."""

    @property
    def bag(self) -> Bag:
        """The rows of which each counts once."""
        return self.squash.bag

    @property
    def squash(self) -> Squash:
        """The distinct rows."""
        assert isinstance(self.source, Squash)
        return self.source

    @cached_property
    def fixed(self) -> FixedColumns | None:
        """Columns that the term equates with values from outside."""
        return fixed_columns(self.shown, self.place, self.squash, self.scope)

    @cached_property
    def looked_up(self) -> LookedUpColumn | None:
        """A column that may be looked up by others."""
        return looked_up_column(self.shown, self.place, self.squash, self.scope)


def distinct_variables(term: Term, scope: Scope) -> Iterator[Distinct]:
    """The variables of a term over distinct rows, each then with the tables that may take its place."""
    for place, binding in enumerate(term.bindings):
        if isinstance(binding.source, Squash):
            mark = scope.world.open_step()
            definite = is_definite(binding.source.bag, scope)
            facts = scope.world.close_step(mark, is_taken=False)
            yield (at := Distinct(term, place, scope, facts if definite else None))
            if definite:
                for table, names, fact in _keys(len(at.bag.terms[0].outputs), scope):
                    new = Binding(scope.world.names.variable(table), Scan(table))
                    yield replace(at, instead=new, key=names, unique=fact)


def is_alone(at: Distinct) -> bool:
    """No table is to take its place."""
    return at.instead is None


def is_of_one_term(at: Distinct) -> bool:
    """The distinct rows are those of one term."""
    return len(at.bag.terms) == 1


def distinct_has_no_choice(at: Distinct, scope: Scope) -> bool:
    """Equal rows are identical, so that DISTINCT does not choose between 1 and 1.0."""
    if at.definite is None:
        return False
    scope.world.use(at.definite)
    return True


def _keys(width: int, scope: Scope) -> list[tuple[str, tuple[str, ...], Fact]]:
    """Tables and keys of so many columns, in a canonical order, each with its fact."""
    world = scope.world
    found = {
        (table.name, tuple(world.column(table.name, name).name for name in fact.columns)): fact
        for table in reversed(world.schema.tables)
        for fact in reversed(world.facts.keys(table.name))
        if len(fact.columns) == width
    }
    return [(*key, found[key]) for key in sorted(found)]
