"""Proofs of claims about values, by Z3."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property

import z3

from equiv.algebra.terms import (
    FALSE,
    Binding,
    Constant,
    Expression,
    Node,
    Source,
    Variable,
    conjuncts,
    free,
    walk,
)
from equiv.algebra.world import World
from equiv.schema.facts import Fact
from equiv.smt.errors import UninterpretableError
from equiv.smt.expressions import Encoder
from equiv.smt.logic import not_
from equiv.smt.obligations import Obligation, body, obligation
from equiv.smt.row_facts import RowFacts
from equiv.smt.script import Symbol
from equiv.smt.theories import theories

BUDGET = 300_000
"""Z3's resource units for one claim: repeatable, unlike time."""

_ROUNDS = 3
"""How often what is known about new symbols is asked for."""


class Z3Prover:
    """Proves claims by asking Z3 for a counter-example; what it proves is kept as obligations."""

    def __init__(self, world: World, budget: int = BUDGET) -> None:
        self._world = world
        self._budget = budget
        self._encoder = Encoder(world)
        self._rows = RowFacts(self._encoder)
        self._answers: dict[Hashable, tuple[bool, tuple[Fact, ...]]] = {}
        self._known: dict[Variable, Source | None] = {}
        self._integers: dict[Expression, frozenset[int]] = {}
        self._free: dict[Node, frozenset[Variable]] = {}
        self.obligations: list[Obligation] = []

    def proves(
        self, goal: Expression, given: Sequence[Expression] = (), rows: Sequence[Binding] = ()
    ) -> bool:
        """See :class:`equiv.algebra.world.Prover`."""
        parts = tuple(dict.fromkeys(part for each in given for part in conjuncts(each)))
        if FALSE in parts or all(part in parts for part in conjuncts(goal)):
            return True
        key = (goal, parts, tuple(rows))
        if key not in self._answers:
            self._answers[key] = self._decide(goal, parts, rows)
        proved, used = self._answers[key]
        self._world.use(used)
        return proved

    def _decide(
        self, goal: Expression, given: Sequence[Expression], rows: Sequence[Binding]
    ) -> tuple[bool, tuple[Fact, ...]]:
        self._bind((goal, *given, *(each.source for each in rows)), rows)
        self._encoder.world.used = {}
        try:
            script = self._script(goal, given)
        except (UninterpretableError, RecursionError):
            return False, ()
        if not self._is_unsatisfiable(script):
            return False, ()
        self.obligations.append(obligation(len(self.obligations) + 1, goal, given, rows, script))
        return True, tuple(self._encoder.world.used)

    def _bind(self, mentioned: Iterable[Node], rows: Sequence[Binding]) -> None:
        """Let variables range over these sources alone; if the encoder knows them otherwise, start anew."""
        wanted: dict[Variable, Source | None] = dict.fromkeys(
            row for node in mentioned for row in self._free_in(node)
        )
        wanted.update({each.row: each.source for each in rows})
        known = self._known
        if any(known.get(row, source) != source for row, source in wanted.items()):
            self._encoder = Encoder(self._world)
            self._rows = RowFacts(self._encoder)
            known.clear()
        known.update(wanted)
        self._encoder.sources.update({each.row: each.source for each in rows})

    def _free_in(self, node: Node) -> frozenset[Variable]:
        found = self._free.get(node)
        if found is None:
            found = frozenset(free(node))
            self._free[node] = found
        return found

    def _integers_in(self, node: Expression) -> frozenset[int]:
        found = self._integers.get(node)
        if found is None:
            constants = (each for each in walk(node) if isinstance(each, Constant))
            found = frozenset(int(each.text) for each in constants if each.kind == "integer")
            self._integers[node] = found
        return found

    def _script(self, goal: Expression, given: Sequence[Expression]) -> str:
        encoder = self._encoder
        claim = not_(encoder.truth(goal).true)
        numbers = sorted(set().union(*(self._integers_in(each) for each in (goal, *given))))
        asserted = dict.fromkeys([*(encoder.truth(each).true for each in given), claim])
        seen: dict[str, Symbol] = {}
        new = list(asserted)
        for _ in range(_ROUNDS):
            own = encoder.script.needed(new, seen)
            while own:
                asserted.update(dict.fromkeys(own))
                own = encoder.script.needed(own, seen)
            stated = [*self._rows.axioms(seen), *theories(encoder, seen, numbers)]
            new = [each for each in dict.fromkeys(stated) if each not in asserted]
            if not new:
                break
            asserted.update(dict.fromkeys(new))
        encoder.script.needed(new, seen)
        return body(seen, asserted)

    @cached_property
    def _context(self) -> z3.Context:
        return z3.Context()

    def _is_unsatisfiable(self, script: str) -> bool:
        solver = z3.SimpleSolver(ctx=self._context)
        solver.set("rlimit", self._budget)
        try:
            solver.from_string(script)
            return bool(solver.check() == z3.unsat)
        except z3.Z3Exception:
            return False
