"""Pairs across dialects by the commands: scripts for both engines, certificates, evaluations, errors."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

duckdb = pytest.importorskip("duckdb")

Run = Callable[..., tuple[int, str]]

SCHEMA = "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INT);"
APART = ("SELECT age / 2 FROM person", "SELECT age / 2 FROM person")
ALIKE = ("SELECT name FROM person WHERE age > 3", "SELECT name FROM person WHERE NOT age <= 3")
ACROSS = ("--gold-dialect", "duckdb")


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    path = tmp_path / "s.sql"
    path.write_text(SCHEMA, encoding="utf-8")
    return path


def test_a_script_for_each_engine_shows_its_own_answer(run: Run, schema: Path) -> None:
    out = schema.with_name("w.sql")
    code, said = run("check", *APART, "--schema", schema, *ACROSS, "--emit-sql", out)
    assert code == 1, said
    assert "Replay: sqlite3 :memory: '.read" in said
    assert "Replay: duckdb :memory: -f" in said
    ddl, query = out.read_text(encoding="utf-8").split("SELECT 'prediction:';")
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(ddl)
        ours = connection.execute(query).fetchall()
    with duckdb.connect() as other:
        (*made, query) = other.extract_statements(out.with_name("w.gold.sql").read_text(encoding="utf-8"))
        for each in made:
            other.execute(each)
        theirs = other.execute(query).fetchall()
    assert sorted(ours) != sorted(theirs)


def test_a_certificate_holds_and_is_refuted_without_a_type(run: Run, schema: Path) -> None:
    path = schema.with_name("c.json")
    code, said = run("check", *ALIKE, "--schema", schema, *ACROSS, "--certificate", path)
    assert code == 0, said
    assert run("recheck", path)[0] == 0
    found = json.loads(path.read_text(encoding="utf-8"))
    found["facts"] = [each for each in found["facts"] if "person.age" not in each["fact"]]
    path.write_text(json.dumps(found), encoding="utf-8")
    code, said = run("recheck", path)
    assert code == 1
    assert "rests on type(person.age), which the certificate does not list" in said


def test_a_page_explains_a_pair_with_the_steps_of_both_sides(run: Run, schema: Path) -> None:
    code, said = run("explain", *ALIKE, "--schema", schema, *ACROSS, "--algebra")
    assert code == 0, said
    assert "type(person.age)" in said


@pytest.mark.long
def test_records_tell_both_dialects(run: Run, tmp_path: Path) -> None:
    pairs, place = tmp_path / "pairs.jsonl", tmp_path / "dbs" / "shop" / "shop.sqlite"
    place.parent.mkdir(parents=True)
    with closing(sqlite3.connect(place)) as connection:
        connection.executescript(f"{SCHEMA} INSERT INTO person VALUES (1, 'Bob', 7);")
    lines = [
        {"question_id": number, "db_id": "shop", "predicted_sql": pred, "gold_sql": gold}
        for number, (pred, gold) in enumerate((ALIKE, APART))
    ]
    pairs.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    out = tmp_path / "out.jsonl"
    code, said = run("eval", pairs, "--db-root", tmp_path / "dbs", *ACROSS, "--out", out)
    assert code == 0, said
    records = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [record["verdict"] for record in records] == ["equivalent", "not_equivalent"]
    assert [record["ex"]["ex-bird"] for record in records] == [True, False]
    assert {"sqlite", "duckdb"} <= records[0]["versions"].keys()


OF_GOLD = ("--dialect", "duckdb", "--gold-dialect", "sqlite", "--schema-dialect", "sqlite")


def test_the_schema_may_be_the_gold_querys(run: Run, schema: Path) -> None:
    path = schema.with_name("c.json")
    pair = ("SELECT age // 2 FROM person", "SELECT age / 2 FROM person")
    code, said = run("check", *pair, "--schema", schema, *OF_GOLD, "--certificate", path)
    assert code == 0, said
    assert json.loads(path.read_text(encoding="utf-8"))["dialect"] == "duckdb/sqlite/sqlite"
    assert run("recheck", path)[0] == 0
    database = schema.with_name("shop.sqlite")
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(f"{SCHEMA} INSERT INTO person VALUES (1, 'Bob', 7);")
    code, said = run("check", pair[1], pair[1], "--db", database, *OF_GOLD)
    assert (code, "3.5" in said) == (1, True), said
    assert "sqlite3 " in said.partition("Replay:")[2]


def test_a_schema_is_of_the_dialect_of_a_query(run: Run, schema: Path) -> None:
    for options in (("--schema-dialect", "duckdb"), (*OF_GOLD[:5], "postgres")):
        code, message = run("check", *ALIKE, "--schema", schema, *options)
        assert code == 2
        assert "the schema must be in a query's dialect" in message
        assert message.count("\n") == 1, message


def test_errors_are_one_line(run: Run, schema: Path) -> None:
    for options, said in (
        (("--gold-dialect", "mysql"), "unknown dialect 'mysql'; choose among duckdb, postgres, sqlite"),
        (("--gold-dialect", "a/b"), "give one name"),
    ):
        code, message = run("check", *ALIKE, "--schema", schema, *options)
        assert code == 2
        assert said in message
        assert message.count("\n") == 1, message


def test_gold_queries_are_audited_in_one_dialect(run: Run, schema: Path) -> None:
    gold = schema.with_name("gold.sql")
    gold.write_text("SELECT 1\tshop\n", encoding="utf-8")
    code, message = run("gold", gold, "--schema", schema, *ACROSS)
    assert (code, "give --dialect without" in message) == (2, True), message
