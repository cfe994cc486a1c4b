"""That a higher effort may decide a pair is said where one tries more databases, and nowhere else."""

from __future__ import annotations

import pytest

from equiv import Checker
from equiv.show.verdicts import headline

SCHEMA = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b TEXT)"
SAID = "a higher --effort may decide it"
NUMBERS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5) SELECT SUM(n) FROM c"


@pytest.mark.parametrize(
    ("pred", "gold", "is_said"),
    [
        ("SELECT printf('%d', a) FROM t WHERE a = 3", "SELECT '3' FROM t WHERE a = 3", True),
        (NUMBERS, "SELECT 15", False),
        ("SELECT random() FROM t", "SELECT random() + 0 FROM t", False),
        ("SELECT load_extension(b) FROM t", "SELECT load_extension(b || '') FROM t", False),
        ("SELECT zeroblob(9999999999) FROM t", "SELECT zeroblob(9999999999) || '' FROM t", False),
    ],
)
def test_more_effort_is_offered_where_it_tries_more(pred: str, gold: str, is_said: bool) -> None:
    with Checker(SCHEMA, effort=20) as checker:
        verdict = checker.check(pred, gold)
    assert verdict.name in ("undecided", "invalid")
    assert (SAID in headline(verdict).rest) is is_said
