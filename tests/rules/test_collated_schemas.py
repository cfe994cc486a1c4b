"""Every rule's queries, on schemas of other collations and types, keep their results on mixed values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from kit.harness import World
from sqlglot import exp

from equiv.answers.answers import CAREFUL_RUNS, DatabaseFinding
from equiv.cells import Cell
from equiv.core.functions.table import call
from equiv.core.model import Affinity, Column, Context, Schema
from equiv.core.runner import Connection, RunnerError
from equiv.dialects.sqlite.render import create_statements
from equiv.generate.database import Database
from equiv.relation import Rows
from equiv.rewrite.rule import rule
from equiv.rules import RULES
from equiv.rules.verification import verify
from equiv.rules.verification.verify import Book, Status, book_of, collated_refutations, section
from equiv.tiers.witness import Bench

DATABASES = 4

VALUES: tuple[Cell, ...] = ("a", "A", "a ", "b", "B", "", "x", "5", "5.0", "05", 5, 5.0, 0, 1, 2)

Variant = Callable[[int, Column], Column]


def _is_text(column: Column) -> bool:
    return column.affinity is Affinity.TEXT


VARIANTS: dict[str, Variant] = {
    "nocase": lambda _, column: replace(column, collation="NOCASE") if _is_text(column) else column,
    "rtrim": lambda _, column: replace(column, collation="RTRIM") if _is_text(column) else column,
    "mixed": lambda place, column: replace(column, collation="NOCASE") if place % 2 else column,
    "typeless": lambda _, column: replace(column, declared_type=""),
    "swapped": lambda place, column: replace(column, declared_type="TEXT" if place % 2 else "INTEGER"),
    "loose": lambda _, column: column,
}
"""How each column of a schema is changed; facts are those that SQLite enforces: any value goes anywhere."""


@cache
def varied(world: World, name: str) -> World:
    change = VARIANTS[name]
    tables = tuple(
        replace(
            table, ddl="", columns=tuple(change(place, column) for place, column in enumerate(table.columns))
        )
        for table in world.schema.tables
    )
    return World(";\n".join(create_statements(Schema(tables, world.schema.views))), "declared")


@cache
def bench_of(world: World) -> Bench:
    return Bench(world.schema, world.facts)


def literals(tree: exp.Expression) -> list[Cell]:
    """The literals of a query, in other letters, with a space, and numbers as texts."""
    found: list[Cell] = []
    for literal in tree.find_all(exp.Literal):
        text = literal.name
        found += [text, text.swapcase(), f"{text} "]
        if not literal.is_string:
            found.append(float(text))
    return found


def filled(world: World, values: list[Cell], random: Random) -> Database:
    """A database of mixed values: what a constraint refuses is left out."""
    connection = Connection()
    for statement in create_statements(world.schema):
        connection.execute(statement)
    tables = {}
    for table in world.schema.tables:
        names = [column.name for column in table.columns if not column.generated]
        listed = ", ".join(f'"{name}"' for name in names)
        for _ in range(random.randint(1, 5)):
            row = [None if random.random() < 0.15 else random.choice(values) for _ in names]
            try:
                marks = ", ".join("?" * len(names))
                connection.execute(f'INSERT OR IGNORE INTO "{table.name}" ({listed}) VALUES ({marks})', row)
            except RunnerError:
                continue
        tables[table.name] = (names, connection.execute(f'SELECT {listed} FROM "{table.name}"').fetchall())
    connection.close()
    return Database.of(tables)


@pytest.mark.long
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("heading", ["Before:", "After:"])
@pytest.mark.parametrize("shift", range(3))
def test_no_rule_changes_results_on_other_collations_and_types(
    variant: str, heading: str, shift: int
) -> None:
    """A sixth of the rules for each variant and heading, another one for each shift."""
    start = (list(VARIANTS).index(variant) + shift) % len(VARIANTS)
    tried = 0
    for each in RULES[start :: len(VARIANTS)]:
        world = varied(book_of(each).world, variant)
        sql = section(each, heading)
        if not world.supports(sql):
            continue
        found = world.norm(sql)
        if not found.steps or not world.supports(found.steps[-1].after):
            continue
        pair = world.pair(sql, found.steps[-1].after, Rows(found.under))
        tree = world.read(sql).tree
        assert tree is not None
        random = Random(f"{each.name} {variant}")
        for _ in range(DATABASES):
            database = filled(world, [*VALUES, *literals(tree)], random)
            if bench_of(world).load(pair, database):
                tried += 1
                shown = bench_of(world).find(pair, CAREFUL_RUNS)
                assert shown is not DatabaseFinding.APART, (each.name, found.steps, database)
    assert tried > 20


def test_no_rule_is_refuted_under_other_collations() -> None:
    for each in RULES[::24]:
        assert not collated_refutations(each), each.name


@rule(on=exp.EQ)
def convert_equality_to_digits(node: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Careless of collations: texts that are equal under NOCASE have other bytes.

    Before:  SELECT id FROM person WHERE nick = 'ab'
    """
    del ctx
    if isinstance(node.this, exp.Column) and isinstance(node.expression, exp.Literal):
        return exp.EQ(this=call("HEX", [node.this]), expression=call("HEX", [node.expression]))
    return None


def test_a_rule_that_is_wrong_under_a_collation_is_refuted() -> None:
    book = Book(World("CREATE TABLE person (id INTEGER PRIMARY KEY, nick TEXT NOT NULL)"))
    found = verify.verify(convert_equality_to_digits, guards=False, book=book)
    assert found.status == Status.REFUTED
    assert any("nocase" in each.patterns for each in found.unproved)
