"""The results file: append-only JSONL that a rerun resumes from.

One record a line, flushed as it is written, so that a killed run loses at
most the line it was writing.  A pair that is tried again appends a second
record with the same key; the last one counts.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from equiv.errors import InputError
from equiv.files import json_lines, read_text
from equiv.records.record import STATED, Record, is_settled, to_json


class ResultsFile:
    """A results file, open for appending by this process alone.

    Raises:
        InputError: the path cannot be written, another run writes to it, or
            it holds something other than records.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[bytes] = path.open("a+b")
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None
        try:
            self._lock()
            self.settled = {record["key"]: record for record in self._records() if is_settled(record)}
            """The records to resume from, by key."""
        except InputError:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the file go."""
        self._file.close()

    def write(self, record: Record) -> None:
        """Append one record."""
        self._file.write(to_json(record).encode() + b"\n")
        self._file.flush()

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"{self.path}: another run is writing to it") from None

    def _records(self) -> Iterator[Record]:
        """The records so far; a last line that a killed run left unfinished is cut off."""
        self._file.seek(0)
        start = 0
        for number, line in enumerate(self._file, 1):
            record = _parse(line)
            if record is not None:
                yield record
            elif line.endswith(b"\n") or not _may_be_unfinished(line):
                raise InputError(f"{self.path}:{number}: not a record of equiv eval; nothing was written")
            else:
                self._file.truncate(start)
                break
            start += len(line)
            if not line.endswith(b"\n"):
                self._file.write(b"\n")
        self._file.seek(0, os.SEEK_END)


def read_records(files: Iterable[Path]) -> list[Record]:
    """The records of some results files, in order; of those with one key the last counts.

    Raises:
        InputError: a file cannot be read, or holds something other than records.
    """
    found: dict[str, Record] = {}
    for path in files:
        for number, record in json_lines(path, read_text(path)):
            if not isinstance(record, dict) or not {"key", "verdict", "score", "judge"} <= record.keys():
                raise InputError(f"{path}:{number}: not a record of equiv eval")
            found[record["key"]] = STATED | record
    return list(found.values())


def _parse(line: bytes) -> Record | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    is_record = isinstance(record, dict) and {"key", "verdict", "reason"} <= record.keys()
    return record if is_record else None


def _may_be_unfinished(line: bytes) -> bool:
    """Whether a line is the beginning of a record: every record opens with its key."""
    opening = b'{"key": "'
    return line.startswith(opening) or opening.startswith(line)
