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
from benchmarks.journal import listed
from benchmarks.postgres.rows import Column, Rows, Table, database
from benchmarks.postgres.ties import settled
from benchmarks.two_engines import Answer, first_difference, inserting, without_limit
from equiv.core.model import Schema
from equiv.core.printing import to_sql
from equiv.core.query import Broken, UnsupportedError
from equiv.core.runner import Failure, Limits
from equiv.dialects.duckdb.database import DuckdbError
from equiv.dialects.duckdb.lowering.desugaring import desugared, folded
from equiv.dialects.duckdb.lowering.operators import called
from equiv.dialects.duckdb.read import read_query, typed_query
from equiv.dialects.duckdb.resolving.printing import DuckdbPrinter
from equiv.dialects.duckdb.resolving.scope import SCHEMA, type_named
from equiv.dialects.duckdb.session import DuckdbSession, empty_session
from equiv.dialects.duckdb.values import string
from equiv.dialects.registry import dialect_named
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.queries import lower

LIMITS = Limits(seconds=5)


@dataclass(frozen=True)
class Ground:
    """Where the queries of a schema run.

    Attributes:
        given: the schema in SQLite.
        schema: the same in DuckDB, without constraints.
        tables: the same as rows are drawn for them.
    """

    given: Schema
    schema: Schema
    session: DuckdbSession
    tables: dict[str, Table]

    def typed(self, text: str) -> t.TypedQuery:
        """A text as DuckDB resolves it."""
        duck = self.session.database
        return typed_query(duck.parsed(text)["statements"][0]["node"], self.schema, duck)

    def plain(self, query: t.TypedQuery) -> t.TypedQuery:
        """A query in fewer forms, its constants computed."""
        return folded(desugared(query), self.session.database)

    def answers(self, texts: Sequence[str], rows: Rows, cleaning: Sequence[str] = ()) -> list[Answer] | str:
        """What DuckDB answers to each of some texts on some rows, or the error that one raises."""
        duck = self.session.database
        try:
            duck.execute(";".join(("BEGIN", *inserting(rows, string), *cleaning)))
            found = [duck.run(text, LIMITS) for text in texts]
        except DuckdbError as error:
            return f"DuckDB: rows: {str(error)[:54]}"
        finally:
            duck.execute("ROLLBACK")
        failed = next((f"DuckDB: {each.message[:60]}" for each in found if isinstance(each, Failure)), None)
        return failed or [list(map(tuple, each.rows)) for each in found if not isinstance(each, Failure)]


def ground_of(given: Schema, keyed: Schema | None = None) -> Ground:
    """A database of a schema of SQLite's, and its tables as rows are drawn for them.

    Args:
        given: the schema as published.
        keyed: the same in DuckDB, with the keys and NOT NULL that rows keep; None: with NOT NULL alone.
    """
    schema = duckdb_schema(given, keys=False)
    tables = {}
    for table in schema.tables:
        own = table if keyed is None else keyed.table(table.name)
        assert own is not None
        needed = {name.lower() for name in own.primary_key}
        places = {column.name.lower(): at for at, column in enumerate(own.columns)}
        keys = [tuple(places[name.lower()] for name in key) for key in (own.primary_key, *own.unique) if key]
        kinds = [(column, type_named(column.native_type)) for column in table.columns]
        columns = tuple(
            Column(each.name, kind.name, kind.modifier, each.not_null or each.name.lower() in needed)
            for each, kind in kinds
        )
        tables[table.name] = Table(table.name, columns, tuple(keys))
    return Ground(given, schema, empty_session(schema), tables)


def strings_of(text: str, schema: Schema) -> tuple[str, ...]:
    """The names in double quotes that SQLite reads as strings."""
    sqlite = dialect_named("sqlite")
    with sqlite.engine.empty(schema) as session:
        found = sqlite.reader.read(text, schema, session)
    return () if isinstance(found, Broken) else found.quoted_strings


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
    try:
        shown = transpiled(text, strings_of(text, ground.given))
    except sqlglot.errors.SqlglotError:
        return "sqlglot does not read it"
    read = read_query(shown, ground.schema, ground.session)
    if isinstance(read, Broken):
        return f"not prepared: {read.message[:60]}"
    if read.tree is None:
        return f"unsupported: {read.unsupported}"
    try:
        typed = ground.typed(shown)
        whole, drawn = settled(without_limit(typed)), ground.plain(typed)
        core = to_sql(lower(ground.plain(whole), ground.schema, {SCHEMA: called}))
    except UnsupportedError as error:
        return f"not compared: {error.node}"
    asked = DuckdbPrinter(checked=False).query(whole)
    made = (database(drawn, ground.tables, Random(f"rows {seed}")) for seed in seeds)
    answers = ((rows, ground.answers([asked], rows)) for rows in made)
    firsts = ((rows, each if isinstance(each, str) else each[0]) for rows, each in answers)
    found = first_difference(whole, core, firsts, ground.schema, ground.tables)
    if found["how"] == "different":
        print(json.dumps({"sql": shown, "shown": asked} | found, default=str), flush=True)
    return str(found["how"])


def main() -> None:
    """``python -m benchmarks.duckdb.differential DATA bird|spider [DATABASES] [STEP] [SEED]``."""
    data, corpus, *numbers = sys.argv[1:]
    count, step, seed = (*map(int, numbers), *(30, 1, 0)[len(numbers) :])
    print(listed(run(Path(data), corpus, range(seed * 1_000_000, seed * 1_000_000 + count), step)))


if __name__ == "__main__":
    main()
