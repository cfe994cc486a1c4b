"""From a record of the engine to a case, and from a judgement back to the record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from threading import Event
from time import perf_counter
from typing import Any, Literal

from equiv.core.single_values import sql_literal
from equiv.eval.worker import Listing, Results
from equiv.judge.case import (
    SQLITE,
    Answer,
    Ask,
    Case,
    Engines,
    Judgement,
    NoAnswer,
    OutOfBudget,
    Responder,
    Role,
    Shown,
    Standard,
    Usage,
    estimated_usage,
)
from equiv.records.record import Record
from equiv.verdict import FailureCode, Reason


@dataclass(frozen=True, slots=True)
class Call:
    """One question to the judge, as an attempt of the record."""

    role: Role
    ms: float
    detail: str
    """Why there is no usable reply, or ''."""
    source: str
    estimate: Usage = field(default_factory=Usage)
    """What it cost by estimate, where tokens were not counted."""


@dataclass(slots=True)
class Meter:
    """A responder that asks another one and keeps what it asked, for one case."""

    responder: Responder
    stopped: Event
    """Set when the run ends: nothing more is asked then."""
    calls: list[Call] = field(default_factory=list)

    def ask(self, ask: Ask) -> Answer:
        """The other one's answer.

        Raises:
            OutOfBudget: the allowance does not cover the call, or the run ends.
        """
        if self.stopped.is_set():
            raise OutOfBudget("the run was interrupted")
        start = perf_counter()
        answer = self.responder.ask(ask)
        detail = answer.reply.detail if isinstance(answer.reply, NoAnswer) else ""
        spent = (perf_counter() - start) * 1000
        self.calls.append(Call(ask.role, spent, detail, answer.source, estimated_usage(ask, answer)))
        return answer


def case_of(
    record: Record,
    schema: str,
    results: Results,
    *,
    gold_fault: str = "",
    descriptions: str = "",
    rows: int = Standard.OURS.rows,
    engines: Engines = SQLITE,
) -> Case:
    """The case that a record makes, with what the populated database says of it.

    Args:
        record: of the engine.
        schema: as DDL.
        results: of both queries on the populated database.
        gold_fault: why the gold query is known to be faulty, or ''.
        descriptions: of the columns, or ''.
        rows: how many of a result are shown at most.
        engines: what prediction and gold query are written for.
    """
    return Case(
        source=record["source"],
        question_id=record["question_id"],
        db_id=record["db_id"],
        question=record["question"],
        hint=record["hint"],
        schema=schema,
        pred_sql=record["predicted_sql"],
        gold_sql=record["gold_sql"],
        pred_result=_shown(results.pred, rows),
        gold_result=_shown(results.gold, rows),
        failure=results.failure,
        results_equal=results.equal,
        equality_from="" if results.equal is None else "execution",
        difference=record["difference"] or "",
        # The database of an undecided pair shows a tie, which distinguishes nothing.
        witness=_witness(record["evidence"]) if record["verdict"] == "not_equivalent" else "",
        gold_fault=gold_fault,
        descriptions=descriptions,
        engines=engines,
    )


def scored(record: Record, judgement: Judgement, calls: list[Call]) -> Record:
    """The record with a judgement's score, or with the reason why there is none.

    ``judge.equality`` becomes what said whether the results are equal.
    """
    score_by: str | None = judgement.score_by or None
    if calls and all(call.source == "cache" for call in calls):
        score_by = "cache"
    changed: Record = {
        "score": judgement.score,
        "score_by": score_by if judgement.score is not None else None,
        "prover_result": asdict(judgement.prover) if judgement.prover else None,
        "refuter_result": asdict(judgement.refuter) if judgement.refuter else None,
        "llm": asdict(judgement.usage),
        "ms": _milliseconds(record["ms"], calls),
        "attempts": [*record["attempts"], *_attempts(calls)],
        "judge": {
            **record["judge"],
            "equality": judgement.equality_from or None,
            "estimate": _estimate(calls),
        },
    }
    if judgement.score_by == "parse":
        changed["failure_code"] = record["failure_code"] or FailureCode.PRED_EXEC
    if judgement.score is None:
        changed |= {"reason": judgement.reason or Reason.INTERNAL, "detail": judgement.detail or None}
    return {**record, **changed}


def _estimate(calls: list[Call]) -> dict[str, int] | None:
    """The tokens of the calls whose tokens were not counted; None if there are none."""
    total = sum((call.estimate for call in calls), Usage())
    if not total.calls:
        return None
    return {"prompt_tokens": total.prompt_tokens, "completion_tokens": total.completion_tokens}


def scored_by_triage(record: Record, score: Literal[0, 1]) -> Record:
    """The record with a score that its probability gives."""
    return {**record, "score": score, "score_by": "triage"}


def scored_as(record: Record, member: Record) -> Record:
    """The record with the score of another member of its class."""
    taken = ("score", "prover_result", "refuter_result")
    return {**record, "score_by": "class", **{name: member[name] for name in taken}}


def _shown(listing: Listing | None, most: int) -> Shown | None:
    return Shown(listing.rows[:most], listing.total) if listing is not None else None


def _witness(evidence: Mapping[str, Any] | None) -> str:
    """The database that distinguishes the queries, with what both return on it."""
    match evidence:
        case None:
            return ""
        case {"kind": "witness", "sql": str(script)}:
            return f"{script.rstrip()}\n{_both_rows(evidence)}"
        case {"kind": "execution", "database": database}:
            return f"-- on the populated database {database!r}\n{_both_rows(evidence)}"
    return ""


def _both_rows(evidence: Mapping[str, Any]) -> str:
    return "\n".join(
        f"-- the {side} raises an error: {' '.join(error.split())}"
        if (error := evidence.get(f"{name}_error"))
        else f"-- the {side} returns {', '.join(map(_row, evidence[f'{name}_rows'])) or 'no row'}"
        for side, name in (("prediction", "pred"), ("gold query", "gold"))
    )


def _row(row: list[Any]) -> str:
    return f"({', '.join(map(_cell, row))})"


def _cell(value: Any) -> str:
    match value:
        case {"blob": str(digits)}:
            return f"x'{digits}'"
        case {"real": str(infinity)}:
            return infinity
    return " ".join(sql_literal(value).split())


def _milliseconds(spent: Mapping[str, float], calls: list[Call]) -> dict[str, float]:
    return {**spent, **{str(call.role): round(call.ms, 3) for call in calls}}


def _attempts(calls: list[Call]) -> list[Record]:
    last = len(calls) - 1
    return [
        {
            "tier": str(call.role),
            "outcome": "failed" if call.detail else "settled" if position == last else "passed",
            "reason": call.detail,
            "ms": round(call.ms, 3),
        }
        for position, call in enumerate(calls)
    ]
