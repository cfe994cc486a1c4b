"""The dialect of a pair across two: reader, engine and loader made of theirs, two scripts as one text.

Queries of one side are read by its own dialect and put on the schema that both sides share.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sqlglot import exp

from equiv.core.model import REFERENCE, Affinity, quoted
from equiv.core.printing import to_sql
from equiv.core.query import Broken, Query, Unsupported
from equiv.core.runner import OperationalError, RunnerError
from equiv.dialects.crossing.sides import (
    LEFT_OUT,
    SEPARATOR,
    CrossedSession,
    base_of,
    name_of,
    shared,
    teller_of,
    told,
)
from equiv.dialects.protocol import Dialect, Loading
from equiv.dialects.registry import reference
from equiv.verdict import Remark, RemarkKind

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
            raise RunnerError(f"more than {_MOST_ROWS:,} rows")
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


_MOST_NOTES = 5
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_INDIFFERENT = (
    *(exp.Anonymous, exp.Min, exp.Max, exp.Count, exp.Cast, exp.Is, exp.Ordered, exp.Group),
    *(exp.Substring, exp.TimeToStr, exp.Length, exp.DPipe, exp.StrPosition, exp.Glob),
)
"""Parents under which the affinity of a column does not count."""
_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)


class SideReader:
    """Reads queries of one side; see :class:`~equiv.dialects.protocol.Reader`.

    Args:
        dialect: that of the side.
        place: 0 for predictions, 1 for gold queries.
    """

    def __init__(self, dialect: Dialect, place: int) -> None:
        self._dialect = dialect
        self._place = place

    def read(self, text: str, schema: Schema, empty: Session) -> Query | Broken:
        assert isinstance(empty, CrossedSession)
        own = schema.sides[self._place]
        found = self._dialect.reader.read(text, own, empty.sides[self._place])
        if isinstance(found, Broken):
            return _with_reason(found, own)
        # One symbol of two engines is two.
        found = replace(found, with_symbols=None)
        if found.parameters:
            return _untranslated(found, Unsupported("Parameter", "parameters in a pair across dialects"))
        if own.dialect == REFERENCE or found.tree is None:
            return found
        text = to_sql(_with_affinities(found.tree, own, schema))
        core = reference().reader.read(text, schema, empty)
        if isinstance(core, Broken):
            return _untranslated(found, Unsupported("resolution", f"the core: {core.message}"))
        if core.tree is None:
            return _untranslated(found, core.unsupported or Unsupported("resolution", "the core"))
        return replace(found, tree=core.tree, core_text=text)

    def filled(self, text: str, parameters: Mapping[str, str]) -> str:
        return self._dialect.reader.filled(text, parameters)

    def at_instant(self, text: str, instant: str) -> str | None:
        del text, instant
        return None

    def without_schema_names(self, text: str, schema: Schema) -> str:
        return self._dialect.reader.without_schema_names(text, schema)

    def statements(self, text: str) -> list[str]:
        return self._dialect.reader.statements(text)

    def remarks(
        self, pred: Query | Broken, gold: Query | Broken, schema: Schema, texts: tuple[str, str]
    ) -> Iterator[Remark]:
        """The remarks of the side's dialect on the side's query."""
        side, query = ("pred", pred) if self._place == 0 else ("gold", gold)
        own = replace(schema.sides[self._place], notes=(), foreign="")
        both = texts[self._place], texts[self._place]
        if self._place == 0:
            yield from (Remark(RemarkKind.DIALECT, "schema", note) for note in schema.notes[:_MOST_NOTES])
        for each in self._dialect.reader.remarks(query, query, own, both):
            if each.side == side or (each.side == "gold" and query == gold):
                yield replace(each, side=side)


def _with_reason(found: Broken, own: Schema) -> Broken:
    """What is wrong with a text that asks for a table of which the side was not told, with why it was not."""
    if found.cause != "WITHHELD":
        return found
    message = found.message.lower()
    named = (note for note in own.notes if note.partition(LEFT_OUT)[0].lower() in message)
    why = next(named, "")
    return replace(found, message=why or found.message)


def _untranslated(query: Query, why: Unsupported) -> Query:
    return replace(query, tree=None, unsupported=why, core_text="")


def _with_affinities(tree: exp.Expression, own: Schema, schema: Schema) -> exp.Expression:
    """A tree of a typed dialect for a schema whose columns of dates have another affinity.

    The dialect's tree compares dates and instants as texts.  SQLite's own columns of DATE have the affinity
    NUMERIC, by which a text beside them that looks like a number becomes one: where that may count, the
    column is cast to a text, which it is.
    """
    made = tree.copy()
    differing = [column for column in made.find_all(exp.Column) if _differs(column, made, own, schema)]
    known = {(column.table, column.name) for column in differing}
    for column in differing:
        if not _is_indifferent(column, made, known):
            column.replace(exp.Cast(this=column.copy(), to=exp.DataType.build("TEXT")))
    return made


def _differs(column: exp.Column, tree: exp.Expression, own: Schema, schema: Schema) -> bool:
    """Whether a column is a text to the dialect's tree, and has another affinity in the shared schema."""
    names = {table.alias_or_name: table.name for table in tree.find_all(exp.Table)}
    table, kept = (each.table(names.get(column.table, "")) for each in (own, schema))
    here = table.column(column.name) if table is not None else None
    there = kept.column(column.name) if kept is not None else None
    if here is None or there is None:
        return False
    return here.affinity is Affinity.TEXT and there.affinity is not Affinity.TEXT


def _is_indifferent(column: exp.Column, root: exp.Expression, known: set[tuple[str, str]]) -> bool:
    """Whether the affinity of a column of dates does not count where it stands.

    Beside another such column, and beside a text that looks like no number, nothing is converted.
    """
    parent = column.parent
    if isinstance(parent, _INDIFFERENT):
        return True
    if isinstance(parent, exp.Alias):
        return parent.parent is root
    if isinstance(parent, exp.In) and parent.this is column:
        return bool(parent.expressions) and all(map(_is_day, parent.expressions))
    if isinstance(parent, _COMPARISONS):
        other = parent.expression if parent.this is column else parent.this
        return _is_day(other) or (isinstance(other, exp.Column) and (other.table, other.name) in known)
    return False


def _is_day(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and node.is_string and bool(_DAY.match(node.name))


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
    """What reads predictions and gold queries."""
    return dialect.reader, dialect.gold_reader if isinstance(dialect, Crossed) else dialect.reader
