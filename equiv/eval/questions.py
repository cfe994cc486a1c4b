"""The pairs of a question together: what a judge takes in, and what it is to an evaluation."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from equiv.eval.aside import Aside
from equiv.records.item import Item
from equiv.records.record import Record

QuestionId = tuple[str, str, str]
"""Database, question id as JSON, gold text: some ids carry several gold texts."""


@dataclass(frozen=True, slots=True)
class Question:
    """The records of one question that are to be scored, in file order, and those scored before."""

    records: tuple[Record, ...]
    scored: tuple[Record, ...] = ()


class Judge(Protocol):
    """What gives the records of an evaluation their scores, beyond what verdicts say."""

    def key(self, key: str) -> str:
        """The key of a judged record, by that of the record without a judge."""
        ...

    def scored(self, questions: Iterator[Question | None], aside: Aside) -> Generator[Record]:
        """The records with their scores, as they come; None among the questions means none for now.

        Raises:
            InputError: the judge cannot be asked at all.
        """
        ...


def question_of(record: Record) -> QuestionId:
    """The question that a record belongs to."""
    golds = tuple(gold["sql"] for gold in record.get("golds", ())) or (record["gold_sql"],)
    return record["db_id"], json.dumps(record["question_id"], sort_keys=True), _gold_text(golds)


def question_id(item: Item) -> QuestionId:
    """The question that an item belongs to."""
    return item.db_id, json.dumps(item.question_id, sort_keys=True), _gold_text(item.golds)


def _gold_text(golds: tuple[str, ...]) -> str:
    """The gold query, or all of them."""
    return golds[0] if len(golds) == 1 else json.dumps(golds)


class Questions:
    """Gathers records as they come into whole questions.

    Args:
        due: every record to come, or what stands for it, in file order: its key and its question.
        scored: what was scored before.
    """

    def __init__(self, due: Iterable[tuple[str, QuestionId]], scored: Iterable[Record]) -> None:
        entries = list(due)
        self._place = {key: place for place, (key, _) in enumerate(entries)}
        self._missing = Counter(question for _, question in entries)
        self._come: dict[QuestionId, list[Record]] = {}
        self._scored: dict[QuestionId, list[Record]] = {}
        for record in scored:
            self._scored.setdefault(question_of(record), []).append(record)

    def gather(self, records: Iterable[Record | None]) -> Iterator[Question | None]:
        """A question when its last record has come; None is passed on."""
        for record in records:
            if record is None:
                yield None
                continue
            question = question_of(record)
            self._come.setdefault(question, []).append(record)
            self._missing[question] -= 1
            if not self._missing[question]:
                come = sorted(self._come.pop(question), key=lambda found: self._place[found["key"]])
                yield Question(tuple(come), tuple(self._scored.get(question, ())))
