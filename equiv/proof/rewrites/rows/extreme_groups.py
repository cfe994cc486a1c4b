"""These rewrites replace a group by its row with the MIN or MAX, or by its first row.

A group whose MIN or MAX is asked for is replaced by the row that has this value, where there is only one.
Distinct rows that have this value are replaced by the group.  The first group in the order of an extreme is
the group of the first row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from equiv.algebra import terms as t
from equiv.algebra.correspondences import without_sites
from equiv.algebra.kinds import never_null
from equiv.algebra.world import World
from equiv.facts import Fact
from equiv.names import fold, folded
from equiv.proof.rewrite import PlaceIn, Surroundings, rewrite
from equiv.proof.rewrites.ranged import Ranged, with_conditions
from equiv.proof.rewrites.rows.distinct_columns import (
    Distinct,
    distinct_has_no_choice,
    distinct_variables,
    is_alone,
    is_of_one_term,
)
from equiv.proof.rewrites.scope import GivenRows, Scope


@dataclass(frozen=True)
class GroupWithExtreme:
    """A variable over the distinct keys of rows of one table, and a MIN or MAX over rows of that table."""

    distinct: Distinct
    inner: t.Term
    """The rows of the groups: one binding of a table, and its columns as outputs."""
    extreme: t.Aggregate
    over: t.Term
    """The rows of the MIN or MAX, likewise."""
    argument: str
    key: Fact
    """A key of the table, of columns of the group and the argument."""

    @property
    def shown(self) -> t.Term:
        """The term that reads the group."""
        return self.distinct.shown

    @property
    def row(self) -> t.Variable:
        """The variable of the rows of the groups."""
        return self.inner.bindings[0].row

    def of_row(self, node: t.Expression) -> t.Expression:
        """An expression with the columns of the group as those of a row of it."""

        def each(field: t.Field) -> t.Expression:
            is_group = field.row == self.distinct.row and isinstance(field.column, int)
            return self.inner.outputs[field.column] if is_group else field  # type: ignore[index]

        return t.substitute(node, each)


def groups_with_extremes(term: t.Term, scope: Scope) -> Iterator[GroupWithExtreme]:
    """The groups of a term with each MIN or MAX of a column that together with the group's is a key."""
    own = term.bound
    for distinct in distinct_variables(term, scope):
        if not is_alone(distinct) or len(distinct.bag.terms) != 1:
            continue
        inner = distinct.bag.terms[0]
        table = _table(inner)
        columns = [output.column for output in inner.outputs if isinstance(output, t.Field)]
        if table is None or len(columns) < len(inner.outputs) or t.sites(inner):
            continue
        for extreme in _extremes(term):
            over = extreme.bag.terms[0]
            if _table(over) != table or t.free(extreme) & own != {distinct.row}:
                continue
            for key in _keys(table, {str(each) for each in columns}, str(_column(over)), scope):
                yield GroupWithExtreme(distinct, inner, extreme, over, str(_column(over)), key)


def _table(term: t.Term) -> str | None:
    """The table that a term's single variable ranges over."""
    match term.bindings:
        case (t.Binding(_, t.Scan(table)),):
            return table
    return None


def _extremes(term: t.Term) -> list[t.Aggregate]:
    """Each MIN or MAX of a column in what a term shows and asks, once, in the order of the text."""
    found: dict[t.Aggregate, None] = {}
    for part in (*term.outputs, *term.conjuncts):
        for node in t.walk(part):
            match node:
                case t.Aggregate("MIN" | "MAX", t.Bag((t.Term((_,), _, (t.Field(),)) as over,))):
                    if not t.sites(node) and _column(over) is not None:
                        found.setdefault(node)
    return list(found)


def _column(term: t.Term) -> str | None:
    """The column of its own row that a term returns first."""
    match term.outputs[0]:
        case t.Field(row, str() as column) if row == term.bindings[0].row:
            return column
    return None


def _keys(table: str, columns: set[str], argument: str, scope: Scope) -> list[Fact]:
    """The keys of a table among columns of which the argument has to be one."""
    names = folded(columns)
    return [
        fact
        for fact in scope.world.facts.keys(table)
        if folded(fact.columns) <= names | {fold(argument)} and not folded(fact.columns) <= names
    ]


def distinct_keys_have_no_choice(at: GroupWithExtreme | RowsOfExtreme, scope: Scope) -> bool:
    """Whether equal rows of keys are identical, so that DISTINCT does not choose between 1 and 1.0."""
    return distinct_has_no_choice(at.distinct, scope)


def key_is_never_null(at: GroupWithExtreme, scope: Scope) -> bool:
    """Whether the columns are a unique key of the table, and none of them is NULL."""
    scope.world.use((at.key,))
    inside = at.distinct.around(scope).inside(at.inner)
    names = [inside.world.column(at.key.table, name).name for name in at.key.columns]
    return all(inside.never_null(t.Field(at.row, name)) for name in names)


def extreme_is_over_rows_of_the_group(at: GroupWithExtreme, scope: Scope) -> bool:
    """Whether each row of the MIN or MAX is of the group."""
    inner, over = at.inner, at.over
    other = over.bindings[0].row
    given = GivenRows.of(
        (*inner.bindings, *over.bindings),
        (*inner.conjuncts, *t.conjuncts(at.of_row(over.condition))),
        at.distinct.around(scope).within((*inner.bindings, *over.bindings)),
    )
    asked = t.renamed(t.Term((), inner.condition, inner.outputs), {at.row: other})
    pairs = zip(asked.outputs, inner.outputs, strict=True)
    same = [t.Compare("IS", *pair) for pair in pairs]
    return all(map(given.implies, (*asked.conjuncts, *same)))


def extreme_has_an_argument(at: GroupWithExtreme, scope: Scope) -> bool:
    """Whether each group has a row of which the MIN or MAX is taken."""
    inside = at.distinct.around(scope).within(at.inner.bindings)
    given = GivenRows.of((), at.inner.conjuncts, inside)
    over = scope.world.names.copy_of(at.over)
    asked = t.conjunction([at.of_row(over.condition), t.Not(t.IsNull(over.outputs[0]))])
    return given.has_row(replace(over, condition=asked))


@rewrite(
    on=t.Binding,
    keeps="bag",
    needs=(
        distinct_keys_have_no_choice,
        key_is_never_null,
        extreme_is_over_rows_of_the_group,
        extreme_has_an_argument,
    ),
)
def convert_group_to_row_of_extreme(at: GroupWithExtreme, scope: Scope) -> list[t.Term] | None:
    """Range over the row of each group that has its MIN or MAX, where it is the only one.

    Before:  Σ g ∈ distinct(Σ t ∈ a → (t.x)) → (g.#1, MIN{Σ s ∈ a [s.x = g.#1] → (s.y)})
    After:   Σ t ∈ a [t.y = MIN{Σ s ∈ a [s.x = t.x] → (s.y)}] → (t.x, t.y)
    Refuse:  (x, y) is not unique, or may be NULL; a MIN over rows of other groups, or of none
    Sound:   the MIN is a value of a row of the group, and no two rows of it have one value
    """
    inner = scope.world.names.copy_of(at.inner)
    value = t.Field(inner.bindings[0].row, at.argument)
    extreme, shown = t.alpha(at.extreme), at.shown

    def each(node: t.Node) -> t.Node:
        return value if node == extreme or t.alpha(node) == extreme else t.map_children(node, each)

    plain: t.Term = replace(
        shown,
        condition=each(shown.condition),  # type: ignore[arg-type]
        outputs=tuple(map(each, shown.outputs)),  # type: ignore[arg-type]
    )
    changed = Ranged(plain, at.distinct.place).inlined(inner, scope)
    moved = replace(at, inner=inner).of_row(scope.world.names.copy_of(at.extreme))
    return [with_conditions(changed, t.Compare("=", value, moved))]


EXTREME_ROWS = (convert_group_to_row_of_extreme,)
"""Rewrites of a group whose MIN or MAX is asked for."""


@dataclass(frozen=True)
class RowsOfExtreme:
    """A variable over distinct rows of which one column is the MIN or MAX of their group."""

    distinct: Distinct
    inner: t.Term
    """The rows, of which each has its value equal to the MIN or MAX."""
    part: t.Compare
    """That it has."""
    extreme: t.Aggregate
    place: int
    """The column that is the value."""
    of_group: t.Expression
    """The MIN or MAX, by the columns of the distinct rows."""

    @property
    def shown(self) -> t.Term:
        """The term that reads the distinct rows."""
        return self.distinct.shown

    @property
    def rest(self) -> list[t.Expression]:
        """The other conditions on the rows."""
        return [each for each in self.inner.conjuncts if each is not self.part]


def rows_of_extremes(term: t.Term, scope: Scope) -> Iterator[RowsOfExtreme]:
    """The variables of a term over distinct rows of an extreme that the other columns determine."""
    for distinct in filter(is_alone, filter(is_of_one_term, distinct_variables(term, scope))):
        inner, row = distinct.bag.terms[0], distinct.row
        for part in inner.conjuncts:
            match part:
                case t.Compare("=", t.Aggregate("MIN" | "MAX", t.Bag((_,))) as extreme, value):
                    pass
                case t.Compare("=", value, t.Aggregate("MIN" | "MAX", t.Bag((_,))) as extreme):
                    pass
                case _:
                    continue
            if value not in inner.outputs or t.sites(inner):
                continue
            place = inner.outputs.index(value)
            others = {output: t.Field(row, at) for at, output in enumerate(inner.outputs) if at != place}
            moved = t.substitute(extreme, lambda field, others=others: others.get(field, field))  # type: ignore[misc]
            if not t.free(moved) & inner.bound:
                yield RowsOfExtreme(distinct, inner, part, extreme, place, moved)


def value_is_identical_to_extreme(at: RowsOfExtreme, scope: Scope) -> bool:
    """Whether a value that equals the MIN or MAX is that value."""
    inside = at.distinct.around(scope).inside(at.inner)
    return inside.are_identical_if_equal(at.part.left, at.part.right)


def arguments_are_rows_of_the_group(at: RowsOfExtreme, scope: Scope) -> bool:
    """Whether each argument of the MIN or MAX is the value of such a row with the same other columns."""
    (over,) = scope.world.names.copy_of(at.extreme.bag).terms
    rows = (*at.inner.bindings, *over.bindings)
    claims = (*at.rest, *over.conjuncts, t.Not(t.IsNull(over.outputs[0])))
    given = GivenRows.of(rows, claims, at.distinct.around(scope).within(rows))
    wanted = list(at.inner.outputs)
    wanted[at.place] = over.outputs[0]
    other = scope.world.names.copy_of(at.inner.where(at.rest))
    same = [t.Compare("IS", *pair) for pair in zip(other.outputs, wanted, strict=True)]
    return given.has_row(other.where([*other.conjuncts, *same]))


@rewrite(
    on=t.Binding,
    keeps="bag",
    needs=(distinct_keys_have_no_choice, value_is_identical_to_extreme, arguments_are_rows_of_the_group),
)
def convert_rows_of_extreme_to_group(at: RowsOfExtreme, scope: Scope) -> list[t.Term] | None:
    """Range over the groups whose MIN or MAX the distinct rows have, and take it from there.

    Before:  Σ r ∈ distinct(Σ t ∈ a [t.nn = MAX{Σ s ∈ a [s.x = t.x] → (s.nn)}] → (t.x, t.nn)) → (r.#1, r.#2)
    After:   Σ r ∈ distinct(Σ t ∈ a → (t.x)) [not MAX{Σ s ∈ a [s.x = r.#1] → (s.nn)} is NULL] →
             (r.#1, MAX{Σ s ∈ a [s.x = r.#1] → (s.nn)})
    Refuse:  a MAX over rows that are not asked for; a further column; 1.0 beside 1
    Sound:   a group has such a row just if its MAX is of some row, and all such rows are alike
    """
    rows = t.Squash(t.Bag((at.inner.where(at.rest),)))
    value = t.Field(at.distinct.row, at.place)
    changed = with_conditions(at.distinct.over_source(rows), t.Not(t.IsNull(value)))
    return [Ranged(changed, at.distinct.place).without_columns({at.place: at.of_group}, scope)]


@dataclass(frozen=True, slots=True)
class FirstGroup(PlaceIn[t.Limited]):
    """A choice of the first group by the MIN or MAX of its rows, and the pairs of a group and a row of it."""

    pairs: t.Term


def first_groups(rows: t.Limited, scope: Surroundings) -> Iterator[FirstGroup]:
    """The ways to read a choice so."""
    match rows:
        case t.Limited(t.Bag((term,)), _, (direction,), 1, 0) if isinstance(term.outputs[-1], t.Aggregate):
            extreme = term.outputs[-1]
        case _:
            return
    wanted = "MAX" if direction.descending else "MIN"
    if extreme.function != wanted or direction.nulls_first is direction.descending:
        return
    pairs = _grouped(term, extreme, scope.world) or _owned(term, extreme)
    if pairs is None:
        return
    own = pairs.bound
    if not any(t.sites(output) or t.free(output) & term.bound - own for output in pairs.outputs):
        yield FirstGroup(rows, pairs)


def no_null_comes_first(at: FirstGroup, scope: Surroundings) -> bool:
    """Whether the order is descending, or the values are never NULL."""
    sources = {binding.row: binding.source for binding in at.pairs.bindings}
    return at.shown.directions[0].descending or never_null(at.pairs.outputs[-1], scope.world, sources)


@rewrite(on=t.Limited, keeps="answers", at=first_groups, needs=(no_null_comes_first,))
def convert_first_group_to_first_row(at: FirstGroup, scope: Surroundings) -> t.Limited | None:
    """Take the group of the first row for the first group by its extreme value.

    Before:  Σ g ∈ distinct(Σ t ∈ a → (t.x)) → (g.#1) | MAX{Σ t ∈ a [t.x is g.#1] → (t.y)} descending; row 1
    After:   Σ t ∈ a → (t.x) | t.y descending; row 1
    Refuse:  more keys, more than the first row; a row to which none may belong; ascending MIN unless the
             value is never NULL, because NULLs come first there
    Sound:   the rows whose MAX is greatest are those to which one with the greatest value belongs; MAX is
             NULL only if all values are, and sorts last, as such pairs do
    """
    return replace(at.shown, bag=t.Bag((at.pairs,)))


def _grouped(term: t.Term, extreme: t.Aggregate, world: World) -> t.Term | None:
    """Groups and their rows: the rows alone, the keys being theirs."""
    match term:
        case t.Term((t.Binding(group, t.Squash(t.Bag((inner,)))),), condition, outputs) if not t.conjuncts(
            condition
        ):
            argument = _argument(extreme, group, inner, world)
        case _:
            return None
    if argument is None:
        return None

    def change(field: t.Field) -> t.Expression:
        return inner.outputs[int(field.column)] if field.row == group else field

    new_outputs = tuple(_with_argument(output, extreme, argument) for output in outputs)
    return t.Term(
        inner.bindings, inner.condition, tuple(t.substitute(output, change) for output in new_outputs)
    )


def _owned(term: t.Term, extreme: t.Aggregate) -> t.Term | None:
    """A term whose condition is EXISTS of related rows, for instance of children of the row."""
    if len(extreme.bag.terms) != 1:
        return None
    inner = extreme.bag.terms[0]
    argument = inner.outputs[0]
    parts = [part for part in inner.conjuncts if part != t.Not(t.IsNull(argument))]
    some = t.alpha(t.Exists(t.Bag((t.Term(inner.bindings, t.conjunction(parts), ()),))))
    others = [part for part in term.conjuncts if t.alpha(part) != some]
    if len(others) == len(term.conjuncts):
        return None
    outputs = tuple(_with_argument(output, extreme, argument) for output in term.outputs)
    return t.Term((*term.bindings, *inner.bindings), t.conjunction([*others, *parts]), outputs)


def _with_argument(output: t.Expression, extreme: t.Aggregate, argument: t.Expression) -> t.Expression:
    own = t.alpha(extreme)

    def each(node: t.Node) -> t.Node:
        if isinstance(node, t.Aggregate) and t.alpha(node) == own:
            return argument
        return t.map_children(node, each)

    return each(output)  # type: ignore[return-value]


def _argument(extreme: t.Aggregate, group: t.Variable, inner: t.Term, world: World) -> t.Expression | None:
    """The argument of an aggregate over exactly the rows of a group, over the variables of ``inner``."""
    if len(extreme.bag.terms) != 1:
        return None
    term = extreme.bag.terms[0]
    if len(term.bindings) != len(inner.bindings):
        return None
    names = {b.row: a.row for a, b in zip(inner.bindings, term.bindings, strict=True)}
    turned = t.renamed(term, names)
    if [without_sites(b.source) for b in turned.bindings] != [
        without_sites(b.source) for b in inner.bindings
    ]:
        return None
    argument = turned.outputs[0]
    groups = {b.row: b.source for b in inner.bindings}
    expected = {
        *inner.conjuncts,
        *(_keyed(o, group, n, world, groups) for n, o in enumerate(inner.outputs)),
    }
    conditions = {_oriented(part, group) for part in turned.conjuncts}
    if conditions - {t.Not(t.IsNull(argument))} != expected - {t.Not(t.IsNull(argument))}:
        return None
    return argument


def _keyed(
    output: t.Expression, group: t.Variable, number: int, world: World, sources: Mapping[t.Variable, t.Source]
) -> t.Expression:
    """The condition that a key of a row equals that of its group."""
    operator: Literal["=", "IS"] = "=" if never_null(output, world, sources) else "IS"
    return t.Compare(operator, output, t.Field(group, number))


def _oriented(part: t.Expression, group: t.Variable) -> t.Expression:
    """``g.k = x`` as ``x = g.k``."""
    match part:
        case t.Compare("IS" | "=", t.Field(row), right) if row == group:
            return t.Compare(part.operator, right, part.left)
    return part
