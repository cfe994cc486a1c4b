"""A row that is looked up by one key and equated with a row at hand by another is that row."""

from __future__ import annotations

from equiv.algebra.terms import And, Compare, Expression, Field, Lookup, Scan, sites
from equiv.facts import FactKind
from equiv.proof.rewrites.scope import Scope


def by_own_key(condition: Expression, scope: Scope) -> Expression | None:
    """A condition that says which row is looked up by the key that it is looked up by; None if it says none.

    Before:  person[nick = x].id = p.id
    After:   p.nick = x
    Refuse:  id is not unique: another row may have it; or p.id may be NULL, where p.nick = x says more
    Sound:   a row with the id of p is p, and then its nick is x; conversely the row with nick x is p

    Only where nothing but the truth of the condition counts: FALSE may become NULL.
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
