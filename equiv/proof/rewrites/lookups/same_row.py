"""A look-up by one key whose row another key equates with a row in scope: both are one row."""

from __future__ import annotations

from equiv.algebra.terms import And, Compare, Expression, Field, Lookup, Scan, sites
from equiv.facts import FactKind
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.scope import Scope


def equates_lookup_with_column(condition: Expression) -> bool:
    """A column of a row that is looked up equals that column of another row."""
    return _sides(condition) is not None


def column_of_row_is_never_null(condition: Expression, scope: Scope) -> bool:
    """The column of the row at hand is not NULL."""
    sides = _sides(condition)
    return sides is not None and scope.never_null(sides[1])


def column_is_unique(condition: Expression, scope: Scope) -> bool:
    """No two rows have the column alike."""
    sides = _sides(condition)
    return sides is not None and scope.world.holds(FactKind.UNIQUE, sides[0].table, sides[0].column)


def key_of_lookup_is_unique(condition: Expression, scope: Scope) -> bool:
    """No two rows have the key alike by which the row is looked up."""
    sides = _sides(condition)
    return sides is not None and scope.world.holds(FactKind.UNIQUE, sides[0].table, *sides[0].key)


@rewrite(
    on=Compare,
    keeps="truth",
    shape=(equates_lookup_with_column,),
    needs=(column_of_row_is_never_null, column_is_unique, key_of_lookup_is_unique),
)
def convert_key_of_lookup_to_row(condition: Expression, scope: Scope) -> Expression | None:
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
    if scope.sources.get(field.row) != Scan(lookup.table):
        return None
    names = zip(lookup.key, lookup.values, strict=True)
    parts = tuple(Compare("=", Field(field.row, name), value) for name, value in names)
    return parts[0] if len(parts) == 1 else And(parts)


def _sides(condition: Expression) -> tuple[Lookup, Field] | None:
    """The look-up and the column that it equals, of one name, which is none of its key's."""
    match condition:
        case Compare("=", Lookup() as found, Field() as field) | Compare(
            "=", Field() as field, Lookup() as found
        ):
            if field.column == found.column and found.column not in found.key and not sites(found):
                return found, field
    return None
