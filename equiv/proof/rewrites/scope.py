"""The scope of a place in a query during normalisation: the rows bound there and their conditions.

The expressions that true conditions make true, untrue, NULL or not NULL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from equiv.algebra import kinds as classes
from equiv.algebra.kinds import not_null_if, stored_form
from equiv.algebra.terms import (
    Aggregate,
    And,
    Apply,
    Binding,
    Case,
    Compare,
    Convert,
    Exists,
    Expression,
    First,
    Found,
    IsNull,
    IsTrue,
    Lookup,
    Not,
    Or,
    Scan,
    Source,
    Variable,
    alpha,
)
from equiv.algebra.world import Claim, Prover, World
from equiv.core.functions.table import names
from equiv.core.functions.traits import ALL, StorageClass
from equiv.facts import FactKind
from equiv.proof.rewrites.outputs import truths_behind


@dataclass(frozen=True, slots=True)
class Known:
    """The expressions over the rows in scope that are known to be true, untrue, NULL or not NULL."""

    true: frozenset[Expression] = frozenset()
    """Keys of expressions that are true."""
    untrue: frozenset[Expression] = frozenset()
    """Keys of expressions that are false or NULL."""
    not_null: frozenset[Expression] = frozenset()
    null: frozenset[Expression] = frozenset()

    def and_also(self, conditions: Iterable[Expression]) -> Known:
        """The knowledge extended by the consequences of further true conditions."""
        true, untrue = set(self.true), set(self.untrue)
        not_null, null = set(self.not_null), set(self.null)
        for condition in _flat(conditions):
            true.add(alpha(condition))
            match condition:
                case Not(IsTrue(part)) | Not(part):
                    untrue.add(alpha(part))
                case IsNull(value):
                    null.add(alpha(value))
            not_null.update(not_null_if((condition,)))
        for value in not_null:
            if isinstance(value, Lookup):
                true.add(Found(value.table, value.key, value.values))
        return Known(frozenset(true), frozenset(untrue), frozenset(not_null), frozenset(null))


def _flat(conditions: Iterable[Expression]) -> Iterator[Expression]:
    for condition in conditions:
        match condition:
            case And(parts):
                yield from _flat(parts)
            case IsTrue(part):
                yield from _flat((part,))
            case _:
                yield condition


Nested = Exists | Aggregate | First
"""Expressions with a bag inside."""

SURE = names(lambda function: function.is_sure)
"""Functions that are not NULL if no argument is."""

EXACT = ALL - {"real"}
"""Classes of which equal values are one value; of REAL there is -0.0, and 1 equals 1.0."""
NO_NUMBER = EXACT - {"integer"}
REAL: frozenset[StorageClass] = frozenset({"null", "real"})


class _Nobody:
    """A prover that shows nothing."""

    def proves(self, _: Claim) -> bool:
        return False


@dataclass(frozen=True)
class Scope:
    """A place in a query: what is in scope there, and how nested bags are normalised."""

    world: World
    prover: Prover
    nested: Callable[[Nested, Scope], Expression]
    rows: tuple[Binding, ...] = ()
    known: Known = field(default_factory=Known)
    given: tuple[Expression, ...] = ()

    @classmethod
    def alone(cls, world: World, rows: Sequence[Binding] = ()) -> Scope:
        """A scope with rows and no conditions, in which nested bags are not normalised."""
        return cls(world, _Nobody(), lambda node, _: node, tuple(rows))

    def within(self, bindings: Sequence[Binding], conditions: Sequence[Expression] = ()) -> Scope:
        """The scope of what stands under some more bindings and conditions."""
        behind = [truth for binding in bindings for truth in truths_behind(binding)]
        known = self.known.and_also((*behind, *conditions)) if behind or conditions else self.known
        return replace(self, rows=(*self.rows, *bindings), known=known, given=(*self.given, *conditions))

    def under(self, conditions: Sequence[Expression]) -> Scope:
        """The scope where some more conditions are true."""
        return self.within((), conditions)

    @cached_property
    def sources(self) -> dict[Variable, Source]:
        """The source of each variable in scope."""
        return {binding.row: binding.source for binding in self.rows}

    @property
    def shapes(self) -> dict[Variable, str]:
        """Names of the variables in scope that do not depend on numbering: table, or class of the source."""
        return {
            row: source.table if isinstance(source, Scan) else type(source).__name__
            for row, source in self.sources.items()
        }

    def kinds(self, value: Expression) -> frozenset[StorageClass]:
        """The storage classes that a value may have here; facts are not recorded."""
        found = classes.kinds(value, self._trial(), self.sources)
        return found - {"null"} if alpha(value) in self.known.not_null else found

    def within_kinds(self, value: Expression, wanted: frozenset[StorageClass]) -> bool:
        """Whether a value's storage class is always one of those; facts are recorded if so."""
        trial = self._trial()
        found = classes.kinds(value, trial, self.sources)
        if alpha(value) in self.known.not_null:
            found -= {"null"}
        if found <= wanted:
            self.world.use(trial.used)
            return True
        return False

    def never_null(self, value: Expression) -> bool:
        """Whether a value is never NULL here; facts are recorded if so."""
        if alpha(value) in self.known.not_null:
            return True
        match value:
            case Convert(_, inner):
                return self.never_null(inner)
            case Compare("=" | "<" | "<=", left, right):
                return self.never_null(left) and self.never_null(right)
            case And(parts) | Or(parts):
                return all(map(self.never_null, parts))
            case Not(part):
                return self.never_null(part)
            case Apply(function, arguments) if function in SURE and all(map(self.never_null, arguments)):
                return True
            case Case(branches, default):
                values = [self.under((condition,)).never_null(branch) for condition, branch in branches]
                return all(values) and self.never_null(default)
        return self.within_kinds(value, ALL - {"null"})

    def never_null_column(self, table: str, column: str) -> bool:
        """Whether a column of a base table holds no NULL."""
        return self.world.holds(FactKind.NOT_NULL, table, column)

    def is_whole(self, value: Expression) -> bool:
        """Whether a value is always an integer or NULL; facts are recorded if so."""
        return self.within_kinds(value, classes.WHOLE)

    def is_number(self, value: Expression) -> bool:
        """Whether a value is always a number or NULL; facts are recorded if so."""
        return self.within_kinds(value, classes.NUMERIC)

    def is_real(self, value: Expression) -> bool:
        """Whether a value is always of storage class REAL or NULL; facts are recorded if so."""
        return self.within_kinds(value, REAL)

    def are_identical_if_equal(self, *values: Expression) -> bool:
        """Whether values that are equal are one and the same also for functions and as printed.

        Equal values of two storage classes are numbers; of one class, only 0.0 and -0.0 are equal and differ.
        """
        sources = self.sources
        forms = {stored_form(value, self.world, sources) for value in values}
        if forms in ({"REAL"}, {"TEXT"}):
            return True
        kinds_of = {value: self.kinds(value) for value in values}
        if all(kinds <= EXACT for kinds in kinds_of.values()):
            return all(self.within_kinds(value, EXACT) for value in values)
        for value, kinds in kinds_of.items():
            if kinds <= NO_NUMBER:
                return self.within_kinds(value, NO_NUMBER)
        # Of the whole numbers only the REAL -9223372036854775808.0 is stored as it is.
        return forms == {"whole if it can be"} and self.world.holds(FactKind.NO_OVERFLOW)

    def is_one_value(self, value: Expression) -> bool:
        """Whether equal values of an expression are one storage class."""
        return self.are_identical_if_equal(value) or self.within_kinds(value, REAL)

    def adds_whole(self) -> bool:
        """Whether integers add as in mathematics; the fact is recorded if so."""
        return self.world.holds(FactKind.NO_OVERFLOW)

    def adds_exactly(self) -> bool:
        """Whether all numbers add as in mathematics; the facts are recorded if so."""
        return self.world.holds(FactKind.NO_OVERFLOW) and self.world.holds(FactKind.EXACT_ARITHMETIC)

    def _trial(self) -> World:
        return World(self.world.schema, self.world.facts, self.world.names)
