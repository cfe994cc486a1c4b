"""Rows that are found by a key: when there is one, and which it is."""

from __future__ import annotations

from collections.abc import Sequence

from equiv.algebra.terms import (
    FALSE,
    NULL,
    TRUE,
    Case,
    Expression,
    Field,
    Found,
    IsNull,
    Limited,
    Lookup,
    Not,
    Scan,
    Squash,
    Variable,
    conjunction,
    conjuncts,
    sites,
)
from equiv.facts import Fact, FactKind
from equiv.proof.rewrites.outputs import key
from equiv.proof.rewrites.scope import Scope
from equiv.sqlite.affinity import Affinity

Place = tuple[Variable | Lookup, str, str]
"""A row (of a variable, or that of a look-up), its table and a column."""

_NUMERIC = frozenset({Affinity.INTEGER, Affinity.REAL, Affinity.NUMERIC})


def found_row(node: Found, scope: Scope) -> Expression:
    """Whether the row is there, decided by foreign keys and by rows that are at hand."""
    if NULL in node.values:
        return FALSE
    other = _row_at_hand(node, scope)
    if isinstance(other, Variable):
        return _none_null(node.values, scope)
    if other is not None:
        found = Found(other.table, other.key, other.values)
        return conjunction([found_row(found, scope), _none_null(node.values, scope)])
    facts = _included(node.table, node.key, node.values, scope)
    if facts is not None:
        scope.world.use(facts)
        return _none_null(node.values, scope)
    return node


def _none_null(values: Sequence[Expression], scope: Scope) -> Expression:
    return conjunction(TRUE if _is_there(each, scope) else Not(IsNull(each)) for each in values)


def _is_there(value: Expression, scope: Scope) -> bool:
    """Whether a value is never NULL, by what is known of the row that is looked up or behind it."""
    if scope.never_null(value):
        return True
    match value:
        case Lookup(table, names, values, column):
            return scope.never_null_column(table, column) and is_found(table, names, values, scope)
        case Field(row, int() as place):
            source = scope.sources.get(row)
            if isinstance(source, Squash | Limited):
                behind = [
                    (t.outputs, scope.within(t.bindings, conjuncts(t.condition))) for t in source.bag.terms
                ]
                return all(_is_there(outputs[place], inside) for outputs, inside in behind)
    return False


def is_found(table: str, names: tuple[str, ...], values: tuple[Expression, ...], scope: Scope) -> bool:
    """Whether a row is known to be there."""
    node = Found(table, names, values)
    return key(node) in scope.known.true or found_row(node, scope) == TRUE


def looked_up(node: Lookup, scope: Scope) -> Expression:
    """A column of the row that is found, taken from where the row is at hand."""
    found = Found(node.table, node.key, node.values)
    if NULL in node.values or key(found) in scope.known.untrue:
        return NULL
    other = _row_at_hand(node, scope)
    if isinstance(other, Variable):
        here = _none_null(node.values, scope)
        column = Field(other, node.column)
        return column if here == TRUE else Case(((here, column),), NULL)
    if other is not None and all(scope.never_null_column(node.table, name) for name in node.key):
        return Lookup(other.table, other.key, other.values, node.column)
    if node.column in node.key:
        return _key_column(node, found, scope)
    return node


def _key_column(node: Lookup, found: Found, scope: Scope) -> Expression:
    """The value by which a row is found, in place of its key column: where equal values are identical."""
    wanted = node.values[node.key.index(node.column)]
    if not scope.are_identical_if_equal(node, wanted):
        return node
    if is_found(found.table, found.key, found.values, scope):
        return wanted
    if len(node.key) == 1 and found_row(found, scope) in (TRUE, Not(IsNull(wanted))):
        return wanted
    return node


def _row_at_hand(node: Found | Lookup, scope: Scope) -> Variable | Lookup | None:
    """The row of the same table whose key columns are the values: of a variable, or of another look-up."""
    places = [_place(each, scope) for each in node.values]
    first = places[0]
    if first is None or first[1] != node.table:
        return None
    for place, name in zip(places, node.key, strict=True):
        if place is None or place[0] != first[0] or place[2] != name:
            return None
    return first[0]


def _place(value: Expression, scope: Scope) -> Place | None:
    match value:
        case Field(row, str() as column):
            source = scope.sources.get(row)
            return (row, source.table, column) if isinstance(source, Scan) else None
        case Lookup(table, names, values, column):
            return Lookup(table, names, values, ""), table, column
    return None


def _included(
    table: str, names: tuple[str, ...], values: Sequence[Expression], scope: Scope
) -> tuple[Fact, ...] | None:
    """Facts by which a row with these key columns is there unless one of the values is NULL."""
    match values:
        case (Field(row, int() as position),) if len(names) == 1:
            source = scope.sources.get(row)
            if not isinstance(source, Squash | Limited) or sites(source.bag):
                return None
            found: list[Fact] = []
            for term in source.bag.terms:
                if position >= len(term.outputs):
                    return None
                inner = scope.within(term.bindings, conjuncts(term.condition))
                output = term.outputs[position]
                if is_found(table, names, (output,), inner) or output == NULL:
                    continue
                below = _included(table, names, (output,), inner)
                if below is None:
                    return None
                found += below
            return tuple(found)
    places = [_place(each, scope) for each in values]
    rows = {place[0] for place in places if place is not None}
    if None in places or len(rows) != 1:
        return None
    wanted = {(place[2].lower(), name.lower()) for place, name in zip(places, names, strict=True) if place}
    child = next(place[1] for place in places if place is not None)
    for fact in scope.world.facts.of(FactKind.INCLUSION, child):
        if fact.parent.lower() == table.lower() and len(fact.columns) == len(names):
            pairs = zip(fact.columns, fact.parent_columns, strict=True)
            if {(c.lower(), p.lower()) for c, p in pairs} == wanted and _compare_alike(fact, scope):
                return (fact,)
    return None


def _compare_alike(fact: Fact, scope: Scope) -> bool:
    """Whether the reference holds by ``=`` without conversion and under BINARY."""
    for name, parent in zip(fact.columns, fact.parent_columns, strict=True):
        child, above = scope.world.column(fact.table, name), scope.world.column(fact.parent, parent)
        alike = child.affinity == above.affinity or {child.affinity, above.affinity} <= _NUMERIC
        if not alike or above.collation.upper() != "BINARY":
            return False
    return True
