"""Inside a worker: a candidate database put to all questions of its schema, compared as the script does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from equiv.answers import choices as choice_functions
from equiv.answers.answers import QUICK_RUNS, Plan, outcomes
from equiv.core.query import Query
from equiv.core.runner import Failure, Guarded, Result
from equiv.dialects.registry import dialect_of
from equiv.eval.running.worker import WORKER
from equiv.eval.suite.questions import RivalKind, SuiteQuestion
from equiv.eval.suite.script import EvaluationScript, read_back
from equiv.facts import FactKind, Grade
from equiv.generate.database import Arena, Database
from equiv.schema.violations import FactChecker
from equiv.tiers.trial_database import CAPS

NO_QUERY = Failure("error", "not a query")

RivalMark = tuple[int, int]
"""A rival: the place of its question, and its own place there."""


@dataclass(frozen=True, slots=True)
class BenchAsked:
    """The questions put to a database, and the conditions under which it is accepted."""

    places: tuple[int, ...]
    """The questions, by place; their right predictions must pass."""
    fixed: frozenset[int] = frozenset()
    """Questions whose gold answer must be determined."""
    kills: frozenset[RivalMark] = frozenset()
    """Rivals that must be killed."""
    among: frozenset[RivalMark] | None = None
    """Rivals that are looked at; None: all."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The results of an accepted database: which rivals it kills."""

    kills: frozenset[RivalMark]
    """Rivals that the script would call wrong."""
    loose: frozenset[int]
    """Questions whose gold answer a free choice decides, or whose gold query fails."""


class Refusal(Exception):  # noqa: N818 - an answer, no error
    """Why a database will not do."""


class _Sitting:
    """One database, on which each gold query runs once."""

    def __init__(self, engine: Guarded, script: EvaluationScript, questions: Sequence[SuiteQuestion]) -> None:
        self._engine = engine
        self._script = script
        self._questions = questions
        self._golds: dict[int, Result | Failure] = {}

    def gold(self, place: int) -> Result | Failure:
        """The result of a question's gold query."""
        if place not in self._golds:
            gold = self._script.prepared(self._questions[place].gold)
            self._golds[place] = self._engine.run(gold, CAPS)
        return self._golds[place]

    def tells(self, mark: RivalMark) -> bool | None:
        """Whether the script would call a rival wrong; None: that cannot be told here."""
        question = self._questions[mark[0]]
        found = self._engine.run(self._script.prepared(question.rivals[mark[1]].sql), CAPS)
        if found == NO_QUERY:
            # Python's sqlite3 runs a text without a statement, and then there are no rows.
            found = Result((), 0)
        match found, self.gold(mark[0]):
            case Result() as pred, Result() as gold:
                return not self._script.same(pred, gold, ordered=self._script.is_ordered(question.gold))
            case Failure("error", _), Result():
                return True
        return None


class SuiteBench:
    """One schema, in memory, and its questions."""

    def __init__(self, db_id: str, questions: Sequence[SuiteQuestion], script: EvaluationScript) -> None:
        engine = WORKER.engine(db_id)
        self.schema, self.facts = engine.schema, engine.facts
        self.read = engine.read
        self.questions = questions
        self.script = script
        self.arena = Arena(self.schema)
        choice_functions.register(self.arena.connection)
        # Observed rows bind the pairs that read them, which their right predictions stand for.
        observed = [f for f in self.facts.of(FactKind.NOT_EMPTY) if f.grade is Grade.OBSERVED]
        self._checker = FactChecker(self.schema, self.facts.without(observed))
        self._plans: dict[int, Plan | None] = {}

    def look(self, database: Database, asked: BenchAsked) -> Sight:
        """The results of a generated database: the rivals that it kills.

        Raises:
            Refusal: the facts or the DDL forbid it, or it does not do what it must.
        """
        if not self.arena.load(database):
            raise Refusal
        return self.see(self.arena.engine, asked)

    def look_at_file(self, path: Path, asked: BenchAsked) -> Sight:
        """The results of a database file; see :func:`look`.

        Raises:
            Refusal: as for :meth:`look`.
        """
        with dialect_of(self.schema).engine.open(path) as data:
            choice_functions.register(data.core.connection)
            return self.see(data.core, asked)

    def see(self, engine: Guarded, asked: BenchAsked) -> Sight:
        """The results of the database in an engine; cheap checks that refuse most come first."""
        sitting = _Sitting(engine, self.script, self.questions)
        must = sorted(asked.kills)
        if not all(sitting.tells(mark) for mark in must) or not self._checker.holds(engine.connection):
            raise Refusal
        loose = frozenset(place for place in asked.places if not self._is_fixed(engine, place, sitting))
        if loose & asked.fixed:
            raise Refusal
        if any(sitting.tells(mark) is not False for mark in self._right(asked)):
            raise Refusal
        others = [mark for mark in self._others(asked) if mark not in asked.kills]
        return Sight(frozenset((*must, *(mark for mark in others if sitting.tells(mark)))), loose)

    def full(self) -> Database:
        """The rows of the arena, with every column."""
        return read_back(self.arena.connection, self.schema)

    def _right(self, asked: BenchAsked) -> Iterator[RivalMark]:
        return ((at, place) for at in asked.places for place in self.questions[at].of(RivalKind.RIGHT))

    def _others(self, asked: BenchAsked) -> Iterator[RivalMark]:
        for at in asked.places:
            for place, rival in enumerate(self.questions[at].rivals):
                if rival.kind is not RivalKind.RIGHT and (asked.among is None or (at, place) in asked.among):
                    yield at, place

    def _is_fixed(self, engine: Guarded, place: int, sitting: _Sitting) -> bool:
        """Whether the gold answer is determined, its order included where the script compares lists."""
        plan, gold = self._plan(place), sitting.gold(place)
        if plan is None or plan.opaque or isinstance(gold, Failure):
            return False
        found = outcomes(engine, plan, CAPS, runs=QUICK_RUNS, known=gold)
        if isinstance(found, Failure) or not found.is_determined:
            return False
        if not self.script.is_ordered(self.questions[place].gold):
            return True
        return all(len(set(group)) == 1 for group, _ in found.seen[0].slices())

    def _plan(self, place: int) -> Plan | None:
        if place not in self._plans:
            query = self.read(self.script.prepared(self.questions[place].gold))
            self._plans[place] = Plan(query, self.schema, self.facts) if isinstance(query, Query) else None
        return self._plans[place]
