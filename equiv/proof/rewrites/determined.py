"""Determined variables: a row that a key fixes is looked up, not summed over.

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
from equiv.proof.rewrites.equalities import Classes, equal_values
from equiv.proof.rewrites.lookups import is_found
from equiv.proof.rewrites.outputs import shape
from equiv.proof.rewrites.scope import Scope


@dataclass(frozen=True, slots=True)
class Determination:
    """A variable of a term, the columns that fix its row, and their values."""

    row: Variable
    columns: tuple[str | int, ...]
    values: tuple[Expression, ...]
    fact: Fact | None
    """The uniqueness that was used; None for a variable over distinct rows."""


def determined(term: Term, scope: Scope) -> Term | None:
    """The term with one determined variable removed, or None if none is."""
    classes = equal_values(conjuncts(term.condition))
    inside = scope.within(term.bindings, conjuncts(term.condition))
    order = inside.shapes
    found = [d for binding in term.bindings for d in _ways(binding, classes, order, inside)]
    for way in sorted(found, key=lambda d: _preference(d, term, inside, order)):
        changed = _removed(term, way, inside)
        if changed is not None:
            return changed
    return None


def _ways(
    binding: Binding, classes: Classes, order: dict[Variable, str], scope: Scope
) -> Iterator[Determination]:
    row, source = binding.row, binding.source
    if isinstance(source, Scan):
        for fact in scope.world.facts.keys(source.table):
            columns = _spelt(scope.world, source.table, fact.columns)
            values = [_value(Field(row, column), classes, order) for column in columns]
            if len(columns) == len(fact.columns) and None not in values:
                yield Determination(row, columns, tuple(v for v in values if v is not None), fact)
    elif isinstance(source, Squash) and source.bag.terms and not sites(source):
        positions = tuple(range(len(source.bag.terms[0].outputs)))
        fixed = [_value(Field(row, position), classes, order) for position in positions]
        if None not in fixed:
            yield Determination(row, positions, tuple(v for v in fixed if v is not None), None)


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


def _preference(
    way: Determination, term: Term, scope: Scope, order: dict[Variable, str]
) -> tuple[object, ...]:
    """Which variable goes first: a parent that is surely found, then by name, key and structure."""
    own = {binding.row for binding in term.bindings}
    depends = any(free(value) & own for value in way.values)
    if way.fact is None:
        return (depends, True, order[way.row], 0, (), "")
    names = tuple(str(column) for column in way.columns)
    sure = is_found(order[way.row], names, way.values, scope)
    values = ",".join(shape(value, order) for value in way.values)
    return (depends, not sure, order[way.row], len(names), names, values)


def _removed(term: Term, way: Determination, scope: Scope) -> Term | None:
    source = scope.sources[way.row]
    if isinstance(source, Squash):
        return _squash_removed(term, way, source, scope)
    assert isinstance(source, Scan)
    names = tuple(str(column) for column in way.columns)
    fixed = dict(zip(names, way.values, strict=True))
    world = scope.world

    def each(field: Field) -> Expression:
        if field.row != way.row:
            return field
        value = fixed.get(str(field.column))
        if value is not None and scope.are_identical_if_equal(field, value):
            return world.names.copy_of(value)
        values = tuple(world.names.copy_of(value) for value in way.values)
        return Lookup(source.table, names, values, str(field.column))

    found = Found(source.table, names, way.values)
    changed = _without(term, way.row, each, found)
    if changed is not None and way.fact is not None:
        world.use((way.fact,))
    return changed


def _squash_removed(term: Term, way: Determination, source: Squash, scope: Scope) -> Term | None:
    """The variable over distinct rows removed; its fields must be their values in representation too."""
    fixed = dict(zip(way.columns, way.values, strict=True))
    fields = [Field(way.row, column) for column in way.columns]
    if not all(scope.are_identical_if_equal(field, fixed[field.column]) for field in fields):
        return None
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
        term,
        way.row,
        lambda field: copies(fixed[field.column]) if field.row == way.row else field,
        Exists(Bag(terms)),
    )


def _without(
    term: Term, row: Variable, each: Callable[[Field], Expression], condition: Expression
) -> Term | None:
    rest = tuple(binding for binding in term.bindings if binding.row != row)
    bindings = well_ordered(tuple(substitute(binding, each) for binding in rest))
    if bindings is None:
        return None
    parts = [substitute(part, each) for part in conjuncts(term.condition)]
    outputs = tuple(substitute(output, each) for output in term.outputs)
    return Term(bindings, conjunction([condition, *parts]), outputs)


def well_ordered(bindings: Sequence[Binding]) -> tuple[Binding, ...] | None:
    """Bindings so that each source mentions earlier ones only; None if there is no such order."""
    waiting, done = list(bindings), list[Binding]()
    rows = {binding.row for binding in bindings}
    while waiting:
        placed = {binding.row for binding in done}
        ready = [b for b in waiting if not (free(b.source) & rows) - placed]
        if not ready:
            return None
        waiting.remove(ready[0])
        done.append(ready[0])
    return tuple(done)
