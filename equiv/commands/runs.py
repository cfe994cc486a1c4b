"""Runs of an evaluation: what ``equiv eval`` does with one, ``equiv merge`` and ``equiv report``.

``eval`` shows how far it is, and tells what is wanted in the end; ``merge`` makes several results files
one; ``report`` tells what metrics, labels and a judge say of them.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equiv.commands.common import (
    BELOW,
    SchemaFile,
    prepare_page,
    say,
    show,
    take_all,
    until_interrupted,
    write,
    wrote_page,
)
from equiv.commands.outside import Outside, outside
from equiv.core.connection import place_of
from equiv.eval.arguments import DB_ROOT, Telling
from equiv.show.arguments import DialectName, option

if TYPE_CHECKING:
    from equiv.eval.evaluation import Evaluation
    from equiv.eval.metrics.registry import MetricContext
    from equiv.eval.misses import Misses
    from equiv.eval.report import ReportChoices
    from equiv.eval.results import RecordStore
    from equiv.eval.sections import SectionedReport, Whole
    from equiv.eval.summary import Summary
    from equiv.records.record import Record
    from equiv.show.terminal import Progress


@dataclass
class _Course:
    """A run so far: its records summed up, and kept if they are wanted in the end."""

    summary: Summary
    progress: Progress
    misses: Misses | None
    """None where nobody looks at them."""
    kept: RecordStore | None
    case: Record | None = field(default=None)
    """A record that is worth a look: a miss, best one that says under which facts it would be none."""

    def take(self, record: Record, *, resumed: bool = False) -> None:
        """Take in a record."""
        self.summary.add(record)
        self.progress.add(record["verdict"], record["tier"], resumed=resumed)
        if self.misses is not None:
            self.misses.add(record)
        self._keep(record)

    def take_conditions(self, record: Record) -> None:
        """Take in a record once more, with the facts that would make its pair equivalent."""
        self.summary.add_conditions(record)
        self._keep(record)

    def _keep(self, record: Record) -> None:
        if self.kept is not None:
            self.kept.add(record)
        if _worth_a_look(record) > _worth_a_look(self.case):
            self.case = record


def _worth_a_look(record: Record | None) -> int:
    if record is None:
        return -1
    if found := record["equivalent_if"]:
        return 3 if found[0].get("observed") else 2
    return 1 if record["verdict"] == "not_equivalent" else 0


SCRIPTS = {"bird": "BIRD", "spider": "Spider"}
"""The benchmark whose official script compares as a relation does, by the relation's name."""


def suggest_relation(files: Sequence[Path], kind: str, encoding: str) -> None:
    """Tell the user which relation compares as the official script of the files' format does."""
    from equiv.eval.arguments import format_named
    from equiv.eval.reading.formats import relation_of_format

    told = (relation_of_format(path, format_named(kind), encoding) for path in files)
    known = set(filter(None, told))
    for name in sorted(known):
        whose = SCRIPTS[name]
        advice = f"--relation {name} compares as {whose}'s script does; the default, sql, does not"
        say(f"predictions in {whose}'s format: {advice}")


def run_evaluation(
    evaluation: Evaluation,
    telling: Telling,
    spent: Callable[[], str],
    report: Callable[[list[Record], Whole], SectionedReport],
) -> int:
    """Write every record, print a summary, and return the exit code.

    Args:
        evaluation: what is run.
        telling: what is told in the end.
        spent: what a judge has cost so far, in words.
        report: makes the report on all records, of which a part is given, and what gives one of them whole.
    """
    from equiv.eval.results import RecordStore
    from equiv.eval.summary import Summary
    from equiv.show.page import Text
    from equiv.show.terminal import Progress

    progress = Progress(evaluation.total, evaluation.done, spent)
    with closing(evaluation.misses()) as misses:
        kept = RecordStore() if telling.keeps_records else None
        course = _Course(Summary(), progress, misses if telling.conditions else None, kept)
        code = _checked(evaluation, course)
        if code == 0 and telling.conditions:
            looked = evaluation.with_conditions(misses, telling.condition_seconds)
            code = take_all(looked, course.take_conditions, misses.total, misses.looked, "misses")
        show(course.summary.blocks(evaluation.items()))
        for remark in evaluation.remarks(progress.checked):
            say(remark)
        if telling.conditions and misses.left and progress.done >= progress.total:
            say(_left_over(misses, evaluation.out))
    _write(evaluation, telling, course, report, code)
    show([Text(course.summary.time(progress.checked, *evaluation.spent()))])
    below = course.summary.standing.below(telling.fail_under) if telling.fail_under is not None else []
    if below:
        say(f"below {telling.fail_under:g} %: {', '.join(below)}")
    if code == 0:
        several = len(course.summary.standing.systems) > 1
        for step in _next_steps(evaluation.out, telling.page, course.case, several=several):
            say(f"next: {step}")
    return code or (BELOW if below else 0)


def _checked(evaluation: Evaluation, course: _Course) -> int:
    """Take in every record, those first that stand already; the exit code."""
    from equiv.show.terminal import console_for, shown_on

    for record in evaluation.resumed():
        course.take(record, resumed=True)
    with shown_on(console_for(sys.stderr), course.progress):
        return until_interrupted(evaluation.records(), course.take)


def _left_over(misses: Misses, out: Path | None) -> str:
    """How many misses were looked at for facts, and how the others are."""
    looked = f"searched {misses.looked:,} of {misses.total:,} misses for facts that make them equivalent"
    more = "run again for the others" if out is not None else "raise --condition-seconds for the others"
    return f"{looked}; {more}"


def _write(
    evaluation: Evaluation,
    telling: Telling,
    course: _Course,
    report: Callable[[list[Record], Whole], SectionedReport],
    code: int,
) -> None:
    """Write the views of the records that are wanted, if the run came to its end."""
    if course.kept is None:
        return
    if code:
        if telling.page is not None:
            say(f"{telling.page}: not written, because the run was interrupted; a rerun writes it")
        return
    parts, whole = evaluation.in_order(course.kept), course.kept.whole
    for remark in telling.write(lambda: map(whole, parts)):
        say(remark)
    if telling.page is not None:
        from equiv.eval.html.page import write_page

        write_page(telling.page, report(parts, whole))
        wrote_page(telling.page)


def _next_steps(out: Path | None, page: Path | None, case: Record | None, *, several: bool) -> list[str]:
    """The commands that show more of what was found; ``several``: systems."""
    if out is None:
        return []
    file = shlex.quote(str(out))
    steps = []
    if case is not None:
        number = shlex.quote(str(case["question_id"]))
        system = f" --system {shlex.quote(case['source'])}" if several else ""
        steps.append(f"equiv explain {file} {number}{system}")
    if page is None:
        steps.append(f"equiv report {file} --html report.html")
    return steps


def merge(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Results files to merge.")],
    *,
    out: Annotated[
        Path, typer.Option(metavar="FILE.jsonl", help="Results file that gets what it lacks or left open.")
    ],
) -> int:
    """Merge several results files: one record for each pair.

    Exit code: 0 once every record is written, 2 trouble, 130 interrupted.
    """
    from equiv.eval.results import merge

    for remark in merge(files, out).remarks(out):
        say(remark)
    return 0


def _list_metrics(wanted: bool) -> None:
    if wanted:
        from equiv.eval.metrics.registry import METRICS
        from equiv.show.page import Grid

        rows = tuple((each.name, each.needs.value, each.meaning, each.source) for each in METRICS)
        show([Grid("metrics", ("metric", "needs", "1 if", "source"), rows)])
        raise typer.Exit


@dataclass(frozen=True, kw_only=True)
class Reporting:
    """The options of a report: what is measured, and where it is shown."""

    db_root: Path | None = option(
        None, "DIR|FILE|URL", "Populated databases, for execution accuracy.", *DB_ROOT, parser=place_of
    )
    metrics: bool = option(
        False, None, "List the metrics.", "--metrics", callback=_list_metrics, is_eager=True
    )
    disable_rules: str = option("none", "none|all|1,2", "ESM+ rules to switch off in esm+.")
    no_values: bool = option(False, None, "Ignore values in conditions in esm, esm+ and etm.", "--no-values")
    no_distinct: bool = option(
        False, None, "Ignore DISTINCT in esm, esm+, etm and ex-spider.", "--no-distinct"
    )
    ablation: bool = option(
        False, None, "Show what ESM+ still misses as its rules are added one by one.", "--ablation"
    )
    right_by: str = option("", "METRIC", "Which metric decides what is right; logs: what --nodes say.")
    penalty: str = option("0,10,N", "C,…", "Penalties of the reliability score; N: all questions.")
    scores: tuple[Path, ...] = option((), "FILE", "A file of recorded scores of other metrics.")
    gap: str = option("", "ONE:OTHER", "Two metrics whose difference is shown for every group.")
    systems: Path | None = option(None, "FILE.csv", "Systems with class and date, for --gap.")
    nodes: tuple[Path, ...] = option((), "PATH", "Node logs, as for eval --format nodes.")
    max_calls: int | None = option(None, "N", "Budget for one question, in model calls.", min=0)
    max_tokens: int | None = option(None, "N", "Budget for one question, in tokens.", min=0)
    prices: Path | None = option(None, "FILE", "Prices of a judge's tokens; see --prices of eval.")
    html: Path | None = option(None, "FILE.html", "Write the report as one HTML file, with every pair.")
    markdown: Path | None = option(None, "FILE.md", "Write the tables as Markdown.")


def report(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Results files of eval.")],
    *,
    schema: SchemaFile = None,
    dialect: DialectName = "",
    reporting: Reporting,
) -> int:
    """Show metrics, their agreement, and a judge's cost.

    Each metric is given for all records, with its agreement with labels and with the others.
    """
    from equiv.eval.metrics.agreement import read_systems
    from equiv.eval.metrics.metric import EsmSwitches
    from equiv.eval.metrics.registry import MetricContext
    from equiv.eval.metrics.reliability import penalties_named
    from equiv.eval.metrics.structure import rules_named
    from equiv.eval.reading.nl2sqlbench import read_nodes
    from equiv.eval.report import ReportChoices
    from equiv.eval.report_parts import blocks_of
    from equiv.eval.results import RecordStore

    told = reporting
    prepare_page(told.html)
    switches = EsmSwitches(rules_named(told.disable_rules), not told.no_values, not told.no_distinct)
    collected = tuple(read_nodes(told.nodes))
    wanted = ReportChoices(
        *(told.right_by, penalties_named(told.penalty), collected, told.max_calls, told.max_tokens),
        *(told.scores, told.gap, read_systems(told.systems) if told.systems else {}),
    )
    measuring = MetricContext(told.db_root, schema, switches, told.ablation, bool(collected), dialect)
    with closing(RecordStore.of_files(files)) as shelf:
        known, parts = outside(context), list(shelf.values())
        measured = report_on(known, parts, shelf.whole, measuring, wanted=wanted, prices=told.prices)
        # What is written into a file is not shown twice.
        is_written = told.html is not None or told.markdown is not None
        show(list(blocks_of(measured.sections[:1] if is_written else measured.sections)))
        if told.markdown is not None:
            from equiv.show.terminal import markdown

            write(told.markdown, markdown(list(blocks_of(measured.sections))))
        if told.html is not None:
            from equiv.eval.html.page import write_page

            write_page(told.html, measured)
            wrote_page(told.html)
    return 0


@contextmanager
def _watched(looks: int) -> Iterator[Callable[[], None]]:
    """Say that pairs are measured once more, which may take as long as the run, and how far it is."""
    from equiv.show.terminal import console_for, progress_on

    say(f"computing other metrics: {looks:,} evaluations of pairs")
    with progress_on(console_for(sys.stderr), looks, 0, "looks") as advance:
        yield advance


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
    from equiv.eval.metrics.registry import measure
    from equiv.eval.metrics.scores import compared, pairs_in
    from equiv.eval.report import DEFAULTS
    from equiv.eval.sections import whole_report

    found = measure(compared(pairs_in(records)), measuring, _watched)
    for remark in found.remarks:
        say(remark)
    judged = known.report(records, prices)
    return whole_report(records, found, known.describe_rules(), judged, wanted or DEFAULTS, whole=whole)
