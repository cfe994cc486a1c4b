"""Facts that a populated database keeps, found and checked by PostgreSQL's own queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from equiv.core.model import Column, Domain, Schema, Table, View, quoted_name
from equiv.dialects.postgres.script import native_name
from equiv.dialects.postgres.wire import Wire, WireError
from equiv.facts import Fact, FactKind, Grade
from equiv.names import is_same

_MOST_INCLUSIONS = 200
_DAY = "'^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'"
_NUMBER = "'^-?[0-9]+([.][0-9]+)?$'"
_FIRST, _LAST = "'0001-01-01'", "'9999-12-31 23:59:59.999499'"


def mined(wire: Wire, schema: Schema) -> tuple[Fact, ...]:
    """Facts of grade ``observed``: one pass over each table proposes, and what it proposes is checked."""
    candidates: list[Fact] = []
    keys: list[tuple[Table, Column]] = []
    for table in filter(_is_held, schema.tables):
        for fact in _proposed(wire, table):
            candidates.append(fact)
            if fact.kind is FactKind.UNIQUE and (column := table.column(fact.columns[0])):
                keys.append((table, column))
    candidates += _inclusions(schema, keys)
    broken = set(violated(wire, schema, candidates))
    return tuple(fact for fact in candidates if fact not in broken)


def _is_held(table: Table) -> bool:
    return table.earlier is None


def _held(fact: Fact, schema: Schema) -> Fact:
    """A fact as the database can be asked for it: of rows of an earlier time, what the table keeps now."""
    names = []
    for name in (fact.table, fact.parent):
        table = schema.table(name)
        names.append(table.earlier.table if table is not None and table.earlier else name)
    return replace(fact, table=names[0], parent=names[1])


def _proposed(wire: Wire, table: Table) -> Iterator[Fact]:
    if not table.columns:
        return
    names = [quoted_name(column.name) for column in table.columns]
    terms = ", ".join(
        f"count({name}), {_distinct(name, c)}" for name, c in zip(names, table.columns, strict=True)
    )
    rows, *counts = map(_number, _asked(wire, f"SELECT count(*), {terms} FROM {native_name(table)}"))
    if not rows:
        return
    yield Fact(FactKind.NOT_EMPTY, Grade.OBSERVED, table.name)
    for column, values, distinct in zip(table.columns, counts[::2], counts[1::2], strict=True):
        place = (table.name, (column.name,))
        if values == rows:
            yield Fact(FactKind.NOT_NULL, Grade.OBSERVED, *place)
        if values and values == distinct:
            yield Fact(FactKind.UNIQUE, Grade.OBSERVED, *place)
        if values and _is_text(column):
            yield Fact(FactKind.ISO_DATE, Grade.OBSERVED, *place)
            yield Fact(FactKind.NUMERIC_TEXT, Grade.OBSERVED, *place)


def _is_text(column: Column) -> bool:
    return column.declared_type == "TEXT" and column.samples is None


def _distinct(name: str, column: Column) -> str:
    # What is of no plain type may have no equality.
    plain = column.samples is None or column.domain is not Domain.TEXT
    return f"count(DISTINCT {name})" if plain else "-1"


def _number(text: str | None) -> int:
    return int(text or 0)


def _inclusions(schema: Schema, keys: list[tuple[Table, Column]]) -> list[Fact]:
    """Columns of one name and type as a key elsewhere, then those of one type alone."""
    found = [
        (child, column, parent, key)
        for parent, key in keys
        for child in filter(_is_held, schema.tables)
        for column in child.columns
        if column.native_type == key.native_type and (child is not parent or column is not key)
    ]
    found.sort(key=lambda each: not is_same(each[1].name, each[3].name))
    return [
        Fact(FactKind.INCLUSION, Grade.OBSERVED, child.name, (column.name,), parent.name, (key.name,))
        for child, column, parent, key in found[:_MOST_INCLUSIONS]
    ]


def violated(wire: Wire, schema: Schema, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The facts that the rows break; one that cannot be asked counts as broken."""
    return tuple(fact for fact in facts if _is_broken(wire, schema, _held(fact, schema)))


def _is_broken(wire: Wire, schema: Schema, fact: Fact) -> bool:
    if fact.kind is FactKind.FRESH:
        view = next((view for view in schema.native_views if view.name == fact.table), None)
        return view is None or is_stale(wire, view)
    if not fact.table:
        places = [
            (t, c)
            for t in filter(_is_held, schema.tables)
            for c in t.columns
            if c.declared_type in ("REAL", "NUMERIC")
        ]
        if fact.kind is not FactKind.EXACT_ARITHMETIC:
            return False
        return any(_some_row(wire, t, f"{quoted_name(c.name)}::text {_NO_NUMBER}") for t, c in places)
    table = schema.table(fact.table)
    columns = [table.column(name) for name in fact.columns] if table is not None else []
    known = [column for column in columns if column is not None]
    if table is None or len(known) < len(columns):
        return False
    return _breaks(wire, schema, fact, table, known)


_NO_NUMBER = "IN ('NaN', 'Infinity', '-Infinity')"
"""Of a text: before PostgreSQL 14 no numeric is infinite, and none is read from such a word."""


def _breaks(wire: Wire, schema: Schema, fact: Fact, table: Table, columns: list[Column]) -> bool:
    terms = [quoted_name(column.name) for column in columns]
    match fact.kind:
        case FactKind.NOT_EMPTY:
            return not _some_row(wire, table, "true")
        case FactKind.CHECK:
            # A declared one is the server's to enforce; of another, the text is not PostgreSQL's.
            return fact.grade is not Grade.DECLARED
        case FactKind.TYPE:
            is_number = columns[0].declared_type in ("REAL", "NUMERIC")
            return is_number and _some_row(wire, table, f"{terms[0]} = 'NaN'")
        case FactKind.NOT_NULL:
            return _some_row(wire, table, f"{terms[0]} IS NULL")
        case FactKind.ISO_DATE | FactKind.ISO_TIMESTAMP if not _is_text(columns[0]):
            return _some_row(wire, table, f"{terms[0]} NOT BETWEEN {_FIRST} AND {_LAST}")
        case FactKind.ISO_DATE:
            return _some_row(wire, table, _no_date(terms[0]))
        case FactKind.NUMERIC_TEXT:
            return _some_row(wire, table, f"{terms[0]}::text !~ {_NUMBER}")
        case FactKind.UNIQUE:
            complete = " AND ".join(f"{term} IS NOT NULL" for term in terms)
            return _asks(wire, _group(table, complete, terms, "count(*) > 1"))
        case FactKind.FUNCTIONAL:
            row = f"ROW({', '.join(quoted_name(name) for name in fact.parent_columns)})"
            return _asks(wire, _group(table, "true", terms, f"count(DISTINCT {row}) > 1"))
        case FactKind.INCLUSION:
            parent = schema.table(fact.parent)
            return parent is None or _asks(wire, _orphans(table, terms, parent, fact.parent_columns))
    return True


def _no_date(term: str) -> str:
    last = f"extract(day FROM (substr({term}, 1, 8) || '01')::date + interval '1 month - 1 day')"
    beyond = f"substr({term}, 1, 4) = '0000' OR substr({term}, 9, 2)::int > {last}"
    return f"CASE WHEN {term} IS NULL THEN false WHEN {term} !~ {_DAY} THEN true ELSE {beyond} END"


def _group(table: Table, condition: str, terms: list[str], having: str) -> str:
    listed = ", ".join(terms)
    return f"SELECT 1 FROM {native_name(table)} WHERE {condition} GROUP BY {listed} HAVING {having} LIMIT 1"


def _orphans(table: Table, terms: list[str], parent: Table, names: tuple[str, ...]) -> str:
    complete = " AND ".join(f"c.{term} IS NOT NULL" for term in terms)
    pairs = zip(terms, names, strict=True)
    matching = " AND ".join(f"p.{quoted_name(name)} = c.{term}" for term, name in pairs)
    found = f"SELECT 1 FROM {native_name(parent)} p WHERE {matching}"
    return f"SELECT 1 FROM {native_name(table)} c WHERE {complete} AND NOT EXISTS ({found}) LIMIT 1"


def is_stale(wire: Wire, view: View) -> bool:
    """Whether a materialised view holds other rows than its query gives now, or none can tell."""
    held = f"TABLE {native_name(view)}"
    apart = f"({held} EXCEPT ALL ({view.sql})) UNION ALL (({view.sql}) EXCEPT ALL {held})"
    return _asks(wire, f"SELECT 1 FROM ({apart}) q LIMIT 1")


def _some_row(wire: Wire, table: Table, condition: str) -> bool:
    return _asks(wire, f"SELECT 1 FROM {native_name(table)} WHERE {condition} LIMIT 1")


def _asks(wire: Wire, query: str) -> bool:
    """Whether a query has a row; true as well where the server refuses it or runs out of time."""
    try:
        return bool(_within(wire, query))
    except WireError:
        return True


def _asked(wire: Wire, query: str) -> tuple[str | None, ...]:
    try:
        return _within(wire, query)[0]
    except WireError:
        return ("0",)


def _within(wire: Wire, query: str) -> list[tuple[str | None, ...]]:
    wire.execute("SAVEPOINT equiv_fact")
    try:
        return wire.one(query).rows
    finally:
        wire.execute("ROLLBACK TO equiv_fact; RELEASE equiv_fact")
