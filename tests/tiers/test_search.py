"""The search tier: what it finds replays, what is equivalent it never refutes, and it repeats."""

from __future__ import annotations

import pytest

import equiv
from equiv.answers.compare import same_bag
from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.core.runner import Connection
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.read import read_query
from equiv.generate.database import Arena
from equiv.relation import resolve_relation
from equiv.schema.policy import facts_for
from equiv.tiers.outcome import Open, Refuted, TierOutcome
from equiv.tiers.search import SearchTier
from equiv.verdict import Reason, Witness

SCHEMA = load_ddl("""
CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT, city TEXT NOT NULL);
CREATE TABLE player (
  id INTEGER PRIMARY KEY, team_id INTEGER REFERENCES team (id), name TEXT, goals INTEGER, joined DATE,
  pay REAL);
CREATE TABLE visit (
  team_id INTEGER, day TEXT, PRIMARY KEY (team_id, day), FOREIGN KEY (team_id) REFERENCES team (id));
CREATE TABLE label (team TEXT REFERENCES team (id), colour TEXT);
""")
FACTS = facts_for(SCHEMA, "intended")
EFFORT = 300


def settle(pred: str, gold: str, relation: str = "bag", effort: int = EFFORT) -> TierOutcome:
    probe = Arena(SCHEMA).connection
    queries = [read_query(sql, SCHEMA, probe) for sql in (pred, gold)]
    first, second = queries
    assert isinstance(first, Query)
    assert isinstance(second, Query)
    found = resolve_relation(relation, gold_orders=second.orders)
    return SearchTier(SCHEMA, FACTS).settle(Pair(first, second, SCHEMA, FACTS, found), effort)


REFUTED = {
    "a row count": (
        "SELECT team_id FROM player GROUP BY team_id HAVING COUNT(*) > 2",
        "SELECT team_id FROM player GROUP BY team_id HAVING COUNT(*) >= 2",
    ),
    "a count of many rows": (
        "SELECT team_id FROM visit GROUP BY team_id HAVING COUNT(*) > 40",
        "SELECT team_id FROM visit GROUP BY team_id HAVING COUNT(*) > 40 EXCEPT SELECT id FROM team",
    ),
    "more rows than generation makes": (
        "SELECT name, joined FROM player GROUP BY name, joined HAVING COUNT(*) > 500",
        "SELECT name, MIN(joined) FROM player GROUP BY name HAVING COUNT(*) > 500",
    ),
    "a NULL in NOT IN": (
        "SELECT id FROM team WHERE id NOT IN (SELECT team_id FROM player)",
        "SELECT id FROM team t WHERE NOT EXISTS (SELECT 1 FROM player p WHERE p.team_id = t.id)",
    ),
    "the second largest": (
        "SELECT MAX(goals) FROM player WHERE goals < (SELECT MAX(goals) FROM player)",
        "SELECT goals FROM player ORDER BY goals DESC LIMIT 1 OFFSET 1",
    ),
    "a group of equal names": (
        "SELECT t.name, COUNT(*) FROM team t JOIN player p ON p.team_id = t.id GROUP BY t.name",
        "SELECT t.name, COUNT(*) FROM team t JOIN player p ON p.team_id = t.id GROUP BY t.id",
    ),
    "a sum against a largest": (
        "SELECT team_id FROM player GROUP BY team_id ORDER BY SUM(goals) DESC LIMIT 1",
        "SELECT team_id FROM player ORDER BY goals DESC LIMIT 1",
    ),
    "a month": (
        "SELECT id FROM player WHERE STRFTIME('%m', joined) = '02'",
        "SELECT id FROM player WHERE joined LIKE '2020-02%'",
    ),
    "the third decimal": ("SELECT ROUND(SUM(pay), 2) FROM player", "SELECT SUM(pay) FROM player"),
    "a text that refers to a number": (
        "SELECT l.colour FROM label l JOIN team t ON t.id = l.team WHERE t.city = 'Rome'",
        "SELECT l.colour FROM label l JOIN team t ON t.id = l.team WHERE t.name = 'Rome'",
    ),
    "a scalar subquery of several rows": (
        "SELECT COUNT(*) FROM player WHERE team_id = (SELECT id FROM team WHERE city = 'Rome')",
        "SELECT COUNT(*) FROM player p JOIN team t ON t.id = p.team_id WHERE t.city = 'Rome'",
    ),
    "a row number": (
        "SELECT ROW_NUMBER() OVER (PARTITION BY team_id ORDER BY goals DESC, id) FROM player",
        "SELECT ROW_NUMBER() OVER (ORDER BY goals DESC, id) FROM player",
    ),
}


@pytest.mark.parametrize(("pred", "gold"), REFUTED.values(), ids=REFUTED)
def test_a_difference_is_found_and_replays_from_its_script_alone(pred: str, gold: str) -> None:
    outcome = settle(pred, gold)
    assert isinstance(outcome, Refuted), outcome
    assert isinstance(outcome.evidence, Witness)
    connection = Connection()
    connection.run_script(outcome.evidence.sql)
    pred_rows, gold_rows = (connection.execute(sql).fetchall() for sql in (pred, gold))
    assert not same_bag(pred_rows, gold_rows)


def test_an_order_is_found() -> None:
    pred, gold = "SELECT id FROM player ORDER BY goals, id", "SELECT id FROM player ORDER BY goals DESC, id"
    assert isinstance(settle(pred, gold, "list"), Refuted)
    assert isinstance(settle(pred, gold, "bag"), Open)


def test_duplicates_do_not_tell_sets_apart() -> None:
    pred, gold = "SELECT city FROM team", "SELECT DISTINCT city FROM team"
    assert isinstance(settle(pred, gold, "bag"), Refuted)
    assert isinstance(settle(pred, gold, "set"), Open)


def test_columns_may_be_permuted() -> None:
    pred, gold = "SELECT name, city FROM team", "SELECT city, name FROM team"
    assert isinstance(settle(pred, gold, "bag"), Refuted)
    assert isinstance(settle(pred, gold, "rose"), Open)


EQUIVALENT = {
    "a count of what is not NULL": ("SELECT COUNT(*) FROM team", "SELECT COUNT(city) FROM team"),
    "a join that loses nothing": (
        "SELECT p.name FROM player p JOIN team t ON t.id = p.team_id",
        "SELECT name FROM player WHERE team_id IS NOT NULL",
    ),
    "a key": ("SELECT DISTINCT id, name FROM team", "SELECT id, name FROM team"),
    "a semi-join": (
        "SELECT id FROM team WHERE id IN (SELECT team_id FROM player)",
        "SELECT DISTINCT team_id FROM player WHERE team_id IS NOT NULL",
    ),
    "an average": ("SELECT AVG(pay) / 12 FROM player", "SELECT SUM(pay) / COUNT(pay) / 12 FROM player"),
}


@pytest.mark.parametrize(("pred", "gold"), EQUIVALENT.values(), ids=EQUIVALENT)
def test_what_is_equivalent_is_not_refuted_and_the_rows_are_told(pred: str, gold: str) -> None:
    outcome = settle(pred, gold)
    assert isinstance(outcome, Open)
    assert outcome.reason is Reason.NO_PROOF
    assert outcome.bounded is not None
    assert outcome.bounded >= 2


def test_a_tie_is_shown_and_not_taken_for_a_difference() -> None:
    best = "SELECT pay FROM player WHERE goals = (SELECT MAX(goals) FROM player)"
    first = "SELECT pay FROM player ORDER BY goals DESC LIMIT 1"
    above = "SELECT COUNT(*) FROM player WHERE pay > "
    outcome = settle(f"{above} ({best})", f"{above} ({first})")
    assert isinstance(outcome, Open)
    assert outcome.reason is Reason.NONDETERMINISTIC
    assert outcome.evidence is not None


def test_the_search_repeats_and_effort_bounds_it() -> None:
    pred, gold = REFUTED["the second largest"]
    assert settle(pred, gold) == settle(pred, gold)
    assert isinstance(settle(pred, gold, effort=0), Open)


def test_what_the_algebra_cannot_say_is_unsupported() -> None:
    outcome = settle("SELECT CUME_DIST() OVER (ORDER BY id) FROM player", "SELECT goals FROM player")
    assert isinstance(outcome, Open)
    assert outcome.reason is Reason.UNSUPPORTED


COMPUTED = """
CREATE TABLE t (
    id INTEGER PRIMARY KEY, a INT, g INT AS (a * 2), h TEXT AS ('x' || g) STORED CHECK (h <> 'x14'));
CREATE TABLE u (
    id INTEGER PRIMARY KEY, a INT, o INT CHECK (o IS NOT NULL), p INT, q INT, CHECK (p + q > 3 AND p > q));
CREATE TABLE v (id INTEGER PRIMARY KEY, a INT, b INT);
CREATE UNIQUE INDEX some ON v (a) WHERE b > 1;
"""
APART = {
    "a generated column": ("SELECT id FROM t WHERE g > 10", "SELECT id FROM t WHERE g >= 10"),
    "one computed from another": (
        "SELECT COUNT(*) FROM t WHERE h = 'x18'",
        "SELECT COUNT(*) FROM t WHERE a = 8",
    ),
    "unread columns that need values": ("SELECT id FROM u WHERE a > 0", "SELECT id FROM u WHERE a >= 0"),
    "rows outside a partial index": ("SELECT DISTINCT a FROM v WHERE b >= 1", "SELECT a FROM v WHERE b >= 1"),
}
BOUND = {
    "a value that a CHECK forbids": (
        "SELECT id FROM t WHERE a = 7",
        "SELECT id FROM t WHERE a = 7 AND g = 0",
    ),
    "rows that an index forbids": (
        "SELECT COUNT(DISTINCT a) FROM v WHERE b > 1",
        "SELECT COUNT(a) FROM v WHERE b > 1",
    ),
}


@pytest.mark.parametrize("what", APART)
def test_the_whole_ddl_is_searched(what: str) -> None:
    pred, gold = APART[what]
    verdict = equiv.check(pred, gold, schema=COMPUTED, timeout=None, tiers=("search",))
    assert isinstance(verdict, equiv.NotEquivalent)


@pytest.mark.parametrize("what", BOUND)
def test_what_the_whole_ddl_forbids_is_no_failed_replay(what: str) -> None:
    pred, gold = BOUND[what]
    verdict = equiv.check(pred, gold, schema=COMPUTED, timeout=None, tiers=("search",))
    assert isinstance(verdict, equiv.Undecided)
    assert verdict.reason is Reason.NO_PROOF


def test_a_generated_column_that_cannot_be_computed_ends_the_search_in_a_line() -> None:
    ddl = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, g TEXT AS (json_extract(a, '$.x')))"
    pair = ("SELECT COUNT(*) FROM t WHERE g = 'a'", "SELECT COUNT(*) FROM t WHERE g = 'b'")
    verdict = equiv.check(*pair, schema=ddl, timeout=None, tiers=("search",))
    assert isinstance(verdict, equiv.Undecided)
    assert verdict.reason is Reason.NO_PROOF
    assert any("a generated column: malformed JSON" in attempt.reason for attempt in verdict.attempts)


@pytest.mark.parametrize(
    ("pred", "node"),
    [
        ("SELECT GROUP_CONCAT(name, city) FROM team", "GROUP_CONCAT"),
        ("SELECT COUNT(*) OVER (ORDER BY goals GROUPS 1 PRECEDING EXCLUDE TIES) FROM player", "window frame"),
        ("SELECT id FROM team LIMIT (SELECT 1)", "LIMIT"),
        ("SELECT id FROM team WHERE name LIKE 'a%' OR name MATCH 'a'", "prediction"),
    ],
)
def test_what_it_cannot_compute_is_named_and_is_not_too_large(pred: str, node: str) -> None:
    outcome = settle(pred, pred)
    assert isinstance(outcome, Open)
    assert (outcome.reason, outcome.detail.partition(":")[0]) == (Reason.UNSUPPORTED, node)
