"""A row that is looked up by one key and equated with a row at hand by another is that row."""

from __future__ import annotations

from equiv.algebra.terms import And, Compare, Expression, Field, Lookup, Scan, sites
from equiv.facts import FactKind
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.scope import Scope


@rewrite(on=Compare, keeps="truth")
def convert_key_of_lookup_to_row(condition: Expression, scope: Scope) -> Expression | None:
    """Ask of a row whether it is the one that is looked up by the key by which that one is looked up.

    Before:  Σ t ∈ a [a[u = x].id = t.id] → (t.y)
    After:   Σ t ∈ a [t.u = x] → (t.y)
    Refuse:  id is not unique, so that another row may have it; or t.id may be NULL; an output, since FALSE
             may become NULL
    Sound:   a row with the id of t is t, and then its u is x; conversely the row with u x is t
    """
    match condition:
        case Compare("=", Lookup() as found, Field(row, str() as column) as field):
            pass
        case Compare("=", Field(row, str() as column) as field, Lookup() as found):
            pass
        case _:
            return None
    if scope.sources.get(row) != Scan(found.table) or found.column != column or sites(found):
        return None
    unique = scope.world.facts.find(FactKind.UNIQUE, found.table, column)
    by_key = scope.world.facts.find(FactKind.UNIQUE, found.table, *found.key)
    if unique is None or by_key is None or column in found.key or not scope.never_null(field):
        return None
    scope.world.use((unique, by_key))
    names = zip(found.key, found.values, strict=True)
    parts = tuple(Compare("=", Field(row, name), value) for name, value in names)
    return parts[0] if len(parts) == 1 else And(parts)
