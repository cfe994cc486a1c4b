"""What is said of dates on a typed dialect names that they are dates of the years 1 to 9999.

Without that ``to_char(d + 1, 'YYYY') < '3'`` was called equivalent to a year below 3000 on every database,
where the day after 9999-12-31 distinguishes them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import equiv
from equiv.verdict import Equivalent, NotEquivalent

SCHEMA = "CREATE TABLE t (id INTEGER PRIMARY KEY, s VARCHAR, d DATE, ts TIMESTAMP)"
SETTINGS = {"postgres": ("setting(TimeZone = 'UTC')", "setting(DateStyle = 'ISO, MDY')"), "duckdb": ()}
TEXT_OF_YEAR = {"postgres": "TO_CHAR({}, 'YYYY')", "duckdb": "STRFTIME({}, '%Y')"}
NAMED = [
    ("d", {"iso_date(t.d)"}, False),
    ("d + 1", {"iso_date(t.d)"}, True),
    ("ts", {"iso_timestamp(t.ts)"}, False),
    ("ts - INTERVAL '1 day'", {"iso_timestamp(t.ts)"}, True),
    ("CAST(s AS DATE)", set[str](), True),
]


@pytest.mark.long
@pytest.mark.parametrize("dialect", TEXT_OF_YEAR)
@pytest.mark.parametrize(("date", "named", "moves"), NAMED, ids=[date for date, _, _ in NAMED])
def test_a_proof_names_the_calendar(dialect: str, date: str, named: set[str], moves: bool) -> None:
    pytest.importorskip({"postgres": "psycopg", "duckdb": "duckdb"}[dialect])
    text = TEXT_OF_YEAR[dialect].format(date)
    found = equiv.check(
        f"SELECT id FROM t WHERE {text} < '3'",
        f"SELECT id FROM t WHERE EXTRACT(YEAR FROM {date}) < 3000",
        schema=SCHEMA,
        dialect=dialect,
        relation="bag",
        assume=SETTINGS[dialect],
    )
    assert isinstance(found, Equivalent)
    facts = {str(fact).partition(" ")[0] for fact in found.facts}
    assert named <= facts
    assert ("no_error" in facts) is moves


@pytest.mark.parametrize(("last", "verdict"), [("9999-12-31", Equivalent), ("12020-01-01", NotEquivalent)])
def test_data_with_other_dates_are_a_difference(last: str, verdict: type, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(tmp_path / "t.duckdb") as made:
        made.execute(f"{SCHEMA}; INSERT INTO t VALUES (1, 'a', DATE '{last}', NULL)")
    of_text = "SELECT id FROM t WHERE STRFTIME(d, '%Y') < '3'"
    of_number = "SELECT id FROM t WHERE YEAR(d) < 3000"
    found = equiv.check(of_text, of_number, db=tmp_path / "t.duckdb", dialect="duckdb", relation="bag")
    assert isinstance(found, verdict), found
