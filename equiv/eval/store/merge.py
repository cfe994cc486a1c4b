"""The records of several results files in one: those of shards, or of runs on several machines.

Lines are copied as they stand.  Of the records of one key the one that is
worth most is taken, of equals the one given last; what stands in the merged
file already stays unless a better one comes.  So merging again adds nothing,
and a merge that was cut off is finished by another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from equiv.errors import InputError
from equiv.eval.store.results import Index, ResultsFile, entry_of, is_unfinished, parse
from equiv.records.record import Record, worth


@dataclass(slots=True)
class Merged:
    """The result of a merge: counts of records."""

    lines: int = 0
    """Records read."""
    keys: int = 0
    """How many pairs they are about; with and without a judge counts as two."""
    added: int = 0
    """Records appended."""
    unsettled: int = 0
    """Pairs that a rerun would try again."""
    cut_off: list[Path] = field(default_factory=list)
    """Files whose last line was not finished."""
    versions: dict[str, None] = field(default_factory=dict)
    """What the records were made with."""

    def remarks(self, out: Path) -> list[str]:
        """The remarks on the merge."""
        found = [f"{path}: its last line is not finished and was passed over" for path in self.cut_off]
        if len(self.versions) > 1:
            found.append(f"records of several versions, each with its own key: {'; '.join(self.versions)}")
        if self.unsettled:
            found.append(f"{self.unsettled} pairs would be tried again by a rerun of eval")
        return [*found, f"{self.lines} records of {self.keys} pairs read, {self.added} appended to {out}"]


def merge(files: Sequence[Path], out: Path) -> Merged:
    """Append the records of some results files to one.

    Raises:
        InputError: a file cannot be read or holds something other than records (nothing is written then),
            or another run writes to ``out``.
    """
    merged = Merged()
    with closing(Index()) as best:
        for number, path in enumerate(files):
            for place, _, record in _records(path, merged):
                best.enter(record["key"], entry_of(record, place, number))
                merged.lines += 1
                merged.versions[_versions(record)] = None
        merged.keys = len(best)
        with ResultsFile(out) as results:
            for number, path in enumerate(files):
                for place, line, record in _records(path):
                    entry = best.get(record["key"])
                    if entry is None or (entry.file, entry.place) != (number, place):
                        continue
                    known = results.entries.get(record["key"])
                    stands = -1 if known is None else known.worth
                    merged.unsettled += not max(worth(record), stands)
                    if worth(record) > stands:
                        results.write_line(line if line.endswith(b"\n") else line + b"\n")
                        merged.added += 1
    return merged


def _records(path: Path, merged: Merged | None = None) -> Iterator[tuple[int, bytes, Record]]:
    """The records of a file: where each begins, its line, and what it holds."""
    try:
        with path.open("rb") as file:
            start = 0
            for number, line in enumerate(file, 1):
                record = parse(line)
                if record is not None:
                    yield start, line, record
                elif not is_unfinished(line):
                    raise InputError(f"{path}:{number}: not a record of equiv eval; nothing was written")
                elif merged is not None:
                    merged.cut_off.append(path)
                start += len(line)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def _versions(record: Record) -> str:
    return ", ".join(f"{name} {version}" for name, version in sorted((record.get("versions") or {}).items()))
