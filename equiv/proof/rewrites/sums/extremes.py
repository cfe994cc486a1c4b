"""These rewrites simplify MIN and MAX, to which NULLs and multiplicity make no difference.

The first row of a bag sorted by its value is its MIN or MAX.  Over the rows up to an outer row that is one
of them, the bound makes no difference to MAX.  :mod:`equiv.proof.rewrites.scalars.extremes` simplifies
conditions on a MIN or MAX.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from equiv.algebra import terms as t
from equiv.algebra.kinds import not_null_if
from equiv.algebra.scalar_functions import STRICT, number_of
from equiv.core.functions.traits import NUMBERS, StorageClass
from equiv.proof.rewrite import PlaceIn, rewrite
from equiv.proof.rewrites.scope import GivenRows, Scope, tidied
from equiv.proof.rewrites.sums.existence import MAX_BINDINGS, existence, unfolded
from equiv.proof.rewrites.sums.groups import push_outer_value_into_distinct, with_outer_values
from equiv.proof.rewrites.sums.products import branches, present

ExtremeFunction = Literal["MIN", "MAX"]


def extreme(function: ExtremeFunction, bag: t.Bag, scope: Scope) -> t.Expression:
    """The least or greatest first output of a bag that is not NULL; NULL if there is none."""
    by_term: dict[t.Term, t.Term] = {}
    for rows in _rows(function, bag, scope):
        for each in unfolded(rows, scope):
            narrow = with_outer_values(push_outer_value_into_distinct.until_done(each, scope), scope)
            conditions = tidied(narrow.conjuncts, scope.within(narrow.bindings))
            if t.FALSE not in conditions:
                term = scope.world.names.copy_of(
                    t.Term(narrow.bindings, t.conjunction(conditions), narrow.outputs)
                )
                by_term.setdefault(t.alpha(term), term)
    terms = tuple(by_term.values())
    if not terms:
        return t.NULL
    return _by_constants(function, terms, scope) or _of_terms(function, terms, scope)


def is_ambiguous(bag: t.Bag, scope: Scope) -> bool:
    """Whether a bag may hold both 1 and 1.0, so that MIN or MAX may return either."""
    arguments = [(scope.within(term.bindings), term.outputs[0]) for term in bag.terms]
    found = [inner.kinds(value) for inner, value in arguments]
    if frozenset[StorageClass]().union(*found) >= NUMBERS:
        return True
    for (inner, value), kinds in zip(arguments, found, strict=True):
        inner.within_kinds(value, kinds)
    return False


def _rows(function: ExtremeFunction, bag: t.Bag, scope: Scope) -> Iterator[t.Term]:
    """The rows with an argument, an extreme of an extreme made one."""
    for term in bag.terms:
        for when, value in branches(term.outputs[0]):
            conditions = (*term.conjuncts, *when)
            if isinstance(value, t.Aggregate) and value.function == function and _fits(term, value.bag):
                inner = scope.world.names.copy_of(value.bag)
                joined = tuple(
                    t.Term(
                        (*term.bindings, *each.bindings),
                        t.conjunction([*conditions, each.condition]),
                        each.outputs,
                    )
                    for each in inner.terms
                )
                yield from _rows(function, t.Bag(joined), scope)
            else:
                # MIN and MAX skip NULL arguments, also where NULL sorts first.
                sure = present(value, scope.within(term.bindings))
                yield t.Term(term.bindings, t.conjunction((*conditions, sure)), (value,))


def _fits(term: t.Term, bag: t.Bag) -> bool:
    return all(len(term.bindings) + len(each.bindings) <= MAX_BINDINGS for each in bag.terms)


def _of_terms(function: ExtremeFunction, terms: tuple[t.Term, ...], scope: Scope) -> t.Expression:
    term = terms[0]
    own = {binding.row for each in terms for binding in each.bindings}
    if not t.mentions(term.outputs[0], own) and all(each.outputs == term.outputs for each in terms):
        return when(existence(terms, scope), term.outputs[0])
    if len(terms) > 1:
        return t.Aggregate(function, t.Bag(terms))
    parts = term.conjuncts
    guard = t.conjunction(part for part in parts if not t.mentions(part, own))
    inner = term.where(part for part in parts if t.mentions(part, own))
    return when(guard, t.Aggregate(function, t.Bag((inner,))))


def when(condition: t.Expression, value: t.Expression) -> t.Expression:
    """A value if a condition is true, else NULL."""
    if condition == t.TRUE or value == t.NULL:
        return value
    return t.NULL if condition == t.FALSE else t.Case(((condition, value),), t.NULL)


def _by_constants(function: ExtremeFunction, terms: tuple[t.Term, ...], scope: Scope) -> t.Expression | None:
    """The extreme of literals: the outermost one that some row has."""
    groups: dict[t.Expression, list[t.Term]] = {}
    for term in terms:
        groups.setdefault(term.outputs[0], []).append(term)
    if len(groups) < 2 or any(number_of(value) is None for value in groups):
        return None
    order = sorted(groups, key=lambda value: number_of(value) or 0, reverse=function == "MAX")
    return t.Case(tuple((existence(groups[value], scope), value) for value in order), t.NULL)


def sorted_keys(found: t.First) -> t.Bag | None:
    """A sorted bag with its first key as output, if the value selected is that key or a function of it."""
    rows = found.rows
    if rows.limit == 0 or rows.offset or not rows.directions:
        return None
    keys = [term.outputs[rows.visible] for term in rows.bag.terms]
    pairs = list(zip(rows.bag.terms, keys, strict=True))
    is_key = all(term.outputs[0] == key for term, key in pairs)
    if not is_key and (len(pairs) != 1 or _with_key(pairs[0][0].outputs[0], keys[0], t.NULL) is None):
        return None
    return t.Bag(tuple(replace(term, outputs=(key,)) for term, key in pairs))


def extreme_of_sorted(found: t.First, scope: Scope) -> t.Expression | None:
    """The first row of a bag sorted by the value that is asked for, as an extreme beside the NULLs.

    A function of the sorted value is taken of the extreme.  *Sound*: rows that tie have one value, of which
    the function makes one result; and without a row it is NULL, as the function of NULL is.
    """
    rows, keys = found.rows, sorted_keys(found)
    if keys is None:
        return None
    value = _sorted_first(keys, rows.directions[0], scope)
    pairs = list(zip(rows.bag.terms, keys.terms, strict=True))
    if all(term.outputs[0] == key.outputs[0] for term, key in pairs):
        return value
    return _with_key(pairs[0][0].outputs[0], pairs[0][1].outputs[0], value)


def _with_key(output: t.Expression, key: t.Expression, value: t.Expression) -> t.Expression | None:
    """A function of a key with a value in its place; None if it is not a function that is NULL of NULL."""
    if output == key:
        return value
    match output:
        case t.Convert(to, inner, explicit):
            changed = _with_key(inner, key, value)
            return None if changed is None else t.Convert(to, changed, explicit)
        case t.Apply(function, arguments) if function in STRICT:
            open_ = [at for at, each in enumerate(arguments) if not isinstance(each, t.Constant)]
            changed = _with_key(arguments[open_[0]], key, value) if len(open_) == 1 else None
            if changed is None:
                return None
            return t.Apply(function, (*arguments[: open_[0]], changed, *arguments[open_[0] + 1 :]))
    return None


def _sorted_first(bag: t.Bag, direction: t.Direction, scope: Scope) -> t.Expression:
    value = extreme("MAX" if direction.descending else "MIN", scope.world.names.copy_of(bag), scope)
    if not direction.nulls_first:
        return value
    absent = [term.where([term.condition, _absent(term, scope)]) for term in bag.terms]
    null = existence(absent, scope)
    return value if null == t.FALSE else t.Case(((null, t.NULL),), value)


def _absent(term: t.Term, scope: Scope) -> t.Expression:
    value = term.outputs[0]
    if t.alpha(value) in not_null_if(term.conjuncts) or scope.within(term.bindings).never_null(value):
        return t.FALSE
    return t.IsNull(value)


@dataclass(frozen=True, slots=True)
class BoundedExtreme(PlaceIn[t.Aggregate]):
    """A MIN over rows whose argument is at most a value of outer rows, or a MAX likewise."""

    rest: t.Aggregate
    """The same without the bound."""


def bounded_extremes(node: t.Aggregate, scope: Scope) -> Iterator[BoundedExtreme]:
    """The bounds by outer rows on the argument of a MIN from above, of a MAX from below."""
    if not node.is_extreme or len(node.bag.terms) != 1 or t.sites(node):
        return
    (term,) = node.bag.terms
    own = term.bound
    argument, parts = t.alpha(term.outputs[0]), term.conjuncts
    for part in parts:
        match part:
            case t.Compare("<" | "<=", low, high):
                inner, outer = (low, high) if node.function == "MIN" else (high, low)
                if t.alpha(inner) == argument and not t.mentions(outer, own):
                    others = t.conjunction(each for each in parts if each is not part)
                    yield BoundedExtreme(node, replace(node, bag=t.Bag((replace(term, condition=others),))))


def a_row_is_within_the_bound(at: BoundedExtreme, scope: Scope) -> bool:
    """Whether the rows around show that there is an argument within the bound."""
    (term,) = scope.world.names.copy_of(at.shown.bag).terms
    asked = t.conjunction([term.condition, t.Not(t.IsNull(term.outputs[0]))])
    return GivenRows.of((), scope.given, scope).has_row(replace(term, condition=asked))


@rewrite(on=t.Aggregate, keeps="value", at=bounded_extremes, needs=(a_row_is_within_the_bound,))
def eliminate_bound_of_extreme(at: BoundedExtreme, scope: Scope) -> t.Aggregate | None:
    """Drop a bound from above on the argument of a MIN, or from below of a MAX, that some argument is within.

    Before:  Σ t ∈ a → (MIN{Σ s ∈ a [s.x is t.x and s.nn ≤ t.nn] → (s.nn)})
    After:   Σ t ∈ a → (MIN{Σ s ∈ a [s.x is t.x] → (s.nn)})
    Refuse:  no row around that meets the conditions itself; a bound from the other side
    Sound:   the least argument is at most the one that is within the bound, and so within it, too
    """
    return at.rest


def is_of_bounds(node: t.Aggregate) -> bool:
    """Whether the arguments of a MIN or MAX are comparisons of values of the rows with one bound."""
    match node:
        case t.Aggregate(
            "MIN" | "MAX", t.Bag((t.Term(outputs=(t.Compare("<" | "<=", low, high),)) as term,))
        ):
            return not t.sites(node) and t.mentions(low, term.bound) != t.mentions(high, term.bound)
    return False


@rewrite(on=t.Aggregate, keeps="value", shape=(is_of_bounds,))
def pull_bound_out_of_extreme(node: t.Aggregate, scope: Scope) -> t.Compare | None:
    """Whether all of some values, or one of them, are beyond a bound is whether their extreme is.

    Before:  MIN{Σ t ∈ a → (0 < t.x)}
    After:   0 < MIN{Σ t ∈ a → (t.x)}
    Refuse:  a bound that depends on the row; =
    Sound:   0 is less than 1, as FALSE is than TRUE, and a comparison grows with its greater side, falls with
             the other; it is NULL exactly if a side is: a bound that is NULL leaves no argument either way
    """
    (term,) = node.bag.terms
    compared = term.outputs[0]
    assert isinstance(compared, t.Compare)
    is_below = t.mentions(compared.left, term.bound)
    opposite: ExtremeFunction = "MAX" if node.function == "MIN" else "MIN"
    values = t.Bag((replace(term, outputs=(compared.left if is_below else compared.right,)),))
    if is_below:
        return replace(compared, left=replace(node, function=opposite, bag=values))
    return replace(compared, right=replace(node, bag=values))
