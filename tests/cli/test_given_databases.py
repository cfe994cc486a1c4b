"""Databases that somebody gave, at every entry point: nothing is deleted, and nothing is left behind."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from kit.hostile_files import (
    leave_hot_journal,
    leave_log,
    make_database,
    make_endless_schema,
    make_slow_check,
)
from kit.served import ENDLESS

import equiv
from equiv.verdict import Reason, Undecided

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120
GOLD = "SELECT a FROM t WHERE a = 3"
SAME, OTHER = "SELECT a FROM t WHERE 3 = a", "SELECT a FROM t WHERE a = 4"
PREDICTIONS = {
    "equivalent": SAME,
    "not equivalent": OTHER,
    "undecided": ENDLESS,
    "invalid": "SELECT b FROM t",
}
REWARD = """
from equiv.rewards import reward
import sys
for pred in sys.argv[2:]:
    print(reward(pred, {gold!r}, sys.argv[1], seconds=2.0))
"""


class Somewhere:
    """A folder with a database ``zoo``, predictions on it, and a temporary folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scratch = folder / "scratch"
        self.scratch.mkdir()
        (folder / "db").mkdir()
        self.database = make_database(folder / "db" / "zoo.sqlite")
        self.predictions = folder / "pairs.jsonl"

    def ask(self, *verdicts: str) -> None:
        """Write predictions for some verdicts; an endless one costs execution accuracy its whole limit."""
        predicted = [PREDICTIONS[verdict] for verdict in verdicts]
        pairs = [{"db_id": "zoo", "predicted_sql": pred, "gold_sql": GOLD} for pred in predicted]
        self.predictions.write_text("".join(f"{json.dumps(pair)}\n" for pair in pairs))

    def start(self, *arguments: object) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        environment = os.environ | {"TMPDIR": str(self.scratch)}
        command = [sys.executable, *map(str, arguments)]
        return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=pipe, stderr=pipe, text=True)

    def run(self, *arguments: object) -> tuple[int, str, str]:
        """Exit code, and what was printed."""
        process = self.start(*arguments)
        out, err = process.communicate(timeout=PATIENCE)
        return process.returncode, out, err

    def left(self) -> list[Path]:
        return list(self.scratch.rglob("*"))


@pytest.fixture
def place(tmp_path: Path) -> Somewhere:
    return Somewhere(tmp_path)


def check(place: Somewhere, *more: str) -> str:
    code, out, err = place.run("-m", "equiv", "check", OTHER, GOLD, "--db", place.database, *more)
    return f"{code} {out}{err}"


def evaluate(place: Somewhere) -> str:
    place.ask("equivalent", "not equivalent", "invalid")
    return " ".join(map(str, place.run(*eval_command(place))))


def eval_command(place: Somewhere) -> tuple[object, ...]:
    out = place.folder / "out.jsonl"
    given = ("--db-root", place.folder / "db", "--out", out, "--timeout", 2, "--workers", 2)
    return ("-m", "equiv", "eval", place.predictions, *given)


def gold(place: Somewhere) -> str:
    place.ask("equivalent", "not equivalent", "invalid")
    return " ".join(
        map(str, place.run("-m", "equiv", "gold", place.predictions, "--db-root", place.folder / "db"))
    )


def suite(place: Somewhere) -> str:
    place.ask("equivalent", "not equivalent", "invalid")
    given = ("--db-root", place.folder / "db", "--out", place.folder / "suite", "--effort", 50)
    return " ".join(map(str, place.run("-m", "equiv", "suite", place.predictions, *given)))


def reward(place: Somewhere) -> str:
    script = REWARD.format(gold=GOLD)
    return " ".join(map(str, place.run("-c", script, place.database, *PREDICTIONS.values())))


def serve(place: Somewhere) -> str:
    process = place.start("-m", "equiv", "serve", "--port", "0", "--db-root", place.folder / "db")
    try:
        assert process.stderr is not None
        address = process.stderr.readline().split()[-1]
        answers = [
            _ask(address, {"db": "zoo", "pred": pred, "gold": GOLD, "seconds": 3})
            for pred in (OTHER, ENDLESS)
        ]
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        return " ".join(answers)
    finally:
        process.kill()
        process.communicate()


def _ask(address: str, pair: dict[str, object]) -> str:
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{address}v1/check", json.dumps(pair).encode(), headers)  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310 - it is on loopback
            return str(answer.read().decode())
    except urllib.error.HTTPError as error:
        return f"{error.code} {error.read().decode()}"


ENTRIES = (check, evaluate, gold, suite, reward, serve)


@pytest.mark.parametrize("enter", ENTRIES, ids=lambda entry: entry.__name__)
def test_a_hot_journal_deletes_nothing(enter: Callable[[Somewhere], str], place: Somewhere) -> None:
    victim = place.folder / "thesis.tex"
    victim.write_text("years of work")
    leave_hot_journal(place.database, victim)
    before = {path: path.read_bytes() for path in place.database.parent.iterdir()}
    told = enter(place)
    assert "holds an unfinished transaction" in told
    assert "Traceback" not in told
    assert victim.read_text() == "years of work"
    assert {path: path.read_bytes() for path in place.database.parent.iterdir()} == before
    assert not place.left()


@pytest.mark.parametrize("enter", ENTRIES, ids=lambda entry: entry.__name__)
def test_beside_a_log_nothing_is_left_behind(enter: Callable[[Somewhere], str], place: Somewhere) -> None:
    leave_log(place.database)
    before = {path: path.read_bytes() for path in place.database.parent.iterdir()}
    told = enter(place)
    assert "journal" not in told
    assert "Traceback" not in told
    assert {path: path.read_bytes() for path in place.database.parent.iterdir()} == before
    assert not place.left()


@pytest.mark.parametrize(
    ("verdict", "code"), [("equivalent", 0), ("not equivalent", 1), ("undecided", 3), ("invalid", 2)]
)
def test_whatever_check_says_the_log_was_read_and_nothing_is_left(
    verdict: str, code: int, place: Somewhere
) -> None:
    leave_log(place.database)
    pair = (PREDICTIONS[verdict], GOLD)
    found = place.run(
        "-m", "equiv", "check", *pair, "--db", place.database, "--timeout", 2, "--no-conditions"
    )
    assert found[0] == code, found
    assert not place.left()
    if verdict == "not equivalent":
        # The row that distinguishes them is in the log alone.
        assert re.search(r"tier data\b", found[1]), found


def test_a_killed_worker_and_an_interrupted_run_leave_nothing(place: Somewhere) -> None:
    leave_log(place.database)
    pairs = [
        {"db_id": "zoo", "predicted_sql": ENDLESS, "gold_sql": f"{GOLD} AND {i} = {i}"} for i in range(8)
    ]
    place.predictions.write_text("".join(f"{json.dumps(pair)}\n" for pair in pairs))
    given = ("--db-root", place.folder / "db", "--out", place.folder / "out.jsonl", "--timeout", 30)
    run = place.start("-m", "equiv", "eval", place.predictions, *given, "--workers", 2)
    try:
        first = workers_with_the_image(run)
        os.kill(first[0], signal.SIGKILL)
        wait_for(lambda: set(workers_with_the_image(run)) - set(first))
        run.send_signal(signal.SIGINT)
        assert run.wait(PATIENCE) == 130
    finally:
        run.kill()
        run.communicate()
    # A worker that was just started removes its folder itself, once it sees that its parent is gone.
    wait_for(lambda: not place.left())


def test_a_run_that_is_killed_leaves_nothing(place: Somewhere) -> None:
    leave_log(place.database)
    given = ("--db", place.database, "--timeout", 60)
    run = place.start("-m", "equiv", "check", ENDLESS, GOLD, *given)
    try:
        workers = workers_with_the_image(run)
    finally:
        run.kill()
        run.communicate()
    wait_for(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))
    assert not place.left()


def workers_with_the_image(run: subprocess.Popen[str]) -> list[int]:
    """The children of a run that have the database's image open, once there are any."""
    found: list[int] = []

    def look() -> list[int]:
        assert run.poll() is None, run.communicate()
        children: list[int] = []
        for thread in Path(f"/proc/{run.pid}/task").glob("*/children"):
            with suppress(OSError):
                children += map(int, thread.read_text().split())
        found[:] = [child for child in children if has_image(child)]
        return found

    wait_for(look)
    return found


def has_image(process: int) -> bool:
    files: list[str] = []
    with suppress(OSError):
        for file in Path(f"/proc/{process}/fd").iterdir():
            with suppress(OSError):
                files.append(str(file.readlink()))
    return any(re.search(r"equiv-\w+/image", file) for file in files)


def wait_for(what: Callable[[], object]) -> None:
    """Wait until something is so; it is not asked again then: a worker has its image open at times only."""
    deadline = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_the_timeout_holds_whatever_is_read(place: Somewhere) -> None:
    """A schema without end, rows under a slow CHECK, thousands of tables: each took a minute and more."""
    endless = make_endless_schema(place.folder / "endless.sqlite")
    slow = make_slow_check(place.folder / "slow.sqlite")
    many = place.folder / "many.sql"
    many.write_text("".join(f"CREATE TABLE t{i} (a INTEGER PRIMARY KEY);\n" for i in range(20_000)))
    for given in (("--db", endless), ("--db", slow), ("--schema", many)):
        start = time.monotonic()
        code, out, err = place.run("-m", "equiv", "check", GOLD, GOLD, *given, "--timeout", 1)
        assert (code, "TIMEOUT" in out, err) == (3, True, ""), given
        assert time.monotonic() - start < 40, given


def test_the_library_reads_ddl_within_its_time() -> None:
    ddl = "".join(f"CREATE TABLE t{i} (a INTEGER PRIMARY KEY);\n" for i in range(20_000))
    start = time.monotonic()
    verdict = equiv.check(GOLD, GOLD, schema=ddl, timeout=1)
    assert isinstance(verdict, Undecided)
    assert verdict.reason is Reason.TIMEOUT
    assert time.monotonic() - start < 40
