"""Names and answers of classes: predictions of one question that are proven equivalent to one another.

Members are proven under one relation and one set of facts, and equivalence is transitive.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from equiv.eval.questions import QuestionId, question_of
from equiv.records.record import Record


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Members of one class to which the same judge gave different scores: its noise."""

    question: QuestionId
    passed: tuple[Record, ...]
    failed: tuple[Record, ...]


def class_name(record: Record) -> str:
    """A short name for the class whose first member is a record; records keep it."""
    parts = "\0".join((*question_of(record), record["predicted_sql"]))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def answer_of(members: Iterable[Record]) -> Record | None:
    """A member whose answer is that of its class; None if none has one, or if they contradict each other."""
    answered = [record for record in members if record["score"] is not None]
    return answered[0] if len({record["score"] for record in answered}) == 1 else None


def contradictions(classes: Iterable[Sequence[Record]]) -> Iterator[Contradiction]:
    """The classes whose members were judged differently."""
    for members in classes:
        passed = tuple(record for record in members if record["score"] == 1)
        failed = tuple(record for record in members if record["score"] == 0)
        if passed and failed:
            yield Contradiction(question_of(members[0]), passed, failed)
