"""Axioms that tie several terms of a query together, for those that occur; there are no quantifiers.

Texts that are dates or timestamps by ISO_DATE and ISO_TIMESTAMP: their parts, and these as numbers.

The beginnings of texts: SUBSTR(d, 1, n), LIKE 'abc%' and GLOB 'abc*' as bounds on the rank of ``d``.

Under BINARY the texts that begin with a plain text p are those from p up to, but not including, p
with its last character raised by one.  LIKE ignores the case of ASCII letters: with letters in the
pattern it is only bounded by such ranges.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from equiv.algebra.terms import Apply, Constant, Convert
from equiv.facts import END_OF_TIMESTAMPS
from equiv.smt import logic as f
from equiv.smt.encoding.functions import TextCall, is_plain, successor
from equiv.smt.encoding.values import Encoded, indistinguishable

if TYPE_CHECKING:
    from equiv.smt.encoding.expressions import Encoder

_MAX_LITERALS = 24


def theories(encoder: Encoder, seen: dict[str, f.Symbol], numbers: Iterable[int]) -> Iterator[f.Hypothesis]:
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
        if all(symbol in seen for symbol in f.names_in(call.subject.rank))
    ]
    dates = [(value, facts) for name, (value, facts) in encoder.dates.items() if name in seen]
    texts = [data for name, data in encoder.texts.items() if name in seen]
    if dates and (texts or len(dates) > 1):
        encoder.world.use(fact for _, facts in dates for fact in facts)
        for stated in _days([value for value, _ in dates], texts, encoder):
            yield f.axiom(stated, f.Axiom.DATES_ARE_DAYS)
    told = list(_told_of_calls(calls, encoder, seen, numbers))
    yield from told
    moments = [known for name, known in encoder.timestamps.items() if name in seen]
    if moments:
        mentioned = {name for each in told for name in f.names_in(each.formula)}
        texts += [data for name, data in encoder.texts.items() if name in mentioned - seen.keys()]
    for moment, fact in moments if texts else ():
        encoder.world.use((fact,))
        for stated in _instants(moment, texts, encoder):
            yield f.axiom(stated, f.Axiom.TIMESTAMPS_ARE_INSTANTS)


def _told_of_calls(
    calls: list[TextCall], encoder: Encoder, seen: dict[str, f.Symbol], numbers: Iterable[int]
) -> Iterator[f.Hypothesis]:
    """The axioms about calls, and about their relation to literals."""
    if not calls:
        return
    literals = [text for name, text in encoder.literals.items() if name in seen][:_MAX_LITERALS]
    told: dict[f.Axiom, Iterator[f.Formula]] = {
        f.Axiom.PATTERN_BOUNDS_TEXT: _patterns(calls, encoder),
        f.Axiom.BEGINNING_BOUNDS_TEXT: _slices(calls, literals, encoder),
        f.Axiom.DATE_HAS_PARTS: _dates(calls, literals, encoder),
        f.Axiom.DATE_PART_IS_A_NUMBER: _digits(calls, numbers, encoder),
        f.Axiom.JULIANDAY_COUNTS_DAYS: _julian(calls, encoder),
        f.Axiom.CALL_ON_LITERAL_IS_EVALUATED: _instances(calls, literals, encoder),
    }
    for which, formulas in told.items():
        for formula in formulas:
            yield f.axiom(formula, which)


def _instances(calls: Iterable[TextCall], literals: Iterable[str], encoder: Encoder) -> Iterator[f.Formula]:
    for call in calls:
        if not _is_settled(call):
            for literal in literals:
                yield from _instance(call, literal, encoder)


def _is_settled(call: TextCall) -> bool:
    """Whether other axioms say all that literals can."""
    if call.prefix is not None:
        return call.prefix[1] or call.prefix[0].lower() == call.prefix[0].upper()
    return call.slice is not None and call.slice[0] == 1


def _instance(call: TextCall, literal: str, encoder: Encoder) -> Iterator[f.Formula]:
    """Where the subject is a literal, the result is what SQLite returns for it."""
    result = encoder.simplify(call.on(literal))
    if not isinstance(result, Constant):
        return
    is_literal = f.equal(call.subject.rank, encoder.rank(literal.encode()))
    if call.holds:
        if isinstance(call.node, Apply) and result.kind == "integer":
            yield f.implies(is_literal, f.iff(call.holds, "true" if result.text != f.integer(0) else "false"))
        return
    marked = dict(encoder.literals)
    value = encoder.value(result)
    encoder.literals = marked
    yield f.implies(is_literal, indistinguishable(call.result, value))


_NOON = "1721424.5"
_CYCLE = 146_097
_FIRST_YEAR = -4713
_FIRST, _LAST = -365, date.max.toordinal()
_YEAR, _MONTH, _DAY, _YEAR_MONTH = (1, 4), (6, 2), (9, 2), (1, 7)
_BOUNDS = {_YEAR: ("0000", "9999"), _MONTH: ("01", "12"), _DAY: ("01", "31")}
_MOST = 60
"""More pairs of literals than this are not joined to dates."""
_JOINED = ((_YEAR, _MONTH, _YEAR_MONTH), (_YEAR_MONTH, _DAY, None))
"""A part and the part after it make up a longer one, or the whole date."""


def _dates(calls: Sequence[TextCall], literals: Iterable[str], encoder: Encoder) -> Iterator[f.Formula]:
    """Axioms about year, month and day of dates and timestamps: their ranges, and the order by them."""
    parts = [call for call in calls if (call.is_date or call.is_timestamp) and call.slice]
    years = sorted(
        {text[:4] for text in literals if text[:4].isdigit() and len(text) >= 4 and text.isascii()}
    )
    months = sorted(
        {text[:7] for text in literals if _is_month(text[:7])}
        | {f"{year}-{month}" for year in years for month in literals if _is_two_digits(month)}
    )
    days = [text for text in literals if _is_two_digits(text)]
    periods = months if any(call.slice == _DAY for call in parts) else years
    if max(len(years), len(periods)) * len(days) > _MOST:
        days = []
    for call in parts:
        facts = [*_bounds(call, encoder)]
        if call.slice == _MONTH:
            facts += [each for year in years for day in days for each in _follows(call, year, day, encoder)]
        elif call.slice == _DAY:
            facts += [
                each for month in months for day in days for each in _follows(call, month, day, encoder)
            ]
        yield f.implies(f.not_(call.subject.null), f.and_(*facts))
    yield from _pairs(parts)


def _is_month(text: str) -> bool:
    return len(text) == 7 and text[4] == "-" and (text[:4] + text[5:]).isdigit() and text.isascii()


def _is_two_digits(text: str) -> bool:
    return len(text) == 2 and text.isdigit() and text.isascii()


def _bounds(call: TextCall, encoder: Encoder) -> Iterator[f.Formula]:
    if call.slice in _BOUNDS:
        low, high = _BOUNDS[call.slice]
        rank = call.result.rank
        yield f"(<= {encoder.rank(low.encode())} {rank} {encoder.rank(high.encode())})"


def _follows(call: TextCall, start: str, part: str, encoder: Encoder) -> Iterator[f.Formula]:
    """Within one year the month, within one month the day, orders the dates."""
    whole, rank, text = call.subject.rank, call.result.rank, f"{start}-{part}"
    within = _begins(whole, f"{start}-", encoder)
    yield f.implies(
        within, f.iff(_before(rank, part.encode(), encoder), _before(whole, text.encode(), encoder))
    )
    yield f.implies(within, f.iff(f.equal(rank, encoder.rank(part.encode())), _begins(whole, text, encoder)))
    yield f.iff(within, _begins(whole, start, encoder))


def _pairs(calls: Sequence[TextCall]) -> Iterator[f.Formula]:
    """Two dates are alike in a longer part where they are alike in the parts that make it up.

    Of a timestamp these never make up the whole.
    """
    table = {(call.subject, call.slice): call.result.rank for call in calls}
    subjects = list(dict.fromkeys(call.subject for call in calls))
    whole_days = {call.subject for call in calls if call.is_date}
    for one, other in combinations(subjects, 2):
        for left, right, joined in _JOINED:
            if any((each, part) not in table for each in (one, other) for part in (left, right)):
                continue
            if joined is None and not {one, other} <= whole_days:
                continue
            ends = [each.rank if joined is None else table.get((each, joined), "") for each in (one, other)]
            if not all(ends):
                continue
            alike = f.and_(
                f.equal(table[one, left], table[other, left]), f.equal(table[one, right], table[other, right])
            )
            yield f.implies(
                f.and_(f.not_(one.null), f.not_(other.null)), f.iff(alike, f.equal(ends[0], ends[1]))
            )


def _digits(calls: Sequence[TextCall], numbers: Iterable[int], encoder: Encoder) -> Iterator[f.Formula]:
    """A part of a date or time as an integer: how it compares with integer literals, and with another.

    The years before 0 begin with a minus sign, which sorts before all digits: their texts are, as these years
    are, before all of four digits, but not in order among themselves.
    """
    casts = [call for call in calls if call.digits and isinstance(call.node, Convert) and call.result.whole]
    for call in casts:
        rank, whole = call.subject.rank, call.result.whole
        least = f.integer(_FIRST_YEAR) if call.is_signed else "0"
        facts = [f"(<= {least} {whole} {10**call.digits - 1})"]
        for number in sorted({each + step for each in numbers for step in (-1, 0, 1)}):
            if number >= 0 and _is_spelt(number, call):
                text = str(number).zfill(call.digits)
                facts.append(f.iff(f.less(whole, f.integer(number)), f.less(rank, encoder.literal(text))))
                facts.append(f.iff(f.equal(whole, f.integer(number)), f.equal(rank, encoder.literal(text))))
        yield f.implies(f.not_(call.subject.null), f.and_(*facts))
    for one, other in combinations(casts, 2):
        if one.digits == other.digits:
            both = f.and_(f.not_(one.subject.null), f.not_(other.subject.null))
            for relation in (f.equal,) if one.is_signed or other.is_signed else (f.less, f.equal):
                as_number = relation(one.result.whole, other.result.whole)
                yield f.implies(both, f.iff(as_number, relation(one.subject.rank, other.subject.rank)))


def _is_spelt(number: int, call: TextCall) -> bool:
    """Whether a part of a date may be spelt like a number: a year has no zeros in front that matter."""
    length = len(str(number))
    return length == call.digits or length < call.digits < len("2000")


def _julian(calls: Sequence[TextCall], encoder: Encoder) -> Iterator[f.Formula]:
    """JULIANDAY of a date counts days, and begins them at noon."""
    for call in calls:
        if call.is_date and isinstance(call.node, Apply) and call.node.function == "JULIANDAY":
            days = f"(+ (to_real {_day_of(call.subject, encoder)}) {_NOON})"
            yield f.implies(f.not_(call.subject.null), f.equal(call.result.number, days))


def _day_of(date: Encoded, encoder: Encoder) -> f.Formula:
    """The number of the day of a date."""
    sorts = (("Real", date.rank),)
    name = encoder.script.declare("day", "day number", tuple(sort for sort, _ in sorts), "Int")
    return f"({name} {date.rank})"


def _days(subjects: Sequence[Encoded], texts: Iterable[bytes], encoder: Encoder) -> Iterator[f.Formula]:
    """Dates are ordered as their days are, and there is none between two days."""
    bounds = [(text, _first_day_from(text)) for text in texts]
    for subject in subjects:
        day, facts = _day_of(subject, encoder), []
        for text, (first, is_date) in bounds:
            rank = encoder.rank(text)
            if first is not None:
                facts.append(f.iff(f.less(subject.rank, rank), f.less(day, f.integer(first))))
            else:
                facts.append(f.less(subject.rank, rank))
            facts.append(
                f.iff(
                    f.equal(subject.rank, rank),
                    f.equal(day, f.integer(first)) if is_date and first is not None else f.FALSE,
                )
            )
        facts.append(f"(<= {f.integer(_FIRST)} {day} {_LAST})")
        yield f.implies(f.not_(subject.null), f.and_(*facts))
    for one, other in combinations(subjects, 2):
        both = f.and_(f.not_(one.null), f.not_(other.null))
        for relation in (f.less, f.equal):
            order = relation(_day_of(one, encoder), _day_of(other, encoder))
            yield f.implies(both, f.iff(relation(one.rank, other.rank), order))


def _instants(subject: Encoded, texts: Iterable[bytes], encoder: Encoder) -> Iterator[f.Formula]:
    """Timestamps are in range, and none lies between a text and the first timestamp from it on.

    The texts of two timestamps are in the order of their instants: a fraction has no zero at its end.
    """
    facts = [
        f"(>= {subject.rank} {encoder.rank(_instant(0))})",
        f.less(subject.rank, encoder.rank(END_OF_TIMESTAMPS.encode())),
    ]
    for text in texts:
        rank, first = encoder.rank(text), _first_instant_from(text)
        after = None if first != text else _first_instant_from(text + b" ")
        if first is not None and first != text:
            facts.append(f.iff(f.less(subject.rank, rank), f.less(subject.rank, encoder.rank(first))))
            facts.append(f.not_(f.equal(subject.rank, rank)))
        elif after is not None:
            facts.append(f.iff(f"(<= {subject.rank} {rank})", f.less(subject.rank, encoder.rank(after))))
    yield f.implies(f.not_(subject.null), f.and_(*facts))


_DAY_OF_MICROSECONDS = 86_400_000_000
_INSTANTS = (_LAST + 1 - _FIRST) * _DAY_OF_MICROSECONDS
"""How many there are from the beginning of the year 0000 to the end of the year 9999."""


def _instant(number: int) -> bytes:
    """The timestamp so many microseconds after the beginning of the year 0000."""
    day, rest = divmod(number, _DAY_OF_MICROSECONDS)
    seconds, fraction = divmod(rest, 1_000_000)
    clock = f" {seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return _spelt(_FIRST + day) + clock.encode() + f".{fraction:06}".rstrip("0").rstrip(".").encode()


@lru_cache(maxsize=1024)
def _first_instant_from(text: bytes) -> bytes | None:
    """The first timestamp that is not before a text; None if there is none."""
    number = bisect_left(range(_INSTANTS), text, key=_instant)
    return _instant(number) if number < _INSTANTS else None


@lru_cache(maxsize=1024)
def _first_day_from(text: bytes) -> tuple[int | None, bool]:
    """The number of the first day whose date is not before a text, if any, and whether it is that text."""
    low = _FIRST + bisect_left(range(_FIRST, _LAST + 1), text, key=_spelt)
    if low > _LAST:
        return None, False
    return low, _spelt(low) == text


def _spelt(number: int) -> bytes:
    """The date of a day, of the year 0000 (a leap year) if the number is below 1."""
    if number >= 1:
        return date.fromordinal(number).isoformat().encode()
    # The calendar repeats every 400 years.
    return b"0000" + date.fromordinal(number + _CYCLE).isoformat()[4:].encode()


def _at_least(rank: f.Formula, text: bytes, encoder: Encoder) -> f.Formula:
    """Whether a text is not before another one."""
    return f"(>= {rank} {encoder.rank(text)})"


def _before(rank: f.Formula, text: bytes, encoder: Encoder) -> f.Formula:
    """Whether a text is before another one."""
    return f"(< {rank} {encoder.rank(text)})"


def _begins(rank: f.Formula, prefix: str, encoder: Encoder) -> f.Formula:
    """Whether a text begins with a plain one."""
    return f.and_(_at_least(rank, prefix.encode(), encoder), _before(rank, successor(prefix), encoder))


def _patterns(calls: Sequence[TextCall], encoder: Encoder) -> Iterator[f.Formula]:
    """Axioms for LIKE and GLOB with a fixed prefix: bounds on the rank of the text."""
    for call in calls:
        if call.prefix is None:
            continue
        prefix, case = call.prefix
        rank = call.subject.rank
        low, high = prefix.upper(), prefix.lower()
        if case or low == high:
            yield f.iff(call.holds, _begins(rank, prefix, encoder))
            continue
        yield f.implies(_begins(rank, low, encoder), call.holds)
        yield f.implies(_begins(rank, high, encoder), call.holds)
        bounds = f.and_(_at_least(rank, low.encode(), encoder), _before(rank, successor(high), encoder))
        yield f.implies(call.holds, bounds)
    for one, other in combinations(calls, 2):
        if one.prefix and other.prefix and one.subject.rank == other.subject.rank:
            yield from _nested(one, other)
            yield from _nested(other, one)


def _nested(longer: TextCall, shorter: TextCall) -> Iterator[f.Formula]:
    """LIKE 'abc%' implies LIKE 'ab%'."""
    assert longer.prefix is not None
    assert shorter.prefix is not None
    if not shorter.prefix[1] and longer.prefix[0].lower().startswith(shorter.prefix[0].lower()):
        yield f.implies(longer.holds, shorter.holds)


def _slices(calls: Sequence[TextCall], literals: Iterable[str], encoder: Encoder) -> Iterator[f.Formula]:
    """Axioms for SUBSTR(text, 1, n): a comparison of it with a literal bounds the rank of the text."""
    known = [literal for literal in literals if literal and is_plain(literal)]
    found = [call for call in calls if call.slice and call.slice[0] == 1]
    for call in found:
        assert call.slice is not None
        yield f"(<= {call.result.rank} {call.subject.rank})"
        for literal in known:
            yield from _slice(call.result.rank, call.subject.rank, call.slice[1], literal, encoder)
    for one, other in combinations(found, 2):
        yield from _alike(one, other, found)


def _slice(
    part: f.Formula, whole: f.Formula, length: int, literal: str, encoder: Encoder
) -> Iterator[f.Formula]:
    data, start = literal.encode(), literal[:length]
    if len(literal) > length:
        # The part is no longer than ``start``: it is before the literal if it is not after ``start``.
        yield f.iff(_before(part, data, encoder), _before(whole, successor(start), encoder))
        yield f.not_(f.equal(part, encoder.rank(data)))
        return
    yield f.iff(_before(part, data, encoder), _before(whole, data, encoder))
    if len(literal) == length:
        yield f.iff(f.equal(part, encoder.rank(data)), _begins(whole, literal, encoder))


def _alike(one: TextCall, other: TextCall, calls: Sequence[TextCall]) -> Iterator[f.Formula]:
    """Texts that begin alike begin alike also up to a shorter length."""
    assert one.slice is not None
    if one.slice != other.slice or one.subject.rank == other.subject.rank:
        return
    for shorter in calls:
        if shorter.slice is None or shorter.slice[1] >= one.slice[1] or shorter.subject != one.subject:
            continue
        for twin in calls:
            if twin.slice == shorter.slice and twin.subject == other.subject:
                equals = f.equal(one.result.rank, other.result.rank)
                yield f.implies(equals, f.equal(shorter.result.rank, twin.result.rank))
