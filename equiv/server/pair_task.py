"""The tasks of a worker: a pair is decided and its answer written there; the service only passes it on."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from pickle import dumps

from equiv.dialects.registry import dialect_named
from equiv.engine import host
from equiv.engine.host import completed, is_repeatable
from equiv.engine.make import ground_of
from equiv.engine.premises import Premises
from equiv.options import Options
from equiv.records.record import Item, pair_key, to_json, to_record
from equiv.replies.extract import Prediction
from equiv.rewards.reward import Finding, finding_of
from equiv.schema.locate import Place
from equiv.show.schemas import schema_json
from equiv.verdict import Verdict, may_be_conditional
from equiv.workers.lanes import Crashed, Timeout

_SCHEMAS = 16


@lru_cache(maxsize=_SCHEMAS)
def _hash(ddl: str) -> bytes:
    return sha256(ddl.encode("utf-8", "surrogatepass")).digest()


@dataclass(frozen=True, slots=True)
class Task:
    """A pair, and what it is decided on.

    Attributes:
        pred: the predicted query.
        gold: the gold query.
        ddl: the schema as text, which only a worker reads; or
        name: what a database is called, and
        premises: that database, pickled.
        options: how the two are compared.
        remark: what a reader is told of the prediction, if it was taken out of a reply.
    """

    pred: str
    gold: str
    ddl: str
    name: str
    premises: bytes
    options: Options
    remark: str = ""

    @property
    def ground(self) -> bytes:
        """The key that all predictions for one gold query on one database share."""
        parts = (self.gold, _hash(self.ddl), self.premises)
        return sha256(dumps(parts)).digest()

    @property
    def key(self) -> bytes:
        """The key of the answer: whatever it depends on."""
        parts = (self.pred, self.gold, _hash(self.ddl), self.name, self.premises, self.options, self.remark)
        return sha256(dumps(parts)).digest()


@dataclass(frozen=True, slots=True)
class PairAnswer:
    """The answer on a pair, as the service sends it."""

    record: str
    """The result record, as JSON."""
    finding: Finding
    """The same for a reward."""
    lasts: bool
    """Whether it would be the same another time."""
    open_verdict: Verdict | None = None
    """The verdict, where facts are still to be looked for under which the pair would be equivalent."""


def ready() -> None:
    """Do nothing, as the first thing that a worker does."""


def prepare(task: Task) -> None:
    """Read a database outside the time of any pair: the next pair finds it read."""
    if not task.ddl:
        host.prepare(task.premises)
        _digest(task.premises, task.name)


def decide(task: Task) -> PairAnswer:
    """The answer on one pair.

    Raises:
        InputError: the schema or an option cannot be used.
    """
    verdict = host.check_kept(_premises(task), task.pred, task.gold, elsewhere=False)
    found = answer_of(task, verdict, _digest(_premises(task), task.name))
    if task.options.conditions and may_be_conditional(verdict):
        return replace(found, open_verdict=verdict)
    return found


def complete(task: Task, verdict: Verdict) -> PairAnswer:
    """The answer with the facts under which the pair would be equivalent."""
    found = host.complete_kept(verdict, _premises(task), task.pred, task.gold)
    return answer_of(task, found, _digest(_premises(task), task.name))


def cut_short(task: Task, first: PairAnswer, outcome: Timeout | Crashed) -> PairAnswer:
    """The answer as it was, and that the search for further facts was cut short."""
    assert first.open_verdict is not None
    return _answer(task, completed(first.open_verdict, outcome), str(json.loads(first.record)["key"]))


def describe_schema(task: Task) -> str:
    """The schema or database of a task, as ``equiv schema --json`` prints it.

    Raises:
        InputError: it or an option cannot be used.
    """
    premises = Premises.from_pickled(_premises(task))
    ground = ground_of(premises.schema, premises.database, task.options)
    return schema_json(ground.schema, ground.facts, task.name)


def answer_of(task: Task, verdict: Verdict, digest: str | None = None) -> PairAnswer:
    """The answer made of a verdict.

    Args:
        task: the pair.
        verdict: what was found out.
        digest: of schema and data; None: they were not read, and the record has no key.
    """
    return _answer(task, verdict, pair_key(_item(task), digest, task.options) if digest is not None else "")


def _answer(task: Task, verdict: Verdict, key: str) -> PairAnswer:
    told = Prediction(task.pred, task.remark).told_of(verdict)
    record = to_json(to_record(_item(task), told, key, task.options.accepted_rows))
    return PairAnswer(record, finding_of(verdict), is_repeatable(verdict))


def _item(task: Task) -> Item:
    return Item("", None, task.name, task.pred, task.gold)


def _premises(task: Task) -> bytes:
    return _of_ddl(task.ddl, task.options) if task.ddl else task.premises


@lru_cache(maxsize=_SCHEMAS)
def _of_ddl(ddl: str, options: Options) -> bytes:
    # Premises.of would take a text without brackets for the path of a file.
    schema = dialect_named(options.pair_dialect).loader.read_ddl(ddl)
    return Premises.of(schema, None, options).pickled


@lru_cache(maxsize=_SCHEMAS)
def _digest(premises: bytes, name: str) -> str:
    found = Premises.from_pickled(premises)
    return Place(name, found.database, found.schema).digest
