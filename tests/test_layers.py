"""Which module may import which, and what a check that the rules settle must leave unloaded."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MODULES = [
    ROOT / "cli.py",
    *(p for top in ("equiv", "rules", "judge") for p in sorted((ROOT / top).rglob("*.py"))),
]
HEAVY = ("cvc5", "networkx", "openai", "sklearn", "z3")
HOMES = {
    "cvc5": ("equiv/smt/recheck.py",),
    "z3": ("equiv/smt/", "equiv/search/"),
    "networkx": ("judge/classes.py",),
    "openai": ("judge/client.py",),
    "sklearn": ("judge/metrics.py",),
}
BARRED = {
    "equiv/": {"rules", "judge", "cli"},
    "rules/": {"rules", "judge", "cli"},
    "judge/": {"rules", "judge", "cli"},
    "cli.py": {"sqlglot", "z3"},
}


def imported(path: Path) -> set[str]:
    """The top-level packages that a module imports by absolute name, lazily or not."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import():
                names |= {alias.name.partition(".")[0] for alias in node.names}
            case ast.ImportFrom(level=0, module=str(module)):
                names.add(module.partition(".")[0])
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_follow_the_layers(path: Path) -> None:
    place = path.relative_to(ROOT).as_posix()
    barred = {name for name, home in HOMES.items() if not place.startswith(home)}
    if place != "equiv/api.py":
        barred = barred.union(*(names for prefix, names in BARRED.items() if place.startswith(prefix)))
    assert not imported(path) & barred


def test_the_command_line_leaves_to_its_worker_what_takes_time_to_load(tmp_path: Path) -> None:
    (tmp_path / "people.sql").write_text("CREATE TABLE person (id INTEGER PRIMARY KEY, age INTEGER);")
    program = f"""
import sys, cli
sys.argv[1:] = ["check", "SELECT id FROM person WHERE age IN (18, 19)",
                "SELECT id FROM person WHERE age = 19 OR age = 18", "--schema", "people.sql"]
try:
    cli.main()
except SystemExit as end:
    slow = {(*HEAVY, "multiprocessing", "pydantic", "rich", "sqlglot")!r}
    print(end.code, *(name for name in slow if name in sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines()[-1] == "0", done.stderr


def test_a_check_that_the_rules_settle_loads_nothing_heavy() -> None:
    program = f"""
import sys, equiv
ddl = "CREATE TABLE person (id INTEGER PRIMARY KEY, age INTEGER)"
verdict = equiv.check("SELECT id FROM person WHERE age IN (18, 19)",
                      "SELECT id FROM person WHERE age = 19 OR age = 18", schema=ddl)
print(verdict.name, verdict.tier, *(name for name in {HEAVY!r} if name in sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["equivalent", "rules"], done.stderr
