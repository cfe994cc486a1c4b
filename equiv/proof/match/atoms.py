"""Equality of expressions with bags inside (aggregates, subqueries), and implication between EXISTS.

The prover takes such an expression as an opaque value.  Here those of the right-hand side are replaced by
equal ones of the left-hand side, so that equal values have one name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, permutations

from equiv.algebra import terms as t
from equiv.algebra.correspondences import ATOMS, atoms, correspondences, without_sites
from equiv.algebra.world import Claim
from equiv.facts import FactKind
from equiv.proof.match import bags as match_terms
from equiv.proof.match import sets as match_sets
from equiv.proof.match.matching import BY_VALUE, IDENTICAL, Matching, MatchingScope
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.existence import existence
from equiv.proof.rewrites.sums.parts import is_plain_sum, is_row_count

MAX_INSTANCES = 4
"""How many ways to make an EXISTS true of the rows at hand are told to the prover."""

MAX_RELATIONS = 24
"""How many pairs of EXISTS are compared for an implication."""

Atom = t.Exists | t.Aggregate | t.First


def align(
    m: Matching,
    left: Sequence[t.Expression],
    right: Sequence[t.Expression],
    here: MatchingScope,
) -> tuple[list[t.Expression], list[t.Expression]]:
    """The right-hand expressions over the left-hand ones' atoms as far as they are equal here.

    Returns:
        The right-hand expressions, and implications between the atoms that stay apart, true here.
    """
    mine = _atoms_of(left)
    theirs = _atoms_of(right)
    known = {t.alpha(atom) for atom in mine}
    names: dict[t.Node, t.Expression] = {}
    for atom in theirs:
        if t.alpha(atom) in known and not t.sites(atom):
            continue
        partner = next((a for a in mine if same_atom(m, a, atom, here)), None)
        if partner is not None:
            names[t.alpha(atom)] = partner
    taken = {t.alpha(atom) for atom in names.values()}
    open_left = [
        a for a in mine if t.alpha(a) not in taken and t.alpha(a) not in {t.alpha(b) for b in theirs}
    ]
    open_right = [b for b in theirs if t.alpha(b) not in known and t.alpha(b) not in names]
    relations = _relations(m, (mine, [*mine, *open_right]), (open_left, open_right), here)
    for lemma in relations:
        m.world.state("lemma", Claim(here.rows, here.given, lemma))
    return [_replaced(each, names) for each in right], relations


def _atoms_of(expressions: Sequence[t.Expression]) -> list[Atom]:
    found = {t.alpha(atom): atom for each in expressions for atom in atoms(each)}
    return list(found.values())


def _replaced(expression: t.Expression, names: dict[t.Node, t.Expression]) -> t.Expression:
    def each(node: t.Node) -> t.Node:
        if isinstance(node, ATOMS):
            return names.get(t.alpha(node), node)
        return t.map_children(node, each)

    return each(expression)  # type: ignore[return-value]


def _relations(
    m: Matching,
    atoms_at_hand: tuple[Sequence[Atom], Sequence[Atom]],
    unmatched: tuple[Sequence[Atom], Sequence[Atom]],
    here: MatchingScope,
) -> list[t.Expression]:
    """Lemmas about atoms without a partner: implications between EXISTS, bounds of counts.

    Args:
        m: the matching.
        atoms_at_hand: the left-hand atoms, and all atoms after replacement.
        unmatched: those of either side without a partner.
        here: what is known around.
    """
    every = atoms_at_hand[1]
    if not any(unmatched):
        return _empties(m, every, here) if len(every) > 1 else []
    lemmas = [lemma for side in unmatched for atom in side for lemma in _instances(m, atom, here)]
    lemmas += [*_implications(m, every, unmatched, here), *_counts(every), *_empties(m, every, here)]
    return [*lemmas, *_totals(m, every, unmatched, here)]


def further_relations(
    m: Matching, expressions: Sequence[t.Expression], here: MatchingScope
) -> list[t.Expression]:
    """Lemmas about all EXISTS and counts of some expressions, those that both sides share among them."""
    every = _atoms_of(expressions)
    there = [atom for atom in every if isinstance(atom, t.Exists)]
    lemmas = [lemma for atom in there for lemma in _instances(m, atom, here)]
    lemmas += [*_implications(m, there, (there, ()), here), *_positive_counts(m, every, here)]
    for lemma in lemmas:
        m.world.state("lemma", Claim(here.rows, here.given, lemma))
    return lemmas


def _positive_counts(m: Matching, every: Sequence[Atom], here: MatchingScope) -> Iterator[t.Expression]:
    """The lemma of each count that it is above 0 exactly if there is a row."""
    for atom in every:
        if is_row_count(atom) and not t.sites(atom):
            some = existence(atom.bag.terms, Scope.alone(m.world, here.rows))
            yield t.Compare("IS", t.IsTrue(some), t.Compare("<=", t.integer(1), atom))


def _instances(m: Matching, atom: Atom, here: MatchingScope) -> list[t.Expression]:
    """The lemmas that an EXISTS is true if rows in scope make its condition true."""
    if not isinstance(atom, t.Exists) or t.sites(atom):
        return []
    homs = [hom for term in atom.bag.terms for hom in match_sets.homomorphisms(m, term, here)]
    return [t.Or((t.Not(t.IsTrue(hom.condition)), atom)) for hom in homs[:MAX_INSTANCES]]


def _implications(
    m: Matching, every: Sequence[Atom], unmatched: tuple[Sequence[Atom], Sequence[Atom]], here: MatchingScope
) -> list[t.Expression]:
    """The lemmas between EXISTS without a partner and the other EXISTS."""
    open_ = [atom for side in unmatched for atom in side if isinstance(atom, t.Exists)]
    pairs = [(a, b) for b in open_[::-1] for a in every if isinstance(a, t.Exists) and a is not b]
    pairs = [pair for at, pair in enumerate(pairs) if pair[::-1] not in pairs[:at]]
    found: list[t.Expression] = []
    for a, b in pairs[:MAX_RELATIONS]:
        found += [
            t.Or((t.Not(one), other))
            for one, other in ((a, b), (b, a))
            if match_sets.included(m, one.bag, other.bag, here, None)
        ]
    return [*found, *_shared(m, every, open_, here)]


def _shared(
    m: Matching, every: Sequence[Atom], open_: Sequence[t.Exists], here: MatchingScope
) -> Iterator[t.Expression]:
    """The lemma that an EXISTS without a partner implies one of several others."""
    for one in open_[:MAX_INSTANCES]:
        others = [atom for atom in every if isinstance(atom, t.Exists) and atom is not one][:MAX_INSTANCES]
        bag = t.Bag(tuple(term for other in others for term in other.bag.terms))
        if len(others) > 1 and match_sets.included(m, one.bag, bag, here, None):
            yield t.Or((t.Not(one), *others))


def _empties(m: Matching, found: Sequence[Atom], here: MatchingScope) -> list[t.Expression]:
    """Lemmas on sums and counts over the bag of an EXISTS: 0 without a row, a count above 0 with one."""
    sums = [a for a in found if isinstance(a, t.Aggregate) and a.function == "LINEAR"]
    there = [a for a in found if isinstance(a, t.Exists)]
    pairs = [(a, b) for a in sums for b in there][:MAX_RELATIONS]
    known: list[t.Expression] = []
    for total, some in pairs:
        if match_sets.included(m, total.bag, some.bag, here, None):
            known.append(t.Or((some, t.Compare("=", total, t.integer(0)))))
        if is_row_count(total) and match_sets.included(m, some.bag, total.bag, here, None):
            known.append(t.Or((t.Not(some), t.Compare("<=", t.integer(1), total))))
    return known


def _counts(found: Sequence[Atom]) -> list[t.Expression]:
    """The lemma that a count under more conditions is at most the count under fewer."""
    counts = [atom for atom in dict.fromkeys(found) if is_row_count(atom) and len(atom.bag.terms) == 1]
    pairs = list(permutations(counts, 2))[:MAX_RELATIONS]
    return [t.Compare("<=", less, more) for less, more in pairs if _is_part(less, more)]


def _is_part(less: t.Aggregate, more: t.Aggregate) -> bool:
    wanted = {t.alpha(part) for part in more.bag.terms[0].conjuncts}
    return any(
        wanted <= {t.alpha(part) for part in candidate.conjuncts}
        for candidate in islice(correspondences(more.bag.terms[0], less.bag.terms[0]), 4)
        if [b.source for b in candidate.bindings if not isinstance(b.source, t.Scan)] == []
    )


def _totals(
    m: Matching, every: Sequence[Atom], unmatched: tuple[Sequence[Atom], Sequence[Atom]], here: MatchingScope
) -> Iterator[t.Expression]:
    """The lemma that a sum is that of sums over its rows in parts, of which each row is in exactly one."""
    open_ = {t.alpha(atom) for side in unmatched for atom in side}
    sums = [atom for atom in dict.fromkeys(every) if is_plain_sum(atom)]
    for whole in sums:
        (rows,) = whole.bag.terms
        found = [(atom, t.IsTrue(said)) for atom in sums if atom is not whole for said in _said(whole, atom)]
        ways = (way for number in (2, 3) for way in combinations(found, number))
        for way in islice(ways, MAX_RELATIONS):
            parts = [atom for atom, _ in way]
            if not any(t.alpha(atom) in open_ for atom in (whole, *parts)) or not _adds_up(m, parts):
                continue
            said = tuple(each for _, each in way)
            apart = [t.Not(t.And(two)) for two in combinations(said, 2)]
            are_all = t.Compare("IS", t.IsTrue(rows.condition), t.Or(said))
            if m.proves(t.And((are_all, *apart)), here.within(rows.bindings)):
                yield t.Compare("=", whole, t.chained("+", parts) or whole)
                break


def _adds_up(m: Matching, sums: Sequence[t.Aggregate]) -> bool:
    """Whether sums add as in mathematics; counts always do."""
    if all(map(is_row_count, sums)):
        return True
    is_exact = m.world.holds(FactKind.NO_OVERFLOW)
    return is_exact and (all(each.whole for each in sums) or m.world.holds(FactKind.EXACT_ARITHMETIC))


def _said(whole: t.Aggregate, part: t.Aggregate) -> Iterator[t.Expression]:
    """The condition of a sum, said of the rows of another, if nearly all of the other's is part of it."""
    (rows,) = whole.bag.terms
    wanted = {t.alpha(condition) for condition in rows.conjuncts}
    if whole.whole == part.whole and all(isinstance(each.source, t.Scan) for each in rows.bindings):
        for candidate in islice(correspondences(rows, part.bag.terms[0]), 4):
            left = wanted - {t.alpha(condition) for condition in candidate.conjuncts}
            if candidate.outputs == rows.outputs and len(left) < 2:
                yield candidate.condition
                return


def same_atom(m: Matching, left: Atom, right: Atom, here: MatchingScope) -> bool:
    """Whether two atoms have one value here."""
    if type(left) is not type(right):
        return False
    shapes = without_sites(left), without_sites(right)
    if shapes[0] == shapes[1]:
        return m.pair_sites(left, right)
    question = (*shapes, tuple(map(t.alpha, here.given)))
    if m.has_failed(*question):
        return False
    before = dict(m.paired)
    if _same_value(m, left, right, here):
        m.world.state("same value", Claim(here.rows, here.given, t.Compare("IS", left, right)))
        return True
    m.paired = before
    m.fail(*question)
    return False


def _same_value(m: Matching, left: Atom, right: Atom, here: MatchingScope) -> bool:
    match left, right:
        case t.Exists(mine), t.Exists(theirs):
            return match_sets.same_set(m, mine, theirs, here, None)
        case t.First(mine), t.First(theirs):
            return match_terms.same_choice(m, mine, theirs, here)
        case t.Aggregate(), t.Aggregate() if (left.function, left.whole) == (right.function, right.whole):
            return _same_aggregate(m, left, right, here)
    return False


def _same_aggregate(
    m: Matching,
    left: t.Aggregate,
    right: t.Aggregate,
    here: MatchingScope,
) -> bool:
    match left.function:
        case "GROUP_CONCAT":
            if right.site in m.paired or left.site in m.paired.values():
                return False
            if match_terms.same_bag(m, left.bag, right.bag, here, IDENTICAL) is None:
                return False
            m.paired[right.site] = left.site
            return True
        case "MIN" | "MAX":
            return match_sets.same_set(m, left.bag, right.bag, here, IDENTICAL)
        case "LINEAR" | "COUNT":
            same = BY_VALUE if left.function == "LINEAR" else IDENTICAL
            return match_terms.same_bag(m, left.bag, right.bag, here, same) is not None
    if not m.world.holds(FactKind.EXACT_ARITHMETIC):
        return False  # the sum of REALs depends on the order of the rows
    return match_terms.same_bag(m, left.bag, right.bag, here, IDENTICAL) is not None
