"""Symbolic evaluation against SQLite: on concrete tables, and on the databases that models make."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

import pytest
from drawing.nasty_tables import DDL, fill
from drawing.rare_constructs import Corners

from equiv.algebra.terms import Answer
from equiv.algebra.translate.query import translate
from equiv.algebra.world import World
from equiv.answers.compare import same_bag
from equiv.answers.pair import Pair
from equiv.cells import Cell
from equiv.cells import Row as Result
from equiv.core.query import Query, UnsupportedError
from equiv.core.runner import Connection, RunnerError
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.read import read_query
from equiv.dialects.sqlite.render import create_statements
from equiv.facts import Facts
from equiv.generate.plan import make_plan
from equiv.relation import Relation, Rows
from equiv.schema.policy import facts_for
from equiv.schema.violations import FactChecker
from equiv.search.circuit import TRUE, Circuit, Literal, UncomputedError
from equiv.search.deepening import solve
from equiv.search.evaluate import SymbolicRow, TableEvaluator
from equiv.search.folds import Ranking
from equiv.search.tables import SymbolicTables, columns_bound, columns_read, narrow_pools
from equiv.search.values import NumberedCells, SymbolicValues

SCHEMA = load_ddl(DDL)
FACTS = facts_for(SCHEMA, "intended")
QUERIES = 300


def empty() -> Connection:
    connection = Connection()
    for statement in create_statements(SCHEMA):
        connection.execute(statement)
    return connection


def translated_queries(seed: int) -> Iterator[tuple[Query, Answer]]:
    """Random queries that the algebra can say; the order of concatenation is left open there."""
    random, probe = Random(seed), empty()
    for _ in range(QUERIES):
        query = read_query(Corners(random).query(), SCHEMA, probe)
        if isinstance(query, Query) and query.tree is not None and "GROUP_CONCAT" not in query.sql:
            try:
                yield query, translate(query.tree, World(SCHEMA, Facts()))
            except UnsupportedError:
                continue


def concrete(connection: Connection, values: SymbolicValues) -> dict[str, list[SymbolicRow]]:
    """The rows of a database as symbolic rows that are surely there."""
    tables = {}
    for table in SCHEMA.tables:
        names = [column.name for column in table.columns]
        rows = connection.execute(f"SELECT {', '.join(names)} FROM {table.name}").fetchall()
        tables[table.name] = [
            SymbolicRow(
                TRUE, {n: values.constant(values.cells.of(v)) for n, v in zip(names, row, strict=True)}
            )
            for row in rows
        ]
    return tables


def answer_rows(
    evaluator: TableEvaluator, answer: Answer, holds: Callable[[Literal], bool]
) -> list[Result] | None:
    """The rows of an answer where some literals hold; None if a free choice decides."""
    rows = evaluator.bag(answer.bag, {})
    ranking = Ranking(evaluator.values, evaluator.counts)
    stop = None if answer.limit is None else answer.offset + answer.limit
    window = ranking.window(rows, answer.visible, answer.directions, answer.offset, stop)
    if not all(map(holds, (*evaluator.rules, window.determined))):
        return None

    def cell(cases: dict[int, Literal]) -> Cell:
        (number,) = [number for number, literal in cases.items() if holds(literal)]
        value = evaluator.cells.value(number)
        return float(value) if isinstance(value, Fraction) else value

    taken = [row for there, (_, row) in zip(window.there, rows, strict=True) if holds(there)]
    return [tuple(cell(value.cases) for value in row[: answer.visible]) for row in taken]


def truths(circuit: Circuit, model: frozenset[Literal]) -> Callable[[Literal], bool]:
    """The truth of literals where exactly the variables of the model are true."""
    known = [False, True]
    for node in range(2, len(circuit) + 2):
        parts = circuit.parts(node)
        known.append(node in model if parts is None else all(known[abs(p)] == (p > 0) for p in parts))
    return lambda literal: known[abs(literal)] == (literal > 0)


@pytest.mark.long
def test_concrete_tables_are_evaluated_as_sqlite_does() -> None:
    random, compared = Random(5), 0
    for query, answer in translated_queries(5):
        connection = empty()
        fill(connection, random, conforming=random.random() < 0.5)
        values = SymbolicValues(Circuit(300_000), NumberedCells())
        try:
            evaluator = TableEvaluator(values, concrete(connection, values))
            found = answer_rows(evaluator, answer, lambda literal: literal == TRUE)
        except UncomputedError:
            continue
        if found is not None:
            compared += 1
            assert same_bag(found, connection.execute(query.sql).fetchall()), query.sql
    assert compared > QUERIES // 3


@pytest.mark.long
def test_models_are_databases_that_obey_the_facts_and_answer_as_foreseen() -> None:
    random, compared, checker = Random(11), 0, FactChecker(SCHEMA, FACTS)
    for query, answer in translated_queries(11):
        plan = make_plan(Pair(query, query, SCHEMA, FACTS, Relation(Rows.BAG)))
        columns = columns_bound(columns_read([answer]), plan)
        circuit = Circuit(60_000)
        values = SymbolicValues(circuit, NumberedCells())
        try:
            tables = SymbolicTables(plan, columns, narrow_pools(plan, columns, 5), values)
            for table in columns:
                tables.add(table, 2)
            tables.constrain()
            evaluator = TableEvaluator(values, tables.tables)
            answer_rows(evaluator, answer, lambda _: False)
            wish = circuit.any([there for there, _ in evaluator.bag(answer.bag, {})])
        except UncomputedError:
            continue
        present = [row.there for rows in tables.tables.values() for row in rows]
        roots = [wish, *tables.rules, *random.sample(present, len(present) // 2)]
        model = solve(circuit, roots, 300_000).model
        if not model:
            continue
        connection = filled(tables.database(model))
        if connection is None:
            continue
        broken = checker.violated(connection)
        assert not [fact for fact in broken if is_bound(fact.table, fact.columns, fact.parent, columns)]
        found = answer_rows(evaluator, answer, truths(circuit, model))
        if found is not None:
            compared += 1
            assert same_bag(found, connection.execute(query.sql).fetchall()), query.sql
    assert compared > QUERIES // 6


def filled(rows: dict[str, list[dict[str, Cell]]]) -> Connection | None:
    """A database of these rows; None if the DDL asks for more columns than the queries need."""
    connection = empty()
    for table, made in rows.items():
        for row in made:
            if not row:
                return None
            marks = ", ".join("?" * len(row))
            try:
                connection.execute(
                    f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values())
                )
            except RunnerError as error:
                if "NOT NULL" not in str(error):
                    raise
                return None
    return connection


def is_bound(table: str, names: tuple[str, ...], parent: str, columns: dict[str, tuple[str, ...]]) -> bool:
    """Whether symbolic tables must obey a fact: they have its columns, and its parent."""
    return set(names) <= set(columns.get(table, ())) and (not parent or parent in columns)
