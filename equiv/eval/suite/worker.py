"""The tasks of a suite's worker process, and the parent's side of it, which survives a killed worker.

A candidate database is put to all questions of its schema, compared as the script does.  Two databases are
merged into one: rows side by side, keys renamed where they clash, missing cells distinguished. Nothing of it
is believed: what a merged database still shows is found out by running the queries on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import Enum
from itertools import count
from pathlib import Path
from typing import TypeVar

from equiv.answers import choices as choice_functions
from equiv.answers.answers import QUICK_RUNS, AnswerPlan, outcomes
from equiv.answers.pair import Pair
from equiv.cells import Cell, Row
from equiv.core.model import Column, Domain, Schema, Table
from equiv.core.query import Query
from equiv.core.runner import Failure, Guarded, Result
from equiv.dialects.registry import dialect_of
from equiv.eval import worker
from equiv.eval.plan import Setting
from equiv.eval.suite.script import EvaluationScript, RivalKind, SuiteQuestion, read_back, rows_of
from equiv.eval.worker import WORKER
from equiv.facts import FactKind, Grade
from equiv.generate.database import Arena, Database
from equiv.generate.plan import databases
from equiv.names import fold
from equiv.schema.violations import FactChecker
from equiv.tiers.witness import CAPS
from equiv.workers.lanes import Crashed, Lane, Timeout, WorkerKind

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
        self._plans: dict[int, AnswerPlan | None] = {}

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

    def _plan(self, place: int) -> AnswerPlan | None:
        if place not in self._plans:
            query = self.read(self.script.prepared(self.questions[place].gold))
            self._plans[place] = (
                AnswerPlan(query, self.schema, self.facts) if isinstance(query, Query) else None
            )
        return self._plans[place]


_FIRST_DAY = {True: date(2090, 1, 1), False: date(1890, 1, 1)}


class Fill(Enum):
    """The way in which NULLs of added rows are replaced, so that they do not tie: see :func:`merged`."""

    KEEP = "keep"
    """NULL."""
    BELOW = "below"
    """Different values below all others of the column."""
    ABOVE = "above"
    """Different values above all others of the column."""


def merged(base: Database, added: Database, schema: Schema) -> Iterator[Database]:
    """Ways to put the rows of one database beside those of another, the plainest first."""
    keys = {table.name: _keys(table, schema) for table in schema.tables}
    renamed = _renamed(base, added, keys)
    for fill in Fill:
        for rows in (added,) if renamed is added else (added, renamed):
            yield _together(base, _filled(base, rows, schema, fill), schema)


def _together(base: Database, added: Database, schema: Schema) -> Database:
    """All rows, parents first; a row with a key that is there as it is stands once."""
    tables: dict[str, tuple[tuple[str, ...], list[Row]]] = {}
    for table in schema.tables:
        columns, rows = base.tables.get(table.name, ((), ()))
        more_columns, more = added.tables.get(table.name, ((), ()))
        is_keyed = bool(table.primary_key or table.unique)
        known = set(rows) if is_keyed else set()
        tables[table.name] = (columns or more_columns, [*rows, *(row for row in more if row not in known)])
    return Database.of(tables)


def _keys(table: Table, schema: Schema) -> frozenset[str]:
    """The columns, in lower case, by which rows are distinguished or refer to others.

    Of a key of several columns none of which refers to another table, the first will do.
    """
    own = schema.reference_columns(table)
    for unique in (table.primary_key, *table.unique):
        names = [fold(name) for name in unique]
        if names and not own & set(names):
            own.add(names[0])
    return frozenset(own)


def _renamed(base: Database, added: Database, keys: Mapping[str, frozenset[str]]) -> Database:
    """The added rows with fresh values for those keys that the others use: one for one, in all tables."""
    taken, own = set(_key_cells(base, keys)), list(dict.fromkeys(_key_cells(added, keys)))
    used = taken | set(own)
    fresh: dict[Cell, Cell] = {}
    for value in own:
        if value in taken and isinstance(value, int | str):
            fresh[value] = _fresh(value, used)
            used.add(fresh[value])
    if not fresh:
        return added
    tables = {}
    for name, (columns, rows) in added.tables.items():
        places = _places(columns, keys[name])
        tables[name] = (columns, [_renamed_row(row, places, fresh) for row in rows])
    return Database.of(tables)


def _renamed_row(row: Row, places: frozenset[int], fresh: Mapping[Cell, Cell]) -> Row:
    return tuple(fresh.get(cell, cell) if place in places else cell for place, cell in enumerate(row))


def _fresh(value: int | str, used: set[Cell]) -> Cell:
    if isinstance(value, int):
        return max((cell for cell in used if isinstance(cell, int)), default=0) + 1
    return next(text for number in count(2) if (text := f"{value}{number}") not in used)


def _key_cells(database: Database, keys: Mapping[str, frozenset[str]]) -> Iterator[Cell]:
    for name, (columns, rows) in database.tables.items():
        places = _places(columns, keys[name])
        yield from (row[place] for row in rows for place in places if row[place] is not None)


def _places(columns: tuple[str, ...], names: frozenset[str]) -> frozenset[int]:
    return frozenset(place for place, column in enumerate(columns) if fold(column) in names)


def _filled(base: Database, added: Database, schema: Schema, fill: Fill) -> Database:
    """The added rows with values in the place of NULLs, but for keys."""
    if fill is Fill.KEEP:
        return added
    tables = {}
    for name, (columns, rows) in added.tables.items():
        table = schema.table(name)
        assert table is not None
        keys = _keys(table, schema)
        fillers: dict[int, Iterator[Cell]] = {}
        for place, column in enumerate(columns):
            known = [row[place] for row in (*base.tables.get(name, ((), ()))[1], *rows)]
            values = table.column(column)
            if fold(column) not in keys and values is not None:
                fillers[place] = _values(values, known, above=fill is Fill.ABOVE)
        tables[name] = (columns, [_without_nulls(row, fillers) for row in rows])
    return Database.of(tables)


def _without_nulls(row: Row, fillers: Mapping[int, Iterator[Cell]]) -> Row:
    return tuple(
        next(fillers[place], None) if cell is None and place in fillers else cell
        for place, cell in enumerate(row)
    )


def _values(column: Column, known: list[Cell], *, above: bool) -> Iterator[Cell]:
    """Different values beyond all that a column has; none for types that tell nothing."""
    match column.domain:
        case Domain.INTEGER | Domain.NUMBER:
            numbers = [int(cell) for cell in known if isinstance(cell, int | float) and abs(cell) < 1e9]
            start, step = (max(numbers, default=0) + 1, 1) if above else (min(numbers, default=0) - 1, -1)
            yield from count(start, step)
        case Domain.TEXT if "DATE" in column.declared_type.upper() or "date" in fold(column.name):
            taken = {cell for cell in known if isinstance(cell, str)}
            days = ((_FIRST_DAY[above] + timedelta(days=number)).isoformat() for number in count())
            yield from (day for day in days if day not in taken)
        case Domain.TEXT:
            taken = {cell for cell in known if isinstance(cell, str)}
            texts = (f"{'~' if above else '!'}{number}" for number in count(1))
            yield from (text for text in texts if text not in taken)


T = TypeVar("T")

SECONDS = 60.0
"""How long a worker may take over one database."""

_benches: list[SuiteBench] = []
"""The one of this process, a worker's."""


def enter(
    settings: Mapping[str, Setting], db_id: str, questions: Sequence[SuiteQuestion], script: EvaluationScript
) -> None:
    """Begin a worker's life."""
    worker.enter(settings)
    _benches[:] = [SuiteBench(db_id, questions, script)]


def restored(script: str) -> Database | None:
    """The rows of a witness; None where they cannot be had."""
    return rows_of(script, _benches[0].schema)


def look(source: Database | Path, asked: BenchAsked) -> Sight | None:
    """The results of a database or a database file; None if it is refused."""
    bench = _benches[0]
    try:
        return bench.look_at_file(source, asked) if isinstance(source, Path) else bench.look(source, asked)
    except Refusal:
        return None


def joined(base: Database, added: Database, asked: BenchAsked) -> tuple[Database, Sight] | None:
    """The first way to put the rows of two databases together that is not refused, and what it shows."""
    for database in merged(base, added, _benches[0].schema):
        if sight := look(database, asked):
            return database, sight
    return None


def hunted(mark: RivalMark, asked: BenchAsked, effort: int) -> Database | None:
    """The first generated database that kills a rival and is not refused otherwise."""
    bench = _benches[0]
    question = bench.questions[mark[0]]
    texts = (question.rivals[mark[1]].sql, question.gold)
    pred, gold = (bench.read(bench.script.prepared(sql)) for sql in texts)
    if not isinstance(pred, Query) or not isinstance(gold, Query) or pred.parameters or gold.parameters:
        return None
    pair = Pair(pred, gold, bench.schema, bench.facts, bench.script.relation(question.gold))
    wanted = replace(asked, kills=asked.kills | {mark})
    for database in databases(pair, effort):
        if bench.arena.load(database):
            full = bench.full()
            if look(full, wanted) is not None:
                return full
    return None


class LostError(Exception):
    """The worker was killed, or failed."""


class SuiteWorker:
    """A worker for the questions of one database."""

    def __init__(
        self,
        settings: Mapping[str, Setting],
        db_id: str,
        questions: Sequence[SuiteQuestion],
        script: EvaluationScript,
    ) -> None:
        self._lane = Lane(WorkerKind(enter, (settings, db_id, questions, script)))

    def ask(self, function: Callable[..., T], *arguments: object) -> T:
        """The value of a function run in the worker.

        Raises:
            LostError: it was killed, or failed.
        """
        outcome = self._lane.call(function, *arguments, timeout=SECONDS)
        if isinstance(outcome, Timeout | Crashed):
            raise LostError(str(outcome))
        return outcome

    def look(self, source: Database | Path, asked: BenchAsked) -> Sight | None:
        """The results of a database; None if it is refused, or the worker was killed over it."""
        try:
            return self.ask(look, source, asked)
        except LostError:
            return None

    def join(self, base: Database, added: Database, asked: BenchAsked) -> tuple[Database, Sight] | None:
        """Merge the rows of two databases; the merged one and what it shows, None as for :meth:`look`."""
        try:
            return self.ask(joined, base, added, asked)
        except LostError:
            return None

    def close(self) -> None:
        """End the worker."""
        self._lane.close()
