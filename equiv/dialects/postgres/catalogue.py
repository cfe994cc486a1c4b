"""Schemas from PostgreSQL's catalogue: tables, types and constraints as the server holds them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from equiv.core.identifiers import quoted
from equiv.core.literals import sql_literal
from equiv.core.model import Column, ForeignKey, Schema, Table, View
from equiv.dialects.postgres import queries
from equiv.dialects.postgres.conditions import Nothing, Translate, holdable, of_domain
from equiv.dialects.postgres.embedded.wire import Wire, WireError
from equiv.dialects.postgres.native import Known, completing, creating, foundations
from equiv.dialects.postgres.types import bounds, core_type, longest
from equiv.dialects.typed.table_names import core_names
from equiv.errors import InputError
from equiv.facts import Fact, FactKind, Grade


def read_catalogue(wire: Wire, name: str, translate: Translate | None = None) -> Schema:
    """The schema of the database of a connection, all but what is the server's own.

    Args:
        wire: the connection, in a transaction if names are to be left alone.
        name: what the schema is called.
        translate: what knows the core's text of conditions; None: nothing does.

    Raises:
        WireError: the server refuses.
        InputError: names differ in case alone.
    """
    path = wire.execute("SHOW search_path").rows[0][0]
    # PostgreSQL then prints every name with its schema.
    wire.execute("SET LOCAL search_path = ''")
    try:
        return _read(wire, name, translate or Nothing())
    finally:
        with suppress(WireError):
            wire.execute(f"SET LOCAL search_path = {path}")


def _read(wire: Wire, name: str, translate: Translate) -> Schema:
    types = {int(each["oid"]): each for each in _rows(wire, queries.TYPES)}
    relations = _rows(wire, queries.RELATIONS)
    constraints, indexes = (
        _by_table(_rows(wire, queries.CONSTRAINTS)),
        _by_table(_rows(wire, queries.INDEXES)),
    )
    columns = _by_table(_rows(wire, queries.COLUMNS))
    called = core_names((each["namespace"], each["name"]) for each in relations)
    names = {each["oid"]: called[each["namespace"], each["name"]] for each in relations}
    spelt = {
        each["oid"]: {c["number"]: c["name"] for c in columns.get(each["oid"], ())} for each in relations
    }
    context = _Context(types, names, spelt, translate)
    tables, views = [], []
    for each in relations:
        oid = each["oid"]
        if each["kind"] == "v":
            own = tuple(c["name"] for c in columns.get(oid, ()))
            views.append(View(names[oid], str(each["definition"]).rstrip().rstrip(";"), own))
        else:
            found = columns.get(oid, []), constraints.get(oid, []), indexes.get(oid, [])
            tables.append(_table(each, *found, context))
    _require_apart([each.name for each in tables] + [each.name for each in views])
    native = tuple(
        foundations(_rows(wire, queries.NAMESPACES), _rows(wire, queries.EXTENSIONS), types.values())
    )
    return Schema(tuple(tables), name=name, dialect="postgres", native=native, native_views=tuple(views))


@dataclass(frozen=True)
class _Context:
    types: dict[int, Known]
    names: dict[int, str]
    """The core's names of tables and views, by number."""
    columns: dict[int, dict[int, str]]
    """Names of columns by their numbers, by table."""
    translate: Translate = field(repr=False)


def _rows(wire: Wire, query: str) -> list[Known]:
    return [json.loads(str(row[0])) for row in wire.execute(f"SELECT to_jsonb(q) FROM ({query}) q").rows]


def _by_table(rows: Iterable[Known]) -> dict[int, list[Known]]:
    found: dict[int, list[Known]] = {}
    for row in rows:
        found.setdefault(row["relation"], []).append(row)
    return found


def _require_apart(names: Iterable[str]) -> None:
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(name.lower(), name)
        if other != name:
            raise InputError(f"not supported: the names {other!r} and {name!r} differ in case alone")


def _table(
    relation: Known, columns: list[Known], constraints: list[Known], indexes: list[Known], context: _Context
) -> Table:
    name = context.names[relation["oid"]]
    _require_apart(column["name"] for column in columns)
    # Rows of tables that inherit stand in the parent too, and its keys do not bind them.
    own = [] if relation["inherited"] else constraints
    firm = [c for c in own if c["valid"] and c["enforced"] and not c["deferrable"]]
    key = next((_names(c, relation, context) for c in firm if c["kind"] == "p"), ())
    unique = {_names(c, relation, context): _takes_nulls_for_equal(c) for c in firm if c["kind"] == "u"}
    plain = [index for index in indexes if not relation["inherited"] and index["plain"]]
    for index in plain:
        columns_of_index = tuple(index["columns"])
        unique[columns_of_index] = unique.get(columns_of_index, False) or index["nulls_equal"]
    keys = [c for c in own if c["kind"] == "f" and c["parent"] in context.names]
    conditions = [c for c in constraints if c["kind"] == "c" and not (relation["inherited"] and c["own"])]
    checks = [(c, context.translate.condition(relation["qualified"], c["condition"])) for c in conditions]
    held = tuple(text for c, text in checks if text is not None and c["valid"] and c["enforced"])
    table = Table(
        name,
        tuple(_column(each, relation["qualified"], context) for each in columns),
        primary_key=key,
        unique=tuple(sorted(unique.keys() - {key})),
        foreign_keys=tuple(_foreign_key(c, relation, context) for c in keys),
        checks=(*_of_columns(relation["qualified"], columns, context), *held),
        namespace=relation["namespace"],
        native=tuple(creating(relation, columns, constraints, indexes)),
        native_after=tuple(completing(relation, constraints)),
        promised=(
            *_of_types(name, columns, context),
            *_of_keys(own, relation, context),
            # Rows that agree on such a key, NULLs among it, are one row.
            *(
                Fact(FactKind.FUNCTIONAL, Grade.DECLARED, name, each, "", key)
                for each, nulls_equal in sorted(unique.items())
                if nulls_equal and key
            ),
        ),
    )
    return holdable(table) if table.checks or any(column.generated for column in table.columns) else table


def _takes_nulls_for_equal(constraint: Known) -> bool:
    return str(constraint["definition"]).startswith("UNIQUE NULLS NOT DISTINCT ")


def _names(constraint: Known, relation: Known, context: _Context) -> tuple[str, ...]:
    spelt = context.columns[relation["oid"]]
    return tuple(spelt[number] for number in constraint["columns"])


def _foreign_key(constraint: Known, relation: Known, context: _Context) -> ForeignKey:
    parent = constraint["parent"]
    named = tuple(context.columns[parent][number] for number in constraint["parent_columns"])
    return ForeignKey(_names(constraint, relation, context), context.names[parent], named)


def _base(number: int, types: dict[int, Known]) -> Known | None:
    """The type under a domain."""
    found = types.get(number)
    while found is not None and found["kind"] == "d":
        found = types.get(found["base"])
    return found


def _column(column: Known, table: str, context: _Context) -> Column:
    base = _base(column["type"], context.types)
    sized = _sized(column, context)
    held = core_type(sized, tuple(base["labels"] or ()) if base else ())
    if not column["deterministic"]:
        raise InputError(f"not supported: the collation of {table}.{column['name']} takes texts for equal")
    below, decimals = bounds(sized)
    computed = context.translate.value(table, column["expression"]) if column["generated"] else None
    return Column(
        column["name"],
        held.declared,
        not_null=column["not_null"],
        native_type=column["type_name"],
        samples=held.samples,
        longest=longest(sized),
        below=below,
        decimals=decimals,
        generated=computed is not None,
        expression=computed or "",
        derived=bool(column["generated"]) and computed is None,
    )


def _of_columns(table: str, columns: list[Known], context: _Context) -> Iterator[str]:
    """The CHECKs that types of columns bring: the labels of enumerations, the conditions of domains."""
    for column in columns:
        base = _base(column["type"], context.types)
        if base and base["labels"]:
            yield f"{quoted(column['name'])} IN ({', '.join(map(sql_literal, base['labels']))})"
        own = context.types.get(column["type"])
        for check in (own["checks"] or ()) if own is not None and own["kind"] == "d" else ():
            condition = of_domain(check, column["name"])
            text = None if condition is None else context.translate.condition(table, condition)
            if text is not None:
                yield text


def _of_types(table: str, columns: list[Known], context: _Context) -> Iterator[Fact]:
    """What PostgreSQL's types promise that the core's DDL does not enforce."""
    for column in columns:
        base = _base(column["type"], context.types)
        held = core_type(_sized(column, context), tuple(base["labels"] or ()) if base else ())
        if column["domain_not_null"]:
            # A column of such a domain may hold NULL that a subquery without rows gave.
            yield Fact(FactKind.NOT_NULL, Grade.INTENDED, table, (column["name"],))
        if held.declared != "BLOB":
            grade = Grade.DECLARED if held.exact else Grade.ASSUMED
            yield Fact(FactKind.TYPE, grade, table, (column["name"],))
        if held.form is not None:
            yield Fact(held.form, Grade.ASSUMED, table, (column["name"],))


def _of_keys(constraints: list[Known], relation: Known, context: _Context) -> Iterator[Fact]:
    """What keys promise: PostgreSQL enforces foreign ones; a deferrable constraint may be broken a while."""
    table = context.names[relation["oid"]]
    for constraint in constraints:
        if not constraint["valid"] or not constraint["enforced"]:
            continue
        if (
            constraint["kind"] == "f"
            and not constraint["deferrable"]
            and constraint["parent"] in context.names
        ):
            key = _foreign_key(constraint, relation, context)
            yield Fact(FactKind.INCLUSION, Grade.DECLARED, table, key.columns, key.parent, key.parent_columns)
        elif constraint["kind"] in "pu" and constraint["deferrable"]:
            yield Fact(FactKind.UNIQUE, Grade.INTENDED, table, _names(constraint, relation, context))


def _sized(column: Known, context: _Context) -> str:
    own = context.types.get(column["type"])
    return str(own["base_name"] if own is not None and own["kind"] == "d" else column["type_name"])
