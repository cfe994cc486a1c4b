"""Errors that one query raises and the other does not: on given data, on databases made, counted or not."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import equiv
from equiv.facts import FactKind
from equiv.records.record import Item, to_record
from equiv.records.verdict_json import verdict_of
from equiv.rewards.reward import Settings
from equiv.rewards.rewarder import Rewarder
from equiv.verdict import (
    Difference,
    Equivalent,
    Execution,
    FailureCode,
    NotEquivalent,
    RemarkKind,
    Tier,
    Undecided,
    Witness,
)

DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, p INTEGER, q INTEGER, s TEXT);"
LEAST = "abs(-9223372036854775808) = 1"
RAISING = f"SELECT id FROM t WHERE p IN (7, 9) OR {LEAST}"
PLAIN = "SELECT id FROM t WHERE p IN (7, 9)"
OF_SOME_ROWS = "SELECT id FROM t WHERE abs(p) >= 0"
OF_ALL_ROWS = "SELECT id FROM t WHERE p IS NOT NULL"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A database with an ordinary row, one of the least integer, and one of NULL."""
    path = tmp_path / "t.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(DDL)
        connection.executemany("INSERT INTO t VALUES (?, ?, 1, 'a')", [(1, 3), (2, -(2**63)), (3, None)])
    return path


def test_an_error_on_the_given_rows_tells_apart_whichever_query_raises_it(data: Path) -> None:
    for pred, gold, code in (
        (OF_SOME_ROWS, OF_ALL_ROWS, FailureCode.PRED_EXEC),
        (OF_ALL_ROWS, OF_SOME_ROWS, FailureCode.GOLD_EXEC),
    ):
        verdict = equiv.check(pred, gold, db=data, timeout=None)
        assert isinstance(verdict, NotEquivalent)
        assert (verdict.tier, verdict.difference) == (Tier.DATA, Difference.ERROR)
        assert isinstance(verdict.evidence, Execution)
        errors = verdict.evidence.pred_error, verdict.evidence.gold_error
        assert sorted(errors) == ["", "integer overflow"]
        assert verdict.failure_code is code
        assert not any(fact.kind == "no_error" for fact in verdict.facts)


def test_what_both_raise_on_the_given_rows_tells_nothing_apart(data: Path) -> None:
    verdict = equiv.check(OF_SOME_ROWS, f"{OF_SOME_ROWS} AND 1 = 1", db=data, timeout=None)
    assert not isinstance(verdict, NotEquivalent)


def test_the_record_and_the_page_tell_of_the_error(data: Path) -> None:
    verdict = equiv.check(RAISING, PLAIN, db=data, timeout=None)
    record = to_record(Item("", None, "", RAISING, PLAIN), verdict, "")
    assert record["evidence"]["pred_error"] == "integer overflow"
    assert record["evidence"]["pred_rows"] == []
    assert (record["failure_code"], record["difference"], record["score"]) == ("PRED_EXEC", "error", 0)
    again = verdict_of(record)
    assert isinstance(again, NotEquivalent)
    assert isinstance(verdict, NotEquivalent)
    assert again.evidence == verdict.evidence
    assert "the prediction raises an error: integer overflow" in str(verdict)
    assert "the gold query returns no row" in str(verdict)


def test_a_part_that_reads_no_row_is_an_error_on_the_first_database_that_shows_it() -> None:
    verdict = equiv.check(RAISING, PLAIN, schema=DDL, timeout=None)
    assert isinstance(verdict, NotEquivalent)
    assert (verdict.tier, verdict.difference) == (Tier.GENERATE, Difference.ERROR)
    assert isinstance(verdict.evidence, Witness)
    assert verdict.evidence.tables["t"][1]
    assert (verdict.evidence.pred_error, verdict.evidence.gold_error) == ("integer overflow", "")
    with closing(sqlite3.connect(":memory:")) as bare:
        bare.executescript(verdict.evidence.sql)
        with pytest.raises(sqlite3.OperationalError, match="integer overflow"):
            bare.execute(RAISING).fetchall()


def test_a_prediction_that_raises_is_rewarded_with_nothing(data: Path) -> None:
    with closing(Rewarder(Settings(seconds=60))) as rewarder:
        assert rewarder.reward(RAISING, PLAIN, db=data).score == 0


def test_errors_are_excused_by_name_or_count() -> None:
    excused = equiv.check(OF_SOME_ROWS, OF_ALL_ROWS, schema=DDL, timeout=None)
    assert isinstance(excused, Equivalent)
    assert "no_error" in {str(fact.kind) for fact in excused.facts}
    strict = equiv.check(OF_SOME_ROWS, OF_ALL_ROWS, schema=DDL, errors="strict", timeout=None)
    assert isinstance(strict, NotEquivalent)
    assert strict.difference is Difference.ERROR


def test_no_proof_rests_on_the_absence_of_errors_that_count() -> None:
    one, other = (f"SELECT id FROM t WHERE {each}" for each in ("s LIKE 'a' ESCAPE 'xy' AND 0", "0"))
    excused = equiv.check(one, other, schema=DDL, timeout=None)
    strict = equiv.check(one, other, schema=DDL, errors="strict", timeout=None)
    if isinstance(excused, Equivalent):
        assert isinstance(strict, Undecided | NotEquivalent)


def test_a_pair_that_differs_in_names_alone_is_proved_where_errors_count() -> None:
    verdict = equiv.check(
        OF_SOME_ROWS,
        "SELECT x.id AS n FROM t x WHERE abs(x.p) >= 0",
        schema=DDL,
        errors="strict",
        timeout=None,
    )
    assert isinstance(verdict, Equivalent)
    assert "no_error" not in {str(fact.kind) for fact in verdict.facts}


def test_given_data_on_which_both_answer_excuse_an_error_on_every_database_made(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(DDL)
        connection.execute("INSERT INTO t VALUES (1, 7, 1, 'a')")
    least = "SELECT id FROM t WHERE s LIKE 'a' ESCAPE substr('xy', 1, 1 + (id <> 1))"
    verdict = equiv.check(least, "SELECT id FROM t WHERE s LIKE 'a'", db=path, timeout=None)
    assert not (isinstance(verdict, NotEquivalent) and verdict.difference is Difference.ERROR)


def test_an_error_under_some_values_of_a_parameter_is_excused() -> None:
    verdict = equiv.check(
        "SELECT id FROM t WHERE abs(:least) = 1 OR p = 1",
        "SELECT id FROM t WHERE p = 1 OR abs(:least) = 1",
        schema=DDL,
    )
    assert not isinstance(verdict, NotEquivalent)


def test_an_unknown_treatment_is_refused() -> None:
    with pytest.raises(equiv.InputError, match="unknown treatment of errors 'lenient'"):
        equiv.check(PLAIN, PLAIN, schema=DDL, errors="lenient")


@pytest.mark.parametrize(
    ("pred", "name", "rests"),
    [
        ("SELECT id FROM t WHERE 10 / p = 1 AND q = 1", "equivalent", True),
        ("SELECT id FROM t WHERE q = 1 AND 10 // p = 1", "not_equivalent", False),
        ("SELECT id FROM t WHERE (q = 1) AND 10 / p = 1", "equivalent", False),
    ],
)
def test_errors_are_noted_where_the_verdict_leaves_out_rows_that_raise_them(
    pred: str, name: str, rests: bool
) -> None:
    gold = "SELECT id FROM t WHERE q = 1 AND 10 / p = 1"
    verdict = equiv.check(pred, gold, schema=DDL, dialect="duckdb")
    assert verdict.name == name
    assert any(one.kind is RemarkKind.NO_ERROR for one in verdict.remarks) == rests
    assert (
        verdict.name == "equivalent" and FactKind.NO_ERROR in {one.kind for one in verdict.facts}
    ) == rests
