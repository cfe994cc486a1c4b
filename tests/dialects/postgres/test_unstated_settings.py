"""Pairs that depend on a setting which nobody states are tried on PostgreSQL under several values of it."""

from __future__ import annotations

from unittest.mock import patch

from kit.engines import engine_fixture

from equiv.core.query import Query
from equiv.dialects.registry import dialect_named
from equiv.engine.pipeline import Engine, attack_settings
from equiv.tiers import generate
from equiv.tiers.outcome import Open, TierOutcome
from equiv.verdict import Equivalent, NotEquivalent, Reason, RemarkKind, Undecided, Witness

DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMPTZ, ts TIMESTAMP, n INTEGER)"
LOCAL = "SELECT id FROM t WHERE at::timestamp = ts"
INSTANT = "SELECT id FROM t WHERE at = ts"


engine = engine_fixture(DDL, "postgres")


def test_a_refutation_sets_the_zone_that_it_needs(engine: Engine) -> None:
    found = engine.check(LOCAL, INSTANT)
    assert isinstance(found, NotEquivalent)
    assert isinstance(found.evidence, Witness)
    assert found.evidence.sql.startswith("SET TimeZone = 'America/New_York';")
    (said,) = (each.text for each in found.remarks if each.kind is RemarkKind.SETTING)
    assert said.startswith("the queries differ under TimeZone = 'America/New_York'")
    with dialect_named("postgres").engine.replay(found.evidence.sql) as session:
        rows = [getattr(session.run(text), "rows", None) for text in (LOCAL, INSTANT)]
    assert rows == [found.evidence.pred_rows, found.evidence.gold_rows]


def test_a_proof_that_another_zone_breaks_is_a_conflict(engine: Engine) -> None:
    proved = engine.check(
        "SELECT id FROM t WHERE at >= ts AND n = 1", "SELECT id FROM t WHERE n = 1 AND ts <= at"
    )
    assert isinstance(proved, Equivalent)
    pred, gold = map(engine.read, (LOCAL, INSTANT))
    assert isinstance(pred, Query)
    assert isinstance(gold, Query)
    found = attack_settings(engine.pair(pred, gold, proved.relation), proved, engine.refuters or ())
    assert isinstance(found, Undecided)
    assert found.reason is Reason.CONFLICT


def test_a_pair_that_hangs_on_no_setting_is_tried_under_none(engine: Engine) -> None:
    def tried(*_: object) -> TierOutcome:
        asked.append(1)
        return Open()

    asked: list[int] = []
    with patch.object(generate, "settle_under_settings", tried):
        engine.check("SELECT id FROM t WHERE n + 1 > 1", "SELECT id FROM t WHERE n > 0 AND ts IS NULL")
        engine.check("SELECT id FROM t WHERE n > 1", "SELECT id FROM t WHERE NOT n <= 1")
        assert not asked
        engine.check(LOCAL, f"{INSTANT} AND at::timestamp = ts")
    assert asked
