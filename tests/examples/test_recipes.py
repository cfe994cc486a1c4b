"""The recipes in ``examples/`` run: what needs a library where it is installed, the rest in any case."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import duckdb
import pytest

from equiv.core.connection import name_of

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
DDL = "CREATE TABLE hero (id INTEGER PRIMARY KEY, name TEXT, power INTEGER);\n"
GOLD = "SELECT name FROM hero WHERE power IN (7, 9)"
RIGHT = "```sql\nSELECT name FROM hero WHERE power = 9 OR power = 7\n```"
WRONG = "SELECT name FROM hero WHERE power = 9"


def recipe(name: str) -> ModuleType:
    """The module of a recipe."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shell(*words: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A command with this environment's ``equiv`` on the path, and no settings of the user's."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {"PATH": path, "HOME": str(folder), "LC_ALL": "C.UTF-8", **variables}
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("output", "says"),
    [
        (RIGHT, "equivalent rules"),
        (WRONG, "not_equivalent generate"),
        ("SELECT nmae FROM hero", "invalid parse"),
    ],
)
def test_promptfoo_is_told_what_the_verdict_is(output: str, says: str) -> None:
    context = {"vars": {"gold_sql": GOLD, "db": DDL}, "config": {"relation": "bird"}}
    result = recipe("promptfoo_assert").get_assert(output, context)
    assert result["reason"].startswith(says)
    assert result["pass"] is (output == RIGHT)
    assert result["score"] == float(output == RIGHT)


def test_promptfoo_configuration_names_the_file_and_what_it_reads() -> None:
    text = (EXAMPLES / "promptfooconfig.yaml").read_text()
    (named,) = re.findall(r"file://(\S+)", text)
    assert (EXAMPLES / named).is_file()
    assert {"gold_sql", "db", "question"} <= set(re.findall(r"^ +(\w+):", text, re.MULTILINE))


def test_inspect_ai_scores_a_reply(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    inspect_ai = pytest.importorskip("inspect_ai", reason="inspect-ai is not installed")
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    monkeypatch.chdir(tmp_path)
    outputs = [ModelOutput.from_content("mockllm/model", text) for text in (RIGHT, WRONG)]
    for output in outputs:
        output.usage = ModelUsage()  # else a tokeniser is fetched to count
    model = get_model("mockllm/model", custom_outputs=outputs)
    task = recipe("inspect_ai_scorer").heroes()
    found = []
    for _ in outputs:
        (log,) = inspect_ai.eval(task, model=model, log_dir=str(tmp_path), display="none")
        assert log.status == "success"
        found.append(log.samples[0].scores["equivalent_sql"].value)
    assert found == ["C", "I"]


def test_deepeval_measures_a_case() -> None:
    pytest.importorskip("deepeval", reason="DeepEval is not installed")
    from deepeval.test_case import LLMTestCase

    metric = recipe("deepeval_metric").EquivalentSQL(DDL)
    assert metric.measure(LLMTestCase(input="?", actual_output=RIGHT, expected_output=GOLD)) == 1.0
    assert metric.is_successful()
    wrong = LLMTestCase(input="?", actual_output=WRONG, expected_output=GOLD)
    assert asyncio.run(metric.a_measure(wrong)) == 0.0
    assert not metric.is_successful()
    assert "not_equivalent" in metric.reason


def test_ragas_scores_a_response() -> None:
    pytest.importorskip("ragas", reason="ragas is not installed")
    metric = recipe("ragas_metric").equivalent_sql
    assert metric.score(response=RIGHT, reference=GOLD, db=DDL).value == "equivalent"
    wrong = metric.score(response=WRONG, reference=GOLD, db=DDL)
    assert (wrong.value, wrong.reason.split()[0]) == ("not_equivalent", "generate")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository in which a branch rewrites a query rightly, one wrongly, and adds one."""
    folder = tmp_path / "shop"
    (folder / "queries").mkdir(parents=True)
    (folder / "schema.sql").write_text(DDL)
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")

    def commit(**queries: str) -> None:
        for name, text in queries.items():
            (folder / "queries" / f"{name}.sql").write_text(text + "\n")
        for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "queries")):
            done = shell(*git, *words, folder=folder)
            assert done.returncode == 0, done.stderr

    commit(strong=GOLD, all=GOLD, untouched="SELECT id FROM hero")
    done = shell(*git, "checkout", "-qb", "rewritten", folder=folder)
    assert done.returncode == 0, done.stderr
    commit(strong="SELECT name FROM hero WHERE power = 9 OR power = 7", all=WRONG, added="SELECT 1")
    return folder


@pytest.mark.long
def test_rewritten_queries_of_a_branch_are_checked(repository: Path, tmp_path: Path) -> None:
    script, summary = str(EXAMPLES / "check_rewrites.sh"), tmp_path / "summary.md"
    done = shell(
        *("bash", script, "main", "schema.sql", "queries"),
        folder=repository,
        GITHUB_STEP_SUMMARY=str(summary),
        EQUIV_OPTIONS="--effort quick --no-conditions",
    )
    assert done.returncode == 1, done.stderr
    rows = dict(line.strip("| ").split(" | ", 1) for line in summary.read_text().splitlines()[2:])
    assert {name: said.split()[0] for name, said in rows.items()} == {
        "queries/added.sql": "new:",
        "queries/all.sql": "not_equivalent",
        "queries/strong.sql": "equivalent",
    }
    assert "INSERT INTO hero" in done.stdout
    alone = shell("bash", script, "main", "schema.sql", "queries/added.sql", folder=repository)
    assert alone.returncode == 0
    assert shell("bash", script, "nowhere", "schema.sql", folder=repository).returncode != 0


MODEL = """with orders as (select * from "jaffle"."{main}"."raw_orders")
select "orders"."id" as order_id from orders where {condition}"""
TABLES = """CREATE TABLE raw_orders (id INTEGER PRIMARY KEY, status VARCHAR);
CREATE TABLE far (id INTEGER);"""


@pytest.mark.long
@pytest.mark.parametrize("dialect", ["file", "duckdb", "postgres"])
def test_models_as_dbt_compiles_them(dialect: str, tmp_path: Path) -> None:
    schema = tmp_path / ("jaffle.duckdb" if dialect == "file" else "schema.sql")
    if dialect == "file":
        with duckdb.connect(str(schema)) as connection:
            connection.execute(f"{TABLES} INSERT INTO raw_orders VALUES (1, 'placed'), (2, 'lost')")
    else:
        schema.write_text(TABLES)
    for folder, conditions in (
        ("before", ("status = 'a' or status = 'b'", "status <> 'lost'", "true")),
        ("after", ("status in ('b', 'a')", "not status = 'placed'", "true", "false")),
    ):
        models = tmp_path / folder / "models" / "staging"
        models.mkdir(parents=True)
        main = "public" if dialect == "postgres" else "main"
        for name, condition in zip(("right", "wrong", "untouched", "added"), conditions, strict=False):
            (models / f"{name}.sql").write_text(MODEL.format(main=main, condition=condition))
    (tmp_path / "before" / "models" / "dropped.sql").write_text("SELECT 1")
    options = "" if dialect == "file" else f"--dialect {dialect} "
    done = shell(
        *("bash", str(EXAMPLES / "check_rewrites.sh"), "before/models", schema.name, "after/models"),
        folder=tmp_path,
        GITHUB_STEP_SUMMARY=str(tmp_path / "summary.md"),
        EQUIV_OPTIONS=f"{options}--effort quick --no-conditions",
    )
    assert done.returncode == 1, done.stderr
    table = (tmp_path / "summary.md").read_text().splitlines()[2:]
    rows = dict(line.strip("| ").split(" | ", 1) for line in table)
    assert {name: said.split()[0] for name, said in rows.items()} == {
        "dropped.sql": "gone:",
        "staging/added.sql": "new:",
        "staging/right.sql": "equivalent",
        "staging/wrong.sql": "not_equivalent",
    }


def test_workflow_runs_the_script_with_options_that_exist() -> None:
    text = (EXAMPLES / "check_rewrites.yml").read_text()
    runs = re.findall(r"- run: (.+)", text)
    (step,) = (line for line in runs if "check_rewrites.sh" in line)
    assert re.fullmatch(r'bash scripts/check_rewrites\.sh "\$BASE" \S+ \S+', step)
    assert "BASE: ${{ github.event.pull_request.base.sha }}" in text
    assert "fetch-depth: 0" in text
    assert any("./.equiv" in line for line in runs)
    if importlib.util.find_spec("yaml"):
        import yaml

        job = yaml.safe_load(text)["jobs"]["equivalence"]
        assert [one["run"] for one in job["steps"] if "run" in one] == runs


@pytest.mark.long
def test_shards_of_a_job_array_merge_to_the_whole(tmp_path: Path) -> None:
    pairs = [
        {
            "question_id": i,
            "db_id": "hero",
            "predicted_sql": f"SELECT id FROM hero WHERE {i} = id",
            "gold_sql": gold,
        }
        for i, gold in enumerate(f"SELECT id FROM hero WHERE id = {i}" for i in range(6))
    ]
    (tmp_path / "pairs.json").write_text(json.dumps(pairs))
    (tmp_path / "ddl").mkdir()
    (tmp_path / "ddl" / "hero.sql").write_text(DDL)
    (tmp_path / "parts").mkdir()
    script = (EXAMPLES / "slurm_shards.sh").read_text()
    assert {"--array=1-8", "--cpus-per-task=4"} <= set(re.findall(r"^#SBATCH (\S+)", script, re.MULTILINE))
    for number in (1, 2):
        done = shell(
            *(
                "bash",
                str(EXAMPLES / "slurm_shards.sh"),
                "pairs.json",
                "--schema",
                "ddl",
                "--effort",
                "quick",
            ),
            folder=tmp_path,
            SLURM_ARRAY_TASK_ID=str(number),
            SLURM_ARRAY_TASK_COUNT="2",
        )
        assert done.returncode == 0, done.stderr
    (merge,) = re.findall(r"--wrap='(.+)'", script)
    done = shell("bash", "-c", merge, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert {record["question_id"]: record["verdict"] for record in records} == dict.fromkeys(
        range(6), "equivalent"
    )
    assert all((tmp_path / "parts" / f"part-{number}.jsonl").read_text() for number in (1, 2))


def test_every_recipe_is_on_the_page() -> None:
    page = (EXAMPLES / "README.md").read_text()
    recipes = [
        path.name for path in EXAMPLES.iterdir() if path.suffix not in (".sql", ".md") and path.is_file()
    ]
    assert len(recipes) == 9
    assert [name for name in recipes if f"({name})" not in page] == []


def test_the_urls_of_the_composed_server_are_those_of_its_database() -> None:
    text = (EXAMPLES / "compose.yaml").read_text(encoding="utf-8")
    set_to = dict(re.findall(r"POSTGRES_(USER|PASSWORD|DB): (\w+)", text))
    urls = set(re.findall(r"postgresql://\S+", text))
    assert urls == {f"postgresql://{set_to['USER']}:{set_to['PASSWORD']}@localhost:5432/{set_to['DB']}"}
    assert {name_of(url) for url in urls} == {set_to["DB"]}
