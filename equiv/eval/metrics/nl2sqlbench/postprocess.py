"""Post-processing: gold schemas and outcomes, in one form for the benchmark.

Source: NL2SQLBench, section 3.2 ("Postprocessing Agent") and 3.1.2 (correct, incorrect, error; the classes of
errors).

Outcomes come from result records, so that correctness is a verdict or any other metric, or from the logs
themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from sqlglot import exp

from equiv.core.query import Query
from equiv.eval.metrics.measured import Measured, pair_of, text_of
from equiv.eval.reading.nl2sqlbench import Executed, Module, ModuleNode, NamedQuestion, QuestionIndex
from equiv.eval.running.worker import WORKER
from equiv.records.item import JsonValue
from equiv.records.record import Record


class QuestionGrade(StrEnum):
    """What became of a query; exactly one of the three."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    ERROR = "error"


ERRORS = {
    "PRED_NO_TABLE_OR_COLUMN": "no such table/column",
    "PRED_NO_FUNCTION": "no such function",
    "PRED_SYNTAX": "syntax error",
    "PRED_TIMEOUT": "timeout",
}
OTHER = "other"
CLASSES = (*ERRORS.values(), OTHER)
"""The classes of errors of section 3.1.2."""

MESSAGES = {
    "no such table": "no such table/column",
    "no such column": "no such table/column",
    "no such function": "no such function",
    "syntax error": "syntax error",
    "timeout": "timeout",
}
"""The classes of errors by what SQLite's messages hold."""


@dataclass(frozen=True, slots=True)
class Graded:
    """One query with its outcome; ``error`` is its class, or ''."""

    outcome: QuestionGrade
    error: str = ""


MISSING = Graded(QuestionGrade.ERROR, OTHER)
"""The result of a query that a module should have given, or that was not evaluated: it is never left out."""


def result_of(record: Record, measured: Measured) -> Graded:
    """The outcome of the query of a record; right is what the metric says."""
    if measured.scores.get(pair_of(record)):
        return Graded(QuestionGrade.CORRECT)
    code = str(record["failure_code"] or "")
    if code.startswith("PRED_"):
        return Graded(QuestionGrade.ERROR, ERRORS.get(code, OTHER))
    return Graded(QuestionGrade.INCORRECT)


def logged(executed: Executed | None) -> Graded:
    """The result that a log tells."""
    match executed:
        case None:
            return MISSING
        case Executed(correct=True):
            return Graded(QuestionGrade.CORRECT)
        case Executed(trouble=""):
            return Graded(QuestionGrade.INCORRECT)
    text = executed.trouble.lower()
    return Graded(QuestionGrade.ERROR, next((kind for said, kind in MESSAGES.items() if said in text), OTHER))


GoldSchema = Mapping[str, frozenset[str]]
"""The columns that a query reads, by table, in lower case."""


@dataclass(frozen=True, slots=True)
class Answered:
    """All that is known of one question to one system."""

    difficulty: str
    candidates: tuple[Graded, ...] = ()
    revision: Graded | None = None
    selected: GoldSchema | None = None
    gold: GoldSchema | None = None
    spent: Mapping[Module, tuple[int, int, float]] | None = None
    """Tokens, calls and cost by module."""

    @property
    def first(self) -> Graded | None:
        """The first candidate."""
        return next(iter(self.candidates), None)

    @property
    def final(self) -> Graded | None:
        """What the system answers in the end: the revision, else the first candidate."""
        return self.revision or self.first


def gold_schema(db_id: str, gold: str) -> dict[str, frozenset[str]] | None:
    """The tables and columns that a query reads, inside a worker process; None if it cannot be resolved."""
    query = WORKER.engine(db_id).read(gold, gold=True)
    if not isinstance(query, Query) or query.tree is None:
        return None
    tables = {t.alias_or_name: t.name.lower() for t in query.tree.find_all(exp.Table)}
    found: dict[str, set[str]] = {name: set() for name in tables.values()}
    for column in query.tree.find_all(exp.Column):
        if column.table in tables:
            found[tables[column.table]].add(column.name.lower())
    bases = {table.name.lower() for table in WORKER.engine(db_id).schema.tables}
    return {table: frozenset(columns) for table, columns in found.items() if table in bases}


SystemQuestion = tuple[str, str, str]
"""System, database, question id."""


def answered(
    nodes: Iterable[ModuleNode],
    records: Iterable[Record],
    measured: Measured | None,
    gold: Mapping[tuple[str, str], GoldSchema],
) -> dict[SystemQuestion, Answered]:
    """What nodes and the records of their queries say of each question.

    Questions that records have and nodes lack are unanswered: their predictions are errors.

    Args:
        nodes: what was collected.
        records: of ``equiv eval`` on the same logs.
        measured: what is right; None leaves it to the logs.
        gold: gold schemas by database and gold text.
    """
    own_records = list(records)
    known = {} if measured is None else _results(own_records, measured)
    places = _Places(own_records)
    by_question: dict[SystemQuestion, list[ModuleNode]] = {}
    for node in nodes:
        by_question.setdefault(places.of(node), []).append(node)
    found = {}
    for place, given in by_question.items():
        results = {node.module: _results_of(node, place, known, measured) for node in given}
        found[place] = _answered(
            given, results, gold.get(places.gold(place, given)), places.difficulty(place)
        )
    systems = {system for system, _, _ in found}
    for place in places:
        own = found.get(place, Answered(text_of(places.difficulty(place))))
        if place[0] in systems and own.final is None:
            found[place] = replace(own, candidates=(MISSING,))
    return found


def _results(records: Iterable[Record], measured: Measured) -> dict[tuple[str, ...], Graded]:
    return {(*_place(r), r["predicted_sql"]): result_of(r, measured) for r in records}


def _place(record: Record) -> SystemQuestion:
    return record["source"], record["db_id"], str(record["question_id"])


def _results_of(
    node: ModuleNode,
    place: SystemQuestion,
    known: Mapping[tuple[str, ...], Graded],
    measured: Measured | None,
) -> tuple[Graded, ...]:
    """The results of the queries of a node; none for a selection."""
    if node.module is Module.SELECTION:
        return ()
    if measured is None:
        return (logged(node.executed),)
    return tuple(known.get((*place, sql), MISSING) for sql in node.candidates) or (MISSING,)


class _Places:
    """The questions that records are about, by what nodes may call them."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._records = {_place(record): record for record in records}
        names: dict[str, list[NamedQuestion[SystemQuestion]]] = {}
        for place, record in self._records.items():
            names.setdefault(place[0], []).append(
                NamedQuestion(place, place[2], place[1], record["question"] or "")
            )
        self._named = {system: QuestionIndex.of(own) for system, own in names.items()}

    def __iter__(self) -> Iterator[SystemQuestion]:
        return iter(self._records)

    def of(self, node: ModuleNode) -> SystemQuestion:
        """The question of a node; as the log calls it if no record has it."""
        index = self._named.get(node.system)
        id_ = None if node.question_id is None else str(node.question_id)
        found = index.find(id_, node.db_id, node.question) if index else []
        return found[0] if found else node.place

    def gold(self, place: SystemQuestion, nodes: Iterable[ModuleNode]) -> tuple[str, str]:
        """The database and the gold query of a question."""
        record = self._records.get(place)
        if record is not None:
            return record["db_id"], record["gold_sql"]
        return place[1], next((node.gold_sql for node in nodes if node.gold_sql), "")

    def difficulty(self, place: SystemQuestion) -> JsonValue:
        """How hard the records call a question; None if they do not say."""
        record = self._records.get(place)
        return None if record is None else record["difficulty"]


def _answered(
    nodes: list[ModuleNode],
    results: Mapping[Module, tuple[Graded, ...]],
    gold: GoldSchema | None,
    difficulty: JsonValue,
) -> Answered:
    schemas = [node.schema for node in nodes if node.schema is not None]
    stated = next((node.gold_schema for node in nodes if node.gold_schema is not None), None)
    spent: dict[Module, tuple[int, int, float]] = {}
    for node in nodes:
        tokens, calls, cost = spent.get(node.module, (0, 0, 0.0))
        spent[node.module] = tokens + node.tokens, calls + node.calls, cost + node.cost
    revised = results.get(Module.REVISION, ())
    told = [difficulty, *(node.difficulty for node in nodes)]
    return Answered(
        difficulty=text_of(next((value for value in told if value is not None), None)),
        candidates=results.get(Module.GENERATION, ()),
        revision=revised[0] if revised else None,
        selected=schemas[-1] if schemas else None,
        gold=stated if gold is None else gold,
        spent=spent,
    )
