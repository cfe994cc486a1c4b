"""The near misses of symbols: what is asked about differs on an engine, and a proof of it is told."""

from __future__ import annotations

from contextlib import closing

from benchmarks.attacks.symbols import Kind, SymbolAttacker, SymbolMisses, attack_symbols, misses
from equiv.dialects.registry import OWN_NAMES, reference
from equiv.engine.make import make_engine
from equiv.options import Options
from equiv.testing.fuzz.attacker import Asking

ASKING = Asking(0, 2.0, 0)
KIND = Kind("sqlite", "untyped", "1", "1.0")


def test_nothing_is_proved_of_values_that_are_equal_and_not_identical() -> None:
    found = attack_symbols(SymbolMisses(KIND, ("concat(?, '')",), ASKING, 0.3))
    assert found["pairs"] > 5
    assert found["broken"] == found["crashed"] == []


def test_a_proof_is_told() -> None:
    schema = reference().loader.read_ddl(KIND.schema)
    with closing(make_engine(schema, None, Options(timeout=None))) as engine:
        attacker = SymbolAttacker(engine, ASKING, tells_errors=False)
        attacker.ask("x", "SELECT typeof(t.a) FROM t", "SELECT typeof(t.a) FROM t WHERE 1 = 1")
    assert len(attacker.found.broken) == 2  # by rules and by proof


def test_a_pair_whose_answers_are_the_same_is_not_asked_about() -> None:
    schema = reference().loader.read_ddl(KIND.schema)
    session = reference().engine.replay(KIND.database)
    with closing(make_engine(schema, None, Options(timeout=None))) as engine, closing(session):
        attacker = SymbolAttacker(engine, ASKING, tells_errors=False)
        attacker.miss("x", "SELECT t.a FROM t", "SELECT t.b FROM t", session)
    assert attacker.found.pairs == 0


def test_all_dialects_have_near_misses() -> None:
    every = list(misses(ASKING, None))
    assert {task.kind.dialect for task in every} == {*OWN_NAMES}
    assert {task.share for task in misses(ASKING, 2000)} == {next(misses(ASKING, 2000)).share} != {1.0}
