"""Derived tables and CTEs: inlined where their rows are those of a join, filter and projection.

A derived table on the right of a LEFT JOIN pads its *outputs*: a plain column
is NULL there as before, an expression such as COALESCE(x, 0) would be
evaluated on the padded row instead.  An expression in place of a column also
changes which collation a comparison uses, so then all must be BINARY.  What
may choose (LIMIT without a total order, a bare column, GROUP_CONCAT) must be
evaluated once: a CTE read twice is inlined only if it leaves no choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from equiv.choices import Opaque, randomised
from equiv.fingerprint import sources
from equiv.relation import Rows
from equiv.rule import Context, rule
from equiv.scope import is_aggregate, is_grouped, walk_block
from equiv.value_types import Claim

from .structure import (
    Place,
    alias_of,
    columns,
    conjoin,
    conjuncts,
    filters,
    group_keys,
    has_windows,
    inner_sources,
    is_block,
    is_limited,
    only_pads_right,
    order_terms,
    outer_joins,
    output_named,
    outputs,
    place_of,
    rename_apart,
    set_filters,
    set_sources,
    substitute,
    substituted,
)
from .structure_guards import (
    Choice,
    compares_binary,
    has_limit_one,
    ignores_duplicates,
    is_distinct,
    is_root,
    is_ungrouped,
    is_unlimited,
)


@dataclass(frozen=True)
class Derived:
    """A derived table of a SELECT."""

    select: exp.Expression
    source: exp.Expression

    @property
    def query(self) -> exp.Expression:
        """The query inside."""
        inner: exp.Expression = self.source.this
        return inner

    @property
    def reads(self) -> list[exp.Expression]:
        """The references to its columns."""
        return [c for c in columns(self.select) if c.text("table") == alias_of(self.source)]

    @property
    def mapping(self) -> dict[Place, exp.Expression]:
        """The projection behind each column that is read."""
        found = {place_of(c): output_named(self.query, c.name) for c in self.reads}
        return {place: value for place, value in found.items() if value is not None}


def derived_tables(select: exp.Expression) -> Iterator[Derived]:
    """The derived tables of a SELECT whose query is a SELECT."""
    for source in sources(select):
        if isinstance(source, exp.Subquery) and isinstance(source.this, exp.Select):
            yield Derived(select, source)


def may_be_copied(found: Derived) -> bool:
    """Whether each read projection may stand wherever its column is read."""
    for place, value in found.mapping.items():
        reads = [c for c in found.reads if place_of(c) == place]
        if value.find(exp.Query) is not None and len(reads) > 1:
            return False
        if isinstance(value, exp.Literal) and any(
            isinstance(c.parent, exp.Ordered | exp.Group) for c in reads
        ):
            return False
    return len({place_of(c) for c in found.reads}) == len(found.mapping)


def inlinable(select: exp.Expression, *, drops_duplicates: bool) -> Iterator[Derived]:
    """The derived tables that are plain blocks and stand where a join may."""
    if not only_pads_right(select):
        return
    for found in derived_tables(select):
        query = found.query
        if not is_block(query) or not only_pads_right(query) or not may_be_copied(found):
            continue
        if is_distinct(query) and not drops_duplicates:
            continue
        if not _is_left_joined(found.source) or _pads_alike(found):
            yield found


def _is_left_joined(source: exp.Expression) -> bool:
    return isinstance(source.parent, exp.Join) and bool(source.parent.args.get("side"))


def _pads_alike(found: Derived) -> bool:
    """One source, of which plain columns are read: padding reaches them as it did the derived table."""
    plain = all(isinstance(v, exp.Column) and place_of(v)[0] in _own(found) for v in found.mapping.values())
    return plain and len(sources(found.query)) == 1


def _own(found: Derived) -> set[str]:
    return {alias_of(s) for s in sources(found.query)}


def collations_survive(found: Derived, ctx: Context) -> Claim:
    """Projections are plain columns, or every comparison uses BINARY anyway."""
    if all(isinstance(value, exp.Column) for value in found.mapping.values()):
        return ()
    return () if compares_binary(found.select, ctx) else None


def inline(found: Derived) -> exp.Expression:
    """Put the sources and filters of a derived table in its place."""
    select, query = found.select, found.query
    mapping = found.mapping
    outer = outer_joins(select)
    inner: list[exp.Expression] = []
    moved = filters(query)
    for source in inner_sources(select):
        inner += inner_sources(query) if source is found.source else [source]
    if _is_left_joined(found.source):
        join = found.source.parent
        condition = conjoin([*conjuncts(join.args.get("on")), *moved])
        join.set("on", condition.copy() if condition is not None else None)
        join.set("this", sources(query)[0].copy())
        moved = []
    else:
        outer = [*outer_joins(query), *outer]
    conditions = [*filters(select), *moved]
    set_sources(select, inner, outer)
    set_filters(select, conditions)
    substitute(select, mapping)
    return select


def reads_plain_block(select: exp.Expression) -> bool:
    """A derived table is a plain block without DISTINCT."""
    return any(True for _ in inlinable(select, drops_duplicates=False))


PLAIN_BLOCK = Choice(lambda select, ctx: inlinable(select, drops_duplicates=False), (collations_survive,))


@rule(on=exp.Select, shape=(reads_plain_block,), needs=PLAIN_BLOCK.needs)
def inline_derived_table(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Make the join, filters and projections of a derived table part of the query.

    Before:  SELECT q.y FROM (SELECT a.x + 1 AS y FROM a WHERE a.x > 0) AS q WHERE q.y < 9
    After:   SELECT a.x + 1 FROM a WHERE a.x + 1 < 9 AND a.x > 0
    Refuse:  DISTINCT, GROUP BY, LIMIT or windows inside; an expression read on the right of a LEFT JOIN
    Sound:   the derived rows are a filtered product, and so is the whole
    """
    found = PLAIN_BLOCK.pick(select, ctx)
    return None if found is None else inline(found)


def reads_distinct_block(select: exp.Expression) -> bool:
    """A derived table is a plain block with DISTINCT."""
    return any(is_distinct(found.query) for found in inlinable(select, drops_duplicates=True))


def distinct_blocks(select: exp.Expression, ctx: Context) -> Iterator[Derived]:
    """The derived tables that are plain blocks with DISTINCT."""
    return (found for found in inlinable(select, drops_duplicates=True) if is_distinct(found.query))


def distinct_compares_binary(found: Derived, ctx: Context) -> Claim:
    """The DISTINCT inside compares by BINARY, so that it drops nothing but repetitions."""
    return () if all(compares_binary(x, ctx) for x in outputs(found.query)) else None


DISTINCT_BLOCK = Choice(distinct_blocks, (collations_survive, distinct_compares_binary))


@rule(on=exp.Select, shape=(ignores_duplicates, reads_distinct_block), needs=DISTINCT_BLOCK.needs)
def inline_distinct_derived_table(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Inline a DISTINCT derived table where duplicates have no effect.

    Before:  SELECT MAX(q.x) FROM (SELECT DISTINCT a.x FROM a) AS q
    After:   SELECT MAX(a.x) FROM a
    Refuse:  SUM or COUNT(*) outside; a collation under which DISTINCT drops more than repetitions
    Sound:   the inlined rows are the derived ones, some of them repeated
    """
    found = DISTINCT_BLOCK.pick(select, ctx)
    return None if found is None else inline(found)


@rule(
    on=exp.Select,
    shape=(is_ungrouped, is_unlimited, reads_distinct_block),
    needs=DISTINCT_BLOCK.needs,
    under=Rows.SET,
)
def inline_distinct_derived_table_under_set(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Inline a DISTINCT derived table when results compare as sets.

    Before:  SELECT q.x FROM (SELECT DISTINCT a.x, a.y FROM a) AS q
    After:   SELECT a.x FROM a
    Refuse:  LIMIT, grouping; a collation under which DISTINCT drops more than repetitions
    Sound:   the inlined rows are the derived ones, some of them repeated
    """
    found = DISTINCT_BLOCK.pick(select, ctx)
    return None if found is None else inline(found)


# --- wrappers ---------------------------------------------------------------------------------------


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
    """Whether each aggregating projection inside is read: dropping one may change what a group yields."""
    read = {c.name for c in found.reads}
    return all(
        projection.alias_or_name in read
        for projection in found.query.expressions
        if any(is_aggregate(node) for node in walk_block(projection))
    )


def is_permutation(found: Derived) -> bool:
    """Whether the outer projections are the inner ones, each once."""
    values = outputs(found.select)
    names = [value.name for value in values if isinstance(value, exp.Column)]
    inner = sorted(projection.alias_or_name for projection in found.query.expressions)
    return len(names) == len(values) and sorted(names) == inner


def wraps_a_query(select: exp.Expression) -> bool:
    """Nothing but projections over one derived SELECT, whose rows they leave as many as they are."""
    found = wrapped(select)
    if found is None or not only_projects(select) or not may_be_copied(found):
        return False
    if is_distinct(found.query) and not is_permutation(found):
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
    seen = is_root(select) and ctx.rows is Rows.LIST and bool(order_terms(found.query))
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
    Refuse:  DISTINCT inside unless all its columns are read; an aggregate that is not read; an inner order at top level
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

    Before:  SELECT q.x FROM (SELECT a.x, COUNT(*) AS n FROM a GROUP BY a.x) AS q WHERE q.n > 1 ORDER BY q.n LIMIT 3
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


# --- CTEs -------------------------------------------------------------------------------------------


def references(root: exp.Expression, cte: exp.Expression) -> list[exp.Expression]:
    """The sources that read a CTE."""
    tables = (clause.this for clause in root.find_all(exp.From, exp.Join))
    return [t for t in tables if isinstance(t, exp.Table) and t.name.lower() == cte.alias.lower()]


def is_recursive(cte: exp.Expression) -> bool:
    """Whether a CTE reads itself."""
    return bool(references(cte, cte))


def leaves_no_choice(query: exp.Expression) -> bool:
    """Whether a query has one possible answer on every database."""
    if is_limited(query):
        return False
    try:
        return randomised(query) is None
    except Opaque:
        return False


def expendable(query: exp.Expression) -> exp.Expression | None:
    """The first CTE of a WITH clause that can be dropped or inlined."""
    clause = query.args.get("with_")
    for cte in clause.expressions if clause is not None else ():
        reads = references(query, cte)
        if not is_recursive(cte) and (len(reads) < 2 or leaves_no_choice(cte.this)):
            return cte
    return None


def has_expendable_cte(query: exp.Expression) -> bool:
    """A CTE is not read, read once, or leaves no choice."""
    return expendable(query) is not None


@rule(on=(exp.Select, exp.Union, exp.Intersect, exp.Except), shape=(has_expendable_cte,))
def inline_cte(query: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Put a CTE where it is read; drop it if it is not.

    Before:  WITH c AS (SELECT a.x FROM a WHERE a.y = 1) SELECT q.x FROM c AS q
    After:   SELECT q.x FROM (SELECT a.x FROM a WHERE a.y = 1) AS q
    Refuse:  recursion; a CTE read twice that leaves a choice, such as LIMIT without a total order
    Sound:   a CTE is its query; read once, or with one possible answer, it may be evaluated in place
    """
    cte = expendable(query)
    if cte is None:
        return None
    for number, table in enumerate(references(query, cte)):
        inner = cte.this.copy() if number == 0 else rename_apart(cte.this, query)
        alias = exp.TableAlias(this=exp.to_identifier(table.alias_or_name))
        table.replace(exp.Subquery(this=inner, alias=alias))
    clause = query.args["with_"]
    rest = [other for other in clause.expressions if other is not cte]
    clause.set("expressions", rest)
    if not rest:
        query.set("with_", None)
    return query


RULES = (
    inline_derived_table,
    inline_distinct_derived_table,
    inline_distinct_derived_table_under_set,
    inline_wrapped_query,
    merge_filter_into_groups,
    inline_cte,
)
