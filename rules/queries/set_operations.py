"""UNION, INTERSECT and EXCEPT: conditions where the sources are the same, else semi-joins.

They compare whole rows with NULL equal to NULL, without converting either
side, and remove duplicates (UNION ALL apart).  So they become filters only
where ``=`` means the same: equal affinity, BINARY, and NULL on one side at
most.  ``NOT d`` is not "d does not hold": EXCEPT needs d IS NOT TRUE.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.fingerprint import sources
from equiv.core.claims.nullness import never_null, rejected_nulls
from equiv.core.claims.value_types import HoldingFacts, all_of
from equiv.core.model import Context
from equiv.core.printing import key
from equiv.rewrite.canonical import canonicalise
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import (
    alias_of,
    columns,
    conjoin,
    filters,
    is_block,
    order_terms,
    outputs,
    place_of,
    set_filters,
)
from equiv.rules.guards.dependencies import interchangeable, is_one_row_per, table_of
from equiv.rules.guards.selects import (
    equal_members_act_alike,
    is_read_as_set,
    is_unlimited,
    joins_nothing_outer,
    outputs_compare_binary,
)
from equiv.rules.queries.exists import exists
from equiv.rules.queries.wrappers import is_uncorrelated, leaves_no_choice


def removes_duplicates(query: exp.Expression) -> bool:
    """Not UNION ALL."""
    return bool(query.args.get("distinct"))


def is_bare(query: exp.Expression) -> bool:
    """A compound without WITH, ORDER BY, LIMIT or OFFSET of its own."""
    return all(query.args.get(name) is None for name in ("with_", "order", "limit", "offset"))


def same_query(left: exp.Expression, right: exp.Expression, ctx: Context) -> bool:
    """Whether two queries are one up to names and order."""
    keys = [key(canonicalise(query.copy(), ctx)) for query in (left, right)]
    return keys[0] == keys[1]


def stands_alone(query: exp.Expression) -> bool:
    """Every column that a query reads is its own and no CTE is in sight: it may be looked at alone."""
    return query.find_ancestor(exp.With) is None and is_uncorrelated(query)


def repeats_itself(query: exp.Expression) -> bool:
    """Both operands are SELECTs."""
    return removes_duplicates(query) and isinstance(query.this, exp.Select) and is_bare(query)


@rule(on=(exp.Union, exp.Intersect), shape=(repeats_itself,), esm_plus=18)
def merge_equal_operands(query: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Replace q UNION q and q INTERSECT q by the distinct rows of q.

    Before:  SELECT a.x FROM a UNION SELECT a2.x FROM a AS a2
    After:   SELECT DISTINCT a.x FROM a
    Refuse:  UNION ALL; LIMIT or a bare column inside, whose choice two evaluations may make differently
    Sound:   the operands hold the same rows, of which one each remains
    """
    left: exp.Expression = query.this
    right: exp.Expression = query.expression
    if not isinstance(right, exp.Select) or leaves_no_choice(left, ctx) != ():
        return None
    if not (stands_alone(left) and stands_alone(right)) or not same_query(left, right, ctx):
        return None
    left.set("distinct", exp.Distinct())
    return left


def aligned_filters(
    query: exp.Expression, ctx: Context
) -> tuple[list[exp.Expression], list[exp.Expression]] | None:
    """The filters of both operands over the sources of the first, if sources and projections are the same."""
    left, right = query.this, query.expression
    if not all(is_block(q) and joins_nothing_outer(q) for q in (left, right)):
        return None
    tables = [[table_of(s, ctx) for s in sources(q)] for q in (left, right)]
    names = [[table.name if table is not None else "" for table in found] for found in tables]
    if (
        "" in names[0] + names[1]
        or len(set(names[0])) != len(names[0])
        or sorted(names[0]) != sorted(names[1])
    ):
        return None
    own = {name: alias_of(s) for name, s in zip(names[0], sources(left), strict=True)}
    renamed = {alias_of(s): own[name] for name, s in zip(names[1], sources(right), strict=True)}
    turned = right.copy()
    for column in columns(turned):
        if column.text("table") in renamed:
            column.set("table", exp.to_identifier(renamed[column.text("table")]))
    if [key(x) for x in outputs(left)] != [key(x) for x in outputs(turned)]:
        return None
    return filters(left), filters(turned)


def common_and_rest(
    left: list[exp.Expression], right: list[exp.Expression]
) -> tuple[list[exp.Expression], list[exp.Expression], list[exp.Expression]]:
    """The conditions that both lists hold, and what each holds besides."""
    shared = {key(c) for c in left} & {key(c) for c in right}
    common = [c for c in left if key(c) in shared]
    return common, [c for c in left if key(c) not in shared], [c for c in right if key(c) not in shared]


def joins_blocks(query: exp.Expression) -> bool:
    """A compound that removes duplicates, over two plain blocks."""
    blocks = all(is_block(q) and not order_terms(q) for q in (query.this, query.expression))
    return blocks and removes_duplicates(query) and is_bare(query)


@rule(on=exp.Union, shape=(joins_blocks,), esm_plus=4)
def merge_union_to_or(query: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write UNION over the same sources and projections as OR.

    Before:  SELECT a.x FROM a WHERE a.y = 1 UNION SELECT a2.x FROM a AS a2 WHERE a2.y = 2
    After:   SELECT DISTINCT a.x FROM a WHERE a.y = 1 OR a.y = 2
    Refuse:  UNION ALL, where a row that meets both appears twice; other sources or projections
    Sound:   a row of the sources is in the result iff one of the conditions is true for it
    """
    found = aligned_filters(query, ctx)
    if found is None:
        return None
    common, left, right = common_and_rest(*found)
    select: exp.Expression = query.this
    either = []
    if left and right:
        sides = [conjoin([c.copy() for c in side]) for side in (left, right)]
        either = [exp.Or(this=sides[0], expression=sides[1])]
    set_filters(select, [*common, *either])
    select.set("distinct", exp.Distinct())
    return select


def operand_projects_strict_key(query: exp.Expression, ctx: Context) -> HoldingFacts:
    """The projections contain a strict key of every source, by what both operands filter alike."""
    found = aligned_filters(query, ctx)
    if found is None:
        return None
    select = query.this.copy()
    set_filters(select, common_and_rest(*found)[0])
    return is_one_row_per(select, outputs(select), ctx)


@rule(on=exp.Intersect, shape=(joins_blocks,), needs=(operand_projects_strict_key,), esm_plus=3)
def merge_intersect_to_and(query: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write INTERSECT over the same sources as AND when a key is projected.

    Before:  SELECT a.id FROM a WHERE a.x = 1 INTERSECT SELECT a2.id FROM a AS a2 WHERE a2.y = 2
    After:   SELECT DISTINCT a.id FROM a WHERE a.x = 1 AND a.y = 2
    Refuse:  the key may be NULL or repeat: two rows, one for each condition, meet in the result
    Sound:   equal projected rows come from the same row, which meets both conditions
    """
    found = aligned_filters(query, ctx)
    if found is None:
        return None
    select: exp.Expression = query.this
    set_filters(select, [*found[0], *found[1]])
    select.set("distinct", exp.Distinct())
    return select


@rule(on=exp.Except, shape=(joins_blocks,), needs=(operand_projects_strict_key,))
def merge_except_to_and_not(query: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write EXCEPT over the same sources as AND NOT when a key is projected.

    Before:  SELECT a.id FROM a WHERE a.x = 1 EXCEPT SELECT a2.id FROM a AS a2 WHERE a2.y = 2
    After:   SELECT DISTINCT a.id FROM a WHERE a.x = 1 AND NOT (a.y = 2) IS TRUE
    Refuse:  the key may be NULL or repeat: a row that stays shares it with one that goes
    Sound:   a row goes iff a row with equal projections meets the other condition, and that is the row itself
    """
    found = aligned_filters(query, ctx)
    if found is None:
        return None
    common, left, right = common_and_rest(*found)
    select: exp.Expression = query.this
    condition = conjoin([part.copy() for part in right])
    if condition is None:
        gone: exp.Expression = exp.Literal.number(0)
    elif never_null(condition, ctx) == ():
        gone = exp.Not(this=condition)
    else:
        gone = exp.Not(this=exp.Is(this=condition, expression=exp.Boolean(this=True)))
    set_filters(select, [*common, *left, gone])
    select.set("distinct", exp.Distinct())
    return select


def pairs_of(query: exp.Expression) -> list[tuple[exp.Expression, exp.Expression]]:
    """The projections of both operands, pairwise."""
    return list(zip(outputs(query.this), outputs(query.expression), strict=False))


def operands_compare_alike(query: exp.Expression, ctx: Context) -> HoldingFacts:
    """Projections are columns of one affinity and BINARY, so that ``=`` compares as the operation does."""
    pairs = pairs_of(query)
    return all_of(*(interchangeable(left, right, ctx) for left, right in pairs)) if pairs else None


def null_is_on_one_side(query: exp.Expression, ctx: Context) -> HoldingFacts:
    """In each pair of projections one side is never NULL, so that NULL meets no NULL."""
    return all_of(*(_one_never_null(query, left, right, ctx) for left, right in pairs_of(query)))


def _one_never_null(
    query: exp.Expression, left: exp.Expression, right: exp.Expression, ctx: Context
) -> HoldingFacts:
    for operand, value in ((query.this, left), (query.expression, right)):
        if isinstance(value, exp.Column) and any(
            place_of(value) in rejected_nulls(c) for c in filters(operand)
        ):
            return ()
        found = never_null(value, ctx)
        if found is not None:
            return found
    return None


def matching_block(query: exp.Expression) -> exp.Expression:
    """The second operand as EXISTS, its projections equated with the first operand's."""
    other = query.expression.copy()
    equal = [exp.EQ(this=r.copy(), expression=x.copy()) for x, r in pairs_of(query)]
    set_filters(other, [*filters(other), *equal])
    other.set("distinct", None)
    return exists(other)


def second_operand_leaves_no_choice(query: exp.Expression, ctx: Context) -> HoldingFacts:
    """The second operand may be evaluated for each row, as under EXISTS."""
    return leaves_no_choice(query.expression, ctx)


AS_SEMI_JOIN = (operands_compare_alike, null_is_on_one_side, second_operand_leaves_no_choice)


@rule(on=exp.Intersect, shape=(joins_blocks,), needs=AS_SEMI_JOIN)
def convert_intersect_to_exists(query: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write INTERSECT as a semi-join.

    Before:  SELECT a.id FROM a INTERSECT SELECT b.a_id FROM b
    After:   SELECT DISTINCT a.id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.a_id = a.id)
    Refuse:  both sides may be NULL, which meet under INTERSECT and not under =; other affinity or collation
    Sound:   a row remains iff an equal one is in the second operand, and once
    """
    select: exp.Expression = query.this
    set_filters(select, [*filters(select), matching_block(query)])
    select.set("distinct", exp.Distinct())
    return select


@rule(on=exp.Except, shape=(joins_blocks,), needs=AS_SEMI_JOIN, esm_plus=6)
def convert_except_to_not_exists(query: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write EXCEPT as an anti-join.

    Before:  SELECT a.id FROM a EXCEPT SELECT b.a_id FROM b
    After:   SELECT DISTINCT a.id FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.a_id = a.id)
    Refuse:  both sides may be NULL: EXCEPT removes the NULL, = does not; other affinity or collation
    Sound:   a row remains iff no equal one is in the second operand, and once
    """
    select: exp.Expression = query.this
    set_filters(select, [*filters(select), exp.Not(this=matching_block(query))])
    select.set("distinct", exp.Distinct())
    return select


def counts_duplicates_in_vain(query: exp.Expression) -> bool:
    """UNION ALL without LIMIT where only the set of rows is read."""
    return not removes_duplicates(query) and is_unlimited(query) and is_read_as_set(query)


@rule(
    on=exp.Union, shape=(counts_duplicates_in_vain,), needs=(outputs_compare_binary, equal_members_act_alike)
)
def convert_union_all_in_set(query: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write UNION ALL as UNION where only the set of rows is read.

    Before:  SELECT a.x FROM a WHERE NOT a.x IN (SELECT b.y FROM b UNION ALL SELECT c.y FROM c)
    After:   SELECT a.x FROM a WHERE NOT a.x IN (SELECT b.y FROM b UNION SELECT c.y FROM c)
    Refuse:  LIMIT: repetitions use it up; NOCASE: UNION keeps one of 'a' and 'A'; numbers read as text,
             where it keeps one of '1' and '1.0'
    Sound:   IN, EXISTS and the other set operations do not count repetitions
    """
    query.set("distinct", True)
    return query
