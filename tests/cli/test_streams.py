"""Whatever the output is, an exit code that means a verdict is that verdict's, and trouble is one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from equiv import cli

ROOT = Path(__file__).parents[2]
Run = Callable[..., Any]
DDL = "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);"
STEPS = ("SELECT name FROM person WHERE age IN (1, 2)", "SELECT name FROM person WHERE age = 2 OR age = 1")
PROVED = (
    "SELECT COUNT(*) FROM person WHERE name = 'Ω→é'",
    "SELECT COALESCE(SUM(CASE WHEN name = 'Ω→é' THEN 1 ELSE 0 END), 0) FROM person",
)
APART = ("SELECT name || 'Ω' FROM person WHERE name = 'Ω→é'", "SELECT name || 'é' FROM person")
OPEN = ("SELECT name FROM person ORDER BY age LIMIT 1", "SELECT name FROM person ORDER BY age, name LIMIT 1")
INVALID = ("SELECT Ω FROM person", "SELECT 1")
LISTED = json.dumps([{"question_id": 1, "db_id": "Ω", "predicted_sql": APART[0], "gold_sql": APART[1]}])

pytestmark = pytest.mark.skipif(os.name == "nt", reason="closed streams and pipes as POSIX has them")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a schema, a file of pairs and a certificate are."""
    (tmp_path / "people.sql").write_text(DDL)
    (tmp_path / "ddl").mkdir()
    (tmp_path / "ddl" / "Ω.sql").write_text(DDL)
    (tmp_path / "pairs.json").write_text(LISTED, encoding="utf-8")
    return tmp_path


def run(
    folder: Path, *command: str, redirection: str = "", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """A Python program, by a shell that redirects."""
    program = ["sh", "-c", f'"$@" {redirection}', "sh", sys.executable, *command]
    places = {"PYTHONPATH": str(ROOT), "EQUIV_DB_ROOT": str(folder)}
    return subprocess.run(
        program, cwd=folder, env={**os.environ, **places, **environment}, capture_output=True, check=False
    )


def check(pair: tuple[str, str], *options: str) -> tuple[str, ...]:
    return ("check", *pair, "--schema", "people.sql", *options)


COMMANDS = {
    "check, rules": (check(STEPS), 0),
    "check, proof": (check(PROVED), 0),
    "check, apart": (check(APART), 1),
    "check, open": (check(OPEN), 3),
    "check, invalid": (check(INVALID), 2),
    "check, json": (check(APART, "--json"), 1),
    "check, script": (check(APART, "--emit-sql", "Ω.sql"), 1),
    "check, certificate": (check(PROVED, "--certificate", "Ω.json"), 0),
    "explain, steps": (("explain", *STEPS, "--schema", "people.sql"), 0),
    "explain, proof": (("explain", *PROVED, "--schema", "people.sql"), 0),
    "explain, apart": (("explain", *APART, "--schema", "people.sql"), 1),
    "eval": (("eval", "pairs.json", "--schema", "ddl", "--out", "Ω.jsonl"), 0),
    "rules": (("rules",), 0),
    "rules, one": (("rules", "convert_between"), 0),
    "rules, none": (("rules", "Ω"), 2),
    "rules, verify one": (("rules", "verify", "fold_number_spelling"), 0),
    "help": (("--help",), 0),
    "a missing file": (("recheck", "Ω Ω.json"), 2),
    "wrong usage": (("check", "--Ω"), 2),
}


ALL_OF_THEM = """
import json, sys
from equiv import cli
from equiv.show import terminal

terminal.open_standard_streams()
for name, (arguments, _) in json.loads(sys.argv[1]).items():
    for stream in (sys.stdout, sys.stderr):
        print("@", name, file=stream, flush=True)
    code = cli.run(arguments)
    print("@", code, flush=True)
"""


@pytest.mark.long
@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_what_an_encoding_lacks_is_escaped(folder: Path, encoding: str) -> None:
    done = run(folder, "-c", ALL_OF_THEM, json.dumps(COMMANDS), PYTHONIOENCODING=encoding)
    assert b"Traceback" not in done.stderr
    shown = done.stdout.decode(encoding).split("@ ")[1:]
    said = done.stderr.decode(encoding).split("@ ")[1:]
    assert [int(code) for code in shown[1::2]] == [code for _, code in COMMANDS.values()]
    for (name, (_, code)), out, err in zip(COMMANDS.items(), shown[::2], said, strict=True):
        assert name in out
        assert len(out.splitlines()) > 1 or code == 2, out
        lines = [line for line in err.splitlines() if not line.startswith("equiv: next: ")]
        assert len(lines) == (2 if code == 2 or name == "eval" else 1), err


READERS = {
    "closed": ">&-",
    "all closed": "<&- >&- 2>&-",
    "a pipe": "2>&1 | head -c 0",
}


SEEN = tuple(product(["check, rules", "check, apart", "explain, apart"], READERS))


@pytest.mark.long
@pytest.mark.parametrize(("name", "reader"), SEEN)
def test_output_that_nobody_reads_changes_nothing(folder: Path, reader: str, name: str) -> None:
    arguments, code = COMMANDS[name]
    program = [
        "sh",
        "-c",
        f'{{ "$@"; echo $? >code; }} {READERS[reader]}',
        "sh",
        sys.executable,
        "-m",
        "equiv",
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [*program, *arguments], cwd=folder, env=environment, capture_output=True, check=False
    )
    assert int((folder / "code").read_text()) == code
    assert (done.stdout, done.stderr) == (b"", b"")


@pytest.mark.long
@pytest.mark.parametrize("name", ["check, apart", "check, json", "rules"])
def test_output_that_cannot_be_written_is_trouble(folder: Path, name: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs a device that is full")
    done = run(folder, "-m", "equiv", *COMMANDS[name][0], redirection=">/dev/full")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert b"No space left" in done.stderr


@pytest.mark.parametrize("error", [ValueError("odd\nthing"), RecursionError(), MemoryError(), SystemExit(1)])
def test_an_unexpected_error_is_one_line(
    equiv: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, schema: Path
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(cli, "show", fail)
    done = equiv("check", *STEPS, "--schema", schema)
    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert type(error).__name__ in done.err
