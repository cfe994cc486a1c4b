"""Queries of different dialects: which of their values are compared, and which leave a pair undecided.

Values are compared as cells of the core: numbers by value whatever their types, a boolean as 0 or 1, texts
byte by byte, dates and instants without a zone as ISO texts.  Between two dialects that both type their
results :mod:`equiv.engine.families` tells further kinds apart; here one of the two types nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from equiv.answers.difference import caveat
from equiv.answers.pair import Pair
from equiv.core.claims.choices import reads_the_clock
from equiv.core.model import Domain
from equiv.core.query import Query, Unsupported
from equiv.dialects.crossing.sides import FORMS
from equiv.engine.families import unproved, untranslated
from equiv.engine.granted import CALENDAR, arithmetic_read, left_open, of_columns_read
from equiv.facts import Fact, FactKind
from equiv.verdict import Equivalent, Remark, RemarkKind, Undecided

_AS_CELLS = frozenset(("number", "boolean", "text", "date", "time", "timestamp", "bytes", "null"))
"""Families of types whose values a dialect without types has as well."""


def comparable(pred: Query, gold: Query) -> tuple[Query, Query]:
    """Both queries; without trees where values of the one have no counterpart among those of the other.

    Of a ``character(n)``, whose blanks the other engine does not add, nothing is proved; nor of fractions
    that are computed with 32 bits, nor of the current time, which two engines read with different precision.
    """
    for query in (pred, gold):
        if query.tree is not None and reads_the_clock(query.tree):
            why = Unsupported("Literal", "the current time, in a pair across dialects")
            return unproved(pred, why), unproved(gold, why)
        if query.has_narrow_fractions:
            why = Unsupported("Type", "a fraction of 32 bits, in a pair across dialects")
            return unproved(pred, why), unproved(gold, why)
    if pred.columns != gold.columns or bool(pred.types) == bool(gold.types):
        return pred, gold
    families = pred.types or gold.types
    for place, family in enumerate(families, 1):
        if family in _AS_CELLS:
            continue
        why = Unsupported("Column", f"column {place} is of {family} on one engine alone")
        if family.partition("(")[0] in _AS_CELLS:
            return unproved(pred, why), unproved(gold, why)
        return untranslated(pred, why), untranslated(gold, why)
    return pred, gold


def taken_for_granted(pair: Pair) -> tuple[Fact, ...]:
    """The facts in force that the readers of a pair across dialects take for granted, each on its own engine.

    These are what the types of the columns that a query reads promise, and where a query computes or reads
    numbers with decimals that no step rounds or overflows: one engine is binary where the other is decimal.
    """
    typed = (fact for kind in FORMS for fact in pair.facts.of(kind))
    held = [*of_columns_read(pair, typed), *arithmetic_read(pair, pair.facts)]
    if _computes(pair, held):
        held += [fact for kind in _ARITHMETIC for fact in pair.facts.of(kind)]
    return tuple(held)


def _computes(pair: Pair, held: Iterable[Fact]) -> bool:
    """Whether two engines may make different numbers of what a pair computes, or reads by some facts."""
    return any(plan.computes for plan in pair.plans) or Domain.NUMBER in _domains(held, pair)


def resting(found: Equivalent, pair: Pair) -> Equivalent | Undecided:
    """A verdict across dialects with the facts of :func:`taken_for_granted`, and what else is assumed."""
    granted = taken_for_granted(pair)
    if not (pair.exact_arithmetic and pair.no_overflow) and _computes(pair, granted):
        return left_open(found, "two engines compute, and arithmetic is not taken to be exact")
    facts = tuple(dict.fromkeys((*found.facts, *granted)))
    said = [_LETTERS] if Domain.TEXT in _domains(granted, pair) else []
    said += [_YEARS] if any(fact.kind in CALENDAR for fact in granted) else []
    said += [_FRACTIONS] if any(fact.kind is FactKind.ISO_TIMESTAMP for fact in granted) else []
    remarks = (*found.remarks, *(Remark(RemarkKind.DIALECT, "schema", text) for text in said))
    return replace(found, facts=facts, remarks=remarks, caveat=found.caveat or caveat(pair, facts, None))


def _domains(facts: Iterable[Fact], pair: Pair) -> set[Domain]:
    """The domains of the columns that facts are about."""
    places = ((pair.schema.table(fact.table), fact.columns) for fact in facts if fact.columns)
    found = (table.column(names[0]) for table, names in places if table is not None)
    return {column.domain for column in found if column is not None}


_LETTERS = "texts are taken to hold no NUL and no letter newer than Unicode 14: engines part on these"
_YEARS = "computed dates are taken to stay within the years 1 to 9999: engines part beyond"
_FRACTIONS = "fractions of a second are taken to have three digits: of more SQLite 3.42 may make the next day"
_ARITHMETIC = (FactKind.EXACT_ARITHMETIC, FactKind.NO_OVERFLOW)
