"""Questions: the records of all predictions for one, and the judge's interface to an evaluation."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from equiv.eval.plan import digest_of
from equiv.eval.worker import SideWorker
from equiv.records.record import Item, Record

QuestionId = tuple[str, str, str]
"""Database, question id as JSON, gold text: some ids carry several gold texts."""


@dataclass(frozen=True, slots=True)
class QuestionRecords:
    """The records of one question that are to be scored, in file order, and those scored before."""

    records: tuple[Record, ...]
    scored: tuple[Record, ...] = ()


class Judge(Protocol):
    """The judge, as an evaluation calls it: scores for records whose verdicts leave the score open."""

    def key(self, key: str) -> str:
        """The key of a judged record, by that of the record without a judge."""
        ...

    def scored(self, questions: Iterator[QuestionRecords | None], aside: SideWorker) -> Generator[Record]:
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


class QuestionGatherer:
    """Gathers records as they come into whole questions; others stay where they are.

    Args:
        due: every record to come, or what stands for it, in file order: its key and its question.
        scored: the keys of what was scored before, and their questions.
        recall: reads one of these.
    """

    def __init__(
        self,
        due: Iterable[tuple[str, QuestionId]],
        scored: Iterable[tuple[str, QuestionId]],
        recall: Callable[[str], Record | None],
    ) -> None:
        self._place: dict[str, int] = {}
        self._missing: Counter[bytes] = Counter()
        for place, (key, question) in enumerate(due):
            self._place[key] = place
            self._missing[digest_of(question)] += 1
        self._scored: dict[bytes, list[str]] = {}
        for key, question in scored:
            self._scored.setdefault(digest_of(question), []).append(key)
        self._recall = recall
        self._come: dict[bytes, list[Record]] = {}

    def gather(self, records: Iterable[Record | None]) -> Iterator[QuestionRecords | None]:
        """A question when its last record has come; None is passed on."""
        for record in records:
            if record is None:
                yield None
                continue
            question = digest_of(question_of(record))
            self._come.setdefault(question, []).append(record)
            self._missing[question] -= 1
            if not self._missing[question]:
                come = sorted(self._come.pop(question), key=lambda found: self._place[found["key"]])
                scored = map(self._recall, self._scored.get(question, ()))
                yield QuestionRecords(tuple(come), tuple(record for record in scored if record is not None))
