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
    IsTrue,
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

    *Sound*: by the other conditions, that row makes the condition of the EXISTS true.
    """
    kept = list(parts)
    for part in parts:
        others = [other for other in kept if other is not part]
        if isinstance(part, Exists) and not sites(part) and _is_witnessed(part, others, bindings, scope):
            kept = others
    return kept


def _is_witnessed(
    part: Exists, others: Sequence[Expression], bindings: Sequence[Binding], scope: Scope
) -> bool:
    match part.bag.terms:
        case (Term((Binding(row, Scan() as source),), condition),):
            known = {key(other) for other in others}
            rows = [binding.row for binding in bindings if binding.source == source]
            return any(
                all(
                    key(claim) in known or _is_plain(claim, scope)
                    for claim in conjuncts(renamed(condition, {row: own}))
                )
                for own in rows
            )
    return False


def _is_plain(claim: Expression, scope: Scope) -> bool:
    """Whether a claim equates a value that is not NULL with itself."""
    match claim:
        case Compare("=" | "IS", left, right) if left == right:
            return claim.operator == "IS" or scope.never_null(left)
    return False
