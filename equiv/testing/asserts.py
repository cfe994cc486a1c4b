"""Assertions: two queries answer the same; a rewriter or transpiler of SQL never changes an answer.

What is proved holds on every database, what is refuted comes with one; the rest is counted.  Queries for a
rewriter are drawn, the same for the same seed, or given.  A transpiler is a function from one dialect's
SQL to another's: queries are in the source's words, each new text runs on the target's engine, and is
compared across the two on one schema.

The message of a failing test shows both queries as a diff, the database with both results, and how to
replay. Queries and cells may come from anywhere: control characters are escaped.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Unpack

from equiv.core.model import Schema
from equiv.dialects.crossing.dialect import is_across, sides_of
from equiv.dialects.crossing.sides import shared, told
from equiv.dialects.registry import dialect_named, reference
from equiv.engine.host import Checker
from equiv.errors import InputError
from equiv.options import OptionArguments, Options
from equiv.show.evidence import database_and_results, diff_of, lines_of
from equiv.show.page import Block, Code, Diff, Text
from equiv.show.terminal import show
from equiv.testing.making.queries import ALL, features_named
from equiv.testing.schema_facts import schema_of
from equiv.testing.trials import (
    AimedQueries,
    FewChangedWarning,
    Report,
    Rewriter,
    RewriterTrial,
    TrialOutcome,
    Tried,
)
from equiv.verdict import Equivalent, Invalid, NotEquivalent, Undecided, Verdict

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    Given: TypeAlias = Iterable[str] | SearchStrategy[str] | None
    """What queries may be given as; None: they are drawn."""


def examples_of(strategy: SearchStrategy[str], number: int, start: int) -> list[str]:
    """So many texts that a strategy draws; equal ones are there once."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded

    texts: dict[str, None] = {}

    @seeded(start)
    @settings(
        max_examples=number,
        phases=(Phase.generate,),
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def draw(text: str) -> None:
        texts[text] = None

    draw()
    return list(texts)


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
        blocks += [Text("Found on this query, then shrunk:"), Code("\n".join(lines_of(first.before)))]
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
        "invalid": "The second text is not a valid query on this schema",
    }
    told = words.get(verdict.name, "The queries are neither proved equivalent nor refuted")
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
        TrialOutcome.REFUTED: f"changes the result of a query (relation {report.relation})",
        TrialOutcome.NO_QUERY: "turns a query into a text that is not valid on this schema",
        TrialOutcome.RAISED: f"raises {fault.error}",
    }
    return f"{report.rewriter} {told[fault.outcome]}:"


def _rewrite(fault: Tried, sides: tuple[str, str]) -> Iterator[Block]:
    if fault.outcome is TrialOutcome.RAISED:
        yield Code("\n".join(lines_of(fault.before)))
        return
    yield _diff(fault.before, fault.after, sides)
    yield from _about(fault.verdict, sides)


def _about(verdict: Verdict | None, sides: tuple[str, str]) -> Iterator[Block]:
    """The evidence of a verdict on (after, before)."""
    match verdict:
        case NotEquivalent(evidence=evidence, difference=difference, relation=relation):
            told = difference.says
            yield Text(f"{told[0].upper()}{told[1:]}.")
            before, after = (_called(side) for side in sides)
            yield from database_and_results(evidence, relation, (after, before))
        case Invalid(message=message):
            yield Text(f"{sides_of(dialect_named(verdict.dialect))[0].title} says: {message}")
        case Undecided(reason=reason, detail=detail):
            yield Text(f"{reason}: {reason.says}" + (f": {detail}" if detail else ""))


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


EFFORT: str | int = "quick"
"""How much is spent on one pair, unless the caller says otherwise."""
EXAMPLES = 100
"""How many queries a rewriter is tried on, unless the caller says otherwise."""
TIMEOUT = 10.0
"""Seconds for one pair, after which it is undecided."""


class QueryArguments(OptionArguments, total=False):
    """The queries to put to a rewriter and the options, as :func:`assert_rewrite_sound` takes them."""

    schema: Schema | str | Path | None
    queries: Given
    features: Iterable[str]
    examples: int
    seed: int
    declines: tuple[type[Exception], ...]


class TrialArguments(QueryArguments, total=False):
    """The same, and how many faults are looked for.

    Attributes:
        faults: end after so many; None: go through all queries.
        shrink: how many of the faults are shown on smaller queries as well.
    """

    faults: int | None
    shrink: int


class UnsoundRewriteError(AssertionError):
    """A rewriter is wrong, or leaves more open than it may; ``report`` holds all that was found."""

    def __init__(self, message: str, report: Report) -> None:
        super().__init__(message)
        self.report = report


def assert_equivalent(
    one: str,
    two: str,
    schema: Schema | str | Path | None = None,
    *,
    may_be_undecided: bool = False,
    **options: Unpack[OptionArguments],
) -> Verdict:
    """Fail unless two queries are proved to answer the same; the verdict otherwise.

    Args:
        one: a query, the gold one: of ``gold_dialect``, if that is given; where the relation depends on one,
            on whether this orders its rows.
        two: another, of ``dialect``.
        schema: a schema, DDL text, or the path of a DDL file; by default that of a small shop.
        may_be_undecided: pass where it is neither proved nor refuted.
        options: as for :func:`assert_rewrite_sound`.

    Raises:
        AssertionError: they differ, or are undecided and may not be, or one is no query.
        InputError: the schema or an option cannot be used.
    """
    __tracebackhide__ = True
    chosen = options_of(options)
    with closing(Checker(schema_of(schema, chosen.given_dialect), **chosen.arguments())) as checker:
        verdict = checker.check(two, one)
    is_open = isinstance(verdict, Undecided) and verdict.failure_code is None
    if isinstance(verdict, Equivalent) or (is_open and may_be_undecided):
        return verdict
    raise AssertionError(pair_message(one, two, verdict))


def check_rewrite(rewrite: Rewriter, **given: Unpack[TrialArguments]) -> Report:
    """The report on a rewriter put to many queries; arguments as of :func:`assert_rewrite_sound`.

    Raises:
        InputError: an argument cannot be used.
    """
    require_usable(given)
    chosen = options_of(given)
    if is_across(dialect_named(chosen.pair_dialect)):
        raise InputError("check_rewrite takes one dialect; use check_transpiler across dialects")
    if given.get("queries") is None and dialect_named(chosen.dialect) is not reference():
        raise InputError(f"random queries are SQLite's: give queries= for {chosen.dialect}")
    known = schema_of(given.get("schema"), chosen.dialect)
    return _reported(rewrite, RewriterTrial(known, chosen, given.get("declines", ())), known, given)


def _reported(rewrite: Rewriter, trial: RewriterTrial, schema: Schema, given: TrialArguments) -> Report:
    """The report of a trial on the queries that are given, or drawn on a schema."""
    features = features_named(given.get("features", ALL))
    drawn = AimedQueries(schema, features, given.get("examples", EXAMPLES), given.get("seed", 0))
    texts, used = queries_of(given.get("queries"), drawn)
    return trial.run(rewrite, texts, seed=used, faults=given.get("faults"), shrink=given.get("shrink", 1))


def require_usable(given: QueryArguments) -> None:
    """Make sure that queries can be drawn, or are given with the schema that they are read on.

    Raises:
        InputError: they are not.
    """
    if (examples := given.get("examples", EXAMPLES)) < 1:
        raise InputError(f"examples must be at least 1: {examples}")
    if given.get("queries") is not None and given.get("schema") is None:
        raise InputError("queries= needs schema= as well")


def queries_of(given: Given, drawn: AimedQueries) -> tuple[Iterable[str], int | None]:
    """The queries that are given, or those that are drawn, with the seed that they depend on."""
    if given is None:
        return drawn, drawn.seed
    if isinstance(given, Iterable):
        return [given] if isinstance(given, str) else given, None
    return examples_of(given, drawn.number, drawn.seed), drawn.seed


def assert_rewrite_sound(
    rewrite: Rewriter,
    *,
    max_undecided: int | None = None,
    **given: Unpack[QueryArguments],
) -> Report:
    """Fail if a rewriter of SQL changes what some query answers; else say of how many it is proved.

    The queries are drawn on the schema, or given.  Each that the rewriter changes is compared with what it
    was.  A fault is shown on the smallest query and the smallest database found.  Where few queries were
    changed, it passes with a :class:`~equiv.testing.trials.FewChangedWarning`.

    Args:
        rewrite: takes SQL and gives SQL; None, or the same text, where it declines.
        schema: a schema, DDL text, or the path of a DDL file; by default that of a small shop.
        queries: the queries to put to it, or a hypothesis strategy of them; by default they are drawn.
        features: what drawn queries may use, of :class:`~equiv.testing.making.queries.Feature`.
        examples: how many queries are drawn.
        seed: what the queries are drawn from; they depend as well on which of them the rewriter changes.
        declines: exceptions by which the rewriter says that it leaves a query as it is.
        max_undecided: fail if more rewrites than that are neither proved nor refuted; None: never.
        options: the fields of :class:`~equiv.options.Options`, ``relation`` and ``effort`` among them;
            ``effort`` is :data:`EFFORT` and ``timeout`` :data:`TIMEOUT` seconds by default.

    Raises:
        UnsoundRewriteError: an AssertionError, if a rewrite is refuted or is no query, if the rewriter
            raises, or if too much is undecided.
        InputError: an argument cannot be used.
    """
    __tracebackhide__ = True
    report = check_rewrite(rewrite, faults=1, **given)
    require_sound(report, f"assert_rewrite_sound({report.rewriter}{_again(report, given)})", max_undecided)
    return report


def _again(report: Report, given: QueryArguments) -> str:
    """The arguments of a call that finds again what a report has, behind the rewriter."""
    told = "".join(f", {name}=…" for name in ("schema", "queries") if given.get(name) is not None)
    if report.seed is not None:
        told += f", examples={given.get('examples', EXAMPLES)}, seed={report.seed}"
    options = {name: value for name, value in given.items() if name in OptionArguments.__annotations__}
    return told + "".join(f", {name}={value!r}" for name, value in options.items())


def require_sound(report: Report, again: str, max_undecided: int | None) -> None:
    """Fail on a fault, or on more that is undecided than the caller accepts; warn where few texts changed.

    Args:
        report: what was found.
        again: the call that finds it again.
        max_undecided: as for :func:`assert_rewrite_sound`.

    Raises:
        UnsoundRewriteError: the message shows the first fault.
    """
    __tracebackhide__ = True
    if report.faults:
        raise UnsoundRewriteError(rewrite_message(report, again), report)
    if max_undecided is not None and len(report.undecided) > max_undecided:
        raise UnsoundRewriteError(undecided_message(report, max_undecided), report)
    if report.warning:
        warnings.warn(report.warning, FewChangedWarning, stacklevel=3)


def options_of(given: OptionArguments) -> Options:
    """The options of a call: :data:`EFFORT` and :data:`TIMEOUT` where it says nothing."""
    options = {name: value for name, value in given.items() if name not in _OF_TRIALS}
    return Options(**{"effort": EFFORT, "timeout": TIMEOUT, **options})  # type: ignore[arg-type]


_OF_TRIALS = TrialArguments.__annotations__.keys() - OptionArguments.__annotations__.keys()


SHOP = """
CREATE TABLE shop (
  id INTEGER PRIMARY KEY, code VARCHAR NOT NULL UNIQUE, city VARCHAR, open INTEGER CHECK (open >= 0));
CREATE TABLE customer (
  id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, city VARCHAR, vip BOOLEAN,
  boss INTEGER REFERENCES customer (id));
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (id),
  shop_id INTEGER REFERENCES shop (id), day DATE, total INTEGER, rate DOUBLE PRECISION, note VARCHAR);
"""
"""The schema that queries are drawn on where none is given: DDL of every dialect, of types that all have."""


def check_transpiler(
    transpile: Rewriter, *, target: str, source: str = "sqlite", **given: Unpack[TrialArguments]
) -> Report:
    """The report on a transpiler put to many queries; arguments as of :func:`assert_transpiler_sound`.

    Raises:
        InputError: an argument cannot be used.
    """
    require_usable(given)
    if given.keys() & {"dialect", "gold_dialect", "schema_dialect"}:
        raise InputError("the dialects of a transpiler are source= and target=")
    if dialect_named(source) is dialect_named(target):
        raise InputError(f"source and target are the same dialect: use check_rewrite with dialect={target!r}")
    chosen = replace(options_of(given), dialect=target, gold_dialect=source, schema_dialect=source)
    known = schema_of(SHOP if given.get("schema") is None else given["schema"], source)
    across = shared(told(known, dialect_named(source), dialect_named(target)), known, 1)
    trial = RewriterTrial(known, chosen, given.get("declines", ()), across)
    return _reported(transpile, trial, known, given)


def assert_transpiler_sound(
    transpile: Rewriter,
    *,
    target: str,
    source: str = "sqlite",
    max_undecided: int | None = None,
    **given: Unpack[QueryArguments],
) -> Report:
    """Fail if a transpiler changes what some query answers; else say of how many it is proved.

    A fault is shown on the smallest query and the smallest database found, with what both engines return.  A
    text that is the same in both dialects is compared like any other.

    Args:
        transpile: takes SQL of the source and gives SQL of the target; None where it declines.
        target: the dialect that it writes.
        source: the dialect that it reads.
        schema: a schema in the source's dialect, DDL text, or the path of a DDL file; the target's engine is
            told its tables, those left out that hold what it has no type for.  By default a small shop.
        queries: the queries to put to it, or a hypothesis strategy of them; by default they are drawn: in
            SQLite's words, as far as the source's engine prepares them.
        features: what drawn queries may use, of :class:`~equiv.testing.making.queries.Feature`.
        examples: how many queries are drawn.
        seed: what the queries are drawn from.
        declines: exceptions by which the transpiler says that it cannot do a query.
        max_undecided: fail if more texts than that are neither proved nor refuted; None: never.
        options: as for :func:`~equiv.testing.asserts.assert_rewrite_sound`, without the dialects.

    Raises:
        UnsoundRewriteError: an AssertionError, if a text is refuted or refused by the target's engine, if the
            transpiler raises, or if too much is undecided.
        InputError: an argument cannot be used.
    """
    __tracebackhide__ = True
    report = check_transpiler(transpile, target=target, source=source, faults=1, **given)
    said = f", source={source!r}, target={target!r}{_again(report, given)}"
    require_sound(report, f"assert_transpiler_sound({report.rewriter}{said})", max_undecided)
    return report
