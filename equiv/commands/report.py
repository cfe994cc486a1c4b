"""``equiv report``: what metrics, labels and a judge say of results files."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equiv.commands.common import SchemaFile, prepare_page, say, show, write
from equiv.commands.outside import Outside, outside
from equiv.core.connection import place_of
from equiv.show.arguments import DialectName

if TYPE_CHECKING:
    from equiv.eval.metrics.registry import MetricContext
    from equiv.eval.report import ReportChoices
    from equiv.eval.sections import SectionedReport, Whole
    from equiv.records.record import Record


def _list_metrics(wanted: bool) -> None:
    if wanted:
        from equiv.eval.metrics.registry import METRICS
        from equiv.show.page import Grid

        rows = tuple((each.name, each.needs.value, each.meaning, each.source) for each in METRICS)
        show([Grid("metrics", ("metric", "needs", "1 if", "source"), rows)])
        raise typer.Exit


def report(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Results files of eval.")],
    *,
    db_root: Annotated[
        Path | None,
        typer.Option(parser=place_of, metavar="DIR|URL", help="Populated databases, for execution accuracy."),
    ] = None,
    schema: SchemaFile = None,
    dialect: DialectName = "",
    metrics: Annotated[
        bool, typer.Option("--metrics", callback=_list_metrics, is_eager=True, help="List the metrics.")
    ] = False,
    disable_rules: Annotated[
        str, typer.Option(metavar="none|all|1,2", help="Rules of ESM+ that esm+ goes without.")
    ] = "none",
    no_values: Annotated[
        bool, typer.Option("--no-values", help="Values in conditions do not count in esm, esm+ and etm.")
    ] = False,
    no_distinct: Annotated[
        bool, typer.Option("--no-distinct", help="DISTINCT does not count in esm, esm+, etm and ex-spider.")
    ] = False,
    ablation: Annotated[
        bool, typer.Option("--ablation", help="Add the rules of ESM+ one by one: what is still missed.")
    ] = False,
    right_by: Annotated[
        str,
        typer.Option(
            metavar="METRIC", help="What is right, where one metric must say so; logs: what --nodes tell."
        ),
    ] = "",
    penalty: Annotated[
        str, typer.Option(metavar="C,…", help="Penalties of the reliability score; N: all questions.")
    ] = "0,10,N",
    scores: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Recorded scores of other metrics.")
    ] = None,
    gap: Annotated[
        str, typer.Option(metavar="ONE:OTHER", help="Two metrics whose gap is shown by every group.")
    ] = "",
    systems: Annotated[
        Path | None, typer.Option(metavar="FILE.csv", help="Systems: system, class, date; for --gap.")
    ] = None,
    nodes: Annotated[
        list[Path] | None, typer.Option(metavar="PATH", help="What modules gave: eval's --format nodes.")
    ] = None,
    max_calls: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Budget for a question, in calls to a model.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Budget for a question, in tokens.")
    ] = None,
    prices: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What a judge's tokens cost; see eval's --prices.")
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE.html", help="Write the report as one HTML file, with every pair."),
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE.md", help="Write the tables as Markdown.")
    ] = None,
) -> int:
    """Show what each metric says of the records, how it agrees with labels, and what a judge did and cost."""
    from equiv.eval.metrics.agreement import read_systems
    from equiv.eval.metrics.metric import EsmSwitches, rules_named
    from equiv.eval.metrics.registry import MetricContext
    from equiv.eval.metrics.reliability import penalties_named
    from equiv.eval.reading.nl2sqlbench import read_nodes
    from equiv.eval.report import ReportChoices
    from equiv.eval.report_parts import blocks_of
    from equiv.eval.results import RecordStore

    del metrics  # listed before the files are looked at
    prepare_page(html)
    switches = EsmSwitches(rules_named(disable_rules), not no_values, not no_distinct)
    collected = tuple(read_nodes(nodes or ()))
    recorded = tuple(scores or ())
    known = read_systems(systems) if systems else {}
    wanted = ReportChoices(
        right_by,
        penalties_named(penalty),
        collected,
        max_calls,
        max_tokens,
        scores=recorded,
        gap=gap,
        systems=known,
    )
    measuring = MetricContext(db_root, schema, switches, ablation, bool(collected), dialect)
    with closing(RecordStore.of_files(files)) as shelf:
        measured = report_on(
            outside(context), list(shelf.values()), shelf.whole, measuring, wanted=wanted, prices=prices
        )
        blocks = list(blocks_of(measured.sections))
        show(blocks)
        if markdown is not None:
            from equiv.show.terminal import markdown as as_markdown

            write(markdown, as_markdown(blocks))
        if html is not None:
            from equiv.eval.html.page import write_page

            write_page(html, measured)
    return 0


def report_on(
    known: Outside,
    records: list[Record],
    whole: Whole,
    measuring: MetricContext,
    *,
    wanted: ReportChoices | None = None,
    prices: Path | None = None,
) -> SectionedReport:
    """The report on records; ``whole`` reads the full record of a part that is held in memory."""
    from equiv.eval.metrics.measured import compared, pairs_in
    from equiv.eval.metrics.registry import measure
    from equiv.eval.report import DEFAULTS
    from equiv.eval.sections import whole_report

    found = measure(compared(pairs_in(records)), measuring)
    for remark in found.remarks:
        say(remark)
    judged = known.report(records, prices)
    return whole_report(records, found, known.describe_rules(), judged, wanted or DEFAULTS, whole=whole)
