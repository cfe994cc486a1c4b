"""Post-processing: gold schemas and outcomes, in one form for the benchmark.

Source: NL2SQLBench, section 3.2 ("Postprocessing Agent") and 3.1.2 (correct, incorrect, error; the classes of
errors).  Outcomes come from result records, so that correctness is a verdict or any other metric.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from sqlglot import exp

from equiv.core.query import Query
from equiv.eval.metrics.measured import Measured, pair_of
from equiv.eval.reading.nl2sqlbench_nodes import Module, Node
from equiv.eval.running.worker import WORKER
from equiv.records.record import Record

GoldSchema = Mapping[str, frozenset[str]]
"""The columns that a query reads, by table, in lower case."""


class Outcome(StrEnum):
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


@dataclass(frozen=True, slots=True)
class Result:
    """One query with its outcome; ``error`` is its class, or ''."""

    outcome: Outcome
    error: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """All that is known of one question to one system."""

    difficulty: str
    candidates: tuple[Result, ...] = ()
    revision: Result | None = None
    selected: GoldSchema | None = None
    gold: GoldSchema | None = None
    spent: Mapping[Module, tuple[int, int, float]] | None = None
    """Tokens, calls and cost by module."""

    @property
    def final(self) -> Result | None:
        """What the system answers in the end: the revision, else the first candidate."""
        return self.revision or (self.candidates[0] if self.candidates else None)


def result_of(record: Record, measured: Measured) -> Result:
    """The outcome of the query of a record; right is what the metric says."""
    if measured.scores.get(pair_of(record)):
        return Result(Outcome.CORRECT)
    code = str(record["failure_code"] or "")
    if code.startswith("PRED_"):
        return Result(Outcome.ERROR, ERRORS.get(code, OTHER))
    return Result(Outcome.INCORRECT)


def gold_schema(db_id: str, gold: str) -> dict[str, frozenset[str]] | None:
    """The tables and columns that a query reads, inside a worker process; None if it cannot be resolved."""
    query = WORKER.engine(db_id).read(gold)
    if not isinstance(query, Query) or query.tree is None:
        return None
    tables = {t.alias_or_name: t.name.lower() for t in query.tree.find_all(exp.Table)}
    found: dict[str, set[str]] = {name: set() for name in tables.values()}
    for column in query.tree.find_all(exp.Column):
        if column.table in tables:
            found[tables[column.table]].add(column.name.lower())
    bases = {table.name.lower() for table in WORKER.engine(db_id).schema.tables}
    return {table: frozenset(columns) for table, columns in found.items() if table in bases}


Question = tuple[str, str, str]
"""System, database, question id."""


def answered(
    nodes: Iterable[Node],
    records: Iterable[Record],
    measured: Measured,
    gold: Mapping[tuple[str, str], GoldSchema],
) -> dict[Question, Answered]:
    """What nodes and the records of their queries say of each question.

    A query without a record is an error of its own kind: it is never left out.

    Args:
        nodes: what was collected.
        records: of ``equiv eval`` on the same logs.
        measured: what is right.
        gold: gold schemas by database and gold text.
    """
    known = {
        (r["source"], r["db_id"], str(r["question_id"]), r["predicted_sql"]): result_of(r, measured)
        for r in records
    }
    by_question: dict[Question, list[Node]] = {}
    for node in nodes:
        by_question.setdefault(node.place, []).append(node)
    missing = Result(Outcome.ERROR, OTHER)
    return {
        place: _answered(
            own,
            {node.module: tuple(known.get((*place, s), missing) for s in node.candidates) for node in own},
            gold,
        )
        for place, own in by_question.items()
    }


def _answered(
    nodes: list[Node],
    results: Mapping[Module, tuple[Result, ...]],
    gold: Mapping[tuple[str, str], GoldSchema],
) -> Answered:
    schemas = [node.schema for node in nodes if node.schema is not None]
    golds = [found for node in nodes if (found := gold.get((node.db_id, node.gold_sql))) is not None]
    spent: dict[Module, tuple[int, int, float]] = {}
    for node in nodes:
        tokens, calls, cost = spent.get(node.module, (0, 0, 0.0))
        spent[node.module] = tokens + node.tokens, calls + node.calls, cost + node.cost
    revised = results.get(Module.REVISION, ())
    return Answered(
        difficulty=next((str(node.difficulty) for node in nodes if node.difficulty is not None), "-"),
        candidates=results.get(Module.GENERATION, ()),
        revision=revised[0] if revised else None,
        selected=schemas[-1] if schemas else None,
        gold=golds[0] if golds else None,
        spent=spent,
    )
