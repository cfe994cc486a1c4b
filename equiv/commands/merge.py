"""``equiv merge``: results files become one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equiv.commands.common import say


def merge(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Results files, as of shards.")],
    *,
    out: Annotated[Path, typer.Option(metavar="FILE.jsonl", help="Append what it lacks or has only open.")],
) -> int:
    """Bring the records of several results files together, one for each pair.

    Exit code: 0 once every record is written, 2 trouble, 130 interrupted.
    """
    from equiv.eval.results import merge

    for remark in merge(files, out).remarks(out):
        say(remark)
    return 0
