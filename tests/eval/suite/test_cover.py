"""The fewest sets cover what all cover, and no fewer would."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from equiv.eval.suite.part import fewest, greedy

SETS = st.dictionaries(st.integers(0, 9), st.frozensets(st.integers(0, 7), max_size=5), max_size=7)


@given(SETS)
def test_a_choice_covers_everything_with_as_few_sets_as_there_can_be(sets: dict[int, frozenset[int]]) -> None:
    everything = frozenset[int]().union(*sets.values())
    chosen = fewest(sets)
    assert frozenset[int]().union(*(sets[name] for name in chosen)) == everything
    for fewer in combinations(sets.values(), max(len(chosen) - 1, 0)):
        assert not everything or frozenset[int]().union(*fewer) != everything


def test_a_greedy_choice_of_three_is_brought_down_to_two() -> None:
    sets = {"wide": frozenset("bcde"), "left": frozenset("abc"), "right": frozenset("def")}
    assert len(greedy(sets)) == 3
    assert sorted(fewest(sets)) == ["left", "right"]
