"""The driver refuses steps that change how values are compared, and no others."""

from __future__ import annotations

import pytest
from kit.harness import World, all_cases
from sqlglot import exp

from equiv.core.model import Context
from equiv.core.printing import to_sql
from equiv.rewrite.kept_comparisons import is_plain, ways
from equiv.rewrite.normalise import RuleSet, normalise
from equiv.rewrite.rule import rule

DDL = (
    "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT COLLATE NOCASE, m TEXT COLLATE NOCASE, i INTEGER, s TEXT)"
)


@rule(on=exp.Coalesce)
def eliminate_default(node: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Careless of what a call of COALESCE brings to a comparison: nothing."""
    del ctx
    value: exp.Expression = node.this
    return value


@rule(on=exp.EQ)
def convert_sides(node: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Careless of whose collation counts: that of the left side."""
    del ctx
    if isinstance(node.expression, exp.Column) and node.this.name > node.expression.name:
        return exp.EQ(this=node.expression, expression=node.this)
    return None


CARELESS = RuleSet((eliminate_default, convert_sides))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT t.id FROM t WHERE COALESCE(t.n, t.n) = 'a'",
        "SELECT t.id FROM t WHERE COALESCE(t.i, t.i) = '5'",
        "SELECT t.id FROM t WHERE 'a' IN (SELECT COALESCE(t_2.n, t_2.n) FROM t AS t_2)",
        "SELECT t.id FROM t WHERE '5' BETWEEN COALESCE(t.i, 1) AND 'a'",
        "SELECT DISTINCT COALESCE(t.n, t.n) FROM t",
        "SELECT COUNT(DISTINCT COALESCE(t.n, t.n)) FROM t",
        "SELECT COUNT(*) FROM t GROUP BY COALESCE(t.n, t.n)",
        "SELECT t.id FROM t ORDER BY COALESCE(t.n, t.n)",
        "SELECT MAX(COALESCE(t.n, t.n)) FROM t",
        "SELECT MAX(COALESCE(t.n, t.n), 'B') FROM t",
        "SELECT NULLIF(COALESCE(t.n, t.n), 'a') FROM t",
        "SELECT CASE COALESCE(t.n, t.n) WHEN 'a' THEN 1 END FROM t",
        "SELECT COALESCE(t.n, t.n) FROM t UNION SELECT t_2.s FROM t AS t_2",
        "SELECT ROW_NUMBER() OVER (PARTITION BY COALESCE(t.n, t.n)) FROM t",
        "SELECT t.id FROM t WHERE (COALESCE(t.n, t.n), 1) = ('a', 1)",
        "SELECT q.c FROM (SELECT COALESCE(t.n, t.n) AS c FROM t) AS q WHERE q.c = 'a'",
        "SELECT t.n, COUNT(DISTINCT COALESCE(t.n, t.n)) FROM t GROUP BY t.n",
    ],
)
def test_an_expression_is_not_put_where_another_is_compared_otherwise(sql: str) -> None:
    world = World(DDL, "declared")
    tree = world.read(sql).tree
    assert tree is not None
    found = normalise(tree, RuleSet((eliminate_default,)), world.context())
    assert found.tree.find(exp.Coalesce) is not None
    assert {each.rule for each in found.stopped} == {"eliminate_default"}
    unchecked = normalise(tree, RuleSet((eliminate_default,)), world.context(), checks=False)
    assert unchecked.tree.find(exp.Coalesce) is None


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT COALESCE(t.n, t.n) FROM t",
        "SELECT t.id FROM t WHERE COALESCE(t.s, t.s) = 'a'",
        "SELECT t.id FROM t WHERE COALESCE(t.i, t.i) = 5",
        "SELECT COUNT(COALESCE(t.n, t.n)) FROM t",
        "SELECT t.id FROM t WHERE COALESCE(t.n, t.n) LIKE 'a'",
        "SELECT t.id FROM t WHERE COALESCE(t.n, t.n) IS NULL",
        "SELECT t.n FROM t GROUP BY t.n HAVING COUNT(COALESCE(t.n, t.n)) > 1",
    ],
)
def test_a_step_that_changes_no_comparison_is_made(sql: str) -> None:
    world = World(DDL, "declared")
    tree = world.read(sql).tree
    assert tree is not None
    found = normalise(tree, RuleSet((eliminate_default,)), world.context())
    assert found.tree.find(exp.Coalesce) is None
    assert not found.stopped


def test_a_rule_is_refused_on_one_node_and_fires_on_another() -> None:
    world = World(DDL, "declared")
    tree = world.read("SELECT COUNT(DISTINCT COALESCE(n, n)), COUNT(DISTINCT COALESCE(s, s)) FROM t").tree
    assert tree is not None
    found = normalise(tree, CARELESS, world.context(), trace=True)
    assert to_sql(found.tree) == "SELECT COUNT(DISTINCT COALESCE(t.n, t.n)), COUNT(DISTINCT t.s) FROM t"
    assert [each.change for each in found.stopped] == ["t.n: BINARY before, NOCASE then"]
    assert [step.rule for step in found.steps if step.rule == "eliminate_default"] == ["eliminate_default"]


def test_the_left_side_stays_on_the_left_under_two_collations() -> None:
    world = World(DDL, "declared")
    for condition, is_kept in (("t.s = t.n", True), ("t.n = t.m", False)):
        tree = world.read(f"SELECT t.id FROM t WHERE {condition}").tree
        assert tree is not None
        found = normalise(tree, RuleSet((convert_sides,)), world.context())
        assert bool(found.stopped) is is_kept


def test_a_refused_rule_leaves_the_given_tree_alone() -> None:
    world = World(DDL, "declared")
    tree = world.read("SELECT DISTINCT COALESCE(n, n) FROM t").tree
    assert tree is not None
    before = to_sql(tree)
    normalise(tree, CARELESS, world.context())
    assert to_sql(tree) == before


@pytest.mark.long
def test_the_quick_look_sees_every_comparison_that_is_not_plain() -> None:
    seen = set()
    for case in all_cases()[::24]:
        assert case.world is not None
        for sql in case.parts[: 1 if case.command in ("norm", "algebra") else 2]:
            if (case.world, sql) not in seen and case.world.supports(sql):
                seen.add((case.world, sql))
                tree, context = case.world.read(sql).tree, case.world.context()
                assert tree is not None
                whole = ways(tree, context, whole=True)
                assert whole is not None
                assert (ways(tree, context) is None) == is_plain(whole), sql
    assert len(seen) > 50
