"""Schemas from PostgreSQL's catalogue: tables, types and constraints as the server holds them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

from equiv.core.model import Column, Earlier, ForeignKey, Schema, Table, View
from equiv.core.single_values import sql_literal
from equiv.dialects.postgres import definitions
from equiv.dialects.postgres.analysis.scope import function_name
from equiv.dialects.postgres.definitions import (
    CatalogueRow,
    completing,
    creating,
    foundations,
    hidden_relations,
    holdable,
    of_domain,
    passed_over,
    read_apart,
    remark_on,
)
from equiv.dialects.postgres.values import bounds, core_type, longest
from equiv.dialects.postgres.wire import Wire, WireError
from equiv.dialects.typed.dialect import CoreText, facts_of_type, no_core_text
from equiv.dialects.typed.lowering.sources import core_names
from equiv.facts import Fact, FactKind, Grade
from equiv.graphs import depth_first_postorder, grouped_by
from equiv.names import fold, quoted, quoted_name


def read_catalogue(wire: Wire, name: str, core_text: CoreText = no_core_text) -> Schema:
    """The schema of the database of a connection, all but what is the server's own.

    Args:
        wire: the connection, in a transaction if names are to be left alone.
        name: what the schema is called.
        core_text: what knows the core's text of CHECKs and generated columns.

    Raises:
        WireError: the server refuses.
    """
    path = wire.execute("SHOW search_path").rows[0][0]
    # PostgreSQL then prints every name with its schema.
    wire.execute("SET LOCAL search_path = ''")
    try:
        return _read(wire, name, core_text)
    finally:
        with suppress(WireError):
            wire.execute(f"SET LOCAL search_path = {path}")


def called_in(wire: Wire) -> dict[str, frozenset[str]]:
    """The functions and operators of a database that are not the server's own, by their names in lower case.

    Each with the numbers of the types that it takes, where these are the server's own alone, which are the
    same on all servers: a query on values of these may mean it.  :data:`CASTS` stands for all casts.

    Raises:
        WireError: the server refuses.
    """
    found: dict[str, set[str]] = {}
    for each in _rows(wire, definitions.QUESTIONS["called"]):
        taken = found.setdefault(fold(str(each["name"])), set())
        taken.update([each["takes"]] if each["takes"] is not None else [])
    return {name: frozenset(taken) for name, taken in found.items()}


_ASKED = "types relations columns constraints indexes namespaces extensions sequences functions".split()  # noqa: SIM905


def _read(wire: Wire, name: str, core_text: CoreText) -> Schema:
    asked = {each: _rows(wire, definitions.QUESTIONS[each]) for each in _ASKED}
    types = {int(each["oid"]): each for each in asked["types"]}
    every = asked["relations"]
    hidden = hidden_relations(every)
    relations = [each for each in every if each["oid"] not in hidden]
    columns, constraints, indexes = (_by_table(asked[each]) for each in ("columns", "constraints", "indexes"))
    read, passed = read_apart([each for each in relations if not each["descends"]], columns)
    passed += [passed_over(each, hidden[each["oid"]]) for each in every if each["oid"] in hidden]
    called = core_names((each["namespace"], each["name"]) for each in read)
    context = _Context(
        types,
        {each["oid"]: called[each["namespace"], each["name"]] for each in read},
        {each["oid"]: each for each in relations},
        {each["oid"]: columns.get(each["oid"], []) for each in relations},
        constraints,
        indexes,
        core_text,
    )
    tables, views = [], []
    for each in read:
        if each["kind"] in "vm":
            own = tuple(c["name"] for c in context.columns[each["oid"]])
            stored = _place(each["oid"], context) if each["kind"] == "m" else ""
            views.append(View(context.names[each["oid"]], _query(each), own, stored))
        else:
            tables.append(_table(each, context))
    base = foundations(asked["namespaces"], asked["extensions"], types.values(), asked["sequences"])
    functions = asked["functions"]
    defined = (each["definition"] for each in functions if each["definition"] is not None)
    return Schema(
        (*tables, *_earlier_tables(tables, context)),
        name=name,
        dialect="postgres",
        native=(*base, *_whole(context), *defined),
        native_views=tuple(views),
        passed=tuple(passed),
        withheld=tuple(each.bare for each in passed),
        functions=_labelled(functions),
    )


def _labelled(functions: Iterable[CatalogueRow]) -> tuple[tuple[str, str], ...]:
    """The names of functions, each with the weakest label of those that bear it."""
    found: dict[tuple[str, str], str] = {}
    for each in functions:
        key = each["namespace"], each["name"]
        if "." not in "".join(key):
            found[key] = max(found.get(key, ""), each["label"])
    return tuple((function_name(*key), LABELS[label]) for key, label in sorted(found.items()))


LABELS = {"i": "immutable", "s": "stable", "v": "volatile"}
"""What ``pg_proc.provolatile`` says."""


@dataclass(frozen=True)
class _Context:
    types: dict[int, CatalogueRow]
    names: dict[int, str]
    """The core's names of tables and views, by number."""
    relations: dict[int, CatalogueRow]
    """All tables and views, those that inherit among them."""
    columns: dict[int, list[CatalogueRow]]
    constraints: dict[int, list[CatalogueRow]]
    indexes: dict[int, list[CatalogueRow]]
    core_text: CoreText = field(repr=False)

    @cached_property
    def named_types(self) -> dict[str, CatalogueRow]:
        """The types by the names that the server writes."""
        return {each["name"]: each for each in self.types.values()}

    def column_names(self, oid: int, numbers: Iterable[int]) -> tuple[str, ...]:
        """The names of columns of a table by their numbers."""
        spelt = {each["number"]: each["name"] for each in self.columns[oid]}
        return tuple(spelt[number] for number in numbers)

    def below(self, oid: int) -> list[int]:
        """A table and those that inherit from it, parents first."""
        children = {
            each["oid"]: each["parents"] or () for each in self.relations.values() if each["descends"]
        }
        found = [oid]
        for parent in found:
            found += [child for child, above in children.items() if parent in above and child not in found]
        return found


_MOST_EARLIER = 100


def _earlier_tables(tables: list[Table], context: _Context) -> list[Table]:
    """For each materialised view, the tables that it reads as they were when it was refreshed.

    Those that the rows refer to are there as well.  Where these are many, there are none.
    """
    by_name = {table.name: table for table in tables}
    guarded = {name for oid, name in context.names.items() if context.relations[oid]["guarded"]}
    found: dict[str, Table] = {}
    for oid in context.names:
        if context.relations[oid]["kind"] != "m":
            continue
        for path, read in _reads(oid, (), context):
            wanted = [by_name[name] for name in read if name in by_name]
            for table in wanted:
                wanted += [
                    by_name[key.parent] for key in table.foreign_keys if by_name[key.parent] not in wanted
                ]
            copies = {table.name: _earlier_name(table.name, path, context) for table in wanted}
            views = tuple(_place(each, context) for each in path)
            found |= {
                copies[table.name]: replace(
                    _copied(table, copies, Earlier(table.name, views)), is_filtered=table.name in guarded
                )
                for table in wanted
            }
        if len(found) > _MOST_EARLIER:
            return []
    return list(found.values())


def _reads(
    view: int, path: tuple[int, ...], context: _Context
) -> Iterator[tuple[tuple[int, ...], tuple[str, ...]]]:
    """The tables that a materialised view reads, and those that another one read that it reads."""
    inner, read, seen = (*path, view), [], [view]
    for oid in seen:
        for each in context.relations[oid]["reads"] or ():
            relation = context.relations.get(each)
            if relation is None or each in seen:
                continue
            if relation["kind"] == "m":
                yield from _reads(each, inner, context) if each not in inner else ()
            elif relation["kind"] == "v":
                seen.append(each)
            elif each in context.names:
                read.append(context.names[each])
    yield inner, tuple(dict.fromkeys(read))


def _earlier_name(name: str, path: tuple[int, ...], context: _Context) -> str:
    views = "".join(f" at refresh of {context.names[each]}" for each in reversed(path))
    return name + views


def _place(oid: int, context: _Context) -> str:
    relation = context.relations[oid]
    return f"{relation['namespace']}.{relation['name']}"


def _copied(table: Table, copies: Mapping[str, str], earlier: Earlier) -> Table:
    keys = (replace(key, parent=copies[key.parent]) for key in table.foreign_keys)
    facts = (
        replace(fact, table=copies[table.name], parent=copies.get(fact.parent, fact.parent))
        for fact in table.promised
    )
    return replace(
        table,
        name=copies[table.name],
        foreign_keys=tuple(keys),
        promised=tuple(facts),
        native=(),
        earlier=earlier,
        remark="",
    )


def _query(relation: CatalogueRow) -> str:
    return str(relation["definition"]).rstrip().rstrip(";")


def _whole(context: _Context) -> Iterator[str]:
    """The statements that make all tables and views on their foundations."""
    stored = {oid: each for oid, each in context.relations.items() if each["kind"] not in "vm"}
    order = depth_first_postorder(
        stored, lambda oid: (each for each in stored[oid]["parents"] or () if each in stored)
    )
    made = [(stored[oid], _creating(stored[oid], context)) for oid in order]
    for _, statements in made:
        yield from statements
    for relation, _ in made:
        yield from completing(relation, context.constraints.get(relation["oid"], []))
    for each in context.relations.values():
        if each["kind"] in "vm":
            kind = "VIEW" if each["kind"] == "v" else "MATERIALIZED VIEW"
            yield f"CREATE {kind} {each['qualified']} AS {_query(each)}"
            yield from (index["definition"] for index in context.indexes.get(each["oid"], []))


def _creating(relation: CatalogueRow, context: _Context) -> list[str]:
    oid = relation["oid"]
    parts = context.columns[oid], context.constraints.get(oid, []), context.indexes.get(oid, [])
    return list(
        creating(relation, *parts, {key: each["qualified"] for key, each in context.relations.items()})
    )


def _rows(wire: Wire, query: str) -> list[CatalogueRow]:
    return [json.loads(str(row[0])) for row in wire.execute(f"SELECT to_jsonb(q) FROM ({query}) q").rows]


def _by_table(rows: Iterable[CatalogueRow]) -> dict[int, list[CatalogueRow]]:
    return grouped_by(lambda row: row["relation"], rows)


def _table(relation: CatalogueRow, context: _Context) -> Table:
    name, oid = context.names[relation["oid"]], relation["oid"]
    columns, constraints = context.columns[oid], context.constraints.get(oid, [])
    # Rows of tables that inherit stand in the parent too, and its keys do not bind them.
    family = [context.relations[each] for each in context.below(oid)]
    is_enforced = all(each["kind"] != "f" for each in family)
    constraints = constraints if is_enforced else []
    own = [] if relation["inherited"] else constraints
    firm = [c for c in own if c["valid"] and c["enforced"] and not c["deferrable"]]
    key = next((_names(c, relation, context) for c in firm if c["kind"] == "p"), ())
    unique = {_names(c, relation, context): _takes_nulls_for_equal(c) for c in firm if c["kind"] == "u"}
    bare = [i for i in context.indexes.get(oid, []) if not relation["inherited"] and i["of_columns"]]
    bare = bare if is_enforced else []
    for index in (each for each in bare if each["condition"] is None):
        columns_of_index = tuple(index["columns"])
        unique[columns_of_index] = unique.get(columns_of_index, False) or index["nulls_equal"]
    parts = (_of_part(place, index, relation, context) for place, index in enumerate(bare))
    keys = [c for c in own if c["kind"] == "f" and c["parent"] in context.names]
    conditions = [c for c in constraints if c["kind"] == "c" and not (relation["inherited"] and c["own"])]
    checks = [(c, context.core_text(relation["qualified"], c["condition"], "condition")) for c in conditions]
    held = tuple(text for c, text in checks if text is not None and c["valid"] and c["enforced"])
    parted = _of_partitions(relation, context) if relation["kind"] == "p" else _Parted()
    made = [s for each in family for s in _creating(each, context)]
    made += [s for each in family for s in completing(each, context.constraints.get(each["oid"], []))]
    table = Table(
        name,
        tuple(
            _column(each, relation["qualified"], context, parted.complete if is_enforced else None)
            for each in columns
        ),
        primary_key=key,
        unique=tuple(sorted(unique.keys() - {key})),
        foreign_keys=tuple(_foreign_key(c, relation, context) for c in keys),
        checks=(*_of_columns(relation["qualified"], columns, context), *held, *parted.checks),
        indexes=tuple(filter(None, parts)),
        namespace=relation["namespace"],
        native=tuple(made),
        remark=remark_on(relation, family),
        is_filtered=relation["filtered"],
        is_unenforced=not is_enforced,
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
    odd = table.checks or table.indexes or any(column.generated for column in table.columns)
    return holdable(table) if odd else table


def _of_part(place: int, index: CatalogueRow, relation: CatalogueRow, context: _Context) -> str:
    """The core's statement of an index on some of the rows; '' of another, or if there is none."""
    text = index["condition"] and context.core_text(relation["qualified"], index["condition"], "condition")
    if not text:
        return ""
    name = context.names[relation["oid"]]
    made, columns = quoted_name(f"unique {place} {name}"), ", ".join(map(quoted_name, index["columns"]))
    return f"CREATE UNIQUE INDEX {made} ON {quoted_name(name)} ({columns}) WHERE {text}"


_MOST_PARTITIONS = 16


@dataclass(frozen=True, slots=True)
class _Parted:
    """What holds of every row of a partitioned table, since it stands in one of the partitions."""

    complete: frozenset[str] = frozenset()
    """Names of columns without NULL."""
    checks: tuple[str, ...] = ()


def _of_partitions(relation: CatalogueRow, context: _Context) -> _Parted:
    leaves = [each for each in context.below(relation["oid"]) if context.relations[each]["kind"] != "p"]
    if not leaves or len(leaves) > _MOST_PARTITIONS:
        return _Parted()
    if any(context.relations[each]["kind"] == "f" for each in leaves):
        # Nothing is enforced of a foreign table.
        return _Parted()
    filled = [{c["name"] for c in context.columns[each] if c["not_null"]} for each in leaves]
    complete = frozenset.intersection(*map(frozenset, filled))
    known: dict[str, str | None] = {}
    sides = []
    for leaf, names in zip(leaves, filled, strict=True):
        own = [
            c for c in context.constraints.get(leaf, []) if c["kind"] == "c" and c["valid"] and c["enforced"]
        ]
        texts = [context.relations[leaf]["within"], *(c["condition"] for c in own)]
        texts += [
            f"{c['quoted']} IS NOT NULL" for c in context.columns[leaf] if c["name"] in names - complete
        ]
        for text in filter(None, texts):
            if text not in known:
                known[text] = context.core_text(relation["qualified"], text, "condition")
        sides.append([found for text in texts if text and (found := known[text]) is not None])
    common = [each for each in dict.fromkeys(sides[0]) if all(each in side for side in sides)]
    rest = [[each for each in side if each not in common] for side in sides]
    parted = [" AND ".join(f"({each})" for each in side) for side in rest]
    return _Parted(
        complete, (*common, " OR ".join(f"({each})" for each in parted)) if all(rest) else tuple(common)
    )


def _takes_nulls_for_equal(constraint: CatalogueRow) -> bool:
    return str(constraint["definition"]).startswith("UNIQUE NULLS NOT DISTINCT ")


def _names(constraint: CatalogueRow, relation: CatalogueRow, context: _Context) -> tuple[str, ...]:
    return context.column_names(relation["oid"], constraint["columns"])


def _foreign_key(constraint: CatalogueRow, relation: CatalogueRow, context: _Context) -> ForeignKey:
    parent = constraint["parent"]
    named = context.column_names(parent, constraint["parent_columns"])
    return ForeignKey(_names(constraint, relation, context), context.names[parent], named)


def _base(number: int, types: dict[int, CatalogueRow]) -> CatalogueRow | None:
    """The type under a domain."""
    below = [each["base"] for each in _domains(number, types)]
    return types.get([number, *below][-1])


def _domains(number: int, types: dict[int, CatalogueRow]) -> Iterator[CatalogueRow]:
    """A domain, and those that it is over; none for another type."""
    found = types.get(number)
    while found is not None and found["kind"] == "d":
        yield found
        found = types.get(found["base"])


def _column(column: CatalogueRow, table: str, context: _Context, complete: frozenset[str] | None) -> Column:
    sized = _sized(column, context)
    held = core_type(sized, context.named_types)
    below, decimals = bounds(sized)
    # The cast to the column's type, which stores the value, is not printed.
    value = f"({column['expression']})::{column['type_name']}"
    computed = context.core_text(table, value, "value") if column["generated"] else None
    return Column(
        column["name"],
        held.declared,
        not_null=complete is not None and (column["not_null"] or column["name"] in complete),
        native_type=column["type_name"],
        samples=held.samples,
        longest=longest(sized),
        below=below,
        decimals=decimals,
        generated=computed is not None,
        expression=computed or "",
        derived=bool(column["generated"]) and computed is None,
        has_native_default=bool(column["defaults"]) and not column["generated"],
    )


def _of_columns(table: str, columns: list[CatalogueRow], context: _Context) -> Iterator[str]:
    """The CHECKs that types of columns bring: the labels of enumerations, the conditions of domains."""
    for column in columns:
        base = _base(column["type"], context.types)
        if base and base["labels"]:
            yield f"{quoted(column['name'])} IN ({', '.join(map(sql_literal, base['labels']))})"
        domains = _domains(column["type"], context.types)
        for check in (check for each in domains for check in each["checks"] or ()):
            condition = of_domain(check, column["name"])
            text = None if condition is None else context.core_text(table, condition, "condition")
            if text is not None:
                yield text


def _of_types(table: str, columns: list[CatalogueRow], context: _Context) -> Iterator[Fact]:
    """What PostgreSQL's types promise that the core's DDL does not enforce."""
    for column in columns:
        held = core_type(_sized(column, context), context.named_types)
        if column["domain_not_null"]:
            # A column of such a domain may hold NULL that a subquery without rows gave.
            yield Fact(FactKind.NOT_NULL, Grade.INTENDED, table, (column["name"],))
        yield from facts_of_type(table, column["name"], held)


def _of_keys(constraints: list[CatalogueRow], relation: CatalogueRow, context: _Context) -> Iterator[Fact]:
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


def _sized(column: CatalogueRow, context: _Context) -> str:
    below = [each["base_name"] for each in _domains(column["type"], context.types)]
    return str([column["type_name"], *below][-1])
