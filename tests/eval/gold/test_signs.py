"""Each sign on a gold query that has it, and on a near one that does not."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from equiv.core.runner import open_file
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.dialect import OnRunner
from equiv.engine.make import make_engine
from equiv.eval.gold.catalogue import OF_QUERIES
from equiv.eval.gold.execution import QueryInDatabase
from equiv.eval.gold.finding import SIGNS, GoldFault, GoldQuery
from equiv.options import Options

DDL = """
CREATE TABLE ship (
    ship_id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, weight REAL, speed TEXT, launched TEXT
);
CREATE TABLE voyage (
    voyage_id INTEGER PRIMARY KEY, ship INTEGER REFERENCES ship (ship_id), port TEXT, days INTEGER
);
CREATE TABLE repair (ship INTEGER REFERENCES ship (ship_id), cost INTEGER, parts INTEGER);
"""
JOINED = "ship s JOIN voyage v ON v.ship = s.ship_id"

CASES = [
    (GoldFault.COUNTS_REPEATS, "How many ships?", f"SELECT COUNT(s.ship_id) FROM {JOINED}", True),
    (GoldFault.COUNTS_REPEATS, "How many ships?", f"SELECT COUNT(DISTINCT s.ship_id) FROM {JOINED}", False),
    (GoldFault.COUNTS_REPEATS, "How many voyages?", f"SELECT COUNT(v.voyage_id) FROM {JOINED}", False),
    (GoldFault.COUNTS_REPEATS, "How many ports?", "SELECT COUNT(port) FROM voyage", True),
    (
        GoldFault.COUNTS_REPEATS,
        "How many ships?",
        f"SELECT COUNT(s.ship_id) FROM {JOINED} WHERE v.voyage_id = 3",
        False,
    ),
    (
        GoldFault.COUNTS_OTHERS,
        "Percentage of ships?",
        f"SELECT SUM(v.port = 'x') * 1.0 / COUNT(*) FROM {JOINED}",
        True,
    ),
    (
        GoldFault.COUNTS_OTHERS,
        "Percentage of voyages?",
        f"SELECT SUM(v.port = 'x') * 1.0 / COUNT(*) FROM {JOINED}",
        False,
    ),
    (GoldFault.COUNTS_OTHERS, "How many ships?", "SELECT COUNT(*) FROM voyage", True),
    (GoldFault.COUNTS_OTHERS, "How many ships?", "SELECT COUNT(*) FROM ship", False),
    (
        GoldFault.COUNTS_OTHERS,
        "How many voyages did ships make?",
        f"SELECT COUNT(*) FROM {JOINED}",
        False,
    ),
    (GoldFault.COUNTS_ASKED, "How many of the fast ships sailed?", f"SELECT COUNT(*) FROM {JOINED}", True),
    (
        GoldFault.COUNTS_ASKED,
        "Among all the ships of 1999, how many of them sailed?",
        f"SELECT COUNT(*) FROM {JOINED}",
        True,
    ),
    (GoldFault.COUNTS_ASKED, "What percentage of ships sailed?", f"SELECT COUNT(s.name) FROM {JOINED}", True),
    (GoldFault.COUNTS_ASKED, "How many ships sailed?", f"SELECT COUNT(DISTINCT s.name) FROM {JOINED}", False),
    (GoldFault.COUNTS_ASKED, "How many voyages did ships make?", f"SELECT COUNT(*) FROM {JOINED}", False),
    (GoldFault.COUNTS_ASKED, "Which ships made how many tours?", f"SELECT COUNT(*) FROM {JOINED}", False),
    (GoldFault.SUMS_REPEATS, "Average weight?", f"SELECT AVG(s.weight) FROM {JOINED}", True),
    (GoldFault.SUMS_REPEATS, "Average days?", f"SELECT AVG(v.days) FROM {JOINED}", False),
    (GoldFault.REPEATS_ROWS, "Which ships sailed?", f"SELECT s.name FROM {JOINED}", True),
    (GoldFault.REPEATS_ROWS, "Which ships sailed?", f"SELECT DISTINCT s.name FROM {JOINED}", False),
    (GoldFault.REPEATS_ROWS, "Which ships sailed?", f"SELECT s.name, v.voyage_id FROM {JOINED}", False),
    (
        GoldFault.LOOSE_JOIN,
        "Costs?",
        "SELECT v.days, r.cost FROM voyage v JOIN repair r ON r.ship = v.ship",
        True,
    ),
    (GoldFault.LOOSE_JOIN, "Costs?", f"SELECT v.days, s.name FROM {JOINED}", False),
    (GoldFault.IDLE_TABLE, "Days?", f"SELECT v.days FROM {JOINED}", True),
    (GoldFault.IDLE_TABLE, "Days?", f"SELECT v.days FROM {JOINED} WHERE s.weight > 2", False),
    (GoldFault.PRECEDENCE, "", "SELECT 1 FROM ship WHERE weight = 1 OR weight = 2 AND name = 'a'", True),
    (GoldFault.PRECEDENCE, "", "SELECT 1 FROM ship WHERE (weight = 1 OR weight = 2) AND name = 'a'", False),
    (GoldFault.PRECEDENCE, "", "SELECT 1 FROM ship WHERE weight BETWEEN 1 AND 2 OR name = 'a'", False),
    (GoldFault.REPEATED_CONDITION, "", "SELECT 1 FROM ship WHERE weight IS NULL OR weight IS NULL", True),
    (GoldFault.REPEATED_CONDITION, "", "SELECT 1 FROM ship WHERE weight IS NULL OR speed IS NULL", False),
    (GoldFault.SELF_EQUALITY, "", "SELECT 1 FROM ship WHERE weight = weight", True),
    (GoldFault.SELF_EQUALITY, "", "SELECT 1 FROM ship WHERE weight = speed AND 1 = 1", False),
    (GoldFault.ONE_SIDED_JOIN, "", "SELECT 1 FROM ship s JOIN voyage v ON v.ship = v.voyage_id", True),
    (GoldFault.ONE_SIDED_JOIN, "", f"SELECT 1 FROM {JOINED}", False),
    (GoldFault.ONE_SIDED_JOIN, "", f"SELECT 1 FROM {JOINED} AND v.days = v.voyage_id", False),
    (GoldFault.UNJOINED_TABLE, "", "SELECT 1 FROM ship s JOIN voyage v", True),
    (
        GoldFault.UNJOINED_TABLE,
        "",
        "SELECT 1 FROM ship s JOIN voyage v ON v.days > 2 WHERE s.weight > 1",
        True,
    ),
    (GoldFault.UNJOINED_TABLE, "", "SELECT 1 FROM ship s CROSS JOIN voyage v", False),
    (GoldFault.UNJOINED_TABLE, "", "SELECT 1 FROM ship s JOIN voyage v WHERE v.ship = s.name", False),
    (GoldFault.UNJOINED_TABLE, "", f"SELECT 1 FROM {JOINED}", False),
    (GoldFault.COUNTS_ELSE, "", "SELECT COUNT(CASE WHEN weight > 1 THEN 1 ELSE 0 END) FROM ship", True),
    (GoldFault.COUNTS_ELSE, "", "SELECT COUNT(CASE WHEN weight > 1 THEN 1 ELSE NULL END) FROM ship", False),
    (GoldFault.COUNTS_ELSE, "", "SELECT COUNT(IIF(weight > 1, 1, 0)) FROM ship", True),
    (GoldFault.WHOLE_DIVISION, "", "SELECT days / voyage_id FROM voyage", True),
    (GoldFault.WHOLE_DIVISION, "", "SELECT CAST(days AS REAL) / voyage_id FROM voyage", False),
    (
        GoldFault.NEGATED_ROW,
        "Ships without a voyage to Kiel",
        f"SELECT s.name FROM {JOINED} WHERE v.port <> 'Kiel'",
        True,
    ),
    (GoldFault.NEGATED_ROW, "Voyages to Kiel", f"SELECT s.name FROM {JOINED} WHERE v.port <> 'Kiel'", False),
    (
        GoldFault.EXCLUDED_BY_VALUE,
        "",
        "SELECT port FROM voyage EXCEPT SELECT port FROM voyage WHERE days = 2",
        True,
    ),
    (
        GoldFault.EXCLUDED_BY_VALUE,
        "",
        "SELECT name FROM ship EXCEPT SELECT name FROM ship WHERE weight = 2",
        False,
    ),
    (
        GoldFault.EXCLUDED_BY_VALUE,
        "",
        "SELECT 1 FROM voyage WHERE port NOT IN (SELECT port FROM voyage)",
        True,
    ),
    (
        GoldFault.EXCLUDED_BY_VALUE,
        "",
        "SELECT 1 FROM voyage WHERE ship NOT IN (SELECT ship FROM repair)",
        False,
    ),
    (
        GoldFault.IDLE_ORDER,
        "",
        "SELECT days FROM (SELECT days FROM voyage ORDER BY port) ORDER BY days",
        True,
    ),
    (GoldFault.IDLE_ORDER, "", "SELECT days FROM (SELECT days FROM voyage ORDER BY port LIMIT 2)", False),
    (GoldFault.MAY_TIE, "", "SELECT name FROM ship ORDER BY weight DESC LIMIT 1", True),
    (GoldFault.MAY_TIE, "", "SELECT name FROM ship ORDER BY weight DESC, name LIMIT 1", False),
    (GoldFault.UNORDERED_LIMIT, "", "SELECT name FROM ship LIMIT 5", True),
    (GoldFault.UNORDERED_LIMIT, "", "SELECT name FROM ship ORDER BY name LIMIT 5", False),
    (GoldFault.DIRECTION, "The heaviest ship?", "SELECT name FROM ship ORDER BY weight LIMIT 1", True),
    (GoldFault.DIRECTION, "The heaviest ship?", "SELECT name FROM ship ORDER BY weight DESC LIMIT 1", False),
    (GoldFault.DIRECTION, "The latest ship?", "SELECT name FROM ship ORDER BY launched LIMIT 1", True),
    (GoldFault.DIRECTION, "The highest place?", "SELECT name FROM ship ORDER BY ship_id LIMIT 1", False),
    (
        GoldFault.DIRECTION,
        "At least five, by last name",
        "SELECT name FROM ship ORDER BY weight DESC LIMIT 5",
        False,
    ),
    (GoldFault.SORTED_TEXT, "The fastest ship?", "SELECT name FROM ship ORDER BY speed DESC LIMIT 1", True),
    (
        GoldFault.SORTED_TEXT,
        "The fastest ship?",
        "SELECT name FROM ship ORDER BY CAST(speed AS REAL) DESC LIMIT 1",
        False,
    ),
    (GoldFault.STRANGE_CONSTANT, "Ships of weight 12?", "SELECT name FROM ship WHERE weight = 15", True),
    (GoldFault.STRANGE_CONSTANT, "Ships of weight 12?", "SELECT name FROM ship WHERE weight = 12", False),
    (GoldFault.MISSING_NUMBER, "Ships of weight 17?", "SELECT name FROM ship WHERE weight = 15", True),
    (
        GoldFault.MISSING_NUMBER,
        "Ships since 2012/8/25?",
        "SELECT name FROM ship WHERE launched > '2012-08-25'",
        False,
    ),
    (GoldFault.UNASKED_COLUMN, "What are the names?", "SELECT name, weight FROM ship", True),
    (GoldFault.UNASKED_COLUMN, "What are the names?", "SELECT name FROM ship", False),
    (GoldFault.UNREAD_COLUMN, "Ships? ship_id is the id", "SELECT name FROM ship", True),
    (GoldFault.UNREAD_COLUMN, "Ships? ship_id is the id", "SELECT name FROM ship WHERE ship_id = 1", False),
    (GoldFault.OTHER_COMPARISON, "Heavy? weight > = 30", "SELECT name FROM ship WHERE weight > 30", True),
    (GoldFault.OTHER_COMPARISON, "Heavy? weight > = 30", "SELECT name FROM ship WHERE weight >= 30", False),
    (
        GoldFault.OTHER_COMPARISON,
        "Heavy? weight > 30",
        "SELECT name FROM ship WHERE weight BETWEEN 30 AND 40",
        True,
    ),
    (GoldFault.OTHER_BOUND, "Weight of more than 30?", "SELECT name FROM ship WHERE weight >= 30", True),
    (GoldFault.OTHER_BOUND, "Weight of no more than 30?", "SELECT name FROM ship WHERE weight <= 30", False),
    (GoldFault.OTHER_BOUND, "Weight of at least 30?", "SELECT name FROM ship WHERE weight > 30", True),
    (GoldFault.MISSING_DISTINCT, "How many different ports?", "SELECT COUNT(port) FROM voyage", True),
    (
        GoldFault.MISSING_DISTINCT,
        "How many different ports?",
        "SELECT COUNT(DISTINCT port) FROM voyage",
        False,
    ),
]


@pytest.mark.parametrize(("kind", "question", "sql", "found"), CASES)
def test_a_sign_is_seen_where_it_is_and_not_beside(
    kind: GoldFault, question: str, sql: str, found: bool
) -> None:
    with closing(make_engine(load_ddl(DDL), None, Options(timeout=None, effort="quick"))) as engine:
        words, _, hint = question.partition("? ")
        subject = QueryInDatabase(GoldQuery("harbour", 1, sql, words, hint=hint), engine, None)
        assert [finding.kind for finding in OF_QUERIES[kind].look(subject)] == [kind] * found


@pytest.mark.parametrize(("weights", "found"), [((0, 3, 4), True), ((2, 3, 4), False), ((0, 0, 0), False)])
def test_zeros_are_averaged_where_only_some_values_are_zero(
    weights: tuple[int, ...], found: bool, tmp_path: Path
) -> None:
    path = tmp_path / "harbour.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(DDL)
        rows = [(number, f"n{number}", weight) for number, weight in enumerate(weights)]
        connection.executemany("INSERT INTO ship (ship_id, name, weight) VALUES (?, ?, ?)", rows)
    gold = GoldQuery("harbour", 1, "SELECT AVG(weight) FROM ship")
    with (
        closing(make_engine(None, path, Options(timeout=None, effort="quick"))) as engine,
        closing(open_file(path)) as data,
    ):
        looked = OF_QUERIES[GoldFault.AVERAGES_ZEROS].look(QueryInDatabase(gold, engine, OnRunner(data)))
        assert [finding.kind for finding in looked] == [GoldFault.AVERAGES_ZEROS] * found


def test_every_sign_has_both_cases() -> None:
    seen = {(kind, found) for kind, _, _, found in CASES}
    assert {(kind, found) for kind in SIGNS - {GoldFault.AVERAGES_ZEROS} for found in (True, False)} <= seen
