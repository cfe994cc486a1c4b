"""Records as JSON lines, counts that add up, and tables of figures."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from itertools import pairwise
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


def kept_lines(path: Path) -> list[Any]:
    """What :func:`keep_line` has kept in a file; nothing if there is none."""
    return list(read_lines(path)) if path.exists() else []


def keep_line(path: Path, entry: object) -> None:
    """Keep an entry at the end of a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as out:
        out.write(f"{json.dumps(entry)}\n")


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


def calibration(
    known: Sequence[tuple[float, bool]], bins: Sequence[float]
) -> Iterator[tuple[str, int, str, int]]:
    """Pairs of probability and truth by bin: bounds, how many, how many true as foretold, how many true."""
    for low, high in pairwise(bins):
        inside = [(chance, is_true) for chance, is_true in known if low <= chance < high]
        if inside:
            foretold, true = map(sum, zip(*inside, strict=True))
            yield f"{low:g} to {min(high, 1):g}", len(inside), f"{foretold:.1f}", true


def head_of(module: str) -> str:
    """What a page begins with, from the file beside the module that makes the page."""
    return Path(module).with_suffix(".head.txt").read_text(encoding="utf-8")


def section(head: Sequence[str], rows: Iterable[Iterable[object]], heading: str = "") -> Iterator[str]:
    """The lines of a table in Markdown and an empty one, below a heading if there is one."""
    yield from (f"## {heading}", "") if heading else ()
    yield from (*markdown(head, rows), "")


def markdown(head: Sequence[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """The lines of a table in Markdown; cells are Markdown already."""
    first, *others = ("".join(f"| {cell} " if cell != "" else "| " for cell in row) for row in (head, *rows))
    yield f"{first}|"
    yield f"|{'---|' * len(head)}"
    yield from (f"{line}|" for line in others)
