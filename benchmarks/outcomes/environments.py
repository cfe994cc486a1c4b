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

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "versions"
RUNS = ("golden", "rose-bench", "spider", "rewrites", "optimised-duckdb", "qed-calcite", "leetcode")
"""What is asked, without the published data the golden cases alone."""

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
LIBRARIES = {
    "sqlglot": ("26.33.0", "27.0.0", "28.0.0", "29.0.1", "30.0.0", "30.30.0"),
    "duckdb": ("2.0.0", "2.0.1"),
    "z3-solver": ("4.13.0.0", "4.16.0.0", "5.4.1.0"),
    "typer": ("0.26.0", "0.29.2"),
    "rich": ("13.0.0", "15.0.0"),
    "networkx": ("3.4", "3.6.1"),
}
"""The oldest and the newest that are to work, and those between at which something changed."""

LIVE_SCHEMA = """
CREATE TABLE customer (id integer PRIMARY KEY, name text NOT NULL, city varchar(20), born date);
CREATE TABLE bill (id bigint PRIMARY KEY, customer_id integer NOT NULL REFERENCES customer (id),
    total numeric(10, 2), paid boolean NOT NULL DEFAULT false, at timestamp, tags text[]);
CREATE VIEW paid_bill AS SELECT * FROM bill WHERE paid;
INSERT INTO customer SELECT n, 'name ' || n % 7, 'city ' || n % 5, date '1980-01-01' + n
    FROM generate_series(1, 40) n;
INSERT INTO bill SELECT n, n % 40 + 1, n * 1.25, n % 3 = 0, timestamp '2024-01-01' + n * interval '1 day',
    ARRAY['a'] FROM generate_series(1, 200) n;
"""
LIVE_PAIRS = (
    ("SELECT name FROM customer WHERE id IN (1, 2)", "SELECT name FROM customer WHERE id = 1 OR id = 2"),
    ("SELECT name FROM customer", "SELECT DISTINCT name FROM customer"),
    ("SELECT count(*) FROM paid_bill", "SELECT count(*) FROM bill WHERE paid = true"),
    ("SELECT count(*) FROM paid_bill", "SELECT count(total) FROM bill WHERE NOT paid"),
    (
        "SELECT c.name, sum(b.total) FROM customer c JOIN bill b ON b.customer_id = c.id GROUP BY c.id",
        "SELECT c.name, sum(total) FROM bill b JOIN customer c ON c.id = customer_id GROUP BY c.id, c.name",
    ),
    ("SELECT id FROM bill WHERE total > 100", "SELECT id FROM bill WHERE total >= 100"),
    (
        "SELECT id FROM bill WHERE at::date = '2024-02-01'",
        "SELECT id FROM bill WHERE at >= '2024-02-01' AND at < '2024-02-02'",
    ),
    ("SELECT id FROM bill WHERE 'a' = ANY (tags)", "SELECT id FROM bill WHERE tags @> ARRAY['a']"),
    ("SELECT id FROM bill WHERE tags @> ARRAY['b']", "SELECT id FROM bill WHERE tags @> ARRAY['a']"),
    (
        "SELECT id, rank() OVER (PARTITION BY customer_id ORDER BY total) FROM bill",
        "SELECT id, row_number() OVER (PARTITION BY customer_id ORDER BY total) FROM bill",
    ),
)


def cells() -> dict[str, tuple[str, str]]:
    """The cells by name, each a library and its version."""
    found = {f"python-{version}": ("python", version) for version in PYTHONS}
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
    shown = _run([str(python), "-m", "equiv", "check", *LIVE_PAIRS[1], "--schema", str(_schema())], before)
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
            connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public;" + LIVE_SCHEMA)
            version = connection.info.server_version
        verdicts = [check(pred, gold, db=url) for pred, gold in LIVE_PAIRS]
        told = json.dumps([(type(each).__name__, str(each.tier)) for each in verdicts])
        decided[told] += 1
        print(f"PostgreSQL {version // 10_000}.{version % 10_000}: {told}", flush=True)
    return int(len(decided) > 1)


def main() -> int:
    """Ask the cells named, or all; or the servers."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cells", nargs="*", metavar="CELL", help=f"of {', '.join(cells())}; or live URL …")
    parser.add_argument("--every", type=int, default=50, help="take each so-many-th pair alone")
    given = parser.parse_args()
    if given.cells[:1] == ["live"]:
        return live(given.cells[1:])
    return compare(given.cells or [*cells()], given.every)


if __name__ == "__main__":
    sys.exit(main())
