"""Pairs that read the clock, at other instants than now."""

from __future__ import annotations

import pytest

import equiv
from equiv.core.runner import Connection
from equiv.verdict import NotEquivalent, Witness

SCHEMA = """
CREATE TABLE t (id INTEGER PRIMARY KEY, born TEXT);
CREATE VIEW recent AS SELECT id, born FROM t WHERE born < CURRENT_TIMESTAMP;
"""


@pytest.fixture(scope="module")
def checker() -> equiv.Checker:
    return equiv.Checker(schema=SCHEMA, relation="bag", timeout=None, effort="quick", tiers=("generate",))


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        (
            "SELECT id FROM t WHERE born < CURRENT_TIMESTAMP",
            "SELECT id FROM t WHERE born <= CURRENT_TIMESTAMP",
        ),
        ("SELECT id FROM recent", "SELECT id FROM t WHERE born <= datetime('now')"),
        ("SELECT strftime('%Y', 'now') < '2031'", "SELECT 1"),
        ("SELECT strftime('%m-%d') = '12-25'", "SELECT 0"),
    ],
)
def test_a_witness_has_its_instant_and_runs_on_any_day(checker: equiv.Checker, pred: str, gold: str) -> None:
    verdict = checker.check(pred, gold)
    assert isinstance(verdict, NotEquivalent)
    assert isinstance(verdict.evidence, Witness)
    binding = verdict.evidence.binding
    assert binding is not None
    assert [name for name, _ in binding.values] == ["now"]
    assert not any(
        word in sql.lower() for sql in (binding.pred_sql, binding.gold_sql) for word in ("now", "current_")
    )
    connection = Connection()
    connection.run_script(verdict.evidence.sql)
    for sql, rows in (
        (binding.pred_sql, verdict.evidence.pred_rows),
        (binding.gold_sql, verdict.evidence.gold_rows),
    ):
        assert connection.execute(sql).fetchall() == list(rows)


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        ("SELECT CURRENT_DATE FROM t", "SELECT date('now') FROM t"),
        (
            "SELECT strftime('%Y', 'now') = '2024'",
            "SELECT CURRENT_DATE BETWEEN '2024-01-01' AND '2024-12-31'",
        ),
        ("SELECT id FROM t WHERE born = 'now' AND date('now') > ''", "SELECT id FROM t WHERE born = 'now'"),
    ],
)
def test_what_is_true_at_every_instant_is_not_refuted(checker: equiv.Checker, pred: str, gold: str) -> None:
    assert not isinstance(checker.check(pred, gold), NotEquivalent)
