"""What is read off the tokens of a query that has no tree: tables, columns, literals near these."""

from __future__ import annotations

from dataclasses import replace

from equiv.core.model import Schema, View
from equiv.core.reading.hints import Hint
from equiv.core.reading.queries import read_pair
from equiv.dialects.sqlite.ddl import load_ddl

SCHEMA = load_ddl("CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b TEXT); CREATE TABLE u (id INT, c TEXT);")


def mentioned(sql: str, schema: Schema = SCHEMA) -> dict[str, list[str]]:
    return {table: list(columns) for table, columns in read_pair([(sql, None)], schema).mentioned.items()}


def hints(sql: str) -> dict[tuple[str, str], list[Hint]]:
    return {key: found for key, found in read_pair([(sql, None)], SCHEMA).hints.items() if found}


def test_tables_and_columns_by_any_name() -> None:
    assert mentioned("SELECT [A], `b` FROM T -- u") == {"t": ["a", "b"]}
    assert mentioned("SELECT x FROM 't' WHERE \"a\" ->> 'b' /* id */") == {"t": ["a", "b"]}


def test_what_stands_in_square_brackets_counts_too() -> None:
    assert mentioned("SELECT id FROM t WHERE list_contains([a, 2], 1)") == {"t": ["id", "a"]}
    assert hints("SELECT id FROM t WHERE list_contains([a], 7)")["t", "a"] == [Hint(7)]


def test_a_star_is_no_product() -> None:
    assert mentioned("SELECT a * b FROM t") == {"t": ["a", "b"]}
    assert mentioned("SELECT COUNT(*) FROM t") == {"t": []}
    for star in ("SELECT * FROM t", "SELECT 1, * FROM t", "SELECT t.* FROM t", "SELECT DISTINCT * FROM t"):
        assert mentioned(star) == {"t": ["id", "a", "b"]}


def test_literals_go_to_columns_nearby() -> None:
    assert hints("SELECT id FROM t WHERE a > 12.5 AND b LIKE 'x%'") == {
        ("t", "id"): [Hint(12.5)],
        ("t", "a"): [Hint(12.5), Hint("x%", "pattern", "like")],
        ("t", "b"): [Hint(12.5), Hint("x%", "pattern", "like")],
    }
    assert hints("SELECT b FROM t WHERE b = 'it''s'")["t", "b"] == [Hint("it's")]


def test_an_unclosed_quote_hides_what_follows_it_alone() -> None:
    assert mentioned("SELECT a FROM t WHERE 'u") == {"t": ["a"]}


def test_views_mention_what_their_texts_do_even_in_a_circle() -> None:
    circle = load_ddl(
        "CREATE TABLE t (a INT, b INT); CREATE VIEW v AS SELECT a FROM t; CREATE VIEW w AS SELECT * FROM v;"
    )
    assert mentioned("SELECT 1 FROM w", circle) == {"t": ["a"]}
    views = (View("x", "SELECT b FROM t, y"), View("y", "SELECT 1 FROM x"))
    assert mentioned("SELECT 1 FROM x", replace(circle, views=views)) == {"t": ["b"]}
