"""What is drawn to compare values of unlike collation or affinity: schemas, rows, conditions, questions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from random import Random
from string import Template

import pytest

from equiv.core.model import Column, Schema
from equiv.core.runner import Connection
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.sqlite.render import create_statements
from equiv.facts import Facts
from equiv.generate.database import Database
from equiv.names import quoted
from equiv.schema.policy import facts_for
from equiv.schema.violations import FactChecker
from equiv.testing.fuzz.batches import same_question
from equiv.testing.making.comparisons import QUESTIONS, Questions
from equiv.testing.making.conditions import Conditions
from equiv.testing.making.databases import RandomDatabases, Schemas
from equiv.testing.making.texts import columns_of

SEEDS = range(150)
DDL = """
CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT COLLATE NOCASE, x TEXT, i INTEGER, u);
"""


@cache
def drawn(seed: int) -> Schema:
    return Schemas(Random(seed)).schema(3)


def test_schemas_have_collations_and_types_of_every_affinity() -> None:
    columns = [column for seed in SEEDS for table in drawn(seed).tables for column in table.columns]
    assert {column.collation for column in columns} == {"BINARY", "NOCASE", "RTRIM"}
    assert {column.declared_type for column in columns} >= {
        "",
        "BLOB",
        "NUMERIC",
        "REAL",
        "INT",
        "TEXT",
        "DATE",
    }
    assert any(column.declared_type == "" and column.collation == "NOCASE" for column in columns)


def test_references_may_have_another_collation_or_type_than_what_they_refer_to() -> None:
    unlike = set()
    for one, other in (each for seed in SEEDS for each in references(drawn(seed))):
        unlike.add((one.collation != other.collation, one.declared_type != other.declared_type))
    assert {(False, False), (True, False), (False, True)} <= unlike


def references(schema: Schema) -> Iterator[tuple[Column, Column]]:
    """Each column that refers to another, beside that."""
    for table in schema.tables:
        for key in table.foreign_keys:
            parent = schema.table(key.parent)
            assert parent is not None
            for name, target in zip(key.columns, key.parent_columns, strict=True):
                found = table.column(name), parent.column(target)
                assert found[0] is not None
                assert found[1] is not None
                yield found[0], found[1]


def test_tables_may_be_without_rowid() -> None:
    assert {table.without_rowid for seed in SEEDS for table in drawn(seed).tables} == {False, True}


@pytest.mark.parametrize("policy", ["declared", "intended"])
def test_rows_keep_the_facts(policy: str) -> None:
    for seed in range(12):
        schema = drawn(seed)
        facts = facts_for(schema, policy)
        checker = FactChecker(schema, facts)
        for database in databases(schema, facts, seed, 4):
            with closing(filled(schema, database)) as connection:
                assert checker.holds(connection)


def databases(schema: Schema, facts: Facts, seed: int, number: int) -> Iterator[Database]:
    made = RandomDatabases(Random(seed), schema, facts, 6)
    return (found for found in (made.database() for _ in range(number)) if found is not None)


def filled(schema: Schema, database: Database) -> Connection:
    connection = Connection()
    for statement in create_statements(schema):
        connection.execute(statement)
    for table, (names, rows) in database.tables.items():
        marks = ", ".join("?" * len(names))
        shown = ", ".join(map(quoted, names))
        connection.executemany(f"INSERT INTO {quoted(table)} ({shown}) VALUES ({marks})", rows)
    return connection


NEAR = {
    "case": "SELECT 1 FROM t AS a, t AS b WHERE a.n = b.n AND a.n <> b.n COLLATE BINARY",
    "spaces": "SELECT 1 FROM t AS a, t AS b WHERE a.x COLLATE RTRIM = b.x AND a.x <> b.x",
    "digits": "SELECT 1 FROM t AS a, t AS b WHERE a.i = b.x AND a.i || '' <> b.x",
    "storage classes": "SELECT 1 FROM t AS a, t AS b WHERE a.u + 0 = b.u + 0 AND typeof(a.u) <> typeof(b.u)",
    "blobs": "SELECT 1 FROM t WHERE typeof(u) = 'blob'",
    "NULL": "SELECT 1 FROM t WHERE x IS NULL AND i IS NOT NULL",
}


@pytest.mark.parametrize("what", NEAR)
@pytest.mark.parametrize("policy", ["declared", "intended"])
def test_values_that_one_comparison_takes_for_equal_and_another_does_not_meet(policy: str, what: str) -> None:
    schema = load_ddl(DDL)
    met = 0
    for database in databases(schema, facts_for(schema, policy), 1, 80):
        with closing(filled(schema, database)) as connection:
            met += connection.execute(NEAR[what]).fetchone() is not None
    assert met


def test_conditions_have_row_values_with_null_and_wrapped_columns() -> None:
    schema = load_ddl(DDL)
    conditions = Conditions(Random(1), schema)
    seen = columns_of(schema.tables[0], "t")
    texts = [conditions.any(seen) for _ in range(1500)]
    with closing(filled(schema, Database({}))) as connection:
        for text in texts:
            connection.execute(f"SELECT 1 FROM t WHERE {text}")
    for pattern in (
        r", NULL\) (NOT )?IN",
        r"\) NOT IN \(SELECT",
        r"\) < \(",
        r"CASE WHEN 1 THEN",
        "COLLATE RTRIM",
    ):
        assert any(re.search(pattern, text) for text in texts), pattern


def test_every_way_of_a_question_is_a_query_on_any_schema() -> None:
    for seed in range(6):
        schema, random = drawn(seed), Random(seed)
        questions = Questions(random, schema)
        with closing(filled(schema, Database({}))) as connection:
            for ways in QUESTIONS:
                assert len(set(ways)) == len(ways)
                for way in ways:
                    text = Template(way).substitute(questions.filling().once(random))
                    connection.execute(f"EXPLAIN {text}").close()  # some raise an error where they run


def test_questions_repeat() -> None:
    schema = load_ddl(DDL)
    one, same, other = (Questions(Random(seed), schema).ways(6) for seed in (1, 1, 2))
    assert one == same != other
    assert 1 < len(set(one)) <= 6


def test_a_fuzzing_run_asks_such_questions() -> None:
    schema = load_ddl("CREATE TABLE only (a TEXT COLLATE NOCASE)")
    found = same_question(Random(1), schema)
    texts = [text for _ in range(300) for text in next(found)]
    wrapped = re.compile(r"(IIF\(1, |COALESCE\(NULL, |CASE WHEN 1 THEN |NULLIF\()t\.|COLLATE RTRIM")
    assert sum(wrapped.search(text) is not None for text in texts) > 5
