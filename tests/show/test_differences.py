"""What differs between two queries and two results."""

from __future__ import annotations

import re
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from equiv.show import differences
from equiv.show.differences import changed_words, differing_cells

WORDS = st.lists(
    st.sampled_from(["SELECT", "select", "a", "b", "'x y'", "'X y'", ",", "(", "  "]), max_size=12
)
ROWS = st.lists(st.lists(st.sampled_from([0, 1, "1", None]), min_size=2, max_size=2), max_size=5)


def without(text: str, cuts: list[int]) -> list[str]:
    """The words of a text that are outside of its cuts, without letter case outside of strings."""
    for start, end in reversed(list(zip(cuts[::2], cuts[1::2], strict=True))):
        text = text[:start] + " " + text[end:]
    found = re.findall(r"'(?:[^']|'')*'|\w+|[^\w\s]", text)
    return [word if word.startswith("'") else word.casefold() for word in found]


@given(WORDS, WORDS)
@settings(max_examples=100)
def test_outside_of_the_cuts_two_texts_are_one(one: list[str], other: list[str]) -> None:
    texts = " ".join(one), " ".join(other)
    cuts = changed_words(*texts)
    assert cuts is not None
    assert without(texts[0], cuts[0]) == without(texts[1], cuts[1])
    assert all(own == sorted(own) and len(own) % 2 == 0 for own in cuts)


def test_letter_case_counts_in_strings_alone() -> None:
    assert changed_words("select A", "SELECT  a") == ([], [])
    assert changed_words("SELECT 'A'", "SELECT 'a'") == ([7, 10], [7, 10])


def marked(one: str, other: str) -> tuple[list[str], list[str]]:
    """The stretches of both texts that are marked."""
    cuts = changed_words(one, other)
    assert cuts is not None
    sides = [
        [text[start:end] for start, end in zip(own[::2], own[1::2], strict=True)]
        for text, own in zip((one, other), cuts, strict=True)
    ]
    return sides[0], sides[1]


def test_aliases_do_not_count() -> None:
    one = "SELECT T1.name AS n FROM hero AS T1 JOIN power T2 ON T1.id = T2.hero WHERE T2.size > 3"
    other = "SELECT hero.name FROM hero JOIN power AS p ON hero.id = p.hero WHERE p.size > 4"
    assert marked(one, other) == (["3"], ["4"])
    inner = "SELECT name FROM hero WHERE id IN (SELECT {0}.hero FROM power AS {0})"
    assert marked(inner.format("a"), inner.format("hero")) == ([], [])
    assert marked('SELECT "T"."a" FROM "t" AS "T"', 'SELECT "q"."a" FROM "t" AS "q"') == ([], [])


def test_aliases_of_one_table_that_is_read_twice_count_where_they_part() -> None:
    one = "SELECT a.x FROM t a, t b WHERE a.id = b.up"
    assert marked(one, "SELECT T1.x FROM t AS T1, t AS T2 WHERE T1.id = T2.up") == ([], [])
    assert marked(one, "SELECT T1.x FROM t AS T1, t AS T2 WHERE T2.id = T1.up") == (["a", "b"], ["T2", "T1"])


def test_the_type_of_a_cast_and_the_name_of_a_with_query_are_no_aliases() -> None:
    assert marked("SELECT CAST(x AS REAL) FROM t", "SELECT CAST(x AS INTEGER) FROM t") == (
        ["REAL"],
        ["INTEGER"],
    )
    assert marked("WITH c AS (SELECT 1) SELECT 2", "WITH d AS (SELECT 1) SELECT 2") == (["c"], ["d"])


def test_words_nested_beyond_reason_are_compared_all_the_same() -> None:
    deep = "( SELECT a . x FROM t a " * 180
    assert marked(deep, deep) == ([], [])


def test_texts_that_are_too_long_are_not_compared() -> None:
    long = "a " * (differences.MAX_WORDS + 1)
    assert changed_words(long, "a") is None
    assert changed_words(long[: 2 * differences.MAX_WORDS], "a") is not None


@given(ROWS, ROWS)
@settings(max_examples=100)
def test_something_is_marked_exactly_where_the_bags_differ(
    one: list[list[object]], other: list[list[object]]
) -> None:
    marks = differing_cells(one, other, ordered=False)
    same = Counter(map(tuple, one)) == Counter(map(tuple, other))
    assert same == (not any(marks[0]) and not any(marks[1]))
    assert list(map(len, marks)) == [len(one), len(other)]


def test_rows_are_held_against_each_other_cell_by_cell() -> None:
    one, other = [[1, "a"], [2, "b"]], [[2, "b"], [1, "c"]]
    assert differing_cells(one, other, ordered=False) == ([[1], []], [[], [1]])


def test_the_order_of_equal_rows_is_marked_where_it_counts() -> None:
    one, other = [[1], [2], [3]], [[1], [3], [2]]
    assert differing_cells(one, other, ordered=False) == ([[], [], []], [[], [], []])
    assert differing_cells(one, other, ordered=True) == ([[], [0], [0]], [[], [0], [0]])


def test_rows_without_a_twin_and_rows_of_another_width_are_marked_whole() -> None:
    assert differing_cells([[1, 2]], [], ordered=False) == ([[0, 1]], [])
    assert differing_cells([[1, 2]], [[1]], ordered=False) == ([[0, 1]], [[0]])


def test_equal_numbers_are_no_difference_and_a_text_is_no_number() -> None:
    assert differing_cells([[1]], [[1.0]], ordered=True) == ([[]], [[]])
    assert differing_cells([[1]], [["1"]], ordered=True) == ([[0]], [[0]])


def test_repetitions_are_not_marked_where_they_do_not_count() -> None:
    assert differing_cells([[1], [1]], [[1], [2]], ordered=False) == ([[], [0]], [[], [0]])
    assert differing_cells([[1], [1]], [[1], [2]], ordered=False, repeated=False) == ([[], []], [[], [0]])


def test_cells_may_be_equal_by_more_than_their_values() -> None:
    near = differing_cells([[0.3, 1]], [[0.1 + 0.2, 2]], ordered=False, same=lambda a, b: abs(a - b) < 0.1)
    assert near == ([[1]], [[1]])
