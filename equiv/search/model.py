"""Models of circuits, by Z3's SAT solver."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal as OneOf

import z3

from equiv.search.circuit import Circuit, Literal, dimacs


@dataclass(frozen=True, slots=True)
class Solved:
    """The solver's answer: a model (the set of its true variables), none, or unknown in the time given."""

    status: OneOf["model", "none", "unknown"]
    model: frozenset[Literal] = frozenset()
    spent: int = 0
    """Resource units of Z3 that were used."""


def solve(circuit: Circuit, roots: Iterable[Literal], rlimit: int) -> Solved:
    """A model in which all roots hold, sought within a number of Z3's resource units, so that runs repeat."""
    text = dimacs(circuit, roots)
    if not text:
        return Solved("none")
    solver = z3.SolverFor("QF_FD")
    solver.set("rlimit", rlimit)
    solver.from_string(text)
    before = _used(solver)
    answer = solver.check()
    spent = _used(solver) - before
    if answer != z3.sat:
        return Solved("none" if answer == z3.unsat else "unknown", spent=spent)
    model = solver.model()
    true = (int(each.name().removeprefix("k!")) for each in model.decls() if z3.is_true(model[each]))
    return Solved("model", frozenset(true), spent)


def _used(solver: z3.Solver) -> int:
    """The resource units that were used in this process so far."""
    statistics = solver.statistics()
    return int(statistics.get_key_value("rlimit count")) if "rlimit count" in statistics.keys() else 0  # noqa: SIM118
