"""Assertions: two queries answer the same; a rewriter of SQL never changes what a query answers.

What is proved holds on every database, what is refuted comes with one; the rest is counted.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Unpack

from equiv.core.model import Schema
from equiv.dialects.crossing.dialect import is_across
from equiv.dialects.registry import dialect_named, reference
from equiv.engine.checker import Checker
from equiv.errors import InputError
from equiv.options import OptionArguments, Options
from equiv.testing.features import ALL, features_named
from equiv.testing.message import pair_message, rewrite_message, undecided_message
from equiv.testing.report import FewChangedWarning, Report
from equiv.testing.rewriter_queries import AimedQueries
from equiv.testing.rewriter_trial import Rewriter, Trial
from equiv.testing.schema_facts import schema_of
from equiv.verdict import Equivalent, Undecided, Verdict

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    Given: TypeAlias = Iterable[str] | SearchStrategy[str] | None
    """What queries may be given as; None: they are drawn."""

EFFORT: str | int = "quick"
"""How much is spent on one pair, unless the caller says otherwise."""
EXAMPLES = 100
"""How many queries a rewriter is tried on, unless the caller says otherwise."""
TIMEOUT = 10.0
"""Seconds for one pair, after which it is undecided."""


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


def check_rewrite(
    rewrite: Rewriter,
    *,
    schema: Schema | str | Path | None = None,
    queries: Given = None,
    features: Iterable[str] = ALL,
    examples: int = EXAMPLES,
    seed: int = 0,
    declines: tuple[type[Exception], ...] = (),
    faults: int | None = None,
    shrink: int = 1,
    **options: Unpack[OptionArguments],
) -> Report:
    """The report on a rewriter put to many queries; for the arguments, see :func:`assert_rewrite_sound`.

    Args:
        faults: end after so many; None: go through all queries.
        shrink: how many of the faults are shown on smaller queries as well.

    Raises:
        InputError: an argument cannot be used.
    """
    require_usable(examples, queries, schema)
    chosen = options_of(options)
    if is_across(dialect_named(chosen.pair_dialect)):
        raise InputError("a rewriter is of one dialect; check_transpiler is for those from one to another")
    if queries is None and dialect_named(chosen.dialect) is not reference():
        raise InputError(f"queries are drawn in SQLite's words: give {chosen.dialect} queries to try")
    known_schema, allowed = schema_of(schema, chosen.dialect), features_named(features)
    trial = Trial(known_schema, chosen, declines)
    drawn = AimedQueries(known_schema, allowed, examples, seed)
    texts, used = queries_of(queries, drawn)
    return trial.run(rewrite, texts, seed=used, faults=faults, shrink=shrink)


def require_usable(examples: int, queries: Given, schema: Schema | str | Path | None) -> None:
    """Make sure that queries can be drawn, or are given with the schema that they are read on.

    Raises:
        InputError: they are not.
    """
    if examples < 1:
        raise InputError(f"examples must be at least 1: {examples}")
    if queries is not None and schema is None:
        raise InputError("queries are read on a schema: give schema as well")


def queries_of(given: Given, drawn: AimedQueries) -> tuple[Iterable[str], int | None]:
    """The queries that are given, or those that are drawn, with the seed that they depend on."""
    if given is None:
        return drawn, drawn.seed
    if isinstance(given, Iterable):
        return [given] if isinstance(given, str) else given, None
    from equiv.testing.examples import examples_of

    return examples_of(given, drawn.number, drawn.seed), drawn.seed


def assert_rewrite_sound(
    rewrite: Rewriter,
    *,
    schema: Schema | str | Path | None = None,
    queries: Given = None,
    features: Iterable[str] = ALL,
    examples: int = EXAMPLES,
    seed: int = 0,
    declines: tuple[type[Exception], ...] = (),
    max_undecided: int | None = None,
    **options: Unpack[OptionArguments],
) -> Report:
    """Fail if a rewriter of SQL changes what some query answers; else say of how many it is proved.

    The queries are drawn on the schema, or given.  Each that the rewriter changes is compared with what it
    was.  A fault is shown on the smallest query and the smallest database found.  Where few queries were
    changed, it passes with a :class:`~equiv.testing.report.FewChangedWarning`.

    Args:
        rewrite: takes SQL and gives SQL; None, or the same text, where it declines.
        schema: a schema, DDL text, or the path of a DDL file; by default that of a small shop.
        queries: the queries to put to it, or a hypothesis strategy of them; by default they are drawn.
        features: what drawn queries may use, of :class:`~equiv.testing.features.Feature`.
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
    report = check_rewrite(
        rewrite,
        schema=schema,
        queries=queries,
        features=features,
        examples=examples,
        seed=seed,
        declines=declines,
        faults=1,
        **options,
    )
    arguments = ", schema=…" if schema is not None else ""
    arguments += ", queries=…" if queries is not None else ""
    arguments += "" if report.seed is None else f", examples={examples}, seed={seed}"
    require_sound(
        report, f"assert_rewrite_sound({report.rewriter}{arguments}{shown(options)})", max_undecided
    )
    if report.warning:
        warnings.warn(report.warning, FewChangedWarning, stacklevel=2)
    return report


def require_sound(report: Report, again: str, max_undecided: int | None) -> None:
    """Fail on a fault, or on more that is undecided than the caller accepts.

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


def options_of(given: OptionArguments) -> Options:
    """The options of a call: :data:`EFFORT` and :data:`TIMEOUT` where it says nothing."""
    whole: OptionArguments = {"effort": EFFORT, "timeout": TIMEOUT}
    whole.update(given)
    return Options(**whole)


def shown(options: OptionArguments) -> str:
    """Options as they stand behind other arguments of a call."""
    return "".join(f", {name}={value!r}" for name, value in options.items())
