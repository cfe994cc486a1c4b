"""Databases as a stranger would send them: with a journal that deletes, a log, a schema without end."""

from __future__ import annotations

import sqlite3
import struct
from contextlib import closing
from pathlib import Path

_MAGIC = bytes.fromhex("d9d505f920a163d7")
_PAGE, _SECTOR = 4096, 512
_PENDING_BYTE = 0x40000000


def make_database(path: Path, *statements: str) -> Path:
    """A database with a table t of two rows, and what the statements do."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {_PAGE}")
        for statement in ("CREATE TABLE t (a INTEGER)", "INSERT INTO t VALUES (1), (2)", *statements):
            connection.execute(statement)
    return path


def leave_hot_journal(database: Path, victim: Path) -> Path:
    """Put beside a database the holds an unfinished transaction, whose super-journal is the victim.

    Who lets SQLite open the database for reading and writing deletes the victim.
    """
    name = str(victim).encode()
    pages = database.stat().st_size // _PAGE
    head = (_MAGIC + struct.pack(">5I", 0, 0, pages, _SECTOR, _PAGE)).ljust(_SECTOR, b"\0")
    record = struct.pack(">I", _PENDING_BYTE // _PAGE + 1) + name
    end = record + struct.pack(">II", len(name), sum(name)) + _MAGIC
    journal = database.with_name(f"{database.name}-journal")
    journal.write_bytes(head + end)
    return journal


def leave_log(database: Path) -> Path:
    """Put a write-ahead log beside a database, as beside the copy of a live one: t's third row is there."""
    with closing(sqlite3.connect(database, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("INSERT INTO t VALUES (3)")
        parts = {ending: Path(f"{database}{ending}").read_bytes() for ending in ("", "-wal")}
    for ending, content in parts.items():
        Path(f"{database}{ending}").write_bytes(content)
    return database.with_name(f"{database.name}-wal")


def make_endless_schema(path: Path) -> Path:
    """A database of some pages whose table of tables has more rows than can ever be read.

    Interior pages of that table, one a level, name the page of the level below hundreds of times; the rows at
    their ends say again that an index is there.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {_PAGE}")
        connection.execute("CREATE TABLE t (a UNIQUE)")
    found = bytearray(path.read_bytes())
    index = ("index", "sqlite_autoindex_t_1", "t", 3, None)
    table, again = 4, 5
    pages = [_leaf([("table", "t", "t", 2, "CREATE TABLE t (a UNIQUE)"), index]), _leaf([index] * 30)]
    levels = range(again, again + 12)
    pages += [_interior([below] * 300) for below in levels]
    found[100:_PAGE] = _interior([table, again + len(levels)], 100)[100:]
    found += b"".join(pages)
    found[28:32] = struct.pack(">I", len(found) // _PAGE)
    path.write_bytes(found)
    return path


def make_slow_check(path: Path) -> Path:
    """A database with a CHECK that takes SQLite a hundredth of a second and more for each of many rows."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("CREATE TABLE t (a INTEGER CHECK (length(hex(zeroblob(4000000 + a))) > 0))")
        connection.executemany("INSERT INTO t VALUES (?)", [(i,) for i in range(20_000)])
    return path


def _leaf(rows: list[tuple[str | int | None, ...]]) -> bytes:
    return _page(13, [_varint(len(record)) + b"\1" + record for record in map(_record, rows)])


def _interior(children: list[int], start: int = 0) -> bytes:
    *others, last = children
    return _page(5, [struct.pack(">I", child) + b"\1" for child in others], struct.pack(">I", last), start)


def _page(kind: int, cells: list[bytes], right: bytes = b"", start: int = 0) -> bytes:
    place, places = _PAGE, []
    for cell in cells:
        place -= len(cell)
        places.append(place)
    head = struct.pack(">BHHHB", kind, 0, len(cells), place, 0) + right
    pointers = struct.pack(f">{len(places)}H", *places)
    return bytes(start) + (head + pointers).ljust(place - start, b"\0") + b"".join(reversed(cells))


def _record(values: tuple[str | int | None, ...]) -> bytes:
    kinds = [0 if v is None else 1 if isinstance(v, int) else 13 + 2 * len(v) for v in values]
    head = b"".join(map(_varint, kinds))
    parts = [b"" if v is None else bytes([v]) if isinstance(v, int) else v.encode() for v in values]
    return _varint(len(head) + 1) + head + b"".join(parts)


def _varint(number: int) -> bytes:
    return bytes([number]) if number < 128 else bytes([128 | number >> 7, number & 127])
