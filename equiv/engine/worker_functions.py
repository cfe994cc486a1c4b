"""How pairs are decided for others: in a worker of a checker, or in the one that all single calls share."""

from __future__ import annotations

import gc
from collections import OrderedDict
from contextlib import closing
from typing import TYPE_CHECKING

from equiv.engine.premises import Premises
from equiv.errors import InputError

if TYPE_CHECKING:
    from equiv.core.model import Schema
    from equiv.engine.engine import Engine
    from equiv.engine.make import Ground
    from equiv.verdict import Verdict

_GROUNDS = 8
_THRESHOLDS = (10_000, 20, 20)
"""Some 10 MB more at most, and a twentieth of the time less, than by Python's own."""


def require_texts(*queries: object) -> None:
    """Raise InputError for a query that is no text."""
    for query in queries:
        if not isinstance(query, str):
            raise InputError(f"a query must be a text, not {type(query).__name__}")


def engine_for(premises: Premises) -> Engine:
    """An engine with the default rules and tiers, for use in this process.

    Raises:
        InputError: see :func:`equiv.engine.make.make_engine`.
    """
    from equiv.engine.make import make_engine

    return make_engine(premises.schema, premises.database, premises.options)


class _Worker:
    """What this worker process keeps between tasks."""

    def __init__(self) -> None:
        self.engine: Engine | None = None
        self.grounds: OrderedDict[bytes, Ground] = OrderedDict()


_worker = _Worker()


def _collect_seldom() -> None:
    """Let the collector of a worker pass over all that there is, and else run once for many new objects.

    Trees refer to their parents: what a pair leaves behind is garbage that only the collector finds.
    """
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    gc.enable()


def preload() -> None:
    """Import what the first pair needs; nothing of it is garbage, or ever will be."""
    from equiv.engine.make import import_first_tiers

    gc.disable()
    import_first_tiers()
    _collect_seldom()


def read_ddl(text: str, name: str, dialect: str) -> Schema:
    """The schema of some DDL in a dialect.

    Raises:
        InputError: it cannot be used.
    """
    from equiv.dialects.registry import dialect_named

    return dialect_named(dialect).loader.read_ddl(text, name)


# What follows runs in the worker of a checker.


def open_engine(pickled: bytes) -> None:
    """Open the engine of the checker's premises, unless this worker has it."""
    if _worker.engine is None:
        gc.disable()
        _worker.engine = engine_for(Premises.from_pickled(pickled))
        _worker.engine.open()
        _collect_seldom()


def check(pred: str, gold: str) -> Verdict:
    """The verdict on one pair."""
    assert _worker.engine is not None
    return _worker.engine.check(pred, gold)


def complete(verdict: Verdict, pred: str, gold: str) -> Verdict:
    """The verdict with the facts under which the pair would be equivalent."""
    assert _worker.engine is not None
    return _worker.engine.complete(verdict, pred, gold)


# What follows runs in the worker that all single calls share: its verdicts do not depend on earlier calls.


def check_alone(pickled: bytes, pred: str, gold: str) -> Verdict:
    """The verdict on one pair, by an engine that has seen no other."""
    with closing(_fresh_engine(pickled)) as engine:
        return engine.check(pred, gold)


def complete_alone(verdict: Verdict, pickled: bytes, pred: str, gold: str) -> Verdict:
    """The verdict with the facts under which the pair would be equivalent."""
    with closing(_fresh_engine(pickled)) as engine:
        return engine.complete(verdict, pred, gold)


def _fresh_engine(pickled: bytes) -> Engine:
    from equiv.engine.make import engine_on

    premises = Premises.from_pickled(pickled)
    return engine_on(_ground(pickled), premises.database, premises.options)


def _ground(pickled: bytes) -> Ground:
    from equiv.engine.make import ground_of

    grounds = _worker.grounds
    if pickled not in grounds:
        premises = Premises.from_pickled(pickled)
        grounds[pickled] = ground_of(premises.schema, premises.database, premises.options)
        if len(grounds) > _GROUNDS:
            grounds.popitem(last=False)
    return grounds[pickled]
