"""Tables of other systems' DDL: what SQLite refuses of MySQL, PostgreSQL and T-SQL, put into its words.

What SQLite has no word for (engines, comments, character sets, plain
indexes) is skipped.  Declared types keep their names, because SQLite
derives affinity from these.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise

import sqlglot
from sqlglot import exp

from equiv.core.lexer import closing_index, depths, tokens
from equiv.core.model import Column, ForeignKey, Schema, Table
from equiv.core.nodes import DType, Expr
from equiv.names import quoted

_DEEPEST = 100
"""Parentheses nested deeper than this are not given to a recursive parser."""

_TYPES = {"ENUM": "TEXT", "SET": "TEXT", "UUID": "TEXT", "MONEY": "NUMERIC", "ARRAY": "", "VARBINARY": "BLOB"}
_COUNTERS = (exp.AutoIncrementColumnConstraint, exp.GeneratedAsIdentityColumnConstraint)
_COLLATIONS = frozenset({"NOCASE", "RTRIM"})


class _UnknownError(Exception):
    """The statement says something that the model cannot hold."""


def foreign_table(statement: str) -> Table | None:
    """The table that a CREATE TABLE of MySQL, PostgreSQL or T-SQL defines, or None."""
    for tree in _parses(statement):
        if isinstance(tree, exp.Create) and tree.kind == "TABLE" and isinstance(tree.this, exp.Schema):
            if tree.find(exp.InheritsProperty):
                return None  # It has the columns of another table as well.
            try:
                return _table(tree.this)
            except _UnknownError:
                continue
    return None


def altered_table(statement: str, schema: Schema) -> Table | None:
    """A table of the schema with what ALTER TABLE … ADD or CREATE INDEX adds to it, or None."""
    for tree in _parses(statement):
        try:
            match tree:
                case exp.Alter(this=exp.Table()) if table := schema.table(tree.this.name):
                    if tree.args.get("not_valid"):
                        return table  # The rows that were there may break it.
                    return _add_all(table, _added(tree))
                case exp.Create(this=exp.Index()) if table := schema.table(_indexed(tree.this)):
                    return _add_index(table, tree.this) if tree.args.get("unique") else table
        except _UnknownError:
            continue
    return None


def _parses(statement: str) -> Iterator[exp.Expr]:
    statement = _with_enforced_checks(statement)
    if max(depths(tokens(statement))) > _DEEPEST or _is_unenforced(statement):
        return
    dialects = ("mysql", "postgres", "tsql") if "`" in statement else ("postgres", "tsql", "mysql")
    yield from (tree for _, tree in parsed_by(dialects, statement))


def parsed_by(dialects: Iterable[str], text: str) -> Iterator[tuple[str, exp.Expr]]:
    """The dialects whose parsers take a text, each with its tree."""
    for dialect in dialects:
        try:
            with _quiet():
                tree = sqlglot.parse_one(text, read=dialect)
        except Exception:  # noqa: BLE001, S112 - a guess, by a parser that hostile text may upset
            continue
        yield dialect, tree


def _is_unenforced(statement: str) -> bool:
    """Whether a constraint is written that rows need not keep, which parsers read over."""
    return any((one.word, two.word) == ("NOT", "ENFORCED") for one, two in pairwise(tokens(statement)))


def _with_enforced_checks(statement: str) -> str:
    """The statement with a CHECK that all rows pass in place of one that they need not."""
    found = tokens(statement)
    for at in range(len(found) - 1, -1, -1):
        if [token.word for token in found[at : at + 2]] == ["CHECK", "("]:
            end = closing_index(found, at + 1)
            if [token.word for token in found[end + 1 : end + 3]] == ["NOT", "ENFORCED"]:
                statement = f"{statement[: found[at + 1].start]}(1 = 1){statement[found[end + 2].end :]}"
    return statement


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence: sqlglot warns on stderr where it understands a statement in part only."""
    logger = logging.getLogger("sqlglot")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


def _table(schema: exp.Schema) -> Table:
    table = Table(schema.this.name, ())
    parts = schema.expressions
    for definition in parts:
        if isinstance(definition, exp.ColumnDef):
            _require_column(definition)
            table = _add_column(table, definition)
    table = _add_all(table, (part for part in parts if not isinstance(part, exp.ColumnDef)))
    return _with_key(table, {d.name for d in parts if isinstance(d, exp.ColumnDef) and _counts(d)})


def _require_column(definition: exp.ColumnDef) -> None:
    """See that a column is one: to all but MySQL's parser ``KEY i (a)`` is a column KEY of a type i(a).

    Raises:
        _UnknownError: it is an index.
    """
    is_unknown = definition.kind is not None and definition.kind.this is DType.USERDEFINED
    is_index = definition.name.upper() in ("KEY", "INDEX", "FULLTEXT", "SPATIAL")
    if is_unknown and is_index and not definition.this.args.get("quoted"):
        raise _UnknownError


def _with_key(table: Table, counters: set[str]) -> Table:
    """The table whose key holds no NULL, and whose sole key of whole numbers is an INTEGER PRIMARY KEY.

    Every other system but SQLite keeps NULL out of a primary key.
    """
    key = table.primary_key

    def of_key(column: Column) -> Column:
        is_whole = column.name in counters or column.declared_type.partition("(")[0] in _WHOLE
        declared = "INTEGER" if is_whole and len(key) == 1 else column.declared_type
        return replace(column, declared_type=declared, not_null=True)

    return replace(table, columns=tuple(of_key(c) if c.name in key else c for c in table.columns))


_WHOLE = frozenset({"INT", "BIGINT", "SMALLINT", "TINYINT", "MEDIUMINT", "UINT", "UBIGINT", "USMALLINT"})


def _counts(definition: exp.ColumnDef) -> bool:
    kind = definition.kind.this if definition.kind is not None else None
    serial = isinstance(kind, DType) and "SERIAL" in kind.value.upper()
    return serial or any(isinstance(c.kind, _COUNTERS) for c in definition.constraints)


def _add_column(table: Table, definition: exp.ColumnDef) -> Table:
    column = Column(definition.name, _declared_type(definition))
    for constraint in definition.constraints:
        match kind := constraint.kind:
            case exp.NotNullColumnConstraint():
                column = replace(column, not_null=not kind.args.get("allow_null"))
            case exp.DefaultColumnConstraint(this=exp.Literal() | exp.Null() | exp.Boolean()):
                column = replace(column, default=kind.this.sql(dialect="sqlite"))
            case exp.CollateColumnConstraint() if kind.this.name.upper() in _COLLATIONS:
                column = replace(column, collation=kind.this.name.upper())
            case exp.ComputedColumnConstraint():
                raise _UnknownError
            case exp.GeneratedAsIdentityColumnConstraint(expression=Expr()):
                raise _UnknownError
            case exp.Reference():
                table = _add_reference(table, (column.name,), kind)
            case exp.PrimaryKeyColumnConstraint():
                table = replace(table, primary_key=(column.name,))
            case exp.UniqueColumnConstraint():
                table = replace(table, unique=(*table.unique, (column.name,)))
            case exp.CheckColumnConstraint():
                table = replace(table, checks=(*table.checks, kind.this.sql(dialect="sqlite")))
    return replace(table, columns=(*table.columns, column))


def _declared_type(definition: exp.ColumnDef) -> str:
    kind = definition.kind
    if kind is None:
        return ""
    if not isinstance(kind.this, DType) or kind.this is DType.USERDEFINED:
        return ""
    name: str = kind.this.value.upper()
    if "SERIAL" in name:
        return "INTEGER"
    sizes = [p.name for p in kind.expressions if isinstance(p, exp.DataTypeParam) and p.name.isdigit()]
    if name in _TYPES or not sizes:
        return _TYPES.get(name, name)
    return f"{name}({', '.join(sizes)})"


def _add_all(table: Table, constraints: Iterable[exp.Expr]) -> Table:
    for constraint in constraints:
        table = _add_constraint(table, constraint)
    return table


def _add_constraint(table: Table, constraint: exp.Expr) -> Table:
    match constraint:
        case exp.Constraint():
            return _add_all(table, _unwrapped(constraint))
        case exp.PrimaryKey():
            return replace(table, primary_key=_spelled(table, constraint.expressions))
        case exp.UniqueColumnConstraint(this=exp.Schema()):
            return _add_unique(table, constraint.this.expressions)
        case exp.ForeignKey() if reference := constraint.args.get("reference"):
            return _add_reference(table, _spelled(table, constraint.expressions), reference)
        case exp.CheckColumnConstraint():
            return replace(table, checks=(*table.checks, constraint.this.sql(dialect="sqlite")))
        case exp.IndexColumnConstraint():
            return table
    raise _UnknownError


def _unwrapped(constraint: exp.Constraint) -> Iterator[exp.Expr]:
    """What a named constraint holds; T-SQL's PRIMARY KEY CLUSTERED (…) comes as two nodes."""
    parts = constraint.expressions
    for first, second in pairwise([*parts, None]):
        clustered = isinstance(second, exp.ClusteredColumnConstraint | exp.NonClusteredColumnConstraint)
        if clustered and isinstance(first, exp.PrimaryKeyColumnConstraint):
            yield exp.PrimaryKey(expressions=second.this)
        elif clustered and isinstance(first, exp.UniqueColumnConstraint):
            yield exp.UniqueColumnConstraint(this=exp.Schema(expressions=second.this))
        elif not isinstance(first, exp.ClusteredColumnConstraint | exp.NonClusteredColumnConstraint):
            yield first


def _add_reference(table: Table, columns: tuple[str, ...], reference: exp.Reference) -> Table:
    target, named = reference.this, list[exp.Expr]()
    if isinstance(target, exp.Schema):
        target, named = target.this, target.expressions
    parent = ".".join(filter(None, (target.text("db"), target.name)))
    key = ForeignKey(columns, parent, tuple(node.name for node in named))
    return replace(table, foreign_keys=(*table.foreign_keys, key))


def _spelled(table: Table, nodes: Iterable[exp.Expr]) -> tuple[str, ...]:
    """The table's names of columns that a constraint lists, maybe with a sort order or a prefix length.

    Raises:
        _UnknownError: an expression stands among them.
    """
    names = []
    for node in nodes:
        part: exp.Expr = node
        while isinstance(part, exp.Ordered | exp.Opclass | exp.ColumnPrefix | exp.Column):
            part = part.this
        column = table.column(part.name) if isinstance(part, exp.Identifier) else None
        if column is None:
            raise _UnknownError
        names.append(column.name)
    return tuple(names)


def _added(alter: exp.Alter) -> Iterator[exp.Expr]:
    for action in alter.args.get("actions") or ():
        if not isinstance(action, exp.AddConstraint):
            raise _UnknownError
        yield from action.expressions


def _indexed(index: exp.Index) -> str:
    table = index.args.get("table")
    return table.name if table else ""


def _add_index(table: Table, index: exp.Index) -> Table:
    parameters = index.args.get("params")
    terms = parameters.args.get("columns") if parameters else None
    if parameters is None or not terms:
        raise _UnknownError
    return _add_unique(table, terms, parameters.args.get("where"))


def _add_unique(table: Table, terms: Sequence[exp.Expr], where: exp.Expr | None = None) -> Table:
    """The table with a unique index: as columns, or as a statement if it is partial or on expressions."""
    parts = [_indexed_term(table, term) for term in terms]
    if where is None:
        try:
            table = replace(table, unique=(*table.unique, _spelled(table, terms)))
        except _UnknownError:
            pass
        else:
            if not any(isinstance(part, exp.Substring) for part in parts):
                return table
    listed = ", ".join(part.sql(dialect="sqlite") for part in parts)
    condition = f" WHERE {where.this.sql(dialect='sqlite')}" if where is not None else ""
    name = quoted(f"index {len(table.indexes)} of {table.name}")
    statement = f"CREATE UNIQUE INDEX {name} ON {quoted(table.name)} ({listed}){condition}"
    return replace(table, indexes=(*table.indexes, statement))


def _indexed_term(table: Table, term: exp.Expr) -> exp.Expr:
    """What a term of an index computes, less its order and operator class; so much of a text as it reads."""
    while isinstance(term, exp.Ordered | exp.Opclass):
        term = term.this
    match term:
        case exp.ColumnPrefix():
            return exp.Substring(this=term.this, start=exp.Literal.number(1), length=term.expression)
        case exp.Anonymous(expressions=[exp.Literal() as length]) if table.column(term.name):
            name = exp.column(term.name, quoted=True)
            return exp.Substring(this=name, start=exp.Literal.number(1), length=length)
    return term
