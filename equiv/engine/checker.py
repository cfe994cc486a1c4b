"""A checker of pairs on one schema, with a worker process of its own or none."""

from __future__ import annotations

import os
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self, Unpack

from equiv.engine import single_calls, worker_functions
from equiv.engine.premises import Premises, SchemaGiven
from equiv.engine.verdict_cache import Memory, is_repeatable
from equiv.engine.worker_outcomes import completed, verdict_of
from equiv.errors import InputError
from equiv.options import CONDITION_SECONDS, OptionArguments, Options, taking_options
from equiv.verdict import Verdict, may_be_conditional
from equiv.workers import fork_safe_locks
from equiv.workers.child import Call
from equiv.workers.lanes import Crashed, Lanes, Timeout, result_of

if TYPE_CHECKING:
    from equiv.engine.engine import Engine


_inherited: list[Engine | None] = []
"""Engines of the process that this one is a fork of, kept so that nothing closes what they have open."""


class Checker:
    """Decides many pairs on one schema.

    Args:
        schema: as for :func:`equiv.check`; by default the schema of ``db``.
        db: the path of a populated SQLite database, which must not change meanwhile.

    The other arguments are the fields of :class:`Options`.

    With a timeout, pairs run in a worker process that can be killed and whose
    memory is capped; it is started at the first pair and kept.  DDL is read there
    too, at once, within the time of a pair.  Without a timeout all of it happens
    in this process, one pair at a time.  What was asked before is answered from
    memory.  A checker may be used from several threads; a pickled or forked one
    starts anew.

    Raises:
        InputError: neither schema nor db is given, or one cannot be read, or not in time, or an option has
            no such value.
    """

    @taking_options
    def __init__(
        self,
        schema: SchemaGiven = None,
        db: str | Path | None = None,
        **options: Unpack[OptionArguments],
    ) -> None:
        chosen = Options(**options)
        lanes = Lanes(worker_functions.preload)
        try:
            premises = Premises.of(schema, db, chosen, single_calls.Call(chosen, lanes).load_ddl)
        except single_calls.GivenUpError as error:
            raise InputError(str(error)) from None
        self._set_up(premises, lanes)

    def _set_up(self, premises: Premises, lanes: Lanes) -> None:
        self._premises = premises
        self._memory: Memory[Verdict] = Memory()
        self._lanes = lanes
        self._engine: Engine | None = None
        self._engine_process = 0

    @property
    def options(self) -> Options:
        """How pairs are compared."""
        return self._premises.options

    def check(self, pred: str, gold: str) -> Verdict:
        """The verdict on one pair of SQL texts; never raises for anything that they hold.

        Raises:
            InputError: a query is no text.
        """
        worker_functions.require_texts(pred, gold)
        verdict = self._memory.recall((pred, gold))
        if verdict is not None:
            return verdict
        if self.options.timeout is not None:
            verdict = self._await(pred, gold, self._submit(pred, gold))
        else:
            with fork_safe_locks.in_process:
                engine = self._engine_here()
                verdict = engine.complete(engine.check(pred, gold), pred, gold)
        if is_repeatable(verdict):
            self._memory.keep((pred, gold), verdict)
        return verdict

    def start(self) -> None:
        """Start the worker process, if there is to be one, before the first pair needs it."""
        if self.options.timeout is not None:
            self._lanes.start()

    def _engine_here(self) -> Engine:
        """The engine of this process; one that a fork inherited is not used: its database is its parent's."""
        if self._engine is None or self._engine_process != os.getpid():
            _inherited.append(self._engine)
            self._engine = worker_functions.engine_for(self._premises)
            self._engine_process = os.getpid()
        return self._engine

    def _submit(self, pred: str, gold: str) -> Future[Verdict | Timeout | Crashed]:
        worker_functions.require_texts(pred, gold)
        assert self.options.timeout is not None
        return self._lanes.lane().submit(
            worker_functions.check, pred, gold, timeout=self.options.timeout, before=self._engine_there
        )

    @property
    def _engine_there(self) -> Call:
        """What the worker does first: the engine opened."""
        return worker_functions.open_engine, (self._premises.pickled,)

    def _await(self, pred: str, gold: str, outcome: Future[Verdict | Timeout | Crashed]) -> Verdict:
        """The verdict that comes, with further facts if they are wanted."""
        verdict = verdict_of(result_of(outcome), self.options)
        if verdict.queries is None:
            verdict = replace(verdict, queries=(pred, gold))
        if not self.options.conditions or not may_be_conditional(verdict):
            return verdict
        assert self.options.timeout is not None
        seconds = min(self.options.timeout, CONDITION_SECONDS)
        found = self._lanes.lane().call(
            worker_functions.complete, verdict, pred, gold, timeout=seconds, before=self._engine_there
        )
        return completed(verdict, found)

    def close(self) -> None:
        """End the worker process, if there is one; the next pair starts another."""
        self._lanes.close()
        with fork_safe_locks.in_process:
            if self._engine is not None and self._engine_process == os.getpid():
                self._engine.close()
                self._engine = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Literal[False]:
        self.close()
        return False

    def __getstate__(self) -> Premises:
        return self._premises

    def __setstate__(self, premises: Premises) -> None:
        self._set_up(premises, Lanes(worker_functions.preload))
