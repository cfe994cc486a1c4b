"""Rewards in the shape of NeMo-Gym."""

from __future__ import annotations

import json
from typing import Any

import pytest
from kit.served import DDL, SAME, TestClient

JSON = {"Content-Type": "application/json"}
THINKING = {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "SELECT 1"}]}


def row(text: str, **fields: Any) -> dict[str, Any]:
    """A row of NeMo-Gym's with a model's response."""
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": []}],
    }
    return {
        "responses_create_params": {"input": [{"role": "user", "content": "Which heroes?"}]},
        "response": {"id": "resp_1", "object": "response", "output": [THINKING, message]},
        **fields,
    }


def verify(client: TestClient, body: dict[str, Any]) -> dict[str, Any]:
    answer = client.post("/verify", content=json.dumps(body), headers=JSON)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_proven_prediction_is_rewarded_and_the_row_comes_back_whole(client: TestClient) -> None:
    body = row(
        f"So:\n```sql\n{SAME['pred']}\n```", gt_sql=SAME["gold"], db_id="heroes", difficulty="simple", id=7
    )
    found = verify(client, body)
    assert (found["reward"], found["outcome"], found["verdict"]) == (1.0, "proved", "equivalent")
    assert found["extracted_sql"] == SAME["pred"]
    assert {name: found[name] for name in body} == body


@pytest.mark.parametrize(
    ("text", "fields", "outcome"),
    [
        (
            "```sql\nSELECT id FROM hero\n```",
            {"gt_sql": "SELECT name FROM hero", "db_id": "heroes"},
            "refuted",
        ),
        ("SELECT nmae FROM hero", {"sql": "SELECT name FROM hero", "sql_context": DDL}, "invalid"),
        (
            "SELECT name FROM hero",
            {"sql": "SELECT name FROM hero", "db_id": "none", "sql_context": DDL},
            "proved",
        ),
        ("", {"gt_sql": "SELECT name FROM hero", "db_id": "heroes"}, "no_query"),
        ("SELECT 1", {"db_id": "heroes"}, "trouble"),
        ("SELECT 1", {"gt_sql": "SELECT 1", "db_id": "../secret"}, "trouble"),
        ("SELECT 1", {"gt_sql": "SELECT 1", "db_path": "/etc/passwd"}, "trouble"),
        ("SELECT 1", {"gt_sql": "SELECT 1", "sql_context": "no DDL"}, "trouble"),
        ("SELECT '\ud800' FROM hero", {"gt_sql": "SELECT 'x' FROM hero", "db_id": "heroes"}, "invalid"),
    ],
)
def test_nothing_else_is(client: TestClient, text: str, fields: dict[str, Any], outcome: str) -> None:
    found = verify(client, row(text, **fields))
    assert found["outcome"] == outcome, found
    assert found["reward"] == float(outcome == "proved")


def test_a_row_cannot_say_what_its_reward_is(client: TestClient) -> None:
    claimed = {"reward": 1.0, "outcome": "proved", "verdict": "equivalent"}
    found = verify(
        client, row("SELECT id FROM hero", gt_sql="SELECT name FROM hero", db_id="heroes", **claimed)
    )
    assert (found["reward"], found["outcome"], found["verdict"]) == (0.0, "refuted", "not_equivalent")


def test_what_is_no_row_is_refused(client: TestClient) -> None:
    bodies: list[object] = [{}, {"response": "SELECT 1"}, []]
    for body in bodies:
        assert client.post("/verify", json=body).status_code == 400
    deep = b'{"response": ' + b'{"a": ' * 40_000
    assert client.post("/verify", content=deep[:19_000], headers=JSON).status_code == 400


def test_an_episode_begins_without_anything_being_kept(client: TestClient) -> None:
    assert client.post("/seed_session", json={"whatever": 1}).json() == {}
    assert client.post("/seed_session", json=[1]).status_code == 400
