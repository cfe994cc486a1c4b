"""What the strategies draw is what they say: queries, databases that keep facts, equal and changed texts."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from equiv.answers.compare import same_result
from equiv.cells import Row
from equiv.core.model import Schema
from equiv.core.runner import Connection
from equiv.engine.make import make_engine
from equiv.errors import InputError
from equiv.facts import FactKind
from equiv.generate.database import Database
from equiv.options import Options
from equiv.relation import resolve_relation
from equiv.schema.violations import FactChecker
from equiv.testing import databases, equivalent_rewrites, mutants, open_database, queries, schemas, strategies
from equiv.testing.making.databases import RandomDatabases
from equiv.testing.making.mutants import drawn_mutants
from equiv.testing.making.queries import ALL, Feature, features_of
from equiv.testing.schema_facts import ground_of, schema_of
from equiv.testing.strategies import equivalent
from equiv.testing.trials import AimedQueries

SHOP = schema_of(None)
GROUND = ground_of(SHOP)
FEW = settings(
    max_examples=15, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
TEXTS = tuple(AimedQueries(SHOP, ALL, 45, 6))


@pytest.mark.long
@FEW
@given(st.data(), st.sets(st.sampled_from(list(Feature))))
def test_queries_use_no_other_features_than_asked_for(data: st.DataObject, features: set[Feature]) -> None:
    sql = data.draw(queries(features=features))
    assert features_of(sql) <= features
    assert GROUND.can_be_prepared(sql)


def test_queries_are_of_every_kind() -> None:
    texts = tuple(AimedQueries(SHOP, ALL, 200, 6))
    shares = Counter(feature for sql in texts for feature in features_of(sql))
    assert set(shares) == ALL
    assert shares[Feature.JOINS] + shares[Feature.OUTER_JOINS] >= len(texts) / 8


@FEW
@given(schemas().flatmap(lambda schema: st.tuples(st.just(schema), queries(schema), databases(schema))))
def test_a_drawn_schema_holds_drawn_rows_and_answers_drawn_queries(
    drawn: tuple[Schema, str, Database],
) -> None:
    schema, sql, database = drawn
    with closing(open_database(database, schema)) as connection:
        assert FactChecker(schema, ground_of(schema).facts).holds(connection)
        connection.execute(sql).fetchall()


ASSUMED = ("not_empty(orders)", "not_null(orders.shop_id)")


def test_databases_keep_assumed_facts_and_hold_what_trips_queries() -> None:
    made = databases_for("intended", ASSUMED)
    rows = [row for database in made for _, table in database.tables.values() for row in table]
    assert all("orders" in database.tables for database in made)
    assert any(None in row for row in rows)
    kinds = {type(cell) for row in rows for cell in row}
    assert kinds == {int, float, str, type(None)}
    wild = [r for d in databases_for("declared", ()) for _, table in d.tables.values() for r in table]
    assert any(isinstance(cell, bytes) for row in wild for cell in row)


def databases_for(facts: str, assume: tuple[str, ...], number: int = 15) -> list[Database]:
    in_force = ground_of(SHOP, facts, assume).facts
    found = (RandomDatabases(Random(f"{facts} {n}"), SHOP, in_force).database() for n in range(number))
    return [database for database in found if database is not None]


CONNECTIONS = [open_database(database, SHOP) for database in databases_for("intended", ())]


def told_apart(one: str, two: str, relation: str) -> bool:
    compared = resolve_relation(relation, gold_orders=GROUND.orders(two))
    return any(not same_result(rows_of(c, one), rows_of(c, two), compared) for c in CONNECTIONS)


def rows_of(connection: Connection, sql: str) -> list[Row]:
    return connection.execute(sql).fetchall()


def is_free(sql: str) -> bool:
    """Whether ties, which SQLite may break as it likes, may show."""
    uses = features_of(sql)
    return bool(uses & {Feature.LIMIT, Feature.WINDOWS, Feature.GROUPS}) or " OVER " in sql


@pytest.mark.parametrize("relation", ["sql", "bag", "set"])
def test_no_database_tells_a_rewrite_from_its_query(relation: str) -> None:
    changed = 0
    for number, sql in enumerate(TEXTS):
        new = equivalent(sql, GROUND, relation, Random(number))
        changed += new != sql
        assert GROUND.can_be_prepared(new), f"{sql}\n{new}"
        if not is_free(sql):
            assert not told_apart(new, sql, relation), f"{sql}\n{new}"
    assert changed > len(TEXTS) * 0.9


def test_every_rewrite_of_a_node_applies_somewhere_and_refuses_its_traps() -> None:
    sql = (
        "SELECT COUNT(*) FROM orders AS o JOIN shop AS s ON s.id = o.shop_id WHERE o.total BETWEEN 1 AND 2"
        " AND s.open < 3 AND o.note IN ('a', 'b') AND s.city IS NULL"
        " AND EXISTS (SELECT c.id FROM customer AS c)"
    )
    tree = GROUND.tree(sql)
    assert tree is not None
    fired = {
        rewrite.__name__
        for kinds, rewrite in strategies.REWRITES
        for node in tree.walk()
        if type(node) in kinds and rewrite(node) is not None
    }
    assert fired == {rewrite.__name__ for _, rewrite in strategies.REWRITES}
    trap = GROUND.tree(
        "SELECT id FROM shop WHERE EXISTS (SELECT COUNT(*) FROM orders) AND city IN (code, 'a')"
        " AND city < code"
    )
    assert trap is not None
    refused = (strategies.ask_for_one, strategies.spread_list, strategies.mirror_comparison)
    for kinds, rewrite in strategies.REWRITES:
        if rewrite in refused:
            assert all(rewrite(node) is None for node in trap.walk() if type(node) in kinds)


def test_databases_tell_most_mutants_apart() -> None:
    tried = apart = 0
    for number, sql in enumerate(TEXTS):
        tree = GROUND.tree(sql)
        if tree is None:
            continue
        for mutant in drawn_mutants(tree, SHOP, Random(number), 2):
            if GROUND.can_be_prepared(mutant):
                tried += 1
                apart += told_apart(mutant, sql, "sql")
    assert tried >= 60
    assert apart >= tried / 3


@FEW
@given(st.data())
def test_rewrites_and_mutants_are_queries_and_the_latter_change_something(data: st.DataObject) -> None:
    sql = "SELECT city, COUNT(*) FROM customer WHERE vip = 1 GROUP BY city"
    for strategy in (equivalent_rewrites(sql), mutants(sql)):
        assert GROUND.can_be_prepared(data.draw(strategy))
    assert data.draw(mutants(sql)) != sql


def test_bad_arguments_are_told() -> None:
    for wrong in (
        lambda: queries(features=["joints"]),
        lambda: queries(features="joins"),
        lambda: queries("CREATE TABLE t (hard_i INT);"),
        lambda: schemas(tables=9),
        lambda: databases(assume=["unique(shop.nothing)"]),
        lambda: mutants("SELECT nothing"),
        lambda: equivalent_rewrites("SELECT 1", relation="row"),
    ):
        with pytest.raises(InputError):
            wrong()


def test_the_facts_of_the_default_engine_are_those_of_the_ground() -> None:
    with closing(make_engine(SHOP, None, Options(timeout=None))) as engine:
        assert tuple(engine.facts) == tuple(GROUND.facts)
    assert GROUND.facts.of(FactKind.INCLUSION, "orders")
