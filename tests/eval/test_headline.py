"""The first lines: shares of all items, and no system forgotten."""

from __future__ import annotations

from kit.result_records import result_record

from equiv.eval.faults import faults_grid
from equiv.eval.headline import Standing
from equiv.records.item import Fault, FaultKind, Item
from equiv.records.record import Record
from equiv.show.page import Grid, Headline


def standing(*records: Record) -> Standing:
    found = Standing()
    for record in records:
        found.add(record)
    return found


def test_what_has_no_score_counts_as_not_right() -> None:
    found = standing(result_record(), result_record("undecided"), result_record("invalid"))
    (headline,) = found.blocks()
    assert isinstance(headline, Headline)
    assert headline.verdict.startswith("score 33.3 [")
    assert "EX not measured" in headline.rest
    assert "undecided 33.3 % (1)" in headline.rest


def test_execution_that_could_not_be_measured_is_told() -> None:
    (headline,) = standing(result_record(ex={"ex-bird": True}), result_record(ex={"ex-bird": None})).blocks()
    assert isinstance(headline, Headline)
    assert "EX 50.0 [" in headline.rest
    assert "(1 not measured) % by ex-bird" in headline.rest


def test_systems_stand_side_by_side_and_each_must_reach_the_threshold() -> None:
    records = [result_record(source="good"), result_record("not_equivalent", source="bad")]
    found = standing(*records, result_record(source="bad", db_id="farm"))
    grid = next(block for block in found.blocks() if isinstance(block, Grid))
    assert grid.columns == ("", "good", "bad")
    assert grid.rows[0] == ("items", "1", "2")
    assert found.below(50) == []
    assert [line.split()[0] for line in found.below(50.1)] == ["bad"]
    by_database = next(b for b in found.blocks() if isinstance(b, Grid) and "database" in b.title)
    assert [(*row[:1], row[1] == "-") for row in by_database.rows] == [("zoo", False), ("farm", True)]


def test_faults_are_told_by_kind_with_ids_or_databases() -> None:
    faults = [Fault(FaultKind.NO_DATABASE, "none"), Fault(FaultKind.REPEATED_ID, "twice")]
    items = [Item("m", n, "gone", "a", "b", faults=tuple(faults[: n % 3])) for n in range(30)]
    (grid,) = faults_grid(items)
    assert isinstance(grid, Grid)
    assert grid.title.startswith("faults of the input: 20 of 30 items")
    assert [(row[0], row[1], row[3]) for row in grid.rows] == [
        ("no_database", "20", "gone"),
        ("repeated_id", "10", "2, 5, 8, 11, 14, 17, 20, 23 and 2 more"),
    ]
    assert faults_grid(items[:1]) == []
