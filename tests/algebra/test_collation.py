"""NOCASE against a literal, put to SQLite on texts that tell foldings apart."""

from __future__ import annotations

import sqlite3

import pytest

from equiv.algebra.evaluate import Evaluator
from equiv.algebra.translate.tree import translate
from equiv.algebra.world import World
from equiv.core.unsupported import UnsupportedError
from rules.verification.golden import World as Schematic

DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, k TEXT COLLATE NOCASE, s TEXT, r TEXT COLLATE RTRIM)"
WORLD = Schematic(DDL, "intended")
TEXTS = (
    None,
    "",
    "a",
    "A",
    "ab",
    "AB",
    "aB",
    "Z",
    "z",
    "[",
    "_",
    "`",
    "É",
    "é",
    "a ",
    "a\0",
    "A\0b",
    "a\0B",
    "\0",
)
LITERALS = ("a", "A", "aB", "Z", "[", "_", "é", "", "a ")
SHOWN = """
k = {0}, {0} < k, k <= {0}, k <> {0}, k IS {0}, k BETWEEN {0} AND 'b', k IN ({0}, 'B'), k NOT IN ({0}, NULL)
s = {0} COLLATE NOCASE, s COLLATE NOCASE < {0}, k = {0} COLLATE BINARY, {0} >= k COLLATE NOCASE
CASE k WHEN {0} THEN 1 END, NOT k = {0}, k > {0} OR k = NULL, s = {0}, s = k, s < k, k = s COLLATE BINARY
s IN (SELECT k FROM t AS u WHERE u.id > 2), s IN ({0}, k)
"""


def filled() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute(DDL)
    rows = [(number, text, text, text) for number, text in enumerate(TEXTS)]
    connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows)
    return connection


@pytest.mark.parametrize("literal", LITERALS)
def test_a_literal_is_compared_as_sqlite_compares_it(literal: str) -> None:
    connection = filled()
    for shown in SHOWN.strip().split("\n"):
        sql = f"SELECT id, {shown.format(repr(literal))} FROM t ORDER BY id"
        tree = WORLD.read(sql).tree
        assert tree is not None
        answer = translate(tree, World(WORLD.schema, WORLD.facts))
        assert Evaluator.of(connection, WORLD.schema).rows(answer) == connection.execute(sql).fetchall(), sql


@pytest.mark.parametrize(
    "condition",
    ["k = s", "k = 'a' || s", "r = 'a'", "LOWER(k) = k", "s COLLATE NOCASE = k", "k IN (SELECT s FROM t)"],
)
def test_what_is_not_a_literal_is_refused(condition: str) -> None:
    tree = WORLD.read(f"SELECT id FROM t WHERE {condition}").tree
    assert tree is not None
    with pytest.raises(UnsupportedError):
        translate(tree, World(WORLD.schema, WORLD.facts))


def test_a_column_that_a_subquery_computes_is_refused() -> None:
    tree = WORLD.read("SELECT t.id FROM (SELECT LOWER(s) AS v FROM t) AS q JOIN t ON q.v = t.k").tree
    assert tree is not None
    with pytest.raises(UnsupportedError):
        translate(tree, World(WORLD.schema, WORLD.facts))
