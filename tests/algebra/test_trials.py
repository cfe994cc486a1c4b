"""Statements tried on databases: what is false of one choice of rows is seen, what is open is skipped."""

from __future__ import annotations

import pytest
from kit.harness import World

from equiv.algebra.evaluate import ConcreteValue, Evaluator
from equiv.algebra.terms import (
    FALSE,
    TRUE,
    Aggregate,
    Apply,
    Bag,
    Binding,
    Compare,
    Constant,
    Direction,
    Expression,
    Field,
    Limited,
    Scan,
    Squash,
    Term,
    Variable,
    integer,
)
from equiv.algebra.translate.query import translate
from equiv.algebra.trials import Trials, rows_of_answer, try_statements
from equiv.algebra.world import Alike, Claim, Likeness, Stated
from equiv.algebra.world import World as AlgebraWorld

TABLES: dict[str, list[dict[str, ConcreteValue]]] = {
    "t": [{"a": 1, "b": 2}, {"a": 1, "b": 2}, {"a": 3, "b": None}],
    "none": [],
}
ROW, OTHER = Variable(1, "t"), Variable(2, "t")
HERE = Binding(ROW, Scan("t"))
A, B = Field(ROW, "a"), Field(ROW, "b")
ABOVE_1 = Compare("<", integer(1), A)


def _tried(*statements: Claim | Alike) -> Trials:
    return try_statements([Stated("test", each) for each in statements], Evaluator(TABLES))


def _bag(*outputs: Expression, condition: Expression = TRUE) -> Bag:
    return Bag((Term((HERE,), condition, outputs),))


def test_a_claim_is_tried_on_each_choice_that_meets_its_conditions() -> None:
    found = _tried(Claim((HERE,), (ABOVE_1,), Compare("=", A, integer(3))))
    assert (found.statements, found.choices, found.broken) == (1, 1, [])


def test_a_false_claim_is_broken_and_the_row_is_named() -> None:
    (broken,) = _tried(Claim((HERE,), (), Compare("=", A, integer(3)))).broken
    assert broken.choice == "t1 = (1, 2)"


def test_a_goal_that_is_null_is_not_true() -> None:
    assert _tried(Claim((HERE,), (ABOVE_1,), Compare("=", B, B))).broken


def test_lemmas_do_not_excuse_a_false_claim() -> None:
    assert _tried(Claim((HERE,), (), Compare("=", A, integer(3)), lemmas=(FALSE,))).broken


def test_a_claim_about_rows_that_are_not_there_says_nothing() -> None:
    found = _tried(Claim((Binding(ROW, Scan("none")),), (), FALSE))
    assert (found.choices, found.broken) == (0, [])


def test_a_claim_about_a_variable_without_a_row_is_passed_over() -> None:
    assert _tried(Claim((), (), ABOVE_1)).statements == 0


def test_a_source_may_mention_rows_bound_before_it_and_no_others() -> None:
    inner = Variable(3, "t")
    equal = Compare("=", Field(inner, "a"), A)
    dependent = Binding(
        OTHER, Squash(Bag((Term((Binding(inner, Scan("t")),), equal, (Field(inner, "a"),)),)))
    )
    same = Compare("IS", Field(OTHER, 0), A)
    assert Claim((HERE, dependent), (), same).unbound() == frozenset()
    assert Claim((dependent, HERE), (), same).unbound() == {ROW}
    assert _tried(Claim((HERE, dependent), (), same)).choices == 3


def test_ties_are_passed_over() -> None:
    chosen = Limited(_bag(A, A), 1, (Direction.of(descending=False),), 1, 0, site=1)
    assert _tried(Claim((Binding(OTHER, chosen),), (), FALSE)).statements == 0


@pytest.mark.parametrize(
    ("likeness", "left", "right", "holds"),
    [
        ("bag", _bag(A), _bag(A), True),
        ("bag", _bag(A), Bag((Term((Binding(ROW, Squash(_bag(A))),), TRUE, (Field(ROW, 0),)),)), False),
        ("set", _bag(A), Bag((Term((Binding(ROW, Squash(_bag(A))),), TRUE, (Field(ROW, 0),)),)), True),
        ("set", _bag(A), _bag(A, condition=ABOVE_1), False),
        ("included", _bag(A, condition=ABOVE_1), _bag(A), True),
        ("included", _bag(A), _bag(A, condition=ABOVE_1), False),
        ("exists", _bag(A), _bag(B, condition=ABOVE_1), True),
        ("exists", _bag(A), _bag(A, condition=FALSE), False),
        ("exists", _bag(A, condition=FALSE), _bag(A, condition=FALSE), True),
    ],
)
def test_bags_are_compared_as_said(likeness: Likeness, left: Bag, right: Bag, holds: bool) -> None:
    assert bool(_tried(Alike((), (), left, right, likeness)).broken) is not holds


def test_storage_classes_count_only_where_it_is_said() -> None:
    left, right = _bag(integer(1)), _bag(Constant("real", "1.0"))
    assert not _tried(Alike((), (), left, right, "bag")).broken
    assert _tried(Alike((), (), left, right, "bag", exactly=True)).broken


def test_rounding_excuses_a_claim() -> None:
    tenth, fifth = Constant("real", "0.1"), Constant("real", "0.2")
    rounded = Compare("=", Apply("+", (tenth, fifth)), Constant("real", "0.3"))
    assert not _tried(Claim((), (), rounded)).broken
    half = Constant("real", "0.5")
    assert _tried(Claim((), (), Compare("=", Apply("+", (half, half)), half))).broken


def test_overflow_excuses_a_claim() -> None:
    large = integer(2**63 - 1)
    assert not _tried(Claim((), (), Compare("<", large, Apply("+", (large, integer(1)))))).broken


def test_a_product_of_many_tables_is_given_up() -> None:
    rows = [Variable(number, "t") for number in range(10, 22)]
    product = Bag((Term(tuple(Binding(row, Scan("t")) for row in rows), TRUE, ()),))
    evaluator = Evaluator(TABLES)
    evaluator.patience = 1_000
    claim = Claim((), (), Compare("=", Aggregate("COUNT", product), integer(7)))
    assert not try_statements([Stated("test", claim)], evaluator).broken
    assert try_statements([Stated("test", Claim((HERE,), (), FALSE))], evaluator).broken


def test_no_value_grows_without_bound() -> None:
    large = Apply("LENGTH", (Apply("ZEROBLOB", (integer(900_000_000),)),))
    assert not _tried(Claim((), (), Compare("=", large, integer(7)))).broken


# Queries

SHOP = World(
    "CREATE TABLE a (k INTEGER PRIMARY KEY, x INT, y INT); CREATE TABLE b (id INTEGER PRIMARY KEY, u INT);"
)


def test_a_query_is_computed_unless_it_takes_too_long() -> None:
    world = AlgebraWorld(SHOP.schema, SHOP.facts)
    tree = SHOP.read("SELECT x FROM a WHERE y = 1").tree
    assert tree is not None
    answer = translate(tree, world)
    evaluator = Evaluator({"a": [{"k": 1, "x": 5, "y": 1}, {"k": 2, "x": 6, "y": 2}], "b": []})
    assert rows_of_answer(answer, evaluator) == [(5,)]
    evaluator.patience = 1
    assert rows_of_answer(answer, evaluator) is None
