"""What predictions are worth, in batches, under policies, when time is up, and when the set-up is wrong."""

from __future__ import annotations

import logging
import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiv import check
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.errors import InputError
from equiv.rewards import Outcome, Policy, Reward, Rewarder, Settings, reward
from equiv.rewards.rewarder import _Asked, _Outcome

DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT)"
GOLD = "SELECT a FROM t WHERE a IN (1, 2)"
SLOW = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT COUNT(*) FROM r"


@pytest.fixture(scope="module")
def rewarder() -> Iterator[Rewarder]:
    with Rewarder(Settings(seconds=20)) as found:
        yield found


ENDS = {
    "proved": ("SELECT a FROM t WHERE a = 1 OR a = 2", Outcome.PROVED, 1.0),
    "refuted": ("SELECT a FROM t WHERE a = 1", Outcome.REFUTED, 0.0),
    "invalid": ("SELECT nope FROM t", Outcome.INVALID, 0.0),
    "no query": ("", Outcome.NO_QUERY, 0.0),
    "no text": (None, Outcome.NO_QUERY, 0.0),
}


@pytest.mark.parametrize("name", ENDS)
def test_each_prediction_gets_what_its_outcome_is_worth(rewarder: Rewarder, name: str) -> None:
    pred, outcome, score = ENDS[name]
    found = rewarder.reward(pred, GOLD, DDL)
    assert (found.finding.outcome, found.score) == (outcome, score)


def test_components_are_told_flat_and_each_of_one_type(rewarder: Rewarder) -> None:
    rows = [rewarder.reward(pred, GOLD, DDL).to_dict() for pred, _, _ in ENDS.values()]
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    assert all(
        isinstance(value, float if name == "score" else str) for row in rows for name, value in row.items()
    )
    proved, refuted, invalid, *_ = rows
    assert (proved["verdict"], proved["tier"]) == ("equivalent", "rules")
    assert (refuted["verdict"], refuted["difference"]) == ("not_equivalent", "empty")
    assert (invalid["verdict"], invalid["failure_code"]) == ("invalid", "PRED_NO_TABLE_OR_COLUMN")


def test_a_batch_keeps_its_order_and_asks_once_about_equal_predictions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    preds = [pred for pred, _, _ in ENDS.values()] * 3
    asked: list[_Asked] = []
    with Rewarder(Settings(workers=2)) as rewarder:
        submit = rewarder._submit

        def noted(each: _Asked) -> _Outcome:
            asked.append(each)
            return submit(each)

        monkeypatch.setattr(rewarder, "_submit", noted)
        first = rewarder.rewards(preds, [GOLD] * len(preds), [DDL] * len(preds))
        again = rewarder.rewards(preds, [GOLD] * len(preds), [DDL] * len(preds))
    assert [each.score for each in first] == [score for _, _, score in ENDS.values()] * 3
    assert again == first
    assert len(asked) == len({each.pred for each in asked}) == 3


def test_one_gold_query_or_database_is_for_all(rewarder: Rewarder) -> None:
    preds = ["SELECT a FROM t WHERE a = 1 OR a = 2", "SELECT a FROM t"]
    each = rewarder.rewards(preds, [GOLD, GOLD], [DDL, DDL])
    assert [found.score for found in each] == [1.0, 0.0]
    assert rewarder.rewards(preds, GOLD, DDL) == each
    with pytest.raises(ValueError, match="predictions: 2, gold queries: 1, databases: one for all; give one"):
        rewarder.rewards(preds, [GOLD], DDL)
    with pytest.raises(
        InputError, match=r"the databases \(or one path, name, DDL or Schema for all\) must be a list"
    ):
        rewarder.rewards(preds, GOLD, None)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="seconds must be positive"):
        Settings(seconds=0)


@pytest.mark.parametrize("given", [GOLD, None, 3, {"content": GOLD}])
def test_predictions_are_a_list_and_no_text(rewarder: Rewarder, given: Any) -> None:
    with pytest.raises(InputError, match="the predictions must be a list or another iterable, not "):
        rewarder.rewards(given, GOLD, DDL)
    with pytest.raises(InputError, match="the gold queries must be a list"):
        rewarder.rewards([GOLD], None, DDL)  # type: ignore[arg-type]


def test_predictions_may_be_drawn_from_an_iterator(rewarder: Rewarder) -> None:
    assert [each.score for each in rewarder.rewards(iter([GOLD]), iter([GOLD]), DDL)] == [1.0]


def test_an_empty_gold_query_is_told(rewarder: Rewarder) -> None:
    assert rewarder.reward("SELECT 1", " ", DDL).finding.detail == "the gold query is empty"


def test_what_is_remembered_is_bounded() -> None:
    with Rewarder(Settings(remembered=2)) as rewarder:
        for number in range(4):
            rewarder.reward(f"SELECT {number}", "SELECT 1", DDL)
        assert len(rewarder._memory._known) == 2


def test_an_endless_prediction_is_killed_and_the_next_one_is_answered() -> None:
    with Rewarder(Settings(seconds=2)) as rewarder:
        found = rewarder.rewards([SLOW, GOLD], [GOLD, GOLD], [DDL, DDL])
    assert [each.finding.outcome for each in found] == [Outcome.TIMEOUT, Outcome.PROVED]


def test_ddl_is_read_within_the_time_of_a_prediction_once_a_batch() -> None:
    slow = "".join(f"CREATE TABLE t{n} (a REFERENCES t{n - 1} (a));" for n in range(1, 4_000))
    with Rewarder(Settings(seconds=0.3)) as rewarder:
        found = rewarder.rewards(["SELECT 1", "SELECT 2"], ["SELECT 1", "SELECT 1"], [slow, slow])
    assert [each.finding.outcome for each in found] == [Outcome.TIMEOUT] * 2
    assert {each.finding.detail for each in found} == {"no verdict within 0.3 seconds"}


@pytest.mark.long
def test_a_batch_ends_when_its_time_is_up_and_is_asked_anew_next_time() -> None:
    with Rewarder(Settings(seconds=2, batch_seconds=0.01)) as rewarder:
        found = rewarder.rewards([SLOW, GOLD], [GOLD, GOLD], [DDL, DDL])
        assert [each.finding.outcome for each in found] == [Outcome.TIMEOUT] * 2
        rewarder.settings = Settings(seconds=2)
        assert rewarder.reward(GOLD, GOLD, DDL).score == 1


UNMODELLED = "SELECT name FROM hero WHERE json_extract(power, '$') = {}"


def test_equal_results_are_worth_something_only_if_the_policy_says_so(heroes: Path) -> None:
    pair = UNMODELLED.format(7), "SELECT name FROM hero WHERE power = 7"
    strict, lenient = reward(*pair, heroes), reward(*pair, heroes, policy=Policy(equal_results=0.25))
    assert (strict.finding.outcome, strict.score) == (Outcome.UNDECIDED, 0)
    assert (lenient.finding.outcome, lenient.score) == (Outcome.EQUAL_RESULTS, 0.25)


def test_empty_results_are_never_equal_results(heroes: Path) -> None:
    pair = UNMODELLED.format(700), "SELECT name FROM hero WHERE power = 700"
    found = reward(*pair, heroes, policy=Policy(equal_results=0.25))
    assert found.finding.outcome is Outcome.UNDECIDED


@pytest.mark.long
def test_a_difference_that_the_given_data_rules_out_has_a_worth_of_its_own(heroes: Path) -> None:
    pair = "SELECT COUNT(power) FROM hero", "SELECT COUNT(*) FROM hero"  # power is never NULL there
    policy = Policy(refuted_elsewhere=0.5)
    assert reward(*pair, heroes, policy=policy).finding.outcome is Outcome.REFUTED_ELSEWHERE
    assert reward(*pair, heroes).finding.outcome is Outcome.REFUTED
    other = "SELECT COUNT(team) FROM hero", "SELECT COUNT(*) FROM hero"
    assert reward(*other, heroes, policy=policy).finding.outcome is Outcome.REFUTED


def die(*_: object) -> None:
    os._exit(3)


@pytest.mark.long
def test_a_finding_stands_where_the_second_look_costs_the_worker(
    heroes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("equiv.rewards.rewarder.second_look", die)
    policy = Policy(refuted_elsewhere=0.5, equal_results=0.25)
    preds = ["SELECT COUNT(power) FROM hero", UNMODELLED.format(7)]
    golds = ["SELECT COUNT(*) FROM hero", "SELECT name FROM hero WHERE power = 7"]
    with Rewarder(Settings(policy=policy)) as rewarder:
        found = rewarder.rewards(preds, golds, [heroes, heroes])
    assert [each.outcome for each in found] == [Outcome.REFUTED, Outcome.UNDECIDED]


def test_a_tie_is_told(rewarder: Rewarder) -> None:
    pair = "SELECT id FROM t ORDER BY a LIMIT 1", "SELECT id FROM t ORDER BY a, b LIMIT 1"
    assert rewarder.reward(*pair, DDL).finding.outcome is Outcome.TIE


@pytest.mark.parametrize(
    ("gold", "db"),
    [
        ("SELECT nope FROM t", DDL),
        (None, DDL),
        ("", DDL),
        (GOLD, "/no/such/file.sqlite"),
        (GOLD, "no_such_name"),
        (GOLD, "../up"),
        (GOLD, None),
        (GOLD, 7),
        (GOLD, "CREATE TABLE t (a INT"),
    ],
)
def test_a_wrong_set_up_is_no_fault_of_the_prediction(
    rewarder: Rewarder, caplog: pytest.LogCaptureFixture, gold: object, db: object
) -> None:
    rewarder._told.clear()
    with caplog.at_level(logging.WARNING, "equiv.rewards"):
        found = [rewarder.reward(GOLD, gold, db) for _ in range(2)]
    assert {each.finding.outcome for each in found} == {Outcome.TROUBLE}
    assert len(caplog.records) == 1
    assert "\n" not in caplog.records[0].getMessage()
    assert {each.finding.reason for each in found} == {"DATABASE" if gold == GOLD else "GOLD_INVALID"}


def test_a_database_of_another_dialect_is_told_so_in_words_of_the_library(
    heroes: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "equiv.rewards"):
        found = reward(GOLD, GOLD, heroes, dialect="duckdb")
    said = f"{heroes}: a database of SQLite: the dialect sqlite reads it, not duckdb"
    assert (found.outcome, found.finding.reason, found.finding.detail) == ("trouble", "DATABASE", said)
    with pytest.raises(InputError, match="unknown dialect 'duckbd'"):
        check(GOLD, GOLD, db=heroes, dialect="duckbd")


def test_a_schema_a_file_and_a_name_are_databases(heroes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EQUIV_DB_ROOT", str(heroes.parents[1]))
    query = "SELECT name FROM hero"
    schema = load_ddl("CREATE TABLE hero (name TEXT)")
    assert [reward(query, query, db).score for db in (schema, heroes, str(heroes), "heroes")] == [1.0] * 4


def test_a_pickled_rewarder_answers_where_it_arrives(rewarder: Rewarder) -> None:
    rewarder.reward(GOLD, GOLD, DDL)
    with pickle.loads(pickle.dumps(rewarder)) as other:  # noqa: S301 - our own
        assert other.settings == rewarder.settings
        assert other.reward(GOLD, GOLD, DDL) == Reward.of(rewarder.reward(GOLD, GOLD, DDL).finding, Policy())


@pytest.mark.parametrize("setting", [{"seconds": 0}, {"workers": 0}, {"relation": "x"}, {"batch_seconds": 0}])
def test_a_wrong_setting_is_said_at_once(setting: dict[str, object]) -> None:
    with pytest.raises(InputError):
        Settings(**setting)  # type: ignore[arg-type]


ANYTHING = st.one_of(
    st.none(),
    st.integers(),
    st.text(max_size=40),
    st.binary(max_size=9),
    st.lists(st.text(max_size=5), max_size=3),
)


@pytest.mark.long
@given(pred=ANYTHING, gold=ANYTHING, db=ANYTHING)
def test_nothing_raises(rewarder: Rewarder, pred: object, gold: object, db: object) -> None:
    found = rewarder.reward(pred, gold, db)
    assert found.score in (0.0, 1.0)


def test_a_file_of_ddl_is_a_schema(rewarder: Rewarder, tmp_path: Path) -> None:
    file = tmp_path / "schema.sql"
    file.write_text(DDL)
    found = rewarder.rewards(["SELECT a FROM t"] * 2, ["SELECT a FROM t WHERE 1 = 1"] * 2, [file, str(file)])
    assert [each.score for each in found] == [1.0, 1.0]
