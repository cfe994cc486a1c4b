"""What the readers of typed dialects take for granted of columns that queries read, and of what they compute.

The core holds a date as a text of ISO's form.  An infinite date, or one beyond the years 1 to 9999, is in no
database that rules, proofs and generation speak of: a claim about such a column rests on its having none.

The core has one kind of number.  Where an engine adds integers, decimals and floats each in its own way, a
claim about queries that compute rests on no integer's overflowing, and on exact arithmetic if one operation
of the core stands for several of the engine's.  Where neither is assumed nothing is claimed of the latter; an
integer that overflows raises an error there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from sqlglot import exp

from equiv.answers.difference import caveat
from equiv.answers.pair import Pair
from equiv.core.model import REFERENCE, Schema
from equiv.core.query import CAST, COMPARISON
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


def arithmetic_read(pair: Pair, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Those of some facts that say of a pair of typed dialects how its numbers are computed."""
    kinds = [FactKind.NO_OVERFLOW] if pair.computed else []
    if needs_exactness(pair):
        kinds.append(FactKind.EXACT_ARITHMETIC)
    return tuple(fact for fact in facts if fact.kind in kinds)


def needs_exactness(pair: Pair) -> bool:
    """Whether one operation of the core stands for several of the engines of a pair of typed dialects."""
    return _rounds(pair.computed) or any(name == CAST for name, _ in pair.computed)


def _rounds(computed: frozenset[tuple[str, str]]) -> bool:
    """Whether a float has 32 bits, or is compared with, or computed like, a number of another type."""
    if any(name == COMPARISON or kind == "float4" for name, kind in computed):
        return True
    others = {name for name, kind in computed if kind != "float8" and (name, kind) != ("/", "integer")}
    return any(kind == "float8" and name in others for name, kind in computed)


def with_granted(found: Equivalent, pair: Pair, dropped: tuple[Fact, ...]) -> Equivalent | Undecided:
    """A verdict with what is taken for granted; undecided if the given data break what is said of dates."""
    for fact in calendar_read(pair, dropped):
        name = f"{fact.table}.{fact.columns[0]}"
        return left_open(found, f"{name} holds a date beyond the years 1 to 9999")
    if needs_exactness(pair) and not pair.exact_arithmetic:
        return left_open(found, "its numbers are of several kinds, and arithmetic is not taken to be exact")
    granted = (*calendar_read(pair, pair.facts), *arithmetic_read(pair, pair.facts))
    if pair.computed and not pair.no_overflow:
        excused = () if pair.errors_count else pair.facts.of(FactKind.NO_ERROR)
        if not excused:
            return left_open(found, "an integer may overflow, which raises an error")
        granted += excused
    facts = tuple(dict.fromkeys((*found.facts, *granted)))
    # A proof in integers may be one of floats that integers are made, which round.
    in_integers = any(fact.kind is FactKind.NO_OVERFLOW for fact in found.facts)
    shows = bool(pair.computed) and (in_integers or _rounds(pair.computed))
    said = caveat(pair, facts, None) if shows else None
    return replace(found, facts=facts, caveat=found.caveat or said)


def resting_on_errors(found: Equivalent, pair: Pair) -> Equivalent | Undecided:
    """A verdict with the facts by which neither query raises an error; undecided if errors count."""
    raised = pair.facts_of_errors(found.facts)
    if raised is None:
        return left_open(found, "they agree where neither raises an error, and one may raise one alone")
    return replace(found, facts=tuple(dict.fromkeys((*found.facts, *raised))))


_ORDERS = re.compile(r"[<>]|\bBETWEEN\b", re.IGNORECASE)
"""What a CHECK has that compares values in their order."""


def _orders_texts(check: Fact, schema: Schema) -> bool:
    """Whether a CHECK may compare a column of texts with a constant in their order."""
    table = schema.table(check.table)
    orders = _ORDERS.search(check.expression) and "'" in check.expression
    columns = table.columns if table is not None and orders else ()
    texts = (column.name for column in columns if column.declared_type == "TEXT")
    return any(name in check.expression for name in texts)


def resting_on_settings(found: Equivalent, pair: Pair) -> Equivalent | Undecided:
    """A verdict with the settings, and the freshness of views, that the texts have their meaning by.

    It is undecided if nobody states a setting.
    """
    names, stated = set(pair.for_proofs.settings), []
    checks = (fact for fact in found.facts if fact.kind is FactKind.CHECK)
    if pair.dialect.collations and any(_orders_texts(check, pair.schema) for check in checks):
        names |= pair.dialect.collations
    for name in sorted(names):
        fact = pair.facts.setting(name)
        if fact is None:
            return left_open(found, f"it hangs on the setting {name}, which neither schema nor fact states")
        stated.append(fact)
    stated += pair.freshness
    return replace(found, facts=tuple(dict.fromkeys((*found.facts, *stated))))


def left_open(found: Equivalent, why: str) -> Undecided:
    """The verdict on a pair of which a proof rests on what does not hold."""
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
