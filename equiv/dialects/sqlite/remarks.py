"""Remarks on two queries that a reader should know besides the verdict."""

from __future__ import annotations

from collections.abc import Iterator

from equiv.core.literals import sql_literal
from equiv.core.model import Schema
from equiv.core.query import Broken, Query, Sign
from equiv.dialects.sqlite.foreign import POSTGRES, unescaped_pattern
from equiv.dialects.sqlite.versions import CHANGES, changes_in, said_of
from equiv.dialects.sqlite.ways import way_of
from equiv.verdict import Remark, RemarkKind

_MOST_NOTES = 5


def remarks_on(pred: Query | Broken, gold: Query | Broken, schema: Schema) -> Iterator[Remark]:
    """The remarks that a schema and the texts of a pair call for."""
    if schema.foreign:
        text = f"{schema.foreign}; verdicts hold for SQLite, where LIKE ignores case and types are loose"
        text += _ADVICE if POSTGRES in schema.foreign else ""
        yield Remark(RemarkKind.DIALECT, "schema", text)
    yield from (Remark(RemarkKind.DIALECT, "schema", note) for note in schema.notes[:_MOST_NOTES])
    for side, query in (("pred", pred), ("gold", gold)):
        if side == "pred" and pred == gold:
            continue
        if isinstance(query, Query):
            yield from _of_query(side, query)
        elif query.sign is not None:
            sign = query.sign
            text = f"{sign}; the dialect here is SQLite{way_of(sign.construct)}{_advice(sign)}"
            yield Remark(RemarkKind.DIALECT, side, text)


_ADVICE = f"; --dialect postgres reads {POSTGRES}"


def _advice(sign: Sign) -> str:
    return _ADVICE if POSTGRES in sign.dialect else ""


def remarks_on_versions(pred: str, gold: str) -> Iterator[Remark]:
    """Remarks on constructs of one text that another version of SQLite may answer otherwise.

    What stands as often in both is passed over: mostly, both then answer otherwise alike.
    """
    of_pred, of_gold = changes_in(pred), changes_in(gold)
    for change in CHANGES:
        more = of_pred.get(change, 0) - of_gold.get(change, 0)
        if more:
            yield Remark(RemarkKind.VERSION, "pred" if more > 0 else "gold", said_of(change))


def _of_query(side: str, query: Query) -> Iterator[Remark]:
    for name in query.quoted_strings:
        text = f'"{name}" names no column; SQLite reads it as the string {sql_literal(name)}'
        yield Remark(RemarkKind.QUOTED_STRING, side, text)
    if query.asked:
        text = "tables are read without the name of the schema before them, which the DDL has too"
        yield Remark(RemarkKind.DIALECT, side, text)
    if sign := unescaped_pattern(query.sql):
        yield Remark(RemarkKind.DIALECT, side, f"{sign}; SQLite takes the backslash literally")
