"""The normal form of random sums of terms has the same rows on random databases that keep the facts."""

from __future__ import annotations

from random import Random

import pytest
from proof.normal_bags import normal_bag
from proof.random_terms import DDL, Maker, random_rows

from equiv.algebra.evaluate import Evaluator
from equiv.algebra.terms import Bag, Binding, Scan, Variable
from equiv.algebra.world import World
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.schema.policy import facts_for

SCHEMA = load_ddl(DDL)
DATABASES = 6


class Sceptic:
    """A prover that proves nothing."""

    def proves(self, *_: object) -> bool:
        return False


def rows_of(evaluator: Evaluator, bag: Bag, environment: dict[Variable, dict[str, object]]) -> list[str]:
    found = evaluator.bag(bag, dict(environment))  # type: ignore[arg-type]
    return sorted(repr([float(each) if isinstance(each, int) else each for each in row]) for row in found)


def differs(seed: int) -> str:
    """What tells a random bag from its normal form, if anything."""
    random = Random(seed)
    maker = Maker(random)
    world = World(SCHEMA, facts_for(SCHEMA, random.choice(("intended", "declared"))), maker.names)
    outer = maker.names.variable("outer")
    maker.sources[outer] = Scan("c")
    around = [outer] if random.random() < 0.5 else []
    before = maker.bag(around, random.choice((1, 2, 2)), random.choice((1, 2)))
    after = normal_bag(before, world, Sceptic(), (), [Binding(row, Scan("c")) for row in around])
    for number in range(DATABASES):
        tables = random_rows(random)
        evaluator = Evaluator(tables, number)  # type: ignore[arg-type]
        for environment in [{outer: row} for row in tables["c"][:2]] if around else [{}]:
            one = rows_of(evaluator, before, environment)
            two = rows_of(evaluator, after, environment)
            if one != two:
                return f"{seed}: {one} became {two}\n{before}\n{after}\n{tables}\n{environment}"
    return ""


@pytest.mark.long
@pytest.mark.parametrize("start", range(0, 300, 100))
def test_keeps_rows(start: int) -> None:
    for seed in range(start, start + 100):
        assert not differs(seed)
