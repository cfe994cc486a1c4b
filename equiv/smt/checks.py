"""CHECK facts as conditions on the rows of a proof."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from equiv.algebra.terms import Expression, Field, Lookup, Scan, Variable, substitute, walk
from equiv.grammar import read
from equiv.lexer import GrammarError
from equiv.resolve import resolve
from equiv.resolve_scope import UnsupportedError
from equiv.schema.facts import Fact, FactKind
from equiv.smt.logic import Formula, implies, not_
from equiv.smt.rows import LookedUp, Row, Scanned
from equiv.sql import quoted

if TYPE_CHECKING:
    from equiv.smt.expressions import Encoder


class Checks:
    """What the CHECK facts of a table say about its rows."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._broken: dict[Fact, tuple[tuple[Variable, Expression] | None, dict[Fact, None]]] = {}

    def of(self, row: Row) -> list[Formula]:
        """That none of the facts is false of a row, as far as columns that occur are concerned."""
        encoder = self._encoder
        found = []
        for fact in encoder.world.facts.of(FactKind.CHECK, row.table):
            broken = encoder.remembered(self._broken, fact, partial(self._read, fact))
            if broken is None:
                continue
            condition = _about(row, *broken)
            if condition is not None:
                encoder.world.use((fact,))
                found.append(implies(row.present, not_(encoder.truth(condition).true)))
        return found

    def _read(self, fact: Fact) -> tuple[Variable, Expression] | None:
        """The condition under which a row breaks the fact, and the variable that stands for the row."""
        from equiv.algebra.translate import translate

        world = self._encoder.world
        text = f"SELECT 1 FROM {quoted(fact.table)} WHERE NOT ({fact.expression})"
        try:
            answer = translate(resolve(read(text), world.schema), world)
        except (GrammarError, UnsupportedError, RecursionError):
            return None
        if len(answer.bag.terms) != 1:
            return None
        (term,) = answer.bag.terms
        match term.bindings:
            case (binding,) if isinstance(binding.source, Scan):
                return binding.row, term.condition
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
