"""Recorded scores, the gap between metrics, and interactions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.result_records import result_record

from equiv import cli
from equiv.errors import InputError
from equiv.eval.metrics.agreement import (
    class_grid,
    gap,
    gap_grids,
    kind_grid,
    metrics_named,
    parted_by_kind,
    read_systems,
    time_grid,
)
from equiv.eval.metrics.scores import Measured, by_verdict, pair_of, read_scores
from equiv.eval.report import interaction_grid, turn_grid
from equiv.records.record import Record


def written(path: Path, entries: list[dict[str, Any]], *, lines: bool = True) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(e) + "\n" for e in entries) if lines else json.dumps(entries))
    return path


def known(measures: list[Measured]) -> dict[str, dict[str, bool]]:
    """Scores by metric, then by question and prediction."""
    return {m.name: {f"{p[1]} {p[3]}": score for p, score in m.scores.items()} for m in measures}


def test_judgements_are_joined_by_question(tmp_path: Path) -> None:
    records = [result_record(question_id=n) for n in (1, 2, "1")]
    lines: list[dict[str, Any]] = [
        {"model": "o3", "metric": "ROSE", "question_id": 1, "score": 1.0},
        {"model": "o3", "metric": "ROSE", "question_id": 2, "score": 0.0},
        {"model": "o3", "metric": "ROSE", "question_id": 3, "score": 1.0},
        {"model": "decisive", "metric": "EX", "question_id": "1", "score": None},
        {"model": "decisive", "metric": "EX", "question_id": 2, "score": 0.5},
    ]
    found = known(read_scores([written(tmp_path / "j.jsonl", lines)], records))
    assert found == {
        "recorded ROSE, o3": {"1 SELECT 2": True, "2 SELECT 2": False},
        "recorded EX, decisive": {"2 SELECT 2": False},
    }


def test_what_fits_several_predictions_is_no_ones_score(tmp_path: Path) -> None:
    records = [result_record(predicted_sql=sql) for sql in ("SELECT 2", "SELECT 3")]
    line = {"model": "m", "metric": "X", "question_id": 1, "score": 1}
    assert known(read_scores([written(tmp_path / "j.jsonl", [line])], records)) == {"recorded X, m": {}}


def test_a_score_recorded_twice_must_be_the_same(tmp_path: Path) -> None:
    line = {"model": "m", "metric": "X", "question_id": 1, "score": 1}
    path = written(tmp_path / "j.jsonl", [line, line | {"score": 0}, line])
    assert known(read_scores([path], [result_record()])) == {"recorded X, m": {}}
    same = written(tmp_path / "same.jsonl", [line, line])
    assert known(read_scores([same], [result_record()])) == {"recorded X, m": {"1 SELECT 2": True}}


def test_pairs_are_joined_by_method_id_and_texts(tmp_path: Path) -> None:
    records = [result_record(source=source) for source in ("a", "b")]
    line = {"question_id": 1, "gold_sql": "SELECT 1", "predicted_sql": "SELECT 2", "rose_score": 1.0}
    lines = [
        line | {"method": "a", "ex_score": 0.0},
        line | {"method": "b", "gold_sql": "SELECT 9", "ex_score": 1.0},
    ]
    (rose, ex) = read_scores([written(tmp_path / "pairs.jsonl", lines)], records)
    assert (rose.name, ex.name) == ("recorded rose", "recorded ex")
    assert rose.scores == {pair_of(records[0]): True}
    assert ex.scores == {pair_of(records[0]): False}


def test_results_of_rose_are_called_by_their_folders(tmp_path: Path) -> None:
    entry = {"question_id": 1, "gold_sql": "SELECT 1", "predicted_sql": "SELECT 2", "score": 1.0}
    path = written(tmp_path / "o3" / "FLEX" / "eval_results.json", [entry], lines=False)
    assert known(read_scores([path], [result_record()])) == {"recorded FLEX, o3": {"1 SELECT 2": True}}


@pytest.mark.parametrize("entry", [{"question_id": 1}, {"score": 1}, {"question_id": 1, "sql": "x"}])
def test_other_files_are_refused(tmp_path: Path, entry: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="no recorded score"):
        read_scores([written(tmp_path / "x.jsonl", [entry])], [])


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.integers(0, n), st.just(n))))
def test_a_gap_lies_in_its_interval_and_turns_round(counts: tuple[int, int, int]) -> None:
    one, other, total = counts
    if one + other > total:
        return
    middle, low, high = gap(one, other, total)
    assert -1 <= low <= middle <= high <= 1
    assert gap(other, one, total) == pytest.approx((-middle, -high, -low))


def test_a_gap_by_hand() -> None:
    records = [
        result_record(verdict, question_id=n, difficulty=difficulty)
        for n, (verdict, difficulty) in enumerate(
            [
                ("equivalent", "easy"),
                ("not_equivalent", "easy"),
                ("not_equivalent", "hard"),
                ("undecided", "hard"),
            ]
        )
    ]
    other = Measured("judge", dict.fromkeys(map(pair_of, records), True))
    whole, by_difficulty = gap_grids(records, other, by_verdict(records))
    # The undecided pair has no answer of both. Standard error: sqrt(2 - 4/3) / 3.
    assert whole.rows == (("all", "3", "100.0", "33.3", "+66.7 [+13.3, +100.0]", "2", "0"),)
    assert by_difficulty.title == "the gap by difficulty: percent"
    assert [(row[0], row[1], row[3], row[5], row[6]) for row in by_difficulty.rows] == [
        ("easy", "2", "50.0", "1", "0"),
        ("hard", "1", "0.0", "1", "0"),
    ]
    assert gap_grids(records, Measured("none", {}), other) == []


def test_a_gap_names_two_metrics_that_exist() -> None:
    measures = [Measured("a", {}), Measured("b, c", {})]
    assert metrics_named("a : b, c", measures) == (measures[0], measures[1])
    for text in ("a", "a:x", "a:b, c:a"):
        with pytest.raises(InputError, match="--gap"):
            metrics_named(text, measures)


def talk(number: int, *verdicts: str) -> list[Record]:
    return [
        result_record(verdict, question_id=f"{number}.{turn}", interaction=number)
        for turn, verdict in enumerate(verdicts)
    ]


def test_an_interaction_is_right_if_each_question_is() -> None:
    right, wrong = "equivalent", "not_equivalent"
    records = [*talk(1, right, right), *talk(2, right, wrong), *talk(3, right, right, right, right, wrong)]
    records.append(result_record(wrong, question_id="alone"))
    measured = by_verdict(records)
    grid = interaction_grid(records, [measured])
    assert grid is not None
    ((system, questions, interactions, by_question, by_interaction),) = grid.rows
    assert (system, questions, interactions) == ("system", "9", "3")
    assert by_question.startswith("77.8 [")
    assert by_interaction.startswith("33.3 [")
    turns = turn_grid(records, [measured])
    assert turns is not None
    assert [(row[0], row[1], row[2].partition(" ")[0]) for row in turns.rows] == [
        ("turn 1", "3", "100.0"),
        ("turn 2", "3", "66.7"),
        ("turn 3", "1", "100.0"),
        ("turn 4", "1", "100.0"),
        ("turn > 4", "1", "0.0"),
    ]
    alone = records[-1:]
    assert interaction_grid(alone, [measured]) is turn_grid(alone, [measured]) is None


def test_blank_lines_of_gold_files_part_interactions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "zoo.sql").write_text("CREATE TABLE animal (id INTEGER PRIMARY KEY, name TEXT)")
    gold, pred, out = (tmp_path / name for name in ("gold.txt", "pred.txt", "out.jsonl"))
    gold.write_text("SELECT 1\tzoo\nSELECT 2\tzoo\n\nSELECT 3\tzoo\n")
    pred.write_text("SELECT 1\nSELECT 9\n\nSELECT 3\n")
    options = ("--gold", str(gold), "--format", "spider", "--schema", str(tmp_path / "zoo.sql"))
    assert cli.run(["eval", str(pred), *options, "--out", str(out)]) == 0
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert [record["interaction"] for record in sorted(records, key=lambda r: r["question_id"])] == [0, 0, 1]
    scores = written(
        tmp_path / "s.jsonl",
        [{"metric": "X", "model": "m", "question_id": n, "score": 1} for n in range(3)],
    )
    capsys.readouterr()
    assert cli.run(["report", str(out), "--scores", str(scores), "--gap", "recorded X, m:equiv"]) == 0
    shown = capsys.readouterr().out
    assert "questions and interactions right" in shown
    assert "the gap between recorded X, m and equiv" in shown
    assert cli.run(["report", str(out), "--gap", "equiv"]) == 2


def test_a_gold_file_without_blank_lines_has_no_interactions(tmp_path: Path) -> None:
    (tmp_path / "zoo.sql").write_text("CREATE TABLE animal (id INTEGER PRIMARY KEY, name TEXT)")
    gold, pred, out = (tmp_path / name for name in ("gold.txt", "pred.txt", "out.jsonl"))
    gold.write_text("SELECT 1\tzoo\n")
    pred.write_text("SELECT 1\n")
    options = ("--gold", str(gold), "--format", "spider", "--schema", str(tmp_path / "zoo.sql"))
    assert cli.run(["eval", str(pred), *options, "--out", str(out)]) == 0
    assert json.loads(out.read_text())["interaction"] is None


def told(
    number: int, source: str, scores: tuple[int, int], reply: dict[str, Any], level: str = "easy"
) -> Any:
    """A record with the score of a judge, an execution accuracy and what the Refuter said."""
    record = result_record(question_id=number, source=source, difficulty=level)
    return record | {"score": scores[0], "ex": {"ex-bird": bool(scores[1])}, "refuter_result": reply}


FINE: dict[str, Any] = {"overturn": False, "gold_correct": True, "ambiguity": "none"}
GOLD_WRONG = FINE | {"gold_correct": False}
BOTH_WRONG = GOLD_WRONG | {"ambiguity": "question"}


@pytest.fixture
def parting() -> tuple[list[Any], Measured, Measured]:
    """Two systems: one whose disagreements are the gold query's fault, and one without any."""
    records = [
        told(1, "old", (1, 1), FINE),
        told(2, "old", (0, 0), GOLD_WRONG),
        told(1, "new", (1, 0), GOLD_WRONG),
        told(2, "new", (1, 0), BOTH_WRONG),
        told(3, "new", (0, 1), FINE, "hard"),
        told(4, "new", (1, 1), FINE, "hard"),
    ]
    judge = Measured("judge", {pair_of(r): r["score"] == 1 for r in records})
    return records, judge, Measured("ex-bird", {pair_of(r): r["ex"]["ex-bird"] for r in records})


def test_disagreements_by_what_the_refuter_says(parting: Any) -> None:
    records, judge, ex = parting
    found = parted_by_kind(records, judge, ex)
    assert {name: (own.pairs, own.discordant) for name, own in found.items()} == {
        "all": (6, 3),
        "gold query wrong": (3, 2),
        "question ambiguous": (1, 1),
        "either": (3, 2),
    }
    assert found["gold query wrong"].share == found["gold query wrong"].rate == 2 / 3
    grid = kind_grid(records, judge, ex)
    assert grid is not None
    assert grid.rows[0][:6] == ("all", "6", "3", "50.00", "66.67", "66.67 of 3")
    assert [row[0] for row in grid.rows] == ["all", "old", "new"]
    assert kind_grid([result_record()], judge, ex) is None


def test_gaps_by_class_and_over_time(parting: Any, tmp_path: Path) -> None:
    records, judge, ex = parting
    table = tmp_path / "systems.csv"
    table.write_text("system,class,date\nnew,prompting,2025-03\nold,fine-tuned,2023-02\nother,x,2020\n")
    systems = read_systems(table)
    by_class, by_time = class_grid(records, judge, ex, systems), time_grid(records, judge, ex, systems)
    # new: easy +1, hard (0 - 1 + 0) / 2; in all (1 + 1 - 1 + 0) / 4.
    assert by_class.columns == ("class", "systems", "all", "easy", "hard")
    assert by_class.rows == (
        ("fine-tuned", "1", "+0.00", "+0.00", "-"),
        ("prompting", "1", "+25.00", "+100.00", "-50.00"),
    )
    assert by_time.rows == (
        ("2023-02", "old", "fine-tuned", "+0.00"),
        ("2025-03", "new", "prompting", "+25.00"),
    )


@pytest.mark.parametrize("text", ["", "system,class\na,b\n", 'system,class,date\n"a,b\n'])
def test_a_table_of_systems_has_three_columns(text: str, tmp_path: Path) -> None:
    table = tmp_path / "systems.csv"
    table.write_text(text)
    with pytest.raises(InputError, match=r"systems\.csv"):
        read_systems(table)


def test_the_figures_of_rose_in_a_report(
    parting: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scores = tmp_path / "scores.jsonl"
    fields = ("question_id", "source", "predicted_sql", "gold_sql", "db_id")
    scores.write_text(
        "".join(
            json.dumps({name: r[name] for name in fields} | {"metric": "R", "score": r["score"]}) + "\n"
            for r in parting[0]
        )
    )
    results = tmp_path / "results.jsonl"
    results.write_text("".join(json.dumps(record) + "\n" for record in parting[0]))
    table = tmp_path / "systems.csv"
    table.write_text("system,class,date\nnew,prompting,2025-03\nold,fine-tuned,2023-02\n")
    gap_of = ("--scores", str(scores), "--gap", "recorded R:ex-bird", "--systems", str(table))
    assert cli.run(["report", str(results), *gap_of]) == 0
    shown = capsys.readouterr().out
    for figure in ("(ROSE, figure 3)", "(ROSE, figure 4)", "(ROSE, figure 5)"):
        assert figure in shown
    assert "| 2025-03 | new    | prompting  | +25.00 |" in shown
