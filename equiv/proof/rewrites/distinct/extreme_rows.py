"""A group whose MIN or MAX is asked for, replaced by its row that has this value, where there is only one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from equiv.algebra.terms import (
    Aggregate,
    Bag,
    Binding,
    Compare,
    Expression,
    Field,
    IsNull,
    Node,
    Not,
    Scan,
    Term,
    Variable,
    alpha,
    conjunction,
    conjuncts,
    free,
    map_children,
    renamed,
    sites,
    substitute,
    walk,
)
from equiv.facts import Fact
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.distinct.replaced_bindings import with_conditions, with_fields
from equiv.proof.rewrites.distinct.variables import (
    Distinct,
    distinct_has_no_choice,
    distinct_variables,
    is_alone,
)
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.given_rows import GivenRows


@dataclass(frozen=True)
class GroupWithExtreme:
    """A variable over the distinct keys of rows of one table, and a MIN or MAX over rows of that table."""

    distinct: Distinct
    inner: Term
    """The rows of the groups: one binding of a table, and its columns as outputs."""
    extreme: Aggregate
    over: Term
    """The rows of the MIN or MAX, likewise."""
    argument: str
    key: Fact
    """A key of the table, of columns of the group and the argument."""

    @property
    def shown(self) -> Term:
        """The term that reads the group."""
        return self.distinct.shown

    @property
    def row(self) -> Variable:
        """The variable of the rows of the groups."""
        return self.inner.bindings[0].row

    def of_row(self, node: Expression) -> Expression:
        """An expression with the columns of the group as those of a row of it."""

        def each(field: Field) -> Expression:
            is_group = field.row == self.distinct.row and isinstance(field.column, int)
            return self.inner.outputs[field.column] if is_group else field  # type: ignore[index]

        return substitute(node, each)


def groups_with_extremes(term: Term, scope: Scope) -> Iterator[GroupWithExtreme]:
    """The groups of a term with each MIN or MAX of a column that together with the group's is a key."""
    own = {binding.row for binding in term.bindings}
    for distinct in distinct_variables(term, scope):
        if not is_alone(distinct) or len(distinct.bag.terms) != 1:
            continue
        inner = distinct.bag.terms[0]
        table = _table(inner)
        columns = [output.column for output in inner.outputs if isinstance(output, Field)]
        if table is None or len(columns) < len(inner.outputs) or sites(inner):
            continue
        for extreme in _extremes(term):
            over = extreme.bag.terms[0]
            if _table(over) != table or free(extreme) & own != {distinct.row}:
                continue
            for key in _keys(table, {str(each) for each in columns}, str(_column(over)), scope):
                yield GroupWithExtreme(distinct, inner, extreme, over, str(_column(over)), key)


def _table(term: Term) -> str | None:
    """The table that a term's single variable ranges over."""
    match term.bindings:
        case (Binding(_, Scan(table)),):
            return table
    return None


def _extremes(term: Term) -> list[Aggregate]:
    """Each MIN or MAX of a column in what a term shows and asks, once, in the order of the text."""
    found: dict[Aggregate, None] = {}
    for part in (*term.outputs, *conjuncts(term.condition)):
        for node in walk(part):
            match node:
                case Aggregate("MIN" | "MAX", Bag((Term((_,), _, (Field(),)) as over,))):
                    if not sites(node) and _column(over) is not None:
                        found.setdefault(node)
    return list(found)


def _column(term: Term) -> str | None:
    """The column of its own row that a term returns first."""
    match term.outputs[0]:
        case Field(row, str() as column) if row == term.bindings[0].row:
            return column
    return None


def _keys(table: str, columns: set[str], argument: str, scope: Scope) -> list[Fact]:
    """The keys of a table among columns of which the argument has to be one."""
    names = {column.lower() for column in columns}
    return [
        fact
        for fact in scope.world.facts.keys(table)
        if {each.lower() for each in fact.columns} <= names | {argument.lower()}
        and not {each.lower() for each in fact.columns} <= names
    ]


def distinct_keys_have_no_choice(at: GroupWithExtreme, scope: Scope) -> bool:
    """Equal rows of keys are identical, so that DISTINCT does not choose between 1 and 1.0."""
    return distinct_has_no_choice(at.distinct, scope)


def key_is_never_null(at: GroupWithExtreme, scope: Scope) -> bool:
    """The columns are a unique key of the table, and none of them is NULL."""
    scope.world.use((at.key,))
    inside = at.distinct.around(scope).within(at.inner.bindings, conjuncts(at.inner.condition))
    names = [inside.world.column(at.key.table, name).name for name in at.key.columns]
    return all(inside.never_null(Field(at.row, name)) for name in names)


def extreme_is_over_rows_of_the_group(at: GroupWithExtreme, scope: Scope) -> bool:
    """Each row of the MIN or MAX is of the group."""
    inner, over = at.inner, at.over
    other = over.bindings[0].row
    given = GivenRows.of(
        (*inner.bindings, *over.bindings),
        (*conjuncts(inner.condition), *conjuncts(at.of_row(over.condition))),
        at.distinct.around(scope).within((*inner.bindings, *over.bindings)),
    )
    asked = renamed(Term((), inner.condition, inner.outputs), {at.row: other})
    pairs = zip(asked.outputs, inner.outputs, strict=True)
    same = [Compare("IS", *pair) for pair in pairs]
    return all(map(given.implies, (*conjuncts(asked.condition), *same)))


def extreme_has_an_argument(at: GroupWithExtreme, scope: Scope) -> bool:
    """Each group has a row of which the MIN or MAX is taken."""
    inside = at.distinct.around(scope).within(at.inner.bindings)
    given = GivenRows.of((), conjuncts(at.inner.condition), inside)
    over = scope.world.names.copy_of(at.over)
    asked = conjunction([at.of_row(over.condition), Not(IsNull(over.outputs[0]))])
    return given.has_row(replace(over, condition=asked))


@rewrite(
    on=Binding,
    keeps="bag",
    needs=(
        distinct_keys_have_no_choice,
        key_is_never_null,
        extreme_is_over_rows_of_the_group,
        extreme_has_an_argument,
    ),
)
def convert_group_to_row_of_extreme(at: GroupWithExtreme, scope: Scope) -> list[Term] | None:
    """Range over the row of each group that has its MIN or MAX, where it is the only one.

    Before:  Σ g ∈ distinct(Σ t ∈ a → (t.x)) → (g.#1, MIN{Σ s ∈ a [s.x = g.#1] → (s.y)})
    After:   Σ t ∈ a [t.y = MIN{Σ s ∈ a [s.x = t.x] → (s.y)}] → (t.x, t.y)
    Refuse:  (x, y) is not unique, or may be NULL; a MIN over rows of other groups, or of none
    Sound:   the MIN is a value of a row of the group, and no two rows of it have one value
    """
    inner = scope.world.names.copy_of(at.inner)
    value = Field(inner.bindings[0].row, at.argument)
    extreme, shown = alpha(at.extreme), at.shown

    def each(node: Node) -> Node:
        return value if node == extreme or alpha(node) == extreme else map_children(node, each)

    plain: Term = replace(
        shown,
        condition=each(shown.condition),  # type: ignore[arg-type]
        outputs=tuple(map(each, shown.outputs)),  # type: ignore[arg-type]
    )
    fields = dict(enumerate(inner.outputs))
    changed = with_fields(plain, at.distinct.place, inner.bindings, fields, scope)
    moved = replace(at, inner=inner).of_row(scope.world.names.copy_of(at.extreme))
    return [with_conditions(changed, Compare("=", value, moved), *conjuncts(inner.condition))]


EXTREME_ROWS = (convert_group_to_row_of_extreme,)
"""Rewrites of a group whose MIN or MAX is asked for."""
