"""Rows of a sum without the groups that its other rows determine.

A row of distinct rows each of whose columns is equated with a value of other rows is fixed by these: it
can go, if the values do occur in a distinct row.  So a sum over groups of a sum within the group is one sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from equiv.algebra.terms import (
    Bag,
    Binding,
    Compare,
    Exists,
    Expression,
    Field,
    IsNull,
    Node,
    Squash,
    Term,
    Variable,
    children,
    conjunction,
    conjuncts,
    free,
    mentions,
    substitute,
)
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.present import present
from equiv.proof.rewrites.sums.rows import Given


@dataclass(frozen=True, slots=True)
class TermParts:
    """A term with its condition in parts and its values."""

    bindings: tuple[Binding, ...]
    conditions: tuple[Expression, ...]
    values: tuple[Expression, ...]

    @property
    def shown(self) -> Term:
        """The term, with its values as outputs."""
        return Term(self.bindings, conjunction(self.conditions), self.values)

    def own(self) -> set[Variable]:
        """The variables that are bound here."""
        return {binding.row for binding in self.bindings}

    def changed(self, field: Field, value: Expression, scope: Scope) -> TermParts:
        """With a field replaced everywhere."""

        def each(inner: Field) -> Expression:
            return scope.world.names.copy_of(value) if inner == field else inner

        return TermParts(
            tuple(substitute(binding, each) for binding in self.bindings),
            tuple(substitute(part, each) for part in self.conditions),
            tuple(substitute(part, each) for part in self.values),
        )


@rewrite(on=Term, keeps="bag")
def eliminate_determined_group(rows: TermParts, scope: Scope) -> TermParts | None:
    """Drop a group, all columns of which are equated with values of other rows, from the rows of a sum.

    Before:  Σ g ∈ distinct(Σ s ∈ a → (s.x)), t ∈ a [t.x is g.#1] → (t.y)
    After:   Σ t ∈ a → (t.y)
    Refuse:  a column that is equated with nothing, or with 1.0 where it may be 1 and that shows
    Sound:   one distinct row has these values, if one has; where that is not seen, the term asks for it
    """
    for binding in rows.bindings:
        if isinstance(binding.source, Squash) and binding.source.bag.terms:
            found = _without(rows, binding, binding.source.bag, scope)
            if found is not None:
                return found
    return None


def without_groups(rows: TermParts, scope: Scope) -> TermParts:
    """The rows without distinct rows that others determine."""
    found = eliminate_determined_group(rows, scope)
    return rows if found is None else without_groups(found, scope)


def _without(rows: TermParts, binding: Binding, bag: Bag, scope: Scope) -> TermParts | None:
    used: list[Expression] = []
    values: list[Expression] = []
    for column in range(len(bag.terms[0].outputs)):
        field = Field(binding.row, column)
        found = _equated(rows, field, scope)
        if found is None:
            return None
        used.append(found[0])
        values.append(found[1])
    if not _in_scope(rows, binding, values):
        return None
    inner = scope.within(rows.bindings)
    there = [present(v, inner) for part, v in zip(used, values, strict=True) if _is_strict(part)]
    left = TermParts(
        tuple(each for each in rows.bindings if each != binding),
        tuple(each for each in rows.conditions if each not in used),
        rows.values,
    )
    for column, value in enumerate(values):
        left = left.changed(Field(binding.row, column), value, scope)
    left = replace(left, conditions=tuple(p for each in (*left.conditions, *there) for p in conjuncts(each)))
    wanted = tuple(_equal_to(term, values, scope) for term in bag.terms)
    given = Given.of(left.bindings, left.conditions, scope)
    if any(given.has_row(term) for term in wanted):
        return left
    return replace(left, conditions=(*left.conditions, Exists(Bag(wanted))))


def _equated(rows: TermParts, field: Field, scope: Scope) -> tuple[Expression, Expression] | None:
    """A condition that equates a column with a value that can take its place, and the value."""
    distinct = {each.row for each in rows.bindings if isinstance(each.source, Squash)}
    found = [
        (mentions(other, distinct), number, part, other)
        for number, part in enumerate(rows.conditions)
        for other in _other_sides(part, field)
        if _can_replace(rows, part, field, other, scope)
    ]
    if not found:
        return None
    _, _, part, other = min(found, key=lambda each: each[:2])
    return part, other


def _other_sides(condition: Expression, field: Field) -> Iterator[Expression]:
    match condition:
        case Compare("IS" | "=", left, right):
            for one, other in ((left, right), (right, left)):
                if one == field and field.row not in free(other):
                    yield other


def _can_replace(rows: TermParts, used: Expression, field: Field, value: Expression, scope: Scope) -> bool:
    """Whether a value that equals a field can stand for it: as the same value, or wherever it stands."""
    inner = scope.within(rows.bindings)
    if inner.are_identical_if_equal(field, value):
        return True
    if field in rows.values and inner.is_whole(field) != inner.is_whole(value):
        return False
    others = TermParts(rows.bindings, tuple(part for part in rows.conditions if part != used), rows.values)
    return not is_read(others, field)


def is_read(rows: TermParts, field: Field) -> bool:
    """Whether a field stands elsewhere than in comparisons and as a value: where 1 and 1.0 differ."""
    if any(_reads(binding.source, field) for binding in rows.bindings):
        return True
    return any(_reads(node, field) for node in (*rows.conditions, *rows.values) if node != field)


def _reads(node: Node, field: Field) -> bool:
    """Whether a field stands elsewhere than in comparisons."""
    if node == field:
        return True
    match node:
        case Compare(_, left, right):
            return any(each != field and _reads(each, field) for each in (left, right))
        case IsNull(value) if value == field:
            return False
    return any(_reads(child, field) for child in children(node))


def _in_scope(rows: TermParts, binding: Binding, values: list[Expression]) -> bool:
    """Whether the sources that mention a row come after all rows that the values mention."""
    needed = rows.own() & {row for value in values for row in free(value)}
    before: set[Variable] = set()
    for each in rows.bindings:
        if binding.row in free(each.source) and not needed <= before:
            return False
        before.add(each.row)
    return True


def _equal_to(term: Term, values: list[Expression], scope: Scope) -> Term:
    """The rows of a term whose outputs are some values."""
    pairs = zip(term.outputs, values, strict=True)
    links = [Compare("IS", output, scope.world.names.copy_of(value)) for output, value in pairs]
    return Term(term.bindings, conjunction([term.condition, *links]), ())


def _is_strict(condition: Expression) -> bool:
    return isinstance(condition, Compare) and condition.operator == "="


@rewrite(on=Term, keeps="bag")
def push_outer_value_into_distinct(rows: TermParts, scope: Scope) -> TermParts | None:
    """Fix a column of distinct rows that is equated with a value of rows around inside their source.

    Before:  Σ g ∈ distinct(Σ s ∈ a → (s.x, s.y)) [g.#1 = x] → (g.#2)
    After:   Σ g ∈ distinct(Σ s ∈ a [s.x is x] → (s.y)) → (g.#1)
    Refuse:  a value of the rows themselves; 1 for 1.0 where the column is read as more than that
    Sound:   the distinct rows with that value are those of the rows with that value
    """
    for binding in rows.bindings:
        if isinstance(binding.source, Squash) and binding.source.bag.terms:
            found = _narrowed(rows, binding, binding.source.bag, scope)
            if found is not None:
                return found
    return None


def narrowed(rows: TermParts, scope: Scope) -> TermParts:
    """The rows with columns of distinct rows that are equated with an outer value fixed inside the source."""
    found = push_outer_value_into_distinct(rows, scope)
    return rows if found is None else narrowed(found, scope)


def _narrowed(rows: TermParts, binding: Binding, bag: Bag, scope: Scope) -> TermParts | None:
    width = len(bag.terms[0].outputs)
    for column in range(width):
        field = Field(binding.row, column)
        found = _equated(rows, field, scope)
        if found is not None and not mentions(found[1], rows.own()):
            return _with_fixed(rows, binding, column, found, scope)
    return None


def _with_fixed(
    rows: TermParts, binding: Binding, column: int, found: tuple[Expression, Expression], scope: Scope
) -> TermParts:
    used, value = found
    assert isinstance(binding.source, Squash)
    terms = tuple(
        Term(
            term.bindings,
            conjunction(
                [term.condition, Compare("IS", term.outputs[column], scope.world.names.copy_of(value))]
            ),
            (*term.outputs[:column], *term.outputs[column + 1 :]),
        )
        for term in binding.source.bag.terms
    )
    there = [present(value, scope)] if _is_strict(used) else []
    changed = TermParts(
        tuple(replace(b, source=Squash(Bag(terms))) if b == binding else b for b in rows.bindings),
        tuple(part for part in (*rows.conditions, *there) if part != used),
        rows.values,
    ).changed(Field(binding.row, column), value, scope)
    for later in range(column + 1, len(terms[0].outputs) + 1):
        changed = changed.changed(Field(binding.row, later), Field(binding.row, later - 1), scope)
    return changed
