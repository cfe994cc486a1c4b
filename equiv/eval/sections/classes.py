"""Predictions of one question that records show to be equivalent to one another.

Nothing is proved here: two predictions are in one class if both are proved equivalent to the gold query, if
their texts are the same, or if the record of a judge puts them in one class.  Equivalence is transitive, so
that classes are connected components; the facts they rest on are those of all the proofs together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from equiv.eval.questions import QuestionId, question_of
from equiv.graphs import components
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
    """The connected components of the graph in which records hang together by what they share."""
    marks = [_marks(record) for record in records]
    members: dict[int, list[Record]] = {}
    groups = components(dict.fromkeys(mark for own in marks for mark in own), marks)
    number_of = {mark: number for number, group in enumerate(groups) for mark in group}
    for record, own in zip(records, marks, strict=True):
        members.setdefault(number_of[own[0]], []).append(record)
    gold = number_of.get(_GOLD)
    return [Class(question, tuple(own), number == gold) for number, own in members.items()]


_GOLD = ("gold", "")


def _marks(record: Record) -> list[tuple[str, str]]:
    """What a record shares with those of its class."""
    marks = [("text", str(record["predicted_sql"]).strip())]
    if record["verdict"] == "equivalent":
        marks.append(_GOLD)
    if name := (record["judge"] or {}).get("class"):
        marks.append(("class", str(name)))
    return marks
