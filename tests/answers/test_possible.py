"""Possible answers: a database refutes only if no way of breaking ties makes the answers equal."""

from __future__ import annotations

import pytest

from equiv.answers.compare import Answers, disjoint, same_possibilities
from equiv.cells import Cell, Row
from equiv.relation import Columns, Relation, Rows

BAG, SET, LIST = Relation(Rows.BAG), Relation(Rows.SET), Relation(Rows.LIST)


def rows(*values: Cell) -> tuple[Row, ...]:
    return tuple((value,) for value in values)


def test_a_tie_at_the_limit_is_no_witness() -> None:
    first = Answers((rows("a", "b"),), stop=1)
    second = Answers((rows("b", "c"),), stop=1)
    assert not disjoint(first, second, BAG)


def test_rows_above_the_tied_group_tell_apart() -> None:
    first = Answers((rows("x"), rows("a", "b")), stop=2)
    second = Answers((rows("y"), rows("a", "b")), stop=2)
    assert disjoint(first, second, BAG)


def test_no_row_of_the_tied_groups_in_common() -> None:
    assert disjoint(Answers((rows("a", "b"),), stop=1), Answers((rows("c", "d"),), stop=1), BAG)


def test_the_number_of_returned_rows_does_not_depend_on_ties() -> None:
    assert disjoint(Answers((rows("a", "b", "c"),), stop=1), Answers((rows("a", "b", "c"),), stop=2), BAG)


def test_tied_rows_that_are_equal_leave_no_choice() -> None:
    answers = Answers((rows("a", "a"),), stop=1)
    assert answers.is_determined
    assert disjoint(answers, Answers((rows("b"),)), BAG)


def test_the_middle_of_three_tied_rows_is_possible_under_offset() -> None:
    """LIMIT 1 OFFSET 1 over three tied rows: insertion order alone hides the middle one."""
    tied = Answers((rows("a", "b", "c"),), start=1, stop=2)
    for value in "abc":
        assert not disjoint(tied, Answers((rows(value),)), BAG)


def test_order_counts_only_as_far_as_it_is_fixed() -> None:
    sorted_rows = Answers((rows(1), rows(2)))
    assert disjoint(sorted_rows, Answers((rows(2), rows(1))), LIST)
    assert not disjoint(sorted_rows, Answers((rows(2), rows(1))), BAG)
    assert not disjoint(sorted_rows, Answers((rows(2, 1),)), LIST)


@pytest.mark.parametrize(
    ("left", "right", "apart"),
    [
        (((1, 2), (3,)), ((1,), (2, 3)), False),
        (((1, 2), (3,)), ((1, 3), (2,)), True),
        (((1,), (2, 3)), ((1, 2), (3,)), False),
        (((1, 1), (2,)), ((1,), (1, 2)), False),
        (((1, 1), (2,)), ((1,), (2,), (1,)), True),
    ],
)
def test_tied_groups_that_overlap(
    left: tuple[tuple[int, ...], ...], right: tuple[tuple[int, ...], ...], apart: bool
) -> None:
    first = Answers(tuple(rows(*group) for group in left))
    second = Answers(tuple(rows(*group) for group in right))
    assert disjoint(first, second, LIST) is apart
    assert disjoint(second, first, LIST) is apart


def test_sets_ignore_how_often_a_row_is_returned() -> None:
    assert not disjoint(Answers((rows(1, 1),)), Answers((rows(1),)), SET)
    assert disjoint(Answers((rows(1, 2),)), Answers((rows(1),)), SET)


def test_a_witness_excludes_every_column_permutation() -> None:
    any_columns = Relation(Rows.LIST, Columns.ANY)
    first = Answers((((1, "a"),), ((2, "b"),)))
    assert not disjoint(first, Answers(((("a", 1),), (("b", 2),))), any_columns)
    assert disjoint(first, Answers(((("b", 2),), (("a", 1),))), any_columns)


def test_too_many_choices_are_no_witness() -> None:
    many = Answers((rows(*range(40)),), stop=20)
    assert not disjoint(many, Answers((rows(*range(100, 120)),)), BAG)


def test_the_same_possibilities_are_told_from_shared_ones() -> None:
    tied, fixed = Answers((rows(1, 2),)), Answers((rows(1), rows(2)))
    any_order = Relation(Rows.LIST, Columns.ANY)
    assert same_possibilities([tied], [tied], LIST)
    assert same_possibilities([tied], [fixed], BAG)
    for relation in (LIST, any_order):
        assert not same_possibilities([tied], [fixed], relation)
        assert same_possibilities([fixed], [fixed], relation)
    assert same_possibilities([Answers((rows(1, 1),))], [Answers((rows(1), rows(1)))], LIST)
    first, either = Answers((rows("a"),)), Answers((rows("a", "b"),), stop=1)
    assert not same_possibilities([first], [either], BAG)
