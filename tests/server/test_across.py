"""A service whose predictions and gold queries are of two dialects: schemas, databases, rows, the page."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from kit.served import TestClient, check

from equiv.options import Options
from equiv.server.run import Service
from equiv.server.settings import ServiceSettings

pytest.importorskip("duckdb")

DDL = "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INT)"
HALVES = "SELECT age / 2 FROM person"
WHOLE = "SELECT age // 2 FROM person"
ACROSS = Options(dialect="duckdb", gold_dialect="sqlite", schema_dialect="sqlite")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    root = tmp_path_factory.mktemp("databases")
    with closing(sqlite3.connect(root / "shop.sqlite")) as connection:
        connection.executescript(f"{DDL}; INSERT INTO person VALUES (1, 'Bob', 7);")
    settings = ServiceSettings(db_roots=(Path(root),), options=ACROSS)
    with TestClient(Service(settings).application(), base_url="http://localhost") as found:
        yield found


@pytest.mark.parametrize("where", [{"schema": DDL}, {"db": "shop"}], ids=str)
def test_each_query_is_read_and_run_by_its_own_engine(client: TestClient, where: dict[str, str]) -> None:
    halves = check(client, pred=HALVES, gold=HALVES, **where)
    whole = check(client, pred=WHOLE, gold=HALVES, **where)
    assert (halves["verdict"], whole["verdict"]) == ("not_equivalent", "equivalent"), (halves, whole)
    assert halves["dialect"] == "duckdb/sqlite/sqlite"
    assert {"sqlite", "duckdb"} <= halves["versions"].keys()


def test_a_query_is_refused_in_the_dialect_of_its_side(client: TestClient) -> None:
    found = check(client, pred=HALVES, gold=WHOLE, schema=DDL)
    assert (found["verdict"], found["reason"]) == ("undecided", "GOLD_INVALID")


def test_a_batch_and_a_row_of_nemo_gym_are_held_to_both_engines(client: TestClient) -> None:
    pairs = [{"pred": WHOLE, "gold": HALVES}, {"pred": HALVES, "gold": HALVES}]
    answer = client.post("/v1/check_batch", json={"db": "shop", "pairs": pairs}).json()
    assert [each["verdict"] for each in answer["records"]] == ["equivalent", "not_equivalent"]
    response = {"output_text": f"```sql\n{WHOLE}\n```"}
    row = {"response": response, "gt_sql": HALVES, "db_id": "shop"}
    assert client.post("/verify", json=row).json()["reward"] == 1.0


def test_the_databases_are_those_of_the_schemas_dialect(client: TestClient) -> None:
    assert client.get("/v1/databases").json()["databases"] == ["shop"]


def test_the_page_names_both_dialects(client: TestClient) -> None:
    said = "Predictions are read as DuckDB, gold queries as SQLite, and schemas as SQLite."
    assert said in client.get("/").text


@pytest.mark.long
def test_a_schema_of_which_nothing_can_be_told_is_no_fault_of_the_service(client: TestClient) -> None:
    pair = {"pred": "SELECT a FROM t", "gold": "SELECT a FROM t", "schema": "CREATE TABLE t (a)"}
    assert "t cannot be represented in DuckDB" in client.post("/v1/check", json=pair).json()["detail"]
