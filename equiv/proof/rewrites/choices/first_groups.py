"""The first group by an extreme value, as the group of the first row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from equiv.algebra.correspondences import without_sites
from equiv.algebra.kinds import never_null
from equiv.algebra.terms import (
    Aggregate,
    Bag,
    Binding,
    Compare,
    Exists,
    Expression,
    Field,
    IsNull,
    Limited,
    Node,
    Not,
    Source,
    Squash,
    Term,
    Variable,
    alpha,
    conjunction,
    conjuncts,
    free,
    map_children,
    renamed,
    sites,
    substitute,
)
from equiv.algebra.world import World
from equiv.proof.rewrite import Surroundings, rewrite


@dataclass(frozen=True, slots=True)
class FirstGroup:
    """A choice of the first group by the MIN or MAX of its rows, and the pairs of a group and a row of it."""

    shown: Limited
    pairs: Term


def first_groups(rows: Limited, world: World) -> Iterator[FirstGroup]:
    """The ways to read a choice so."""
    match rows:
        case Limited(Bag((term,)), _, (direction,), 1, 0) if isinstance(term.outputs[-1], Aggregate):
            extreme = term.outputs[-1]
        case _:
            return
    wanted = "MAX" if direction.descending else "MIN"
    if extreme.function != wanted or direction.nulls_first is direction.descending:
        return
    pairs = _grouped(term, extreme, world) or _owned(term, extreme)
    if pairs is None:
        return
    own = {binding.row for binding in pairs.bindings}
    if not any(sites(output) or free(output) & bound_in(term) - own for output in pairs.outputs):
        yield FirstGroup(rows, pairs)


def no_null_comes_first(at: FirstGroup, scope: Surroundings) -> bool:
    """The order is descending, or the values are never NULL."""
    sources = {binding.row: binding.source for binding in at.pairs.bindings}
    return at.shown.directions[0].descending or never_null(at.pairs.outputs[-1], scope.world, sources)


@rewrite(on=Limited, keeps="answers", needs=(no_null_comes_first,))
def convert_first_group_to_first_row(at: FirstGroup, scope: Surroundings) -> Limited | None:
    """Take the group of the first row for the first group by its extreme value.

    Before:  Σ g ∈ distinct(Σ t ∈ a → (t.x)) → (g.#1) | MAX{Σ t ∈ a [t.x is g.#1] → (t.y)} descending; row 1
    After:   Σ t ∈ a → (t.x) | t.y descending; row 1
    Refuse:  more keys, more than the first row; a row to which none may belong; ascending MIN unless the
             value is never NULL, because NULLs come first there
    Sound:   the rows whose MAX is greatest are those to which one with the greatest value belongs; MAX is
             NULL only if all values are, and sorts last, as such pairs do
    """
    return replace(at.shown, bag=Bag((at.pairs,)))


def bound_in(term: Term) -> set[Variable]:
    """The variables that a term itself binds."""
    return {binding.row for binding in term.bindings}


def _grouped(term: Term, extreme: Aggregate, world: World) -> Term | None:
    """Groups and their rows: the rows alone, the keys being theirs."""
    match term:
        case Term((Binding(group, Squash(Bag((inner,)))),), condition, outputs) if not conjuncts(condition):
            argument = _argument(extreme, group, inner, world)
        case _:
            return None
    if argument is None:
        return None

    def change(field: Field) -> Expression:
        return inner.outputs[int(field.column)] if field.row == group else field

    new_outputs = tuple(_with_argument(output, extreme, argument) for output in outputs)
    return Term(inner.bindings, inner.condition, tuple(substitute(output, change) for output in new_outputs))


def _owned(term: Term, extreme: Aggregate) -> Term | None:
    """A term whose condition is EXISTS of related rows, for instance of children of the row."""
    if len(extreme.bag.terms) != 1:
        return None
    inner = extreme.bag.terms[0]
    argument = inner.outputs[0]
    parts = [part for part in conjuncts(inner.condition) if part != Not(IsNull(argument))]
    some = alpha(Exists(Bag((Term(inner.bindings, conjunction(parts), ()),))))
    others = [part for part in conjuncts(term.condition) if alpha(part) != some]
    if len(others) == len(conjuncts(term.condition)):
        return None
    outputs = tuple(_with_argument(output, extreme, argument) for output in term.outputs)
    return Term((*term.bindings, *inner.bindings), conjunction([*others, *parts]), outputs)


def _with_argument(output: Expression, extreme: Aggregate, argument: Expression) -> Expression:
    own = alpha(extreme)

    def each(node: Node) -> Node:
        if isinstance(node, Aggregate) and alpha(node) == own:
            return argument
        return map_children(node, each)

    return each(output)  # type: ignore[return-value]


def _argument(extreme: Aggregate, group: Variable, inner: Term, world: World) -> Expression | None:
    """The argument of an aggregate over exactly the rows of a group, over the variables of ``inner``."""
    if len(extreme.bag.terms) != 1:
        return None
    term = extreme.bag.terms[0]
    if len(term.bindings) != len(inner.bindings):
        return None
    names = {b.row: a.row for a, b in zip(inner.bindings, term.bindings, strict=True)}
    turned = renamed(term, names)
    if [without_sites(b.source) for b in turned.bindings] != [
        without_sites(b.source) for b in inner.bindings
    ]:
        return None
    argument = turned.outputs[0]
    groups = {b.row: b.source for b in inner.bindings}
    expected = {
        *conjuncts(inner.condition),
        *(_keyed(o, group, n, world, groups) for n, o in enumerate(inner.outputs)),
    }
    conditions = {_oriented(part, group) for part in conjuncts(turned.condition)}
    if conditions - {Not(IsNull(argument))} != expected - {Not(IsNull(argument))}:
        return None
    return argument


def _keyed(
    output: Expression, group: Variable, number: int, world: World, sources: Mapping[Variable, Source]
) -> Expression:
    """The condition that a key of a row equals that of its group."""
    operator: Literal["=", "IS"] = "=" if never_null(output, world, sources) else "IS"
    return Compare(operator, output, Field(group, number))


def _oriented(part: Expression, group: Variable) -> Expression:
    """``g.k = x`` as ``x = g.k``."""
    match part:
        case Compare("IS" | "=", Field(row), right) if row == group:
            return Compare(part.operator, right, part.left)
    return part
