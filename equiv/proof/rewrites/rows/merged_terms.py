"""Terms over the same rows, merged into one: the two halves of a LEFT JOIN, the operands of a UNION.

If the key of a row of B surely finds a row of A, then to range over B is to range over those rows of A
whose key finds a row of B: each row is exchanged for its partner.  Normalisation ranges over B then; the
unmatched half of ``A LEFT JOIN B`` ranges over A, and both can only be merged over A.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from equiv.algebra import terms as t
from equiv.algebra.correspondences import correspondences
from equiv.facts import Fact
from equiv.proof.rewrite import PlaceIn, first, rewrite
from equiv.proof.rewrites.lookups import is_found
from equiv.proof.rewrites.ranged import Ranged, variables
from equiv.proof.rewrites.rows.sources import are_exclusive
from equiv.proof.rewrites.scalars.simplify import conditions, value
from equiv.proof.rewrites.scope import Scope


@dataclass(frozen=True, slots=True)
class Partner(Ranged):
    """A row of a term, and a table of which its key may be a key."""

    new: t.Binding
    keys: tuple[Fact, Fact]

    def field(self, scope: Scope) -> t.Field:
        """The key column of the row."""
        assert isinstance(self.source, t.Scan)
        name = scope.world.column(self.source.table, self.keys[0].columns[0]).name
        return t.Field(self.row, name)

    def wanted(self, scope: Scope) -> t.Field:
        """The key column of the other table's row."""
        assert isinstance(self.new.source, t.Scan)
        return t.Field(self.new.row, scope.world.column(self.new.source.table, self.keys[1].columns[0]).name)


def exchanged(one: t.Term, two: t.Term, scope: Scope) -> Iterator[t.Term]:
    """The first term over the sources of the second, where one table stands in for another."""
    mine, theirs = _tables(one), _tables(two)
    lost, gained = list((mine - theirs).elements()), list((theirs - mine).elements())
    if len(lost) != 1 or len(gained) != 1 or len(one.bindings) != len(two.bindings):
        return
    for at in variables(one, t.Scan):
        if at.source == t.Scan(lost[0]):
            found = first((convert_row_to_partner,), _partners(at, gained[0], scope), scope)
            if found is not None:
                yield _simplified(found[0], scope)


def _tables(term: t.Term) -> Counter[str]:
    return Counter(b.source.table for b in term.bindings if isinstance(b.source, t.Scan))


def _partners(at: Ranged, table: str, scope: Scope) -> Iterator[Partner]:
    assert isinstance(at.source, t.Scan)
    facts = scope.world.facts
    for own in facts.keys(at.source.table):
        for other in facts.keys(table):
            if len(own.columns) == len(other.columns) == 1:
                new = t.Binding(scope.world.names.variable(table), t.Scan(table))
                yield Partner(at.shown, at.place, new, (own, other))


def better_partners(term: t.Term, scope: Scope) -> Iterator[Partner]:
    """The rows of a term with a partner that its conditions ask for, and over which a join would range.

    A join of both tables ranges over the rows that refer to the others, else over the table that comes last.
    """
    inside = scope.inside(term)
    for one in variables(term):
        for there in inside.known.true:
            match one.source, there:
                case t.Scan(own), t.Found(table, (_,), (t.Field(row, str()),)) if (
                    row == one.row and own != table
                ):
                    yield from (at for at in _partners(one, table, scope) if _is_better(at, there, scope))


def _is_better(at: Partner, there: t.Found, scope: Scope) -> bool:
    """Whether the row that is there is the partner, and a join would range over it."""
    field, wanted = at.field(scope), at.wanted(scope)
    if there != t.Found(there.table, (str(wanted.column),), (field,)):
        return False
    assert isinstance(at.source, t.Scan)
    alone = Scope.alone(scope.world, (at.binding, at.new))
    is_referred_to = is_found(at.source.table, (str(field.column),), (wanted,), alone)
    refers = is_found(there.table, there.key, (field,), alone)
    return (not is_referred_to, at.source.table) < (not refers, there.table)


def key_is_identical_to_partner(at: Partner, scope: Scope) -> bool:
    """Whether a value that equals the key is that key."""
    inside = scope.inside(at.shown)
    return inside.within((at.new,)).are_identical_if_equal(at.field(scope), at.wanted(scope))


def partner_is_found(at: Partner, scope: Scope) -> bool:
    """Whether the other table has a row for each row."""
    inside = scope.inside(at.shown)
    wanted = at.wanted(scope)
    assert isinstance(at.new.source, t.Scan)
    return is_found(at.new.source.table, (str(wanted.column),), (at.field(scope),), inside)


@rewrite(on=t.Binding, keeps="bag", needs=(key_is_identical_to_partner, partner_is_found))
def convert_row_to_partner(at: Partner, scope: Scope) -> list[t.Term] | None:
    """Range over a table whose key each row's key is, instead of over the rows.

    Before:  Σ s ∈ b → (s.y)
    After:   Σ t ∈ a [b[id = t.id] ≠ ∅] → (b[id = t.id].y)
    Refuse:  the key of the row is no foreign key of the table, or may be NULL
    Sound:   each row has exactly one partner, and each partner at most one row
    """
    assert isinstance(at.source, t.Scan)
    old, field, wanted = at.source.table, at.field(scope), at.wanted(scope)
    mine = str(field.column)

    def each(inner: t.Field) -> t.Expression:
        if inner.row != at.row:
            return inner
        return wanted if inner.column == mine else t.Lookup(old, (mine,), (wanted,), str(inner.column))

    scope.world.use(at.keys)
    return at.exchanged(each, t.Found(old, (mine,), (wanted,)), at.new)


def _simplified(term: t.Term, scope: Scope) -> t.Term:
    condition = conditions(term.conjuncts, scope.within(term.bindings))
    inside = scope.within(term.bindings, t.conjuncts(condition))
    return t.Term(term.bindings, condition, tuple(value(output, inside) for output in term.outputs))


MAX_CORRESPONDENCES = 6
"""How many correspondences between the variables of two terms are tried."""


def merged(terms: list[t.Term], scope: Scope, *, distinct: bool, summed: bool = False) -> list[t.Term]:
    """Terms over the same sources merged into one, where their conditions exclude each other.

    Args:
        terms: normal terms of one bag.
        scope: what is around the bag.
        distinct: whether duplicates do not count.
        summed: whether the outputs are added up: of two sums the rows around may choose as well.
    """
    done: list[t.Term] = []
    for term in terms:
        for place, other in enumerate(done):
            if summed and _are_told_apart_outside(other, term, scope):
                continue
            joint = _merge(other, term, scope, distinct=distinct)
            if joint is not None:
                done[place] = joint
                break
        else:
            done.append(term)
    return done if len(done) == len(terms) else merged(done, scope, distinct=distinct, summed=summed)


def _are_told_apart_outside(one: t.Term, two: t.Term, scope: Scope) -> bool:
    """Whether rows around choose between two terms of a sum that are not alike but for that choice."""
    (mine, my_rest), (theirs, their_rest) = map(_outside, (one, two))
    return (
        t.TRUE not in (mine, theirs)
        and t.alpha(my_rest) != t.alpha(their_rest)
        and are_exclusive((), t.Term((), mine, ()), t.Term((), theirs, ()), scope)
    )


def _outside(term: t.Term) -> tuple[t.Expression, t.Term]:
    """The conditions of a term that say nothing of its own rows, and the term without them."""
    outer = [part for part in term.conjuncts if not t.mentions(part, term.bound)]
    return t.conjunction(outer), term.where(part for part in term.conjuncts if part not in outer)


@dataclass(frozen=True, slots=True)
class Two(PlaceIn[t.Bag]):
    """Two terms of a bag, the second over the variables of the first."""

    one: t.Term
    two: t.Term


def _merge(one: t.Term, two: t.Term, scope: Scope, *, distinct: bool) -> t.Term | None:
    """The two terms as one; None if there is none, or it might count a row once that counts twice."""
    both = t.Bag((one, two))
    other = _over_same_rows(one, two)
    if other is not None:
        return first(MERGING, (Two(both, one, other),), scope, distinct=distinct)
    mark = len(scope.world.steps)
    pairs = [*((one, each) for each in exchanged(two, one, scope))]
    pairs += [(each, two) for each in exchanged(one, two, scope)]
    for mine, theirs in pairs:
        other = _over_same_rows(mine, theirs)
        if other is not None:
            merged_terms = merge_exclusive_terms(Two(t.Bag((mine, theirs)), mine, other), scope)
            if merged_terms is not None:
                return merged_terms
    scope.world.set_aside(mark)
    return None


def has_equal_outputs(at: Two) -> bool:
    """Whether both terms have the same outputs."""
    return [t.alpha(x) for x in at.one.outputs] == [t.alpha(y) for y in at.two.outputs]


@rewrite(on=t.Bag, keeps="set", shape=(has_equal_outputs,))
def merge_terms_in_set(at: Two, scope: Scope) -> t.Term | None:
    """Merge two terms over the same rows with the same outputs where duplicates do not count.

    Before:  distinct: Σ t ∈ a [t.x = 1] → (t.y) + Σ t ∈ a [t.z = 2] → (t.y)
    After:   distinct: Σ t ∈ a [t.x = 1 or t.z = 2] → (t.y)
    Refuse:  duplicates count; other outputs
    Sound:   a row occurs in one of the terms exactly if one of the conditions is true
    """
    return _joint(at.one, at.two, scope)


def conditions_exclude_each_other(at: Two, scope: Scope) -> bool:
    """Whether no row meets both conditions."""
    return are_exclusive(at.one.bindings, at.one, at.two, scope)


@rewrite(on=t.Bag, keeps="bag", needs=(conditions_exclude_each_other,))
def merge_exclusive_terms(at: Two, scope: Scope) -> t.Term | None:
    """Merge two terms over the same rows if no row meets both conditions.

    Before:  Σ t ∈ a [t.x = 1] → (t.y) + Σ t ∈ a [t.x = 2] → (0)
    After:   Σ t ∈ a [t.x = 1 or t.x = 2] → ({t.x = 1: t.y; else 0})
    Refuse:  a row that meets both: it counts twice
    Sound:   each row counts in one term at most
    """
    return _joint(at.one, at.two, scope)


MERGING = (merge_terms_in_set, merge_exclusive_terms)
"""How two terms over the same rows become one, in order."""


def _over_same_rows(one: t.Term, two: t.Term) -> t.Term | None:
    """The second term over the variables of the first, most alike; None if their sources differ."""
    candidates = list(islice(_correspondences(one, two), MAX_CORRESPONDENCES))
    mine = {t.alpha(part) for part in one.conjuncts}

    def likeness(other: t.Term) -> int:
        return len(mine & {t.alpha(part) for part in other.conjuncts})

    return max(candidates, key=likeness, default=None)


def _correspondences(one: t.Term, two: t.Term) -> Iterator[t.Term]:
    """The second term over the variables of the first, for each way in which sources are equal."""
    for other in islice(correspondences(one, two), 4 * MAX_CORRESPONDENCES):
        sources = {binding.row: binding.source for binding in other.bindings}
        if all(t.alpha(mine.source) == t.alpha(sources[mine.row]) for mine in one.bindings):
            yield t.Term(one.bindings, other.condition, other.outputs)


def _joint(one: t.Term, two: t.Term, scope: Scope) -> t.Term:
    """The term for where either condition holds, with the outputs of the first one where that one does."""
    first = {t.alpha(part): part for part in one.conjuncts}
    second = {t.alpha(part): part for part in two.conjuncts}
    shared = [part for name, part in first.items() if name in second]
    mine = [part for name, part in first.items() if name not in second]
    theirs = [part for name, part in second.items() if name not in first]
    inside = scope.within(one.bindings)
    # In two places: the copy gets its own bound variables.
    either = scope.world.names.copy_of(t.Or((t.And(tuple(mine)), t.And(tuple(theirs)))))
    condition = conditions((*shared, either), inside)
    inside = inside.under(t.conjuncts(condition))
    chosen: t.Expression = t.And(tuple(mine)) if mine else t.TRUE
    outputs = tuple(
        a if t.alpha(a) == t.alpha(b) else value(t.Case(((scope.world.names.copy_of(chosen), a),), b), inside)
        for a, b in zip(one.outputs, two.outputs, strict=True)
    )
    return t.Term(one.bindings, condition, outputs)
