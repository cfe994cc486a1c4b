"""Determined variables: a row fixed by its key becomes a look-up instead of a variable.

If a conjunct for each column of a unique key of the table equates it with a value that does not
depend on the row, at most one row of the table counts.  Its fields become look-ups and the term
keeps the condition that it is found.  The same holds for a variable over distinct rows all of whose
columns are equated: the term keeps the condition that they occur.
(How QED, PVLDB 2024, section 5.2, drops a summation variable; after UDP, PVLDB 2018.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from equiv.algebra.terms import (
    Bag,
    Binding,
    Compare,
    Constant,
    Exists,
    Expression,
    Field,
    Found,
    Lookup,
    Scan,
    Squash,
    Term,
    Variable,
    conjunction,
    conjuncts,
    free,
    sites,
    substitute,
)
from equiv.algebra.world import World
from equiv.facts import Fact
from equiv.graphs import topological_order
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.equalities import Classes, equal_values
from equiv.proof.rewrites.lookups.key_lookups import is_found
from equiv.proof.rewrites.outputs import shape
from equiv.proof.rewrites.scope import Scope


@dataclass(frozen=True, slots=True)
class Determination:
    """A variable of a term, with the columns that conditions equate with values from outside its row."""

    shown: Term
    binding: Binding
    columns: tuple[str | int, ...]
    values: tuple[Expression, ...]
    key: Fact | None
    """The uniqueness of these columns; None if they are no key, or columns of distinct rows."""

    @property
    def row(self) -> Variable:
        """The variable."""
        return self.binding.row


def determinations(term: Term, scope: Scope) -> Iterator[Determination]:
    """The variables of a term with equated columns, best look-ups first, variables without a key last."""
    classes = equal_values(conjuncts(term.condition))
    inside = scope.within(term.bindings, conjuncts(term.condition))
    order = inside.shapes
    candidates = [way for binding in term.bindings for way in _ways(term, binding, classes, order, inside)]
    yield from sorted(candidates, key=lambda way: _preference(way, inside, order))
    fixed = {way.row for way in candidates}
    for binding in term.bindings:
        if isinstance(binding.source, Scan) and binding.row not in fixed:
            columns = inside.world.table(binding.source.table).columns
            values = {c.name: _value(Field(binding.row, c.name), classes, order) for c in columns}
            known = {name: value for name, value in values.items() if value is not None}
            if known:
                yield Determination(term, binding, tuple(known), tuple(known.values()), None)


def _ways(
    term: Term, binding: Binding, classes: Classes, order: dict[Variable, str], scope: Scope
) -> Iterator[Determination]:
    row, source = binding.row, binding.source
    if isinstance(source, Scan):
        for fact in scope.world.facts.keys(source.table):
            columns = _spelt(scope.world, source.table, fact.columns)
            values = [_value(Field(row, column), classes, order) for column in columns]
            if len(columns) == len(fact.columns) and None not in values:
                fixed = tuple(v for v in values if v is not None)
                yield Determination(term, binding, columns, fixed, fact)
    elif isinstance(source, Squash) and source.bag.terms and not sites(source):
        positions = tuple(range(len(source.bag.terms[0].outputs)))
        values = [_value(Field(row, position), classes, order) for position in positions]
        if None not in values:
            fixed = tuple(v for v in values if v is not None)
            yield Determination(term, binding, positions, fixed, None)


def _spelt(world: World, table: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Columns as the schema spells them, in the order of the schema."""
    found = world.schema.table(table)
    names = {column.lower() for column in columns}
    return tuple(c.name for c in found.columns if c.name.lower() in names) if found else ()


def _value(column: Field, classes: Classes, order: dict[Variable, str]) -> Expression | None:
    """The value that a column is equated with, canonically chosen, which does not depend on its row."""
    others = [each for each in classes.of(column) if column.row not in free(each)]
    if not others:
        return None
    return min(
        others,
        key=lambda each: (not isinstance(each, Constant), len(free(each)), shape(each, order)),
    )


def _preference(way: Determination, scope: Scope, order: dict[Variable, str]) -> tuple[object, ...]:
    """The order of candidates: parents that are surely found first, then by name, key and structure."""
    own = {binding.row for binding in way.shown.bindings}
    depends = any(free(value) & own for value in way.values)
    if way.key is None:
        return (depends, True, order[way.row], 0, (), "")
    names = tuple(str(column) for column in way.columns)
    sure = is_found(order[way.row], names, way.values, scope)
    values = ",".join(shape(value, order) for value in way.values)
    return (depends, not sure, order[way.row], len(names), names, values)


def is_row_of_table(way: Determination) -> bool:
    """The variable ranges over a table."""
    return isinstance(way.binding.source, Scan)


def columns_are_unique(way: Determination, scope: Scope) -> bool:
    """The columns are a unique key of the table."""
    scope.world.use((way.key,) if way.key is not None else ())
    return way.key is not None


@rewrite(on=Binding, keeps="bag", shape=(is_row_of_table,), needs=(columns_are_unique,))
def convert_determined_row_to_lookup(way: Determination, scope: Scope) -> list[Term] | None:
    """Replace a variable whose key is fixed by a look-up by that key.

    Before:  Σ t ∈ a, s ∈ b [s.a_id = t.id] → (t.x)
    After:   Σ s ∈ b [a[id = s.a_id] ≠ ∅] → (a[id = s.a_id].x)
    Refuse:  the columns are not unique, or the values depend on the row itself
    Sound:   at most one row meets the equations; where there is none, the term has no row for this choice
    """
    inside = scope.within(way.shown.bindings, conjuncts(way.shown.condition))
    assert isinstance(way.binding.source, Scan)
    table = way.binding.source.table
    names = tuple(str(column) for column in way.columns)
    fixed = dict(zip(names, way.values, strict=True))
    copies = scope.world.names.copy_of

    def each(field: Field) -> Expression:
        if field.row != way.row:
            return field
        value = fixed.get(str(field.column))
        if value is not None and inside.are_identical_if_equal(field, value):
            return copies(value)
        return Lookup(table, names, tuple(map(copies, way.values)), str(field.column))

    return _without(way, each, Found(table, names, way.values))


def is_distinct_row(way: Determination) -> bool:
    """The variable ranges over distinct rows."""
    return isinstance(way.binding.source, Squash)


def values_are_identical_to_columns(way: Determination, scope: Scope) -> bool:
    """A value that equals a column is that value."""
    inside = scope.within(way.shown.bindings, conjuncts(way.shown.condition))
    pairs = zip(way.columns, way.values, strict=True)
    return all(inside.are_identical_if_equal(Field(way.row, column), value) for column, value in pairs)


@rewrite(on=Binding, keeps="bag", shape=(is_distinct_row,), needs=(values_are_identical_to_columns,))
def convert_determined_distinct_to_exists(way: Determination, scope: Scope) -> list[Term] | None:
    """Replace a variable over a DISTINCT source by EXISTS where all its columns are equated.

    Before:  Σ r ∈ distinct(Σ t ∈ a → (t.x)), s ∈ b [r.#1 = s.y] → (r.#1)
    After:   Σ s ∈ b [(∃ t ∈ a [t.x = s.y])] → (s.y)
    Refuse:  a column without an equation; values that are equal but not identical, as 1 and 1.0
    Sound:   exactly one distinct row has these values, if one has
    """
    source = way.binding.source
    assert isinstance(source, Squash)
    fixed = dict(zip(way.columns, way.values, strict=True))
    copies = scope.world.names.copy_of
    terms = tuple(
        Term(
            inner.bindings,
            conjunction(
                [
                    *conjuncts(inner.condition),
                    *(
                        Compare("=", output, copies(value))
                        for output, value in zip(inner.outputs, way.values, strict=True)
                    ),
                ]
            ),
            (),
        )
        for inner in source.bag.terms
    )
    return _without(
        way,
        lambda field: copies(fixed[field.column]) if field.row == way.row else field,
        Exists(Bag(terms)),
    )


DETERMINED = (convert_determined_row_to_lookup, convert_determined_distinct_to_exists)
"""Rewrites of a variable whose row is determined."""


def _without(
    way: Determination, each: Callable[[Field], Expression], condition: Expression
) -> list[Term] | None:
    term = way.shown
    rest = tuple(binding for binding in term.bindings if binding.row != way.row)
    bindings = well_ordered(tuple(substitute(binding, each) for binding in rest))
    if bindings is None:
        return None
    parts = [substitute(part, each) for part in conjuncts(term.condition)]
    outputs = tuple(substitute(output, each) for output in term.outputs)
    return [Term(bindings, conjunction([condition, *parts]), outputs)]


def well_ordered(bindings: Sequence[Binding]) -> tuple[Binding, ...] | None:
    """Bindings so that each source mentions earlier ones only; None if there is no such order."""
    binding_of = {binding.row: binding for binding in bindings}
    rows = topological_order(list(binding_of), lambda row: free(binding_of[row].source))
    return None if rows is None else tuple(binding_of[row] for row in rows)
