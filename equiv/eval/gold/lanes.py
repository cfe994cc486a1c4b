"""Looking for kinds in gold queries on several lanes, whose findings come in the order of the questions."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass

from equiv.eval import worker
from equiv.eval.gold.finding import Finding, Kind
from equiv.eval.gold.looking import look
from equiv.eval.gold.queries import GoldQuery
from equiv.eval.plan import Setting
from equiv.workers.isolate import Crashed, Lane, Timeout
from equiv.workers.waiting import first_done


@dataclass(frozen=True, slots=True)
class Look:
    """A kind to look for in a gold query."""

    kind: Kind
    gold: GoldQuery


Outcome = Future[tuple[Finding, ...] | Timeout | Crashed]
Answer = tuple[Finding, ...] | str
"""What a look found, or why nothing is known: its worker was killed, or failed."""


def look_in_lanes(
    looks: Sequence[Look], settings: Mapping[str, Setting], workers: int
) -> Generator[tuple[Look, Answer]]:
    """What each look finds, in their order; never raises for a query.

    The looks of one gold query stand together and go to one lane, since they share what is known of it.
    Closing the iterator, or an interrupt, kills the workers.
    """
    waiting = deque(_by_query(looks))
    running: dict[Outcome, tuple[Lane, deque[int]]] = {}
    done: dict[int, Answer] = {}

    def go_on(lane: Lane, numbers: deque[int]) -> None:
        if not numbers and waiting:
            numbers.extend(waiting.popleft())
        if numbers:
            one = looks[numbers[0]]
            seconds = settings[one.gold.db_id].seconds
            running[lane.submit(look, one.kind, one.gold, timeout=seconds)] = lane, numbers

    following = 0
    with ExitStack() as stack:
        for _ in range(min(workers, len(waiting))):
            go_on(stack.enter_context(Lane(worker.enter, settings)), deque())
        while running:
            finished, _ = first_done(running)
            for outcome in finished:
                lane, numbers = running.pop(outcome)
                done[numbers.popleft()] = _answer(outcome)
                go_on(lane, numbers)
            while following in done:
                yield looks[following], done.pop(following)
                following += 1


def _by_query(looks: Sequence[Look]) -> list[list[int]]:
    """The numbers of the looks by gold query; those of one database one after the other."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for number, one in enumerate(looks):
        groups.setdefault(one.gold.identity, []).append(number)
    return list(groups.values())


def _answer(outcome: Outcome) -> Answer:
    match outcome.result():
        case Timeout(seconds):
            return f"no answer within {seconds:g} seconds"
        case Crashed(_, message):
            return message
        case findings:
            return findings
