"""``equiv compare``: what one version of a system gained and lost against another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equiv.commands.common import BELOW, print_line, show
from equiv.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from equiv.eval.comparing import ComparedRuns, Matched, Paired, ScoreChange
    from equiv.show.page import Block, Grid

MEASURE_NAMES = {"score": "score", "ex": "EX"}
QUERY_SHOWN = 60
"""How many characters of a changed query a table shows."""


def compare(
    before: Annotated[Path, typer.Argument(metavar="RUN1", help="Results file of eval: the earlier run.")],
    after: Annotated[Path, typer.Argument(metavar="RUN2", help="Results file of eval: the later run.")],
    *,
    by: Annotated[
        str, typer.Option(metavar="score|ex", help="What the lists are of: scores, or execution accuracy.")
    ] = "score",
    cases: Annotated[int, typer.Option(metavar="N", min=0, help="How many changes are listed.")] = 20,
    fail_if_worse: Annotated[
        bool, typer.Option("--fail-if-worse", help="Exit with 1 if RUN2 is worse, and not by chance.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print counts and every change as JSON.")] = False,
) -> int:
    """Show what RUN2 gained and lost against RUN1 on their common items, and whether the difference is real.

    Exit code: 0 once they are compared, 1 RUN2 is worse and --fail-if-worse asks, 2 trouble, 130 interrupted.
    """
    from equiv.eval.comparing import compare_runs

    if by not in MEASURE_NAMES:
        raise InputError(f"--by takes score or ex, not {by!r}")
    found = compare_runs(before, after)
    if as_json:
        from equiv.records.record import to_json

        print_line(to_json(_as_json(found, by)))
    else:
        show(_blocks(found, by, cases))
    worse = any(test.is_real and test.first < test.second for test in found.tests[by])
    return BELOW if worse and fail_if_worse else 0


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
    from equiv.eval.metrics.shares import counted
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
    from equiv.eval.metrics.shares import counted

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
