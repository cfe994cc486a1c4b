"""Records as JSON lines, counts that add up, and tables of figures."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Self

Record = dict[str, Any]


def read_lines(path: Path) -> list[Record]:
    """The records of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def write_lines(path: Path, records: Iterable[Any]) -> None:
    """Write records as a file of JSON lines."""
    with path.open("w", encoding="utf-8") as out:
        out.writelines(f"{json.dumps(record)}\n" for record in records)


class Sums:
    """What was counted over some pairs: a dataclass of numbers, lists, counters and the like."""

    __slots__ = ()

    def add(self, other: Self) -> None:
        """Count in what another holds."""
        for each in fields(self):  # type: ignore[arg-type]
            own, more = getattr(self, each.name), getattr(other, each.name)
            if isinstance(own, Counter):
                own.update(more)
            elif hasattr(own, "add"):
                own.add(more)
            else:
                setattr(self, each.name, own + more)


def markdown(head: Sequence[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """The lines of a table in Markdown; cells are Markdown already."""
    first, *others = ("".join(f"| {cell} " if cell != "" else "| " for cell in row) for row in (head, *rows))
    yield f"{first}|"
    yield f"|{'---|' * len(head)}"
    yield from (f"{line}|" for line in others)
