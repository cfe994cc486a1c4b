"""What an installed copy brings: one top-level name, beside a user's own modules of any other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAIR = (
    "SELECT id FROM person WHERE age IN (18, 19)",
    "SELECT id FROM person WHERE age = 19 OR age = 18",
)
STRANGERS = ("rules", "judge", "cli")
PROGRAM = """
import cli, judge, rules
import equiv, equiv.cli, equiv.judge.options, equiv.rules.verification.golden
print(cli.SAID, judge.SAID, rules.SAID, equiv.__file__, equiv.rules.verification.golden.GOLDEN)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the wheel of this checkout is installed."""
    wheels, site = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("site")
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    alone = ("--no-deps", "--no-index")
    build = (*pip, "wheel", *alone, "--no-build-isolation", "--wheel-dir", str(wheels), str(ROOT))
    subprocess.run(build, check=True, cwd=wheels)
    install = (*pip, "install", *alone, "--no-compile", "--target", str(site), *map(str, wheels.iterdir()))
    subprocess.run(install, check=True, cwd=wheels)
    return site


def test_a_checkout_knows_each_module_by_the_name_that_a_wheel_has() -> None:
    beside = rf"^[[:space:]]*(from|import) ({'|'.join(STRANGERS)})([. ]|$)"
    search = (
        "git",
        "grep",
        "--extended-regexp",
        beside,
        "--",
        "equiv",
        "rules",
        "judge",
        "benchmarks",
        "docs",
        "cli.py",
    )
    found = subprocess.run(search, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (1, ""), found.stderr


@pytest.mark.long
def test_a_wheel_has_one_name_at_the_top(site: Path) -> None:
    assert {path.name for path in site.iterdir() if path.suffix != ".dist-info"} == {"equiv", "bin"}
    listed = ("git", "ls-files", "equiv", "rules", "judge", "cli.py")
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    cases = [path.name for path in (ROOT / "tests" / "golden" / "rules").glob("*.sql")]
    assert cases
    for name in (*names, *(f"rules/verification/cases/rules/{case}" for case in cases)):
        assert (site / "equiv" / name.removeprefix("equiv/")).exists(), name


@pytest.mark.long
def test_a_wheel_works_beside_modules_of_a_user(site: Path, tmp_path: Path) -> None:
    for name in STRANGERS:
        (tmp_path / f"{name}.py").write_text(f"SAID = 'the {name} of a user,'\n")
    (tmp_path / "people.sql").write_text("CREATE TABLE person (id INTEGER PRIMARY KEY, age INTEGER);")

    def run(*program: str) -> str:
        done = subprocess.run(
            [sys.executable, *program],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(site)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    own = site / "equiv"
    said = "the cli of a user, the judge of a user, the rules of a user,"
    cases = own / "rules" / "verification" / "cases"
    assert run("-c", PROGRAM).strip() == f"{said} {own / '__init__.py'} {cases}"
    for command in (("-m", "equiv"), (str(site / "bin" / "equiv"),)):
        assert run(*command, "check", *PAIR, "--schema", "people.sql").startswith("equivalent"), command
