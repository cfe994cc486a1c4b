"""The options that say how a suite is made."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equiv.dialects.crossing.dialect import is_across
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.eval.arguments import Reading
from equiv.options import Options
from equiv.show.arguments import (
    Assumed,
    DialectName,
    EffortOption,
    ErrorsOption,
    FactsPolicy,
    PairSeconds,
    RoundingName,
)

if TYPE_CHECKING:
    from equiv.eval.suite.gather import SuiteOrder


_ACROSS = (
    "a suite is of one dialect: a script opens each of its databases as one file, of one engine;"
    " equiv eval --gold-dialect compares across two"
)


@dataclass(frozen=True, kw_only=True)
class Making:
    """How a suite is made."""

    layout: Annotated[
        str, typer.Option(metavar="bird|spider", help="Whose script, with its comparison, it is for.")
    ] = "bird"
    keep_distinct: Annotated[
        bool, typer.Option("--keep-distinct", help="Spider's script will be run with --keep_distinct.")
    ] = False
    mutants: Annotated[
        int, typer.Option(metavar="N", min=0, help="Mutants of each gold query that are tried.")
    ] = 12
    facts: FactsPolicy = "intended"
    errors: ErrorsOption = "excused"
    assume: Assumed = None
    rounding: RoundingName = "ignore"
    effort: EffortOption = "normal"
    timeout: PairSeconds = 60.0
    dialect: DialectName = ""
    gold_dialect: Annotated[str, typer.Option(hidden=True)] = ""

    def order(
        self,
        *,
        files: tuple[Path, ...],
        out: Path,
        reading: Reading,
        places: tuple[Path | None, Path | None],
        workers: int,
    ) -> SuiteOrder:
        """The order that the options stand for; ``places`` are the root of databases and the schema.

        Raises:
            InputError: an option has no such value, or gold queries are of another dialect.
        """
        from equiv.eval.suite.gather import SuiteOrder
        from equiv.eval.suite.script import script_named

        options = Options(
            facts=self.facts,
            errors=self.errors,
            assume=tuple(self.assume or ()),
            rounding=self.rounding,
            effort=self.effort,
            timeout=self.timeout,
            dialect=self.dialect,
            gold_dialect=self.gold_dialect,
        )
        if is_across(dialect_named(options.pair_dialect)):
            raise InputError(_ACROSS)
        script = script_named(self.layout, keep_distinct=self.keep_distinct)
        return SuiteOrder(files, out, script, options, reading, *places, workers, self.mutants)
