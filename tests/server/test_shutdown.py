"""The real command: it listens, and after a signal finishes usage in and takes in no more."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest
from kit.served import DDL, ENDLESS, SAME

from equiv import cli
from equiv.commands.common import TROUBLE

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0


@contextmanager
def command(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command as a process, and the address that it says."""
    process = subprocess.Popen(
        [sys.executable, "-m", "equiv", "serve", "--port", "0", *arguments],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert line.startswith("equiv: listening on http://127.0.0.1:"), line
        yield process, line.split()[-1]
    finally:
        process.kill()
        process.communicate()


def ask(address: str, **pair: object) -> dict[str, object]:
    body = json.dumps({"schema": DDL, **pair}).encode()
    request = urllib.request.Request(f"{address}v1/check", body, {"Content-Type": "application/json"})  # noqa: S310
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310 - it is on loopback
        found: dict[str, object] = json.load(answer)
        return found


@pytest.mark.long
def test_a_signal_ends_it_after_its_last_answer() -> None:
    with command("--grace", "1") as (process, address):
        assert ask(address, **SAME)["verdict"] == "equivalent"
        told: list[dict[str, object]] = []
        waiting = threading.Thread(target=lambda: told.append(ask(address, pred=ENDLESS, gold=SAME["gold"])))
        waiting.start()
        wait_until(lambda: health(address)["pairs"] == 1)
        threads = Path(f"/proc/{process.pid}/task").glob("*/children")
        workers = [int(child) for thread in threads for child in thread.read_text().split()]
        process.send_signal(signal.SIGTERM)
        wait_until(lambda: not listens(address))
        waiting.join(PATIENCE)
        assert [(one["verdict"], one["reason"]) for one in told] == [("undecided", "TIMEOUT")]
        assert process.wait(PATIENCE) == 0
        assert not [worker for worker in workers if is_alive(worker)]


def test_an_address_that_is_taken_is_trouble(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert cli.run(["serve", "--port", str(taken.getsockname()[1])]) == TROUBLE
    (line,) = capsys.readouterr().err.splitlines()
    assert "in use" in line


def test_others_are_not_served_by_oversight(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["serve", "--host", "0.0.0.0", "--port", "0"]) == TROUBLE  # noqa: S104 - it is refused
    assert "--token-file" in capsys.readouterr().err


def health(address: str) -> dict[str, object]:
    with urllib.request.urlopen(f"{address}healthz", timeout=PATIENCE) as answer:  # noqa: S310 - on loopback
        found: dict[str, object] = json.load(answer)
        return found


def listens(address: str) -> bool:
    """Whether a new connection is still accepted."""
    port = int(address.rstrip("/").rpartition(":")[2])
    try:
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
    except ConnectionRefusedError:
        return False
    return True


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(is_so: object) -> None:
    assert callable(is_so)
    end = monotonic() + PATIENCE
    while not is_so():
        assert monotonic() < end
        sleep(0.02)
