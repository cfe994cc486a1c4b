"""Pools of values: for each column of a pair a few values that its conditions can distinguish.

Where none of them serves, further candidates: numbers, texts, days and clock times near what conditions
mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from itertools import chain, islice, product, zip_longest
from math import isqrt

from sqlglot import exp

from equiv.cells import Cell
from equiv.core.functions.table import function_of
from equiv.core.functions.traits import LiteralStyle
from equiv.core.model import Column, Domain, Table
from equiv.core.reading.goals import place_of
from equiv.core.reading.hints import Hint, hints_in, literal_value
from equiv.core.reading.queries import ColumnKey, PairReading
from equiv.facts import END_OF_TIMESTAMPS
from equiv.generate.constraints import Constraints, condition_of
from equiv.generate.neighbours import (
    GENERIC,
    GENERIC_DATES,
    NUMERIC_TEXTS,
    around,
    beside,
    between,
    blobs_near,
    combined,
    composed,
    documents,
    in_other_periods,
)
from equiv.generate.scratch import Scratch
from equiv.graphs import components
from equiv.names import fold, folded, is_same

POOL_SIZE = 28
_HINTED = 22
_COMBINED = 4
_BEFORE_COMPUTED, _COMPUTED_EACH = 6, 5
"""The position of computed values in a list of candidates, and their number."""
_COMPUTED_PLACES, _COMPUTED_FROM = 2, 6
_STRANGERS = 3
_BEFORE_VARIANTS = 2
_BEFORE_BESIDE, _BESIDE = 4, 6
"""The position of values outside the declared type in a list of candidates, and their number."""
_BEFORE_BETWEEN, _BETWEEN = 6, 6
"""The position of values between literals in a list of candidates, at most, and their number."""
_PLAIN_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
_TIMESTAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?")
_CLOCKS = ("00:00:00", "12:30:00", "23:59:59.9996")
_KINDS = {
    Domain.INTEGER: ("integer",),
    Domain.NUMBER: ("integer", "real"),
    Domain.TEXT: ("text",),
    Domain.BOOLEAN: ("integer",),
    Domain.ANY: ("integer", "real", "text"),
}
_BLOB = "é".encode()
"""A blob that is a text of more bytes than characters."""
_ODD: dict[Domain, tuple[Cell, ...]] = {
    Domain.INTEGER: ("x", 0.5),
    Domain.NUMBER: ("x",),
    Domain.TEXT: (1, b"a", _BLOB),
    Domain.BOOLEAN: (2, "x"),
    Domain.ANY: (_BLOB,),
}


@dataclass
class Pools:
    """The values that each column may take in a generated database, NULL apart."""

    values: dict[ColumnKey, list[Cell]] = field(default_factory=dict)
    numbers: dict[ColumnKey, int] = field(default_factory=dict)
    """The number of each column in the scratch database."""
    nullable: set[ColumnKey] = field(default_factory=set)
    columns: dict[ColumnKey, Column] = field(default_factory=dict)
    _filled: int = -1
    """The filling of the scratch database that holds these pools."""

    def shared(self, keys: Iterable[ColumnKey]) -> list[Cell]:
        """The values that each of some columns may take; those of the first if they share none."""
        first, *others = (self.values.get(key, []) for key in keys)
        return [value for value in first if all(value in other for other in others)] or first

    def kept_in(self, scratch: Scratch) -> None:
        """Note that a scratch database holds the values."""
        self._filled = scratch.filled

    def put_back(self, scratch: Scratch) -> None:
        """Put the values into a scratch database again if it has been filled for another pair since."""
        if scratch.filled != self._filled:
            keys = list(self.numbers)
            scratch.store([self.columns[key] for key in keys], [self.values[key] for key in keys])
            self.kept_in(scratch)


def make_pools(
    reading: PairReading,
    layout: Mapping[str, tuple[str, ...]],
    constraints: Mapping[str, Constraints],
    scratch: Scratch,
) -> Pools:
    """Pools for all columns of a layout; each value is one that the column can hold under the facts."""
    pools = Pools()
    for table, names in layout.items():
        for name in names:
            column = constraints[table].table.column(name)
            if column is not None:
                pools.columns[table, name] = column
                if name not in constraints[table].not_null:
                    pools.nullable.add((table, name))
    hints = _shared_hints(reading, pools, constraints)
    keys = list(pools.columns)
    candidates = [_candidates(key, hints.get(key, ()), reading, pools, constraints[key[0]]) for key in keys]
    _fill(pools, keys, candidates, constraints, scratch)
    computed = _computed(reading, pools, scratch)
    if computed:
        for key, known in zip(keys, candidates, strict=True):
            known[_BEFORE_COMPUTED:_BEFORE_COMPUTED] = computed.get(key, ())
        _fill(pools, keys, candidates, constraints, scratch)
    _apply_checks(pools, constraints, scratch)
    pools.kept_in(scratch)
    return pools


def _fill(
    pools: Pools,
    keys: list[ColumnKey],
    candidates: list[list[Cell]],
    constraints: Mapping[str, Constraints],
    scratch: Scratch,
) -> None:
    """Make each column's pool of the candidates that it can hold."""
    stored = scratch.store([pools.columns[key] for key in keys], candidates)
    for number, key in enumerate(keys):
        pools.numbers[key] = number
        fitting = [value for value, kind in stored[number] if _conforms(value, kind, key, pools, constraints)]
        pools.values[key] = list(dict.fromkeys(fitting))[:POOL_SIZE]
        if len(pools.values[key]) < len(stored[number]):
            scratch.keep(number, pools.values[key])


def _computed(reading: PairReading, pools: Pools, scratch: Scratch) -> dict[ColumnKey, list[Cell]]:
    """The values, on the pools, of the expressions that columns are compared with."""
    found: dict[ColumnKey, list[Cell]] = {}
    for key, expressions in reading.computed.items():
        if key not in pools.numbers:
            continue
        lists = []
        for expression in expressions:
            places = {place_of(column) for column in expression.find_all(exp.Column)}
            numbers = {place: pools.numbers.get(reading.key(place)) for place in places}
            known = {place: number for place, number in numbers.items() if number is not None}
            if len(known) == len(numbers) <= _COMPUTED_PLACES:
                lists.append(scratch.values(expression, known, _COMPUTED_FROM)[:_COMPUTED_EACH])
        found[key] = list(dict.fromkeys(_interleave(lists)))
    return {key: values for key, values in found.items() if values}


def _candidates(
    key: ColumnKey, hints: Sequence[Hint], reading: PairReading, pools: Pools, constraints: Constraints
) -> list[Cell]:
    column = pools.columns[key]
    domain = column.domain
    blobs = [blob for hint in hints if hint.style is LiteralStyle.BLOB for blob in blobs_near(hint)]
    hints = [hint for hint in hints if hint.style is not LiteralStyle.BLOB]
    if column.samples is not None:
        sought = composed(_with_parts(hints), column.native_type, column.samples)
        return list(dict.fromkeys((*blobs, *sought, *column.samples)))
    if held := documents(hints):
        # Any other text makes a query fail.
        return list(held)
    hinted = list(dict.fromkeys(_interleave([around(hint, domain) for hint in hints])))[:_HINTED]
    if domain in (Domain.TEXT, Domain.ANY):
        hinted = [*combined(hints)[:_COMBINED], *hinted]
        if any(hint.style is LiteralStyle.BYTES for hint in hints):
            hinted[1:1] = ["é" * len(str(text)) for text in hinted[:_COMBINED]]
        if key in reading.variants:
            hinted[_BEFORE_VARIANTS:_BEFORE_VARIANTS] = _variants(hinted, reading.variants[key])
    dated = key in reading.dated or key[1] in constraints.iso_dates or "DATE" in column.declared_type.upper()
    dated = dated or _is_checked_as_date(key, constraints)
    generic: tuple[Cell, ...] = GENERIC[domain]
    if domain is Domain.TEXT and (dated or key in reading.numeric or key[1] in constraints.numeric_texts):
        generic = (GENERIC_DATES if dated else NUMERIC_TEXTS) + generic
    if key[1] in constraints.iso_timestamps:
        hinted = _timestamps((*hinted, *GENERIC_DATES))
    at = min(len(hints), _BEFORE_BETWEEN)
    hinted[at:at] = between(hints, hinted, column)[:_BETWEEN]
    if key[1] in constraints.iso_timestamps:
        return hinted
    if key[1] not in constraints.typed:
        generic = (*generic[:4], *_ODD[domain], *generic[4:])
        odd = list(dict.fromkeys(_interleave([beside(hint, domain) for hint in hints])))[:_BESIDE]
        hinted[_BEFORE_BESIDE:_BEFORE_BESIDE] = odd
    return list(dict.fromkeys((*blobs, *hinted, *generic)))


def _with_parts(hints: Iterable[Hint]) -> Iterator[Hint]:
    """The hints, and of each array, which a column may be compared with element by element, those parts."""
    for hint in hints:
        yield hint
        if isinstance(hint.value, str) and hint.value.startswith("{") and hint.value.endswith("}"):
            yield from (Hint(part) for part in hint.value[1:-1].split(",") if part not in ("", "NULL"))


def _timestamps(candidates: Iterable[Cell]) -> list[Cell]:
    """The timestamps among some values, their month or year moved too, and some on the dates among them."""
    found: list[Cell] = []
    for value in candidates:
        if isinstance(value, str) and is_iso_date(value):
            found += [f"{value} {clock}" for clock in _CLOCKS]
        elif isinstance(value, str) and is_iso_timestamp(value.removesuffix("+00")):
            instant = value.removesuffix("+00")
            found += [instant, *(f"{moved}{instant[10:]}" for moved in in_other_periods(value[:10]))]
    return list(dict.fromkeys(found))


def _variants(hinted: list[Cell], formats: Iterable[str]) -> Iterator[str]:
    """A text in each of some formats: one that a literal hints at, and any other."""
    texts = [value for value in hinted if isinstance(value, str)][:1]
    return (form.format(text) for form in formats for text in (*texts, "a"))


def _interleave(lists: list[list[Cell]]) -> list[Cell]:
    boxed = ([(value,) for value in values] for values in lists)
    return [value for level in zip_longest(*boxed, fillvalue=()) for box in level for value in box]


def _shared_hints(
    reading: PairReading, pools: Pools, constraints: Mapping[str, Constraints]
) -> dict[ColumnKey, list[Hint]]:
    """The hints of each column and of all that are compared with it, else a few literals of others."""
    compared = [key for pair in reading.equal for key in pair]
    groups: dict[ColumnKey, list[Hint]] = {}
    for group in components(dict.fromkeys((*pools.columns, *compared)), reading.equal):
        members = [key for key in group if key in pools.columns]
        hints = [hint for key in members for hint in reading.hints.get(key, ())]
        groups |= dict.fromkeys(members, hints)
    strangers = list(dict.fromkeys(hint for known in reading.hints.values() for hint in known))
    shared: dict[ColumnKey, list[Hint]] = {}
    for key in pools.columns:
        own = [*_check_hints(key, constraints[key[0]]), *groups[key]]
        other = [Hint(hint.value) for hint in strangers if _same_kind(hint, pools.columns[key])]
        shared[key] = list(dict.fromkeys(own or other[:_STRANGERS]))
    return shared


def _same_kind(hint: Hint, column: Column) -> bool:
    if hint.style is LiteralStyle.BLOB:
        return False
    return isinstance(hint.value, str) == (column.domain is Domain.TEXT) and hint.style != "pattern"


def _check_hints(key: ColumnKey, constraints: Constraints) -> list[Hint]:
    """The literals of CHECK constraints on a column."""
    conditions = filter(None, (_grounded(text, constraints.table) for text in constraints.checks))
    named = (pair for condition in conditions for pair in hints_in(condition))
    return [hint for place, hint in named if is_same(place[1], key[1])]


def _is_checked_as_date(key: ColumnKey, constraints: Constraints) -> bool:
    """Whether a CHECK hands a column to a date function."""
    for text in constraints.checks:
        if key[1] in constraints.read_by(text):
            condition = _grounded(text, constraints.table)
            functions = map(function_of, condition.walk() if condition is not None else ())
            if any(function is not None and function.reads_time for function in functions):
                return True
    return False


def _grounded(text: str, table: Table) -> exp.Expr | None:
    """A CHECK as a condition over slot 0; None if it is not known what it says."""

    def ground(part: exp.Expr) -> exp.Expr:
        return exp.column(part.name, table="s0", quoted=True) if isinstance(part, exp.Column) else part

    condition = condition_of(text, table)
    return None if condition is None else condition.transform(ground)


def _conforms(
    value: Cell, kind: str, key: ColumnKey, pools: Pools, constraints: Mapping[str, Constraints]
) -> bool:
    rules = constraints[key[0]]
    domain = pools.columns[key].domain
    if key[1] in rules.typed and kind not in _KINDS[domain]:
        return False
    if key[1] in rules.typed and domain is Domain.BOOLEAN and value not in (0, 1):
        return False
    if key[1] in rules.iso_dates and not is_iso_date(value):
        return False
    if key[1] in rules.iso_timestamps and not is_iso_timestamp(value):
        return False
    if not pools.columns[key].stores(value):
        return False
    return key[1] not in rules.numeric_texts or bool(_PLAIN_NUMBER.fullmatch(str(value)))


def is_iso_date(value: Cell) -> bool:
    """Whether a value is text YYYY-MM-DD and a real date."""
    if not isinstance(value, str) or len(value) != 10:
        return False
    try:
        return date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def is_iso_timestamp(value: Cell) -> bool:
    """Whether a value is text YYYY-MM-DD HH:MM:SS and a real instant, maybe with a fraction of a second."""
    if not isinstance(value, str) or not _TIMESTAMP.fullmatch(value):
        return False
    return is_iso_date(value[:10]) and not value.endswith("0", 20) and value < END_OF_TIMESTAMPS


def _apply_checks(pools: Pools, constraints: Mapping[str, Constraints], scratch: Scratch) -> None:
    """Drop the values that a CHECK on their column alone forbids."""
    for table, rules in constraints.items():
        if not any(key[0] == table for key in pools.columns):
            continue
        for text in rules.checks:
            node = _grounded(text, rules.table)
            if node is None:
                continue
            names = folded(column.name for column in node.find_all(exp.Column))
            matching = [key for key in pools.columns if key[0] == table and fold(key[1]) in names]
            if len(names) != 1 or len(matching) != 1:
                continue
            _drop_forbidden(matching[0], node, pools, scratch)
            if not scratch.row_check(rules.table, [text])({}):
                pools.nullable.discard(matching[0])


def _drop_forbidden(key: ColumnKey, node: exp.Expr, pools: Pools, scratch: Scratch) -> None:
    place = next((0, column.name) for column in node.find_all(exp.Column))
    truth = scratch.truth(node, {place: pools.numbers[key]}, POOL_SIZE)
    if truth is None:
        return
    forbidden = {row[0] for row in truth.false}
    pools.values[key] = [value for value in pools.values[key] if value not in forbidden]
    scratch.keep(pools.numbers[key], pools.values[key])


_PORTIONS = (700, 5000, 10_000)
_WHOLE = 10_500
"""Whole numbers from 0 on."""

_NEAR, _BEYOND = 20, 1200
_FIRST, _LAST = date(1988, 1, 1), date(2026, 12, 31)
_WEEKS = 14
_LONG, _MOST_PARTS = 60, 5
_WILD = re.compile(r"[%_*?]|\[[^\[\]]*\]")
_SIZES = 10**15
_ROUNDED = 7
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
    literals = [v for v in _literals(conditions) if isinstance(v, int | float) and abs(v) < _SIZES]
    for value in literals:
        yield from (value + step / 8 for step in range(-12, 13))
        # What rounding to so many decimals makes the literal.
        kept = (digits for digits in literals if digits in range(_ROUNDED))
        yield from (value + sign * 0.4 / 10**digits for digits in kept for sign in (1, -1))
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
