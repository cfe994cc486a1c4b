"""Queries around a query: outputs that nobody reads, projections, filters and order that wrap it, CTEs.

Dropping an aggregate that nobody reads may make a query another one, and MIN or MAX decides bare columns;
DISTINCT and set operations compare whole rows, so there every column counts.  An outer query that does not
order promises no order, whatever stands inside.

*CTEs* are put where they are read.  A CTE is evaluated once, however often it is read.  What may choose
(LIMIT without a total order, a bare column, GROUP_CONCAT) must stay so: a CTE read twice, or in a
correlated subquery, is inlined only if it leaves no choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sqlglot import exp

from equiv.answers.choices import randomised
from equiv.answers.representatives import hands_on_any
from equiv.core.claims.blocks import ancestry, is_aggregate, is_grouped, of_node, select_operands, walk_block
from equiv.core.claims.fingerprint import sources
from equiv.core.claims.value_types import HoldingFacts
from equiv.core.model import Context
from equiv.core.query import Opaque
from equiv.facts import FactKind, Facts
from equiv.names import is_same
from equiv.relation import Rows
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import (
    columns,
    conjoin,
    conjuncts,
    filters,
    group_keys,
    has_windows,
    is_limited,
    is_own,
    order_terms,
    outputs,
    rename_apart,
    substituted,
)
from equiv.rules.guards.selects import Choice, has_limit_one, is_distinct, is_root, is_unlimited
from equiv.rules.queries.derived_tables import Derived, collations_survive, derived_tables, may_be_copied


def source_names(select: exp.Expression) -> set[str]:
    """The aliases under which a derived table or CTE is read; empty for other queries."""
    parent = select.parent
    if isinstance(parent, exp.Subquery) and isinstance(parent.parent, exp.From | exp.Join):
        return {parent.alias_or_name}
    if isinstance(parent, exp.CTE):
        tables = (t for t in parent.root().find_all(exp.Table) if is_same(t.name, parent.alias))
        return {t.alias_or_name for t in tables}
    return set()


def unread(select: exp.Expression) -> list[exp.Expression]:
    """The projections of a derived SELECT that may go because nothing reads them."""
    names = source_names(select)
    if not names or is_distinct(select) or (is_grouped(select) and not group_keys(select)):
        return []
    read = {c.name for c in columns(select.root()) if c.text("table") in names}
    return [
        x
        for x in select.expressions
        if x.alias_or_name not in read and not any(is_aggregate(node) for node in walk_block(x))
    ]


def projects_unread_columns(select: exp.Expression) -> bool:
    """A derived SELECT projects a column that is not read, and another one."""
    return len(select.expressions) > 1 and bool(unread(select))


@rule(on=exp.Select, shape=(projects_unread_columns,))
def eliminate_unread_projection(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop a column of a derived table that is not read.

    Before:  SELECT q.x FROM (SELECT a.x, a.y FROM a LIMIT 3) AS q
    After:   SELECT q.x FROM (SELECT a.x FROM a LIMIT 3) AS q
    Refuse:  DISTINCT inside, operands of set operations; aggregates
    Sound:   each derived row keeps the columns that are read
    """
    gone = unread(select)
    kept = [x for x in select.expressions if not any(x is other for other in gone)]
    select.set("expressions", kept or select.expressions[:1])
    return select


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


def wrapper_collations_survive(select: exp.Expression, ctx: Context) -> HoldingFacts:
    """Projections are plain columns, or every comparison uses BINARY anyway."""
    found = wrapped(select)
    return None if found is None else collations_survive(found, ctx)


def order_is_not_promised(select: exp.Expression, ctx: Context) -> HoldingFacts:
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


def references(root: exp.Expression, cte: exp.Expression) -> list[exp.Expression]:
    """The sources that read a CTE."""
    tables = (clause.this for clause in root.find_all(exp.From, exp.Join))
    return [t for t in tables if isinstance(t, exp.Table) and is_same(t.name, cte.alias)]


def is_recursive(cte: exp.Expression) -> bool:
    """Whether a CTE reads itself."""
    return bool(references(cte, cte))


def leaves_no_choice(query: exp.Expression, ctx: Context) -> HoldingFacts:
    """A query has one possible answer on every database, or on each whose integers are no REALs."""
    if is_limited(query):
        return None
    overflow = ctx.facts.find(FactKind.NO_OVERFLOW)
    named = ((), (overflow,)) if overflow is not None else ((),)
    return next((facts for facts in named if _is_determined(query, replace(ctx, facts=Facts(facts)))), None)


def _is_determined(query: exp.Expression, ctx: Context) -> bool:
    try:
        return not hands_on_any(query, ctx) and randomised(query, ctx) is None
    except Opaque:
        return False


def source_leaves_no_choice(source: exp.Expression, ctx: Context) -> HoldingFacts:
    """A source may be evaluated again for each row of another: a table, a CTE, or without choice."""
    return leaves_no_choice(source.this, ctx) if isinstance(source, exp.Subquery) else ()


def is_evaluated_once(source: exp.Expression, query: exp.Expression) -> bool:
    """Whether no correlated subquery of a query, evaluated for each row, contains the source."""
    above = list(ancestry(source))
    inner = above[: next(n for n, node in enumerate(above) if node is query)]
    return all(is_uncorrelated(node) for node in inner if isinstance(node, exp.Query))


def is_uncorrelated(query: exp.Expression) -> bool:
    """Whether every column that a query reads is of a source inside it."""
    own = {clause.this.alias_or_name for clause in query.find_all(exp.From, exp.Join)}
    return all(column.text("table") in own for column in columns(query))


def inlinable_ctes(query: exp.Expression, ctx: Context) -> Iterator[tuple[exp.Expression, exp.Expression]]:
    """The CTEs of a WITH clause that do not read themselves, each with the query that has the clause."""
    clause = query.args.get("with_")
    return ((query, cte) for cte in (clause.expressions if clause else ()) if not is_recursive(cte))


def is_read_once_or_leaves_no_choice(
    found: tuple[exp.Expression, exp.Expression], ctx: Context
) -> HoldingFacts:
    """The CTE is evaluated once where it is read, too, or has one possible answer."""
    query, cte = found
    reads = references(query, cte)
    once = len(reads) < 2 and all(is_evaluated_once(table, query) for table in reads)
    return () if once else leaves_no_choice(cte.this, ctx)


EXPENDABLE = Choice(inlinable_ctes, (is_read_once_or_leaves_no_choice,))


def has_cte(query: exp.Expression) -> bool:
    """WITH."""
    return query.args.get("with_") is not None


@rule(on=(exp.Select, exp.Union, exp.Intersect, exp.Except), shape=(has_cte,), needs=EXPENDABLE.needs)
def inline_cte(query: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Put a CTE where it is read; drop it if it is not.

    Before:  WITH c AS (SELECT a.x FROM a WHERE a.y = 1) SELECT q.x FROM c AS q
    After:   SELECT q.x FROM (SELECT a.x FROM a WHERE a.y = 1) AS q
    Refuse:  recursion; a CTE read twice that leaves a choice, such as LIMIT without a total order
    Sound:   a CTE is its query; read once, or with one possible answer, it may be evaluated in place
    """
    picked = EXPENDABLE.pick(query, ctx)
    if picked is None:
        return None
    cte = picked[1]
    for number, table in enumerate(references(query, cte)):
        inner = cte.this.copy() if number == 0 else rename_apart(cte.this, query.root())
        alias = exp.TableAlias(this=exp.to_identifier(table.alias_or_name))
        table.replace(exp.Subquery(this=inner, alias=alias))
    clause = query.args["with_"]
    rest = [other for other in clause.expressions if other is not cte]
    clause.set("expressions", rest)
    if not rest:
        query.set("with_", None)
    return query
