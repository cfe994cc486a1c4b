"""The first lines: shares of what was measured, a fact a line, and no system forgotten."""

from __future__ import annotations

from kit.result_records import result_record

from equiv.eval.summary import Standing, faults_grid
from equiv.records.record import Fault, FaultKind, Item, Record
from equiv.show.page import Grid, Headline, Text


def standing(*records: Record) -> Standing:
    found = Standing()
    for record in records:
        found.add(record)
    return found


def lines(*records: Record) -> list[str]:
    blocks = standing(*records).blocks()
    assert isinstance(blocks[0], Headline)
    first = f"{blocks[0].verdict}  {blocks[0].rest}"
    return [first, *(block.text for block in blocks if isinstance(block, Text))]


def test_what_has_no_score_is_no_miss_and_is_told() -> None:
    told = lines(result_record(), result_record("undecided"), result_record("invalid"))
    assert told == [
        "score 50.0 [9.5, 90.5] %  1 right of 2 scored (with 95 % intervals)",
        "without score: 1 item; of all 3 between 33.3 and 66.7 %, as they turn out",
        "EX: not measured",
        "undecided: 1 (33.3 %), by database: zoo 1",
        "relation: bag, rows with duplicates",
        "no judge: a score of 1 is a proof",
    ]
    assert lines(result_record("undecided"))[0] == "score -  0 right of 0 scored (with 95 % intervals)"


def test_execution_that_could_not_be_measured_is_told() -> None:
    told = lines(
        result_record(ex={"ex-bird": True}),
        result_record(question_id=2, ex={"ex-bird": None}),
        result_record("undecided", question_id=3, ex={"ex-bird": True}),
    )
    assert "EX 100.0 [34.2, 100.0] %: 2 equal of 2 measured, by ex-bird" in told
    assert "EX not measured: 1 item; of all 3 between 66.7 and 100.0 %, as they turn out" in told
    assert "on the 1 item that have both: score 100.0 %, EX 100.0 %" in told


def test_the_threshold_is_held_against_all_items() -> None:
    found = standing(result_record(), result_record("undecided", question_id=2))
    assert found.below(50) == []
    assert found.below(51) == ["system (50.0 % of all 2 items)"]


def test_systems_are_compared_on_the_items_that_all_have() -> None:
    better = [result_record(source="a", question_id=n) for n in range(12)]
    worse = [result_record("not_equivalent", source="b", question_id=n) for n in range(10)]
    open_ones = [result_record("undecided", source="b", question_id=n) for n in (10, 11)]
    grids = {b.title: b for b in standing(*better, *worse, *open_ones).blocks() if isinstance(b, Grid)}
    common = grids["on the items that every system has, percent"]
    assert common.rows == (("score", "10", "100.0 [72.2, 100.0]", "0.0 [0.0, 27.8]"),)
    (difference,) = grids["differences on the items that both have (McNemar's exact test)"].rows
    assert difference == (
        *("score", "a", "b", "10", "+100.0 [+100.0, +100.0]", "10", "0", "p = 0.002"),
        "a real difference",
    )


def test_systems_stand_side_by_side_and_each_must_reach_the_threshold() -> None:
    records = [result_record(source="good"), result_record("not_equivalent", source="bad")]
    found = standing(*records, result_record(source="bad", db_id="farm"))
    grid = next(block for block in found.blocks() if isinstance(block, Grid))
    assert grid.columns[:2] == ("system", "items")
    assert [row[:2] for row in grid.rows] == [("good", "1"), ("bad", "2")]
    first = found.blocks()[0]
    assert isinstance(first, Headline)
    assert "%" not in first.verdict, "three answers to two questions are not three questions"
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
