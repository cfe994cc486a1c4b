"""Drawn pairs of the fragment: none is left open, and databases agree with what is decided."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from random import Random

import pytest

from benchmarks.pairs.conjunctive import Maker, schema
from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.dialects.registry import reference
from equiv.engine.make import make_engine
from equiv.fragment.constraints import FragmentConstraints
from equiv.fragment.queries import ConjunctiveQuery
from equiv.fragment.recognition import outside
from equiv.fragment.tableau import Tableau, cases_of
from equiv.options import Options
from equiv.relation import resolve_relation
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import Proved, Refuted
from equiv.tiers.search import FragmentTier

OF_A_SCHEMA = 10
DATABASES = 25
SCHEMAS, MOST_SCHEMAS = 6, 30


def drawn(seed: int, relation: str) -> tuple[list[str], int, int]:
    """What is wrong with pairs of one schema; how many were equivalent, and how many were not."""
    rng = Random(f"drawn:{seed}")
    tables = schema(rng)
    ddl = "\n".join(table.ddl for table in tables)
    wrong, proved, refuted = [], 0, 0
    read = reference().loader.read_ddl(ddl, "drawn")
    with closing(make_engine(read, None, Options(relation=relation, timeout=None))) as engine:
        alone, generate = FragmentTier(read, engine.facts), GenerateTier(read, engine.facts)
        maker = Maker(tables, rng)
        for _ in range(OF_A_SCHEMA):
            pred, gold = (engine.read(text) for text in maker.pair()[:2])
            assert isinstance(pred, Query)
            assert isinstance(gold, Query)
            pair = Pair(pred, gold, read, engine.facts, resolve_relation(relation, gold_orders=False))
            if outside(pair):
                continue
            match alone.settle(pair, 0):
                case Proved():
                    proved += 1
                    if isinstance(generate.attack(pair, DATABASES), Refuted):
                        wrong.append(f"{ddl}\nproved, and a database breaks it: {pred.sql} | {gold.sql}")
                case Refuted():
                    refuted += 1
                case _:
                    wrong.append(f"{ddl}\nopen: {pred.sql} | {gold.sql}")
    return wrong, proved, refuted


def _no_nulls(block: ConjunctiveQuery, constraints: FragmentConstraints) -> list[Tableau]:
    """The cases of a block as if it did not matter what is NULL."""
    for cuts in constraints.cuts.values():
        cuts.nulls = False
    return cases_of(block, constraints)


@pytest.mark.long
@pytest.mark.parametrize(
    ("place", "part"),
    [
        ("equiv.fragment.tableau.Tableau._merge_twins", lambda self: False),
        ("equiv.fragment.tableau.Tableau._add_parent", lambda self: False),
        ("equiv.fragment.decision.cases_of", _no_nulls),
        ("equiv.fragment.decision._duplicate", lambda side: None),
        ("equiv.fragment.decision.truth", lambda test, case, atoms: True),
    ],
    ids=["keys", "references", "nulls", "duplicates", "conditions"],
)
def test_no_part_of_the_decision_can_be_spared(
    place: str, part: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place, part)
    assert any(drawn(seed, "bag")[0] for seed in range(MOST_SCHEMAS))


@pytest.mark.long
@pytest.mark.parametrize("relation", ["bag", "set"])
def test_every_drawn_pair_is_decided_and_no_database_breaks_a_proof(relation: str) -> None:
    found = [drawn(seed, relation) for seed in range(SCHEMAS)]
    assert [wrong for each in found for wrong in each[0]] == []
    assert min(sum(each[1] for each in found), sum(each[2] for each in found)) > SCHEMAS
