"""Rows that refer to rows of another table: counts of both, and an EXISTS that a foreign key shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeGuard

from equiv.algebra import terms as t
from equiv.algebra.kinds import not_null_if
from equiv.facts import Fact, FactKind
from equiv.proof.rewrite import PlaceIn, rewrite
from equiv.proof.rewrites.lookups import compare_alike, is_found, none_null
from equiv.proof.rewrites.scope import GivenRows, Scope
from equiv.proof.rewrites.sums.parts import addends_of, is_part, is_plain_sum, is_row_count


@dataclass(frozen=True, slots=True)
class ReferringRows(PlaceIn[t.Apply | t.Compare]):
    """An expression with a count of rows on one side, and on the other one of rows that may refer to them."""

    count: t.Aggregate
    """The count of the rows that refer."""
    reference: t.Field
    """Their column that is the key of a row of the other count's table."""
    parent: str
    parent_key: Fact
    key: Fact
    """A key of the rows that refer: the reference, and columns that the conditions fix."""

    @property
    def row(self) -> t.Variable:
        """The row that refers."""
        return self.reference.row

    @property
    def term(self) -> t.Term:
        """The rows that refer."""
        return self.count.bag.terms[0]


def referring_rows(node: t.Apply | t.Compare, scope: Scope) -> Iterator[ReferringRows]:
    """The pairs of a count on one side, and one on the other of rows with a key of one column left open."""
    match node:
        case t.Apply("-", (left, right)) | t.Compare(_, left, right):
            sides = addends_of(left), addends_of(right)
        case _:
            return
    for mine, theirs in (sides, sides[::-1]):
        for whole in filter(_counts_table, mine):
            for count in filter(_counts_table, theirs):
                for at in _references(node, whole, count, scope):
                    if is_part(whole, _of_referred_rows(at, scope)):
                        yield at


def _counts_table(value: t.Expression) -> TypeGuard[t.Aggregate]:
    """Whether a value counts rows of one table."""
    if not is_plain_sum(value) or not is_row_count(value):
        return False
    bindings = value.bag.terms[0].bindings
    return len(bindings) == 1 and isinstance(bindings[0].source, t.Scan)


def _references(
    node: t.Apply | t.Compare, whole: t.Aggregate, count: t.Aggregate, scope: Scope
) -> Iterator[ReferringRows]:
    """The ways to read a count as one of rows that refer to rows of the other's table."""
    (parent,), (binding,) = whole.bag.terms[0].bindings, count.bag.terms[0].bindings
    assert isinstance(parent.source, t.Scan)
    assert isinstance(binding.source, t.Scan)
    if parent.source == binding.source:
        return
    fixed = _fixed(count.bag.terms[0], binding.row)
    parent_keys = [key for key in scope.world.facts.keys(parent.source.table) if len(key.columns) == 1]
    for key in scope.world.facts.keys(binding.source.table):
        names = [scope.world.column(binding.source.table, name).name for name in key.columns]
        open_ = [name for name in names if name not in fixed]
        if len(open_) == 1:
            reference = t.Field(binding.row, open_[0])
            for parent_key in parent_keys:
                yield ReferringRows(node, count, reference, parent.source.table, parent_key, key)


def _fixed(term: t.Term, row: t.Variable) -> dict[str, tuple[t.Expression, t.Expression]]:
    """The columns of a row that conditions equate with a value outside the row: the value, the condition."""
    found: dict[str, tuple[t.Expression, t.Expression]] = {}
    for part in term.conjuncts:
        match part:
            case t.Compare("=", left, right):
                for one, other in ((left, right), (right, left)):
                    if isinstance(one, t.Field) and one.row == row and not t.mentions(other, (row,)):
                        found.setdefault(str(one.column), (other, part))
    return found


def _of_referred_rows(at: ReferringRows, scope: Scope) -> t.Aggregate:
    """The count of the rows of the other table to which a row refers."""
    world, old = scope.world, at.row
    source = at.term.bindings[0].source
    assert isinstance(source, t.Scan)
    row = world.names.variable(at.parent)
    own = t.Field(row, world.column(at.parent, at.parent_key.columns[0]).name)
    fixed = _fixed(at.term, old)
    names = tuple(world.column(source.table, name).name for name in at.key.columns)
    values = tuple(own if name == at.reference.column else fixed[name][0] for name in names)
    # What fixes the key is said by the look-up.
    said = [fixed[name][1] for name in names if name != at.reference.column]
    referred = (at.parent, (own.column,), (at.reference,))

    def each(node: t.Node) -> t.Node:
        match node:
            case t.Lookup(table, key, asked, column) if (table, key, asked) == referred:
                return t.Field(row, column)
            case t.Found(table, key, asked) if (table, key, asked) == referred:
                return t.TRUE
            case t.Field(inner, str() as column) if inner == old:
                # Not the value that the key equals: 1 is no 1.0.
                return t.Lookup(source.table, names, values, column)
        return t.map_children(node, each)

    parts: list[t.Expression] = [t.Found(source.table, names, values)]
    parts += [each(part) for part in at.term.conjuncts if part not in said]  # type: ignore[misc]
    term = t.Term((t.Binding(row, t.Scan(at.parent)),), t.conjunction(parts), at.term.outputs)
    return replace(at.count, bag=t.Bag((term,)))


def each_row_refers_to_another(at: ReferringRows, scope: Scope) -> bool:
    """Whether a foreign key that is never NULL refers to a row of the other table."""
    inside = scope.inside(at.term)
    key = scope.world.column(at.parent, at.parent_key.columns[0]).name
    return is_found(at.parent, (key,), (at.reference,), inside)


def columns_are_keys(at: ReferringRows, scope: Scope) -> bool:
    """Whether counted rows have different references, and rows of the other table different keys."""
    scope.world.use((at.key, at.parent_key))
    return True


@rewrite(
    on=(t.Apply, t.Compare),
    keeps="value",
    at=referring_rows,
    needs=(each_row_refers_to_another, columns_are_keys),
)
def convert_count_to_referred_rows(at: ReferringRows, scope: Scope) -> t.Expression | None:
    """Count the rows that are referred to in place of those that refer, beside a count of all of them.

    Before:  SUM0{Σ t ∈ a → (1)} = SUM0{Σ s ∈ b [s.u = 1] → (1)}
    After:   SUM0{Σ t ∈ a → (1)} = SUM0{Σ t2 ∈ a [b[u = 1, a_id = t2.id] ≠ ∅] → (1)}
    Refuse:  rows that refer to none, or two to one; tables of which the other count is not the whole
    Sound:   each row that is counted refers to one row, and no other row that is counted refers to it
    """
    converted = _of_referred_rows(at, scope)

    def each(node: t.Node) -> t.Node:
        return converted if node is at.count else t.map_children(node, each)

    return t.map_children(at.shown, each)


@dataclass(frozen=True, slots=True)
class ExistsByReference(PlaceIn[t.Exists]):
    """An EXISTS over rows of a table, and a foreign key to that table of a row around."""

    term: t.Term
    """The rows that are asked for."""
    key: Fact
    child: t.Variable

    def columns(self, scope: Scope) -> tuple[t.Field, ...]:
        """The columns of the foreign key."""
        world = scope.world
        return tuple(
            t.Field(self.child, world.column(self.key.table, name).name) for name in self.key.columns
        )


def references(node: t.Exists, scope: Scope) -> Iterator[ExistsByReference]:
    """The foreign keys of rows around to the table of an EXISTS."""
    for term in node.bag.terms:
        match term.bindings:
            case (t.Binding(_, t.Scan(table)),):
                for around in scope.rows:
                    if isinstance(around.source, t.Scan):
                        for fact in scope.world.facts.of(FactKind.INCLUSION, around.source.table):
                            if fact.refers_to(table) and compare_alike(fact, scope):
                                yield ExistsByReference(node, term, fact, around.row)


def reference_is_complete(at: ExistsByReference, scope: Scope) -> bool:
    """Whether no column of the foreign key is NULL, unless the EXISTS asks for one that is not."""
    asked = not_null_if((at.shown,))
    return all(t.alpha(each) in asked or scope.never_null(each) for each in at.columns(scope))


def referred_row_is_such_a_row(at: ExistsByReference, scope: Scope) -> bool:
    """Whether the row to which the foreign key refers meets the conditions."""
    scope.world.use((at.key,))
    row = scope.world.names.variable(at.key.parent)
    above = [t.Field(row, scope.world.column(at.key.parent, name).name) for name in at.key.parent_columns]
    pairs = zip(above, at.columns(scope), strict=True)
    links = [t.Compare("=", *pair) for pair in pairs]
    there = [t.Not(t.IsNull(each)) for each in (*above, *at.columns(scope))]
    referred = t.Binding(row, at.term.bindings[0].source)
    return GivenRows.of((referred,), (*scope.given, *links, *there), scope).has_row(at.term)


@rewrite(on=t.Exists, keeps="value", at=references, needs=(reference_is_complete, referred_row_is_such_a_row))
def fold_exists_by_reference(at: ExistsByReference, scope: Scope) -> t.Expression | None:
    """Do not ask for a row of which a foreign key says that it is there, be it by a part of its columns.

    Before:  Σ s ∈ b [(∃ t ∈ a [t.x = s.a_x])] → (s.y), where (s.a_x, s.a_z) refers to (t.x, t.z)
    After:   Σ s ∈ b [not s.a_x is NULL] → (s.y)
    Refuse:  another column of the key may be NULL; a condition on other columns of the parent
    Sound:   a foreign key of which no column is NULL is the key of a row
    """
    return none_null(at.columns(scope), scope)
