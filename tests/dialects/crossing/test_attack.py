"""Random queries asked of two engines: what is called equivalent answers alike on rows that both have."""

from __future__ import annotations

import pytest

from benchmarks.across.attack import Batch, attacked
from equiv.dialects.postgres.wire import is_installed

pytest.importorskip("duckdb")
_POSTGRES = pytest.mark.skipif(not is_installed(), reason="no embedded PostgreSQL")
PAIRS = 20


@pytest.mark.long
@pytest.mark.parametrize(
    "dialects",
    [
        "sqlite/duckdb",
        pytest.param("sqlite/postgres", marks=_POSTGRES),
        pytest.param("postgres/duckdb", marks=_POSTGRES),
    ],
)
def test_what_is_called_equivalent_answers_alike_on_both_engines(dialects: str) -> None:
    found = attacked(Batch(dialects, seed=6, number=0, pairs=PAIRS, databases=4, settings=1))
    assert not found.broken, "\n\n".join(found.broken)
    assert found.counts["equivalent"] >= PAIRS / 4
