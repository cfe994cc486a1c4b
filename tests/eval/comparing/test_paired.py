"""The paired test: McNemar's exact p-value, the bootstrap of the difference, Holm's correction."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equiv.eval.comparing import adjusted, mcnemar, p_text, paired
from equiv.eval.metrics.agreement import gap

COUNTS = st.integers(0, 40)


def test_the_p_value_is_that_of_the_binomial_test() -> None:
    stats = pytest.importorskip("scipy.stats")

    @given(COUNTS, COUNTS)
    @settings(max_examples=60)
    def is_that(first: int, second: int) -> None:
        expected = stats.binomtest(first, first + second, 0.5).pvalue if first + second else 1.0
        assert mcnemar(first, second) == pytest.approx(expected, rel=1e-9)
        assert mcnemar(first, second) == mcnemar(second, first)

    is_that()


def test_a_difference_by_hand() -> None:
    counts = Counter({(True, True): 40, (True, False): 12, (False, True): 3, (False, False): 45})
    found = paired(counts)
    assert (found.items, found.first, found.second) == (100, 12, 3)
    assert found.difference.value == pytest.approx(0.09)
    _, low, high = gap(12, 3, 100)  # the normal approximation
    assert found.difference.low == pytest.approx(low, abs=0.015)
    assert found.difference.high == pytest.approx(high, abs=0.015)
    assert found.p == pytest.approx(2 * sum((1, 15, 105, 455)) / 2**15)
    assert (found.is_real, found.verdict, p_text(found.p)) == (True, "a real difference", "p = 0.035")


def test_nothing_to_tell_apart_is_no_difference() -> None:
    assert (paired([]).verdict, paired([]).p) == ("no difference", 1.0)
    assert paired([(True, True), (False, False)]).verdict == "no difference"
    assert paired([(True, False)]).verdict == "may be chance"


@given(st.lists(st.tuples(COUNTS, COUNTS), min_size=1, max_size=5))
@settings(max_examples=25)
def test_adjusted_p_values_keep_their_order_and_only_grow(counts: list[tuple[int, int]]) -> None:
    found = [paired(Counter({(True, False): a, (False, True): b})) for a, b in counts]
    after = adjusted(found)
    ps = sorted((one.p, two.p) for one, two in zip(found, after, strict=True))
    assert [two for _, two in ps] == sorted(two for _, two in ps)
    assert all(one <= two <= min(1.0, len(found) * one) + 1e-12 for one, two in ps[:1])
    assert all(one <= two for one, two in ps)


def test_holm_by_hand() -> None:
    found = [paired(Counter({(True, False): n})) for n in (6, 8, 10)]
    assert [one.p for one in found] == pytest.approx([2 / 2**6, 2 / 2**8, 2 / 2**10])
    assert [one.p for one in adjusted(found)] == pytest.approx([2 / 2**6, 2 * 2 / 2**8, 3 * 2 / 2**10])
