"""Aggregates by a few primitives: exact sums, least and greatest values, existence.

COUNT, SUM, TOTAL and AVG become sums (:mod:`equiv.proof.rewrites.sums.linear`) and a CASE for where no
argument is there; MIN and MAX, and a first row in the order of its value, are brought into one form
(:mod:`equiv.proof.rewrites.sums.extreme`).  Where storage classes or facts do not carry a step, the aggregate
stays, and can still be compared with its like.  Results: https://sqlite.org/lang_aggfunc.html.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from equiv.algebra.terms import (
    FALSE,
    NULL,
    TRUE,
    Aggregate,
    Apply,
    Bag,
    Case,
    Compare,
    Expression,
    First,
    Source,
    Variable,
    integer,
)
from equiv.algebra.world import World
from equiv.proof.rewrites.sums.arguments import as_numbers, by_class, by_value
from equiv.proof.rewrites.sums.counts import counted
from equiv.proof.rewrites.sums.existence import existence
from equiv.proof.rewrites.sums.extreme import extreme, first, when
from equiv.proof.rewrites.sums.linear import linear
from equiv.proof.rewrites.sums.present import with_present
from equiv.proof.rewrites.sums.scope import Scope


def normal_aggregate(aggregate: Aggregate, world: World, sources: Mapping[Variable, Source]) -> Expression:
    """The aggregate by primitives.

    Args:
        aggregate: its bag is in normal form.
        world: facts that are relied on are recorded there.
        sources: what the free variables range over.

    Returns:
        A value of the same storage class for every choice of rows; as it was, where nothing can be said.
    """
    scope = Scope(world, sources)
    match aggregate:
        case Aggregate("MIN" | "MAX" as function, bag):
            return extreme(function, bag, scope)
        case Aggregate("COUNT", bag):
            return _count(bag, scope)
        case Aggregate("SUM", bag):
            return _sum(aggregate, bag, scope)
        case Aggregate("TOTAL" | "AVG", bag):
            return _real_sum(aggregate, bag, scope)
        case Aggregate("LINEAR", bag, whole):
            can = scope.adds_whole() if whole else scope.adds_exactly()
            return linear(bag, scope, whole=whole) if can else aggregate
    return aggregate


def normal_first(found: First, world: World, sources: Mapping[Variable, Source]) -> Expression:
    """A scalar subquery that picks the least or greatest value by MIN or MAX; others as they are.

    ``ORDER BY x DESC LIMIT 1`` gives MAX(x); ascending, a NULL comes first if there is one.

    Args:
        found: the bag is in normal form.
        world: facts that are relied on are recorded there.
        sources: what the free variables range over.
    """
    return first(found, Scope(world, sources))


def normal_number(node: Apply | Compare, world: World, sources: Mapping[Variable, Source]) -> Expression:
    """Arithmetic with a REAL, or a comparison, with each SUM in it as the exact sum that it is.

    Where a count is compared with a literal, that may become a condition on what exists.

    Whether a SUM of integers and reals, or of text, is an integer or a REAL depends on the rows; where only
    its value counts, it is the sum of its arguments as numbers.

    Args:
        node: its operands are in normal form.
        world: facts that are relied on are recorded there.
        sources: what the free variables range over.
    """
    scope = Scope(world, sources)
    match node:
        case Compare(operator, left, right):
            return counted(Compare(operator, by_value(left, scope), by_value(right, scope)), scope)
        case Apply("+" | "-" | "*" | "/", (left, right)) if scope.is_real(left) or scope.is_real(right):
            return replace(node, arguments=(by_value(left, scope), by_value(right, scope)))
    return node


def _ones(bag: Bag, scope: Scope) -> Bag:
    """One row of 1 for each row whose first output is not NULL."""
    return Bag(tuple(replace(term, outputs=(integer(1),)) for term in with_present(bag, scope).terms))


def _count(bag: Bag, scope: Scope) -> Expression:
    ones = _ones(bag, scope)
    if scope.adds_whole():
        return linear(ones, scope, whole=True)
    return Aggregate("LINEAR", ones, whole=True)


def _sum(aggregate: Aggregate, bag: Bag, scope: Scope) -> Expression:
    """SUM: an integer if all arguments are, else a REAL."""
    counted = with_present(bag, scope)
    parts = by_class(counted, scope)
    if parts is None:
        return replace(aggregate, bag=counted)
    wholes, reals = parts
    if not (scope.adds_exactly() if reals.terms else scope.adds_whole()):
        return aggregate
    some_real = existence(reals.terms, scope)
    some = existence(counted.terms, scope)
    if some_real == FALSE:
        return when(some, linear(wholes, scope, whole=True))
    total = linear(bag, scope, whole=False)
    if not wholes.terms or some_real == TRUE:
        return when(some_real, total)
    branches = ((some_real, total), (some, linear(wholes, scope, whole=True)))
    return Case(branches, NULL)


def _real_sum(aggregate: Aggregate, bag: Bag, scope: Scope) -> Expression:
    if not scope.adds_exactly():
        return aggregate
    total = linear(as_numbers(bag, scope), scope, whole=False)
    if aggregate.function == "TOTAL":
        return total
    some = existence(with_present(bag, scope).terms, scope)
    return when(some, Apply("/", (total, _count(bag, scope))))
