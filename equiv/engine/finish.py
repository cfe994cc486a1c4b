"""The finish of a verdict: what a proof rests on besides its evidence, and what is told of the pair.

Readers of typed dialects take something for granted of the columns that queries read, and of what they
compute.  The engine of a dialect tells results apart by types that the core has as one; of queries of
different dialects some values are compared, and others leave a pair undecided.  The column names of results
are the engine's; no verdict depends on them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sqlglot import exp

from equiv.answers.difference import caveat
from equiv.answers.pair import Pair
from equiv.core.claims.choices import reads_the_clock
from equiv.core.model import REFERENCE, Domain, Schema
from equiv.core.printing import to_sql
from equiv.core.query import CAST, COMPARISON, NOTHING, UNKNOWN, Query, Unsupported
from equiv.core.runner import Limits, Result
from equiv.dialects.crossing.sides import FORMS, gold_side
from equiv.dialects.protocol import Session
from equiv.engine.driver import attack_rounding, attack_settings
from equiv.facts import Fact, FactKind
from equiv.relation import Columns, Relation
from equiv.tiers.outcome import Settler
from equiv.verdict import (
    Caveat,
    Equivalent,
    Execution,
    NotEquivalent,
    Reason,
    Remark,
    RemarkKind,
    Undecided,
    Verdict,
    Witness,
)


def finish(
    found: Verdict,
    pair: Pair,
    *,
    dropped: tuple[Fact, ...],
    effort: int,
    tiers: Sequence[Settler],
    refuters: Sequence[Settler],
) -> Verdict:
    """What the tiers say of a pair, as it is given: a proof with all that it rests on, which nothing refutes.

    Args:
        found: what the tiers say.
        pair: the pair.
        dropped: facts that were given up because the populated database violates them.
        effort: the number of databases that may be tried.
        tiers: what may settle the pair; where it is open, other settings are tried by them.
        refuters: what must fail to break a proof.
    """

    def granted(proved: Equivalent) -> Verdict:
        return resting(proved, pair) if pair.is_across else with_granted(proved, pair, dropped)

    def unrounded(proved: Equivalent) -> Verdict:
        return attack_rounding(pair, proved, effort, refuters)

    def under_settings(proved: Equivalent) -> Verdict:
        return resting_on_settings(proved, pair)

    def without_errors(proved: Equivalent) -> Verdict:
        return resting_on_errors(proved, pair)

    for step in (granted, under_settings, unrounded, without_errors):
        if isinstance(found, Equivalent):
            found = step(found)
    return attack_settings(pair, found, refuters if isinstance(found, Equivalent) else tiers)


_NUMBERS = frozenset(("boolean", "number"))


def told_apart_by_types(pred: Query, gold: Query, relation: Relation, *, alike: bool) -> tuple[Query, Query]:
    """Both queries; with signs for values in columns whose types have none in common, or without trees.

    The core, in which a boolean is 0 or 1 and a date a text, would take such values for equal.  Each value
    but NULL of such a column becomes a sign of its query: what rules, proofs and databases then say is true
    of the pair.  Where a row could become one with another by that, or a column may be compared with any
    other, no rule, no proof and no core text says anything.  Where types differ in the blanks alone that
    values show, nothing is proved, and what tells values apart without their blanks tells them apart.

    Args:
        pred: the prediction.
        gold: the gold query.
        relation: how results are compared.
        alike: whether a boolean equals 0 or 1.
    """
    if pred.columns != gold.columns or not pred.types or not gold.types:
        return pred, gold
    if alike:
        pred, gold = _as_numbers(pred), _as_numbers(gold)
    differing = [
        place
        for place, (one, other) in enumerate(zip(pred.types, gold.types, strict=True))
        if (one != other and NOTHING not in (one, other)) or (one.endswith(UNKNOWN) and pred.sql != gold.sql)
    ]
    if not differing:
        return pred, gold
    by_place = relation.columns is Columns.ORDERED
    if by_place and all(_family(pred, place) != _family(gold, place) for place in differing):
        signed = _signed(pred, differing, "pred"), _signed(gold, differing, "gold")
        if signed[0] is not None and signed[1] is not None:
            return signed[0], signed[1]
    place = differing[0]
    why = Unsupported(
        "Column", f"column {place + 1} is of {pred.types[place]} here and of {gold.types[place]} there"
    )
    if all(_family(pred, place) == _family(gold, place) for place in differing):
        return unproved(pred, why), unproved(gold, why)
    return untranslated(pred, why), untranslated(gold, why)


def _family(query: Query, place: int) -> str:
    return query.types[place].partition("(")[0]


def _as_numbers(query: Query) -> Query:
    return replace(query, types=tuple("number" if each in _NUMBERS else each for each in query.types))


def _signed(query: Query, places: list[int], sign: str) -> Query | None:
    """The query with a sign for each value of some columns; None if rows could become one by that."""
    tree = query.tree
    if not isinstance(tree, exp.Select) or tree.args.get("distinct") or tree.find(exp.Parameter):
        return None
    found = tree.copy()
    for place in places:
        alias = found.expressions[place]
        there = exp.Not(this=exp.Is(this=alias.this, expression=exp.Null()))
        alias.set("this", exp.Case(ifs=[exp.If(this=there, true=exp.Literal.string(sign))]))
    core = to_sql(found)
    return replace(query, tree=found, core_text=core, apart=tuple(places), sign=sign, with_symbols=None)


def unproved(query: Query, why: Unsupported) -> Query:
    """The query with its tree, by which databases are searched, and a reason why nothing is proved of it."""
    return replace(query, unsupported=query.unsupported or why, with_symbols=None)


def untranslated(query: Query, why: Unsupported) -> Query:
    """The query without its tree and core text, so that its engine's own text alone says what it means."""
    return replace(query, tree=None, unsupported=why, core_text="", with_symbols=None)


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


LIMITS = Limits(seconds=0.5, rows=1_000, bytes=1_000_000)
"""What may be spent on the names of a query's columns."""


def with_columns(verdict: Verdict, texts: tuple[str, str], empty: Session) -> Verdict:
    """The verdict, its evidence with the names of the columns of both results.

    Args:
        verdict: the verdict.
        texts: the prediction and the gold query, run where the evidence does not say what else was run.
        empty: an empty database of the schema.
    """
    match verdict:
        case NotEquivalent(evidence=shown):
            pred, gold = _names(shown, texts, empty)
            return replace(verdict, evidence=replace(shown, pred_columns=pred, gold_columns=gold))
        case Undecided(evidence=Witness() as shown):
            pred, gold = _names(shown, texts, empty)
            return replace(verdict, evidence=replace(shown, pred_columns=pred, gold_columns=gold))
        case Equivalent(caveat=Caveat(evidence=(Witness() | Execution()) as shown) as caveat):
            pred, gold = _names(shown, texts, empty)
            named = replace(shown, pred_columns=pred, gold_columns=gold)
            return replace(verdict, caveat=replace(caveat, evidence=named))
    return verdict


def _names(
    shown: Witness | Execution, texts: tuple[str, str], empty: Session
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if shown.binding is not None:
        texts = (shown.binding.pred_sql, shown.binding.gold_sql)
    pred, gold = _columns(texts[0], empty), _columns(texts[1], gold_side(empty))
    return pred, gold


def _columns(sql: str, empty: Session) -> tuple[str, ...]:
    """The names of a query's columns; none if it cannot be run on the empty database in little time."""
    found = empty.run(sql, LIMITS)
    return found.names if isinstance(found, Result) else ()
