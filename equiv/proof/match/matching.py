"""The state of one matching: the world, the prover, and the choices paired so far.

A *choice site* is a place where SQL leaves a query free: which of the tied rows a LIMIT takes, which row
a scalar subquery sees first.  Two queries have the same possible answers if their sites correspond
one to one and everything else agrees; so each site of the right-hand query is paired with at most one
site of the left-hand query, and the other way round.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from equiv.algebra.correspondences import atoms
from equiv.algebra.terms import (
    Aggregate,
    Binding,
    Expression,
    IsTrue,
    Limited,
    Node,
    Numbered,
    Or,
    Term,
    alpha,
    conjunction,
    conjuncts,
    walk,
)
from equiv.algebra.world import Claim, Prover, World


@dataclass(frozen=True, slots=True)
class Place:
    """The scope in which two expressions are compared: rows of their free variables, conditions, lemmas."""

    given: tuple[Expression, ...] = ()
    rows: tuple[Binding, ...] = ()
    lemmas: tuple[Expression, ...] = ()
    """Conditions that matching has shown to follow for these rows."""

    def knowing(self, conditions: Iterable[Expression]) -> Place:
        """The place with more conditions."""
        return Place((*self.given, *conditions), self.rows, self.lemmas)

    def within(self, bindings: Iterable[Binding]) -> Place:
        """The place with more rows at hand."""
        return Place(self.given, (*self.rows, *bindings), self.lemmas)

    def relying_on(self, lemmas: Iterable[Expression]) -> Place:
        """The place with further lemmas."""
        return Place(self.given, self.rows, (*self.lemmas, *lemmas))


MAX_STEPS = 400
"""How many claims one matching may put to the prover."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two terms shown equal, the right one over the variables of the left one."""

    left: Term
    right: Term


@dataclass
class Matching:
    """The state of one attempt to match two queries."""

    world: World
    prover: Prover
    paired: dict[int, int] = field(default_factory=dict)
    """Choice sites of the right-hand query and their partners."""
    steps: int = 0
    _failed: set[tuple[object, ...]] = field(default_factory=set)

    def proves(self, goal: Expression, here: Place) -> bool:
        """Put a claim to the prover, as long as the budget of steps lasts."""
        self.steps += 1
        return self.steps <= MAX_STEPS and self.prover.proves(Claim(here.rows, here.given, goal, here.lemmas))

    def pair_sites(self, left: Node, right: Node) -> bool:
        """Pair the choice sites of two nodes that are equal up to their sites; False if one is taken."""
        trial = dict(self.paired)
        for mine, theirs in zip(_all_sites(left), _all_sites(right), strict=True):
            # Without ties on one side there are none on the other, which is equal.
            if mine and theirs and trial.setdefault(theirs, mine) != mine:
                return False
        if len(set(trial.values())) != len(trial):
            return False
        self.paired = trial
        return True

    def has_failed(self, *key: object) -> bool:
        """Whether a question was asked before in vain."""
        return key in self._failed

    def fail(self, *key: object) -> None:
        """Remember that a question was asked in vain."""
        self._failed.add(key)


def all_true(parts: Sequence[Expression]) -> Expression:
    """The claim that all parts are true; never NULL."""
    return conjunction([IsTrue(part) for part in parts])


def shared_and_rest(left: Expression, right: Expression) -> tuple[list[Expression], Expression, Expression]:
    """The conjuncts that two conditions have in common (up to bound names), and what is left of each."""
    mine = {alpha(part): part for part in conjuncts(left)}
    theirs = {alpha(part): part for part in conjuncts(right)}
    common = [part for key, part in mine.items() if key in theirs]
    rest_left = conjunction(part for key, part in mine.items() if key not in theirs)
    rest_right = conjunction(part for key, part in theirs.items() if key not in mine)
    return common, rest_left, rest_right


def plain_assumption(left: Expression, right: Expression) -> list[Expression]:
    """Conditions without bags that each of two conditions implies: common conjuncts, and ``rest OR rest``."""
    common, rest_left, rest_right = shared_and_rest(left, right)
    plain = [part for part in common if not atoms(part)]
    sides = [
        conjunction(part for part in conjuncts(rest) if not atoms(part)) for rest in (rest_left, rest_right)
    ]
    if all(conjuncts(side) for side in sides):
        plain.append(Or(tuple(sides)))
    return plain


def _all_sites(node: Node) -> list[int]:
    return [inner.site for inner in walk(node) if isinstance(inner, Limited | Numbered | Aggregate)]
