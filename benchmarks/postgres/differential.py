"""Every query of a corpus on generated rows: PostgreSQL on one side, its core translation on the other.

Equal answers, or the translation is wrong.  LIMIT at the top level is taken off both sides, where
it may leave a choice; of ORDER BY the columns that are shown must come in the same order.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.journal import Journal, Record
from benchmarks.postgres.rows import Column, Rows, Table, databases_of
from benchmarks.postgres.ties import settled
from equiv.answers.pair import Pair
from equiv.cells import Cell
from equiv.core.model import Schema, quoted_name
from equiv.core.printing import to_sql
from equiv.core.query import Broken, Query, UnsupportedError
from equiv.core.runner import Connection, Failure, Guarded, Limits, open_memory
from equiv.dialects.postgres.analysis.nodes import TreeNode, read_nodes
from equiv.dialects.postgres.analysis.printing import PostgresPrinter, folded, literal
from equiv.dialects.postgres.analysis.queries import read_query
from equiv.dialects.postgres.analysis.scope import Catalogue
from equiv.dialects.postgres.analysis.scope import NodeReading as OidSession
from equiv.dialects.postgres.session import PostgresSession
from equiv.dialects.postgres.wire import Wire, WireError
from equiv.dialects.registry import dialect_named, reference
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.queries import lower
from equiv.engine.make import ground_of as facts_of
from equiv.facts import Facts
from equiv.options import Options
from equiv.relation import resolve_relation

AT_ONCE = 20
"""How many databases go in one round trip."""

NEAR, COARSE = 1e-9, 2e-6
"""How far numbers may be apart; where PostgreSQL computes with 24 bits."""


@dataclass(frozen=True)
class Difference:
    """Two answers that are not the same."""

    postgres: str
    core: str
    rows: dict[str, list[tuple[str | None, ...]]]
    answers: tuple[list[tuple[Cell, ...]], list[tuple[Cell, ...]]]


def without_limit(query: t.TypedQuery) -> t.TypedQuery:
    """The query without a LIMIT at its top level, if no other part hangs on it."""
    if query.limit is None or query.limit.with_ties:
        return query
    return replace(query, limit=None)


@dataclass(frozen=True)
class Ground:
    """Where queries run: a connection that has the tables, and the same tables in the core."""

    server: Wire
    schema: Schema
    tables: dict[str, Table]
    facts: Facts
    cleaning: tuple[str, ...] = ()
    """Statements that run once rows are there."""


def compare(
    query: t.TypedQuery, asked: Query, ground: Ground, seeds: Sequence[int], said: Counter[str]
) -> Difference | None:
    """The first difference that databases, by their seeds, show; how each ended is counted."""
    schema, tables = ground.schema, ground.tables
    whole = settled(without_limit(query))
    postgres, core = PostgresPrinter().query(whole), to_sql(lower(whole, schema))
    types = t.columns_of(whole)
    coarse = any(isinstance(each, t.Expr) and each.type.name == "float4" for each in t.parts_of(whole))
    with open_memory() as engine:
        for statement in reference().create(schema):
            engine.connection.execute(statement)
        made = databases_of(whole, tables, seeds, Pair(asked, asked, schema, ground.facts, _BAG))
        for rows, answers in zip(made, on_postgres(ground, [postgres], made, [types]), strict=True):
            if isinstance(answers, str):
                said[f"PostgreSQL: {answers[:40]}"] += 1
                continue
            theirs = answers[0]
            ours = on_core(engine, core, tables, rows)
            if isinstance(ours, Failure):
                said[f"core: {ours.message[:60]}"] += 1
                continue
            said["with rows" if theirs else "empty"] += 1
            if not same(theirs, ours, sorted_by(whole), COARSE if coarse else NEAR):
                return Difference(postgres, core, rows, (theirs, ours))
    return None


def sorted_by(query: t.TypedQuery) -> list[int]:
    """The columns, from 0, that a query sorts by first, as far as it shows them."""
    if isinstance(query, t.SetQuery):
        return [position - 1 for position, _, _ in query.order]
    values = [target.value for target in query.targets]
    found = []
    for key in query.order:
        if key.value not in values:
            break
        found.append(values.index(key.value))
    return found


def on_postgres(
    ground: Ground, texts: Sequence[str], databases: Sequence[Rows], types: Sequence[Sequence[t.Type]]
) -> Iterator[list[list[tuple[Cell, ...]]] | str]:
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
                yield str(error)
                continue
            for rows in together:
                yield from on_postgres(ground, texts, [rows], types)
            continue
        for script in scripts:
            own, answers = answers[: len(script)], answers[len(script) :]
            found = own[-2 - len(texts) : -2]
            yield [
                [tuple(map(_cell, row, kinds)) for row in answer.rows]
                for answer, kinds in zip(found, types, strict=True)
            ]


def _script(ground: Ground, texts: Sequence[str], rows: Rows) -> list[str]:
    """Statements that fill a database, ask the texts, and empty it."""
    filling = [_insert(ground.tables[name], each) for name, each in rows.items() if each]
    before = ["SAVEPOINT rows", _SETTINGS, *filling, *ground.cleaning]
    return [*before, *texts, "ROLLBACK TO rows", "RELEASE rows"]


_SETTINGS = "SET LOCAL statement_timeout = 5000"


def _insert(table: Table, rows: list[tuple[str | None, ...]]) -> str:
    shown = ", ".join(
        "(" + ", ".join("NULL" if value is None else literal(value) for value in row) + ")" for row in rows
    )
    return f"INSERT INTO {quoted_name(table.name)} VALUES {shown}"


def _cell(value: str | None, kind: t.Type) -> Cell:
    if value is None:
        return None
    if kind.name in ("int2", "int4", "int8"):
        return int(value)
    if kind.name in ("numeric", "float4", "float8"):
        return float(value)
    if kind.name == "bool":
        return int(value == "t")
    if kind.name == "bpchar":
        return value.rstrip(" ")
    return value.removesuffix("+00") if kind.name == "timestamptz" else value


def on_core(
    engine: Guarded, text: str, tables: dict[str, Table], rows: dict[str, list[tuple[str | None, ...]]]
) -> list[tuple[Cell, ...]] | Failure:
    """What the core answers to a text on some rows."""
    connection: Connection = engine.connection
    connection.execute("BEGIN")
    try:
        for name, each in rows.items():
            table = tables[name]
            marks = ", ".join("?" * len(table.columns))
            kinds = [t.Type(column.type) for column in table.columns]
            connection.executemany(
                f"INSERT INTO {quoted_name(name)} VALUES ({marks})",
                [[_stored(value, kind) for value, kind in zip(row, kinds, strict=True)] for row in each],
            )
        found = engine.run(text, Limits(seconds=5))
    finally:
        connection.execute("ROLLBACK")
    return found if isinstance(found, Failure) else list(found.rows)


def _stored(value: str | None, kind: t.Type) -> Cell:
    return int(value == "true") if kind.name == "bool" and value is not None else _cell(value, kind)


def same(
    one: list[tuple[Cell, ...]], other: list[tuple[Cell, ...]], first: Sequence[int], near: float
) -> bool:
    """Whether two answers have the same rows, as often, in the same order of some columns."""
    if len(one) != len(other):
        return False
    if all(_alike(left, right, near) for left, right in zip(one, other, strict=True)):
        return True
    left_keys, right_keys = ([tuple(row[at] for at in first) for row in rows] for rows in (one, other))
    if not all(_alike(left, right, near) for left, right in zip(left_keys, right_keys, strict=True)):
        return False
    return all(
        _alike(left, right, near)
        for left, right in zip(sorted(one, key=_order), sorted(other, key=_order), strict=True)
    )


def _order(row: tuple[Cell, ...]) -> tuple[object, ...]:
    return tuple(
        (0, 0.0, "")
        if cell is None
        else (2, 0.0, cell)
        if isinstance(cell, str)
        else (1, round(float(cell), 4), "")  # type: ignore[arg-type]
        for cell in row
    )


def _alike(left: tuple[Cell, ...], right: tuple[Cell, ...], near: float) -> bool:
    return all(_equal(one, other, near) for one, other in zip(left, right, strict=True))


def _equal(one: Cell, other: Cell, near: float) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=near, abs_tol=1e-6 if near == COARSE else 1e-9)
    return type(one) is type(other) and one == other


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
_BAG = resolve_relation("bag", gold_orders=False)
_DROPPED = """SELECT format('ALTER TABLE %I DROP CONSTRAINT %I', relname, conname) FROM pg_constraint k
    JOIN pg_class c ON c.oid = conrelid WHERE relnamespace = 'public'::regnamespace AND contype = 'f'"""
_KEYS = """SELECT relname, to_json(conkey::int[]) FROM pg_constraint k JOIN pg_class c ON c.oid = conrelid
    WHERE relnamespace = 'public'::regnamespace AND contype IN ('p', 'u')"""


def queries_of(corpus: Path) -> dict[str, list[str]]:
    """The distinct texts of a corpus, by the name of their database."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    with (corpus / "pairs.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            pair = json.loads(line)
            for side in ("gold_sql", "predicted_sql"):
                found[pair["db_id"]][pair[side]] = None
    return {name: list(texts) for name, texts in found.items()}


def run(corpus: Path, seeds: Sequence[int], step: int, journal: Journal) -> None:
    """Compare the queries of a corpus that a journal lacks, every so many of them."""
    dialect = dialect_named("postgres")
    for name, texts in queries_of(corpus).items():
        ddl = (corpus / "ddl" / f"{name}.sql").read_text(encoding="utf-8")
        schema = dialect.loader.read_ddl(ddl, name)
        with dialect.engine.empty(schema) as session:
            assert isinstance(session, PostgresSession)
            ground = ground_of(schema, session)
            for text in texts[::step]:
                key = f"{name}: {text}"
                if key not in journal.done:
                    journal.add(key, _compared(text, ground, session, seeds))


def _compared(text: str, ground: Ground, session: PostgresSession, seeds: Sequence[int]) -> Record:
    """How the comparison of one text ends, in a word or two, and the difference if there is one."""
    try:
        seen = session.sandbox.viewed(text.strip().rstrip(";"))
        (node,) = read_nodes(seen.tree)
        assert isinstance(node, TreeNode)
        oids = Catalogue(session.sandbox.wire, _shared)
        typed = folded(read_query(node, OidSession(oids, lambda _: "")), session.sandbox.wire)
        asked = dialect_named("postgres").reader.read(text, ground.schema, session)
        if isinstance(asked, Broken):
            return {"how": "invalid"}
        said = Counter[str]()
        found = compare(typed, asked, ground, seeds, said)
    except WireError:
        return {"how": "invalid"}
    except UnsupportedError as error:
        return {"how": f"unsupported: {error.node}"}
    if found is None:
        how = "same" if said["with rows"] else "same, and always empty" if said["empty"] else "never ran"
        return {"how": how, "said": said}
    return {"how": "different", "core": found.core, "rows": found.rows, "answers": found.answers}


_shared: dict[tuple[str, int], object] = {}


def main() -> None:
    """``python -m benchmarks.postgres.differential CORPUS JOURNAL [DATABASES] [STEP] [SEED]``; resumes."""
    corpus, kept, *numbers = sys.argv[1:]
    journal = Journal(Path(kept))
    count, step, seed = (*map(int, numbers), *(10, 1, 0)[len(numbers) :])
    databases = range(seed * 1_000_000, seed * 1_000_000 + count)
    try:
        run(Path(corpus), databases, step, journal)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    print(journal.table("how"))


if __name__ == "__main__":
    main()
