"""Every golden query with its outputs changed: a literal more, one twice, another order, one less.

Rules find outputs by name and by position.  Whatever the outputs are, no rule may fail, and the normal form
must answer as the query does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest
from kit.harness import UnmetError, World, all_cases
from kit.sizes import seeds
from sqlglot import exp

from equiv.core.claims.blocks import select_operands
from equiv.core.printing import to_sql
from equiv.core.query import Query
from equiv.relation import Rows
from equiv.rewrite.normalise import RuleSet, normalise
from equiv.rules import RULES
from equiv.tiers.outcome import Refuted
from equiv.verdict import Difference

DATABASES = 25
ALL_RULES = RuleSet(RULES)
OWN = [case for case in all_cases() if case.world is not None and not case.world.dialect]
QUERIES = sorted({(case.world, case.parts[0]) for case in OWN if case.world}, key=lambda q: q[1])

Outputs = list[exp.Expr]
CHANGES: dict[str, Callable[[Outputs], Outputs]] = {
    "literal": lambda found: [_named("2", "2"), *found],
    "text": lambda found: [*found, _named("'c1'", "c1 ")],
    "repeated": lambda found: [*found, exp.alias_(found[0].unalias().copy(), "again", quoted=True)],
    "permuted": lambda found: found[::-1],
    "missing": lambda found: found[:-1] or found,
}
WRAPPERS = ("SELECT 2, w.* FROM ({}) AS w", "SELECT w.*, w.* FROM ({}) AS w", "SELECT 'c1', 2 FROM ({}) AS w")


def _named(literal: str, name: str) -> exp.Expr:
    value = exp.Literal.string(literal[1:-1]) if literal[0] == "'" else exp.Literal.number(literal)
    return exp.alias_(value, name, quoted=True)


def variants(world: World, sql: str) -> Iterator[str]:
    """A query with the outputs of one part of it changed, or wrapped in another."""
    yield from (wrapper.format(sql) for wrapper in WRAPPERS)
    tree = world.read(sql).tree
    assert tree is not None
    for number in range(len(_queries(tree))):
        for change in CHANGES.values():
            changed = tree.copy()
            for operand in select_operands(_queries(changed)[number]):
                if isinstance(operand, exp.Select):
                    operand.set("expressions", change(operand.expressions))
            yield to_sql(changed)


def _queries(tree: exp.Expression) -> list[exp.Expression]:
    """The whole query, and those whose outputs have names: derived tables and CTEs."""
    named = tree.find_all(exp.Subquery, exp.CTE)
    return [tree, *(node.this for node in named if isinstance(node.parent, exp.From | exp.Join | exp.With))]


def read(world: World, sql: str) -> Query | None:
    try:
        return world.read(sql)
    except UnmetError:
        return None


RAISING = "ABS(-9223372036854775808)"
"""An operand without columns that raises an error wherever it is evaluated."""


@pytest.mark.long
def test_normal_forms_answer_alike_whatever_the_outputs() -> None:
    for seed in seeds(40):
        random = Random(seed)
        world, sql = random.choice(QUERIES)
        changed = list(variants(world, sql)) if world.supports(sql) else []
        query = read(world, random.choice(changed)) if changed else None
        if query is not None and query.tree is not None:
            for rows in Rows:
                normal = to_sql(normalise(query.tree, ALL_RULES, world.context(rows)).tree)
                outcome = world.generator().settle(world.pair(query.sql, normal, rows), DATABASES)
                # Which operand of OR raises an error first is no part of what normal forms keep.
                is_error = isinstance(outcome, Refuted) and outcome.difference is Difference.ERROR
                if is_error and RAISING in query.sql:
                    continue
                assert not isinstance(outcome, Refuted), f"{rows}\n{query.sql}\n{normal}"
