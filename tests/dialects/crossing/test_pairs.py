"""Pairs across dialects: what the verdicts rest on, and that witnesses show it on both engines."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiv import Checker, check, check_many
from equiv.core.runner import Result, RunnerError
from equiv.dialects.crossing.dialect import joined, parted
from equiv.dialects.crossing.sides import CrossedSession
from equiv.dialects.postgres.wire import is_installed
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.verdict import Equivalent, Invalid, NotEquivalent, Reason, RemarkKind, Undecided, Witness

duckdb = pytest.importorskip("duckdb")

DDL = """CREATE TABLE Person (ID INTEGER PRIMARY KEY, name TEXT, age INT, born DATE, score REAL,
  "Big City" TEXT);
CREATE TABLE odd (id INTEGER PRIMARY KEY, what);"""
POSTGRES = pytest.mark.skipif(not is_installed(), reason="no embedded PostgreSQL")
OTHERS = [
    "duckdb",
    pytest.param("postgres", marks=POSTGRES),
]


@pytest.fixture(scope="module")
def checker() -> Iterator[Checker]:
    with closing(Checker(DDL, gold_dialect="duckdb", timeout=None)) as found:
        yield found


@pytest.mark.parametrize("other", OTHERS)
def test_a_pair_is_decided_both_ways(other: str) -> None:
    same = check("SELECT name FROM person WHERE age > 3", "SELECT name FROM person WHERE NOT age <= 3",
                 schema=DDL, gold_dialect=other)  # fmt: skip
    apart = check("SELECT name FROM person ORDER BY name", "SELECT name FROM person ORDER BY name",
                  schema=DDL, gold_dialect=other)  # fmt: skip
    assert isinstance(same, Equivalent), same
    assert isinstance(apart, NotEquivalent), apart
    assert same.dialect == f"sqlite/{other}"


def test_a_witness_tells_the_queries_apart_on_two_bare_engines(checker: Checker) -> None:
    text = "SELECT age / 2 FROM person"
    found = checker.check(text, text)
    assert isinstance(found, NotEquivalent)
    for_pred, for_gold = parted(found.evidence.sql)  # type: ignore[union-attr]
    with closing(sqlite3.connect(":memory:")) as one, duckdb.connect() as other:
        one.executescript(for_pred)
        other.execute(for_gold)
        ours, theirs = one.execute(text).fetchall(), other.execute(text).fetchall()
    assert (tuple(ours), tuple(theirs)) == (found.evidence.pred_rows, found.evidence.gold_rows)
    assert sorted(ours) != sorted(theirs)


def test_one_text_in_two_dialects_is_two_queries(checker: Checker) -> None:
    """That texts are equal says nothing: neither rules nor databases may take them for one program."""
    text = "SELECT ID FROM person WHERE name LIKE 'a%'"
    assert isinstance(checker.check(text, text), NotEquivalent)


def test_a_verdict_names_the_types_that_one_engine_enforces(checker: Checker) -> None:
    found = checker.check("SELECT (age + 1) % ID FROM person", "SELECT (age + 1) % ID FROM person")
    assert isinstance(found, Equivalent)
    named = {(str(fact.kind), fact.columns) for fact in found.facts}
    assert {("type", ("age",)), ("exact_arithmetic", ()), ("no_overflow", ()), ("no_error", ())} <= named


def test_a_verdict_on_texts_says_which_letters_it_leaves_out(checker: Checker) -> None:
    found = checker.check("SELECT name FROM person", "SELECT name FROM person")
    assert any(remark.kind is RemarkKind.DIALECT and "NUL" in remark.text for remark in found.remarks)


def test_rounding_to_binary_is_an_assumption(checker: Checker) -> None:
    text = "SELECT ID FROM person WHERE score * 1.1 > 3.3"
    found = checker.check(text, text)
    assert isinstance(found, Equivalent)
    assert found.caveat is not None


@pytest.mark.parametrize("other", OTHERS)
def test_whole_numbers_alone_are_known_as_floats_of_32_bits(other: str) -> None:
    text = "SELECT CAST(age AS REAL) FROM person"
    whole = check(text, text, schema=DDL, gold_dialect=other)
    assert isinstance(whole, Equivalent)
    assert "exact_arithmetic" in {str(fact.kind) for fact in whole.facts}
    assert whole.caveat is not None
    quotient = "SELECT CAST(age AS REAL) / CAST(id AS REAL) FROM person"
    assert isinstance(check(quotient, quotient, schema=DDL, gold_dialect=other), NotEquivalent)
    nothing = f"{quotient} WHERE age IS NULL"
    found = check(nothing, nothing, schema=DDL, gold_dialect=other)
    assert isinstance(found, Undecided)
    assert found.reason is Reason.UNSUPPORTED


def test_a_type_without_counterpart_is_named_where_it_is_asked_for(checker: Checker) -> None:
    assert isinstance(checker.check("SELECT ID FROM person", "SELECT id FROM person"), Equivalent)
    found = checker.check("SELECT id FROM odd", "SELECT id FROM odd")
    assert isinstance(found, Undecided)
    assert found.reason is Reason.UNSUPPORTED
    assert "the column what has a type without counterpart: none" in found.detail


def test_a_schema_of_which_nothing_can_be_told_leaves_pairs_open() -> None:
    found = check("SELECT a FROM t", "SELECT a FROM t", schema="CREATE TABLE t (a)", gold_dialect="duckdb")
    assert isinstance(found, Undecided)
    assert "t cannot be represented in DuckDB: the column a has a type without counterpart" in found.detail


@POSTGRES
def test_plain_names_are_told_to_postgres_in_lower_case_and_others_as_they_are() -> None:
    pred = 'SELECT ID, "Big City" FROM Person'
    found = check(pred, 'SELECT Id, "Big City" FROM PERSON', schema=DDL, gold_dialect="postgres")
    assert isinstance(found, Equivalent), found
    quoted = check(pred, 'SELECT "ID", "Big City" FROM "Person"', schema=DDL, gold_dialect="postgres")
    assert isinstance(quoted, Undecided)
    assert quoted.reason is Reason.GOLD_INVALID


def test_a_query_is_invalid_by_its_own_dialect() -> None:
    text = "SELECT ID FROM person QUALIFY ROW_NUMBER() OVER (ORDER BY ID) = 1"
    other = "SELECT MIN(ID) FROM person HAVING COUNT(*) > 0"
    assert isinstance(check(text, other, schema=DDL, gold_dialect="duckdb"), Invalid)
    here = check(other, text, schema=DDL, gold_dialect="duckdb")
    assert isinstance(here, Equivalent | Undecided)


def test_many_pairs_and_several_in_turn() -> None:
    pairs = [("SELECT age FROM person", "SELECT age FROM person"), ("SELECT 7 / 2", "SELECT 7 / 2")]
    names = [each.name for each in check_many(pairs, schema=DDL, gold_dialect="duckdb", timeout=None)]
    assert names == ["equivalent", "not_equivalent"]


def test_the_dialect_of_both_may_be_named_twice() -> None:
    text = "SELECT 7 / 2"
    found = check(text, text, schema=DDL, dialect="sqlite", gold_dialect="sqlite")
    assert isinstance(found, Equivalent)
    assert found.dialect == "sqlite"


def test_a_name_that_is_no_dialect_is_refused() -> None:
    with pytest.raises(InputError, match="unknown dialect 'mysql'"):
        check("SELECT 1", "SELECT 1", schema=DDL, gold_dialect="mysql")
    with pytest.raises(InputError, match="give one name"):
        check("SELECT 1", "SELECT 1", schema=DDL, dialect="sqlite/duckdb")


def test_data_that_the_other_engine_does_not_store_leave_its_types_in_force(tmp_path: object) -> None:
    path = f"{tmp_path}/shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(DDL + "INSERT INTO person (ID, age) VALUES (1, 'old');")
    found = check("SELECT age % 2 FROM person", "SELECT age % 2 FROM person", db=path, gold_dialect="duckdb")
    assert isinstance(found, Equivalent)
    assert any(str(fact.kind) == "type" for fact in found.facts)
    assert any("hold different rows" in remark.text for remark in found.remarks)


def test_rows_of_a_database_are_copied_to_the_other_engine(tmp_path: object) -> None:
    path = f"{tmp_path}/shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(DDL + "INSERT INTO person (ID, age) VALUES (1, 7);")
    found = check("SELECT age / 2 FROM person", "SELECT age / 2 FROM person", db=path, gold_dialect="duckdb")
    assert isinstance(found, NotEquivalent)
    assert (found.tier, found.evidence.pred_rows, found.evidence.gold_rows) == ("data", ((3,),), ((3.5,),))


@given(st.text(), st.text())
def test_two_scripts_in_one_text_are_parted_again(one: str, other: str) -> None:
    assert parted(joined(("SQLite", one), ("DuckDB", other))) == (one, other)


@given(st.text())
def test_any_other_text_is_no_script_for_two_engines(text: str) -> None:
    with pytest.raises(RunnerError):
        parted(f"CREATE {text}")


def test_engines_that_store_other_rows_show_nothing() -> None:
    crossed = dialect_named("sqlite/duckdb").engine
    one, other = (
        "CREATE TABLE t (a INT); INSERT INTO t VALUES (1);",
        "CREATE TABLE t (a INT); INSERT INTO t VALUES (2);",
    )
    with crossed.replay(joined(("SQLite", one), ("DuckDB", other))) as session:
        assert isinstance(session, CrossedSession)
        assert "differently" in session.why_apart
        with pytest.raises(RunnerError):
            session.core.connection  # noqa: B018 - asked, and refused


def test_what_a_default_would_fill_is_filled_on_both_engines() -> None:
    ddl = (
        "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, n INTEGER NOT NULL DEFAULT 0, m TEXT DEFAULT 'x')"
    )
    query = "SELECT id FROM t WHERE name LIKE 'a%'"
    verdict = check(query, query, schema=ddl, gold_dialect="duckdb", timeout=None)
    assert isinstance(verdict, NotEquivalent), verdict
    assert isinstance(verdict.evidence, Witness)
    for script in parted(verdict.evidence.sql):
        assert all("n" in line and "m" in line for line in script.splitlines() if line.startswith("INSERT"))


@pytest.mark.parametrize("other", OTHERS)
def test_rows_of_every_type_arrive_on_the_other_engine_as_they_are(other: str, tmp_path: Path) -> None:
    path = tmp_path / "many.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, n BIGINT, r REAL, d DECIMAL(8, 3), q BOOLEAN, b BLOB,"
            " born DATE, at TIMESTAMP, name TEXT); CREATE TABLE none (id INTEGER PRIMARY KEY);"
        )
        row = (2**63 - 1, 0.1, 2.125, 1, b"\x00'\\x41\xff", "2020-02-29", "2020-02-29 12:00:00", "é'\\\n\"")
        rows = [(number, *(row if number % 2 else [None] * len(row))) for number in range(300)]
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        connection.commit()
    with dialect_named(f"{other}/sqlite/sqlite").engine.open(path) as session:
        assert isinstance(session, CrossedSession)
        assert session.why_apart == ""
        found = session.pred.run("SELECT COUNT(*), COUNT(n) FROM t WHERE id < 1000")
    assert isinstance(found, Result)
    assert found.rows == ((300, 150),)


@POSTGRES
@pytest.mark.parametrize(("dialect", "is_said"), [("duckdb", False), ("sqlite", True)])
def test_what_sqlite_does_with_fractions_is_said_of_its_own_pairs(dialect: str, is_said: bool) -> None:
    ddl = "CREATE TABLE t (id integer PRIMARY KEY, made timestamp NOT NULL);"
    text = "SELECT count(made) FROM t"
    found = check(text, text, schema=ddl, dialect="postgres", gold_dialect=dialect)
    assert isinstance(found, Equivalent), found
    assert any("SQLite 3.42" in each.text for each in found.remarks) is is_said
