"""Schemas from DDL, by letting DuckDB run it in an empty database and reading its catalogue."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from sqlglot import exp

from equiv.core.dumps import name_in
from equiv.core.model import Schema
from equiv.core.printing.trees import to_sql
from equiv.core.query import Broken
from equiv.dialects.duckdb.catalogue import read_catalogue
from equiv.dialects.duckdb.database import Database, DuckdbError, one_line
from equiv.dialects.duckdb.values import quoted_name
from equiv.errors import InputError
from equiv.files import is_text

_LARGEST = 20_000_000
"""Characters of a script: what is longer is no schema."""
_SAID = 120
_RUN = frozenset(("CREATE", "ALTER", "DROP"))
_PASSED = re.compile(
    r"\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:TEMP\w*\s+)?(?:MACRO|FUNCTION|SECRET)\b", re.IGNORECASE
)


def load_ddl(text: str, name: str) -> Schema:
    """The schema that a script defines; statements about rows and settings are passed over.

    Raises:
        InputError: a statement is refused, or no table is created.
    """
    called = name or "DDL"
    if not is_text(text):
        raise InputError(f"{called}: no text: it holds NUL or half of a surrogate pair")
    if len(text) > _LARGEST:
        raise InputError(f"{called}: longer than {_LARGEST:,} characters")
    notes, withheld = [], []
    with Database() as database:
        try:
            statements = database.kinds(text)
        except (DuckdbError, RuntimeError, ValueError) as error:
            raise InputError(f"{called}: {one_line(error)}") from None
        for kind, statement in statements:
            if _PASSED.match(statement):
                notes.append(f"passed over: {_said(statement)}")
                withheld.append(name_in(statement))
            elif kind in _RUN:
                try:
                    database.execute(statement)
                except DuckdbError as error:
                    why = one_line(error)
                    raise InputError(f"DDL statement refused ({why}): {_said(statement)}") from None
        schema = whole_schema(database, name)
    if not schema.tables:
        raise InputError(f"{called}: creates no table")
    names = (*schema.withheld, *filter(None, withheld))
    return replace(schema, notes=(*schema.notes, *notes), withheld=tuple(dict.fromkeys(names)))


def whole_schema(database: Database, name: str) -> Schema:
    """The schema of a database, with what the reader makes of CHECKs and generated columns.

    Raises:
        InputError: as :func:`read_catalogue`.
    """
    from equiv.dialects.duckdb.read import read_query
    from equiv.dialects.duckdb.session import DuckdbSession

    schema = read_catalogue(database, name)
    checks = any("CHECK" in statement for table in schema.tables for statement in table.native)
    if not checks and not any(column.derived for table in schema.tables for column in table.columns):
        return schema
    session = DuckdbSession(database, schema)

    def core_text(table: str, text: str, kind: Literal["condition", "value"]) -> str | None:
        quoted = quoted_name(table)
        asked = f"SELECT {text} FROM {quoted}" if kind == "value" else f"SELECT 1 FROM {quoted} WHERE {text}"
        found = read_query(asked, schema, session)
        if isinstance(found, Broken) or not isinstance(found.tree, exp.Select):
            return None
        if kind == "condition":
            return _own_text(found.tree.args["where"].this)
        # DuckDB computes a generated column as it is read, which may raise an error that no query shows.
        return None if found.may_fail else _own_text(found.tree.expressions[0].unalias())

    return read_catalogue(database, name, core_text)


def _own_text(node: exp.Expression) -> str | None:
    """The text of an expression over one table, its columns by their names alone; None if it asks more."""
    if node.find(exp.Select, exp.Window, exp.AggFunc, exp.Parameter, exp.Anonymous):
        return None
    bare = node.copy()
    for column in [bare, *bare.find_all(exp.Column)]:
        if isinstance(column, exp.Column):
            column.set("table", None)
    return to_sql(bare)


def _said(statement: str) -> str:
    return " ".join(statement[:_SAID].split("\n", 1)[0].split())
