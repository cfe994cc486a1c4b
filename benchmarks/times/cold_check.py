"""A cold ``equiv check`` that the rules settle, beside ``python -c "import sqlglot"``; and single calls.

Usage: ``python -m benchmarks.times.cold_check [CHECKOUT...]``

The commands take turns, so that their ratio says something on a busy machine
too.  Each CHECKOUT is another one with its own ``.venv``, such as that of an
earlier commit.  Bytecode is cached, as it is for whoever uses a program twice.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks import ROOT

RUNS = 15
CALLS = 10
DDL = "CREATE TABLE person (id INTEGER PRIMARY KEY, city TEXT NOT NULL, age INTEGER);"
PRED = "SELECT DISTINCT p.id, p.city FROM person AS p WHERE p.age >= 18 AND p.age <= 65"
GOLD = "SELECT id, city FROM person WHERE age BETWEEN 18 AND 65"
CALLED = f"""
import equiv
from time import perf_counter
times = []
for number in range({CALLS}):
    start = perf_counter()
    verdict = equiv.check({PRED!r}, f"{GOLD} AND {{number}} = {{number}}", schema={DDL!r})
    times.append(perf_counter() - start)
    assert verdict.name == "equivalent", verdict
start = perf_counter()
equiv.check({PRED!r}, "{GOLD} AND 0 = 0", schema={DDL!r})
print(sorted(times[1:])[{CALLS // 2}], perf_counter() - start)
"""


def main(others: Sequence[str]) -> int:
    """Time both commands in turn, here and in other checkouts."""
    checkouts = [ROOT, *(Path(other).absolute() for other in others)]
    with tempfile.TemporaryDirectory() as folder:
        schema = Path(folder) / "schema.sql"
        schema.write_text(DDL, encoding="utf-8")
        check = ["-m", "equiv", "check", PRED, GOLD, "--schema", str(schema)]
        spent: dict[str, list[tuple[float, float]]] = {}
        for _ in range(RUNS + 1):
            spent.setdefault("import sqlglot", []).append(_spent(ROOT, ["-c", "import sqlglot"]))
            for checkout in checkouts:
                spent.setdefault(f"check, {checkout.name}", []).append(_spent(checkout, check))
    unit: tuple[float, float] | None = None
    for name, runs in spent.items():
        wall, cpu = (median(times) for times in zip(*runs[1:], strict=True))
        unit = unit or (wall, cpu)
        ratios = f"{wall / unit[0]:.2f} times the wall clock, {cpu / unit[1]:.2f} times the processor"
        print(f"{name:30} {wall:.3f} s, processor {cpu:.3f} s: {ratios}")
    for checkout in checkouts:
        later, repeated = _run(checkout, ["-c", CALLED]).stdout.split()
        print(f"equiv.check, {checkout.name}: later {float(later):.4f} s, repeated {float(repeated):.6f} s")
    return 0


def _spent(checkout: Path, arguments: Sequence[str]) -> tuple[float, float]:
    """Wall-clock and processor seconds of one run of Python, its processes included."""
    before = os.times()
    _run(checkout, arguments)
    after = os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return after.elapsed - before.elapsed, processor


def _run(checkout: Path, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    python = checkout / ".venv" / "bin" / "python"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(
        [python, *arguments], cwd=checkout, env=environment, capture_output=True, text=True, check=True
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
