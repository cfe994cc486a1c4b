"""Partial credit: by columns, and never for other rows."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.result_records import result_record

from equiv.cells import Row
from equiv.core.runner import Result
from equiv.eval.metrics.execution import Credit, credit, credit_grid
from equiv.eval.metrics.scores import pair_of

CELLS = st.integers(0, 2) | st.sampled_from(["a", None])


def result(*rows: Row, columns: int = 0) -> Result:
    return Result(rows, len(rows[0]) if rows else columns)


GOLD = result(("ann", 1), ("bob", 2))


@pytest.mark.parametrize(
    ("pred", "value", "kind"),
    [
        (result(("ann", 1), ("bob", 2)), Fraction(1), "same"),
        (result((2, "bob"), (1, "ann")), Fraction(1), "same"),
        (result(("ann",), ("bob",)), Fraction(1, 2), "subset"),
        (result(("x", "ann", 1), ("y", "bob", 2)), Fraction(2, 3), "superset"),
        (result(("ann", 2), ("bob", 1)), Fraction(0), "none"),
        (result(("ann",), ("bob",), ("cy",)), Fraction(0), "none"),
        (result(("ann",)), Fraction(0), "none"),
        (result(("ann", "x"), ("bob", "y")), Fraction(0), "none"),
        (result(columns=2), Fraction(0), "none"),
    ],
)
def test_credit_by_hand(pred: Result, value: Fraction, kind: str) -> None:
    assert credit(pred, GOLD) == Credit(value, kind)


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=5), st.permutations(range(3)), st.data())
def test_a_projection_is_worth_its_share_of_the_columns(
    rows: list[Row], order: list[int], data: st.DataObject
) -> None:
    width = data.draw(st.integers(1, 3))
    narrow = result(*(tuple(row[i] for i in order[:width]) for row in rows))
    assert credit(narrow, result(*rows)).value == credit(result(*rows), narrow).value == Fraction(width, 3)


def test_the_mean_is_over_all_pairs() -> None:
    records = [result_record(question_id=n) for n in range(4)]
    known = [Credit(Fraction(1), "same"), Credit(Fraction(1, 2), "subset")]
    found = {pair_of(record): one for record, one in zip(records, known, strict=False)}
    assert credit_grid(records, found).rows == (("system", "4", "37.5", "1", "0", "1", "0", "2"),)
