"""A LIMIT within a LIMIT."""

from __future__ import annotations

from dataclasses import dataclass, replace

from equiv.algebra.terms import (
    Answer,
    Bag,
    Binding,
    Expression,
    Limited,
    Node,
    Term,
    alpha,
    conjuncts,
    free,
    map_children,
    sites,
    substitute,
)
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sources import Ranged, written_out


@dataclass(frozen=True, slots=True)
class Cut:
    """An answer or a choice with a LIMIT, and the sites of the choices that occur once."""

    shown: Answer | Limited
    once: frozenset[int]


def without_inner_cuts(answer: Answer, scope: Scope) -> Answer:
    """The answer as translated, without cuts of rows that are cut more narrowly around."""
    found = sites(answer)
    once = frozenset(site for site in found if found.count(site) == 1)

    def each(node: Node) -> Node:
        if isinstance(node, Answer | Limited):
            node = inline_wider_cut(Cut(node, once), scope) or node
            while (merged := merge_cuts(Cut(node, once), scope)) is not None:
                node = merged
        return map_children(node, each)

    changed = each(answer)
    assert isinstance(changed, Answer)
    return changed


@rewrite(on=(Answer, Limited), keeps="answers")
def inline_wider_cut(at: Cut, scope: Scope) -> Answer | Limited | None:
    """Drop an inner LIMIT that keeps at least as many rows as the outer LIMIT takes.

    Before:  Σ r ∈ (Σ t ∈ a → (t.x) | t.x; rows 1 to 3) → (r.#1) + Σ s ∈ b → (s.y) | #1; rows 1 to 2
    After:   Σ t ∈ a → (t.x) + Σ s ∈ b → (s.y) | #1; rows 1 to 2
    Refuse:  fewer rows within than around; OFFSET within; other keys; a condition on the chosen rows
    Sound:   a row that is cut away comes after no fewer rows of its own than are read, or ties with some
    """
    outer = at.shown
    if outer.limit is None:
        return None
    terms: list[Term] = []
    for term in outer.bag.terms:
        terms += _inlined(at, term, outer.offset + outer.limit, scope) or (term,)
    bag = Bag(tuple(terms))
    return None if bag == outer.bag else replace(outer, bag=bag)


@rewrite(on=(Answer, Limited), keeps="answers")
def merge_cuts(at: Cut, scope: Scope) -> Answer | Limited | None:
    """Take the rows of a LIMIT around a LIMIT, or sorted once more, at once.

    Before:  Σ r ∈ (Σ t ∈ a → (t.x) | t.x; rows 1 to 3) → (r.#1) in the order of r.#1; rows from 2 on
    After:   Σ t ∈ a → (t.x) in the order of t.x; rows 2 to 3
    Refuse:  other keys; a condition on the chosen rows; other rows beside them; rows that are neither cut nor
             sorted around; a choice around that is made for each outer row, and within for all of them
    Sound:   chosen rows stand together in some order by the keys, and stay so if they are sorted among
             themselves by the same keys
    """
    outer = at.shown
    match outer.bag.terms:
        case (Term((Binding(_, Limited() as rows),), condition) as term,) if not conjuncts(condition):
            is_idle = outer.limit is None and not outer.offset and not outer.directions
            if is_idle or not _is_chosen_alike(at, term, rows):
                return None
            limits = [outer.limit, None if rows.limit is None else max(0, rows.limit - outer.offset)]
            limit = min((each for each in limits if each is not None), default=None)
            terms = written_out(Ranged(term, 0), rows.bag, scope)
            if terms is not None:
                return replace(outer, bag=Bag(tuple(terms)), limit=limit, offset=outer.offset + rows.offset)
    return None


def _is_chosen_alike(at: Cut, term: Term, rows: Limited) -> bool:
    """Whether a term's rows were chosen for it alone, by the keys by which it is sorted."""
    is_own = rows.site in at.once and not sites(rows.bag) and free(rows) == free(at.shown)
    return is_own and rows.directions == at.shown.directions and _has_keys_of(at, term, rows)


def _inlined(at: Cut, term: Term, reach: int, scope: Scope) -> list[Term] | None:
    """The terms of all the rows of which a term has the first ones; None if it is no such term."""
    match term:
        case Term((Binding(_, Limited() as rows),), condition) if not conjuncts(condition):
            is_wide = not rows.offset and (rows.limit is None or rows.limit >= reach)
            if is_wide and _is_chosen_alike(at, term, rows):
                return written_out(Ranged(term, 0), rows.bag, scope)
    return None


def _has_keys_of(at: Cut, term: Term, rows: Limited) -> bool:
    """Whether the keys of a term are those by which its rows were chosen."""
    row, keys = term.bindings[0].row, term.outputs[at.shown.visible :]

    def within(key: Expression, inner: Term) -> Expression:
        return substitute(key, lambda f: inner.outputs[int(f.column)] if f.row == row else f)

    return all(
        [alpha(within(key, inner)) for key in keys] == [alpha(key) for key in inner.outputs[rows.visible :]]
        for inner in rows.bag.terms
    )
