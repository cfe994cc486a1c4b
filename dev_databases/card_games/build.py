"""Builds card_games.sqlite beside this file, or where it is told: ``python build.py [FILE]``.

The schema is that of the BIRD database of the same name; the rows are
invented.  The database is written under a temporary name and moved into
place, so that it is whole or absent, and it carries a checksum of the files
that it was made from, by which a second run has nothing to do.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
import zlib
from contextlib import closing
from pathlib import Path

import invent

HERE = Path(__file__).resolve().parent
TARGET = HERE / "card_games.sqlite"
SCHEMA = HERE / "schema.sql"
SOURCES = (SCHEMA, *sorted(HERE.glob("*.py")))
SEED = 20_260_101


def fingerprint() -> int:
    """A checksum of everything that the database is made from, as SQLite's 32-bit ``user_version``."""
    return zlib.crc32(b"".join(source.read_bytes() for source in SOURCES)) & 0x7FFF_FFFF


def is_fresh(path: Path) -> bool:
    """Whether the file is a database that was built from the present sources."""
    if not path.is_file():
        return False
    with closing(sqlite3.connect(path)) as connection:
        try:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
        except sqlite3.DatabaseError:
            return False
    return bool(version == fingerprint())


def fill(connection: sqlite3.Connection) -> dict[str, int]:
    """Create the tables and insert the invented rows; returns the number of rows by table."""
    connection.executescript(SCHEMA.read_text(encoding="utf-8"))
    connection.execute("PRAGMA foreign_keys = ON")
    counts = {}
    with connection:
        for table, rows in invent.tables(SEED):
            for row in rows:
                marks = ", ".join("?" * len(row))
                statement = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})"
                connection.execute(statement, tuple(row.values()))
            counts[table] = len(rows)
    connection.execute(f"PRAGMA user_version = {fingerprint()}")
    return counts


def build(target: Path) -> dict[str, int]:
    """Write the database at ``target``, replacing what stands there in one step."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem}.", suffix=".sqlite")
    os.close(handle)
    draft = Path(name)
    try:
        with closing(sqlite3.connect(draft)) as connection:
            counts = fill(connection)
        draft.chmod(0o644)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return counts


def main() -> int:
    """Build the database unless it is up to date, and say what it holds."""
    target = Path(sys.argv[1]) if sys.argv[1:] else TARGET
    if is_fresh(target):
        return 0
    counts = build(target)
    print(f"built {target.name}: " + ", ".join(f"{rows} {table}" for table, rows in counts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
