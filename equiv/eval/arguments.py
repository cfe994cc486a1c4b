"""The options of ``eval`` that say how files are read, and what is told in the end; see ``spread``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from equiv.records.record import Record


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The options that say how prediction files are read."""

    gold: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Gold queries; predictions are joined to them by id.")
    ] = None
    kind: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="auto|rose|list|bird|spider|jsonl|csv|parquet|nodes",
            help="Format of the prediction files.",
        ),
    ] = "auto"
    mapping: Annotated[
        str,
        typer.Option("--map", metavar="COLUMN=FIELD,…", help="What columns are called, as answer=pred,q=id."),
    ] = ""
    encoding: Annotated[
        str, typer.Option(metavar="NAME", help="Encoding of text files, as latin-1; else UTF-8 or UTF-16.")
    ] = ""
    extract: Annotated[
        bool, typer.Option("--extract", help="Take queries out of their fences, tags or words.")
    ] = False
    vote: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE", min=0, max=1, help="Of a list of samples, what so many agree on; else abstain."
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Telling:
    """The options that say which views of its records an evaluation writes or prints."""

    fail_under: Annotated[
        float | None,
        typer.Option(
            metavar="PERCENT", min=0, max=100, help="Exit with 1 if a system scores less, of all items."
        ),
    ] = None
    conditions: Annotated[
        bool,
        typer.Option(
            "--conditions/--no-conditions", help="In the end, look for facts that would make misses equal."
        ),
    ] = False
    condition_seconds: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="How long that may take in all.")
    ] = 30.0
    ex: Annotated[
        bool, typer.Option("--ex/--no-ex", help="Measure execution accuracy where there is a database.")
    ] = True
    rose_results: Annotated[
        Path | None, typer.Option(metavar="FILE.json", help="Write the scores as ROSE's eval_results.json.")
    ] = None
    parquet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the records as Parquet, too.")
    ] = None
    misses: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE.csv", help="Write what did not score 1 as a table.")
    ] = None
    page: Annotated[
        Path | None, typer.Option("--report", metavar="FILE.html", help="Write a report as one HTML file.")
    ] = None

    @property
    def keeps_records(self) -> bool:
        """Whether all records are wanted together at the end."""
        return any(wanted is not None for wanted in (self.rose_results, self.parquet, self.misses, self.page))

    def write(self, records: Callable[[], Iterable[Record]]) -> list[str]:
        """Write the views of the records that the options ask for.

        Returns:
            remarks to print.

        Args:
            records: gives them from the first to the last, each time that it is called.

        Raises:
            InputError: one cannot be written.
        """
        from equiv.eval.exports import write_misses, write_parquet, write_rose

        remarks = []
        if self.rose_results is not None:
            written = write_rose(records(), self.rose_results)
            remarks.append(f"ROSE's results in {', '.join(map(str, written))}")
        if self.parquet is not None:
            count = write_parquet(records(), self.parquet)
            remarks.append(f"{count} records in {self.parquet}")
        if self.misses is not None:
            count = write_misses(records(), self.misses)
            remarks.append(f"{count} records that did not score 1 in {self.misses}")
        return remarks
