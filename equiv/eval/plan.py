"""The jobs of an evaluation: the pairs of its files, each with its database and key, kept on disk.

An item without a database gets a record that says so.  Any number of pairs are kept in file order and by
gold query; for several machines, each takes one part of the gold queries.  Temporary tables are for
whatever must not take memory by the number of pairs.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from equiv.dialects.protocol import Dialect
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.options import Options
from equiv.records.record import Fault, FaultKind, Item, Packs, Record, packs_of, pair_key, to_record
from equiv.relation import resolve_relation
from equiv.schema.locate import Place, SchemaSource, is_plain_name, named_database, places_for_eval
from equiv.schema.policy import parse_fact
from equiv.scratch import Closing
from equiv.storage import Store, open_store
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


def leaves_database(record: Mapping[str, object]) -> bool:
    """Whether a generated database distinguished the queries, which the next predictions are tried on."""
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
                earlier.append(replace(job, recorded=True))
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
    if not name and not (db_root and db_root.is_file()):
        chosen = source.find(name) if source is not None and source.path.is_file() else None
        nowhere = "no db_id: no database is named; --db FILE gives one for all"
        return Place(chosen.name, schema=chosen) if chosen is not None else nowhere
    try:
        if db_root is not None and (path := named_database(name, [db_root], dialect)):
            return Place(name or path.stem, path, dialect_named(dialect).loader.read_database(path))
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


T = TypeVar("T")

CACHE_KIB = 4096
"""What SQLite may keep of them in memory; the rest goes to a temporary file that nobody else sees."""


def temporary_tables(script: str) -> Store:
    """A private database that is gone when it is closed.

    Args:
        script: the DDL of its tables.
    """
    connection = open_store("")
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.executescript(script)
    return connection


def packed(value: object) -> bytes:
    """A value as it lies in such a table.

    Raises:
        RecursionError: it is nested beyond reason.
    """
    return pickle.dumps(value)


def unpacked(found: bytes) -> Any:
    """The value that :func:`packed` made bytes of."""
    return pickle.loads(found)  # noqa: S301 - this very process wrote it, where no other can


def as_bytes(text: str) -> bytes:
    """A text as a key of such a table, which takes no text with lone surrogates."""
    return text.encode("utf-8", "surrogatepass")


def as_text(found: bytes) -> str:
    """The text that a key was."""
    return found.decode("utf-8", "surrogatepass")


def digest_of(value: object) -> bytes:
    """A digest that tells a JSON value from others: SHA-256, the same on every machine."""
    return hashlib.sha256(json.dumps(value).encode()).digest()


class OnDisk(Closing):
    """Something that lies in temporary tables, and is gone when it is closed.

    Args:
        script: the DDL of the tables.
    """

    def __init__(self, script: str) -> None:
        self._tables = temporary_tables(script)

    def _count(self, query: str) -> int:
        (count,) = self._tables.execute(query).fetchone()
        return int(count)

    def close(self) -> None:
        """Drop what lies on disk."""
        self._tables.close()


class Spool(OnDisk, Generic[T]):
    """Values in the order in which they come, on disk; they are read as often as wanted."""

    def __init__(self, values: Iterable[T]) -> None:
        super().__init__("CREATE TABLE value (place INTEGER PRIMARY KEY, value BLOB)")
        rows = ((packed(value),) for value in values)
        self._length = self._tables.executemany("INSERT INTO value (value) VALUES (?)", rows).rowcount

    def __len__(self) -> int:
        return max(self._length, 0)

    def __iter__(self) -> Iterator[T]:
        rows = self._tables.execute("SELECT value FROM value ORDER BY place")
        return (unpacked(value) for (value,) in rows)


_TABLES = """
CREATE TABLE target (number INTEGER PRIMARY KEY, digest BLOB UNIQUE);
CREATE TABLE item (
    place INTEGER PRIMARY KEY, key TEXT UNIQUE, database INTEGER, target INTEGER, item BLOB, part INTEGER
);
CREATE INDEX by_target ON item (database, target, place);
"""
_NEXT = "SELECT place, item FROM item WHERE place > ? ORDER BY place LIMIT ?"
_AT_ONCE = 256
"""Rows that are read at a time."""


class PairStore(OnDisk):
    """The items of an evaluation on disk: first all are added, then they get keys, then they are read."""

    def __init__(self) -> None:
        super().__init__(_TABLES)
        self._databases: dict[str, int] = {}

    @classmethod
    def of(cls, items: Iterable[Item], settings: Mapping[str, Setting]) -> Self:
        """A ledger of some items, with their keys."""
        ledger = cls()
        for item in items:
            ledger.add(item)
        ledger.give_keys(lambda item: key_of(item, settings))
        return ledger

    def add(self, item: Item) -> None:
        """Take an item in."""
        self._add(item, None)

    def add_part(self, job: Job) -> None:
        """Take in one of several checks that an item needs, which itself is left out of the groups."""
        self._add(job.item, job.key)

    def _add(self, item: Item, part: str | None) -> None:
        digest = target_digest(item)
        self._tables.execute("INSERT OR IGNORE INTO target (digest) VALUES (?)", (digest,))
        database = self._databases.setdefault(item.db_id, len(self._databases))
        self._tables.execute(
            "INSERT INTO item (key, part, database, target, item)"
            " VALUES (?, ?, ?, (SELECT number FROM target WHERE digest = ?), ?)",
            (part, part is not None, database, digest, packed(item)),
        )

    @property
    def databases(self) -> tuple[str, ...]:
        """The databases of the items, in order of appearance."""
        return tuple(self._databases)

    def give_keys(self, key: Callable[[Item], str]) -> int:
        """Give each item its key, and leave out those that stand twice; how many these were."""
        place = 0
        while rows := self._tables.execute(_NEXT, (place, _AT_ONCE)).fetchall():
            for place, stored in rows:
                key_and_place = key(_item(stored)), place
                self._tables.execute("UPDATE OR IGNORE item SET key = ? WHERE place = ?", key_and_place)
        return self._tables.execute("DELETE FROM item WHERE key IS NULL").rowcount

    def __len__(self) -> int:
        return self._count("SELECT count(*) FROM item WHERE NOT part")

    def jobs(self) -> Iterator[Job]:
        """A job for each item, in file order."""
        rows = self._tables.execute("SELECT key, item FROM item WHERE NOT part ORDER BY place")
        return (Job(_item(found), key) for key, found in rows)

    def by_database(self) -> Iterator[Job]:
        """The jobs grouped by database and gold query, in order of appearance."""
        return (job for job, is_part in self._by_target() if not is_part)

    def _by_target(self) -> Iterator[tuple[Job, bool]]:
        rows = self._tables.execute("SELECT key, item, part FROM item ORDER BY database, target, place")
        return ((Job(_item(found), key), bool(part)) for key, found, part in rows)

    def all_keys(self) -> Iterator[str]:
        """The keys, in file order."""
        return (key for (key,) in self._tables.execute("SELECT key FROM item WHERE NOT part ORDER BY place"))

    def groups(
        self,
        standing: Callable[[str], JobState] = lambda _: JobState.OPEN,
        is_pair: Callable[[Job], bool] = lambda job: job.item.is_pair,
    ) -> Iterator[JobGroup]:
        """The pairs to do, by gold query; those of one database stand together, in order of appearance.

        Settled ones are left out, but for those whose generated database the
        next job of their group would have been tried on: a resumed run gives
        the verdicts of an uninterrupted one.

        Args:
            standing: what stands for a key.
            is_pair: whether there are two queries to compare.
        """
        checked = (job for job, is_part in self._by_target() if is_part or not job.item.alternatives)
        for _, jobs in groupby(checked, key=lambda job: job.item.target):
            if group := to_do(filter(is_pair, jobs), standing):
                yield group


def target_digest(item: Item) -> bytes:
    """SHA-256 of what the prediction is measured against: the same in every file and on every machine."""
    return digest_of(item.target)


def _item(found: bytes) -> Item:
    item: Item = unpacked(found)
    return item


_SHARD = re.compile(r"([1-9][0-9]{0,5})/([1-9][0-9]{0,5})")


@dataclass(frozen=True, slots=True)
class Shard:
    """The ``number``-th of ``count`` parts, from 1.

    All predictions for one gold query, and so all those of a question, fall to
    one part.  Which one follows from the gold query and the name of its
    database alone: not from the file, its order or the machine.
    """

    number: int = 1
    count: int = 1

    def holds(self, item: Item) -> bool:
        """Whether an item falls to this part."""
        if self.count == 1:
            return True
        return int.from_bytes(target_digest(item)[:8], "big") % self.count == self.number - 1


WHOLE = Shard()
"""All of it."""


def shard_named(text: str) -> Shard:
    """The part that ``i/n`` means; '' means all.

    Raises:
        InputError: it means none.
    """
    if not text:
        return WHOLE
    found = _SHARD.fullmatch(text)
    if found is None or int(found[1]) > int(found[2]):
        raise InputError(f"--shard takes i/n with i from 1 to n, as in 2/8, not {text!r}")
    return Shard(int(found[1]), int(found[2]))
