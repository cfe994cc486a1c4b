"""EXISTS: only whether there is a row counts, so conditions move out and parts fall apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from equiv.algebra.kinds import have_rows
from equiv.algebra.terms import (
    TRUE,
    And,
    Bag,
    Binding,
    Compare,
    Exists,
    Expression,
    IsNull,
    IsTrue,
    Not,
    Or,
    Scan,
    Term,
    Variable,
    conjunction,
    conjuncts,
    free,
    renamed,
    sites,
)
from equiv.algebra.world import World
from equiv.proof.rewrites.expressions import value
from equiv.proof.rewrites.outputs import key
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sources import MAX_TERMS


def existence(bag: Bag, scope: Scope) -> Expression:
    """EXISTS over a normal bag: of each term the conditions that are not about its rows, and its parts."""
    terms = [part for term in bag.terms for part in _without_outer_branches(term, scope.world)]
    parts = tuple(_term_exists(term, scope.world) for term in terms)
    return value(Or(parts), _opaque(scope))


def _without_outer_branches(term: Term, world: World) -> list[Term]:
    """A term over tables that are not empty, the branches of its one condition that are not about rows apart.

    *Before*: t of a table, under ``x IS NULL OR t.y = x``. *After*: no row, under ``x IS NULL``; and t of the
    table, under ``t.y = x``.
    *Sound*: where the first branch is true, any row meets the condition, and there is one.
    """
    rows = {binding.row for binding in term.bindings}
    match term.condition:
        case Or(parts):
            outer = [part for part in parts if not free(part) & rows]
            if outer and len(outer) < len(parts) and have_rows(term.bindings, world):
                inner = Or(tuple(part for part in parts if free(part) & rows))
                return [Term((), Or(tuple(outer)), ()), Term(term.bindings, inner, ())]
    return [term]


def _opaque(scope: Scope) -> Scope:
    """The scope in which nested bags stay as they are."""
    return Scope(scope.world, scope.prover, _as_is, scope.rows, scope.known, scope.given)


def _as_is(node: Expression, scope: Scope) -> Expression:
    del scope
    return node


def _term_exists(term: Term, world: World) -> Expression:
    parts = conjuncts(term.condition)
    rows = {binding.row for binding in term.bindings}
    outside = [IsTrue(part) for part in parts if not free(part) & rows]
    inside = [part for part in parts if free(part) & rows]
    return And((*outside, *semi_joins(term.bindings, inside, world)))


def semi_joins(bindings: Sequence[Binding], parts: Sequence[Expression], world: World) -> list[Exists]:
    """One EXISTS for each set of variables that conditions or sources connect, if it says anything.

    *Sound*: any row of a table that is not empty will do where nothing is asked of it.
    """
    rows = {binding.row for binding in bindings}
    links = [free(part) & rows for part in parts]
    links += [(free(binding.source) & rows) | {binding.row} for binding in bindings]
    found = []
    for group in _connected(links):
        own = tuple(binding for binding in bindings if binding.row in group)
        condition = conjunction(part for part in parts if free(part) & group)
        if condition == TRUE and have_rows(own, world):
            continue
        found.append(Exists(Bag((Term(own, condition, ()),))))
    return found


def _connected(links: Iterable[frozenset[Variable]]) -> list[frozenset[Variable]]:
    groups: list[frozenset[Variable]] = []
    for link in links:
        touching = [group for group in groups if group & link]
        groups = [group for group in groups if not group & link]
        groups.append(link.union(*touching))
    return groups


def with_semi_joins(term: Term, world: World) -> Term:
    """A term of which duplicates do not count, its variables that no output needs within EXISTS."""
    needed = set().union(*(free(output) for output in term.outputs)) if term.outputs else set()
    for binding in reversed(term.bindings):
        if binding.row in needed:
            needed |= free(binding.source)
    rest = [binding for binding in term.bindings if binding.row not in needed]
    rows = {binding.row for binding in rest}
    parts = conjuncts(term.condition)
    own = [part for part in parts if not free(part) & rows]
    below = semi_joins(rest, [part for part in parts if free(part) & rows], world)
    kept = tuple(binding for binding in term.bindings if binding.row in needed)
    return Term(kept, conjunction([*own, *below]), term.outputs)


def without_semi_joins(term: Term, scope: Scope) -> list[Term] | None:
    """A term of which duplicates do not count, ranging over an EXISTS's rows itself; None if it has none."""
    parts = conjuncts(term.condition)
    for part in parts:
        if isinstance(part, Exists) and len(part.bag.terms) <= MAX_TERMS:
            rest = [other for other in parts if other is not part]
            made = [
                Term(
                    (*term.bindings, *inner.bindings),
                    conjunction([*rest, *conjuncts(inner.condition)]),
                    term.outputs,
                )
                for inner in (scope.world.names.copy_of(inner) for inner in part.bag.terms)
            ]
            return made[:1] + [scope.world.names.copy_of(each) for each in made[1:]]
    return None


def without_witnessed(
    parts: Sequence[Expression], bindings: Sequence[Binding], scope: Scope
) -> list[Expression]:
    """Conditions less each EXISTS that a row of the term's own variables bears out.

    Before:  ``t [∃ u ∈ t [u.a = t.a]]``
    After:   ``t [not t.a is NULL]``
    Refuse:  ``t [∃ u ∈ t [u.a = t.a and u.b = 1]]``: t itself may have another b
    Sound:   by the other conditions, that row makes the condition of the EXISTS true, if what it is to equal
             is not NULL, which the EXISTS says of a value that is not of its own row

    What the EXISTS itself says must not help to drop it: ``scope`` is what is around the term.
    """
    kept = list(parts)
    for part in parts:
        if isinstance(part, Exists) and not sites(part):
            others = [other for other in kept if other is not part]
            said = _said_of_witness(part, others, bindings, scope.within(bindings, others))
            if said is not None:
                kept = [*others, *(each for each in said if each not in others)]
    return kept


def _said_of_witness(
    part: Exists, others: Sequence[Expression], bindings: Sequence[Binding], scope: Scope
) -> list[Expression] | None:
    """What remains to be said where a row at hand is one that the EXISTS asks for; None if none is."""
    match part.bag.terms:
        case (Term((Binding(row, Scan() as source),), condition),):
            known = {key(other) for other in others}
            for own in (binding.row for binding in bindings if binding.source == source):
                said = [_said(claim, row, own, known, scope) for claim in conjuncts(condition)]
                if None not in said:
                    return [each for each in said if each is not None and each != TRUE]
    return None


def _said(
    claim: Expression, row: Variable, own: Variable, known: set[Expression], scope: Scope
) -> Expression | None:
    """What a claim about a row says where the row is an own one; None if it says something new of that."""
    placed = renamed(claim, {row: own})
    if key(placed) in known:
        return TRUE
    match placed:
        case Compare("=" | "IS", left, right) if left == right and isinstance(claim, Compare):
            if claim.operator == "IS" or scope.never_null(left):
                return TRUE
            return Not(IsNull(left)) if left in (claim.left, claim.right) else None
    return None
