"""The values around a literal hold what decides: neighbours, instances of patterns, dates, cases."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiv.answers.pair import Pair
from equiv.core.model import Domain
from equiv.core.reading.goals import Leaf
from equiv.core.reading.hints import Hint
from equiv.core.runner import Connection
from equiv.generate.neighbours import around, composed, dates_around
from equiv.generate.plan import databases, make_plan


def holds(condition: str, value: object) -> bool:
    found: tuple[int] = Connection().execute(f"SELECT ({condition}) IS TRUE", {"v": value}).fetchone()
    return found == (1,)


CONDITIONS = [
    (Hint("%Angel%", "pattern", "like"), ":v LIKE '%Angel%'"),
    (Hint("A_c%", "pattern", "like"), ":v LIKE 'A_c%'"),
    (Hint("a*z?", "pattern", "glob"), ":v GLOB 'a*z?'"),
    (Hint("1991%", "pattern", "like"), "strftime('%Y', :v) = '1991'"),
    (Hint("2019-10-08%", "pattern", "like"), ":v LIKE '2019-10-08%' AND :v <> '2019-10-08'"),
    (Hint("1991", "time", "%Y"), "strftime('%Y', :v) = '1991'"),
    (Hint("08", "time", "%m"), "strftime('%m', :v) = '08'"),
    (Hint("1996-01", "time", "%Y-%m"), "strftime('%Y-%m', :v) = '1996-01'"),
    (Hint("2012", "part", "1"), "substr(:v, 1, 4) = '2012' AND length(:v) > 4"),
    (Hint("08", "part", "5"), "substr(:v, 5, 2) = '08'"),
    (Hint("-08", "part", "5"), "substr(:v, 5, 3) = '-08'"),
    (Hint("Ann"), ":v <> 'Ann' AND lower(:v) = 'ann'"),
    (Hint("201208"), ":v = '201209'"),
    (Hint(30), "CAST(:v AS REAL) > 30 AND :v < '4'"),
    (Hint("2010-03-01"), "date(:v, '+1 day') = '2010-03-01'"),
    (Hint("2010-03-01"), "substr(:v, 1, 10) = '2010-03-01' AND :v > '2010-03-01'"),
]


@pytest.mark.parametrize(("hint", "condition"), CONDITIONS)
def test_some_value_meets_the_condition_and_some_does_not(hint: Hint, condition: str) -> None:
    verdicts = {holds(condition, value) for value in around(hint, Domain.TEXT)}
    assert verdicts == {True, False}


@given(st.integers(-(10**9), 10**9))
def test_whole_neighbours_of_a_whole_number(number: int) -> None:
    found = around(Hint(number), Domain.INTEGER)
    assert {number - 1, number, number + 1} <= set(found)
    assert all(isinstance(value, int) for value in found)
    assert {number - 0.5, number + 0.5} <= set(around(Hint(number), Domain.NUMBER))


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_neighbours_of_a_real_number_are_exact(number: float) -> None:
    found = [value for value in around(Hint(number), Domain.NUMBER) if isinstance(value, float)]
    assert all(value == number or (value * 4).is_integer() for value in found)


@given(st.text(max_size=12), st.sampled_from(["plain", "pattern", "part", "time"]))
def test_any_literal_is_taken(text: str, style: str) -> None:
    for domain in Domain:
        around(Hint(text, style, "1"), domain)


EXTREME = [
    "9223372036854775807",
    "-9223372036854775808",
    "1e999",
    "9" * 400,
    "'" + "9" * 5000 + "'",
    "'0000-99-99'",
]


@pytest.mark.parametrize("literal", EXTREME)
def test_extreme_literals_do_no_harm(literal: str, pair_of: Callable[..., Pair]) -> None:
    for column in ("lo", "salary", "name", "born"):
        pair = pair_of(
            f"SELECT id FROM emp WHERE {column} > {literal}", f"SELECT id FROM emp WHERE {column} >= 1"
        )
        assert sum(database.size > 0 for database in databases(pair, 10)) > 5


def test_a_query_of_many_conditions_is_planned_soon(pair_of: Callable[..., Pair]) -> None:
    many = " OR ".join(f"lo = {number} AND name LIKE '%{number}%'" for number in range(90))
    pair = pair_of(f"SELECT id FROM emp WHERE {many}", "SELECT id FROM emp")
    assert len(list(databases(pair, 5))) == 5


def test_what_is_no_date_has_no_dates() -> None:
    assert not list(dates_around("19911"))
    assert not list(dates_around("2010-13-01"))
    assert not list(dates_around("0000"))
    assert list(dates_around("2010-02-28"))[1] == "2010-03-01"


LEAVES = [
    "lo > 41",
    "name LIKE '%Ann_'",
    "salary * 2 <= 7",
    "strftime('%Y', born) = '1973'",
    "substr(born, 6, 2) = '11'",
    "name IN ('x', 'y')",
    "instr(name, '|r|') > 0",
    "CAST(name AS INTEGER) BETWEEN 10 AND 12",
    "lo / hi > 29",
    "lo + hi = 12",
]


@pytest.mark.parametrize("condition", LEAVES)
def test_templates_meet_a_condition_and_miss_it(condition: str, pair_of: Callable[..., Pair]) -> None:
    plan = make_plan(pair_of(f"SELECT id FROM emp WHERE {condition}", "SELECT id FROM emp"))
    (goals, _) = plan.reading.goals
    assert isinstance(goals[0], Leaf)
    fixed = [
        {
            place[1]: choice
            for group in template.groups
            for place in group.places
            for choice in group.choices[:1]
        }
        for template in plan.templates
    ]
    verdicts = {
        Connection()
        .execute(
            f"SELECT ({condition}) FROM (SELECT :id AS id, :lo AS lo, :hi AS hi, :name AS name, "
            ":salary AS salary, :born AS born)",
            dict.fromkeys(("id", "lo", "hi", "name", "salary", "born")) | row,
        )
        .fetchone()[0]
        for row in fixed
    }
    assert {0, 1} <= verdicts


@pytest.mark.parametrize(
    ("sought", "kind", "samples", "made"),
    [
        (["x", 3], "jsonb[]", ("{}",), []),
        (["x", "new"], "state[]", ("{new}", "{}"), ['{"new"}', '{"new","new"}']),
        (["{new,x}", "{new}"], "state[]", ("{new}", "{paid}"), ["{new}", '{"new"}', '{"new","new"}']),
        (["x", "00000000-0000-0000-0000-000000000007"], "uuid", (), ["00000000-0000-0000-0000-000000000007"]),
        (["x", 2], "integer[]", (), ['{"2"}', '{"2","2"}']),
        (["x"], "character varying(9)[]", (), ['{"x"}', '{"x","x"}']),
    ],
)
def test_values_are_composed_that_a_type_takes(
    sought: list[str | int], kind: str, samples: tuple[str, ...], made: list[str]
) -> None:
    assert composed(map(Hint, sought), kind, samples) == made
