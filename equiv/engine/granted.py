"""What the readers of typed dialects take for granted of the columns that queries read.

The core holds a date as a text of ISO's form.  An infinite date, or one beyond the years 1 to 9999, is in no
database that rules, proofs and generation speak of: a claim about such a column rests on its having none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sqlglot import exp

from equiv.answers.pair import Pair
from equiv.core.model import REFERENCE
from equiv.facts import Fact, FactKind
from equiv.verdict import Equivalent, Reason, Undecided

CALENDAR = (FactKind.ISO_DATE, FactKind.ISO_TIMESTAMP)


def of_columns_read(pair: Pair, facts: Iterable[Fact]) -> Iterator[Fact]:
    """Those of some facts that are about a column which a query of a pair reads."""
    read = {
        (table.name.lower(), column.name.lower())
        for query in (pair.pred, pair.gold)
        if query.tree is not None
        for table in query.tree.find_all(exp.Table)
        for column in query.tree.find_all(exp.Column)
        if column.table == table.alias_or_name
    }
    return (fact for fact in facts if fact.columns and _place(fact) in read)


def _place(fact: Fact) -> tuple[str, str]:
    return fact.table.lower(), fact.columns[0].lower()


def calendar_read(pair: Pair, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Those of some facts that are about dates which a pair of one typed dialect reads; none of one text."""
    if pair.schema.dialect == REFERENCE or pair.are_one_text:
        return ()
    return tuple(of_columns_read(pair, (fact for fact in facts if fact.kind in CALENDAR)))


def with_dates(found: Equivalent, pair: Pair, dropped: tuple[Fact, ...]) -> Equivalent | Undecided:
    """A verdict with the facts of :func:`calendar_read`; undecided if the given data break one of these."""
    for fact in calendar_read(pair, dropped):
        name = f"{fact.table}.{fact.columns[0]}"
        return _undecided(found, f"{name} holds a date beyond the years 1 to 9999")
    return replace(found, facts=tuple(dict.fromkeys((*found.facts, *calendar_read(pair, pair.facts)))))


def _undecided(found: Equivalent, why: str) -> Undecided:
    said = f"{Reason.NO_PROOF} {why}"
    attempts = (
        replace(each, outcome="passed", reason=said) if each.outcome == "settled" else each
        for each in found.attempts
    )
    return Undecided(
        relation=found.relation,
        facts_dropped=found.facts_dropped,
        attempts=tuple(attempts),
        remarks=found.remarks,
        reason=Reason.NO_PROOF,
        detail=why,
    )
