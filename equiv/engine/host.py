"""One host of engines in processes: what a worker keeps, what becomes of its outcomes, and who asks it.

A worker process keeps the engines of the last few premises; :class:`Checker`, rewards and the service ask
them.  Single calls, pairs decided each as if it were the only one, share one worker, which is started at the
first and kept: it keeps what it read of the last few schemas and databases, but nothing of the pairs.
Whatever a stranger may have made, DDL, database and queries, is read by a worker, within the call's time.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self, TypeVar, Unpack

from equiv import verdict as v
from equiv.core.model import Schema
from equiv.engine.premises import Premises, SchemaGiven, read_ddl
from equiv.errors import InputError
from equiv.options import CONDITION_SECONDS, OptionArguments, Options, taking_options
from equiv.relation import resolve_relation
from equiv.workers.lanes import Crashed, ForkSafe, Timeout, WorkerKind, result_of
from equiv.workers.process import PATIENCE, TaskCall
from equiv.workers.scheduler import Lanes, Memory

if TYPE_CHECKING:
    from equiv.engine.make import Ground
    from equiv.engine.pipeline import Engine

ENGINES = 12
"""For how many premises a worker keeps what it knows: schema, facts, gold queries, databases that told."""
_GROUNDS = 8
_THRESHOLDS = (10_000, 20, 20)
"""Some 10 MB more at most, and a twentieth of the time less, than by Python's own."""
_OF_THE_MOMENT = (v.Reason.TIMEOUT, v.Reason.RESOURCE, v.Reason.INTERNAL)
"""Reasons that another try may not give."""

_Asked = tuple[bytes, str, str]
"""Premises, prediction and gold query."""
_Outcome = Future[v.Verdict | Timeout | Crashed]

Returned = TypeVar("Returned")


def is_repeatable(verdict: object) -> bool:
    """Whether this is a verdict in which neither time nor memory had a part."""
    if not isinstance(verdict, v.Verdict):
        return False
    if any(attempt.outcome == "failed" for attempt in verdict.attempts):
        return False
    if not isinstance(verdict, v.Undecided):
        return True
    ends = (verdict.reason, *(attempt.reason for attempt in verdict.attempts))
    return not any(end.startswith(_OF_THE_MOMENT) for end in ends)


def verdict_of(outcome: v.Verdict | Timeout | Crashed, options: Options) -> v.Verdict:
    """The verdict for whatever a worker came back with.

    Raises:
        InputError: the premises cannot be used.
    """
    match outcome:
        case Timeout() | Crashed():
            reason, detail = _why(outcome)
        case _:
            return outcome
    if reason is v.Reason.INTERNAL and detail.startswith(_INPUT):
        raise InputError(detail.removeprefix(_INPUT))
    return undecided(reason, detail, options)


def verdict_or_trouble(outcome: v.Verdict | Timeout | Crashed, options: Options) -> v.Verdict:
    """As :func:`verdict_of`; where the premises cannot be used, that is the verdict's detail."""
    try:
        return verdict_of(outcome, options)
    except InputError as error:
        return undecided(v.Reason.INTERNAL, str(error), options)


_INPUT = "InputError: "


def undecided(reason: v.Reason, detail: str, options: Options) -> v.Undecided:
    """The verdict on a pair that nobody read: a preset of relations is taken as if gold ordered nothing."""
    relation = resolve_relation(options.relation, gold_orders=False)
    return v.Undecided(relation=relation, reason=reason, detail=detail)


def completed(verdict: v.Verdict, outcome: v.Verdict | Timeout | Crashed) -> v.Verdict:
    """A verdict with further facts, as a worker found them; or as it was, and that it was cut short."""
    if not isinstance(outcome, Timeout | Crashed):
        return outcome
    reason, detail = _why(outcome)
    spent = outcome.seconds * 1000 if isinstance(outcome, Timeout) else 0.0
    cut = v.Attempt(v.Tier.PROOF, "failed", f"{reason} {v.FURTHER_FACTS}: {detail}", spent)
    return replace(verdict, attempts=(*verdict.attempts, cut))


def _why(outcome: Timeout | Crashed) -> tuple[v.Reason, str]:
    match outcome:
        case Timeout(seconds, by_clock=False):
            return v.Reason.TIMEOUT, f"no verdict within {seconds:g} seconds"
        case Timeout(seconds):
            return (
                v.Reason.TIMEOUT,
                f"no verdict within {PATIENCE * seconds:g} seconds of wall time; the machine is busy",
            )
        case Crashed("raised", message):
            return v.Reason.INTERNAL, message
    return v.Reason.RESOURCE, outcome.message


def require_texts(*queries: object) -> None:
    """Raise InputError for a query that is not text."""
    for query in queries:
        if not isinstance(query, str):
            raise InputError(f"a query must be a str, not {type(query).__name__}")


# What follows runs in a worker, or without a timeout in the process that asks.


def preload() -> None:
    """Import what the first pair needs; nothing of it is garbage, or ever will be."""
    from equiv.engine.make import import_first_tiers

    gc.disable()
    import_first_tiers()
    _collect_seldom()


def _collect_seldom() -> None:
    """Let the collector of a worker skip all that there is, and else run once for many new objects.

    Trees refer to their parents: what a pair leaves behind is garbage that only the collector finds.
    """
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    gc.enable()


def engine_for(premises: Premises) -> Engine:
    """An engine with the default rules and tiers, for use in this process.

    Raises:
        InputError: see :func:`equiv.engine.make.make_engine`.
    """
    from equiv.engine.make import make_engine

    return make_engine(premises.schema, premises.database, premises.options)


_engines: Memory[Engine] = Memory(ENGINES, lambda engine: engine.close())


def engine_of(pickled: bytes) -> Engine:
    """The engine of some premises, kept for later pairs."""
    engine = _engines.recall(pickled)
    if engine is None:
        engine = engine_for(Premises.from_pickled(pickled))
        _engines.keep(pickled, engine)
    return engine


def prepare(*several: bytes) -> None:
    """Read facts and data of some premises, unless that was done; the first engine is no garbage."""
    for pickled in several:
        if len(_engines):
            engine_of(pickled).open()
            continue
        gc.disable()
        try:
            engine_of(pickled).open()
        finally:
            _collect_seldom()


def check_kept(
    pickled: bytes, pred: str, gold: str, *, elsewhere: bool = True, naming: v.Naming = v.Naming.FEWEST
) -> v.Verdict:
    """The verdict on one pair, by the engine that is kept.

    Args:
        pickled: the premises.
        pred: the prediction.
        gold: the gold query.
        elsewhere: whether another version of the engine runs its witness: that changes no verdict.
        naming: which facts an equivalence names.
    """
    return engine_of(pickled).check(pred, gold, elsewhere=elsewhere, naming=naming)


def complete_kept(verdict: v.Verdict, pickled: bytes, pred: str, gold: str) -> v.Verdict:
    """The verdict with the facts under which the pair would be equivalent."""
    return engine_of(pickled).complete(verdict, pred, gold)


def check_alone(pickled: bytes, pred: str, gold: str) -> v.Verdict:
    """The verdict on one pair, by an engine that has seen no other."""
    with closing(_fresh_engine(pickled)) as engine:
        return engine.check(pred, gold)


def complete_alone(verdict: v.Verdict, pickled: bytes, pred: str, gold: str) -> v.Verdict:
    """The verdict with the facts under which the pair would be equivalent."""
    with closing(_fresh_engine(pickled)) as engine:
        return engine.complete(verdict, pred, gold)


def _fresh_engine(pickled: bytes) -> Engine:
    from equiv.engine.make import engine_on

    premises = Premises.from_pickled(pickled)
    return engine_on(_ground(pickled), premises.database, premises.options)


@lru_cache(maxsize=_GROUNDS)
def _ground(pickled: bytes) -> Ground:
    from equiv.engine.make import ground_of

    premises = Premises.from_pickled(pickled)
    return ground_of(premises.schema, premises.database, premises.options)


# What follows asks a worker.  One is replaced after so many tasks, so that what leaks in it stays small.

SERVING = WorkerKind(preload, max_tasks=20_000)
"""The workers of rewards and of the service."""

_in_process = ForkSafe(threading.RLock)
"""Held by who decides a pair in this very process: Z3 has one context, SQLite one connection for all."""


@dataclass(frozen=True)
class _Host:
    """Lanes whose workers decide pairs, and how: each by itself, or by an engine that is kept."""

    lanes: Lanes
    keeps: bool
    memory: Memory[v.Verdict] = field(default_factory=Memory)

    def decide(
        self, asked: _Asked, options: Options, seconds: float | None, here: Callable[..., v.Verdict]
    ) -> v.Verdict:
        """The verdict on a pair: remembered, or by a worker in so many seconds, or by this very process."""
        verdict = self.memory.recall(asked)
        if verdict is None:
            if seconds is None:
                with _in_process.lock:
                    verdict = here(*asked)
            else:
                verdict = self.told(self.submit(asked, seconds), asked, options)
            if is_repeatable(verdict):
                self.memory.keep(asked, verdict)
        return verdict

    def told(self, outcome: _Outcome, asked: _Asked, options: Options) -> v.Verdict:
        """The verdict that comes, with further facts if they are wanted."""
        verdict = verdict_of(_whole(result_of(outcome), options), options)
        if verdict.queries is None:
            verdict = replace(verdict, queries=asked[1:])
        return self._with_further_facts(verdict, asked, options)

    def submit(self, asked: _Asked, seconds: float) -> _Outcome:
        """Have a worker decide a pair."""
        check = check_kept if self.keeps else check_alone
        return self.lanes.lane().submit(check, *asked, timeout=seconds, before=self._before(asked))

    def _with_further_facts(self, verdict: v.Verdict, asked: _Asked, options: Options) -> v.Verdict:
        """The verdict, with the facts under which the pair would be equivalent if they are wanted."""
        if not options.conditions or not v.may_be_conditional(verdict):
            return verdict
        seconds = min(options.timeout or CONDITION_SECONDS, CONDITION_SECONDS)
        complete = complete_kept if self.keeps else complete_alone
        lane, before = self.lanes.lane(), self._before(asked)
        return completed(verdict, lane.call(complete, verdict, *asked, timeout=seconds, before=before))

    def _before(self, asked: _Asked) -> TaskCall | None:
        """What a worker does first, at nobody's expense."""
        return (prepare, asked[:1]) if self.keeps else None


_alone = _Host(Lanes(WorkerKind(preload, max_tasks=2_000)), keeps=False)
_schemas: Memory[Schema] = Memory(16)


def start(*, fork: bool = False) -> None:
    """Start the worker of single calls before the first pair needs it.

    Args:
        fork: as for :class:`~equiv.workers.lanes.Lane`: for programs of our own.
    """
    _alone.lanes.start(fork=fork)


class GivenUpError(Exception):
    """Neither time nor memory sufficed to read DDL; the message says which.

    Args:
        verdict: what is to be said of the pair.
    """

    def __init__(self, verdict: v.Undecided) -> None:
        super().__init__(f"the DDL could not be read: {verdict.detail}")
        self.verdict = verdict


class Call:
    """One call, whose time runs from now on.

    Args:
        options: how the pair is compared.
        lanes: whose workers read DDL, if not the one that all calls share.
    """

    def __init__(self, options: Options, lanes: Lanes = _alone.lanes) -> None:
        self._options = options
        self._readers = lanes
        self._end = None if options.timeout is None else monotonic() + options.timeout

    def load_ddl(self, text: str, name: str = "", dialect: str = "") -> Schema:
        """The schema of some DDL, in a dialect or, without one, in that of the options.

        Raises:
            InputError: it cannot be used.
            GivenUpError: it was not read in time.
        """
        asked = (text, name, dialect or self._options.pair_dialect)
        found = _schemas.recall(asked)
        if found is None:
            found = self._load(asked)
            _schemas.keep(asked, found)
        return found

    def _load(self, asked: tuple[str, str, str]) -> Schema:
        if self._end is None:
            return read_ddl(*asked)
        outcome = self._readers.lane().call(read_ddl, *asked, timeout=self._left())
        if isinstance(outcome, Schema):
            return outcome
        verdict = verdict_of(_whole(outcome, self._options), self._options)
        assert isinstance(verdict, v.Undecided)
        raise GivenUpError(verdict)

    def check(self, premises: Premises, pred: str, gold: str) -> v.Verdict:
        """The verdict on one pair.

        Raises:
            InputError: a query is no text, or the premises cannot be used.
        """
        require_texts(pred, gold)
        seconds = None if self._end is None else self._left()
        asked = premises.pickled, pred, gold
        return _alone.decide(asked, self._options, seconds, _decide_here)

    def _left(self) -> float:
        assert self._end is not None
        return max(0.001, self._end - monotonic())


def _decide_here(*asked: *_Asked) -> v.Verdict:
    return complete_alone(check_alone(*asked), *asked)


def _whole(outcome: Returned | Timeout | Crashed, options: Options) -> Returned | Timeout | Crashed:
    """An outcome, its time that of the whole call, which began before the task."""
    whole = options.timeout
    is_part = isinstance(outcome, Timeout) and whole is not None and outcome.seconds != whole
    return Timeout(whole) if is_part and whole is not None else outcome


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
        lanes = Lanes(WorkerKind(preload))
        try:
            premises = Premises.of(schema, db, chosen, Call(chosen, lanes).load_ddl)
        except GivenUpError as error:
            raise InputError(str(error)) from None
        self._set_up(premises, lanes)

    def _set_up(self, premises: Premises, lanes: Lanes) -> None:
        self._premises = premises
        self._lanes = lanes
        self._host = _Host(lanes, keeps=True)
        self._engine: Engine | None = None
        self._engine_process = 0

    @property
    def options(self) -> Options:
        """How pairs are compared."""
        return self._premises.options

    def check(self, pred: str, gold: str) -> v.Verdict:
        """The verdict on one pair of SQL texts; never raises for anything that they hold.

        Raises:
            InputError: a query is no text.
        """
        require_texts(pred, gold)
        return self._host.decide(
            self._asked(pred, gold), self.options, self.options.timeout, self._decide_here
        )

    def start(self) -> None:
        """Start the worker process, if there is to be one, before the first pair needs it."""
        if self.options.timeout is not None:
            self._lanes.start()

    def _engine_here(self) -> Engine:
        """The engine of this process; one that a fork inherited is not used: its database is its parent's."""
        if self._engine is None or self._engine_process != os.getpid():
            _inherited.append(self._engine)
            self._engine = engine_for(self._premises)
            self._engine_process = os.getpid()
        return self._engine

    def _decide_here(self, _: bytes, pred: str, gold: str) -> v.Verdict:
        engine = self._engine_here()
        return engine.complete(engine.check(pred, gold), pred, gold)

    def _asked(self, pred: str, gold: str) -> _Asked:
        return self._premises.pickled, pred, gold

    def _submit(self, pred: str, gold: str) -> _Outcome:
        require_texts(pred, gold)
        assert self.options.timeout is not None
        return self._host.submit(self._asked(pred, gold), self.options.timeout)

    def _await(self, pred: str, gold: str, outcome: _Outcome) -> v.Verdict:
        return self._host.told(outcome, self._asked(pred, gold), self.options)

    def close(self) -> None:
        """End the worker process, if there is one; the next pair starts another."""
        self._lanes.close()
        with _in_process.lock:
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
        self._set_up(premises, Lanes(WorkerKind(preload)))
