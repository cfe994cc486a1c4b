"""Published pairs of SQLite and PostgreSQL in the words of DuckDB, as sqlglot writes them.

Each corpus becomes, in ``results/converted/<name>/``, what ``equiv eval`` reads (see
:mod:`benchmarks.pairs.published`); pairs that sqlglot does not read are left out.  What DuckDB refuses of
SQLite's as sqlglot writes it is repaired by :mod:`benchmarks.pairs.repairs`, if DuckDB takes it then.

Usage: ``python -m benchmarks.pairs.transpiled rose-bench-duckdb`` makes a corpus anew, and counts how its
distinct queries end and which repairs they need.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlglot
from sqlglot import exp

from benchmarks.journal import read_lines, write_lines
from benchmarks.pairs.repairs import repair
from equiv.core.model import Column, Domain, Schema, Table, domain_of
from equiv.core.query import Broken
from equiv.dialects.protocol import Session
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.graphs import depth_first_postorder
from equiv.names import quoted_name

SOURCES = {
    "rose-bench-duckdb": "rose-bench",
    "postgres-duckdb": "postgres",
    "rewrites-duckdb": "rewrites",
    "spider-golds-duckdb": "spider",
}
"""The corpora, and the folder of the published data that each is made of."""


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


def schemas(data: Path, source: str) -> dict[str, Schema]:
    """The schemas of published data, by the name of the database."""
    if source == "spider":
        files = sorted((data / "spider" / "database").glob("*/*.sqlite"))
        return {path.stem: dialect_named("sqlite").loader.read_database(path) for path in files}
    dialect, folder = ("sqlite", "bird") if source == "rose-bench" else ("postgres", source)
    loader = dialect_named(dialect).loader
    files = sorted((data / folder / "ddl").glob("*.sql"))
    return {path.stem: loader.read_ddl(path.read_text(encoding="utf-8"), path.stem) for path in files}


def _pairs(data: Path, source: str) -> Iterator[dict[str, Any]]:
    """The distinct pairs of two different texts; of Spider each gold query beside itself."""
    if source != "spider":
        found: dict[tuple[str, ...], dict[str, Any]] = {}
        for pair in read_lines(data / source / "pairs.jsonl"):
            if pair["predicted_sql"] and pair["predicted_sql"] != pair["gold_sql"]:
                found.setdefault((pair["db_id"], pair["predicted_sql"], pair["gold_sql"]), pair)
        yield from found.values()
        return
    for line in dict.fromkeys((data / "spider" / "gold.txt").read_text(encoding="utf-8").splitlines()):
        text, _, name = line.rpartition("\t")
        if name:
            yield {"db_id": name.strip(), "predicted_sql": text, "gold_sql": text}


@dataclass
class Transpiler:
    """Queries on one schema in DuckDB's words.

    Args:
        given: the schema as published.
    """

    given: Schema
    schema: Schema = field(init=False)
    ends: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """How each query ends: ``read``, ``not read``, ``refused``, or not read by sqlglot; and its repairs."""
    _empty: Session = field(init=False)
    _known: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.schema = duckdb_schema(self.given)
        self._empty = dialect_named("duckdb").engine.empty(self.schema)

    def text(self, sql: str) -> str:
        """A published query in DuckDB's words; '' if sqlglot does not read it."""
        if sql not in self._known:
            self._known[sql] = self._written(sql)
        return self._known[sql]

    def _written(self, sql: str) -> str:
        try:
            tree = self._tree(sql)
        except (sqlglot.errors.SqlglotError, ValueError):
            self.ends[sql] = ("sqlglot does not read it",)
            return ""
        shown = tree.sql(dialect="duckdb")
        self.ends[sql] = (self._ended(shown),)
        if self.ends[sql] == ("refused",) and self.given.dialect != "postgres":
            names = repair(tree, self.given)
            mended = tree.sql(dialect="duckdb")
            if names and (again := self._ended(mended)) != "refused":
                self.ends[sql] = (again, *names)
                return mended
        return shown

    def _tree(self, sql: str) -> exp.Expr:
        """A query as sqlglot reads it; REAL of SQLite's has 64 bits, and some names in quotes are texts."""
        if self.given.dialect == "postgres":
            return sqlglot.parse_one(sql, read="postgres")
        tree = sqlglot.parse_one(sql, read="sqlite")
        for each in tree.find_all(exp.DataType):
            if each.this is exp.DType.FLOAT:
                each.set("this", exp.DType.DOUBLE)
        sqlite = dialect_named("sqlite")
        with sqlite.engine.empty(self.given) as session:
            read = sqlite.reader.read(sql, self.given, session)
        strings = () if isinstance(read, Broken) else read.quoted_strings
        for found in tree.find_all(exp.Column):
            if found.name in strings and not found.table:
                found.replace(exp.Literal.string(found.name))
        return tree

    def _ended(self, shown: str) -> str:
        found = dialect_named("duckdb").reader.read(shown, self.schema, self._empty)
        return "refused" if isinstance(found, Broken) else "read" if found.tree is not None else "not read"


def convert(name: str, data: Path, target: Path) -> Counter[str]:
    """Make one corpus of :data:`SOURCES` in ``target/<name>/``; how its distinct queries end.

    Raises:
        OSError: the published data is missing.
    """
    folder, given = target / name, schemas(data, SOURCES[name])
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "ddl").mkdir(parents=True)
    transpilers: dict[str, Transpiler] = {}
    kept = []
    for number, pair in enumerate(_pairs(data, SOURCES[name])):
        db_id = pair["db_id"]
        if db_id not in given:
            continue
        if db_id not in transpilers:
            transpilers[db_id] = Transpiler(given[db_id])
            schema = transpilers[db_id].schema
            script = dialect_named("duckdb").engine.script(schema, [each.name for each in schema.tables], {})
            (folder / "ddl" / f"{db_id}.sql").write_text(script, encoding="utf-8")
        pred, gold = (transpilers[db_id].text(pair[side]) for side in ("predicted_sql", "gold_sql"))
        if pred and gold:
            texts = {"predicted_sql": pred, "gold_sql": gold}
            kept.append({"question_id": number, "db_id": db_id, **texts, "label": pair.get("executed_equal")})
    write_lines(folder / "pairs.jsonl", kept)
    ends = [end for each in transpilers.values() for end in each.ends.values()]
    return Counter(part for end in ends for part in end)


def main() -> None:
    """Make some corpora anew."""
    from benchmarks.pairs.corpora import CONVERTED, DATA

    for name in sys.argv[1:]:
        for how, number in convert(name, DATA, CONVERTED).most_common():
            print(f"{name} {number:6} {how}")


if __name__ == "__main__":
    main()
