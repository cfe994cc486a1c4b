"""Sources that are no more than the bag inside them, and scalar subqueries of at most one row."""

from __future__ import annotations

from itertools import combinations

from equiv.algebra.claims import Claim
from equiv.algebra.terms import (
    FALSE,
    NULL,
    Bag,
    Binding,
    Case,
    Constant,
    Direction,
    Exists,
    Expression,
    Field,
    First,
    Limited,
    Numbered,
    Scan,
    Squash,
    Term,
    Variable,
    conjunction,
    conjuncts,
    free,
    sites,
    substitute,
    walk,
)
from equiv.proof.rewrites.expressions import conditions, value
from equiv.proof.rewrites.scope import Scope

MAX_TERMS = 16
"""How many terms one bag may have before no more are made by distribution."""


def inlined(term: Term, scope: Scope, *, distinct: bool) -> list[Term] | None:
    """The terms that a term becomes when one of its sources is written out; None if there is none to write.

    Args:
        term: a term of a bag.
        scope: what is around the term.
        distinct: whether it counts only which rows there are, not how often.
    """
    for place, binding in enumerate(term.bindings):
        around = scope.within(term.bindings[:place])
        bag = _plain_bag(term, binding, around, distinct=distinct)
        if bag is not None and len(bag.terms) <= MAX_TERMS:
            made = [_written_out(term, place, inner, scope) for inner in bag.terms]
            return made if len(made) < 2 else [scope.world.names.copy_of(each) for each in made]
    return None


def _plain_bag(term: Term, binding: Binding, scope: Scope, *, distinct: bool) -> Bag | None:
    """The bag whose rows a variable ranges over, as often as it ranges over them where that matters."""
    source = binding.source
    match source:
        case Scan():
            return None
        case Squash(bag):
            harmless = distinct and (is_definite(bag, scope) or not _is_read(term, binding.row, None))
            return bag if harmless or not bag.terms else None
        case Limited(bag, visible, _, limit, offset):
            if limit == 0 or not bag.terms:
                return Bag(())
            if offset:
                return None
            if limit is None or at_most_one(bag, scope):
                return bag
            if len(bag.terms) == 1 and limit == 1 and not depends(bag, visible):
                return Bag((Term((), Exists(hollow(bag)), bag.terms[0].outputs),))
            return bag if distinct and not _is_read(term, binding.row, None) else None
        case Numbered(bag, visible):
            return bag if not bag.terms or not _is_read(term, binding.row, visible) else None


def is_definite(bag: Bag, scope: Scope) -> bool:
    """Whether rows of a bag that are equal are identical, so that DISTINCT has no choice."""
    row = Variable(0)
    inside = scope.within((Binding(row, Squash(bag)),))
    width = len(bag.terms[0].outputs) if bag.terms else 0
    return not sites(bag) and all(inside.is_one_value(Field(row, place)) for place in range(width))


def _is_read(term: Term, row: Variable, column: int | None) -> bool:
    fields = (node for node in walk(term) if isinstance(node, Field) and node.row == row)
    return any(column is None or field.column == column for field in fields)


def _written_out(term: Term, place: int, inner: Term, scope: Scope) -> Term:
    row = term.bindings[place].row

    def each(field: Field) -> Expression:
        if field.row != row:
            return field
        assert isinstance(field.column, int)
        return scope.world.names.copy_of(inner.outputs[field.column])

    later = tuple(substitute(binding, each) for binding in term.bindings[place + 1 :])
    condition = conjunction([*conjuncts(inner.condition), substitute(term.condition, each)])
    outputs = tuple(substitute(output, each) for output in term.outputs)
    return Term((*term.bindings[:place], *inner.bindings, *later), condition, outputs)


def depends(bag: Bag, visible: int) -> bool:
    """Whether the visible columns of a bag's rows depend on its own variables."""
    return any(
        free(output) & {binding.row for binding in term.bindings}
        for term in bag.terms
        for output in term.outputs[:visible]
    )


def hollow(bag: Bag) -> Bag:
    """The bag without outputs, as EXISTS needs none."""
    return Bag(tuple(Term(term.bindings, term.condition, ()) for term in bag.terms))


def at_most_one(bag: Bag, scope: Scope) -> bool:
    """Whether a bag surely has at most one row."""
    if any(term.bindings for term in bag.terms):
        return False
    return all(are_exclusive((), one, two, scope) for one, two in combinations(bag.terms, 2))


def are_exclusive(bindings: tuple[Binding, ...], one: Term, two: Term, scope: Scope) -> bool:
    """Whether two conditions over the same bindings are never true together."""
    parts = (*conjuncts(one.condition), *conjuncts(two.condition))
    inside = scope.within(bindings)
    if conditions(parts, inside) == FALSE:
        return True
    return scope.prover.proves(Claim(inside.rows, (*scope.given, *parts), FALSE))


def first_value(node: First, scope: Scope) -> Expression:
    """A scalar subquery over a normal bag: a CASE if at most one row is there to be had."""
    rows = node.rows
    if rows.limit == 0 or not rows.bag.terms:
        return NULL
    if at_most_one(rows.bag, scope):
        if rows.offset:
            return NULL
        branches = tuple((term.condition, term.outputs[0]) for term in rows.bag.terms)
        return value(Case(branches, NULL), scope)
    if len(rows.bag.terms) == 1 and not rows.offset and not depends(rows.bag, 1):
        return value(Case(((Exists(hollow(rows.bag)), rows.bag.terms[0].outputs[0]),), NULL), scope)
    terms = tuple(
        Term(term.bindings, term.condition, (term.outputs[0], *term.outputs[rows.visible :]))
        for term in rows.bag.terms
    )
    return First(Limited(Bag(terms), 1, rows.directions, 1, rows.offset, rows.site))


def with_telling_keys(
    bag: Bag, visible: int, directions: tuple[Direction, ...]
) -> tuple[Bag, tuple[Direction, ...]]:
    """A bag and its order without keys that decide nothing: constants, and those that stand there before."""
    kept: list[int] = []
    for place in range(visible, visible + len(directions)):
        columns = [[term.outputs[n] for term in bag.terms] for n in (*kept, place)]
        constant = len(set(columns[-1])) <= 1 and all(isinstance(e, Constant) for e in columns[-1])
        if not constant and columns[-1] not in columns[:-1]:
            kept.append(place)
    if len(kept) == len(directions):
        return bag, directions
    terms = tuple(
        Term(term.bindings, term.condition, (*term.outputs[:visible], *(term.outputs[n] for n in kept)))
        for term in bag.terms
    )
    return Bag(terms), tuple(directions[n - visible] for n in kept)
