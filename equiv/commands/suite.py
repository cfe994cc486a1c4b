"""``equiv suite``: small databases that tell queries apart."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equiv.commands.common import SchemaFile, say, show
from equiv.core.remote import place_of
from equiv.eval.arguments import Reading
from equiv.eval.suite.arguments import Making


def suite(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Results files, or predictions.")],
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the suite.")],
    reading: Reading,
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
    from equiv.eval.suite.make import make_suite
    from equiv.eval.suite.report import blocks_of

    order = making.order(
        files=tuple(files), out=out, reading=reading, places=(db_root, schema), workers=workers
    )
    show(blocks_of(make_suite(order, say)))
    return 0
