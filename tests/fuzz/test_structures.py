"""Random queries of all shapes: the normal form may answer what the query may answer, on nasty databases."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest
from drawing.allowed_databases import allowed_databases, contents
from drawing.nasty_tables import DDL, TABLES, fill
from drawing.rare_constructs import Corners
from kit.harness import UnmetError, World
from kit.sizes import seeds
from sqlglot import exp

from equiv.answers.answers import AnswerPlan, DatabaseFinding, explains, find
from equiv.answers.compare import same_result
from equiv.core.printing import key, to_sql
from equiv.core.query import Query
from equiv.core.runner import Guarded, Limits, RunnerError
from equiv.facts import Facts
from equiv.relation import Relation, Rows
from equiv.rewrite.normalise import RuleSet, normalise
from equiv.rules import RULES
from equiv.schema.violations import mine

DATABASES = 40
QUERIES_EACH = 30
CAPS = Limits(seconds=1.0, rows=20_000, bytes=8 * 1024 * 1024)
WORLDS = {
    "intended": World(DDL),
    "declared": World(DDL, "declared"),
    "assumed": World(DDL, "intended", ("not_null(a.code)", "not_null(b.p_id)", "not_null(c.y)")),
    "keys": World(
        DDL,
        "declared",
        (
            "unique(a.x)",
            "unique(b.x)",
            "unique(e.x)",
            "not_null(a.s)",
            "functional(b.x -> b.s)",
            "inclusion(b.x -> a.x)",
            "inclusion(c.a_id -> a.s)",
            "inclusion(e.p -> a.y)",
        ),
    ),
}
ALL_RULES = RuleSet(RULES)


@pytest.mark.long
@pytest.mark.parametrize("name", WORLDS)
def test_normal_forms_answer_as_the_query_does(name: str) -> None:
    world = WORLDS[name]
    for seed in seeds(50):
        sql = Corners(Random(seed)).query()
        try:
            query = world.read(sql)
        except UnmetError:
            continue
        for rows, normal in normal_forms(query, world):
            engine = next((e for e in databases(name) if tells_apart(e, query, normal, rows, world)), None)
            assert engine is None, f"seed {seed}, {rows}:\n{sql}\n{normal.sql}\n{contents(engine, TABLES)}"


@pytest.mark.long
def test_normal_forms_answer_alike_on_what_their_facts_were_mined_from() -> None:
    for seed in seeds(50):
        engine = databases("declared")[seed // QUERIES_EACH % DATABASES]
        world = World(DDL, "declared", mined_facts(engine))
        sql = Corners(Random(seed)).query()
        try:
            query = world.read(sql)
        except UnmetError:
            continue
        for rows, normal in normal_forms(query, world):
            apart = tells_apart(engine, query, normal, rows, world)
            assert not apart, f"seed {seed}, {rows}:\n{sql}\n{normal.sql}\n{contents(engine, TABLES)}"


@cache
def mined_facts(engine: Guarded) -> tuple[str, ...]:
    """What happens to be true of a database."""
    return tuple(map(str, mine(engine.connection, WORLDS["declared"].schema)))


def normal_forms(query: Query, world: World) -> Iterator[tuple[Rows, Query]]:
    """The different normal forms of a query, each under the strictest relation that gives it."""
    assert query.tree is not None
    seen = {key(query.tree)}
    for rows in Rows:
        tree = normalise(query.tree, ALL_RULES, world.context(rows)).tree
        aliases = [clause.this.alias_or_name for clause in tree.find_all(exp.From, exp.Join)]
        assert len(aliases) == len(set(aliases)), f"{query.sql}\n{to_sql(tree)}"
        if key(tree) not in seen:
            seen.add(key(tree))
            yield rows, Query(to_sql(tree), query.columns, tree, None, tree.args.get("order") is not None)


def tells_apart(engine: Guarded, query: Query, normal: Query, rows: Rows, world: World) -> bool:
    relation = Relation(rows)
    try:
        expected = engine.connection.execute(query.sql).fetchall()
    except RunnerError:
        return False
    if same_result(engine.connection.execute(normal.sql).fetchall(), expected, relation):
        return False
    one, two = AnswerPlan(query, world.schema, Facts()), AnswerPlan(normal, world.schema, Facts())
    found = find(engine, one, two, relation, CAPS)
    # SQLite 3.40 has errors in RIGHT JOIN, which show as answers that the plan does not foresee.
    return found is DatabaseFinding.APART and explains(engine, one, CAPS) and explains(engine, two, CAPS)


@cache
def databases(name: str) -> tuple[Guarded, ...]:
    """Databases that the facts of a world allow."""
    return allowed_databases(WORLDS[name], fill, name, DATABASES)
