"""Defects of published evaluation tools that decide by execution; each stays out by a test of its own.

Those of row comparison are in ``answers/test_compare.py``, those of deadlines and pipes in
``workers/`` and ``sqlite/``, those of pairing predictions with gold queries in ``eval/``.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import equiv
from equiv.core.runner import Limits
from equiv.records.record import Item, to_record
from equiv.tiers import data

DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT); CREATE TABLE u (t_id INTEGER, v INTEGER);"
BOMB = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT COUNT(*) FROM c"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "small.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            DDL + "INSERT INTO t VALUES (1, 5, 'x'), (2, 6, 'y'); INSERT INTO u VALUES (1, 1);"
        )
        connection.commit()
    return path


def check(pred: str, gold: str, **given: object) -> equiv.Verdict:
    return equiv.check(pred, gold, timeout=None, **given)  # type: ignore[arg-type]


def score(verdict: equiv.Verdict) -> object:
    return to_record(Item("s", 1, "d", "", ""), verdict, "")["score"]


def test_two_queries_that_both_run_out_of_time_are_not_equal(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One tool compares [('timeout',)] with [('timeout',)] and calls the prediction right."""
    monkeypatch.setattr(data, "CAPS", Limits(seconds=0.2))
    verdict = check(BOMB, BOMB.replace("COUNT(*)", "MAX(n)"), db=database, effort=0)
    assert verdict.name == "undecided"
    assert score(verdict) is None


def test_a_prediction_that_fails_is_not_equal_to_an_empty_gold_result(database: Path) -> None:
    """One reward function turns a failed prediction into [], which an empty gold result equals."""
    empty = "SELECT a FROM t WHERE a > 100"
    assert score(check("SELECT nope FROM t", empty, db=database)) == 0
    assert score(check("not SQL", empty, db=database)) == 0
    failing = check("SELECT abs(-9223372036854775807 - 1) FROM t", empty, db=database, effort=20)
    assert (failing.name, failing.to_dict()["difference"]) == ("not_equivalent", "error")
    assert failing.to_dict()["failure_code"] == "PRED_EXEC"


def test_empty_results_on_a_toy_database_prove_nothing(database: Path) -> None:
    """[] == [] is the norm on databases of two rows; generated databases go on from there."""
    verdict = check("SELECT id FROM t WHERE b = 'p'", "SELECT id FROM t WHERE b = 'q'", db=database)
    assert verdict.name == "not_equivalent"


def test_a_boundary_that_the_data_does_not_hold_is_found(database: Path) -> None:
    verdict = check("SELECT id FROM t WHERE a > 17", "SELECT id FROM t WHERE a >= 17", db=database)
    assert verdict.name == "not_equivalent"


@pytest.mark.long
def test_scalar_subqueries_take_their_first_row() -> None:
    """A published optimiser turns them into MAX or a join; equality of its output is taken as a proof."""
    first = "SELECT id, (SELECT v FROM u WHERE u.t_id = t.id) FROM t"
    for other in (
        "SELECT id, (SELECT MAX(v) FROM u WHERE u.t_id = t.id) FROM t",
        "SELECT t.id, u.v FROM t LEFT JOIN u ON u.t_id = t.id",
    ):
        assert check(first, other, schema=DDL).name != "equivalent"


def test_distinct_and_order_are_not_ignored() -> None:
    assert check("SELECT DISTINCT a FROM t", "SELECT a FROM t", schema=DDL).name == "not_equivalent"
    ordered = ("SELECT a FROM t ORDER BY a DESC", "SELECT a FROM t ORDER BY a")
    assert check(*ordered, schema=DDL).name == "not_equivalent"
    assert check(*ordered, schema=DDL, relation="bag").name == "equivalent"


def test_order_by_inside_a_subquery_orders_nothing() -> None:
    """One tool looks for the words ORDER BY anywhere in the gold text."""
    gold = "SELECT a FROM t WHERE id IN (SELECT id FROM t ORDER BY a LIMIT 100)"
    assert str(check("SELECT a FROM t", gold, schema=DDL).relation) == "bag"


def test_letter_case_of_literals_counts() -> None:
    """Two checkers upper-case the whole query first."""
    assert (
        check("SELECT id FROM t WHERE b = 'x'", "SELECT id FROM t WHERE b = 'X'", schema=DDL).name
        == "not_equivalent"
    )


def test_quoted_names_and_strings_are_told_apart() -> None:
    """One tool turns every double quote into a single one."""
    quoted = 'SELECT "a" FROM t WHERE "b" = "x"'
    assert check(quoted, "SELECT a FROM t WHERE b = 'x'", schema=DDL).name == "equivalent"
    assert check(quoted, "SELECT 'a' FROM t WHERE b = 'x'", schema=DDL).name == "not_equivalent"


def test_conjuncts_in_any_order() -> None:
    """Two tools of one vendor disagree on this pair."""
    pair = ("SELECT id FROM t WHERE a = 1 AND b = 'x'", "SELECT id FROM t WHERE b = 'x' AND a = 1")
    assert check(*pair, schema=DDL).name == "equivalent"


def test_undecided_is_not_refuted() -> None:
    pair = ("SELECT id FROM t ORDER BY a LIMIT 1", "SELECT id FROM t ORDER BY a, b LIMIT 1")
    verdict = check(*pair, schema=DDL)
    assert verdict.name == "undecided"
    assert score(verdict) is None
