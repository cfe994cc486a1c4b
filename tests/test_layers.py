"""What start-up leaves unloaded; `make check-style` holds which folder may import which (pyproject.toml)."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("cvc5", "openai", "sklearn", "z3")


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


def test_the_command_line_reads_arguments_and_prints() -> None:
    for module in (ROOT / "cli.py", *(ROOT / "equiv" / "commands").glob("*.py")):
        assert not imported(module) & {"sqlglot", *HEAVY}, module


def test_a_database_file_is_opened_by_the_engine_of_its_dialect() -> None:
    own = {ROOT / "equiv" / "core" / "runner.py", *(ROOT / "equiv" / "dialects").rglob("*.py")}
    for folder in ("equiv", "rules", "judge"):
        for path in {*(ROOT / folder).rglob("*.py")} - own:
            names = {
                alias.name
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                if isinstance(node, ast.ImportFrom)
                for alias in node.names
            }
            assert "open_file" not in names, path


def test_the_picture_of_the_house_has_the_order_of_the_contract() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {one["id"]: one for one in settings["tool"]["importlinter"]["contracts"]}
    order = [name for layer in contracts["folders"]["layers"] for name in layer.split(" | ")]
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    picture = page.partition("equiv/\n")[2].partition("```")[0]
    named = [name for line in picture.splitlines() for name in line.split("   ")[0].split()]
    assert named == order


def test_the_command_line_leaves_to_its_worker_what_takes_time_to_load(tmp_path: Path) -> None:
    (tmp_path / "people.sql").write_text("CREATE TABLE person (id INTEGER PRIMARY KEY, age INTEGER);")
    program = f"""
import sys
from equiv import cli
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
