"""The caveat: an equivalence that rests on exact arithmetic where rounding can show says so first."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import equiv
from equiv.answers.difference import rounding_shows
from equiv.answers.pair import Pair
from equiv.core.model import Context
from equiv.core.query import Query
from equiv.core.runner import Connection
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.read import read_query
from equiv.dialects.sqlite.render import create_statements
from equiv.engine.pipeline import decide
from equiv.facts import Fact, FactKind, Grade
from equiv.relation import Relation, Rows
from equiv.schema.policy import facts_for
from equiv.tiers.outcome import Open, Proved, TierOutcome
from equiv.verdict import (
    Caveat,
    Derivation,
    Difference,
    Equivalent,
    Execution,
    NotEquivalent,
    Reason,
    Tier,
    Undecided,
    Witness,
)

DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, r REAL)"
SCHEMA = load_ddl(DDL)
FACTS = facts_for(SCHEMA, "intended")
EXACT = Fact(FactKind.EXACT_ARITHMETIC, Grade.ASSUMED)
SHOWN = Execution("shop", ((1.0,),), ((2.0,),))


def query(sql: str) -> Query:
    with closing(Connection()) as probe:
        for statement in create_statements(SCHEMA):
            probe.execute(statement)
        found = read_query(sql, SCHEMA, probe)
    assert isinstance(found, Query)
    return found


def places(sql: str) -> list[str]:
    tree = query(sql).tree
    assert tree is not None
    return list(rounding_shows(tree, Context(SCHEMA, FACTS)))


@pytest.mark.parametrize(
    ("sql", "place"),
    [
        ("SELECT id FROM t WHERE a * 0.1 = 0.3", "t.a * 0.1 = 0.3"),
        ("SELECT id FROM t WHERE COALESCE(-(a * 0.1), 1) BETWEEN 0 AND b", "BETWEEN"),
        ("SELECT id FROM t WHERE a / 10.0 IN (0.3, 0.6)", "IN (0.3, 0.6)"),
        ("SELECT id FROM t WHERE CAST(a AS REAL) > 5", "CAST(t.a AS REAL) > 5"),
        ("SELECT CAST(a * 0.29 * 100 AS INTEGER) FROM t", "AS INTEGER)"),
        ("SELECT CAST(a * 0.29 * 100 AS TEXT) FROM t", "AS TEXT)"),
        ("SELECT (a * 0.1) % 3 FROM t", "% 3"),
        ("SELECT quote(r + 1) FROM t", "QUOTE("),
        ("SELECT 'x' || (r * 2) FROM t", "||"),
        ("SELECT ROUND(a * 0.1, 1) FROM t", "ROUND("),
        ("SELECT CASE WHEN r * 2 > 1 THEN 1 END FROM t", "> 1"),
        ("SELECT b FROM t GROUP BY b HAVING AVG(a) > 3", "AVG(t.a) > 3"),
        ("SELECT COUNT(*) FROM t GROUP BY a * 0.1", "GROUP BY"),
        ("SELECT id FROM t ORDER BY a * 0.1", "ORDER BY t.a * 0.1"),
        ("SELECT DISTINCT a * 0.1 FROM t", "DISTINCT t.a * 0.1"),
        ("SELECT a * 0.1 FROM t INTERSECT SELECT r FROM t", "INTERSECT"),
        ("SELECT r FROM t UNION SELECT a * 0.1 FROM t", "UNION"),
        ("SELECT id FROM t WHERE r IN (SELECT a * 0.1 FROM t)", "IN (SELECT"),
        ("SELECT id FROM t WHERE r > (SELECT AVG(a) FROM t)", "AVG"),
        ("SELECT 1 FROM (SELECT a * 0.1 AS x FROM t) AS q WHERE x > 0.3", "q.x > 0.3"),
        ("WITH c AS (SELECT SUM(r) AS x FROM t) SELECT x < 3 FROM c", "x < 3"),
        ("SELECT RANK() OVER (ORDER BY r * 2) FROM t", "ORDER BY t.r * 2"),
        ("SELECT SUM(r) OVER (ORDER BY id) > 2 FROM t", "> 2"),
        ("SELECT TOTAL(a) > 1 FROM t", "> 1"),
    ],
)
def test_rounding_shows(sql: str, place: str) -> None:
    assert any(place in found for found in places(sql)), places(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a * 0.1, AVG(a), SUM(r) FROM t GROUP BY b",
        "SELECT id FROM t WHERE a * 2 > 10 ORDER BY a + b",
        "SELECT id FROM t WHERE r > 0.5",
        "SELECT COUNT(r * 2), typeof(r * 2), r * 2 IS NULL FROM t",
        "SELECT CASE WHEN a > 1 THEN r / 2 ELSE -r END FROM t",
        "SELECT x * 2 FROM (SELECT a * 0.1 AS x FROM t) AS q",
        "SELECT a * 0.1 FROM t UNION ALL SELECT r FROM t",
        "SELECT SUM(r) OVER (ORDER BY id) FROM t",
        "SELECT (SELECT AVG(a) FROM t), COALESCE(MAX(r * 2), 0) FROM t",
    ],
)
def test_rounding_does_not_show_beyond_what_cells_are_allowed(sql: str) -> None:
    assert places(sql) == []


@pytest.mark.parametrize(
    ("pred", "gold", "shows"),
    [
        ("SELECT id FROM t WHERE a * 0.1 = 0.3", "SELECT id FROM t WHERE a = 3", True),
        ("SELECT CAST(a * 0.29 * 100 AS INTEGER) FROM t", "SELECT CAST(a * 29 AS INTEGER) FROM t", True),
        ("SELECT quote(a * 0.1 * 3) FROM t", "SELECT quote(a * 0.3) FROM t", True),
        ("SELECT (a * 0.29 * 100) % 7 FROM t", "SELECT (a * 29.0) % 7 FROM t", True),
        ("SELECT id FROM t WHERE CAST(a AS REAL) > 5", "SELECT id FROM t WHERE a > 5", False),
    ],
)
def test_a_proof_that_rests_on_exact_arithmetic_says_so(pred: str, gold: str, *, shows: bool) -> None:
    verdict = equiv.check(pred, gold, schema=DDL, timeout=None, rounding="ignore")
    assert isinstance(verdict, Equivalent)
    assert verdict.caveat is not None
    assert verdict.caveat.places
    evidence = verdict.caveat.evidence
    assert (evidence is not None) == shows
    if evidence is not None:
        assert isinstance(evidence, Witness)
        with closing(Connection()) as connection:
            connection.run_script(evidence.sql)
            results = [tuple(connection.execute(sql)) for sql in (pred, gold)]
        assert results == [evidence.pred_rows, evidence.gold_rows]
        assert results[0] != results[1]


@pytest.mark.parametrize(
    ("pred", "gold", "told"),
    [
        ("SELECT a * 0.1 * 3 FROM t", "SELECT a * 0.3 FROM t", Caveat(())),
        ("SELECT id FROM t WHERE r * 2 > 1 AND a = 1", "SELECT id FROM t WHERE a = 1 AND r * 2 > 1", None),
        ("SELECT a * 0.1 > 3 FROM t", "SELECT a * 0.1 > 3 FROM t", None),
    ],
)
def test_no_place_where_nothing_shows_nor_a_caveat_where_the_proof_does_not_rest_on_it(
    pred: str, gold: str, told: Caveat | None
) -> None:
    verdict = equiv.check(pred, gold, schema=DDL, timeout=None)
    assert isinstance(verdict, Equivalent)
    assert verdict.caveat == told


@pytest.mark.parametrize(
    ("value", "rounds"),
    [
        ("SUM(price)", False),
        ("SUM(price * n - 1.5) + SUM(n)", False),
        ("SUM(weight)", True),
        ("SUM(price * weight)", True),
        ("AVG(price)", True),
        ("SUM(price / 3)", True),
    ],
)
@pytest.mark.parametrize("dialect", ["duckdb", "postgres"])
def test_decimals_that_are_added_are_not_rounded(dialect: str, value: str, *, rounds: bool) -> None:
    ddl = """
        CREATE TABLE sale (
            id INT PRIMARY KEY,
            n INT NOT NULL,
            price DECIMAL(10, 2) NOT NULL,
            weight DOUBLE PRECISION NOT NULL
        )"""
    texts = (f"SELECT {value} FROM sale WHERE id {above}" for above in ("> 5", ">= 6"))
    verdict = equiv.check(*texts, schema=ddl, dialect=dialect, timeout=None)
    assert isinstance(verdict, Equivalent)
    assert verdict.up_to_rounding == rounds


def test_the_given_data_shows_it(tmp_path: Path) -> None:
    db = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(db)) as connection:
        connection.executescript(f"{DDL}; INSERT INTO t (a) VALUES (1), (3), (2)")
    pred, gold = "SELECT a FROM t WHERE a * 0.1 = 0.3", "SELECT a FROM t WHERE a = 3"
    verdict = equiv.check(pred, gold, db=db, timeout=None, rounding="ignore")
    assert isinstance(verdict, Equivalent)
    assert verdict.caveat is not None
    assert verdict.caveat.evidence == Execution("shop", (), ((3,),), pred_columns=("a",), gold_columns=("a",))

    refuted = equiv.check(pred, gold, db=db, timeout=None, tiers=("data",))
    assert isinstance(refuted, NotEquivalent)
    assert (refuted.tier, refuted.difference) == (Tier.DATA, Difference.ROUNDING)


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        ("SELECT id FROM t WHERE a * 0.1 = 0.3", "SELECT id FROM t WHERE a = 3"),
        ("SELECT CAST(r * 100 AS INTEGER) FROM t", "SELECT CAST(r * 10 * 10 AS INTEGER) FROM t"),
        (
            "SELECT COUNT(*) FROM t GROUP BY a * 0.1 + b * 0.1",
            "SELECT COUNT(*) FROM t GROUP BY (a + b) * 0.1",
        ),
        (
            "SELECT id FROM t ORDER BY a * 0.1 + b * 0.1, id LIMIT 1",
            "SELECT id FROM t ORDER BY (a + b) * 0.1, id LIMIT 1",
        ),
        ("SELECT COUNT(DISTINCT a * 0.1 + b * 0.1) FROM t", "SELECT COUNT(DISTINCT (a + b) * 0.1) FROM t"),
        ("SELECT quote(a * 0.1 * 3) FROM t", "SELECT quote(a * 0.3) FROM t"),
        ("SELECT (a * 0.29 * 100) % 7 FROM t", "SELECT (a * 29.0) % 7 FROM t"),
    ],
)
def test_other_rows_by_rounding_refute(pred: str, gold: str) -> None:
    verdict = equiv.check(pred, gold, schema=DDL, timeout=None)
    assert isinstance(verdict, NotEquivalent)
    assert verdict.difference is Difference.ROUNDING
    assert isinstance(verdict.evidence, Witness)
    with closing(Connection()) as connection:
        connection.run_script(verdict.evidence.sql)
        results = [tuple(connection.execute(sql)) for sql in (pred, gold)]
    assert results == [verdict.evidence.pred_rows, verdict.evidence.gold_rows]
    assert results[0] != results[1]


class _Scripted:
    def __init__(self, tier: Tier, outcome: TierOutcome) -> None:
        self.tier, self._outcome = tier, outcome

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        del pair, effort
        return self._outcome


@pytest.mark.parametrize("first", [Tier.DATA, Tier.RULES])
def test_a_proof_that_rounding_breaks_and_that_does_not_rest_on_exactness_is_a_conflict(first: Tier) -> None:
    pair = Pair(query("SELECT r FROM t"), query("SELECT r + 0 FROM t"), SCHEMA, FACTS, Relation(Rows.BAG))
    tiers = [
        _Scripted(Tier.DATA, Open(rounding=SHOWN)),
        _Scripted(Tier.RULES, Proved(Derivation((), (), ""))),
        _Scripted(Tier.RULES, Proved(Derivation((), (), ""), (EXACT,))),
    ]
    if first is Tier.RULES:
        tiers = [tiers[1], tiers[0], tiers[2]]
    verdict = decide(pair, tiers[:2], 10)
    assert isinstance(verdict, Undecided)
    assert verdict.reason is Reason.CONFLICT
    believed = decide(pair, [tiers[2], _Scripted(Tier.DATA, Open(rounding=SHOWN))], 10)
    assert isinstance(believed, Equivalent)
    assert believed.caveat is not None
    assert (believed.caveat.places, believed.caveat.evidence) == ((), SHOWN)
