"""Files of more rows than the core holds: DuckDB itself is asked, and nothing stops."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from equiv import Checker, cli
from equiv.dialects.duckdb import session
from equiv.dialects.duckdb.files import LargeFileSession, load_database, opened
from equiv.facts import Fact, FactKind, Grade
from equiv.schema.violations import broken_in, facts_in
from equiv.verdict import NotEquivalent, Undecided

ONE_MORE = 100_001
NOTE = "more than 100,000 rows: the given data can refute only queries whose answers are determined"


def made(path: Path, script: str) -> Path:
    with duckdb.connect(str(path)) as connection:
        connection.execute(script)
    return path


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(
        tmp_path_factory.mktemp("large") / "large.duckdb",
        f"""CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, s VARCHAR);
        INSERT INTO t SELECT i, i % 7, 's' || (i % 5) FROM range({ONE_MORE - 1}) r(i);
        CREATE TABLE u (n INTEGER); INSERT INTO u VALUES (1)""",
    )


def test_rows_of_all_tables_count(large: Path, tmp_path: Path) -> None:
    assert load_database(large).notes == (NOTE,)
    small = made(tmp_path / "small.duckdb", f"CREATE TABLE t AS FROM range({ONE_MORE - 1})")
    assert load_database(small).notes == ()


@pytest.mark.parametrize(
    ("pred", "gold", "name", "tier"),
    [
        ("SELECT a FROM t", "SELECT a, s FROM t", "not_equivalent", "data"),
        ("SELECT count(DISTINCT id) FROM t", "SELECT count(*) FROM t", "equivalent", "rules"),
        ("SELECT a FROM t ORDER BY a LIMIT 1", "SELECT 1", "not_equivalent", "generate"),
        ("SELECT a FROM t WHERE a = $1", "SELECT a FROM t WHERE a <= $1", "not_equivalent", "data"),
    ],
)
def test_a_check(large: Path, pred: str, gold: str, name: str, tier: str) -> None:
    with Checker(db=large) as checker:
        found = checker.check(pred, gold)
    assert (found.name, getattr(found, "tier", "")) == (name, tier)
    assert not any(NOTE in remark.text for remark in found.remarks)


def test_the_data_say_nothing_of_what_they_leave_open(large: Path) -> None:
    with Checker(db=large, tiers=("data",)) as checker:
        found = checker.check("SELECT first(s) FROM t", "SELECT 's1'")
        assert isinstance(found, Undecided)
        assert any(NOTE in remark.text for remark in found.remarks)
        assert isinstance(checker.check("SELECT min(s) FROM t", "SELECT 's1'"), NotEquivalent)


def test_the_commands(large: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["schema", str(large)]) == 0
    assert f"Note: {NOTE}" in capsys.readouterr().out
    ddl = tmp_path / "schema.sql"
    ddl.write_text(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, s VARCHAR); CREATE TABLE u (n INTEGER);"
    )
    asked = ["check", "SELECT a FROM t", "SELECT id FROM t", "--schema", str(ddl), "--db", str(large)]
    assert cli.run(asked) == 1


@pytest.mark.long
def test_the_commands_of_data_sets(large: Path, tmp_path: Path) -> None:
    pairs, out = tmp_path / "pairs.jsonl", tmp_path / "out.jsonl"
    pair = {
        "question_id": 1,
        "db_id": "large",
        "predicted_sql": "SELECT a FROM t",
        "gold_sql": "SELECT id FROM t",
    }
    pairs.write_text(json.dumps(pair))
    asked = ["eval", str(pairs), "--db-root", str(large), "--dialect", "duckdb", "--out", str(out)]
    assert cli.run(asked) == 0
    record = json.loads(out.read_text())
    assert (record["verdict"], record["tier"]) == ("not_equivalent", "data")
    assert cli.run(["gold", str(pairs), "--db-root", str(large), "--dialect", "duckdb"]) == 0


FACTS = """CREATE TABLE p (k INTEGER, i INTERVAL);
INSERT INTO p VALUES (1, '30 days'), (2, '1 day');
CREATE TABLE c (k INTEGER, same INTEGER, part INTEGER, x DOUBLE, y DOUBLE, z DOUBLE, h HUGEINT, w HUGEINT,
    d DATE, e DATE, s TIMESTAMP, good VARCHAR, bad VARCHAR, worse VARCHAR, n VARCHAR, m VARCHAR, i INTERVAL);
INSERT INTO c VALUES
    (1, 5, NULL, 'nan', 1, 'inf', 1e20::HUGEINT, 1, 'infinity', '2024-01-01', '2024-01-01', '2024-02-29',
     '2023-02-29', 'x', '1.50', 'x', '1 month'),
    (3, 5, 2, 1, 2, 1, 1, 2, '2024-01-01', '0001-01-01', '9999-12-31 23:59:59.9999',
     '2024-01-31', '2024-01-01', '0000-01-01', '-2', '1', '30 days')"""
ASKED = [
    *(Fact(FactKind.TYPE, Grade.ASSUMED, "c", (name,)) for name in ("x", "y", "z", "h", "w")),
    *(Fact(FactKind.ISO_DATE, Grade.ASSUMED, "c", (name,)) for name in ("d", "e", "good", "bad", "worse")),
    Fact(FactKind.ISO_TIMESTAMP, Grade.ASSUMED, "c", ("s",)),
    *(Fact(FactKind.NUMERIC_TEXT, Grade.ASSUMED, "c", (name,)) for name in ("n", "m")),
    *(Fact(FactKind.NOT_NULL, Grade.ASSUMED, "c", (name,)) for name in ("k", "part")),
    *(Fact(FactKind.UNIQUE, Grade.ASSUMED, "c", (name,)) for name in ("k", "same", "part")),
    Fact(FactKind.INCLUSION, Grade.ASSUMED, "c", ("k",), "p", ("k",)),
    Fact(FactKind.INCLUSION, Grade.ASSUMED, "c", ("part",), "p", ("k",)),
    Fact(FactKind.FUNCTIONAL, Grade.ASSUMED, "c", ("same",), "", ("k",)),
    Fact(FactKind.FUNCTIONAL, Grade.ASSUMED, "c", ("k",), "", ("same",)),
    Fact(FactKind.NOT_EMPTY, Grade.ASSUMED, "c"),
    Fact(FactKind.EXACT_ARITHMETIC, Grade.ASSUMED),
]


def test_duckdb_finds_the_facts_that_the_core_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path / "facts.duckdb", FACTS)
    schema = load_database(path)
    with opened(path) as small:
        observed, broken = facts_in(small, schema), broken_in(small, schema, ASKED)
    monkeypatch.setattr(session, "MOST_CORE_ROWS", 1)
    with opened(path) as one:
        assert isinstance(one, LargeFileSession)
        # The client gives the last day of all for an infinite one, and so the core has that.
        infinite = next(fact for fact in ASKED if fact.columns == ("d",))
        assert {*broken_in(one, schema, ASKED)} == {*broken, infinite}
        found = facts_in(one, schema)
    assert {fact for fact in found if fact.kind is not FactKind.INCLUSION} <= {*observed}
    assert Fact(FactKind.UNIQUE, Grade.OBSERVED, "c", ("k",)) in found
    assert {(fact.kind.value, *fact.columns) for fact in broken} >= {("type", "x"), ("type", "h")}
