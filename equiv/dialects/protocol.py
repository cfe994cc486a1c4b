"""The protocol of a dialect: reader, engine, schema loader, words by which it is attacked; session settings.

Whatever stands behind the reader speaks the core's language (:mod:`equiv.core`), whichever dialect a pair is
of: schemas and trees are printed as text of the *reference* dialect, on whose engine the core runs.  What is
the dialect's own is the text of the two queries and the engine that has the last word on a witness.

What the settings of a session change stands in ``settings.tsv`` of the dialect's folder.  A row has the
effect, the name as the engine spells it and, of what changes answers, the value that the reader
takes texts under, if it asks for the setting at all, how, and other values that databases are tried under.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

from equiv.cells import Row
from equiv.names import fold

if TYPE_CHECKING:
    from sqlglot import exp

    from equiv.cells import Cell
    from equiv.core.model import Column, Schema, Table
    from equiv.core.query import Broken, Query
    from equiv.core.runner import Failure, Guarded, Limits, Result
    from equiv.dialects.words import Words
    from equiv.facts import Fact
    from equiv.verdict import Remark


ONLY_DETERMINED = "the given data can refute only queries whose answers are determined"
"""Said of a database that is not copied to the core's runner, whole or in part."""


Filled = Mapping[str, tuple[tuple[str, ...], Sequence[Row]]]
"""Rows by table, each with the columns that they give."""


class Session(Protocol):
    """An open database of the dialect's engine, isolated: untrusted text reads its tables alone."""

    @property
    def core(self) -> Guarded:
        """The session's rows on the core's runner, for queries printed from trees, and for facts.

        Raises:
            RunnerError: the core cannot hold them.
        """

    @property
    def has_core(self) -> bool:
        """Whether ``core`` holds them: not where they are too many."""

    def run(
        self, text: str, limits: Limits = ..., values: Mapping[str, Cell] | None = None
    ) -> Result | Failure:
        """The result of an untrusted query, its parameters bound by name; never raises for the text."""

    def close(self) -> None:
        """Close the database."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...


@runtime_checkable
class Printer(Protocol):
    """A session whose engine prints values otherwise than the core does."""

    def printed(self, text: str, limits: Limits) -> Result | Failure:
        """Results of :meth:`Session.run`, with the names of columns and the rows as the engine prints them.

        Booleans are booleans, numbers keep the decimals that the engine prints; all else is text.
        """


@runtime_checkable
class FactSource(Protocol):
    """A session that finds facts by queries of its own dialect."""

    def observed(self, schema: Schema) -> tuple[Fact, ...]:
        """Facts of grade ``observed``, from one pass over each table."""

    def violated(self, schema: Schema, facts: Iterable[Fact]) -> tuple[Fact, ...]:
        """The facts that the rows break; one that cannot be asked counts as broken."""


@runtime_checkable
class UsersDatabase(Protocol):
    """A populated session of the user's own engine, under the settings that it has by itself."""

    @property
    def schema(self) -> Schema:
        """The schema that the database itself gives."""

    def prepared(self, text: str, refused: Broken) -> Query | Broken:
        """A text that the empty database refuses, as this one takes it without running it, or refuses it.

        Args:
            refused: what the empty database says of it.
        """

    def doubt(self, text: str, found: Result, limits: Limits) -> str:
        """Why what the engine returned is not to be believed, in a line; '' where it is.

        Args:
            text: a query that has run.
            found: what it returned.
            limits: within which it may run in another way.
        """


@runtime_checkable
class Loading(Protocol):
    """An engine that takes the rows of a populated database at once, sooner than a script inserts them."""

    def loaded(self, schema: Schema, filled: Filled) -> Session:
        """A fresh database with some tables of a schema and their rows; see :meth:`Engine.replay`.

        Raises:
            RunnerError: the rows are refused.
        """


class Reader(Protocol):
    """From the dialect's text to core trees."""

    def read(self, text: str, schema: Schema, empty: Session) -> Query | Broken:
        """A query with its resolved tree, or with why it has none; or what is wrong with the text.

        A tree is exact: wherever the dialect's engine answers, the core's runner gives the same answers to
        ``core_sql``.  Text that cannot be translated exactly has no tree.

        Args:
            text: any text, also a hostile one.
            schema: the tables and views.
            empty: what the dialect's engine opened for that schema, without rows.
        """

    def filled(self, text: str, parameters: Mapping[str, str]) -> str:
        """The text with a literal of the dialect, or what else is given, for each parameter."""

    def at_instant(self, text: str, instant: str) -> str | None:
        """The text with an instant, YYYY-MM-DD HH:MM:SS.SSS in UTC, in the places of the clock.

        None if it is not known where these are.
        """

    def without_schema_names(self, text: str, schema: Schema) -> str:
        """The text without the names of schemas that the DDL, too, writes before tables."""

    def statements(self, text: str) -> list[str]:
        """The statements of a script, without the semicolons that end them."""

    def remarks(
        self, pred: Query | Broken, gold: Query | Broken, schema: Schema, texts: tuple[str, str]
    ) -> Iterator[Remark]:
        """The remarks on the two texts, as given, for readers of a verdict."""


class DialectEngine(Protocol):
    """The dialect's own engine, which has the last word on what a query returns."""

    @property
    def version(self) -> str:
        """Its version, as people write it; found without starting it."""

    def empty(self, schema: Schema) -> Session:
        """A database of a schema without rows, on which texts are prepared."""

    def open(self, path: Path) -> Session:
        """A populated database, read only; nothing is ever written.

        Raises:
            OSError, ValueError: it cannot be opened, or is none of the dialect.
        """

    def script(self, schema: Schema, tables: Iterable[str], filled: Filled) -> str:
        """Statements of the dialect that create tables and views of a schema and insert rows."""

    def replay(self, script: str) -> Session:
        """A fresh database on which a script has run.

        Raises:
            RunnerError: it does not run.
        """

    def command(self, script: str, database: Path | None) -> list[str]:
        """The shell command that runs the script in a file, on a populated database or on a fresh one."""

    def is_plain_in_shell(self, text: str) -> bool:
        """Whether the program of that command reads no part of a query's text as a command of its own."""

    def store(self, path: Path, schema: Schema, filled: Filled) -> None:
        """Write rows as a database file with all tables and views of a schema.

        Raises:
            InputError: it cannot be written.
        """


@runtime_checkable
class Rerunner(Protocol):
    """An engine of which this Python may have another version besides."""

    @property
    def other_version(self) -> str:
        """That version; '' where there is none, or the same."""

    def run_elsewhere(self, script: str, texts: Sequence[str], limits: Limits) -> list[Result | Failure]:
        """The results of queries, under limits each, on a fresh database of it on which a script has run."""


class SchemaLoader(Protocol):
    """From the dialect's DDL, or a database of its engine, to tables, types and what they promise.

    What comes out is in the core's language, CHECKs and views included, and bears the dialect's name.
    """

    @property
    def suffixes(self) -> tuple[str, ...]:
        """How the file of a populated database may end, most usual first."""

    def read_ddl(self, text: str, name: str = "") -> Schema:
        """The schema that a script of DDL defines.

        Raises:
            InputError: a statement is not understood, or no table is created.
        """

    def read_database(self, path: Path) -> Schema:
        """The schema of a populated database.

        Raises:
            InputError: it cannot be opened, or is none of the dialect.
        """


class ValueSort(StrEnum):
    """A sort of values that several dialects store, equal or in order just if their cells are."""

    INTEGER = "integer"
    """Whole numbers of ``width`` bits."""
    NUMBER = "number"
    """Decimal numbers: of ``width`` digits, ``scale`` of them decimals; of any, if ``width`` is 0."""
    FLOAT = "float"
    """Binary floating-point numbers of 64 bits."""
    TEXT = "text"
    """Texts, compared byte by byte; of at most ``width`` characters, if that is not 0."""
    BOOLEAN = "boolean"
    DATE = "date"
    TIMESTAMP = "timestamp"
    """Instants without a time zone."""
    BYTES = "bytes"


@dataclass(frozen=True, slots=True)
class ValueType:
    """The kind of values that a column stores, in words that no dialect owns."""

    sort: ValueSort
    width: int = 0
    scale: int = 0


@runtime_checkable
class Teller(Protocol):
    """A loader whose schemas other dialects can be told, and that is told theirs."""

    def value_type(self, column: Column) -> ValueType | None:
        """The kind of values that a column stores; None if no other dialect is known to store the same."""

    def type_name(self, found: ValueType) -> str | None:
        """The dialect's type that stores such values; None if it has none."""

    def plain_name(self, name: str) -> str:
        """The form of another dialect's name that this dialect reads without quotes."""


@dataclass(frozen=True)
class Dialect:
    """A dialect of SQL."""

    name: str
    title: str
    """What people call it."""
    reader: Reader
    engine: DialectEngine
    loader: SchemaLoader
    taken: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    """The settings that a query may have its meaning by, each with the value that the reader takes it for."""
    others: Mapping[str, tuple[str, ...]] = field(default_factory=dict, kw_only=True)
    """Other values of some of these, under which a pair is tried, too, where nobody states the setting."""
    pinned: frozenset[str] = field(default=frozenset(), kw_only=True)
    """Those that are assumed, by name, to have that value where nobody states them."""
    collations: frozenset[str] = field(default=frozenset(), kw_only=True)
    """Those that say how texts compare."""
    words: Callable[[], Words] | None = field(default=None, kw_only=True)
    """What random questions in its own words are made of, if proofs are to be attacked with such."""


@dataclass(frozen=True)
class ReferenceDialect(Dialect):
    """The dialect in whose text the core is printed, with what else is done with such text."""

    create: Callable[..., list[str]]
    """Statements that create the tables of a schema (all, or those named) and its views on the core's runner.
    It raises InputError where a constraint that the model does not hold cannot be made."""
    parse: Callable[[str], exp.Expression]
    """The tree of a query as written, unresolved; raises GrammarError."""
    rows_breaking: Callable[[str, Table], exp.Expression | None]
    """The resolved query of the rows of a table that break a CHECK; None if queries cannot hold it."""
    read_unprepared: Callable[[str, Schema], Query]
    """The query of a text that a dialect's reader wrote and the core's runner does not take."""


class SettingEffect(StrEnum):
    """The effect of a setting."""

    ANSWERS = "answers"
    """Which rows a query has, what its comparisons say, what a text means, or whether it is refused."""
    TEXT = "text"
    """How values are written alone: those of a result, or those that are cast to text."""
    NEITHER = "neither"
    """Time, space, plans, logs and what no query sees."""


@dataclass(frozen=True, slots=True)
class SessionSetting:
    """A setting of an engine's session."""

    effect: SettingEffect
    name: str
    taken: str = ""
    """The value that the reader takes texts under; '' if no text that it reads depends on the setting, or if
    it does not ask."""
    reason: str = ""
    others: str = ""
    """Values under which databases are tried, too, where nobody states one, apart by ``;``."""


@cache
def known_settings(dialect: str) -> dict[str, SessionSetting]:
    """The settings of a dialect that this program comes with, by their names in lower case."""
    rows = (Path(__file__).parent / dialect / "settings.tsv").read_text(encoding="utf-8").splitlines()
    found = (
        SessionSetting(SettingEffect(effect), *rest) for effect, *rest in (row.split("\t") for row in rows)
    )
    return {fold(each.name): each for each in found}


def taken_by(dialect: str) -> dict[str, str]:
    """The settings that the reader of a dialect asks for, each with the value that it takes texts under."""
    return {each.name: each.taken for each in known_settings(dialect).values() if each.taken}


def others_by(dialect: str) -> dict[str, tuple[str, ...]]:
    """The settings that databases are tried under where nobody states them, with other values."""
    known = known_settings(dialect).values()
    return {each.name: tuple(each.others.split(";")) for each in known if each.others}


def settled(stated: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The settings that are stated in one way alone."""
    values: dict[str, set[str]] = {}
    for name, value in stated:
        values.setdefault(name, set()).add(value)
    return tuple((name, next(iter(found))) for name, found in sorted(values.items()) if len(found) == 1)
