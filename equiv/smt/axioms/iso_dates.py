"""Texts that are dates or timestamps by ISO_DATE and ISO_TIMESTAMP: their parts, and these as numbers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from equiv.algebra.terms import Apply, Convert
from equiv.facts import END_OF_TIMESTAMPS
from equiv.smt.axioms.prefixes import before, begins
from equiv.smt.encoding.calls import Call
from equiv.smt.encoding.values import Value
from equiv.smt.logic import FALSE, Formula, and_, equal, iff, implies, integer, less, not_

if TYPE_CHECKING:
    from equiv.smt.encoding.expressions import Encoder

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


def dates(calls: Sequence[Call], literals: Iterable[str], encoder: Encoder) -> Iterator[Formula]:
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
        yield implies(not_(call.subject.null), and_(*facts))
    yield from _pairs(parts)


def _is_month(text: str) -> bool:
    return len(text) == 7 and text[4] == "-" and (text[:4] + text[5:]).isdigit() and text.isascii()


def _is_two_digits(text: str) -> bool:
    return len(text) == 2 and text.isdigit() and text.isascii()


def _bounds(call: Call, encoder: Encoder) -> Iterator[Formula]:
    if call.slice in _BOUNDS:
        low, high = _BOUNDS[call.slice]
        rank = call.result.rank
        yield f"(<= {encoder.rank(low.encode())} {rank} {encoder.rank(high.encode())})"


def _follows(call: Call, start: str, part: str, encoder: Encoder) -> Iterator[Formula]:
    """Within one year the month, within one month the day, orders the dates."""
    whole, rank, text = call.subject.rank, call.result.rank, f"{start}-{part}"
    within = begins(whole, f"{start}-", encoder)
    yield implies(within, iff(before(rank, part.encode(), encoder), before(whole, text.encode(), encoder)))
    yield implies(within, iff(equal(rank, encoder.rank(part.encode())), begins(whole, text, encoder)))
    yield iff(within, begins(whole, start, encoder))


def _pairs(calls: Sequence[Call]) -> Iterator[Formula]:
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
            alike = and_(
                equal(table[one, left], table[other, left]), equal(table[one, right], table[other, right])
            )
            yield implies(and_(not_(one.null), not_(other.null)), iff(alike, equal(ends[0], ends[1])))


def digits(calls: Sequence[Call], numbers: Iterable[int], encoder: Encoder) -> Iterator[Formula]:
    """A part of a date or time as an integer: how it compares with integer literals, and with another.

    The years before 0 begin with a minus sign, which sorts before all digits: their texts are, as these years
    are, before all of four digits, but not in order among themselves.
    """
    casts = [call for call in calls if call.digits and isinstance(call.node, Convert) and call.result.whole]
    for call in casts:
        rank, whole = call.subject.rank, call.result.whole
        least = integer(_FIRST_YEAR) if call.is_signed else "0"
        facts = [f"(<= {least} {whole} {10**call.digits - 1})"]
        for number in sorted({each + step for each in numbers for step in (-1, 0, 1)}):
            if number >= 0 and _is_spelt(number, call):
                text = str(number).zfill(call.digits)
                facts.append(iff(less(whole, integer(number)), less(rank, encoder.literal(text))))
                facts.append(iff(equal(whole, integer(number)), equal(rank, encoder.literal(text))))
        yield implies(not_(call.subject.null), and_(*facts))
    for one, other in combinations(casts, 2):
        if one.digits == other.digits:
            both = and_(not_(one.subject.null), not_(other.subject.null))
            for relation in (equal,) if one.is_signed or other.is_signed else (less, equal):
                as_number = relation(one.result.whole, other.result.whole)
                yield implies(both, iff(as_number, relation(one.subject.rank, other.subject.rank)))


def _is_spelt(number: int, call: Call) -> bool:
    """Whether a part of a date may be spelt like a number: a year has no zeros in front that matter."""
    length = len(str(number))
    return length == call.digits or length < call.digits < len("2000")


def julian(calls: Sequence[Call], encoder: Encoder) -> Iterator[Formula]:
    """JULIANDAY of a date counts days, and begins them at noon."""
    for call in calls:
        if call.is_date and isinstance(call.node, Apply) and call.node.function == "JULIANDAY":
            days = f"(+ (to_real {day_of(call.subject, encoder)}) {_NOON})"
            yield implies(not_(call.subject.null), equal(call.result.number, days))


def day_of(date: Value, encoder: Encoder) -> Formula:
    """The number of the day of a date."""
    sorts = (("Real", date.rank),)
    name = encoder.script.declare("day", "day number", tuple(sort for sort, _ in sorts), "Int")
    return f"({name} {date.rank})"


def days(subjects: Sequence[Value], texts: Iterable[bytes], encoder: Encoder) -> Iterator[Formula]:
    """Dates are ordered as their days are, and there is none between two days."""
    bounds = [(text, _first_day_from(text)) for text in texts]
    for subject in subjects:
        day, facts = day_of(subject, encoder), []
        for text, (first, is_date) in bounds:
            rank = encoder.rank(text)
            if first is not None:
                facts.append(iff(less(subject.rank, rank), less(day, integer(first))))
            else:
                facts.append(less(subject.rank, rank))
            facts.append(
                iff(
                    equal(subject.rank, rank),
                    equal(day, integer(first)) if is_date and first is not None else FALSE,
                )
            )
        facts.append(f"(<= {integer(_FIRST)} {day} {_LAST})")
        yield implies(not_(subject.null), and_(*facts))
    for one, other in combinations(subjects, 2):
        both = and_(not_(one.null), not_(other.null))
        for relation in (less, equal):
            order = relation(day_of(one, encoder), day_of(other, encoder))
            yield implies(both, iff(relation(one.rank, other.rank), order))


def instants(subject: Value, texts: Iterable[bytes], encoder: Encoder) -> Iterator[Formula]:
    """Timestamps are in range, and none lies between a text and the first timestamp from it on.

    The texts of two timestamps are in the order of their instants: a fraction has no zero at its end.
    """
    facts = [
        f"(>= {subject.rank} {encoder.rank(_instant(0))})",
        less(subject.rank, encoder.rank(END_OF_TIMESTAMPS.encode())),
    ]
    for text in texts:
        rank, first = encoder.rank(text), _first_instant_from(text)
        after = None if first != text else _first_instant_from(text + b" ")
        if first is not None and first != text:
            facts.append(iff(less(subject.rank, rank), less(subject.rank, encoder.rank(first))))
            facts.append(not_(equal(subject.rank, rank)))
        elif after is not None:
            facts.append(iff(f"(<= {subject.rank} {rank})", less(subject.rank, encoder.rank(after))))
    yield implies(not_(subject.null), and_(*facts))


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
