"""Verdicts attacked on DuckDB itself: proofs on generated databases, witnesses by a bare replay.

Texts that may answer in several ways (a LIMIT over ties) are compared too, so that what is printed for them
has to be looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import duckdb

from benchmarks.duckdb.differential import Ground, Rows, ground_of, inserting
from benchmarks.postgres.differential import NEAR, same
from benchmarks.postgres.rows import database
from equiv.cells import Cell
from equiv.core.model import Schema, quoted_name
from equiv.core.query import UnsupportedError
from equiv.core.runner import Limits, Result
from equiv.dialects.duckdb.database import DuckdbError
from equiv.dialects.duckdb.lowering.desugaring import desugared, folded
from equiv.dialects.duckdb.read import typed_query
from equiv.dialects.duckdb.values import cell_of
from equiv.dialects.typed import tree as t

_LIMITS = Limits(seconds=5)


@dataclass(frozen=True)
class Field:
    """Where proofs on one schema are attacked.

    Attributes:
        ground: a database without constraints.
        cleaning: by child and parent, the statement that takes away the rows that break a foreign key.
    """

    ground: Ground
    cleaning: tuple[tuple[str, str, str], ...]


def field_of(given: Schema, keyed: Schema) -> Field:
    """The field of a schema: its keys are those that DuckDB enforces.

    Args:
        given: the schema as published.
        keyed: the same in DuckDB, with the constraints that proofs may use.
    """
    ground = ground_of(given)
    tables = {}
    for name, table in ground.tables.items():
        own = keyed.table(name)
        assert own is not None
        places = {column.name.lower(): at for at, column in enumerate(own.columns)}
        keys = [key for key in (own.primary_key, *own.unique) if key]
        needed = {name.lower() for name in own.primary_key}
        tables[name] = replace(
            table,
            keys=tuple(tuple(places[each.lower()] for each in key) for key in keys),
            columns=tuple(
                replace(column, not_null=column.not_null or column.name.lower() in needed)
                for column in table.columns
            ),
        )
    return Field(replace(ground, tables=tables), tuple(_cleaning(keyed)))


def _cleaning(schema: Schema) -> Iterator[tuple[str, str, str]]:
    for table in schema.tables:
        for key in table.foreign_keys:
            places = zip(key.columns, key.parent_columns, strict=True)
            equal = " AND ".join(f"p.{quoted_name(parent)} = c.{quoted_name(own)}" for own, parent in places)
            there = " AND ".join(f"c.{quoted_name(own)} IS NOT NULL" for own in key.columns)
            found = f"SELECT 1 FROM {quoted_name(key.parent)} p WHERE {equal}"
            drop = f"DELETE FROM {quoted_name(table.name)} c WHERE {there} AND NOT EXISTS ({found})"
            yield table.name.lower(), key.parent.lower(), drop


def attacked(texts: tuple[str, str], relation: str, field: Field, seeds: Sequence[int]) -> str:
    """How an attack on a proof ends: ``stands`` and on how many databases, or ``parted`` and the first."""
    try:
        queries = [_typed(text, field.ground) for text in texts]
    except UnsupportedError:
        return "not read"
    ran = 0
    for seed in seeds:
        own, other = queries[seed % 2], queries[1 - seed % 2]
        rows = database(other, field.ground.tables, Random(f"beside {seed}"))
        rows |= database(own, field.ground.tables, Random(f"attack {seed}"))
        answers = _answers(texts, rows, field)
        if answers is None:
            continue
        ran += 1
        if "set" in relation:
            answers = [*dict.fromkeys(answers[0])], [*dict.fromkeys(answers[1])]
        if not same(*answers, (), NEAR):
            return "parted " + json.dumps({"rows": rows, "answers": answers}, default=str)
    return f"stands {ran}" if ran else "never ran"


def _typed(text: str, ground: Ground) -> t.TypedQuery:
    duck = ground.session.database
    node = duck.parsed(text)["statements"][0]["node"]
    return folded(desugared(typed_query(node, ground.schema, duck)), duck)


def _answers(
    texts: tuple[str, str], rows: Rows, field: Field
) -> tuple[list[tuple[Cell, ...]], list[tuple[Cell, ...]]] | None:
    """What both texts return on some rows; None where one fails.

    Tables that neither reads are empty, and keys that refer to them are kept: parents could be added.
    """
    duck = field.ground.session.database
    filling = [inserting(name, each) for name, each in rows.items() if each]
    named = {name.lower() for name in rows}
    cleaning = [drop for child, parent, drop in field.cleaning if {child, parent} <= named] * 2
    try:
        duck.execute(";".join(("BEGIN", *filling, *cleaning)))
        one, other = (duck.run(text, _LIMITS) for text in texts)
    except DuckdbError:
        return None
    finally:
        duck.execute("ROLLBACK")
    if isinstance(one, Result) and isinstance(other, Result):
        return [tuple(row) for row in one.rows], [tuple(row) for row in other.rows]
    return None


def replayed(script: str, texts: tuple[str, str], relation: str) -> str:
    """What a witness shows on a fresh DuckDB with nothing of ``equiv`` around it: ``apart``, or what else.

    Only rows are compared: that a boolean and a number differ, or a text and a date, is not seen here.
    """
    with duckdb.connect(":memory:") as fresh:
        try:
            fresh.execute("SET scalar_subquery_error_on_multiple_rows = true")
            fresh.execute(script)
            widths, found = [], []
            for text in texts:
                asked = fresh.execute(text)
                widths.append(len(asked.description))
                found.append(asked.fetchall())
        except duckdb.Error as error:
            return f"error: {str(error).splitlines()[0][:60]}"
    if widths[0] != widths[1]:
        return "apart"
    one, other = ([_shown(row) for row in rows] for rows in found)
    if "set" in relation:
        one, other = [*set(one)], [*set(other)]
    if "list" in relation and one != other:
        return "apart"
    return "apart" if sorted(one) != sorted(other) else "the same"


def _shown(row: tuple[Any, ...]) -> str:
    cells = [cell_of(cell) for cell in row]
    return repr([f"{float(cell):.12g}" if isinstance(cell, int | float) else cell for cell in cells])
