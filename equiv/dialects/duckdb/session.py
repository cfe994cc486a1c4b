"""Databases of a pair on DuckDB: their schemas by its catalogue, their rows in the core and as scripts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from equiv.core.lexer import TokenKind, tokens
from equiv.core.model import Column, ForeignKey, PassedOver, Schema, Table, View, quoted, quoted_name
from equiv.core.runner import (
    DEFAULT_LIMITS,
    MAX_STATEMENT,
    Failure,
    Guarded,
    Limits,
    Result,
    RunnerError,
)
from equiv.core.single_values import sql_literal
from equiv.dialects.duckdb.database import (
    ATTACHED,
    IDLE,
    OWN,
    ZONED,
    DuckdbDatabase,
    DuckdbError,
    borrowed,
    in_utc,
    nodes,
    one_line,
)
from equiv.dialects.duckdb.guard import refusal_of
from equiv.dialects.duckdb.session_settings import TAKEN
from equiv.dialects.duckdb.values import cell_of, core_type, is_nested, labels_of, literal, shown, single
from equiv.dialects.typed.dialect import TypedSession, core_copy, limits_for, remembered
from equiv.errors import InputError
from equiv.facts import Fact, FactKind, Grade
from equiv.graphs import depth_first_postorder
from equiv.names import NameMap, fold, is_same

if TYPE_CHECKING:
    from equiv.cells import Cell, Row
    from equiv.dialects.protocol import Filled


NAME = "duckdb"
CoreText = Callable[[str, str, Literal["condition", "value"]], str | None]
"""The core's text of a condition on a table's rows, or of a value, by its name and the text; or None."""

_TABLES = "SELECT {table}, sql FROM duckdb_tables() WHERE {where} AND NOT temporary ORDER BY table_oid"
_COLUMNS = """SELECT {table}, column_name, data_type, is_nullable, is_generated,
    column_default FROM duckdb_columns()
    WHERE {where} ORDER BY table_oid, column_index"""
_CONSTRAINTS = """SELECT {table}, constraint_type, expression, constraint_column_names, {parent},
    referenced_column_names FROM duckdb_constraints() WHERE {where} ORDER BY constraint_index"""
_INDEXES = """SELECT {table}, is_unique, expressions, sql FROM duckdb_indexes()
    WHERE {where} AND sql IS NOT NULL ORDER BY index_oid"""
_VIEWS = "SELECT {view}, sql FROM duckdb_views() WHERE {own} AND NOT internal ORDER BY view_oid"
_TYPES = """SELECT {type}, labels FROM duckdb_types() WHERE {where} AND NOT internal
    AND logical_type = 'ENUM' ORDER BY type_oid"""
_SEQUENCES = "SELECT sql FROM duckdb_sequences() WHERE {own} AND NOT temporary ORDER BY sequence_oid"
_MACROS = """SELECT function_name, list({{'p': parameters, 'b': macro_definition}}) FROM duckdb_functions()
    WHERE {own} AND NOT internal AND function_type = 'macro' AND schema_name = 'main'
    GROUP BY function_name ORDER BY min(function_oid)"""
_SCHEMAS = "SELECT schema_name FROM duckdb_schemas() WHERE {own} AND schema_name <> 'main' ORDER BY oid"
_OWN = """database_name = current_database() AND NOT contains(schema_name, '.')
    AND schema_name NOT IN ('information_schema', 'pg_catalog')"""
_HERE = f"""(({_OWN}) OR (database_name NOT IN ('system', 'temp', '{IDLE}')
    AND database_name <> current_database() AND schema_name = 'main'))"""
_NAMED = """CASE WHEN database_name <> current_database() THEN database_name || '.'
    WHEN schema_name <> 'main' THEN schema_name || '.' ELSE '' END || {name} AS {name}"""
_UNNAMED = f"""SELECT concat_ws('.', CASE WHEN database_name <> current_database() THEN database_name END,
    CASE WHEN database_name = current_database() OR schema_name <> 'main' THEN schema_name END, table_name)
    FROM duckdb_tables() WHERE database_name NOT IN ('system', 'temp', '{IDLE}') AND (
    contains(schema_name, '.') OR (schema_name <> 'main' AND contains(table_name, '.'))
    OR (database_name <> current_database() AND (schema_name <> 'main' OR contains(table_name, '.'))))
    ORDER BY 1"""


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
    beside = f"{ATTACHED} AND database_name NOT IN (current_database(), '{IDLE}') ORDER BY database_oid"
    attached = [str(each) for (each,) in database.execute(beside)]
    tables = [_beside(each) if each.namespace in attached else each for each in tables]
    unnamed = [str(found) for (found,) in database.execute(_UNNAMED)]
    tables = [each for each in tables if each.name not in unnamed]
    return Schema(
        tuple(tables),
        name=name,
        dialect=NAME,
        native=(
            *(f"ATTACH ':memory:' AS {quoted_name(each)}" for each in attached),
            *(f"CREATE SCHEMA {quoted_name(str(each))}" for (each,) in rows(_SCHEMAS)),
            *(_enumeration(*each) for each in rows(_TYPES)),
            *(str(sql).rstrip().rstrip(";") for (sql,) in rows(_SEQUENCES)),
            *(_macro(*each) for each in rows(_MACROS)),
        ),
        native_views=tuple(_view(str(view), str(sql)) for view, sql in rows(_VIEWS)),
        passed=tuple(PassedOver("table", each, "its name is not of one or two parts") for each in unnamed),
        withheld=tuple(fold(each) for each in unnamed),
    )


def _beside(table: Table) -> Table:
    """A table of an attached database, by statements that do not name that: it is made in its place."""
    there, back = f"USE {quoted_name(table.namespace)}", f"USE {quoted_name(OWN)}"
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


def _macro(name: str, ways: list[dict[str, Any]]) -> str:
    """The statement that makes a macro, with a body for each number of parameters."""
    bodies = (f"({', '.join(map(quoted_name, each['p']))}) AS {each['b']}" for each in ways)
    return f"CREATE MACRO {quoted_name(name)}{', '.join(bodies)}"


def native_name(name: str) -> str:
    """The name of a table, view or type as DuckDB reads it, with its schema where that is not main."""
    schema, _, bare = name.rpartition(".")
    return f"{quoted_name(schema)}.{quoted_name(bare)}" if schema else quoted_name(name)


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
    found = []
    for token in tokens(expressions.strip().removeprefix("[").removesuffix("]")):
        if token.kind in (TokenKind.NAME, TokenKind.QUOTED):
            found.append(_unquoted(expressions.strip()[1:][token.start : token.end]))
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


SET_ZONE = f"SET TimeZone = '{TAKEN['TimeZone']}'"


def script(schema: Schema, tables: Iterable[str], filled: Filled) -> str:
    """The DDL of tables, of the parents that they refer to and of views, and an INSERT for each row.

    One view that is named brings all tables and views.  Before them stands the time zone, if it is known.
    """
    named = {*tables, *filled}
    views = schema.native_views if any(view.name in named for view in schema.native_views) else ()
    names = [table.name for table in schema.tables] if views else sorted(named)
    needed = list(_needed(schema, names))
    zone = [SET_ZONE] if dict(schema.settings).get("TimeZone") == TAKEN["TimeZone"] else []
    statements = [*zone, *schema.native, *(each for table in needed for each in table.native)]
    rows = NameMap(filled.items())
    for table in needed:
        if table.name in rows:
            statements += _inserts(table, *rows[table.name])
    statements += [creating(view) for view in views]
    return "".join(f"{statement};\n" for statement in statements)


def creating(view: View) -> str:
    """The statement that makes a view."""
    columns = f" ({', '.join(map(quoted_name, view.columns))})" if view.columns else ""
    return f"CREATE VIEW {native_name(view.name)}{columns} AS {view.sql}"


def _needed(schema: Schema, names: Iterable[str]) -> Iterator[Table]:
    """The tables, and those that their foreign keys refer to, parents first: DuckDB checks row by row."""
    wanted = [table.name for name in names if (table := schema.table(name))]

    def parents(name: str) -> Iterator[str]:
        table = schema.table(name)
        found = (schema.table(key.parent) for key in table.foreign_keys) if table else ()
        return (parent.name for parent in found if parent and parent is not table)

    for name in depth_first_postorder(dict.fromkeys(wanted), parents):
        table = schema.table(name)
        if table is not None:
            yield table


def _inserts(table: Table, columns: tuple[str, ...], rows: Iterable[Row]) -> Iterator[str]:
    known = [(place, column) for place, name in enumerate(columns) if (column := table.column(name))]
    kept = [(place, column) for place, column in known if not column.derived and not column.generated]
    if not kept:
        yield from (f"INSERT INTO {native_name(table.name)} DEFAULT VALUES" for _ in rows)
        return
    names = ", ".join(quoted_name(column.name) for _, column in kept)
    for row in _in_order(table, columns, list(rows)):
        values = ", ".join(literal(row[place], column) for place, column in kept)
        yield f"INSERT INTO {native_name(table.name)} ({names}) VALUES ({values})"


def _in_order(table: Table, columns: Sequence[str], rows: list[Row]) -> list[Row]:
    """The rows, each after the ones of the same table that it refers to; a circle is left as it is."""
    at = NameMap((name, place) for place, name in enumerate(columns))
    keys = [
        ([at[name] for name in key.columns], [at[name] for name in key.parent_columns])
        for key in table.foreign_keys
        if is_same(key.parent, table.name) and all(name in at for name in key.columns)
    ]
    if not keys:
        return rows

    def before(place: int) -> Iterator[int]:
        for own, other in keys:
            wanted = [rows[place][i] for i in own]
            yield from (i for i, row in enumerate(rows) if i != place and [row[j] for j in other] == wanted)

    return [rows[place] for place in depth_first_postorder(range(len(rows)), before)]


_MOST_CORE_ROWS = 100_000
"""A larger database is not copied to the core's runner."""
_DIFFERS = "DuckDB's optimiser answers differently"
_WITNESS = frozenset(("CREATE", "INSERT", "ALTER"))
_MAKES_BESIDE = re.compile(r"""(?:ATTACH ':memory:' AS|USE) "(?:[^"]|"")+"\Z""")
_MAKES = frozenset(("MACRO", "SCHEMA", "TABLE", "VIEW", "INDEX", "UNIQUE", "TYPE", "SEQUENCE"))


class DuckdbSession(TypedSession):
    """A database and, where it is asked, its rows in the core.

    Attributes:
        database: the database.
        schema: its schema.
    """

    def __init__(self, database: DuckdbDatabase, schema: Schema, *, twice: bool = False) -> None:
        self.database = database
        self.schema = schema
        self._twice = twice
        """Whether each query runs without DuckDB's optimiser as well."""

    @cached_property
    def has_core(self) -> bool:
        """See :class:`~equiv.dialects.protocol.Session`."""
        counted = 0
        for table in self.schema.tables:
            ((rows,),) = self.database.execute(f"SELECT count(*) FROM {native_name(table.name)}")
            counted += rows
        return counted <= _MOST_CORE_ROWS

    def copied(self) -> Guarded:
        """The same rows on the core's runner.

        Raises:
            RunnerError: the core cannot hold them.
        """
        if not self.has_core:
            raise RunnerError(f"more than {_MOST_CORE_ROWS:,} rows")
        rows = {}
        for table in self.schema.tables:
            stored = [column for column in table.columns if not column.generated]
            rows[table.name] = tuple(column.name for column in stored), self._rows_of(table, stored)
        return core_copy(self.schema, rows)

    def _rows_of(self, table: Table, stored: Sequence[Column]) -> Iterator[Row]:
        names = [(quoted_name(column.name), column.native_type) for column in stored]
        columns = ", ".join(_as_copied(*each) for each in names)
        singles = {place for place, column in enumerate(stored) if column.native_type == "FLOAT"}
        for row in self.database.execute(f"SELECT {columns} FROM {native_name(table.name)}"):
            cells = map(cell_of, row)
            yield tuple(single(cell) if place in singles else cell for place, cell in enumerate(cells))

    def run(
        self, text: str, limits: Limits = DEFAULT_LIMITS, values: Mapping[str, Cell] | None = None
    ) -> Result | Failure:
        """See :class:`~equiv.dialects.protocol.Session`.

        Where witnesses replay each query runs twice: what DuckDB's optimiser changes is no witness.
        """
        if values:
            from equiv.dialects.duckdb.parameters import bound

            text = bound(text, values)
        if len(text) > MAX_STATEMENT:
            return Failure("error", f"query longer than {MAX_STATEMENT} bytes")
        refused = refusal_of(text, self.database, self.schema)
        if refused is not None:
            return refused
        if not self._twice:
            return self.database.run(text, limits)
        limits = limits_for(text, limits)
        found = self.database.run(text, limits)
        plain = self.database.run(text, limits, optimised=False)
        if isinstance(found, Failure) and isinstance(plain, Failure):
            return found
        if isinstance(found, Failure) or isinstance(plain, Failure) or not _same_rows(found, plain):
            return Failure("resource", _DIFFERS)
        return found

    def fill(self, filled: Filled) -> None:
        """Insert rows, each column as one list of texts, which DuckDB casts.

        Raises:
            RunnerError: they are refused.
        """
        try:
            for name, (columns, rows) in filled.items():
                texts = [[shown(cell) for cell in column] for column in zip(*rows, strict=True)]
                if texts:
                    names = ", ".join(map(quoted_name, columns))
                    lists = ", ".join(["unnest(?::VARCHAR[])"] * len(texts))
                    self.database.execute(f"INSERT INTO {native_name(name)} ({names}) SELECT {lists}", texts)
        except DuckdbError as error:
            raise RunnerError(one_line(error)) from None

    def close(self) -> None:
        """Close it, and its copy."""
        super().close()
        self.database.close()


def _as_copied(name: str, kind: str) -> str:
    """A column as its values are copied: nested ones as DuckDB writes them."""
    return in_utc(name) if kind == ZONED else f"CAST({name} AS VARCHAR)" if is_nested(kind) else name


def _same_rows(one: Result, other: Result) -> bool:
    """Whether two results hold the same rows as often, whatever their order, rounding apart."""
    return sorted(map(_rounded, one.rows)) == sorted(map(_rounded, other.rows))


def _rounded(row: Row) -> tuple[str, ...]:
    return tuple(f"{cell:.9g}" if isinstance(cell, float) else repr(cell) for cell in row)


def empty_session(schema: Schema) -> DuckdbSession:
    """A database of a schema without rows.

    Raises:
        InputError: DuckDB refuses what it took before.
    """
    database = borrowed()
    made = [statement for table in schema.tables for statement in table.native]
    try:
        database.make((*schema.native, *made, *map(creating, schema.native_views)))
    except DuckdbError as error:
        database.close()
        raise InputError(f"the schema is refused: {one_line(error)}") from None
    return DuckdbSession(database, schema)


def replayed(script: str) -> DuckdbSession:
    """A database on which a script has run that does what a witness does, and nothing besides.

    Raises:
        RunnerError: the script does anything else, or fails.
    """
    database = borrowed()
    try:
        # The time zone is that of each session here.
        found = [each for each in database.kinds(script) if each[1].strip() != SET_ZONE]
        for kind, statement in found:
            _require_harmless(kind, statement)
        database.make(statement for _, statement in found)
        made = tuple(statement for kind, statement in found if kind != "INSERT")
        return DuckdbSession(database, _made(made, database), twice=True)
    except DuckdbError as error:
        database.close()
        raise RunnerError(one_line(error)) from None
    except BaseException:
        database.close()
        raise


def _made(statements: tuple[str, ...], database: DuckdbDatabase) -> Schema:
    """The schema that statements have made: read once for many scripts that differ in their rows."""
    return remembered(_read_before, statements, lambda: read_catalogue(database, ""))


_read_before: dict[tuple[str, ...], Schema] = {}


def _require_harmless(kind: str, statement: str) -> None:
    if _MAKES_BESIDE.match(statement):
        return
    if kind not in _WITNESS or (kind == "CREATE" and _made_by(statement) not in _MAKES):
        raise RunnerError(f"not what a witness does: {statement[:60]}")


def _made_by(statement: str) -> str:
    """The word after CREATE."""
    return [token.word for token in islice(tokens(statement), 2)][1]
