"""Predictions of one question that records show to be equivalent to one another.

Nothing is proved here: two predictions are in one class if both are proved equivalent to the gold query, if
their texts are the same, or if the record of a judge puts them in one class.  Equivalence is transitive, so
that classes are connected components; the facts they rest on are those of all the proofs together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from equiv.eval.questions import QuestionId, question_of
from equiv.records.record import Record


@dataclass(frozen=True, slots=True)
class Class:
    """Predictions of one question that are known to be equivalent."""

    question: QuestionId
    members: tuple[Record, ...]
    is_gold: bool
    """Whether they are proved equivalent to the gold query."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that predict so, once each."""
        return tuple(dict.fromkeys(str(record["source"]) for record in self.members))


def classes_in(records: Iterable[Record]) -> list[Class]:
    """The classes of every question, in order of appearance; a prediction that is no query is in none."""
    questions: dict[QuestionId, list[Record]] = {}
    for record in records:
        if record["verdict"] != "invalid":
            questions.setdefault(question_of(record), []).append(record)
    return [found for question, own in questions.items() for found in _classes(question, own)]


def _classes(question: QuestionId, records: Sequence[Record]) -> list[Class]:
    """Union-find over what records have in common."""
    root: dict[object, object] = {}

    def top(node: object) -> object:
        while root.setdefault(node, node) != node:
            node = root[node]
        return node

    marks = [_marks(record) for record in records]
    for own in marks:
        for mark in own[1:]:
            root[top(mark)] = top(own[0])
    members: dict[object, list[Record]] = {}
    for record, own in zip(records, marks, strict=True):
        members.setdefault(top(own[0]), []).append(record)
    gold = top(_GOLD)
    return [Class(question, tuple(own), place == gold) for place, own in members.items()]


_GOLD = ("gold", "")


def _marks(record: Record) -> list[tuple[str, str]]:
    """What a record shares with those of its class."""
    marks = [("text", str(record["predicted_sql"]).strip())]
    if record["verdict"] == "equivalent":
        marks.append(_GOLD)
    if name := (record["judge"] or {}).get("class"):
        marks.append(("class", str(name)))
    return marks
