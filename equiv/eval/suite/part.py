"""The databases of a suite for one ``db_id``: made, written, and looked at again as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from equiv.dialects.registry import dialect_of
from equiv.eval.plan import Setting
from equiv.eval.suite.bench import Asked, Mark
from equiv.eval.suite.cover import fewest
from equiv.eval.suite.packing import EMPTY, Packer
from equiv.eval.suite.pools import Pool, pool_of, wanted
from equiv.eval.suite.questions import Question
from equiv.eval.suite.rows import counts_of
from equiv.eval.suite.worker import SuiteWorker


@dataclass(frozen=True, slots=True)
class Kept:
    """One database of the suite."""

    path: Path
    rows: Mapping[str, int]
    """By table."""
    kills: frozenset[Mark]


@dataclass(frozen=True, slots=True)
class SuitePart:
    """The databases for one ``db_id``, those that tell most first."""

    db_id: str
    questions: tuple[Question, ...]
    kept: tuple[Kept, ...]
    alone: tuple[int, ...]
    """For each question, how many databases it would need by itself."""
    loose: frozenset[int]
    """Questions whose gold answer no database was found to determine."""
    lost: frozenset[Mark]
    """Rivals that cost the worker that ran them."""
    copies: tuple[Path, ...] = ()
    """Files that repeat the first database, where others have more databases."""

    def needs(self, place: int) -> list[int]:
        """The fewest databases that kill what all of them kill of a question."""
        own = wanted(self.questions[place], place)
        return fewest({number: kept.kills & own for number, kept in enumerate(self.kept)})

    @property
    def kills(self) -> frozenset[Mark]:
        """The rivals that at least one database kills."""
        return frozenset[Mark]().union(*(kept.kills for kept in self.kept))


def fill_part(worker: SuiteWorker, setting: Setting, questions: Sequence[Question], work: Path) -> SuitePart:
    """Make the databases of some questions of one ``db_id``, and write them into a folder.

    Raises:
        InputError: a file cannot be written.
    """
    schema = setting.place.schema
    assert schema is not None
    dialect = dialect_of(schema)
    pools = [pool_of(worker, questions, place) for place in range(len(questions))]
    databases = Packer(worker, schema, questions, pools).pack() or [EMPTY]
    loose = frozenset(pool.place for pool in pools if not pool.is_fixed)
    asked = Asked(tuple(p.place for p in pools if not p.is_lost), frozenset(range(len(questions))) - loose)
    lost = frozenset[Mark]().union(*(pool.lost for pool in pools))
    kept: list[Kept] = []
    for number, database in enumerate(databases):
        path = work / f"{setting.place.name}-{number}{dialect.loader.suffixes[0]}"
        dialect.engine.store(path, schema, database.tables)
        kills = kills_of_file(worker, path, asked, questions, lost)
        if kills is not None or database is EMPTY:
            kept.append(Kept(path, counts_of(database), kills or frozenset()))
    return SuitePart(
        setting.place.name,
        tuple(questions),
        _telling(kept, questions),
        tuple(_alone(questions[pool.place], pool) for pool in pools),
        loose,
        lost,
    )


def kills_of_file(
    worker: SuiteWorker, path: Path, asked: Asked, questions: Sequence[Question], lost: frozenset[Mark]
) -> frozenset[Mark] | None:
    """The rivals that a database file kills, read back as the script will; None if it is refused.

    Rivals of which less is known are looked at apart: some of them ended no run so far.
    """
    every = frozenset((place, at) for place in asked.places for at in range(len(questions[place].rivals)))
    telling = frozenset[Mark]().union(*(wanted(questions[place], place) for place in asked.places)) - lost
    sight = worker.look(path, replace(asked, among=telling))
    if sight is None:
        return None
    others = worker.look(path, replace(asked, among=every - telling - lost))
    return sight.kills | (others.kills if others is not None else frozenset())


def _telling(kept: Sequence[Kept], questions: Sequence[Question]) -> tuple[Kept, ...]:
    """The databases without which a refuted rival would live, those that tell most first; at least one."""
    everything = frozenset(mark for place, each in enumerate(questions) for mark in wanted(each, place))
    chosen = fewest({number: each.kills & everything for number, each in enumerate(kept)})
    return tuple(kept[number] for number in chosen) or tuple(kept[:1])


def _alone(question: Question, pool: Pool) -> int:
    own = wanted(question, pool.place)
    return len(fewest({at: each.kills & own for at, each in enumerate(pool.candidates)}))
