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


def _inlined(at: Cut, term: Term, reach: int, scope: Scope) -> list[Term] | None:
    """The terms of all the rows of which a term has the first ones; None if it is no such term."""
    match term:
        case Term((Binding(_, Limited() as rows),), condition) if not conjuncts(condition):
            is_wide = not rows.offset and (rows.limit is None or rows.limit >= reach)
            is_alike = rows.directions == at.shown.directions and _has_keys_of(at, term, rows)
            if is_wide and is_alike and rows.site in at.once and not sites(rows.bag):
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
