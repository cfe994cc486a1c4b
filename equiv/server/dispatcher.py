"""The lines of pairs before the workers: bounded, and every pair is answered by its time.

In the line of one worker clients take turns, and share the time of a pair while others wait. Metrics are
in the format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil
from time import monotonic

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from equiv.engine.host import SERVING, undecided, verdict_of
from equiv.errors import InputError
from equiv.options import CONDITION_SECONDS
from equiv.rewards.reward import Finding
from equiv.server import pair_task
from equiv.server.pair_task import PairAnswer, Task
from equiv.server.settings import ServiceSettings
from equiv.verdict import Reason
from equiv.workers.lanes import Crashed, Lane, Timeout
from equiv.workers.scheduler import Memory, place_of

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)


class Metrics:
    """The counts of one service."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._requests = Counter(
            "equiv_requests", "Requests answered.", ("path", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "equiv_request_seconds",
            "Time from the arrival of a request to its answer.",
            ("path",),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._pairs = Counter(
            "equiv_pairs",
            "Pairs decided by a worker, without those answered from memory.",
            ("verdict", "tier", "reason"),
            registry=self._registry,
        )
        self._work = Histogram(
            "equiv_pair_seconds", "Worker time per pair.", buckets=_SECONDS, registry=self._registry
        )
        self._remembered = Counter("equiv_remembered", "Pairs answered from memory.", registry=self._registry)
        self._held = Gauge("equiv_pairs_held", "Pairs waiting or in progress.", registry=self._registry)

    def watch(self, held: Callable[[], float]) -> None:
        """Ask how many pairs are held whenever metrics are shown."""
        self._held.set_function(held)

    def answered(self, path: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def decided(self, finding: Finding, seconds: float) -> None:
        """Count a pair."""
        self._pairs.labels(finding.verdict, finding.tier, finding.reason).inc()
        self._work.observe(seconds)

    def remembered(self) -> None:
        """Count a pair that was known."""
        self._remembered.inc()

    def shown(self) -> bytes:
        """All counts as text."""
        return generate_latest(self._registry)


_OVERHEAD = 1_000
"""About what an answer takes besides its text, in bytes."""
_WARM_SECONDS = 120.0
_LONGEST_RETRY = 60
_NEWEST = 0.1
"""What the newest pair counts for in the pace."""

_RESERVE = 8
"""Beyond a full line a client finds room for this part of one, which others cannot take from it."""

_LATE = "no verdict within the time limit of the request"
_SHARED = "other clients are waiting, and this request has used its share of the worker"
_STOPPED = "the service was stopped"

TaskOutcome = PairAnswer | InputError
"""What comes of a pair: an answer, or why its schema or an option cannot be used."""


class FullError(Exception):
    """There is no room in the line.

    Args:
        seconds: when there may be some.
    """

    def __init__(self, seconds: int) -> None:
        super().__init__(f"{seconds} s")
        self.seconds = seconds


class StoppingError(Exception):
    """The service takes in nothing more."""


@dataclass(eq=False, slots=True)
class _Asked:
    """A pair in the line or at work, and who waits for it."""

    task: Task
    client: str
    """Who asked."""
    key: bytes
    seconds: float
    """Its own time."""
    end: float
    """By when it is answered, on the monotonic clock."""
    outcome: asyncio.Future[TaskOutcome]
    waiting: int = 0
    begun: bool = False
    first: PairAnswer | None = None
    """The answer, while facts are looked for under which the pair would be equivalent."""

    def serves(self, client: str, seconds: float, end: float) -> bool:
        """Whether its answer comes as soon as that of an equal pair with these would."""
        is_next = self.begun or self.client == client
        return is_next and self.end >= end and self.seconds >= seconds


class PairQueue:
    """The line before one worker: the client is next that was served the longest ago, with its first pair."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[_Asked]] = {}
        self._served: dict[str, int] = {}
        """When clients were served, by a count of pairs; those that matter still."""
        self._count = 0
        self._bell = asyncio.Event()

    def join(self, asked: _Asked) -> None:
        """Let a pair wait behind its client's others."""
        self._waiting.setdefault(asked.client, deque()).append(asked)
        self._bell.set()

    def leave(self, asked: _Asked) -> None:
        """Take a pair out, if it waits here."""
        own = self._waiting.get(asked.client)
        if own is not None and asked in own:
            own.remove(asked)
            if not own:
                del self._waiting[asked.client]

    async def next(self) -> _Asked:
        """The pair whose turn it is, once there is one."""
        while not self._waiting:
            self._bell.clear()
            await self._bell.wait()
        client = min(self._waiting, key=lambda each: self._served.get(each, 0))
        asked = self._waiting[client][0]
        self.leave(asked)
        self._count += 1
        self._served = {each: at for each, at in self._served.items() if each in self._waiting}
        self._served[client] = self._count
        return asked

    async def overstayed(self, asked: _Asked) -> None:
        """Wait until a pair that has the worker from now on has had its share of it.

        That is its own time, divided by the number of clients in the line.
        """
        clock = asyncio.get_running_loop()
        begun = clock.time()
        while True:
            others = len(self._waiting.keys() - {asked.client})
            left = begun + asked.seconds / (1 + others) - clock.time()
            if others and left <= 0:
                return
            self._bell.clear()
            try:
                async with asyncio.timeout(left if others else None):
                    await self._bell.wait()
            except TimeoutError:
                continue


@dataclass(eq=False, slots=True)
class _Place:
    """A worker, and the pairs that wait for it."""

    lane: Lane
    line: PairQueue = field(default_factory=PairQueue)


class Dispatcher:
    """Takes in pairs and gives answers; lives in one event loop.

    Equal pairs are looked at once, and what is known is not looked at again.

    Args:
        settings: how many pairs may be held, for how long, by how many workers.
        metrics: what is counted.
    """

    def __init__(self, settings: ServiceSettings, metrics: Metrics) -> None:
        self._settings = settings
        self._metrics = metrics
        self._known: Memory[PairAnswer] = Memory(settings.remembered_bytes)
        self._held: dict[bytes, _Asked] = {}
        self._places: list[_Place] = []
        self._runners: list[asyncio.Task[None]] = []
        self._pace = 0.1
        self.stopping = False

    @property
    def held(self) -> int:
        """How many pairs wait or are worked on."""
        return len(self._held)

    async def start(self) -> None:
        """Start the workers, without waiting for them."""
        for _ in range(self._settings.workers):
            place = _Place(Lane(SERVING))
            self._places.append(place)
            self._runners.append(asyncio.create_task(self._serve(place)))

    async def answers(
        self, tasks: Sequence[Task], seconds: float, all_seconds: float | None = None, client: str = ""
    ) -> list[TaskOutcome]:
        """The answers on pairs, in their order, given by their deadline.

        Args:
            tasks: the pairs.
            seconds: the time of each from when it is begun.
            all_seconds: the time of all together, waiting included; None: as for one.
            client: who asks; clients take turns.

        Raises:
            FullError: they do not all find room; none is taken in.
            StoppingError: nothing is taken in any more.
        """
        end = monotonic() + (seconds if all_seconds is None else all_seconds)
        answers = self._ask(dict.fromkeys(tasks), client, seconds, end)
        waiting = [each for each in answers.values() if isinstance(each, _Asked)]
        try:
            if waiting:
                patience = max(0.0, end - monotonic())
                await asyncio.wait([each.outcome for each in waiting], timeout=patience)
        finally:
            for each in waiting:
                self._leave(each)
        outcomes = {task: self._outcome(each) for task, each in answers.items()}
        return [outcomes[task] for task in tasks]

    def refuse(self) -> None:
        """Take in nothing more."""
        self.stopping = True

    async def drain(self) -> None:
        """Wait for what was taken in, and give up what is still open after the grace."""
        self.refuse()
        awaited = [each.outcome for each in self._held.values() if each.waiting]
        if awaited:
            await asyncio.wait(awaited, timeout=self._settings.grace)
        for each in list(self._held.values()):
            self._settle(each, _given_up(each, _STOPPED))

    async def close(self) -> None:
        """Give up the pairs that are still open, and end the workers."""
        self.refuse()
        for each in list(self._held.values()):
            self._settle(each, _given_up(each, _STOPPED))
        for runner in self._runners:
            runner.cancel()
        await asyncio.gather(*self._runners, return_exceptions=True)
        await asyncio.gather(*(asyncio.to_thread(place.lane.close) for place in self._places))
        self._places, self._runners = [], []

    def _ask(
        self, tasks: Iterable[Task], client: str, seconds: float, end: float
    ) -> dict[Task, PairAnswer | _Asked]:
        """What is known of pairs, or where it will be; the others get in line."""
        if self.stopping:
            raise StoppingError
        answers: dict[Task, PairAnswer | _Asked] = {}
        new: list[_Asked] = []
        for task in tasks:
            key = task.key
            answer, pending = self._known.recall(key), self._held.get(key)
            if answer is not None:
                answers[task] = answer
                self._metrics.remembered()
            elif pending is not None and pending.serves(client, seconds, end):
                answers[task] = pending
            else:
                outcome = asyncio.get_running_loop().create_future()
                asked = _Asked(task, client, key, seconds, end, outcome)
                answers[task] = asked
                new.append(asked)
        if not self._has_room(client, len(new)):
            raise FullError(self._retry_after())
        for asked in new:
            self._get_in_line(asked)
        for each in answers.values():
            if isinstance(each, _Asked):
                each.waiting += 1
        return answers

    def _has_room(self, client: str, number: int) -> bool:
        """Whether a client may bring so many pairs: until the line is full, and a few of its own beyond."""
        queue, after = self._settings.queue, len(self._held) + number
        if after <= queue or not number:
            return True
        own = sum(each.client == client for each in self._held.values())
        return own + number <= max(1, queue // _RESERVE) and after <= 2 * queue

    def _get_in_line(self, asked: _Asked) -> None:
        # One that is held already, for a shorter time, keeps its place under a key of its own.
        held = self._held.pop(asked.key, None)
        if held is not None:
            held.key += bytes(id(held).to_bytes(8, "big"))
            self._held[held.key] = held
        self._held[asked.key] = asked
        self._places[place_of(asked.task.ground, len(self._places))].line.join(asked)

    def _leave(self, asked: _Asked) -> None:
        """One who waited does so no longer; what nobody waits for leaves the line unless it was begun."""
        asked.waiting -= 1
        if asked.waiting or asked.begun or asked.outcome.done():
            return
        self._held.pop(asked.key, None)
        for place in self._places:
            place.line.leave(asked)

    def _settle(self, asked: _Asked, outcome: TaskOutcome) -> None:
        self._held.pop(asked.key, None)
        if not asked.outcome.done():
            asked.outcome.set_result(outcome)

    @staticmethod
    def _outcome(found: PairAnswer | _Asked) -> TaskOutcome:
        if isinstance(found, PairAnswer):
            return found
        return found.outcome.result() if found.outcome.done() else _given_up(found, _LATE)

    def _retry_after(self) -> int:
        """When the line may have moved on, in seconds."""
        return max(1, min(_LONGEST_RETRY, ceil(len(self._held) * self._pace / self._settings.workers)))

    async def _serve(self, place: _Place) -> None:
        """Give one worker its pairs, one after the other."""
        await self._warm(place.lane)
        while True:
            asked = await place.line.next()
            asked.begun = True
            start = monotonic()
            try:
                outcome = await self._share(place, asked)
            except Exception as error:  # noqa: BLE001 - the line goes on, whatever became of one pair
                outcome = _given_up(asked, f"{type(error).__name__}: {error}", Reason.INTERNAL)
            spent = monotonic() - start
            self._pace += _NEWEST * (spent - self._pace)
            if isinstance(outcome, PairAnswer):
                self._metrics.decided(outcome.finding, spent)
                if outcome.lasts:
                    self._known.keep(asked.task.key, outcome, len(outcome.record) + _OVERHEAD)
            self._settle(asked, outcome)

    async def _share(self, place: _Place, asked: _Asked) -> TaskOutcome:
        """What a worker says of a pair within its share of the worker's time."""
        working = asyncio.ensure_future(self._work(place.lane, asked))
        overstaying = asyncio.ensure_future(place.line.overstayed(asked))
        try:
            await asyncio.wait({working, overstaying}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                return working.result()
            await asyncio.to_thread(place.lane.cut_short)
            return _given_up(asked, _SHARED)
        finally:
            working.cancel()
            overstaying.cancel()

    async def _warm(self, lane: Lane) -> None:
        """Let a worker start before the first pair."""
        await asyncio.wrap_future(lane.submit(pair_task.ready, timeout=_WARM_SECONDS))

    async def _work(self, lane: Lane, asked: _Asked) -> TaskOutcome:
        """What a worker says of a pair."""
        task, seconds = asked.task, min(asked.seconds, asked.end - monotonic())
        if seconds <= 0:
            return _given_up(asked, _LATE)
        before = (pair_task.prepare, (task,))
        outcome = await asyncio.wrap_future(
            lane.submit(pair_task.decide, task, timeout=seconds, before=before)
        )
        if not isinstance(outcome, PairAnswer):
            return _without_answer(task, outcome)
        if outcome.open_verdict is None:
            return outcome
        asked.first = outcome
        seconds = min(CONDITION_SECONDS, asked.end - monotonic())
        if seconds <= 0:
            return pair_task.cut_short(task, outcome, Timeout(0))
        more = await asyncio.wrap_future(
            lane.submit(pair_task.complete, task, outcome.open_verdict, timeout=seconds, before=before)
        )
        return more if isinstance(more, PairAnswer) else pair_task.cut_short(task, outcome, more)


def _given_up(asked: _Asked, why: str, reason: Reason = Reason.TIMEOUT) -> PairAnswer:
    """The answer on a pair that is not waited for any longer."""
    if asked.first is not None:
        return asked.first
    return pair_task.answer_of(asked.task, undecided(reason, why, asked.task.options))


def _without_answer(task: Task, outcome: Timeout | Crashed) -> TaskOutcome:
    try:
        return pair_task.answer_of(task, verdict_of(outcome, task.options))
    except InputError as error:
        return error
