"""The values that parameters of a pair are tried with: likely ones, then NULL and other storage classes."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from itertools import islice

from sqlglot import exp

from equiv.answers.pair import Pair
from equiv.cells import Cell
from equiv.core.claims.blocks import base_column
from equiv.core.model import Column, Context, Domain, Table
from equiv.core.reading.hints import literal_value
from equiv.generate.neighbours import GENERIC, GENERIC_DATES

Sample = Callable[[Table, Column], list[Cell]]
"""A sample of the values of a column in the given data."""

_TYPICAL = 6
_LARGEST = 2**62
_ODD: tuple[Cell, ...] = (None, 0, 1, "1", "a", "A", -1, 1.5, "", "1.0", b"a", b"1")
_COUNTS: tuple[Cell, ...] = (1, 2, 0, 3, -1)
_PATTERNS: tuple[Cell, ...] = ("a%", "%", "a", "A_", "%b", "")
_TYPED: dict[str, tuple[Cell, ...]] = {
    "integer": (0, 1, 2, -1, 10),
    "number": (0, 1, 1.5, -1, 10),
    "float": (0, 1, 1.5, -1, 10),
    "boolean": (0, 1),
    "text": ("a", "A", "", "a%", "_", "1"),
    "date": GENERIC_DATES,
    "timestamp": tuple(f"{day} 12:30:00" for day in GENERIC_DATES),
    "uuid": ("00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000001"),
}
_DATED = {
    "date": re.compile(r"\d{4}-\d\d-\d\d", re.ASCII),
    "timestamp": re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", re.ASCII),
}
_COMPARED = (*(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE), exp.NullSafeEQ, exp.NullSafeNEQ)
_BESIDE = (*_COMPARED, exp.In, exp.Between)


def bindings(pair: Pair, most: int, sample: Sample | None = None) -> list[dict[str, Cell]]:
    """Different bindings of all parameters of a pair, at least one and at most so many.

    Args:
        pair: a pair with parameters.
        most: how many bindings are wanted.
        sample: gives values of the given data, if there is any.
    """
    names = sorted({*pair.pred.parameters, *pair.gold.parameters}, key=lambda name: (len(name), name))
    pools = [_pool(name, pair, sample) for name in names]
    by_values: dict[tuple[tuple[type, Cell], ...], dict[str, Cell]] = {}
    for values in islice(_choices(pools), 20 * most):
        by_values.setdefault(
            tuple((type(value), value) for value in values), dict(zip(names, values, strict=True))
        )
        if len(by_values) == most:
            break
    return list(by_values.values())


def _choices(pools: list[list[Cell]]) -> Iterator[tuple[Cell, ...]]:
    """Likely values, different, swapped and equal; then each parameter odd by itself; then mixtures."""
    for shift in range(2):
        yield tuple(pool[(place + shift) % len(pool)] for place, pool in enumerate(pools))
    yield tuple(pool[-place % len(pool)] for place, pool in enumerate(pools, 1))
    yield tuple(pool[0] for pool in pools)
    yield tuple(None for _ in pools)
    base = [pool[place % len(pool)] for place, pool in enumerate(pools)]
    for rank in range(max(map(len, pools))):
        for place, pool in enumerate(pools):
            if rank < len(pool):
                yield (*base[:place], pool[rank], *base[place + 1 :])
    picks = random.Random(len(pools))
    while True:
        yield tuple(picks.choice(pool) for pool in pools)


def _pool(name: str, pair: Pair, sample: Sample | None) -> list[Cell]:
    """Values for one parameter, the likeliest first."""
    likely: list[Cell] = []
    trees = [query.tree for query in (pair.pred, pair.gold) if query.tree is not None]
    ctx = Context(pair.schema, pair.facts)
    for tree in trees:
        for node in tree.find_all(exp.Parameter):
            if node.name == name:
                likely += _likely(node, ctx, sample)
    literals = [value for tree in trees for value in _literals(tree)]
    kind = _kind(name, pair)
    if kind:
        fitting = [value for value in (*likely[:_TYPICAL], *literals, *_TYPED[kind]) if _fits(value, kind)]
        return [*_distinct(fitting), None]
    first = likely[:_TYPICAL] or [*literals[:2], *GENERIC[Domain.ANY][:2]]
    return _distinct([*first, *_ODD, *literals[:_TYPICAL]])


def _kind(name: str, pair: Pair) -> str:
    """The type of a parameter by the engine of its dialect, or ''."""
    for query in (pair.pred, pair.gold):
        for known, kind in zip(query.parameters, query.parameter_types, strict=False):
            if known == name:
                return kind
    return ""


def _fits(value: Cell, kind: str) -> bool:
    """Whether a value is one of a type."""
    match kind:
        case "integer":
            return isinstance(value, int)
        case "boolean":
            return value in (0, 1) and isinstance(value, int)
        case "number" | "float":
            return isinstance(value, int | float)
        case "date" | "timestamp":
            return isinstance(value, str) and bool(_DATED[kind].fullmatch(value))
        case "uuid":
            return value in _TYPED[kind]
    return isinstance(value, str)


def _distinct(values: list[Cell]) -> list[Cell]:
    """The values without repetition; 1, 1.0 and '1' are three."""
    return list({(type(value), value): value for value in values}.values())


def _likely(node: exp.Expression, ctx: Context, sample: Sample | None) -> list[Cell]:
    """Values that bear on what stands beside a parameter."""
    parent = node.parent
    while isinstance(parent, exp.Neg | exp.Tuple | exp.Cast | exp.Collate):
        parent = parent.parent
    if isinstance(parent, exp.Limit | exp.Offset):
        return [*_COUNTS]
    if isinstance(parent, exp.Like | exp.Glob) and node.arg_key == "expression":
        return [*_PATTERNS]
    if not isinstance(parent, _BESIDE):
        return []
    values: list[Cell] = [*_literals(parent)]
    for column in parent.find_all(exp.Column):
        base = base_column(column, ctx)
        if base is not None:
            values += _of_column(*base, sample)
    return values


def _literals(node: exp.Expression) -> Iterator[Cell]:
    """The values of the literals below a node that can be bound, and printed again as a literal."""
    for literal in node.find_all(exp.Literal):
        value = literal_value(literal)
        if isinstance(value, str):
            if "\x00" not in value:
                yield value
        elif abs(value) < _LARGEST:
            yield value


def _of_column(table: Table, column: Column, sample: Sample | None) -> list[Cell]:
    given = sample(table, column) if sample is not None else []
    dated = "date" in f"{column.declared_type} {column.name}".lower()
    return [*given, *(GENERIC_DATES[:2] if dated else ()), *GENERIC[column.domain][:_TYPICAL]]
