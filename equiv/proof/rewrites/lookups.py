"""Look-ups by a key: whether they find a row, and which row in scope it is.

A look-up by one key whose row another key equates with a row in scope finds that row.
"""

from __future__ import annotations

from collections.abc import Sequence

from equiv.algebra import terms as t
from equiv.core.model import Affinity
from equiv.facts import Fact, FactKind
from equiv.names import fold
from equiv.proof.rewrite import changed_by, rewrite
from equiv.proof.rewrites.scope import Scope

RowColumn = tuple[t.Variable | t.Lookup, str, str]
"""A row (of a variable, or that of a look-up), its table and a column."""

_NUMERIC = frozenset({Affinity.INTEGER, Affinity.REAL, Affinity.NUMERIC})


@rewrite(on=t.Found, keeps="value")
def fold_found_by_null(node: t.Found, scope: Scope) -> t.Expression | None:
    """No row is found by NULL.

    Before:  a[id = NULL] ≠ ∅
    After:   FALSE
    Refuse:  a value that only may be NULL
    Sound:   the key is compared by =
    """
    return t.FALSE if t.NULL in node.values else None


@rewrite(on=t.Found, keeps="value")
def fold_found_row_at_hand(node: t.Found, scope: Scope) -> t.Expression | None:
    """A row is found by its own key.

    Before:  Σ t ∈ a [a[id = t.id] ≠ ∅] → (t.x)
    After:   Σ t ∈ a [not t.id is NULL] → (t.x)
    Refuse:  the key of a row of another table; columns of two rows
    Sound:   the row itself is there, and its key equals itself unless it is NULL
    """
    return none_null(node.values, scope) if isinstance(_row_at_hand(node, scope), t.Variable) else None


@rewrite(on=t.Found, keeps="value")
def reduce_found_to_first_lookup(node: t.Found, scope: Scope) -> t.Expression | None:
    """A look-up by the key of another look-up's row finds a row if that one does.

    Before:  a[id = a[name = t.n].id] ≠ ∅
    After:   a[name = t.n] ≠ ∅ and not a[name = t.n].id is NULL
    Refuse:  columns of two rows, or of another table
    Sound:   the row looked up is there, and its key equals itself unless it is NULL
    """
    other = _row_at_hand(node, scope)
    if not isinstance(other, t.Lookup):
        return None
    found = t.Found(other.table, other.key, other.values)
    return t.conjunction([found_row(found, scope), none_null(node.values, scope)])


def reference_holds(node: t.Found, scope: Scope) -> bool:
    """Whether a foreign key says that the row is there unless a value is NULL."""
    return scope.world.rests_on(_included(node.table, node.key, node.values, scope))


@rewrite(on=t.Found, keeps="value", needs=(reference_holds,))
def fold_found_by_reference(node: t.Found, scope: Scope) -> t.Expression | None:
    """A look-up by a foreign key that is not NULL finds the parent.

    Before:  Σ s ∈ b [a[id = s.a_id] ≠ ∅] → (s.y)
    After:   Σ s ∈ b [not s.a_id is NULL] → (s.y)
    Refuse:  the foreign key is not enforced; other columns; another collation or affinity
    Sound:   a foreign key is NULL, or the key of a row
    """
    return none_null(node.values, scope)


FOUND = (
    fold_found_by_null,
    fold_found_row_at_hand,
    reduce_found_to_first_lookup,
    fold_found_by_reference,
)
"""Rewrites of the condition that a look-up finds a row, in firing order."""


def found_row(node: t.Found, scope: Scope) -> t.Expression:
    """Whether the row is there, decided by foreign keys and by rows that are at hand."""
    return changed_by(FOUND, node, scope)


def none_null(values: Sequence[t.Expression], scope: Scope) -> t.Expression:
    """The condition that no value is NULL, without those of which that is known."""
    return t.conjunction(t.TRUE if _is_there(each, scope) else t.Not(t.IsNull(each)) for each in values)


def _is_there(value: t.Expression, scope: Scope) -> bool:
    """Whether a value is never NULL, by what is known of the row that is looked up or behind it."""
    if scope.never_null(value):
        return True
    match value:
        case t.Lookup(table, names, values, column):
            return scope.never_null_column(table, column) and is_found(table, names, values, scope)
        case t.Field(row, int() as place):
            source = scope.sources.get(row)
            if isinstance(source, t.Squash | t.Limited):
                behind = [(each.outputs, scope.inside(each)) for each in source.bag.terms]
                return all(_is_there(outputs[place], inside) for outputs, inside in behind)
    return False


def is_found(table: str, names: tuple[str, ...], values: tuple[t.Expression, ...], scope: Scope) -> bool:
    """Whether a row is known to be there."""
    node = t.Found(table, names, values)
    if t.alpha(node) in scope.known.true:
        return True
    with scope.world.aside():
        return found_row(node, scope) == t.TRUE


def row_is_missing(node: t.Lookup, scope: Scope) -> bool:
    """Whether there is no such row: it is looked up by NULL, or the conditions around say so."""
    return t.NULL in node.values or t.alpha(t.Found(node.table, node.key, node.values)) in scope.known.untrue


@rewrite(on=t.Lookup, keeps="value", needs=(row_is_missing,))
def fold_lookup_of_missing_row(node: t.Lookup, scope: Scope) -> t.Expression | None:
    """A column of a row that is not there is NULL.

    Before:  a[id = NULL].x
    After:   NULL
    Refuse:  a row that only may be missing
    Sound:   that is what a look-up is
    """
    return t.NULL


@rewrite(on=t.Lookup, keeps="value")
def convert_lookup_to_row_at_hand(node: t.Lookup, scope: Scope) -> t.Expression | None:
    """Replace a look-up by the key of a row in scope by that row.

    Before:  Σ t ∈ a → (a[id = t.id].x)
    After:   Σ t ∈ a → (t.x)
    Refuse:  the key of a row of another table; columns of two rows
    Sound:   at most one row has the key, and that is this row; a key that is NULL finds none
    """
    other = _row_at_hand(node, scope)
    if not isinstance(other, t.Variable):
        return None
    here = none_null(node.values, scope)
    column = t.Field(other, node.column)
    return column if here == t.TRUE else t.Case(((here, column),), t.NULL)


def key_is_never_null(node: t.Lookup, scope: Scope) -> bool:
    """Whether the values are the key columns of another look-up's row, which are never NULL."""
    if not isinstance(_row_at_hand(node, scope), t.Lookup):
        return False
    return all(scope.never_null_column(node.table, name) for name in node.key)


@rewrite(on=t.Lookup, keeps="value", needs=(key_is_never_null,))
def merge_lookups(node: t.Lookup, scope: Scope) -> t.Expression | None:
    """Merge a look-up by the key of another look-up's row into that one.

    Before:  a[id = a[name = t.n].id].x
    After:   a[name = t.n].x
    Refuse:  the key may be NULL, and then finds nothing
    Sound:   at most one row has the key, and that is the row; without it both are NULL
    """
    other = _row_at_hand(node, scope)
    return (
        t.Lookup(other.table, other.key, other.values, node.column) if isinstance(other, t.Lookup) else None
    )


def reads_key_column(node: t.Lookup) -> bool:
    """Whether the column is one by which the row is found."""
    return node.column in node.key


def key_is_identical_to_value(node: t.Lookup, scope: Scope) -> bool:
    """Whether a key that equals the value is that value."""
    return scope.are_identical_if_equal(node, node.values[node.key.index(node.column)])


def row_is_there_unless_null(node: t.Lookup, scope: Scope) -> bool:
    """Whether the row is there, or the only value is NULL."""
    found = t.Found(node.table, node.key, node.values)
    if is_found(found.table, found.key, found.values, scope):
        return True
    wanted = node.values[node.key.index(node.column)]
    with scope.world.aside():
        return len(node.key) == 1 and found_row(found, scope) in (t.TRUE, t.Not(t.IsNull(wanted)))


@rewrite(
    on=t.Lookup,
    keeps="value",
    shape=(reads_key_column,),
    needs=(key_is_identical_to_value, row_is_there_unless_null),
)
def convert_key_column_to_value(node: t.Lookup, scope: Scope) -> t.Expression | None:
    """Replace the key column of a look-up by the value that is looked up.

    Before:  Σ s ∈ b → (a[id = s.a_id].id)
    After:   Σ s ∈ b → (s.a_id)
    Refuse:  the row may be missing; 1 for 1.0
    Sound:   it is found by that equation; for NULL both are NULL
    """
    return node.values[node.key.index(node.column)]


LOOKUPS = (
    fold_lookup_of_missing_row,
    convert_lookup_to_row_at_hand,
    merge_lookups,
    convert_key_column_to_value,
)
"""Rewrites of a look-up, in firing order."""


def looked_up(node: t.Lookup, scope: Scope) -> t.Expression:
    """A look-up of a column, replaced by the column of the row in scope that it finds."""
    for each in LOOKUPS:
        found = each(node, scope)
        if found is not None:
            return found
    return node


def _row_at_hand(node: t.Found | t.Lookup, scope: Scope) -> t.Variable | t.Lookup | None:
    """The row of the same table whose key columns are the values: of a variable, or of another look-up."""
    places = [_place(each, scope) for each in node.values]
    first = places[0]
    if first is None or first[1] != node.table:
        return None
    for place, name in zip(places, node.key, strict=True):
        if place is None or place[0] != first[0] or place[2] != name:
            return None
    return first[0]


def _place(value: t.Expression, scope: Scope) -> RowColumn | None:
    match value:
        case t.Field(row, str() as column):
            source = scope.sources.get(row)
            return (row, source.table, column) if isinstance(source, t.Scan) else None
        case t.Lookup(table, names, values, column):
            return t.Lookup(table, names, values, ""), table, column
    return None


def _included(
    table: str, names: tuple[str, ...], values: Sequence[t.Expression], scope: Scope
) -> tuple[Fact, ...] | None:
    """Facts by which a row with these key columns is there unless one of the values is NULL."""
    match values:
        case (t.Field(row, int() as position),) if len(names) == 1:
            source = scope.sources.get(row)
            if not isinstance(source, t.Squash | t.Limited) or t.sites(source.bag):
                return None
            references: list[Fact] = []
            for term in source.bag.terms:
                if position >= len(term.outputs):
                    return None
                inner = scope.inside(term)
                output = term.outputs[position]
                if is_found(table, names, (output,), inner) or output == t.NULL:
                    continue
                below = _included(table, names, (output,), inner)
                if below is None:
                    return None
                references += below
            return tuple(references)
    places = [_place(each, scope) for each in values]
    rows = {place[0] for place in places if place is not None}
    if None in places or len(rows) != 1:
        return None
    wanted = {(fold(place[2]), fold(name)) for place, name in zip(places, names, strict=True) if place}
    child = next(place[1] for place in places if place is not None)
    for fact in scope.world.facts.of(FactKind.INCLUSION, child):
        is_about = fact.refers_to(table) and len(fact.columns) == len(names) and fact.pairs == wanted
        if is_about and compare_alike(fact, scope):
            return (fact,)
    return None


def compare_alike(fact: Fact, scope: Scope) -> bool:
    """Whether the reference holds by ``=`` without conversion and under BINARY."""
    for name, parent in zip(fact.columns, fact.parent_columns, strict=True):
        child, above = scope.world.column(fact.table, name), scope.world.column(fact.parent, parent)
        alike = child.affinity == above.affinity or {child.affinity, above.affinity} <= _NUMERIC
        if not alike or above.collation.upper() != "BINARY":
            return False
    return True


def equates_lookup_with_column(condition: t.Expression) -> bool:
    """Whether a column of a row that is looked up equals that column of another row."""
    return _sides(condition) is not None


def column_of_row_is_never_null(condition: t.Expression, scope: Scope) -> bool:
    """Whether the column of the row at hand is not NULL."""
    sides = _sides(condition)
    return sides is not None and scope.never_null(sides[1])


def column_is_unique(condition: t.Expression, scope: Scope) -> bool:
    """Whether no two rows have equal values in the column."""
    sides = _sides(condition)
    return sides is not None and scope.world.holds(FactKind.UNIQUE, sides[0].table, sides[0].column)


def key_of_lookup_is_unique(condition: t.Expression, scope: Scope) -> bool:
    """Whether no two rows have equal values of the key by which the row is looked up."""
    sides = _sides(condition)
    return sides is not None and scope.world.holds(FactKind.UNIQUE, sides[0].table, *sides[0].key)


@rewrite(
    on=t.Compare,
    keeps="truth",
    shape=(equates_lookup_with_column,),
    needs=(column_of_row_is_never_null, column_is_unique, key_of_lookup_is_unique),
)
def convert_key_of_lookup_to_row(condition: t.Expression, scope: Scope) -> t.Expression | None:
    """Turn ``lookup(u = x).id = t.id`` into ``t.u = x``: compare the key that is looked up on the row itself.

    Before:  Σ t ∈ a [a[u = x].id = t.id] → (t.y)
    After:   Σ t ∈ a [t.u = x] → (t.y)
    Refuse:  id is not unique, so that another row may have it; or t.id may be NULL; an output, since FALSE
             may become NULL
    Sound:   a row with the id of t is t, and then its u is x; conversely the row with u x is t
    """
    sides = _sides(condition)
    assert sides is not None
    lookup, field = sides
    if scope.sources.get(field.row) != t.Scan(lookup.table):
        return None
    names = zip(lookup.key, lookup.values, strict=True)
    parts = tuple(t.Compare("=", t.Field(field.row, name), value) for name, value in names)
    return parts[0] if len(parts) == 1 else t.And(parts)


def _sides(condition: t.Expression) -> tuple[t.Lookup, t.Field] | None:
    """The look-up and the column that it equals, of one name, which is none of its key's."""
    match condition:
        case t.Compare("=", t.Lookup() as found, t.Field() as field) | t.Compare(
            "=", t.Field() as field, t.Lookup() as found
        ):
            if field.column == found.column and found.column not in found.key and not t.sites(found):
                return found, field
    return None
