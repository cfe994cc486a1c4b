"""The normal form of a query: what facts make superfluous is gone, and one thing is said in one way.

Every step keeps the rows of every bag, each as often as before, on every database that the facts
allow; below DISTINCT, EXISTS, MIN and MAX it keeps which rows there are.  In rounds, until nothing
changes or the rounds are used up (which can cost a proof, never make one):

* conditions and values are simplified by each other (:mod:`equiv.proof.rewrites.expressions`),
* equal values get one representative (:mod:`equiv.proof.rewrites.equalities`),
* sources that are no more than their bag are written out (:mod:`equiv.proof.rewrites.sources`),
* rows that a key fixes are looked up (:mod:`equiv.proof.rewrites.determined`),
* DISTINCT goes where rows differ anyway (:mod:`equiv.proof.rewrites.squash`),
* terms over the same rows are merged (:mod:`equiv.proof.rewrites.merged_terms`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from equiv.algebra.claims import NORMAL_FORM, Alike, Claim, Likeness
from equiv.algebra.terms import (
    FALSE,
    Aggregate,
    Answer,
    Bag,
    Binding,
    Compare,
    Exists,
    Expression,
    First,
    Limited,
    Node,
    Numbered,
    Scan,
    Source,
    Squash,
    Term,
    children,
    conjunction,
    conjuncts,
    map_children,
)
from equiv.algebra.world import Prover, World
from equiv.proof.rewrites.determined import determined
from equiv.proof.rewrites.equalities import with_representatives
from equiv.proof.rewrites.exists import existence, with_semi_joins, without_semi_joins, without_witnessed
from equiv.proof.rewrites.expressions import conditions, value
from equiv.proof.rewrites.implied import without_implied_lookups
from equiv.proof.rewrites.known import Known
from equiv.proof.rewrites.merged_terms import merged
from equiv.proof.rewrites.outputs import key, shape
from equiv.proof.rewrites.parts import parted
from equiv.proof.rewrites.respelt import with_fewer_rows
from equiv.proof.rewrites.scope import Nested, Scope
from equiv.proof.rewrites.sets import without_root_squash
from equiv.proof.rewrites.sources import (
    MAX_TERMS,
    first_value,
    hollow,
    inlined,
    is_definite,
    with_telling_keys,
)
from equiv.proof.rewrites.squash import unsquashed
from equiv.proof.rewrites.sums.aggregates import normal_aggregate, normal_first

ROUNDS = 24
"""How many steps one term may take."""

MAX_STEPS = 400
"""How many steps all terms of a query may take together."""


def normal_form(answer: Answer, world: World, prover: Prover, *, distinct: bool = False) -> Answer:
    """The normal form of a whole query.

    Args:
        answer: as :func:`equiv.algebra.translate.tree.translate` gives it.
        world: facts that are relied on are recorded there.
        prover: asked whether two conditions exclude each other.
        distinct: whether it counts only which rows there are, of an answer that is not cut.
    """
    bag = normal_bag(answer.bag, world, prover, distinct=distinct)
    if answer.limit == 0:
        bag = Bag(())
    bag, directions = with_telling_keys(bag, answer.visible, answer.directions)
    return replace(answer, bag=bag, directions=directions)


def normal_bag(
    bag: Bag,
    world: World,
    prover: Prover,
    given: Sequence[Expression] = (),
    rows: Sequence[Binding] = (),
    *,
    distinct: bool = False,
) -> Bag:
    """The normal form of a bag, rows and multiplicities kept wherever ``given`` is true.

    Args:
        bag: it may mention the variables of ``rows``.
        world: facts that are relied on are recorded there.
        prover: asked whether two conditions exclude each other.
        given: what is known of these variables.
        rows: what they range over, outermost first.
        distinct: whether it counts only which rows there are.
    """
    run = _Run()
    scope = Scope(world, prover, run.nested, tuple(rows), Known().and_also(given), tuple(given))
    return run.bag(without_root_squash(bag) if distinct else bag, scope, distinct=distinct)


@dataclass
class _Run:
    """One normalisation, and the keys of nested expressions and sources that are normal already."""

    done: set[Node] = field(default_factory=set)
    steps: int = 0

    def bag(self, bag: Bag, scope: Scope, *, distinct: bool) -> Bag:
        """The normal form of a bag, or of the set of its rows."""
        terms = [normal for term in bag.terms for normal in self.term(term, scope, distinct=distinct)]
        joint = merged(terms, scope, distinct=distinct)
        _state("merged", terms, joint, scope, distinct=distinct)
        terms = joint
        if len(terms) > 1:
            terms = [term for term in terms if not _is_contradictory(term, scope)]
        if distinct:
            terms = [_semi_joined(term, scope) if term.outputs else term for term in terms]
        _state("normal bag", bag.terms, terms, scope, distinct=distinct)
        return Bag(tuple(terms))

    def term(self, term: Term, scope: Scope, *, distinct: bool) -> list[Term]:
        """The terms that make up a term in normal form."""
        for _ in range(ROUNDS):
            self.steps += 1
            if self.steps > MAX_STEPS:
                return [term]
            simple = self._simplified(term, scope)
            _state("simplified", [term], [simple], scope, distinct=distinct)
            term = simple
            if term.condition == FALSE:
                return []
            by, several = self._step(term, scope, distinct=distinct)
            if several is None or len(several) > MAX_TERMS:
                break
            _state(by, [term], several, scope, distinct=distinct)
            if len(several) != 1:
                return [normal for each in several for normal in self.term(each, scope, distinct=distinct)]
            (term,) = several
        finished = _finished(term, scope)
        _state("finished", [term], [finished], scope, distinct=distinct)
        return [finished]

    @staticmethod
    def _step(term: Term, scope: Scope, *, distinct: bool) -> tuple[str, list[Term] | None]:
        """The first rewrite that applies to a term, by name, and what it makes of it."""
        several = inlined(term, scope, distinct=distinct)
        if several is not None:
            return "inlined", several
        if distinct and (several := without_semi_joins(term, scope)) is not None:
            return "without semi-joins", several
        if (several := parted(term, scope)) is not None:
            return "parted", several
        if (changed := unsquashed(term, scope)) is not None:
            return "unsquashed", [changed]
        if (changed := determined(term, scope)) is not None:
            return "determined", [changed]
        return "", None

    def _simplified(self, term: Term, scope: Scope) -> Term:
        """The term with its sources normal and its condition simplified, equal values under one name."""
        bindings: list[Binding] = []
        for binding in term.bindings:
            source = self.source(binding.source, scope.within(bindings))
            bindings.append(Binding(binding.row, source))
        inside = scope.within(bindings)
        condition = conditions(conjuncts(term.condition), inside)
        simple = with_representatives(Term(tuple(bindings), condition, term.outputs), scope)
        return replace(simple, condition=conditions(conjuncts(simple.condition), inside))

    def source(self, source: Source, scope: Scope) -> Source:
        """The normal form of what a variable ranges over."""
        if isinstance(source, Scan) or key(source) in self.done:
            return source
        bag = self.bag(source.bag, scope, distinct=isinstance(source, Squash))
        found: Source
        match source:
            case Limited(_, visible, directions):
                bag, directions = with_telling_keys(bag, visible, directions)
                found = replace(source, bag=bag, directions=directions)
            case Squash():
                found = Squash(bag)
            case Numbered():
                found = replace(source, bag=bag)
        self.done.add(key(found))
        return found

    def nested(self, node: Nested, scope: Scope) -> Expression:
        """The normal form of an expression with a bag inside."""
        if key(node) in self.done:
            return node
        found = self._normal_nested(node, scope)
        scope.world.state(
            f"{NORMAL_FORM}: nested", Claim(scope.rows, scope.given, Compare("IS", node, found))
        )
        self.done.update(map(key, _outermost(found)))
        return found

    def _normal_nested(self, node: Nested, scope: Scope) -> Expression:
        found: Expression
        match node:
            case Exists(bag):
                found = existence(self.bag(hollow(bag), scope, distinct=True), scope)
            case Aggregate():
                found = self._aggregate(node, scope)
            case _:
                rows = self.source(node.rows, scope)
                assert isinstance(rows, Limited)
                found = first_value(First(rows), scope)
                if isinstance(found, First):
                    found = normal_first(found, scope.world, scope.sources)
        return found

    def _aggregate(self, node: Aggregate, scope: Scope) -> Expression:
        bag = self.bag(
            node.bag, scope, distinct=node.function in ("MIN", "MAX") and is_definite(node.bag, scope)
        )
        found = normal_aggregate(replace(node, bag=bag), scope.world, scope.sources)
        return self._normal_below(found, scope)

    def _normal_below(self, node: Expression, scope: Scope) -> Expression:
        """The bags normal that came in with the rewriting of an aggregate."""
        match node:
            case Exists():
                return self.nested(node, scope)
            case Aggregate(function, bag):
                distinct = function in ("MIN", "MAX") and is_definite(bag, scope)
                return replace(node, bag=self.bag(bag, scope, distinct=distinct))
            case First():
                return node
        return map_children(node, lambda child: self._normal_below(child, scope))  # type: ignore[arg-type]


def _state(by: str, before: Sequence[Term], after: Sequence[Term], scope: Scope, *, distinct: bool) -> None:
    """Record that a rewrite keeps the rows of a bag."""
    bags = Bag(tuple(before)), Bag(tuple(after))
    if bags[0] != bags[1]:
        likeness: Likeness = "set" if distinct else "bag"
        scope.world.state(f"{NORMAL_FORM}: {by}", Alike(scope.rows, scope.given, *bags, likeness))


def _semi_joined(term: Term, scope: Scope) -> Term:
    """A term of which duplicates do not count, its idle variables within EXISTS if they say anything."""
    joined = with_semi_joins(with_fewer_rows(term, scope), scope.world)
    parts = without_witnessed(conjuncts(joined.condition), joined.bindings, scope)
    return replace(joined, condition=conjunction(parts))


def _finished(term: Term, scope: Scope) -> Term:
    """The term with its outputs simplified and its conditions in order."""
    inside = scope.within(term.bindings, conjuncts(term.condition))
    names = inside.shapes
    witnessed = without_witnessed(conjuncts(term.condition), term.bindings, scope)
    outputs = tuple(value(output, inside) for output in term.outputs)
    telling = without_implied_lookups(witnessed, outputs, term.bindings, scope)
    parts = sorted(telling, key=lambda part: shape(part, names))
    return replace(term, condition=conjunction(parts), outputs=outputs)


def _outermost(node: Node) -> list[Node]:
    """The outermost expressions with bags inside."""
    if isinstance(node, Nested):
        return [node]
    return [found for child in children(node) for found in _outermost(child)]


def _is_contradictory(term: Term, scope: Scope) -> bool:
    """Whether a term's condition is never true."""
    given = (*scope.given, *conjuncts(term.condition))
    return scope.prover.proves(Claim((*scope.rows, *term.bindings), given, FALSE))
