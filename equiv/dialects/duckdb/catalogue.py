"""Schemas from DuckDB's catalogue: the tables, types and constraints of the schema ``main``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from equiv.core.lexer import TokenKind, tokens
from equiv.core.model import Column, ForeignKey, Schema, Table, View, quoted, quoted_name
from equiv.core.single_values import sql_literal
from equiv.dialects.duckdb.database import DuckdbDatabase, DuckdbError, nodes, one_line
from equiv.dialects.duckdb.values import core_type, labels_of
from equiv.errors import InputError
from equiv.facts import Fact, FactKind, Grade

NAME = "duckdb"
CoreText = Callable[[str, str, Literal["condition", "value"]], str | None]
"""The core's text of a condition on a table's rows, or of a value, by its name and the text; or None."""

_TABLES = "SELECT table_name, sql FROM duckdb_tables() WHERE {where} AND NOT temporary ORDER BY table_oid"
_COLUMNS = """SELECT table_name, column_name, data_type, is_nullable, is_generated,
    column_default FROM duckdb_columns()
    WHERE {where} ORDER BY table_oid, column_index"""
_CONSTRAINTS = """SELECT table_name, constraint_type, expression, constraint_column_names, referenced_table,
    referenced_column_names FROM duckdb_constraints() WHERE {where} ORDER BY constraint_index"""
_INDEXES = """SELECT table_name, is_unique, expressions, sql FROM duckdb_indexes()
    WHERE {where} AND sql IS NOT NULL ORDER BY index_oid"""
_VIEWS = "SELECT view_name, sql FROM duckdb_views() WHERE {where} AND NOT internal ORDER BY view_oid"
_TYPES = """SELECT type_name, labels FROM duckdb_types() WHERE {where} AND NOT internal
    AND logical_type = 'ENUM' ORDER BY type_oid"""
_SEQUENCES = "SELECT sql FROM duckdb_sequences() WHERE {where} AND NOT temporary ORDER BY sequence_oid"
_ELSEWHERE = """SELECT DISTINCT schema_name || '.' || table_name FROM duckdb_tables()
    WHERE database_name = current_database() AND schema_name <> 'main' ORDER BY 1"""
_HERE = "database_name = current_database() AND schema_name = 'main'"


def read_catalogue(database: DuckdbDatabase, name: str, core_text: CoreText | None = None) -> Schema:
    """The schema of a database.

    Args:
        database: the database.
        name: what the schema is called.
        core_text: what knows the core's text of CHECKs and generated columns; None: nothing does.

    Raises:
        InputError: DuckDB refuses, or a foreign key leads nowhere.
    """
    try:
        return _read(database, name, core_text)
    except DuckdbError as error:
        raise InputError(f"{name or 'DDL'}: {one_line(error)}") from None


def _read(database: DuckdbDatabase, name: str, core_text: CoreText | None) -> Schema:
    def rows(query: str) -> list[tuple[Any, ...]]:
        return database.execute(query.format(where=_HERE))

    columns, constraints, indexes = map(_by_table, (rows(_COLUMNS), rows(_CONSTRAINTS), rows(_INDEXES)))
    tables = [
        _table(
            table, str(sql), _Parts(columns[table], constraints[table], indexes[table]), core_text, database
        )
        for table, sql in rows(_TABLES)
    ]
    elsewhere = [str(found) for (found,) in database.execute(_ELSEWHERE)]
    return Schema(
        tuple(tables),
        name=name,
        dialect=NAME,
        native=(
            *(_enumeration(*each) for each in rows(_TYPES)),
            *(str(sql).rstrip().rstrip(";") for (sql,) in rows(_SEQUENCES)),
        ),
        native_views=tuple(_view(str(view), str(sql)) for view, sql in rows(_VIEWS)),
        notes=tuple(f"passed over, in another schema: {each}" for each in elsewhere),
        withheld=tuple(each.lower() for each in elsewhere),
    )


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
    return f"CREATE TYPE {quoted_name(name)} AS ENUM ({listed})"


def _view(name: str, sql: str) -> View:
    """A view by the statement that made it: ``CREATE VIEW name (columns) AS query``."""
    depth = 0
    columns: list[str] = []
    for token in tokens(sql):
        depth += {"(": 1, ")": -1}.get(token.word, 0)
        if not depth and token.word == "AS":
            return View(name, sql[token.end :].strip().rstrip(";"), tuple(columns))
        if depth == 1 and token.word not in ("(", ",", ")"):
            columns.append(_unquoted(sql[token.start : token.end]))
    raise InputError(f"not supported: the view {name}")


def _unquoted(name: str) -> str:
    return name[1:-1].replace('""', '"') if name.startswith('"') else name


def _table(name: str, sql: str, parts: _Parts, core_text: CoreText | None, database: DuckdbDatabase) -> Table:
    constraints, indexes = parts.constraints, parts.indexes
    keys = {kind: [c for c in constraints if c[0] == kind] for kind in ("PRIMARY KEY", "UNIQUE", "CHECK")}
    primary = next((tuple(each[2]) for each in keys["PRIMARY KEY"]), ())
    unique = {tuple(each[2]) for each in keys["UNIQUE"]}
    unique |= {found for each in indexes if each[0] and (found := _indexed(str(each[1])))}
    foreign = tuple(_foreign_key(each) for each in constraints if each[0] == "FOREIGN KEY")
    checks = [core_text(name, str(each[1]), "condition") for each in keys["CHECK"]] if core_text else []
    types = _types(name, parts.columns, database)
    pairs = list(zip(parts.columns, types, strict=True))
    checks += [_membership(str(column), labels_of(kind)) for (column, *_), kind in pairs]
    made = tuple(_column(name, each, kind, core_text) for each, kind in pairs)
    return Table(
        name,
        made,
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
            yield f"ALTER TABLE {quoted_name(name)} ALTER {quoted_name(column)} DROP DEFAULT"
    for is_unique, _, index in parts.indexes:
        if is_unique:
            yield str(index).rstrip().rstrip(";")


def _indexed(expressions: str) -> tuple[str, ...]:
    """The columns of an index; none if it is on an expression."""
    found = []
    for token in tokens(expressions.strip().removeprefix("[").removesuffix("]")):
        if token.kind in (TokenKind.NAME, TokenKind.QUOTED):
            found.append(_unquoted(expressions.strip()[1:][token.start : token.end]))
        elif token.word not in (",", ""):
            return ()
    return tuple(found)


def _types(table: str, columns: list[tuple[Any, ...]], database: DuckdbDatabase) -> list[str]:
    """The types of columns, with their collations, of which the catalogue is silent."""
    plan = database.planned(f"SELECT * FROM {quoted_name(table)}")
    collated: set[str] = set()
    for node in nodes(plan):
        if node.get("type") == "LOGICAL_GET":
            pairs = zip(node["names"], node["returned_types"], strict=True)
            collated |= {name for name, kind in pairs if (kind["type_info"] or {}).get("collation")}
    return [f"{kind} COLLATE" if name in collated else str(kind) for name, kind, *_ in columns]


def _column(table: str, column: tuple[Any, ...], kind: str, core_text: CoreText | None) -> Column:
    name, _, nullable, generated, default = column
    held = core_type(kind.removesuffix(" COLLATE"))
    # What the catalogue calls the default of a generated column is its expression, cast to its type.
    computed = core_text(table, str(default), "value") if generated and core_text else None
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
        if column.generated:
            continue
        held = core_type(column.native_type.removesuffix(" COLLATE"))
        if held.declared != "BLOB":
            grade = Grade.DECLARED if held.exact else Grade.ASSUMED
            yield Fact(FactKind.TYPE, grade, table, (column.name,))
        if held.form is not None:
            yield Fact(held.form, Grade.ASSUMED, table, (column.name,))


def _of_keys(table: str, keys: Iterable[ForeignKey]) -> Iterator[Fact]:
    """DuckDB enforces foreign keys."""
    for key in keys:
        yield Fact(FactKind.INCLUSION, Grade.DECLARED, table, key.columns, key.parent, key.parent_columns)
