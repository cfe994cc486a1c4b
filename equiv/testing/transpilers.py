"""Assertions on transpilers: a function from one dialect's SQL to another's keeps what every query answers.

Queries are drawn in the source's words, or given; each new text runs on the target's engine, and is compared
across the two on one schema.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from equiv.core.model import Schema
from equiv.dialects.crossing.sides import shared, told
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.options import OptionArguments
from equiv.testing.asserts import EXAMPLES, options_of, queries_of, require_sound, require_usable, shown
from equiv.testing.features import ALL, features_named
from equiv.testing.report import FewChangedWarning, Report
from equiv.testing.rewriter_queries import AimedQueries
from equiv.testing.rewriter_trial import Rewriter, Trial
from equiv.testing.schema_facts import schema_of

if TYPE_CHECKING:
    from equiv.testing.asserts import Given

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
    transpile: Rewriter,
    *,
    target: str,
    source: str = "sqlite",
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
    """The report on a transpiler put to many queries; for the arguments, see :func:`assert_transpiler_sound`.

    Args:
        faults: end after so many; None: go through all queries.
        shrink: how many of the faults are shown on smaller queries as well.

    Raises:
        InputError: an argument cannot be used.
    """
    require_usable(examples, queries, schema)
    if options.keys() & {"dialect", "gold_dialect", "schema_dialect"}:
        raise InputError("the dialects of a transpiler are source= and target=")
    if dialect_named(source) is dialect_named(target):
        raise InputError(f"source and target are one dialect: use check_rewrite with dialect={target!r}")
    chosen = replace(options_of(options), dialect=target, gold_dialect=source, schema_dialect=source)
    given = schema_of(SHOP if schema is None else schema, source)
    across = shared(told(given, dialect_named(source), dialect_named(target)), given, 1)
    texts, used = queries_of(queries, AimedQueries(given, features_named(features), examples, seed))
    return Trial(given, chosen, declines, across).run(
        transpile, texts, seed=used, faults=faults, shrink=shrink
    )


def assert_transpiler_sound(
    transpile: Rewriter,
    *,
    target: str,
    source: str = "sqlite",
    schema: Schema | str | Path | None = None,
    queries: Given = None,
    features: Iterable[str] = ALL,
    examples: int = EXAMPLES,
    seed: int = 0,
    declines: tuple[type[Exception], ...] = (),
    max_undecided: int | None = None,
    **options: Unpack[OptionArguments],
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
        features: what drawn queries may use, of :class:`~equiv.testing.features.Feature`.
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
    report = check_transpiler(
        transpile,
        target=target,
        source=source,
        schema=schema,
        queries=queries,
        features=features,
        examples=examples,
        seed=seed,
        declines=declines,
        faults=1,
        **options,
    )
    arguments = f", source={source!r}, target={target!r}"
    arguments += ", schema=…" if schema is not None else ""
    arguments += ", queries=…" if queries is not None else ""
    arguments += "" if report.seed is None else f", examples={examples}, seed={seed}"
    again = f"assert_transpiler_sound({report.rewriter}{arguments}{shown(options)})"
    require_sound(report, again, max_undecided)
    if report.warning:
        warnings.warn(report.warning, FewChangedWarning, stacklevel=2)
    return report
