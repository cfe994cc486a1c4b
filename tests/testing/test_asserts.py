"""The assertions fail where a rewriter is wrong, say how, and count what they do not know."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import strategies as st

from equiv.errors import InputError
from equiv.testing import (
    FewChangedWarning,
    Report,
    TrialOutcome,
    Tried,
    UnsoundRewriteError,
    assert_equivalent,
    assert_rewrite_sound,
    check_rewrite,
)

PEOPLE = "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, city TEXT);"
PAIR = ("SELECT name FROM person WHERE city <> 'a'", "SELECT name FROM person WHERE NOT city = 'a'")

REFUTED = {"tiers": ("generate",), "timeout": None}
"""Nothing is proved."""


def inner_joins(sql: str) -> str:
    """Unsound: rows without a partner are lost."""
    return sql.replace("LEFT JOIN", "JOIN")


def in_a_derived_table(sql: str) -> str | None:
    """Sound where nothing is ordered at the top."""
    return None if "ORDER BY" in sql else f"SELECT * FROM ({sql}) AS whole"


def test_an_unsound_rewrite_is_found_and_shown_small() -> None:
    with pytest.raises(UnsoundRewriteError) as caught:
        assert_rewrite_sound(inner_joins, examples=60, seed=2, **REFUTED)  # type: ignore[arg-type]
    (small,) = caught.value.report.smallest
    assert small.outcome is TrialOutcome.REFUTED
    first = caught.value.report.faults[0].before
    assert len(small.before) <= len(first)
    told = str(caught.value)
    for part in (
        "- LEFT JOIN",
        "+ JOIN",
        "the query before returns",
        "the query after returns",
        "INSERT INTO",
        "seed=2",
        "queries=['",
    ):
        assert part in told
    again = check_rewrite(inner_joins, examples=60, seed=2, faults=1, **REFUTED)  # type: ignore[arg-type]
    assert again.smallest[0].before == small.before


def test_a_sound_rewrite_passes_and_says_how_much_is_proved() -> None:
    report = assert_rewrite_sound(in_a_derived_table, examples=8, timeout=None)
    assert report.counts[TrialOutcome.PROVED] >= 3
    assert sum(report.counts.values()) == len(report.tried) == 8
    assert report.counts[TrialOutcome.UNCHANGED] == sum("ORDER BY" in each.before for each in report.tried)


def test_what_the_rewriter_raises_is_told_or_taken_for_declining() -> None:
    def picky(sql: str) -> str:
        raise KeyError(sql[:6])

    with pytest.raises(UnsoundRewriteError, match="picky raises KeyError: 'SELECT'"):
        assert_rewrite_sound(picky, schema=PEOPLE, queries=[PAIR[0]], timeout=None)
    report = assert_rewrite_sound(
        picky, schema=PEOPLE, queries=[PAIR[0]], timeout=None, declines=(LookupError,)
    )
    assert report.counts == {TrialOutcome.UNCHANGED: 1}


def test_a_text_that_is_no_query_is_told() -> None:
    with pytest.raises(UnsoundRewriteError, match="no such column: absent"):
        assert_rewrite_sound(
            lambda sql: sql.replace("city", "absent"), schema=PEOPLE, queries=PAIR, timeout=None
        )


def test_what_is_undecided_is_counted_and_no_failure_unless_asked_for() -> None:
    def other(_: str) -> str:
        return PAIR[1]

    report = assert_rewrite_sound(other, schema=PEOPLE, queries=[PAIR[0], "SELECT it"], **REFUTED)  # type: ignore[arg-type]
    assert report.counts == {TrialOutcome.UNDECIDED: 1, TrialOutcome.UNREAD: 1}
    with pytest.raises(UnsoundRewriteError, match="at most 0 may be undecided"):
        assert_rewrite_sound(other, schema=PEOPLE, queries=[PAIR[0]], max_undecided=0, **REFUTED)  # type: ignore[arg-type]


def test_few_changed_queries_are_warned_of() -> None:
    def rarely(sql: str) -> str:
        return sql.replace(" EXCEPT ", " EXCEPT SELECT 1 WHERE 0 EXCEPT ") if "LIMIT" in sql else sql

    with pytest.warns(FewChangedWarning, match=r"rarely: none of 12 queries was changed.*Give queries="):
        report = assert_rewrite_sound(rarely, schema=PEOPLE, examples=12, timeout=None)
    assert report.warning
    assert not report.changed
    with pytest.warns(FewChangedWarning, match="none of 1 query was changed"):
        assert_rewrite_sound(str, schema=PEOPLE, queries=[PAIR[0]], timeout=None)


def test_the_warning_says_how_many_were_changed_and_of_which_share() -> None:
    one = Tried("SELECT 1", "SELECT 2", TrialOutcome.UNDECIDED, is_changed=True)
    other = Tried("SELECT 1", "SELECT 1", TrialOutcome.UNCHANGED)
    few = Report("mine", "sql", (*[one] * 3, *[other] * 97), seed=0)
    assert "mine: only 3 of 100 queries (3 %) were changed" in few.warning
    assert not Report("mine", "sql", (*[one] * 10, *[other] * 90), seed=0).warning
    assert not Report("mine", "sql", (*[one] * 2, *[other] * 6), seed=0).warning
    assert not Report("mine", "sql", (one, *[other] * 50), seed=None).warning
    fault = Tried("SELECT 1", "SELECT 2", TrialOutcome.REFUTED, is_changed=True)
    assert not Report("mine", "sql", (fault, *[other] * 50), seed=0).warning


@pytest.mark.filterwarnings("error")
def test_enough_changed_queries_are_not_warned_of() -> None:
    assert_rewrite_sound(lambda sql: PAIR[1], schema=PEOPLE, queries=[PAIR[0]], timeout=None)


def test_queries_may_be_a_strategy() -> None:
    report = check_rewrite(
        lambda sql: PAIR[1],
        schema=PEOPLE,
        queries=st.sampled_from([PAIR[0], "SELECT name FROM person"]),
        timeout=None,
        seed=5,
    )
    assert report.counts == {TrialOutcome.PROVED: 1, TrialOutcome.REFUTED: 1}
    assert report.seed == 5


def test_two_queries_are_proved_told_apart_or_neither() -> None:
    assert assert_equivalent(*PAIR, PEOPLE, timeout=None).name == "equivalent"
    with pytest.raises(AssertionError, match="not equivalent"):
        assert_equivalent(PAIR[0], "SELECT name FROM person", PEOPLE, timeout=None)
    with pytest.raises(AssertionError, match="neither proved"):
        assert_equivalent(*PAIR, PEOPLE, **REFUTED)  # type: ignore[arg-type]
    found = assert_equivalent(*PAIR, PEOPLE, may_be_undecided=True, **REFUTED)  # type: ignore[arg-type]
    assert found.name == "undecided"
    with pytest.raises(AssertionError, match="no such table"):
        assert_equivalent("SELECT 1 FROM nowhere", PAIR[0], PEOPLE, may_be_undecided=True, timeout=None)


def test_a_failure_escapes_what_a_query_holds() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_equivalent(PAIR[0], "SELECT name FROM person WHERE city <> 'a\x1b[31m'", PEOPLE, timeout=None)
    assert "\x1b" not in str(caught.value)


def test_bad_arguments_are_told() -> None:
    with pytest.raises(InputError, match="needs schema"):
        check_rewrite(inner_joins, queries=["SELECT 1"])
    with pytest.raises(InputError, match="examples"):
        check_rewrite(inner_joins, examples=0)
    with pytest.raises(InputError, match="relation"):
        check_rewrite(inner_joins, relation="row")


def test_neither_the_assertions_nor_the_plugin_load_hypothesis() -> None:
    program = """
import sys, equiv.testing.plugin
early = [name for name in ("equiv.testing.asserts", "sqlglot") if name in sys.modules]
from equiv.testing import assert_rewrite_sound
print(early, [name for name in ("hypothesis", "z3", "rules") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] []"


def two_bugs(sql: str) -> str:
    return sql.replace("LEFT JOIN", "JOIN").replace("DISTINCT ", "")


def test_faults_are_told_by_cause_with_one_example_each() -> None:
    report = check_rewrite(two_bugs, faults=8, shrink=2, tiers=("generate",), timeout=None)
    changes = [cause.change for cause in report.causes]
    assert sorted(changes) == ["DISTINCT is dropped", "LEFT is dropped"]
    assert sum(len(cause.faults) for cause in report.causes) == 8
    assert all(cause.example.is_fault for cause in report.causes)
    assert "of 8: LEFT is dropped" in report.overview


def lose_sign(sql: str) -> str:
    """A constant of sqlglot 27: 5 - x = 2 becomes x = 7."""
    return re.sub(r"(\d) - (a\.\w+) = (\d)", lambda m: f"{m[2]} = {int(m[1]) + int(m[3])}", sql)


def join_right_first(sql: str) -> str:
    """The order of joins in sqlglot 27."""
    return re.sub(r"CROSS JOIN (\w+ AS b) (RIGHT JOIN \w+ AS c) ON (.*)", r"\2 ON TRUE JOIN \1 ON \3", sql)


def cross_join_first(sql: str) -> str:
    """A join that always meets goes first, as sqlglot 27 has it: its issue 6009."""
    return re.sub(r"(RIGHT JOIN \w+ AS b ON .*) RIGHT JOIN (\w+ AS c) ON 1 = 1", r"CROSS JOIN \2 \1", sql)


@pytest.mark.parametrize("rewrite", [lose_sign, join_right_first, cross_join_first])
def test_drawn_queries_find_what_optimisers_were_seen_to_do(rewrite: Callable[[str], str]) -> None:
    report = check_rewrite(rewrite, examples=300, faults=1, shrink=0, tiers=("generate",), timeout=None)
    assert report.faults, report.summary


def test_errors_that_show_the_query_below_their_first_line_are_one_cause() -> None:
    def upset(sql: str) -> str:
        raise ValueError(f"Unexpected token. Line 1, Col: {len(sql)}.\n  {sql}")

    report = check_rewrite(upset, examples=5, faults=5)
    assert [len(cause.faults) for cause in report.causes] == [5]
