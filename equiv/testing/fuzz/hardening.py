"""Databases for queries with conditions that generation seldom meets, made from those for easier queries."""

from __future__ import annotations

import re
from functools import partial

from equiv.answers.pair import Pair
from equiv.core.model import Table
from equiv.core.runner import Connection, RunnerError
from equiv.dialects.registry import reference
from equiv.eval.suite.rows import read_back
from equiv.testing.database import write_script
from equiv.testing.making.texts import HARD
from equiv.tiers.witness import replay

COPIES = 45
"""How many copies of each row are made where a count stands against :data:`MANY`."""

MANY = 40


def softened(sql: str) -> str:
    """A query with easy conditions in place of hard ones."""
    for column, hard, easy in HARD:
        pattern = re.escape(hard).replace(r"\$", rf'([\w."]*{column}"?)')
        sql = re.sub(pattern, partial(_in_place, easy), sql)
    return sql.replace(f"> {MANY}", "> 1")


def _in_place(easy: str, found: re.Match[str]) -> str:
    return easy.replace("$", found[1])


_HARDENING = {
    "hard_i": ("= 1", "5 + 97 * rowid", "6"),
    "hard_t": ("= 'a'", "'zq' || rowid || '9'", "'b'"),
    "hard_d": ("= '2020-01-01'", "'2020-02-29'", "'2020-01-01'"),
}
"""For each hard column: when the easy condition holds, then a value for the hard one, and one against it."""


def hardened(script: str, pair: Pair, copies: int) -> str:
    """A database, as a script, on which hard conditions hold where easy ones did; '' if there is none.

    Args:
        script: a database for the easy queries.
        pair: gives the schema.
        copies: how often each row is there afterwards, as far as keys let it.
    """
    try:
        engine = replay(pair, script)
    except RunnerError:
        return ""
    connection = engine.core.connection
    try:
        present = {str(row[0]).lower() for row in connection.execute("SELECT name FROM sqlite_master")}
        missing = [table.name for table in pair.schema.tables if table.name.lower() not in present]
        for statement in reference().create(pair.schema, missing) if missing else ():
            connection.execute(statement)
        for table in pair.schema.tables:
            _harden(table, connection)
            _copy(table, connection, copies)
        return write_script(read_back(connection, pair.schema), pair.schema)
    except RunnerError:
        return ""
    finally:
        engine.close()


def _harden(table: Table, connection: Connection) -> None:
    for column, (easy, met, unmet) in _HARDENING.items():
        if table.column(column) is not None:
            value = f"CASE WHEN {column} {easy} THEN {met} WHEN {column} IS NOT NULL THEN {unmet} END"
            connection.execute(f"UPDATE {table.name} SET {column} = {value}")


def _copy(table: Table, connection: Connection, copies: int) -> None:
    names = [column.name for column in table.columns if not column.generated]
    values = [f"{name} + {{0}}" if name == table.rowid_alias else name for name in names]
    top = connection.execute(f"SELECT MAX(rowid) FROM {table.name}").fetchone()[0] or 0
    for number in range(1, copies):
        shown = ", ".join(values).format(number * 97 * (top + 1))
        rows = f"SELECT {shown} FROM {table.name} WHERE rowid <= {top}"
        connection.execute(f"INSERT OR IGNORE INTO {table.name} ({', '.join(names)}) {rows}")
