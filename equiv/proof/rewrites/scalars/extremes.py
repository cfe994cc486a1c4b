"""These rewrites simplify conditions on the MIN or MAX of a bag that contains the compared value.

:mod:`equiv.proof.rewrites.sums.extremes` simplifies the MIN and MAX themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from equiv.algebra import terms as t
from equiv.algebra.world import Claim
from equiv.facts import Fact, FactKind
from equiv.proof.rewrite import PlaceIn, rewrite
from equiv.proof.rewrites.scope import GivenRows, Scope


@dataclass(frozen=True, slots=True)
class BesideExtreme(PlaceIn[t.Expression]):
    """A condition on a value and a MIN or MAX."""

    value: t.Expression
    extreme: t.Aggregate
    holds_for_null: bool = False
    """Whether it is true where the value is NULL."""


def differences_from_extremes(node: t.Expression, scope: Scope) -> Iterator[BesideExtreme]:
    """The ways to read a condition as that a value is not a MIN or MAX."""
    match node:
        case t.Not(t.Compare("=", left, right)):
            holds_for_null = False
        case t.Not(t.IsTrue(t.Compare("=", left, right))):
            holds_for_null = True
        case _:
            return
    for value, extreme in ((left, right), (right, left)):
        if isinstance(extreme, t.Aggregate) and extreme.is_extreme:
            yield BesideExtreme(node, value, extreme, holds_for_null)


def bounds_by_extremes(node: t.Expression, scope: Scope) -> Iterator[BesideExtreme]:
    """The ways to read a condition as that a value is not below a MAX, or not above a MIN."""
    match node:
        case t.Compare("<=", t.Aggregate("MAX") as extreme, value):
            yield BesideExtreme(node, value, extreme)
        case t.Compare("<=", value, t.Aggregate("MIN") as extreme):
            yield BesideExtreme(node, value, extreme)


def value_is_never_null_if_that_counts(at: BesideExtreme, scope: Scope) -> bool:
    """Whether the value is not NULL, or the condition is not true then."""
    return not at.holds_for_null or scope.never_null(at.value)


def value_is_among_them(at: BesideExtreme, scope: Scope) -> bool:
    """Whether conditions in scope show that the bag of the MIN or MAX contains the value, or it is NULL."""
    # Where the extreme is NULL the condition is not true, whichever of both it is.
    there = scope if at.holds_for_null else scope.under((_is_not_null(at.extreme),))
    match at.value:
        case _ if t.sites(at.value):
            return False
        case t.Aggregate("MIN" | "MAX", bag) if t.alpha(bag) == t.alpha(at.extreme.bag):
            return True
    return _has_row(at.extreme, (at.value,), there)


@rewrite(
    on=t.Not,
    keeps="truth",
    at=differences_from_extremes,
    needs=(value_is_never_null_if_that_counts, value_is_among_them),
)
def convert_difference_from_extreme_to_bound(at: BesideExtreme, scope: Scope) -> t.Expression | None:
    """Turn ``x <> MAX`` over a bag that contains x into ``x < MAX``; likewise ``x > MIN``.

    Before:  Σ t ∈ a [t.x ≠ MAX{Σ s ∈ a → (s.x)}] → (t.y)
    After:   Σ t ∈ a [t.x < MAX{Σ s ∈ a → (s.x)}] → (t.y)
    Refuse:  a value that may not be among them; IS NOT of a value that may be NULL
    Sound:   where the value is not NULL, it is one of those of which MAX is the greatest
    """
    is_greatest = at.extreme.function == "MAX"
    return t.Compare("<", at.value, at.extreme) if is_greatest else t.Compare("<", at.extreme, at.value)


@rewrite(on=t.Compare, keeps="truth", at=bounds_by_extremes, needs=(value_is_among_them,))
def convert_bound_by_extreme_to_equality(at: BesideExtreme, scope: Scope) -> t.Expression | None:
    """Turn ``x >= MAX`` over a bag that contains x into ``x = MAX``; likewise ``x <= MIN``.

    Before:  Σ t ∈ a [MAX{Σ s ∈ a → (s.x)} ≤ t.x] → (t.y)
    After:   Σ t ∈ a [t.x = MAX{Σ s ∈ a → (s.x)}] → (t.y)
    Refuse:  a value that may not be among them
    Sound:   where the value is not NULL, it is one of those of which MAX is the greatest
    """
    return t.Compare("=", at.value, at.extreme)


@dataclass(frozen=True, slots=True)
class ExtremeAtBound(PlaceIn[t.Compare]):
    """A condition that a MIN or MAX equals a number, over rows of a table with a CHECK."""

    extreme: t.Aggregate
    number: t.Constant
    is_greatest: bool
    """Whether the number is to be the greatest that an argument may be, and not the least."""

    @property
    def bound(self) -> t.Compare:
        """The condition that the extreme is at the number, or beyond it where no argument is."""
        sides = (self.number, self.extreme) if self.is_greatest else (self.extreme, self.number)
        return t.Compare("<=", *sides)


def extremes_at_bounds(node: t.Expression, scope: Scope) -> Iterator[ExtremeAtBound]:
    """The ways to read a condition as that a MIN or MAX is the least or greatest that an argument may be."""
    match node:
        case t.Compare("=", t.Aggregate("MIN" | "MAX") as extreme, t.Constant("integer") as number):
            tables = [binding.source for term in extreme.bag.terms for binding in term.bindings]
            names = [each.table for each in tables if isinstance(each, t.Scan)]
            if any(scope.world.facts.of(FactKind.CHECK, name) for name in names) and not t.sites(node):
                yield ExtremeAtBound(node, extreme, number, is_greatest=True)
                yield ExtremeAtBound(node, extreme, number, is_greatest=False)


def no_argument_is_beyond(at: ExtremeAtBound, scope: Scope) -> bool:
    """Whether no argument is beyond the number, as the CHECKs of the tables say."""
    for term in at.extreme.bag.terms:
        value = term.outputs[0]
        sides = (value, at.number) if at.is_greatest else (at.number, value)
        rows, given = (*scope.rows, *term.bindings), (*scope.given, *term.conjuncts)
        if not scope.prover.proves(Claim(rows, given, t.Or((t.IsNull(value), t.Compare("<=", *sides))))):
            return False
    return True


@rewrite(on=t.Compare, keeps="truth", at=extremes_at_bounds, needs=(no_argument_is_beyond,))
def convert_checked_extreme_to_bound(at: ExtremeAtBound, scope: Scope) -> t.Expression | None:
    """Turn ``MAX = 1`` over arguments of which none is above 1 into ``MAX >= 1``; MIN likewise.

    Before:  Σ t ∈ a [MAX{Σ s ∈ b → (s.ok)} = 1] → (t.y)
    After:   Σ t ∈ a [1 ≤ MAX{Σ s ∈ b → (s.ok)}] → (t.y)
    Refuse:  an argument that may be beyond the number
    Sound:   MAX is one of the arguments; of none, it is NULL, and neither is true
    """
    return at.bound


@dataclass(frozen=True, slots=True)
class ExtremeOfKey:
    """A condition that a column of a row around is its MIN or MAX over rows of the same table."""

    part: t.Compare
    extreme: t.Aggregate
    own: t.Variable
    key: Fact | None
    """That no two rows have one value of the column; None if they may."""

    @property
    def inner(self) -> t.Term:
        """The rows of the MIN or MAX."""
        return self.extreme.bag.terms[0]

    @property
    def of_own(self) -> list[t.Expression]:
        """The conditions of the MIN or MAX, as said of the row around."""
        return [t.renamed(each, {self.inner.bindings[0].row: self.own}) for each in self.inner.conjuncts]


def _extremes_of_keys(parts: Iterable[t.Expression], scope: Scope) -> Iterator[ExtremeOfKey]:
    for part in parts:
        match part:
            case t.Compare("=", t.Aggregate() as extreme, t.Field(own, str() as column)):
                pass
            case t.Compare("=", t.Field(own, str() as column), t.Aggregate() as extreme):
                pass
            case _:
                continue
        match extreme.bag.terms:
            case (t.Term((t.Binding(row, t.Scan(table) as source),), _, (t.Field() as output,)),):
                is_own = output == t.Field(row, column) and scope.sources.get(own) == source
                if is_own and extreme.is_extreme and not t.sites(part):
                    key = scope.world.facts.find(FactKind.UNIQUE, table, column)
                    yield ExtremeOfKey(part, extreme, own, key)


@dataclass(frozen=True, slots=True)
class ExtremeOfSomeGroup(PlaceIn[t.Exists]):
    """An EXISTS over groups, of one of which a row around has the MIN or MAX of a key."""

    at: ExtremeOfKey
    links: dict[t.Expression, tuple[t.Compare, t.Compare]]
    """For each condition of the extreme that mentions the group's row: the same of the row around in place of
    the group's, and of the row around in place of the one in the group."""


def extremes_of_some_group(node: t.Exists, scope: Scope) -> Iterator[ExtremeOfSomeGroup]:
    """The ways to read an EXISTS as that a row around has the MIN or MAX of a key in some group."""
    if len(node.bag.terms) != 1:
        return
    (term,) = node.bag.terms
    groups = term.bound
    for at in _extremes_of_keys(term.conjuncts, scope):
        links: dict[t.Expression, tuple[t.Compare, t.Compare]] = {}
        row = at.inner.bindings[0].row
        for claim in at.inner.conjuncts:
            if not t.mentions(claim, groups):
                continue
            match claim:
                case t.Compare("=" | "IS", t.Field(one, column) as mine, t.Field(group) as theirs) if (
                    one == row and group in groups
                ):
                    pass
                case t.Compare("=" | "IS", t.Field(group) as theirs, t.Field(one, column) as mine) if (
                    one == row and group in groups
                ):
                    pass
                case _:
                    break
            around = t.Field(at.own, column)
            links[claim] = t.Compare(claim.operator, mine, around), t.Compare(claim.operator, around, theirs)
        else:
            if links:
                yield ExtremeOfSomeGroup(node, at, links)


def extreme_is_of_a_key(at: ExtremeOfSomeGroup, scope: Scope) -> bool:
    """Whether the row with the MIN or MAX is the row around, since no two rows have one value."""
    scope.world.use(() if at.at.key is None else (at.at.key,))
    return at.at.key is not None


@rewrite(on=t.Exists, keeps="value", at=extremes_of_some_group, needs=(extreme_is_of_a_key,))
def convert_extreme_of_some_group_to_own(at: ExtremeOfSomeGroup, scope: Scope) -> t.Expression | None:
    """Ask for the MIN or MAX of the group of a row, instead of that of some group, where it is of a key.

    Before:  Σ t ∈ a [(∃ s ∈ a [MIN{Σ r ∈ a [r.x is s.x] → (r.id)} = t.id])] → (t.y)
    After:   Σ t ∈ a [MIN{Σ r ∈ a [r.x is t.x] → (r.id)} = t.id] → (t.y)
    Refuse:  a column that two rows may share; a group by another comparison
    Sound:   the row with that MIN is t, so that t is of the group, and s and t are of one group;
             where no row is seen to be of the group, the condition asks for one
    """
    (term,), own = at.shown.bag.terms, at.at
    inner = own.inner
    within = [at.links[each][0] if each in at.links else each for each in inner.conjuncts]
    extreme = replace(own.extreme, bag=t.Bag((inner.where(within),)))
    key = own.part.right if own.part.left == own.extreme else own.part.left
    others = [each for each in term.conjuncts if each is not own.part]
    parts = (*others, *(tied for _, tied in at.links.values()))
    some = replace(at.shown, bag=t.Bag((term.where(parts),)))
    has_it = t.IsTrue(t.Compare("=", extreme, key))
    # The row itself may be the one of the group.
    given = GivenRows.of_argument(extreme, scope)
    return has_it if given is not None and given.implies(some) else t.And((has_it, some))


def row_with_the_extreme_meets_it(node: t.Expression, scope: Scope) -> bool:
    """Whether a row around has the MIN or MAX of a key over rows that meet the condition, and so meets it."""
    wanted = t.alpha(node)
    for at in _extremes_of_keys(scope.given, scope):
        if at.key is not None and wanted in map(t.alpha, at.of_own):
            scope.world.use((at.key,))
            return True
    return False


@rewrite(
    on=(t.Compare, t.Not, t.IsTrue, t.Apply, t.Or, t.Exists),
    keeps="truth",
    needs=(row_with_the_extreme_meets_it,),
)
def fold_condition_of_extreme_row(node: t.Expression, scope: Scope) -> t.Expression | None:
    """Do not ask of a row what is asked of all rows of which it has the MIN or MAX, where that is of a key.

    Before:  Σ t ∈ a [t.x = 1 and MIN{Σ s ∈ a [s.x = 1] → (s.id)} = t.id] → (t.y)
    After:   Σ t ∈ a [MIN{Σ s ∈ a [s.x = 1] → (s.id)} = t.id] → (t.y)
    Refuse:  a column that two rows may share; a condition that is not asked of the others
    Sound:   the row with that MIN is t, since no other row has its value
    """
    return t.TRUE


def asks_of_extreme(node: t.IsNull) -> bool:
    """Whether the value is a MIN or MAX."""
    return isinstance(node.value, t.Aggregate) and node.value.is_extreme


def has_an_argument(node: t.IsNull, scope: Scope) -> bool:
    """Whether rows around show that there is a value to choose from."""
    assert isinstance(node.value, t.Aggregate)
    return _has_row(node.value, (), scope)


@rewrite(on=t.IsNull, keeps="value", shape=(asks_of_extreme,), needs=(has_an_argument,))
def fold_null_test_of_extreme(node: t.IsNull, scope: Scope) -> t.Expression | None:
    """MIN and MAX of some values are not NULL.

    Before:  Σ t ∈ a [not t.x is NULL and not MAX{Σ s ∈ a → (s.x)} is NULL] → (t.y)
    After:   Σ t ∈ a [not t.x is NULL] → (t.y)
    Refuse:  the rows around may be others, or have no value
    Sound:   the value of a row around is one of those to choose from, and not NULL
    """
    return t.FALSE


def _has_row(extreme: t.Aggregate, wanted: tuple[t.Expression, ...], scope: Scope) -> bool:
    """Whether an aggregate has an argument, one of some values if there are any, unless these are NULL."""
    if t.sites(extreme):
        return False
    given = GivenRows.of((), (*scope.given, *map(_is_not_null, wanted)), scope)
    for term in scope.world.names.copy_of(extreme.bag).terms:
        output = term.outputs[0]
        same = [t.Compare("IS", output, value) for value in wanted]
        if given.has_row(term.where([term.condition, _is_not_null(output), *same])):
            return True
    return False


def _is_not_null(value: t.Expression) -> t.Expression:
    return t.Not(t.IsNull(value))
