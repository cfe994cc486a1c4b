"""Outcomes of a long run, a line each as they come, so that a run that was stopped goes on where it ended."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Record = dict[str, Any]


def read_lines(path: Path) -> list[Record]:
    """The records of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def write_lines(path: Path, records: Iterable[Any]) -> None:
    """Write records as a file of JSON lines."""
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")


class Journal:
    """The records of a file of JSON lines, which grows by those that are added.

    Attributes:
        records: all of them, oldest first.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.records: list[Record] = []
        if path.exists():
            # A line that a killed run did not finish is no record.
            whole = [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
            path.write_bytes(b"".join(whole))
            self.records = [json.loads(line) for line in whole]
        self.done = {str(record["key"]) for record in self.records}

    def add(self, key: object, record: Record) -> None:
        """Keep a record under a key that is not there yet."""
        made = {"key": key, **record}
        self.records.append(made)
        self.done.add(str(key))
        with self._path.open("a", encoding="utf-8") as out:
            out.write(json.dumps(made, default=str) + "\n")

    def table(self, by: str) -> str:
        """How often each value of a field stands in the records, the commonest first."""
        return listed(Counter(record[by] for record in self.records))


def listed(counts: Counter[str]) -> str:
    """Counts, a line each, the largest first."""
    return "\n".join(f"{number:6} {how}" for how, number in counts.most_common())


@contextmanager
def until_interrupted() -> Iterator[None]:
    """A run that may be broken off from the keyboard, after which what is kept is shown all the same."""
    try:
        yield
    except (KeyboardInterrupt, RuntimeError) as error:
        # Where DuckDB is at work it takes the signal for itself.
        if not isinstance(error, KeyboardInterrupt) and "interrupted" not in str(error):
            raise
        print("interrupted", file=sys.stderr)


def markdown(head: Sequence[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """The lines of a table in Markdown; cells are Markdown already."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(map(str, row))} |" for row in rows)
