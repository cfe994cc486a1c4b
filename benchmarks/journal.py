"""Outcomes of a long run, a line each as they come, so that a run that was stopped goes on where it ended."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

Record = dict[str, Any]


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
        counts = Counter(record[by] for record in self.records)
        return "\n".join(f"{number:6} {how}" for how, number in counts.most_common())
