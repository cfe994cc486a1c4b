"""Equality of bags: terms are paired one to one, and within a pair the variables.

Two terms are equal if a bijection of their variables, each onto one of an equal source, makes the
conditions equivalent and, under them, the outputs equal: then the bijection pairs the rows that they
contribute.  (After SPES, PVLDB 2022, and QED, PVLDB 2024, section 5.)  Terms that do not pair one to one
are compared as sums: over common variables, every row is contributed as often by one side as by the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from equiv.algebra.atoms import without_sites
from equiv.algebra.claims import Alike
from equiv.algebra.correspondences import correspondences, outline
from equiv.algebra.terms import (
    FALSE,
    TRUE,
    Bag,
    Binding,
    Compare,
    Direction,
    Expression,
    IsTrue,
    Limited,
    Not,
    Numbered,
    Or,
    Source,
    Squash,
    Term,
    conjunction,
    conjuncts,
    renamed,
    substitute,
)
from equiv.proof.match import atoms as match_atoms
from equiv.proof.match import order as match_order
from equiv.proof.match import sets as match_sets
from equiv.proof.match import sums as match_sums
from equiv.proof.match.cell_equality import BY_VALUE, IDENTICAL, Same, identical, not_distinct
from equiv.proof.match.matching import Matching, Pairing, Place, all_true, plain_assumption, shared_and_rest

MAX_TRIED = 8
"""How many correspondences of two terms, best first, are put to the prover."""


def same_bag(
    m: Matching,
    left: Bag,
    right: Bag,
    here: Place,
    same: Same = BY_VALUE,
) -> list[Pairing] | None:
    """Pairings that show two bags equal, or None.  Terms that only balance in sum come as no pairing.

    Args:
        m: the matching.
        left: a bag.
        right: another one.
        here: what is known of their free variables.
        same: what makes two outputs equal.
    """
    if without_sites(left) == without_sites(right) and m.pair_sites(left, right):
        names = [(mine, theirs) for mine, theirs in zip(left.terms, right.terms, strict=True)]
        return [Pairing(mine, _onto(mine, theirs)) for mine, theirs in names]
    pairings = _same_groups(m, left, right, here, same)
    # Equal sets are equal bags only if neither side has a row twice.
    if pairings is None and same.width is None and match_sets.is_set(m, left) and match_sets.is_set(m, right):
        sides = match_sets.without_distinct(left), match_sets.without_distinct(right)
        pairings = [] if match_sets.same_set(m, *sides, here, same) else None
    if pairings is not None:
        exactly = same.claim is identical
        m.world.state("same bag", Alike(here.rows, here.given, left, right, "bag", same.width, exactly))
    return pairings


def _same_groups(m: Matching, left: Bag, right: Bag, here: Place, same: Same) -> list[Pairing] | None:
    """Pairings of the terms over the same sources, for all such sets of terms."""
    if not (left.terms and right.terms):
        return [] if all(_is_empty(m, term, here) for term in (*left.terms, *right.terms)) else None
    groups = _by_sources(left), _by_sources(right)
    if set(groups[0]) != set(groups[1]):
        return None
    all_pairings: list[Pairing] = []
    for key, terms in groups[0].items():
        pairings = _same_sum(m, terms, groups[1][key], here, same)
        if pairings is None:
            return None
        all_pairings += pairings
    return all_pairings


def _is_empty(m: Matching, term: Term, here: Place) -> bool:
    """Whether a term contributes no row, since its condition is never true."""
    return m.proves(FALSE, here.within(term.bindings).knowing(conjuncts(term.condition)))


def _onto(left: Term, right: Term) -> Term:
    """The right one of two terms that are equal up to names, over the variables of the left one."""
    names = {b.row: a.row for a, b in zip(left.bindings, right.bindings, strict=True)}
    return renamed(right, names)


def _by_sources(bag: Bag) -> dict[tuple[str, ...], list[Term]]:
    groups: dict[tuple[str, ...], list[Term]] = {}
    for term in bag.terms:
        groups.setdefault(tuple(sorted(outline(b.source) for b in term.bindings)), []).append(term)
    return groups


def _same_sum(
    m: Matching,
    left: list[Term],
    right: list[Term],
    here: Place,
    same: Same,
) -> list[Pairing] | None:
    """Pairings for terms over the same sources."""
    open_left, open_right = list(left), list(right)
    pairings = []
    for mine in left:
        for theirs in open_right:
            pairing = _same_term(m, mine, theirs, here, same)
            if pairing is not None:
                pairings.append(pairing)
                open_left.remove(mine)
                open_right.remove(theirs)
                break
    if not open_left and not open_right:
        return pairings
    if len(left) == len(right) == 1:
        return None
    if same.width is None and match_sums.balance(m, open_left, open_right, here, same):
        return pairings
    return None


def _same_term(
    m: Matching,
    left: Term,
    right: Term,
    here: Place,
    same: Same,
) -> Pairing | None:
    """The right term over the left one's variables, if some bijection of the variables shows both equal."""
    for candidate in islice(correspondences(left, right), MAX_TRIED):
        before = dict(m.paired)
        aligned = _agreeing(m, left, candidate, here, same)
        if aligned is not None:
            return Pairing(left, aligned)
        m.paired = before
    closed = _closed(left), _closed(right)
    return None if closed == (left, right) else _same_term(m, *closed, here, same)


def _closed(term: Term) -> Term:
    """A term over distinct rows of one term with its condition moved in among what makes these rows.

    *Sound*: whether a row counts is said by its values alone, and equal rows count alike.
    """
    match term:
        case Term((Binding(row, Squash(Bag((inner,)))),), condition, outputs) if conjuncts(condition):
            moved = substitute(condition, lambda f: inner.outputs[int(f.column)] if f.row == row else f)
            bag = Bag((Term(inner.bindings, conjunction([inner.condition, moved]), inner.outputs),))
            return Term((Binding(row, Squash(bag)),), TRUE, outputs)
    return term


def _agreeing(m: Matching, left: Term, right: Term, here: Place, same: Same) -> Term | None:
    """The right one of two terms over the same variables, in the left one's atoms, if they are equal.

    Atoms are compared where both conditions may hold; elsewhere neither term contributes a row.
    """
    sources = {b.row: b.source for b in right.bindings}
    for number, binding in enumerate(left.bindings):
        if not same_source(m, binding.source, sources[binding.row], here.within(left.bindings[:number])):
            return None
    inner = here.within(left.bindings)
    assumed = inner.knowing(plain_assumption(left.condition, right.condition))
    mine, theirs = [left.condition, *left.outputs], [right.condition, *right.outputs]
    aligned_parts, relations = match_atoms.align(m, mine, theirs, assumed)
    aligned = Term(right.bindings, aligned_parts[0], tuple(aligned_parts[1:]))
    if _claims_hold(m, left, aligned, inner.relying_on(relations), same):
        return aligned
    further = match_atoms.further_relations(m, (*mine, aligned.condition, *aligned.outputs), assumed)
    if not set(further) - set(relations):
        return None
    known = inner.relying_on((*relations, *further))
    return aligned if _claims_hold(m, left, aligned, known, same) else None


def _claims_hold(m: Matching, left: Term, right: Term, here: Place, same: Same) -> bool:
    """Whether two terms over the same variables have equivalent conditions and, under them, equal outputs."""
    common, mine, theirs = shared_and_rest(left.condition, right.condition)
    claims = same.claims(left.outputs, right.outputs)
    goals: list[Expression] = []
    if mine != theirs:
        # FALSE and NULL both drop a row: conditions need agree only in whether they are true.
        goals.append(Compare("IS", IsTrue(mine), IsTrue(theirs)))
    if claims:
        # Outputs need agree only on rows that the condition keeps.
        goals.append(Or((Not(IsTrue(mine)), all_true(claims))))
    if not goals:
        return True
    goal, place = conjunction(goals), here.knowing(common)
    behind = match_sets.with_rows_behind(m, common, place)
    return m.proves(goal, place) or (behind is not place and m.proves(goal, behind))


def same_source(m: Matching, left: Source, right: Source, here: Place) -> bool:
    """Whether two sources hold the same rows equally often, or make the same choice."""
    if without_sites(left) == without_sites(right):
        return m.pair_sites(left, right)
    match left, right:
        case Squash(mine), Squash(theirs):
            return match_sets.same_set(m, mine, theirs, here, IDENTICAL)
        case Limited(), Limited():
            return same_choice(m, left, right, here)
        case Numbered(), Numbered() if (left.visible, left.partition) == (right.visible, right.partition):
            return _same_ordered(m, left, right, here)
    return False


@dataclass(frozen=True, slots=True)
class Keyed:
    """A bag whose last outputs are sort keys, with the direction of each."""

    bag: Bag
    directions: tuple[Direction, ...]


def same_ordered(
    m: Matching,
    left: Keyed,
    right: Keyed,
    visible: int,
    here: Place,
    *,
    exactly: bool = False,
) -> list[Pairing] | None:
    """Pairings that show two bags equal in their ``visible`` outputs and in how they sort, or None."""
    before = dict(m.paired)
    claim = identical if exactly else not_distinct
    if left.directions == right.directions:
        pairings = same_bag(m, left.bag, right.bag, here, Same(claim))
        if pairings is not None:
            return pairings
        m.paired = before
    pairings = same_bag(m, left.bag, right.bag, here, Same(claim, visible))
    if pairings is not None and len(pairings) == len(left.bag.terms):
        directions = left.directions, right.directions
        if match_order.same_order(m, pairings, visible, directions, here, alike=claim):
            return pairings
    m.paired = before
    return None


def same_choice(m: Matching, left: Limited, right: Limited, here: Place) -> bool:
    """Whether two top-n operators have the same possible results."""
    if (left.visible, left.limit, left.offset) != (right.visible, right.limit, right.offset):
        return False
    return _same_ordered(m, left, right, here)


def _same_ordered(m: Matching, left: Limited | Numbered, right: Limited | Numbered, here: Place) -> bool:
    """Whether two ordered bags hold the same rows in the same orders; each may have one partner only."""
    is_choice = left.site and right.site
    # Two choices of one side must not pair with one of the other: they may fall differently.
    if is_choice and (left.site in m.paired.values() or right.site in m.paired):
        return False
    sides = Keyed(left.bag, left.directions), Keyed(right.bag, right.directions)
    visible = left.visible + (left.partition if isinstance(left, Numbered) else 0)
    if same_ordered(m, *sides, visible, here, exactly=True) is None:
        return False
    if is_choice:
        m.paired[right.site] = left.site
    return True
