"""The outcome of a query: correct, incorrect, or an error of a class.

Source: NL2SQLBench, section 3.1.2.  Outcomes come from result records, so that correctness is a verdict or
any other metric, or from the logs themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from equiv.eval.metrics.measured import Measured, pair_of
from equiv.eval.reading.nl2sqlbench_nodes import Executed
from equiv.records.record import Record


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

MESSAGES = {
    "no such table": "no such table/column",
    "no such column": "no such table/column",
    "no such function": "no such function",
    "syntax error": "syntax error",
    "timeout": "timeout",
}
"""The classes of errors by what SQLite's messages hold."""


@dataclass(frozen=True, slots=True)
class Result:
    """One query with its outcome; ``error`` is its class, or ''."""

    outcome: Outcome
    error: str = ""


MISSING = Result(Outcome.ERROR, OTHER)
"""The result of a query that a module should have given, or that was not evaluated: it is never left out."""


def result_of(record: Record, measured: Measured) -> Result:
    """The outcome of the query of a record; right is what the metric says."""
    if measured.scores.get(pair_of(record)):
        return Result(Outcome.CORRECT)
    code = str(record["failure_code"] or "")
    if code.startswith("PRED_"):
        return Result(Outcome.ERROR, ERRORS.get(code, OTHER))
    return Result(Outcome.INCORRECT)


def logged(executed: Executed | None) -> Result:
    """The result that a log tells."""
    match executed:
        case None:
            return MISSING
        case Executed(correct=True):
            return Result(Outcome.CORRECT)
        case Executed(trouble=""):
            return Result(Outcome.INCORRECT)
    text = executed.trouble.lower()
    return Result(Outcome.ERROR, next((kind for said, kind in MESSAGES.items() if said in text), OTHER))
