"""What is recorded replays without a network, and nothing else does."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from kit.loopback import PASSES, Loopback, completes, fails

from equiv.errors import InputError
from equiv.judge.asking.cache import Cache, Cached
from equiv.judge.asking.client import LiveClient
from equiv.judge.asking.transcript import Recorder, Replay, is_transcript
from equiv.judge.case import Ask, NoAnswer, ProverReply, Role

Make = Callable[..., LiveClient]
MakeAsk = Callable[..., Ask]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "transcript.jsonl"


def test_a_record_replays_to_the_same_answers(
    server: Loopback, client: Make, ask: MakeAsk, path: Path
) -> None:
    asks = [ask(), ask(role=Role.REFUTER), ask("Was it cut off?"), ask("Is it refused?")]
    server.script(completes(PASSES))
    with Recorder(client(), path) as recorder:
        first = [recorder.ask(one) for one in asks[:2]]
        server.script(completes(PASSES, finish="length"), fails(403, "flagged"))
        first += [recorder.ask(one) for one in asks[2:]]
    replay = Replay(path)
    assert [replay.ask(one) for one in asks] == [replace(answer, source="replay") for answer in first]
    assert len(server.bodies) == len(asks)


def test_a_request_without_a_record_gets_no_answer(client: Make, ask: MakeAsk, path: Path) -> None:
    with Recorder(client(), path) as recorder:
        recorder.ask(ask())
    replay = Replay(path)
    for other in (ask("another?"), ask(model="n"), replace(ask(), prompt_hash="other")):
        answer = replay.ask(other)
        assert isinstance(answer.reply, NoAnswer)
        assert answer.usage.calls == 0


def test_an_exchange_says_what_was_asked_and_answered(client: Make, ask: MakeAsk, path: Path) -> None:
    judge = client(temperature=0.0)
    with Recorder(judge, path, judge.parameters) as recorder:
        recorder.ask(ask())
        exchange = json.loads(path.read_text())
    assert exchange["messages"][1] == {"role": "user", "content": "Which names are there?"}
    assert exchange["parameters"] == judge.parameters
    assert exchange["text"] == PASSES
    assert exchange["usage"]["cached_tokens"] == 1024
    assert (exchange["role"], exchange["variant"], exchange["question_id"]) == ("prover", "rose", 7)
    assert "secret" not in path.read_text()


def test_a_later_reply_replaces_a_failure_and_never_the_other_way(
    server: Loopback, client: Make, ask: MakeAsk, path: Path
) -> None:
    cut_off = completes(PASSES, finish="length")
    server.script(fails(403, "flagged"), completes(PASSES), fails(403, "flagged"), cut_off)
    with Recorder(client(), path) as recorder:
        for _ in range(4):
            recorder.ask(ask())
    assert isinstance(Replay(path).ask(ask()).reply, ProverReply)


def test_hits_of_the_cache_are_recorded_too(
    server: Loopback, client: Make, ask: MakeAsk, path: Path, tmp_path: Path
) -> None:
    with Cache(tmp_path / "cache.sqlite") as cache:
        judge = Cached(client(), cache)
        judge.ask(ask())
        with Recorder(judge, path) as recorder:
            assert recorder.ask(ask()).source == "cache"
    assert len(server.bodies) == 1
    assert isinstance(Replay(path).ask(ask()).reply, ProverReply)


def test_an_unfinished_last_line_is_cut_off(client: Make, ask: MakeAsk, path: Path) -> None:
    with Recorder(client(), path) as recorder:
        recorder.ask(ask("one?"))
    whole = path.read_bytes()
    for cut in (whole[:5], whole[:60], whole[:-1]):
        path.write_bytes(whole + cut)
        assert isinstance(Replay(path).ask(ask("one?")).reply, ProverReply)
        with Recorder(client(), path) as recorder:
            recorder.ask(ask("two?"))
        assert len(path.read_text().splitlines()) == 2
        assert isinstance(Replay(path).ask(ask("two?")).reply, ProverReply)


def test_a_run_that_was_cut_off_in_its_first_line_can_be_taken_up(
    client: Make, ask: MakeAsk, path: Path
) -> None:
    path.write_bytes(b'{"key": "12')
    assert is_transcript(path)
    with Recorder(client(), path) as recorder:
        recorder.ask(ask())
    assert isinstance(Replay(path).ask(ask()).reply, ProverReply)


def test_two_runs_cannot_write_to_one_file(client: Make, path: Path) -> None:
    with Recorder(client(), path), pytest.raises(InputError, match="another run"):
        Recorder(client(), path)
    Recorder(client(), path).close()


def test_threads_write_whole_lines(client: Make, ask: MakeAsk, path: Path) -> None:
    with Recorder(client(), path) as recorder, ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: recorder.ask(ask(f"{number}?" * 500)), range(24)))
    replay = Replay(path)
    assert all(isinstance(replay.ask(ask(f"{n}?" * 500)).reply, ProverReply) for n in range(24))


@pytest.mark.parametrize(
    "text",
    [
        '{"model": "o3", "metric": "ROSE", "question_id": 1}\n',
        "SELECT 1\n",
        "SELECT 1",
        '{"key": "1"}\n',
        "[" * 10_000 + "\n",
    ],
)
def test_what_is_no_transcript_is_refused_and_left_alone(text: str, client: Make, path: Path) -> None:
    path.write_text(text)
    assert not is_transcript(path)
    for use in (lambda: Replay(path), lambda: Recorder(client(), path)):
        with pytest.raises(InputError, match=":1: not an exchange with a judge"):
            use()
    assert path.read_text() == text


def test_a_missing_file_is_named(path: Path) -> None:
    with pytest.raises(InputError, match=r"transcript\.jsonl"):
        Replay(path)
