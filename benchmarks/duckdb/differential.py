"""Every gold query of a corpus on generated rows: DuckDB on one side, its core translation on the other.

Equal answers, or the translation is wrong.  Where ties would leave a choice both sides get a longer order.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import sqlglot

from benchmarks.duckdb.corpus import duckdb_schema, gold, schemas, transpiled
from benchmarks.postgres.differential import NEAR, on_core, same, sorted_by, without_limit
from benchmarks.postgres.rows import Column, Table, database
from benchmarks.postgres.ties import settled
from equiv.core.model import Schema, quoted_name
from equiv.core.printing import to_sql
from equiv.core.query import Broken, UnsupportedError
from equiv.core.runner import Failure, Limits, Result, open_memory
from equiv.dialects.duckdb.database import DuckdbDatabase, DuckdbError
from equiv.dialects.duckdb.lowering.desugaring import desugared, folded
from equiv.dialects.duckdb.lowering.operators import called
from equiv.dialects.duckdb.read import read_query, typed_query
from equiv.dialects.duckdb.resolving.printing import DuckdbPrinter
from equiv.dialects.duckdb.resolving.scope import SCHEMA, type_named
from equiv.dialects.duckdb.session import DuckdbSession, empty_session
from equiv.dialects.duckdb.values import string
from equiv.dialects.registry import dialect_named, reference
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.queries import lower

Rows = dict[str, list[tuple[str | None, ...]]]
_TEST = Limits(seconds=5)


@dataclass(frozen=True)
class Ground:
    """Where the queries of a schema run.

    Attributes:
        given: the schema in SQLite.
        schema: the same in DuckDB.
    """

    given: Schema
    schema: Schema
    session: DuckdbSession
    tables: dict[str, Table]


def core_of(whole: t.TypedQuery, ground: Ground) -> str:
    """The core's text of a typed query.

    Raises:
        UnsupportedError: there is none.
    """
    plain = folded(desugared(whole), ground.session.database)
    return to_sql(lower(plain, ground.schema, {SCHEMA: called}))


def ground_of(given: Schema) -> Ground:
    """A database of a schema of SQLite's, and its tables as rows are drawn for them."""
    schema = duckdb_schema(given, keys=False)
    tables = {}
    for table in schema.tables:
        kinds = [type_named(column.native_type) for column in table.columns]
        columns = tuple(
            Column(column.name, kind.name, kind.modifier, column.not_null)
            for column, kind in zip(table.columns, kinds, strict=True)
        )
        tables[table.name] = Table(table.name, columns, ())
    return Ground(given, schema, empty_session(schema), tables)


def compare(text: str, ground: Ground, seeds: Sequence[int], said: Counter[str]) -> dict[str, object] | None:
    """The first difference that databases, by their seeds, show; how each ended is counted.

    Raises:
        UnsupportedError: the query is not translated.
    """
    duck = ground.session.database
    tree = duck.parsed(text)
    typed = typed_query(tree["statements"][0]["node"], ground.schema, duck)
    whole = settled(without_limit(typed))
    shown, core = DuckdbPrinter(checked=False).query(whole), core_of(whole, ground)
    drawn = folded(desugared(typed), duck)
    with open_memory() as engine:
        for statement in reference().create(ground.schema):
            engine.connection.execute(statement)
        for seed in seeds:
            rows = database(drawn, ground.tables, Random(f"rows {seed}"))
            theirs = _on_duckdb(duck, shown, rows)
            if isinstance(theirs, Failure):
                said[f"DuckDB: {theirs.message[:60]}"] += 1
                continue
            ours = on_core(engine, core, ground.tables, rows)
            if isinstance(ours, Failure):
                said[f"core: {ours.message[:60]}"] += 1
                continue
            said["with rows" if theirs.rows else "empty"] += 1
            answer = [tuple(row) for row in theirs.rows]
            if not same(answer, ours, sorted_by(whole), NEAR):
                return {"sql": text, "shown": shown, "core": core, "rows": rows, "answers": (answer, ours)}
    return None


def _on_duckdb(duck: DuckdbDatabase, text: str, rows: Rows) -> Result | Failure:
    duck.execute("BEGIN")
    try:
        for name, each in rows.items():
            if each:
                duck.execute(inserting(name, each))
        return duck.run(text, _TEST)
    except DuckdbError as error:
        return Failure("error", f"rows: {error}")
    finally:
        duck.execute("ROLLBACK")


def inserting(name: str, rows: Sequence[tuple[str | None, ...]]) -> str:
    """The statement that puts rows into a table."""
    shown = ", ".join(
        "(" + ", ".join("NULL" if value is None else string(value) for value in row) + ")" for row in rows
    )
    return f"INSERT INTO {quoted_name(name)} VALUES {shown}"


def strings_of(text: str, schema: Schema) -> tuple[str, ...]:
    """The names in double quotes that SQLite reads as strings."""
    sqlite = dialect_named("sqlite")
    with sqlite.engine.empty(schema) as session:
        found = sqlite.reader.read(text, schema, session)
    return () if isinstance(found, Broken) else found.quoted_strings


def prepared(text: str, ground: Ground) -> tuple[str, str]:
    """How the reading of a query of SQLite's ends, and its text for DuckDB."""
    try:
        shown = transpiled(text, strings_of(text, ground.given))
    except sqlglot.errors.SqlglotError:
        return "sqlglot does not read it", ""
    found = read_query(shown, ground.schema, ground.session)
    if isinstance(found, Broken):
        return f"not prepared: {found.message[:60]}", shown
    if found.tree is None:
        return f"unsupported: {found.unsupported}", shown
    return "", shown


def run(data: Path, corpus: str, seeds: Sequence[int], step: int) -> Counter[str]:
    """Compare the gold queries of a corpus, every so many of them; prints each difference."""
    ended: Counter[str] = Counter()
    known = schemas(data, corpus)
    for name, texts in gold(data, corpus).items():
        if name not in known:
            ended["no schema"] += len(texts)
            continue
        ground = ground_of(known[name])
        for text in texts[::step]:
            ended[_outcome(text, ground, seeds)] += 1
        ground.session.close()
    return ended


def _outcome(text: str, ground: Ground, seeds: Sequence[int]) -> str:
    why, shown = prepared(text, ground)
    if why:
        return why
    said: Counter[str] = Counter()
    try:
        found = compare(shown, ground, seeds, said)
    except UnsupportedError as error:
        return f"not compared: {error.node}"
    if found is not None:
        print(json.dumps(found, default=str), flush=True)
        return "different"
    if said["with rows"]:
        return "same"
    return (
        "same, and always empty"
        if said["empty"]
        else f"never ran: {said.most_common(1)[0][0] if said else ''}"
    )


def main() -> None:
    """``python -m benchmarks.duckdb.differential DATA bird|spider [DATABASES] [STEP] [SEED]``."""
    data, corpus, *numbers = sys.argv[1:]
    count, step, seed = (*map(int, numbers), *(30, 1, 0)[len(numbers) :])
    seeds = range(seed * 1_000_000, seed * 1_000_000 + count)
    for how, number in run(Path(data), corpus, seeds, step).most_common():
        print(f"{number:6} {how}")


if __name__ == "__main__":
    main()
