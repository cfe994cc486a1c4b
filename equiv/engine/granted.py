"""What a proof rests on besides its evidence, by the two queries that it is about.

Readers of typed dialects take something for granted of the columns that queries read, and of what they
compute; a text may depend on settings of the session, and an equivalence on errors that neither query raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from sqlglot import exp

from equiv.answers.difference import caveat
from equiv.answers.pair import Pair
from equiv.core.model import REFERENCE, Domain, Schema
from equiv.core.query import CAST, COMPARISON
from equiv.dialects.crossing.sides import FORMS
from equiv.facts import Fact, FactKind
from equiv.names import fold
from equiv.verdict import (
    Equivalent,
    Reason,
    Remark,
    RemarkKind,
    Undecided,
)

CALENDAR = (FactKind.ISO_DATE, FactKind.ISO_TIMESTAMP)


def of_columns_read(pair: Pair, facts: Iterable[Fact]) -> Iterator[Fact]:
    """The facts that are about a column which a query of a pair reads."""
    read = {
        (fold(table.name), fold(column.name))
        for query in (pair.for_proofs.pred, pair.for_proofs.gold)
        if query.tree is not None
        for table in query.tree.find_all(exp.Table)
        for column in query.tree.find_all(exp.Column)
        if column.table == table.alias_or_name
    }
    return (f for f in facts if f.columns and (fold(f.table), fold(f.columns[0])) in read)


def calendar_read(pair: Pair, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The facts about dates that a pair of one typed dialect reads; none if both texts are one."""
    if pair.schema.dialect == REFERENCE or pair.are_one_text:
        return ()
    return tuple(of_columns_read(pair, (fact for fact in facts if fact.kind in CALENDAR)))


def arithmetic_read(pair: Pair, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The facts that say how the numbers of a pair of typed dialects are computed."""
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
        return left_open(found, f"{name} holds a date outside the years 1 to 9999")
    if needs_exactness(pair) and not pair.exact_arithmetic:
        return left_open(found, "it mixes integers and floats, and arithmetic is not assumed exact")
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
    said = found.caveat or caveat(pair, facts, None)
    if said is not None and found.caveat is None and not shows:
        said = replace(said, places=())
    return replace(found, facts=facts, caveat=said)


def resting_on_errors(found: Equivalent, pair: Pair) -> Equivalent | Undecided:
    """A verdict with the facts by which neither query raises an error; undecided if errors count."""
    raised = pair.facts_of_errors(found.facts)
    if raised is None:
        return left_open(found, "the queries agree except that only one may raise an error")
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
    """A verdict with the settings, the labels of functions, and the freshness of views, that texts rest on.

    It is undecided if nobody states a setting, or a label does not count.
    """
    labels = pair.labels
    if labels is None:
        said = " and ".join(
            f"{label}({name})" for name, label in sorted(pair.pred.labelled | pair.gold.labelled)
        )
        return left_open(found, f"the proof depends on {said}, which is not a fact in force")
    names, stated = set(pair.for_proofs.settings), []
    checks = (fact for fact in found.facts if fact.kind is FactKind.CHECK)
    if pair.dialect.collations and any(_orders_texts(check, pair.schema) for check in checks):
        names |= pair.dialect.collations
    for name in sorted(names):
        fact = pair.facts.setting(name)
        if fact is None:
            return left_open(found, f"it depends on the setting {name}, which no schema or fact states")
        stated.append(fact)
    stated += (*pair.freshness, *labels)
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
        return left_open(found, "two engines compute, and arithmetic is not assumed exact")
    facts = tuple(dict.fromkeys((*found.facts, *granted)))
    said = [_LETTERS] if Domain.TEXT in _domains(granted, pair) else []
    said += [_YEARS] if any(fact.kind in CALENDAR for fact in granted) else []
    said += [_FRACTIONS] if any(fact.kind is FactKind.ISO_TIMESTAMP for fact in granted) else []
    if all(side.dialect != REFERENCE for side in pair.schema.sides):
        said = [each for each in said if each != _FRACTIONS]
    remarks = (*found.remarks, *(Remark(RemarkKind.DIALECT, "schema", text) for text in said))
    return replace(found, facts=facts, remarks=remarks, caveat=found.caveat or caveat(pair, facts, None))


def _domains(facts: Iterable[Fact], pair: Pair) -> set[Domain]:
    """The domains of the columns that facts are about."""
    places = ((pair.schema.table(fact.table), fact.columns) for fact in facts if fact.columns)
    found = (table.column(names[0]) for table, names in places if table is not None)
    return {column.domain for column in found if column is not None}


_LETTERS = "assumed: texts without NUL and letters newer than Unicode 14, where the engines differ"
_YEARS = "assumed: computed dates stay within the years 1 to 9999; the engines differ outside"
_FRACTIONS = "assumed: at most three digits of a second; with more, SQLite 3.42 may round to the next day"
_ARITHMETIC = (FactKind.EXACT_ARITHMETIC, FactKind.NO_OVERFLOW)
