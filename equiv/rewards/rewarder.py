"""Rewards for predictions, one by one or in batches, from worker processes that can be killed.

A completion is a text or the messages of a chat. The database that a trainer names: a file, a name, DDL, a
schema.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Any, Unpack

from equiv.core.connection import is_url
from equiv.core.model import Schema
from equiv.dialects.registry import dialect_named
from equiv.engine.host import SERVING, Call, GivenUpError, prepare, verdict_of
from equiv.engine.premises import Premises, ReadsDdl
from equiv.errors import InputError, require_many
from equiv.options import Options
from equiv.replies.extract import query_in
from equiv.rewards.reward import (
    FURTHER,
    Finding,
    FirstLook,
    Outcome,
    Reward,
    SettingArguments,
    Settings,
    finding_of,
    first_look,
    second_look,
    wants_second_look,
)
from equiv.schema.locate import looks_like_path, place_for_check
from equiv.scratch import Closing
from equiv.workers.lanes import Crashed, Lane, Timeout, first_done
from equiv.workers.scheduler import Lanes, Memory


def query_of(completion: object) -> str:
    """The query that a completion gives; '' if there is none.

    Args:
        completion: a text, or the messages of a chat, of which the last counts: what trainers hand over.
    """
    return query_in(text_of(completion)).strip()


def text_of(completion: object) -> str:
    """The text of a completion; '' if it has none."""
    # A loop, since a trainer may hand over what is nested deeper than calls can be.
    while True:
        match completion:
            case str():
                return completion
            case [*_, {"content": content}] | {"content": content}:
                completion = content
            case [*_, {"text": str(text)}] | {"text": str(text)}:
                return text
            case _:
                return ""


_LOG = logging.getLogger("equiv.rewards")
_TOLD = 1_000
"""How many different troubles are logged at most."""

DEFAULTS = Settings()

_Outcome = Future[FirstLook | Finding | Timeout | Crashed]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a finding depends on."""

    premises: bytes
    observed: bytes | None
    pred: str
    gold: str


OneDatabase = str | Path | Schema | Mapping[str, object]
_ONE = (str, Path, Schema, Mapping)
"""What is one for all items, and no sequence."""


class Rewarder(Closing):
    """Gives rewards; keeps its workers and what it found out.

    It may be used from several threads, in forks, and in daemonic workers of trainers; a pickled one
    starts anew where it arrives.

    Args:
        settings: how rewards are given.
    """

    def __init__(self, settings: Settings = DEFAULTS) -> None:
        self._set_up(settings)

    def _set_up(self, settings: Settings) -> None:
        self.settings = settings
        self._memory: Memory[Finding] = Memory(settings.remembered)
        self._lanes = Lanes(SERVING, settings.workers)
        self._told: set[str] = set()

    def reward(self, pred: object, gold: object, db: object) -> Reward:
        """The reward of a prediction; never raises for anything that the three texts hold.

        Args:
            pred: the prediction: SQL, or a completion that has it.
            gold: the gold query.
            db: a SQLite file, the name of one, DDL or a :class:`~equiv.Schema`.
        """
        return self.rewards([pred], [gold], [db])[0]

    def rewards(
        self, preds: Iterable[object], golds: Iterable[object] | str, dbs: Iterable[object] | OneDatabase
    ) -> list[Reward]:
        """The rewards of a batch of predictions, in order; equal ones are decided once.

        Args:
            preds: the predictions, SQL or completions.
            golds: a gold query for each, or one text for all.
            dbs: a database for each, or one for all.

        Raises:
            InputError: the predictions are one text, something is no list, or the lists differ in length.
        """
        one_db = "databases (or one path, name, DDL or Schema for all)"
        for given, what in ((preds, "predictions"), (golds, "gold queries"), (dbs, one_db)):
            if given is preds or not isinstance(given, _ONE):
                require_many(given, f"the {what}")
        preds = list(preds)
        own_gold, own_db = ("one for all" if isinstance(one, _ONE) else "" for one in (golds, dbs))
        golds, dbs = ([one] * len(preds) if isinstance(one, _ONE) else list(one) for one in (golds, dbs))
        if not len(preds) == len(golds) == len(dbs):
            counts = f"predictions: {len(preds)}, gold queries: {own_gold or len(golds)}"
            remedy = "give one of each per item, or one gold query or database for all"
            raise InputError(f"{counts}, databases: {own_db or len(dbs)}; {remedy}")
        end = monotonic() + self.settings.batch_seconds
        load = _ddl_reader(self.settings, self._lanes, end)
        asked = [self._asked(*item, load) for item in zip(preds, golds, dbs, strict=True)]
        known = self._findings(dict.fromkeys(each for each in asked if isinstance(each, _Asked)), end)
        found = [known[each] if isinstance(each, _Asked) else each for each in asked]
        for each in found:
            self._tell(each)
        return [Reward.of(each, self.settings.policy) for each in found]

    def close(self) -> None:
        """End the workers; the next prediction starts others."""
        self._lanes.close()

    def _asked(self, pred: object, gold: object, db: object, load: ReadsDdl) -> _Asked | Finding:
        """What is to be found out, or what is plain without asking."""
        try:
            if not isinstance(gold, str) or not gold.strip():
                what = "empty" if isinstance(gold, str) else f"not text but {type(gold).__name__}"
                if isinstance(gold, Mapping):
                    what = f"in none of the fields {', '.join(GOLD_FIELDS)}"
                return Finding(Outcome.TROUBLE, reason="GOLD_INVALID", detail=f"the gold query is {what}")
            # White space around it may be longer than all that is ever read.
            told = pred.strip(" \t\r\n") if isinstance(pred, str) else pred
            query = query_of(told) if self.settings.extract else told
            if not isinstance(query, str) or not query.strip():
                return Finding(Outcome.NO_QUERY, "invalid", "parse", failure_code="PRED_EMPTY")
            policy = self.settings.policy
            premises, observed = _premises_of(db, self.settings.options, load), None
            if policy.refuted != policy.refuted_elsewhere and premises.database is not None:
                observed = replace(premises, options=replace(premises.options, facts="observed")).pickled
            return _Asked(premises.pickled, observed, query, gold)
        except GivenUpError as error:
            return finding_of(error.verdict)
        except Exception as error:  # noqa: BLE001 - whatever a trainer hands over, training goes on
            reason = "DATABASE" if isinstance(error, InputError) else "INTERNAL"
            return Finding(Outcome.TROUBLE, reason=reason, detail=_line(error))

    def _findings(self, asked: dict[_Asked, None], end: float) -> dict[_Asked, Finding]:
        """What is found out until a point in time."""
        known: dict[_Asked, Finding] = {}
        first: dict[_Asked, _Outcome] = {}
        second: dict[_Asked, _Outcome] = {}
        for each in asked:
            remembered = self._memory.recall(each)
            if remembered is not None:
                known[each] = remembered
            else:
                first[each] = self._submit(each)
        try:
            for each, outcome in first.items():
                first_done([outcome], max(0.0, end - monotonic()))
                if (further := self._look_again(each, outcome)) is not None:
                    second[each] = further
            for outcome in second.values():
                first_done([outcome], max(0.0, end - monotonic()))
        finally:
            for outcome in (*first.values(), *second.values()):
                outcome.cancel()
        for each, outcome in first.items():
            known[each] = last = _finding_of(outcome, self.settings)
            if each in second:
                last = _finding_of(second[each], self.settings)
                if last.outcome in FURTHER:
                    known[each] = last
            if known[each].outcome is not Outcome.TROUBLE and last.detail != _TOO_LATE:
                self._memory.keep(each, known[each])
        return known

    def _look_again(self, asked: _Asked, outcome: _Outcome) -> _Outcome | None:
        """Look at the given data, if they may tell more, within what is left of the prediction's time."""
        found, policy = outcome.result() if outcome.done() else None, self.settings.policy
        if not isinstance(found, FirstLook):
            return None
        results = policy.equal_results != policy.undecided
        if not wants_second_look(found.finding, observed=asked.observed is not None, results=results):
            return None
        args = found.finding, asked.premises, asked.observed, asked.pred, asked.gold
        seconds = max(0.001, self.settings.seconds - found.seconds)
        return self._hand_over(asked, seconds, second_look, *args)

    def _submit(self, asked: _Asked) -> _Outcome:
        texts = asked.premises, asked.pred, asked.gold
        return self._hand_over(asked, self.settings.seconds, first_look, *texts)

    def _hand_over(
        self, asked: _Asked, seconds: float, function: Callable[..., Any], *args: object
    ) -> _Outcome:
        both = (asked.premises,) if asked.observed is None else (asked.premises, asked.observed)
        try:
            return self._lane(asked).submit(function, *args, timeout=seconds, before=(prepare, both))
        except Exception as error:  # noqa: BLE001 - no worker to be had
            failed: _Outcome = Future()
            failed.set_result(Crashed("raised", _line(error)))
            return failed

    def _lane(self, asked: _Asked) -> Lane:
        """The worker for a question: always the same, so that what it knows of the gold query serves all."""
        return self._lanes.lane(asked.gold.encode("utf-8", "surrogatepass") + asked.premises)

    def _tell(self, found: Finding) -> None:
        """Log what is wrong with the set-up, each thing once."""
        if found.outcome is Outcome.TROUBLE and found.detail not in self._told and len(self._told) < _TOLD:
            self._told.add(found.detail)
            _LOG.warning("cannot compute a reward: %s", found.detail)

    def __getstate__(self) -> Settings:
        return self.settings

    def __setstate__(self, settings: Settings) -> None:
        self._set_up(settings)


def _ddl_reader(settings: Settings, lanes: Lanes, end: float) -> ReadsDdl:
    """What reads the DDL of a batch, each text once, within the time of a pair and of the batch.

    It raises as :meth:`~equiv.engine.host.Call.load_ddl`, also for a text that was given up before.
    """
    given_up: dict[str, GivenUpError] = {}

    def load(text: str, name: str = "", dialect: str = "") -> Schema:
        if text in given_up:
            raise given_up[text]
        seconds = min(settings.seconds, end - monotonic())
        try:
            options = replace(settings.options, timeout=max(0.001, seconds))
            return Call(options, lanes).load_ddl(text, name, dialect)
        except GivenUpError as error:
            given_up[text] = error
            raise

    return load


_TOO_LATE = "the batch ran out of time"


def _finding_of(outcome: _Outcome, settings: Settings) -> Finding:
    """What a worker came back with."""
    if outcome.cancelled() or not outcome.done():
        return Finding(Outcome.TIMEOUT, reason="TIMEOUT", detail=_TOO_LATE)
    try:
        match outcome.result():
            case FirstLook(finding) | (Finding() as finding):
                return finding
            case Timeout() | Crashed() as lost:
                return finding_of(verdict_of(lost, settings.options))
    except Exception as error:  # noqa: BLE001 - a reward is given whatever happened
        return Finding(Outcome.TROUBLE, reason="INTERNAL", detail=_line(error))


def _line(error: Exception) -> str:
    text = str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
    return " ".join(text.split())


@lru_cache(maxsize=8)
def rewarder(settings: Settings) -> Rewarder:
    """The one of this process with some settings."""
    return Rewarder(settings)


def reward(pred: object, gold: object, db: object, **settings: Unpack[SettingArguments]) -> Reward:
    """The reward of a prediction beside its gold query; see :meth:`Rewarder.reward`.

    All calls of a process with the same settings share workers and memory.
    """
    return rewarder(Settings(**settings)).reward(pred, gold, db)


def rewards(
    preds: Iterable[object],
    golds: Iterable[object] | str,
    dbs: Iterable[object] | OneDatabase,
    **settings: Unpack[SettingArguments],
) -> list[Reward]:
    """The rewards of a batch of predictions; see :meth:`Rewarder.rewards`."""
    return rewarder(Settings(**settings)).rewards(preds, golds, dbs)


def _premises_of(db: object, options: Options, load: ReadsDdl) -> Premises:
    """The premises that a database stands for.

    Args:
        db: the path of a database file or of DDL; a name that ``--db`` finds; DDL; a schema, or a dict that
            is one.
        options: how pairs are compared.
        load: gives the schema of some DDL, and a name; what it raises is not caught.

    Raises:
        InputError: it leads nowhere.
    """
    match db:
        case Schema() | Mapping():
            return Premises.of(db, None, options, load)
        case str() if is_ddl(db):
            return Premises.of(db, None, options, load)
        case Path():
            return _on_file(db, options, load)
        case str() if is_url(db):
            return Premises.of(None, db, options)
        case str() if looks_like_path(db) or db.endswith(".sql"):
            return _on_file(Path(db), options, load)
        case str():
            place = place_for_check(db, None, options.given_dialect)
            return Premises.of(place.schema, place.database, options)
        case _:
            raise InputError(f"db takes a path, a name, DDL or a Schema, not {type(db).__name__}")


def _on_file(path: Path, options: Options, load: ReadsDdl) -> Premises:
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    holds_ddl = path.suffix == ".sql" and ".sql" not in dialect_named(options.given_dialect).loader.suffixes
    return Premises.of(path, None, options, load) if holds_ddl else Premises.of(None, path, options)


DATABASE_FIELDS = ("db_path", "db_file", "db", "db_id", "database")
"""Looked for in this order: a path goes before a name."""
GOLD_FIELDS = ("gold_sql", "ground_truth", "SQL", "sql", "query", "answer", "solution", "gold", "target")


def database_in(row: object, root: str | Path | None, dialect: str = "") -> object:
    """The path, the name or the DDL of the database that a row names; None if it names none.

    A name and the name of a file become a path below ``root``, whether it exists or not; what else a row
    has is returned as it stands.

    Args:
        row: a mapping with one of :data:`DATABASE_FIELDS`.
        root: the folder that names are looked up in; None: where ``--db`` looks.
        dialect: that of databases, by name; '' is the reference.
    """
    name = first_of(row, DATABASE_FIELDS)
    if isinstance(name, str) and root is not None:
        from equiv.dialects.registry import dialect_named
        from equiv.schema.locate import is_plain_name, named_database

        suffixes = dialect_named(dialect).loader.suffixes
        if is_plain_name(name) and not is_ddl(name):
            file = name if name.endswith(suffixes) else f"{name}{suffixes[0]}"
            return named_database(name, [Path(root)], dialect) or Path(root) / file
    return name


_CREATES = re.compile(r"\bCREATE\s+(?:TEMP\s+|TEMPORARY\s+)?TABLE\b", re.IGNORECASE)


def is_ddl(text: str) -> bool:
    """Whether a text creates a table, so that it is not a name and no path."""
    return _CREATES.search(text) is not None


def first_of(row: object, fields: tuple[str, ...]) -> object:
    """The value of the first field that a row has; None if it has none."""
    if not isinstance(row, Mapping):
        return None
    return next((row[name] for name in fields if row.get(name) is not None), None)


def gold_in(truth: object) -> object:
    """The gold query in what a dataset calls the ground truth: a text, or a mapping that has it.

    A list or array of one stands for the one, as in the ``{"target": [...]}`` of verl's data sets; what holds
    no gold query, or several, is returned as it is.
    """
    found = first_of(truth, GOLD_FIELDS) if isinstance(truth, Mapping) else truth
    if (
        isinstance(found, Iterable)
        and not isinstance(found, str | Mapping)
        and len(items := list(found)) == 1
    ):
        return items[0]
    return truth if found is None else found
