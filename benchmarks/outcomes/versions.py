"""Run the project's own cases on other versions of SQLite, and print what comes out otherwise there.

A library is a file that exports SQLite's C interface: ``libsqlite3.so``, or the extension module of a wheel
that brings an SQLite (``_sqlite3.*.so`` of ``sqlean.py``, or of ``pysqlite3`` from 0.6 on).  It is loaded
first in every process, so that Python's own ``sqlite3`` module runs on it; the product knows nothing of that.
For each library, by default for the SQLite at hand: the version; the results of the examples in
:mod:`equiv.dialects.sqlite.versions`;
the golden files and the claims of the table of functions, by ``pytest``; the
claims of the proof tier, by ``benchmarks.attacks.claims own``; a minute of ``equiv fuzz``.

Usage: ``python -m benchmarks.outcomes.versions LIBRARY … [--only version|examples|tests|claims|fuzz]`` (many
minutes each); exit code 1 if a test fails, a claim is broken or a pair is refuted on one of them.
"""

from __future__ import annotations

import argparse
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from equiv.dialects.sqlite.versions import CHANGES

_LOADER = """import ctypes, os
ctypes.CDLL(os.environ["SQLITE_LIBRARY"], ctypes.RTLD_GLOBAL)
"""
"""What Python runs first: global names come before those of the library that ``sqlite3`` is linked with."""

TESTS = (
    "tests/test_golden.py",
    "tests/core/test_functions.py",
    "tests/dialects/sqlite/test_versions.py",
    "tests/algebra/test_rounding.py",
)
STEPS: dict[str, tuple[str, ...]] = {
    "version": ("-c", "import sqlite3; print(sqlite3.sqlite_version)"),
    "examples": ("-c", "from benchmarks.outcomes.versions import examples; examples()"),
    "tests": ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=line", *TESTS),
    "claims": ("-m", "benchmarks.attacks.claims", "own", "--databases", "3"),
    "fuzz": ("-m", "equiv", "fuzz", "--seconds", "60"),
}
"""What is run, by name: arguments of Python."""

_TOLD = re.compile(r"^((SUB)?FAILED|ERROR)|\d+ (passed|failed)|broken|refuted", re.IGNORECASE)


def main() -> int:
    """Run the steps on each library."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("libraries", nargs="*", type=Path, metavar="LIBRARY")
    parser.add_argument("--only", action="append", choices=list(STEPS), help="a step; repeatable")
    options = parser.parse_args()
    code = 0
    for library in options.libraries or (None,):
        with environment(library) as variables:
            print(f"== {library or 'the SQLite at hand'}", flush=True)
            for name in options.only or STEPS:
                code |= run(name, STEPS[name], variables)
    return int(code > 0)


@contextmanager
def environment(library: Path | None) -> Iterator[dict[str, str]]:
    """The variables under which processes run on a library, by default on the SQLite at hand."""
    variables = {**os.environ, "PYTHONHASHSEED": "0"}
    if library is None:
        yield variables
        return
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "sitecustomize.py").write_text(_LOADER, encoding="utf-8")
        path = os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH"))))
        yield {**variables, "PYTHONPATH": path, "SQLITE_LIBRARY": str(library.resolve())}


def run(name: str, arguments: Sequence[str], variables: dict[str, str]) -> int:
    """Run one step and print what it tells; its exit code."""
    found = subprocess.run(
        [sys.executable, *arguments], env=variables, capture_output=True, text=True, check=False
    )
    lines = found.stdout.splitlines()
    told = lines if name in ("version", "examples") else [line for line in lines if _TOLD.search(line)]
    for line in told or lines[-3:]:
        print(f"   {name}: {line}", flush=True)
    if found.returncode and found.stderr:
        print(f"   {name}: {found.stderr.strip().splitlines()[-1]}", flush=True)
    return found.returncode


def examples() -> None:
    """Print what this process' SQLite makes of each example."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for change in CHANGES:
            print(f"{change.version}  {change.example}  ->  {_outcome(connection, change.example)}")


def _outcome(connection: sqlite3.Connection, sql: str) -> str:
    try:
        return repr(connection.execute(sql).fetchone()[0])
    except sqlite3.Error as error:
        return str(error)


if __name__ == "__main__":
    sys.exit(main())
