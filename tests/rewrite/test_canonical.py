"""Canonical order and names: what is merely written otherwise becomes the same tree."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equiv.core.model import Context
from equiv.core.printing import key
from equiv.core.query import Query
from equiv.core.runner import open_memory
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.read import read_query
from equiv.facts import Facts
from equiv.rewrite.canonical import canonicalise

DDL = """
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT);
CREATE TABLE u (id INTEGER PRIMARY KEY, t_id INTEGER, c TEXT);
CREATE TABLE n (x TEXT COLLATE NOCASE, y TEXT);
"""
SCHEMA = load_ddl(DDL, "test")
PROBE = open_memory()
PROBE.connection.run_script(DDL)


def canonical(sql: str) -> tuple[object, ...]:
    query = read_query(sql, SCHEMA, PROBE.connection)
    assert isinstance(query, Query), query
    assert query.tree is not None, query.unsupported
    return key(canonicalise(query.tree.copy(), Context(SCHEMA, Facts())))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("SELECT a AS x FROM t", "SELECT q.a FROM t AS q"),
        ("SELECT 1 FROM t, u WHERE t.id = u.t_id", "SELECT 1 FROM u, t WHERE u.t_id = t.id"),
        ("SELECT a FROM t WHERE a > 1 AND b = 'x'", "SELECT a FROM t WHERE 'x' = b AND 1 < a"),
        ("SELECT a FROM t WHERE a IN (2, 1)", "SELECT a FROM t WHERE a IN (1, 2)"),
        ("SELECT COUNT(*) FROM t GROUP BY a, b", "SELECT COUNT(*) FROM t GROUP BY b, a"),
        (
            "SELECT p.a FROM t AS p, t AS q WHERE p.id < q.id",
            "SELECT q.a FROM t AS p, t AS q WHERE p.id > q.id",
        ),
        ("SELECT z.k FROM (SELECT a AS k, b FROM t) AS z", "SELECT y.m FROM (SELECT b, a AS m FROM t) AS y"),
        ("SELECT a FROM t UNION SELECT id FROM u", "SELECT id FROM u UNION SELECT a FROM t"),
        ("SELECT a FROM t INTERSECT SELECT id FROM t", "SELECT id FROM t INTERSECT SELECT a FROM t"),
        ("SELECT a FROM t UNION SELECT id FROM t", "SELECT id FROM t UNION SELECT a FROM t"),
        ("SELECT a + id FROM t", "SELECT id + a FROM t"),
        (
            "SELECT t.a FROM t LEFT JOIN u ON u.t_id = t.id LEFT JOIN u AS w ON w.id = t.a",
            "SELECT t.a FROM t LEFT JOIN u AS w ON w.id = t.a LEFT JOIN u ON u.t_id = t.id",
        ),
    ],
)
def test_same(first: str, second: str) -> None:
    assert canonical(first) == canonical(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("SELECT a, b FROM t", "SELECT b, a FROM t"),
        ("SELECT a - id FROM t", "SELECT id - a FROM t"),
        ("SELECT a FROM t EXCEPT SELECT id FROM u", "SELECT id FROM u EXCEPT SELECT a FROM t"),
        ("SELECT 1 FROM n WHERE x = y", "SELECT 1 FROM n WHERE y = x"),
        (
            "SELECT p.a FROM t AS p, t AS q WHERE p.id < q.id",
            "SELECT p.a FROM t AS p, t AS q WHERE p.id > q.id",
        ),
        ("SELECT a FROM t ORDER BY a, b", "SELECT a FROM t ORDER BY b, a"),
        ("SELECT t.a FROM t LEFT JOIN u ON u.t_id = t.id", "SELECT t.a FROM u LEFT JOIN t ON u.t_id = t.id"),
        ("SELECT a FROM t WHERE a = 1 OR b = 'x'", "SELECT a FROM t WHERE a = 1 AND b = 'x'"),
        ("SELECT a FROM t WHERE b = 'x'", "SELECT a FROM t WHERE b = 'X'"),
        ("SELECT a FROM t WHERE a = 1", "SELECT a FROM t WHERE a = 1.0"),
        ("SELECT COUNT(a) FROM t", "SELECT COUNT(DISTINCT a) FROM t"),
        ("SELECT a FROM t LIMIT 1", "SELECT a FROM t LIMIT 2"),
        ("SELECT a FROM t UNION SELECT id FROM u", "SELECT a FROM t UNION ALL SELECT id FROM u"),
    ],
)
def test_different(first: str, second: str) -> None:
    assert canonical(first) != canonical(second)


ALIASES = ("p", "q", "r", "s")
CONDITIONS = ("{0}.id = {1}.a", "{1}.id = {2}.a", "{2}.b = 'x'", "{3}.a < {0}.a", "{3}.id <> {1}.id")


@given(st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_aliases_sources_and_conjuncts_in_any_order(seed: int) -> None:
    rng = Random(seed)
    names = rng.sample(ALIASES, 4)
    sources = [f"t AS {name}" for name in rng.sample(names, 4)]
    conditions = [condition.format(*names) for condition in rng.sample(CONDITIONS, 5)]
    shuffled = f"SELECT {names[0]}.b FROM {', '.join(sources)} WHERE {' AND '.join(conditions)}"
    plain = [condition.format(*ALIASES) for condition in CONDITIONS]
    straight = f"SELECT p.b FROM t AS p, t AS q, t AS r, t AS s WHERE {' AND '.join(plain)}"
    assert canonical(shuffled) == canonical(straight)


def test_symmetric_self_joins() -> None:
    texts = {
        canonical(
            f"SELECT COUNT(*) FROM t AS {x}, t AS {y}, t AS {z} "
            f"WHERE {x}.a = {y}.a AND {y}.a = {z}.a AND {z}.a = {x}.a"
        )
        for x, y, z in permutations("xyz")
    }
    assert len(texts) == 1


def cycle(size: int, seed: int, turned: int = 0) -> str:
    """Copies of a table in a circle of references, listed in some order; some references the other way."""
    names = [f"c{n}" for n in range(size)]
    listed = Random(seed).sample(names, size)
    steps = [(names[n], names[(n + 1) % size]) for n in range(size)]
    steps = [(other, one) for one, other in steps[:turned]] + steps[turned:]
    Random(seed).shuffle(steps)
    sources = ", ".join(f"t AS {name}" for name in listed)
    return f"SELECT COUNT(*) FROM {sources} WHERE " + " AND ".join(f"{a}.a = {b}.id" for a, b in steps)


@pytest.mark.parametrize("size", [4, 5, 7, 8, 12])
def test_circles_of_many_copies_in_any_order(size: int) -> None:
    found = {str(canonical(cycle(size, seed))) for seed in range(4)}
    assert len(found) == 1
    assert found == {str(canonical(cycle(size, 9, turned=size)))}, "all turned is a circle again"
    assert str(canonical(cycle(size, 9, turned=1))) not in found


def test_canonical_twice_is_canonical_once() -> None:
    query = read_query(
        "SELECT p.a FROM t AS q, t AS p, u WHERE u.c = q.b AND p.id > q.id", SCHEMA, PROBE.connection
    )
    assert isinstance(query, Query)
    assert query.tree is not None
    once = canonicalise(query.tree.copy(), Context(SCHEMA, Facts()))
    assert key(canonicalise(once.copy(), Context(SCHEMA, Facts()))) == key(once)


@pytest.mark.parametrize("operator", ["INTERSECT", "UNION", "UNION ALL"])
def test_operands_of_one_table_keep_their_canonical_order(operator: str) -> None:
    query = read_query(f"SELECT b FROM t {operator} SELECT a FROM t", SCHEMA, PROBE.connection)
    assert isinstance(query, Query)
    assert query.tree is not None
    once = canonicalise(query.tree.copy(), Context(SCHEMA, Facts()))
    assert key(canonicalise(once.copy(), Context(SCHEMA, Facts()))) == key(once)
