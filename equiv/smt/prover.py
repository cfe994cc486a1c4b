"""Proof obligations, each a claim with the SMT-LIB script whose unsatisfiability Z3 shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import z3

from equiv.algebra import terms as t
from equiv.algebra.text import lines_of
from equiv.algebra.world import Claim, World
from equiv.facts import Fact, FactKind
from equiv.schema.policy import format_fact
from equiv.smt.encoding.expressions import Encoder
from equiv.smt.logic import (
    TRUE,
    UNIVERSAL,
    Axiom,
    ContradictionError,
    Hypothesis,
    HypothesisOrigin,
    InconsistentError,
    Symbol,
    UninterpretableError,
    not_,
    text_of,
)
from equiv.smt.row_facts import CheckReader, RowFacts
from equiv.smt.theories import theories
from equiv.verdict import Obligation


@dataclass
class Z3Solver:
    """Decides scripts, each once; for the provers of one pair, or of one proof.

    A context costs more than a claim, so that there is one, made when a script comes.  It is not kept for the
    next pair: how many steps a script takes depends on what its context has seen, and verdicts must repeat.
    """

    _decided: dict[tuple[str, int], bool] = field(default_factory=dict)

    @cached_property
    def _context(self) -> z3.Context:
        return z3.Context()

    def refutes(self, script: str, budget: int) -> bool:
        """Whether a script is shown to be unsatisfiable; not if that takes too long, or it is malformed.

        Args:
            script: SMT-LIB declarations, definitions and assertions.
            budget: Z3's resource units.
        """
        asked = script, budget
        if asked not in self._decided:
            self._decided[asked] = self._refutes(script, budget)
        return self._decided[asked]

    def _refutes(self, script: str, budget: int) -> bool:
        solver = z3.SimpleSolver(ctx=self._context)
        solver.set("rlimit", budget)
        try:
            solver.from_string(script)
            return bool(solver.check() == z3.unsat)
        except z3.Z3Exception:
            return False


UNITS_PER_EFFORT = 1_000
"""Z3's resource units for one claim, for each unit of effort: repeatable, unlike time."""

LEAST_EFFORT, MOST_EFFORT = 60, 3_000
"""Less effort than the one, and more than the other, change nothing for a claim."""

BUDGET = 300_000
"""The units for a claim that nobody chose an effort for."""


def budget_for(effort: int) -> int:
    """The resource units for one claim under an effort, which is a number of databases."""
    return UNITS_PER_EFFORT * min(max(effort, LEAST_EFFORT), MOST_EFFORT)


_STEPS = 100
"""A claim that is put to Z3 counts as so many steps of the algebra."""

_ROUNDS = 3
"""How often what is known about new symbols is asked for."""


@dataclass
class _Known:
    """The state that provers of one world share: the solver, CHECKs read, claims decided so far."""

    checks: CheckReader
    solver: Z3Solver
    answers: dict[Claim, tuple[bool, tuple[Fact, ...], Obligation | None]] = field(default_factory=dict)
    integers: dict[t.Expression, frozenset[int]] = field(default_factory=dict)


class Z3Prover:
    """Proves claims by asking Z3 for a counter-example; what it proves is kept as obligations.

    Args:
        world: schema and facts; facts that were used and claims that were proved are recorded there.
        budget: Z3's resource units for one claim.
        without: axioms that are not to be used.
        known: what another prover of the same schema, facts and names has decided.
        solver: decides what is left; by default, one of its own.
    """

    def __init__(
        self,
        world: World,
        budget: int = BUDGET,
        without: frozenset[Axiom] = frozenset(),
        known: _Known | None = None,
        solver: Z3Solver | None = None,
    ) -> None:
        self._world = world
        self._budget = budget
        self._without = without
        self._known = known or _Known(CheckReader(world), solver or Z3Solver())
        self._relied: dict[Claim, Obligation] = {}

    @property
    def obligations(self) -> tuple[Obligation, ...]:
        """The claims that a solver had to show, in the order in which they were first asked."""
        return tuple(self._relied.values())

    def within(self, world: World) -> Z3Prover:
        """See :class:`equiv.algebra.world.RecordingProver`."""
        return Z3Prover(world, self._budget, self._without, self._known)

    def proves(self, claim: Claim) -> bool:
        """See :class:`equiv.algebra.world.Prover`.

        Raises:
            InconsistentError: what holds of all rows contradicts itself, so that it would prove anything.
        """
        conditions = tuple(dict.fromkeys(part for each in claim.given for part in t.conjuncts(each)))
        lemmas = tuple(dict.fromkeys(part for each in claim.lemmas for part in t.conjuncts(each)))
        known = {*conditions, *lemmas}
        if t.FALSE in known or all(part in known for part in t.conjuncts(claim.goal)):
            return True
        asked = Claim(claim.rows, conditions, claim.goal, lemmas)
        if asked not in self._known.answers:
            self._known.answers[asked] = self._decide(asked)
        proved, used, obligation = self._known.answers[asked]
        self._world.use(used)
        if obligation is not None:
            self._relied.setdefault(asked, obligation)
        return proved

    def _decide(self, claim: Claim) -> tuple[bool, tuple[Fact, ...], Obligation | None]:
        self._world.meter.tick(_STEPS)
        encoder = Encoder(self._world, claim.rows)
        try:
            seen, stated = self._hypotheses(claim, encoder)
            goal = Hypothesis(not_(encoder.truth(claim.goal).true), HypothesisOrigin.GOAL)
        except (UninterpretableError, RecursionError):
            return False, (), None
        if not self._is_unsatisfiable(seen, [*stated, goal]):
            return False, (), None
        is_empty = claim.goal == t.FALSE or self._is_unsatisfiable(seen, stated)
        if is_empty:
            self._require_consistency(seen, stated)
        used = tuple(encoder.world.used)
        asserted = [*stated, goal]
        script = _body(seen, asserted)
        self._world.state("solver", claim)
        return True, used, _obligation(claim, asserted, used, script, is_empty=is_empty)

    def _require_consistency(self, seen: dict[str, Symbol], stated: list[Hypothesis]) -> None:
        """Conditions may contradict each other or a source: there are no such rows.  The rest may not."""
        always = [each for each in stated if each.origin in UNIVERSAL]
        if self._is_unsatisfiable(seen, always):
            names = ", ".join(sorted({each.label for each in always}))
            why = f"what holds of all rows contradicts itself: {names}"
            facts = [each for each in always if each.origin is HypothesisOrigin.FACT]
            is_written = any(each.label.startswith(f"fact {FactKind.CHECK}(") for each in facts)
            if is_written and self._is_unsatisfiable(seen, facts):
                raise ContradictionError(why)
            raise InconsistentError(why)

    def _hypotheses(self, claim: Claim, encoder: Encoder) -> tuple[dict[str, Symbol], list[Hypothesis]]:
        """The symbols of a claim, and all that may be assumed of them."""
        goal = encoder.truth(claim.goal).true
        stated = [Hypothesis(encoder.truth(each).true, HypothesisOrigin.CONDITION) for each in claim.given]
        stated += [Hypothesis(encoder.truth(each).true, HypothesisOrigin.LEMMA) for each in claim.lemmas]
        parts = (claim.goal, *claim.given, *claim.lemmas)
        numbers = sorted(set().union(*map(self._integers_in, parts)))
        rows = RowFacts(encoder, self._known.checks)
        asserted: dict[str, Hypothesis] = {}
        without = {which.name.lower() for which in self._without}

        def add(more: list[Hypothesis]) -> list[str]:
            new = []
            for each in more:
                if each.formula not in asserted and each.name not in without:
                    asserted[each.formula] = each
                    new.append(each.formula)
            return new

        seen: dict[str, Symbol] = {}
        new = [goal, *add(stated)]
        for _ in range(_ROUNDS):
            own = add(encoder.script.needed(new, seen))
            while own:
                own = add(encoder.script.needed(own, seen))
            new = add([*rows.hypotheses(seen), *theories(encoder, seen, numbers)])
            if not new:
                break
        encoder.script.needed(new, seen)
        return seen, [each for each in asserted.values() if each.formula != TRUE]

    def _integers_in(self, node: t.Expression) -> frozenset[int]:
        found = self._known.integers.get(node)
        if found is None:
            found = frozenset(_integers_compared(node))
            self._known.integers[node] = found
        return found

    def _is_unsatisfiable(self, seen: dict[str, Symbol], asserted: list[Hypothesis]) -> bool:
        return self._known.solver.refutes(_body(seen, asserted), self._budget)


def _integers_compared(node: t.Node) -> Iterator[int]:
    """The integer literals below a node, less the places that SUBSTR takes."""
    match node:
        case t.Constant("integer", text):
            yield int(text)
        case t.Apply("SUBSTR", (text, *_)):
            yield from _integers_compared(text)
        case _:
            for each in t.children(node):
                yield from _integers_compared(each)


def _body(seen: dict[str, Symbol], asserted: Iterable[Hypothesis]) -> str:
    """Declarations, definitions and assertions."""
    return "\n".join(text_of(seen, asserted))


def _obligation(
    claim: Claim,
    asserted: Iterable[Hypothesis],
    facts: Iterable[Fact],
    script: str,
    *,
    is_empty: bool,
) -> Obligation:
    """An obligation from its parts.

    Args:
        claim: what was proved.
        asserted: all that the solver was told.
        facts: those that the script rests on, in what it asserts and in how it writes values.
        script: the same as SMT-LIB.
        is_empty: whether the conditions are never true, so that the claim says nothing but that.
    """
    told = Counter(each.label for each in asserted if each.origin in UNIVERSAL)
    names = [f"{HypothesisOrigin.FACT} {format_fact(fact)}" for fact in facts]
    for name in names:
        told.setdefault(name, 1)
    before, then = lines_of(claim)
    lines = [
        *before,
        *(f"by {label}" + (f", {times} times" if times > 1 else "") for label, times in told.items()),
        then,
        *(["because there are no such rows"] if is_empty else []),
    ]
    rests = "".join(f"; rests on {' '.join(name.split())}\n" for name in names)
    return Obligation("\n".join(lines), f"(set-logic ALL)\n{rests}{script}\n(check-sat)\n")
