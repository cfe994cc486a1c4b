"""The evaluator itself: what rewrites introduce, and that nonsense is not skipped."""

from __future__ import annotations

import pytest

from equiv.algebra.evaluate import ConcreteValue, Evaluator, MeaninglessError
from equiv.algebra.terms import (
    FALSE,
    NULL,
    TRUE,
    Aggregate,
    And,
    Bag,
    Binding,
    Constant,
    Convert,
    Expression,
    Field,
    First,
    Found,
    FreshNames,
    Limited,
    Lookup,
    Scan,
    Squash,
    Term,
    integer,
)

TABLES: dict[str, list[dict[str, ConcreteValue]]] = {
    "t": [{"k": 1, "v": "a"}, {"k": 2.0, "v": None}, {"k": None, "v": "b"}, {"k": None, "v": "b"}]
}
EVALUATOR = Evaluator(TABLES)


def values(column: str) -> Bag:
    row = FreshNames().variable("t")
    return Bag((Term((Binding(row, Scan("t")),), TRUE, (Field(row, column),)),))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (Found("t", ("k",), (integer(2),)), 1),
        (Found("t", ("k",), (NULL,)), 0),
        (Lookup("t", ("k",), (integer(1),), "v"), "a"),
        (Lookup("t", ("k",), (integer(7),), "v"), None),
        (Aggregate("COUNT", values("k")), 2),
        (Aggregate("LINEAR", Bag((Term((), TRUE, (integer(2),)),) * 3), whole=True), 6),
        (Aggregate("LINEAR", Bag(())), 0),
        (First(Limited(values("k"), 1, (), 0, 0, 1)), None),
        (Convert("NUMERIC", Constant("text", "1.50"), explicit=False), 1.5),
        (Convert("NUMERIC", Constant("text", "a"), explicit=False), "a"),
        (Convert("TEXT", Constant("blob", "61"), explicit=False), b"a"),
        (And((NULL, FALSE)), 0),
        (And((NULL, TRUE)), None),
    ],
)
def test_values(expression: Expression, expected: object) -> None:
    assert EVALUATOR.value(expression, {}) == expected


def test_a_squash_merges_nulls_and_equal_numbers() -> None:
    row = FreshNames().variable()
    bag = Bag((*values("v").terms, Term((), TRUE, (NULL,))))
    found = EVALUATOR.bag(Bag((Term((Binding(row, Squash(bag)),), TRUE, (Field(row, 0),)),)))
    assert sorted(map(repr, found)) == ["('a',)", "('b',)", "(None,)"]


def test_equal_rows_at_one_site_are_chosen_alike() -> None:
    def limited(site: int) -> Limited:
        return Limited(values("v"), 1, (), 1, 0, site)

    for seed in range(5):
        evaluator = Evaluator(TABLES, seed)
        assert evaluator.limited(limited(1), {}) == evaluator.limited(limited(1), {})


def test_a_text_is_no_truth_value() -> None:
    with pytest.raises(MeaninglessError):
        EVALUATOR.value(And((Constant("text", "1"),)), {})


def test_a_key_must_be_unique() -> None:
    twice = Evaluator({"t": [{"k": 1}, {"k": 1}]})
    with pytest.raises(MeaninglessError):
        twice.value(Found("t", ("k",), (integer(1),)), {})
