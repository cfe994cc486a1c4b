"""SQL of other dialects is named as such, never failed without a word or taken for SQLite in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

import equiv
from equiv.core.model import Schema
from equiv.dialects.sqlite.attached import unqualified
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.remarks import (
    IN_QUERIES,
    WAYS,
    shown,
    sign_in_ddl,
    sign_in_query,
    unescaped_pattern,
    way_of,
)
from equiv.errors import InputError
from equiv.records.record import Item
from equiv.schema.locate import Place
from equiv.show.evidence import replays_of
from equiv.show.verdicts import trouble_of
from equiv.verdict import Invalid, NotEquivalent, Undecided, Verdict

DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b TEXT, d DATE);"
POSTGRES = "CREATE TABLE public.orders (id SERIAL PRIMARY KEY, name VARCHAR(40), total NUMERIC(10,2));"
GOLD = "SELECT a FROM t"
FOREIGN = {
    "SELECT a::text FROM t": ("::", "PostgreSQL"),
    "SELECT a FROM t WHERE b ILIKE 'x'": ("ILIKE", "PostgreSQL"),
    "SELECT TOP 5 a FROM t": ("TOP", "SQL Server"),
    "SELECT TOP (5) a FROM t": ("TOP", "SQL Server"),
    "SELECT date_trunc('month', d) FROM t": ("DATE_TRUNC()", "PostgreSQL"),
    "SELECT year(d) FROM t": ("YEAR()", "MySQL"),
    "SELECT 'it\\'s' FROM t": ("the escape \\'", "MySQL"),
    "SELECT a FROM t WHERE d > DATE '2020-01-01'": ("DATE '…'", "MySQL or PostgreSQL"),
    "SELECT d + INTERVAL '1 day' FROM t": ("INTERVAL", "PostgreSQL"),
    "SELECT d + INTERVAL 1 DAY FROM t": ("INTERVAL", "MySQL"),
    "SELECT DISTINCT ON (a) a FROM t": ("DISTINCT ON", "PostgreSQL"),
    "SELECT a FROM t WHERE a = ANY(ARRAY[1, 2])": ("ANY()", "PostgreSQL"),
    "SELECT a FROM t WHERE b ~* 'x'": ("~*", "PostgreSQL"),
    "SELECT a FROM t WHERE a <=> 1": ("<=>", "MySQL"),
    "SELECT NVL(a, 1) FROM t": ("NVL()", "Oracle"),
    "SELECT IFF(a > 1, a, 0) FROM t": ("IFF()", "Snowflake"),
    "SELECT TO_VARCHAR(d) FROM t": ("TO_VARCHAR()", "Snowflake"),
    "SELECT DIV0(a, 2) FROM t": ("DIV0()", "Snowflake"),
    "SELECT STRPTIME(b, '%d') FROM t": ("STRPTIME()", "DuckDB"),
    "SELECT a FROM dbo.t": ("dbo.", "SQL Server"),
    "SELECT a FROM t QUALIFY ROW_NUMBER() OVER (ORDER BY a) = 1": ("QUALIFY", "BigQuery"),
    "SELECT NEXT VALUE FOR s": ("its syntax", "SQL Server"),
}
PLAIN = (
    "SELECT a FORM t",
    "SELECT a FROM t WHERE",
    "SELECT count(* FROM t",
    "SELECT nothing FROM t",
    "SELECT year(d) FROM nowhere",
    "hello",
    "",
)


def check(pred: str, gold: str, schema: str | Schema = DDL, **more: object) -> Verdict:
    return equiv.check(pred, gold, schema=schema, timeout=None, **more)  # type: ignore[arg-type]


def dialects(verdict: Verdict) -> list[tuple[str, str]]:
    return [(remark.side, remark.text) for remark in verdict.remarks if remark.kind == "dialect"]


@pytest.mark.parametrize("sql", FOREIGN)
def test_a_foreign_prediction_is_invalid_and_named(sql: str) -> None:
    verdict = check(sql, GOLD)
    construct, dialect = FOREIGN[sql]
    assert isinstance(verdict, Invalid)
    text = f"{construct} looks like {dialect}; the queries are read as SQLite"
    text += way_of(construct)
    text += "; --dialect postgres reads PostgreSQL" if "PostgreSQL" in dialect else ""
    assert dialects(verdict) == [("pred", text)]
    assert (trouble_of(verdict) or "").endswith(f"; {text}")


RUNNABLE = {
    "IFF()": "SELECT IIF(a > 1, a, 0) FROM t",
    "DATE_TRUNC()": "SELECT date(d, 'start of month'), date(d, 'start of year') FROM t",
    "TO_VARCHAR()": "SELECT CAST(a AS TEXT), strftime('%Y-%m', d) FROM t",
    "YEAR()": "SELECT CAST(strftime('%Y', d) AS INTEGER) FROM t",
    "LAST_DAY()": "SELECT date(d, 'start of month', '+1 month', '-1 day') FROM t",
    "COUNTIF()": "SELECT COUNT(*) FILTER (WHERE a > 1) FROM t",
    "STRING_AGG()": "SELECT group_concat(b, ',') FROM t",
    "RIGHT()": "SELECT substr(b, -2) FROM t",
}


def test_the_ways_that_are_named_are_functions_of_sqlite() -> None:
    """And each stands for a construct that some dialect is known by."""
    for construct, query in RUNNABLE.items():
        assert check(query, query).name == "equivalent", construct
    known = {shown(words) for words in IN_QUERIES} | {"::", "TOP", "INTERVAL", "DATE '…'", "TIMESTAMP '…'"}
    assert set(WAYS) - known == {"the escape \\'"}


def test_a_way_is_named_beside_the_dialect() -> None:
    line = trouble_of(check("SELECT IFF(a > 1, a, 0) FROM t", GOLD)) or ""
    told = "IFF() looks like Snowflake; the queries are read as SQLite; in SQLite: IIF(condition, a, b)"
    assert line.endswith(told)


@pytest.mark.parametrize(
    ("sql", "meant"),
    [
        ("SELECT aa FROM t", "a"),
        ("SELECT t.bb FROM t", "b"),
        ("SELECT idd FROM t", "id"),
        ("SELECT x.idd FROM t x", "id"),
        ("SELECT a FROM tt", "t"),
        ("SELECT lenght(b) FROM t", "LENGTH"),
        ("SELECT quite_another FROM t", ""),
    ],
)
def test_the_nearest_name_is_named(sql: str, meant: str) -> None:
    verdict = check(sql, GOLD)
    assert isinstance(verdict, Invalid)
    assert verdict.message.partition("; did you mean ")[2] == (f"{meant}?" if meant else "")


@pytest.mark.parametrize("sql", ["SELECT a::text FROM t", "SELECT TOP 5 a FROM t"])
def test_a_foreign_gold_query_leaves_the_pair_undecided(sql: str) -> None:
    verdict = check(GOLD, sql)
    assert isinstance(verdict, Undecided)
    assert verdict.reason == "GOLD_INVALID"
    assert [side for side, _ in dialects(verdict)] == ["gold"]


@pytest.mark.parametrize("sql", PLAIN)
def test_a_plain_mistake_is_no_other_dialect(sql: str) -> None:
    assert dialects(check(sql, GOLD)) == []


@pytest.mark.parametrize(
    "sql", [GOLD, "SELECT a AS div FROM t", "SELECT `a` FROM [t]", "SELECT a AS top FROM t"]
)
def test_sqlite_is_no_other_dialect(sql: str) -> None:
    assert dialects(check(sql, GOLD)) == []


def test_a_foreign_schema_is_never_silent() -> None:
    pair = ("SELECT id FROM orders WHERE name LIKE 'A%'", "SELECT id FROM orders WHERE name LIKE 'a%'")
    verdict = check(*pair, POSTGRES)
    assert verdict.name == "equivalent"
    assert [side for side, _ in dialects(verdict)] == ["schema"]
    assert dialects(verdict)[0][1].startswith("SERIAL looks like PostgreSQL; verdicts hold for SQLite")


@pytest.mark.parametrize(("ddl", "dialect"), [
    ("CREATE TABLE a (id SERIAL)", "PostgreSQL"),
    ("CREATE TABLE a (at TIMESTAMP WITHOUT TIME ZONE)", "PostgreSQL"),
    ("CREATE TABLE `a` (id INT AUTO_INCREMENT) ENGINE=InnoDB", "MySQL"),
    ("CREATE TABLE a (id INT IDENTITY(1,1))", "SQL Server"),
    ("CREATE TABLE dbo.a (id INT)", "SQL Server"),
    ("CREATE TABLE a (id VARCHAR2(20))", "Oracle"),
])  # fmt: skip
def test_signs_of_a_schema(ddl: str, dialect: str) -> None:
    sign = sign_in_ddl(ddl)
    assert sign is not None
    assert sign.dialect == dialect


@pytest.mark.parametrize("ddl", [
    DDL, "CREATE TABLE a (serial TEXT, charset INT)", "CREATE TABLE [a] (`x` NVARCHAR(160), y BIG INT)",
    "CREATE TABLE main.a (x INTEGER PRIMARY KEY AUTOINCREMENT)",
])  # fmt: skip
def test_no_signs_in_sqlite_ddl(ddl: str) -> None:
    assert sign_in_ddl(ddl) is None


def test_dialect_sqlite_refuses_a_foreign_schema() -> None:
    with pytest.raises(InputError, match="not in the dialect sqlite: SERIAL looks like PostgreSQL"):
        check("SELECT id FROM orders", "SELECT id FROM orders", POSTGRES, dialect="sqlite")
    assert check(GOLD, GOLD, dialect="sqlite").name == "equivalent"


def test_a_dump_of_postgresql_is_read_with_notes_and_by_sqlites_rules() -> None:
    dump = (Path(__file__).parents[1] / "postgres" / "dump.sql").read_text(encoding="utf-8")
    schema = load_ddl(dump)
    assert [table.name for table in schema.tables] == ["customers", "orders"]
    orders = schema.table("orders")
    assert orders is not None
    assert [key.parent for key in orders.foreign_keys] == ["customers"]
    assert schema.withheld == ("level", "note", "big_orders", "noted")
    found = check("SELECT name FROM customers", "SELECT customers.name FROM public.customers", schema)
    assert found.name == "equivalent"
    assert any("skipped: CREATE VIEW" in remark.text for remark in found.remarks)
    missing = check("SELECT name FROM big_orders", "SELECT name FROM customers", schema)
    assert isinstance(missing, Undecided)
    assert "skipped in the schema" in missing.detail


def test_a_table_is_found_behind_the_schema_name_that_the_ddl_gives_it() -> None:
    pred, gold = (
        "SELECT id FROM public.orders WHERE total > 3",
        "SELECT public.orders.id FROM orders WHERE total >= 3",
    )
    verdict = check(pred, gold, POSTGRES)
    assert isinstance(verdict, NotEquivalent)
    assert [side for side, _ in dialects(verdict)] == ["schema", "pred", "gold"]
    (replay,) = replays_of(Item("", None, "", pred, gold), Place("", None, load_ddl(POSTGRES)), verdict)
    assert "public" not in replay.text


def test_a_schema_name_that_the_ddl_lacks_is_not_dropped() -> None:
    assert isinstance(check("SELECT a FROM public.t", GOLD), Invalid)
    assert isinstance(check("SELECT id FROM sales.orders", "SELECT id FROM orders", POSTGRES), Invalid)


def test_an_alias_is_not_taken_for_a_schema_name() -> None:
    schema = load_ddl("CREATE TABLE public.x (orders INT); CREATE TABLE public.orders (id INT);")
    assert unqualified("SELECT public.id FROM x public", schema) == "SELECT public.id FROM x public"
    verdict = equiv.check(
        "SELECT public.orders FROM x public", "SELECT orders FROM x", schema=schema, timeout=None
    )
    assert verdict.name == "equivalent"


def test_a_backslash_in_a_pattern_is_noted() -> None:
    query = "SELECT a FROM t WHERE b LIKE '10\\%'"
    assert [side for side, _ in dialects(check(query, query))] == ["gold"]
    assert unescaped_pattern(f"{query} ESCAPE '\\'") is None


def test_hostile_text_has_no_sign_and_takes_no_time() -> None:
    assert sign_in_query("SELECT " + "(" * 5000) is None
