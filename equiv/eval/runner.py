"""Running the pairs of an evaluation on several lanes, of this machine or of a Ray cluster.

The predictions for one gold query go to one lane, in file order, so that what refuted one is tried on the
next, whatever the other lanes do.  A pair that overstays its time, exhausts memory or takes its process
down ends as a record like any other; the lane goes on with a fresh process.

A lane is a killable worker process. What a worker has gathered of a gold query, the databases that
refuted earlier predictions, goes with it when it dies. The next worker is then given those predictions
again, so that no verdict depends on what happened to a process; and a pair whose worker somebody else
killed is tried once more.

On a cluster, for what one machine is too slow for, a lane is an actor that hands tasks on to a worker
process of its own, which has the same deadline and the same cap on memory as one on this machine: records
are the same, times apart.  The machines need the same version of equiv and the same databases under the
same paths; both are looked after.  An actor that is lost, with its machine or alone, is replaced, and its
pair tried once more.  The option ``--engine`` chooses between these lanes and those of this machine.
"""

from __future__ import annotations

import logging
import os
import socket
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

from equiv.engine.host import verdict_or_trouble
from equiv.errors import InputError
from equiv.eval import worker
from equiv.eval.plan import Job, JobGroup, Setting
from equiv.records.record import Record, to_record, versions
from equiv.scratch import Closing
from equiv.verdict import NotEquivalent, Tier, Verdict
from equiv.workers.lanes import LOST, Crashed, Lane, Timeout, has_ruined, was_killed
from equiv.workers.scheduler import Course, share_out

T = TypeVar("T")


OpenLane = Callable[[Mapping[str, Setting]], "Lane | RayLane"]
"""What opens a lane whose workers know some settings; it is entered before it is used."""


def local_lane(settings: Mapping[str, Setting]) -> Lane:
    """A lane on this machine: no fork, which would hold the files of a run that is killed, and outlive it."""
    return Lane(worker.kind_of(settings))


CheckPair = Callable[[str, str, str], Verdict]
"""What a lane calls for a pair: database name, prediction, gold query."""

PairOutcome = Verdict | Timeout | Crashed

RECYCLED_AFTER = 1000
"""Pairs after which a lane begins the next gold query with a new worker."""

GIVEN_AGAIN = 32
"""So many refuted predictions, the latest, are given again to a new worker."""


def run(
    groups: Iterable[JobGroup],
    settings: Mapping[str, Setting],
    workers: int,
    check_pair: CheckPair = worker.check_pair,
    *,
    open_lane: OpenLane = local_lane,
) -> Generator[Record]:
    """The records of all pairs, as they are settled; never raises for a pair.

    Groups are taken as lanes become free for them.  Closing the iterator, or
    an interrupt, kills the workers.

    Raises:
        InputError: a lane cannot be opened, or its machine has other data.
    """
    pauses = run_with_pauses(groups, settings, workers, None, check_pair, open_lane=open_lane)
    with closing(pauses) as records:
        yield from filter(None, records)


def run_with_pauses(
    groups: Iterable[JobGroup],
    settings: Mapping[str, Setting],
    workers: int,
    patience: float | None,
    check_pair: CheckPair = worker.check_pair,
    *,
    open_lane: OpenLane = local_lane,
) -> Generator[Record | None]:
    """As :func:`run`, with a None after each ``patience`` seconds without a record, for the caller's turn."""

    def course(own: Iterator[JobGroup]) -> Course[Record]:
        pairs = 0
        with open_lane(settings) as lane:
            for group in own:
                fresh = pairs >= RECYCLED_AFTER
                pairs = yield from _check_group(lane, group, settings, check_pair, 0 if fresh else pairs)

    return share_out(groups, workers, course, patience)


def _check_group(
    lane: Lane | RayLane, group: JobGroup, settings: Mapping[str, Setting], check_pair: CheckPair, pairs: int
) -> Generator[Future[PairOutcome] | Record, PairOutcome, int]:
    """Check the pairs of one gold query.

    Args:
        lane: where.
        group: the pairs.
        settings: the databases.
        check_pair: checks one.
        pairs: how many the worker at hand was given; 0: a new one begins.

    Returns:
        how many it was given in the end.
    """
    jobs = deque(group)
    refuted: deque[Job] = deque(maxlen=GIVEN_AGAIN)
    """Jobs that left a generated database in the worker."""
    tried_again: Job | None = None
    while jobs:
        job, setting = jobs[0], settings[jobs[0].item.db_id]
        texts = job.item.db_id, job.item.predicted_sql, job.item.gold_sql
        outcome = yield lane.submit(check_pair, *texts, timeout=setting.seconds, fresh=not pairs)
        pairs += 1
        again = was_killed(outcome) and job != tried_again
        if again:
            tried_again = job
        else:
            jobs.popleft()
        if has_ruined(outcome):
            pairs = 0
            if any(not each.recorded for each in jobs):
                jobs.extendleft(reversed(refuted))
            refuted.clear()
        verdict = verdict_or_trouble(outcome, setting.options)
        if isinstance(verdict, NotEquivalent) and verdict.tier is Tier.GENERATE:
            refuted.append(replace(job, recorded=True))
        if not again and not job.recorded:
            yield to_record(job.item, verdict, job.key, setting.options.accepted_rows)
    return pairs


_ANSWERS = 30.0
"""Seconds in which a cluster answers at all."""


class Cluster(Closing):
    """A connection to a cluster; leave it to end what runs there.

    Args:
        address: of a running cluster, as ``ray.init`` takes it; '' starts one on this machine.
        workers: how many lanes there are to be.

    Raises:
        InputError: Ray is not installed or the cluster cannot be reached, or has fewer processors.
    """

    def __init__(self, address: str, workers: int) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            import ray
        except ModuleNotFoundError:
            raise InputError("--engine ray needs Ray: pip install -e '.[ray]'") from None
        _refuse_deaf(address)
        own = {} if address else {"num_cpus": workers, "include_dashboard": False}
        try:
            ray.init(address or "local", log_to_driver=False, logging_level=logging.ERROR, **own)
        except Exception as error:  # noqa: BLE001 - Ray raises just this where a node does not start in time
            raise InputError(f"Ray cannot be reached: {' '.join(str(error).split())}") from None
        self._ray: Any = ray
        processors = int(ray.cluster_resources().get("CPU", 0))
        if processors < workers:
            self.close()
            raise InputError(f"--workers {workers}: the cluster has {processors} processors")

    def close(self) -> None:
        """End what runs there for us."""
        self._ray.shutdown()

    def open_lane(self, settings: Mapping[str, Setting]) -> RayLane:
        """A lane on one of its machines."""
        return RayLane(self._ray, settings)


def _refuse_deaf(address: str) -> None:
    """Refuse an address where nobody answers: Ray would try it for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        try:
            socket.create_connection((host, int(port)), timeout=_ANSWERS).close()
        except (OSError, OverflowError) as error:
            raise InputError(f"Ray cannot be reached: {address}: {error}") from None


class RayLane:
    """A lane that is an actor: one worker after the other that performs tasks in order."""

    def __init__(self, ray: Any, settings: Mapping[str, Setting]) -> None:
        station = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=0)(Station)
        self._ray = ray
        self._actor = station.remote(settings, str(Path.cwd()), versions())

    def submit(
        self, function: Callable[..., T], *args: object, timeout: float, fresh: bool = False
    ) -> Future[T | Timeout | Crashed]:
        """Have a task performed; the future raises InputError where the machine has other data."""
        outcome: Future[T | Timeout | Crashed] = Future()
        reference = self._actor.perform.remote(function, args, timeout, fresh)
        reference.future().add_done_callback(partial(self._pass_on, outcome))
        return outcome

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._ray.kill(self._actor)

    def _pass_on(self, outcome: Future[Any], found: Future[Any]) -> None:
        try:
            value = found.result()
        except self._ray.exceptions.RayActorError as error:
            value = Crashed("died", f"{LOST}: {' '.join(str(error).split())}")
        except Exception as error:  # noqa: BLE001 - it belongs to whoever waits for the outcome
            outcome.set_exception(error)
            return
        if isinstance(value, MachineRefusal):
            outcome.set_exception(InputError(value.why))
        else:
            outcome.set_result(value)


class MachineRefusal:
    """Why a machine cannot serve: an answer, since Ray wraps exceptions in types of its own."""

    def __init__(self, why: str) -> None:
        self.why = why


class Station:
    """The actor: a worker process on its machine, and what its tasks may rely on.

    Args:
        settings: of the databases.
        folder: what relative paths start from.
        expected: the versions that the records will name.
    """

    def __init__(self, settings: Mapping[str, Setting], folder: str, expected: Mapping[str, str]) -> None:
        if Path(folder).is_dir():
            os.chdir(folder)
        self._settings = settings
        self._expected = dict(expected)
        self._lane = local_lane(settings)
        self._seen: set[str] = set()

    def perform(
        self, function: Callable[..., object], arguments: tuple[str, ...], timeout: float, fresh: bool
    ) -> object:
        """The outcome of a task on the cluster; its first argument names the database."""
        if (why := self._trouble(arguments[0])) is not None:
            return MachineRefusal(f"{os.uname().nodename}: {why}")
        return self._lane.submit(function, *arguments, timeout=timeout, fresh=fresh).result()

    def _trouble(self, db_id: str) -> str | None:
        if db_id in self._seen:
            return None
        if versions() != self._expected:
            return f"runs {versions()}, not {self._expected}"
        place = self._settings[db_id].place
        try:
            digest = replace(place).digest  # of a copy, which reads the file that is here
        except OSError as error:
            return f"{place.database}: {error.strerror or error}"
        if digest != place.digest:
            return f"{place.database} is not the file that the run began with"
        self._seen.add(db_id)
        return None


ENGINES = ("local", "ray")
"""What ``--engine`` takes."""


def lanes_on(engine: str, address: str, workers: int, owned: ExitStack) -> OpenLane:
    """The function that opens the lanes of an evaluation.

    Args:
        engine: one of :data:`ENGINES`.
        address: of a running Ray cluster; '' starts one on this machine.
        workers: how many lanes there are to be.
        owned: closes what is opened here.

    Raises:
        InputError: there is no such engine, or it cannot be used.
    """
    if engine not in ENGINES:
        raise InputError(f"unknown engine {engine!r}; choose one of {', '.join(ENGINES)}")
    if engine == "local":
        if address:
            raise InputError("--address is that of a Ray cluster: give --engine ray too")
        return local_lane
    return owned.enter_context(Cluster(address, workers)).open_lane
