"""Facts that a populated database keeps, found and checked by queries of its own engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from equiv.core.model import Column, Domain, Schema, Table, View
from equiv.facts import Fact, FactKind, Grade
from equiv.names import is_same, quoted_name

_MOST_INCLUSIONS = 200
_DAY = "'^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'"
_NUMBER = "'^-?[0-9]+([.][0-9]+)?$'"
_FIRST, _LAST = "'0001-01-01'", "'9999-12-31{}'"


@dataclass(frozen=True)
class AskedEngine:
    """An engine with the rows, and what is its own in a query; the rest PostgreSQL and DuckDB read alike."""

    rows: Callable[[str], Sequence[Sequence[object]] | None]
    """The rows of a query; None where the engine refuses it or runs out of time."""
    name: Callable[[Table | View], str]
    """The name of a table or view as the engine reads it."""


class AsksItself:
    """A session whose engine is asked for facts itself: a :class:`~equiv.dialects.protocol.FactSource`."""

    def asked(self) -> AbstractContextManager[AskedEngine]:
        """The engine, for as long as it is asked."""
        raise NotImplementedError

    def observed(self, schema: Schema) -> tuple[Fact, ...]:
        """See :class:`~equiv.dialects.protocol.FactSource`."""
        with self.asked() as engine:
            return mined(engine, schema)

    def violated(self, schema: Schema, facts: Iterable[Fact]) -> tuple[Fact, ...]:
        """See :class:`~equiv.dialects.protocol.FactSource`."""
        with self.asked() as engine:
            return violated(engine, schema, facts)


def mined(engine: AskedEngine, schema: Schema) -> tuple[Fact, ...]:
    """Facts of grade ``observed``: one pass over each table proposes, and what it proposes is checked."""
    candidates: list[Fact] = []
    keys: list[tuple[Table, Column]] = []
    for table in filter(_is_held, schema.tables):
        for fact in _proposed(engine, table):
            candidates.append(fact)
            if fact.kind is FactKind.UNIQUE and (column := table.column(fact.columns[0])):
                keys.append((table, column))
    candidates += _inclusions(schema, keys)
    broken = set(violated(engine, schema, candidates))
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


def _proposed(engine: AskedEngine, table: Table) -> Iterator[Fact]:
    if not table.columns:
        return
    names = [quoted_name(column.name) for column in table.columns]
    terms = ", ".join(
        f"count({name}), {_distinct(name, c)}" for name, c in zip(names, table.columns, strict=True)
    )
    asked = engine.rows(f"SELECT count(*), {terms} FROM {engine.name(table)}") or [("0",)]
    rows, *counts = (int(str(count)) for count in asked[0])
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


def violated(engine: AskedEngine, schema: Schema, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The facts that the rows break; one that cannot be asked counts as broken."""
    return tuple(fact for fact in facts if _is_broken(engine, schema, _held(fact, schema)))


def _is_broken(engine: AskedEngine, schema: Schema, fact: Fact) -> bool:
    if fact.kind is FactKind.FRESH:
        view = next((view for view in schema.native_views if view.name == fact.table), None)
        return view is None or is_stale(engine, view)
    if not fact.table:
        places = [
            (t, c)
            for t in filter(_is_held, schema.tables)
            for c in t.columns
            if c.declared_type in ("REAL", "NUMERIC")
        ]
        if fact.kind is not FactKind.EXACT_ARITHMETIC:
            return False
        return any(_some_row(engine, t, f"{_word(quoted_name(c.name))} IN {_NO_NUMBERS}") for t, c in places)
    table = schema.table(fact.table)
    columns = [table.column(name) for name in fact.columns] if table is not None else []
    known = [column for column in columns if column is not None]
    if table is None or len(known) < len(columns):
        return False
    return _breaks(engine, schema, fact, table, known)


_WIDER = ("UBIGINT", "HUGEINT")
"""Types of integers that may have more than 64 bits."""
_NO_NUMBERS = "('nan', '-nan', 'infinity', '-infinity', 'inf', '-inf')"
"""Of a text: before PostgreSQL 14 no numeric is infinite, and none is read from such a word."""


def _word(term: str) -> str:
    return f"lower({term}::text)"


def _breaks(engine: AskedEngine, schema: Schema, fact: Fact, table: Table, columns: list[Column]) -> bool:
    terms = [quoted_name(column.name) for column in columns]
    match fact.kind:
        case FactKind.NOT_EMPTY:
            return not _some_row(engine, table, "true")
        case FactKind.CHECK:
            # A declared one is the engine's to enforce; of another, the text is not the engine's.
            return fact.grade is not Grade.DECLARED
        case FactKind.TYPE if columns[0].native_type.endswith(_WIDER):
            return _some_row(engine, table, f"{terms[0]} NOT BETWEEN {-(2**63)} AND {2**63 - 1}")
        case FactKind.TYPE:
            is_number = columns[0].declared_type in ("REAL", "NUMERIC")
            return is_number and _some_row(engine, table, f"{_word(terms[0])} IN ('nan', '-nan')")
        case FactKind.NOT_NULL:
            return _some_row(engine, table, f"{terms[0]} IS NULL")
        case FactKind.ISO_DATE | FactKind.ISO_TIMESTAMP if not _is_text(columns[0]):
            last = _LAST.format("" if fact.kind is FactKind.ISO_DATE else " 23:59:59.999499")
            return _some_row(engine, table, f"{terms[0]} NOT BETWEEN {_FIRST} AND {last}")
        case FactKind.ISO_DATE:
            return _some_row(engine, table, _no_date(terms[0]))
        case FactKind.NUMERIC_TEXT:
            return _some_row(engine, table, f"{terms[0]}::text !~ {_NUMBER}")
        case FactKind.UNIQUE:
            complete = " AND ".join(f"{term} IS NOT NULL" for term in terms)
            return _asks(engine, _group(engine, table, complete, terms, "count(*) > 1"))
        case FactKind.FUNCTIONAL:
            row = f"ROW({', '.join(quoted_name(name) for name in fact.parent_columns)})"
            return _asks(engine, _group(engine, table, "true", terms, f"count(DISTINCT {row}) > 1"))
        case FactKind.INCLUSION:
            parent = schema.table(fact.parent)
            return parent is None or _asks(
                engine, _orphans(engine, table, terms, parent, fact.parent_columns)
            )
    return True


def _no_date(term: str) -> str:
    last = f"extract(day FROM (substr({term}, 1, 8) || '01')::date + interval '1 month -1 day')"
    beyond = f"substr({term}, 1, 4) = '0000' OR substr({term}, 9, 2)::int > {last}"
    return f"CASE WHEN {term} IS NULL THEN false WHEN {term} !~ {_DAY} THEN true ELSE {beyond} END"


def _group(engine: AskedEngine, table: Table, condition: str, terms: list[str], having: str) -> str:
    listed = ", ".join(terms)
    return f"SELECT 1 FROM {engine.name(table)} WHERE {condition} GROUP BY {listed} HAVING {having} LIMIT 1"


def _orphans(
    engine: AskedEngine, table: Table, terms: list[str], parent: Table, names: tuple[str, ...]
) -> str:
    complete = " AND ".join(f"c.{term} IS NOT NULL" for term in terms)
    pairs = zip(terms, names, strict=True)
    matching = " AND ".join(f"p.{quoted_name(name)} = c.{term}" for term, name in pairs)
    found = f"SELECT 1 FROM {engine.name(parent)} p WHERE {matching}"
    return f"SELECT 1 FROM {engine.name(table)} c WHERE {complete} AND NOT EXISTS ({found}) LIMIT 1"


def is_stale(engine: AskedEngine, view: View) -> bool:
    """Whether a materialised view holds other rows than its query gives now, or none can tell."""
    held = f"TABLE {engine.name(view)}"
    apart = f"({held} EXCEPT ALL ({view.sql})) UNION ALL (({view.sql}) EXCEPT ALL {held})"
    return _asks(engine, f"SELECT 1 FROM ({apart}) q LIMIT 1")


def _some_row(engine: AskedEngine, table: Table, condition: str) -> bool:
    return _asks(engine, f"SELECT 1 FROM {engine.name(table)} WHERE {condition} LIMIT 1")


def _asks(engine: AskedEngine, query: str) -> bool:
    """Whether a query has a row; true as well where the engine refuses it or runs out of time."""
    found = engine.rows(query)
    return found is None or bool(found)
