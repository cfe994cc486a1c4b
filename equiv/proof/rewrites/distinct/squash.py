"""Distinct rows: dropped where rows differ anyway, stripped of what follows from the rest, or a table's rows.

A variable over a :class:`Squash` is rewritten in its term.  All of it needs that equal values of an
output are one value, for else DISTINCT chooses between 1 and 1.0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

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
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.distinct.narrow import (
    FixedColumns,
    LookedUpColumn,
    fixed_columns,
    looked_up_column,
    with_fixed_columns,
    without_column,
)
from equiv.proof.rewrites.equalities import equal_values
from equiv.proof.rewrites.lookups.found import is_found
from equiv.proof.rewrites.outputs import over_outputs
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sources import Ranged, is_definite


@dataclass(frozen=True)
class Distinct(Ranged):
    """A variable of a term over distinct rows, and maybe a table over which it could range instead."""

    scope: Scope
    """What is around the term."""
    definite: tuple[Fact, ...] | None
    """Facts by which rows that are equal are identical; None if they may not be."""
    instead: Binding | None = None
    key: tuple[str, ...] = ()
    """The key of that table that the columns of the distinct rows are."""
    unique: Fact | None = None
    """That it is one."""

    @property
    def bag(self) -> Bag:
        """The rows of which each counts once."""
        return self.squash.bag

    @property
    def squash(self) -> Squash:
        """The distinct rows."""
        assert isinstance(self.source, Squash)
        return self.source

    @cached_property
    def fixed(self) -> FixedColumns | None:
        """Columns that the term equates with values from outside."""
        return fixed_columns(self.shown, self.place, self.squash, self.scope)

    @cached_property
    def looked_up(self) -> LookedUpColumn | None:
        """A column that may be looked up by others."""
        return looked_up_column(self.shown, self.place, self.squash, self.scope)


def distinct_variables(term: Term, scope: Scope) -> Iterator[Distinct]:
    """The variables of a term over distinct rows, each then with the tables that may take its place."""
    for place, binding in enumerate(term.bindings):
        if isinstance(binding.source, Squash):
            mark = scope.world.open_step()
            definite = is_definite(binding.source.bag, scope)
            facts = scope.world.close_step(mark, is_taken=False)
            yield (at := Distinct(term, place, scope, facts if definite else None))
            if definite:
                for table, names, fact in _keys(len(at.bag.terms[0].outputs), scope):
                    new = Binding(scope.world.names.variable(table), Scan(table))
                    yield replace(at, instead=new, key=names, unique=fact)


def is_alone(at: Distinct) -> bool:
    """No table is to take its place."""
    return at.instead is None


def is_of_one_term(at: Distinct) -> bool:
    """The distinct rows are those of one term."""
    return len(at.bag.terms) == 1


def distinct_has_no_choice(at: Distinct, scope: Scope) -> bool:
    """Rows that are equal are identical, so that DISTINCT does not choose between 1 and 1.0."""
    if at.definite is None:
        return False
    scope.world.use(at.definite)
    return True


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


def outputs_determine_rows(at: Distinct, scope: Scope) -> bool:
    """Different rows of the variables give different outputs."""
    facts = _facts_that_rows_differ(at.bag.terms[0], at.around(scope))
    scope.world.use(facts or ())
    return facts is not None


@rewrite(
    on=Binding,
    keeps="bag",
    shape=(is_alone, is_of_one_term),
    needs=(distinct_has_no_choice, outputs_determine_rows),
)
def inline_distinct_on_key(at: Distinct, scope: Scope) -> list[Term] | None:
    """Range over the rows themselves instead of the distinct ones where they differ anyway.

    Before:  Σ r ∈ distinct(Σ t ∈ a → (t.id, t.x)) → (r.#2)
    After:   Σ t ∈ a → (t.x)
    Refuse:  the key may be NULL: two rows (NULL, 'x') are one distinct row
    Sound:   the outputs contain, or fix, a strict key of every variable, so no two rows are equal
    """
    (inner,) = at.bag.terms
    fields = dict(enumerate(inner.outputs))
    changed = _with_fields(at.shown, at.place, inner.bindings, fields, scope)
    return [_with_conditions(changed, *conjuncts(inner.condition))]


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


@rewrite(on=Binding, keeps="bag", shape=(is_alone,), needs=(distinct_has_no_choice,))
def reduce_distinct_outputs(at: Distinct, scope: Scope) -> list[Term] | None:
    """Drop outputs of distinct rows that are constant or follow from others in one way for all terms.

    Before:  Σ r ∈ distinct(Σ t ∈ a → (t.x, t.x + 1, 7)) → (r.#2, r.#3)
    After:   Σ r ∈ distinct(Σ t ∈ a → (t.x)) → (r.#1 + 1, 7)
    Refuse:  a column that is another value in another term; equal values that are not identical
    Sound:   rows that agree in what is kept agree in what is dropped
    """
    row, terms = at.row, at.bag.terms
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
    over = (Binding(row, Squash(Bag(inner_terms))),)
    return [_with_fields(at.shown, at.place, over, values, scope)]


def column_is_looked_up_in_each_term(at: Distinct, scope: Scope) -> bool:
    """In each term a column is what is looked up by the others."""
    found = at.looked_up
    if found is None or not found.is_so_in_each_term:
        return False
    scope.world.use((found.key,))
    return True


@rewrite(
    on=Binding,
    keeps="bag",
    shape=(is_alone,),
    needs=(distinct_has_no_choice, column_is_looked_up_in_each_term),
)
def eliminate_determined_column(at: Distinct, scope: Scope) -> list[Term] | None:
    """Drop a column of distinct rows that belongs to a row of which a key is among the others.

    Before:  Σ g ∈ distinct(Σ s ∈ b, t ∈ a [t.id = s.a_id] → (t.id, t.x)) → (g.#2)
    After:   Σ g ∈ distinct(Σ s ∈ b, t ∈ a [t.id = s.a_id] → (t.id)) → (a[id = g.#1].x)
    Refuse:  the key is UNIQUE and may be NULL: two rows with a NULL key may have two names
    Sound:   what is looked up by the other columns is the column, in each term: so it follows from them
    """
    found = at.looked_up
    return None if found is None else [without_column(at.shown, at.place, at.squash, found, scope)]


def fixing_values_are_identical_to_columns(at: Distinct, scope: Scope) -> bool:
    """A value that equals a column is that value."""
    return at.fixed is not None and at.fixed.are_identical


@rewrite(
    on=Binding,
    keeps="bag",
    shape=(is_alone,),
    needs=(distinct_has_no_choice, fixing_values_are_identical_to_columns),
)
def push_fixed_column_into_distinct(at: Distinct, scope: Scope) -> list[Term] | None:
    """Move a condition that fixes a column of distinct rows in among what makes them; the column goes.

    Before:  Σ r ∈ distinct(Σ t ∈ a → (t.x, t.y)) [r.#2 = 10] → (r.#1)
    After:   Σ r ∈ distinct(Σ t ∈ a [t.y = 10] → (t.x)) → (r.#1)
    Refuse:  the column may hold 10.0, which a function can tell from 10
    Sound:   of the distinct rows those remain whose column is that one value: they differ in the others
    """
    found = at.fixed
    return None if found is None else [with_fixed_columns(at.shown, at.place, at.squash, found, scope)]


@rewrite(on=Binding, keeps="bag", shape=(is_alone, is_of_one_term), needs=(distinct_has_no_choice,))
def pull_condition_from_distinct(at: Distinct, scope: Scope) -> list[Term] | None:
    """Move conditions on the outputs alone, but not EXISTS, out of distinct rows.

    Before:  Σ r ∈ distinct(Σ t ∈ a [t.x > 1] → (t.x)) → (r.#1)
    After:   Σ r ∈ distinct(Σ t ∈ a → (t.x)) [r.#1 > 1] → (r.#1)
    Refuse:  a condition on what is no output; equal values that are not identical
    Sound:   rows that are one distinct row meet such a condition together
    """
    (inner,) = at.bag.terms
    positions = list(range(len(inner.outputs)))
    out: list[Expression] = []
    stay: list[Expression] = []
    for part in conjuncts(inner.condition):
        moved = over_outputs(part, inner, at.row, positions)
        if moved is None or isinstance(moved, Exists):
            stay.append(part)
        else:
            out.append(moved)
    if not out:
        return None
    changed = at.over(Squash(Bag((Term(inner.bindings, conjunction(stay), inner.outputs),))))
    return [_with_conditions(changed, *out)]


@rewrite(on=Binding, keeps="bag", shape=(is_alone, is_of_one_term), needs=(distinct_has_no_choice,))
def push_semi_join_into_distinct(at: Distinct, scope: Scope) -> list[Term] | None:
    """Move an EXISTS about the outputs alone into distinct rows, where its rows are as good as theirs.

    Before:  Σ r ∈ distinct(Σ t ∈ a → (t.x)) [(∃ s ∈ b [s.x = r.#1])] → (r.#1)
    After:   Σ r ∈ distinct(Σ t ∈ a [(∃ s ∈ b [s.x = t.x])] → (t.x)) → (r.#1)
    Refuse:  an EXISTS about other variables of the term; a choice inside it; values that are not identical
    Sound:   rows that are one distinct row meet such a condition together
    """
    own = {binding.row for binding in at.shown.bindings}
    parts = conjuncts(at.shown.condition)
    inward = [
        part
        for part in parts
        if isinstance(part, Exists) and free(part) & own == {at.row} and not sites(part)
    ]
    if not inward:
        return None
    (inner,) = at.bag.terms

    def each(field: Field) -> Expression:
        return inner.outputs[int(field.column)] if field.row == at.row else field

    condition = conjunction([*conjuncts(inner.condition), *(substitute(part, each) for part in inward)])
    changed = at.over(Squash(Bag((Term(inner.bindings, condition, inner.outputs),))))
    return [replace(changed, condition=conjunction(part for part in parts if part not in inward))]


def has_a_table_instead(at: Distinct) -> bool:
    """There is a table with a key of so many columns."""
    return at.instead is not None


def _links(at: Distinct) -> list[tuple[Field, Field]]:
    """The columns of the distinct rows and those of the key that they are."""
    assert at.instead is not None
    return [(Field(at.row, place), Field(at.instead.row, name)) for place, name in enumerate(at.key)]


def values_are_keys_of_table(at: Distinct, scope: Scope) -> bool:
    """The table has a row for each distinct row."""
    assert at.instead is not None
    assert isinstance(at.instead.source, Scan)
    inside = scope.within(at.shown.bindings, conjuncts(at.shown.condition))
    values = tuple(value for value, _ in _links(at))
    return is_found(at.instead.source.table, at.key, values, inside)


def values_are_identical_to_keys(at: Distinct, scope: Scope) -> bool:
    """A value that equals a key is that key."""
    assert at.instead is not None
    inside = scope.within(at.shown.bindings, conjuncts(at.shown.condition)).within((at.instead,))
    return all(inside.are_identical_if_equal(*pair) for pair in _links(at))


@rewrite(
    on=Binding,
    keeps="bag",
    shape=(has_a_table_instead,),
    needs=(values_are_keys_of_table, values_are_identical_to_keys),
)
def convert_distinct_to_table(at: Distinct, scope: Scope) -> list[Term] | None:
    """Range over the rows of a table instead of distinct values that all are its keys.

    Before:  Σ r ∈ distinct(Σ t ∈ b → (t.a_id)) → (r.#1)
    After:   Σ s ∈ a [(∃ t ∈ b [t.a_id = s.id])] → (s.id)
    Refuse:  a value that is no key, or NULL; 1 for 1.0
    Sound:   each distinct row is the key of exactly one row of the table
    """
    assert at.instead is not None
    scope.world.use((at.unique,) if at.unique is not None else ())
    keys = tuple(key for _, key in _links(at))
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
        for each in at.bag.terms
    )
    changed = _with_fields(at.shown, at.place, (at.instead,), dict(enumerate(keys)), scope)
    return [_with_conditions(changed, Exists(Bag(terms)))]


DISTINCT = (
    inline_distinct_on_key,
    reduce_distinct_outputs,
    eliminate_determined_column,
    pull_condition_from_distinct,
    push_fixed_column_into_distinct,
    push_semi_join_into_distinct,
    convert_distinct_to_table,
)
"""What makes distinct rows simpler, in order."""


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
