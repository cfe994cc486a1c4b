"""This module has the scope of a place in a query: the rows bound there and their conditions.

Conditions that hold make expressions true, untrue, NULL or not NULL; those inside a source are restated for
its output columns.  :class:`GivenRows` tells which conditions the rows in scope imply, and which terms surely
have a row.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import islice
from typing import Generic, TypeVar, cast

from equiv.algebra import kinds as classes
from equiv.algebra import terms as t
from equiv.algebra.kinds import has_arguments_if_not_null, not_null_if, stored_form
from equiv.algebra.world import Claim, Prover, World
from equiv.core.functions.table import names
from equiv.core.functions.traits import ALL, NULL_ONLY, NUMERIC, REALS, WHOLE, StorageClass
from equiv.facts import FactKind
from equiv.proof.rewrite import PlaceIn

C_co = TypeVar("C_co", bound=t.Node, covariant=True)


@dataclass(frozen=True, slots=True)
class ConditionOf(PlaceIn[t.Term], Generic[C_co]):
    """A term, and one of its conditions."""

    part: C_co

    @property
    def others(self) -> tuple[t.Expression, ...]:
        """The other conditions of the term."""
        return tuple(each for each in self.shown.conjuncts if each is not self.part)


def over_outputs(
    value: t.Expression, inner: t.Term, row: t.Variable, kept: Collection[int]
) -> t.Expression | None:
    """A value of a term said by some of its outputs, as fields of a variable; None if it needs more."""
    own = inner.bound
    telling = [at for at in sorted(kept) if t.free(inner.outputs[at]) & own]
    names: dict[t.Node, t.Expression] = {t.alpha(inner.outputs[at]): t.Field(row, at) for at in telling[::-1]}

    def each(node: t.Node) -> t.Node:
        return names.get(t.alpha(node)) or t.map_children(node, each)

    changed = cast(t.Expression, each(value))
    return None if t.free(changed) & own else changed


@lru_cache(maxsize=5_000)
def truths_behind(binding: t.Binding) -> tuple[t.Expression, ...]:
    """The conditions of the single term behind a variable's source, restated for the variable's columns."""
    return tuple(_truths_behind(binding))


def _truths_behind(binding: t.Binding) -> Iterator[t.Expression]:
    source = binding.source
    if isinstance(source, t.Scan) or len(source.bag.terms) != 1 or t.sites(source.bag):
        return
    (inner,) = source.bag.terms
    width = len(inner.outputs) if isinstance(source, t.Squash) else source.visible
    if isinstance(source, t.Numbered) and width > len(inner.outputs):
        return
    for part in inner.conjuncts:
        said = over_outputs(part, inner, binding.row, range(width))
        if said is not None:
            yield said


def shape(expression: t.Node, order: Mapping[t.Variable, str]) -> str:
    """How an expression reads with some names for variables."""
    match expression:
        case t.Field(row, column):
            return f"{order.get(row, '')}.{column}"
        case t.Constant(kind, text):
            return f"{kind} {text}"
    parts = ",".join(shape(child, order) for child in t.children(expression))
    labels = [
        str(getattr(expression, name))
        for name in ("function", "operator", "table", "key", "column", "to", "limit")
        if hasattr(expression, name)
    ]
    return f"{type(expression).__name__}{labels}({parts})"


def in_order(node: t.Compare, names: Mapping[t.Variable, str]) -> t.Compare:
    """An equality with its sides in an order that does not depend on how variables are numbered."""
    if node.operator not in ("=", "IS"):
        return node
    left, right = ((isinstance(side, t.Constant), shape(side, names)) for side in (node.left, node.right))
    return t.Compare(node.operator, node.right, node.left) if right < left else node


@dataclass(frozen=True, slots=True)
class KnownTruths:
    """The expressions over the rows in scope that are known to be true, untrue, NULL or not NULL."""

    true: frozenset[t.Expression] = frozenset()
    """Keys of expressions that are true."""
    untrue: frozenset[t.Expression] = frozenset()
    """Keys of expressions that are false or NULL."""
    not_null: frozenset[t.Expression] = frozenset()
    null: frozenset[t.Expression] = frozenset()

    def and_also(self, conditions: Iterable[t.Expression]) -> KnownTruths:
        """The knowledge extended by the consequences of further true conditions."""
        true, untrue = set(self.true), set(self.untrue)
        not_null, null = set(self.not_null), set(self.null)
        for condition in _flat(conditions):
            true.add(t.alpha(condition))
            match condition:
                case t.Not(t.IsTrue(part)) | t.Not(part):
                    untrue.add(t.alpha(part))
                case t.IsNull(value):
                    null.add(t.alpha(value))
            not_null.update(not_null_if((condition,)))
        for value in not_null:
            if isinstance(value, t.Lookup):
                true.add(t.Found(value.table, value.key, value.values))
        return KnownTruths(frozenset(true), frozenset(untrue), frozenset(not_null), frozenset(null))


def _flat(conditions: Iterable[t.Expression]) -> Iterator[t.Expression]:
    for condition in conditions:
        match condition:
            case t.And(parts):
                yield from _flat(parts)
            case t.IsTrue(part):
                yield from _flat((part,))
            case _:
                yield condition


NestedBag = t.Exists | t.Aggregate | t.First
"""Expressions with a bag inside."""

SURE = names(lambda function: function.is_sure)
"""Functions that are not NULL if no argument is."""

EXACT = ALL - {"real"}
"""Classes of which equal values are one value; of REAL there is -0.0, and 1 equals 1.0."""
NO_NUMBER = EXACT - {"integer"}


class _Nobody:
    """A prover that shows nothing."""

    def proves(self, _: Claim) -> bool:
        return False


@dataclass(frozen=True)
class Scope:
    """A place in a query: what is in scope there, and how nested bags are normalised."""

    world: World
    prover: Prover
    nested: Callable[[NestedBag, Scope], t.Expression]
    rows: tuple[t.Binding, ...] = ()
    known: KnownTruths = field(default_factory=KnownTruths)
    given: tuple[t.Expression, ...] = ()

    @classmethod
    def alone(cls, world: World, rows: Sequence[t.Binding] = ()) -> Scope:
        """A scope with rows and no conditions, in which nested bags are not normalised."""
        return cls(world, _Nobody(), lambda node, _: node, tuple(rows))

    def within(self, bindings: Sequence[t.Binding], conditions: Sequence[t.Expression] = ()) -> Scope:
        """The scope of what stands under some more bindings and conditions."""
        behind = [truth for binding in bindings for truth in truths_behind(binding)]
        known = self.known.and_also((*behind, *conditions)) if behind or conditions else self.known
        return replace(self, rows=(*self.rows, *bindings), known=known, given=(*self.given, *conditions))

    def inside(self, term: t.Term) -> Scope:
        """The scope of what stands in the outputs of a term."""
        return self.within(term.bindings, term.conjuncts)

    def under(self, conditions: Sequence[t.Expression]) -> Scope:
        """The scope where some more conditions are true."""
        return self.within((), conditions)

    @cached_property
    def sources(self) -> dict[t.Variable, t.Source]:
        """The source of each variable in scope."""
        return {binding.row: binding.source for binding in self.rows}

    @property
    def shapes(self) -> dict[t.Variable, str]:
        """Names of the variables in scope that do not depend on numbering: table, or class of the source."""
        return {
            row: source.table if isinstance(source, t.Scan) else type(source).__name__
            for row, source in self.sources.items()
        }

    def kinds(self, value: t.Expression) -> frozenset[StorageClass]:
        """The storage classes that a value may have here; facts are not recorded."""
        found = classes.kinds(value, self._trial(), self.sources)
        return found - {"null"} if t.alpha(value) in self.known.not_null else found

    def within_kinds(self, value: t.Expression, wanted: frozenset[StorageClass]) -> bool:
        """Whether a value's storage class is always one of those; facts are recorded if so."""
        trial = self._trial()
        found = classes.kinds(value, trial, self.sources)
        if t.alpha(value) in self.known.not_null:
            found -= {"null"}
        if found <= wanted:
            self.world.use(trial.used)
            return True
        return False

    def never_null(self, value: t.Expression) -> bool:
        """Whether a value is never NULL here; facts are recorded if so."""
        if t.alpha(value) in self.known.not_null:
            return True
        match value:
            case t.Convert(_, inner):
                return self.never_null(inner)
            case t.Compare("=" | "<" | "<=", left, right):
                return self.never_null(left) and self.never_null(right)
            case t.And(parts) | t.Or(parts):
                return all(map(self.never_null, parts))
            case t.Not(part):
                return self.never_null(part)
            case t.Apply(function, arguments) if function in SURE and all(map(self.never_null, arguments)):
                return True
            case t.Case(branches, default):
                values = [self.under((condition,)).never_null(branch) for condition, branch in branches]
                return all(values) and self.never_null(default)
        return self.within_kinds(value, ALL - {"null"})

    def never_null_column(self, table: str, column: str) -> bool:
        """Whether a column of a base table holds no NULL."""
        return self.world.holds(FactKind.NOT_NULL, table, column)

    def is_whole(self, value: t.Expression) -> bool:
        """Whether a value is always an integer or NULL; facts are recorded if so."""
        return self.within_kinds(value, WHOLE)

    def is_number(self, value: t.Expression) -> bool:
        """Whether a value is always a number or NULL; facts are recorded if so."""
        return self.within_kinds(value, NUMERIC)

    def is_real(self, value: t.Expression) -> bool:
        """Whether a value is always of storage class REAL or NULL; facts are recorded if so."""
        return self.within_kinds(value, REALS | NULL_ONLY)

    def are_identical_if_equal(self, *values: t.Expression) -> bool:
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

    def is_one_value(self, value: t.Expression) -> bool:
        """Whether equal values of an expression are one storage class."""
        return self.are_identical_if_equal(value) or self.within_kinds(value, REALS | NULL_ONLY)

    def adds_whole(self) -> bool:
        """Whether integers add as in mathematics; the fact is recorded if so."""
        return self.world.holds(FactKind.NO_OVERFLOW)

    def adds_exactly(self) -> bool:
        """Whether all numbers add as in mathematics; the facts are recorded if so."""
        return self.world.holds(FactKind.NO_OVERFLOW) and self.world.holds(FactKind.EXACT_ARITHMETIC)

    def _trial(self) -> World:
        return World(self.world.schema, self.world.facts, self.world.names)


MAX_TRIED = 400
"""How many places for one row are looked at."""

MAX_BEHIND = 12
"""How many rows behind the rows of sources are looked at."""


def _key(condition: t.Expression) -> t.Expression:
    """The condition up to the names of bound variables and the sides of an equality."""
    if isinstance(condition, t.Compare) and condition.operator in ("=", "IS"):
        left, right = sorted((condition.left, condition.right), key=repr)
        condition = replace(condition, left=left, right=right)
    return t.alpha(condition) if any(isinstance(node, t.Binding) for node in t.walk(condition)) else condition


def tidied(conditions: Iterable[t.Expression], scope: Scope) -> tuple[t.Expression, ...]:
    """Conditions without the ones that the others plainly imply."""
    flat = {_key(part): part for each in conditions for part in t.conjuncts(each)}
    flat.pop(t.TRUE, None)
    found = tuple(flat.values())
    sure = not_null_if(each for each in found if not _says_not_null(each))
    return tuple(
        each
        for each in found
        if not (isinstance(each, t.Not) and isinstance(each.part, t.IsNull))
        or not (t.alpha(each.part.value) in sure or scope.never_null(each.part.value))
    )


def _says_not_null(condition: t.Expression) -> bool:
    return isinstance(condition, t.Not) and isinstance(condition.part, t.IsNull)


@dataclass(frozen=True)
class GivenRows:
    """Row variables in scope, with conditions that are true of their rows."""

    bindings: tuple[t.Binding, ...]
    conditions: tuple[t.Expression, ...]
    scope: Scope

    @staticmethod
    def of(bindings: Sequence[t.Binding], conditions: Sequence[t.Expression], scope: Scope) -> GivenRows:
        """The rows of a term and of its surroundings, with those behind rows of nested sources.

        Behind a row of a nested source are also rows of which that source says that they exist.
        """
        outer = scope.rows
        known_rows = [*outer, *(each for each in bindings if each.row not in scope.sources)]
        true = list(conditions)
        waiting = list(known_rows)
        while waiting and len(known_rows) < MAX_BEHIND + len(outer) + len(bindings):
            binding = waiting.pop(0)
            behind = _behind(binding, scope)
            if behind is not None:
                names, found = scope.world.names, [behind]
                asked = (part.bag for part in behind.conjuncts if isinstance(part, t.Exists))
                found += (names.copy_of(bag.terms[0]) for bag in asked if len(bag.terms) == 1)
                for each in found:
                    known_rows += each.bindings
                    waiting += each.bindings
                    true += each.conjuncts
        return GivenRows(tuple(known_rows), tuple(true), scope.within(known_rows[len(outer) :]))

    @staticmethod
    def of_argument(value: t.Aggregate, scope: Scope) -> GivenRows | None:
        """The rows around, and one that an aggregate which is not NULL is taken of; None if none is known."""
        if not has_arguments_if_not_null(value) or len(value.bag.terms) != 1 or t.sites(value):
            return None
        (term,) = scope.world.names.copy_of(value.bag).terms
        claims = (*scope.given, *term.conjuncts, t.Not(t.IsNull(term.outputs[0])))
        return GivenRows.of(term.bindings, claims, scope)

    def implies(self, condition: t.Expression) -> bool:
        """Whether the conditions imply another one; False if that is not seen."""
        match condition:
            case t.And(parts):
                return all(map(self.implies, parts))
            case t.Or(parts) if any(map(self.implies, parts)):
                return True
            case t.IsTrue(part) if self.implies(part):
                return True
            case t.Compare("IS", left, right) if self._are_same(left, right):
                return True
            case t.Compare("=" | "<=", left, right) if self._are_same(left, right):
                if self._has_value(left) or self._has_value(right):
                    return True
            case t.Not(t.IsNull(value)) if self._has_value(value):
                return True
            case t.Exists(bag) if any(self.has_row(term) for term in bag.terms):
                return True
        return self._has(condition)

    def has_row(self, term: t.Term) -> bool:
        """Whether the given rows show that a term has a row."""
        for chosen in islice(self._places(term, {}), MAX_TRIED):
            if all(self.implies(t.renamed(part, chosen)) for part in term.conjuncts):
                return True
        return False

    def _has(self, condition: t.Expression) -> bool:
        wanted = _key(condition)
        return wanted == t.TRUE or wanted in self._keys

    def _are_same(self, left: t.Expression, right: t.Expression) -> bool:
        return left == right or any(self._has(t.Compare(each, left, right)) for each in ("=", "IS"))

    def _has_value(self, value: t.Expression) -> bool:
        return t.alpha(value) in self._values or self.scope.never_null(value)

    @cached_property
    def _keys(self) -> frozenset[t.Expression]:
        return frozenset(map(_key, self.conditions))

    @cached_property
    def _values(self) -> set[t.Expression]:
        return not_null_if(self.conditions)

    @cached_property
    def _sources(self) -> list[tuple[t.Source, t.Variable]]:
        return [(t.alpha(each.source), each.row) for each in self.bindings]

    def _places(
        self, term: t.Term, names: dict[t.Variable, t.Variable]
    ) -> Iterator[dict[t.Variable, t.Variable]]:
        """Ways to send the rows of a term to given rows of the same sources, the likely conditions true."""
        if len(names) == len(term.bindings):
            yield names
            return
        binding = term.bindings[len(names)]
        source = t.alpha(t.renamed(binding.source, names))
        for other, row in self._sources:
            if other == source:
                further = {**names, binding.row: row}
                if all(self.implies(part) for part in _decided(term, names, further)):
                    yield from self._places(term, further)


def _decided(
    term: t.Term, before: dict[t.Variable, t.Variable], after: dict[t.Variable, t.Variable]
) -> Iterator[t.Expression]:
    """The conditions of a term whose last variable was placed just now."""
    own = term.bound
    for part in term.conjuncts:
        used = t.free(part) & own
        if used <= set(after) and not used <= set(before):
            yield t.renamed(part, after)


def _behind(binding: t.Binding, scope: Scope) -> t.Term | None:
    """The row that a row of a nested source stems from, if it is of a single term."""
    match binding.source:
        case t.Squash(bag) | t.Limited(bag) | t.Numbered(bag) if len(bag.terms) == 1:
            width = _visible(binding.source)
            term = scope.world.names.copy_of(bag).terms[0]
            fields = (t.Field(binding.row, number) for number in range(width))
            links = [
                t.Compare("IS", each, output) for each, output in zip(fields, term.outputs, strict=False)
            ]
            return replace(term, condition=t.And((*term.conjuncts, *links)))
    return None


def _visible(source: t.Squash | t.Limited | t.Numbered | t.Scan) -> int:
    match source:
        case t.Limited() | t.Numbered():
            return source.visible
        case t.Squash(bag):
            return len(bag.terms[0].outputs)
    return 0
