"""The beginnings of texts: SUBSTR(d, 1, n), LIKE 'abc%' and GLOB 'abc*' as bounds on the rank of ``d``.

Under BINARY the texts that begin with a plain text p are those from p up to, but not including, p
with its last character raised by one.  LIKE ignores the case of ASCII letters: with letters in the
pattern it is only bounded by such ranges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from equiv.smt.encoding.calls import Call, is_plain, successor
from equiv.smt.logic import Formula, and_, equal, iff, implies, not_

if TYPE_CHECKING:
    from equiv.smt.encoding.expressions import Encoder


def at_least(rank: Formula, text: bytes, encoder: Encoder) -> Formula:
    """Whether a text is not before another one."""
    return f"(>= {rank} {encoder.rank(text)})"


def before(rank: Formula, text: bytes, encoder: Encoder) -> Formula:
    """Whether a text is before another one."""
    return f"(< {rank} {encoder.rank(text)})"


def begins(rank: Formula, prefix: str, encoder: Encoder) -> Formula:
    """Whether a text begins with a plain one."""
    return and_(at_least(rank, prefix.encode(), encoder), before(rank, successor(prefix), encoder))


def patterns(calls: Sequence[Call], encoder: Encoder) -> Iterator[Formula]:
    """Axioms for LIKE and GLOB with a fixed prefix: bounds on the rank of the text."""
    for call in calls:
        if call.prefix is None:
            continue
        prefix, case = call.prefix
        rank = call.subject.rank
        low, high = prefix.upper(), prefix.lower()
        if case or low == high:
            yield iff(call.holds, begins(rank, prefix, encoder))
            continue
        yield implies(begins(rank, low, encoder), call.holds)
        yield implies(begins(rank, high, encoder), call.holds)
        bounds = and_(at_least(rank, low.encode(), encoder), before(rank, successor(high), encoder))
        yield implies(call.holds, bounds)
    for one, other in combinations(calls, 2):
        if one.prefix and other.prefix and one.subject.rank == other.subject.rank:
            yield from _nested(one, other)
            yield from _nested(other, one)


def _nested(longer: Call, shorter: Call) -> Iterator[Formula]:
    """LIKE 'abc%' implies LIKE 'ab%'."""
    assert longer.prefix is not None
    assert shorter.prefix is not None
    if not shorter.prefix[1] and longer.prefix[0].lower().startswith(shorter.prefix[0].lower()):
        yield implies(longer.holds, shorter.holds)


def slices(calls: Sequence[Call], literals: Iterable[str], encoder: Encoder) -> Iterator[Formula]:
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


def _slice(part: Formula, whole: Formula, length: int, literal: str, encoder: Encoder) -> Iterator[Formula]:
    data, start = literal.encode(), literal[:length]
    if len(literal) > length:
        # The part is no longer than ``start``: it is before the literal if it is not after ``start``.
        yield iff(before(part, data, encoder), before(whole, successor(start), encoder))
        yield not_(equal(part, encoder.rank(data)))
        return
    yield iff(before(part, data, encoder), before(whole, data, encoder))
    if len(literal) == length:
        yield iff(equal(part, encoder.rank(data)), begins(whole, literal, encoder))


def _alike(one: Call, other: Call, calls: Sequence[Call]) -> Iterator[Formula]:
    """Texts that begin alike begin alike also up to a shorter length."""
    assert one.slice is not None
    if one.slice != other.slice or one.subject.rank == other.subject.rank:
        return
    for shorter in calls:
        if shorter.slice is None or shorter.slice[1] >= one.slice[1] or shorter.subject != one.subject:
            continue
        for twin in calls:
            if twin.slice == shorter.slice and twin.subject == other.subject:
                equals = equal(one.result.rank, other.result.rank)
                yield implies(equals, equal(shorter.result.rank, twin.result.rank))
