"""Z3, asked whether scripts can be satisfied."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import z3


@dataclass
class Solver:
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
