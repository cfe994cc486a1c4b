"""Distinct rows: dropped where rows differ anyway, stripped of what follows from the rest, or a table's rows.

A variable over a :class:`Squash` is rewritten in its term.  All of it needs that equal values of an
output are one value, for else DISTINCT chooses between 1 and 1.0.
"""

from __future__ import annotations

from collections.abc import Mapping

from equiv.algebra.terms import (
    Bag,
    Binding,
    Compare,
    Exists,
    Expression,
    Field,
    Scan,
    Squash,
    Term,
    Variable,
    conjunction,
    conjuncts,
    free,
    sites,
    substitute,
    walk,
)
from equiv.facts import Fact
from equiv.proof.rewrites.equalities import equal_values
from equiv.proof.rewrites.lookups import is_found
from equiv.proof.rewrites.narrow import with_fixed_columns, without_determined_columns
from equiv.proof.rewrites.outputs import over_outputs
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sources import is_definite


def unsquashed(term: Term, scope: Scope) -> Term | None:
    """The term with one variable over distinct rows made simpler, or None if none can be."""
    for place, binding in enumerate(term.bindings):
        if isinstance(binding.source, Squash) and is_definite(binding.source.bag, scope):
            for rewrite in _REWRITES:
                changed = rewrite(term, place, binding.source, scope)
                if changed is not None:
                    return changed
    return None


def _with_fields(
    term: Term, place: int, new: tuple[Binding, ...], fields: Mapping[int, Expression], scope: Scope
) -> Term:
    """The term with a binding replaced and the fields of its variable by expressions."""
    row = term.bindings[place].row

    def each(field: Field) -> Expression:
        if field.row != row or not isinstance(field.column, int):
            return field
        return scope.world.names.copy_of(fields[field.column])

    later = tuple(substitute(binding, each) for binding in term.bindings[place + 1 :])
    outputs = tuple(substitute(output, each) for output in term.outputs)
    return Term((*term.bindings[:place], *new, *later), substitute(term.condition, each), outputs)


def _with_conditions(term: Term, *more: Expression) -> Term:
    return Term(term.bindings, conjunction([*more, *conjuncts(term.condition)]), term.outputs)


def _spread(term: Term, place: int, source: Squash, scope: Scope) -> Term | None:
    """Distinct rows of one term whose outputs determine its variables: its rows differ anyway."""
    if len(source.bag.terms) != 1:
        return None
    (inner,) = source.bag.terms
    facts = _facts_that_rows_differ(inner, scope.within(term.bindings[:place]))
    if facts is None:
        return None
    scope.world.use(facts)
    changed = _with_fields(term, place, inner.bindings, dict(enumerate(inner.outputs)), scope)
    return _with_conditions(changed, *conjuncts(inner.condition))


def _facts_that_rows_differ(term: Term, scope: Scope) -> list[Fact] | None:
    """Facts by which different rows of the variables give different outputs, or None."""
    classes = equal_values(conjuncts(term.condition))
    inside = scope.within(term.bindings, conjuncts(term.condition))
    own = {binding.row for binding in term.bindings}
    fixed: set[Variable] = set()
    facts: list[Fact] = []

    def is_fixed(value: Expression) -> bool:
        return any(
            each in term.outputs or not (free(each) & own) - fixed for each in classes.of(value)
        ) or not (free(value) & own)

    def fixing(binding: Binding) -> list[Fact] | None:
        source, row = binding.source, binding.row
        if (free(source) & own) - fixed:
            return None
        if isinstance(source, Squash):
            positions = range(len(source.bag.terms[0].outputs) if source.bag.terms else 0)
            return [] if all(is_fixed(Field(row, place)) for place in positions) else None
        for fact in inside.world.facts.keys(source.table) if isinstance(source, Scan) else ():
            names = [inside.world.column(fact.table, name).name for name in fact.columns]
            columns = [Field(row, name) for name in names]
            if all(is_fixed(column) and inside.never_null(column) for column in columns):
                return [fact]
        return None

    waiting = list(term.bindings)
    while waiting:
        found = next(((b, more) for b in waiting if (more := fixing(b)) is not None), None)
        if found is None:
            return None
        waiting.remove(found[0])
        fixed.add(found[0].row)
        facts += found[1]
    return facts


def _narrowed(term: Term, place: int, source: Squash, scope: Scope) -> Term | None:
    """Outputs dropped that are constant or follow from others in one way for all terms."""
    row, terms = term.bindings[place].row, source.bag.terms
    kept: list[int] = []
    fields: dict[int, Expression] = {}
    sizes = [sum(1 for _ in walk(output)) for output in terms[0].outputs]
    for position in sorted(range(len(sizes)), key=lambda at: (sizes[at], at)):
        ways = [over_outputs(inner.outputs[position], inner, row, kept) for inner in terms]
        if ways[0] is not None and all(way == ways[0] for way in ways):
            fields[position] = ways[0]
        else:
            kept.append(position)
    if not fields:
        return None
    kept.sort()
    new = {old: Field(row, at) for at, old in enumerate(kept)}

    def moved(field: Field) -> Expression:
        return new[int(field.column)] if field.row == row else field

    values = {**new, **{old: substitute(value, moved) for old, value in fields.items()}}
    inner_terms = tuple(
        Term(each.bindings, each.condition, tuple(each.outputs[at] for at in kept)) for each in terms
    )
    return _with_fields(term, place, (Binding(row, Squash(Bag(inner_terms))),), values, scope)


def _pulled_out(term: Term, place: int, source: Squash, scope: Scope) -> Term | None:
    """Conditions on the outputs alone, but not EXISTS, moved out of distinct rows of one term."""
    del scope
    if len(source.bag.terms) != 1:
        return None
    (inner,) = source.bag.terms
    row, positions = term.bindings[place].row, list(range(len(inner.outputs)))
    out: list[Expression] = []
    stay: list[Expression] = []
    for part in conjuncts(inner.condition):
        moved = over_outputs(part, inner, row, positions)
        if moved is None or isinstance(moved, Exists):
            stay.append(part)
        else:
            out.append(moved)
    if not out:
        return None
    bag = Bag((Term(inner.bindings, conjunction(stay), inner.outputs),))
    new = (Binding(row, Squash(bag)),)
    bindings = (*term.bindings[:place], *new, *term.bindings[place + 1 :])
    return _with_conditions(Term(bindings, term.condition, term.outputs), *out)


def _with_semi_join(term: Term, place: int, source: Squash, scope: Scope) -> Term | None:
    """An EXISTS about the outputs alone moved into distinct rows, where its rows are as good as theirs."""
    del scope
    row = term.bindings[place].row
    own = {binding.row for binding in term.bindings}
    inward = [
        part
        for part in conjuncts(term.condition)
        if isinstance(part, Exists) and free(part) & own == {row} and not sites(part)
    ]
    if len(source.bag.terms) != 1 or not inward:
        return None
    (inner,) = source.bag.terms

    def each(field: Field) -> Expression:
        return inner.outputs[int(field.column)] if field.row == row else field

    condition = conjunction([*conjuncts(inner.condition), *(substitute(part, each) for part in inward)])
    bag = Bag((Term(inner.bindings, condition, inner.outputs),))
    bindings = (*term.bindings[:place], Binding(row, Squash(bag)), *term.bindings[place + 1 :])
    stay = [part for part in conjuncts(term.condition) if part not in inward]
    return Term(bindings, conjunction(stay), term.outputs)


def _ranging_over_table(term: Term, place: int, source: Squash, scope: Scope) -> Term | None:
    """Distinct values that all are keys of a table: its rows for which there is such a value."""
    inside = scope.within(term.bindings, conjuncts(term.condition))
    row = term.bindings[place].row
    values = tuple(Field(row, at) for at in range(len(source.bag.terms[0].outputs)))
    for table, names, fact in _keys(len(values), inside):
        new = scope.world.names.variable(table)
        keys = tuple(Field(new, name) for name in names)
        deeper = inside.within((Binding(new, Scan(table)),))
        pairs = list(zip(values, keys, strict=True))
        if not is_found(table, names, values, inside) or not all(
            deeper.are_identical_if_equal(*pair) for pair in pairs
        ):
            continue
        terms = tuple(
            Term(
                each.bindings,
                conjunction(
                    [
                        *conjuncts(each.condition),
                        *(Compare("=", a, b) for a, b in zip(each.outputs, keys, strict=True)),
                    ]
                ),
                (),
            )
            for each in source.bag.terms
        )
        fields = dict(enumerate(keys))
        scope.world.use((fact,))
        changed = _with_fields(term, place, (Binding(new, Scan(table)),), fields, scope)
        return _with_conditions(changed, Exists(Bag(terms)))
    return None


_REWRITES = (
    _spread,
    _narrowed,
    without_determined_columns,
    _pulled_out,
    with_fixed_columns,
    _with_semi_join,
    _ranging_over_table,
)


def _keys(width: int, scope: Scope) -> list[tuple[str, tuple[str, ...], Fact]]:
    """Tables and keys of so many columns, in a canonical order, each with its fact."""
    world = scope.world
    found = {
        (table.name, tuple(world.column(table.name, name).name for name in fact.columns)): fact
        for table in reversed(world.schema.tables)
        for fact in reversed(world.facts.keys(table.name))
        if len(fact.columns) == width
    }
    return [(*key, found[key]) for key in sorted(found)]
