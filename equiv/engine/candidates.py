"""Natural facts that a pair lacks: the candidates of ``equivalent_if``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sqlglot import exp

from equiv.answers.answers import computes
from equiv.answers.pair import Pair
from equiv.core.claims.blocks import ancestry, base_column
from equiv.core.functions.table import function_of
from equiv.core.model import Column, Context, Domain, Table
from equiv.facts import Fact, FactKind, Grade

Place = tuple[Table, Column]

_DATE = re.compile(r"(1[5-9]|20)\d\d(-\d\d(-\d\d)?)?[-%]*\Z")


def candidates(pair: Pair, dropped: Iterable[Fact] = ()) -> tuple[Fact, ...]:
    """Facts that are not in force and speak of what the queries read, most natural first.

    Args:
        pair: the pair; both queries have trees.
        dropped: facts that were given up because the given data violates them.
    """
    trees = [query.tree for query in (pair.pred, pair.gold) if query.tree is not None]
    ctx = Context(pair.schema, pair.facts)
    places: dict[tuple[str, str], Place] = {}
    read: dict[Fact, None] = {}
    for tree in trees:
        for node in tree.find_all(exp.Column):
            place = base_column(node, ctx)
            if place is not None:
                places[place[0].name, place[1].name] = place
                read.update(dict.fromkeys(_by_use(node, place)))
    scanned = {table.name.lower() for tree in trees for table in tree.find_all(exp.Table)}
    tables = [table.name for table in pair.schema.tables if table.name.lower() in scanned]
    facts = [fact for fact in dropped if not fact.table or fact.table in tables]
    facts += [Fact(FactKind.NOT_EMPTY, Grade.ASSUMED, table) for table in tables]
    facts += [_fact(FactKind.NOT_NULL, place) for place in places.values()]
    facts += [_fact(FactKind.TYPE, p) for p in places.values() if p[1].domain is not Domain.ANY]
    facts += read
    for tree in trees:
        facts += [fact for node in tree.find_all(exp.EQ) for fact in _of_join(node, ctx)]
        facts += [fact for node in tree.find_all(exp.Select) for fact in _of_distinct(node, ctx)]
    if any(map(computes, trees)):
        facts += [Fact(kind, Grade.ASSUMED) for kind in (FactKind.EXACT_ARITHMETIC, FactKind.NO_OVERFLOW)]
    facts += pair.taken_settings
    known = {(f.kind, f.table, f.columns, f.parent, f.parent_columns) for f in pair.facts}
    return tuple(
        fact
        for fact in dict.fromkeys(facts)
        if (fact.kind, fact.table, fact.columns, fact.parent, fact.parent_columns) not in known
    )


def _fact(kind: FactKind, place: Place) -> Fact:
    return Fact(kind, Grade.ASSUMED, place[0].name, (place[1].name,))


def _by_use(node: exp.Column, place: Place) -> Iterator[Fact]:
    """What a text column holds, by what reads it."""
    if place[1].domain not in (Domain.TEXT, Domain.ANY):
        return
    for above in list(ancestry(node))[1:4]:
        literals = [part.name for part in above.find_all(exp.Literal) if part.is_string]
        function = function_of(above)
        reads_time = function is not None and function.reads_time
        reads_number = function is not None and function.reads_number
        if reads_time or any(_DATE.match(text) for text in literals):
            yield _fact(FactKind.ISO_DATE, place)
        if isinstance(above, exp.Cast) or reads_number:
            yield _fact(FactKind.NUMERIC_TEXT, place)
        if isinstance(above, exp.Predicate | exp.Select):
            return


def _of_join(node: exp.EQ, ctx: Context) -> Iterator[Fact]:
    """Keys and inclusions of two columns that a query compares."""
    if not isinstance(node.this, exp.Column) or not isinstance(node.expression, exp.Column):
        return
    sides = [base_column(side, ctx) for side in (node.this, node.expression)]
    left, right = sides
    if left is None or right is None:
        return
    for one, other in ((left, right), (right, left)):
        yield _fact(FactKind.UNIQUE, one)
        same = one[1].affinity is other[1].affinity and one[1].collation == other[1].collation
        if same and one != other:
            (table, column), (parent, key) = one, other
            yield Fact(
                FactKind.INCLUSION, Grade.ASSUMED, table.name, (column.name,), parent.name, (key.name,)
            )


def _of_distinct(node: exp.Select, ctx: Context) -> Iterator[Fact]:
    """That the columns that a SELECT DISTINCT puts out are a key."""
    if not node.args.get("distinct"):
        return
    outputs = [output.unalias() for output in node.expressions]
    by_table: dict[str, tuple[str, ...]] = {}
    for place in (base_column(output, ctx) for output in outputs if isinstance(output, exp.Column)):
        if place is not None:
            by_table[place[0].name] = (*by_table.get(place[0].name, ()), place[1].name)
    for table, columns in by_table.items():
        yield Fact(FactKind.UNIQUE, Grade.ASSUMED, table, columns)
