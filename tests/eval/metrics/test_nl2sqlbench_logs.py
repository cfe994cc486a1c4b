"""NL2SQLBench from the logs of modules, in our form and the papers', to nodes, pairs and tables."""

from __future__ import annotations

import json
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from equiv import cli
from equiv.errors import InputError
from equiv.eval.reading.formats import read_items
from equiv.eval.reading.nl2sqlbench import items_of, read_nodes

pytestmark = pytest.mark.long

GOLD = "SELECT name FROM animal WHERE legs = 4"
NODES: list[dict[str, Any]] = [
    {
        "node_type": "schema_selection",
        "extracted_schema": {"Animal": ["name", "id"], "keeper": []},
        "token_cost": 1000,
        "llm_calls": 1,
    },
    {
        "node_type": "candidate_generation",
        "SQL": ["SELECT name FROM animal", "SELECT name FROM animal WHERE 4 = legs"],
        "prompt_tokens": 300,
        "completion_tokens": 100,
        "llm_calls": 2,
    },
    {
        "node_type": "query_revision",
        "PREDICTED_SQL": "SELECT name FROM animal WHERE legs IN (4)",
        "cost": 0.25,
    },
]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """One question to a system, in NL2SQLBench's form, and to another that samples."""
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
    shared = {"question_id": 7, "db_id": "zoo", "GOLD_SQL": GOLD, "question": "Which have four legs?"}
    (one / "7_zoo.json").write_text(json.dumps([shared | node for node in NODES]))
    sampled = {"question_id": 7, "db_id": "zoo", "SQL": GOLD, "pred_sqls": ["SELEC", GOLD]}
    (other / "samples.jsonl").write_text(json.dumps(sampled) + "\n")
    (tmp_path / "zoo.sql").write_text("CREATE TABLE animal (id INTEGER PRIMARY KEY, name TEXT, legs INTEGER)")
    return tmp_path


def test_logs_are_collected_into_nodes_and_pairs(logs: Path) -> None:
    nodes = list(read_nodes([logs / "one", logs / "other" / "samples.jsonl"]))
    assert [(node.system, node.module.value) for node in nodes] == [
        ("one", "schema_selection"),
        ("one", "candidate_generation"),
        ("one", "query_revision"),
        ("other", "candidate_generation"),
    ]
    assert nodes[0].schema == {"animal": frozenset({"name", "id"}), "keeper": frozenset()}
    assert [(node.tokens, node.calls, node.cost) for node in nodes[:3]] == [
        (1000, 1, 0),
        (400, 2, 0),
        (0, 0, 0.25),
    ]
    assert [item.source for item in items_of(nodes)] == ["one"] * 3 + ["other"] * 2
    assert {item.gold_sql for item in items_of(nodes)} == {GOLD}


@pytest.mark.parametrize(
    "entry", ["[1]", '[{"db_id": "zoo"}]', '[{"node_type": "dance", "question_id": 1, "db_id": "zoo"}]']
)
def test_a_log_of_another_form_is_refused(entry: str, tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(entry)
    with pytest.raises(InputError, match=r"log\.json: entry 0"):
        list(read_nodes([path]))


def test_from_logs_to_tables(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema, out = ("--schema", str(logs / "zoo.sql")), logs / "out.jsonl"
    folders = (str(logs / "one"), str(logs / "other"))
    assert cli.run(["eval", *folders, "--format", "nodes", *schema, "--out", str(out)]) == 0
    capsys.readouterr()
    nodes = ("--nodes", folders[0], "--nodes", folders[1], "--max-calls", "2")
    assert cli.run(["report", str(out), *schema, *nodes]) == 0
    shown = capsys.readouterr().out
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in shown.splitlines()]
    # Tables: animal of animal, keeper. Columns: name of name, legs; name, id were selected.
    selected = ["50.00", "100.00", "66.67", "50.00", "50.00", "50.00"]
    assert ["one", "1", *selected, "1,000.00", "1.00", "0.0000"] in rows
    rates_of = {row[0]: row[3:11] for row in in_table(shown, "candidate generation, the first")}
    assert rates_of["one"] == ["0.00", "100.00", "0.00", "0.00", "0.00", "0.00", "0.00", "0.00"]
    assert rates_of["other"] == ["0.00", "0.00", "100.00", "0.00", "0.00", "100.00", "0.00", "0.00"]
    assert ["one", "0.00", "100.00", "100.00", "100.00", "100.00"] in rows
    # From wrong to right: nothing was right before, so that there is no CI.
    assert ["one", "1", "-", "100.00", "-", "-", "-", "0.00", "0.00", "0.2500"] in rows
    # Right in the end, but by three calls.
    assert ["one", "1", "100.00", "0.00", "1,400.00", "3.00", "0.2500"] in rows
    assert ["1 of 2", "1"] in rows


def in_table(shown: str, title: str) -> list[list[str]]:
    """The rows of the table of that title, without its head."""
    below = shown[shown.index(title) :].splitlines()[1:]
    lines = takewhile(lambda line: line[:1] in ("+", "|"), below)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line[0] == "|"]
    return rows[1:]


PAPERS_FORM = [
    {"question": "Which have four legs?", **NODES[0]},
    {"question": "Which have four legs?", **NODES[1], "SQL": NODES[1]["SQL"][0]},
    {"question": "Which  have four LEGS?", "node_type": "query_revision", "SQL": GOLD, "llm_calls": 1},
    {"question": "How many legs?", "node_type": "candidate_generation", "SQL": "SELECT legs FROM animal"},
]
"""As in the paper's appendix A.1: no id, no database, no gold query."""

QUESTIONS = [
    {
        "question_id": 7,
        "db_id": "zoo",
        "question": "Which have four legs?",
        "SQL": GOLD,
        "difficulty": "simple",
    },
    {"question_id": 8, "db_id": "zoo", "question": "How many legs?", "SQL": "SELECT SUM(legs) FROM animal"},
    {"question_id": 9, "db_id": "zoo", "question": "Who is first?", "SQL": "SELECT MIN(name) FROM animal"},
]


@pytest.fixture
def papers_form(logs: Path) -> Path:
    (logs / "din").mkdir()
    (logs / "din" / "log.json").write_text(json.dumps(PAPERS_FORM))
    (logs / "dev.json").write_text(json.dumps(QUESTIONS))
    return logs


def test_the_papers_own_form_takes_its_questions_from_the_gold_file(
    papers_form: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    schema, out = ("--schema", str(papers_form / "zoo.sql")), papers_form / "out.jsonl"
    log = str(papers_form / "din" / "log.json")
    assert cli.run(["eval", log, "--gold", str(papers_form / "dev.json"), *schema, "--out", str(out)]) == 0
    records = [json.loads(line) for line in out.read_text().splitlines()]
    told = [(r["question_id"], r["db_id"], r["verdict"], r["difficulty"]) for r in records]
    assert told == [
        (7, "zoo", "not_equivalent", "simple"),
        (7, "zoo", "equivalent", "simple"),
        (8, "zoo", "not_equivalent", None),
        (9, "zoo", "invalid", None),  # no module gives a query for it
    ]
    capsys.readouterr()
    assert cli.run(["report", str(out), *schema, "--nodes", log]) == 0
    shown = capsys.readouterr().out
    first = in_table(shown, "candidate generation, the first candidate")
    assert [row[:6] for row in first] == [
        ["din", "all", "3", "0.00", "66.67", "33.33"],
        ["din", "simple", "1", "0.00", "100.00", "0.00"],
    ]
    revised = in_table(shown, "query revision (figures 4, 5, 12 to 15)")
    assert [row[:6] for row in revised] == [
        ["din", "all", "1", "100.00", "0.00", "0.00"],
        ["din", "simple", "1", "100.00", "0.00", "0.00"],
    ]
    both = in_table(shown, "before and after revision (figures 4, 5)")
    assert both == [["din", "1", "0.00", "100.00", "100.00", "0.00", "0.00", "0.00"]]
    # Right in the end: one of three, of which one has no query.
    assert in_table(shown, "end to end")[0][:3] == ["din", "3", "33.33"]


def test_without_a_gold_file_the_papers_own_form_is_one_clear_error(
    papers_form: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = papers_form / "din" / "log.json"
    assert cli.run(["eval", str(log), "--schema", str(papers_form / "zoo.sql")]) == 2
    error = capsys.readouterr().err
    assert "log.json: names its questions by text alone" in error
    assert "--gold" in error


def test_the_gold_queries_of_a_gold_file_count(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Those of the logs may be missing, or older."""
    (logs / "one" / "7_zoo.json").write_text(
        json.dumps([{"question_id": 7, "db_id": "zoo", "GOLD_SQL": "SELECT 1", **node} for node in NODES])
    )
    (logs / "dev.json").write_text(json.dumps(QUESTIONS[:1]))
    out = logs / "out.jsonl"
    command = ["eval", str(logs / "one"), "--format", "nodes", "--gold", str(logs / "dev.json")]
    assert cli.run([*command, "--schema", str(logs / "zoo.sql"), "--out", str(out)]) == 0
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert {r["gold_sql"] for r in records} == {GOLD}
    assert [r["verdict"] for r in records] == ["not_equivalent", "equivalent", "equivalent"]
    (logs / "dev.json").write_text(json.dumps([{**QUESTIONS[1], "question_id": 99}]))
    assert cli.run([*command, "--schema", str(logs / "zoo.sql")]) == 2
    assert "has none of its questions" in capsys.readouterr().err


def released(first: str, last: str, *outcomes: tuple[int, str]) -> list[dict[str, Any]]:
    """The log of a question in the form of the paper's code, evaluated."""
    sides = [
        {"exec_res": right, "exec_err": error, "PREDICTED_SQL": sql, "GOLD_SQL": GOLD}
        for (right, error), sql in zip(outcomes, (first, last), strict=True)
    ]
    return [
        {
            "node_type": "schema_extraction",
            "extracted_schema": {"animal": []},
            "real_schema": {"animal": ["name", "legs"]},
            "total_tokens": 10,
            "call_llm_times": 3,
        },
        {"node_type": "candidate_generation", "PREDICTED_SQL": [first, "SELECT 2"], "call_llm_times": 20},
        {"node_type": "align_correct", "PREDICTED_SQL": "SELECT 3", "GOLD_SQL": GOLD},
        {"node_type": "revision", "PREDICTED_SQL": last, "total_tokens": 7},
        {
            "node_type": "evaluation",
            "candidate_generation": sides[0],
            "revision": sides[1],
            "status": "success",
        },
    ]


@pytest.fixture
def released_logs(logs: Path) -> Path:
    wrong, failing = "SELECT name FROM animal", "SELECT nobody FROM animal"
    right, no, error = (1, "--"), (0, "incorrect answer"), (0, "no such column: nobody")
    told = {
        "c3": [released(wrong, GOLD, no, right), released(failing, failing, error, error)],
        "e": [released(wrong, wrong, no, no), released(GOLD, wrong, right, no)],
    }
    for method, questions in told.items():
        folder = logs / method / "deepseek"
        folder.mkdir(parents=True)
        (folder / "-statistics.json").write_text("{}")
        for number, nodes in zip((7, 8), questions, strict=True):
            (folder / f"{number}_zoo.json").write_text(json.dumps(nodes))
    return logs


def test_logs_of_the_papers_code_are_read_by_their_names(released_logs: Path) -> None:
    nodes = list(read_nodes([released_logs / "c3" / "deepseek", released_logs / "e" / "deepseek"]))
    assert {node.system for node in nodes} == {"c3/deepseek", "e/deepseek"}
    assert {node.place[1:] for node in nodes} == {("zoo", "7"), ("zoo", "8")}
    assert {node.gold_sql for node in nodes} == {GOLD}
    first = [(node.module.value, node.tokens, node.calls) for node in nodes[:3]]
    assert first == [
        ("schema_selection", 10, 3),
        ("candidate_generation", 0, 20),
        ("query_revision", 7, 0),
    ]


@pytest.mark.parametrize("by", ["equiv", "logs"])
def test_logs_of_the_papers_code_to_its_figures(
    by: str, released_logs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    schema, out = ("--schema", str(released_logs / "zoo.sql")), released_logs / "out.jsonl"
    folders = [str(released_logs / method / "deepseek") for method in ("c3", "e")]
    assert cli.run(["eval", *folders, "--format", "nodes", *schema, "--out", str(out)]) == 0
    capsys.readouterr()
    nodes = [part for folder in folders for part in ("--nodes", folder)]
    assert cli.run(["report", str(out), *schema, *nodes, "--right-by", by]) == 0
    shown = capsys.readouterr().out
    both = in_table(shown, "before and after revision (figures 4, 5)")
    assert both == [
        ["c3/deepseek", "2", "0.00", "50.00", "50.00", "0.00", "50.00", "50.00"],
        ["e/deepseek", "2", "50.00", "0.00", "50.00", "100.00", "0.00", "0.00"],
    ]
    errors = in_table(shown, "query revision (figures 4, 5, 12 to 15)")
    assert [row[3:8] for row in errors] == [
        ["50.00", "0.00", "50.00", "50.00", "0.00"],
        ["0.00", "100.00", "0.00", "0.00", "0.00"],
    ]
    # Incorrect in the end: nothing of c3, of e both questions.
    assert in_table(shown, "incorrect answers in common (figure 6): overlap")[1][1:] == ["-", "1.00"]
    assert in_table(shown, "questions by how many systems solve them") == [["0 of 2", "1"], ["1 of 2", "1"]]
    selected = in_table(shown, "schema selection (Table 4)")
    # A table without columns: precision, recall and F1 of columns are 0, as in the paper's code.
    assert selected[0][2:8] == ["100.00", "100.00", "100.00", "0.00", "0.00", "0.00"]


def test_logs_named_one_by_one_are_one_system(released_logs: Path) -> None:
    files = sorted((released_logs / "c3" / "deepseek").glob("[78]_zoo.json"))
    (released_logs / "dev.json").write_text(json.dumps(QUESTIONS))
    items = list(read_items(files, released_logs / "dev.json"))
    assert [(item.question_id, bool(item.faults)) for item in items] == [
        *[(7, False)] * 3,
        *[(8, False)] * 2,
        (9, True),
    ]
