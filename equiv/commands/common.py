"""Exit codes, arguments and printing that commands share."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equiv.commands.outside import databases
from equiv.files import FileErrors
from equiv.show.page import escape

if TYPE_CHECKING:
    from equiv.show.page import Block
    from equiv.verdict import Verdict

EQUIVALENT, NOT_EQUIVALENT, TROUBLE, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130
"""Exit codes; ``eval`` gives 0 once every record is written, whatever it says, but for ``--fail-under``."""

BELOW = 1
"""The exit code of ``eval`` if a score is below ``--fail-under``."""

Db = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE",
        help="Populated database: a file, or a name below dev_databases or $EQUIV_DB_ROOT.",
        autocompletion=databases,
    ),
]
SchemaFile = Annotated[
    Path | None,
    typer.Option("--schema", metavar="FILE", help="DDL file, folder of <db_id>.sql, or tables.json."),
]
Extract = Annotated[
    bool,
    typer.Option("--extract/--no-extract", help="Take PRED out of its fence, tags or words, if it has some."),
]


def say(message: str) -> None:
    """One line on standard error."""
    sys.stderr.write(f"equiv: {escape(' '.join(message.split()))}\n")


def print_line(line: str) -> None:
    """One line on standard output, as it is."""
    sys.stdout.write(f"{line}\n")


def show(blocks: Sequence[Block]) -> None:
    """Blocks on standard output."""
    from equiv.show.terminal import show

    show(blocks, sys.stdout)


def write(path: Path, text: str) -> None:
    """A file with a text.

    Raises:
        InputError: it cannot be written.
    """
    with FileErrors(path):
        path.write_text(text, encoding="utf-8", errors="surrogateescape")


def prepare_page(path: Path | None) -> None:
    """Say before a long run that a page cannot be made after it.

    Raises:
        InputError: it cannot.
    """
    if path is not None:
        from equiv.eval.html.page import prepare

        prepare(path)


def was_left_out(context: typer.Context, option: str) -> bool:
    """Whether the command line does not name an option, so that it has its default."""
    source = context.get_parameter_source(option)
    return source is not None and source.name == "DEFAULT"


def exit_code(verdict: Verdict) -> int:
    """The exit code of ``check`` and ``explain``; a query that is none is told of."""
    from equiv.show.verdicts import trouble_of

    if trouble := trouble_of(verdict):
        say(trouble)
        return TROUBLE
    return {"equivalent": EQUIVALENT, "not_equivalent": NOT_EQUIVALENT}.get(verdict.name, UNDECIDED)
