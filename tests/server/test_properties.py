"""What holds for every request and every answer."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.served import PlayedDesk, TestClient

from equiv.errors import InputError
from equiv.rewards.reward import Finding
from equiv.server import requests
from equiv.server.pair_task import Task
from equiv.server.requests import BatchRequest, CheckRequest, Places, read, read_row
from equiv.server.run import Service
from equiv.server.settings import ServiceSettings
from equiv.workers.scheduler import Memory

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    [
        "pred",
        "gold",
        "schema",
        "db",
        "seconds",
        "effort",
        "relation",
        "assume",
        "pairs",
        "response",
        "gt_sql",
        "x",
    ]
)
BODIES = st.dictionaries(FIELDS, JSON, max_size=6).map(json.dumps).map(str.encode) | st.binary(max_size=60)


@pytest.fixture(scope="module")
def silent() -> Iterator[TestClient]:
    """A client of a service whose worker never answers."""
    made = Service(ServiceSettings(queue=4, batch=4, seconds=0.001))
    made.desk = PlayedDesk(made.settings, made.metrics)
    with TestClient(made.application(), base_url="http://localhost") as client:
        yield client


@settings(max_examples=60)
@given(st.sampled_from(["/v1/check", "/v1/check_batch", "/verify", "/seed_session"]), BODIES)
def test_any_body_is_answered_or_refused_in_one_line(silent: TestClient, path: str, body: bytes) -> None:
    answer = silent.post(path, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in {200, 400, 404, 422, 429}
    told = answer.json()
    if answer.status_code != 200:
        assert list(told) == ["detail"]
        assert "\n" not in told["detail"]
        assert len(told["detail"]) <= 1_200


@settings(max_examples=60)
@given(BODIES)
def test_reading_raises_nothing_but_what_a_request_may_be_told(body: bytes) -> None:
    for model in (CheckRequest, BatchRequest):
        try:
            found = read(model, body)
        except InputError:
            continue
        assert bool(found.db) != bool(found.ddl)


@settings(max_examples=60)
@given(st.dictionaries(FIELDS, JSON, max_size=6))
def test_any_row_has_a_reward_or_a_pair_to_ask(row: dict[str, object]) -> None:
    try:
        found = read_row(json.dumps(row).encode())
    except InputError:
        return
    query, pair = requests.asked(found, Places((), ServiceSettings().options))
    if isinstance(pair, Finding):
        rewarded = requests.rewarded(found, query, pair)
        assert rewarded["reward"] == 0.0
        assert json.loads(json.dumps(rewarded)).keys() >= found.keys()
    else:
        assert isinstance(pair, Task)


@given(st.lists(st.tuples(st.binary(max_size=1), st.integers(0, 3_000)), max_size=30), st.integers(0, 9_000))
def test_a_memory_keeps_the_latest_that_fit(kept: list[tuple[bytes, int]], room: int) -> None:
    shelf: Memory[int] = Memory(room)
    model: OrderedDict[bytes, int] = OrderedDict()
    for key, length in kept:
        shelf.keep(key, length, length + 1)
        model.pop(key, None)
        if length < room:
            model[key] = length
        while sum(model.values()) + len(model) > room:
            model.popitem(last=False)
    assert len(shelf) == len(model)
    assert {key: shelf.recall(key) for key in model} == dict(model)
