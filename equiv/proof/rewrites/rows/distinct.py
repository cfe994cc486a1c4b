"""DISTINCT sources: inlined where their rows differ anyway; the rewrites of DISTINCT in firing order.

Redundant columns go: determined by a key among the others, or by a condition.  Conditions on the outputs of
distinct rows alone move out of them or in.  Distinct key values that cover a table are that table's rows.

``SELECT a, 'x' … UNION SELECT a, 'y' …`` is a UNION ALL of two DISTINCTs.  Around a whole term that is
compared as a set of rows, outputs read as few variables as identical values allow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, TypeAlias, TypeVar

from equiv.algebra import terms as t
from equiv.facts import Fact
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.lookups import is_found
from equiv.proof.rewrites.ranged import Ranged, rows_equal_to, variables, with_conditions
from equiv.proof.rewrites.rows.determined import (
    EqualityClasses,
    Equations,
    equal_values,
    equal_values_are_identical,
    equations,
)
from equiv.proof.rewrites.rows.distinct_columns import (
    Distinct,
    convert_outer_value_to_column,
    distinct_has_no_choice,
    is_alone,
    is_of_one_term,
    with_fixed_columns,
)
from equiv.proof.rewrites.scalars.comparisons import is_exact, same_constant
from equiv.proof.rewrites.scope import Scope, over_outputs
from equiv.proof.rewrites.sums.existence import MAX_TERMS


@rewrite(on=t.Bag, keeps="set")
def eliminate_root_distinct(bag: t.Bag, scope: Scope) -> t.Bag | None:
    """Drop the DISTINCT that makes up a whole term of the query, where duplicates do not count.

    Before:  distinct: Σ r ∈ distinct(Σ t ∈ a → (t.x, t.y)) → (r.#1, r.#2)
    After:   distinct: Σ t ∈ a → (t.x, t.y)
    Refuse:  the distinct rows are read by a condition or a function, which may tell 1 from 1.0
    Sound:   DISTINCT keeps one of the rows that are equal by value, and sets are compared by value
    """
    changed = _without_root_squash(bag)
    return None if changed == bag else changed


def _without_root_squash(bag: t.Bag) -> t.Bag:
    return t.Bag(tuple(plain for term in bag.terms for plain in _without_squash(term)))


def _without_squash(term: t.Term) -> tuple[t.Term, ...]:
    match term:
        case t.Term((t.Binding(row, t.Squash(bag)),), condition, outputs) if condition == t.TRUE:
            places = [field.column for field in outputs if isinstance(field, t.Field) and field.row == row]
            if len(places) == len(outputs):
                return tuple(
                    t.Term(each.bindings, each.condition, tuple(each.outputs[int(place)] for place in places))
                    for each in _without_root_squash(bag).terms
                )
    return (term,)


_N = TypeVar("_N", bound=t.Node)


def equates_values(condition: t.Expression) -> bool:
    """Whether a condition equates two values, neither of them a choice."""
    return isinstance(condition, t.Compare) and condition.operator in ("=", "IS") and not t.sites(condition)


@rewrite(
    on=t.Term, keeps="set", at=partial(equations, equates=equates_values), needs=(equal_values_are_identical,)
)
def reduce_outputs_to_fewer_rows(at: Equations, scope: Scope) -> t.Term | None:
    """Say outputs by the rows of as few variables as possible where duplicates do not count.

    Before:  distinct: Σ t ∈ a, s ∈ a [t.x = s.x] → (t.y, s.x)
    After:   distinct: Σ t ∈ a, s ∈ a [t.x = s.x] → (t.y, t.x)
    Refuse:  values that are equal and may be of two storage classes (1 and 1.0)
    Sound:   where the condition is true both are one value, by what are_identical_if_equal asks for
    """
    term, classes = at.shown, EqualityClasses()
    for equation in at.equations:
        classes.unite(equation.left, equation.right)
    own = term.bound
    outputs: Sequence[t.Expression] = term.outputs
    for binding in reversed(term.bindings):
        if not any(binding.row in t.free(output) for output in outputs):
            continue
        needed = frozenset(row for output in outputs for row in t.free(output) & own) - {binding.row}
        changed = [_without(output, binding.row, needed, own, classes) for output in outputs]
        if not any(binding.row in t.free(output) for output in changed):
            outputs = changed
    changed_term = replace(term, outputs=tuple(outputs))
    return None if changed_term == term else changed_term


def _without(
    node: _N, row: t.Variable, needed: frozenset[t.Variable], own: set[t.Variable], classes: EqualityClasses
) -> _N:
    """A node with what mentions a row in words of other rows that are needed anyway, outermost first."""
    if row not in t.free(node):
        return node
    if isinstance(node, t.Field | t.Lookup):
        fit = [each for each in classes.of(node) if t.free(each) & own <= needed]
        if fit:
            return fit[0]  # type: ignore[return-value]
    return t.map_children(node, lambda child: _without(child, row, needed, own, classes))


_Mark: TypeAlias = t.Constant | Literal["unknown", "not null"]
"""The knowledge of an output: its exact value or NULL, "not null", or "unknown"."""


MAX_WAYS = 4
"""The most values of a CASE of which each has a part of its own."""


def has_few_terms(at: Ranged) -> bool:
    """Whether the variable ranges over distinct rows of few terms, without choices."""
    source = at.source
    return isinstance(source, t.Squash) and 0 < len(source.bag.terms) <= MAX_TERMS and not t.sites(source)


@dataclass(frozen=True, slots=True)
class Parted(Ranged):
    """A variable over distinct rows, and a way to part the terms of these."""

    parts: tuple[t.Bag, ...]
    apart: tuple[Fact, ...] | None
    """Facts by which no row is in two parts; None if one may be."""


def parted(term: t.Term, scope: Scope) -> Iterator[Parted]:
    """The variables of a term over a DISTINCT source that splits into several parts."""
    for at in variables(term, t.Squash):
        if has_few_terms(at):
            bag = t.Bag(tuple(way for each in at.bag.terms for way in _ways(each)))
            mark = scope.world.open_step()
            sure = _parts(bag, at.around(scope))
            facts = scope.world.close_step(mark, is_taken=False)
            if len(sure) > 1:
                yield Parted(term, at.place, sure, facts)
            may_be = _parts(bag, None)
            if len(may_be) > len(sure):
                yield Parted(term, at.place, may_be, None)


def no_row_is_in_two_parts(at: Parted, scope: Scope) -> bool:
    """Whether rows of different parts differ in a column: in a constant, or in that it is NULL."""
    return scope.world.rests_on(at.apart)


@rewrite(on=t.Binding, keeps="bag", needs=(no_row_is_in_two_parts,))
def split_distinct_rows(at: Parted, scope: Scope) -> list[t.Term] | None:
    """Split DISTINCT over several terms into a DISTINCT for each part, where no row is in two parts.

    Before:  Σ r ∈ distinct(Σ t ∈ a → (t.x, 'p') + Σ s ∈ b → (s.y, 'q')) → (r.#1)
    After:   Σ r ∈ distinct(Σ t ∈ a → (t.x, 'p')) → (r.#1) + Σ r ∈ distinct(Σ s ∈ b → (s.y, 'q')) → (r.#1)
    Refuse:  a column that is a constant in one term and may be the same value in another; 1 and 1.0
    Sound:   rows of different parts differ in a column, also if NULL IS NULL and 1 is 1.0, so that DISTINCT
             keeps each part's rows whatever is in the others; a row is in one branch of a CASE
    """
    return [scope.world.names.copy_of(at.over_source(t.Squash(part))) for part in at.parts]


def _ways(term: t.Term) -> list[t.Term]:
    """The rows of a term by the branches of its first CASE of few constants; the term itself without one."""
    for place, output in enumerate(term.outputs):
        if not isinstance(output, t.Case) or len(output.branches) >= MAX_WAYS:
            continue
        values = [*(value for _, value in output.branches), output.default]
        if not all(isinstance(each, t.Constant) and (each == t.NULL or is_exact(each)) for each in values):
            continue
        ways, before = [], list(term.conjuncts)
        for condition, value in (*output.branches, (t.TRUE, output.default)):
            outputs = (*term.outputs[:place], value, *term.outputs[place + 1 :])
            ways.append(replace(term, condition=t.conjunction([*before, condition]), outputs=outputs))
            before.append(t.Not(t.IsTrue(condition)))
        return ways
    return [term]


def _parts(bag: t.Bag, scope: Scope | None) -> tuple[t.Bag, ...]:
    """The terms in groups of which each two have no row in common, in order of their first terms.

    Without a scope, those that have none if what is not known to be NULL never is.
    """
    width = len(bag.terms[0].outputs)
    if not any(isinstance(term.outputs[at], t.Constant) for term in bag.terms for at in range(width)):
        return (bag,)
    marks = [_marks(term, scope) for term in bag.terms]
    groups: list[list[int]] = []
    for number, mine in enumerate(marks):
        alike = [
            group for group in groups if any(not any(map(_are_apart, mine, marks[other])) for other in group)
        ]
        joined = sorted(number for group in alike for number in group)
        groups = [group for group in groups if group not in alike]
        groups.append([*joined, number])
    groups.sort()
    return tuple(t.Bag(tuple(bag.terms[number] for number in group)) for group in groups)


def _marks(term: t.Term, scope: Scope | None) -> list[_Mark]:
    inside = None if scope is None else scope.inside(term)
    return [_mark(output, inside) for output in term.outputs]


def _mark(output: t.Expression, scope: Scope | None) -> _Mark:
    if isinstance(output, t.Constant) and (output == t.NULL or is_exact(output)):
        return output
    return "not null" if scope is None or scope.never_null(output) else "unknown"


def _are_apart(one: _Mark, two: _Mark) -> bool:
    """Whether two values so marked surely differ."""
    if "unknown" in (one, two):
        return False
    if t.NULL in (one, two):
        return one != two
    return isinstance(one, t.Constant) and isinstance(two, t.Constant) and not same_constant(one, two)


def has_a_table_instead(at: Distinct) -> bool:
    """Whether there is a table with a key of so many columns."""
    return at.instead is not None


def _links(at: Distinct) -> list[tuple[t.Field, t.Field]]:
    """The columns of the distinct rows and those of the key that they are."""
    assert at.instead is not None
    return [(t.Field(at.row, place), t.Field(at.instead.row, name)) for place, name in enumerate(at.key)]


def values_are_keys_of_table(at: Distinct, scope: Scope) -> bool:
    """Whether the table has a row for each distinct row."""
    assert at.instead is not None
    assert isinstance(at.instead.source, t.Scan)
    inside = scope.inside(at.shown)
    values = tuple(value for value, _ in _links(at))
    return is_found(at.instead.source.table, at.key, values, inside)


def values_are_identical_to_keys(at: Distinct, scope: Scope) -> bool:
    """Whether a value that equals a key is that key."""
    assert at.instead is not None
    inside = scope.inside(at.shown).within((at.instead,))
    return all(inside.are_identical_if_equal(*pair) for pair in _links(at))


@rewrite(
    on=t.Binding,
    keeps="bag",
    shape=(has_a_table_instead,),
    needs=(values_are_keys_of_table, values_are_identical_to_keys),
)
def convert_distinct_to_table(at: Distinct, scope: Scope) -> list[t.Term] | None:
    """Range over the rows of a table instead of distinct values that all are its keys.

    Before:  Σ r ∈ distinct(Σ t ∈ b → (t.a_id)) → (r.#1)
    After:   Σ s ∈ a [(∃ t ∈ b [t.a_id = s.id])] → (s.id)
    Refuse:  a value that is not a key, or NULL; 1 for 1.0
    Sound:   each distinct row is the key of exactly one row of the table
    """
    assert at.instead is not None
    scope.world.use((at.unique,) if at.unique is not None else ())
    keys = tuple(key for _, key in _links(at))
    changed = at.replaced((at.instead,), dict(enumerate(keys)), scope)
    return [with_conditions(changed, t.Exists(rows_equal_to(at.bag, keys, scope, "=")))]


@rewrite(on=t.Binding, keeps="bag", shape=(is_alone, is_of_one_term), needs=(distinct_has_no_choice,))
def pull_condition_from_distinct(at: Distinct, scope: Scope) -> list[t.Term] | None:
    """Move conditions on the outputs alone, but not EXISTS, out of distinct rows.

    Before:  Σ r ∈ distinct(Σ t ∈ a [t.x > 1] → (t.x)) → (r.#1)
    After:   Σ r ∈ distinct(Σ t ∈ a → (t.x)) [r.#1 > 1] → (r.#1)
    Refuse:  a condition on what is no output; equal values that are not identical
    Sound:   rows that are one distinct row meet such a condition together
    """
    (inner,) = at.bag.terms
    positions = list(range(len(inner.outputs)))
    out: list[t.Expression] = []
    stay: list[t.Expression] = []
    for part in inner.conjuncts:
        moved = over_outputs(part, inner, at.row, positions)
        if moved is None or isinstance(moved, t.Exists):
            stay.append(part)
        else:
            out.append(moved)
    if not out:
        return None
    changed = at.over_source(t.Squash(t.Bag((t.Term(inner.bindings, t.conjunction(stay), inner.outputs),))))
    return [with_conditions(changed, *out)]


@rewrite(on=t.Binding, keeps="bag", shape=(is_alone, is_of_one_term), needs=(distinct_has_no_choice,))
def push_semi_join_into_distinct(at: Distinct, scope: Scope) -> list[t.Term] | None:
    """Move an EXISTS about the outputs alone into distinct rows, where its rows are as good as theirs.

    Before:  Σ r ∈ distinct(Σ t ∈ a → (t.x)) [(∃ s ∈ b [s.x = r.#1])] → (r.#1)
    After:   Σ r ∈ distinct(Σ t ∈ a [(∃ s ∈ b [s.x = t.x])] → (t.x)) → (r.#1)
    Refuse:  an EXISTS about other variables of the term; a choice inside it; values that are not identical
    Sound:   rows that are one distinct row meet such a condition together
    """
    own = at.shown.bound
    inward = [
        part
        for part in at.shown.conjuncts
        if isinstance(part, t.Exists) and t.free(part) & own == {at.row} and not t.sites(part)
    ]
    return [at.with_conditions_inside(inward, scope)] if inward else None


def is_of_several_terms(at: Distinct) -> bool:
    """Whether the distinct rows are those of several terms."""
    return len(at.bag.terms) > 1


@rewrite(on=t.Binding, keeps="bag", shape=(is_alone, is_of_several_terms), needs=(distinct_has_no_choice,))
def push_condition_into_union(at: Distinct, scope: Scope) -> list[t.Term] | None:
    """Move conditions about the outputs alone into distinct rows of several terms.

    Before:  Σ r ∈ distinct(Σ t ∈ a → (t.x, t.y) + Σ s ∈ b → (s.y, s.z)) [r.#1 = r.#2] → (r.#1)
    After:   Σ r ∈ distinct(Σ t ∈ a [t.x = t.y] → (t.x, t.y) + Σ s ∈ b [s.y = s.z] → (s.y, s.z)) → (r.#1)
    Refuse:  a condition about other variables of the term, or with rows inside; values that are not identical
    Sound:   rows that are one distinct row meet such a condition together
    """
    own = at.shown.bound
    inward = [
        part
        for part in at.shown.conjuncts
        if t.free(part) & own == {at.row}
        and not any(isinstance(node, t.Exists | t.Aggregate | t.First) for node in t.walk(part))
    ]
    return [at.with_conditions_inside(inward, scope)] if inward else None


@rewrite(on=t.Binding, keeps="bag", shape=(is_alone,), needs=(distinct_has_no_choice,))
def reduce_distinct_outputs(at: Distinct, scope: Scope) -> list[t.Term] | None:
    """Drop outputs of distinct rows that are constant or follow from others in one way for all terms.

    Before:  Σ r ∈ distinct(Σ t ∈ a → (t.x, t.x + 1, 7)) → (r.#2, r.#3)
    After:   Σ r ∈ distinct(Σ t ∈ a → (t.x)) → (r.#1 + 1, 7)
    Refuse:  a column that is another value in another term; equal values that are not identical
    Sound:   rows that agree in what is kept agree in what is dropped
    """
    row, terms = at.row, at.bag.terms
    kept: list[int] = []
    fields: dict[int, t.Expression] = {}
    sizes = [sum(1 for _ in t.walk(output)) for output in terms[0].outputs]
    for position in sorted(range(len(sizes)), key=lambda at: (sizes[at], at)):
        ways = [over_outputs(inner.outputs[position], inner, row, kept) for inner in terms]
        if ways[0] is not None and all(way == ways[0] for way in ways):
            fields[position] = ways[0]
        else:
            kept.append(position)
    if not fields:
        return None
    return [at.without_columns(fields, scope)]


def column_is_looked_up_in_each_term(at: Distinct, scope: Scope) -> bool:
    """Whether in each term a column is what is looked up by the others."""
    found = at.looked_up
    if found is None or not found.is_so_in_each_term:
        return False
    scope.world.use((found.key,))
    return True


@rewrite(
    on=t.Binding,
    keeps="bag",
    shape=(is_alone,),
    needs=(distinct_has_no_choice, column_is_looked_up_in_each_term),
)
def eliminate_determined_column(at: Distinct, scope: Scope) -> list[t.Term] | None:
    """Drop a column of a DISTINCT source that a key among the other columns determines.

    Before:  Σ g ∈ distinct(Σ s ∈ b, t ∈ a [t.id = s.a_id] → (t.id, t.x)) → (g.#2)
    After:   Σ g ∈ distinct(Σ s ∈ b, t ∈ a [t.id = s.a_id] → (t.id)) → (a[id = g.#1].x)
    Refuse:  the key is UNIQUE and may be NULL: two rows with a NULL key may have two names
    Sound:   what is looked up by the other columns is the column, in each term: so it follows from them
    """
    found = at.looked_up
    return [at.without_columns({found.place: found.way}, scope)] if found else None


def fixing_values_are_identical_to_columns(at: Distinct, scope: Scope) -> bool:
    """Whether a value that equals a column is that value."""
    return at.fixed is not None and at.fixed.are_identical


@rewrite(
    on=t.Binding,
    keeps="bag",
    shape=(is_alone,),
    needs=(distinct_has_no_choice, fixing_values_are_identical_to_columns),
)
def push_fixed_column_into_distinct(at: Distinct, scope: Scope) -> list[t.Term] | None:
    """Push a condition ``column = value`` into a DISTINCT source, and drop the column.

    Before:  Σ r ∈ distinct(Σ t ∈ a → (t.x, t.y)) [r.#2 = 10] → (r.#1)
    After:   Σ r ∈ distinct(Σ t ∈ a [t.y = 10] → (t.x)) → (r.#1)
    Refuse:  the column may hold 10.0, which a function can tell from 10
    Sound:   of the distinct rows those remain whose column is that one value: they differ in the others
    """
    found = at.fixed
    return None if found is None else [with_fixed_columns(at, found, scope)]


def outputs_determine_rows(at: Distinct, scope: Scope) -> bool:
    """Whether different rows of the variables give different outputs."""
    return scope.world.rests_on(_facts_that_rows_differ(at.bag.terms[0], at.around(scope)))


@rewrite(
    on=t.Binding,
    keeps="bag",
    shape=(is_alone, is_of_one_term),
    needs=(distinct_has_no_choice, outputs_determine_rows),
)
def inline_distinct_on_key(at: Distinct, scope: Scope) -> list[t.Term] | None:
    """Inline a DISTINCT source whose rows differ anyway, since the columns contain a key of each variable.

    Before:  Σ r ∈ distinct(Σ t ∈ a → (t.id, t.x)) → (r.#2)
    After:   Σ t ∈ a → (t.x)
    Refuse:  the key may be NULL: two rows (NULL, 'x') are one distinct row
    Sound:   the outputs contain, or fix, a strict key of every variable, so no two rows are equal
    """
    (inner,) = at.bag.terms
    return [at.inlined(inner, scope)]


def _facts_that_rows_differ(term: t.Term, scope: Scope) -> list[Fact] | None:
    """Facts by which different rows of the variables give different outputs, or None."""
    classes = equal_values(term.conjuncts)
    inside = scope.inside(term)
    own = term.bound
    fixed: set[t.Variable] = set()
    facts: list[Fact] = []

    def is_fixed(value: t.Expression) -> bool:
        return any(map(is_of_fixed, (*classes.of(value), value)))

    def is_of_fixed(value: t.Expression) -> bool:
        # A value with a choice inside may be another for two rows of which it reads equal columns.
        if value in term.outputs:
            return True
        if isinstance(value, t.Field) or t.sites(value):
            return not t.free(value) & own - fixed
        return all(is_of_fixed(field) for field in t.walk(value) if isinstance(field, t.Field))

    def fixing(binding: t.Binding) -> list[Fact] | None:
        source, row = binding.source, binding.row
        if (t.free(source) & own) - fixed:
            return None
        if isinstance(source, t.Squash):
            positions = range(len(source.bag.terms[0].outputs) if source.bag.terms else 0)
            return [] if all(is_fixed(t.Field(row, place)) for place in positions) else None
        for fact in inside.world.facts.keys(source.table) if isinstance(source, t.Scan) else ():
            names = [inside.world.column(fact.table, name).name for name in fact.columns]
            columns = [t.Field(row, name) for name in names]
            if all(is_fixed(column) and inside.never_null(column) for column in columns):
                return [fact]
        return None

    waiting = list(term.bindings)
    while waiting:
        next_fixed = next(((b, more) for b in waiting if (more := fixing(b)) is not None), None)
        if next_fixed is None:
            return None
        waiting.remove(next_fixed[0])
        fixed.add(next_fixed[0].row)
        facts += next_fixed[1]
    return facts


DISTINCT = (
    inline_distinct_on_key,
    reduce_distinct_outputs,
    eliminate_determined_column,
    pull_condition_from_distinct,
    push_fixed_column_into_distinct,
    push_semi_join_into_distinct,
    convert_outer_value_to_column,
    push_condition_into_union,
    convert_distinct_to_table,
)
"""Rewrites of a DISTINCT source, in firing order."""
