"""Reading what users give: text, JSON and query arguments, with errors of one line; writing pages."""

from __future__ import annotations

import base64
import codecs
import hashlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from equiv.errors import InputError

_HEAD = 64
"""How many bytes tell UTF-16 without a byte order mark."""
_ARCHIVES = (b"PGDMP", b"toc.dat\x00")
"""How what ``pg_dump`` writes in its own form, or as a tar archive, begins."""

MAX_QUERY_BYTES = 200_000
"""The longest text that is taken for a query: what the guarded connections accept."""


def one_line(error: BaseException) -> str:
    """An error's message without line breaks, or its type's name."""
    return " ".join(str(error).split()) or type(error).__name__


class FileErrors:
    """Within it, what the system refuses of a file is an :class:`~equiv.errors.InputError` that names it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            raise InputError(f"{self._path}: {error.strerror or error}") from None


def read_text(path: Path, limit: int | None = None) -> str:
    """The text of a UTF-8 or UTF-16 file; ``limit`` is the most bytes that are accepted.

    Raises:
        InputError: it cannot be read, is too long, or is not text.
    """
    try:
        with path.open("rb") as file:
            data = file.read() if limit is None else file.read(limit + 1)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except ValueError:
        raise InputError(f"{path}: no file can have this name") from None
    return decode(data, str(path), limit)


def is_text(value: object) -> bool:
    """Whether a value is a text that SQLite and UTF-8 can hold: without NUL and halves of surrogate pairs."""
    if not isinstance(value, str) or "\x00" in value:
        return False
    return value.isascii() or value.encode(errors="ignore").decode() == value


def open_to_append(path: Path) -> IO[bytes]:
    """A file, open for reading and appending by this process alone; its folder is made.

    Raises:
        InputError: it cannot be written, or another run writes to it.
    """
    import fcntl

    with FileErrors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        # A device or a pipe may give bytes for ever.
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: not a regular file")
        file = path.open("a+b")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise InputError(f"{path}: another run is writing to it") from None
    return file


def decode(data: bytes, name: str, limit: int | None = None) -> str:
    """The text in some bytes; see :func:`read_text`."""
    if data.startswith(_ARCHIVES):
        raise InputError(
            f"{name}: an archive of pg_dump: write it as SQL with: pg_restore -f schema.sql {name}"
        )
    if data.startswith(b"SQLite format 3\0") or data[8:12] == b"DUCK":
        raise InputError(f"{name}: a database, not text: give it as --db, or its folder as --db-root")
    if limit is not None and len(data) > limit:
        raise InputError(f"{name}: longer than {limit:,} bytes, too long for a query")
    encoding = encoding_of(data)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise no_text(name, encoding, error.start) from None
    refuse_zeros(name, text)
    return text


def no_text(name: str, encoding: str, byte: int, remedy: str = "convert it to UTF-8") -> InputError:
    """The error that a file is not text of its encoding from some byte on, and what helps."""
    return InputError(f"{name}: not {encoding.removesuffix('-sig').upper()} text (byte {byte}): {remedy}")


def refuse_zeros(name: str, text: str) -> None:
    """Refuse what only a binary file holds.

    Raises:
        InputError: the text has a zero character.
    """
    if "\x00" in text:
        raise InputError(f"{name}: a binary file, not text")


def encoding_of(data: bytes) -> str:
    """UTF-16 if a byte order mark says so, or if every other byte of the beginning is zero; else UTF-8."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    even, odd = data[:_HEAD:2], data[1:_HEAD:2]
    if odd and not any(odd) and all(even):
        return "utf-16-le"
    return "utf-16-be" if odd and not any(even) and all(odd) else "utf-8-sig"


def read_query(argument: str) -> str:
    """The SQL that a PRED or GOLD argument means: ``-`` (standard input), a file, or SQL text.

    An argument without blanks that ends in .sql or has a path separator is
    a file; so is the name of an existing file.

    Raises:
        InputError: the file is missing, too long, or not text.
    """
    if argument == "-" or _is_file_name(argument):
        return read_query_file(argument)
    return decode(argument.encode("utf-8", "surrogateescape"), "SQL argument", MAX_QUERY_BYTES)


def read_query_file(name: str) -> str:
    """The text of a file of SQL, or of standard input if it is called ``-``.

    Raises:
        InputError: it cannot be read, is too long, or is not text.
    """
    if name == "-":
        return decode(sys.stdin.buffer.read(MAX_QUERY_BYTES + 1), "standard input", MAX_QUERY_BYTES)
    return read_text(Path(name), MAX_QUERY_BYTES)


def _is_file_name(argument: str) -> bool:
    blank = not argument or any(c.isspace() for c in argument)
    if not blank and (argument.endswith(".sql") or "/" in argument or os.sep in argument):
        return True
    try:
        return Path(argument).is_file()
    except (OSError, ValueError):
        return False


def load_json(path: Path, text: str) -> Any:
    """The JSON value of a file's text; a key that stands twice in one object is an error.

    Raises:
        InputError: the text is not such JSON.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON: {one_line(error)}") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {twice!r} occurs twice")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a JSON value")


def json_lines(path: Path, text: str) -> Iterator[tuple[int, Any]]:
    """Line numbers (from 1) and values of the lines of a text that are not blank.

    Raises:
        InputError: a line is not JSON.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield number, json.loads(line, parse_constant=_refuse)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{path}:{number}: not JSON: {one_line(error)}") from None


def own_file(module: str, name: str) -> str:
    """The text of a file that lies beside the file of a module."""
    return Path(module).with_name(name).read_text(encoding="utf-8")


def source_hash(text: str) -> str:
    """The hash by which a content security policy names a style or script (https://www.w3.org/TR/CSP3/)."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def write_page(text: str, page: Path) -> None:
    """Write a generated page, or the file that the first argument of the command line names."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else page
    target.write_text(text, encoding="utf-8")
