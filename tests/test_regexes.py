"""No regular expression of the source takes more than linear time; what tells so is tested too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.regexes import faults, patterns_of

ROOT = Path(__file__).resolve().parent.parent

ARGUED = {
    "equiv.dialects.postgres.read": "trees are printed by PostgreSQL, which closes each brace",
    "equiv.generate.neighbours": "nested values are few and short, and written by DuckDB",
    "equiv.dialects.duckdb.files": "statements are matched at their beginning, and messages are DuckDB's own",
    "equiv.server.openapi": "the page is a file of this project",
    "equiv.eval.gold.conditions": "repetitions are of 60 characters at most, or begin where a word begins",
    "equiv.dialects.typed.query_texts": "within a quoted name without an end none begins, behind a quote",
    "equiv.core.lexer": "the last alternative takes what one without an end has skipped",
}
"""Modules with an expression that the analysis cannot tell to be linear, and why it is, or need not be."""

MADE = {
    "equiv.core.functions.own": "patterns of LIKE: where a part first stands is not gone back on",
    "equiv.rules.verification.verify": "for texts of this project alone",
    "equiv.testing.fuzz.attacker": "for texts of this project alone",
}
"""Modules that make expressions as they run, and why those are linear, or need not be."""


def modules() -> Iterator[tuple[str, Path]]:
    own = ROOT / "equiv"
    files = [path for folder in (own, own / "rules", own / "judge") for path in folder.rglob("*.py")]
    for path in sorted({*files}):
        if re.search(r"^\s*import re$|^\s*from re import", path.read_text(encoding="utf-8"), re.MULTILINE):
            yield ".".join(path.relative_to(ROOT).with_suffix("").parts), path


MODULES = dict(modules())


@pytest.mark.parametrize("name", sorted(MODULES.keys() - MADE.keys()))
def test_the_expressions_of_a_module_are_linear(name: str) -> None:
    found = list(patterns_of(MODULES[name], name))
    assert found, "it imports re, and no expression was found"
    told = {each.where: faults(each.pattern, each.flags, searched=each.searched) for each in found}
    assert bool([one for own in told.values() for one in own]) == (name in ARGUED), told


def test_modules_that_are_argued_for_are_there() -> None:
    assert ARGUED.keys() | MADE.keys() <= MODULES.keys()
    for name in MADE:
        with pytest.raises(ValueError, match=name):
            list(patterns_of(MODULES[name], name))


@pytest.mark.parametrize(
    "pattern",
    [
        r"\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*)*\(*\s*(?:SELECT|WITH|VALUES)\b",
        r"(a+)+b",
        r"(\w+\s*)*x",
        r"(?:a|aa)*b",
        r"(?:ab?b?)*c",
        r"a*a*b",
        r"\d*\d+x",
        r"[\d,]*\.?\d+ ",
        r"(?:ab|[a-z])*y",
        r"^[ \t]*```[ \t]*(\w*)[ \t]*$",
    ],
)
def test_an_ambiguous_repetition_is_a_fault(pattern: str) -> None:
    assert faults(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        r"<think>.*?</think>",
        r"\[[^\]]*\]",
        r"[a-z]+\d",
        r"(?i:a)[^x]*x",
        r"(?m)^\s*x",
        r"/\*.*?\*/",
        r"x|'(?:[^']|'')*'",
    ],
)
def test_a_search_that_begins_again_is_a_fault(pattern: str) -> None:
    assert not faults(pattern, re.DOTALL)
    assert faults(pattern, re.DOTALL, searched=True)


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:a++)*+b",
        r"(?>\w+\s*)x",
        r"\s*\w+\s*\(",
        r"(?:a|b)*c",
        r"(?:[^%]|%[dmY])*",
        r"a{0,3}a{0,3}b",
    ],
)
def test_a_repetition_that_gives_nothing_back_in_vain_has_no_fault(pattern: str) -> None:
    assert faults(pattern, re.DOTALL) == []


@pytest.mark.parametrize(
    "pattern", [r"'[^']*'", r"/\*.*?(?:\*/|\Z)", r"(?m)^[ \t]*+x", r"\b\w+\(", r"\A\s*x"]
)
def test_a_search_that_goes_on_after_what_it_passed_over_has_no_fault(pattern: str) -> None:
    assert faults(pattern, re.DOTALL, searched=True) == []
