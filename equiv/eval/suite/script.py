"""The published evaluation scripts that a suite is made for: how they run, compare and look for databases.

What they compare with is :mod:`equiv.eval.metrics.ex_bird` and ``ex_spider``, which have
it as the tools have it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from equiv.core.runner import Result
from equiv.errors import InputError
from equiv.eval.metrics.ex_bird import as_bird
from equiv.eval.metrics.ex_spider import as_spider, is_ordered_for_spider, prepared_for_spider
from equiv.relation import Columns, Relation, Rows


class Layout(StrEnum):
    """The names that ``--layout`` takes."""

    BIRD = "bird"
    """``<root>/<db_id>/<db_id>.sqlite``, one database a run: each further one has its root."""
    SPIDER = "spider"
    """All files of ``database/<db_id>/`` in one run, as test suites have it."""


@dataclass(frozen=True, slots=True)
class Script:
    """A script with its switches."""

    layout: Layout
    keep_distinct: bool = True
    """Whether Spider's script is run with ``--keep_distinct``; BIRD's always keeps DISTINCT."""

    def prepared(self, sql: str) -> str:
        """A query as the script runs it."""
        if self.layout is Layout.BIRD:
            return sql
        return prepared_for_spider(sql, keep_distinct=self.keep_distinct)

    def is_ordered(self, gold: str) -> bool:
        """Whether the order of rows counts."""
        return self.layout is Layout.SPIDER and is_ordered_for_spider(gold)

    def same(self, pred: Result, gold: Result, *, ordered: bool) -> bool:
        """Whether the script takes two results for the same."""
        if self.layout is Layout.BIRD:
            return as_bird(pred, gold)
        return as_spider(pred, gold, ordered=ordered)

    def relation(self, gold: str) -> Relation:
        """The relation under which the script compares, as far as verdicts know it."""
        if self.layout is Layout.BIRD:
            return Relation(Rows.SET)
        return Relation(Rows.LIST if self.is_ordered(gold) else Rows.BAG, Columns.ANY)


def script_named(layout: str, *, keep_distinct: bool) -> Script:
    """The script of a layout.

    Raises:
        InputError: there is none of that name, or the switch is not one of its.
    """
    try:
        found = Layout(layout)
    except ValueError:
        raise InputError(f"unknown layout {layout!r}; choose one of {', '.join(Layout)}") from None
    if keep_distinct and found is Layout.BIRD:
        raise InputError("--keep-distinct goes with --layout spider: BIRD's script always keeps DISTINCT")
    return Script(found, keep_distinct)
