"""EXISTS in normal form: uncorrelated conditions outside, one EXISTS for each connected set of variables.

``NOT EXISTS`` a greater row is a comparison with MAX (or MIN, if smaller).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from equiv.algebra import terms as t
from equiv.algebra.kinds import have_rows
from equiv.graphs import components
from equiv.proof.rewrite import PlaceIn, first, rewrite
from equiv.proof.rewrites.scalars.logic import negation
from equiv.proof.rewrites.scalars.simplify import value
from equiv.proof.rewrites.scope import ConditionOf, Scope


def normal_exists(bag: t.Bag, scope: Scope) -> t.Expression:
    """EXISTS over a normal bag: of each term the conditions that are not about its rows, and its parts."""
    terms = [part for term in bag.terms for part in split_outer_branches(term, scope) or [term]]
    terms = [part for term in terms for part in split_branches_of_outer_rows(term, scope) or [term]]
    parts = tuple(_term_exists(term, scope) for term in terms)
    return value(t.Or(parts), replace(scope, nested=lambda node, _: node))  # nested bags are normal


def has_outer_branches(term: t.Term) -> bool:
    """Whether the one condition is an OR of which some branches are about the rows, and some are not."""
    rows = term.bound
    match term.condition:
        case t.Or(parts):
            return 0 < sum(1 for part in parts if not t.free(part) & rows) < len(parts)
    return False


def tables_have_rows(term: t.Term, scope: Scope) -> bool:
    """Whether no table of the term is empty."""
    return have_rows(term.bindings, scope.world)


@rewrite(on=t.Term, keeps="set", shape=(has_outer_branches,), needs=(tables_have_rows,))
def split_outer_branches(term: t.Term, scope: Scope) -> list[t.Term] | None:
    """Ask for no row under the branches of an OR that are not about rows.

    Before:  exists: Σ t ∈ a [x is NULL or t.y = x]
    After:   exists: Σ [x is NULL] + Σ t ∈ a [t.y = x]
    Refuse:  a table that may be empty
    Sound:   where the first branch is true, any row meets the condition, and there is one
    """
    rows = term.bound
    assert isinstance(term.condition, t.Or)
    outer = tuple(part for part in term.condition.parts if not t.free(part) & rows)
    inner = t.Or(tuple(part for part in term.condition.parts if t.free(part) & rows))
    return [t.Term((), t.Or(outer), ()), t.Term(term.bindings, inner, ())]


@rewrite(on=t.Term, keeps="set")
def split_branches_of_outer_rows(term: t.Term, scope: Scope) -> list[t.Term] | None:
    """Ask for a row under each branch of an OR by itself if a branch also says something that is not of rows.

    Before:  exists: Σ t ∈ a [t.x = 1 and (∃ s ∈ b [s.y = x]) or t.z = 2]
    After:   exists: Σ t ∈ a [t.x = 1 and (∃ s ∈ b [s.y = x])] + Σ t ∈ a [t.z = 2]
    Refuse:  branches that are about the rows alone; a choice, which each term would make by itself
    Sound:   a row meets an OR exactly if it meets a branch
    """
    rows = term.bound
    parts = () if t.sites(term) else term.conjuncts
    for part in parts:
        if isinstance(part, t.Or) and t.free(part) & rows:
            claims = [claim for branch in part.parts for claim in t.conjuncts(branch)]
            if any(not t.free(claim) & rows for claim in claims):
                others = [other for other in parts if other is not part]
                split = [term.where([*others, branch]) for branch in part.parts]
                return [scope.world.names.copy_of(each) for each in split]
    return None


@rewrite(on=t.Exists, keeps="value")
def split_exists(node: t.Exists, scope: Scope) -> t.Expression | None:
    """Pull conditions on outer rows out of EXISTS, and split it by sets of variables that no condition joins.

    Before:  (∃ t ∈ a, s ∈ b [x = 1 and t.y = 1 and s.z = 2])
    After:   x = 1 and (∃ t ∈ a [t.y = 1]) and (∃ s ∈ b [s.z = 2])
    Refuse:  a condition or a source that mentions both variables
    Sound:   a row of each part is a row of the whole, if the conditions outside are true
    """
    match node.bag.terms:
        case (term,):
            found = _in_parts(term, scope)
            return None if found == t.And((node,)) else found
    return None


def _term_exists(term: t.Term, scope: Scope) -> t.Expression:
    node = t.Exists(t.Bag((term,)))
    return split_exists(node, scope) or t.And((node,))


def _in_parts(term: t.Term, scope: Scope) -> t.Expression:
    parts = term.conjuncts
    rows = term.bound
    outside = [t.IsTrue(part) for part in parts if not t.free(part) & rows]
    inside = [part for part in parts if t.free(part) & rows]
    return t.And((*outside, *semi_joins(term.bindings, inside, scope)))


def semi_joins(
    bindings: Sequence[t.Binding], parts: Sequence[t.Expression], scope: Scope
) -> list[t.Expression]:
    """One EXISTS for each set of variables that joins connect, trivial ones left out."""
    rows = {binding.row for binding in bindings}
    links = [t.free(part) & rows for part in parts]
    links += [(t.free(binding.source) & rows) | {binding.row} for binding in bindings]
    found: list[t.Expression] = []
    for group in components([binding.row for binding in bindings], links):
        own = tuple(binding for binding in bindings if binding.row in group)
        node = t.Exists(
            t.Bag((t.Term(own, t.conjunction(part for part in parts if t.mentions(part, group)), ()),))
        )
        if eliminate_exists_of_any_row(node, scope) is None:
            found.append(node)
    return found


def asks_nothing(node: t.Exists) -> bool:
    """Whether there is no condition on the rows."""
    return len(node.bag.terms) == 1 and node.bag.terms[0].condition == t.TRUE


def sources_have_rows(node: t.Exists, scope: Scope) -> bool:
    """Whether nothing that the variables range over is empty."""
    return have_rows(node.bag.terms[0].bindings, scope.world)


@rewrite(on=t.Exists, keeps="value", shape=(asks_nothing,), needs=(sources_have_rows,))
def eliminate_exists_of_any_row(node: t.Exists, scope: Scope) -> t.Expression | None:
    """An EXISTS that asks nothing of its rows is true.

    Before:  (∃ t ∈ a)
    After:   TRUE
    Refuse:  the table may be empty
    Sound:   any row of a table that is not empty will do where nothing is asked of it
    """
    return t.TRUE


@rewrite(on=t.Term, keeps="set")
def push_idle_rows_into_exists(term: t.Term, scope: Scope) -> list[t.Term] | None:
    """Move variables that no output reads into EXISTS, where duplicates do not count.

    Before:  distinct: Σ t ∈ a, s ∈ b [s.a_id = t.id] → (t.x)
    After:   distinct: Σ t ∈ a [(∃ s ∈ b [s.a_id = t.id])] → (t.x)
    Refuse:  duplicates count; an output, or the source of a variable that stays, mentions the variable
    Sound:   a row occurs if there is a choice for these variables, however many there are
    """
    needed = set().union(*(t.free(output) for output in term.outputs)) if term.outputs else set()
    for binding in reversed(term.bindings):
        if binding.row in needed:
            needed |= t.free(binding.source)
    idle = [binding for binding in term.bindings if binding.row not in needed]
    if not idle:
        return None
    rows = {binding.row for binding in idle}
    parts = term.conjuncts
    own = [part for part in parts if not t.free(part) & rows]
    below = semi_joins(idle, [part for part in parts if t.free(part) & rows], scope)
    kept = tuple(binding for binding in term.bindings if binding.row in needed)
    return [t.Term(kept, t.conjunction([*own, *below]), term.outputs)]


@rewrite(on=t.Term, keeps="set")
def split_untrue_comparison(term: t.Term, scope: Scope) -> list[t.Term] | None:
    """Say of rows that are asked for by what a comparison of theirs is not true.

    Before:  exists: Σ t ∈ a [not true(t.x ≠ x)]
    After:   exists: Σ t ∈ a [t.x = x or t.x is NULL or x is NULL]
    Refuse:  rows whose columns are read, whose condition is left as it is; IS, which is never NULL
    Sound:   a comparison is NULL exactly if a side is, and else its negation is true if it is not
    """
    for part in () if term.outputs else term.conjuncts:
        match part:
            case t.Not(t.IsTrue(t.Compare("=" | "<" | "<=", left, right) as compared)) | t.Not(
                t.IsTrue(t.Not(t.Compare("=", left, right)) as compared)
            ):
                untrue = negation(compared, scope)
                others = [other for other in term.conjuncts if other is not part]
                return [term.where([*others, t.Or((untrue, t.IsNull(left), t.IsNull(right)))])]
    return None


@dataclass(frozen=True, slots=True)
class Witnessed(ConditionOf[t.Expression]):
    """A condition of a term, EXISTS or NOT EXISTS, and a row variable of the term that may be its witness."""

    exists: t.Exists
    own: t.Variable

    def said(self, scope: Scope) -> list[t.Expression | None]:
        """For each condition of the EXISTS, what is left of it for the witness row.

        TRUE if the others imply the condition, ``NOT v IS NULL`` for ``v = v``, None if it does not follow.

        The EXISTS must not help to prove itself: ``scope`` is that around the term.
        """
        others = self.others
        known = {t.alpha(other) for other in others}
        inside = scope.within(self.shown.bindings, others)
        ((binding,), condition) = self.exists.bag.terms[0].bindings, self.exists.bag.terms[0].condition
        return [_said(claim, binding.row, self.own, known, inside) for claim in t.conjuncts(condition)]


def without_witnessed(term: t.Term, scope: Scope) -> t.Term:
    """The term without each EXISTS or NOT EXISTS of which one of its own rows is a witness."""
    for part in term.conjuncts:
        if not t.sites(part):
            found = first((eliminate_witnessed_exists,), _witnesses(term, part), scope)
            term = term if found is None else found[0]
    return term


def _witnesses(term: t.Term, part: t.Expression) -> Iterator[Witnessed]:
    exists = part.part if isinstance(part, t.Not) else part
    match exists:
        case t.Exists(t.Bag((t.Term((t.Binding(_, t.Scan() as source),)),))):
            for binding in term.bindings:
                if binding.source == source:
                    yield Witnessed(term, part, exists, binding.row)


def other_conditions_show_it(at: Witnessed, scope: Scope) -> bool:
    """Whether the other conditions imply those of the EXISTS for the witness row, NOT NULL apart."""
    return None not in at.said(scope)


@rewrite(on=t.Term, keeps="bag", needs=(other_conditions_show_it,))
def eliminate_witnessed_exists(at: Witnessed, scope: Scope) -> list[t.Term] | None:
    """Drop an EXISTS of which one of the term's own rows is a witness; of NOT EXISTS too.

    Before:  Σ t ∈ a [(∃ s ∈ a [s.x = t.x])] → (t.y)
    After:   Σ t ∈ a [not t.x is NULL] → (t.y)
    Refuse:  the EXISTS asks for more: the row itself may have another value there
    Sound:   by the other conditions, that row makes the condition of the EXISTS true, if what it is to equal
             is not NULL, which the EXISTS says of a value that is not of its own row
    """
    others = at.others
    kept = [each for each in at.said(scope) if each is not None and each != t.TRUE and each not in others]
    if at.part is not at.exists:
        kept = [negation(t.conjunction(kept), scope)]
    return [at.shown.where([*others, *kept])]


def _said(
    claim: t.Expression, row: t.Variable, own: t.Variable, known: set[t.Expression], scope: Scope
) -> t.Expression | None:
    """What is left of a condition on ``row`` when ``own`` takes its place; None if it does not follow."""
    placed = t.renamed(claim, {row: own})
    if t.alpha(placed) in known:
        return t.TRUE
    match placed:
        case t.Compare("<=", left, right) if left == right and scope.never_null(left):
            return t.TRUE
        case t.Or(parts) if any(
            all(_said(each, row, own, known, scope) == t.TRUE for each in t.conjuncts(part)) for part in parts
        ):
            return t.TRUE
        case t.Compare("=" | "IS", left, right) if left == right and isinstance(claim, t.Compare):
            if claim.operator == "IS" or scope.never_null(left):
                return t.TRUE
            return t.Not(t.IsNull(left)) if left in (claim.left, claim.right) else None
    return None


@dataclass(frozen=True, slots=True)
class RowBeyond(PlaceIn[t.Term]):
    """A condition ``NOT EXISTS (row beyond value)`` of a term, and a row variable that may hold the value."""

    part: t.Not
    binding: t.Binding
    """The variable within the EXISTS."""
    value: t.Expression
    """The value of the row beyond."""
    bound: t.Expression
    function: Literal["MIN", "MAX"]
    others: tuple[t.Expression, ...]
    """The other conditions on the row beyond."""
    own: t.Variable


def nothing_beyond(term: t.Term, _: Scope) -> Iterator[RowBeyond]:
    """The conditions ``NOT EXISTS (row beyond value)`` of a term, with each row that may hold the value."""
    for part in term.conjuncts:
        match part:
            case t.Not(
                t.Exists(t.Bag((t.Term((t.Binding(row, t.Scan() as source) as binding,), condition),)))
            ):
                pass
            case _:
                continue
        if t.sites(part):
            continue
        parts = t.conjuncts(condition)
        owners = [each.row for each in term.bindings if each.source == source]
        for claim in parts:
            sides = _sides(claim, row)
            others = tuple(other for other in parts if other is not claim)
            if sides is not None:
                for own in owners:
                    yield RowBeyond(term, part, binding, *sides, others, own)


def _sides(
    claim: t.Expression, row: t.Variable
) -> tuple[t.Expression, t.Expression, Literal["MIN", "MAX"]] | None:
    match claim:
        case t.Compare("<", low, high) if t.free(high) == {row} and row not in t.free(low):
            return high, low, "MAX"
        case t.Compare("<", low, high) if t.free(low) == {row} and row not in t.free(high):
            return low, high, "MIN"
    return None


def is_the_rows_own(at: RowBeyond) -> bool:
    """Whether the bound is the value of a row of the term."""
    return t.alpha(t.renamed(at.value, {at.binding.row: at.own})) == t.alpha(at.bound)


def row_is_among_them(at: RowBeyond, scope: Scope) -> bool:
    """Whether the row meets what else is asked, and its value is not NULL."""
    rest = [other for other in at.shown.conjuncts if other is not at.part]
    inside = scope.within(at.shown.bindings, rest)
    if not inside.never_null(at.bound):
        return False
    asked = t.Exists(t.Bag((t.Term((at.binding,), t.conjunction(at.others), ()),)))
    whole = at.shown.where((*rest, asked))
    return not at.others or all(each == t.TRUE for each in Witnessed(whole, asked, asked, at.own).said(scope))


@rewrite(on=t.Term, keeps="bag", shape=(is_the_rows_own,), needs=(row_is_among_them,))
def convert_nothing_beyond_to_extreme(at: RowBeyond, scope: Scope) -> list[t.Term] | None:
    """Turn ``NOT EXISTS`` a greater (smaller) row into equality with the MAX (MIN).

    Before:  Σ t ∈ a [not (∃ s ∈ a [s.x is t.x and t.nn < s.nn])] → (t.id)
    After:   Σ t ∈ a [MAX{Σ s ∈ a [s.x is t.x] → (s.nn)} = t.nn] → (t.id)
    Refuse:  a value that may be NULL; a row that may not be of its kind itself; <=; another column
    Sound:   the row is among those whose MAX is taken, so that there is one, which is not below its value
    """
    row, source = at.binding.row, at.binding.source
    bag = t.Bag((t.Term((t.Binding(row, source),), t.conjunction(at.others), (at.value,)),))
    extreme = t.Compare("=", t.Aggregate(at.function, bag), at.bound)
    parts = [extreme if part is at.part else part for part in at.shown.conjuncts]
    return [at.shown.where(parts)]
