"""Keys of an order that decide nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from equiv.algebra.terms import Bag, Binding, Constant, Direction, Expression, Node, Term, alpha
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.scope import Scope


@dataclass(frozen=True, slots=True)
class Ordered:
    """A bag whose last outputs are the keys of an order."""

    shown: Bag
    visible: int
    directions: tuple[Direction, ...]


@rewrite(on=Bag, keeps="answers")
def eliminate_idle_order_key(rows: Ordered, scope: Scope) -> Ordered | None:
    """Drop keys of an order that decide nothing: constants, and what stands there before.

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


@rewrite(on=Bag, keeps="answers")
def eliminate_key_behind_outputs(rows: Ordered, scope: Scope) -> Ordered | None:
    """Drop the keys that only sort rows which look alike.

    Before:  Σ t ∈ a → (t.x) in the order of t.x, t.y
    After:   Σ t ∈ a → (t.x) in the order of t.x
    Refuse:  an output that is no key before; 1 and 1.0 in it, which tie and do not look alike
    Sound:   rows that tie on the keys before are one and the same row to whoever reads them, so that neither
             their order nor which of them a LIMIT takes can be seen
    """
    bag, visible, directions = rows.shown, rows.visible, rows.directions
    hidden = [n for n in range(visible) if not _is_one_constant(_column(bag, n))]
    for number in range(len(directions)):
        kept = range(visible, visible + number)
        keys = [_named(bag, n) for n in kept]
        if all(_named(bag, n) in keys for n in hidden):
            return _sorted_by(rows, kept) if _look_alike_if_tied(bag, hidden, scope) else None
    return None


def _column(bag: Bag, place: int) -> list[Expression]:
    return [term.outputs[place] for term in bag.terms]


def _named(bag: Bag, place: int) -> list[Node]:
    """A column whose bound variables are named by where they stand, so that copies are equal."""
    return [alpha(value) for value in _column(bag, place)]


def _is_one_constant(column: list[Expression]) -> bool:
    return len(set(column)) <= 1 and all(isinstance(each, Constant) for each in column)


def _look_alike_if_tied(bag: Bag, places: Sequence[int], scope: Scope) -> bool:
    """Whether values of these outputs that sort as equal are identical."""
    bindings: list[Binding] = [binding for term in bag.terms for binding in term.bindings]
    inside = scope.within(bindings)
    return all(inside.are_identical_if_equal(*_column(bag, place)) for place in places)


def with_telling_keys(rows: Ordered, scope: Scope) -> Ordered:
    """A bag and its order without keys that decide nothing."""
    rows = eliminate_idle_order_key(rows, scope) or rows
    return eliminate_key_behind_outputs(rows, scope) or rows
