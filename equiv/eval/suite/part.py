"""The databases of a suite for one ``db_id``: made, written, and looked at again as files.

The databases that the questions of one schema need are packed into few (minimum set cover), each fit for
all of the questions. A script runs every question of a ``db_id`` on every one of its databases. So a
database may stand in a suite only if, for each of these questions, the gold answer is determined and every
prediction that is proved right passes. Rows of different questions share a database where they do not
disturb one another, which is found out by running the queries.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import comb
from pathlib import Path
from typing import TypeVar

from equiv.core.model import Schema
from equiv.dialects.registry import dialect_of
from equiv.eval.plan import Setting
from equiv.eval.suite.script import WANTED, SuiteQuestion, counts_of
from equiv.eval.suite.worker import (
    BenchAsked,
    LostError,
    RivalMark,
    Sight,
    SuiteWorker,
    hunted,
    look,
    restored,
)
from equiv.generate.database import Database
from equiv.names import fold

Name = TypeVar("Name", bound=Hashable)
Element = TypeVar("Element", bound=Hashable)

MAX_TRIED = 20_000
"""So many combinations are looked through for a cover that is smaller than the greedy one."""


def fewest(sets: Mapping[Name, frozenset[Element]]) -> list[Name]:
    """A smallest choice of the sets whose union is that of all, largest gain first.

    Greedy, which is within ln n + 1 of the least (Chvatal 1979, A greedy heuristic for the set-covering
    problem), then exact as far as :data:`MAX_TRIED` combinations go.
    """
    chosen = greedy(sets)
    telling = {name: own for name, own in sets.items() if own}
    everything = frozenset().union(*telling.values())
    for size in range(1, len(chosen)):
        if comb(len(telling), size) > MAX_TRIED:
            break
        for some in combinations(telling, size):
            if frozenset().union(*(telling[name] for name in some)) == everything:
                return greedy({name: telling[name] for name in some})
    return chosen


def greedy(sets: Mapping[Name, frozenset[Element]]) -> list[Name]:
    """Sets that cover what all cover, each the one that adds most to those before it, the first of equals."""
    left = set().union(*sets.values())
    chosen: list[Name] = []
    while left:
        best = max(sets, key=lambda name: len(sets[name] & left))
        chosen.append(best)
        left -= sets[best]
    return chosen


HUNT = 200
"""So many generated databases are looked through for one that kills a rival."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A database, and what it kills of the question that it was made for."""

    database: Database
    kills: frozenset[RivalMark]


@dataclass(slots=True)
class Pool:
    """The databases of one question."""

    place: int
    candidates: list[Candidate] = field(default_factory=list)
    is_fixed: bool = False
    """Whether the gold answer is determined on some of them; else on none that was made."""
    is_lost: bool = False
    """Whether the gold query, or one that is proved right, cost the worker: nothing can be kept for it."""
    lost: set[RivalMark] = field(default_factory=set)
    """Rivals that cost the worker that ran them."""


def wanted(question: SuiteQuestion, place: int) -> frozenset[RivalMark]:
    """The rivals that a suite should kill."""
    return frozenset((place, at) for at, rival in enumerate(question.rivals) if rival.kind in WANTED)


def pool_of(worker: SuiteWorker, questions: Sequence[SuiteQuestion], place: int) -> Pool:
    """The databases of a question: the witnesses of its refutations, and others for what they do not kill."""
    question, pool = questions[place], Pool(place)
    seen = [(database, sight) for database, sight in _sights(worker, question, pool)]
    if pool.is_lost:
        return pool
    pool.is_fixed = not seen or any(place not in sight.loose for _, sight in seen)
    fit = [(d, s) for d, s in seen if not pool.is_fixed or place not in s.loose]
    pool.candidates = [Candidate(database, sight.kills) for database, sight in fit if sight.kills]
    killed = frozenset[RivalMark]().union(*(candidate.kills for candidate in pool.candidates))
    for mark in sorted(wanted(question, place) - killed - pool.lost):
        if mark not in killed and (killer := hunt(worker, pool, mark)) is not None:
            pool.candidates.append(killer)
            killed |= killer.kills
    return pool


def hunt(
    worker: SuiteWorker, pool: Pool, mark: RivalMark, beside: BenchAsked | None = None
) -> Candidate | None:
    """A generated database that kills a rival and, if others are asked beside it, is fit for them too."""
    fixed = frozenset({pool.place}) if pool.is_fixed else frozenset[int]()
    own = BenchAsked((pool.place,), fixed)
    try:
        database = worker.ask(hunted, mark, beside or own, HUNT)
    except LostError:
        pool.lost.add(mark)
        return None
    sight = worker.look(database, own) if database is not None else None
    return Candidate(database, sight.kills) if database is not None and sight is not None else None


def _sights(worker: SuiteWorker, question: SuiteQuestion, pool: Pool) -> Iterator[tuple[Database, Sight]]:
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


def _look(worker: SuiteWorker, question: SuiteQuestion, pool: Pool, database: Database) -> Sight | None:
    """What one database shows; where the worker is lost, rivals are looked at one by one."""
    asked = BenchAsked((pool.place,), among=wanted(question, pool.place) - pool.lost)
    try:
        return worker.ask(look, database, asked)
    except LostError:
        bare = _look_bare(worker, pool, database, asked)
    if bare is None:
        return None
    kills: set[RivalMark] = set()
    for mark in sorted(asked.among or ()):
        try:
            sight = worker.ask(look, database, replace(asked, among=frozenset({mark})))
            kills |= sight.kills if sight is not None else frozenset()
        except LostError:
            pool.lost.add(mark)
    return replace(bare, kills=frozenset(kills))


def _look_bare(worker: SuiteWorker, pool: Pool, database: Database, asked: BenchAsked) -> Sight | None:
    """What a database shows but for what it kills."""
    try:
        return worker.ask(look, database, replace(asked, among=frozenset()))
    except LostError:
        pool.is_lost = True
        return None


EMPTY = Database({})


@dataclass(slots=True)
class Bin:
    """A database of the suite in the making."""

    database: Database
    kills: frozenset[RivalMark]
    """Rivals that it is known to kill; there may be more."""
    assigned: set[RivalMark] = field(default_factory=set)
    """Rivals that it must go on killing."""


class Packer:
    """The questions of one schema, with the databases of each."""

    def __init__(
        self, worker: SuiteWorker, schema: Schema, questions: Sequence[SuiteQuestion], pools: Sequence[Pool]
    ) -> None:
        self._desk = worker
        self._schema = schema
        self._questions = questions
        self._pools = pools
        self._places = frozenset(pool.place for pool in pools if not pool.is_lost)
        self._fixed = frozenset(pool.place for pool in pools if pool.is_fixed)
        lost = frozenset[RivalMark]().union(*(pool.lost for pool in pools))
        every = (wanted(question, place) for place, question in enumerate(questions))
        self._among = frozenset[RivalMark]().union(*every) - lost
        self._texts = [
            fold(" ".join((question.gold, *(rival.sql for rival in question.rivals))))
            for question in questions
        ]
        self.bins: list[Bin] = []

    def pack(self) -> list[Database]:
        """The databases."""
        needs = sorted(self._needs(), key=lambda need: -len(need[2]))
        left = [need for need in needs if not self._put(need[1], need[2])]
        for place, _, marks in left:
            self._retry(place, marks)
        return [each.database for each in self.bins]

    def _needs(self) -> Iterator[tuple[int, Candidate, frozenset[RivalMark]]]:
        """For each question, the fewest of its databases, each with what it is to kill."""
        for pool in self._pools:
            sets = {at: each.kills & self._among for at, each in enumerate(pool.candidates)}
            done: frozenset[RivalMark] = frozenset()
            for at in fewest(sets):
                yield pool.place, pool.candidates[at], sets[at] - done
                done |= sets[at]

    def _put(self, candidate: Candidate, marks: frozenset[RivalMark]) -> bool:
        """See that the bins kill some rivals, with the help of a database; False if none can take it."""
        left = self._not_yet(marks)
        if not left:
            return True
        return any(self._add(each, candidate, left) for each in self.bins) or self._open(candidate, left)

    def _not_yet(self, marks: frozenset[RivalMark]) -> frozenset[RivalMark]:
        """The rivals that no bin kills; those that one does are the first such bin's to keep."""
        for each in self.bins:
            marks -= each.assigned
            each.assigned |= marks & each.kills
            marks -= each.kills
        return marks

    def _add(self, target: Bin, candidate: Candidate, marks: frozenset[RivalMark]) -> bool:
        """Put the rows of a database into a bin, if it then kills what it did and these rivals."""
        places = self._affected(candidate.database)
        others = frozenset[RivalMark]().union(*(each.assigned for each in self.bins if each is not target))
        must = {mark for mark in target.assigned - others if mark[0] in places} | marks
        asked = BenchAsked(tuple(sorted(places)), self._fixed & places, frozenset(must), self._among - others)
        found = self._desk.join(target.database, candidate.database, asked)
        if found is not None:
            kept = frozenset(mark for mark in target.kills if mark[0] not in places)
            target.database, target.kills = found[0], kept | found[1].kills
            target.assigned |= marks
        return found is not None

    def _open(self, candidate: Candidate, marks: frozenset[RivalMark]) -> bool:
        """Begin a bin with a database, or with one like it that is fit for all questions."""
        found = self._desk.join(EMPTY, candidate.database, self._everything(marks))
        if found is not None:
            self.bins.append(Bin(found[0], found[1].kills, set(marks)))
        return found is not None

    def _retry(self, place: int, marks: frozenset[RivalMark]) -> None:
        """Rivals whose database was fit for no bin: by another of the pool, or one that is looked for."""
        for mark in sorted(marks):
            known = (c for c in self._pools[place].candidates if mark in c.kills)
            if any(self._put(candidate, frozenset({mark})) for candidate in known):
                continue
            found = hunt(self._desk, self._pools[place], mark, self._everything(frozenset()))
            if found is not None:
                self._put(found, frozenset({mark}))

    def _everything(self, kills: frozenset[RivalMark]) -> BenchAsked:
        return BenchAsked(tuple(sorted(self._places)), self._fixed, kills, self._among)

    def _affected(self, added: Database) -> frozenset[int]:
        """The questions with a text that may read one of the tables that get rows."""
        if self._schema.views:
            return self._places
        names = [fold(name) for name, (_, rows) in added.tables.items() if rows]
        return frozenset(place for place in self._places if any(name in self._texts[place] for name in names))


@dataclass(frozen=True, slots=True)
class KeptDatabase:
    """One database of the suite."""

    path: Path
    rows: Mapping[str, int]
    """By table."""
    kills: frozenset[RivalMark]


@dataclass(frozen=True, slots=True)
class SuitePart:
    """The databases for one ``db_id``, those that tell most first."""

    db_id: str
    questions: tuple[SuiteQuestion, ...]
    kept: tuple[KeptDatabase, ...]
    alone: tuple[int, ...]
    """For each question, how many databases it would need by itself."""
    loose: frozenset[int]
    """Questions whose gold answer no database was found to determine."""
    lost: frozenset[RivalMark]
    """Rivals that cost the worker that ran them."""
    copies: tuple[Path, ...] = ()
    """Files that repeat the first database, where others have more databases."""

    def needs(self, place: int) -> list[int]:
        """The fewest databases that kill what all of them kill of a question."""
        own = wanted(self.questions[place], place)
        return fewest({number: kept.kills & own for number, kept in enumerate(self.kept)})

    @property
    def kills(self) -> frozenset[RivalMark]:
        """The rivals that at least one database kills."""
        return frozenset[RivalMark]().union(*(kept.kills for kept in self.kept))


def fill_part(
    worker: SuiteWorker, setting: Setting, questions: Sequence[SuiteQuestion], work: Path
) -> SuitePart:
    """Make the databases of some questions of one ``db_id``, and write them into a folder.

    Raises:
        InputError: a file cannot be written.
    """
    schema = setting.place.schema
    assert schema is not None
    dialect = dialect_of(schema)
    pools = [pool_of(worker, questions, place) for place in range(len(questions))]
    databases = Packer(worker, schema, questions, pools).pack() or [EMPTY]
    loose = frozenset(pool.place for pool in pools if not pool.is_fixed)
    asked = BenchAsked(
        tuple(p.place for p in pools if not p.is_lost), frozenset(range(len(questions))) - loose
    )
    lost = frozenset[RivalMark]().union(*(pool.lost for pool in pools))
    kept: list[KeptDatabase] = []
    for number, database in enumerate(databases):
        path = work / f"{setting.place.name}-{number}{dialect.loader.suffixes[0]}"
        dialect.engine.store(path, schema, database.tables)
        kills = kills_of_file(worker, path, asked, questions, lost)
        if kills is not None or database is EMPTY:
            kept.append(KeptDatabase(path, counts_of(database), kills or frozenset()))
    return SuitePart(
        setting.place.name,
        tuple(questions),
        _telling(kept, questions),
        tuple(_alone(questions[pool.place], pool) for pool in pools),
        loose,
        lost,
    )


def kills_of_file(
    worker: SuiteWorker,
    path: Path,
    asked: BenchAsked,
    questions: Sequence[SuiteQuestion],
    lost: frozenset[RivalMark],
) -> frozenset[RivalMark] | None:
    """The rivals that a database file kills, read back as the script will; None if it is refused.

    Rivals about which less is known are run apart, because some of them have not ended any run so far.
    """
    every = frozenset((place, at) for place in asked.places for at in range(len(questions[place].rivals)))
    telling = (
        frozenset[RivalMark]().union(*(wanted(questions[place], place) for place in asked.places)) - lost
    )
    sight = worker.look(path, replace(asked, among=telling))
    if sight is None:
        return None
    others = worker.look(path, replace(asked, among=every - telling - lost))
    return sight.kills | (others.kills if others is not None else frozenset())


def _telling(kept: Sequence[KeptDatabase], questions: Sequence[SuiteQuestion]) -> tuple[KeptDatabase, ...]:
    """The databases without which a refuted rival would live, those that tell most first; at least one."""
    everything = frozenset(mark for place, each in enumerate(questions) for mark in wanted(each, place))
    chosen = fewest({number: each.kills & everything for number, each in enumerate(kept)})
    return tuple(kept[number] for number in chosen) or tuple(kept[:1])


def _alone(question: SuiteQuestion, pool: Pool) -> int:
    own = wanted(question, pool.place)
    return len(fewest({at: each.kills & own for at, each in enumerate(pool.candidates)}))
