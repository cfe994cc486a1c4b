"""Templates that tell a query from its mutants: all goals hold, or all but one.

A row combination on which exactly one condition fails tells a query from its
mutant without that condition; so do a missing join partner and a duplicate.
Templates are solved once for a pair and then stamped out, with fresh keys and
other fillings, by :mod:`equiv.generate.rows.row_combinations`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from equiv.core.reading.goals import Goal
from equiv.core.reading.queries import Reading
from equiv.generate.rows.solver import Solver, Template, Wish
from equiv.generate.scratch import Scratch
from equiv.generate.values.pools import Pools

MAX_GOALS = 24
"""So many goals are missed on purpose, one at a time."""

MAX_ASIDES = 16


def templates(reading: Reading, pools: Pools, scratch: Scratch, rng: Random) -> list[Template]:
    """The templates of a pair: all goals of both, of either, all but one, and the bounds of sums."""
    solver = Solver(reading, pools, scratch)
    first, second = reading.goals
    both = tuple(dict.fromkeys((*first, *second)))

    def holding(goals: Iterable[Goal], *others: Wish) -> Template:
        return solver.template([*((goal, True) for goal in goals), *others], rng)

    made = [holding(side) for side in (both, both, first, second, both)]
    shared = set(first) & set(second)
    differing = [goal for goal in both if goal not in shared]
    for goal in [*differing, *(goal for goal in both if goal in shared)][:MAX_GOALS]:
        other_goals = [other for other in both if other != goal]
        made += [holding(other_goals, (goal, wanted)) for wanted in (False, None)]
        if goal not in shared:
            made.append(holding(other_goals, (goal, False)))
        own = first if goal in first else second
        made.append(holding([other for other in own if other != goal], (goal, False)))
    asides = reading.asides[:MAX_ASIDES]
    for aside in asides:
        made += [replace(holding(both, (aside, True)), branch=True), holding(both, (aside, False))]
    for leaf in reading.sums:
        made.append(replace(holding((*both, *reading.extremes, leaf)), twice=leaf.places[0][0]))
    return made
