"""Rows in scope with their conditions: which conditions these imply, and which terms surely have a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from equiv.algebra.kinds import has_arguments_if_not_null, not_null_if
from equiv.algebra.terms import (
    TRUE,
    Aggregate,
    And,
    Binding,
    Compare,
    Exists,
    Expression,
    Field,
    IsNull,
    IsTrue,
    Limited,
    Not,
    Numbered,
    Or,
    Scan,
    Source,
    Squash,
    Term,
    Variable,
    alpha,
    conjuncts,
    free,
    renamed,
    sites,
    walk,
)
from equiv.proof.rewrites.scope import Scope

MAX_TRIED = 400
"""How many places for one row are looked at."""

MAX_BEHIND = 12
"""How many rows behind the rows of sources are looked at."""


def _key(condition: Expression) -> Expression:
    """The condition up to the names of bound variables and the sides of an equality."""
    if isinstance(condition, Compare) and condition.operator in ("=", "IS"):
        left, right = sorted((condition.left, condition.right), key=repr)
        condition = replace(condition, left=left, right=right)
    return alpha(condition) if any(isinstance(node, Binding) for node in walk(condition)) else condition


def tidied(conditions: Iterable[Expression], scope: Scope) -> tuple[Expression, ...]:
    """Conditions without the ones that the others plainly imply."""
    flat = {_key(part): part for each in conditions for part in conjuncts(each)}
    flat.pop(TRUE, None)
    found = tuple(flat.values())
    sure = not_null_if(each for each in found if not _says_not_null(each))
    return tuple(
        each
        for each in found
        if not (isinstance(each, Not) and isinstance(each.part, IsNull))
        or not (alpha(each.part.value) in sure or scope.never_null(each.part.value))
    )


def _says_not_null(condition: Expression) -> bool:
    return isinstance(condition, Not) and isinstance(condition.part, IsNull)


@dataclass(frozen=True)
class GivenRows:
    """Row variables in scope, with conditions that are true of their rows."""

    bindings: tuple[Binding, ...]
    conditions: tuple[Expression, ...]
    scope: Scope

    @staticmethod
    def of(bindings: Sequence[Binding], conditions: Sequence[Expression], scope: Scope) -> GivenRows:
        """The rows of a term and of its surroundings, with those behind rows of nested sources."""
        outer = scope.rows
        known_rows = [*outer, *(each for each in bindings if each.row not in scope.sources)]
        true = list(conditions)
        waiting = list(known_rows)
        while waiting and len(known_rows) < MAX_BEHIND + len(outer) + len(bindings):
            binding = waiting.pop(0)
            behind = _behind(binding, scope)
            if behind is not None:
                known_rows += behind.bindings
                waiting += behind.bindings
                true += conjuncts(behind.condition)
        return GivenRows(tuple(known_rows), tuple(true), scope.within(known_rows[len(outer) :]))

    @staticmethod
    def of_argument(value: Aggregate, scope: Scope) -> GivenRows | None:
        """The rows around, and one that an aggregate which is not NULL is taken of; None if none is known."""
        if not has_arguments_if_not_null(value) or len(value.bag.terms) != 1 or sites(value):
            return None
        (term,) = scope.world.names.copy_of(value.bag).terms
        claims = (*scope.given, *conjuncts(term.condition), Not(IsNull(term.outputs[0])))
        return GivenRows.of(term.bindings, claims, scope)

    def implies(self, condition: Expression) -> bool:
        """Whether the conditions imply another one; False if that is not seen."""
        match condition:
            case And(parts):
                return all(map(self.implies, parts))
            case Or(parts) if any(map(self.implies, parts)):
                return True
            case IsTrue(part) if self.implies(part):
                return True
            case Compare("IS", left, right) if self._are_same(left, right):
                return True
            case Compare("=" | "<=", left, right) if self._are_same(left, right):
                if self._has_value(left) or self._has_value(right):
                    return True
            case Not(IsNull(value)) if self._has_value(value):
                return True
            case Exists(bag) if any(self.has_row(term) for term in bag.terms):
                return True
        return self._has(condition)

    def has_row(self, term: Term) -> bool:
        """Whether the given rows show that a term has a row."""
        for names in islice(self._places(term, {}), MAX_TRIED):
            if all(self.implies(renamed(part, names)) for part in conjuncts(term.condition)):
                return True
        return False

    def _has(self, condition: Expression) -> bool:
        wanted = _key(condition)
        return wanted == TRUE or wanted in self._keys

    def _are_same(self, left: Expression, right: Expression) -> bool:
        return left == right or any(self._has(Compare(each, left, right)) for each in ("=", "IS"))

    def _has_value(self, value: Expression) -> bool:
        return alpha(value) in self._values or self.scope.never_null(value)

    @cached_property
    def _keys(self) -> frozenset[Expression]:
        return frozenset(map(_key, self.conditions))

    @cached_property
    def _values(self) -> set[Expression]:
        return not_null_if(self.conditions)

    @cached_property
    def _sources(self) -> list[tuple[Source, Variable]]:
        return [(alpha(each.source), each.row) for each in self.bindings]

    def _places(self, term: Term, names: dict[Variable, Variable]) -> Iterator[dict[Variable, Variable]]:
        """Ways to send the rows of a term to given rows of the same sources, the likely conditions true."""
        if len(names) == len(term.bindings):
            yield names
            return
        binding = term.bindings[len(names)]
        source = alpha(renamed(binding.source, names))
        for other, row in self._sources:
            if other == source:
                further = {**names, binding.row: row}
                if all(self.implies(part) for part in _decided(term, names, further)):
                    yield from self._places(term, further)


def _decided(
    term: Term, before: dict[Variable, Variable], after: dict[Variable, Variable]
) -> Iterator[Expression]:
    """The conditions of a term whose last variable was placed just now."""
    own = {binding.row for binding in term.bindings}
    for part in conjuncts(term.condition):
        used = free(part) & own
        if used <= set(after) and not used <= set(before):
            yield renamed(part, after)


def _behind(binding: Binding, scope: Scope) -> Term | None:
    """The row that a row of a nested source stems from, if it is of a single term."""
    match binding.source:
        case Squash(bag) | Limited(bag) | Numbered(bag) if len(bag.terms) == 1:
            width = _visible(binding.source)
            term = scope.world.names.copy_of(bag).terms[0]
            fields = (Field(binding.row, number) for number in range(width))
            links = [Compare("IS", each, output) for each, output in zip(fields, term.outputs, strict=False)]
            return replace(term, condition=And((*conjuncts(term.condition), *links)))
    return None


def _visible(source: Squash | Limited | Numbered | Scan) -> int:
    match source:
        case Limited() | Numbered():
            return source.visible
        case Squash(bag):
            return len(bag.terms[0].outputs)
    return 0
