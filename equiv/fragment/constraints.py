"""What the facts say of the tables that a pair's fragment reaches: keys, references, columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from equiv.algebra.terms import Compare, Constant, Expression, Field, IsNull, walk
from equiv.core.model import REFERENCE, Affinity, Domain, Schema, Table
from equiv.facts import Fact, FactKind, Facts
from equiv.fragment.queries import AtomCell, ColumnSort, ConjunctiveQuery, Cuts, OutsideError, Union, value_of
from equiv.graphs import topological_order
from equiv.names import NameMap, fold, folded

ColumnNames = tuple[str, ...]

_NUMERIC = (Affinity.INTEGER, Affinity.REAL, Affinity.NUMERIC)
_FORMATS = (FactKind.ISO_DATE, FactKind.ISO_TIMESTAMP, FactKind.NUMERIC_TEXT)
_CONDITIONS = (FactKind.CHECK, FactKind.FUNCTIONAL, FactKind.NOT_EMPTY)


@dataclass(frozen=True, slots=True)
class ParentReference:
    """A foreign key: where no column is NULL, the parent has a row with these values."""

    columns: ColumnNames
    parent: str
    parent_columns: ColumnNames


@dataclass(frozen=True)
class Rules:
    """The columns of one table that count, and what is promised of them."""

    sorts: Mapping[str, ColumnSort]
    whole: frozenset[str]
    """The columns that hold integers alone."""
    not_null: frozenset[str]
    keys: tuple[ColumnNames, ...]
    references: tuple[ParentReference, ...]
    """Those whose parent a query reads, or that lead to such a table."""


@dataclass(frozen=True)
class FragmentConstraints:
    """The tables that count, their rules, and where cases are distinguished."""

    rules: Mapping[str, Rules]
    cuts: Mapping[tuple[str, str], Cuts]
    facts: tuple[Fact, ...]
    """The facts on these tables that a decision may rest on."""
    constants: frozenset[int | str]


def constraints_of(schema: Schema, facts: Facts, unions: Iterable[Union]) -> FragmentConstraints:
    """The constraints under which two unions are compared.

    Raises:
        OutsideError: they are none that the fragment has.
    """
    if schema.dialect != REFERENCE:
        raise OutsideError("a dialect other than SQLite")
    if schema.triggers:
        raise OutsideError("triggers, which may constrain the rows")
    blocks = [block for union in unions for block in union.blocks]
    read = {table for block in blocks for table in block.atoms}
    tables = _reached(schema, facts, read)
    for fact in facts.of(FactKind.NOT_EMPTY):
        if read & set(_reached(schema, facts, (fact.table,))):
            raise OutsideError(f"a fact not_empty about {min(read)}")
    leading = _leading_to(facts, tables, read)
    for name in tables.values():
        _check_table(name, facts)
    kept = {name: table for name, table in tables.items() if name in leading}
    cells = _cells(blocks, kept)
    rules = {name: _rules(table, facts, cells.get(name, set()), kept) for name, table in kept.items()}
    _check_references(rules)
    cuts = _cuts(blocks, rules)
    lower = folded(tables)
    used = tuple(fact for fact in facts if fold(fact.table) in lower)
    constants = {value for block in blocks for _, value in block.fixed}
    constants |= {out for block in blocks for out in block.outputs if isinstance(out, int | str)}
    constants |= {point for each in cuts.values() for point in each.points}
    return FragmentConstraints(rules, cuts, used, frozenset(constants))


def _reached(schema: Schema, facts: Facts, read: Iterable[str]) -> dict[str, Table]:
    """The tables that are read, and those that rows of theirs refer to, through others too."""
    found: dict[str, Table] = {}
    pending = sorted(read)
    while pending:
        table = schema.table(pending.pop())
        if table is None:
            raise OutsideError("a table that is not in the schema")
        if table.name not in found:
            found[table.name] = table
            pending += [fact.parent for fact in facts.of(FactKind.INCLUSION, table.name)]
    return found


def _leading_to(facts: Facts, tables: Mapping[str, Table], read: set[str]) -> set[str]:
    """Those of the tables that are read, or from whose rows references lead to one that is."""
    spelt = NameMap((name, name) for name in tables)
    found = set(read)
    while True:
        more = {
            name
            for name in tables
            if any(spelt.get(f.parent) in found for f in facts.of(FactKind.INCLUSION, name))
        }
        if more <= found:
            return found
        found |= more


def _check_table(table: Table, facts: Facts) -> None:
    if table.checks or table.indexes or table.collated_keys or any(c.generated for c in table.columns):
        raise OutsideError(f"a CHECK, an index with a condition, or a generated column on {table.name}")
    for kind in _CONDITIONS:
        if facts.of(kind, table.name):
            raise OutsideError(f"a fact {kind} on {table.name}")


def _cells(blocks: Iterable[ConjunctiveQuery], tables: Mapping[str, Table]) -> dict[str, set[str]]:
    """The columns that the queries name, by table."""
    found: dict[str, set[str]] = {}
    for block in blocks:
        for atom, column in _named(block):
            table = tables[block.atoms[atom]]
            known = table.column(column)
            if known is None or known.name != column:
                raise OutsideError("a column that is not in the schema")
            found.setdefault(table.name, set()).add(column)
    return found


def _named(block: ConjunctiveQuery) -> Iterable[AtomCell]:
    yield from _compared(block)
    yield from (out for out in block.outputs if isinstance(out, tuple))
    for test in block.tests:
        yield from ((f.row.number, str(f.column)) for f in walk(test) if isinstance(f, Field))


def _rules(table: Table, facts: Facts, named: set[str], kept: Mapping[str, Table]) -> Rules:
    spelt = NameMap((name, name) for name in kept)
    keys = tuple(_spelt(table, fact.columns) for fact in facts.of(FactKind.UNIQUE, table.name))
    references = tuple(
        ParentReference(
            _spelt(table, fact.columns),
            spelt[fact.parent],
            _spelt(kept[spelt[fact.parent]], fact.parent_columns),
        )
        for fact in facts.of(FactKind.INCLUSION, table.name)
        if fact.parent in spelt
    )
    columns = {*named, *(n for key in keys for n in key), *(n for r in references for n in r.columns)}
    # Whatever refers to the table needs its columns too.
    columns |= {
        name
        for fact in facts.of(FactKind.INCLUSION)
        if fact.refers_to(table.name)
        for name in _spelt(table, fact.parent_columns)
    }
    sorts = {name: _sort(table, name, facts) for name in sorted(columns)}
    whole = {
        column.name
        for column in table.columns
        if column.domain is Domain.INTEGER and facts.find(FactKind.TYPE, table.name, column.name)
    }
    not_null = {c.name for c in table.columns if facts.not_null(table.name, c.name)}
    return Rules(sorts, frozenset(whole), frozenset(not_null), keys, references)


def _spelt(table: Table, names: ColumnNames) -> ColumnNames:
    found = [table.column(name) for name in names]
    return tuple(column.name for column in found if column is not None)


def _sort(table: Table, name: str, facts: Facts) -> ColumnSort:
    column = table.column(name)
    if column is None:
        raise OutsideError("a column that is not in the schema")
    if column.collation.upper() != "BINARY":
        raise OutsideError(f"{table.name}.{name}: collation {column.collation}")
    if any(facts.find(kind, table.name, name) for kind in _FORMATS):
        raise OutsideError(f"{table.name}.{name}: a fact about the format of its values")
    match column.domain, column.affinity:
        case ((Domain.INTEGER | Domain.NUMBER), affinity) if affinity in _NUMERIC:
            return ColumnSort.NUMBER
        case Domain.TEXT, Affinity.TEXT:
            return ColumnSort.TEXT
        case Domain.TEXT, Affinity.NUMERIC:
            return ColumnSort.DATE
        case Domain.ANY, Affinity.BLOB:
            return ColumnSort.ANY
    raise OutsideError(f"{table.name}.{name}: type {column.declared_type}")


def check_references_to_keys(constraints: FragmentConstraints) -> None:
    """Let constraints pass where each reference leads to one row: more would be counted more than once.

    Raises:
        OutsideError: the columns that one leads to are no key.
    """
    for rules in constraints.rules.values():
        for reference in rules.references:
            keys = constraints.rules[reference.parent].keys
            if not any(set(key) <= set(reference.parent_columns) for key in keys):
                raise OutsideError("a foreign key to columns that are not a key, where duplicates count")


def _check_references(rules: Mapping[str, Rules]) -> None:
    """Let references pass whose tables form no circle, so that the chase ends.

    Raises:
        OutsideError: they run in a circle, or their columns are not of one sort.
    """
    parents = {name: {r.parent for r in each.references} for name, each in rules.items()}
    if topological_order(sorted(rules), lambda name: parents[name]) is None or any(
        name in above for name, above in parents.items()
    ):
        raise OutsideError("cyclic foreign keys")
    for each in rules.values():
        for r in each.references:
            theirs = rules[r.parent].sorts
            if any(
                each.sorts[a] is not theirs.get(b) for a, b in zip(r.columns, r.parent_columns, strict=True)
            ):
                raise OutsideError("a foreign key between columns of different types")


def _cuts(blocks: Iterable[ConjunctiveQuery], rules: Mapping[str, Rules]) -> dict[tuple[str, str], Cuts]:
    """Where cases are distinguished, by column; columns that no condition reads have no cuts."""
    found: dict[tuple[str, str], Cuts] = {}
    for block in blocks:
        _check_sorts(block, rules)
        for cell in _compared(block):
            found.setdefault((block.atoms[cell[0]], cell[1]), Cuts())
        for test in block.tests:
            for field, node in _tested(test):
                cell = field.row.number, str(field.column)
                _cut(found.setdefault((block.atoms[cell[0]], cell[1]), Cuts()), block, cell, node, rules)
    for name, each in rules.items():
        for r in each.references:
            for column in r.columns:
                found.setdefault((name, column), Cuts())
    for (name, column), cut in found.items():
        cut.nulls = column not in rules[name].not_null
    return found


def _compared(block: ConjunctiveQuery) -> Iterable[AtomCell]:
    """The cells that conditions read, tests aside."""
    yield from (cell for pair in block.sames for cell in pair)
    yield from block.nulls
    yield from (cell for cell, _ in block.fixed)


def _check_sorts(block: ConjunctiveQuery, rules: Mapping[str, Rules]) -> None:
    """Let a block pass that compares values of one sort.

    Raises:
        OutsideError: it compares others.
    """
    for one, other in block.sames:
        if _sort_of(block, one, rules) is not _sort_of(block, other, rules):
            raise OutsideError("a comparison of columns of different types")
    for cell, value in block.fixed:
        _check_value(_sort_of(block, cell, rules), value)


def _tested(test: Expression) -> Iterable[tuple[Field, Expression]]:
    for node in walk(test):
        match node:
            case Compare(_, Field() as field, Constant()) | Compare(_, Constant(), Field() as field):
                yield field, node
            case IsNull(Field() as field):
                yield field, node


def _cut(
    cuts: Cuts, block: ConjunctiveQuery, cell: AtomCell, node: Expression, rules: Mapping[str, Rules]
) -> None:
    match node:
        case Compare(operator, Field(), Constant() as constant):
            is_left = True
        case Compare(operator, Constant() as constant, Field()):
            is_left = False
        case _:
            return
    if constant.kind == "null":
        return
    value, sort = value_of(constant), _sort_of(block, cell, rules)
    _check_value(sort, value)
    if cell[1] not in rules[block.atoms[cell[0]]].whole:
        if operator in ("<", "<="):
            raise OutsideError("an order comparison of values that are not integers")
        cuts.points.add(value)
        return
    assert isinstance(value, int)
    if operator in ("=", "IS"):
        cuts.bounds |= {value, value + 1}
    else:
        # x < c and c <= x part at c; x <= c and c < x at c + 1.
        cuts.bounds.add(value if (operator == "<") == is_left else value + 1)


def _sort_of(block: ConjunctiveQuery, cell: AtomCell, rules: Mapping[str, Rules]) -> ColumnSort:
    return rules[block.atoms[cell[0]]].sorts[cell[1]]


def _check_value(sort: ColumnSort, value: int | str) -> None:
    if (sort is ColumnSort.NUMBER) != isinstance(value, int) and sort is not ColumnSort.ANY:
        raise OutsideError("a constant of a type other than its column's")
