"""One form for one meaning: aggregates that say the same end alike, and those that do not stay apart."""

from __future__ import annotations

import pytest
from proof.random_aggregates import DDL
from proof.test_aggregates import SCHEMA, facts, normal

from equiv.algebra.terms import (
    Aggregate,
    Apply,
    Bag,
    Binding,
    Compare,
    Constant,
    Field,
    Node,
    Scan,
    Term,
    Variable,
    alpha,
    integer,
    walk,
)
from equiv.algebra.translate.query import translate
from equiv.algebra.world import World
from equiv.core.query import Query
from equiv.core.runner import Connection
from equiv.dialects.sqlite.read import read_query
from equiv.proof.rewrites.scope import Scope
from equiv.proof.rewrites.sums.aggregates import normal_number


def form(sql: str, *, exact: bool = True) -> Node:
    """A query with its aggregates in normal form, up to names."""
    connection = Connection()
    connection.run_script(DDL)
    query = read_query(sql, SCHEMA, connection)
    connection.close()
    assert isinstance(query, Query)
    assert query.tree is not None, query.unsupported
    world = World(SCHEMA, facts(exact=exact))
    return alpha(normal(translate(query.tree, world), Scope.alone(world)))


ALIKE = [
    # COUNT over rows with a non-null argument
    ("SELECT COUNT(*) FILTER (WHERE a = 1) FROM t", "SELECT COUNT(CASE WHEN a = 1 THEN 1 END) FROM t"),
    ("SELECT COUNT(*) FROM t WHERE a = 1", "SELECT COUNT(*) FILTER (WHERE a = 1) FROM t"),
    ("SELECT COUNT(a) FROM t WHERE a > 1", "SELECT COUNT(*) FROM t WHERE a > 1"),
    ("SELECT COUNT(b) FROM t", "SELECT COUNT(*) FROM t"),
    ("SELECT COUNT(a + b) FROM t", "SELECT COUNT(a) FROM t"),
    # sums of conditions, over groups that are never empty
    (
        "SELECT b, SUM(CASE WHEN a = 1 THEN 1 ELSE 0 END) FROM t GROUP BY b",
        "SELECT b, COUNT(*) FILTER (WHERE a = 1) FROM t GROUP BY b",
    ),
    ("SELECT b, SUM(b = 1) FROM t GROUP BY b", "SELECT b, COUNT(*) FILTER (WHERE b = 1) FROM t GROUP BY b"),
    ("SELECT SUM(CASE WHEN d = 'a' THEN a END) FROM t", "SELECT SUM(a) FROM t WHERE d = 'a'"),
    ("SELECT SUM(CASE WHEN d = 'a' THEN a END) FROM t", "SELECT SUM(a) FILTER (WHERE d = 'a') FROM t"),
    # linearity
    ("SELECT SUM(3) FROM t", "SELECT SUM(1 + 2) FROM t"),
    ("SELECT TOTAL(2 * x) FROM t", "SELECT TOTAL(x + x) FROM t"),
    ("SELECT TOTAL(a) FROM t", "SELECT TOTAL(a * 1.0) FROM t"),
    ("SELECT SUM(a) FROM (SELECT a FROM t UNION ALL SELECT a FROM t)", "SELECT SUM(2 * a) FROM t"),
    # groups in groups
    ("SELECT SUM(v) FROM (SELECT SUM(a) AS v FROM t GROUP BY b, d)", "SELECT SUM(a) FROM t"),
    ("SELECT MAX(v) FROM (SELECT MAX(a) AS v FROM t GROUP BY d)", "SELECT MAX(a) FROM t"),
    ("SELECT TOTAL(v) FROM (SELECT COUNT(*) AS v FROM t GROUP BY b)", "SELECT TOTAL(1) FROM t"),
    (
        "SELECT TOTAL(v) FROM (SELECT COUNT(*) AS v, b FROM t GROUP BY b) WHERE b > 1",
        "SELECT TOTAL(1) FROM t WHERE b > 1",
    ),
    # the first row in the order of its value
    ("SELECT (SELECT a FROM t ORDER BY a DESC LIMIT 1)", "SELECT (SELECT MAX(a) FROM t)"),
    ("SELECT (SELECT b FROM t ORDER BY b LIMIT 1)", "SELECT (SELECT MIN(b) FROM t)"),
    ("SELECT (SELECT a FROM t WHERE a > 0 ORDER BY a LIMIT 1)", "SELECT (SELECT MIN(a) FROM t WHERE a > 0)"),
    # multiplicity does not count for extremes
    ("SELECT MAX(a) FROM (SELECT DISTINCT a, d FROM t)", "SELECT MAX(a) FROM t"),
    ("SELECT MIN(a) FROM (SELECT a FROM t UNION ALL SELECT a FROM t)", "SELECT MIN(a) FROM t"),
    ("SELECT MAX(CASE WHEN d = 'a' THEN a END) FROM t", "SELECT MAX(a) FROM t WHERE d = 'a'"),
    # a count against a number
    (
        "SELECT b FROM t GROUP BY b HAVING COUNT(*) FILTER (WHERE a = 1) > 0",
        "SELECT b FROM t GROUP BY b HAVING COUNT(*) FILTER (WHERE a = 1) >= 1",
    ),
    # of a group, its key
    ("SELECT b, MAX(b) FROM t GROUP BY b", "SELECT b, b FROM t GROUP BY b"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_same_meaning_same_form(one: str, other: str) -> None:
    assert form(one) == form(other)


APART = [
    # SUM over no row is NULL
    ("SELECT SUM(CASE WHEN a = 1 THEN 1 ELSE 0 END) FROM t", "SELECT COUNT(*) FILTER (WHERE a = 1) FROM t"),
    ("SELECT SUM(CASE WHEN a = 1 THEN 1 ELSE 0 END) FROM t", "SELECT SUM(CASE WHEN a = 1 THEN 1 END) FROM t"),
    ("SELECT TOTAL(a) FROM t", "SELECT COALESCE(SUM(a), 0) FROM t"),
    # NULL = 1 is neither counted nor 0
    ("SELECT b, SUM(a = 1) FROM t GROUP BY b", "SELECT b, COUNT(*) FILTER (WHERE a = 1) FROM t GROUP BY b"),
    # 1 and 1.0
    ("SELECT SUM(1) FROM t", "SELECT SUM(1.0) FROM t"),
    ("SELECT SUM(b / 2) FROM t", "SELECT SUM(b) / 2 FROM t"),
    ("SELECT SUM(n) FROM t", "SELECT TOTAL(n) FROM t"),
    # NULLs come first
    ("SELECT (SELECT a FROM t ORDER BY a LIMIT 1)", "SELECT (SELECT MIN(a) FROM t)"),
    ("SELECT (SELECT a FROM t ORDER BY b DESC LIMIT 1)", "SELECT (SELECT MAX(a) FROM t)"),
    # averages of averages, and sums of minima
    ("SELECT AVG(v) FROM (SELECT AVG(a) AS v FROM t GROUP BY b)", "SELECT AVG(a) FROM t"),
    ("SELECT SUM(v) FROM (SELECT MIN(a) AS v FROM t GROUP BY b)", "SELECT SUM(a) FROM t"),
    ("SELECT COUNT(DISTINCT a) FROM t", "SELECT COUNT(a) FROM t"),
]


@pytest.mark.parametrize(("one", "other"), APART)
def test_other_meaning_other_form(one: str, other: str) -> None:
    assert form(one) != form(other)


def functions(sql: str, *, exact: bool = True) -> set[str]:
    return {each.function for each in walk(form(sql, exact=exact)) if isinstance(each, Aggregate)}


@pytest.mark.parametrize(("function", "column"), [("SUM", "a"), ("SUM", "x"), ("AVG", "a"), ("TOTAL", "x")])
def test_rounding_and_overflow_keep_the_aggregate(function: str, column: str) -> None:
    assert functions(f"SELECT {function}({column}) FROM t") == {"LINEAR"}
    assert functions(f"SELECT {function}({column}) FROM t", exact=False) == {function}
    assert functions("SELECT COUNT(*) FROM t", exact=False) == {"LINEAR"}


@pytest.mark.parametrize("argument", ["n", "d", "d || d"])
def test_a_sum_of_unknown_class_stays(argument: str) -> None:
    assert functions(f"SELECT SUM({argument}) FROM t") == {"SUM"}


def test_a_few_distinct_values_are_counted_by_existence() -> None:
    assert functions("SELECT COUNT(DISTINCT d) FROM t WHERE d IN ('a', 'b')") == set()
    assert functions("SELECT COUNT(DISTINCT d) FROM t WHERE d > 'a'") == {"LINEAR"}
    assert functions("SELECT b FROM t WHERE d IN ('a', 'b') GROUP BY b HAVING COUNT(DISTINCT d) = 2") == set()


def test_unrelated_rows_give_a_product() -> None:
    found = list(walk(form("SELECT COUNT(*) FROM t, s")))
    assert any(isinstance(each, Apply) and each.function == "*" for each in found)
    assert all(len(each.bag.terms[0].bindings) == 1 for each in found if isinstance(each, Aggregate))


def test_sum_as_a_number_where_its_class_does_not_count() -> None:
    world = World(SCHEMA, facts())
    row = Variable(1, "t")
    total = Aggregate("SUM", Bag((Term((Binding(row, Scan("t")),), integer(1), (Field(row, "d"),)),)))
    compared = normal_number(Compare("<", total, integer(3)), Scope.alone(world))
    assert not any(isinstance(each, Aggregate) and each.function == "SUM" for each in walk(compared))
    halved = Apply("*", (total, Constant("real", "0.5")))
    assert normal_number(halved, Scope.alone(world)) != halved
    doubled = Apply("*", (total, integer(2)))
    assert normal_number(doubled, Scope.alone(world)) == doubled
