"""Published queries on SQLite in DuckDB's dialect, as sqlglot writes them, on the same tables."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import sqlglot
from sqlglot import exp

from benchmarks.journal import read_lines
from equiv.core.model import Column, Domain, Schema, Table, domain_of, quoted_name
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.graphs import depth_first_postorder


def read_sqlite(text: str, strings: Collection[str] = ()) -> exp.Expr:
    """A query of SQLite's as sqlglot reads it; REAL has 64 bits in both.

    Args:
        text: the query.
        strings: names in double quotes that SQLite reads as strings.

    Raises:
        sqlglot.errors.SqlglotError: sqlglot cannot.
    """
    tree = sqlglot.parse_one(text, read="sqlite")
    for each in tree.find_all(exp.DataType):
        if each.this is exp.DType.FLOAT:
            each.set("this", exp.DType.DOUBLE)
    for found in tree.find_all(exp.Column):
        if found.name in strings and not found.table:
            found.replace(exp.Literal.string(found.name))
    return tree


def transpiled(text: str, strings: Collection[str] = ()) -> str:
    """A query of SQLite's as sqlglot writes it for DuckDB; see :func:`read_sqlite`."""
    return read_sqlite(text, strings).sql(dialect="duckdb")


_SAME = re.compile(
    r"bigint|integer|smallint|double precision|numeric(\(\d+,\d+\))?|date|timestamp|time|boolean"
)
"""Types of PostgreSQL's that mean the same in DuckDB, by their beginning."""


def ddl_of(schema: Schema, *, keys: bool = True) -> str:
    """The tables of a schema as DuckDB makes them, parents first."""

    def parents(name: str) -> Iterator[str]:
        table = schema.table(name)
        return (key.parent for key in table.foreign_keys if key.parent.lower() != name) if table else iter(())

    names = [table.name.lower() for table in schema.tables]
    order = depth_first_postorder(names, lambda name: (each.lower() for each in parents(name)))
    tables = [table for name in order if (table := schema.table(name)) is not None]
    made = [{table.name.lower() for table in tables[:place]} for place in range(len(tables))]
    parts = (_table(table, schema, before, keys=keys) for table, before in zip(tables, made, strict=True))
    return ";\n".join(parts)


def _table(table: Table, schema: Schema, made: set[str], *, keys: bool) -> str:
    parts = [
        f"{quoted_name(column.name)} {_type(column)}" + (" NOT NULL" if column.not_null else "")
        for column in table.columns
    ]
    if keys and table.primary_key:
        parts.append(f"PRIMARY KEY ({_listed(table.primary_key)})")
    unique = [] if not keys else [each for each in table.unique if each != table.primary_key]
    parts += [f"UNIQUE ({_listed(each)})" for each in unique]
    for key in table.foreign_keys if keys else ():
        parent = schema.table(key.parent)
        if parent is None or parent.name.lower() not in made:
            continue
        wanted = {tuple(each.lower() for each in one) for one in (parent.primary_key, *parent.unique)}
        types = [
            [_type(column) for name in names if (column := owner.column(name))]
            for owner, names in ((table, key.columns), (parent, key.parent_columns))
        ]
        if tuple(each.lower() for each in key.parent_columns) in wanted and types[0] == types[1]:
            parts.append(
                f"FOREIGN KEY ({_listed(key.columns)}) REFERENCES {quoted_name(parent.name)}"
                f" ({_listed(key.parent_columns)})"
            )
    return f"CREATE TABLE {quoted_name(table.name)} ({', '.join(parts)})"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(map(quoted_name, names))


def _type(column: Column) -> str:
    """The type of a column of SQLite's or PostgreSQL's: texts have no length, and numbers 64 bits."""
    if column.native_type:
        found = _SAME.match(column.native_type)
        return "DOUBLE" if column.native_type == "real" else found[0] if found else "VARCHAR"
    declared = column.declared_type
    name = declared.upper().partition("(")[0].strip()
    match name:
        case "DATE":
            return "DATE"
        case "DATETIME" | "TIMESTAMP":
            return "TIMESTAMP"
    match domain_of(declared):
        case Domain.INTEGER:
            return "BIGINT"
        case Domain.NUMBER:
            return "DOUBLE"
        case Domain.BOOLEAN:
            return "BOOLEAN"
    return "VARCHAR"


@cache
def schemas(data: Path, corpus: str) -> dict[str, Schema]:
    """The schemas of a corpus, by the name of the database.

    Args:
        data: the published data.
        corpus: ``bird`` or ``spider``, of SQLite's; a folder of PostgreSQL's (``postgres``, ``rewrites``).
    """
    loader = dialect_named("sqlite" if corpus in ("bird", "spider") else "postgres").loader
    if corpus == "spider":
        files = sorted((data / "spider" / "database").glob("*/*.sqlite"))
        return {path.stem: loader.read_database(path) for path in files}
    files = sorted((data / corpus / "ddl").glob("*.sql"))
    return {path.stem: loader.read_ddl(path.read_text(encoding="utf-8"), path.stem) for path in files}


def gold(data: Path, corpus: str) -> dict[str, list[str]]:
    """The distinct gold queries of a corpus, by database: of BIRD those of mini-dev."""
    found: dict[str, dict[str, None]] = {}
    if corpus == "bird":
        for pair in read_lines(data / "corrections" / "arcwise.jsonl"):
            found.setdefault(pair["db_id"], {})[pair["gold_sql"]] = None
    else:
        for line in (data / "spider" / "gold.txt").read_text(encoding="utf-8").splitlines():
            text, _, name = line.rpartition("\t")
            if name:
                found.setdefault(name.strip(), {})[text] = None
    return {name: list(texts) for name, texts in found.items()}


def duckdb_schema(schema: Schema, *, keys: bool = True) -> Schema:
    """The same schema in DuckDB.

    Raises:
        InputError: DuckDB refuses it.
    """
    try:
        return dialect_named("duckdb").loader.read_ddl(ddl_of(schema, keys=keys), schema.name)
    except InputError:
        if not keys:
            raise
        return duckdb_schema(schema, keys=False)
