"""What an evaluation has to do: the pairs of its files, each with its place and key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from equiv.api import Options
from equiv.errors import InputError
from equiv.item import Item
from equiv.locate import Place
from equiv.record import pair_key
from equiv.schema.policy import parse_fact


@dataclass(frozen=True, slots=True)
class Setting:
    """What the pairs of one database are checked on, and how."""

    place: Place
    options: Options


@dataclass(frozen=True, slots=True)
class Job:
    """One pair to be checked."""

    item: Item
    key: str


Group = tuple[Job, ...]
"""The jobs of one gold query, in file order: what refuted one prediction is tried on the next."""


def settings_of(places: Mapping[str, Place], options: Options) -> dict[str, Setting]:
    """The setting of each database: an assumed fact is used where its table and columns are.

    Raises:
        InputError: an assumed fact is malformed, or fits none of the databases.
    """
    assumed: dict[str, list[str]] = {name: [] for name in places}
    for text in options.assume:
        refusals = [_use_if_it_fits(text, place, assumed[name]) for name, place in places.items()]
        if all(refusals) and refusals[0] is not None:
            raise refusals[0]
    return {
        name: Setting(place, replace(options, assume=tuple(assumed[name]))) for name, place in places.items()
    }


def _use_if_it_fits(text: str, place: Place, assumed: list[str]) -> InputError | None:
    assert place.schema is not None
    try:
        parse_fact(text, place.schema)
    except InputError as error:
        return error
    assumed.append(text)
    return None


def jobs_of(items: Iterable[Item], settings: Mapping[str, Setting]) -> list[Job]:
    """A job for each item, in file order; an item that stands twice makes one."""
    jobs: dict[str, Job] = {}
    for item in items:
        setting = settings[item.db_id]
        key = pair_key(item, setting.place.digest, setting.options)
        jobs.setdefault(key, Job(item, key))
    return list(jobs.values())


def groups_of(jobs: Iterable[Job]) -> list[Group]:
    """The jobs by gold query; those of one database stand together, in order of appearance."""
    by_target: dict[tuple[str, str], list[Job]] = {}
    databases: dict[str, int] = {}
    for job in jobs:
        by_target.setdefault(job.item.target, []).append(job)
        databases.setdefault(job.item.db_id, len(databases))
    ordered = sorted(by_target.values(), key=lambda group: databases[group[0].item.db_id])
    return [tuple(group) for group in ordered]
