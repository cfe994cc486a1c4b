"""The dialect of a pair across two: reader, engine and loader made of theirs, two scripts as one text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from equiv.core.runner import OperationalError, RunnerError
from equiv.dialects.crossing.sides import (
    SEPARATOR,
    CrossedSession,
    base_of,
    name_of,
    shared,
    teller_of,
    told,
)
from equiv.dialects.protocol import Dialect, Loading
from equiv.names import quoted

if TYPE_CHECKING:
    from equiv.cells import Row
    from equiv.core.model import Schema
    from equiv.dialects.protocol import DialectEngine, Filled, Reader, Session


_FIRST = re.compile(r"-- [^\n]*, (\d{1,9}) characters:\n")
_SECOND = re.compile(r"-- [^\n]*:\n")


def joined(pred: tuple[str, str], gold: tuple[str, str]) -> str:
    """One text of two scripts, each with the name of its engine."""
    (here, one), (there, other) = pred, gold
    return f"-- {here}, {len(one)} characters:\n{one}-- {there}:\n{other}"


def parted(script: str) -> tuple[str, str]:
    """The two scripts of a text of :func:`joined`.

    Raises:
        RunnerError: it is none.
    """
    first = _FIRST.match(script)
    middle = first.end() + int(first[1]) if first is not None else 0
    second = _SECOND.match(script, middle)
    if first is None or second is None:
        raise RunnerError("not a script for two engines")
    return script[first.end() : middle], script[second.end() :]


_MOST_ROWS = 100_000
"""A larger populated database is not copied to the other engine."""


@dataclass(frozen=True)
class Crossed(Dialect):
    """The dialect of pairs whose prediction is of one dialect and whose gold query of another."""

    pred: Dialect
    gold: Dialect
    gold_reader: Reader
    """What reads gold queries; ``reader`` reads predictions."""
    given: int
    """Which of the two schemas and databases are of, 0 or 1."""

    @property
    def giver(self) -> Dialect:
        """The dialect that schemas and databases are of."""
        return (self.pred, self.gold)[self.given]


class CrossedEngine:
    """See :class:`~equiv.dialects.protocol.DialectEngine`."""

    def __init__(self, pred: Dialect, gold: Dialect, given: int) -> None:
        self._sides = pred, gold
        self._given = given
        self._base = base_of(pred.name, gold.name)

    @property
    def version(self) -> str:
        return SEPARATOR.join(side.engine.version for side in self._sides)

    def empty(self, schema: Schema) -> CrossedSession:
        pred, gold = (s.engine.empty(own) for s, own in zip(self._sides, schema.sides, strict=True))
        return CrossedSession(pred, gold, self._base, is_empty=True)

    def open(self, path: Path) -> CrossedSession:
        """A populated database of one of the two dialects, and a copy of its rows for the other engine."""
        giver, taker = self._sides[self._given], self._sides[1 - self._given]
        here = giver.engine.open(path)

        def copied() -> Session:
            there = told(giver.loader.read_database(path), giver, taker)
            return _loaded(taker.engine, there, _rows_of(here, [table.name for table in there.tables]))

        pred, gold = (copied, here) if self._given else (here, copied)
        return CrossedSession(pred, gold, self._base, given=self._given)

    def script(self, schema: Schema, tables: Iterable[str], filled: Filled) -> str:
        named = list(tables)
        scripts = (
            s.engine.script(own, named, filled) for s, own in zip(self._sides, schema.sides, strict=True)
        )
        pred, gold = scripts
        return joined((self._sides[0].title, pred), (self._sides[1].title, gold))

    def replay(self, script: str) -> CrossedSession:
        of_pred, of_gold = parted(script)
        pred = self._sides[0].engine.replay(of_pred)
        try:
            return CrossedSession(pred, self._sides[1].engine.replay(of_gold), self._base)
        except BaseException:
            pred.close()
            raise

    def command(self, script: str, database: Path | None) -> list[str]:
        return self._sides[self._given].engine.command(script, database)

    def is_plain_in_shell(self, text: str) -> bool:
        return all(side.engine.is_plain_in_shell(text) for side in self._sides)

    def store(self, path: Path, schema: Schema, filled: Filled) -> None:
        self._sides[self._given].engine.store(path, schema.sides[self._given], filled)


def _rows_of(session: Session, tables: Iterable[str]) -> Filled:
    """The rows of some tables of a populated database, with their columns.

    Raises:
        RunnerError: they are too many.
    """
    read: dict[str, tuple[tuple[str, ...], list[Row]]] = {}
    left = _MOST_ROWS
    for table in tables:
        try:
            rows = list(session.core.connection.execute(f"SELECT * FROM {quoted(table)} LIMIT {left + 1}"))
        except OperationalError as error:
            raise RunnerError(str(error)) from None
        left -= len(rows)
        if left < 0:
            raise RunnerError(f"the database has more than {_MOST_ROWS:,} rows")
        read[table] = session.core.connection.names(table), rows
    return read


def _loaded(engine: DialectEngine, schema: Schema, filled: Filled) -> Session:
    """A fresh database with some tables of a schema and their rows.

    Raises:
        RunnerError: the engine does not take them.
    """
    if isinstance(engine, Loading):
        return engine.loaded(schema, filled)
    return engine.replay(engine.script(schema, list(filled), filled))


class CrossedLoader:
    """From a schema of one of the two dialects; see :class:`~equiv.dialects.protocol.SchemaLoader`."""

    def __init__(self, pred: Dialect, gold: Dialect, given: int) -> None:
        self._sides = pred, gold
        self._given = given

    @property
    def suffixes(self) -> tuple[str, ...]:
        return self._sides[self._given].loader.suffixes

    def read_ddl(self, text: str, name: str = "") -> Schema:
        return _on_both(self._sides[self._given].loader.read_ddl(text, name), self._sides, self._given)

    def read_database(self, path: Path) -> Schema:
        return _on_both(self._sides[self._given].loader.read_database(path), self._sides, self._given)


def _on_both(schema: Schema, sides: tuple[Dialect, Dialect], given: int) -> Schema:
    """A schema of one side, shared with the other, which is told it."""
    other = told(schema, sides[given], sides[1 - given])
    return shared(other, schema, 1) if given else shared(schema, other, 0)


def crossed(pred: Dialect, gold: Dialect, given: int = 0) -> Crossed:
    """The dialect of pairs across two.

    Args:
        pred: the prediction's.
        gold: the gold query's.
        given: which of them schemas and databases are of, 0 or 1.

    Raises:
        InputError: one of them tells no schema.
    """
    from equiv.dialects.crossing.reader import SideReader

    for each in (pred, gold):
        teller_of(each)
    return Crossed(
        name_of(pred.name, gold.name, given),
        f"{pred.title} and {gold.title}",
        SideReader(pred, 0),
        CrossedEngine(pred, gold, given),
        CrossedLoader(pred, gold, given),
        pred,
        gold,
        SideReader(gold, 1),
        given,
        taken={**pred.taken, **gold.taken},
        pinned=pred.pinned | gold.pinned,
        collations=pred.collations | gold.collations,
    )


def sides_of(dialect: Dialect) -> tuple[Dialect, Dialect]:
    """The dialects of prediction and gold query."""
    return (dialect.pred, dialect.gold) if isinstance(dialect, Crossed) else (dialect, dialect)


def is_across(dialect: Dialect) -> bool:
    """Whether the queries of a pair are of two dialects."""
    return isinstance(dialect, Crossed)


def giver_of(dialect: Dialect) -> Dialect:
    """The dialect that schemas and databases of pairs are of."""
    return dialect.giver if isinstance(dialect, Crossed) else dialect


def across(schema: Schema, dialect: Dialect) -> Schema:
    """A schema as a dialect of pairs has it: across two dialects, it is told to the one that it is not of.

    Raises:
        InputError: see :func:`told`.
    """
    if not isinstance(dialect, Crossed) or schema.dialect != dialect.giver.name:
        return schema
    return _on_both(schema, (dialect.pred, dialect.gold), dialect.given)


def readers_of(dialect: Dialect) -> tuple[Reader, Reader]:
    """The readers of predictions and of gold queries."""
    return dialect.reader, dialect.gold_reader if isinstance(dialect, Crossed) else dialect.reader
