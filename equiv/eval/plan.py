"""The jobs of an evaluation: the pairs of its files, each with its database and key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cached_property

from equiv.dialects.protocol import Dialect
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.options import Options
from equiv.records.item import Item
from equiv.records.record import Packs, Record, packs_of, pair_key
from equiv.schema.locate import Place
from equiv.schema.notation import parse_fact
from equiv.verdict import Tier

FOREVER = 7 * 86_400.0
"""Seconds that a pair has where no timeout is wanted."""


@dataclass(frozen=True)
class Setting:
    """The database and the options that pairs of one ``db_id`` are checked with."""

    place: Place
    options: Options

    @property
    def seconds(self) -> float:
        """How long a worker may take over one pair."""
        return self.options.timeout or FOREVER

    @property
    def dialect(self) -> Dialect:
        """The dialect of pairs, which has the one or two that queries are written in."""
        return dialect_named(self.options.pair_dialect)

    @cached_property
    def packs(self) -> Packs:
        """The rule packs as they were when a pair was first asked for its key."""
        return packs_of(self.options)


@dataclass(frozen=True, slots=True)
class Job:
    """One pair to be checked."""

    item: Item
    key: str
    recorded: bool = False
    """Its record stands; it is run again only for the database that it leaves to the next prediction."""

    def again(self) -> Job:
        """A copy of the job that is run again, for its database, although a record exists."""
        return replace(self, recorded=True)


class JobState(Enum):
    """The state of a pair in a results file."""

    OPEN = auto()
    """It is to be checked."""
    SETTLED = auto()
    """Its record stands."""
    REPEATED = auto()
    """Its record stands, and a generated database that the next prediction is to be tried on came of it."""


JobGroup = tuple[Job, ...]
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


def key_of(item: Item, settings: Mapping[str, Setting]) -> str:
    """The key of an item's record."""
    setting = settings[item.db_id]
    return pair_key(item, setting.place.digest, setting.options, setting.packs)


def jobs_of(items: Iterable[Item], settings: Mapping[str, Setting]) -> list[Job]:
    """A job for each of a few items, in file order; an item that stands twice makes one.

    :class:`equiv.eval.store.pair_store.PairStore` does the same for any number.
    """
    jobs: dict[str, Job] = {}
    for item in items:
        key = key_of(item, settings)
        jobs.setdefault(key, Job(item, key))
    return list(jobs.values())


def groups_of(jobs: Iterable[Job], settled: Mapping[str, Record] | None = None) -> list[JobGroup]:
    """The jobs to do, by gold query; those of one database stand together, in order of appearance.

    Settled ones are left out; see :func:`to_do`.
    """
    by_target: dict[tuple[str, str], list[Job]] = {}
    databases: dict[str, int] = {}
    for job in jobs:
        by_target.setdefault(job.item.target, []).append(job)
        databases.setdefault(job.item.db_id, len(databases))
    ordered = sorted(by_target.values(), key=lambda group: databases[group[0].item.db_id])
    known = settled or {}
    return [group for found in ordered if (group := to_do(found, lambda key: standing_of(known.get(key))))]


def standing_of(record: Mapping[str, object] | None) -> JobState:
    """The state of a pair by its record, or by having none."""
    if record is None:
        return JobState.OPEN
    return JobState.REPEATED if leaves_database(record) else JobState.SETTLED


def leaves_database(record: Mapping[str, object]) -> bool:
    """Whether a generated database told the queries apart, which the next predictions are tried on."""
    return (record["verdict"], record.get("tier")) == ("not_equivalent", Tier.GENERATE)


def to_do(jobs: Iterable[Job], standing: Callable[[str], JobState]) -> JobGroup:
    """The jobs of one gold query that are still open.

    Settled ones are left out, but for those whose generated database the next
    job would have been tried on: a resumed run gives the verdicts of an
    uninterrupted one.
    """
    group: list[Job] = []
    earlier: list[Job] = []
    for job in jobs:
        match standing(job.key):
            case JobState.OPEN:
                group += [*earlier, job]
                earlier = []
            case JobState.REPEATED:
                earlier.append(job.again())
    return tuple(group)
