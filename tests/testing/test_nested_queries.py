"""Queries within a query, with its column in the place of one of theirs."""

from __future__ import annotations

from contextlib import closing

from equiv.core.query import Query
from equiv.core.runner import Connection
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.read import read_query
from equiv.testing.making.remade_queries import within

DDL = "CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT, boss INTEGER REFERENCES a(id));"
SCHEMA = load_ddl(DDL)
ROWS = "INSERT INTO a VALUES (1, 'c', NULL), (2, 'c', 1), (3, 'd', 1);"


def placed(*texts: str) -> list[tuple[str, ...]]:
    with closing(Connection()) as connection:
        connection.run_script(DDL)
        queries = [read_query(text, SCHEMA, connection) for text in texts]
    trees = [query.tree for query in queries if isinstance(query, Query) and query.tree is not None]
    assert len(trees) == len(texts)
    return list(within(trees, SCHEMA))


def rows(sql: str) -> list[tuple[object, ...]]:
    with closing(Connection()) as connection:
        connection.run_script(DDL + ROWS)
        return connection.execute(sql).fetchall()


def test_a_rewrite_that_does_not_ask_whose_key_is_given_shows() -> None:
    before, after = "SELECT DISTINCT a.x FROM a WHERE a.id = 1", "SELECT a.x FROM a WHERE a.id = 1"
    assert rows(before) == rows(after)
    assert any(rows(one) != rows(other) for one, other in placed(before, after))


def test_each_source_of_a_table_gets_its_turn() -> None:
    texts = placed("SELECT m.x FROM a AS e JOIN a AS m ON e.boss = m.id")
    found = [text for (text,) in texts if " IN " in text]
    conditions = {text[text.index(" ON ") + 4 : -1] for text in found}
    assert conditions == {"around.boss = a_2.id", "a.boss = around.id", "a.boss = a_2.id"}
    assert len(found) == len(set(found))


def test_a_column_is_taken_in_conditions_only_or_everywhere() -> None:
    found = {text for (text,) in placed("SELECT a.x FROM a WHERE a.x > 'c'") if "EXISTS" in text}
    start = "SELECT around.x FROM a AS around WHERE EXISTS ("
    assert found == {
        f"{start}SELECT around.x AS x FROM a WHERE around.x > 'c')",
        f"{start}SELECT a.x AS x FROM a WHERE around.x > 'c')",
    }


def test_queries_of_several_columns_are_no_values() -> None:
    found = placed("SELECT a.x, a.boss FROM a WHERE a.id = 2")
    assert found
    assert all(" IN (" not in text and " AS v " not in text for (text,) in found)
    assert all(isinstance(rows(text), list) for (text,) in found)


def test_pairs_are_placed_alike() -> None:
    for one, other in placed("SELECT a.x FROM a WHERE a.id = 1", "SELECT b.x FROM a AS b WHERE 1 = b.id"):
        assert sorted(rows(one)) == sorted(rows(other))
        assert one.count("around.") == other.count("around.")
