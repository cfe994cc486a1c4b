"""One line of a file of published judgements, in this project's words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from equiv.judge.case import NoAnswer, ProverReply, RefuterReply, Reply


@dataclass(frozen=True, slots=True)
class Recorded:
    """The recorded judgement of one prediction; fields are None where nothing is recorded."""

    score: float | None
    prover: Reply | None
    refuter: Reply | None
    ex_score: float | None


def recorded(line: Mapping[str, Any], score_name: str, ex_score: object) -> Recorded:
    """The judgement on a line; a reply without a verdict is a NoAnswer, a score that is no number None."""
    score = _number(line.get(score_name))
    return Recorded(score, _prover(line["prover"]), _refuter(line["refuter"]), _number(ex_score))


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _prover(reply: Any) -> Reply | None:
    match reply:
        case None:
            return None
        case {"verdict": bool(verdict)}:
            return ProverReply(
                verdict=verdict,
                reason=_text(reply.get("reason")),
                expected_answer=_text(reply.get("expected_answer")),
                sql_description=_text(reply.get("sql_description")),
                evidence=_text(reply.get("evidence")),
            )
        case _:
            return NoAnswer("the recorded reply has no verdict")


def _refuter(reply: Any) -> Reply | None:
    match reply:
        case None:
            return None
        case {"verdict": bool(verdict)}:
            gold_correct = reply.get("gold_correct")
            return RefuterReply(
                overturn=verdict,
                reason=_text(reply.get("judgement")),
                ambiguity=_ambiguity(reply.get("ambiguity")),
                gold_correct=gold_correct if isinstance(gold_correct, bool) else None,
            )
        case _:
            return NoAnswer("the recorded reply has no verdict")


def _ambiguity(label: object) -> Literal["question", "schema", "none", ""]:
    """Our label for a published one; of two, the first counts."""
    match label.partition(",")[0] if isinstance(label, str) else None:
        case "ambiguous question":
            return "question"
        case "ambiguous schema":
            return "schema"
        case "na":
            return "none"
        case _:
            return ""


def _text(value: object) -> str:
    """An explanation as text: some recorded ones are JSON values."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
