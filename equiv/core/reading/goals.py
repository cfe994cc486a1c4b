"""Goals: what is wanted of a *row combination*, which assigns one row to each slot.

A slot is one use of a base table in a query.  A row combination reaches the
answer of a query, as a rule, if every goal of the query holds for it.  Goals
steer the choice of rows and nothing else, so they may be approximate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sqlglot import exp

Place = tuple[int, str]
"""A slot's number and a column's name: one cell of a row combination."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A condition without AND, OR and NOT; columns are written ``s<slot>.<column>``."""

    sql: str
    places: tuple[Place, ...]
    node: exp.Expr = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Same:
    """Two places hold equal values."""

    left: Place
    right: Place


@dataclass(frozen=True, slots=True)
class All:
    """Every part holds."""

    parts: tuple[Goal, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """At least one part holds."""

    parts: tuple[Goal, ...]


@dataclass(frozen=True, slots=True)
class Opposite:
    """The part does not hold."""

    part: Goal


Goal = Leaf | Same | All | Some | Opposite


def place_of(column: exp.Column) -> Place:
    """The place that a grounded column names."""
    return int(column.table[1:]), column.name


def all_of(parts: Iterable[Goal | None]) -> Goal:
    """One goal for several, flat; None stands for no goal."""
    found = [goal for part in parts if part is not None for goal in conjuncts(part)]
    return found[0] if len(found) == 1 else All(tuple(found))


def conjuncts(goal: Goal) -> Iterator[Goal]:
    """The goals that a goal consists of, however its conjunctions nest."""
    if isinstance(goal, All):
        for part in goal.parts:
            yield from conjuncts(part)
    else:
        yield goal


def sames_in(goal: Goal) -> Iterator[Same]:
    """The equalities between columns inside a goal."""
    match goal:
        case Same():
            yield goal
        case All(parts) | Some(parts):
            for part in parts:
                yield from sames_in(part)
        case Opposite(part):
            yield from sames_in(part)
