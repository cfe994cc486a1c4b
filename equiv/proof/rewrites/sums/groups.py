"""These rewrites drop from a sum the groups that its other rows determine, and values that equal outer ones.

If each column of a group's row is equated with a value of other rows, these fix the row: it can go, if
the values do occur in a group.  So a sum over groups of a sum within the group is one sum.  Inner values that
a condition equates with outer ones are replaced by these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from equiv.algebra import terms as t
from equiv.facts import Fact
from equiv.proof.rewrite import PlaceIn, first, rewrite
from equiv.proof.rewrites.ranged import Ranged, rows_equal_to, variables, where_exists
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.products import present


@dataclass(frozen=True, slots=True)
class EquatedGroup(Ranged):
    """A term's variable over a DISTINCT source, and its columns that conditions equate with values."""

    columns: tuple[int, ...]
    used: tuple[t.Expression, ...]
    """The conditions, one for each column."""
    values: tuple[t.Expression, ...]
    replaceable: tuple[Fact, ...] | None
    """Facts by which each value can stand for its column; None if it may show that it is not the column."""


def values_can_stand_for_columns(at: EquatedGroup, scope: Scope) -> bool:
    """Whether each value is identical to the column that it equals, or nothing distinguishes the two."""
    return scope.world.rests_on(at.replaceable)


def _determined(rows: t.Term, scope: Scope) -> Iterator[EquatedGroup]:
    """The variables all of whose columns are equated with values in scope."""
    for at in variables(rows, t.Squash):
        for found in _ways(at, range(len(at.bag.terms[0].outputs)), scope) if at.bag.terms else ():
            if _in_scope(rows, at.binding, found.values):
                yield found


def _ways(at: Ranged, columns: Sequence[int], scope: Scope) -> Iterator[EquatedGroup]:
    """The columns with values that can stand for them; if there are none, with others."""
    for is_sure in (True, False):
        mark = scope.world.open_step()
        equations: list[tuple[t.Expression, t.Expression]] = []
        for column in columns:
            pair = _equated(at.shown, t.Field(at.row, column), scope, is_sure=is_sure)
            if pair is None:
                break
            equations.append(pair)
        facts = scope.world.close_step(mark, is_taken=False)
        if len(equations) == len(columns):
            used, values = tuple(part for part, _ in equations), tuple(value for _, value in equations)
            known = facts if is_sure else None
            yield EquatedGroup(at.shown, at.place, tuple(columns), used, values, known)
            return


@rewrite(on=t.Term, keeps="bag", at=_determined, needs=(values_can_stand_for_columns,))
def eliminate_determined_group(at: EquatedGroup, scope: Scope) -> t.Term | None:
    """Drop a group, all columns of which are equated with values of other rows, from the rows of a sum.

    Before:  Σ g ∈ distinct(Σ s ∈ a → (s.x)), t ∈ a [t.x is g.#1] → (t.y)
    After:   Σ t ∈ a → (t.y)
    Refuse:  a column that is equated with nothing, or with 1.0 where it may be 1 and that shows
    Sound:   one distinct row has these values, if one has; where that is not seen, the term asks for it
    """
    rows, used, values = at.shown, at.used, at.values
    inner = scope.within(rows.bindings)
    there = [present(v, inner) for part, v in zip(used, values, strict=True) if _is_strict(part)]
    left = rows.where(each for each in rows.conjuncts if each not in used)
    left = Ranged(left, at.place).replaced((), dict(enumerate(values)), scope)
    left = left.where((*left.conjuncts, *there))
    return where_exists(left, rows_equal_to(at.bag, values, scope), scope)


def _equated(
    rows: t.Term, field: t.Field, scope: Scope, *, is_sure: bool
) -> tuple[t.Expression, t.Expression] | None:
    """A condition that equates a column with a value, and this; one that can stand for it if ``is_sure``."""
    distinct = {each.row for each in rows.bindings if isinstance(each.source, t.Squash)}
    found = [
        (t.mentions(other, distinct), number, part, other)
        for number, part in enumerate(rows.conjuncts)
        for other in _other_sides(part, field)
        if not is_sure or _can_replace(rows, part, field, other, scope)
    ]
    if not found:
        return None
    _, _, part, other = min(found, key=lambda each: each[:2])
    return part, other


def _other_sides(condition: t.Expression, field: t.Field) -> Iterator[t.Expression]:
    match condition:
        case t.Compare("IS" | "=", left, right):
            for one, other in ((left, right), (right, left)):
                if one == field and field.row not in t.free(other):
                    yield other


def _can_replace(rows: t.Term, used: t.Expression, field: t.Field, value: t.Expression, scope: Scope) -> bool:
    """Whether a value that equals a field can stand for it: as the same value, or wherever it stands."""
    inner = scope.within(rows.bindings)
    if inner.are_identical_if_equal(field, value):
        return True
    if field in rows.outputs and inner.is_whole(field) != inner.is_whole(value):
        return False
    return not is_read(rows.where(part for part in rows.conjuncts if part != used), field)


def is_read(rows: t.Term, field: t.Field) -> bool:
    """Whether a field stands elsewhere than in comparisons and as a value: where 1 and 1.0 differ."""
    if any(_reads(binding.source, field) for binding in rows.bindings):
        return True
    return any(_reads(node, field) for node in (*rows.conjuncts, *rows.outputs) if node != field)


def _reads(node: t.Node, field: t.Field) -> bool:
    """Whether a field stands elsewhere than in comparisons."""
    if node == field:
        return True
    match node:
        case t.Compare(_, left, right):
            return any(each != field and _reads(each, field) for each in (left, right))
        case t.IsNull(value) if value == field:
            return False
    return any(_reads(child, field) for child in t.children(node))


def _in_scope(rows: t.Term, binding: t.Binding, values: Sequence[t.Expression]) -> bool:
    """Whether the sources that mention a row come after all rows that the values mention."""
    needed = rows.bound & {row for value in values for row in t.free(value)}
    before: set[t.Variable] = set()
    for each in rows.bindings:
        if binding.row in t.free(each.source) and not needed <= before:
            return False
        before.add(each.row)
    return True


def _is_strict(condition: t.Expression) -> bool:
    return isinstance(condition, t.Compare) and condition.operator == "="


def _fixed_outside(rows: t.Term, scope: Scope) -> Iterator[EquatedGroup]:
    """The columns of distinct rows that are equated with a value of rows around."""
    for at in variables(rows, t.Squash):
        for column in range(len(at.bag.terms[0].outputs)) if at.bag.terms else ():
            for found in _ways(at, (column,), scope):
                if not t.mentions(found.values[0], rows.bound):
                    yield found


@rewrite(on=t.Term, keeps="bag", at=_fixed_outside, needs=(values_can_stand_for_columns,))
def push_outer_value_into_distinct(at: EquatedGroup, scope: Scope) -> t.Term | None:
    """Fix a column of distinct rows that is equated with a value of rows around inside their source.

    Before:  Σ g ∈ distinct(Σ s ∈ a → (s.x, s.y)) [g.#1 = x] → (g.#2)
    After:   Σ g ∈ distinct(Σ s ∈ a [s.x is x] → (s.y)) → (g.#1)
    Refuse:  a value of the rows themselves; 1 for 1.0 where the column is read as more than that
    Sound:   the distinct rows with that value are those of the rows with that value
    """
    rows, (column,), (used,), (value,) = at.shown, at.columns, at.used, at.values
    claim = t.Compare("IS", t.Field(at.row, column), value)
    there = [present(value, scope)] if _is_strict(used) else []
    said = rows.where([*(part for part in (*rows.conjuncts, *there) if part != used), claim])
    inside = Ranged(said, at.place).with_conditions_inside((claim,), scope)
    return Ranged(inside, at.place).without_columns({column: value}, scope)


def with_outer_values(rows: t.Term, scope: Scope) -> t.Term:
    """A term in which each value equated with an outer value is replaced by it in the other conditions."""
    own = rows.bound
    done: set[t.Expression] = set()
    while True:
        found = next(
            (pair for part in rows.conjuncts if part not in done for pair in _pairs(part, own)), None
        )
        if found is None:
            return rows
        done.add(found[0])
        changed = first(OUTER_VALUES, (EquatedWithOuter(rows, *found),), scope)
        rows = changed or rows


@dataclass(frozen=True, slots=True)
class EquatedWithOuter(PlaceIn[t.Term]):
    """Rows of which a condition equates a value with one of rows around."""

    part: t.Expression
    mine: t.Expression
    outer: t.Expression


def values_are_identical(at: EquatedWithOuter, scope: Scope) -> bool:
    """Whether the inner value is identical to the outer one if they are equal."""
    return scope.within(at.shown.bindings).are_identical_if_equal(at.mine, at.outer)


@rewrite(on=t.Term, keeps="bag", needs=(values_are_identical,))
def convert_to_outer_value(at: EquatedWithOuter, scope: Scope) -> t.Term | None:
    """Replace an inner value that a condition equates with an outer one in the other conditions.

    Before:  Σ t ∈ a [t.x = x and t.x < t.y] → (t.x)
    After:   Σ t ∈ a [t.x = x and x < t.y] → (x)
    Refuse:  1 for 1.0
    Sound:   the values are one and the same where the condition is true
    """

    def each(node: t.Node) -> t.Node:
        return scope.world.names.copy_of(at.outer) if node == at.mine else t.map_children(node, each)

    return _changed(at, each, each)


@rewrite(on=t.Term, keeps="bag")
def convert_compared_to_outer_value(at: EquatedWithOuter, scope: Scope) -> t.Term | None:
    """Replace an inner value that a condition equates with an outer one where it is compared.

    Before:  Σ t ∈ a [t.x = 1.0 and t.x < t.y] → (t.z)
    After:   Σ t ∈ a [t.x = 1.0 and 1.0 < t.y] → (t.z)
    Refuse:  the value within a function, which may tell 1 from 1.0
    Sound:   comparisons, and sums of numbers of one class, read values that are equal alike
    """

    def each(node: t.Node) -> t.Node:
        if isinstance(node, t.Compare):
            left, right = (
                scope.world.names.copy_of(at.outer) if x == at.mine else x for x in (node.left, node.right)
            )
            node = replace(node, left=left, right=right)
        return t.map_children(node, each)

    inner = scope.within(at.shown.bindings)
    is_of_one_class = inner.is_whole(at.mine) == inner.is_whole(at.outer)

    def value(node: t.Node) -> t.Node:
        if node == at.mine:
            return scope.world.names.copy_of(at.outer) if is_of_one_class else node
        return each(node)

    return _changed(at, each, value)


OUTER_VALUES = (convert_to_outer_value, convert_compared_to_outer_value)
"""Rewrites of a value that is equated with an outer one, in firing order."""


def _changed(
    at: EquatedWithOuter, each: Callable[[t.Node], t.Node], value: Callable[[t.Node], t.Node]
) -> t.Term | None:
    """The rows with other conditions and values; None if they are as before."""
    others = (part for part in at.shown.conjuncts if part != at.part)
    changed = {part: t.conjuncts(each(part)) for part in others}  # type: ignore[arg-type]
    conditions = tuple(p for part in at.shown.conjuncts for p in changed.get(part, (part,)))
    found = replace(at.shown.where(conditions), outputs=tuple(map(value, at.shown.outputs)))  # type: ignore[arg-type]
    return None if found == at.shown else found


def _pairs(part: t.Expression, own: set[t.Variable]) -> list[tuple[t.Expression, t.Expression, t.Expression]]:
    match part:
        case t.Compare("IS" | "=", left, right):
            return [
                (part, one, other)
                for one, other in ((left, right), (right, left))
                if t.mentions(one, own) and not t.mentions(other, own)
            ]
    return []
