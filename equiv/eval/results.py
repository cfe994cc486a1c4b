"""The results file: append-only JSONL that a rerun resumes from, and records of which tables need a part.

One record a line, flushed as it is written, so that a killed run loses at most the line it was writing.  A
pair that is tried again appends a second record with the same key; :func:`equiv.records.record.worth`
says which counts. Records stay in the file: what is kept of them is where they are.  An index has, for
each key, which record counts and where it is.

Several results files, of shards or of runs on several machines, are merged into one. Lines are copied as
they stand.  Of the records of one key the one that is worth most is taken, of equals the one given last;
what stands in the merged file already stays unless a better one comes.  So merging again adds nothing, and
a merge that was cut off is finished by another.

Of a record, tables need what is counted: texts of both queries, verdict, score, and of evidence the names
of rules. What goes is what only the page of a single pair tells: steps, witnesses, attempts, replies;
whole records are read from disk when one is shown.
"""

from __future__ import annotations

import json
import os
import shutil
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import IO, Any, NamedTuple

from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.eval.plan import OnDisk, leaves_database
from equiv.files import FileErrors, is_text, open_to_append
from equiv.records.record import STATED, Record, fault_of, to_json, worth
from equiv.scratch import Closing

_TABLES = """
CREATE TABLE entry (key TEXT PRIMARY KEY, file INTEGER, place INTEGER, worth INTEGER, leaves INTEGER)
"""


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """An entry of the index: the place of a record, and the fields needed without reading it again."""

    place: int
    """The byte at which its line begins."""
    worth: int
    """Beside other records of its key; see :func:`equiv.records.record.worth`."""
    leaves_database: bool = False
    """Whether a generated database distinguished its queries, which the next predictions are tried on."""
    file: int = 0
    """The number of its file, where there are several."""


class Index(OnDisk):
    """Entries by key; of two for one key the one worth more stands, of equals the later one."""

    def __init__(self) -> None:
        super().__init__(_TABLES)

    def enter(self, key: str, entry: IndexEntry) -> None:
        """Put an entry in, unless a better one stands."""
        self._tables.execute(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE"
            " SET file = excluded.file, place = excluded.place,"
            " worth = excluded.worth, leaves = excluded.leaves"
            " WHERE excluded.worth >= worth",
            (key, entry.file, entry.place, entry.worth, entry.leaves_database),
        )

    def get(self, key: str) -> IndexEntry | None:
        """The entry that stands for a key."""
        found = self._tables.execute(
            "SELECT place, worth, leaves, file FROM entry WHERE key = ?", (key,)
        ).fetchone()
        return IndexEntry(found[0], found[1], bool(found[2]), found[3]) if found else None

    def __contains__(self, key: str) -> bool:
        return self.get(key) is not None

    def __iter__(self) -> Iterator[str]:
        """The keys, in the order of their records."""
        return (key for (key,) in self._tables.execute("SELECT key FROM entry ORDER BY file, place"))

    def __len__(self) -> int:
        return self._count("SELECT count(*) FROM entry")


_OPENING = b'{"key": "'
"""What every line begins with."""


class Settled(Mapping[str, Record]):
    """The settled records of a file by key, each read when it is asked for.

    Args:
        entries: where they are.
        file: the file, which this closes.
    """

    def __init__(self, entries: Index, file: IO[bytes]) -> None:
        self._entries = entries
        self._file = file

    def __getitem__(self, key: str) -> Record:
        entry = self.entry(key)
        if entry is None:
            raise KeyError(key)
        self._file.seek(entry.place)
        record = parse(self._file.readline())
        assert record is not None, "it was one when it was entered"
        return record

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self.entry(key) is not None

    def __iter__(self) -> Iterator[str]:
        return (key for key in self._entries if key in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def entry(self, key: str) -> IndexEntry | None:
        """The index entry of a record."""
        found = self._entries.get(key)
        return found if found is not None and found.worth else None

    def close(self) -> None:
        """Let the file go."""
        self._file.close()


class ResultsFile(Closing):
    """A results file, open for appending by this process alone.

    Raises:
        InputError: the path cannot be written, another run writes to it, or
            it holds something other than records.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = open_to_append(path)
        self._superseding: dict[bytes, int] = {}
        """By key, where the record begins that was written in the place of one that stands before it."""
        self.entries = Index()
        """Where each record is, settled or not, that stood when the file was opened."""
        try:
            for place, record in self._records():
                self.entries.enter(record["key"], entry_of(record, place))
            self.settled = Settled(self.entries, path.open("rb"))
            """The records to resume from, by key."""
        except InputError:
            self._file.close()
            raise

    def close(self) -> None:
        """Let the file go."""
        self._file.close()
        self.settled.close()
        self.entries.close()

    def write(self, record: Record) -> None:
        """Append one record."""
        self.write_line(to_json(record).encode() + b"\n")

    def write_line(self, line: bytes) -> None:
        """Append one record as it stands in another file, its end of line included."""
        self._file.write(line)
        self._file.flush()

    def supersede(self, record: Record) -> None:
        """Append a record that counts in place of the one of its key, until :meth:`tidy` puts it there."""
        self._superseding[record["key"].encode()] = self._file.seek(0, os.SEEK_END)
        self.write(record)

    def tidy(self) -> None:
        """Put each superseding record where the first of its key stands: then a pair has one line.

        The file is replaced as a whole or stays as it is, which readers understand just as well.
        """
        places, self._superseding = self._superseding, {}
        if not places or not self.path.is_file():
            return
        target = self.path.resolve()
        copy = target.with_name(f"{target.name}.new")
        try:
            with target.open("rb") as lines, copy.open("xb") as made:
                made.writelines(_in_place(lines, places))
            shutil.copymode(target, copy)
            copy.replace(target)
        except OSError:
            copy.unlink(missing_ok=True)
            return
        self._file.close()
        self._file = open_to_append(self.path)

    def _records(self) -> Iterator[tuple[int, Record]]:
        """The records so far, and where each begins; an unfinished last line is cut off."""
        self._file.seek(0)
        for line in record_lines(self._file, self.path, _UNWRITTEN):
            if line.record is None:
                self._file.truncate(line.place)
                break
            yield line.place, line.record
        if self._file.seek(0, os.SEEK_END):
            self._file.seek(-1, os.SEEK_END)
            if self._file.read(1) != b"\n":
                self._file.write(b"\n")


def _in_place(lines: IO[bytes], places: Mapping[bytes, int]) -> Iterator[bytes]:
    """The lines of a file, each superseding one in the place of the first of its key."""
    left = dict(places)
    line = lines.readline()
    while line:
        key = line[len(_OPENING) :].partition(b'"')[0] if line.startswith(_OPENING) else b""
        if key not in places:
            yield line
        elif (place := left.pop(key, None)) is not None:
            here = lines.tell()
            lines.seek(place)
            yield lines.readline()
            lines.seek(here)
        line = lines.readline()


def entry_of(record: Record, place: int, file: int = 0) -> IndexEntry:
    """The index entry made of a record."""
    return IndexEntry(place, worth(record), leaves_database(record), file)


def read_records(files: Iterable[Path]) -> list[Record]:
    """The records of some results files, in order; of those with one key the one worth most counts.

    Raises:
        InputError: a file cannot be read, or holds something other than records.
    """
    found: dict[str, Record] = {}
    for record in (record for path in files for record in records_in(path)):
        known = found.get(record["key"])
        if known is None or worth(record) >= worth(known):
            found[record["key"]] = record
    return list(found.values())


def require_dialect(records: Iterable[Record], name: str) -> None:
    """Make sure that records are of a dialect, as far as they say of which.

    Raises:
        InputError: one is of another, or of two.
    """
    known = dialect_named(name).name
    others = sorted({record.get("dialect", "") for record in records} - {"", known})
    if others:
        raise InputError(f"the file has records of the dialect {others[0]}, but this run uses {known}")


def records_in(path: Path) -> Iterator[Record]:
    """The records of a results file one by one, with the fields that older versions did not write.

    Raises:
        InputError: the file cannot be read, or holds something other than records.
    """
    for line in _lines_of(path):
        if line.record is not None:
            if fault := fault_of(line.record):
                raise InputError(f"{path}:{line.number}: {_NO_RECORD}: {fault}")
            yield STATED | line.record


_NO_RECORD = "not a record of equiv eval"
_UNWRITTEN = "; nothing was written"


class RecordLine(NamedTuple):
    """A line of a results file."""

    number: int
    """From 1."""
    place: int
    """The byte at which it begins."""
    text: bytes
    """With its end of line, if it has one."""
    record: Record | None
    """None for a last line that was not finished."""


def record_lines(file: IO[bytes], path: Path, tail: str = "") -> Iterator[RecordLine]:
    """The lines of a results file; blank ones are nothing, and a last one may be cut off.

    Args:
        file: is read from where it stands.
        path: what messages call it.
        tail: what they add.

    Raises:
        InputError: a line is something else.
    """
    place = 0
    for number, text in enumerate(file, 1):
        if text.strip():
            record = parse(text)
            if record is None and not is_unfinished(text):
                raise InputError(f"{path}:{number}: {_NO_RECORD}{tail}")
            yield RecordLine(number, place, text, record)
        place += len(text)


def _lines_of(path: Path, tail: str = "") -> Iterator[RecordLine]:
    with FileErrors(path), path.open("rb") as file:
        yield from record_lines(file, path, tail)


def parse(line: bytes) -> Record | None:
    """The record that a line holds; None if it holds something else."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or not {"key", "verdict", "reason"} <= record.keys():
        return None
    key, verdict, reason = record["key"], record["verdict"], record["reason"]
    if not (is_text(key) and isinstance(verdict, str) and isinstance(reason, str | None)):
        return None
    for name in ("strongest", "weakest"):
        if record.get(name) == "None":  # what older versions wrote where none was looked for
            record[name] = None
    return record


def is_unfinished(line: bytes) -> bool:
    """Whether a line is the beginning of a record, as a killed run leaves it: a record opens with its key."""
    return not line.endswith(b"\n") and (line.startswith(_OPENING) or _OPENING.startswith(line))


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
        found = [f"{path}: its last line is not finished and was skipped" for path in self.cut_off]
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
            for line in _lines_of(path, _UNWRITTEN):
                if line.record is None:
                    merged.cut_off.append(path)
                    continue
                best.enter(line.record["key"], entry_of(line.record, line.place, number))
                merged.lines += 1
                merged.versions[_versions(line.record)] = None
        merged.keys = len(best)
        with ResultsFile(out) as results:
            for number, path in enumerate(files):
                for line in _lines_of(path, _UNWRITTEN):
                    if line.record is None:
                        continue
                    entry = best.get(line.record["key"])
                    if entry is None or (entry.file, entry.place) != (number, line.place):
                        continue
                    known = results.entries.get(line.record["key"])
                    stands = -1 if known is None else known.worth
                    merged.unsettled += not max(entry.worth, stands)
                    if entry.worth > stands:
                        results.write_line(line.text.removesuffix(b"\n") + b"\n")
                        merged.added += 1
    return merged


def _versions(record: Record) -> str:
    return ", ".join(f"{name} {version}" for name, version in sorted((record.get("versions") or {}).items()))


_RECORD_TABLES = "CREATE TABLE record (key TEXT PRIMARY KEY, whole BLOB) WITHOUT ROWID"

SHOWN_ALONE = frozenset(
    {"attempts", "equivalent_if", "facts_dropped", "versions", "hint", "caveat"}
    | {"bounded", "confirmed", "strongest", "weakest", "fragment", "parts", "databases"}
)
"""Fields that no table counts."""

REPEATED = frozenset(
    {"source", "db_id", "dialect", "relation", "question", "gold_sql", "difficulty", "question_type"}
    | {"verdict", "tier", "reason", "detail", "difference", "failure_code", "score_by", "ex", "llm", "faults"}
)
"""Fields whose values many records share."""


class RecordStore(OnDisk, Mapping[str, Record]):
    """Records by key, in the order in which their keys came; of two of one key that worth more counts."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        super().__init__(_RECORD_TABLES)
        self._parts: dict[str, Record] = {}
        self._shared: dict[str, Any] = {}
        for record in records:
            self.add(record)

    @classmethod
    def of_files(cls, files: Iterable[Path]) -> RecordStore:
        """The records of some results files.

        Raises:
            InputError: a file cannot be read, or holds something other than records.
        """
        return cls(record for path in files for record in records_in(path))

    def add(self, record: Record) -> None:
        """Put a record on the shelf."""
        key = record["key"]
        known = self._parts.get(key)
        if known is None or worth(record) >= worth(known):
            self._parts[key] = self._part(record)
            whole = zlib.compress(to_json(record).encode(), 1)
            self._tables.execute("INSERT OR REPLACE INTO record VALUES (?, ?)", (key, whole))

    def __getitem__(self, key: str) -> Record:
        return self._parts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def whole(self, record: Record) -> Record:
        """All of a record of which a part is here."""
        query = "SELECT whole FROM record WHERE key = ?"
        (found,) = self._tables.execute(query, (record["key"],)).fetchone()
        whole: Record = json.loads(zlib.decompress(found))
        return whole

    def _part(self, record: Record) -> Record:
        fields = {name: own for name, own in record.items() if name not in SHOWN_ALONE}
        fields["evidence"] = self._rules_alone(record["evidence"])
        fields["facts"] = [self._once({"kind": f["kind"], "grade": f["grade"]}) for f in record["facts"]]
        fields["remarks"] = [self._once({"kind": one["kind"]}) for one in record.get("remarks", ())]
        fields["golds"] = [self._once({"sql": gold["sql"]}) for gold in record.get("golds", ())]
        for name in ("prover_result", "refuter_result"):
            fields[name] = self._once(_decision(record[name]))
        fields["ms"] = {intern(str(tier)): ms for tier, ms in record["ms"].items()}
        if judge := record["judge"]:
            fields["judge"] = {intern(name): self._once(own) for name, own in judge.items()}
        return {
            intern(name): self._once(own) if name in REPEATED or own == [] else own
            for name, own in fields.items()
        }

    def _rules_alone(self, evidence: Mapping[str, Any] | None) -> Record | None:
        if not evidence or "steps" not in evidence:
            return None
        return {"steps": [self._once({"rule": str(step["rule"])}) for step in evidence["steps"]]}

    def _once(self, value: Any) -> Any:
        """The value, or an equal one that is here already."""
        name = value if isinstance(value, str) else json.dumps(value)
        return self._shared.setdefault(f"{type(value).__name__} {name}", value)


def _decision(reply: Mapping[str, Any] | None) -> Record | None:
    """A reply of a judge without its reasons."""
    if not reply:
        return None
    return {name: own for name, own in reply.items() if not isinstance(own, str) or name == "ambiguity"}
