"""The committed pages of a write-ahead log, read as SQLite's recovery reads it, without SQLite.

SQLite recovers a log only where it may write, and a stranger's database is written nowhere.  Frames count up
to the last commit before the first frame whose salts or checksum are not those of the log.
Source: https://www.sqlite.org/fileformat2.html#the_write_ahead_log.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import BinaryIO

_HEADER, _FRAME = struct.Struct(">8I"), struct.Struct(">6I")
_MAGIC, _VERSION = 0x377F0682, 3_007_000
_PAGE_SIZES = frozenset(1 << power for power in range(9, 17))
_WORD = 0xFFFFFFFF

Sums = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Log:
    """The committed pages of a write-ahead log; empty if it has none."""

    page_size: int = 0
    size: int = 0
    """The pages of the database after the last commit."""
    places: dict[int, int] = field(default_factory=dict)
    """Where the latest content of a page begins in the log, by the page's number."""


def read_log(file: BinaryIO) -> Log:
    """The commits of a log; none if its header is not one."""
    header = file.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return Log()
    magic, version, page_size, _, *salts, first, second = _HEADER.unpack(header)
    order = ">" if magic & 1 else "<"
    sums = _checksum(header[:24], order, (0, 0))
    is_log = magic | 1 == _MAGIC | 1 and version == _VERSION and page_size in _PAGE_SIZES
    if not is_log or sums != (first, second):
        return Log()
    committed: dict[int, int] = {}
    pending: dict[int, int] = {}
    size, place = 0, _HEADER.size
    while len(frame := file.read(_FRAME.size + page_size)) == _FRAME.size + page_size:
        number, commit, *frame_salts, first, second = _FRAME.unpack_from(frame)
        sums = _checksum(frame[_FRAME.size :], order, _checksum(frame[:8], order, sums))
        if not number or frame_salts != salts or sums != (first, second):
            break
        pending[number] = place + _FRAME.size
        place += len(frame)
        if commit:
            committed |= pending
            pending, size = {}, commit
    return Log(page_size, size, committed)


def _checksum(data: bytes, order: str, sums: Sums) -> Sums:
    first, second = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & _WORD
        second = (second + odd + first) & _WORD
    return first, second


def write_first(log: Log, parts: tuple[BinaryIO, BinaryIO], image: BinaryIO) -> None:
    """Give the image its size and its first page: all that SQLite asks of a file that it opens.

    Args:
        log: the commits.
        parts: the database file and its log.
        image: an empty file.
    """
    image.truncate(log.size * log.page_size)
    _copy_page(log, parts, image, 1)
    image.flush()


def write_rest(log: Log, parts: tuple[BinaryIO, BinaryIO], image: BinaryIO) -> None:
    """Fill an image that has its first page: the database file's pages, and over them the log's."""
    database, _ = parts
    database.seek(0)
    image.seek(0)
    left = log.size * log.page_size
    while left > 0 and (chunk := database.read(min(left, 1 << 20))):
        image.write(chunk)
        left -= len(chunk)
    for number in log.places:
        if number <= log.size:
            _copy_page(log, parts, image, number)
    image.flush()


def _copy_page(log: Log, parts: tuple[BinaryIO, BinaryIO], image: BinaryIO, number: int) -> None:
    database, file = parts
    start = (number - 1) * log.page_size
    source, place = (file, log.places[number]) if number in log.places else (database, start)
    source.seek(place)
    image.seek(start)
    image.write(source.read(log.page_size))
