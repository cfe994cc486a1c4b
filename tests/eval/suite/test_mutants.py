"""Mutants are queries on the schema, each another text, of many kinds before they are many of one kind."""

from __future__ import annotations

from contextlib import closing

import pytest

from equiv.core.printing import to_sql
from equiv.core.query import Query
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.engine.make import make_engine
from equiv.eval.suite.gather import CHANGES, mutants
from equiv.options import Options

SCHEMA = load_ddl(
    """CREATE TABLE club (id INTEGER PRIMARY KEY, name TEXT NOT NULL, founded INTEGER, members INTEGER);
    CREATE TABLE player (id INTEGER PRIMARY KEY, club_id INTEGER REFERENCES club, age INTEGER, pay REAL);"""
)
GOLDS = (
    "SELECT name FROM club WHERE founded > 1900 AND NOT members IS NULL ORDER BY members DESC, name LIMIT 3",
    "SELECT club_id, COUNT(DISTINCT age), SUM(pay) / COUNT(*) FROM player GROUP BY 1 HAVING MAX(age) < 4",
    "SELECT c.name FROM club c JOIN player p ON c.id = club_id WHERE age IN (1, 2) OR pay - 1 >= members",
    "SELECT id FROM club UNION SELECT CAST(pay AS INTEGER) FROM player WHERE age LIKE '2%'",
    "SELECT SUM(CASE WHEN age = 3 THEN 1 ELSE 0 END) * 100.0 / COUNT(id) FROM player",
)


@pytest.mark.parametrize("gold", GOLDS)
def test_mutants_are_different_queries(gold: str) -> None:
    with closing(make_engine(SCHEMA, None, Options())) as engine:
        query = engine.read(gold)
        assert isinstance(query, Query)
        assert query.tree is not None
        before = to_sql(query.tree)
        found = mutants(query.tree, SCHEMA, 100)
        assert to_sql(query.tree) == before
        texts = [sql for _, sql in found]
        assert len(set(texts)) == len(texts) > 10
        assert before not in texts
        refused = [sql for sql in texts if not isinstance(engine.read(sql), Query)]
        # Some changes take away what another place needs: rare, and the engine says so.
        assert len(refused) <= len(texts) // 10, refused
        assert mutants(query.tree, SCHEMA, 5) == found[:5]
        assert len({name for name, _ in found[:5]}) == 5


def test_every_change_makes_a_mutant_of_some_query() -> None:
    with closing(make_engine(SCHEMA, None, Options())) as engine:
        trees = [query.tree for gold in GOLDS if isinstance(query := engine.read(gold), Query)]
    named = {name for tree in trees if tree is not None for name, _ in mutants(tree, SCHEMA, 200)}
    assert {name for name, _, _ in CHANGES} - named == set()
