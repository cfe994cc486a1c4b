"""Signs in ORDER BY and LIMIT: ties that the schema allows, the wrong direction, text for numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from equiv.core.affinity import Affinity
from equiv.core.claims.sources import base_column
from equiv.core.printing.trees import to_sql
from equiv.eval.gold.finding import Basis, Finding, Kind
from equiv.eval.gold.query_in_database import QueryInDatabase, nodes_of
from equiv.eval.gold.signs.row_identity import joined_tables, place_of
from equiv.eval.gold.signs.words import HIGHEST, LOWEST, superlatives_of

_TIMES = re.compile(r"date|time|year|birth|day|dob|month", re.IGNORECASE)
_RANKS = re.compile(r"rank|position|place|order|number|id\Z", re.IGNORECASE)


def may_tie(subject: QueryInDatabase) -> Iterator[Finding]:
    """A LIMIT keeps the first of rows that may tie on every sort key: the schema does not forbid it.

    No fault: any of them will do, or the data have no tie (with data, ``tie`` tells).
    Example: ``SELECT name FROM person ORDER BY age DESC LIMIT 1``.
    """
    if subject.data is not None:
        return
    for select in _limited(subject):
        order = select.args.get("order")
        joined = joined_tables(select, subject.context)
        if order is None or joined is None:
            continue
        keys = [term.this for term in order.expressions]
        places = [place_of(term) for term in keys if isinstance(term, exp.Column)]
        if joined.tables.keys() - joined.determined(places):
            shown = ", ".join(to_sql(term.copy()) for term in keys)
            yield Finding(Kind.MAY_TIE, Basis.SCHEMA, f"several rows may share the first place by {shown}")
            return


def unordered_limit(subject: QueryInDatabase) -> Iterator[Finding]:
    """A LIMIT without ORDER BY keeps any rows.

    No fault: any will do.
    Example: ``SELECT name FROM person LIMIT 5``.
    """
    if any(select.args.get("order") is None for select in _limited(subject)):
        yield Finding(Kind.UNORDERED_LIMIT, Basis.TEXT, "a LIMIT without ORDER BY keeps any rows")


def direction(subject: QueryInDatabase) -> Iterator[Finding]:
    """The question asks for the highest, and the query sorts upwards and keeps the first; or the other way.

    No fault: the least value is the best one, as of ranks; keys named as times or ranks are left out.
    Example: "the highest score" by ``ORDER BY score LIMIT 1``.
    """
    words = superlatives_of(subject.gold.question)
    high, low = words & HIGHEST, words & LOWEST
    if bool(high) == bool(low):
        return
    for select in _limited(subject):
        order = select.args.get("order")
        if order is None:
            continue
        first = order.expressions[0]
        named = to_sql(first.this.copy())
        if (
            bool(first.args.get("desc")) != bool(high)
            and not _TIMES.search(named)
            and not _RANKS.search(named)
        ):
            way = "downwards" if first.args.get("desc") else "upwards"
            yield Finding(
                Kind.DIRECTION,
                Basis.TEXT,
                f"the question has {min(high | low)!r}, and {named} is sorted {way}",
            )
            return


def sorted_text(subject: QueryInDatabase) -> Iterator[Finding]:
    """The question asks for an extreme, and that is sought among texts: '9' comes after '10'.

    No fault: texts of one length, or words, are sorted; names of times are left out.  With data,
    ``text_numbers`` tells.
    Example: ``ORDER BY speed DESC LIMIT 1``, where speed is declared TEXT.
    """
    if subject.data is not None or not superlatives_of(subject.gold.question):
        return
    keys = [s.args["order"].expressions[0].this for s in _limited(subject) if s.args.get("order") is not None]
    if subject.tree is not None:
        keys += [call.this for call in nodes_of(subject.tree, exp.Min, exp.Max)]
    for term in keys:
        base = base_column(term, subject.context) if isinstance(term, exp.Column) else None
        if base is not None and base[1].affinity is Affinity.TEXT and not _TIMES.search(base[1].name):
            yield Finding(Kind.SORTED_TEXT, Basis.SCHEMA, f"{base[0].name}.{base[1].name} is sorted as text")
            return


def _limited(subject: QueryInDatabase) -> list[exp.Expression]:
    """The SELECTs that have a LIMIT."""
    if subject.tree is None:
        return []
    return [select for select in nodes_of(subject.tree, exp.Select) if select.args.get("limit") is not None]
