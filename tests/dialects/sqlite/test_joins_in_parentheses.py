"""Joins in parentheses become nested queries, as in SQLite; what SQLite spares itself is no difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from equiv.core.model import Schema
from equiv.core.printing import to_sql
from equiv.core.query import Query
from equiv.core.runner import Connection
from equiv.dialects.sqlite.grammar.queries import read as parse
from equiv.dialects.sqlite.read import program
from equiv.dialects.sqlite.resolve.sources import in_parentheses
from equiv.dialects.sqlite.resolve.trees import resolve

INSIDE = "(u JOIN r ON u.id = r.v)"
SUPPORTED = (
    f"SELECT t.a FROM t JOIN {INSIDE} ON t.id = u.t_id",
    f"SELECT t.a, r.k FROM t LEFT JOIN {INSIDE} ON t.id = u.t_id",
    f"SELECT t.a FROM t LEFT JOIN {INSIDE} ON t.id = t_id",
    f"SELECT * FROM t LEFT JOIN {INSIDE} ON t.id = u.t_id",
    f"SELECT r.*, t.b FROM t LEFT JOIN {INSIDE} ON t.id = u.t_id",
    f"SELECT t.a FROM t, {INSIDE} WHERE t.id = u.t_id",
    "SELECT a FROM t LEFT JOIN (u JOIN r ON k = b) ON t_id = t.id",
    "SELECT t.a, one.v FROM t JOIN (u JOIN (r JOIN one ON r.v = one.v) ON u.id = one.v) ON t.id = u.t_id",
    "SELECT t.a FROM (t JOIN u ON t.id = u.t_id) LEFT JOIN (r JOIN one ON r.v = one.v) ON one.v = t.a",
    "SELECT q.k, q.y FROM t JOIN (r JOIN (SELECT y FROM u) s) q ON t.id = q.y",
    f"SELECT t.a FROM t WHERE EXISTS (SELECT 1 FROM one JOIN {INSIDE} ON one.v = t.id AND r.v = u.y)",
    "SELECT COUNT(u.y), MAX(r.k) FROM t LEFT JOIN (u CROSS JOIN r) ON u.id = t.a GROUP BY t.x",
    "SELECT t.a, u.y FROM t JOIN (u JOIN u AS v ON u.id = v.t_id) ON v.id = t.id",
)  # fmt: skip
REFUSED = (
    "SELECT t.a FROM t JOIN (u JOIN w USING (b)) ON t.id = u.id",
    "SELECT t.a FROM t NATURAL JOIN (u JOIN r ON u.id = r.v)",
    "SELECT t.a FROM t JOIN (u JOIN u AS v ON u.id = v.id) q ON t.id = q.t_id",
)


def fill(probe: Connection, random: Random) -> None:
    values = (None, 1, 2, 3)
    for table, width in {"t": 3, "u": 3, "r": 2, "one": 1}.items():
        probe.execute(f"DELETE FROM {table}")
        for number in range(random.randint(0, 4)):
            row = [random.choice(values) for _ in range(width)]
            row = [number, *row] if table in ("t", "u") else row
            probe.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)


@pytest.mark.parametrize("sql", SUPPORTED)
def test_supported_and_of_the_same_result(sql: str, read: Callable[[str], Query], probe: Connection) -> None:
    query = read(sql)
    assert query.unsupported is None
    assert query.tree is not None
    printed = to_sql(query.tree)
    random = Random(sql)
    for _ in range(40):
        fill(probe, random)
        assert Counter(probe.execute(sql)) == Counter(probe.execute(printed))


@pytest.mark.parametrize("sql", REFUSED)
def test_refused(sql: str, read: Callable[[str], Query]) -> None:
    assert read(sql).tree is None


@pytest.mark.parametrize(("asked", "other"), [
    ("SELECT u.y FROM t LEFT JOIN {} ON t.id = u.id", "SELECT r.k FROM t LEFT JOIN {} ON t.id = u.id"),
    ("SELECT t.a FROM t LEFT JOIN {} ON t.id = u.t_id", "SELECT t.a FROM t LEFT JOIN {} ON t.id = u.id"),
    ("SELECT t.a FROM t LEFT JOIN {} ON t.id = r.k", "SELECT t.a FROM t LEFT JOIN {} ON t.id = r.v"),
    ("SELECT r.k FROM t LEFT JOIN {} ON t.id = r.v", "SELECT r.v FROM t LEFT JOIN {} ON t.id = r.v"),
    ("SELECT 1 FROM t LEFT JOIN {} ON t.id = r.v", "SELECT COUNT(u.b) FROM t LEFT JOIN {} ON t.id = r.v"),
])  # fmt: skip
def test_a_program_that_reads_other_columns_is_told_apart(
    asked: str, other: str, schema: Schema, probe: Connection
) -> None:
    one, two = asked.format(INSIDE), other.format(INSIDE)
    for first, second in ((one, two), (two, one)):
        named = to_sql(in_parentheses(resolve(parse(second), schema)), verbatim=True)
        assert program(probe, named) == program(probe, second)
        assert program(probe, named) != program(probe, first)
