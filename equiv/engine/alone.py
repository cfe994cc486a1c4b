"""Single calls: pairs decided one by one, each as if it were the only one.

All calls of a process share one worker process, which is started at the first and
kept, and one memory of verdicts.  The worker keeps what it read of the last few
schemas and databases, but nothing of the pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from equiv.engine import serving
from equiv.engine.memory import Memory, is_repeatable
from equiv.engine.outcomes import completed, verdict_of
from equiv.engine.premises import Premises
from equiv.options import CONDITION_SECONDS, Options
from equiv.verdict import Verdict, may_be_conditional
from equiv.workers import turns
from equiv.workers.isolate import Crashed, Timeout
from equiv.workers.lanes import Lanes

_MAX_PAIRS = 2_000
"""A worker is replaced after so many tasks, so that what leaks in it stays small."""

_lanes = Lanes(serving.preload, max_tasks=_MAX_PAIRS)
_memory: Memory[Verdict] = Memory()


def start(*, fork: bool = False) -> None:
    """Start the worker process before the first pair needs it.

    Args:
        fork: as for :class:`~equiv.workers.isolate.Lane`: for programs of our own.
    """
    _lanes.start(fork=fork)


def check(premises: Premises, pred: str, gold: str) -> Verdict:
    """The verdict on one pair.

    Raises:
        InputError: a query is no text, or the premises cannot be used.
    """
    serving.require_texts(pred, gold)
    asked = (premises.pickled, pred, gold)
    verdict = _memory.recall(asked)
    if verdict is not None:
        return verdict
    if premises.options.timeout is None:
        with turns.in_process:
            verdict = serving.complete_alone(serving.check_alone(*asked), *asked)
    else:
        verdict = _ask_worker(asked, premises.options, premises.options.timeout)
    if is_repeatable(verdict):
        _memory.keep(asked, verdict)
    return verdict


def _ask_worker(asked: tuple[bytes, str, str], options: Options, seconds: float) -> Verdict:
    """The verdict, with further facts if they are wanted."""
    verdict = verdict_of(_ask(serving.check_alone, asked, seconds), options)
    if not options.conditions or not may_be_conditional(verdict):
        return verdict
    found = _ask(partial(serving.complete_alone, verdict), asked, min(seconds, CONDITION_SECONDS))
    return completed(verdict, found)


def _ask(
    function: Callable[..., Verdict], asked: tuple[bytes, str, str], seconds: float
) -> Verdict | Timeout | Crashed:
    return _lanes.lane().call(function, *asked, timeout=seconds, before=(serving.lay_ground, asked[:1]))
