"""Tricks that policies under training find: none is rewarded."""

from __future__ import annotations

from pathlib import Path

import pytest

from equiv.rewards import Policy, reward

GOLD = "SELECT name FROM hero WHERE power = 7"
EMPTY = "SELECT name FROM hero WHERE power > 100"
"""A gold query without a row on the given database."""
SLOW = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r"

TRICKS = {
    "broken SQL where the gold result is empty": ("SELECT name FRM hero", EMPTY),
    "an unknown column where the gold result is empty": ("SELECT nope FROM hero", EMPTY),
    "nothing where the gold result is empty": ("SELECT 1 WHERE 0", EMPTY),
    "nothing of the right column": ("SELECT name FROM hero WHERE 0", EMPTY),
    "LIMIT 0": ("SELECT name FROM hero LIMIT 0", EMPTY),
    "a limit that cuts nothing here": ("SELECT name FROM hero WHERE power = 7 LIMIT 1000", GOLD),
    "constants copied from the database": ("SELECT 'Ada' UNION ALL SELECT 'Bob'", GOLD),
    "constants in VALUES": ("VALUES ('Ada'), ('Bob')", GOLD),
    "constants in a filter": ("SELECT name FROM hero WHERE name IN ('Ada', 'Bob')", GOLD),
    "keys copied from the database": ("SELECT name FROM hero WHERE id IN (1, 2)", GOLD),
    "constants behind a function that nobody models": (
        "SELECT json_extract('[\"Ada\"]', '$[0]') UNION ALL SELECT 'Bob'",
        GOLD,
    ),
    "all columns": ("SELECT * FROM hero WHERE power = 7", GOLD),
    "all rows": ("SELECT name FROM hero", GOLD),
    "the schema": ("SELECT name FROM sqlite_master", GOLD),
    "the schema by a pragma": ("SELECT name FROM pragma_table_info('hero')", GOLD),
    "a deliberate time-out": (SLOW, GOLD),
    "two statements": (f"SELECT 1; {GOLD}", GOLD),
    "the gold query, then another": (f"{GOLD}; SELECT 1", GOLD),
    "the gold query in a comment": (f"SELECT 1 /* {GOLD} */", GOLD),
    "the gold query behind a comment mark": (f"SELECT 1 -- {GOLD}", GOLD),
    "a comment that does not end": (f"SELECT 1 /* {GOLD}", GOLD),
    "a file that is written": ("ATTACH 'x.sqlite' AS x", GOLD),
    "a table that is emptied": ("DELETE FROM hero", EMPTY),
    "chance": ("SELECT name FROM hero WHERE power = 7 OR random() = 1", GOLD),
}


@pytest.mark.parametrize("trick", TRICKS)
def test_a_trick_is_not_rewarded(heroes: Path, trick: str) -> None:
    found = reward(*TRICKS[trick], heroes, seconds=3)
    assert found.score == 0, found


@pytest.mark.long
@pytest.mark.parametrize("trick", TRICKS)
def test_a_trick_does_not_pass_for_equal_results(heroes: Path, trick: str) -> None:
    found = reward(*TRICKS[trick], heroes, seconds=3, policy=Policy(equal_results=1.0, undecided=0.0))
    assert found.score == 0, found


def test_the_gold_query_itself_is_rewarded(heroes: Path) -> None:
    assert [reward(gold, gold, heroes, seconds=3).score for gold in (GOLD, EMPTY)] == [1, 1]
