"""What a pair costs grows with the length of its text, and not with its square: counted in function calls."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from types import FrameType

import pytest

import equiv

DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT)"
GROWTH = 2.6
"""Twice the text may cost so many times the calls; what is quadratic costs nearly four times as many."""

Numbers = Iterable[int]


def in_list(numbers: Numbers) -> str:
    return f"SELECT b FROM t WHERE a IN ({', '.join(map(str, numbers))})"


def two_lists(numbers: Numbers) -> str:
    members = ", ".join(map(str, numbers))
    return f"SELECT b FROM t WHERE a IN ({members}) AND a IN (0, {members})"


def case(numbers: Numbers) -> str:
    return f"SELECT CASE a {' '.join(f'WHEN {n} THEN {n % 7}' for n in numbers)} END FROM t"


def either(numbers: Numbers) -> str:
    return f"SELECT b FROM t WHERE {' OR '.join(f'a = {n}' for n in numbers)}"


def neither(numbers: Numbers) -> str:
    return f"SELECT b FROM t WHERE {' AND '.join(f'a <> {n}' for n in numbers)}"


def values(numbers: Numbers) -> str:
    return f"SELECT b FROM t WHERE a IN (VALUES {', '.join(f'({n})' for n in numbers)})"


def calls_of(pred: str, gold: str) -> int:
    """How many functions of Python are called to find a pair equivalent."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    with equiv.Checker(schema=DDL, timeout=None) as checker:
        checker.check("SELECT a FROM t WHERE a IN (1, 2)", "SELECT a FROM t WHERE a = 1 OR a = 2")
        before = sys.getprofile()
        sys.setprofile(count)
        try:
            verdict = checker.check(pred, gold)
        finally:
            sys.setprofile(before)
    assert isinstance(verdict, equiv.Equivalent), verdict
    return calls


@pytest.mark.long
@pytest.mark.parametrize(
    ("shape", "size"),
    [(in_list, 150), (two_lists, 60), (either, 60), (neither, 60)],
)
def test_members_in_another_order_cost_no_square(shape: Callable[[Numbers], str], size: int) -> None:
    small, large = (calls_of(shape(range(n)), shape(range(n)[::-1])) for n in (size, 2 * size))
    assert large < GROWTH * small


@pytest.mark.parametrize("shape", [in_list, case, either, neither, values])
def test_one_text_twice_costs_no_square(shape: Callable[[Numbers], str]) -> None:
    small, large = (calls_of(shape(range(n)), shape(range(n))) for n in (80, 160))
    assert large < GROWTH * small


def test_a_long_case_under_another_alias_costs_no_square() -> None:
    small, large = (
        calls_of(case(range(n)), case(range(n)).replace("FROM t", "FROM t AS u")) for n in (40, 80)
    )
    assert large < GROWTH * small
