"""Packs the databases that the questions of one schema need into few, each fit for all of the questions.

A script runs every question of a ``db_id`` on every one of its databases.  So a database may stand in a
suite only if, for each of these questions, the gold answer is determined and every prediction that is
proved right passes.  Rows of different questions share a database where they do not disturb one another,
which is found out by running the queries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from equiv.core.model import Schema
from equiv.eval.suite.bench import Asked, Mark
from equiv.eval.suite.cover import fewest
from equiv.eval.suite.pools import Candidate, Pool, hunt, wanted
from equiv.eval.suite.questions import Question
from equiv.eval.suite.worker import SuiteWorker
from equiv.generate.database import Database

EMPTY = Database({})


@dataclass(slots=True)
class Bin:
    """A database of the suite in the making."""

    database: Database
    kills: frozenset[Mark]
    """Rivals that it is known to kill; there may be more."""
    assigned: set[Mark] = field(default_factory=set)
    """Rivals that it must go on killing."""


class Packer:
    """The questions of one schema, with the databases of each."""

    def __init__(
        self, worker: SuiteWorker, schema: Schema, questions: Sequence[Question], pools: Sequence[Pool]
    ) -> None:
        self._desk = worker
        self._schema = schema
        self._questions = questions
        self._pools = pools
        self._places = frozenset(pool.place for pool in pools if not pool.is_lost)
        self._fixed = frozenset(pool.place for pool in pools if pool.is_fixed)
        lost = frozenset[Mark]().union(*(pool.lost for pool in pools))
        every = (wanted(question, place) for place, question in enumerate(questions))
        self._among = frozenset[Mark]().union(*every) - lost
        self._texts = [
            " ".join((question.gold, *(rival.sql for rival in question.rivals))).lower()
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

    def _needs(self) -> Iterator[tuple[int, Candidate, frozenset[Mark]]]:
        """For each question, the fewest of its databases, each with what it is to kill."""
        for pool in self._pools:
            sets = {at: each.kills & self._among for at, each in enumerate(pool.candidates)}
            done: frozenset[Mark] = frozenset()
            for at in fewest(sets):
                yield pool.place, pool.candidates[at], sets[at] - done
                done |= sets[at]

    def _put(self, candidate: Candidate, marks: frozenset[Mark]) -> bool:
        """See that the bins kill some rivals, with the help of a database; False if none can take it."""
        left = self._not_yet(marks)
        if not left:
            return True
        return any(self._add(each, candidate, left) for each in self.bins) or self._open(candidate, left)

    def _not_yet(self, marks: frozenset[Mark]) -> frozenset[Mark]:
        """The rivals that no bin kills; those that one does are the first such bin's to keep."""
        for each in self.bins:
            marks -= each.assigned
            each.assigned |= marks & each.kills
            marks -= each.kills
        return marks

    def _add(self, target: Bin, candidate: Candidate, marks: frozenset[Mark]) -> bool:
        """Put the rows of a database into a bin, if it then kills what it did and these rivals."""
        places = self._affected(candidate.database)
        others = frozenset[Mark]().union(*(each.assigned for each in self.bins if each is not target))
        must = {mark for mark in target.assigned - others if mark[0] in places} | marks
        asked = Asked(tuple(sorted(places)), self._fixed & places, frozenset(must), self._among - others)
        found = self._desk.join(target.database, candidate.database, asked)
        if found is not None:
            kept = frozenset(mark for mark in target.kills if mark[0] not in places)
            target.database, target.kills = found[0], kept | found[1].kills
            target.assigned |= marks
        return found is not None

    def _open(self, candidate: Candidate, marks: frozenset[Mark]) -> bool:
        """Begin a bin with a database, or with one like it that is fit for all questions."""
        found = self._desk.join(EMPTY, candidate.database, self._everything(marks))
        if found is not None:
            self.bins.append(Bin(found[0], found[1].kills, set(marks)))
        return found is not None

    def _retry(self, place: int, marks: frozenset[Mark]) -> None:
        """Rivals whose database was fit for no bin: by another of the pool, or one that is looked for."""
        for mark in sorted(marks):
            known = (c for c in self._pools[place].candidates if mark in c.kills)
            if any(self._put(candidate, frozenset({mark})) for candidate in known):
                continue
            found = hunt(self._desk, self._pools[place], mark, self._everything(frozenset()))
            if found is not None:
                self._put(found, frozenset({mark}))

    def _everything(self, kills: frozenset[Mark]) -> Asked:
        return Asked(tuple(sorted(self._places)), self._fixed, kills, self._among)

    def _affected(self, added: Database) -> frozenset[int]:
        """The questions with a text that may read one of the tables that get rows."""
        if self._schema.views:
            return self._places
        names = [name.lower() for name, (_, rows) in added.tables.items() if rows]
        return frozenset(place for place in self._places if any(name in self._texts[place] for name in names))
