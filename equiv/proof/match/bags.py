"""Equality of bags: terms are paired one to one, and within a pair the variables.

Two terms are equal if a bijection of their variables, each onto one of an equal source, makes the
conditions equivalent and, under them, the outputs equal: then the bijection pairs the rows that they
contribute.  (After SPES, PVLDB 2022, and QED, PVLDB 2024, section 5.)  Terms that do not pair one to one
are compared as sums: over common variables, every row is contributed as often by one side as by the other.

Whether two sides sort their rows alike: the keys may differ as long as any two rows compare the same.

Terms that do not pair one to one, compared as sums over common variables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

from equiv.algebra import terms as t
from equiv.algebra.correspondences import correspondences, outline, without_sites
from equiv.algebra.translate.comparison import before
from equiv.algebra.world import Alike
from equiv.graphs import grouped_by
from equiv.proof.match import atoms as match_atoms
from equiv.proof.match import sets as match_sets
from equiv.proof.match.matching import (
    BY_VALUE,
    IDENTICAL,
    CellEquality,
    Matching,
    MatchingScope,
    Pairing,
    identical,
    not_distinct,
    plain_assumption,
    shared_and_rest,
)

MAX_TRIED = 8
"""How many correspondences of two terms, best first, are put to the prover."""


def same_bag(
    m: Matching,
    left: t.Bag,
    right: t.Bag,
    here: MatchingScope,
    same: CellEquality = BY_VALUE,
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


def _same_groups(
    m: Matching, left: t.Bag, right: t.Bag, here: MatchingScope, same: CellEquality
) -> list[Pairing] | None:
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


def _is_empty(m: Matching, term: t.Term, here: MatchingScope) -> bool:
    """Whether a term contributes no row, since its condition is never true."""
    return m.proves(t.FALSE, here.within(term.bindings).knowing(term.conjuncts))


def _onto(left: t.Term, right: t.Term) -> t.Term:
    """The right one of two terms that are equal up to names, over the variables of the left one."""
    names = {b.row: a.row for a, b in zip(left.bindings, right.bindings, strict=True)}
    return t.renamed(right, names)


def _by_sources(bag: t.Bag) -> dict[tuple[str, ...], list[t.Term]]:
    return grouped_by(lambda term: tuple(sorted(outline(b.source) for b in term.bindings)), bag.terms)


def _same_sum(
    m: Matching,
    left: list[t.Term],
    right: list[t.Term],
    here: MatchingScope,
    same: CellEquality,
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
    if same.width is None and _balance(m, open_left, open_right, here, same):
        return pairings
    return None


def _same_term(
    m: Matching,
    left: t.Term,
    right: t.Term,
    here: MatchingScope,
    same: CellEquality,
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


def _closed(term: t.Term) -> t.Term:
    """A term over distinct rows of one term with its condition moved in among what makes these rows.

    *Sound*: whether a row counts is said by its values alone, and equal rows count alike.
    """
    match term:
        case t.Term((t.Binding(row, t.Squash(t.Bag((inner,)))),), condition, outputs) if t.conjuncts(
            condition
        ):
            moved = t.substitute(condition, lambda f: inner.outputs[int(f.column)] if f.row == row else f)
            bag = t.Bag((t.Term(inner.bindings, t.conjunction([inner.condition, moved]), inner.outputs),))
            return t.Term((t.Binding(row, t.Squash(bag)),), t.TRUE, outputs)
    return term


def _agreeing(
    m: Matching, left: t.Term, right: t.Term, here: MatchingScope, same: CellEquality
) -> t.Term | None:
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
    aligned = t.Term(right.bindings, aligned_parts[0], tuple(aligned_parts[1:]))
    if _claims_hold(m, left, aligned, inner.relying_on(relations), same):
        return aligned
    further = match_atoms.further_relations(m, (*mine, aligned.condition, *aligned.outputs), assumed)
    if not set(further) - set(relations):
        return None
    known = inner.relying_on((*relations, *further))
    return aligned if _claims_hold(m, left, aligned, known, same) else None


def _claims_hold(m: Matching, left: t.Term, right: t.Term, here: MatchingScope, same: CellEquality) -> bool:
    """Whether two terms over the same variables have equivalent conditions and, under them, equal outputs."""
    common, mine, theirs = shared_and_rest(left.condition, right.condition)
    claims = same.claims(left.outputs, right.outputs)
    goals: list[t.Expression] = []
    if mine != theirs:
        # FALSE and NULL both drop a row: conditions need agree only in whether they are true.
        goals.append(t.Compare("IS", t.IsTrue(mine), t.IsTrue(theirs)))
    if claims:
        # Outputs need agree only on rows that the condition keeps.
        goals.append(t.Or((t.Not(t.IsTrue(mine)), t.conjunction([t.IsTrue(part) for part in claims]))))
    if not goals:
        return True
    goal, place = t.conjunction(goals), here.knowing(common)
    behind = match_sets.with_rows_behind(m, common, place)
    return m.proves(goal, place) or (behind is not place and m.proves(goal, behind))


def same_source(m: Matching, left: t.Source, right: t.Source, here: MatchingScope) -> bool:
    """Whether two sources hold the same rows equally often, or make the same choice."""
    if without_sites(left) == without_sites(right):
        return m.pair_sites(left, right)
    match left, right:
        case t.Squash(mine), t.Squash(theirs):
            return match_sets.same_set(m, mine, theirs, here, IDENTICAL)
        case t.Limited(), t.Limited():
            return same_choice(m, left, right, here)
        case t.Numbered(), t.Numbered() if (left.visible, left.partition) == (right.visible, right.partition):
            return _same_ordered(m, left, right, here)
    return False


@dataclass(frozen=True, slots=True)
class Keyed:
    """A bag whose last outputs are sort keys, with the direction of each."""

    bag: t.Bag
    directions: tuple[t.Direction, ...]


def same_ordered(
    m: Matching,
    left: Keyed,
    right: Keyed,
    visible: int,
    here: MatchingScope,
    *,
    exactly: bool = False,
) -> list[Pairing] | None:
    """Pairings that show two bags equal in their ``visible`` outputs and in how they sort, or None."""
    before = dict(m.paired)
    claim = identical if exactly else not_distinct
    if left.directions == right.directions:
        pairings = same_bag(m, left.bag, right.bag, here, CellEquality(claim))
        if pairings is not None:
            return pairings
        m.paired = before
    pairings = same_bag(m, left.bag, right.bag, here, CellEquality(claim, visible))
    if pairings is not None and len(pairings) == len(left.bag.terms):
        directions = left.directions, right.directions
        if _same_order(m, pairings, visible, directions, here, alike=claim):
            return pairings
    m.paired = before
    return None


def same_choice(m: Matching, left: t.Limited, right: t.Limited, here: MatchingScope) -> bool:
    """Whether two top-n operators have the same possible results."""
    if (left.visible, left.limit, left.offset) != (right.visible, right.limit, right.offset):
        return False
    return _same_ordered(m, left, right, here)


def _same_ordered(
    m: Matching, left: t.Limited | t.Numbered, right: t.Limited | t.Numbered, here: MatchingScope
) -> bool:
    """Whether two ordered bags hold the same rows in the same orders; each site has one partner only."""
    is_choice = left.site and right.site
    # Two choices of one side must not pair with one of the other: they may fall differently.
    partner = m.paired.get(right.site)
    if is_choice and partner != left.site and (partner is not None or left.site in m.paired.values()):
        return False
    sides = Keyed(left.bag, left.directions), Keyed(right.bag, right.directions)
    visible = left.visible + (left.partition if isinstance(left, t.Numbered) else 0)
    if same_ordered(m, *sides, visible, here, exactly=True) is None:
        return False
    if is_choice:
        m.paired[right.site] = left.site
    return True


_Alike = Callable[[t.Expression, t.Expression], t.Expression]
"""The claim that two values look alike."""


def _same_order(
    m: Matching,
    pairings: Sequence[Pairing],
    visible: int,
    directions: tuple[Sequence[t.Direction], Sequence[t.Direction]],
    here: MatchingScope,
    *,
    alike: _Alike = not_distinct,
) -> bool:
    """Whether both sides sort any two rows alike, one before, level with or after the other, if they differ.

    Rows that look alike may stand in different orders: exchanged within a sequence that one side allows, they
    make one that the other allows, and the sequence looks the same.

    Args:
        m: the matching.
        pairings: terms of one side and the equal ones of the other, with the keys as last outputs.
        visible: how many outputs stand before the keys.
        directions: those of either side.
        here: what is known around.
        alike: what makes two values look alike.
    """
    return all(
        _sorts_alike(m, (first, second), visible, directions, here, alike=alike)
        for first in pairings
        for second in pairings
    )


def _sorts_alike(
    m: Matching,
    pair: tuple[Pairing, Pairing],
    visible: int,
    directions: tuple[Sequence[t.Direction], Sequence[t.Direction]],
    here: MatchingScope,
    *,
    alike: _Alike,
) -> bool:
    first, second = pair
    outputs = (*second.left.outputs, *second.right.outputs)
    copy = m.world.names.copy_of(t.Term(second.left.bindings, second.left.condition, outputs))
    place = here.within((*first.left.bindings, *copy.bindings)).knowing(
        [*first.left.conjuncts, *copy.conjuncts]
    )
    width = len(second.left.outputs)
    mine = before(first.left.outputs[visible:], copy.outputs[visible:width], directions[0])
    theirs = before(first.right.outputs[visible:], copy.outputs[width + visible :], directions[1])
    level = t.Compare("IS", t.IsTrue(mine), t.IsTrue(theirs))
    if m.proves(level, place):
        return True
    visible_outputs = zip(first.left.outputs[:visible], copy.outputs[:visible], strict=True)
    return m.proves(
        t.Or((t.conjunction([alike(left, right) for left, right in visible_outputs]), level)), place
    )


def _balance(
    m: Matching,
    left: list[t.Term],
    right: list[t.Term],
    here: MatchingScope,
    same: CellEquality,
) -> bool:
    """Whether the terms of both sides, over common variables, contribute every row equally often.

    For rows of the variables and any target row, the number of terms on the left that are true there and
    put out the target must be that on the right.  (QED's complete fragment, for one ordering.)
    """
    # Copies of a choice in several terms may fall differently, so that sums do not balance.
    if not left or any(
        isinstance(n, t.Limited | t.Numbered) for each in (*left, *right) for n in t.walk(each)
    ):
        return False
    first = left[0]
    others = []
    for term in (*left[1:], *right):
        candidate = next(correspondences(first, term), None)
        if candidate is None:
            return False
        sources = {b.row: b.source for b in candidate.bindings}
        if not all(same_source(m, b.source, sources[b.row], here) for b in first.bindings):
            return False
        others.append(candidate)
    width = range(len(first.outputs))
    targets = [t.Apply("TARGET", (t.integer(number),)) for number in width]

    def occurs(condition: t.Expression, outputs: Sequence[t.Expression]) -> t.Expression:
        hits = [same.claim(output, target) for output, target in zip(outputs, targets, strict=True)]
        return t.Case(((t.conjunction([t.IsTrue(condition), *hits]), t.TRUE),), t.FALSE)

    inner = here.within(first.bindings)
    mine = [first, *others[: len(left) - 1]]
    theirs = others[len(left) - 1 :]
    expressions = [e for term in mine for e in (term.condition, *term.outputs)]
    wanted = [e for term in theirs for e in (term.condition, *term.outputs)]
    aligned, relations = match_atoms.align(m, expressions, wanted, inner)
    step = len(first.outputs) + 1
    aligned_terms = [aligned[n : n + step] for n in range(0, len(aligned), step)]
    sides = [
        [occurs(each.condition, each.outputs) for each in mine],
        [occurs(parts[0], parts[1:]) for parts in aligned_terms],
    ]
    totals = (t.chained("+", (t.integer(0), *side)) or t.integer(0) for side in sides)
    return m.proves(not_distinct(*totals), inner.relying_on(relations))
