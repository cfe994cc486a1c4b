"""The message of a failing test: both queries as a diff, the database with both results, how to replay.

Queries and cells may come from anywhere: control characters are escaped.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator

from equiv.dialects.crossing.dialect import sides_of
from equiv.dialects.registry import dialect_named
from equiv.show.equivalences import diff_of, lines_of
from equiv.show.page import Block, Code, Diff, Text
from equiv.show.render import show
from equiv.show.results import database_and_results
from equiv.show.verdicts import DIFFERENCES, REASONS
from equiv.testing.report import Outcome, Report, Tried
from equiv.verdict import Invalid, NotEquivalent, Undecided, Verdict

SIDES = ("before", "after")


def rewrite_message(report: Report, again: str) -> str:
    """The message on the first fault of a rewriter.

    Args:
        report: has a fault.
        again: the call that finds it again.
    """
    first = report.faults[0]
    fault = report.smallest[0] if report.smallest else first
    blocks: list[Block] = [Text(_headline(report, fault)), *_rewrite(fault, _sides(report))]
    if first.before != fault.before:
        blocks += [Text("It was found on this query, and shrunk:"), Code("\n".join(lines_of(first.before)))]
    blocks += [Text(""), Text(report.summary), Text(f"Again: {again}")]
    blocks.append(Text(f"This query alone: queries=[{fault.before!r}]"))
    return _printed(blocks)


def undecided_message(report: Report, most: int) -> str:
    """The message where more rewrites are undecided than the caller accepts."""
    blocks: list[Block] = [Text(f"{report.summary}; at most {most} may be undecided.  The first of them:")]
    for each in report.undecided[:3]:
        sides = _sides(report)
        blocks += [_diff(each.before, each.after, sides), *_about(each.verdict, sides)]
    return _printed(blocks)


def pair_message(one: str, two: str, verdict: Verdict) -> str:
    """The message on two queries that are not shown to be equivalent."""
    names = ("the first query", "the second query")
    words = {
        "not_equivalent": "The queries are not equivalent",
        "invalid": "The second is no query on this schema",
    }
    told = words.get(verdict.name, "The queries are neither proved equivalent nor told apart")
    blocks: list[Block] = [Text(f"{told} (relation {verdict.relation})."), _diff(one, two, names)]
    return _printed([*blocks, *_about(verdict, names)])


def _sides(report: Report) -> tuple[str, str]:
    """What the query and the new text are called."""
    if report.dialects is None:
        return SIDES
    source, target = (dialect_named(name).title for name in report.dialects)
    return f"the query in {source}", f"the query in {target}"


def _headline(report: Report, fault: Tried) -> str:
    told = {
        Outcome.REFUTED: f"changes what a query answers (relation {report.relation})",
        Outcome.NO_QUERY: "makes of a query a text that is none on this schema",
        Outcome.RAISED: f"raises {fault.error}",
    }
    return f"{report.rewriter} {told[fault.outcome]}:"


def _rewrite(fault: Tried, sides: tuple[str, str]) -> Iterator[Block]:
    if fault.outcome is Outcome.RAISED:
        yield Code("\n".join(lines_of(fault.before)))
        return
    yield _diff(fault.before, fault.after, sides)
    yield from _about(fault.verdict, sides)


def _about(verdict: Verdict | None, sides: tuple[str, str]) -> Iterator[Block]:
    """The evidence of a verdict on (after, before)."""
    match verdict:
        case NotEquivalent(evidence=evidence, difference=difference, relation=relation):
            told = DIFFERENCES[difference]
            yield Text(f"{told[0].upper()}{told[1:]}.")
            before, after = (_called(side) for side in sides)
            yield from database_and_results(evidence, relation, (after, before))
        case Invalid(message=message):
            yield Text(f"{sides_of(dialect_named(verdict.dialect))[0].title} says: {message}")
        case Undecided(reason=reason, detail=detail):
            yield Text(f"{reason}: {REASONS[reason]}" + (f": {detail}" if detail else ""))


def _called(side: str) -> str:
    """What a query is called behind "the"."""
    return side.removeprefix("the ") if side not in SIDES else f"query {side}"


def _diff(before: str, after: str, sides: tuple[str, str]) -> Diff:
    """Both queries, a clause a line."""
    return diff_of(before, after, f"  - {sides[0]}, + {sides[1]}", context=None)


def _printed(blocks: Iterable[Block]) -> str:
    stream = io.StringIO()
    show(list(blocks), stream)
    return stream.getvalue().rstrip()
