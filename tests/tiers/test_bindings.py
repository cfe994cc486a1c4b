"""Parameters are unknown constants: equivalent for all values, not equivalent under values that are shown."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

import equiv
from equiv.core.lexer import tokens
from equiv.core.texts import clash, placeholders, replaced, values_for
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.records.record import Item, to_record
from equiv.schema.locate import Place
from equiv.show.evidence import replays_of
from equiv.show.page import Text
from equiv.show.verdicts import summary_of
from equiv.verdict import Execution, Invalid, NotEquivalent, Undecided, Verdict, Witness

DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b TEXT, c REAL);"


def check(pred: str, gold: str, **more: object) -> Verdict:
    return equiv.check(pred, gold, schema=DDL, timeout=None, **more)  # type: ignore[arg-type]


def where(condition: str) -> str:
    return f"SELECT a FROM t WHERE {condition}"


@pytest.mark.parametrize(("pred", "gold"), [
    (where("a = ?"), where("? = a")),
    (where("a = ?1 AND b = ?2"), where("b = ?2 AND ?1 = a")),
    (where("a = :x AND b = :y"), where("b = :y AND a = :x")),
    (where("a = @x"), where("NOT a <> @x")),
    (where("a BETWEEN $low AND $high"), where("a >= $low AND a <= $high")),
    (where("a = ? OR ? IS NULL"), where("? = a OR ?2 IS NULL")),
    (where("? BETWEEN a AND b"), where("? >= a AND ?1 <= b")),
    (where("a IN (?, ?)"), where("a = ?1 OR a = ?2")),
    (where("b IN (SELECT ?)"), where("b = ?")),
    (where("b LIKE ? ESCAPE ?"), where("b LIKE ?1 ESCAPE ?2")),
    ("SELECT a FROM t ORDER BY ?", "SELECT a FROM t"),
    ("SELECT a FROM t GROUP BY a, ?", "SELECT DISTINCT a FROM t"),
    ("SELECT a FROM t LIMIT :n OFFSET :m", "SELECT a FROM t LIMIT :m, :n"),
    ("SELECT MAX(a, :x) FROM t", "SELECT MAX(:x, a) FROM t"),
    ("WITH w AS (SELECT :k AS k) SELECT k FROM w", "SELECT :k"),
])  # fmt: skip
def test_equal_for_all_values(pred: str, gold: str) -> None:
    assert check(pred, gold).name == "equivalent"


@pytest.mark.parametrize(("pred", "gold"), [
    (where("a = ? AND b = ?"), where("b = ? AND a = ?")),
    (where("?2 = a"), where("? = a")),
    (where("a = ?"), where("a IS ?")),
    (where("a = :x OR :x IS NULL"), where("a = COALESCE(:x, a)")),
    (where("a = ?"), where("a = ? + 0")),
    (where("b = ?"), where("b LIKE ?")),
    (where("? IN (a, b)"), where("? = a OR ?1 = b")),
    (where("a = ?"), where("a = CAST(? AS TEXT)")),
    (where("?"), where("? <> 0")),
    (where("a NOT IN (?, 1)"), where("a <> ? AND a <> 1 OR ?1 IS NULL AND a <> 1")),
    ("SELECT a FROM t GROUP BY ?", "SELECT a FROM t GROUP BY 1"),
    ("SELECT a FROM t ORDER BY id LIMIT ?", "SELECT a FROM t ORDER BY id LIMIT 10"),
    ("SELECT COUNT(*) > 0 AND ? FROM t", "SELECT COUNT(*) > 0 FROM t"),
    ("SELECT ? FROM t", "SELECT DISTINCT ? FROM t"),
    ("SELECT ?", "SELECT ? + 0"),
])  # fmt: skip
def test_told_apart_by_values_that_replay(pred: str, gold: str) -> None:
    verdict = check(pred, gold, relation="list")
    assert isinstance(verdict, NotEquivalent)
    witness = verdict.evidence
    assert isinstance(witness, Witness)
    assert witness.binding is not None
    values = dict(witness.binding.values)
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(witness.sql)
        for asked, filled, rows in (
            (pred, witness.binding.pred_sql, witness.pred_rows),
            (gold, witness.binding.gold_sql, witness.gold_rows),
        ):
            runs = connection.execute(asked, values_for(asked, values)), connection.execute(filled)
            assert [Counter(run) for run in runs] == [Counter(rows)] * 2


@pytest.mark.parametrize(("pred", "gold", "why"), [
    (where("a = :x"), where("a = @x"), "the same name with two different prefixes"),
    (where("a = :x"), where("a = ?"), "some parameters are named"),
    (where("a = :x AND b = ?"), where("a = :x AND b = ?"), "some parameters are named"),
])  # fmt: skip
def test_unsupported_where_it_is_open_which_are_the_same(pred: str, gold: str, why: str) -> None:
    verdict = check(pred, gold)
    assert isinstance(verdict, Undecided)
    assert (str(verdict.reason), why in verdict.detail) == ("UNSUPPORTED", True)


@pytest.mark.parametrize("condition", ["a = ?0", "a = ?99999", f"a = ?{'1' * 5000}", "a = $x::y(", "a = :"])
def test_what_is_no_parameter_is_invalid(condition: str) -> None:
    assert isinstance(check(where(condition), where("a = 1")), Invalid)


def test_an_undecided_pair_claims_no_bound() -> None:
    verdict = check(where("a + ? > 3"), where("a > 3 - ?"))
    assert isinstance(verdict, Undecided)
    assert verdict.bounded is None


def test_the_data_is_read_with_values_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "d.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(
            DDL + "INSERT INTO t VALUES (1, 4711, 'stork', 0.5), (2, 4712, 'heron', 0.5);"
        )
    verdict = check(where("b = ?"), where("b = ? AND a > 4711"), db=path)
    assert isinstance(verdict, NotEquivalent)
    assert isinstance(verdict.evidence, Execution)
    assert verdict.evidence.binding is not None
    assert dict(verdict.evidence.binding.values) == {"?1": "stork"}
    assert check(where("b = ?"), where("? = b"), db=path).name == "equivalent"


def test_the_binding_stands_in_output_record_and_script() -> None:
    pred, gold = where("b = :who AND a > 3"), where("b = :who AND a >= 3")
    verdict = check(pred, gold)
    assert Text("With :who = 'a':") in summary_of(verdict)
    item = Item("", None, "", pred, gold)
    binding = to_record(item, verdict, "k")["evidence"]["binding"]
    filled = [where("b = 'a' AND a > 3"), where("b = 'a' AND a >= 3")]
    assert binding == {"values": {":who": "a"}, "pred_sql": filled[0], "gold_sql": filled[1]}
    (replay,) = replays_of(item, Place("", None, load_ddl(DDL)), verdict)
    assert all(sql in replay.text for sql in filled)


def test_conditions_are_found_for_all_values() -> None:
    pred, gold = (f"SELECT COUNT({what}) FROM t WHERE b = ?" for what in ("a", "*"))
    verdict = check(pred, gold, conditions=True)
    assert isinstance(verdict, NotEquivalent)
    assert [str(c.fact.kind) for c in verdict.equivalent_if] == ["not_null"]


@pytest.mark.parametrize(("text", "named"), [
    ("? ? ?5 ?", [("?1", 1), ("?2", 2), ("?5", 5), ("?6", 6)]),
    (":x @y :x $z", [(":x", 1), ("@y", 2), (":x", 1), ("$z", 3)]),
    (":x ?", [(":x", 1), ("?2", 2)]),
    ("'?' \"?\" -- ?\n/* :x */ ?", [("?1", 1)]),
    (":X :x", [(":X", 1), (":x", 2)]),
    ("a::text b", []),
])  # fmt: skip
def test_parameters_are_numbered_as_sqlite_does(text: str, named: list[tuple[str, int]]) -> None:
    assert [(place.name, place.number) for place in placeholders(text, tokens(text))] == named


@pytest.mark.parametrize("text", ["SELECT ?1,?", "SELECT :x||:y||:x", "SELECT ?3,?1", "SELECT $a,@b"])
def test_sqlite_agrees_on_the_numbers(text: str) -> None:
    values = {"?1": "p", "?2": "q", "?3": "r", ":x": "x", ":y": "y", "$a": "a", "@b": "b"}
    places = placeholders(text, tokens(text))
    literal = replaced(text, places, lambda place: f"'{values[place.name]}'")
    with closing(sqlite3.connect(":memory:")) as connection:
        bound = connection.execute(text, values_for(text, values)).fetchall()
        assert bound == connection.execute(literal).fetchall()


def test_a_literal_does_not_merge_with_what_stands_beside_it() -> None:
    text = "SELECT 1 WHERE 1=?AND 2-?=1"
    literal = replaced(text, placeholders(text, tokens(text)), lambda place: str(place.number))
    assert literal == "SELECT 1 WHERE 1=1 AND 2- 2=1"


def test_one_name_under_two_signs_is_a_clash() -> None:
    assert clash([":x", ":y", ":x"]) == clash(["?1", "?2"]) == ""
    assert clash([":x", "$x"])
