"""Distinct rows in a sum: conditions on them belong inside, and a few known values are summed one by one.

``COUNT(DISTINCT x)`` over rows with ``x IN ('a', 'b')`` is 1 if there is an 'a', plus 1 if there is a 'b'.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from equiv.algebra.literals import number_of
from equiv.algebra.terms import (
    And,
    Bag,
    Binding,
    Compare,
    Constant,
    Expression,
    Field,
    Or,
    Squash,
    Term,
    conjunction,
    conjuncts,
    mentions,
    substitute,
    walk,
)
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.existence import existence
from equiv.proof.rewrites.sums.groups import TermParts, is_read

MAX_VALUES = 6
"""How many values are summed one by one."""


@rewrite(on=Term, keeps="bag")
def push_condition_into_distinct(rows: TermParts, scope: Scope) -> TermParts | None:
    """Put conditions on distinct rows alone into their source.

    Before:  Σ g ∈ distinct(Σ s ∈ a → (s.x)) [g.#1 > 1] → (1)
    After:   Σ g ∈ distinct(Σ s ∈ a [s.x > 1] → (s.x)) → (1)
    Refuse:  a condition that tells 1 and 1.0 apart, where both may be a column; one about other rows
    Sound:   rows that are one distinct row meet such a condition together
    """
    for binding in rows.bindings:
        if isinstance(binding.source, Squash):
            others = rows.own() - {binding.row}
            found = [
                part
                for part in rows.conditions
                if mentions(part, {binding.row})
                and not mentions(part, others)
                and _can_move(part, binding.row, binding.source.bag, rows, scope)
            ]
            if found:
                return _moved(rows, binding, found, scope)
    return None


def with_inner_conditions(rows: TermParts, scope: Scope) -> TermParts:
    """The rows with conditions on distinct rows alone put into their source."""
    found = push_condition_into_distinct(rows, scope)
    return rows if found is None else with_inner_conditions(found, scope)


def _can_move(part: Expression, row: object, bag: Bag, rows: TermParts, scope: Scope) -> bool:
    """Whether a condition is the same for a distinct row and for the rows behind it."""
    for column in range(len(bag.terms[0].outputs) if bag.terms else 0):
        field = next((f for f in _fields(part) if f.row == row and f.column == column), None)
        if field is None or not is_read(TermParts((), (part,), ()), field):
            continue
        for term in bag.terms:
            inner = scope.within([*rows.bindings, *term.bindings])
            if not inner.are_identical_if_equal(field, term.outputs[column]):
                return False
    return True


def _fields(node: Expression) -> Iterator[Field]:
    return (each for each in walk(node) if isinstance(each, Field))


def _moved(rows: TermParts, binding: Binding, parts: list[Expression], scope: Scope) -> TermParts:
    assert isinstance(binding.source, Squash)

    def inside(term: Term) -> Term:
        def each(field: Field) -> Expression:
            return (
                scope.world.names.copy_of(term.outputs[int(field.column)])
                if field.row == binding.row
                else field
            )

        moved = [substitute(scope.world.names.copy_of(part), each) for part in parts]
        return replace(term, condition=conjunction([term.condition, *moved]))

    source = Squash(Bag(tuple(inside(term) for term in binding.source.bag.terms)))
    return TermParts(
        tuple(replace(each, source=source) if each == binding else each for each in rows.bindings),
        tuple(part for part in rows.conditions if part not in parts),
        rows.values,
    )


@rewrite(on=Term, keeps="bag")
def split_sum_by_values(rows: TermParts, scope: Scope) -> list[TermParts] | None:
    """Sum over the few values that a distinct row can have one by one.

    Before:  Σ g ∈ distinct(Σ s ∈ a [s.x = 'p' or s.x = 'q'] → (s.x)) → (1)
    After:   Σ [(∃ s ∈ a [s.x is 'p'])] → (1) + Σ [(∃ s ∈ a [s.x is 'q'])] → (1)
    Refuse:  values that no condition names; too many; 1 and 1.0 where they are read as more than that
    Sound:   each of the values is in one distinct row, if it occurs
    """
    for binding in rows.bindings:
        if isinstance(binding.source, Squash):
            values = _values(binding.source.bag)
            if values is not None and _is_free(rows, binding, values, scope):
                return [_with_value(rows, binding, value, scope) for value in values]
    return None


def _values(bag: Bag) -> list[Constant] | None:
    """All values of the only output of a bag, each once, if conditions name them."""
    found: dict[object, Constant] = {}
    for term in bag.terms:
        values = _of_term(term) if len(term.outputs) == 1 else None
        if values is None:
            return None
        for value in values:
            number = number_of(value)
            found.setdefault((value.kind, value.text) if number is None else number, value)
    return list(found.values()) if len(found) <= MAX_VALUES else None


def _of_term(term: Term) -> list[Constant] | None:
    output = term.outputs[0]
    if isinstance(output, Constant):
        return None if output.kind == "null" else [output]
    for part in conjuncts(term.condition):
        found = _named(part, output)
        if found is not None:
            return found
    return None


def _named(condition: Expression, output: Expression) -> list[Constant] | None:
    """Constants of which an expression must equal one for a condition to be true."""
    match condition:
        case Compare("=", left, Constant() as value) | Compare("=", Constant() as value, left):
            return [value] if left == output and value.kind != "null" else None
        case Or(parts):
            lists = [_named(part, output) for part in parts]
            return [value for each in lists for value in each or ()] if None not in lists else None
        case And(parts):
            return next((found for part in parts if (found := _named(part, output)) is not None), None)
    return None


def _is_free(rows: TermParts, binding: Binding, values: list[Constant], scope: Scope) -> bool:
    """Whether the values can stand for the column wherever it stands."""
    field = Field(binding.row, 0)
    inner = scope.within(rows.bindings)
    if not is_read(rows, field) and field not in rows.values:
        return True
    return all(inner.are_identical_if_equal(field, value) for value in values)


def _with_value(rows: TermParts, binding: Binding, value: Constant, scope: Scope) -> TermParts:
    assert isinstance(binding.source, Squash)
    terms = [
        replace(term, condition=conjunction([term.condition, Compare("IS", term.outputs[0], value)]))
        for term in binding.source.bag.terms
    ]
    before = rows.bindings[: rows.bindings.index(binding)]
    there = existence(terms, scope.within(before))
    changed = TermParts(
        tuple(each for each in rows.bindings if each != binding),
        (*rows.conditions, *conjuncts(there)),
        rows.values,
    )
    return changed.changed(Field(binding.row, 0), value, scope)
