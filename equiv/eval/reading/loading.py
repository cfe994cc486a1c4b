"""Entries of data files, before anything is asked of them: what one of them lacks is its own fault.

Every form of file (a JSON list, a JSON object by id, JSON lines, a table as CSV, TSV or Parquet) gives
its entries one by one.  NaN and numbers beyond all bounds, which pandas writes for what is missing, read
as null.

A text file is read once, line by line, whatever its size; its beginning is at hand beforehand.  Comparison
operators that a tokeniser has split, ``> =`` for ``>=`` in CoSQL's gold queries, no dialect reads; they
are joined, as the public scripts of Spider, CoSQL and ESM+ do.
"""

from __future__ import annotations

import codecs
import csv
import json
import math
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from equiv.errors import InputError, did_you_mean
from equiv.files import FileErrors, encoding_of, no_text, one_line, refuse_zeros

BLOCK = 1 << 18
"""How many bytes are taken at a time."""

BEGINNING = 2_000
"""How many characters tell what a text is."""


class TextFile:
    """A text file, UTF-8 or UTF-16 unless another encoding is named.

    Raises:
        InputError: it cannot be read, or its beginning is not text; or there is no such encoding.
    """

    def __init__(self, path: Path, encoding: str = "") -> None:
        self._rest = _lines_in(path, encoding_named(encoding))
        self._first: deque[str] = deque()
        length = 0
        while length < BEGINNING and (line := next(self._rest, None)) is not None:
            self._first.append(line)
            length += len(line) if length else len(line.lstrip())

    @property
    def head(self) -> str:
        """The first lines of the file without leading blank ones; available until the lines are read."""
        return "".join(self._first).lstrip()

    def lines(self) -> Iterator[str]:
        r"""The lines with their ends, once; only ``\n`` ends one, since SQL may hold the other separators.

        Raises:
            InputError: the file cannot be read, or is not text.
        """
        first, self._first = self._first, deque()
        while first:
            yield first.popleft()
        yield from self._rest

    def whole(self) -> str:
        """All lines."""
        return "".join(self.lines())


def without_ends(lines: Iterable[str]) -> Iterator[str]:
    r"""The lines without the ``\n`` or ``\r\n`` that ends them."""
    for line in lines:
        bare = line.removesuffix("\n").removesuffix("\r")
        if bare or line.endswith("\n"):
            yield bare


def encoding_named(name: str) -> str:
    """The name of an encoding, if there is one of it.

    Raises:
        InputError: there is none.
    """
    try:
        "".encode(name or "utf-8")
    except (LookupError, ValueError):
        from encodings.aliases import aliases

        known = (each.replace("_", "-") for each in aliases)
        raise InputError(f"unknown encoding {name!r}{did_you_mean(name, known)}") from None
    return name


def _lines_in(path: Path, encoding: str) -> Iterator[str]:
    begun: list[str] = []
    for block in _blocks_of(path, encoding):
        refuse_zeros(str(path), block)
        end, *lines = block.split("\n")
        begun.append(end)
        for line in lines:
            yield "".join(begun) + "\n"
            begun = [line]
    if last := "".join(begun):
        yield last


def _blocks_of(path: Path, encoding: str) -> Iterator[str]:
    with FileErrors(path), path.open("rb") as file:
        yield from _decoded(str(path), iter(lambda: file.read(BLOCK), b""), encoding)


def _decoded(name: str, blocks: Iterator[bytes], encoding: str) -> Iterator[str]:
    first = next(blocks, b"")
    encoding = encoding or encoding_of(first)
    decoder = codecs.getincrementaldecoder(encoding)()
    taken = 0
    try:
        for block in chain([first], blocks):
            yield decoder.decode(block)
            taken += len(block)
        yield decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        waiting, _ = decoder.getstate()
        remedy = "name its encoding (--encoding latin-1, say) or convert it to UTF-8"
        raise no_text(name, encoding, taken - len(waiting) + error.start, remedy) from None


_TOKEN = re.compile(
    r"""'[^']*'?|"[^"]*"?|`[^`]*`?|\[[^\]]*\]?|--[^\n]*|/\*.*?(?:\*/|\Z)|(?P<sign>[<>!])[ \t\r\n]+=""",
    re.DOTALL,
)
"""A string, a quoted name, a comment, or a split operator."""


def joined_operators(sql: str) -> str:
    """The query with its split operators joined; what stands in quotes and comments stays."""
    return _TOKEN.sub(lambda found: f"{found['sign']}=" if found["sign"] else found[0], sql)


BIRD_SEPARATOR = "\t----- bird -----\t"

DEEPEST = 500
"""How many levels of lists and objects an entry may have."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a data file."""

    where: str
    """As users find it: ``entry 3``, ``line 7``, ``key 'x'``."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Values by field name in lower case."""
    trouble: str = ""
    """Why it is not a record; then it has no fields."""

    @property
    def id(self) -> str | None:
        """The question id as text, by which files are joined; None if it has none."""
        number = self.fields.get("question_id")
        if number is None or isinstance(number, str):
            return number
        if isinstance(number, float) and number.is_integer():
            return str(int(number))  # pandas makes real numbers of a column that lacks some
        try:
            return json.dumps(number)
        except RecursionError:
            return None


_NOTHING = object()


class Repeating(dict[str, Any]):
    """A JSON object in which a key stands more than once; the last one counts."""

    pairs: list[tuple[str, Any]]
    twice: str


def load(path: Path, text: str) -> Any:
    """The JSON value of a text.

    Raises:
        InputError: it is not JSON.
    """
    try:
        return _loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON: {one_line(error)}") from None


def entries_of_list(path: Path, values: object, unit: str = "entry") -> Iterator[Entry]:
    """The entries of a JSON list.

    Raises:
        InputError: it is none, or (at its end) no entry is a record.
    """
    if isinstance(values, dict) and isinstance(values.get("data"), list):
        values = values["data"]
    if not isinstance(values, list):
        raise InputError(f"{path}: not a JSON list of records")
    return if_any(path, (entry_of(f"{unit} {n}", value) for n, value in enumerate(values)))


def entries_of_lines(path: Path, lines: Iterable[str]) -> Iterator[Entry]:
    """The entries of JSON lines; blank lines are none.

    Raises:
        InputError: (at their end) no line is a record.
    """
    numbered = ((n, line.removesuffix("\n")) for n, line in enumerate(lines, 1) if line.strip())
    return if_any(path, (_line(f"line {number}", line) for number, line in numbered))


def entries_of_object(path: Path, value: object, name: str) -> Iterator[Entry]:
    """The entries of a JSON object from question ids to queries, as BIRD and TrustSQL have them.

    Args:
        path: the file.
        value: the object.
        name: the field that its values are.

    Raises:
        InputError: it is none.
    """
    if not isinstance(value, dict):
        raise InputError(f"{path}: not a JSON dict of queries")
    pairs = value.pairs if isinstance(value, Repeating) else list(value.items())
    for key, query in pairs:
        yield entry_of(f"key {key!r}", {"question_id": key, **_query(query, name)})


def entry_of(where: str, value: object) -> Entry:
    """The entry that a JSON value makes."""
    if isinstance(value, Repeating):
        return Entry(where, trouble=f"{where}: the key {value.twice!r} occurs twice")
    if not isinstance(value, dict):
        return Entry(where, trouble=f"{where}: not a JSON object")
    if _is_deep(value):
        return Entry(where, trouble=f"{where}: more than {DEEPEST} levels of lists and objects")
    return Entry(where, {str(name).strip().lower(): own for name, own in value.items()})


def _is_deep(value: object) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for one in level
            if isinstance(one, list | dict)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return False
    return True


def mapped(entries: Iterable[Entry], mapping: Mapping[str, str], met: set[str]) -> Iterator[Entry]:
    """The entries with those columns of a mapping that they have under the names of fields, too.

    A column with dots leads into nested objects where there is no column of that whole name.

    Args:
        entries: the entries.
        mapping: fields by column.
        met: where the columns are put that an entry has.
    """
    if not mapping:
        return iter(entries)
    return (
        Entry(entry.where, {**entry.fields, **_renamed(entry.fields, mapping, met)}, entry.trouble)
        for entry in entries
    )


def _renamed(fields: Mapping[str, Any], mapping: Mapping[str, str], met: set[str]) -> dict[str, Any]:
    found = {column: _at(fields, column) for column in mapping}
    there = [column for column, value in found.items() if value is not _NOTHING]
    met.update(there)
    return {mapping[column]: found[column] for column in there}


def _at(fields: Mapping[str, Any], column: str) -> Any:
    if column in fields:
        return fields[column]
    value: Any = fields
    for part in column.split("."):
        own = {str(name).lower(): one for name, one in value.items()} if isinstance(value, Mapping) else {}
        value = own.get(part, _NOTHING)
    return value


def _line(where: str, line: str) -> Entry:
    try:
        return entry_of(where, _loads(line))
    except (ValueError, RecursionError) as error:
        return Entry(where, trouble=f"{where}: not JSON: {one_line(error)}")


def _query(value: object, name: str) -> dict[str, Any]:
    """A query, and its database where BIRD's separator tells it."""
    if not isinstance(value, str):
        return {name: value}
    sql, separator, db_id = value.rpartition(BIRD_SEPARATOR)
    return {name: sql, "db_id": db_id.strip()} if separator else {name: value}


def if_any(path: Path, entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the entries, and raise the first one's trouble at their end if every entry is in trouble."""
    first = ""
    sound = False
    for entry in entries:
        first = first or entry.trouble
        sound = sound or not entry.trouble
        yield entry
    if first and not sound:
        raise InputError(f"{path}: {first}")


def _loads(text: str) -> Any:
    return json.loads(
        text,
        object_pairs_hook=_object,
        parse_constant=lambda _: None,
        parse_float=_finite,
        parse_int=_integer,
    )


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    repeating = Repeating(found)
    repeating.pairs = pairs
    repeating.twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
    return repeating


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def _integer(text: str) -> int | None:
    """None where Python refuses to read so many digits."""
    try:
        return int(text)
    except ValueError:
        return None


DELIMITERS = {".csv": ",", ".tsv": "\t"}
PARQUET = (".parquet", ".pq")
LONGEST_CELL = 2**31 - 1
ROWS_AT_ONCE = 1_000

FIELDS = {
    **{name: name for name in ("question_id", "db_id", "question", "predicted_sql", "gold_sql")},
    **{name: name for name in ("evidence", "hint", "label", "difficulty", "method", "source")},
    **{name: name for name in ("feasible", "abstained", "question_type", "seen", "confidence")},
    "interaction": "interaction",
    "id": "question_id",
    "db": "db_id",
    "pred": "predicted_sql",
    "gold": "gold_sql",
}
"""What ``--map`` may name: the fields of an item, and short names of some of them."""


def mapping_of(text: str) -> dict[str, str]:
    """The fields by column, lower case, that a text ``column=field,…`` means.

    Raises:
        InputError: it has another form, or there is no such field.
    """
    mapping: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        column, equals, name = (side.strip() for side in part.rpartition("="))
        if not equals or not column:
            raise InputError(f"--map: {part!r} is not column=field")
        if name.lower() not in FIELDS:
            near = did_you_mean(name, FIELDS) or ";"
            raise InputError(f"--map: no field {name!r}{near} choose one of {', '.join(FIELDS)}")
        mapping[column.lower()] = FIELDS[name.lower()]
    return mapping


def is_table(path: Path) -> bool:
    """Whether a file's name says that it is a table."""
    return path.suffix.lower() in (*DELIMITERS, *PARQUET)


def is_parquet(path: Path) -> bool:
    """Whether a file's name says that it is Parquet."""
    return path.suffix.lower() in PARQUET


def entries_of_table(path: Path, *, parquet: bool, encoding: str = "") -> Iterator[Entry]:
    """The rows of a table: of Parquet, or of text with commas (tabs in a ``.tsv``).

    Raises:
        InputError: it cannot be read, or is no such table.
    """
    delimiter = DELIMITERS.get(path.suffix.lower(), ",")
    return _parquet(path) if parquet else _separated(path, delimiter, encoding)


def _separated(path: Path, delimiter: str, encoding: str) -> Iterator[Entry]:
    csv.field_size_limit(LONGEST_CELL)
    rows = csv.reader(_with_any_end(TextFile(path, encoding).lines()), delimiter=delimiter, strict=True)
    header: list[str] | None = None
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise InputError(f"{path}:{rows.line_num}: {one_line(error)}") from None
        if row is None:
            return
        if not row or (len(row) == 1 and not row[0].strip()):
            continue
        if header is None:
            header = [name.strip().lower() for name in row]
            _refuse_twins(path, header)
            if other := next((each for each in ";\t|," if each in row[0] and len(row) == 1), ""):
                remedy = "save it with commas, or tabs as .tsv"
                raise InputError(f"{path}: the header has no {delimiter!r}, but {other!r}: {remedy}")
        else:
            yield _row(f"line {rows.line_num}", header, row)


def _with_any_end(lines: Iterable[str]) -> Iterator[str]:
    r"""The lines, where ``\r`` alone ends one as well."""
    for line in lines:
        yield from re.split(r"(?<=\r)(?!\n)(?!\Z)", line) if "\r" in line else [line]


def _refuse_twins(path: Path, header: list[str]) -> None:
    if twice := next((name for name in header if header.count(name) > 1), None):
        raise InputError(f"{path}: the column {twice!r} occurs twice")


def _row(where: str, header: list[str], row: list[str]) -> Entry:
    if len(row) != len(header):
        return Entry(where, trouble=f"{where}: {len(row)} cells, but the header has {len(header)}")
    return Entry(where, {name: cell or None for name, cell in zip(header, row, strict=True)})


def _parquet(path: Path) -> Iterator[Entry]:
    try:
        from pyarrow import ArrowException, parquet
    except ModuleNotFoundError:
        raise InputError(f"{path}: Parquet needs pyarrow: pip install -e '.[parquet]'") from None
    try:
        with path.open("rb") as file, parquet.ParquetFile(file) as table:
            _refuse_twins(path, [name.lower() for name in table.schema_arrow.names])
            rows = (row for batch in table.iter_batches(ROWS_AT_ONCE) for row in batch.to_pylist())
            for number, row in enumerate(rows):
                yield Entry(f"row {number}", {name.lower(): plain(value) for name, value in row.items()})
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or one_line(error)}") from None
    except (ArrowException, ValueError) as error:
        raise InputError(f"{path}: {one_line(error)}") from None


def plain(value: Any) -> Any:
    """A value of a table as one of JSON: what JSON lacks becomes text, what is missing null."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case Mapping():
            return {str(name): plain(own) for name, own in value.items()}
        case list() | tuple():
            return [plain(own) for own in value]
    return str(value)
