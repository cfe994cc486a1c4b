"""Databases for each question of a schema, each seen to be fit for all of them, and the rivals it kills."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from equiv.eval.suite.bench import Asked, Mark, Sight
from equiv.eval.suite.questions import WANTED, Question
from equiv.eval.suite.worker import LostError, SuiteWorker, hunted, look, restored
from equiv.generate.database import Database

HUNT = 200
"""So many generated databases are looked through for one that kills a rival."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A database, and what it kills of the question that it was made for."""

    database: Database
    kills: frozenset[Mark]


@dataclass(slots=True)
class Pool:
    """The databases of one question."""

    place: int
    candidates: list[Candidate] = field(default_factory=list)
    is_fixed: bool = False
    """Whether the gold answer is determined on some of them; else on none that was made."""
    is_lost: bool = False
    """Whether the gold query, or one that is proved right, cost the worker: nothing can be kept for it."""
    lost: set[Mark] = field(default_factory=set)
    """Rivals that cost the worker that ran them."""


def wanted(question: Question, place: int) -> frozenset[Mark]:
    """The rivals that a suite should kill."""
    return frozenset((place, at) for at, rival in enumerate(question.rivals) if rival.kind in WANTED)


def pool_of(worker: SuiteWorker, questions: Sequence[Question], place: int) -> Pool:
    """The databases of a question: the witnesses of its refutations, and others for what they do not kill."""
    question, pool = questions[place], Pool(place)
    seen = [(database, sight) for database, sight in _sights(worker, question, pool)]
    if pool.is_lost:
        return pool
    pool.is_fixed = not seen or any(place not in sight.loose for _, sight in seen)
    fit = [(d, s) for d, s in seen if not pool.is_fixed or place not in s.loose]
    pool.candidates = [Candidate(database, sight.kills) for database, sight in fit if sight.kills]
    killed = frozenset[Mark]().union(*(candidate.kills for candidate in pool.candidates))
    for mark in sorted(wanted(question, place) - killed - pool.lost):
        if mark not in killed and (killer := hunt(worker, pool, mark)) is not None:
            pool.candidates.append(killer)
            killed |= killer.kills
    return pool


def hunt(worker: SuiteWorker, pool: Pool, mark: Mark, beside: Asked | None = None) -> Candidate | None:
    """A generated database that kills a rival and, if others are asked beside it, is fit for them too."""
    fixed = frozenset({pool.place}) if pool.is_fixed else frozenset[int]()
    own = Asked((pool.place,), fixed)
    try:
        database = worker.ask(hunted, mark, beside or own, HUNT)
    except LostError:
        pool.lost.add(mark)
        return None
    sight = worker.look(database, own) if database is not None else None
    return Candidate(database, sight.kills) if database is not None and sight is not None else None


def _sights(worker: SuiteWorker, question: Question, pool: Pool) -> Iterator[tuple[Database, Sight]]:
    """What the witnesses of a question show."""
    known: list[Database] = []
    for script in question.scripts:
        try:
            database = worker.ask(restored, script)
        except LostError:
            continue
        if database is None or database in known:
            continue
        known.append(database)
        sight = _look(worker, question, pool, database)
        if sight is not None:
            yield database, sight
        if pool.is_lost:
            return


def _look(worker: SuiteWorker, question: Question, pool: Pool, database: Database) -> Sight | None:
    """What one database shows; where the worker is lost, rivals are looked at one by one."""
    asked = Asked((pool.place,), among=wanted(question, pool.place) - pool.lost)
    try:
        return worker.ask(look, database, asked)
    except LostError:
        bare = _look_bare(worker, pool, database, asked)
    if bare is None:
        return None
    kills: set[Mark] = set()
    for mark in sorted(asked.among or ()):
        try:
            sight = worker.ask(look, database, replace(asked, among=frozenset({mark})))
            kills |= sight.kills if sight is not None else frozenset()
        except LostError:
            pool.lost.add(mark)
    return replace(bare, kills=frozenset(kills))


def _look_bare(worker: SuiteWorker, pool: Pool, database: Database, asked: Asked) -> Sight | None:
    """What a database shows but for what it kills."""
    try:
        return worker.ask(look, database, replace(asked, among=frozenset()))
    except LostError:
        pool.is_lost = True
        return None
