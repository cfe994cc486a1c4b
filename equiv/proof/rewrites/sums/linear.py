"""Sums by linearity: every LINEAR as numbers times sums of plain products.

The sum of a value is that of its summands; a CASE splits into sums under conditions; a number, and a value
of outer rows, leaves the sum; a sum of a sum is one sum; a sum over rows that have nothing to do with
one another is a product; and a row that is among the rows up to itself is summed apart.  The guard of a sum
that only asks for the rows of the sum is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from equiv import graphs
from equiv.algebra import terms as t
from equiv.facts import Fact
from equiv.names import fold, folded
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.ranged import Ranged, variables
from equiv.proof.rewrites.scope import GivenRows, Scope, tidied
from equiv.proof.rewrites.sums.existence import (
    MAX_BINDINGS,
    asked_for,
    fold_exists_of_row_around,
    push_condition_into_distinct,
    split_sum_by_values,
)
from equiv.proof.rewrites.sums.groups import (
    eliminate_determined_group,
    push_outer_value_into_distinct,
    with_outer_values,
)
from equiv.proof.rewrites.sums.products import Product, branches, present, products


def is_zero_elsewhere(node: t.Case) -> bool:
    """Whether the CASE has one branch, and is 0 where its condition is not true."""
    return len(node.branches) == 1 and node.default == t.integer(0)


def factors_are_integers(node: t.Case, scope: Scope) -> bool:
    """Whether each factor of the value is an integer and never NULL where the other conditions hold."""
    ((condition, value),) = node.branches
    asked = _asked(condition, value)
    for conditions, product in _guarded(value):
        there = scope.under([*asked, *conditions])
        if not all(there.is_whole(each) and there.never_null(each) for each in t.operands(product, "*")):
            return False
    return True


@rewrite(on=t.Case, keeps="value", shape=(is_zero_elsewhere,), needs=(factors_are_integers,))
def eliminate_guard_of_sum(node: t.Case, scope: Scope) -> t.Expression | None:
    """Leave out the condition that a sum, or one of several, has a row, beside which the value is 0.

    Before:  {(∃ t ∈ a [t.x = 1]): SUM0{Σ t ∈ a [t.x = 1] → (t.n)}; else 0}
    After:   SUM0{Σ t ∈ a [t.x = 1] → (t.n)}
    Refuse:  other rows; another value elsewhere; a factor that may be NULL or a REAL
    Sound:   an exact sum over no rows is 0, and so is its product with other integers
    """
    ((condition, value),) = node.branches
    asked = _asked(condition, value)
    if len(asked) == len(t.conjuncts(condition)):
        return None
    return replace(node, branches=((t.conjunction(asked), value),)) if asked else value


def _asked(condition: t.Expression, value: t.Expression) -> list[t.Expression]:
    """The conjuncts of a condition without which some addend of a value might be something other than 0."""
    shown = [
        {
            *map(t.alpha, conditions),
            *(t.alpha(_existence(each)) for each in t.operands(product, "*") if _is_whole_sum(each)),
        }
        for conditions, product in _guarded(value)
    ]
    return [part for part in t.conjuncts(condition) if not all(_is_shown(part, known) for known in shown)]


def _is_shown(part: t.Expression, known: Collection[t.Expression]) -> bool:
    """Whether a condition is among some, or one of its alternatives is in all its parts."""
    ways = part.parts if isinstance(part, t.Or) else (part,)
    return any(all(t.alpha(each) in known for each in t.conjuncts(way)) for way in ways)


def _guarded(value: t.Expression) -> Iterator[tuple[tuple[t.Expression, ...], t.Expression]]:
    """The addends of a value, each with the conditions beside which it is 0."""
    for addend in t.operands(value, "+"):
        if isinstance(addend, t.Case) and is_zero_elsewhere(addend):
            ((condition, product),) = addend.branches
            yield t.conjuncts(condition), product
        else:
            yield (), addend


def _is_whole_sum(value: t.Expression) -> bool:
    return (
        isinstance(value, t.Aggregate) and value.function == "LINEAR" and value.whole and not t.sites(value)
    )


def _existence(total: t.Expression) -> t.Exists:
    assert isinstance(total, t.Aggregate)
    return t.Exists(t.Bag(tuple(replace(term, outputs=()) for term in total.bag.terms)))


@dataclass(frozen=True, slots=True)
class Summand:
    """A number times factors where the guard is true, else 0; the factors mention outer rows only."""

    coefficient: Fraction
    guard: tuple[t.Expression, ...]
    factors: tuple[t.Expression, ...]


def linear(bag: t.Bag, scope: Scope, *, whole: bool) -> t.Expression:
    """The exact sum of the first outputs of a bag that are not NULL: an integer if ``whole``, else a REAL.

    Integers and, unless ``whole``, reals must add as in mathematics: the caller has seen to the facts.
    """
    summands: list[Summand] = []
    for term in bag.terms:
        inner = scope.within(term.bindings)
        for when, value in branches(term.outputs[0]):
            known = tidied([*term.conjuncts, *when, present(value, inner)], inner)
            for product in _products(value, inner, whole=whole):
                rows = t.Term(term.bindings, t.conjunction((*known, *product.conditions)), product.factors)
                summands += _summands(rows, product.coefficient, scope, whole=whole)
    return _total(_collected(summands), scope, whole=whole)


def _products(value: t.Expression, scope: Scope, *, whole: bool) -> list[Product]:
    found = products(value, scope)
    if whole and any(each.coefficient.denominator != 1 for each in found):
        return [Product(factors=(value,))]
    return found


def _summands(rows: t.Term, coefficient: Fraction, scope: Scope, *, whole: bool) -> list[Summand]:
    flat = _flattened(rows, coefficient, scope, whole=whole)
    if flat is not None:
        return flat
    for each in (eliminate_determined_group, push_outer_value_into_distinct, push_condition_into_distinct):
        rows = each.until_done(rows, scope)
    several = split_sum_by_values(rows, scope) or split_row_itself(rows, scope)
    if several is not None:
        return [found for each in several for found in _summands(each, coefficient, scope, whole=whole)]
    simple = with_outer_values(without_shown(rows, scope), scope)
    found = _summand(simple, coefficient, scope, whole=whole)
    return [found] if found is not None else []


def _flattened(rows: t.Term, coefficient: Fraction, scope: Scope, *, whole: bool) -> list[Summand] | None:
    """With the first sum among the factors that depends on these rows made part of this sum."""
    own = rows.bound
    for number, factor in enumerate(rows.outputs):
        if isinstance(factor, t.Aggregate) and factor.function == "LINEAR" and t.mentions(factor, own):
            bag = scope.world.names.copy_of(factor.bag)
            if any(len(rows.bindings) + len(term.bindings) > MAX_BINDINGS for term in bag.terms):
                return None
            others = rows.outputs[:number] + rows.outputs[number + 1 :]
            summands: list[Summand] = []
            for term in bag.terms:
                bindings = (*rows.bindings, *term.bindings)
                for product in _products(term.outputs[0], scope.within(bindings), whole=whole):
                    conditions = (*rows.conjuncts, *term.conjuncts, *product.conditions)
                    joined = t.Term(bindings, t.conjunction(conditions), (*others, *product.factors))
                    summands += _summands(joined, coefficient * product.coefficient, scope, whole=whole)
            return summands
    return None


def without_shown(rows: t.Term, scope: Scope) -> t.Term:
    """The rows without conditions on the existence of rows that their other conditions show."""
    rows = rows.where(tidied(rows.conjuncts, scope.within(rows.bindings)))
    for at in asked_for(rows, scope):
        if fold_exists_of_row_around(at.part, scope.within(rows.bindings, at.others)) is not None:
            return without_shown(at.shown.where(at.others), scope)
    return rows


@dataclass(frozen=True, slots=True)
class AmongOthers(Ranged):
    """A variable of a sum's rows, whose row is compared with a row around of the same table."""

    itself: t.Variable
    """The row around."""
    columns: tuple[str, ...]
    """The columns in which conditions compare the two, a key of the table alone if there is one."""
    facts: tuple[Fact, ...] | None
    """The key; None if two rows may have these columns alike."""

    @property
    def same(self) -> dict[t.Variable, t.Variable]:
        """The renaming that puts the row around in the place of the variable that is compared with it."""
        return {self.row: self.itself}

    @property
    def bindings(self) -> tuple[t.Binding, ...]:
        """The other rows of the sum, beside the row itself."""
        return tuple(t.renamed(each, self.same) for each in self.over().bindings)


def _among_others(rows: t.Term, scope: Scope) -> Iterator[AmongOthers]:
    """The rows of a sum that are compared with a row around of the same table by more than equality."""
    for one in variables(rows):
        for around in scope.rows:
            if isinstance(one.source, t.Scan) and around.source == one.source:
                places = [_compared_columns(part, one.row, around.row) for part in rows.conjuncts]
                columns = tuple(dict.fromkeys(column for found in places for column in found))
                facts = scope.world.facts.strict_key(one.source.table, columns)
                if facts is not None:
                    key = folded(facts[0].columns)
                    columns = tuple(column for column in columns if fold(column) in key)
                if any(
                    set(found) & set(columns) and not _is_equality(part)
                    for part, found in zip(rows.conjuncts, places, strict=True)
                ):
                    at = AmongOthers(rows, one.place, around.row, columns, facts)
                    if set(_of_others(at)) != set(rows.conjuncts):
                        yield at


def _compared_columns(condition: t.Expression, row: t.Variable, other: t.Variable) -> list[str]:
    """The columns of which a condition compares a row's value with that of another row."""
    nodes = [each for each in t.walk(condition) if isinstance(each, t.Compare)]
    return [column for node in nodes if (column := _compared_column(node, row, other)) is not None]


def _compared_column(condition: t.Expression, row: t.Variable, other: t.Variable) -> str | None:
    match condition:
        case t.Compare(_, t.Field(one, str() as column), t.Field(two, str() as same)):
            return column if column == same and {one, two} == {row, other} else None
    return None


def _is_equality(condition: t.Expression) -> bool:
    return isinstance(condition, t.Compare) and condition.operator in ("=", "IS")


def columns_are_a_strict_key(at: AmongOthers, scope: Scope) -> bool:
    """Whether the columns are a unique key of the table, without NULL."""
    return scope.world.rests_on(at.facts)


def row_meets_the_conditions(at: AmongOthers, scope: Scope) -> bool:
    """Whether the row around is one of the rows of the sum."""
    given = GivenRows.of(at.bindings, scope.given, scope)
    return all(given.implies(t.renamed(part, at.same)) for part in at.mine)


@rewrite(
    on=t.Term,
    keeps="bag",
    at=_among_others,
    needs=(columns_are_a_strict_key, row_meets_the_conditions),
)
def split_row_itself(at: AmongOthers, scope: Scope) -> list[t.Term] | None:
    """Sum over the rows before a row, and the row itself, in place of the rows up to it.

    Before:  Σ s ∈ a [s.id ≤ t.id] → (s.x)
    After:   Σ s ∈ a [s.id < t.id] → (s.x) + Σ → (t.x)
    Refuse:  a column that two rows may have alike; a further condition that the row itself may not meet
    Sound:   the row itself is the one row of its table that has its key
    """
    itself = t.Term(
        at.bindings,
        t.conjunction(part for part in at.shown.conjuncts if part not in at.mine),
        tuple(t.renamed(each, at.same) for each in at.shown.outputs),
    )
    return [at.shown.where(_of_others(at)), itself]


def _of_others(at: AmongOthers) -> tuple[t.Expression, ...]:
    """The conditions of the rows of a sum other than the row itself."""
    found = _of_other_rows(at.shown.conjuncts, at, frozenset())
    if found is not None:
        return tuple(found)
    equal = (t.Compare("IS", t.Field(at.row, name), t.Field(at.itself, name)) for name in at.columns)
    return (*at.shown.conjuncts, t.Not(t.conjunction(equal)))


def _of_other_rows(
    parts: Sequence[t.Expression], at: AmongOthers, equal: frozenset[str]
) -> list[t.Expression] | None:
    """Conditions that rows other than the row itself meet as they do the given ones, and that row does not.

    Args:
        parts: the conditions.
        at: the rows.
        equal: columns that are equal where the conditions are asked.

    Returns:
        None if they are not found.
    """
    columns = {part: _compared_column(part, at.row, at.itself) for part in parts}
    if any(isinstance(part, t.Compare) and part.operator == "<" and columns[part] for part in parts):
        return list(parts)
    equal |= {column for part, column in columns.items() if column is not None and _is_equality(part)}
    for number, part in enumerate(parts):
        changed: t.Expression | None = None
        if isinstance(part, t.Compare) and part.operator == "<=" and {*at.columns} - equal == {columns[part]}:
            changed = replace(part, operator="<")
        elif isinstance(part, t.Or):
            found = [_of_other_rows(t.conjuncts(branch), at, equal) for branch in part.parts]
            if None not in found:
                changed = t.Or(tuple(t.conjunction(each) for each in found if each is not None))
        if changed is not None:
            return [*parts[:number], changed, *parts[number + 1 :]]
    return None


def _summand(rows: t.Term, coefficient: Fraction, scope: Scope, *, whole: bool) -> Summand | None:
    own = rows.bound
    outer = tuple(factor for factor in rows.outputs if not t.mentions(factor, own))
    guard = [part for part in rows.conjuncts if not t.mentions(part, own)]
    guard = list(tidied([*guard, *(present(factor, scope) for factor in outer)], scope))
    if t.FALSE in rows.conjuncts or t.FALSE in guard:
        return None
    inner = replace(
        rows.where(part for part in rows.conjuncts if t.mentions(part, own)),
        outputs=tuple(factor for factor in rows.outputs if t.mentions(factor, own)),
    )
    sums = [_sum(each, scope, whole=whole) for each in components(inner)]
    return Summand(coefficient, tuple(guard), (*outer, *sums))


def components(rows: t.Term) -> list[t.Term]:
    """The rows as groups that no condition, source or factor connects."""
    links = [{binding.row, *_used(binding, rows.bound)} for binding in rows.bindings]
    links += [_used(node, rows.bound) for node in (*rows.conjuncts, *rows.outputs)]
    return [
        t.Term(
            tuple(binding for binding in rows.bindings if binding.row in group),
            t.conjunction(part for part in rows.conjuncts if t.mentions(part, group)),
            tuple(value for value in rows.outputs if t.mentions(value, group)),
        )
        for group in graphs.components([binding.row for binding in rows.bindings], links)
    ]


def _used(node: t.Binding | t.Expression, own: set[t.Variable]) -> set[t.Variable]:
    return {row for row in own if t.mentions(node, (row,))}


def _sum(rows: t.Term, scope: Scope, *, whole: bool) -> t.Expression:
    """The sum over connected rows."""
    inner = scope.within(rows.bindings)
    of_integers = whole or all(inner.is_whole(value) for value in rows.outputs)
    term = replace(rows, outputs=(t.chained("*", rows.outputs) or t.integer(1),))
    return t.Aggregate("LINEAR", scope.world.names.copy_of(t.Bag((term,))), of_integers)


def _collected(summands: Iterable[Summand]) -> list[Summand]:
    """Summands with equal factors under equal guards put together; those that cancel left out."""
    found: dict[object, Summand] = {}
    for each in summands:
        key = (frozenset(map(t.alpha, each.guard)), tuple(sorted(map(repr, map(t.alpha, each.factors)))))
        known = found.get(key)
        coefficient = each.coefficient + (known.coefficient if known else 0)
        found[key] = replace(known or each, coefficient=coefficient)
    return [each for each in found.values() if each.coefficient]


def _total(summands: Sequence[Summand], scope: Scope, *, whole: bool) -> t.Expression:
    zero = t.integer(0) if whole else t.Constant("real", "0.0")
    # A sum is never -0.0, which -1.0 * 0.0 is; adding 0.0 mends that.
    is_signed = any(each.coefficient < 0 or len(each.factors) > 1 for each in summands)
    found: list[t.Expression] = [zero] if is_signed and not whole else []
    for each in summands:
        value = _whole_value(each) if whole else _real_value(each, scope)
        if each.guard:
            guarded = t.Case(((t.conjunction(each.guard), value),), zero)
            value = eliminate_guard_of_sum(guarded, scope) or guarded
        found.append(value)
    return t.chained("+", found) or zero


def _whole_value(summand: Summand) -> t.Expression:
    number, value = t.integer(int(summand.coefficient)), t.chained("*", summand.factors)
    if value is None:
        return number
    return value if number == t.integer(1) else t.Apply("*", (number, value))


def _real_value(summand: Summand, scope: Scope) -> t.Expression:
    above, below = summand.coefficient.as_integer_ratio()
    value = t.chained("*", summand.factors)
    if value is None:
        value = _real(above)
    elif above != 1:
        value = t.Apply("*", (_real(above), value))
    elif not scope.is_real(value):
        value = t.Convert("REAL", value, explicit=True)
    return value if below == 1 else t.Apply("/", (value, _real(below)))


def _real(number: int) -> t.Constant:
    return t.Constant("real", f"{number}.0")
