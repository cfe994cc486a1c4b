"""NL2SQLBench: the modules of a system measured one by one, over what was collected and post-processed.

Source: NL2SQLBench, section 3.2 (collect, post-process, benchmark) and 3.1: metrics by the numbers of its
equations, outcomes (correct, incorrect, error; the classes of errors) by 3.1.2; Tables 23 and 24 (appendix
A.10); CR@budget (section 4.5.1).  Fractions; NaN where a denominator is 0.  What the paper averages over
questions (precision, recall, F1, tokens, calls) is averaged over questions here.

Outcomes come from result records, so that correctness is a verdict or any other metric, or from the logs
themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import isnan, nan
from typing import TypeVar

from sqlglot import exp

from equiv.core.query import Query
from equiv.eval.metrics.scores import Measured, pair_of, text_of
from equiv.eval.reading.nl2sqlbench import Executed, Module, ModuleNode, NamedQuestion, QuestionIndex
from equiv.eval.worker import WORKER
from equiv.graphs import grouped_by
from equiv.names import fold, folded
from equiv.records.record import JsonValue, Record

T = TypeVar("T")


class QuestionGrade(StrEnum):
    """The fate of a query: exactly one of three."""

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
        """The system's final answer: the revision, else the first candidate."""
        return self.revision or self.first

    def ended_as(self, outcome: QuestionGrade) -> bool:
        """Whether that is what became of it."""
        return self.final is not None and self.final.outcome is outcome


def gold_schema(db_id: str, gold: str) -> dict[str, frozenset[str]] | None:
    """The tables and columns that a query reads, inside a worker process; None if it cannot be resolved."""
    query = WORKER.engine(db_id).read(gold, gold=True)
    if not isinstance(query, Query) or query.tree is None:
        return None
    tables = {t.alias_or_name: fold(t.name) for t in query.tree.find_all(exp.Table)}
    found: dict[str, set[str]] = {name: set() for name in tables.values()}
    for column in query.tree.find_all(exp.Column):
        if column.table in tables:
            found[tables[column.table]].add(fold(column.name))
    bases = folded(table.name for table in WORKER.engine(db_id).schema.tables)
    return {table: frozenset(columns) for table, columns in found.items() if table in bases}


SystemQuestion = tuple[str, str, str]
"""System, database, question id."""


def answered(
    nodes: Iterable[ModuleNode],
    records: Iterable[Record],
    measured: Measured | None,
    gold: Mapping[tuple[str, str], GoldSchema],
) -> dict[SystemQuestion, Answered]:
    """The answers to each question, as nodes and the records of their queries state them.

    Questions that records have and nodes lack are unanswered: their predictions are errors.

    Args:
        nodes: what was collected.
        records: of ``equiv eval`` on the same logs.
        measured: what is right; None leaves it to the logs.
        gold: gold schemas by database and gold text.
    """
    own_records = list(records)
    known: dict[tuple[str, ...], Graded] = {}
    if measured is not None:
        known = {(*_place(r), r["predicted_sql"]): result_of(r, measured) for r in own_records}
    places = _Places(own_records)
    by_question = grouped_by(places.of, nodes)
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


Elements = frozenset[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Selection:
    """Precision, recall and F1 of a schema selection (equations 1 to 3)."""

    precision: float
    recall: float
    f1: float


def selection(relevant: Elements, selected: Elements) -> Selection:
    """Equations 1 to 3; a selection of nothing has precision 0, as in the paper's code.

    Where nothing is relevant, nothing is measured.
    """
    if not relevant:
        return Selection(nan, nan, nan)
    both = len(relevant & selected)
    precision, recall = both / len(selected) if selected else 0.0, both / len(relevant)
    return Selection(precision, recall, 2 * precision * recall / (precision + recall) if both else 0.0)


def tables_of(schema: GoldSchema) -> Elements:
    """Its tables."""
    return frozenset((table,) for table in schema)


def columns_of(schema: GoldSchema) -> Elements:
    """Its columns, with their tables."""
    return frozenset((table, column) for table, columns in schema.items() for column in columns)


@dataclass(frozen=True, slots=True)
class Rates:
    """Correct, incorrect and error rate (equations 4 to 6), and the error rate by class; CR + IR + ER = 1."""

    correct: float
    incorrect: float
    error: float
    classes: dict[str, float]


def rates(results: Sequence[Graded]) -> Rates:
    """Equations 4 to 6."""
    counts = {outcome: sum(r.outcome is outcome for r in results) for outcome in QuestionGrade}
    total = len(results)
    by_class = {name: _ratio(sum(r.error == name for r in results), total) for name in CLASSES}
    correct, incorrect, error = (_ratio(counts[outcome], total) for outcome in QuestionGrade)
    return Rates(correct, incorrect, error, by_class)


def pass_at(k: int, candidates: Sequence[Sequence[Graded]]) -> float:
    """Pass@k (equation 7): a right query among the first k."""
    solved = sum(any(r.outcome is QuestionGrade.CORRECT for r in own[:k]) for own in candidates)
    return _ratio(solved, len(candidates))


@dataclass(frozen=True, slots=True)
class Revision:
    """The changes made by revising (equations 8 to 12)."""

    improvement: float
    """CI."""
    incorrect_to_correct: float
    error_to_correct: float
    correct_to_incorrect: float
    correct_to_error: float


def revision(changes: Sequence[tuple[QuestionGrade, QuestionGrade]]) -> Revision:
    """Equations 8 to 12, for (outcome before, outcome after) of each question."""

    def moved(before: QuestionGrade, after: QuestionGrade) -> float:
        own = [late for early, late in changes if early is before]
        return _ratio(own.count(after), len(own))

    before = sum(early is QuestionGrade.CORRECT for early, _ in changes)
    after = sum(late is QuestionGrade.CORRECT for _, late in changes)
    return Revision(
        _ratio(after - before, before),
        moved(QuestionGrade.INCORRECT, QuestionGrade.CORRECT),
        moved(QuestionGrade.ERROR, QuestionGrade.CORRECT),
        moved(QuestionGrade.CORRECT, QuestionGrade.INCORRECT),
        moved(QuestionGrade.CORRECT, QuestionGrade.ERROR),
    )


def spent(questions: Iterable[Answered], module: Module | None = None) -> tuple[float, float, float]:
    """Tokens, calls and cost of a module for a question on average (section 3.1.4); None: of all modules."""
    own = [_spent(question, module) for question in questions]
    tokens, calls, costs = zip(*own, strict=True) if own else ((), (), ())
    return _ratio(sum(tokens), len(own)), _ratio(sum(calls), len(own)), _ratio(sum(costs), len(own))


def _spent(question: Answered, module: Module | None) -> tuple[int, int, float]:
    known = question.spent or {}
    chosen = [found for name, found in known.items() if module in (None, name)]
    return sum(c[0] for c in chosen), sum(c[1] for c in chosen), sum(c[2] for c in chosen)


def correct_at_budget(
    questions: Sequence[Answered], *, tokens: int | None = None, calls: int | None = None
) -> float:
    """CR@budget (section 4.5.1): right answers within a cap on tokens or calls; beyond it none counts."""
    solved = 0
    for question in questions:
        used_tokens, used_calls, _ = _spent(question, None)
        within = (tokens is None or used_tokens <= tokens) and (calls is None or used_calls <= calls)
        solved += within and _is_right(question.final)
    return _ratio(solved, len(questions))


def correct_by_recall(
    questions: Iterable[Answered], *, revised: bool
) -> tuple[tuple[float, int], tuple[float, int]]:
    """Table 23: the correct rate, and of how many, where the schema's recall is 1 and where it is less."""
    known = _recalls(questions, revised=revised)
    whole = [right for recall, right in known if recall == 1]
    partial = [right for recall, right in known if recall < 1]
    return (_ratio(sum(whole), len(whole)), len(whole)), (_ratio(sum(partial), len(partial)), len(partial))


def recall_by_outcome(questions: Iterable[Answered], *, revised: bool) -> tuple[float, float]:
    """Table 24: the schema's mean recall where the query is right, and where it is wrong."""
    known = _recalls(questions, revised=revised)
    right, wrong = ([recall for recall, is_right in known if is_right is wanted] for wanted in (True, False))
    return mean(right), mean(wrong)


def _recalls(questions: Iterable[Answered], *, revised: bool) -> list[tuple[float, bool]]:
    """The recall of each question's schema, where it is defined, and whether its query is right."""
    told = [(recall_of(q), _is_right(q.revision if revised else q.first)) for q in questions]
    return [(recall, right) for recall, right in told if not isnan(recall)]


def recall_of(question: Answered) -> float:
    """The recall of all that a question's schema selection should have selected: tables and columns."""
    if question.gold is None or question.selected is None:
        return nan
    wanted = tables_of(question.gold) | columns_of(question.gold)
    given = tables_of(question.selected) | columns_of(question.selected)
    return selection(wanted, given).recall


def solved_by(questions: dict[tuple[str, str], dict[str, bool]]) -> dict[int, int]:
    """How many questions so many systems solve (figures 6 and 7): none, one only, …, all."""
    found: dict[int, int] = {}
    for systems in questions.values():
        solvers = sum(systems.values())
        found[solvers] = found.get(solvers, 0) + 1
    return dict(sorted(found.items()))


def overlap(one: frozenset[T], other: frozenset[T]) -> float:
    """The overlap coefficient of two sets: what they share, of the smaller one."""
    return _ratio(len(one & other), min(len(one), len(other)))


def jaccard(one: frozenset[T], other: frozenset[T]) -> float:
    """The Jaccard index of two sets: what they share, of what either has."""
    return _ratio(len(one & other), len(one | other))


def mean(values: Iterable[float]) -> float:
    """The mean of those that are defined."""
    known = [value for value in values if not isnan(value)]
    return _ratio(sum(known), len(known))


def _is_right(result: Graded | None) -> bool:
    return result is not None and result.outcome is QuestionGrade.CORRECT


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else nan
