"""Single calls: pairs decided one by one, each as if it were the only one.

All calls of a process share one worker process, which is started at the first and
kept, and one memory of verdicts.  The worker keeps what it read of the last few
schemas and databases, but nothing of the pairs.  Whatever a stranger may have made,
DDL, database and queries, is read by the worker, within the time of the call.
"""

from __future__ import annotations

from functools import partial
from time import monotonic
from typing import TypeVar

from equiv.core.model import Schema
from equiv.engine import worker_functions
from equiv.engine.premises import Premises
from equiv.engine.verdict_cache import Memory, is_repeatable
from equiv.engine.worker_outcomes import completed, verdict_of
from equiv.options import CONDITION_SECONDS, Options
from equiv.verdict import Undecided, Verdict, may_be_conditional
from equiv.workers import fork_safe_locks
from equiv.workers.lanes import Crashed, Lanes, Timeout

_MAX_PAIRS = 2_000
"""A worker is replaced after so many tasks, so that what leaks in it stays small."""

_lanes = Lanes(worker_functions.preload, max_tasks=_MAX_PAIRS)
_memory: Memory[Verdict] = Memory()
_schemas: Memory[Schema] = Memory(16)

Value = TypeVar("Value")


def start(*, fork: bool = False) -> None:
    """Start the worker process before the first pair needs it.

    Args:
        fork: as for :class:`~equiv.workers.lanes.Lane`: for programs of our own.
    """
    _lanes.start(fork=fork)


class GivenUpError(Exception):
    """Neither time nor memory sufficed to read DDL; the message says which.

    Args:
        verdict: what is to be said of the pair.
    """

    def __init__(self, verdict: Undecided) -> None:
        super().__init__(f"the DDL was not read: {verdict.detail}")
        self.verdict = verdict


class Call:
    """One call, whose time runs from now on.

    Args:
        options: how the pair is compared.
        lanes: whose workers read DDL, if not the one that all calls share.
    """

    def __init__(self, options: Options, lanes: Lanes = _lanes) -> None:
        self._options = options
        self._readers = lanes
        self._end = None if options.timeout is None else monotonic() + options.timeout

    def load_ddl(self, text: str, name: str = "") -> Schema:
        """The schema of some DDL.

        Raises:
            InputError: it cannot be used.
            GivenUpError: it was not read in time.
        """
        asked = (text, name, self._options.pair_dialect)
        found = _schemas.recall(asked)
        if found is None:
            found = self._load(asked)
            _schemas.keep(asked, found)
        return found

    def _load(self, asked: tuple[str, str, str]) -> Schema:
        if self._end is None:
            return worker_functions.read_ddl(*asked)
        outcome = self._readers.lane().call(worker_functions.read_ddl, *asked, timeout=self._left())
        if isinstance(outcome, Schema):
            return outcome
        verdict = verdict_of(self._whole(outcome), self._options)
        assert isinstance(verdict, Undecided)
        raise GivenUpError(verdict)

    def check(self, premises: Premises, pred: str, gold: str) -> Verdict:
        """The verdict on one pair.

        Raises:
            InputError: a query is no text, or the premises cannot be used.
        """
        worker_functions.require_texts(pred, gold)
        asked = (premises.pickled, pred, gold)
        verdict = _memory.recall(asked)
        if verdict is not None:
            return verdict
        if self._end is None:
            with fork_safe_locks.in_process:
                verdict = worker_functions.complete_alone(worker_functions.check_alone(*asked), *asked)
        else:
            verdict = self._ask_worker(asked)
        if is_repeatable(verdict):
            _memory.keep(asked, verdict)
        return verdict

    def _ask_worker(self, asked: tuple[bytes, str, str]) -> Verdict:
        """The verdict, with further facts if they are wanted."""
        options = self._options
        outcome = _lanes.lane().call(worker_functions.check_alone, *asked, timeout=self._left())
        verdict = verdict_of(self._whole(outcome), options)
        if not options.conditions or not may_be_conditional(verdict):
            return verdict
        seconds = min(options.timeout or CONDITION_SECONDS, CONDITION_SECONDS)
        return completed(
            verdict,
            _lanes.lane().call(partial(worker_functions.complete_alone, verdict), *asked, timeout=seconds),
        )

    def _left(self) -> float:
        assert self._end is not None
        return max(0.001, self._end - monotonic())

    def _whole(self, outcome: Value | Timeout | Crashed) -> Value | Timeout | Crashed:
        """An outcome, its time that of the whole call."""
        whole = self._options.timeout
        return Timeout(whole) if isinstance(outcome, Timeout) and whole is not None else outcome
