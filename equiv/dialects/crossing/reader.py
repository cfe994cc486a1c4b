"""Queries of one side, read by its own dialect and put on the schema that both sides share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from equiv.core.model import REFERENCE, Affinity
from equiv.core.printing import to_sql
from equiv.core.query import Broken, Query, Unsupported
from equiv.dialects.crossing.sides import LEFT_OUT, CrossedSession
from equiv.dialects.registry import reference
from equiv.verdict import Remark, RemarkKind

if TYPE_CHECKING:
    from equiv.core.model import Schema
    from equiv.dialects.protocol import Dialect, Session

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
            why = f"its translation to SQLite cannot be read: {core.message}"
            return _untranslated(found, Unsupported("resolution", why))
        if core.tree is None:
            return _untranslated(found, core.unsupported or Unsupported("resolution", "its translation"))
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
