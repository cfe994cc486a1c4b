"""The library's entry points, and the one place where default rules and tiers are put together.

>>> import equiv
>>> ddl = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT)"
>>> equiv.check("SELECT DISTINCT id FROM t", "SELECT id FROM t", schema=ddl, timeout=None).name
'equivalent'
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self, Unpack

from equiv.errors import InputError
from equiv.options import CONDITION_SECONDS, OptionArguments, Options
from equiv.relation import resolve_relation
from equiv.schema.facts import Facts
from equiv.schema.model import Schema
from equiv.verdict import PROVERS, Reason, Tier, Undecided, Verdict, may_be_conditional

if TYPE_CHECKING:
    from equiv.engine import Engine
    from equiv.isolate import Crashed, Lane, Timeout
    from equiv.tiers.outcome import Settler

AHEAD = 256
"""How many pairs :func:`check_many` hands to its workers before it waits for a verdict."""


class Checker:
    """Decides many pairs on one schema.

    Args:
        schema: a :class:`~equiv.schema.model.Schema`, DDL text, or the path of a DDL file;
            by default the schema of ``db``.
        db: the path of a populated SQLite database.
        options: the fields of :class:`Options`.

    With a timeout, pairs run in a worker process that can be killed and whose
    memory is capped; it is started at the first pair and kept.

    Raises:
        InputError: neither schema nor db is given, or one cannot be read, or an option has no such value.
    """

    def __init__(
        self,
        schema: Schema | str | Path | None = None,
        db: str | Path | None = None,
        **options: Unpack[OptionArguments],
    ) -> None:
        self.options = Options(**options)
        self._place = (_schema_of(schema, db), Path(db) if db is not None else None)
        self._engine: Engine | None = None
        self._lane: Lane | None = None

    def check(self, pred: str, gold: str) -> Verdict:
        """The verdict on one pair of SQL texts; never raises for anything that they hold.

        Raises:
            InputError: a query is no text.
        """
        if self.options.timeout is None:
            _require_texts(pred, gold)
            if self._engine is None:
                self._engine = make_engine(*self._place, self.options)
            return self._engine.complete(self._engine.check(pred, gold), pred, gold)
        return self._complete(verdict_of(self._submit(pred, gold).result(), self.options), pred, gold)

    def start(self) -> None:
        """Start the worker process, if there is to be one, before the first pair needs it."""
        if self._lane is None and self.options.timeout is not None:
            self._lane = _new_lane(*self._place, self.options)

    def _submit(self, pred: str, gold: str) -> Future[Verdict | Timeout | Crashed]:
        _require_texts(pred, gold)
        self.start()
        assert self._lane is not None
        assert self.options.timeout is not None
        return self._lane.submit(_check_here, pred, gold, timeout=self.options.timeout)

    def _complete(self, verdict: Verdict, pred: str, gold: str) -> Verdict:
        """The verdict with further facts, if they are wanted and found in time."""
        if not self.options.conditions or not may_be_conditional(verdict):
            return verdict
        assert self._lane is not None
        assert self.options.timeout is not None
        seconds = min(self.options.timeout, CONDITION_SECONDS)
        found = self._lane.call(_complete_here, verdict, pred, gold, timeout=seconds)
        return found if isinstance(found, Verdict) else verdict

    def close(self) -> None:
        """End the worker process, if there is one."""
        if self._lane is not None:
            self._lane.close()
            self._lane = None
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Literal[False]:
        self.close()
        return False


def _require_texts(*queries: object) -> None:
    for query in queries:
        if not isinstance(query, str):
            raise InputError(f"a query must be a text, not {type(query).__name__}")


def check(
    pred: str,
    gold: str,
    *,
    schema: Schema | str | Path | None = None,
    db: str | Path | None = None,
    **options: Unpack[OptionArguments],
) -> Verdict:
    """The verdict on one pair of SQL texts; for many pairs on one schema, a :class:`Checker` is faster.

    Args:
        pred: the predicted query.
        gold: the gold query.
        schema: a schema, DDL text, or the path of a DDL file; by default that of ``db``.
        db: the path of a populated SQLite database.
        options: the fields of :class:`Options`.

    Raises:
        InputError: schema, db or an option cannot be used; nothing that the queries hold raises.
    """
    with Checker(schema, db, **options) as checker:
        return checker.check(pred, gold)


def check_many(
    pairs: Iterable[tuple[str, str]],
    *,
    schema: Schema | str | Path | None = None,
    db: str | Path | None = None,
    workers: int = 1,
    **options: Unpack[OptionArguments],
) -> Iterator[Verdict]:
    """The verdicts on many (prediction, gold) pairs of one schema, in their order.

    Pairs with the same gold text go to one worker in order, so that verdicts
    do not depend on the number of workers.  Timeouts need worker processes;
    without a timeout everything runs in this process.  Pairs are read a little
    ahead of the verdicts, so an endless iterable will do.  With several workers
    a script needs ``if __name__ == "__main__"``, as multiprocessing asks.

    Raises:
        InputError: as :func:`check`, before the first verdict.
    """
    checkers = [Checker(schema, db, **options) for _ in range(max(1, workers))]
    try:
        if checkers[0].options.timeout is None:
            yield from (checkers[0].check(pred, gold) for pred, gold in pairs)
            return
        lanes: dict[str, Checker] = {}
        waiting: deque[tuple[Checker, str, str, Future[Verdict | Timeout | Crashed]]] = deque()
        for pred, gold in pairs:
            lane = lanes.setdefault(gold, checkers[len(lanes) % len(checkers)])
            waiting.append((lane, pred, gold, lane._submit(pred, gold)))  # noqa: SLF001 - one module
            if len(waiting) > AHEAD:
                yield _awaited(*waiting.popleft())
        while waiting:
            yield _awaited(*waiting.popleft())
    finally:
        for checker in checkers:
            checker.close()


def _awaited(checker: Checker, pred: str, gold: str, outcome: Future[Verdict | Timeout | Crashed]) -> Verdict:
    verdict = verdict_of(outcome.result(), checker.options)
    return checker._complete(verdict, pred, gold)  # noqa: SLF001 - one module


def make_engine(schema: Schema | None, db: Path | None, options: Options) -> Engine:
    """An engine with the default rules and tiers, for use in this process.

    Raises:
        InputError: an assumed fact is malformed or names what the schema lacks.
    """
    from equiv.engine import Engine
    from equiv.ground import ground_of

    ground = ground_of(schema, db, options)
    tiers = make_tiers(ground.schema, ground.facts, db)
    chosen = [tier for tier in tiers if tier.tier in options.tiers]
    search = None
    if options.conditions:
        from equiv.conditions import ConditionSearch

        provers = [tier for tier in chosen if tier.tier in PROVERS]
        search = ConditionSearch(provers, ground.dropped, db)
    return Engine(
        ground.schema,
        ground.facts,
        ground.dropped,
        relation=options.relation,
        effort=options.databases,
        tiers=chosen,
        backstop=tiers,
        conditions=search,
    )


def make_tiers(schema: Schema, facts: Facts, db: Path | None) -> list[Settler]:
    """The default tiers after ``parse``, in the order in which they are tried."""
    from equiv.normal_forms import NormalForms
    from equiv.normalise import RuleSet
    from equiv.tiers.data import DataTier
    from equiv.tiers.deferred import Deferred
    from equiv.tiers.generate import GenerateTier
    from equiv.tiers.rules import RulesTier
    from rules import RULES

    def make_proof() -> Settler:
        from equiv.tiers.proof import ProofTier

        return ProofTier(rules, forms)

    def make_search() -> Settler:
        from equiv.tiers.search import SearchTier

        return SearchTier(schema, facts)

    rules = RuleSet(RULES)
    forms = NormalForms(rules)
    data = [DataTier(db)] if db is not None else []
    return [
        RulesTier(rules, forms),
        *data,
        GenerateTier(schema, facts),
        Deferred(Tier.PROOF, make_proof),
        Deferred(Tier.SEARCH, make_search),
    ]


def _schema_of(schema: Schema | str | Path | None, db: str | Path | None) -> Schema | None:
    from equiv.schema.ddl import load_ddl

    if schema is None and db is None:
        raise InputError("give schema, db or both: the queries are compared on a schema")
    if schema is None or isinstance(schema, Schema):
        return schema
    if not isinstance(schema, str | Path):
        raise InputError(f"schema must be a Schema, a text or a path, not {type(schema).__name__}")
    if isinstance(schema, Path) or (";" not in schema and "(" not in schema):
        path = Path(schema)
        try:
            return load_ddl(path.read_text(encoding="utf-8"), path.stem)
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None
    return load_ddl(schema)


# What follows runs in the worker.


@dataclass
class _Worker:
    """The engine of this worker process."""

    engine: Engine | None = field(default=None)


_worker = _Worker()


def _start_worker(schema: Schema | None, db: Path | None, options: Options) -> None:
    _worker.engine = make_engine(schema, db, options)


def _check_here(pred: str, gold: str) -> Verdict:
    assert _worker.engine is not None
    return _worker.engine.check(pred, gold)


def _complete_here(verdict: Verdict, pred: str, gold: str) -> Verdict:
    assert _worker.engine is not None
    return _worker.engine.complete(verdict, pred, gold)


def _new_lane(schema: Schema | None, db: Path | None, options: Options) -> Lane:
    from equiv.isolate import Lane

    return Lane(_start_worker, schema, db, options)


def verdict_of(outcome: Verdict | Timeout | Crashed, options: Options) -> Verdict:
    """The verdict for whatever a worker came back with."""
    from equiv.isolate import Crashed, Timeout

    match outcome:
        case Timeout(seconds):
            reason, detail = Reason.TIMEOUT, f"no verdict within {seconds:g} seconds"
        case Crashed("raised", message) if message.startswith("InputError: "):
            raise InputError(message.removeprefix("InputError: "))
        case Crashed("raised", message):
            reason, detail = Reason.INTERNAL, message
        case Crashed(_, message):
            reason, detail = Reason.RESOURCE, message
        case _:
            return outcome
    # The gold query was not read here: a preset is taken as if it ordered nothing.
    relation = resolve_relation(options.relation, gold_orders=False)
    return Undecided(relation=relation, reason=reason, detail=detail)
