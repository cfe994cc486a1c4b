"""The schema of a DuckDB database, by its catalogue."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from equiv.core.lexer import TokenKind, depths, name_of, tokens
from equiv.core.model import Column, ForeignKey, PassedOver, Schema, Table, View
from equiv.core.single_values import sql_literal
from equiv.dialects.duckdb.database import (
    ATTACHED,
    IDLE,
    OWN,
    DuckdbDatabase,
    DuckdbError,
    one_line,
)
from equiv.dialects.duckdb.macros import creating_macro, nodes
from equiv.dialects.duckdb.resolving.printing import difference
from equiv.dialects.duckdb.values import core_type, labels_of
from equiv.dialects.typed.dialect import CoreText, facts_of_type, no_core_text
from equiv.errors import InputError
from equiv.facts import Fact, FactKind, Grade
from equiv.names import fold, quoted, quoted_name

NAME = "duckdb"
_PLACE = "CASE WHEN database_name <> current_database() THEN database_name END"
_TABLES = "SELECT {table}, sql FROM duckdb_tables() WHERE {where} AND NOT temporary ORDER BY table_oid"
_COLUMNS = """SELECT {table}, column_name, data_type, is_nullable, is_generated,
    column_default FROM duckdb_columns()
    WHERE {where} ORDER BY table_oid, column_index"""
_CONSTRAINTS = """SELECT {table}, constraint_type, expression, constraint_column_names, {parent},
    referenced_column_names FROM duckdb_constraints() WHERE {where} ORDER BY constraint_index"""
_INDEXES = """SELECT {table}, is_unique, expressions, sql FROM duckdb_indexes()
    WHERE {where} AND sql IS NOT NULL ORDER BY index_oid"""
_VIEWS = f"""SELECT {{view}}, {_PLACE}, sql FROM duckdb_views()
    WHERE {{where}} AND NOT internal ORDER BY view_oid"""
_TYPES = """SELECT {type}, labels FROM duckdb_types() WHERE {where} AND NOT internal
    AND logical_type = 'ENUM' ORDER BY type_oid"""
_SEQUENCES = "SELECT sql FROM duckdb_sequences() WHERE {own} AND NOT temporary ORDER BY sequence_oid"
_MACROS = """SELECT function_name, any_value(function_type),
    list({{'p': parameters, 't': parameter_types, 'b': macro_definition}}) FROM duckdb_functions()
    WHERE {own} AND NOT internal AND function_type IN ('macro', 'table_macro') AND schema_name = 'main'
    GROUP BY function_name ORDER BY min(function_oid)"""
_SCHEMAS = f"""SELECT {_PLACE}, schema_name FROM duckdb_schemas()
    WHERE {{where}} AND schema_name <> 'main' ORDER BY oid"""
_USERS = f"database_name NOT IN ('system', 'temp', '{IDLE}')"
_HERE = f"""{_USERS} AND NOT contains(schema_name, '.') AND NOT contains(database_name, '.')
    AND schema_name NOT IN ('information_schema', 'pg_catalog')"""
_OWN = f"database_name = current_database() AND {_HERE}"
_NAMED = (
    f"concat_ws('.', {_PLACE}, CASE WHEN schema_name <> 'main' THEN schema_name END, {{name}}) AS {{name}}"
)
_UNNAMED = f"""SELECT concat_ws('.', {_PLACE},
    CASE WHEN database_name = current_database() OR schema_name <> 'main' THEN schema_name END, table_name)
    FROM duckdb_tables() WHERE {_USERS} AND (contains(schema_name, '.') OR contains(database_name, '.')
    OR (contains(table_name, '.') AND (schema_name <> 'main' OR database_name <> current_database())))
    ORDER BY 1"""


def read_catalogue(database: DuckdbDatabase, name: str, core_text: CoreText = no_core_text) -> Schema:
    """The schema of a database.

    Args:
        name: what the schema is called.
        core_text: what knows the core's text of CHECKs and generated columns.

    Raises:
        InputError: DuckDB refuses, or a foreign key leads nowhere.
    """
    try:
        return _read(database, name, core_text)
    except DuckdbError as error:
        raise InputError(f"{name or 'DDL'}: {one_line(error)}") from None


def _read(database: DuckdbDatabase, name: str, core_text: CoreText) -> Schema:
    def rows(query: str) -> list[tuple[Any, ...]]:
        columns = {each: f"{each}_name" for each in ("table", "view", "type")} | {
            "parent": "referenced_table"
        }
        names = {each: _NAMED.format(name=column) for each, column in columns.items()}
        return database.execute(query.format(where=_HERE, own=_OWN, **names))

    columns, constraints, indexes = map(_by_table, (rows(_COLUMNS), rows(_CONSTRAINTS), rows(_INDEXES)))
    tables = [
        _table(
            table, str(sql), _Parts(columns[table], constraints[table], indexes[table]), core_text, database
        )
        for table, sql in rows(_TABLES)
    ]
    beside = (
        f"{ATTACHED} AND database_name NOT IN (current_database(), '{IDLE}', '{OWN}') ORDER BY database_oid"
    )
    attached = [str(each) for (each,) in database.execute(beside)]
    tables = [_beside(each) if each.name.split(".")[0] in attached else each for each in tables]
    unnamed = [str(found) for (found,) in database.execute(_UNNAMED)]
    tables = [each for each in tables if each.name not in unnamed]
    views = {str(v): _placed(_view(str(v), str(sql)), place, database) for v, place, sql in rows(_VIEWS)}
    passed = [PassedOver("table", each, "a part of its name has a dot") for each in unnamed]
    passed += [PassedOver("view", name, "of an attached database") for name in views if views[name] is None]
    return Schema(
        tuple(tables),
        name=name,
        dialect=NAME,
        native=(
            *(f"ATTACH ':memory:' AS {quoted_name(each)}" for each in attached),
            *(f"CREATE SCHEMA {'.'.join(map(quoted_name, filter(None, each)))}" for each in rows(_SCHEMAS)),
            *(_enumeration(*each) for each in rows(_TYPES)),
            *(str(sql).rstrip().rstrip(";") for (sql,) in rows(_SEQUENCES)),
            *(
                creating_macro(name, kind, ways, database.defaults.get(fold(name), {}))
                for name, kind, ways in rows(_MACROS)
            ),
        ),
        native_views=tuple(filter(None, views.values())),
        passed=tuple(passed),
        withheld=tuple(fold(each.bare) for each in passed),
    )


def _beside(table: Table) -> Table:
    """A table of an attached database, by statements that do not name that: it is made in its place."""
    there, back = f"USE {quoted_name(table.name.split('.')[0])}", f"USE {quoted_name(OWN)}"
    return replace(table, native=(there, *table.native, back))


@dataclass(frozen=True)
class _Parts:
    """What the catalogue has of one table, row by row."""

    columns: list[tuple[Any, ...]]
    constraints: list[tuple[Any, ...]]
    indexes: list[tuple[Any, ...]]


def _by_table(rows: Iterable[tuple[Any, ...]]) -> dict[str, list[tuple[Any, ...]]]:
    found: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for table, *rest in rows:
        found[table].append(tuple(rest))
    return found


def _enumeration(name: str, labels: list[str]) -> str:
    listed = ", ".join("'" + label.replace("'", "''") + "'" for label in labels)
    return f"CREATE TYPE {native_name(name)} AS ENUM ({listed})"


def native_name(name: str) -> str:
    """The name of a table, view or type as DuckDB reads it, with its database and its schema."""
    return ".".join(map(quoted_name, name.split(".")))


def _view(name: str, sql: str) -> View:
    """A view by the statement that made it: ``CREATE VIEW name (columns) AS query``."""
    columns: list[str] = []
    found = tokens(sql)
    for token, depth in zip(found, depths(found), strict=True):
        if not depth and token.word == "AS":
            return View(name, sql[token.end :].strip().rstrip(";"), tuple(columns))
        if depth == 1 and token.word not in ("(", ",", ")"):
            columns.append(name_of(sql, token))
    raise InputError(f"not supported: the view {name}")


def _placed(view: View, beside: str | None, database: DuckdbDatabase) -> View | None:
    """A view whose query says of which database its tables are; None if DuckDB does not read it so."""
    if beside is None:
        return view
    text = database.placed(view.sql, beside)
    plans = (database.planned(f"SELECT * FROM {each}") for each in (native_name(view.name), f"({text})"))
    one, other = plans
    return replace(view, sql=text) if not one["error"] and not difference(one, other) else None


def _table(name: str, sql: str, parts: _Parts, core_text: CoreText, database: DuckdbDatabase) -> Table:
    constraints, indexes = parts.constraints, parts.indexes
    keys = {kind: [c for c in constraints if c[0] == kind] for kind in ("PRIMARY KEY", "UNIQUE", "CHECK")}
    primary = next((tuple(each[2]) for each in keys["PRIMARY KEY"]), ())
    unique = {tuple(each[2]) for each in keys["UNIQUE"]}
    unique |= {found for each in indexes if each[0] and (found := _indexed(str(each[1])))}
    foreign = tuple(_foreign_key(each) for each in constraints if each[0] == "FOREIGN KEY")
    checks = [core_text(native_name(name), str(each[1]), "condition") for each in keys["CHECK"]]
    types = _types(name, parts.columns, database)
    pairs = list(zip(parts.columns, types, strict=True))
    checks += [_membership(str(column), labels_of(kind)) for (column, *_), kind in pairs]
    made = tuple(_column(name, each, kind, core_text) for each, kind in pairs)
    return Table(
        name,
        made,
        namespace=name.rpartition(".")[0],
        primary_key=primary,
        unique=tuple(sorted(unique - {primary})),
        foreign_keys=foreign,
        checks=tuple(text for text in checks if text is not None),
        native=tuple(_creating(name, sql, parts)),
        promised=(*_of_types(name, made), *_of_keys(name, foreign)),
    )


def _membership(column: str, labels: tuple[str, ...]) -> str | None:
    """The CHECK that an enumeration brings."""
    return f"{quoted(column)} IN ({', '.join(map(sql_literal, labels))})" if labels else None


def _creating(name: str, sql: str, parts: _Parts) -> Iterator[str]:
    """The statements that make a table, without defaults, so that a value that no row gives is NULL."""
    yield sql.rstrip().rstrip(";")
    for column, _, _, generated, default in parts.columns:
        if default is not None and not generated:
            yield f"ALTER TABLE {native_name(name)} ALTER {quoted_name(column)} DROP DEFAULT"
    for is_unique, _, index in parts.indexes:
        if is_unique:
            yield str(index).rstrip().rstrip(";")


def _indexed(expressions: str) -> tuple[str, ...]:
    """The columns of an index; none if it is on an expression."""
    found, listed = [], expressions.strip().removeprefix("[").removesuffix("]")
    for token in tokens(listed):
        if token.kind in (TokenKind.NAME, TokenKind.QUOTED):
            found.append(name_of(listed, token))
        elif token.word not in (",", ""):
            return ()
    return tuple(found)


def _types(table: str, columns: list[tuple[Any, ...]], database: DuckdbDatabase) -> list[str]:
    """The types of columns, with their collations, of which the catalogue is silent."""
    plan = database.planned(f"SELECT * FROM {native_name(table)}")
    collated: set[str] = set()
    for node in nodes(plan):
        if node.get("type") == "LOGICAL_GET":
            pairs = zip(node["names"], node["returned_types"], strict=True)
            collated |= {name for name, kind in pairs if (kind["type_info"] or {}).get("collation")}
    return [f"{kind} COLLATE" if name in collated else str(kind) for name, kind, *_ in columns]


def _column(table: str, column: tuple[Any, ...], kind: str, core_text: CoreText) -> Column:
    name, _, nullable, generated, default = column
    held = core_type(kind.removesuffix(" COLLATE"))
    # What the catalogue calls the default of a generated column is its expression, cast to its type.
    computed = core_text(native_name(table), str(default), "value") if generated else None
    return Column(
        str(name),
        held.declared,
        not_null=not nullable,
        native_type=kind,
        samples=held.samples,
        below=held.below,
        decimals=held.decimals,
        generated=computed is not None,
        expression=computed or "",
        derived=bool(generated) and computed is None,
    )


def _foreign_key(constraint: tuple[Any, ...]) -> ForeignKey:
    _, _, columns, parent, parent_columns = constraint
    return ForeignKey(tuple(columns), str(parent), tuple(parent_columns))


def _of_types(table: str, columns: Iterable[Column]) -> Iterator[Fact]:
    """What DuckDB's types promise that the core's DDL does not enforce."""
    for column in columns:
        if not column.generated:
            held = core_type(column.native_type.removesuffix(" COLLATE"))
            yield from facts_of_type(table, column.name, held)


def _of_keys(table: str, keys: Iterable[ForeignKey]) -> Iterator[Fact]:
    """DuckDB enforces foreign keys."""
    for key in keys:
        yield Fact(FactKind.INCLUSION, Grade.DECLARED, table, key.columns, key.parent, key.parent_columns)


_READS_TABLES = re.compile(r"CREATE MACRO\b.*\bFROM\b", re.DOTALL)


def made_first(schema: Schema) -> tuple[str, ...]:
    """The statements that make what tables may name: databases, schemas, types, macros of no table."""
    return schema.native[: len(schema.native) - len(made_last(schema))]


def made_last(schema: Schema) -> tuple[str, ...]:
    """The statements that make macros which may name tables, or such macros, before views that call them."""
    reading = (place for place, each in enumerate(schema.native) if _READS_TABLES.match(each))
    return schema.native[next(reading, len(schema.native)) :]


def creating(view: View) -> str:
    """The statement that makes a view."""
    columns = f" ({', '.join(map(quoted_name, view.columns))})" if view.columns else ""
    return f"CREATE VIEW {native_name(view.name)}{columns} AS {view.sql}"
