"""Aggregates by a few primitives: exact sums, least and greatest values, existence.

COUNT, SUM, TOTAL and AVG become sums (:mod:`equiv.proof.rewrites.sums.linear`) and a CASE for where no
argument is there; MIN and MAX, and a first row in the order of its value, are brought into one form
(:mod:`equiv.proof.rewrites.sums.extremes`).  Where storage classes or facts do not carry a step, the
aggregate stays, and can still be compared with its like.  Results: https://sqlite.org/lang_aggfunc.html.

Arguments of SUM as numbers, by storage class; and sums whose value alone counts, not their class.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from equiv.algebra import terms as t
from equiv.proof.rewrite import PlaceIn, changed_by, first, rewrite
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.existence import existence
from equiv.proof.rewrites.sums.extremes import (
    eliminate_bound_of_extreme,
    extreme,
    extreme_of_sorted,
    is_ambiguous,
    pull_bound_out_of_extreme,
    sorted_keys,
    when,
)
from equiv.proof.rewrites.sums.linear import linear
from equiv.proof.rewrites.sums.parts import counted, eliminate_part_of_sum, merge_complementary_sums
from equiv.proof.rewrites.sums.products import branches, with_present
from equiv.proof.rewrites.sums.referring_rows import convert_count_to_referred_rows


def normal_aggregate(aggregate: t.Aggregate, scope: Scope) -> t.Expression:
    """The aggregate by primitives.

    Args:
        aggregate: its bag is in normal form.
        scope: where it stands.

    Returns:
        A value of the same storage class for every choice of rows; as it was, where nothing can be said.
    """
    normal: t.Expression | None
    unbounded = eliminate_bound_of_extreme(aggregate, scope)
    if unbounded is not None:
        return normal_aggregate(unbounded, scope)
    compared = pull_bound_out_of_extreme(aggregate, scope)
    if compared is not None:
        return t.map_children(
            compared, lambda e: normal_aggregate(e, scope) if isinstance(e, t.Aggregate) else e
        )
    if aggregate.function == "SUM":
        counted = with_present(aggregate.bag, scope)
        normal = first(SUMS, (Summed(aggregate, counted, _by_class(counted, scope)),), scope)
    else:
        normal = first(AGGREGATES, (aggregate,), scope)
    return aggregate if normal is None else normal


def normal_first(found: t.First, scope: Scope) -> t.Expression:
    """A scalar subquery that picks the least or greatest value by MIN or MAX; others as they are.

    ``ORDER BY x DESC LIMIT 1`` gives MAX(x); ascending, a NULL comes first if there is one.

    Args:
        found: the bag is in normal form.
        scope: where it stands.
    """
    return convert_first_of_sorted_to_extreme(found, scope) or found


def is_sorted_by_what_it_shows(node: t.First) -> bool:
    """Whether the value selected is the first sort key, or a function of it."""
    return sorted_keys(node) is not None


def keys_are_of_one_number_class(node: t.First, scope: Scope) -> bool:
    """Whether the keys do not mix 1 and 1.0, between which the order would not decide."""
    keys = sorted_keys(node)
    return keys is not None and not is_ambiguous(keys, scope)


@rewrite(
    on=t.First, keeps="answers", shape=(is_sorted_by_what_it_shows,), needs=(keys_are_of_one_number_class,)
)
def convert_first_of_sorted_to_extreme(node: t.First, scope: Scope) -> t.Expression | None:
    """The first row in the order of the value that is asked for is MIN or MAX, beside the NULLs.

    Before:  first(Σ t ∈ a → (t.x) | t.x descending)
    After:   MAX{Σ t ∈ a → (t.x)}
    Refuse:  another key; an OFFSET; 1 and 1.0 among the values; a function that is not NULL of NULL
    Sound:   rows that tie have one value, of which a function makes one result; ascending, a NULL comes first
    """
    return extreme_of_sorted(node, scope)


def normal_number(node: t.Apply | t.Compare, scope: Scope) -> t.Expression:
    """Arithmetic with a REAL, or a comparison, with each SUM replaced by the exact sum of its arguments.

    Where a count is compared with a literal, that may become a condition on what exists.

    Whether a SUM of integers and reals, or of text, is an integer or a REAL depends on the rows; where only
    its value counts, it is the sum of its arguments as numbers.

    Args:
        node: its operands are in normal form.
        scope: where it stands.
    """
    for each in (merge_complementary_sums, eliminate_part_of_sum, convert_count_to_referred_rows):
        joint: t.Expression | None = each(node, scope)
        if joint is not None:
            return joint
    return changed_by((reduce_sum_to_its_value, convert_count_bound_to_exists), node, scope)


def class_does_not_count(node: t.Compare | t.Apply, scope: Scope) -> bool:
    """Whether 1 and 1.0 are read alike: by a comparison, or by arithmetic with a REAL."""
    match node:
        case t.Apply("+" | "-" | "*" | "/", (left, right)):
            return scope.is_real(left) or scope.is_real(right)
    return isinstance(node, t.Compare)


def numbers_add_exactly(node: t.Compare | t.Apply, scope: Scope) -> bool:
    """Whether all numbers add as in mathematics."""
    return scope.adds_exactly()


@rewrite(on=(t.Compare, t.Apply), keeps="value", needs=(class_does_not_count, numbers_add_exactly))
def reduce_sum_to_its_value(node: t.Compare | t.Apply, scope: Scope) -> t.Expression | None:
    """A SUM of which only the value counts, not its class, is the exact sum of its arguments as numbers.

    Before:  SUM{Σ t ∈ a → (t.v)} > 1, t.v of any class
    After:   {(∃ t ∈ a [not t.v is NULL]): SUM0{Σ t ∈ a → (CAST(t.v AS REAL))}; else NULL} > 1
    Refuse:  sums that may round or overflow; a place that tells 1 from 1.0: an output, integer division
    Sound:   comparisons, and arithmetic with a REAL, read 1 and 1.0 alike
    """
    match node:
        case t.Compare(operator, left, right):
            changed: t.Expression = t.Compare(operator, _by_value(left, scope), _by_value(right, scope))
        case t.Apply(_, (left, right)):
            changed = replace(node, arguments=(_by_value(left, scope), _by_value(right, scope)))
        case _:
            return None
    return None if changed == node else changed


@rewrite(on=t.Compare, keeps="value")
def convert_count_bound_to_exists(node: t.Compare | t.Apply, scope: Scope) -> t.Expression | None:
    """A count compared with a number says what exists.

    Before:  SUM0{Σ t ∈ a → (1)} > 0
    After:   (∃ t ∈ a)
    Refuse:  more than one row; a sum of other values
    Sound:   a count is at least 1 exactly if there is a row, and never less than 0
    """
    if not isinstance(node, t.Compare):
        return None
    changed = counted(node, scope)
    return None if changed == node else changed


def _count(bag: t.Bag, scope: Scope) -> t.Expression:
    ones = t.Bag(tuple(replace(term, outputs=(t.integer(1),)) for term in with_present(bag, scope).terms))
    if scope.adds_whole():
        return linear(ones, scope, whole=True)
    return t.Aggregate("LINEAR", ones, whole=True)


def is_extreme(node: t.Aggregate) -> bool:
    """Whether the aggregate is MIN or MAX."""
    return node.is_extreme


def arguments_are_of_one_number_class(node: t.Aggregate, scope: Scope) -> bool:
    """Whether the arguments do not mix 1 and 1.0, between which MIN and MAX would choose freely."""
    return not is_ambiguous(node.bag, scope)


@rewrite(on=t.Aggregate, keeps="value", shape=(is_extreme,), needs=(arguments_are_of_one_number_class,))
def reduce_extreme(node: t.Aggregate, scope: Scope) -> t.Expression | None:
    """MIN and MAX over rows with an argument, each once, without what only repeats rows.

    Before:  MAX{Σ t ∈ a, s ∈ b [s.a_id = t.id] → (t.x)}
    After:   MAX{Σ t ∈ a [(∃ s ∈ b [s.a_id = t.id]) and not t.x is NULL] → (t.x)}
    Refuse:  1 and 1.0 among the arguments: MAX returns the one that it meets first
    Sound:   neither NULLs nor repetitions change the extreme; the MAX of groups' MAX is one MAX
    """
    changed = extreme("MIN" if node.function == "MIN" else "MAX", node.bag, scope)
    return None if changed == node else changed


@rewrite(on=t.Aggregate, keeps="value", shape=(is_extreme,))
def eliminate_null_arguments(node: t.Aggregate, scope: Scope) -> t.Expression | None:
    """Range over the rows with an argument, where no more can be said of MIN and MAX.

    Before:  MAX{Σ t ∈ a → (t.v)}, t.v of any class
    After:   MAX{Σ t ∈ a [not t.v is NULL] → (t.v)}
    Refuse:  GROUP_CONCAT, of which the order is open
    Sound:   aggregates skip NULLs
    """
    bag = with_present(node.bag, scope) if is_ambiguous(node.bag, scope) else node.bag
    return None if bag == node.bag else replace(node, bag=bag)


def is_count(node: t.Aggregate) -> bool:
    """Whether the aggregate is COUNT."""
    return node.function == "COUNT"


@rewrite(on=t.Aggregate, keeps="value", shape=(is_count,))
def convert_count_to_sum(node: t.Aggregate, scope: Scope) -> t.Expression | None:
    """COUNT is the exact sum of a 1 for each row with an argument.

    Before:  COUNT{Σ t ∈ a → (t.x)}
    After:   SUM0{Σ t ∈ a [not t.x is NULL] → (1)}
    Refuse:  nothing
    Sound:   COUNT is an integer, and 0 over no rows, as an exact sum is
    """
    return _count(node.bag, scope)


@dataclass(frozen=True, slots=True)
class Summed(PlaceIn[t.Aggregate]):
    """A SUM with its rows whose argument is not NULL."""

    counted: t.Bag
    """The rows with an argument."""
    parts: tuple[t.Bag, t.Bag] | None
    """The rows with an integer as argument, and the rows with a REAL; None if that is not known."""


def arguments_are_whole_or_real(at: Summed, scope: Scope) -> bool:
    """Whether each argument, or branch of one, is known to be an integer or known to be a REAL."""
    return at.parts is not None


def sum_is_exact(at: Summed, scope: Scope) -> bool:
    """Whether the arguments add as in mathematics."""
    return scope.adds_exactly() if at.parts is None or at.parts[1].terms else scope.adds_whole()


@rewrite(on=t.Aggregate, keeps="value", needs=(arguments_are_whole_or_real, sum_is_exact))
def convert_sum_to_exact_sum(at: Summed, scope: Scope) -> t.Expression | None:
    """SUM is an exact sum where there is an argument, else NULL.

    Before:  SUM{Σ t ∈ a → (t.n)}
    After:   {(∃ t ∈ a [not t.n is NULL]): SUM0{Σ t ∈ a [not t.n is NULL] → (t.n)}; else NULL}
    Refuse:  text, or values that may be an integer or a REAL; sums that may round or overflow
    Sound:   SUM is an integer if all arguments are, else a REAL, and NULL without an argument
    """
    wholes, reals = at.parts or (at.counted, t.Bag(()))
    some_real = existence(reals.terms, scope)
    some = existence(at.counted.terms, scope)
    if some_real == t.FALSE:
        return when(some, linear(wholes, scope, whole=True))
    total = linear(at.shown.bag, scope, whole=False)
    if not wholes.terms or some_real == t.TRUE:
        return when(some_real, total)
    branches = ((some_real, total), (some, linear(wholes, scope, whole=True)))
    return t.Case(branches, t.NULL)


def class_of_argument_is_open(at: Summed) -> bool:
    """Whether some argument may be an integer or a REAL, depending on the row."""
    return at.parts is None


@rewrite(on=t.Aggregate, keeps="value", shape=(class_of_argument_is_open,))
def eliminate_null_addends(at: Summed, scope: Scope) -> t.Expression | None:
    """Range over the rows with an argument, where no more can be said of a SUM.

    Before:  SUM{Σ t ∈ a → (t.v)}, t.v of any class
    After:   SUM{Σ t ∈ a [not t.v is NULL] → (t.v)}
    Refuse:  GROUP_CONCAT, of which the order is open
    Sound:   aggregates skip NULLs
    """
    return None if at.counted == at.shown.bag else replace(at.shown, bag=at.counted)


SUMS = (convert_sum_to_exact_sum, eliminate_null_addends)
"""Rewrites of a SUM over a normal bag, in firing order."""


def is_real_sum(node: t.Aggregate) -> bool:
    """Whether the aggregate is TOTAL or AVG."""
    return node.function in ("TOTAL", "AVG")


def arithmetic_is_exact(node: t.Aggregate, scope: Scope) -> bool:
    """Whether all numbers add as in mathematics; integers alone, for a sum of integers."""
    return scope.adds_whole() if node.whole else scope.adds_exactly()


@rewrite(on=t.Aggregate, keeps="value", shape=(is_real_sum,), needs=(arithmetic_is_exact,))
def convert_average_to_exact_sums(node: t.Aggregate, scope: Scope) -> t.Expression | None:
    """TOTAL is an exact sum of numbers, and AVG that divided by the count.

    Before:  AVG{Σ t ∈ a → (t.n)}
    After:   {(∃ t ∈ a [not t.n is NULL]): CAST(SUM0{…} AS REAL) / SUM0{… → (1)}; else NULL}
    Refuse:  sums that may round or overflow
    Sound:   both are REAL whatever the arguments are, and read a text as the number at its beginning
    """
    total = linear(_as_numbers(node.bag, scope), scope, whole=False)
    if node.function == "TOTAL":
        return total
    some = existence(with_present(node.bag, scope).terms, scope)
    return when(some, t.Apply("/", (total, _count(node.bag, scope))))


def is_exact_sum(node: t.Aggregate) -> bool:
    """Whether the aggregate is an exact sum."""
    return node.function == "LINEAR"


@rewrite(on=t.Aggregate, keeps="value", shape=(is_exact_sum,), needs=(arithmetic_is_exact,))
def split_exact_sum(node: t.Aggregate, scope: Scope) -> t.Expression | None:
    """An exact sum by linearity: numbers times sums of plain products, under conditions on rows around.

    Before:  SUM0{Σ t ∈ a, s ∈ b → (2 * t.x + s.y)}
    After:   2 * SUM0{Σ t ∈ a → (t.x)} * SUM0{Σ s ∈ b → (1)} + SUM0{Σ t ∈ a → (1)} * SUM0{Σ s ∈ b → (s.y)}
    Refuse:  sums that may round or overflow
    Sound:   the sum is bilinear, and one over rows that nothing connects is a product
    """
    changed = linear(node.bag, scope, whole=node.whole)
    return None if changed == node else changed


AGGREGATES = (
    reduce_extreme,
    convert_count_to_sum,
    convert_average_to_exact_sums,
    split_exact_sum,
    eliminate_null_arguments,
)
"""Rewrites of an aggregate over a normal bag, in firing order."""


def _by_class(bag: t.Bag, scope: Scope) -> tuple[t.Bag, t.Bag] | None:
    """A bag split into its rows with an integer as first output and those with a REAL; None if unknown."""
    wholes: list[t.Term] = []
    reals: list[t.Term] = []
    for term in bag.terms:
        inner = scope.within(term.bindings)
        for conditions, value in branches(term.outputs[0]):
            rows = replace(term, condition=t.conjunction([term.condition, *conditions]), outputs=(value,))
            if inner.is_whole(value):
                wholes.append(rows)
            elif inner.is_real(value):
                reals.append(rows)
            else:
                return None
    return t.Bag(tuple(wholes)), t.Bag(tuple(reals))


def _as_numbers(bag: t.Bag, scope: Scope) -> t.Bag:
    """The bag with its first output as SUM, TOTAL and AVG read it: of text, the number at its beginning."""
    return t.Bag(tuple(_as_number(term, scope) for term in bag.terms))


def _as_number(term: t.Term, scope: Scope) -> t.Term:
    value = term.outputs[0]
    if scope.within(term.bindings).is_number(value):
        return term
    return replace(term, outputs=(t.Convert("REAL", value, explicit=True),))


def _by_value(value: t.Expression, scope: Scope) -> t.Expression:
    """A number equal to a value, be it an integer or a REAL, with SUM as an exact sum.

    Numbers add as in mathematics: the caller has seen to the facts.
    """
    match value:
        case t.Aggregate("SUM", bag):
            some = existence(with_present(bag, scope).terms, scope)
            return when(some, linear(_as_numbers(bag, scope), scope, whole=False))
        case t.Case(choices, default):
            changed = tuple((condition, _by_value(then, scope)) for condition, then in choices)
            return t.Case(changed, _by_value(default, scope))
    return value
