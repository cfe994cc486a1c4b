"""What is answered, by a service with a real worker."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from kit.served import DDL, ENDLESS, OTHER, SAME, TestClient, check

from equiv.dialects.sqlite.ddl import load_ddl
from equiv.engine.premises import Premises
from equiv.options import Options
from equiv.records.record import Item, pair_key
from equiv.schema.locate import Place
from equiv.server.openapi import Record


def test_an_equivalence_comes_with_its_derivation(client: TestClient) -> None:
    record = check(client, **SAME)
    assert (record["verdict"], record["tier"], record["score"]) == ("equivalent", "rules", 1)
    assert record["evidence"]["steps"]
    assert record["predicted_sql"] == SAME["pred"]
    Record.model_validate(record)


def test_a_refutation_comes_with_a_database_and_both_results(client: TestClient) -> None:
    record = check(client, **OTHER)
    assert (record["verdict"], record["difference"]) == ("not_equivalent", "empty")
    assert "INSERT INTO hero" in record["evidence"]["sql"]
    assert record["evidence"]["pred_rows"] != record["evidence"]["gold_rows"]
    Record.model_validate(record)


def test_the_record_has_the_key_of_the_command_line(client: TestClient) -> None:
    item = Item("", None, "", SAME["pred"], SAME["gold"])
    options = Options()
    place = Place("", None, load_ddl(DDL))
    assert Premises.of(place.schema, None, options).schema == place.schema
    assert check(client, **SAME)["key"] == pair_key(item, place.digest, options)
    assert check(client, **SAME, relation="set")["key"] == pair_key(
        item, place.digest, replace(options, relation="set")
    )


def test_a_request_names_its_dialect(client: TestClient) -> None:
    queries = {"pred": "SELECT power // 2 FROM hero", "gold": "SELECT power // 2 FROM hero WHERE true"}
    record = check(client, **queries, dialect="duckdb")
    assert (record["verdict"], record["dialect"]) == ("equivalent", "duckdb")
    answer = client.post("/v1/check", json={**queries, "schema": DDL, "dialect": "oracle"})
    assert (answer.status_code, "unknown dialect 'oracle'" in answer.text) == (422, True)


def test_a_named_database_tells_queries_apart_by_its_rows(client: TestClient) -> None:
    record = check(
        client, pred="SELECT name FROM hero WHERE power > 2", gold="SELECT name FROM hero", db="heroes"
    )
    assert (record["verdict"], record["tier"], record["db_id"]) == ("not_equivalent", "data", "heroes")
    assert record["evidence"]["database"] == "heroes"
    assert record["evidence"]["gold_rows"][0] == ["Bob"]


def test_an_invalid_prediction_and_an_invalid_gold_query_are_verdicts(client: TestClient) -> None:
    assert check(client, pred="SELECT nmae FROM hero", gold="SELECT name FROM hero")["verdict"] == "invalid"
    record = check(client, pred="SELECT name FROM hero", gold="SELECT nmae FROM hero")
    assert (record["verdict"], record["reason"]) == ("undecided", "GOLD_INVALID")


def test_the_missing_fact_is_named_where_it_is_asked_for(client: TestClient) -> None:
    pair = {"pred": "SELECT COUNT(name) FROM hero", "gold": "SELECT COUNT(*) FROM hero"}
    assert check(client, **pair)["equivalent_if"] == []
    (fact,) = check(client, **pair, conditions=True)["equivalent_if"]
    assert fact["fact"] == "not_null(hero.name)"
    assert check(client, **pair, assume=["not_null(hero.name)"])["verdict"] == "equivalent"


def test_a_deadline_ends_as_undecided(client: TestClient) -> None:
    record = check(client, pred=ENDLESS, gold="SELECT COUNT(*) FROM hero", seconds=0.4)
    assert (record["verdict"], record["reason"], record["score"]) == ("undecided", "TIMEOUT", None)
    assert check(client, **SAME)["verdict"] == "equivalent"


@pytest.mark.long
def test_a_batch_is_answered_in_order(client: TestClient) -> None:
    broken = {"pred": "SELECT", "gold": "SELECT name FROM hero"}
    answer = client.post("/v1/check_batch", json={"schema": DDL, "pairs": [SAME, OTHER, broken, SAME]})
    records = answer.json()["records"]
    assert [one["verdict"] for one in records] == ["equivalent", "not_equivalent", "invalid", "equivalent"]
    assert records[0] == records[3]


@pytest.mark.parametrize(
    "name", ["../secret", "secret", "/etc/passwd", "heroes.sqlite", "..", "heroes/../heroes", "\x00"]
)
def test_a_database_is_a_name_below_a_folder_of_the_operators(client: TestClient, name: str) -> None:
    answer = client.post("/v1/check", json={**SAME, "db": name})
    assert answer.status_code == 404
    assert answer.json()["detail"].partition(";")[0] == "unknown database"


def test_a_schema_is_never_the_path_of_a_file(client: TestClient, databases: Path) -> None:
    path = databases / "schema"
    path.write_text(DDL)
    answer = client.post("/v1/check", json={**SAME, "schema": str(path)})
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("DDL statement rejected")


def test_what_is_wrong_with_a_database_is_said_without_its_place(client: TestClient, databases: Path) -> None:
    (databases / "torn.sqlite").write_text("no database at all, but long enough to be looked at\n" * 9)
    answer = client.post("/v1/check", json={**SAME, "db": "torn"})
    assert answer.status_code == 422
    assert "torn.sqlite" in answer.json()["detail"]
    assert str(databases.parent) not in answer.text


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {**SAME},
        {**SAME, "schema": DDL, "db": "heroes"},
        {**SAME, "schema": DDL, "seconds": 0},
        {**SAME, "schema": DDL, "seconds": "1"},
        {**SAME, "schema": DDL, "relation": "same"},
        {**SAME, "schema": DDL, "effort": -1},
        {**SAME, "schema": DDL, "effort": 1.5},
        {**SAME, "schema": DDL, "timeout": 3},
        {**SAME, "pred": None, "schema": DDL},
    ],
)
def test_a_request_that_is_not_understood_is_refused_in_one_line(client: TestClient, body: object) -> None:
    answer = client.post("/v1/check", json=body)
    assert answer.status_code == 400
    assert "\n" not in answer.json()["detail"]


def test_an_unreadable_schema_or_fact_is_refused(client: TestClient) -> None:
    for wrong in ({"schema": "CREATE TABLE"}, {"schema": DDL, "assume": ["nonsense"]}):
        assert client.post("/v1/check", json={**SAME, **wrong}).status_code == 422
        pairs = {"pairs": [SAME, OTHER], **wrong}
        assert client.post("/v1/check_batch", json=pairs).status_code == 422


def test_health_and_counts(client: TestClient) -> None:
    check(client, **SAME)
    check(client, **SAME)
    health = client.get("/healthz").json()
    assert (health["status"], health["pairs"], health["room"]) == ("ok", 0, 8)
    counts = client.get("/metrics").text
    assert 'equiv_pairs_total{reason="",tier="rules",verdict="equivalent"}' in counts
    assert 'equiv_requests_total{path="/v1/check",status="200"}' in counts
    assert "equiv_remembered_total" in counts
    assert client.get("/no/such/path").status_code == 404
    assert 'equiv_requests_total{path="other",status="404"}' in client.get("/metrics").text


def test_the_document_names_every_route_and_every_field_of_a_record(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    routes = {route.path for route in client.app.routes}  # type: ignore[attr-defined]
    assert set(document["paths"]) == routes
    assert set(check(client, **SAME)) == set(document["components"]["schemas"]["Record"]["required"])
    assert document["components"]["schemas"]["BatchRequest"]["properties"]["pairs"]["maxItems"] == 8
    text = json.dumps(document)
    assert all(f'"#/components/schemas/{name}"' in text for name in ("CheckRequest", "Records", "Problem"))


def test_answers_are_not_kept_framed_or_guessed_at(client: TestClient) -> None:
    headers = client.get("/healthz").headers
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert "Access-Control-Allow-Origin" not in headers
