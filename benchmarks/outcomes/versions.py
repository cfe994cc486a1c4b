"""What other versions of SQLite make of the examples of :mod:`equiv.dialects.sqlite.versions`.

A library is a file that exports SQLite's C interface: ``libsqlite3.so``, or the extension module of a wheel
that brings an SQLite (``_sqlite3.*.so`` of ``sqlean.py``, or of ``pysqlite3`` from 0.6 on).  It is loaded
first in a process of its own, so that Python's own ``sqlite3`` module runs on it.

Usage: ``python -m benchmarks.outcomes.versions LIBRARY …``; without one the SQLite of this Python is asked.
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from benchmarks.command import parser
from equiv.core.connection import Connection
from equiv.dialects.sqlite.versions import CHANGES, changing_answers

_ASK = """
import ctypes, sys
for library in sys.argv[1:]:
    ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
from benchmarks.outcomes.versions import examples
examples()
"""


def main() -> int:
    """Print the examples of each library."""
    flags = parser(__doc__)
    flags.add_argument("libraries", nargs="*", type=Path, metavar="LIBRARY")
    code = 0
    for library in flags.parse_args().libraries or (None,):
        print(f"== {library or 'the SQLite of this Python'}", flush=True)
        given = [] if library is None else [str(library.resolve())]
        code |= subprocess.run([sys.executable, "-c", _ASK, *given], check=False).returncode
    return int(code > 0)


def examples() -> None:
    """Print the version of this process' SQLite, what it makes of each example, and how else it was built."""
    with closing(sqlite3.connect(":memory:")) as connection:
        print(f"SQLite {sqlite3.sqlite_version}")
        for change in CHANGES:
            print(f"{change.version}  {change.example}  ->  {_outcome(connection, change.example)}")
        own, core = (
            changing_answers(row[0] for row in each.execute("PRAGMA compile_options"))
            for each in (connection, Connection())
        )
        print(f"options that change answers, only here: {sorted(own - core)}")
        print(f"only in the core's SQLite: {sorted(core - own)}")


def _outcome(connection: sqlite3.Connection, sql: str) -> str:
    try:
        return repr(connection.execute(sql).fetchone()[0])
    except sqlite3.Error as error:
        return str(error)


if __name__ == "__main__":
    sys.exit(main())
