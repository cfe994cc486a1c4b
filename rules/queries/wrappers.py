"""Queries around one query: projections, filters and order merged into it.

Dropping an aggregate that nobody reads may make a query another one, and MIN
or MAX decides bare columns; DISTINCT and set operations compare whole rows.
An outer query that does not order promises no order, whatever stands inside.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.blocks import is_aggregate, is_grouped, of_node, select_operands, walk_block
from equiv.core.claims.fingerprint import sources
from equiv.core.claims.value_types import Claim
from equiv.core.model import Context
from equiv.relation import Rows
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import (
    conjoin,
    conjuncts,
    filters,
    group_keys,
    has_windows,
    is_own,
    order_terms,
    outputs,
    substituted,
)
from equiv.rules.guards.selects import has_limit_one, is_distinct, is_root, is_unlimited
from equiv.rules.queries.derived_tables import Derived, collations_survive, derived_tables, may_be_copied


@of_node
def wrapped(select: exp.Expression) -> Derived | None:
    """The only source of a SELECT that joins and groups nothing, if it is a derived SELECT."""
    if len(sources(select)) != 1 or is_grouped(select) or has_windows(select):
        return None
    if select.args.get("having") is not None or select.args.get("with_") is not None:
        return None
    found = next(derived_tables(select), None)
    return found if found is not None and found.query.args.get("with_") is None else None


def only_projects(select: exp.Expression) -> bool:
    """Neither WHERE, DISTINCT, ORDER BY nor LIMIT."""
    return all(select.args.get(name) is None for name in ("where", "distinct", "order", "limit", "offset"))


def keeps_every_aggregate(found: Derived) -> bool:
    """Whether each aggregating projection inside is read: dropping one may change what a group yields.

    With GROUP BY only a MIN or MAX, which decides from which row bare columns are read.
    """
    read = {c.name for c in found.reads}
    decisive = (exp.Min, exp.Max) if group_keys(found.query) else (exp.Expression,)
    return all(
        projection.alias_or_name in read
        for projection in found.query.expressions
        if any(is_aggregate(node) and isinstance(node, decisive) for node in walk_block(projection))
    )


def permutes(select: exp.Expression, query: exp.Expression) -> bool:
    """Whether the projections of a SELECT are the columns of the query that alone it reads, each once."""
    values = outputs(select)
    names = sorted(value.name for value in values)
    # The literal 2 and a column "2" have one name.
    plain = all(isinstance(value, exp.Column) and is_own(value, select) for value in values)
    return plain and names == sorted(x.alias_or_name for x in query.expressions)


def wraps_a_query(select: exp.Expression) -> bool:
    """Nothing but projections over one derived SELECT, whose rows they leave as many as they are."""
    found = wrapped(select)
    if found is None or not only_projects(select) or not may_be_copied(found):
        return False
    if is_distinct(found.query) and not permutes(select, found.query):
        return False
    return keeps_every_aggregate(found)


def wrapper_collations_survive(select: exp.Expression, ctx: Context) -> Claim:
    """Projections are plain columns, or every comparison uses BINARY anyway."""
    found = wrapped(select)
    return None if found is None else collations_survive(found, ctx)


def order_is_not_promised(select: exp.Expression, ctx: Context) -> Claim:
    """The query inside has no order that the outer query would seem to promise."""
    found = wrapped(select)
    if found is None:
        return None
    seen = is_root(select) and ctx.compares_as(Rows.LIST) and bool(order_terms(found.query))
    return None if seen and not has_limit_one(found.query) else ()


@rule(
    on=exp.Select,
    shape=(wraps_a_query,),
    needs=(wrapper_collations_survive, order_is_not_promised),
)
def inline_wrapped_query(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Replace projections over one query by that query, projecting them itself.

    Before:  SELECT q.n FROM (SELECT a.x, COUNT(*) AS n FROM a GROUP BY a.x) AS q
    After:   SELECT COUNT(*) FROM a GROUP BY a.x
    Refuse:  DISTINCT inside with a column not read; an aggregate not read; an order inside, at top level
    Sound:   row by row the outer projections are computed from the inner ones
    """
    found = wrapped(select)
    if found is None:
        return None
    mapping, query = found.mapping, found.query.copy()
    query.set("expressions", [substituted(x, mapping) for x in select.expressions])
    return query


def filters_groups_outside(select: exp.Expression) -> bool:
    """WHERE, DISTINCT, ORDER BY or LIMIT over one derived SELECT that groups."""
    found = wrapped(select)
    if found is None or only_projects(select) or not may_be_copied(found) or not keeps_every_aggregate(found):
        return False
    query = found.query
    plain = is_unlimited(query) and not is_distinct(query) and not has_windows(query)
    return plain and bool(group_keys(query)) and not order_terms(query)


@rule(on=exp.Select, shape=(filters_groups_outside,), needs=(wrapper_collations_survive,))
def merge_filter_into_groups(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Filter, order and limit groups where they are made.

    Before:  SELECT q.x FROM (SELECT a.x, COUNT(*) AS n FROM a GROUP BY a.x) AS q
             WHERE q.n > 1 ORDER BY q.n LIMIT 3
    After:   SELECT a.x FROM a GROUP BY a.x HAVING COUNT(*) > 1 ORDER BY COUNT(*) LIMIT 3
    Refuse:  LIMIT, DISTINCT or windows inside; no GROUP BY inside
    Sound:   each derived row is a group, and HAVING filters groups as WHERE filters rows
    """
    found = wrapped(select)
    if found is None:
        return None
    mapping, query = found.mapping, found.query.copy()
    having = query.args.get("having")
    kept = [*conjuncts(having.this if having is not None else None)]
    kept += [substituted(condition, mapping) for condition in filters(select)]
    condition = conjoin([part.copy() for part in kept])
    query.set("having", exp.Having(this=condition) if condition is not None else None)
    query.set("expressions", [substituted(x, mapping) for x in select.expressions])
    if select.args.get("order") is not None:
        query.set("order", substituted(select.args["order"], mapping))
    for name in ("distinct", "limit", "offset"):
        query.set(name, select.args.get(name))
    return query


def wrapped_set_operation(select: exp.Expression) -> exp.Expression | None:
    """The only source of a SELECT, if it is a bare set operation over SELECTs."""
    if len(sources(select)) != 1 or not isinstance(sources(select)[0], exp.Subquery):
        return None
    inner: exp.Expression = sources(select)[0].this
    plain = all(inner.args.get(name) is None for name in ("with_", "order", "limit", "offset"))
    selects = all(isinstance(q, exp.Select) for q in select_operands(inner))
    return inner if isinstance(inner, exp.SetOperation) and plain and selects else None


def wraps_a_set_operation(select: exp.Expression) -> bool:
    """Nothing but the columns of a set operation, each once; DISTINCT too if it removes duplicates."""
    inner = wrapped_set_operation(select)
    if inner is None or is_grouped(select) or has_windows(select):
        return False
    clauses = ("where", "having", "order", "limit", "offset", "with_")
    if any(select.args.get(name) is not None for name in clauses):
        return False
    same = permutes(select, next(select_operands(inner)))
    return same and (bool(inner.args.get("distinct")) or not is_distinct(select))


@rule(on=exp.Select, shape=(wraps_a_set_operation,))
def inline_wrapped_set_operation(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Replace a SELECT of all columns of a set operation by the set operation.

    Before:  SELECT q.x FROM (SELECT a.x FROM a UNION SELECT b.y FROM b) AS q
    After:   SELECT a.x FROM a UNION SELECT b.y FROM b
    Refuse:  a column that is not read, DISTINCT over UNION ALL, an expression, a filter
    Sound:   the rows are the same, their columns permuted alike in each operand
    """
    inner = wrapped_set_operation(select)
    if inner is None:
        return None
    names = [x.alias_or_name for x in next(select_operands(inner)).expressions]
    order = [names.index(value.name) for value in outputs(select)]
    named = [projection.alias_or_name for projection in select.expressions]
    for operand in select_operands(inner):
        values = [operand.expressions[position].unalias() for position in order]
        operand.set("expressions", [exp.alias_(v, name) for v, name in zip(values, named, strict=True)])
    return inner


RULES = (
    inline_wrapped_query,
    merge_filter_into_groups,
    inline_wrapped_set_operation,
)
