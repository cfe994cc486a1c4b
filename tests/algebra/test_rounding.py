"""Whether arithmetic rounded, compared with Python's decimals: a REAL stands for its shortest notation."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from operator import add, mul, sub, truediv
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiv.algebra.evaluate import Evaluator, is_inexact
from equiv.algebra.terms import TRUE, Aggregate, Apply, Bag, Compare, Constant, Expression, Term, integer

EXACTLY: dict[str, Callable[[Fraction, Fraction], Fraction]] = {"+": add, "-": sub, "*": mul, "/": truediv}
AT_MOST = 2**40
DECIMALS = st.decimals(min_value=-1000, max_value=1000, places=3)
LONG_DECIMALS = st.floats(min_value=-1e9, max_value=1e9, allow_subnormal=False).map(repr).map(Decimal)


def real(number: Decimal) -> Expression:
    return Constant("real", repr(float(number)))


@pytest.mark.parametrize(
    ("operator", "left", "right", "result"),
    [
        ("-", 0.4, 0.3, 0.4 - 0.3),
        ("-", 2.685, 2.68, 2.685 - 2.68),
        ("*", 0.1, 3, 0.1 * 3),
        ("/", 1.0, 3, 1.0 / 3),
    ],
)
def test_close_doubles_that_subtract_exactly_round(
    operator: str, left: float, right: float, result: float
) -> None:
    assert is_inexact(operator, (left, right), result)


@pytest.mark.parametrize(
    ("operator", "left", "right", "result"),
    [
        ("+", 0.1, 0.3, 0.4),
        ("-", 0.5, 0.25, 0.25),
        ("*", 0.1, 2, 0.2),
        ("/", 0.3, 1, 0.3),
        ("+", 2.0**53, 2, 2.0**53 + 2),
    ],
)
def test_decimals_that_come_out_do_not_round(operator: str, left: float, right: float, result: float) -> None:
    assert not is_inexact(operator, (left, right), result)


@given(operator=st.sampled_from("+-*"), left=DECIMALS | LONG_DECIMALS, right=DECIMALS | LONG_DECIMALS)
def test_an_operation_is_exact_if_and_only_if_its_decimals_say_so(
    operator: str, left: Decimal, right: Decimal
) -> None:
    result = float(EXACTLY[operator](*map(Fraction, map(float, (left, right)))))
    exact = EXACTLY[operator](Fraction(left), Fraction(right))
    if abs(exact) < AT_MOST:
        assert is_inexact(operator, (float(left), float(right)), result) == (Fraction(repr(result)) != exact)


@st.composite
def computed(draw: st.DrawFn, depth: int = 3) -> tuple[Expression, Fraction]:
    """A chain of arithmetic on decimals and integers, and the number that it is."""
    if depth == 0 or draw(st.booleans()):
        if draw(st.booleans()):
            whole = draw(st.integers(-50, 50))
            return Apply("*", (integer(whole), Constant("real", "1.0"))), Fraction(whole)
        number = draw(DECIMALS)
        return real(number), Fraction(number)
    operator = draw(st.sampled_from("+-*/"))
    (left, one), (right, two) = draw(computed(depth=depth - 1)), draw(computed(depth=depth - 1))
    if operator == "/" and two == 0:
        operator = "-"
    return Apply(operator, (left, right)), EXACTLY[operator](one, two)


@given(computed(), st.sampled_from(["=", "<", "<="]), computed())
def test_a_comparison_that_no_rounding_reached_is_that_of_the_numbers(
    left: tuple[Expression, Fraction], operator: Literal["=", "<", "<="], right: tuple[Expression, Fraction]
) -> None:
    evaluator = Evaluator({})
    found = evaluator.truth(Compare(operator, left[0], right[0]), {})
    one, two = left[1], right[1]
    truth = one == two if operator == "=" else one < two if operator == "<" else one <= two
    assert evaluator.rounded or found == truth


@given(st.lists(DECIMALS, min_size=1, max_size=5), st.sampled_from(["SUM", "TOTAL", "AVG", "LINEAR"]))
def test_a_sum_that_did_not_round_is_that_of_the_numbers(
    numbers: list[Decimal], function: Literal["SUM", "TOTAL", "AVG", "LINEAR"]
) -> None:
    evaluator = Evaluator({})
    rows = Bag(tuple(Term((), TRUE, (real(number),)) for number in numbers))
    found = evaluator.value(Aggregate(function, rows), {})
    exact = sum(map(Fraction, numbers), Fraction(0)) / (len(numbers) if function == "AVG" else 1)
    assert isinstance(found, float)
    assert evaluator.rounded or Fraction(repr(found)) == exact
