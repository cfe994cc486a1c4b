"""Differences that only rare databases show: other spellings, missing tables, groups crossed, texts cut."""

from __future__ import annotations

import pytest

from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.read import read_query
from equiv.generate.database import Arena
from equiv.generate.plan import databases
from equiv.relation import Relation, Rows
from equiv.schema.policy import facts_for
from equiv.schema.violations import FactChecker
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import Refuted

EFFORT = 300
DDL = """
CREATE TABLE hall (id INTEGER PRIMARY KEY, name TEXT, seats INT, fee REAL);
CREATE TABLE play (no INTEGER PRIMARY KEY, hall TEXT REFERENCES hall (id), year INT, opened TEXT);
CREATE TABLE guest (id INTEGER PRIMARY KEY, name TEXT, town TEXT);
CREATE TABLE visit (
    hall INT REFERENCES hall (id), guest TEXT REFERENCES guest (id), PRIMARY KEY (hall, guest)
);
CREATE TABLE loose (guest REFERENCES guest (id), tickets INT);
CREATE TABLE product (code TEXT PRIMARY KEY, name TEXT);
CREATE TABLE sale (id INTEGER PRIMARY KEY, product INTEGER REFERENCES product (code), year TEXT);
CREATE TABLE land (code TEXT PRIMARY KEY COLLATE NOCASE, name TEXT);
CREATE TABLE city (id INTEGER PRIMARY KEY, land TEXT REFERENCES land (code));
"""
SCHEMA = load_ddl(DDL, "halls")
FACTS = facts_for(SCHEMA, "intended")
TOP = "ORDER BY COUNT(*) DESC LIMIT 1"
PLAYED = "hall h JOIN play p ON h.id = p.hall"
GUESTS = "SELECT g.id FROM guest g JOIN visit v ON g.id = v.guest"

DIFFERENT = {
    "groups by spelling": (
        "SELECT h.name, COUNT(*) FROM hall h JOIN play p ON h.id = p.hall GROUP BY p.hall",
        "SELECT h.name, COUNT(*) FROM hall h JOIN play p ON h.id = p.hall GROUP BY h.id",
    ),
    "largest group by spelling": (
        f"SELECT h.name FROM hall h JOIN play p ON h.id = p.hall WHERE year > 3 GROUP BY p.hall {TOP}",
        f"SELECT h.name FROM hall h JOIN play p ON h.id = p.hall WHERE year > 3 GROUP BY h.id {TOP}",
    ),
    "distinct spellings": (
        "SELECT COUNT(DISTINCT hall) FROM play",
        "SELECT COUNT(DISTINCT h.id) FROM hall h JOIN play p ON h.id = p.hall",
    ),
    "key of spellings": (
        f"{GUESTS} GROUP BY g.id HAVING COUNT(DISTINCT v.hall) > 1",
        f"{GUESTS} GROUP BY g.id HAVING COUNT(*) > 1",
    ),
    "spellings without a type": (
        "SELECT SUM(tickets) FROM loose GROUP BY guest",
        "SELECT SUM(tickets) FROM loose LEFT JOIN guest g ON g.id = guest GROUP BY g.id",
    ),
    "several keys of one number": (
        "SELECT s.id FROM sale s JOIN product p ON s.product = p.code",
        "SELECT id FROM sale WHERE product IS NOT NULL",
    ),
    "spellings without a reference": (
        "SELECT COUNT(DISTINCT s.year) FROM sale s JOIN play p ON s.year = p.year",
        "SELECT COUNT(DISTINCT p.year) FROM sale s JOIN play p ON s.year = p.year",
    ),
    "case of a reference": (
        "SELECT city.id FROM city JOIN land ON land = code",
        "SELECT id FROM city WHERE land IS NOT NULL",
    ),
    "parts of a text": (
        "SELECT no FROM play WHERE SUBSTR(opened, 1, 4) = '1970' AND SUBSTR(opened, 6, 2) = '10'",
        "SELECT no FROM play WHERE SUBSTR(opened, 1, 7) = '1970-10'",
    ),
    "parts as numbers": (
        "SELECT no FROM play WHERE CAST(SUBSTR(opened, 1, 4) AS INTEGER) BETWEEN 1987 AND 1992",
        "SELECT no FROM play WHERE SUBSTR(opened, 1, 4) BETWEEN '1987' AND '1992'",
    ),
    "an empty table": (
        f"SELECT name FROM guest GROUP BY id {TOP}",
        f"SELECT g.name FROM guest g JOIN visit v ON g.id = v.guest GROUP BY g.name {TOP}",
    ),
    "groups crossed": (
        f"SELECT name FROM guest GROUP BY name {TOP}",
        f"SELECT name FROM guest GROUP BY town {TOP}",
    ),
    "mean and maximum": (
        "SELECT name FROM hall GROUP BY name ORDER BY AVG(seats) DESC LIMIT 1",
        "SELECT name FROM hall ORDER BY seats DESC LIMIT 1",
    ),
    "counted once": (
        f"SELECT seats FROM {PLAYED} GROUP BY seats ORDER BY COUNT(DISTINCT year) DESC LIMIT 1",
        f"SELECT seats FROM {PLAYED} GROUP BY seats {TOP}",
    ),
    "extremes of several types": (
        "SELECT MAX(CASE WHEN seats = 5 THEN fee ELSE 0 END) * 100 / 7 FROM hall",
        "SELECT SUM(CASE WHEN seats = 5 THEN fee ELSE 0 END) * 100 / 7 FROM hall",
    ),
}


def pair_of(pred: str, gold: str) -> Pair:
    arena = Arena(SCHEMA)
    predicted, wanted = (read_query(sql, SCHEMA, arena.connection) for sql in (pred, gold))
    assert isinstance(predicted, Query), predicted
    assert isinstance(wanted, Query), wanted
    return Pair(predicted, wanted, SCHEMA, FACTS, Relation(Rows.BAG))


@pytest.mark.parametrize("kind", DIFFERENT)
def test_the_difference_is_found(kind: str) -> None:
    found = GenerateTier(SCHEMA, FACTS).settle(pair_of(*DIFFERENT[kind]), EFFORT)
    assert isinstance(found, Refuted), found


@pytest.mark.parametrize("kind", DIFFERENT)
def test_every_database_satisfies_the_facts(kind: str) -> None:
    arena, checker = Arena(SCHEMA), FactChecker(SCHEMA, FACTS)
    for database in databases(pair_of(*DIFFERENT[kind]), 80):
        assert arena.load(database)
        assert not checker.violated(arena.connection)


def test_each_table_is_empty_beside_filled_ones_early() -> None:
    pair = pair_of("SELECT name FROM guest", "SELECT product.name FROM product, guest")
    filled = {frozenset(database.tables) for database in databases(pair, 15)}
    assert {frozenset({"guest"}), frozenset({"product"}), frozenset({"guest", "product"})} <= filled


SAME = [
    ("SELECT no FROM play p JOIN hall h ON p.hall = h.id", "SELECT no FROM play WHERE hall IS NOT NULL"),
    (
        "SELECT h.name, COUNT(*) FROM hall h JOIN play p ON h.id = p.hall GROUP BY CAST(p.hall AS INTEGER)",
        "SELECT h.name, COUNT(*) FROM hall h JOIN play p ON h.id = p.hall GROUP BY h.id",
    ),
    ("SELECT id FROM city JOIN land ON code = land", "SELECT id FROM city WHERE land IS NOT NULL"),
]


@pytest.mark.parametrize(("pred", "gold"), SAME)
def test_no_difference_where_spelling_does_not_matter(pred: str, gold: str) -> None:
    assert not isinstance(GenerateTier(SCHEMA, FACTS).settle(pair_of(pred, gold), EFFORT), Refuted)
