"""What is said of pairs whose answers part by choices alone."""

from __future__ import annotations

from equiv import check
from equiv.verdict import Reason, Undecided


def test_a_missing_order_is_told_as_such_and_not_as_a_tie() -> None:
    ddl = "CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT)"
    found = check("SELECT name FROM author", "SELECT name FROM author ORDER BY name", schema=ddl)
    assert isinstance(found, Undecided)
    assert (found.reason, found.evidence) == (Reason.NONDETERMINISTIC, None)
    assert "the prediction has no ORDER BY" in found.detail
