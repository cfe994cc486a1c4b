"""Labelled pairs of our own on a small populated database, for a judge that is asked live."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

NAME = "harbour"
DDL = """
CREATE TABLE ship (
    ship_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, country TEXT, weight REAL, launched TEXT
);
CREATE TABLE voyage (
    voyage_id INTEGER PRIMARY KEY, ship_id INTEGER NOT NULL REFERENCES ship (ship_id), port TEXT, days INTEGER
);
"""
ROWS = """
INSERT INTO ship VALUES (1, 'Ada', 'Norway', 120.5, '1999-04-01'), (2, 'Bella', 'Norway', 300, '2004-09-12'),
    (3, 'Cora', 'Chile', 300, '2011-01-30'),
    (4, 'Dora', NULL, 80, '2011-06-06');
INSERT INTO voyage VALUES (1, 1, 'Kiel', 4), (2, 1, 'Kiel', 9), (3, 2, 'Oslo', 6), (4, 3, 'Kiel', 6),
    (5, 3, 'Lima', 30);
"""
PAIRS = (
    (
        "How many ships are from Norway?",
        "SELECT COUNT(*) FROM ship WHERE country = 'Norway'",
        "SELECT COUNT(ship_id) FROM ship WHERE country = 'Norway'",
        True,
    ),
    (
        "How many ships are from Norway?",
        "SELECT COUNT(*) FROM ship WHERE country = 'Norway'",
        "SELECT COUNT(*) FROM ship WHERE country = 'Chile'",
        False,
    ),
    (
        "List the names of ships that called at Kiel.",
        "SELECT DISTINCT s.name FROM ship s JOIN voyage v ON v.ship_id = s.ship_id WHERE v.port = 'Kiel'",
        "SELECT name FROM ship WHERE ship_id IN (SELECT ship_id FROM voyage WHERE port = 'Kiel')",
        True,
    ),
    (
        "List the names of ships that called at Kiel.",
        "SELECT DISTINCT s.name FROM ship s JOIN voyage v ON v.ship_id = s.ship_id WHERE v.port = 'Kiel'",
        "SELECT s.name FROM ship s JOIN voyage v ON v.ship_id = s.ship_id WHERE v.port = 'Oslo'",
        False,
    ),
    (
        "Which ship is the heaviest?",
        "SELECT name FROM ship ORDER BY weight DESC LIMIT 1",
        "SELECT name FROM ship WHERE weight = (SELECT MAX(weight) FROM ship)",
        True,
    ),
    (
        "Which ship is the heaviest?",
        "SELECT name FROM ship ORDER BY weight DESC LIMIT 1",
        "SELECT name FROM ship ORDER BY weight LIMIT 1",
        False,
    ),
    (
        "What is the average number of days of a voyage?",
        "SELECT AVG(days) FROM voyage",
        "SELECT SUM(days) * 1.0 / COUNT(*) FROM voyage",
        True,
    ),
    (
        "What is the average number of days of a voyage?",
        "SELECT AVG(days) FROM voyage",
        "SELECT SUM(days) / COUNT(*) FROM voyage",
        False,
    ),
    (
        "How many ships made a voyage?",
        "SELECT COUNT(DISTINCT ship_id) FROM voyage",
        "SELECT COUNT(*) FROM ship WHERE EXISTS (SELECT 1 FROM voyage v WHERE v.ship_id = ship.ship_id)",
        True,
    ),
    (
        "How many ships made a voyage?",
        "SELECT COUNT(DISTINCT ship_id) FROM voyage",
        "SELECT COUNT(*) FROM voyage",
        False,
    ),
    (
        "Which ships never sailed?",
        "SELECT name FROM ship WHERE ship_id NOT IN (SELECT ship_id FROM voyage)",
        "SELECT s.name, s.country FROM ship s LEFT JOIN voyage v USING (ship_id) WHERE v.voyage_id IS NULL",
        True,
    ),
    (
        "Which ships never sailed?",
        "SELECT name FROM ship WHERE ship_id NOT IN (SELECT ship_id FROM voyage)",
        "SELECT s.name FROM ship s JOIN voyage v ON v.ship_id <> s.ship_id",
        False,
    ),
)
"""Question, gold query, prediction, and whether the prediction answers the question."""


def write_pairs(folder: Path) -> tuple[Path, Path]:
    """Write the pairs and their database into a folder: the file of pairs, and the root of databases."""
    root = folder / "databases"
    root.mkdir(parents=True, exist_ok=True)
    database = root / f"{NAME}.sqlite"
    database.unlink(missing_ok=True)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executescript(DDL + ROWS)
    names = ("question", "gold_sql", "predicted_sql", "label")
    lines = [
        {"question_id": number, "db_id": NAME, **dict(zip(names, pair, strict=True))}
        for number, pair in enumerate(PAIRS)
    ]
    file = folder / "pairs.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return file, root
