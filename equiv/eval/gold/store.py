"""The file of findings: append-only JSONL; a rerun adds what is not there yet."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from equiv.errors import InputError
from equiv.eval.gold.finding import is_finding
from equiv.files import json_lines, open_to_append, read_text
from equiv.records.record import Record, to_json


class FindingsFile:
    """A file of findings, open for appending by this process alone.

    Raises:
        InputError: the path cannot be written, another run writes to it, or it holds something else.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.written = 0
        self._file = open_to_append(path)
        try:
            self._known = {str(record["key"]) for record in self._records()}
        except InputError:
            self._file.close()
            raise

    def write(self, record: Record) -> None:
        """Append a record, unless one with its key is there."""
        if record["key"] not in self._known:
            self._known.add(record["key"])
            self._file.write(to_json(record).encode() + b"\n")
            self._file.flush()
            self.written += 1

    def close(self) -> None:
        """Let the file go."""
        self._file.close()

    def _records(self) -> Iterator[Record]:
        """The records so far; a last line that a killed run left unfinished is cut off."""
        self._file.seek(0)
        start = 0
        for number, line in enumerate(self._file, 1):
            whole = line.endswith(b"\n")
            record = _parse(line) if whole else None
            if record is not None:
                yield record
            elif whole or not line.startswith(b'{"key"'[: len(line)]):
                raise InputError(f"{self.path}:{number}: not a record of equiv gold; nothing was written")
            else:
                self._file.truncate(start)
                break
            start += len(line)
        self._file.seek(0, os.SEEK_END)


def is_findings_file(path: Path) -> bool:
    """Whether the first line of a file is the record of a finding."""
    first = read_text(path).lstrip().partition("\n")[0].encode()
    return _parse(first) is not None


def read_findings(path: Path) -> list[Record]:
    """The records of a file of findings.

    Raises:
        InputError: it cannot be read, or holds something else.
    """
    found = []
    for number, record in json_lines(path, read_text(path)):
        if not is_finding(record):
            raise InputError(f"{path}:{number}: not a record of equiv gold")
        found.append(record)
    return found


def _parse(line: bytes) -> Record | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if is_finding(record) else None
