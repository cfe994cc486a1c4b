"""The jobs of an evaluation: the pairs of its files, each with its database or schema and its key.

An item without a database gets a record that says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cached_property
from pathlib import Path

from equiv.dialects.protocol import Dialect
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.options import Options
from equiv.records.record import Fault, FaultKind, Item, Packs, Record, packs_of, pair_key, to_record
from equiv.relation import resolve_relation
from equiv.schema.locate import Place, SchemaSource, is_plain_name, named_database, places_for_eval
from equiv.schema.policy import parse_fact
from equiv.verdict import FailureCode, Invalid, Reason, Tier, Undecided, Verdict

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

    :class:`equiv.eval.pair_store.PairStore` does the same for any number.
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


WITHOUT_A_PAIR = frozenset({FaultKind.UNREADABLE, FaultKind.NO_GOLD})
"""Faults that leave nothing to look a database up for."""


def places_found(
    names: Iterable[str], db_root: Path | None, schema: Path | None, dialect: str = ""
) -> tuple[dict[str, Place], dict[str, str]]:
    """The places of database names, and of the names that lead nowhere, why.

    A database file goes before a schema; items that name no database are on that of a DDL file.

    Raises:
        InputError: an option leads nowhere, or every name does.
    """
    wanted = list(dict.fromkeys(names))
    places_for_eval((), db_root, schema, dialect)
    source = SchemaSource(schema, dialect) if schema is not None else None
    places: dict[str, Place] = {}
    missing: dict[str, str] = {}
    for name in wanted:
        place = _place(name, db_root, source, dialect)
        if isinstance(place, Place):
            places[name] = place
        else:
            missing[name] = place
    if not places:
        troubles = [why for name, why in missing.items() if name] or list(missing.values())
        raise InputError(troubles[0] if len(troubles) == 1 else _all_missing(missing))
    return places, missing


def _place(name: str, db_root: Path | None, source: SchemaSource | None, dialect: str) -> Place | str:
    """The place of a name, or why there is none."""
    if not name:
        chosen = source.find(name) if source is not None and source.path.is_file() else None
        return Place(chosen.name, schema=chosen) if chosen is not None else "no db_id: no database is named"
    try:
        if db_root is not None and (path := named_database(name, [db_root], dialect)):
            return Place(name, path, dialect_named(dialect).loader.read_database(path))
        if source is not None and is_plain_name(name) and (chosen := source.find(name)):
            return Place(name, schema=chosen)
    except InputError as error:
        return str(error)
    except (OSError, ValueError):  # a name that no file system takes
        pass
    return f"no database or schema for db_id {name[:80]!r}"


def _all_missing(missing: Iterable[str], most: int = 12) -> str:
    names = [repr(name[:80]) for name in missing]
    tail = f" and {len(names) - most} more" if len(names) > most else ""
    return f"no database or schema for db_id {', '.join(names[:most])}{tail}"


def marked(item: Item, missing: Mapping[str, str]) -> Item:
    """The item, with a fault for it if a pair's database is missing; no more is said of what is no pair."""
    known = {fault.kind for fault in item.faults}
    if item.db_id not in missing or not item.is_pair or not WITHOUT_A_PAIR.isdisjoint(known):
        return item
    return replace(item, faults=(*item.faults, Fault(FaultKind.NO_DATABASE, missing[item.db_id])))


def record_of(job: Job, key: str, options: Options) -> Record:
    """The record of a pair without a place: the gold query can be prepared on no schema.

    So it is undecided, GOLD_INVALID without a failure code; a missing prediction is invalid all the same.
    """
    item = job.item
    relation = resolve_relation(options.relation, gold_orders=False)
    if not any(gold.strip() for gold in item.golds):
        code, detail = FailureCode.GOLD_EMPTY, "the text is empty"
        verdict: Verdict = Undecided(
            relation=relation, reason=Reason.GOLD_INVALID, failure_code=code, detail=detail
        )
    elif not item.predicted_sql.strip():
        code, detail = FailureCode.PRED_EMPTY, "the text is empty"
        verdict = Invalid(relation=relation, tier=Tier.PARSE, failure_code=code, message=detail)
    else:
        detail = next(
            (fault.text for fault in item.faults if fault.kind is FaultKind.NO_DATABASE), "no database"
        )
        verdict = Undecided(relation=relation, reason=Reason.GOLD_INVALID, detail=detail)
    return to_record(item, verdict, key, options.accepted_rows)
