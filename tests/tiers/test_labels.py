"""What is said besides a witness: the relation that it breaks, what differs, which facts are spared."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

import equiv
from equiv.verdict import Difference, Equivalent, Invalid, NotEquivalent, Reason, Tier, Undecided, Verdict

DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, r REAL, s TEXT)"


def checked(pred: str, gold: str, *, tiers: tuple[str, ...] = (), relation: str = "sql") -> Verdict:
    given = {"tiers": tiers} if tiers else {}
    return equiv.check(pred, gold, schema=DDL, relation=relation, conditions=False, **given)  # type: ignore[arg-type]


def label(pred: str, gold: str) -> Difference:
    found = checked(pred, gold)
    assert isinstance(found, NotEquivalent)
    return found.difference


@pytest.mark.parametrize("tier", ["generate", "search"])
def test_each_tier_names_the_loosest_relation_that_its_witness_breaks(tier: str) -> None:
    found = checked("SELECT COUNT(a) FROM t", "SELECT COUNT(*) FROM t", tiers=(tier,), relation="bag")
    assert isinstance(found, NotEquivalent)
    assert found.tier is Tier(tier)
    assert str(found.weakest).startswith("set")


def test_the_data_name_the_loosest_relation_that_they_break(tmp_path: Path) -> None:
    path = tmp_path / "d.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(f"{DDL}; INSERT INTO t VALUES (1, 5, 1.0, 'x'), (2, NULL, 2.0, 'y')")
    connection.close()
    found = equiv.check(
        "SELECT COUNT(a) FROM t", "SELECT COUNT(*) FROM t", db=path, relation="bag", conditions=False
    )
    assert isinstance(found, NotEquivalent)
    assert found.tier is Tier.DATA
    assert str(found.weakest).startswith("set")


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        ("SELECT a + 1 FROM t", "SELECT a + 2 FROM t WHERE id >= 0"),
        ("SELECT a + 20240101 FROM t", "SELECT a + 20240102 FROM t"),
        ("SELECT julianday(s) FROM t WHERE id = 1", "SELECT julianday(s) + 1 FROM t WHERE id = 1"),
    ],
)
def test_other_values_are_no_bound_and_no_rounding(pred: str, gold: str) -> None:
    assert label(pred, gold) is Difference.VALUES


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        ("SELECT COUNT(*) FROM t WHERE a >= 5", "SELECT COUNT(*) FROM t WHERE a > 5"),
        ("SELECT COUNT(*) FROM t WHERE a BETWEEN 2 AND 5", "SELECT COUNT(*) FROM t WHERE a >= 2 AND a < 5"),
        ("SELECT COUNT(*) FROM t WHERE -5 < a", "SELECT COUNT(*) FROM t WHERE -5 <= a"),
        ("SELECT COUNT(*) FROM t WHERE s <= 'm'", "SELECT COUNT(*) FROM t WHERE s < 'm'"),
    ],
)
def test_a_bound_is_what_the_other_strictness_undoes(pred: str, gold: str) -> None:
    assert label(pred, gold) is Difference.BOUNDARY


def test_rounded_reals_are_close() -> None:
    pred, gold = (
        "SELECT 123.456 * MAX(id) FROM t WHERE id = 1",
        "SELECT ROUND(123.456 * MAX(id), 2) FROM t WHERE id = 1",
    )
    assert label(pred, gold) is Difference.ROUNDING


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name FROM sqlite_master",
        "SELECT COUNT(*) FROM sqlite_schema",
        "SELECT name FROM pragma_table_info('t')",
        "SELECT t.id FROM t JOIN sqlite_master ON 1",
    ],
)
def test_what_belongs_to_sqlite_is_undecided_on_either_side(sql: str) -> None:
    for pair in ((sql, "SELECT id FROM t"), ("SELECT id FROM t", sql), (sql, sql)):
        found = checked(*pair)
        assert isinstance(found, Undecided)
        assert found.reason is Reason.UNSUPPORTED
        assert "SQLite's own tables" in found.detail
        assert found.failure_code is None


@pytest.mark.parametrize(
    "sql", ["SELECT nope FROM sqlite_master", "SELECT * FROM pragma_nope", "SELECT * FROM sqlite_nope"]
)
def test_what_sqlite_does_not_take_is_invalid_beside_its_tables(sql: str) -> None:
    assert isinstance(checked(sql, "SELECT id FROM t"), Invalid)


def test_a_fact_that_was_needed_beside_others_is_spared_once_they_are_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Facts steer a proof: the first may be needed while the second is there, and not without it."""
    from equiv.engine.conditions import ConditionSearch
    from equiv.facts import Fact, FactKind, Grade

    first, second, third = (
        Fact(kind, Grade.ASSUMED, "t", ("a",)) for kind in (FactKind.UNIQUE, FactKind.TYPE, FactKind.NOT_NULL)
    )
    enough = [{first, second, third}, {first, third}, {third}]

    def proved_with(_: object, __: object, given: object) -> set[Fact] | None:
        facts = set(given)  # type: ignore[call-overload]
        return facts if facts in enough else None

    monkeypatch.setattr(ConditionSearch, "_proved_with", proved_with)
    every = first, second, third
    found = ConditionSearch(())._needed(None, every, set(every))  # type: ignore[arg-type]
    assert found == (third,)


def test_equal_queries_still_are() -> None:
    assert isinstance(checked("SELECT id FROM t", "SELECT id FROM t"), Equivalent)
