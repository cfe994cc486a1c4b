"""Rounding on the given rows counts, where the engine of their dialect shows it and the core does not."""

from pathlib import Path

import duckdb
import pytest

import equiv

PAIRS = {
    "a threshold that a quotient misses": (
        "SELECT id FROM pay WHERE salary / 12 * 6 >= bonus",
        "SELECT id FROM pay WHERE salary / 2 >= bonus",
    ),
    "two decimals that are one float": (
        "SELECT COUNT(DISTINCT big::DOUBLE PRECISION) FROM pay",
        "SELECT COUNT(DISTINCT big) FROM pay",
    ),
    "a float that one more does not change": (
        "SELECT id FROM pay WHERE big::DOUBLE PRECISION + 1 > big::DOUBLE PRECISION",
        "SELECT id FROM pay WHERE big IS NOT NULL",
    ),
}
SCRIPT = """
CREATE TABLE pay (id integer PRIMARY KEY, salary numeric(10, 2), bonus numeric(10, 2), big numeric(38, 4));
INSERT INTO pay VALUES (1, 1000, 500, 9007199254740993), (2, 2000, 900, 9007199254740992);
"""


CASES = [(dialect, name) for dialect in ("postgres", "duckdb") for name in PAIRS]
# Of DOUBLEs 83.333333333333329 makes 500 again.
CASES.remove(("duckdb", "a threshold that a quotient misses"))


@pytest.mark.parametrize(("dialect", "name"), CASES)
def test_rounding_on_the_given_rows_refutes(dialect: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / ("pay.sql" if dialect == "postgres" else "pay.duckdb")
    if dialect == "postgres":
        path.write_text(SCRIPT)
    else:
        with duckdb.connect(str(path)) as connection:
            connection.execute(SCRIPT)
    match equiv.check(*PAIRS[name], db=path, dialect=dialect, timeout=None):
        case equiv.NotEquivalent(tier="data", difference="rounding"):
            pass
        case other:
            pytest.fail(str(other))
