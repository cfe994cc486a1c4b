"""``equiv compare``, ``equiv gold`` and ``equiv suite``.

``compare`` tells what one version of a system gained and lost against another, ``gold`` the faults of gold
queries, ``suite`` makes small databases that distinguish queries, and says how they are made.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equiv.commands import common
from equiv.core.connection import place_of
from equiv.dialects.crossing.dialect import is_across
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.eval.arguments import DB_ROOT, Auditing, ReadingOptions
from equiv.options import Options
from equiv.show.arguments import TakesOptions, option

if TYPE_CHECKING:
    from collections.abc import Iterable

    from equiv.eval.comparing import ComparedRuns, Matched, Paired, ScoreChange
    from equiv.eval.suite.gather import SuiteOrder
    from equiv.show.page import Block, Grid


MEASURE_NAMES = {"score": "score", "ex": "EX"}
QUERY_SHOWN = 60
"""How many characters of a changed query a table shows."""


@dataclass(frozen=True, kw_only=True)
class Comparing:
    """The options of a comparison of two runs."""

    by: str = option("score", "score|ex", "Compare scores, or execution accuracy.")
    cases: int = option(20, "N", "How many changes to list.", min=0)
    fail_if_worse: bool = option(
        False, None, "Exit with 1 if RUN2 is significantly worse.", "--fail-if-worse"
    )
    as_json: bool = option(False, None, "Print counts and every change as JSON.", "--json")


def compare(
    before: Annotated[Path, typer.Argument(metavar="RUN1", help="Results file of the earlier run of eval.")],
    after: Annotated[Path, typer.Argument(metavar="RUN2", help="Results file of the later run of eval.")],
    *,
    comparing: Comparing,
) -> int:
    """Show what RUN2 gained and lost against RUN1.

    Their common items are compared, and it is tested whether the difference is significant.
    Exit code: 0 once they are compared, 1 RUN2 is worse and --fail-if-worse asks, 2 trouble, 130 interrupted.
    """
    from equiv.eval.comparing import compare_runs

    by = comparing.by
    if by not in MEASURE_NAMES:
        raise InputError(f"--by takes score or ex, not {by!r}")
    found = compare_runs(before, after)
    if comparing.as_json:
        from equiv.records.record import to_json

        common.print_line(to_json(_as_json(found, by)))
    else:
        common.show(_blocks(found, by, comparing.cases))
    worse = any(test.is_real and test.first < test.second for test in found.tests[by])
    return common.BELOW if worse and comparing.fail_if_worse else 0


def _blocks(found: ComparedRuns, by: str, cases: int) -> list[Block]:
    from equiv.show.page import Heading, Text

    blocks: list[Block] = []
    several = len(found.matched) > 1
    for number, matched in enumerate(found.matched):
        if several:
            blocks.append(Heading(matched.names[0]))
        test = found.tests[by][number]
        blocks.append(_headline(found, matched, test, by))
        blocks.append(_measures(found, number))
        blocks += map(Text, _left_out(matched, by))
        for title, to in (("lost", False), ("gained", True)):
            changes = matched.changed(by, to=to)
            if changes and cases:
                blocks.append(_listed(title, changes, cases))
    blocks += [Text(f"Note: {remark}.") for remark in found.remarks()]
    if several:
        blocks.append(Text(f"p-values are corrected by Holm for {len(found.matched)} systems."))
    return blocks


def _headline(found: ComparedRuns, matched: Matched, test: Paired, by: str) -> Block:
    from equiv.eval.comparing import p_text
    from equiv.eval.metrics.scores import counted
    from equiv.show.page import Headline

    one, other = (_name(run.name, name) for run, name in zip(found.runs, matched.names, strict=True))
    change = f"{MEASURE_NAMES[by]} {test.points} points on {counted(test.items, 'common item')}"
    counts = f"{test.first:,} gained, {test.second:,} lost; {p_text(test.p)} (McNemar, exact)"
    return Headline(test.verdict, f"{other} against {one}: {change}, {counts}")


def _name(run: str, system: str) -> str:
    return run if Path(run).stem == system else f"{run} ({system})"


def _measures(found: ComparedRuns, number: int) -> Grid:
    from equiv.eval.comparing import p_text
    from equiv.show.page import Grid

    matched = found.matched[number]
    rows = []
    for measure, tests in found.tests.items():
        test = tests[number]
        if test.items:
            shares = (portion.text for portion in matched.shares(measure))
            same = f"{test.both:,} right, {test.neither:,} wrong"
            counts = test.points, str(test.first), str(test.second), same
            rows.append(
                (MEASURE_NAMES[measure], str(test.items), *shares, *counts, p_text(test.p), test.verdict)
            )
    columns = ("", "items", "RUN1, %", "RUN2, %", "points, 95 %", "gained", "lost", "unchanged", "p", "")
    return Grid("on the items that both runs measured", columns, tuple(rows))


def _left_out(matched: Matched, by: str) -> Iterable[str]:
    from equiv.eval.metrics.scores import counted

    if open_items := matched.unmeasured(by):
        yield f"not measured in one run or both: {open_items:,} of {len(matched.items):,} common items"
    for run, count in zip(("RUN1", "RUN2"), matched.only, strict=True):
        if count:
            yield f"only in {run}: {counted(count, 'question')}"


def _listed(title: str, changes: list[ScoreChange], cases: int) -> Grid:
    from equiv.show.page import Grid

    cut = f" (the first {cases})" if len(changes) > cases else ""
    rows = tuple(
        (str(one.before.question_id), one.db_id, one.before.why, one.after.why, _query(one))
        for one in changes[:cases]
    )
    return Grid(
        f"{title}: {len(changes):,}{cut}", ("question id", "database", "RUN1", "RUN2", "query of RUN2"), rows
    )


def _query(one: ScoreChange) -> str:
    if one.before.predicted_sql == one.after.predicted_sql:
        return "the same"
    text = " ".join(one.after.predicted_sql.split())
    return text if len(text) <= QUERY_SHOWN else f"{text[: QUERY_SHOWN - 1]}…"


def _as_json(found: ComparedRuns, by: str) -> dict[str, Any]:
    return {
        "runs": [run.name for run in found.runs],
        "by": by,
        "systems": [
            _system_as_json(matched, {name: tests[number] for name, tests in found.tests.items()}, by)
            for number, matched in enumerate(found.matched)
        ],
        "remarks": found.remarks(),
    }


def _system_as_json(matched: Matched, tests: dict[str, Paired], by: str) -> dict[str, Any]:
    measures = {
        name: {
            "items": test.items,
            "both": test.both,
            "gained": test.first,
            "lost": test.second,
            "neither": test.neither,
            "difference": [test.difference.value, test.difference.low, test.difference.high],
            "p": test.p,
            "real": test.is_real,
        }
        for name, test in tests.items()
        if test.items
    }
    changes = {
        title: [_change_as_json(one) for one in matched.changed(by, to=to)]
        for title, to in (("gained", True), ("lost", False))
    }
    only = dict(zip(("only_first", "only_second"), matched.only, strict=True))
    left_out = {"not_measured": matched.unmeasured(by), "other_gold": matched.other_gold, **only}
    return {"names": list(matched.names), "measures": measures, **left_out, **changes}


def _change_as_json(one: ScoreChange) -> dict[str, Any]:
    return {
        "question_id": one.before.question_id,
        "db_id": one.db_id,
        "before": one.before.why,
        "after": one.after.why,
        "same_query": one.before.predicted_sql == one.after.predicted_sql,
    }


def gold(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Gold files, predictions or results of eval.")
    ],
    *,
    auditing: Auditing,
    options: Annotated[Options, TakesOptions("accept", "conditions")],
) -> int:
    """Look for faults of gold queries, without a model.

    It finds queries that do not run, return nothing, cut ties with LIMIT, and others.
    Exit code: 0 once every record is written, whatever was found, 2 trouble, 130 interrupted.
    """
    from equiv.eval.gold.audit import Audit, FindingTally
    from equiv.eval.gold.ranking import write_ranking

    common.prepare_page(auditing.html)
    if is_across(dialect_named(options.pair_dialect)):
        raise InputError("gold queries are audited in one dialect: give --dialect without --gold-dialect")
    audit = Audit(files, auditing, options)
    with closing(audit):
        tally = FindingTally(len(audit.golds))
        code = common.take_all(audit.looks(), tally.add, audit.steps)
        tally.ranking = audit.ranking
        if auditing.ranking is not None and code == 0:
            write_ranking(auditing.ranking, audit.ranking)
        remarks = audit.remarks(interrupted=code == common.INTERRUPTED)
        if auditing.html is not None:
            from equiv.eval.gold.page import write_gold_page

            write_gold_page(auditing.html, tally, remarks)
            common.wrote_page(auditing.html)
        if auditing.as_json:
            from equiv.records.record import to_json

            common.print_line(to_json(tally.to_json()))
        else:
            common.show(tally.blocks(auditing.cases))
        for remark in remarks:
            common.say(remark)
        return code


_ACROSS = (
    "a suite has one dialect, because a script opens each database with one engine;"
    " equiv eval --gold-dialect compares across two"
)


@dataclass(frozen=True, kw_only=True)
class Making:
    """How a suite is made."""

    layout: str = option("bird", "bird|spider", "The evaluation script that will use the suite.")
    keep_distinct: bool = option(
        False, None, "Spider's script will be run with --keep_distinct.", "--keep-distinct"
    )
    mutants: int = option(12, "N", "How many mutants of each gold query to try.", min=0)

    def order(
        self,
        *,
        files: tuple[Path, ...],
        out: Path,
        reading: ReadingOptions,
        places: tuple[Path | None, Path | None],
        workers: int,
        options: Options,
    ) -> SuiteOrder:
        """The order that the options stand for; ``places`` are the root of databases and the schema.

        Raises:
            InputError: an option has no such value, or gold queries are of another dialect.
        """
        from equiv.eval.suite.gather import SuiteOrder
        from equiv.eval.suite.script import script_named

        if is_across(dialect_named(options.pair_dialect)):
            raise InputError(_ACROSS)
        script = script_named(self.layout, keep_distinct=self.keep_distinct)
        return SuiteOrder(files, out, script, options, reading, *places, workers, self.mutants)


_NO_OPTIONS_OF_A_SUITE = (
    *("relation", "tiers", "accept", "conditions", "confirm", "schema_dialect", "live_prepare", "rules"),
)


def suite(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Results files, or predictions.")],
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the suite.")],
    reading: ReadingOptions,
    db_root: Annotated[
        Path | None,
        typer.Option(*DB_ROOT, parser=place_of, metavar="DIR|FILE|URL", help="Databases, for schemas."),
    ] = None,
    schema: common.SchemaFile = None,
    workers: Annotated[int, typer.Option(metavar="N", min=1, help="Worker processes.")] = 1,
    making: Making,
    options: Annotated[
        Options,
        TakesOptions(*_NO_OPTIONS_OF_A_SUITE, hidden=("gold_dialect",), rounding="ignore"),
    ],
) -> int:
    """Pack small databases that expose wrong predictions.

    Each distinguishes gold queries from refuted predictions or from mutants. The files lie where BIRD's or
    Spider's evaluation script looks for databases, so the script need not be changed.
    Exit code: 0 once the suite is written, 2 trouble, 130 interrupted.
    """
    from equiv.eval.suite.report import blocks_of, make_suite

    order = making.order(
        files=tuple(files),
        out=out,
        reading=reading,
        places=(db_root, schema),
        workers=workers,
        options=options,
    )
    common.show(blocks_of(make_suite(order, common.say)))
    return 0
