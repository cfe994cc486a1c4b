"""Requests to a judge, and a server on the loopback interface that answers them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kit.asks import make_ask
from kit.judged_zoo import evaluate, written
from kit.loopback import Loopback
from pytest_httpserver import HTTPServer

from equiv.judge.asking.client import LiveClient
from equiv.judge.case import Ask

KEY = "sk-secret-of-the-user"

Client = Callable[..., LiveClient]


@pytest.fixture(autouse=True)
def _quiet_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No key, server or proxy of the machine that runs the tests."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def http() -> Iterator[HTTPServer]:
    with HTTPServer(host="127.0.0.1", threaded=True) as http:
        yield http


@pytest.fixture
def server(http: HTTPServer) -> Loopback:
    http.clear()
    return Loopback(http)


@pytest.fixture
def client(server: Loopback) -> Iterator[Client]:
    """Makes clients of the server."""
    made: list[LiveClient] = []

    def make(**options: object) -> LiveClient:
        arguments = {"base_url": server.url, "api_key": KEY, "timeout": 30.0, "max_retries": 2, **options}
        made.append(LiveClient("m", **arguments))  # type: ignore[arg-type]  # a test's own options
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def ask() -> Callable[..., Ask]:
    return make_ask


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    return written(tmp_path)


@pytest.fixture(scope="session")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The records of the pairs without a judge, made once."""
    folder = tmp_path_factory.mktemp("verdicts")
    assert evaluate(written(folder), folder / "out.jsonl") == 0
    return (folder / "out.jsonl").read_bytes()


@pytest.fixture
def checked(out: Path, verdicts: bytes) -> Path:
    """A results file that saves the engine's work."""
    out.write_bytes(verdicts)
    return out


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out.jsonl"


@pytest.fixture
def live(server: Loopback, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[str, ...]:
    """Options that ask the server."""
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    return ("--judge", "live", "--judge-model", "m", "--judge-cache", str(tmp_path / "cache.sqlite"))
