"""Wall time of a cold ``equiv check`` of a pair that the rules settle.

Usage: ``python -m benchmarks.cold_check``
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.corpora import ROOT

RUNS = 15
DDL = "CREATE TABLE person (id INTEGER PRIMARY KEY, city TEXT NOT NULL, age INTEGER);"
PRED = "SELECT DISTINCT p.id, p.city FROM person AS p WHERE p.age >= 18 AND p.age <= 65"
GOLD = "SELECT id, city FROM person WHERE age BETWEEN 18 AND 65"


def main() -> int:
    """Time the command and print the median, the least and the most."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        schema = Path(folder) / "schema.sql"
        schema.write_text(DDL, encoding="utf-8")
        command = [sys.executable, "-m", "cli", "check", PRED, GOLD, "--schema", str(schema)]
        for _ in range(RUNS):
            start = perf_counter()
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            times.append(perf_counter() - start)
            if done.returncode != 0:
                print(done.stdout, done.stderr, file=sys.stderr)
                return 1
    print(f"cold check: median {median(times):.3f} s, least {min(times):.3f} s, most {max(times):.3f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
