"""Records as JSON lines, and tables of figures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

Record = dict[str, Any]


def read_lines(path: Path) -> list[Record]:
    """The records of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def write_lines(path: Path, records: Iterable[Any]) -> None:
    """Write records as a file of JSON lines."""
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")


def markdown(head: Sequence[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """The lines of a table in Markdown; cells are Markdown already."""
    first, *others = ("".join(f"| {cell} " if cell != "" else "| " for cell in row) for row in (head, *rows))
    yield f"{first}|"
    yield f"|{'---|' * len(head)}"
    yield from (f"{line}|" for line in others)
