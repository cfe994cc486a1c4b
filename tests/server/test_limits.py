"""What is refused, and that whatever is taken in is answered by its time; the worker is played."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from kit.served import DDL, ENDLESS, OTHER, SAME, PlayedDesk, TestClient, task
from starlette.datastructures import Address

from equiv.server.dispatcher import FullError, Metrics, StoppingError
from equiv.server.pair_task import PairAnswer
from equiv.server.run import Service, client_of
from equiv.server.settings import ServiceSettings

SECONDS = 20.0


def played(scenario: Callable[[PlayedDesk], Awaitable[None]], **settings: Any) -> None:
    """Run a scenario on a desk of its own."""

    async def run() -> None:
        async with open_desk(**settings) as desk:
            await asyncio.wait_for(scenario(desk), SECONDS)

    asyncio.run(run())


@asynccontextmanager
async def open_desk(**settings: Any) -> AsyncIterator[PlayedDesk]:
    desk = PlayedDesk(ServiceSettings(**{"batch": 1, "queue": 2, **settings}), Metrics())
    await desk.start()
    try:
        yield desk
    finally:
        await desk.close()


def ask(desk: PlayedDesk, *preds: str, seconds: float = SECONDS) -> asyncio.Task[Any]:
    return asyncio.create_task(desk.answers([task(pred) for pred in preds], seconds))


async def settled(*, rounds: int = 10) -> None:
    """Let everything run that can."""
    for _ in range(rounds):
        await asyncio.sleep(0)


def test_what_finds_no_room_is_refused_whole_and_room_comes_back() -> None:
    async def scenario(desk: PlayedDesk) -> None:
        first = ask(desk, "a")
        await settled()
        with pytest.raises(FullError) as full:
            await desk.answers([task("b"), task("c")], SECONDS)
        assert full.value.seconds >= 1
        assert desk.held == 1
        second = ask(desk, "d")
        await settled()
        with pytest.raises(FullError):
            await desk.answers([task("e")], SECONDS)
        desk.let.set()
        assert all(isinstance(one, PairAnswer) for one in [*await first, *await second])
        assert desk.held == 0
        assert desk.begun == ["a", "d"]

    played(scenario)


def test_equal_pairs_take_one_place_and_are_looked_at_once() -> None:
    async def scenario(desk: PlayedDesk) -> None:
        several = [ask(desk, "a", "a"), ask(desk, "a", seconds=SECONDS / 2)]
        await settled()
        assert desk.held == 1
        desk.let.set()
        (one, other), (third,) = [await each for each in several]
        assert one is other is third
        again = await desk.answers([task("a")], SECONDS)
        assert again == [one]
        assert desk.begun == ["a"]

    played(scenario)


def test_one_who_has_more_time_does_not_depend_on_one_who_has_less() -> None:
    async def scenario(desk: PlayedDesk) -> None:
        brief = ask(desk, "a", seconds=0.01)
        await settled()
        patient = ask(desk, "a")
        (given_up,) = await brief
        assert given_up.finding.reason == "TIMEOUT"
        desk.let.set()
        (answer,) = await patient
        assert answer.finding.detail == "played"
        await settled()
        assert desk.held == 0

    played(scenario)


def test_what_waited_beyond_its_time_is_never_begun() -> None:
    async def scenario(desk: PlayedDesk) -> None:
        first = ask(desk, "a")
        await settled()
        (late,) = await desk.answers([task("b")], 0.01)
        assert isinstance(late, PairAnswer)
        assert (late.finding.verdict, late.finding.reason) == ("undecided", "TIMEOUT")
        assert not late.lasts
        desk.let.set()
        await first
        await settled()
        assert desk.begun == ["a"]
        assert desk.held == 0

    played(scenario)


def test_what_fails_in_the_service_itself_is_told_and_the_line_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scenario(desk: PlayedDesk) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(desk, "_work", None)
            (answer,) = await desk.answers([task("a")], SECONDS)
        assert isinstance(answer, PairAnswer)
        assert (answer.finding.reason, answer.lasts) == ("INTERNAL", False)
        desk.let.set()
        (answer,) = await desk.answers([task("a")], SECONDS)
        assert isinstance(answer, PairAnswer)
        assert answer.finding.detail == "played"

    played(scenario)


def test_one_who_goes_leaves_the_line() -> None:
    async def scenario(desk: PlayedDesk) -> None:
        first = ask(desk, "a")
        await settled()
        gone = ask(desk, "b")
        await settled()
        assert desk.held == 2
        gone.cancel()
        await settled()
        assert desk.held == 1
        desk.let.set()
        await first
        await settled()
        assert desk.begun == ["a"]

    played(scenario)


def test_stopping_finishes_what_was_taken_in_and_refuses_the_rest() -> None:
    async def scenario(desk: PlayedDesk) -> None:
        taken = ask(desk, "a")
        await settled()
        draining = asyncio.create_task(desk.drain())
        await settled()
        with pytest.raises(StoppingError):
            await desk.answers([task("b")], SECONDS)
        desk.let.set()
        assert (await taken)[0].finding.detail == "played"
        await draining

    played(scenario)


def test_after_the_grace_what_is_open_is_told_so() -> None:
    async def scenario(desk: PlayedDesk) -> None:
        taken = ask(desk, "a")
        await settled()
        await desk.drain()
        (answer,) = await taken
        assert (answer.finding.reason, answer.finding.detail) == ("TIMEOUT", "the service was stopped")

    played(scenario, grace=0.01)


def service(**settings: Any) -> Service:
    """A service whose worker never answers."""
    made = Service(
        ServiceSettings(**{"queue": 1, "batch": 1, "body_bytes": 2_000, "seconds": 0.05, **settings})
    )
    made.desk = PlayedDesk(made.settings, made.metrics)
    return made


def test_a_full_service_says_when_to_come_again_and_loses_nothing() -> None:
    async def scenario() -> None:
        made = service(seconds=SECONDS)
        assert isinstance(made.desk, PlayedDesk)
        app = made.application()
        await made.desk.start()
        pair = {"schema": DDL, **SAME}
        first = asyncio.create_task(posted(app, "/v1/check", pair))
        await settled(rounds=40)
        status, headers, body = await posted(app, "/v1/check", {"schema": DDL, **OTHER})
        assert status == 429
        assert int(headers[b"retry-after"]) >= 1
        assert json.loads(body) == {"detail": "too many pairs are waiting"}
        made.desk.let.set()
        status, _, body = await first
        assert (status, json.loads(body)["detail"]) == (200, "played")
        made.desk.refuse()
        status, headers, _ = await posted(app, "/v1/check", pair)
        assert (status, headers[b"connection"]) == (503, b"close")
        assert (await posted(app, "/healthz", None, method="GET"))[0] == 503
        await made.desk.close()

    asyncio.run(asyncio.wait_for(scenario(), SECONDS))


def test_a_client_that_goes_away_takes_its_pair_along() -> None:
    async def scenario() -> None:
        made = service(seconds=SECONDS, queue=2)
        assert isinstance(made.desk, PlayedDesk)
        app = made.application()
        await made.desk.start()
        for name in ("a", "b"):
            gone = asyncio.Event()
            waiting = asyncio.create_task(
                posted(app, "/v1/check", {"schema": DDL, **SAME, "pred": name}, gone)
            )
            await settled(rounds=40)
            if name == "b":
                assert made.desk.held == 2
                gone.set()
                assert (await waiting)[0] == 400
                assert made.desk.held == 1
        await made.desk.close()
        assert made.desk.begun == ["a"]

    asyncio.run(asyncio.wait_for(scenario(), SECONDS))


async def posted(
    app: Any, path: str, body: object, gone: asyncio.Event | None = None, *, method: str = "POST"
) -> tuple[int, dict[bytes, bytes], bytes]:
    """Status, headers and body of what an application answers to a client that goes away when told."""
    content = b"" if body is None else json.dumps(body).encode()
    sent: list[dict[str, Any]] = []
    messages = [{"type": "http.request", "body": content, "more_body": False}]
    away = gone or asyncio.Event()

    async def receive() -> dict[str, Any]:
        if messages:
            return messages.pop()
        await away.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": method, "path": path, "headers": headers, "query_string": b""}
    await app(scope, receive, send)
    answer = b"".join(message.get("body", b"") for message in sent[1:])
    return sent[0]["status"], dict(sent[0]["headers"]), answer


def test_bodies_have_a_length_a_kind_and_a_time() -> None:
    with TestClient(service().application(), base_url="http://localhost") as client:
        long = {"schema": DDL, "pred": ENDLESS * 40, "gold": ""}
        assert client.post("/v1/check", json=long).status_code == 413
        chunks = (b"x" * 500 for _ in range(10))
        answer = client.post("/v1/check", content=chunks, headers={"Content-Type": "application/json"})
        assert answer.status_code == 413
        assert client.post("/v1/check", content=b"{}").status_code == 415
        batch = {"schema": DDL, "pairs": [SAME, OTHER]}
        assert client.post("/v1/check_batch", json=batch).status_code == 413
        assert client.get("/v1/check").status_code == 405


def test_a_body_that_does_not_arrive_is_not_waited_for() -> None:
    async def scenario() -> None:
        app = service(body_seconds=0.01).application()
        sent: list[Any] = []

        async def receive() -> dict[str, Any]:
            await asyncio.sleep(SECONDS)
            raise AssertionError

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/v1/check",
            "headers": headers,
            "query_string": b"",
        }
        await app(scope, receive, send)
        assert sent[0]["status"] == 408

    asyncio.run(scenario())


def test_a_pair_is_answered_by_its_time_though_its_worker_is_silent() -> None:
    with TestClient(service().application(), base_url="http://localhost") as client:
        record = client.post("/v1/check", json={"schema": DDL, **SAME}).json()
        assert (record["verdict"], record["reason"], record["key"]) == ("undecided", "TIMEOUT", "")


def asked_by(desk: PlayedDesk, client: str, *preds: str, seconds: float = SECONDS) -> asyncio.Task[Any]:
    return asyncio.create_task(desk.answers([task(pred) for pred in preds], seconds, client=client))


def test_clients_take_turns() -> None:
    async def scenario(desk: PlayedDesk) -> None:
        many = asked_by(desk, "one", "a", "b", "c", "d")
        await settled()
        other, third = asked_by(desk, "other", "x", "y"), asked_by(desk, "third", "z")
        await settled()
        desk.let.set()
        await asyncio.gather(many, other, third)
        assert desk.begun == ["a", "x", "z", "b", "y", "c", "d"]

    played(scenario, queue=8)


def test_a_pair_that_overstays_is_cut_short_while_another_client_waits() -> None:
    async def scenario(desk: PlayedDesk) -> None:
        desk.endless.update(f"endless {i}" for i in range(8))
        desk.let.set()
        hogs = [asked_by(desk, "hog", f"endless {i}", seconds=2.0) for i in range(8)]
        await settled()
        ((answer,), (*_, detail)) = await asyncio.gather(
            asked_by(desk, "other", "trivial", seconds=2.0), hogs[0]
        )
        assert answer.finding.detail == "played"
        assert detail.finding.reason == "TIMEOUT"
        assert "other clients are waiting" in detail.finding.detail
        assert desk.begun[1] == "trivial"
        for hog in hogs:
            hog.cancel()

    played(scenario, queue=16)


def test_a_client_alone_has_all_of_its_time() -> None:
    async def scenario(desk: PlayedDesk) -> None:
        mine = asked_by(desk, "one", "a", "b", seconds=0.4)
        await asyncio.sleep(0.3)
        desk.let.set()
        assert [answer.finding.detail for answer in await mine] == ["played", "played"]

    played(scenario)


def test_another_client_finds_room_in_a_line_that_one_has_filled() -> None:
    async def scenario(desk: PlayedDesk) -> None:
        many = asked_by(desk, "one", *(f"a{i}" for i in range(16)))
        await settled()
        with pytest.raises(FullError):
            await asked_by(desk, "one", "b")
        with pytest.raises(FullError):
            await asked_by(desk, "other", "x", "y", "z")
        other = asked_by(desk, "other", "x", "y")
        await settled()
        with pytest.raises(FullError):
            await asked_by(desk, "other", "z")
        desk.let.set()
        await asyncio.gather(many, other)

    played(scenario, queue=16)


def test_an_equal_pair_of_another_client_does_not_wait_behind_the_firsts_others() -> None:
    async def scenario(desk: PlayedDesk) -> None:
        many = asked_by(desk, "one", "a", "b", "c")
        await settled()
        other = asked_by(desk, "other", "c")
        await settled()
        desk.let.set()
        await asyncio.gather(many, other)
        assert desk.begun[:2] == ["a", "c"]

    played(scenario, queue=8)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::ffff", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
    ],
)
def test_a_client_is_an_address_or_a_network_of_ipv6(one: str, other: str, same: bool) -> None:
    assert (client_of(Address(one, 1)) == client_of(Address(other, 2))) is same
    assert client_of(None) == ""
