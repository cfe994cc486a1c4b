"""Candidates for one cell: whole numbers, days or clock times in order, near what the conditions mention."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from itertools import chain, islice, product
from math import isqrt

from sqlglot import exp

from equiv.cells import Cell
from equiv.core.functions.table import function_of
from equiv.core.model import Column, Domain
from equiv.core.reading.hints import literal_value

_PORTIONS = (700, 5000, 10_000)
_WHOLE = 4500
"""Whole numbers from 0 on."""

_NEAR, _BEYOND = 20, 1200
_FIRST, _LAST = date(1988, 1, 1), date(2026, 12, 31)
_WEEKS = 14
_LONG, _MOST_PARTS = 60, 5
_WILD = re.compile(r"[%_*?]|\[[^\[\]]*\]")
_SIZES = 10**15
_CLOCK = re.compile(r"(?:(\d{4}-\d{2}-\d{2})[ T])?(\d{2}:\d{2})(:\d{2})?(\.\d+)?")


def candidates(column: Column, conditions: Sequence[exp.Expr], pool: Sequence[Cell]) -> Iterator[list[Cell]]:
    """Values to look for a solution among, in portions: those of the pool and near literals first."""
    values = chain(pool, _beyond(column.domain, conditions))
    for size in _PORTIONS:
        portion = list(dict.fromkeys(islice(values, size)))
        if not portion:
            return
        yield portion


def _beyond(domain: Domain, conditions: Sequence[exp.Expr]) -> Iterator[Cell]:
    match domain:
        case Domain.INTEGER:
            return _whole(conditions)
        case Domain.NUMBER:
            return _numbers(conditions)
        case Domain.TEXT:
            return _texts(conditions)
        case Domain.BOOLEAN:
            return iter(())
        case Domain.ANY:
            return chain(_whole(conditions), _texts(conditions))


def _whole(conditions: Sequence[exp.Expr]) -> Iterator[Cell]:
    literals = [int(v) for v in _literals(conditions) if isinstance(v, int | float) and abs(v) < _SIZES]
    for near in literals:
        yield from range(near - _NEAR, near + _NEAR)
    yield from range(400)
    for near in literals:
        if near > _WHOLE:
            yield from (isqrt(near) + step for step in (-1, 0, 1))
            yield from (near // by for by in range(2, 10))
            yield from range(near, near + _BEYOND)
        if near < 0:
            yield from range(-_BEYOND, 0)
    yield from range(_WHOLE)


def _numbers(conditions: Sequence[exp.Expr]) -> Iterator[Cell]:
    yield from _whole(conditions)
    for value in _literals(conditions):
        if isinstance(value, int | float) and abs(value) < _SIZES:
            yield from (value + step / 8 for step in range(-12, 13))
    yield from (step / 8 for step in range(400))


def _literals(conditions: Sequence[exp.Expr]) -> Iterator[float | str]:
    for condition in conditions:
        for literal in condition.find_all(exp.Literal):
            yield literal_value(literal)


def _texts(conditions: Sequence[exp.Expr]) -> Iterator[Cell]:
    """Texts put together from parts of literals; days where a condition reads dates; clock times."""
    values = [value for value in _literals(conditions) if isinstance(value, str)]
    for found in dict.fromkeys(found for value in values if (found := _CLOCK.fullmatch(value))):
        yield from _spelt(found)
    functions = [f for c in conditions for node in c.walk() if (f := function_of(node)) is not None]
    if not any(function.reads_time for function in functions):
        yield from _assembled(values, [v for v in _literals(conditions) if isinstance(v, int)])
        return
    for value in values:
        yield from _near_day(value)
    if any(part in value for value in values for part in ("%H", "%M", "%S", "%T")):
        yield from _minutes()
    yield from _days()


def _assembled(literals: Sequence[str], numbers: Sequence[int]) -> Iterator[str]:
    """Texts of up to three parts of literals, with something before, between or behind them."""
    parts = list(dict.fromkeys(part for text in literals for part in _WILD.split(text) if part))[:_MOST_PARTS]
    parts = [*(part for part in parts if len(part) <= _LONG), "x"]
    lengths = sorted({n for n in numbers if 0 < n <= _LONG})[:3]
    for count in (1, 2, 3):
        for chosen in product(parts, repeat=count):
            whole = "".join(chosen)
            yield whole
            for length in (*(n + step for n in lengths for step in (0, 1)), len(whole) + 1, len(whole) + 2):
                fill = "x" * (length - len(whole))
                if fill:
                    yield fill + whole
                    yield "".join((chosen[0], fill, *chosen[1:]))
    if any(part != part.upper() for part in parts):
        yield from (variant for text in literals for variant in (text.upper(), text.lower(), text.title()))


def _spelt(clock: re.Match[str]) -> Iterator[str]:
    """The same time of day in other texts, and the minute beside it."""
    day, minute, second = clock[1], clock[2], clock[3] or ":00"
    yield from (f"{minute}{second}", f"{minute}{second}.000", f"{day or '2015-06-15'} {minute}{second}")
    if second == ":00":
        yield minute
    yield f"{day or '2015-06-15'}T{minute}{second}"


def _near_day(text: str) -> Iterator[str]:
    """The days within some weeks of a date, if a text is one."""
    try:
        day = date.fromisoformat(text[:10])
    except ValueError:
        return
    if timedelta(days=_WEEKS * 7) < day - date.min and day.year < 9990:
        yield from ((day + timedelta(days=step)).isoformat() for step in range(-_WEEKS * 7, _WEEKS * 7))


def _days() -> Iterator[str]:
    count = (_LAST - _FIRST).days
    # Steps that share no factor with the week or the year: any few of them differ in all parts of a date.
    return ((_FIRST + timedelta(days=(turn * 4001) % count)).isoformat() for turn in range(count))


@cache
def _minutes() -> tuple[str, ...]:
    return tuple(f"{at // 60:02}:{at % 60:02}:00" for at in range(1440))
