"""Answers of an engine beside those of the core, or of two texts on one engine, on the same drawn rows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from benchmarks.journal import Record
from benchmarks.postgres.rows import Rows, Table
from equiv.cells import Cell
from equiv.core.model import Schema, quoted_name
from equiv.core.runner import Failure, Guarded, Limits, open_memory
from equiv.dialects.registry import reference
from equiv.dialects.typed import tree as t

Answer = list[tuple[Cell, ...]]

NEAR, COARSE = 1e-9, 2e-6
"""How far numbers may be apart; where an engine computes with 24 bits."""


def first_difference(
    query: t.TypedQuery,
    core: str,
    answers: Iterable[tuple[Rows, Answer | str]],
    schema: Schema,
    tables: Mapping[str, Table],
) -> Record:
    """How a comparison ends: the first rows on which an engine answers otherwise than the core, if some do.

    Args:
        query: the query, as it is typed.
        core: its text for the core.
        answers: what the engine answers on some rows, or why it does not.
        schema: the tables in the core.
        tables: the same as the engine declares them.
    """
    said, order = Counter[str](), sorted_by(query)
    coarse = any(isinstance(each, t.Expr) and each.type.name == "float4" for each in t.parts_of(query))
    with open_memory() as engine:
        for statement in reference().create(schema):
            engine.connection.execute(statement)
        for rows, theirs in answers:
            ours = theirs if isinstance(theirs, str) else on_core(engine, core, tables, rows)
            if isinstance(theirs, str) or isinstance(ours, str):
                said[str(ours)] += 1
                continue
            said["with rows" if theirs else "empty"] += 1
            if not same(theirs, ours, order, COARSE if coarse else NEAR):
                return {"how": "different", "core": core, "rows": rows, "answers": (theirs, ours)}
    if said["with rows"]:
        return {"how": "same", "said": said}
    if said["empty"]:
        return {"how": "same, and always empty", "said": said}
    return {"how": f"never ran: {said.most_common(1)[0][0] if +said else ''}", "said": said}


def attack(
    answers: Iterable[tuple[Rows, tuple[Answer, Answer] | None]], relation: str, near: float
) -> Record:
    """How an attack on a proof ends: the first rows that part two texts, or on how many it stands.

    Args:
        answers: what both texts answer on some rows; None where one fails.
        relation: the one that is claimed, in words.
        near: how far numbers may be apart.
    """
    ran = 0
    for rows, both in answers:
        if both is None:
            continue
        ran += 1
        one, other = (list(dict.fromkeys(each)) if "set" in relation else each for each in both)
        if not same(one, other, (), near):
            return {"how": "parted", "rows": rows, "answers": (one, other)}
    return {"how": "stands" if ran else "never ran", "ran": ran}


def without_limit(query: t.TypedQuery) -> t.TypedQuery:
    """The query without a LIMIT at its top level, if no other part hangs on it."""
    if query.limit is None or query.limit.with_ties:
        return query
    return replace(query, limit=None)


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


def inserting(rows: Rows, literal: Callable[[str], str]) -> list[str]:
    """The statements that put rows into tables, in an engine that writes a text as such a literal."""

    def shown(row: Iterable[str | None]) -> str:
        return f"({', '.join('NULL' if value is None else literal(value) for value in row)})"

    filled = {name: ", ".join(map(shown, own)) for name, own in rows.items() if own}
    return [f"INSERT INTO {quoted_name(name)} VALUES {values}" for name, values in filled.items()]


def cleaning(schema: Schema, used: set[str]) -> Iterator[str]:
    """Statements that delete the rows that break a foreign key between tables that are used.

    A parent that no query asks for has no rows: by its key nothing would be left.
    """
    keys = ((table.name, key) for table in schema.tables for key in table.foreign_keys)
    for name, key in keys:
        if {name.lower(), key.parent.lower()} <= used:
            places = zip(map(quoted_name, key.columns), map(quoted_name, key.parent_columns), strict=True)
            equal = " AND ".join(f"p.{parent} = c.{own}" for own, parent in places)
            there = " AND ".join(f"c.{quoted_name(own)} IS NOT NULL" for own in key.columns)
            found = f"SELECT 1 FROM {quoted_name(key.parent)} p WHERE {equal}"
            yield f"DELETE FROM {quoted_name(name)} c WHERE {there} AND NOT EXISTS ({found})"


def cell_of(value: str | None, kind: t.Type) -> Cell:
    """The core's cell for a value as PostgreSQL writes it."""
    if value is None:
        return None
    if kind.name in ("int2", "int4", "int8"):
        return int(value)
    if kind.name in ("numeric", "float4", "float8"):
        return float(value)
    if kind.name == "bool":
        return int(value in ("t", "true"))
    if kind.name == "bpchar":
        return value.rstrip(" ")
    return value.removesuffix("+00") if kind.name == "timestamptz" else value


def on_core(engine: Guarded, text: str, tables: Mapping[str, Table], rows: Rows) -> Answer | str:
    """What the core answers to a text on some rows, or why it does not."""
    engine.connection.execute("BEGIN")
    try:
        for name, each in rows.items():
            kinds = [t.Type(column.type) for column in tables[name].columns]
            engine.connection.executemany(
                f"INSERT INTO {quoted_name(name)} VALUES ({', '.join('?' * len(kinds))})",
                [list(map(cell_of, row, kinds)) for row in each],
            )
        found = engine.run(text, Limits(seconds=5))
    finally:
        engine.connection.execute("ROLLBACK")
    return f"core: {found.message[:60]}" if isinstance(found, Failure) else list(found.rows)


def same(one: Answer, other: Answer, first: Sequence[int], near: float) -> bool:
    """Whether two answers have the same rows, as often, in the same order of some columns."""
    if len(one) != len(other):
        return False
    if all(_alike(left, right, near) for left, right in zip(one, other, strict=True)):
        return True
    left_keys, right_keys = ([tuple(row[at] for at in first) for row in rows] for rows in (one, other))
    if not all(_alike(left, right, near) for left, right in zip(left_keys, right_keys, strict=True)):
        return False
    in_order = zip(sorted(one, key=_order), sorted(other, key=_order), strict=True)
    return all(_alike(left, right, near) for left, right in in_order)


def _order(row: tuple[Cell, ...]) -> tuple[object, ...]:
    return tuple(
        (0, 0.0, "")
        if cell is None
        else (2, 0.0, cell)
        if isinstance(cell, str)
        else (1, round(float(cell), 4), "")
        for cell in row
    )


def _alike(left: tuple[Cell, ...], right: tuple[Cell, ...], near: float) -> bool:
    return all(_equal(one, other, near) for one, other in zip(left, right, strict=True))


def _equal(one: Cell, other: Cell, near: float) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=near, abs_tol=1e-6 if near == COARSE else 1e-9)
    return type(one) is type(other) and one == other
