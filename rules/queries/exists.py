"""EXISTS: its body is made flat, and split into one EXISTS for each group of sources that conditions link.

The body of an EXISTS is a join without projections, without EXISTS among its
own filters and without conditions on outer columns alone.  NULL and false
have the same effect only where the EXISTS is a condition; under NOT they part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from equiv import graphs
from equiv.core.claims.blocks import aggregates, base_column, source_aliases
from equiv.core.claims.fingerprint import sources
from equiv.core.claims.nullness import is_condition
from equiv.core.claims.value_types import HoldingFacts
from equiv.core.model import Context
from equiv.core.printing import key
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import (
    alias_of,
    aliases_in,
    columns,
    filters,
    group_keys,
    is_block,
    mentions,
    place_of,
    set_filters,
    set_sources,
    substituted,
)
from equiv.rules.guards.dependencies import equalities, table_of
from equiv.rules.guards.selects import Choice, has_one_source, joins_nothing_outer
from equiv.rules.queries.joins import (
    ParentJoin,
    child_is_included,
    key_and_reference_compare_alike,
    not_null,
    require_values,
    same_named_equalities,
    unique_within,
)

_ONE = key(exp.Literal.number(1))


def exists(query: exp.Expression) -> exp.Expression:
    """``EXISTS (SELECT 1 …)`` of a SELECT's sources and filters."""
    copied = query.copy()
    copied.set("expressions", [exp.Literal.number(1)])
    return exp.Exists(this=copied)


def block_of(node: exp.Expression) -> exp.Expression:
    """The query of an EXISTS or IN."""
    query: exp.Expression = node.args["query"] if isinstance(node, exp.In) else node.this
    return query.this if isinstance(query, exp.Subquery) else query


def tests_a_select(node: exp.Expression) -> bool:
    """The query of the EXISTS is a SELECT."""
    return isinstance(block_of(node), exp.Select)


@rule(on=exp.Exists, shape=(tests_a_select,))
def reduce_exists_clauses(node: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop what cannot change whether a row exists.

    Before:  SELECT a.x FROM a WHERE EXISTS (SELECT DISTINCT b.y FROM b WHERE b.a_id = a.id LIMIT 5)
    After:   SELECT a.x FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.a_id = a.id)
    Refuse:  LIMIT 0, OFFSET, HAVING, and an aggregate without GROUP BY, which yields a row from nothing
    Sound:   projections, DISTINCT, GROUP BY, ORDER BY and a positive LIMIT keep at least one of any rows
    """
    query = block_of(node)
    limit = query.args.get("limit")
    positive = limit is None or (limit.expression.name.isdigit() and int(limit.expression.name) > 0)
    if not positive or query.args.get("offset") is not None or query.args.get("having") is not None:
        return None
    if not group_keys(query) and aggregates(query):
        return None
    idle = ("distinct", "group", "order", "limit")
    if all(query.args.get(name) is None for name in idle) and list(map(key, query.expressions)) == [_ONE]:
        return None
    bare = query.copy()
    for name in idle:
        bare.set(name, None)
    bare.set("expressions", [exp.Literal.number(1)])
    if key(bare) == key(query):
        return None
    return exp.Exists(this=bare)


def nested_exists(select: exp.Expression) -> list[exp.Expression]:
    """The filters of a block that are EXISTS over a plain block without outer joins."""
    return [
        c
        for c in filters(select)
        if isinstance(c, exp.Exists) and is_block(block_of(c)) and joins_nothing_outer(block_of(c))
    ]


def is_plain_exists(node: exp.Expression) -> bool:
    """EXISTS over a plain block without outer joins."""
    return is_block(block_of(node)) and joins_nothing_outer(block_of(node))


def nests_exists(node: exp.Expression) -> bool:
    """A filter of the EXISTS body is EXISTS itself."""
    return bool(nested_exists(block_of(node)))


@rule(on=exp.Exists, shape=(is_plain_exists, nests_exists))
def merge_nested_exists(node: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Make an EXISTS below the filters of an EXISTS part of its join.

    Before:  SELECT a.x FROM a
             WHERE EXISTS (SELECT 1 FROM b WHERE b.x = a.id AND EXISTS (SELECT 1 FROM c WHERE c.y = b.y))
    After:   SELECT a.x FROM a WHERE EXISTS (SELECT 1 FROM b JOIN c WHERE b.x = a.id AND c.y = b.y)
    Refuse:  NOT EXISTS; an inner query that groups or limits
    Sound:   there is a row with a partner iff there is a joined row
    """
    query = block_of(node)
    merged, conditions = list(sources(query)), []
    nested = nested_exists(query)
    for condition in filters(query):
        if any(condition is other for other in nested):
            merged += sources(block_of(condition))
            conditions += filters(block_of(condition))
        else:
            conditions.append(condition)
    set_sources(query, merged)
    set_filters(query, conditions)
    return node


def components(
    aliases: list[str], conditions: list[exp.Expression]
) -> list[tuple[set[str], list[exp.Expression]]]:
    """Sources grouped by the conditions that link them; conditions on none of them are left out."""
    reads = [(condition, aliases_in(condition)) for condition in conditions]
    groups = map(set, graphs.components(aliases, (names for _, names in reads)))
    return [(group, [condition for condition, names in reads if group & names]) for group in groups]


def block_from(template: exp.Expression, names: set[str], conditions: list[exp.Expression]) -> exp.Expression:
    """``SELECT 1`` over some sources of a SELECT under some conditions."""
    query = exp.Select(expressions=[exp.Literal.number(1)])
    set_sources(query, [source for source in sources(template) if alias_of(source) in names])
    set_filters(query, conditions)
    return query


def falls_apart(node: exp.Expression) -> bool:
    """The EXISTS body is a product of unlinked parts, or has conditions on outer columns alone."""
    query = block_of(node)
    own = source_aliases(query)
    outer = any(not mentions(c, own) for c in filters(query))
    return outer or len(components(sorted(own), filters(query))) > 1


@rule(on=exp.Exists, shape=(is_plain_exists, is_condition, falls_apart))
def reduce_exists_to_components(node: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Split an EXISTS into one for each linked group of sources; conditions on none go outside.

    Before:  SELECT a.x FROM a WHERE EXISTS (SELECT 1 FROM b JOIN c WHERE b.x = a.id AND c.y = 1 AND a.x > 0)
    After:   SELECT a.x FROM a
             WHERE a.x > 0 AND EXISTS (SELECT 1 FROM b WHERE b.x = a.id)
             AND EXISTS (SELECT 1 FROM c WHERE c.y = 1)
    Refuse:  under NOT: a.x > 0 may be NULL, and NOT NULL is not true
    Sound:   a product has a row iff each factor has one; false and NULL have the same effect here
    """
    query = block_of(node)
    own = source_aliases(query)
    parts = [c.copy() for c in filters(query) if not mentions(c, own)]
    for names, conditions in components(sorted(own), filters(query)):
        parts.append(exp.Exists(this=block_from(query, names, conditions)))
    chained = parts[0]
    for part in parts[1:]:
        chained = exp.And(this=chained, expression=part)
    return chained


def tests_one_source(node: exp.Expression) -> bool:
    """EXISTS over a plain block of one source."""
    return is_block(block_of(node)) and has_one_source(block_of(node))


@dataclass(frozen=True)
class OuterKey:
    """An EXISTS over one source joined to a row of the same table outside."""

    node: exp.Expression
    inner: exp.Expression
    outer: str
    names: frozenset[str]


def outer_keys(node: exp.Expression, ctx: Context) -> Iterator[OuterKey]:
    """Equalities of the tested source with equally named columns of an outer source over the same table."""
    query = block_of(node)
    inner = sources(query)[0]
    table = table_of(inner, ctx)
    if table is None:
        return
    partners = {
        other.text("table") for _, other in equalities(filters(query)) if isinstance(other, exp.Column)
    }
    for outer in sorted(partners - {alias_of(inner)}):
        names = same_named_equalities(filters(query), alias_of(inner), outer)
        column = next((c for c in columns(query) if c.text("table") == outer), None)
        base = base_column(column, ctx) if column is not None else None
        if names and base is not None and base[0] is table:
            yield OuterKey(node, inner, outer, names)


def outer_columns_are_unique(found: OuterKey, ctx: Context) -> HoldingFacts:
    """The equated columns contain a key: the row tested is the outer row itself."""
    table = table_of(found.inner, ctx)
    return None if table is None else unique_within(table.name, found.names, ctx)


OUTER_KEY = Choice(outer_keys, (outer_columns_are_unique,))


@rule(on=exp.Exists, shape=(tests_one_source, is_condition), needs=OUTER_KEY.needs, esm_plus=17)
def merge_semi_join_on_key(node: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Replace EXISTS by its conditions when the row it looks for is the outer row itself.

    Before:  SELECT a.x FROM a WHERE EXISTS (SELECT 1 FROM a AS a2 WHERE a2.id = a.id AND a2.x = 1)
    After:   SELECT a.x FROM a WHERE a.id IS NOT NULL AND a.x = 1
    Refuse:  the equated columns are not unique: another row may meet the conditions
    Sound:   the row with that key is the outer row; a NULL key finds none
    """
    found = OUTER_KEY.pick(node, ctx)
    if found is None:
        return None
    query, old = block_of(node), alias_of(found.inner)
    mapping = {
        place_of(c): exp.column(c.name, table=found.outer) for c in columns(query) if c.text("table") == old
    }
    parts = require_values([substituted(c, mapping) for c in filters(query)])
    chained = parts[0]
    for part in parts[1:]:
        chained = exp.And(this=chained, expression=part)
    return chained


def tested_parents(node: exp.Expression, ctx: Context) -> Iterator[ParentJoin]:
    """The tested source, if the body does nothing but equate its columns with outer ones."""
    query = block_of(node)
    inner = sources(query)[0]
    pairs = []
    for condition in filters(query):
        found = [
            (own, other)
            for own, other in equalities([condition])
            if own.text("table") == alias_of(inner) and isinstance(other, exp.Column)
        ]
        if len(found) != 1:
            return
        pairs += found
    if pairs and len({other.text("table") for _, other in pairs}) == 1:
        yield ParentJoin(inner, tuple(pairs))


TESTED_PARENT = Choice(tested_parents, (child_is_included, key_and_reference_compare_alike))


@rule(on=exp.Exists, shape=(tests_one_source, is_condition), needs=TESTED_PARENT.needs, esm_plus=13)
def reduce_exists_on_reference(node: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Replace EXISTS along a foreign key by IS NOT NULL of the reference.

    Before:  SELECT b.y FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.id = b.a_id)
    After:   SELECT b.y FROM b WHERE b.a_id IS NOT NULL
    Refuse:  b.a_id references nothing, or compares with another affinity or collation
    Sound:   a reference that is not NULL has its row
    """
    found = TESTED_PARENT.pick(node, ctx)
    if found is None:
        return None
    first, *rest = [not_null(other) for _, other in found.pairs]
    for part in rest:
        first = exp.And(this=first, expression=part)
    return first
