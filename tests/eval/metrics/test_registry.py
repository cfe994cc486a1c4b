"""The registry of metrics: what lists, pages and options say comes from it; the recipe works."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.page_blocks import blocks_of
from kit.pages import ROOT
from typer.main import get_command

from equiv import cli
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.errors import InputError
from equiv.eval import worker
from equiv.eval.metrics import registry
from equiv.eval.metrics.metric import EsmSwitches, Metric, Needs
from equiv.eval.metrics.registry import METRICS, execution_metric, metric_named, metrics_of, scored
from equiv.eval.plan import Setting
from equiv.options import Options
from equiv.schema.locate import Place

SCHEMA = load_ddl("CREATE TABLE a (x INT); CREATE TABLE b (x INT);", "one")
SWITCHED = {"disabled": "--disable-rules", "values": "--no-values", "distinct": "--no-distinct"}


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_the_page_has_the_row_of_each_metric(metric: Metric) -> None:
    row = f"| `{metric.name}` | {metric.meaning} | {metric.source} |"
    rows = (ROOT / "docs/metrics.md").read_text(encoding="utf-8").splitlines()
    assert row in rows, f"docs/metrics.md lacks: {row}"


@pytest.mark.parametrize("switch", SWITCHED)
def test_an_option_names_the_metrics_that_heed_it(switch: str) -> None:
    command = get_command(cli.app_of(cli.COMMANDS)).commands["report"]  # type: ignore[attr-defined]
    (option,) = [each for each in command.params if SWITCHED[switch] in each.opts]
    words = option.help.replace(",", " ").replace(".", " ").split()
    told = {metric.name for metric in METRICS if metric.name in words}
    assert told == {metric.name for metric in METRICS if switch in metric.heeds}


def test_switches_make_stale_what_heeds_them() -> None:
    stale = [metric.name for metric in METRICS if not metric.stands(EsmSwitches(distinct=False))]
    assert stale == ["esm", "esm+", "etm", "ex-spider"]


def test_names_are_different_and_lead_to_their_metrics() -> None:
    assert [metric_named(metric.name) for metric in METRICS] == list(METRICS)
    with pytest.raises(InputError, match="no metric 'nope'; choose one of em, esm"):
        metric_named("nope")


def test_each_preset_has_an_execution_accuracy() -> None:
    found = [execution_metric(relation) for relation in ("bird", "spider", "rose", "sql", "bag", "")]
    assert found == ["ex-bird", "ex-spider", "ex-rose", "ex-bird", "ex-bird", "ex-bird"]


def test_the_command_lists_the_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["report", "--metrics"]) == 0
    shown = capsys.readouterr().out
    assert all(metric.name in shown and metric.source.split(",")[0] in shown for metric in METRICS)


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Metric]:
    """The metric of the recipe, registered."""
    (text,) = [block.text for block in blocks_of("CONTRIBUTING.md") if block.note == "tables.py"]
    path = tmp_path / "tables.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("recipe_tables", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(registry, "METRICS", (*METRICS, module.TABLES))
    worker.enter({"one": Setting(Place("one", schema=SCHEMA), Options())})
    yield module.TABLES
    worker.enter({})


CASES: dict[str, tuple[str, str, bool | None]] = {
    "the same": ("SELECT x FROM a", "SELECT x + 1 FROM A", True),
    "others": ("SELECT x FROM a", "SELECT x FROM b", False),
    "a CTE is no table": ("WITH c AS (SELECT x FROM a) SELECT x FROM c", "SELECT x FROM a", True),
    "a prediction that fails": ("SELECT nope FROM a", "SELECT x FROM a", False),
    "a gold query that fails": ("SELECT x FROM a", "SELECT nope FROM a", None),
}


@pytest.mark.parametrize("case", CASES)
def test_the_metric_of_the_recipe_works(example: Metric, case: str) -> None:
    pred, gold, score = CASES[case]
    assert example in metrics_of(Needs.SCHEMA)
    assert scored("one", pred, gold, ("tables", "esm"))["tables"] is score
