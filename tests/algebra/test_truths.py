"""What is said of a true condition by its form is so on every row."""

from __future__ import annotations

from itertools import product

import pytest

from equiv.algebra.evaluate import Evaluator
from equiv.algebra.kinds import is_condition, is_number, is_truth, not_null_if
from equiv.algebra.terms import (
    NULL,
    TRUE,
    And,
    Apply,
    Bag,
    Binding,
    Case,
    Compare,
    Constant,
    Convert,
    Exists,
    Expression,
    Field,
    IsNull,
    IsTrue,
    Not,
    Or,
    Scan,
    Term,
    Variable,
    alpha,
    integer,
)

ROW, INNER = Variable(1, "t"), Variable(2, "t")
A, B = Field(ROW, "a"), Field(ROW, "b")
CELLS = (None, 0, 1, -2, 1.5, "", "a", "1", b"", b"a")
VALUES: tuple[Expression, ...] = (
    A,
    integer(0),
    Constant("text", "a"),
    NULL,
    Apply("+", (A, B)),
    Apply("||", (A, B)),
    Apply("REPLACE", (A, Constant("text", ""), B)),
    Apply("MAX", (A, B)),
    Apply("SUBSTR", (A, integer(1))),
    Apply("TYPEOF", (A,)),
    Apply("LIKE", (A, B)),
    Convert("TEXT", A, explicit=True),
    Case(((IsNull(A), B),), A),
    Compare("=", A, B),
    IsNull(A),
)
CONDITIONS: tuple[Expression, ...] = (
    *(Compare(operator, A, value) for operator in ("=", "<", "<=", "IS") for value in (B, integer(1), NULL)),
    *(Not(Compare(operator, A, B)) for operator in ("=", "<", "<=", "IS")),
    *(Apply("LIKE", (A, B)), Not(Apply("LIKE", (A, B))), Apply("GLOB", (A, B))),
    *(Not(IsNull(value)) for value in VALUES),
    *(IsTrue(Compare("=", A, B)), Not(IsTrue(Compare("=", A, B)))),
    Or((Compare("=", A, integer(1)), And((Not(IsNull(A)), Not(IsNull(B)))))),
    And((Compare("<", A, B), IsNull(Apply("+", (A, B))))),
    Exists(Bag((Term((Binding(INNER, Scan("t")),), Compare("=", Field(INNER, "b"), A), ()),))),
    Not(Exists(Bag((Term((Binding(INNER, Scan("t")),), Compare("=", Field(INNER, "b"), A), ()),)))),
)


def evaluators() -> list[Evaluator]:
    return [Evaluator({"t": [{"a": a, "b": b}]}, 0) for a, b in product(CELLS, repeat=2)]


EVALUATORS = evaluators()


def value_of(value: Expression, evaluator: Evaluator) -> object:
    bag = Bag((Term((Binding(ROW, Scan("t")),), TRUE, (value,)),))
    return evaluator.bag(bag, {})[0][0]


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
def test_what_a_true_condition_makes_not_null(condition: Expression) -> None:
    said = not_null_if((condition,))
    assert {alpha(each) for each in said} == said
    for evaluator in EVALUATORS:
        found = value_of(IsTrue(condition), evaluator)
        assert found != 1 or None not in {value_of(each, evaluator) for each in said}


def test_a_comparison_says_it_of_what_its_sides_need() -> None:
    assert {A, B} <= not_null_if((Compare("=", Apply("+", (A, B)), integer(1)),))
    exists = next(each for each in CONDITIONS if isinstance(each, Exists))
    assert not_null_if((exists,)) == {A}
    assert not not_null_if((Not(exists),))
    assert B not in not_null_if((Not(Apply("LIKE", (A, B))),))
    assert B not in not_null_if((Not(IsNull(Apply("REPLACE", (A, Constant("text", ""), B)))),))
    assert not not_null_if((Compare("IS", A, NULL), Compare("IS", A, B)))


@pytest.mark.parametrize("value", [*VALUES, *CONDITIONS], ids=str)
def test_truths_and_numbers_are_such(value: Expression) -> None:
    found = {value_of(value, evaluator) for evaluator in EVALUATORS}
    assert not is_condition(value) or is_truth(value)
    assert not is_truth(value) or found <= {None, 0, 1}
    assert not is_number(value) or all(each is None or isinstance(each, int | float) for each in found)
