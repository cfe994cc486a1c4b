"""``ROW_NUMBER() <= n`` turned into the choice that LIMIT n makes, other numbers into ranks.

A rank is a count of the rows that stand before a row; where no rows tie, a bound on it is a LIMIT, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from equiv.algebra import terms as t
from equiv.algebra.translate.comparison import before, same
from equiv.algebra.translate.group import columns_tell_apart
from equiv.proof.rewrite import PlaceIn, Surroundings, rewrite
from equiv.proof.rewrites.choices.order_keys import Ordered
from equiv.proof.rewrites.ranged import Ranged, variables
from equiv.proof.rewrites.rows.sources import written_out
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.parts import is_plain_sum, is_row_count

_N = TypeVar("_N", bound=t.Node)


@dataclass(frozen=True, slots=True)
class Choosing(PlaceIn[_N]):
    """A node, and the sites of the choices that are made in one place only."""

    once: Collection[int]


@rewrite(on=t.Term, keeps="answers")
def convert_first_numbers_to_choice(at: Choosing[t.Term], scope: Surroundings) -> t.Term | None:
    """Turn numbered rows with a bound on the ROW_NUMBER into the choice that LIMIT makes.

    Before:  Σ r ∈ (numbered Σ t ∈ a → (t.x) by t.y) [r.#2 = 1] → (r.#1)
    After:   Σ r ∈ (Σ t ∈ a → (t.x) by t.y; rows 1 to 1) → (r.#1)
    Refuse:  PARTITION BY; a number that is read besides, where it is not fixed; rows numbered in two places
    Sound:   in whichever order tied rows are numbered, the numbers from m to n are those of rows m to n
    """
    for one in numberings(at.shown, scope):
        if not one.rows.partition and one.rows.site in at.once:
            choice = _cut(one)
            if choice is not None:
                return choice
    return None


@dataclass(frozen=True, slots=True)
class Numbering(Ranged):
    """A variable of a term that ranges over numbered rows."""

    rows: t.Numbered

    @property
    def number(self) -> t.Field:
        """The ROW_NUMBER."""
        return t.Field(self.row, self.rows.visible)

    def column(self, place: int) -> list[t.Expression]:
        """An output of each term of the rows."""
        return [term.outputs[place] for term in self.rows.bag.terms]


def numberings(term: t.Term, scope: Surroundings) -> Iterator[Numbering]:
    """The variables of a term that range over numbered rows."""
    for at in variables(term):
        if isinstance(at.source, t.Numbered):
            yield Numbering(term, at.place, at.source)


@rewrite(on=t.Term, keeps="bag", at=numberings)
def reduce_bound_to_first_number(at: Numbering, scope: Surroundings) -> t.Term | None:
    """Say of a ROW_NUMBER that it is 1 instead of less than 2.

    Before:  Σ r ∈ (numbered Σ t ∈ a → (t.x | t.z) by t.y) [r.#2 < 2] → (r.#1)
    After:   Σ r ∈ (numbered Σ t ∈ a → (t.x | t.z) by t.y) [r.#2 = 1] → (r.#1)
    Refuse:  another bound
    Sound:   numbers begin with 1
    """
    first_number = t.Compare("=", at.number, t.integer(1))
    parts = [
        first_number if _bounds(part, at.number) in ((None, 1), (1, 1)) else part
        for part in at.shown.conjuncts
    ]
    changed = at.shown.where(parts)
    return None if changed == at.shown else changed


def is_read_by_its_partition(at: Numbering) -> bool:
    """Whether of each partition's first row only the partition's columns and the first key are read."""
    return _places_in_partition(at) is not None


def _places_in_partition(at: Numbering) -> dict[int, int] | None:
    """For each column that is read its place in the partition, or behind that the key; None: it has none."""
    first_number = t.Compare("=", at.number, t.integer(1))
    if not at.rows.partition or first_number not in at.shown.conjuncts:
        return None
    rest = at.shown.where(part for part in at.shown.conjuncts if part != first_number)
    # A choice among the rows below would be made twice, for the partitions and for the extreme.
    has_key = bool(at.rows.directions) and not t.sites(at.rows.bag)
    known = [at.column(at.rows.visible + place) for place in range(at.rows.partition + has_key)]
    places: dict[int, int] = {}
    for field in t.walk(rest):
        if isinstance(field, t.Field) and field.row == at.row and field != at.number:
            column = at.column(int(field.column))
            if column not in known:
                return None
            places[int(field.column)] = known.index(column)
    return places


def columns_are_one_value_in_a_partition(at: Numbering, scope: Scope) -> bool:
    """Whether rows of one partition (and one first key, if read) have identical columns, not 1 and 1.0."""
    inside = scope.within([binding for term in at.rows.bag.terms for binding in term.bindings])
    places = set((_places_in_partition(at) or {}).values())
    return all(inside.are_identical_if_equal(*at.column(at.rows.visible + place)) for place in places)


def first_key_is_an_extreme(at: Numbering, scope: Scope) -> bool:
    """Whether NULLs stand before no other value of the first key, if it is read: no extreme is NULL then."""
    key = at.rows.visible + at.rows.partition
    reads_key = at.rows.partition in (_places_in_partition(at) or {}).values()
    if not reads_key or not at.rows.directions[0].nulls_first:
        return True
    return all(scope.inside(term).never_null(term.outputs[key]) for term in at.rows.bag.terms)


@rewrite(
    on=t.Term,
    keeps="bag",
    at=numberings,
    shape=(is_read_by_its_partition,),
    needs=(columns_are_one_value_in_a_partition, first_key_is_an_extreme),
)
def convert_first_of_partition_to_distinct(at: Numbering, scope: Scope) -> t.Term | None:
    """Range over the partitions instead of their first rows, where no more is read of these than the key.

    Before:  Σ r ∈ (numbered Σ t ∈ a → (t.x, t.y | t.x) by t.y) [r.#3 = 1] → (r.#1, r.#2)
    After:   Σ g ∈ distinct(Σ t ∈ a → (t.x)) → (g.#1, MIN{Σ t ∈ a [t.x is g.#1] → (t.y)})
    Refuse:  another column of the row; another number; 1 and 1.0 in one partition, where it shows; a key that
             may be NULL where NULLs come first; a choice among the rows
    Sound:   each partition has one first row, and NULLs are one partition as they are one distinct value; all
             rows that tie for the first have the least (descending: the greatest) value of the first key
    """
    places = _places_in_partition(at) or {}
    visible, width = at.rows.visible, at.rows.partition
    terms = (replace(term, outputs=term.outputs[visible : visible + width]) for term in at.rows.bag.terms)
    groups = at.over_source(t.Squash(t.Bag(tuple(terms))))
    first_number = t.Compare("=", at.number, t.integer(1))
    parts = [part for part in at.shown.conjuncts if part != first_number]

    def change(field: t.Field) -> t.Expression:
        if field == at.number:
            return t.integer(1)
        if field.row != at.row:
            return field
        place = places[int(field.column)]
        return t.Field(field.row, place) if place < width else _extreme_key(at, scope)

    return t.substitute(groups.where(parts), change)


def _extreme_key(at: Numbering, scope: Scope) -> t.Aggregate:
    """The least value of the first key in a partition, or the greatest."""
    visible, width = at.rows.visible, at.rows.partition
    group = [t.Field(at.row, place) for place in range(width)]
    terms = []
    for term in map(scope.world.names.copy_of, at.rows.bag.terms):
        condition = t.conjunction([term.condition, same(term.outputs[visible : visible + width], group)])
        terms.append(replace(term, condition=condition, outputs=(term.outputs[visible + width],)))
    return t.Aggregate("MAX" if at.rows.directions[0].descending else "MIN", t.Bag(tuple(terms)))


def _cut(at: Numbering) -> t.Term | None:
    term, source, number = at.shown, at.rows, at.number
    least, most, kept = 1, None, list[t.Expression]()
    for part in term.conjuncts:
        bounds = _bounds(part, number)
        if bounds is None:
            kept.append(part)
            continue
        least = max(least, bounds[0] or 1)
        if bounds[1] is not None:
            most = bounds[1] if most is None else min(most, bounds[1])
    if (least, most) == (1, None) or (most is not None and most < least):
        return None
    remainder = t.Term((), t.conjunction(kept), term.outputs)
    later = [each.source for each in term.bindings[at.place + 1 :]]
    is_read = any(field == number for node in (remainder, *later) for field in t.walk(node))
    if is_read and least != most:
        return None
    limit = None if most is None else most - least + 1
    cut = t.Limited(source.bag, source.visible, source.directions, limit, least - 1, source.site)
    choice = at.over_source(cut).where(kept)
    return t.substitute(choice, lambda field: t.integer(least) if field == number else field)


def _bounds(part: t.Expression, number: t.Expression) -> tuple[int | None, int | None] | None:
    """The least and the greatest number that a condition allows, if it says no more; None: no bound."""
    match part:
        case t.Compare("=" | "IS", left, right) if number in (left, right):
            value = _literal(right if left == number else left)
            return None if value is None else (value, value)
        case t.Compare("<" | "<=" as operator, left, right) if left == number:
            value = _literal(right)
            return None if value is None else (None, value - (operator == "<"))
        case t.Compare("<" | "<=" as operator, left, right) if right == number:
            value = _literal(left)
            return None if value is None else (value + (operator == "<"), None)
    return None


def _literal(value: t.Expression) -> int | None:
    if isinstance(value, t.Constant) and value.kind == "integer" and len(value.text) < 10:
        return int(value.text)
    return None


def has_numbered_rows_of_one_term(at: Ranged) -> bool:
    """Whether the variable ranges over the numbered rows of one term."""
    return isinstance(at.source, t.Numbered) and len(at.source.bag.terms) == 1


def no_rows_tie(at: Ranged, scope: Scope) -> bool:
    """Whether no two rows of a partition have equal sort keys."""
    assert isinstance(at.source, t.Numbered)
    (term,) = at.source.bag.terms
    return columns_tell_apart(term, term.outputs[at.source.visible :], scope.world)


@rewrite(on=t.Binding, keeps="bag", shape=(has_numbered_rows_of_one_term,), needs=(no_rows_tie,))
def convert_number_to_rank(at: Ranged, scope: Scope) -> list[t.Term] | None:
    """Count the rows before a row, where no rows tie, for its ROW_NUMBER.

    Before:  Σ r ∈ (numbered Σ t ∈ a → (t.x) by t.id) → (r.#1, r.#2)
    After:   Σ t ∈ a → (t.x, COUNT{Σ s ∈ a [s.id < t.id] → (1)} + 1)
    Refuse:  rows that may tie, of which each order is as good as another
    Sound:   the number of a row is one more than there are rows of its partition before it
    """
    assert isinstance(at.source, t.Numbered)
    (term,), visible = at.source.bag.terms, at.source.visible
    keys = visible + at.source.partition
    other = scope.world.names.copy_of(term)
    earlier = t.conjunction(
        [
            other.condition,
            same(other.outputs[visible:keys], term.outputs[visible:keys]),
            before(other.outputs[keys:], term.outputs[keys:], at.source.directions),
        ]
    )
    count = t.Aggregate("COUNT", t.Bag((replace(other, condition=earlier, outputs=(t.TRUE,)),)))
    outputs = (*term.outputs[:visible], t.Apply("+", (count, t.TRUE)))
    return written_out(at, t.Bag((replace(term, outputs=outputs),)), scope)


@dataclass(frozen=True, slots=True)
class RankedRows(PlaceIn[t.Term]):
    """A term, bounds on how many of its rows stand before a row, and the keys by which they do."""

    rows: t.Term
    """The term without the bounds."""
    keys: tuple[t.Expression, ...]
    directions: tuple[t.Direction, ...]
    least: int
    most: int | None
    """The least and the greatest number of rows before a row; None: any."""


def ranked_rows(term: t.Term, scope: Scope) -> Iterator[RankedRows]:
    """The ways to read conditions of a term as bounds on the ranks of its rows."""
    parts = term.conjuncts
    counts = {part: found for part in parts if (found := _bounded_rank(part)) is not None}
    for wanted in {t.alpha(count): None for count, _, _ in counts.values()}:
        own = {part: found for part, found in counts.items() if t.alpha(found[0]) == wanted}
        count = next(iter(own.values()))[0]
        some = t.alpha(t.Exists(t.Bag((replace(count.bag.terms[0], outputs=()),))))
        own |= {part: (count, 1, None) for part in parts if t.alpha(part) == some}
        rows = term.where(part for part in parts if part not in own)
        order = None if t.sites(term) else _order_of_rank(count, rows)
        least = max(low for _, low, _ in own.values())
        most = min((high for _, _, high in own.values() if high is not None), default=None)
        if order is not None and (most is None or least <= most):
            yield RankedRows(term, rows, *order, least, most)


def _bounded_rank(part: t.Expression) -> tuple[t.Aggregate, int, int | None] | None:
    """A count of rows, and the least and greatest values that a condition allows, if it says no more."""
    if isinstance(part, t.Compare):
        for side in (part.left, part.right):
            rank, bounds = _rank(side), _bounds(part, side)
            if rank is not None and bounds is not None:
                count, more = rank
                least, most = bounds
                return count, max(0, (least or 0) - more), None if most is None else most - more
    return None


def _rank(value: t.Expression) -> tuple[t.Aggregate, int] | None:
    """A count of rows, and what is added to it."""
    match value:
        case t.Apply("+", (count, t.Constant() as number)) | t.Apply("+", (t.Constant() as number, count)):
            more = _literal(number)
            return (count, more) if is_plain_sum(count) and is_row_count(count) and more is not None else None
    return (value, 0) if is_plain_sum(value) and is_row_count(value) else None


_Order = tuple[tuple[t.Expression, ...], tuple[t.Direction, ...]]


def _order_of_rank(count: t.Aggregate, rows: t.Term) -> _Order | None:
    """The keys by which a count is of the rows of a term before a row of it, if it is that."""
    (counted,) = count.bag.terms
    own = rows.bound
    names = {a.row: b.row for a, b in zip(counted.bindings, rows.bindings, strict=False)}
    sources = [t.renamed(binding.source, names) for binding in counted.bindings]
    if [t.alpha(each) for each in sources] != [t.alpha(binding.source) for binding in rows.bindings]:
        return None
    order = [part for part in counted.conjuncts if t.free(part) & own]
    others = [part for part in counted.conjuncts if part not in order]
    wanted = {t.alpha(part) for part in rows.conjuncts}
    if len(order) != 1 or {t.alpha(t.renamed(part, names)) for part in others} != wanted:
        return None
    return _keys_of_order(order[0], lambda value: t.renamed(value, names), set(names))


def _keys_of_order(
    earlier: t.Expression, of_row: Callable[[t.Expression], t.Expression], others: Collection[object]
) -> _Order | None:
    """The keys by which a condition says that another row stands before a row; None if it is not an order.

    Args:
        earlier: the condition.
        of_row: what is said of the other row, said of the row.
        others: the variables of the other row.
    """
    match earlier:
        case t.Compare("<", left, right) if of_row(left) == right and t.free(left) <= set(others):
            return (right,), (t.Direction.of(descending=False),)
        case t.Compare("<", left, right) if of_row(right) == left and t.free(right) <= set(others):
            return (left,), (t.Direction.of(descending=True),)
        case t.Or((one, two)):
            for lead, tied in ((one, two), (two, one)):
                first_key = _keys_of_order(lead, of_row, others)
                if first_key is None or len(first_key[0]) != 1:
                    continue
                same_key = [part for part in t.conjuncts(tied) if _equates(part, first_key[0][0], of_row)]
                rest = [part for part in t.conjuncts(tied) if part not in same_key]
                further = _keys_of_order(rest[0], of_row, others) if len(same_key) == len(rest) == 1 else None
                if further is not None:
                    return first_key[0] + further[0], first_key[1] + further[1]
    return None


def _equates(part: t.Expression, key: t.Expression, of_row: Callable[[t.Expression], t.Expression]) -> bool:
    """Whether a condition says that the other row has the key of the row."""
    match part:
        case t.Compare("=" | "IS", left, right):
            return (of_row(left), right) == (key, key) or (left, of_row(right)) == (key, key)
    return False


def rows_have_different_keys(at: RankedRows, scope: Scope) -> bool:
    """Whether no two rows have equal keys."""
    return columns_tell_apart(at.rows, at.keys, scope.world)


def keys_are_never_null(at: RankedRows | RankKey, scope: Scope) -> bool:
    """Whether no key is NULL (a NULL comes before no value and after none)."""
    inside = scope.inside(at.rows)
    return all(map(inside.never_null, at.keys))


@rewrite(on=t.Term, keeps="bag", needs=(rows_have_different_keys, keys_are_never_null))
def convert_rank_to_choice(at: RankedRows, scope: Scope) -> list[t.Term] | None:
    """Turn a bound on how many rows stand before a row into the choice that LIMIT makes.

    Before:  Σ t ∈ a [SUM0{Σ s ∈ a [s.id < t.id] → (1)} ≤ 4] → (t.x)
    After:   Σ r ∈ (Σ t ∈ a → (t.x | t.id) by t.id; rows 1 to 5) → (r.#1)
    Refuse:  rows that tie, of which LIMIT takes some; a NULL among the keys; a count of other rows
    Sound:   so many rows stand before a row as its place in the order says
    """
    limit = None if at.most is None else at.most - at.least + 1
    rows = replace(at.rows, outputs=(*at.rows.outputs, *at.keys))
    width, site = len(at.rows.outputs), scope.world.names.site()
    row = scope.world.names.variable("first")
    chosen = t.Limited(t.Bag((rows,)), width, at.directions, limit, at.least, site)
    return [t.Term((t.Binding(row, chosen),), t.TRUE, tuple(t.Field(row, n) for n in range(width)))]


@dataclass(frozen=True, slots=True)
class RankKey:
    """Sorted rows of one term, one of whose keys counts the rows before a row, by keys of that order."""

    sorted: Ordered
    place: int
    rows: t.Term
    keys: tuple[t.Expression, ...]
    directions: tuple[t.Direction, ...]

    @property
    def shown(self) -> t.Bag:
        """The bag."""
        return self.sorted.shown


def rank_keys(rows: Ordered, scope: Scope) -> Iterator[RankKey]:
    """The keys of sorted rows that count the rows before a row."""
    if len(rows.shown.terms) == 1:
        (term,) = rows.shown.terms
        for place in range(rows.visible, rows.visible + len(rows.directions)):
            rank = _rank(term.outputs[place])
            order = None if rank is None else _order_of_rank(rank[0], term)
            if order is not None:
                yield RankKey(rows, place, term, *order)


@rewrite(on=t.Bag, keeps="answers", at=rank_keys, needs=(keys_are_never_null,))
def convert_rank_to_sort_keys(at: RankKey, scope: Scope) -> Ordered | None:
    """Sort by the keys of an order instead of by the rank in it.

    Before:  Σ t ∈ a → (t.x) in the order of SUM0{Σ s ∈ a [s.id < t.id] → (1)} + 1
    After:   Σ t ∈ a → (t.x) in the order of t.id
    Refuse:  a count of other rows; a NULL among the keys
    Sound:   rows with equal keys have one rank, and of others the first one has the lower rank
    """
    rows, number = at.sorted, at.place - at.sorted.visible
    is_turned = rows.directions[number].descending
    new = [t.Direction.of(descending=each.descending is not is_turned) for each in at.directions]
    outputs = at.rows.outputs
    changed = replace(at.rows, outputs=(*outputs[: at.place], *at.keys, *outputs[at.place + 1 :]))
    directions = (*rows.directions[:number], *new, *rows.directions[number + 1 :])
    return Ordered(t.Bag((changed,)), rows.visible, directions)


def is_told_apart_by_keys(node: t.Limited | t.Numbered, scope: Surroundings) -> bool:
    """Whether no two rows have equal sort keys."""
    if len(node.bag.terms) != 1:
        return False
    (term,) = node.bag.terms
    return columns_tell_apart(term, term.outputs[node.visible :], scope.world)


@rewrite(on=(t.Limited, t.Numbered), keeps="answers", needs=(is_told_apart_by_keys,))
def eliminate_choice_without_ties(
    node: t.Limited | t.Numbered, scope: Surroundings
) -> t.Limited | t.Numbered | None:
    """Mark a LIMIT whose rows cannot tie as no choice: every copy takes the same rows; its site changes.

    Before:  Σ r ∈ (Σ t ∈ a → (t.x | t.id) by t.id; rows 1 to 3) → (r.#1)
    After:   Σ r ∈ (Σ t ∈ a → (t.x | t.id) by t.id; rows 1 to 3) → (r.#1)
    Refuse:  rows that may tie; rows of several terms
    Sound:   the keys tell which rows come first
    """
    return replace(node, site=0) if node.site else None
