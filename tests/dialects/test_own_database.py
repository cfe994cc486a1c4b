"""The name of the schema's own database before that of a schema and a table, as dbt writes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from equiv import Checker
from equiv.dialects.registry import dialect_named

DDL = """CREATE TABLE {main}.orders (id integer PRIMARY KEY, status varchar);
CREATE SCHEMA stg; CREATE TABLE stg.x (id integer, held varchar); CREATE VIEW v AS SELECT id FROM orders;"""
MAIN = {"duckdb": "main", "postgres": "public"}


@pytest.fixture(scope="module", params=MAIN)
def script(request: pytest.FixtureRequest) -> Iterator[tuple[Checker, str]]:
    main = MAIN[request.param]
    with Checker(DDL.format(main=main), dialect=request.param, tiers=("rules", "proof")) as checker:
        yield checker, main


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        ('SELECT "shop"."{m}"."orders"."id" FROM "shop"."{m}"."orders"', "SELECT id FROM orders"),
        ("SELECT shop.{m}.orders.id FROM shop.{m}.orders", "SELECT o.id FROM shop . {m} . orders o"),
        ("SELECT id FROM shop.stg.x", "SELECT id FROM stg.x"),
        ("SELECT id FROM shop.{m}.v", "SELECT id FROM orders"),
        ("WITH orders AS (SELECT 1 AS id) SELECT id FROM shop.{m}.orders", "SELECT id FROM orders"),
        ("SELECT id /* shop, it's */ FROM shop.{m}.orders -- shop.{m}.orders é", "SELECT id FROM orders"),
        (
            "SELECT 'shop.{m}.orders', id FROM shop.{m}.orders",
            "SELECT 'shop.' || '{m}.orders', id FROM orders",
        ),
    ],
)
def test_what_a_script_leaves_open_is_its_database(script: tuple[Checker, str], pred: str, gold: str) -> None:
    checker, main = script
    found = checker.check(pred.replace("{m}", main), gold.replace("{m}", main))
    assert found.name == "equivalent"
    assert any("shop is read as the name of the database" in each.text for each in found.remarks)


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        ("SELECT id FROM shop.{m}.orders", "SELECT id FROM dev.{m}.orders"),
        ("SELECT 1 FROM shop.{m}.orders, dev.stg.x y", "SELECT 1 FROM orders, stg.x"),
        ("SELECT shop.id FROM shop.{m}.orders shop", "SELECT id FROM orders"),
        ("WITH shop AS (SELECT 1) SELECT id FROM shop.{m}.orders, shop", "SELECT id FROM orders"),
        ("SELECT id FROM held.{m}.orders", "SELECT id FROM orders"),
        ("SELECT shop.{m}.orders FROM (SELECT 1 AS orders) {m}, shop.{m}.v", "SELECT 1 FROM orders"),
    ],
)
def test_what_may_mean_anything_else_is_undecided(script: tuple[Checker, str], pred: str, gold: str) -> None:
    checker, main = script
    assert checker.check(pred.replace("{m}", main), gold.replace("{m}", main)).name == "undecided"


@pytest.mark.parametrize(
    "pred",
    [
        "SELECT id FROM shop.orders",
        "SELECT id FROM shop.{m}.nothing",
        "SELECT orders.id FROM stg.orders",
        "SELECT o.id FROM shop.{m}.orders o WHERE shop.{m}.orders.id = 1",
        "WITH orders AS (SELECT 1 AS id) SELECT shop.{m}.orders.id FROM orders",
    ],
)
def test_what_means_nothing_stays_so(script: tuple[Checker, str], pred: str) -> None:
    checker, main = script
    assert checker.check(pred.replace("{m}", main), "SELECT id FROM orders").name == "invalid"


def test_a_file_has_its_own_name(tmp_path: Path) -> None:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(DDL.format(main="main"))
        connection.execute("INSERT INTO orders VALUES (1, 'a'), (2, 'b')")
        connection.execute("CREATE TABLE has (sub STRUCT(main STRUCT(orders INTEGER)))")
    with Checker(db=path) as checker:
        named = checker.check("SELECT shop.orders.id FROM SHOP.orders", 'SELECT id FROM "shop".main.orders')
        assert (named.name, named.remarks) == ("equivalent", ())
        found = checker.check("SELECT status FROM shop.main.orders", "SELECT id FROM orders")
        assert (found.name, getattr(found, "tier", "")) == ("not_equivalent", "data")
        assert checker.check("SELECT id FROM dev.main.orders", "SELECT id FROM orders").name == "invalid"
        # A struct's field, and a table's alias.
        fields = "SELECT shop.main.orders FROM (SELECT {'main': {'orders': 1}} AS shop)"
        assert checker.check(fields, "SELECT 2").name == "not_equivalent"
        assert checker.check("SELECT shop.id FROM orders shop", "SELECT id FROM shop.main.orders").name == (
            "equivalent"
        )


def test_a_column_may_have_the_name_of_the_schema() -> None:
    ddl = "CREATE TABLE t (id INTEGER); CREATE TABLE u (main STRUCT(t STRUCT(id INTEGER)))"
    with Checker(ddl, dialect="duckdb") as checker:
        found = checker.check("SELECT shop.main.t.id FROM shop.main.t, u", "SELECT u.main.t.id FROM t, u")
        assert found.name == "undecided"


def test_a_duckdb_script_of_one_database() -> None:
    read = dialect_named("duckdb").loader.read_ddl
    for begins in ("USE shop", "ATTACH 'shop.duckdb' AS shop; USE shop"):
        schema = read(f"{begins}; CREATE TABLE shop.main.orders (id INTEGER); CREATE TABLE u (a INTEGER)")
        assert [table.name for table in schema.tables] == ["orders", "u"]
        assert (schema.qualifiers, schema.native) == (("shop",), ())
        assert [each.name for each in schema.passed] in ([], ["ATTACH 'shop.duckdb' AS shop"])
        with Checker(f"{begins}; CREATE TABLE orders (id INTEGER)", dialect="duckdb") as checker:
            found = checker.check("SELECT id FROM shop.orders", "SELECT id FROM shop.main.orders")
            assert found.name == "equivalent"
    # One that is attached beside is another.
    ddl = "CREATE TABLE orders (id INTEGER); ATTACH 'x' AS o; CREATE TABLE o.orders (id INTEGER)"
    for made in (ddl, "CREATE TABLE orders (id INTEGER); ATTACH 'x' AS o (TYPE sqlite)"):
        with Checker(made, dialect="duckdb") as checker:
            found = checker.check("SELECT id FROM o.main.orders", "SELECT id FROM orders")
            assert found.name in ("not_equivalent", "undecided")
