"""What an installed copy brings: the packages whole, with the prompts and the type marker."""

from __future__ import annotations

import tomllib
from pathlib import Path

import equiv
import judge

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SHIPPED = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]


def test_type_checkers_are_told_that_the_engine_is_typed() -> None:
    assert equiv.__file__ is not None
    assert (Path(equiv.__file__).parent / "py.typed").is_file()


def test_prompts_lie_in_a_package_that_is_shipped_whole() -> None:
    assert judge.__file__ is not None
    prompts = sorted(Path(judge.__file__).parent.glob("prompts/*.md"))
    assert len(prompts) > 4
    assert {path.relative_to(ROOT).parts[0] for path in prompts} <= set(SHIPPED)


def test_the_page_of_a_report_lies_in_a_package_that_is_shipped_whole() -> None:
    folder = ROOT / "equiv" / "eval" / "html"
    assert {"page.html", "page.css", "page.js"} <= {path.name for path in folder.iterdir()}
    assert folder.relative_to(ROOT).parts[0] in SHIPPED


def test_the_golden_cases_that_verify_rules_are_shipped() -> None:
    forced = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert forced["tests/golden/rules"] == "rules/verification/cases/rules"
    assert sorted((ROOT / "tests/golden/rules").glob("*.sql"))


def test_everything_that_the_command_imports_is_shipped() -> None:
    own = {path.name for path in ROOT.glob("*/__init__.py")} | {path.name for path in ROOT.glob("*.py")}
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"benchmarks"}
    assert packages | (own - {"__init__.py"}) == set(SHIPPED)
