"""What ``equiv schema`` shows: tables, facts with their grades, settings, and what was skipped."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from equiv.core.model import Column, Schema, Table
from equiv.core.texts import name_in
from equiv.dialects.registry import dialect_of
from equiv.errors import InputError, did_you_mean
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.show.page import Block, Grid, Heading, Text

_OF_COLUMNS = {
    FactKind.NOT_NULL: "not null",
    FactKind.UNIQUE: "unique",
    FactKind.ISO_DATE: "iso date",
    FactKind.ISO_TIMESTAMP: "iso timestamp",
    FactKind.NUMERIC_TEXT: "numeric text",
}
"""What a fact says of its column, beside which the rest of it goes without saying."""


def schema_blocks(schema: Schema, facts: Facts, source: str, named: Sequence[str] = ()) -> list[Block]:
    """A schema as it was read; the columns and facts of some tables alone, if any are named.

    Raises:
        InputError: there is no such table.
    """
    if named:
        return [block for name in named for block in _table_blocks(_table(name, schema), facts)]
    blocks: list[Block] = [Text(f"{source}: {_summary(schema)}")]
    blocks += [_tables(schema, facts)] if schema.tables else []
    views = [f"{view.name}{' (materialised)' * bool(view.stored)}" for view in _views(schema)]
    blocks += [Text(f"Views: {', '.join(views)}")] if views else []
    if everywhere := _under(facts, ""):
        blocks.append(_named(everywhere, "Not about a single table"))
    if schema.settings:
        blocks.append(Grid("Settings", ("setting", "value"), schema.settings))
    made = _objects(schema).items()
    blocks += [Text(f"{kind.capitalize()}: {', '.join(names)}") for kind, names in made if names]
    if schema.passed:
        rows = (
            (str(each.line or ""), f"{each.kind} {each.name}", each.why, ", ".join(each.lost))
            for each in schema.passed
        )
        columns = ("line", "object", "why", "also left out")
        blocks.append(Grid(f"Skipped: {len(schema.passed)}", columns, tuple(rows)))
    return [*blocks, *(Text(f"Note: {note}") for note in _notes(schema))]


def schema_json(schema: Schema, facts: Facts, source: str) -> str:
    """All of that, as JSON."""
    found = {
        "source": source,
        "dialect": schema.dialect,
        "tables": [_table_json(table, facts) for table in _present(schema)],
        "views": [{"name": view.name, "materialised": bool(view.stored)} for view in _views(schema)],
        "facts": [_fact_json(fact) for fact in _under(facts, "")],
        "settings": dict(schema.settings),
        "search_path": list(schema.path),
        **_objects(schema),
        "passed_over": [
            {
                "kind": each.kind,
                "name": each.name,
                "why": each.why,
                "line": each.line or None,
                "lost": list(each.lost),
            }
            for each in schema.passed
        ],
        "notes": _notes(schema),
    }
    return json.dumps(found, ensure_ascii=False, indent=2)


def _objects(schema: Schema) -> dict[str, list[str]]:
    """What a schema has besides tables and views; each of its functions with its label."""
    made = dict.fromkeys((each.upper().split()[1], name_in(each)) for each in schema.native)
    extensions, macros = ([name for kind, name in made if kind == of] for of in ("EXTENSION", "MACRO"))
    functions = [f"{name} ({label})" for name, label in schema.functions]
    return {"extensions": extensions, "functions": functions, "macros": macros}


def _summary(schema: Schema) -> str:
    counts = (
        (len(_present(schema)), "table"),
        (len(_views(schema)), "view"),
        (len(schema.passed), "object skipped"),
    )
    said = (f"{count:,} {_plural(noun, count)}" for count, noun in counts if count)
    return ", ".join((dialect_of(schema).title, *said))


def _notes(schema: Schema) -> list[str]:
    """The notes on how its source was read, first that it is of a system that no dialect reads."""
    title = dialect_of(schema).title
    lost = "without types, collations and options that are that system's own"
    return [*([f"{schema.foreign}; it is read as {title}, {lost}"] if schema.foreign else []), *schema.notes]


def _plural(noun: str, count: int) -> str:
    first, blank, rest = noun.partition(" ")
    return noun if count == 1 else f"{first}s{blank}{rest}"


def _present(schema: Schema) -> list[Table]:
    """The tables but for those that hold rows of an earlier time."""
    return [table for table in schema.tables if table.earlier is None]


def _views(schema: Schema) -> list[Any]:
    return [*schema.views, *schema.native_views]


def _table(name: str, schema: Schema) -> Table:
    found = schema.table(name)
    within, _, bare = name.rpartition(".")
    # public.orders is orders, where no table is called by a name within public.
    if found is None and not any(table.name.startswith(f"{within}.") for table in schema.tables):
        found = schema.table(bare)
    if found is None:
        raise InputError(f"no table {name}{did_you_mean(name, [table.name for table in _present(schema)])}")
    return found


def _tables(schema: Schema, facts: Facts) -> Grid:
    rows = []
    remarked = any(any(_remarks(table)) for table in schema.tables)
    for table in _present(schema):
        parents = dict.fromkeys(key.parent for key in table.foreign_keys)
        graded = Counter(str(fact.grade) for fact in _under(facts, table.name))
        shown = ", ".join(f"{graded[each]} {each}" for each in Grade if graded[each])
        row = (
            table.name,
            str(len(table.columns)),
            ", ".join(table.primary_key),
            ", ".join(parents),
            shown,
        )
        rows.append((*row, "; ".join(_remarks(table))) if remarked else row)
    columns = ("table", "columns", "primary key", "refers to", "facts")
    return Grid("Tables", (*columns, "remark") if remarked else columns, tuple(rows))


def _under(facts: Facts, table: str) -> list[Fact]:
    return [fact for fact in facts if fact.table == table]


def _remarks(table: Table) -> Iterator[str]:
    if table.looser:
        yield f"read without: {table.looser}; generated databases never refute queries over it"
    if table.remark:
        yield table.remark
    yield from table.unique_indexes


def _table_blocks(table: Table, facts: Facts) -> Iterator[Block]:
    own = _under(facts, table.name)
    alone = {
        column.name: [each for each in own if each.columns == (column.name,)] for column in table.columns
    }
    rows = tuple((column.name, _type(column), _said(alone[column.name])) for column in table.columns)
    yield Heading(table.name)
    yield Grid("", ("column", "type", "facts"), rows)
    if others := [each for each in own if len(each.columns) != 1]:
        yield _named(others, "Of several columns")
    yield from (Text(f"Note: {each}") for each in _remarks(table))


def _type(column: Column) -> str:
    return column.native_type or column.declared_type


def _said(facts: Iterable[Fact]) -> str:
    """The facts of one column but a declared type, each with its grade if it is not declared."""
    shown = []
    for fact in facts:
        grade = "" if fact.grade is Grade.DECLARED else f" ({fact.grade})"
        if fact.kind in _OF_COLUMNS:
            shown.append(f"{_OF_COLUMNS[fact.kind]}{grade}")
        elif fact.kind is FactKind.INCLUSION:
            shown.append(f"in {fact.parent}.{fact.parent_columns[0]}{grade}")
        elif fact.kind is not FactKind.TYPE:
            shown.append(f"{fact!s}{grade}")
        elif grade:
            shown.append(f"of its type{grade}")
    return ", ".join(shown)


def _named(facts: Iterable[Fact], title: str) -> Grid:
    return Grid(title, ("fact", "grade"), tuple((str(each), str(each.grade)) for each in facts))


def _table_json(table: Table, facts: Facts) -> dict[str, Any]:
    return {
        "name": table.name,
        "columns": [
            {"name": column.name, "type": _type(column), "core_type": column.declared_type}
            for column in table.columns
        ],
        "facts": [_fact_json(fact) for fact in _under(facts, table.name)],
        "remarks": list(_remarks(table)),
    }


def _fact_json(fact: Fact) -> dict[str, str]:
    return {"fact": str(fact), "grade": str(fact.grade)}
