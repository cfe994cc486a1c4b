"""The library's entry points, and the one place where default rules and tiers are put together.

>>> import equiv
>>> ddl = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT)"
>>> equiv.check("SELECT DISTINCT id FROM t", "SELECT id FROM t", schema=ddl, timeout=None).name
'equivalent'
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self, TypedDict, Unpack

from equiv.errors import InputError
from equiv.relation import RELATION_NAMES, resolve_relation
from equiv.schema.facts import Fact
from equiv.schema.model import Schema
from equiv.verdict import Reason, Undecided, Verdict

if TYPE_CHECKING:
    from equiv.engine import Engine
    from equiv.isolate import Crashed, Lane, Timeout

EFFORTS = {"quick": 60, "normal": 300, "thorough": 6000}
"""What the named efforts stand for: the number of generated databases tried."""

DEFAULT_TIMEOUT = 60.0

AHEAD = 256
"""How many pairs :func:`check_many` hands to its workers before it waits for a verdict."""
MAX_TIMEOUT = 10_000_000
"""The longest timeout, in seconds: some systems cannot wait much longer."""

_MAX_DIGITS = 20


@dataclass(frozen=True, slots=True)
class Options:
    """How pairs are compared.

    Attributes:
        relation: ``sql``, ``bird``, ``spider``, ``rose``, ``list``, ``bag`` or ``set``.
        facts: the policy, ``declared``, ``intended`` or ``observed``.
        assume: further facts, such as ``not_null(t.c)``.
        strict_float: do not assume exact arithmetic and absence of overflow.
        effort: ``quick``, ``normal``, ``thorough``, or the number of generated databases.
        timeout: seconds after which a pair is given up as TIMEOUT; None runs in this very process.

    Raises:
        InputError: an option has no such value.
    """

    relation: str = "sql"
    facts: str = "intended"
    assume: tuple[str, ...] = ()
    strict_float: bool = False
    effort: str | int = "normal"
    timeout: float | None = DEFAULT_TIMEOUT

    def __post_init__(self) -> None:
        if self.relation not in RELATION_NAMES:
            raise InputError(f"unknown relation {self.relation!r}; choose one of {', '.join(RELATION_NAMES)}")
        if self.facts not in ("declared", "intended", "observed"):
            raise InputError(f"unknown fact policy {self.facts!r}; choose declared, intended or observed")
        if self.databases < 0:
            raise InputError(f"effort must not be negative: {self.effort}")
        if not isinstance(self.timeout, int | float | None):
            raise InputError(f"timeout must be a number of seconds or None: {self.timeout!r}")
        assumed: object = self.assume
        if isinstance(assumed, str):
            raise InputError(f"assume takes a sequence of facts, not one text: {assumed!r}")
        if self.timeout is not None and not 0 < self.timeout <= MAX_TIMEOUT:
            raise InputError(f"timeout must be positive and at most {MAX_TIMEOUT:,} seconds: {self.timeout}")

    @property
    def databases(self) -> int:
        """The effort as a number of databases."""
        if isinstance(self.effort, int):
            return self.effort
        if not isinstance(self.effort, str):
            raise InputError(f"effort must be a name or a whole number: {self.effort!r}")
        if self.effort in EFFORTS:
            return EFFORTS[self.effort]
        if self.effort.isascii() and self.effort.isdigit() and len(self.effort) < _MAX_DIGITS:
            return int(self.effort)
        raise InputError(f"unknown effort {self.effort!r}; choose quick, normal, thorough or a number")


class OptionArguments(TypedDict, total=False):
    """The fields of :class:`Options` as keyword arguments."""

    relation: str
    facts: str
    assume: tuple[str, ...]
    strict_float: bool
    effort: str | int
    timeout: float | None


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
            return self._engine.check(pred, gold)
        return verdict_of(self._submit(pred, gold).result(), self.options)

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
        waiting: deque[Future[Verdict | Timeout | Crashed]] = deque()
        for pred, gold in pairs:
            lane = lanes.setdefault(gold, checkers[len(lanes) % len(checkers)])
            waiting.append(lane._submit(pred, gold))  # noqa: SLF001 - one module
            if len(waiting) > AHEAD:
                yield verdict_of(waiting.popleft().result(), checkers[0].options)
        while waiting:
            yield verdict_of(waiting.popleft().result(), checkers[0].options)
    finally:
        for checker in checkers:
            checker.close()


def make_engine(schema: Schema | None, db: Path | None, options: Options) -> Engine:
    """An engine with the default rules and tiers, for use in this process.

    Raises:
        InputError: an assumed fact is malformed or names what the schema lacks.
    """
    from equiv.engine import Engine
    from equiv.execute import open_file
    from equiv.normalise import RuleSet
    from equiv.schema.observed import mine
    from equiv.schema.policy import facts_for, parse_fact
    from equiv.schema.sqlite import load_sqlite
    from equiv.schema.violations import violated
    from equiv.tiers.data import DataTier
    from equiv.tiers.generate import GenerateTier
    from equiv.tiers.outcome import Settler
    from equiv.tiers.rules import RulesTier
    from rules import RULES

    if schema is None:
        assert db is not None
        schema = load_sqlite(db)
    assumed = [parse_fact(text, schema) for text in options.assume]
    observed: tuple[Fact, ...] = ()
    dropped: tuple[Fact, ...] = ()
    if db is not None:
        try:
            with closing(open_file(db)) as engine:
                if options.facts == "observed":
                    observed = mine(engine.connection, schema)
                facts = facts_for(schema, options.facts, assumed, observed, strict_float=options.strict_float)
                dropped = violated(engine.connection, schema, facts)
        except (OSError, sqlite3.DatabaseError) as error:
            raise InputError(f"{db}: {error}") from None
        except ValueError as error:
            raise InputError(str(error)) from None
    facts = facts_for(schema, options.facts, assumed, observed, strict_float=options.strict_float)
    facts = facts.without(dropped)
    tiers: list[Settler] = [RulesTier(RuleSet(RULES))]
    if db is not None:
        tiers.append(DataTier(db))
    tiers.append(GenerateTier(schema, facts))
    return Engine(schema, facts, dropped, relation=options.relation, effort=options.databases, tiers=tiers)


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
