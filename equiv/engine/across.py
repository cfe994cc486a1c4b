"""Queries of different dialects: which of their values are compared, and which leave a pair undecided.

Values are compared as cells of the core: numbers by value whatever their types, a boolean as 0 or 1, texts
byte by byte, dates and instants without a zone as ISO texts.  Between two dialects that both type their
results :mod:`equiv.engine.families` tells further kinds apart; here one of the two types nothing.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from equiv.answers.pair import Pair
from equiv.core.clock import reads_the_clock
from equiv.core.query import Query
from equiv.core.unsupported import Unsupported
from equiv.dialects.crossing.schemas import FORMS
from equiv.facts import Fact

_AS_CELLS = frozenset(("number", "boolean", "text", "date", "time", "timestamp", "bytes", "null"))
"""Families of types whose values a dialect without types has as well."""


def comparable(pred: Query, gold: Query) -> tuple[Query, Query]:
    """Both queries; without trees where values of the one have no counterpart among those of the other.

    Of a ``character(n)``, whose blanks the other engine does not add, nothing is proved; nor of the current
    time, which two engines read with different precision.
    """
    for query in (pred, gold):
        if query.tree is not None and reads_the_clock(query.tree):
            why = Unsupported("Literal", "the current time, in a pair across dialects")
            return _unproved(pred, why), _unproved(gold, why)
    if pred.columns != gold.columns or bool(pred.types) == bool(gold.types):
        return pred, gold
    families = pred.types or gold.types
    for place, family in enumerate(families, 1):
        if family in _AS_CELLS:
            continue
        why = Unsupported("Column", f"column {place} is of {family} on one engine alone")
        if family.partition("(")[0] in _AS_CELLS:
            return _unproved(pred, why), _unproved(gold, why)
        return _untranslated(pred, why), _untranslated(gold, why)
    return pred, gold


def rested_on(pair: Pair) -> tuple[Fact, ...]:
    """The facts about types that a proof across dialects rests on: those of the columns that a query reads.

    One reader takes them for granted, since its engine stores nothing else.
    """
    read = {
        (table.name.lower(), column.name.lower())
        for query in (pair.pred, pair.gold)
        if query.tree is not None
        for table in query.tree.find_all(exp.Table)
        for column in query.tree.find_all(exp.Column)
        if column.table == table.alias_or_name
    }
    return tuple(
        fact
        for kind in FORMS
        for fact in pair.facts.of(kind)
        if (fact.table.lower(), fact.columns[0].lower()) in read
    )


def _unproved(query: Query, why: Unsupported) -> Query:
    return query if query.unsupported is not None else replace(query, unsupported=why)


def _untranslated(query: Query, why: Unsupported) -> Query:
    return replace(query, tree=None, unsupported=why, core_text="")
