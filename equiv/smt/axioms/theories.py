"""Axioms that tie several terms of a query together, for those that occur; there are no quantifiers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from equiv.algebra.terms import Apply, Constant
from equiv.smt.axioms import iso_dates, prefixes
from equiv.smt.encoding.calls import Call
from equiv.smt.encoding.symbols import Symbol, names_in
from equiv.smt.encoding.values import indistinguishable
from equiv.smt.hypotheses import Axiom, Hypothesis, axiom
from equiv.smt.logic import Formula, equal, iff, implies, integer

if TYPE_CHECKING:
    from equiv.smt.encoding.expressions import Encoder

_MAX_LITERALS = 24


def theories(encoder: Encoder, seen: dict[str, Symbol], numbers: Iterable[int]) -> Iterator[Hypothesis]:
    """The axioms about the calls among some symbols, and about their relation to literals.

    Args:
        encoder: it knows the calls.
        seen: the symbols of a query.
        numbers: the integer literals of the query.
    """
    calls = [
        call
        for name, known in encoder.calls.items()
        if name in seen
        for call in known
        if all(symbol in seen for symbol in names_in(call.subject.rank))
    ]
    dates = [(value, facts) for name, (value, facts) in encoder.dates.items() if name in seen]
    texts = [data for name, data in encoder.texts.items() if name in seen]
    if dates and (texts or len(dates) > 1):
        encoder.world.use(fact for _, facts in dates for fact in facts)
        for stated in iso_dates.days([value for value, _ in dates], texts, encoder):
            yield axiom(stated, Axiom.DATES_ARE_DAYS)
    told = list(_told_of_calls(calls, encoder, seen, numbers))
    yield from told
    moments = [known for name, known in encoder.timestamps.items() if name in seen]
    if moments:
        mentioned = {name for each in told for name in names_in(each.formula)}
        texts += [data for name, data in encoder.texts.items() if name in mentioned - seen.keys()]
    for moment, fact in moments if texts else ():
        encoder.world.use((fact,))
        for stated in iso_dates.instants(moment, texts, encoder):
            yield axiom(stated, Axiom.TIMESTAMPS_ARE_INSTANTS)


def _told_of_calls(
    calls: list[Call], encoder: Encoder, seen: dict[str, Symbol], numbers: Iterable[int]
) -> Iterator[Hypothesis]:
    """The axioms about calls, and about their relation to literals."""
    if not calls:
        return
    literals = [text for name, text in encoder.literals.items() if name in seen][:_MAX_LITERALS]
    told: dict[Axiom, Iterator[Formula]] = {
        Axiom.PATTERN_BOUNDS_TEXT: prefixes.patterns(calls, encoder),
        Axiom.BEGINNING_BOUNDS_TEXT: prefixes.slices(calls, literals, encoder),
        Axiom.DATE_HAS_PARTS: iso_dates.dates(calls, literals, encoder),
        Axiom.DATE_PART_IS_A_NUMBER: iso_dates.digits(calls, numbers, encoder),
        Axiom.JULIANDAY_COUNTS_DAYS: iso_dates.julian(calls, encoder),
        Axiom.CALL_ON_LITERAL_IS_EVALUATED: _instances(calls, literals, encoder),
    }
    for which, formulas in told.items():
        for formula in formulas:
            yield axiom(formula, which)


def _instances(calls: Iterable[Call], literals: Iterable[str], encoder: Encoder) -> Iterator[Formula]:
    for call in calls:
        if not _is_settled(call):
            for literal in literals:
                yield from _instance(call, literal, encoder)


def _is_settled(call: Call) -> bool:
    """Whether other axioms say all that literals can."""
    if call.prefix is not None:
        return call.prefix[1] or call.prefix[0].lower() == call.prefix[0].upper()
    return call.slice is not None and call.slice[0] == 1


def _instance(call: Call, literal: str, encoder: Encoder) -> Iterator[Formula]:
    """Where the subject is a literal, the result is what SQLite returns for it."""
    result = encoder.simplify(call.on(literal))
    if not isinstance(result, Constant):
        return
    is_literal = equal(call.subject.rank, encoder.rank(literal.encode()))
    if call.holds:
        if isinstance(call.node, Apply) and result.kind == "integer":
            yield implies(is_literal, iff(call.holds, "true" if result.text != integer(0) else "false"))
        return
    marked = dict(encoder.literals)
    value = encoder.value(result)
    encoder.literals = marked
    yield implies(is_literal, indistinguishable(call.result, value))
