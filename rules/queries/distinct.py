"""DISTINCT: dropped where no two rows are equal, or where nobody counts rows.

DISTINCT treats NULLs as equal, so a UNIQUE column that may be NULL is no
reason to drop it, and it uses the column's collation, so a key must compare
by BINARY.  It is the canonical form of grouping without aggregates.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.blocks import source_aliases
from equiv.core.claims.fingerprint import sources
from equiv.core.claims.value_types import Claim
from equiv.core.model import Context
from equiv.core.printing import key
from equiv.relation import Rows
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import columns, filters, group_keys, is_block, mentions, outputs, place_of
from equiv.rules.guards.dependencies import closure
from equiv.rules.guards.selects import (
    equal_members_act_alike,
    has_group_keys,
    is_distinct,
    is_read_as_set,
    is_ungrouped,
    is_unlimited,
    outputs_compare_binary,
    projects_strict_key,
)


def without_distinct(select: exp.Expression) -> exp.Expression:
    """The SELECT less its DISTINCT."""
    select.set("distinct", None)
    return select


@rule(on=exp.Select, shape=(is_distinct, is_ungrouped), needs=(projects_strict_key,), esm_plus=2)
def eliminate_distinct_on_key(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop DISTINCT when the projections contain a strict key of every source.

    Before:  SELECT DISTINCT a.id, a.x FROM a
    After:   SELECT a.id, a.x FROM a
    Refuse:  the key may be NULL: two rows (NULL, 'x') collapse under DISTINCT
    Sound:   projected rows differ pairwise, so none is removed
    """
    return without_distinct(select)


def projects_group_keys(select: exp.Expression) -> bool:
    """Every group key is projected."""
    return {key(x) for x in group_keys(select)} <= {key(x) for x in outputs(select)}


@rule(on=exp.Select, shape=(is_distinct, has_group_keys, projects_group_keys))
def eliminate_distinct_of_groups(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop DISTINCT when every group key is projected.

    Before:  SELECT DISTINCT a.x, COUNT(*) FROM a GROUP BY a.x
    After:   SELECT a.x, COUNT(*) FROM a GROUP BY a.x
    Refuse:  a key is not projected: two groups may project the same row
    Sound:   groups differ in their keys
    """
    return without_distinct(select)


@rule(
    on=exp.Select,
    shape=(is_distinct, is_unlimited, is_read_as_set),
    needs=(outputs_compare_binary, equal_members_act_alike),
)
def eliminate_distinct_in_set(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop DISTINCT where only the set of rows is read.

    Before:  SELECT a.x FROM a WHERE NOT a.x IN (SELECT DISTINCT b.y FROM b)
    After:   SELECT a.x FROM a WHERE NOT a.x IN (SELECT b.y FROM b)
    Refuse:  LIMIT: repetitions use it up; NOCASE: DISTINCT keeps one of 'a' and 'A'; numbers read as text,
             where it keeps one of '1' and '1.0'
    Sound:   IN, EXISTS, UNION, INTERSECT and EXCEPT do not count repetitions
    """
    return without_distinct(select)


@rule(on=exp.Select, shape=(is_distinct, is_unlimited), needs=(outputs_compare_binary,), under=Rows.SET)
def eliminate_distinct_under_set(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop DISTINCT when results compare as sets.

    Before:  SELECT DISTINCT a.x FROM a
    After:   SELECT a.x FROM a
    Refuse:  LIMIT: repetitions use it up; NOCASE: DISTINCT keeps one of 'a' and 'A'
    Sound:   sets do not count repetitions
    """
    return without_distinct(select)


def counts_distinct_rows(select: exp.Expression) -> bool:
    """``COUNT(*)`` alone, over a derived table of one DISTINCT column."""
    if len(sources(select)) != 1 or filters(select) or group_keys(select):
        return False
    if select.args.get("having") is not None or select.args.get("order") is not None:
        return False
    inner = sources(select)[0]
    calls = [x.unalias() for x in select.expressions]
    counted = len(calls) == 1 and isinstance(calls[0], exp.Count) and isinstance(calls[0].this, exp.Star)
    if not counted or not isinstance(inner, exp.Subquery) or not isinstance(inner.this, exp.Select):
        return False
    query = inner.this
    return is_distinct(query) and is_block(query) and len(query.expressions) == 1 and _may_be_counted(query)


def _may_be_counted(query: exp.Expression) -> bool:
    """Whether an aggregate of the projection would be of this query: one of outer columns alone is not."""
    (value,) = outputs(query)
    return not any(columns(value)) or mentions(value, source_aliases(query))


def distinct_value_is_never_null(select: exp.Expression, ctx: Context) -> Claim:
    """The DISTINCT column of the derived table holds no NULL."""
    from equiv.core.claims.nullness import never_null, rejected_nulls

    query = sources(select)[0].this
    value = outputs(query)[0]
    if isinstance(value, exp.Column) and any(place_of(value) in rejected_nulls(c) for c in filters(query)):
        return ()
    return never_null(value, ctx)


@rule(on=exp.Select, shape=(counts_distinct_rows,), needs=(distinct_value_is_never_null,))
def fold_count_of_distinct_rows(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Count distinct values directly.

    Before:  SELECT COUNT(*) FROM (SELECT DISTINCT b.a_id FROM b) AS q
    After:   SELECT COUNT(DISTINCT b.a_id) FROM b
    Refuse:  the value may be NULL, which is a row of its own but not counted as a value; outer columns alone
    Sound:   the rows of the derived table are the distinct values
    """
    query = sources(select)[0].this
    value = outputs(query)[0].copy()
    counted = exp.Count(this=exp.Distinct(expressions=[value]))
    select.expressions[0].unalias().replace(counted)
    for name in ("from_", "joins", "where"):
        select.set(name, query.args.get(name))
    return select


def counts_distinct_column(call: exp.Expression) -> bool:
    """``COUNT(DISTINCT x)`` of a column of the SELECT that it stands in."""
    distinct = call.this
    if not isinstance(distinct, exp.Distinct) or len(distinct.expressions) != 1:
        return False
    return isinstance(distinct.expressions[0], exp.Column)


def counted_column_is_key(call: exp.Expression, ctx: Context) -> Claim:
    """The counted column, with the group keys, determines the row of every source."""
    select = call.find_ancestor(exp.Select)
    column = call.this.expressions[0]
    if select is None:
        return None
    keys = [x for x in (column, *group_keys(select)) if isinstance(x, exp.Column)]
    counted = [exp.Not(this=exp.Is(this=column.copy(), expression=exp.Null()))]
    found = closure(select, ctx, {place_of(x) for x in keys}, given=counted)
    return tuple(found.facts) if found.whole >= found.own else None


@rule(on=exp.Count, shape=(counts_distinct_column,), needs=(counted_column_is_key,), esm_plus=2)
def reduce_count_distinct_key(call: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Count a key without DISTINCT.

    Before:  SELECT COUNT(DISTINCT a.id) FROM a
    After:   SELECT COUNT(a.id) FROM a
    Refuse:  a join repeats the key; the column is not unique
    Sound:   no two rows of a group hold the same value, NULL apart, which is not counted
    """
    return exp.Count(this=call.this.expressions[0].copy())


RULES = (
    eliminate_distinct_on_key,
    eliminate_distinct_of_groups,
    eliminate_distinct_in_set,
    eliminate_distinct_under_set,
    fold_count_of_distinct_rows,
    reduce_count_distinct_key,
)
