"""Comparison of results: what counts as equal, and the defects of published tools that must not be ours."""

from __future__ import annotations

import pytest

from equiv.answers.compare import same_bag, same_result, same_set
from equiv.cells import Row
from equiv.relation import Columns, Relation, Rows, resolve_relation

BAG, SET, LIST = Relation(Rows.BAG), Relation(Rows.SET), Relation(Rows.LIST)
BAG_ANY = Relation(Rows.BAG, Columns.ANY)


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ([(1,)], [(1.0,)], True),
        ([(1,)], [("1",)], False),
        ([(None,)], [(None,)], True),
        ([(None,)], [(0,)], False),
        ([("a",)], [(b"a",)], False),
        ([(0.1 + 0.2,)], [(0.3,)], True),
        ([(1e-9,)], [(2e-9,)], False),
        ([(2**53,)], [(2**53 + 1,)], False),
        ([(float("inf"),)], [(float("inf"),)], True),
        ([(float("inf"),)], [(1e308,)], False),
        ([("a",)], [("A",)], False),
    ],
)
def test_cells_are_equal_as_sqlite_is(left: list[Row], right: list[Row], equal: bool) -> None:
    assert same_bag(left, right) is equal
    assert same_set(left, right) is equal


def test_duplicates_in_pairs_do_not_cancel_out() -> None:
    """A published comparison XORs cell hashes, so that any two equal rows vanish."""
    assert not same_bag([(1,), (1,)], [(2,), (2,)])
    assert not same_bag([("a", "a")], [("b", "b")])


def test_cells_stay_in_their_rows() -> None:
    """A published comparison forgets which cells stood in one row."""
    assert not same_bag([(1, "x"), (2, "y")], [(1, "y"), (2, "x")])
    assert not same_set([(1, "x"), (2, "y")], [(1, "y"), (2, "x")])
    assert not same_result([(1, "x"), (2, "y")], [("y", 1), ("x", 2)], BAG_ANY)


def test_nearly_equal_numbers_are_matched_not_sorted() -> None:
    """Sorting by the raw number pairs the wrong rows where numbers differ by rounding only."""
    left: list[Row] = [(0.3, "b"), (0.1 + 0.2, "a")]
    right: list[Row] = [(0.1 + 0.2, "b"), (0.3, "a")]
    assert same_bag(left, right)


def test_matching_is_not_greedy() -> None:
    """a ~ b and b ~ c, but not a ~ c: only one pairing works."""
    a, b, c = 1.0, 1.0 + 0.9e-9, 1.0 + 1.8e-9
    assert same_bag([(a,), (b,)], [(b,), (c,)])


def test_more_rows_than_a_pipe_buffer_or_a_display_holds_are_compared() -> None:
    """Published tools look at the first 20 or 100 rows, or call a large result a timeout."""
    rows: list[Row] = [(n, "x" * 20) for n in range(20_000)]
    assert same_bag(rows, rows[::-1])
    assert not same_bag(rows, [*rows[:-1], (-1, "x" * 20)])


def test_many_columns_do_not_hang_the_permutation_search() -> None:
    """A published comparison enumerates permutations and hangs at 26 columns."""
    left: list[Row] = [tuple(range(26)), tuple(range(26, 52))]
    right: list[Row] = [row[::-1] for row in left]
    assert same_result(left, right, BAG_ANY)
    assert not same_result(left, [right[0], right[0]], BAG_ANY)
    assert not same_result([(0,) * 25 + (1,)], [(0,) * 25 + (2,)], BAG_ANY)


def test_one_permutation_serves_all_rows() -> None:
    assert same_result([(1, 2), (3, 4)], [(2, 1), (4, 3)], BAG_ANY)
    assert not same_result([(1, 2), (3, 4)], [(2, 1), (3, 4)], BAG_ANY)


def test_lists_bags_and_sets_nest() -> None:
    rows: list[Row] = [(1,), (2,), (2,)]
    assert not same_result(rows, rows[::-1], LIST)
    assert same_result(rows, rows[::-1], BAG)
    assert not same_result(rows, [(1,), (2,)], BAG)
    assert same_result(rows, [(1,), (2,)], SET)


@pytest.mark.parametrize(
    ("name", "ordered", "expected"),
    [
        ("sql", True, LIST),
        ("sql", False, BAG),
        ("bird", True, SET),
        ("spider", True, Relation(Rows.LIST, Columns.ANY)),
        ("spider", False, BAG_ANY),
        ("rose", True, BAG_ANY),
        ("list", False, LIST),
    ],
)
def test_presets(name: str, ordered: bool, expected: Relation) -> None:
    assert resolve_relation(name, gold_orders=ordered) == expected


def test_unknown_relation_is_an_error() -> None:
    with pytest.raises(ValueError, match="unknown relation 'multiset'"):
        resolve_relation("multiset", gold_orders=False)
