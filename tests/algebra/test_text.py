"""The algebra as people read it."""

from __future__ import annotations

import pytest

from equiv.algebra.terms import (
    FALSE,
    NULL,
    TRUE,
    Aggregate,
    And,
    Answer,
    Apply,
    Bag,
    Binding,
    Case,
    Compare,
    Constant,
    Convert,
    Direction,
    Exists,
    Expression,
    Field,
    First,
    Found,
    IsNull,
    IsTrue,
    Limited,
    Lookup,
    Not,
    Numbered,
    Or,
    Scan,
    Squash,
    Term,
    Variable,
    integer,
)
from equiv.algebra.text import VariableLabels, page_of, text_of

E, D = Variable(1, "e"), Variable(2, "d")
EMP, DEPT = Binding(E, Scan("EMP")), Binding(D, Scan("DEPT"))
AGE, NAME = Field(E, "age"), Field(E, "first name")
JOIN = Compare("=", Field(E, "dept"), Field(D, "id"))
ALL = Bag((Term((EMP,), TRUE, (AGE,)),))


def test_a_term_names_its_variables_its_condition_and_its_outputs() -> None:
    bag = Bag((Term((EMP, DEPT), JOIN, (AGE,)), Term((), TRUE, (NULL,))))
    assert text_of(bag) == "Σ e ∈ EMP, d ∈ DEPT [e.dept = d.id] → (e.age) + Σ → (NULL)"


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (And((Or((JOIN, IsNull(AGE))), Not(JOIN))), "(e.dept = d.id or e.age is NULL) and e.dept ≠ d.id"),
        (Or((And((JOIN, IsTrue(AGE))), FALSE)), "e.dept = d.id and true(e.age) or 0"),
        (And((Not(IsNull(AGE)), Not(Compare("IS", AGE, NULL)))), "e.age is not NULL and e.age is not NULL"),
        (Not(And((JOIN, IsNull(AGE)))), "not (e.dept = d.id and e.age is NULL)"),
        (Apply("*", (Apply("+", (AGE, integer(1))), AGE)), "(e.age + 1) * e.age"),
        (Apply("-", (AGE, Apply("-", (AGE, integer(1))))), "e.age - (e.age - 1)"),
        (Not(Apply("LIKE", (NAME, Constant("text", "it's%")))), "not e.\"first name\" LIKE 'it''s%'"),
        (Apply("LIKE", (AGE, NULL, NULL)), "LIKE(e.age, NULL, NULL)"),
        (Convert("INTEGER", AGE, True), "CAST(e.age AS INTEGER)"),
        (Compare("<=", Convert("NUMERIC", AGE, False), integer(3)), "NUMERIC(e.age) ≤ 3"),
        (Case(((JOIN, AGE),), NULL), "{e.dept = d.id: e.age; else NULL}"),
        (Lookup("DEPT", ("id",), (AGE,), "name"), "DEPT[id = e.age].name"),
        (Found("DEPT", ("id",), (AGE,)), "DEPT[id = e.age] ≠ ∅"),
        (Exists(Bag((Term((DEPT,), JOIN, (TRUE,)),))), "(∃ d ∈ DEPT [e.dept = d.id])"),
        (Aggregate("MAX", ALL), "MAX{Σ e ∈ EMP → (e.age)}"),
        (First(Limited(ALL, 1, (), 1, 0, 1)), "first(Σ e ∈ EMP → (e.age); rows 1 to 1)"),
    ],
)
def test_expressions_have_the_parentheses_that_they_need(expression: Expression, text: str) -> None:
    labels = VariableLabels(Bag((Term((EMP, DEPT), TRUE, ()),)))
    assert text_of(expression, labels) == text


def test_labels_that_stand_twice_are_numbered() -> None:
    other = Binding(Variable(7, "e"), Squash(ALL))
    nameless = Binding(Variable(8), Numbered(ALL, 1, 0, (Direction(),), 1))
    bag = Bag((Term((EMP, other, nameless), TRUE, (Field(Variable(7, "e"), 0), Field(Variable(8), 1))),))
    assert text_of(bag) == (
        "Σ e ∈ EMP, e2 ∈ distinct(Σ e ∈ EMP → (e.age)), r ∈ numbered(Σ e ∈ EMP → (e.age) by #2)"
        " → (e2.#1, r.#2)"
    )


def test_a_page_has_a_line_for_each_term_and_says_how_rows_are_ordered_and_cut() -> None:
    keyed = Bag((Term((EMP,), TRUE, (AGE, NAME)), Term((DEPT,), TRUE, (NULL, Field(D, "x" * 100)))))
    answer = Answer(keyed, 1, (Direction.of(descending=True),), 5, 10)
    assert page_of(answer).split("\n") == [
        'Σ e ∈ EMP → (e.age | e."first name")',
        "+ Σ d ∈ DEPT",
        f"    → (NULL | d.{'x' * 100})",
        "in the order of #2 descending",
        "rows 11 to 15",
    ]
    assert page_of(Answer(Bag(()), 1, limit=0)) == "∅\nno row"
