"""Every query of a corpus on generated rows: PostgreSQL on one side, its core translation on the other.

Equal answers, or the translation is wrong.  LIMIT at the top level is taken off both sides, where
it may leave a choice; of ORDER BY the columns that are shown must come in the same order.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.journal import Journal, Record, read_lines, until_interrupted
from benchmarks.postgres.rows import Column, Rows, Table, databases_of
from benchmarks.postgres.ties import settled
from benchmarks.two_engines import Answer, cell_of, first_difference, inserting, without_limit
from equiv.answers.pair import Pair
from equiv.core.model import Schema
from equiv.core.printing import to_sql
from equiv.core.query import Broken, UnsupportedError
from equiv.dialects.postgres.analysis.nodes import TreeNode, read_nodes
from equiv.dialects.postgres.analysis.printing import PostgresPrinter, folded, literal
from equiv.dialects.postgres.analysis.queries import read_query
from equiv.dialects.postgres.analysis.scope import Catalogue
from equiv.dialects.postgres.analysis.scope import NodeReading as OidSession
from equiv.dialects.postgres.session import PostgresSession
from equiv.dialects.postgres.wire import Wire, WireError
from equiv.dialects.registry import dialect_named
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.queries import lower
from equiv.engine.make import ground_of as facts_of
from equiv.facts import Facts
from equiv.options import Options
from equiv.relation import resolve_relation

AT_ONCE = 20
"""How many databases go in one round trip."""


@dataclass(frozen=True)
class Ground:
    """Where queries run: a connection that has the tables, and the same tables in the core."""

    server: Wire
    schema: Schema
    tables: dict[str, Table]
    facts: Facts
    cleaning: tuple[str, ...] = ()
    """Statements that run once rows are there."""


def on_postgres(
    ground: Ground, texts: Sequence[str], databases: Sequence[Rows], types: Sequence[Sequence[t.Type]]
) -> Iterator[list[Answer] | str]:
    """What PostgreSQL answers to each of some texts, database by database, or the error that one raises.

    So many databases go in one round trip; if one of them raises, each goes by itself.
    """
    for start in range(0, len(databases), AT_ONCE):
        together = databases[start : start + AT_ONCE]
        scripts = [_script(ground, texts, rows) for rows in together]
        try:
            answers = ground.server.each(";\n".join(each for script in scripts for each in script))
        except WireError as error:
            ground.server.execute("ROLLBACK TO rows; RELEASE rows")
            if len(together) == 1:
                yield f"PostgreSQL: {str(error)[:40]}"
                continue
            for rows in together:
                yield from on_postgres(ground, texts, [rows], types)
            continue
        for script in scripts:
            own, answers = answers[: len(script)], answers[len(script) :]
            found = own[-2 - len(texts) : -2]
            yield [
                [tuple(map(cell_of, row, kinds)) for row in answer.rows]
                for answer, kinds in zip(found, types, strict=True)
            ]


def _script(ground: Ground, texts: Sequence[str], rows: Rows) -> list[str]:
    """Statements that fill a database, ask the texts, and empty it."""
    before = ["SAVEPOINT rows", "SET LOCAL statement_timeout = 5000"]
    filling = [*inserting(rows, literal), *ground.cleaning]
    return [*before, *filling, *texts, "ROLLBACK TO rows", "RELEASE rows"]


def ground_of(schema: Schema, session: PostgresSession) -> Ground:
    """Where the queries of a schema run: on the database that was opened for it, and in the core.

    Foreign keys are taken from it, so that rows need not come in an order.
    """
    wire = session.sandbox.wire
    for (statement,) in wire.one(_DROPPED).rows:
        session.sandbox.define(str(statement))
    columns: dict[str, list[Column]] = defaultdict(list)
    for table, *rest in wire.one(_COLUMNS).rows:
        name, kind, modifier, not_null = (str(each) for each in rest)
        columns[str(table)].append(Column(name, kind, int(modifier), not_null == "t"))
    keys: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    for table, places in wire.one(_KEYS).rows:
        keys[str(table)].append(tuple(place - 1 for place in json.loads(str(places))))
    tables = {name: Table(name, tuple(found), tuple(keys[name])) for name, found in columns.items()}
    return Ground(wire, schema, tables, facts_of(schema, None, Options(dialect="postgres")).facts)


_COLUMNS = """SELECT relname, attname, typname, atttypmod, attnotnull FROM pg_class c
    JOIN pg_attribute a ON attrelid = c.oid JOIN pg_type t ON t.oid = atttypid
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 ORDER BY relname, attnum"""
_DROPPED = """SELECT format('ALTER TABLE %I DROP CONSTRAINT %I', relname, conname) FROM pg_constraint k
    JOIN pg_class c ON c.oid = conrelid WHERE relnamespace = 'public'::regnamespace AND contype = 'f'"""
_KEYS = """SELECT relname, to_json(conkey::int[]) FROM pg_constraint k JOIN pg_class c ON c.oid = conrelid
    WHERE relnamespace = 'public'::regnamespace AND contype IN ('p', 'u')"""
_BAG = resolve_relation("bag", gold_orders=False)


def grounds(folder: Path, names: Sequence[str]) -> Iterator[tuple[str, Ground, PostgresSession]]:
    """Where the queries of some schemas run, one after the other, each by its name."""
    dialect = dialect_named("postgres")
    for name in names:
        schema = dialect.loader.read_ddl((folder / f"{name}.sql").read_text(encoding="utf-8"), name)
        with dialect.engine.empty(schema) as session:
            assert isinstance(session, PostgresSession)
            yield name, ground_of(schema, session), session


def typed_query(text: str, session: PostgresSession) -> t.TypedQuery:
    """A text as PostgreSQL resolves it."""
    (node,) = read_nodes(session.sandbox.viewed(text).tree)
    assert isinstance(node, TreeNode)
    return read_query(node, OidSession(Catalogue(session.sandbox.wire, _shared), lambda _: ""))


_shared: dict[tuple[str, int], object] = {}


def run(corpus: Path, seeds: Sequence[int], step: int, journal: Journal) -> None:
    """Compare the queries of a corpus that a journal lacks, every so many of them."""
    queries: dict[str, dict[str, None]] = defaultdict(dict)
    for pair in read_lines(corpus / "pairs.jsonl"):
        queries[pair["db_id"]] |= {pair["gold_sql"]: None, pair["predicted_sql"]: None}
    for name, ground, session in grounds(corpus / "ddl", list(queries)):
        for text in list(queries[name])[::step]:
            key = f"{name}: {text}"
            if key not in journal.done:
                journal.add(key, _compared(text, ground, session, seeds))


def _compared(text: str, ground: Ground, session: PostgresSession, seeds: Sequence[int]) -> Record:
    """How the comparison of one text ends."""
    try:
        typed = folded(typed_query(text.strip().rstrip(";"), session), session.sandbox.wire)
        asked = dialect_named("postgres").reader.read(text, ground.schema, session)
        if isinstance(asked, Broken):
            return {"how": "invalid"}
        whole = settled(without_limit(typed))
        pair = Pair(asked, asked, ground.schema, ground.facts, _BAG)
        made = databases_of(whole, ground.tables, seeds, pair)
        answers = on_postgres(ground, [PostgresPrinter().query(whole)], made, [t.columns_of(whole)])
        firsts = (each if isinstance(each, str) else each[0] for each in answers)
        core = to_sql(lower(whole, ground.schema))
        return first_difference(whole, core, zip(made, firsts, strict=True), ground.schema, ground.tables)
    except WireError:
        return {"how": "invalid"}
    except UnsupportedError as error:
        return {"how": f"unsupported: {error.node}"}


def main() -> None:
    """``python -m benchmarks.postgres.differential CORPUS JOURNAL [DATABASES] [STEP] [SEED]``; resumes."""
    corpus, kept, *numbers = sys.argv[1:]
    journal = Journal(Path(kept))
    count, step, seed = (*map(int, numbers), *(10, 1, 0)[len(numbers) :])
    with until_interrupted():
        run(Path(corpus), range(seed * 1_000_000, seed * 1_000_000 + count), step, journal)
    print(journal.table("how"))


if __name__ == "__main__":
    main()
