"""Redundant sort keys: constants, repetitions, and keys that only order equal rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from equiv.algebra.terms import Bag, Constant, Direction, Expression, Node, Term, alpha
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


def with_telling_keys(rows: Ordered, scope: Scope) -> Ordered:
    """A bag and its order without keys that decide nothing."""
    rows = eliminate_idle_order_key(rows, scope) or rows
    return eliminate_key_behind_outputs(rows, scope) or rows
