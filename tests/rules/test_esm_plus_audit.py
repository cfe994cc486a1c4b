"""The audit of ESM+ is complete, and its page and golden files are what a run of it writes."""

from __future__ import annotations

import pytest

from equiv.rules import RULES
from equiv.rules.audit import FILES, GOLDEN, PAGE, golden, page
from equiv.rules.esm_plus import PROVED, listed

TABLE_1, FIXES = listed("table_1"), listed("fixes")


def test_all_rules_and_fixes_are_there() -> None:
    assert [entry.number for entry in TABLE_1] == [str(n) for n in range(1, 21)]
    assert [entry.number for entry in FIXES] == [f"A.1-{n}" for n in range(1, 9)]


def test_entries_name_the_rules_that_bear_their_number() -> None:
    for entry in TABLE_1:
        assert {r.name for r in RULES if str(r.esm_plus) == entry.number} <= set(entry.rules), entry.number
        assert bool(entry.rules) != bool(entry.settled_by)


def test_what_is_unsound_as_stated_is_proved_as_used() -> None:
    for entry in TABLE_1:
        as_used = entry.as_used.verdict if entry.as_used is not None else entry.as_stated.verdict
        assert as_used == PROVED, entry.number


def test_what_is_unsound_as_stated_says_where() -> None:
    for entry in TABLE_1:
        assert bool(entry.where) == (entry.as_stated.verdict != PROVED), entry.number


def test_what_its_predecessor_takes_for_one_it_should_not() -> None:
    for entry in FIXES:
        takes_for_one = entry.predecessor.startswith("takes the two for one")
        assert takes_for_one or entry.predecessor.startswith(("fails", "misreads")), entry.number
        assert not takes_for_one or entry.as_stated.verdict != PROVED, entry.number


@pytest.mark.long
def test_page_is_what_a_run_writes() -> None:
    written = page((*TABLE_1, *FIXES))
    assert PAGE.read_text(encoding="utf-8") == written, "run python -m equiv.rules.audit"


@pytest.mark.parametrize("name", FILES)
def test_golden_files_are_what_a_run_writes(name: str) -> None:
    found = (GOLDEN / f"{name}.sql").read_text(encoding="utf-8")
    assert found == golden(FILES[name]), "run python -m equiv.rules.audit"
