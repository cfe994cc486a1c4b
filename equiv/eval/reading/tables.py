"""Tables as data files: CSV, TSV and Parquet, a row an entry; and what columns mean."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from equiv.errors import InputError
from equiv.eval.reading.loading import Entry
from equiv.eval.reading.text_file import TextFile
from equiv.files import one_line
from equiv.spelling import did_you_mean

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
        else:
            yield _row(f"line {rows.line_num}", header, row)


def _with_any_end(lines: Iterable[str]) -> Iterator[str]:
    r"""The lines, where ``\r`` alone ends one as well."""
    for line in lines:
        yield from re.split(r"(?<=\r)(?!\n)(?!\Z)", line) if "\r" in line else [line]


def _refuse_twins(path: Path, header: list[str]) -> None:
    if twice := next((name for name in header if header.count(name) > 1), None):
        raise InputError(f"{path}: the column {twice!r} stands twice")


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
