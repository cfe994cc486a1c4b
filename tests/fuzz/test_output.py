"""Every golden query with its outputs changed: a literal more, one twice, another order, one less.

Rules find outputs by name and by position.  Whatever the outputs are, no rule may fail, and the normal form
must answer as the query does.  ``EQUIV_FUZZ_SECONDS`` sets for how long answers are compared (default 3),
``EQUIV_FUZZ_SEED`` in which order queries come.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from random import Random

from kit.harness import UnmetError, World, all_cases
from sqlglot import exp

from equiv.core.claims.sources import select_operands
from equiv.core.printing.trees import to_sql
from equiv.core.query import Query
from equiv.relation import Rows
from equiv.rewrite.normalise import RuleSet, normalise
from equiv.tiers.outcome import Refuted
from rules import RULES

SECONDS = float(os.environ.get("EQUIV_FUZZ_SECONDS", "3"))
SEED = int(os.environ.get("EQUIV_FUZZ_SEED", "0"))
DATABASES = 25
ALL_RULES = RuleSet(RULES)
QUERIES = sorted({(case.world, case.parts[0]) for case in all_cases() if case.world}, key=lambda q: q[1])

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


def test_normal_forms_answer_alike_whatever_the_outputs() -> None:
    deadline, random, order = time.monotonic() + SECONDS, Random(SEED), list(QUERIES)
    random.shuffle(order)
    for world, sql in cycle(order):
        changed = list(variants(world, sql)) if world.supports(sql) else []
        query = read(world, random.choice(changed)) if changed else None
        if query is not None and query.tree is not None:
            for rows in Rows:
                normal = to_sql(normalise(query.tree, ALL_RULES, world.context(rows)).tree)
                outcome = world.generator().settle(world.pair(query.sql, normal, rows), DATABASES)
                assert not isinstance(outcome, Refuted), f"{rows}\n{query.sql}\n{normal}"
        if time.monotonic() > deadline:
            return
