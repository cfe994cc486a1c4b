"""What lies in the fragment, and what does not; what a verdict says of it."""

from __future__ import annotations

import pytest

import equiv
from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.dialects.registry import reference
from equiv.engine.make import make_engine, make_tiers
from equiv.fragment.recognition import outside
from equiv.options import Options
from equiv.records.certificate import certificate_for
from equiv.records.recheck import Holding, recheck
from equiv.records.record import Item
from equiv.relation import resolve_relation
from equiv.schema.locate import Place
from equiv.verdict import Equivalent, NotEquivalent, Proof, Tier, Undecided

DDL = """
CREATE TABLE p (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b TEXT, r REAL, d DATE, f BOOLEAN,
    n TEXT COLLATE NOCASE);
CREATE TABLE c (id INTEGER PRIMARY KEY, pid INTEGER REFERENCES p(id), q INTEGER, x);
CREATE TABLE tree (id INTEGER PRIMARY KEY, up INTEGER REFERENCES tree(id), a INTEGER);
CREATE TABLE checked (id INTEGER PRIMARY KEY, a INTEGER CHECK (a > 0));
CREATE TABLE partly (id INTEGER PRIMARY KEY, a INTEGER);
CREATE UNIQUE INDEX some ON partly (a) WHERE a > 5;
"""


def why_outside(pred: str, gold: str, relation: str = "bag", **options: str) -> str:
    """What keeps a pair out of the fragment; '' if nothing does."""
    schema = reference().loader.read_ddl(DDL, "shop")
    engine = make_engine(schema, None, Options(relation=relation, timeout=None, **options))  # type: ignore[arg-type]
    mine, theirs = engine.read(pred), engine.read(gold)
    assert isinstance(mine, Query)
    assert isinstance(theirs, Query)
    asked = resolve_relation(relation, gold_orders=theirs.orders)
    found = outside(Pair(mine, theirs, engine.schema, engine.facts, asked))
    engine.close()
    return found


@pytest.mark.parametrize(
    "query",
    [
        "SELECT a, 1, 'x', NULL FROM p",
        "SELECT p.a FROM p, c WHERE p.id = c.pid AND p.b = 'x' AND (c.q IN (1, 2) OR p.a <> 3)",
        "SELECT p.d FROM p JOIN p AS o ON p.d = o.d AND p.r = o.r AND p.r = 1",
        "SELECT c.x FROM c NATURAL JOIN p WHERE c.x = 'a'",
        "SELECT a FROM p UNION SELECT q FROM c",
        "SELECT a FROM p UNION ALL SELECT q FROM c WHERE q IS NOT NULL",
        "WITH s AS (SELECT a, b FROM p WHERE a > 1) SELECT s.a FROM s WHERE s.b IS NULL",
        "SELECT DISTINCT a FROM p WHERE EXISTS (SELECT 1 FROM c WHERE c.pid = p.id)",
        "SELECT a FROM p ORDER BY b",
        "SELECT a FROM p WHERE 1 = 0",
    ],
)
def test_these_lie_in_it(query: str) -> None:
    assert why_outside(query, query.replace("FROM p", "FROM  p")) == ""


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("SELECT COUNT(a) FROM p", "Count"),
        ("SELECT a + 1 FROM p", "an output that is computed"),
        ("SELECT a FROM p LIMIT 1", "Limit"),
        ("SELECT a FROM p WHERE r > 1", "an order comparison of values"),
        ("SELECT a FROM p WHERE b > 'x'", "an order comparison of values"),
        ("SELECT a FROM p WHERE r = 0.5", "a literal"),
        ("SELECT a FROM p WHERE a = 5000000", "a literal"),
        ("SELECT p.a FROM p JOIN c ON p.a < c.q", "columns compared by operators other than"),
        ("SELECT p.a FROM p JOIN c ON p.a = c.q OR p.id = c.id", "columns compared by operators other than"),
        ("SELECT p.a FROM p JOIN c ON p.a = c.x", "a condition with"),
        ("SELECT a FROM p WHERE d = '2024-01-01'", "a condition with"),
        ("SELECT a FROM p WHERE n = 'x'", "a condition with"),
        ("SELECT n FROM p", "collation NOCASE"),
        ("SELECT f FROM p", "type BOOLEAN"),
        ("SELECT a FROM tree", "cyclic"),
        ("SELECT a FROM checked", "a CHECK"),
        ("SELECT a FROM partly", "an index with a condition"),
        ("SELECT a FROM p UNION ALL SELECT DISTINCT q FROM c", "a DISTINCT subquery"),
        ("SELECT a FROM p WHERE id IN (SELECT pid FROM c)", "a condition with Exists"),
        ("SELECT p.a FROM p LEFT JOIN c ON p.id = c.pid", ""),
    ],
)
def test_these_lie_outside(query: str, why: str) -> None:
    found = why_outside(query, "SELECT 1 FROM p")
    assert found
    assert why in found


def test_an_order_of_whole_numbers_rests_on_their_type() -> None:
    pair = "SELECT a FROM p WHERE a < 5", "SELECT a FROM p WHERE NOT a >= 5"
    assert why_outside(*pair) == ""
    assert "an order comparison of values" in why_outside(*pair, facts="declared")


def test_an_order_that_counts_and_columns_in_any_order_lie_outside() -> None:
    query = "SELECT a, b FROM p ORDER BY a"
    assert why_outside(query, query + ", b", "bag") == ""
    assert "ORDER BY" in why_outside(query, query + ", b", "list")
    assert "a relation that allows the columns in any order" in why_outside(query, query + ", b", "rose")


def test_a_verdict_says_whether_its_pair_lies_in_the_fragment() -> None:
    inside = equiv.check(*COVERED, schema=DDL, tiers=("fragment",), timeout=None)
    assert inside.fragment
    assert inside.to_dict()["fragment"] is True
    assert "Both queries are in the decidable fragment." in str(inside)
    beyond = equiv.check(
        "SELECT SUM(a) FROM p", "SELECT SUM(p.a) FROM p", schema=DDL, tiers=("fragment",), timeout=None
    )
    assert beyond.fragment is False
    assert "decidable fragment" not in str(beyond)
    unasked = equiv.check("SELECT a FROM p", "SELECT p.a FROM p", schema=DDL, timeout=None)
    assert (unasked.tier, unasked.fragment) == (Tier.RULES, None)


COVERED = (
    "SELECT DISTINCT c.q FROM c WHERE c.q < 3 OR c.q >= 3",
    "SELECT DISTINCT c.q FROM c, c AS o WHERE c.q = o.q",
)


def test_the_tier_settles_alone_and_can_be_switched_off() -> None:
    verdict = equiv.check(*COVERED, schema=DDL, tiers=("fragment",), timeout=None)
    assert isinstance(verdict, Equivalent)
    assert verdict.tier is Tier.FRAGMENT
    assert isinstance(verdict.evidence, Proof)
    assert all("returns the head of" in line for line in verdict.evidence.correspondences)
    off = equiv.check(*COVERED, schema=DDL, tiers=("data",), timeout=None)
    assert isinstance(off, Undecided)
    assert off.fragment is None


def test_a_proof_lists_the_facts_that_it_takes_and_no_others() -> None:
    pair = "SELECT DISTINCT id, a FROM p", "SELECT id, a FROM p"
    verdict = equiv.check(*pair, schema=DDL, tiers=("fragment",), timeout=None)
    assert isinstance(verdict, Equivalent)
    assert {(str(f.kind), f.columns) for f in verdict.facts} <= {("unique", ("id",)), ("not_null", ("id",))}
    assert verdict.facts


def test_a_refutation_replays() -> None:
    pair = "SELECT DISTINCT a FROM p", "SELECT a FROM p"
    verdict = equiv.check(*pair, schema=DDL, tiers=("fragment",), timeout=None)
    assert isinstance(verdict, NotEquivalent)
    assert verdict.tier is Tier.FRAGMENT


def test_a_certificate_of_the_tier_holds_when_it_is_made_anew() -> None:
    options = Options(timeout=None, relation="bag", tiers=("fragment",))
    schema = reference().loader.read_ddl(DDL, "shop")
    item = Item(
        "s",
        1,
        "shop",
        "SELECT DISTINCT c.q FROM c JOIN p ON pid = p.id",
        "SELECT DISTINCT q FROM c WHERE pid = pid",
    )
    verdict = equiv.check(item.predicted_sql, item.gold_sql, schema=schema, **options.arguments())
    written = certificate_for(item, Place("shop", schema=schema), verdict, options)
    assert written is not None
    findings = recheck(written, [], lambda read, facts: make_tiers(read, facts, None))
    assert {finding.result for finding in findings} <= {Holding.HOLDS, Holding.TRUSTED}
