"""Questions that depend on collation and affinity put to rules and proof: no database breaks a proof."""

from __future__ import annotations

from contextlib import closing

import pytest
from kit.sizes import swept

from benchmarks.attacks.pools import Oracle, Pool, PoolAttacker
from benchmarks.attacks.unwritten import Unwritten, attack_unwritten
from equiv.answers.pair import Pair
from equiv.cells import Row
from equiv.core.query import Query
from equiv.core.runner import Connection
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.engine.make import make_engine
from equiv.options import Options
from equiv.testing.fuzz.attacker import Asking
from equiv.tiers.outcome import Proved, TierOutcome
from equiv.verdict import Derivation, Tier

LONG = 60.0
"""So much processor time no question takes: what is proved does not depend on the machine."""

ASKING = Asking(0, LONG, sampled=0)
DDL = """
CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT COLLATE NOCASE, i INTEGER, s TEXT);
CREATE TABLE l (k INTEGER, x TEXT);
CREATE TABLE r (k INTEGER, y INTEGER);
"""


class Liar:
    """Proves everything."""

    tier = Tier.PROOF

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        del effort
        return Proved(Derivation((), (), pair.gold.sql))


APART = {
    "a CASE has no collation": (
        "SELECT s, COUNT(DISTINCT CASE WHEN i > 0 THEN n END) FROM t GROUP BY s",
        "SELECT s, COUNT(DISTINCT n) FILTER (WHERE i > 0) FROM t GROUP BY s",
    ),
    "the left operand's collation counts": (
        "SELECT id FROM t WHERE s = n",
        "SELECT id FROM t WHERE n = s",
    ),
    "a sum has no affinity": (
        "SELECT id FROM t WHERE i = s",
        "SELECT id FROM t WHERE i + 0 = s",
    ),
}


@swept("policy", ["declared"], ["intended"])
@pytest.mark.parametrize("why", APART)
def test_a_pool_of_databases_tells_apart(why: str, policy: str) -> None:
    with (
        closing(make_engine(load_ddl(DDL), None, Options(facts=policy, timeout=None))) as engine,
        closing(PoolAttacker(engine, 1, ASKING, 200)) as attacker,
    ):
        attacker._provers = (Liar(),)
        one, other = APART[why]
        attacker.ask(why, one, one + " ")
        assert not attacker.found.broken
        attacker.ask(why, one, other)
    assert attacker.found.broken
    assert attacker.found.broken[0].endswith("not_equivalent")
    assert attacker.found.databases >= 200


def test_an_oracle_that_knows_other_rows_denies_what_tells_apart() -> None:
    class Contrary(Oracle):
        def rows(self, query: Query, connection: Connection) -> list[Row] | None:
            found = super().rows(query, connection)
            return None if found is None else [*found, ("one", "more")]

    with (
        closing(make_engine(load_ddl(DDL), None, Options(facts="declared", timeout=None))) as engine,
        closing(PoolAttacker(engine, 1, ASKING, 40)) as attacker,
    ):
        attacker._provers = ()
        attacker.ask("", *APART["a sum has no affinity"])
        assert (attacker.found.told_apart, attacker.found.crashed) == (1, [])
        attacker._oracle = Contrary(engine)
        attacker.ask("", *APART["a sum has no affinity"])
    assert attacker.found.told_apart == 2
    assert "not what the algebra computes" in attacker.found.crashed[0]


def test_a_pool_has_as_many_databases_as_asked_for() -> None:
    with (
        closing(make_engine(load_ddl(DDL), None, Options(timeout=None))) as engine,
        closing(Pool(engine, 1, 7)) as pool,
    ):
        assert len(pool) == 7


@pytest.mark.long
@pytest.mark.parametrize(("number", "kind"), [(0, ""), (2, ""), (4, "constant_joins")])
def test_no_proof_is_broken(number: int, kind: str) -> None:
    found = attack_unwritten(Unwritten(5, number, 40, ASKING, kind))
    assert not found["broken"], found["broken"][0]
    assert not found["crashed"], found["crashed"][0]
    assert found["pairs"] + found["unread"] == 40


@pytest.mark.long
def test_a_task_repeats() -> None:
    one, same = (attack_unwritten(Unwritten(6, 1, 12, ASKING)) for _ in range(2))
    for found in (one, same):
        del found["seconds"]
    assert one == same
    assert one["proved"]
    assert one["databases"]
