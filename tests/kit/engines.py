"""Engines of a schema that several tests ask, and what is asked of pairs and texts in any dialect."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from typing import Any

import pytest
from _pytest.fixtures import FixtureFunctionDefinition

from equiv.cells import Cell
from equiv.core.model import Schema
from equiv.core.query import Broken, Query
from equiv.core.runner import Result
from equiv.dialects.protocol import Session
from equiv.dialects.registry import dialect_named
from equiv.engine.make import make_engine
from equiv.engine.pipeline import Engine
from equiv.options import Options
from equiv.verdict import Equivalent, NotEquivalent, Reason, Tier, Undecided

PROVER = {"tiers": (Tier.RULES, Tier.PROOF), "effort": "1"}
"""The options of an engine whose proofs nothing tests."""


def open_engine(ddl: str, dialect: str, **options: Any) -> Engine:
    """An engine of a schema with all the time it wants; whoever opens it closes it."""
    schema = dialect_named(dialect).loader.read_ddl(ddl)
    return make_engine(schema, None, Options(dialect=dialect, timeout=None, **options))


def engine_fixture(ddl: str, dialect: str, **options: Any) -> FixtureFunctionDefinition:
    """A fixture of a module: one engine of a schema for all its tests."""

    @pytest.fixture(scope="module")
    def opened() -> Iterator[Engine]:
        with closing(open_engine(ddl, dialect, **options)) as engine:
            yield engine

    return opened


def assert_proved(engine: Engine, pred: str, gold: str) -> None:
    found = engine.check(pred, gold)
    assert isinstance(found, Equivalent), found


def assert_not_proved(engine: Engine, pred: str, gold: str) -> None:
    """Neither way round is there a proof, and nothing failed on the way."""
    for one, other in ((pred, gold), (gold, pred)):
        found = engine.check(one, other)
        assert isinstance(found, Undecided), found
        assert found.reason in (Reason.NO_PROOF, Reason.UNSUPPORTED), found


def assert_told_apart(engine: Engine, pred: str, gold: str) -> None:
    found = engine.check(pred, gold)
    assert isinstance(found, NotEquivalent), found


@cache
def empty_database(dialect: str, ddl: str) -> tuple[Schema, Session]:
    """A schema and an empty database of it, which stays open."""
    schema = dialect_named(dialect).loader.read_ddl(ddl)
    return schema, dialect_named(dialect).engine.empty(schema)


def read_text(dialect: str, ddl: str, text: str) -> Query | Broken:
    return dialect_named(dialect).reader.read(text, *empty_database(dialect, ddl))


def assert_core_agrees(session: Session, dialect: str, ddl: str, expression: str, rows: int) -> None:
    """An expression over the table ``v`` has the same values in the core; row by row where one raises."""
    text = f"SELECT id, {expression} FROM v"
    query = read_text(dialect, ddl, f"{text} ORDER BY id")
    assert isinstance(query, Query), query
    # A symbol is computed by the engine, as long as its empty database is open.
    query = query.with_symbols if query.tree is None and query.with_symbols is not None else query
    assert query.unsupported is None, query.unsupported
    whole = session.run(query.sql)
    if isinstance(whole, Result):
        answers = [(whole, query.core_sql)]
    else:
        cut = f"WITH q (id, value) AS ({query.core_sql}) SELECT id, value FROM q WHERE id ="
        alone = ((session.run(f"{text} WHERE id = {at}"), f"{cut} {at}") for at in range(rows))
        answers = [(found, core) for found, core in alone if isinstance(found, Result)]
    assert answers, whole
    for theirs, core in answers:
        ours = session.core.run(core)
        assert isinstance(ours, Result), ours
        for mine, yours in zip(theirs.rows, ours.rows, strict=True):
            assert _is_same(mine[1], yours[1]), (mine, yours, core)


def _is_same(one: Cell, other: Cell) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return type(one) is type(other) and one == other
