"""A further fact loses no proof: it only narrows the databases that the proof speaks of."""

from __future__ import annotations

from dataclasses import replace

import pytest
from kit.harness import Case, all_cases, runs_of

from benchmarks.attacks.monotony import further_facts, is_proved
from equiv.engine.make import make_tiers
from equiv.facts import Facts
from equiv.verdict import PROVERS

PROVED = [
    case
    for case in all_cases()
    if case.command == "decide" and case.parts[2].startswith("equivalent")
    if case.world is not None and not case.world.dialect
]
LOST = (
    "SELECT COUNT(DISTINCT g.id) FROM grower AS g JOIN plot AS p ON p.grower_id = g.id OR p.helper_id = g.id"
)
"""Its proof is lost where both columns are keys: a gap to close."""
RUNS = runs_of((case.path.stem, case) for case in PROVED[::7])


@pytest.mark.long
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_a_proof_stays_under_further_facts(run: tuple[Case, ...], subtests: pytest.Subtests) -> None:
    for case in run:
        assert case.world is not None
        pair = case.world.pair(case.parts[0], case.parts[1])
        provers = [tier for tier in make_tiers(case.world.schema, pair.facts, None) if tier.tier in PROVERS]
        if is_proved(pair, provers):
            every_key, no_null = list(further_facts(pair))[-2:]
            with subtests.test(case.name):
                for further in (every_key, no_null):
                    is_lost = further is every_key and case.parts[0] == LOST
                    under_more = replace(pair, facts=Facts((*pair.facts, *further)))
                    assert is_proved(under_more, provers) != is_lost
