"""The verdicts of a share of the pairs in other versions of what ``equiv`` stands on, beside those at hand.

A cell is a version of Python, or of one library, with all else as ``constraints.txt`` has it.  A library is
laid before the environment's own; another Python (the command ``python3.N``) has an environment of its own.
A cell passes if each verdict is that of the environment at hand, and the command line answers.  What
``pyproject.toml`` declares are the outermost versions that passed.

``live`` asks pairs of a database on running servers of several versions of PostgreSQL, given by their URLs:
each must read one schema and come to the same verdicts, by its own rows.

Usage: ``python -m benchmarks.outcomes.environments [CELL …] [--every N]``; ``… live URL …``.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks import ROOT
from benchmarks.command import parser

BUILD = ROOT / "build" / "versions"
RUNS = ("golden", "rose-bench", "spider", "rewrites", "optimised-duckdb", "qed-calcite", "leetcode")
"""What is asked, without the published data the golden cases alone."""

KNOWN: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""The versions of Python, and of each library the oldest and the newest that are to work and those between at
which something changed; the schema and the pairs that are asked of servers."""
LIBRARIES, PAIRS = KNOWN["libraries"], KNOWN["pairs"]


def cells() -> dict[str, tuple[str, str]]:
    """The cells by name, each a library and its version."""
    found = {f"python-{version}": ("python", version) for version in KNOWN["pythons"]}
    return found | {f"{name}-{each}": (name, each) for name, several in LIBRARIES.items() for each in several}


def _environment(library: str, version: str) -> tuple[Path, str] | str:
    """The Python of a cell and what lies before its libraries; or why there is none."""
    place = BUILD / f"{library}-{version}"
    pip = ("-m", "pip", "install", "-qq", "--disable-pip-version-check")
    if library != "python":
        if not place.is_dir():
            made = _run([sys.executable, *pip, "--no-deps", "--target", str(place), f"{library}=={version}"])
            if made.returncode:
                shutil.rmtree(place, ignore_errors=True)
                return made.stderr.strip().splitlines()[-1]
        return Path(sys.executable), str(place)
    if version == "{}.{}".format(*sys.version_info):
        return Path(sys.executable), ""
    python = place / "bin" / "python"
    if not (place / ".made").exists():
        command = shutil.which(f"python{version}")
        if command is None or _run([command, "-m", "venv", str(place)]).returncode:
            return f"no python{version} here"
        extras = f"{ROOT}[dev]"
        made = _run([str(python), *pip, "-c", str(ROOT / "constraints.txt"), "-e", extras])
        if made.returncode:
            return made.stderr.strip().splitlines()[-1]
        (place / ".made").touch()
    return python, ""


def _run(command: list[str], before: str = "") -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join(filter(None, (before, str(ROOT), str(ROOT / "tests"))))
    return subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": "0"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def _schema() -> Path:
    """A file of DDL for the command line."""
    file = BUILD / "schema.sql"
    file.write_text("CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);")
    return file


def _verdicts(name: str, every: int) -> Path | str:
    """The file of verdicts of a cell; or why there is none."""
    file = BUILD / f"{name}.jsonl"
    found = _environment(*cells()[name]) if name != "here" else (Path(sys.executable), "")
    if isinstance(found, str):
        return found
    python, before = found
    shown = _run([str(python), "-m", "equiv", "check", *PAIRS[1], "--schema", str(_schema())], before)
    asked = _run([str(python), "-m", "equiv", "eval", "--help"], before)
    if shown.returncode != 1 or asked.returncode:
        return f"the command line does not answer: {shown.stdout} {shown.stderr} {asked.stderr}"
    runs = RUNS if Path(os.environ.get("EQUIV_DATA", ROOT.parent / "shared" / "data")).is_dir() else RUNS[:1]
    making = ["-m", "benchmarks.outcomes.frozen", "make", str(file), *runs, "--every", str(every)]
    made = _run([str(python), *making, "--workers", "1"], before)
    if not file.is_file():
        return (made.stderr.strip() or made.stdout.strip()).splitlines()[-1]
    return file


def compare(names: list[str], every: int) -> int:
    """Print a line a cell, and what parts from the environment at hand; 1 if anything does."""
    BUILD.mkdir(parents=True, exist_ok=True)
    here, code = _verdicts("here", every), 0
    assert isinstance(here, Path), here
    print(f"here: {sum(1 for _ in here.open())} pairs", flush=True)
    for name in names:
        found = _verdicts(name, every)
        if isinstance(found, str):
            code = 1
            print(f"{name}: {found}", flush=True)
            continue
        compared = _run(
            [sys.executable, "-m", "benchmarks.outcomes.frozen", "compare", str(here), str(found)]
        )
        code |= compared.returncode
        *parts, last = compared.stdout.strip().splitlines()
        print(f"{name}: {last}", *parts, sep="\n  ", flush=True)
    return code


def live(urls: list[str]) -> int:
    """Print what each server is and decides; 1 if two decide otherwise."""
    import psycopg

    from equiv import check

    decided = Counter[str]()
    for url in urls:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public;" + KNOWN["schema"])
            version = connection.info.server_version
        verdicts = [check(pred, gold, db=url) for pred, gold in PAIRS]
        told = json.dumps([(type(each).__name__, str(each.tier)) for each in verdicts])
        decided[told] += 1
        print(f"PostgreSQL {version // 10_000}.{version % 10_000}: {told}", flush=True)
    return int(len(decided) > 1)


def main() -> int:
    """Ask the cells named, or all; or the servers."""
    arguments = parser(__doc__, every=(50, "take each so-many-th pair alone"))
    arguments.add_argument("cells", nargs="*", metavar="CELL", help=f"of {', '.join(cells())}; or live URL …")
    given = arguments.parse_args()
    if given.cells[:1] == ["live"]:
        return live(given.cells[1:])
    return compare(given.cells or [*cells()], given.every)


if __name__ == "__main__":
    sys.exit(main())
