"""The cache: identical requests are paid once, by threads, processes and after a crash."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from kit.loopback import PASSES, UPHOLDS, Loopback, Step, completes, fails, waits

from equiv.errors import InputError
from equiv.judge.asking.cache import Cache, Cached, default_path
from equiv.judge.asking.client import LiveClient
from equiv.judge.asking.transcript import request_key
from equiv.judge.case import Ask, Message, NoAnswer, OutOfBudget, ProverReply, Role, Usage

Make = Callable[..., LiveClient]
MakeAsk = Callable[..., Ask]
ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}

ASKS_ALL = """
import sys
from pathlib import Path
from equiv.judge.asking.cache import Cache, Cached
from equiv.judge.asking.client import LiveClient
from kit.asks import make_ask
url, path = sys.argv[1:]
client = LiveClient("m", base_url=url)
with Cache(Path(path)) as cache:
    judge = Cached(client, cache, client.parameters)
    print(*(judge.ask(make_ask(f"{number}?")).source for number in range(12)))
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "cache.sqlite"


def test_a_second_request_is_free(server: Loopback, client: Make, ask: MakeAsk, path: Path) -> None:
    with Cache(path) as cache:
        paid = Cached(client(), cache).ask(ask())
    with Cache(path) as cache:
        kept = Cached(client(), cache).ask(ask())
    assert len(server.bodies) == 1
    assert kept == replace(paid, usage=Usage(), source="cache")


def test_whatever_may_change_the_answer_is_part_of_the_key(ask: MakeAsk) -> None:
    base = ask()
    keys = [
        request_key(base),
        request_key(base, {"temperature": 0.0}),
        request_key(base, {"temperature": 1.0}),
        request_key(replace(base, model="n")),
        request_key(replace(base, prompt_hash="other")),
        request_key(replace(base, messages=(*base.messages, Message("user", "more")))),
        request_key(replace(base, messages=tuple(reversed(base.messages)))),
        request_key(replace(base, schema={"type": "object"})),
        request_key(ask("Which names are there? ")),
    ]
    assert len(set(keys)) == len(keys)


def test_what_the_request_is_about_is_no_part_of_the_key(ask: MakeAsk) -> None:
    base = ask()
    assert request_key(base) == request_key(replace(base, case=replace(base.case, question_id=8)))


@pytest.mark.parametrize(
    "unusable",
    [
        completes("no reply at all"),
        completes(None),
        completes(PASSES, finish="length"),
        fails(503, after="0.01"),
    ],
)
def test_what_is_no_answer_is_asked_again(
    unusable: Step, server: Loopback, client: Make, ask: MakeAsk, path: Path
) -> None:
    server.script(unusable, fails(403, "flagged"))
    with Cache(path) as cache:
        judge = Cached(client(max_retries=0), cache)
        replies = [judge.ask(ask()).reply for _ in range(3)]
    assert [type(reply) for reply in replies] == [NoAnswer, NoAnswer, ProverReply]


def test_a_kept_reply_is_parsed_as_strictly_as_a_fresh_one(
    server: Loopback, client: Make, ask: MakeAsk, path: Path
) -> None:
    with Cache(path) as cache:
        judge = Cached(client(), cache)
        judge.ask(ask())
        connection = sqlite3.connect(path)
        with connection:
            connection.execute("UPDATE answers SET reply = ?", (json.dumps(UPHOLDS),))
        connection.close()
        assert isinstance(judge.ask(ask()).reply, ProverReply)
    assert len(server.bodies) == 2


def test_a_reply_with_half_a_character_is_kept(
    server: Loopback, client: Make, ask: MakeAsk, path: Path
) -> None:
    text = PASSES.replace("one column", "\ud83d\\u0000")
    server.script(completes(text))
    with Cache(path) as cache:
        judge = Cached(client(), cache)
        paid = judge.ask(ask())
        assert judge.ask(ask()).text == paid.text


def test_threads_that_ask_the_same_share_one_call(
    server: Loopback, client: Make, ask: MakeAsk, path: Path
) -> None:
    server.otherwise = waits(0.2, completes(PASSES))
    with Cache(path) as cache, ThreadPoolExecutor(6) as pool:
        judge = Cached(client(), cache)
        found = list(pool.map(lambda _: judge.ask(ask()), range(6)))
    assert len(server.bodies) == 1
    assert sum((answer.usage for answer in found), Usage()).calls == 1
    assert all(isinstance(answer.reply, ProverReply) for answer in found)


def test_threads_share_a_refusal_too(ask: MakeAsk, path: Path) -> None:
    class Broke:
        def ask(self, ask: Ask) -> None:
            time.sleep(0.1)
            raise OutOfBudget(ask.model)

    with Cache(path) as cache, ThreadPoolExecutor(3) as pool:
        judge = Cached(Broke(), cache)  # type: ignore[arg-type]  # it never answers
        for future in [pool.submit(judge.ask, ask()) for _ in range(3)]:
            with pytest.raises(OutOfBudget):
                future.result()


@pytest.mark.long
def test_two_processes_pay_once(server: Loopback, path: Path) -> None:
    server.otherwise = waits(0.03, completes(PASSES))
    command = [sys.executable, "-c", ASKS_ALL, server.url, str(path)]
    runs = [
        subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    printed = [run.communicate(timeout=60)[0].split() for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert [len(sources) for sources in printed] == [12, 12]
    assert sum(sources.count("live") for sources in printed) == 12
    questions = [body["messages"][1]["content"] for body in server.bodies]
    assert sorted(questions) == sorted(set(questions))


def test_a_claim_of_another_process_is_waited_for_and_dies_with_it(
    server: Loopback, client: Make, ask: MakeAsk, path: Path
) -> None:
    claims = """
import sys, time
from pathlib import Path
from equiv.judge.asking.cache import Cache
with Cache(Path(sys.argv[1])) as cache, cache.claim(sys.argv[2]) as is_mine:
    print(is_mine, flush=True)
    time.sleep(60)
"""
    other = subprocess.Popen(
        [sys.executable, "-c", claims, str(path), request_key(ask())],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "True\n"
    with Cache(path) as cache:
        judge = Cached(client(), cache)
        waiting = threading.Thread(target=judge.ask, args=(ask(),))
        waiting.start()
        judge.ask(ask("another?"))
        waiting.join(0.3)
        assert waiting.is_alive()
        assert len(server.bodies) == 1
        other.kill()
        other.communicate()
        waiting.join(10)
    assert len(server.bodies) == 2


def test_what_is_no_cache_is_left_alone(tmp_path: Path) -> None:
    text, database = tmp_path / "notes.txt", tmp_path / "shop.sqlite"
    text.write_text("not a database, but text of some length\n" * 40, encoding="utf-8")
    connection = sqlite3.connect(database)
    connection.execute("CREATE TABLE item (id INTEGER)")
    connection.close()
    before = text.read_bytes(), database.read_bytes()
    with pytest.raises(InputError, match="not a database"):
        Cache(text)
    with pytest.raises(InputError, match="no cache of the judge"):
        Cache(database)
    with pytest.raises(InputError):
        Cache(text / "below")
    assert (text.read_bytes(), database.read_bytes()) == before


def test_the_file_is_in_wal_mode_and_commits_are_full(path: Path) -> None:
    with Cache(path) as cache:
        assert cache._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert cache._connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_the_default_place_follows_the_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_path() == tmp_path / "equiv" / "judge.sqlite"


def test_both_roles_can_be_kept(server: Loopback, client: Make, ask: MakeAsk, path: Path) -> None:
    with Cache(path) as cache:
        judge = Cached(client(), cache)
        asks = [ask(role=role) for role in Role]
        paid = [judge.ask(one).reply for one in asks]
        assert [judge.ask(one).reply for one in asks] == paid
    assert len(server.bodies) == 2
