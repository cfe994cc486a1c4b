"""Redundant sort keys: constants, repetitions, and keys that only order equal rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from equiv.algebra.terms import (
    Bag,
    Binding,
    Compare,
    Constant,
    Direction,
    Expression,
    Field,
    Node,
    Numbered,
    Term,
    alpha,
    conjuncts,
    integer,
)
from equiv.proof.rewrite import first, rewrite
from equiv.proof.rewrites.scope import Scope


@dataclass(frozen=True, slots=True)
class Ordered:
    """A bag whose last outputs are the keys of an order."""

    shown: Bag
    visible: int
    directions: tuple[Direction, ...]


@rewrite(on=Bag, keeps="answers")
def eliminate_idle_order_key(rows: Ordered, scope: Scope) -> Ordered | None:
    """Drop sort keys that decide nothing: constants, and repetitions of an earlier key.

    Before:  Σ t ∈ a → (t.x) in the order of t.y, 1, t.y
    After:   Σ t ∈ a → (t.x) in the order of t.y
    Refuse:  a key that is constant in each of several terms, but not the same
    Sound:   rows that tie on the keys before tie on such a key as well
    """
    bag, visible, directions = rows.shown, rows.visible, rows.directions
    kept: list[int] = []
    for place in range(visible, visible + len(directions)):
        columns = [[term.outputs[n] for term in bag.terms] for n in (*kept, place)]
        constant = len(set(columns[-1])) <= 1 and all(isinstance(e, Constant) for e in columns[-1])
        if not constant and columns[-1] not in columns[:-1]:
            kept.append(place)
    return None if len(kept) == len(directions) else _sorted_by(rows, kept)


def _sorted_by(rows: Ordered, kept: Sequence[int]) -> Ordered:
    """The rows sorted by some of their keys, given as places among the outputs."""
    terms = tuple(
        Term(term.bindings, term.condition, (*term.outputs[: rows.visible], *(term.outputs[n] for n in kept)))
        for term in rows.shown.terms
    )
    return Ordered(Bag(terms), rows.visible, tuple(rows.directions[n - rows.visible] for n in kept))


def has_keys_behind_outputs(rows: Ordered) -> bool:
    """Each output is a key, with other keys after them all."""
    return _telling(rows) is not None


def tied_rows_look_alike(rows: Ordered, scope: Scope) -> bool:
    """Values of an output that sort as equal are identical."""
    inside = scope.within([binding for term in rows.shown.terms for binding in term.bindings])
    return all(inside.are_identical_if_equal(*_column(rows.shown, place)) for place in _open(rows))


@rewrite(on=Bag, keeps="answers", shape=(has_keys_behind_outputs,), needs=(tied_rows_look_alike,))
def eliminate_key_behind_outputs(rows: Ordered, scope: Scope) -> Ordered | None:
    """Drop sort keys behind all outputs: they only order rows whose outputs are equal.

    Before:  Σ t ∈ a → (t.x) in the order of t.x, t.y
    After:   Σ t ∈ a → (t.x) in the order of t.x
    Refuse:  an output that is no key before; 1 and 1.0 in it, which tie and do not look alike
    Sound:   rows that tie on the keys before are one and the same row to whoever reads them, so that neither
             their order nor which of them a LIMIT takes can be seen
    """
    number = _telling(rows)
    return None if number is None else _sorted_by(rows, range(rows.visible, rows.visible + number))


def _telling(rows: Ordered) -> int | None:
    """How many keys there are up to where each output is one, if there are others behind."""
    outputs = [_named(rows.shown, n) for n in _open(rows)]
    keys = [_named(rows.shown, rows.visible + n) for n in range(len(rows.directions))]
    return next((n for n in range(len(keys)) if all(output in keys[:n] for output in outputs)), None)


@rewrite(on=Bag, keeps="answers")
def eliminate_key_behind_partition(rows: Ordered, scope: Scope) -> Ordered | None:
    """Drop sort keys behind those that tell the partitions apart of each of which one row is left.

    Before:  Σ r ∈ (numbered Σ t ∈ a → (t.x, t.y | t.x) by t.y) [r.#3 = 1] → (r.#1) in the order of r.#1, r.#2
    After:   Σ r ∈ (numbered Σ t ∈ a → (t.x, t.y | t.x) by t.y) [r.#3 = 1] → (r.#1) in the order of r.#1
    Refuse:  another number than a single one; a partition by more than the keys before; other rows beside
    Sound:   no two rows tie on the keys before
    """
    match rows.shown.terms:
        case (Term((Binding(row, Numbered() as numbered),), condition, outputs),):
            number = Field(row, numbered.visible)
            is_single = any(
                isinstance(part, Compare)
                and part.operator == "="
                and number in (part.left, part.right)
                and integer(1) in (part.left, part.right)
                for part in conjuncts(condition)
            )
            if not is_single:
                return None
            keys = outputs[rows.visible :]
            parts = range(numbered.visible, numbered.visible + numbered.partition)
            same = [_equal_columns(numbered.bag, part, range(numbered.visible)) for part in parts]
            for kept in range(len(keys)):
                if all(any(Field(row, place) in keys[:kept] for place in places) for places in same):
                    return _sorted_by(rows, range(rows.visible, rows.visible + kept))
    return None


@rewrite(on=Numbered, keeps="answers")
def eliminate_key_of_partition(rows: Numbered, scope: Scope) -> Numbered | None:
    """Drop sort keys of numbered rows that are the same for all rows of a partition.

    Before:  numbered Σ t ∈ a → (t.z | t.x) by t.x, t.y
    After:   numbered Σ t ∈ a → (t.z | t.x) by t.y
    Refuse:  a key that is no column of the partition in some term
    Sound:   rows of one partition tie on such a key
    """
    start = rows.visible + rows.partition
    parts = range(rows.visible, start)
    places = range(start, start + len(rows.directions))
    kept = [place for place in places if not _equal_columns(rows.bag, place, parts)]
    if len(kept) == len(places):
        return None
    sorted_by = _sorted_by(Ordered(rows.bag, start, rows.directions), kept)
    return replace(rows, bag=sorted_by.shown, directions=sorted_by.directions)


def _equal_columns(bag: Bag, place: int, others: Sequence[int]) -> list[int]:
    """The columns among some that are written as a column is, in each term."""
    return [other for other in others if _column(bag, other) == _column(bag, place)]


def _open(rows: Ordered) -> list[int]:
    """The outputs that are not one constant."""
    return [n for n in range(rows.visible) if not _is_one_constant(_column(rows.shown, n))]


def _column(bag: Bag, place: int) -> list[Expression]:
    return [term.outputs[place] for term in bag.terms]


def _named(bag: Bag, place: int) -> list[Node]:
    """A column whose bound variables are named by where they stand, so that copies are equal."""
    return [alpha(value) for value in _column(bag, place)]


def _is_one_constant(column: list[Expression]) -> bool:
    return len(set(column)) <= 1 and all(isinstance(each, Constant) for each in column)


@dataclass(frozen=True, slots=True)
class OrderKey:
    """A key of sorted rows, by its place among the outputs."""

    rows: Ordered
    place: int

    @property
    def shown(self) -> Bag:
        """The bag."""
        return self.rows.shown

    @property
    def direction(self) -> Direction:
        """How the key sorts."""
        return self.rows.directions[self.place - self.rows.visible]


def order_keys_of(rows: Ordered) -> Iterator[OrderKey]:
    """The keys of sorted rows."""
    for number in range(len(rows.directions)):
        yield OrderKey(rows, rows.visible + number)


def nulls_have_a_place_of_their_own(at: OrderKey) -> bool:
    """NULLs stand elsewhere than SQLite has them."""
    return at.direction != Direction.of(descending=at.direction.descending)


def key_is_never_null(at: OrderKey, scope: Scope) -> bool:
    """No row has NULL as key."""
    scopes = (scope.within(term.bindings, conjuncts(term.condition)) for term in at.shown.terms)
    columns = _column(at.shown, at.place)
    return all(inside.never_null(key) for inside, key in zip(scopes, columns, strict=True))


@rewrite(on=Bag, keeps="answers", shape=(nulls_have_a_place_of_their_own,), needs=(key_is_never_null,))
def eliminate_place_of_nulls(at: OrderKey, scope: Scope) -> Ordered | None:
    """Leave NULLs where SQLite has them, where a sort key is never NULL.

    Before:  Σ t ∈ a → (t.x) in the order of t.id, NULLs last
    After:   Σ t ∈ a → (t.x) in the order of t.id
    Refuse:  a key that may be NULL
    Sound:   where no NULL is, it stands nowhere
    """
    usual, number = Direction.of(descending=at.direction.descending), at.place - at.rows.visible
    directions = (*at.rows.directions[:number], usual, *at.rows.directions[number + 1 :])
    return replace(at.rows, directions=directions)


def with_telling_keys(rows: Ordered, scope: Scope) -> Ordered:
    """A bag and its order without keys that decide nothing."""
    rows = eliminate_idle_order_key(rows, scope) or rows
    while (plain := first((eliminate_place_of_nulls,), order_keys_of(rows), scope)) is not None:
        rows = plain
    rows = eliminate_key_behind_partition(rows, scope) or rows
    return eliminate_key_behind_outputs(rows, scope) or rows
