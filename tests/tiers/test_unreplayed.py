"""Differences that the dialect's engine does not show, since it raises: few are looked at, and cheaply."""

from __future__ import annotations

import pytest

pytest.importorskip("duckdb")

from equiv.dialects.registry import dialect_named
from equiv.engine.make import make_engine
from equiv.options import Options
from equiv.tiers import witness
from equiv.tiers.generate import MAX_UNREPLAYED

DDL = """CREATE TABLE card (id VARCHAR PRIMARY KEY, name VARCHAR, a INTEGER, b INTEGER);
CREATE TABLE format (id INTEGER PRIMARY KEY, card VARCHAR, word VARCHAR)"""
ONE = "SELECT word FROM format WHERE card = (SELECT id FROM card WHERE name = 'x')"
OTHER = "SELECT word FROM format JOIN card ON card = card.id WHERE name = 'x'"


@pytest.mark.long
def test_a_second_row_of_a_subquery_is_not_replayed_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    replays = []
    replay = witness.replay

    def counted(*given: object) -> object:
        replays.append(given)
        return replay(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(witness, "replay", counted)
    schema = dialect_named("duckdb").loader.read_ddl(DDL)
    engine = make_engine(schema, None, Options(dialect="duckdb", relation="set", timeout=None))
    verdict = engine.check(ONE, OTHER)
    engine.close()
    assert verdict.name == "undecided"
    assert len(replays) <= 2 * MAX_UNREPLAYED
