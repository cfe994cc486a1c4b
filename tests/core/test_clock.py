"""The current time: found wherever a query reads it, and replaced nowhere else."""

from __future__ import annotations

import pytest
from kit.harness import World

from equiv.core.claims.choices import NOW, freeze_time, reads_the_clock
from equiv.core.printing import to_sql

WORLD = World("CREATE TABLE t (id INTEGER PRIMARY KEY, d TEXT)")


@pytest.mark.parametrize(
    "call",
    [
        *("date()", "time()", "julianday()", "strftime('%Y')", "unixepoch('NOW')", "date('now', '+1 day')"),
        *("strftime('%Y', 'now')", "strftime('%Y', 'now', '-1 year')", "CURRENT_DATE", "CURRENT_TIMESTAMP"),
    ],
)
def test_calls_that_read_the_clock(call: str) -> None:
    tree = WORLD.read(f"SELECT {call} FROM t").tree
    assert tree is not None
    assert reads_the_clock(tree)
    assert freeze_time(tree)
    assert NOW[:8] in to_sql(tree) or NOW[11:19] in to_sql(tree)
    assert not reads_the_clock(tree)


@pytest.mark.parametrize(
    "call", ["date(d)", "strftime('now', d)", "strftime('now', d, '+1 day')", "date(d, 'now')"]
)
def test_a_format_or_a_modifier_is_no_time(call: str) -> None:
    tree = WORLD.read(f"SELECT {call} FROM t").tree
    assert tree is not None
    before = to_sql(tree)
    freeze_time(tree)
    assert to_sql(tree) == before
