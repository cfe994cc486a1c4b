"""IN over a query: written as EXISTS where both mean the same.

IN is NULL where no member is equal and the operand or a member is NULL, while
EXISTS is never NULL: ``x NOT IN (q)`` is not true once q yields a NULL.  They
agree as conditions, where NULL and false have the same effect, and where
neither side can be NULL.  IN over a query converts and collates as ``=`` with
its operand on the left does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from equiv.core.claims.blocks import is_aggregate, is_grouped, source_aliases, walk_block
from equiv.core.claims.fingerprint import sources
from equiv.core.claims.nullness import is_condition, never_null, rejected_nulls
from equiv.core.claims.value_types import HoldingFacts, all_of
from equiv.core.model import Context
from equiv.core.printing import key
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import (
    alias_of,
    aliases_in,
    body,
    columns,
    filters,
    group_keys,
    has_settled_joins,
    has_windows,
    is_block,
    is_limited,
    is_own,
    mentions,
    order_terms,
    outputs,
    place_of,
    set_filters,
    set_sources,
    substitute,
    substituted,
)
from equiv.rules.guards.dependencies import equalities, interchangeable, table_of
from equiv.rules.guards.selects import Choice, has_one_source, is_distinct, joins_nothing_outer
from equiv.rules.queries.exists import block_of, exists
from equiv.rules.queries.joins import (
    ParentJoin,
    child_is_included,
    key_and_reference_compare_alike,
    not_null,
    parent_columns_are_unique,
    unique_within,
)
from equiv.rules.queries.set_operations import is_bare
from equiv.rules.queries.wrappers import leaves_no_choice


def tests_membership(node: exp.Expression) -> bool:
    """IN over a plain block without DISTINCT, with an operand that is not an aggregate or window."""
    query = node.args.get("query")
    if query is None or isinstance(node.this, exp.Tuple):
        return False
    plain = node.this.find(exp.AggFunc, exp.Window, exp.Anonymous, exp.Query) is None
    query = block_of(node)
    return plain and is_block(query) and not is_distinct(query) and len(query.expressions) == 1


def to_exists(node: exp.Expression) -> exp.Expression:
    """``x IN (SELECT y …)`` as ``EXISTS (SELECT 1 … AND y = x)``."""
    query = block_of(node).copy()
    equal = exp.EQ(this=node.this.copy(), expression=outputs(query)[0].copy())
    set_filters(query, [*filters(query), equal])
    return exists(query)


def members_leave_no_choice(node: exp.Expression, ctx: Context) -> HoldingFacts:
    """The query may be evaluated for each row, as under EXISTS."""
    return leaves_no_choice(block_of(node), ctx)


def neither_side_is_null(node: exp.Expression, ctx: Context) -> HoldingFacts:
    """Neither the operand of IN nor any member can be NULL, so that IN is never NULL."""
    query = block_of(node)
    member = outputs(query)[0]
    if isinstance(member, exp.Column) and any(place_of(member) in rejected_nulls(c) for c in filters(query)):
        return never_null(node.this, ctx)
    return all_of(never_null(node.this, ctx), never_null(member, ctx))


@dataclass(frozen=True)
class GroupedJoin:
    """A source joined to sources that are grouped by their reference to it."""

    outer: exp.Expression
    column: exp.Expression
    member: exp.Expression
    """``column`` of the outer source equals ``member`` of another; one of them is the group key."""


def filters_groups_by_one_column(select: exp.Expression) -> bool:
    """GROUP BY of one column of several sources, aggregating in HAVING alone."""
    keys = group_keys(select)
    if len(keys) != 1 or not isinstance(keys[0], exp.Column) or has_windows(select):
        return False
    shown = [*select.expressions, *order_terms(select)]
    plain = not any(is_aggregate(node) for part in shown for node in walk_block(part))
    return (
        plain
        and joins_nothing_outer(select)
        and has_settled_joins(select)
        and bool(select.args.get("having"))
    )


def grouped_joins(select: exp.Expression, ctx: Context) -> Iterator[GroupedJoin]:
    """Sources that alone are shown, linked to the rest by one equality with the group key."""
    (group_key,) = group_keys(select)
    for outer in sources(select):
        alias = alias_of(outer)
        links = [c for c in filters(select) if mentions(c, alias) and aliases_in(c) & _others(select, alias)]
        sides = [pair for pair in equalities(links) if pair[0].text("table") == alias]
        if len(links) != 1 or len(sides) != 1 or not isinstance(sides[0][1], exp.Column):
            continue
        column, member = sides[0]
        shown = {place_of(c) for c in columns([*select.expressions, *order_terms(select)])}
        read = {place for place in shown if place[0] in _others(select, alias)} - {place_of(member)}
        fits = key(group_key) in (key(column), key(member)) and not mentions(select.args["having"], alias)
        if fits and not read:
            yield GroupedJoin(outer, column, member)


def _others(select: exp.Expression, alias: str) -> set[str]:
    return source_aliases(select) - {alias}


def group_is_one_outer_row(found: GroupedJoin, ctx: Context) -> HoldingFacts:
    """The equated column is a key, so that each group belongs to one row of the outer source."""
    table = table_of(found.outer, ctx)
    return None if table is None else unique_within(table.name, frozenset({found.column.name}), ctx)


def member_compares_as_stored(found: GroupedJoin, ctx: Context) -> HoldingFacts:
    """Key and reference are identical where equal, so that groups of references are groups of rows."""
    return interchangeable(found.column, found.member, ctx)


GROUPED_JOIN = Choice(grouped_joins, (group_is_one_outer_row, member_compares_as_stored))


def reads_members_alone(select: exp.Expression) -> bool:
    """One source, filtered by nothing but IN over a grouped SELECT of its group key that does not read it."""
    if not has_one_source(select) or is_grouped(select) or has_windows(select) or len(filters(select)) != 1:
        return False
    (member,) = filters(select)
    if (
        not isinstance(member, exp.In)
        or not isinstance(member.this, exp.Column)
        or not member.args.get("query")
    ):
        return False
    grouped = block_of(member)
    keys = [key(x) for x in group_keys(grouped)]
    plain = (
        keys == [key(x) for x in outputs(grouped)] and not is_limited(grouped) and not is_distinct(grouped)
    )
    if not is_own(member.this, select) or mentions(grouped, source_aliases(select)):
        return False
    return plain and {place_of(c) for c in columns(body(select))} == {place_of(member.this)}


def read_members(select: exp.Expression, ctx: Context) -> Iterator[ParentJoin]:
    """The source, its column and the reference that is grouped."""
    (member,) = filters(select)
    (reference,) = outputs(block_of(member))
    if isinstance(reference, exp.Column):
        own = next(c for c in columns(block_of(member)) if place_of(c) == place_of(reference))
        yield ParentJoin(sources(select)[0], ((member.this, own),))


READ_MEMBER = Choice(
    read_members, (parent_columns_are_unique, child_is_included, key_and_reference_compare_alike)
)


def is_in_union(node: exp.Expression) -> bool:
    """IN over a bare UNION of two SELECTs, with an operand that may be evaluated twice."""
    query = block_of(node) if node.args.get("query") is not None else None
    if not isinstance(query, exp.Union) or not is_bare(query):
        return False
    selects = all(isinstance(q, exp.Select) for q in (query.this, query.expression))
    return selects and not isinstance(node.this, exp.Tuple) and node.this.find(exp.Query) is None


def members_compare_alike(node: exp.Expression, ctx: Context) -> HoldingFacts:
    """All members are columns of one affinity and BINARY, so that each is compared as in the union."""
    query = block_of(node)
    left, right = (outputs(q)[0] for q in (query.this, query.expression))
    return interchangeable(left, right, ctx)


@rule(on=exp.In, shape=(is_in_union,), needs=(members_compare_alike,))
def convert_in_union_to_or(node: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write IN over a UNION as OR.

    Before:  SELECT a.x FROM a WHERE NOT a.id IN (SELECT b.a_id FROM b UNION SELECT c.a_id FROM c)
    After:   SELECT a.x FROM a WHERE NOT (a.id IN (SELECT b.a_id FROM b) OR a.id IN (SELECT c.a_id FROM c))
    Refuse:  members of several affinities: the first operand's decides how all compare
    Sound:   IN is the three-valued OR of its comparisons, however they are grouped
    """
    operands = (block_of(node).this, block_of(node).expression)
    left, right = (exp.In(this=node.this.copy(), query=exp.Subquery(this=q.copy())) for q in operands)
    return exp.Or(this=left, expression=right)


@rule(
    on=exp.In,
    shape=(tests_membership, is_condition),
    needs=(members_leave_no_choice,),
    esm_plus=12,
)
def convert_in_to_exists(node: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write IN over a query as EXISTS.

    Before:  SELECT b.y FROM b WHERE b.a_id IN (SELECT a.id FROM a WHERE a.x = 1)
    After:   SELECT b.y FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.x = 1 AND b.a_id = a.id)
    Refuse:  under NOT or in the output, where NULL is not false; a query that groups or limits
    Sound:   IN is true iff a row's comparison is true; false and NULL have the same effect here
    """
    return to_exists(node)


@rule(on=exp.In, shape=(tests_membership,), needs=(neither_side_is_null, members_leave_no_choice), esm_plus=6)
def convert_not_in_to_not_exists(node: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write IN over a query as EXISTS also where NULL would count, if there is none.

    Before:  SELECT b.y FROM b WHERE NOT b.id IN (SELECT a.id FROM a)
    After:   SELECT b.y FROM b WHERE NOT EXISTS (SELECT 1 FROM a WHERE b.id = a.id)
    Refuse:  a member may be NULL: NOT IN is then never true, NOT EXISTS is
    Sound:   without NULL both are two-valued and agree
    """
    return to_exists(node)


@rule(on=exp.Select, shape=(filters_groups_by_one_column,), needs=GROUPED_JOIN.needs)
def convert_grouped_join_to_in(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write a join that is grouped only to be filtered as IN over the groups.

    Before:  SELECT a.x FROM a JOIN b WHERE a.id = b.a_id AND b.y > 1 GROUP BY a.id HAVING COUNT(*) > 2
    After:   SELECT a.x FROM a
             WHERE a.id IN (SELECT b.a_id FROM b WHERE b.y > 1 GROUP BY b.a_id HAVING COUNT(*) > 2)
    Refuse:  an aggregate in the output; a.id is not unique, so that several rows share a group
    Sound:   a row of a belongs to exactly one group, which is that of its references
    """
    found = GROUPED_JOIN.pick(select, ctx)
    if found is None:
        return None
    alias = alias_of(found.outer)
    others = _others(select, alias)
    conditions = filters(select)
    grouped = exp.Select(expressions=[exp.alias_(found.member.copy(), "member")])
    set_sources(grouped, [s for s in sources(select) if alias_of(s) in others])
    set_filters(grouped, [c for c in conditions if aliases_in(c) & others and not mentions(c, alias)])
    grouped.set("group", exp.Group(expressions=[found.member.copy()]))
    grouped.set("having", select.args["having"])
    kept = [c for c in conditions if not aliases_in(c) & others]
    member = exp.In(this=found.column.copy(), query=exp.Subquery(this=grouped))
    replaced = {place_of(found.member): found.column.copy()}
    select.set("expressions", [substituted(x, replaced) for x in select.expressions])
    if select.args.get("order") is not None:
        substitute(select.args["order"], replaced)
    for name in ("group", "having"):
        select.set(name, None)
    set_sources(select, [found.outer])
    set_filters(select, [*kept, member])
    return select


@rule(on=exp.Select, shape=(reads_members_alone,), needs=READ_MEMBER.needs)
def inline_members_of_parent(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Read the grouped references themselves instead of the keys that are among them.

    Before:  SELECT a.id FROM a WHERE a.id IN (SELECT c.a_id FROM c GROUP BY c.a_id HAVING COUNT(*) > 2)
    After:   SELECT c.a_id FROM c WHERE c.a_id IS NOT NULL GROUP BY c.a_id HAVING COUNT(*) > 2
    Refuse:  c.a_id references nothing; a.id is not unique; the groups depend on the row of a
    Sound:   each group that is not of NULL has the key of exactly one row
    """
    (member,) = filters(select)
    grouped = block_of(member).copy()
    reference = outputs(grouped)[0]
    mapping = {place_of(member.this): reference.copy()}
    grouped.set("expressions", [substituted(x, mapping) for x in select.expressions])
    if select.args.get("order") is not None:
        grouped.set("order", substituted(select.args["order"], mapping))
    for name in ("distinct", "limit", "offset"):
        grouped.set(name, select.args.get(name))
    set_filters(grouped, [*filters(grouped), not_null(reference)])
    return grouped
