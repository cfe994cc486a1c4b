"""The normal form of a query: what facts make superfluous is gone, and one thing is said in one way.

Every step keeps the rows of every bag, each as often as before, on every database that the facts
allow; below DISTINCT, EXISTS, MIN and MAX it keeps which rows there are.  In rounds, until nothing
changes or the rounds are used up (which can cost a proof, never make one):

* conditions and values are simplified by each other (:mod:`equiv.proof.rewrites.scalars.simplify`),
* equal values get one representative (:mod:`equiv.proof.rewrites.rows.determined`),
* sources that are no more than their bag are written out (:mod:`equiv.proof.rewrites.rows.sources`),
* rows that a key fixes are looked up (:mod:`equiv.proof.rewrites.rows.determined`),
* DISTINCT goes where rows differ anyway (:mod:`equiv.proof.rewrites.rows.distinct`),
* terms over the same rows are merged (:mod:`equiv.proof.rewrites.rows.merged_terms`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar, cast

from equiv.algebra import terms as t
from equiv.algebra.world import NORMAL_FORM, Alike, Claim, Likeness, Prover, World
from equiv.facts import Fact, FactKind
from equiv.proof.rewrite import Pass, first, rewrite
from equiv.proof.rewrites.choices.order_keys import Ordered, eliminate_key_of_partition, with_telling_keys
from equiv.proof.rewrites.choices.row_numbers import (
    convert_number_to_rank,
    convert_rank_to_choice,
    convert_rank_to_sort_keys,
    ranked_rows,
)
from equiv.proof.rewrites.ranged import Ranged
from equiv.proof.rewrites.rows.determined import (
    DETERMINED,
    convert_equals_to_representative,
    determinations,
    reject_different_constants,
    without_implied_lookups,
)
from equiv.proof.rewrites.rows.distinct import (
    DISTINCT,
    eliminate_root_distinct,
    parted,
    reduce_outputs_to_fewer_rows,
    split_distinct_rows,
)
from equiv.proof.rewrites.rows.distinct_columns import distinct_variables
from equiv.proof.rewrites.rows.exists import (
    convert_nothing_beyond_to_extreme,
    normal_exists,
    nothing_beyond,
    push_idle_rows_into_exists,
    split_untrue_comparison,
    without_witnessed,
)
from equiv.proof.rewrites.rows.extreme_groups import (
    EXTREME_ROWS,
    convert_rows_of_extreme_to_group,
    groups_with_extremes,
    rows_of_extremes,
)
from equiv.proof.rewrites.rows.merged_terms import better_partners, convert_row_to_partner, merged
from equiv.proof.rewrites.rows.row_counts import COUNTED, counts
from equiv.proof.rewrites.rows.sources import INLINING, first_value, hollow, is_definite
from equiv.proof.rewrites.scalars.simplify import conditions, value
from equiv.proof.rewrites.scope import NestedBag, Scope, shape
from equiv.proof.rewrites.sums.aggregates import normal_aggregate, normal_first
from equiv.proof.rewrites.sums.existence import asked_for, inline_semi_join
from equiv.proof.rewrites.sums.parts import eliminate_part_of_sum, merge_complementary_sums

C = TypeVar("C", bound=t.Node)

ROUNDS = 24
"""How many steps one term may take."""

ADDED = ("COUNT", "SUM", "LINEAR")
"""Aggregates of which that over two bags is the sum of those over each."""

MAX_STEPS = 500
"""How many steps all terms of a query may take together."""


def normal_form(answer: t.Answer, world: World, prover: Prover, *, distinct: bool = False) -> t.Answer:
    """The normal form of a whole query.

    Args:
        answer: as :func:`equiv.algebra.translate.query.translate` gives it.
        world: facts that are relied on are recorded there.
        prover: asked whether two conditions exclude each other.
        distinct: whether it counts only which rows there are, of an answer that is not cut.
    """
    run = _Run()
    scope = Scope(world, prover, run.nested)
    bag = run.root(answer.bag, scope, distinct=distinct)
    if answer.limit == 0:
        bag = t.Bag(())
    rows = _sorted(Ordered(bag, answer.visible, answer.directions), scope)
    return replace(answer, bag=rows.shown, directions=rows.directions)


@dataclass
class _Run:
    """One normalisation, and the keys of nested expressions and sources that are normal already."""

    done: set[t.Node] = field(default_factory=set)
    alone: dict[t.Node, tuple[t.Node, tuple[Fact, ...]]] = field(default_factory=dict)
    """What mentions no row around, by its key: its normal form, and the facts that this rests on."""
    steps: int = 0

    def root(self, bag: t.Bag, scope: Scope, *, distinct: bool) -> t.Bag:
        """The normal form of the bag of a whole query, or of the set of its rows."""
        plain = eliminate_root_distinct(bag, scope) if distinct else None
        return self.bag(bag if plain is None else plain, scope, distinct=distinct)

    def bag(self, bag: t.Bag, scope: Scope, *, distinct: bool, summed: bool = False) -> t.Bag:
        """The normal form of a bag, or of the set of its rows, or of rows whose outputs are added up."""
        terms = [normal for term in bag.terms for normal in self.term(term, scope, distinct=distinct)]
        joint = merged(terms, scope, distinct=distinct, summed=summed)
        _state("merged", terms, joint, scope, distinct=distinct)
        terms = joint
        if len(terms) > 1 or any(_is_checked(term, scope) for term in terms):
            terms = [term for term in terms if eliminate_contradictory_term(term, scope) is None]
        if distinct:
            terms = [_semi_joined(term, scope) if term.outputs else term for term in terms]
        _state("normal bag", bag.terms, terms, scope, distinct=distinct)
        return t.Bag(tuple(terms))

    def term(self, term: t.Term, scope: Scope, *, distinct: bool) -> list[t.Term]:
        """The terms that make up a term in normal form."""
        for _ in range(ROUNDS):
            self.steps += 1
            if self.steps > MAX_STEPS:
                return [term]
            simple = self._simplified(term, scope)
            _state("simplified", [term], [simple], scope, distinct=distinct)
            term = simple
            if term.condition == t.FALSE:
                return []
            several = _step(term, scope, distinct=distinct)
            if several is None:
                break
            if len(several) != 1:
                return [normal for each in several for normal in self.term(each, scope, distinct=distinct)]
            (term,) = several
        finished = _finished(term, scope)
        _state("finished", [term], [finished], scope, distinct=distinct)
        return [finished] if t.FALSE not in finished.conjuncts else []

    def _simplified(self, term: t.Term, scope: Scope) -> t.Term:
        """The term with its sources normal and its condition simplified, equal values under one name."""
        bindings: list[t.Binding] = []
        for binding in term.bindings:
            source = self.source(binding.source, scope.within(bindings))
            bindings.append(t.Binding(binding.row, source))
        inside = scope.within(bindings)
        condition = conditions(term.conjuncts, inside)
        simple = t.Term(tuple(bindings), condition, term.outputs)
        several = reject_different_constants(simple, scope)
        if several is None:
            several = convert_equals_to_representative(simple, scope)
        if several is not None:
            (simple,) = several or [t.Term((), t.FALSE, term.outputs)]
        return replace(simple, condition=conditions(simple.conjuncts, inside))

    def source(self, source: t.Source, scope: Scope) -> t.Source:
        """The normal form of what a variable ranges over."""
        if isinstance(source, t.Scan) or t.alpha(source) in self.done:
            return source
        return self._once(source, scope, self._normal_source)

    def _once(self, node: C, scope: Scope, normal: Callable[[C, Scope], t.Node]) -> C:
        """The normal form of a node; one that mentions no row around is made once, and not by what is known.

        A query that several others read is written out for each of them.
        """
        if t.free(node):
            return cast(C, normal(node, scope))
        world, key = scope.world, t.alpha(node)
        if key in self.alone:
            found, facts = self.alone[key]
            world.use(facts)
            return cast(C, world.names.copy_of(found))
        mark = world.open_step()
        found = normal(node, Scope(world, scope.prover, self.nested))
        self.alone[key] = found, world.close_step(mark, is_taken=True)
        return cast(C, found)

    def _normal_source(self, source: t.Squash | t.Limited | t.Numbered, scope: Scope) -> t.Source:
        bag = self.bag(source.bag, scope, distinct=isinstance(source, t.Squash))
        normal: t.Source
        match source:
            case t.Limited(_, visible, directions):
                rows = _sorted(Ordered(bag, visible, directions), scope)
                normal = replace(source, bag=rows.shown, directions=rows.directions)
            case t.Squash():
                normal = t.Squash(bag)
            case t.Numbered():
                numbered = replace(source, bag=bag)
                normal = eliminate_key_of_partition(numbered, scope) or numbered
        self.done.add(t.alpha(normal))
        return normal

    def nested(self, node: NestedBag, scope: Scope) -> t.Expression:
        """The normal form of an expression with a bag inside."""
        if t.alpha(node) in self.done:
            return node
        if isinstance(node, t.Exists):
            return self._normal_nested(node, scope)
        return self._once(node, scope, self._normal_nested)

    def _normal_nested(self, node: NestedBag, scope: Scope) -> t.Expression:
        found = self._rewritten(node, scope)
        scope.world.state(
            f"{NORMAL_FORM}: nested", Claim(scope.rows, scope.given, t.Compare("IS", node, found))
        )
        self.done.update(map(t.alpha, _outermost(found)))
        return found

    def _rewritten(self, node: NestedBag, scope: Scope) -> t.Expression:
        normal: t.Expression
        match node:
            case t.Exists(bag):
                normal = normal_exists(self.bag(hollow(bag), scope, distinct=True), scope)
            case t.Aggregate():
                normal = self._aggregate(node, scope)
            case _:
                rows = self.source(node.rows, scope)
                assert isinstance(rows, t.Limited)
                normal = first_value(t.First(rows), scope)
                if isinstance(normal, t.First):
                    normal = normal_first(normal, scope)
        return normal

    def _aggregate(self, node: t.Aggregate, scope: Scope) -> t.Expression:
        distinct = node.is_extreme and is_definite(node.bag, scope)
        bag = self.bag(node.bag, scope, distinct=distinct, summed=node.function in ADDED)
        found = normal_aggregate(replace(node, bag=bag), scope)
        return self._normal_below(found, scope)

    def _normal_below(self, node: t.Expression, scope: Scope) -> t.Expression:
        """The bags normal that came in with the rewriting of an aggregate."""
        match node:
            case t.Exists():
                return self.nested(node, scope)
            case t.Aggregate(function, bag):
                distinct = node.is_extreme and is_definite(bag, scope)
                normal = self.bag(bag, scope, distinct=distinct, summed=function in ADDED)
                inner = replace(node, bag=normal)
                # Rows that a key fixed are looked up by now, so that no sum is left.
                is_fixed = not any(term.bindings for term in inner.bag.terms)
                return normal_aggregate(inner, scope) if is_fixed else inner
            case t.First():
                return node
        below: t.Expression = t.map_children(node, partial(self._normal_below, scope=scope))
        if not isinstance(below, t.Apply | t.Compare):
            return below
        return merge_complementary_sums(below, scope) or eliminate_part_of_sum(below, scope) or below


def _sorted(rows: Ordered, scope: Scope) -> Ordered:
    """A normal bag and its order, without ranks as keys, and without keys that decide nothing."""
    by_columns = convert_rank_to_sort_keys(rows, scope)
    return with_telling_keys(rows, scope) if by_columns is None else _sorted(by_columns, scope)


def _state(
    by: str, before: Sequence[t.Term], after: Sequence[t.Term], scope: Scope, *, distinct: bool
) -> None:
    """Record that a rewrite keeps the rows of a bag."""
    bags = t.Bag(tuple(before)), t.Bag(tuple(after))
    if bags[0] != bags[1]:
        likeness: Likeness = "set" if distinct else "bag"
        scope.world.state(f"{NORMAL_FORM}: {by}", Alike(scope.rows, scope.given, *bags, likeness))


def variables_with_rows(term: t.Term, scope: Scope) -> Iterator[Ranged]:
    """The variables of a term that range over something other than a table."""
    for place, binding in enumerate(term.bindings):
        if not isinstance(binding.source, t.Scan):
            yield Ranged(term, place)


def whole_term(term: t.Term, scope: Scope) -> tuple[t.Term]:
    """The term itself."""
    return (term,)


PASSES: tuple[Pass, ...] = (
    (variables_with_rows, INLINING),
    (variables_with_rows, (convert_number_to_rank,)),
    (ranked_rows, (convert_rank_to_choice,)),
    (asked_for, (inline_semi_join,)),
    (whole_term, (split_untrue_comparison,)),
    (nothing_beyond, (convert_nothing_beyond_to_extreme,)),
    (parted, (split_distinct_rows,)),
    (rows_of_extremes, (convert_rows_of_extreme_to_group,)),
    (distinct_variables, DISTINCT),
    (determinations, DETERMINED),
    (better_partners, (convert_row_to_partner,)),
    (counts, COUNTED),
    (groups_with_extremes, EXTREME_ROWS),
)
"""Passes over a simplified term, in order; after each step the first one is tried again."""


def _step(term: t.Term, scope: Scope, *, distinct: bool) -> list[t.Term] | None:
    """The result of the first rewrite that fires on a term; None if none does."""
    for parts, rewrites in PASSES:
        found: list[t.Term] | None = first(rewrites, parts(term, scope), scope, distinct=distinct)
        if found is not None:
            return found
    return None


def _semi_joined(term: t.Term, scope: Scope) -> t.Term:
    """A term of which duplicates do not count, its idle variables within EXISTS if they say anything."""
    term = reduce_outputs_to_fewer_rows(term, scope) or term
    several = push_idle_rows_into_exists(term, scope)
    term = term if several is None else several[0]
    joined = without_witnessed(term, scope)
    return joined.where(joined.conjuncts)


def _finished(term: t.Term, scope: Scope) -> t.Term:
    """The term with its outputs simplified and its conditions in order."""
    inside = scope.inside(term)
    names = inside.shapes
    witnessed = without_witnessed(term, scope)
    outputs = tuple(value(output, inside) for output in term.outputs)
    plain = replace(witnessed, outputs=outputs)
    plain = without_implied_lookups(plain, scope)
    parts = sorted(plain.conjuncts, key=lambda part: shape(part, names))
    return plain.where(parts)


def _outermost(node: t.Node) -> list[t.Node]:
    """The outermost expressions with bags inside."""
    if isinstance(node, NestedBag):
        return [node]
    return [found for child in t.children(node) for found in _outermost(child)]


def _is_checked(term: t.Term, scope: Scope) -> bool:
    """Whether a CHECK bears on the rows that a condition chooses from."""
    tables = [each.source.table for each in term.bindings if isinstance(each.source, t.Scan)]
    return term.condition != t.TRUE and any(scope.world.facts.of(FactKind.CHECK, name) for name in tables)


def condition_is_never_true(term: t.Term, scope: Scope) -> bool:
    """Whether no row meets the condition."""
    given = (*scope.given, *term.conjuncts)
    return scope.prover.proves(Claim((*scope.rows, *term.bindings), given, t.FALSE))


@rewrite(on=t.Term, keeps="bag", needs=(condition_is_never_true,))
def eliminate_contradictory_term(term: t.Term, scope: Scope) -> list[t.Term] | None:
    """Drop a term, of several or under a CHECK, whose condition is never true, as the solver shows.

    Before:  Σ t ∈ a [t.x < 1 and 2 < t.x] → (t.y) + Σ t ∈ a → (t.z)
    After:   Σ t ∈ a → (t.z)
    Refuse:  a row that meets the condition
    Sound:   a term contributes only where its condition is true
    """
    return []
