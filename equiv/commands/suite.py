"""``equiv suite``: small databases that tell queries apart, and how they are made."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equiv.commands.common import SchemaFile, say, show
from equiv.core.connection import place_of
from equiv.dialects.crossing.dialect import is_across
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.eval.arguments import ReadingOptions
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
        reading: ReadingOptions,
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


def suite(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Results files, or predictions.")],
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the suite.")],
    reading: ReadingOptions,
    db_root: Annotated[
        Path | None,
        typer.Option(parser=place_of, metavar="DIR|URL", help="Populated databases, for their schemas."),
    ] = None,
    schema: SchemaFile = None,
    workers: Annotated[int, typer.Option(metavar="N", min=1, help="Worker processes.")] = 1,
    making: Making,
) -> int:
    """Pack small databases that tell gold queries from refuted predictions and from mutants.

    They lie as BIRD's or Spider's evaluation script looks for databases, which then need not be changed.
    Exit code: 0 once the suite is written, 2 trouble, 130 interrupted.
    """
    from equiv.eval.suite.report import blocks_of, make_suite

    order = making.order(
        files=tuple(files), out=out, reading=reading, places=(db_root, schema), workers=workers
    )
    show(blocks_of(make_suite(order, say)))
    return 0
