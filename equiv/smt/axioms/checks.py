"""CHECK facts as conditions on the rows of a proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from equiv.algebra.terms import Expression, Field, Lookup, Scan, Variable, substitute, walk
from equiv.algebra.world import World
from equiv.core.query import UnsupportedError
from equiv.dialects.registry import reference
from equiv.facts import Fact, FactKind
from equiv.schema.notation import format_fact
from equiv.smt.encoding.rows import LookedUp, Row, Scanned
from equiv.smt.hypotheses import Hypothesis, Origin
from equiv.smt.logic import implies, not_

if TYPE_CHECKING:
    from equiv.smt.encoding.expressions import Encoder


@dataclass(frozen=True, slots=True)
class _Broken:
    """When a row breaks a CHECK, over the variable that stands for the row, and the facts that say so."""

    row: Variable
    condition: Expression
    facts: tuple[Fact, ...]


class CheckReader:
    """Hypotheses from the CHECK facts of a schema; each CHECK is read once."""

    def __init__(self, world: World) -> None:
        self._world = World(world.schema, world.facts, world.names)
        self._broken: dict[Fact, _Broken | None] = {}

    def of(self, row: Row, encoder: Encoder) -> Iterator[Hypothesis]:
        """The hypotheses that no CHECK is false of a row, over the columns that occur in the proof."""
        for fact in encoder.world.facts.of(FactKind.CHECK, row.table):
            if fact not in self._broken:
                self._broken[fact] = self._read(fact)
            broken = self._broken[fact]
            condition = None if broken is None else _about(row, broken.row, broken.condition)
            if broken is not None and condition is not None:
                encoder.world.use((fact, *broken.facts))
                kept = implies(row.present, not_(encoder.truth(condition).true))
                yield Hypothesis(kept, Origin.FACT, format_fact(fact))

    def _read(self, fact: Fact) -> _Broken | None:
        from equiv.algebra.translate.tree import translate

        world = self._world
        world.used = {}
        query = reference().rows_breaking(fact.expression, world.table(fact.table))
        if query is None:
            return None
        try:
            answer = translate(query, world)
        except (UnsupportedError, RecursionError):
            return None
        if len(answer.bag.terms) != 1:
            return None
        (term,) = answer.bag.terms
        match term.bindings:
            case (binding,) if isinstance(binding.source, Scan):
                return _Broken(binding.row, term.condition, tuple(world.used))
        return None


def _about(row: Row, variable: Variable, condition: Expression) -> Expression | None:
    """The condition for one row; None if it mentions a column that does not occur."""
    names = {each.column for each in walk(condition) if isinstance(each, Field) and each.row == variable}
    if not all(isinstance(name, str) and name.lower() in row.columns for name in names):
        return None
    match row:
        case Scanned():
            return substitute(condition, lambda field: Field(row.variable, field.column))
        case LookedUp():
            return substitute(condition, lambda field: _looked_up(row, field))
    return None


def _looked_up(row: LookedUp, field: Field) -> Expression:
    names, values = zip(*row.pairs, strict=True)
    return Lookup(row.table, names, values, str(field.column))
