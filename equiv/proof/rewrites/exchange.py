"""One-to-one tables: a row of one exchanged for the row of the other that it is in step with.

If the key of a row of B surely finds a row of A, then to range over B is to range over those rows of A
whose key finds a row of B.  Normalisation ranges over B then; the unmatched half of ``A LEFT JOIN B``
ranges over A, and both can only be merged over A.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from equiv.algebra.terms import (
    Binding,
    Expression,
    Field,
    Found,
    Lookup,
    Scan,
    Term,
    conjunction,
    conjuncts,
    substitute,
)
from equiv.facts import Fact
from equiv.proof.rewrites.determined import well_ordered
from equiv.proof.rewrites.expressions import conditions, value
from equiv.proof.rewrites.lookups import is_found
from equiv.proof.rewrites.scope import Scope


def exchanged(one: Term, two: Term, scope: Scope) -> Iterator[Term]:
    """The first term over the sources of the second, where one table stands in for another."""
    mine, theirs = _tables(one), _tables(two)
    lost, gained = list((mine - theirs).elements()), list((theirs - mine).elements())
    if len(lost) != 1 or len(gained) != 1 or len(one.bindings) != len(two.bindings):
        return
    for binding in one.bindings:
        if binding.source == Scan(lost[0]):
            changed = _exchanged(one, binding, gained[0], scope)
            if changed is not None:
                yield changed


def _tables(term: Term) -> Counter[str]:
    return Counter(b.source.table for b in term.bindings if isinstance(b.source, Scan))


def _exchanged(term: Term, binding: Binding, table: str, scope: Scope) -> Term | None:
    inside = scope.within(term.bindings, conjuncts(term.condition))
    assert isinstance(binding.source, Scan)
    facts = scope.world.facts
    for own in facts.keys(binding.source.table):
        for other in facts.keys(table):
            if len(own.columns) == len(other.columns) == 1:
                changed = _over(term, binding, (table, own, other), inside)
                if changed is not None:
                    scope.world.use((own, other))
                    return _simplified(changed, scope)
    return None


def _over(term: Term, binding: Binding, way: tuple[str, Fact, Fact], scope: Scope) -> Term | None:
    """The term over a table whose key surely has the value of a row's key."""
    world, (table, own, other) = scope.world, way
    assert isinstance(binding.source, Scan)
    old = binding.source.table
    mine, theirs = world.column(old, own.columns[0]).name, world.column(table, other.columns[0]).name
    new = Binding(world.names.variable(table), Scan(table))
    field, wanted = Field(binding.row, mine), Field(new.row, theirs)
    alike = scope.within((new,)).are_identical_if_equal(field, wanted)
    if not alike or not is_found(table, (theirs,), (field,), scope):
        return None

    def each(inner: Field) -> Expression:
        if inner.row != binding.row:
            return inner
        return wanted if inner.column == mine else Lookup(old, (mine,), (wanted,), str(inner.column))

    rest = tuple(substitute(b, each) for b in term.bindings if b is not binding)
    bindings = well_ordered((new, *rest))
    if bindings is None:
        return None
    parts = (Found(old, (mine,), (wanted,)), *conjuncts(substitute(term.condition, each)))
    return Term(bindings, conjunction(parts), tuple(substitute(output, each) for output in term.outputs))


def _simplified(term: Term, scope: Scope) -> Term:
    condition = conditions(conjuncts(term.condition), scope.within(term.bindings))
    inside = scope.within(term.bindings, conjuncts(condition))
    return Term(term.bindings, condition, tuple(value(output, inside) for output in term.outputs))
