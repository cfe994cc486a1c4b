"""What an evaluation has to do: the pairs of its files, each with its place and key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from equiv.item import Item
from equiv.locate import Place
from equiv.record import pair_key

if TYPE_CHECKING:
    from equiv.api import Options


@dataclass(frozen=True, slots=True)
class Job:
    """One pair to be checked."""

    item: Item
    place: Place
    key: str


Question = tuple[Job, ...]
"""The jobs of one question, in file order: they share what refuted an earlier prediction."""


def jobs_of(items: Iterable[Item], places: Mapping[str, Place], options: Options) -> list[Job]:
    """A job for each item, in file order; an item that stands twice makes one."""
    jobs: dict[str, Job] = {}
    for item in items:
        place = places[item.db_id]
        key = pair_key(item, place.digest, options)
        jobs.setdefault(key, Job(item, place, key))
    return list(jobs.values())


def questions_of(jobs: Iterable[Job]) -> list[Question]:
    """The jobs by question; the questions of one database stand together, in order of appearance."""
    by_question: dict[tuple[str, str, str], list[Job]] = {}
    databases: dict[str, int] = {}
    for job in jobs:
        by_question.setdefault(job.item.question_key, []).append(job)
        databases.setdefault(job.item.db_id, len(databases))
    ordered = sorted(by_question.values(), key=lambda question: databases[question[0].item.db_id])
    return [tuple(question) for question in ordered]
