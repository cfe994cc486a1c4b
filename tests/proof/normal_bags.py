"""The normal form of a bag alone, as a part of a query has it."""

from __future__ import annotations

from collections.abc import Sequence

from equiv.algebra.terms import Bag, Binding, Expression
from equiv.algebra.world import Prover, World
from equiv.proof.normal_form import _Run
from equiv.proof.rewrites.scope import KnownTruths, Scope


def normal_bag(
    bag: Bag, world: World, prover: Prover, given: Sequence[Expression] = (), rows: Sequence[Binding] = ()
) -> Bag:
    """The normal form of a bag that mentions the variables of some rows, of which conditions are given."""
    run = _Run()
    scope = Scope(world, prover, run.nested, tuple(rows), KnownTruths().and_also(given), tuple(given))
    return run.root(bag, scope, distinct=False)
