"""One-to-one tables: a row of one exchanged for its partner, the row of the other with the same key.

If the key of a row of B surely finds a row of A, then to range over B is to range over those rows of A
whose key finds a row of B.  Normalisation ranges over B then; the unmatched half of ``A LEFT JOIN B``
ranges over A, and both can only be merged over A.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

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
from equiv.proof.rewrite import first, rewrite
from equiv.proof.rewrites.expressions.simplify import conditions, value
from equiv.proof.rewrites.lookups.determined import well_ordered
from equiv.proof.rewrites.lookups.key_lookups import is_found
from equiv.proof.rewrites.scope import Scope


@dataclass(frozen=True, slots=True)
class Partner:
    """A row of a term, and a table of which its key may be a key."""

    shown: Term
    binding: Binding
    new: Binding
    keys: tuple[Fact, Fact]

    def field(self, scope: Scope) -> Field:
        """The key column of the row."""
        assert isinstance(self.binding.source, Scan)
        name = scope.world.column(self.binding.source.table, self.keys[0].columns[0]).name
        return Field(self.binding.row, name)

    def wanted(self, scope: Scope) -> Field:
        """The key column of the other table's row."""
        assert isinstance(self.new.source, Scan)
        return Field(self.new.row, scope.world.column(self.new.source.table, self.keys[1].columns[0]).name)


def exchanged(one: Term, two: Term, scope: Scope) -> Iterator[Term]:
    """The first term over the sources of the second, where one table stands in for another."""
    mine, theirs = _tables(one), _tables(two)
    lost, gained = list((mine - theirs).elements()), list((theirs - mine).elements())
    if len(lost) != 1 or len(gained) != 1 or len(one.bindings) != len(two.bindings):
        return
    for binding in one.bindings:
        if binding.source == Scan(lost[0]):
            found = first((convert_row_to_partner,), _partners(one, binding, gained[0], scope), scope)
            if found is not None:
                yield _simplified(found[0], scope)


def _tables(term: Term) -> Counter[str]:
    return Counter(b.source.table for b in term.bindings if isinstance(b.source, Scan))


def _partners(term: Term, binding: Binding, table: str, scope: Scope) -> Iterator[Partner]:
    assert isinstance(binding.source, Scan)
    facts = scope.world.facts
    for own in facts.keys(binding.source.table):
        for other in facts.keys(table):
            if len(own.columns) == len(other.columns) == 1:
                new = Binding(scope.world.names.variable(table), Scan(table))
                yield Partner(term, binding, new, (own, other))


def better_partners(term: Term, scope: Scope) -> Iterator[Partner]:
    """The rows of a term with a partner that its conditions ask for, and over which a join would range.

    A join of both tables ranges over the rows that refer to the others, else over the table that comes last.
    """
    inside = scope.within(term.bindings, conjuncts(term.condition))
    for binding in term.bindings:
        for there in inside.known.true:
            match binding.source, there:
                case Scan(own), Found(table, (_,), (Field(row, str()),)) if (
                    row == binding.row and own != table
                ):
                    yield from (
                        at for at in _partners(term, binding, table, scope) if _is_better(at, there, scope)
                    )


def _is_better(at: Partner, there: Found, scope: Scope) -> bool:
    """Whether the row that is there is the partner, and a join would range over it."""
    field, wanted = at.field(scope), at.wanted(scope)
    if there != Found(there.table, (str(wanted.column),), (field,)):
        return False
    assert isinstance(at.binding.source, Scan)
    alone = Scope.alone(scope.world, (at.binding, at.new))
    is_referred_to = is_found(at.binding.source.table, (str(field.column),), (wanted,), alone)
    refers = is_found(there.table, there.key, (field,), alone)
    return (not is_referred_to, at.binding.source.table) < (not refers, there.table)


def key_is_identical_to_partner(at: Partner, scope: Scope) -> bool:
    """A value that equals the key is that key."""
    inside = scope.within(at.shown.bindings, conjuncts(at.shown.condition))
    return inside.within((at.new,)).are_identical_if_equal(at.field(scope), at.wanted(scope))


def partner_is_found(at: Partner, scope: Scope) -> bool:
    """The other table has a row for each row."""
    inside = scope.within(at.shown.bindings, conjuncts(at.shown.condition))
    wanted = at.wanted(scope)
    assert isinstance(at.new.source, Scan)
    return is_found(at.new.source.table, (str(wanted.column),), (at.field(scope),), inside)


@rewrite(on=Binding, keeps="bag", needs=(key_is_identical_to_partner, partner_is_found))
def convert_row_to_partner(at: Partner, scope: Scope) -> list[Term] | None:
    """Range over a table whose key each row's key is, instead of over the rows.

    Before:  Σ s ∈ b → (s.y)
    After:   Σ t ∈ a [b[id = t.id] ≠ ∅] → (b[id = t.id].y)
    Refuse:  the key of the row is no foreign key of the table, or may be NULL
    Sound:   each row has exactly one partner, and each partner at most one row
    """
    assert isinstance(at.binding.source, Scan)
    old, field, wanted = at.binding.source.table, at.field(scope), at.wanted(scope)
    mine = str(field.column)

    def each(inner: Field) -> Expression:
        if inner.row != at.binding.row:
            return inner
        return wanted if inner.column == mine else Lookup(old, (mine,), (wanted,), str(inner.column))

    term = at.shown
    other_bindings = tuple(substitute(b, each) for b in term.bindings if b is not at.binding)
    bindings = well_ordered((at.new, *other_bindings))
    if bindings is None:
        return None
    scope.world.use(at.keys)
    parts = (Found(old, (mine,), (wanted,)), *conjuncts(substitute(term.condition, each)))
    return [Term(bindings, conjunction(parts), tuple(substitute(output, each) for output in term.outputs))]


def _simplified(term: Term, scope: Scope) -> Term:
    condition = conditions(conjuncts(term.condition), scope.within(term.bindings))
    inside = scope.within(term.bindings, conjuncts(condition))
    return Term(term.bindings, condition, tuple(value(output, inside) for output in term.outputs))
