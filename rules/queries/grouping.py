"""GROUP BY and DISTINCT: fewest keys, filters before grouping, and no DISTINCT where no two rows are equal.

*GROUP BY.*  A key that others determine adds no group.  The last key always stays: without GROUP BY an
aggregate yields one row even from nothing.  Groups gather values that are equal, so a condition on a key may
move before grouping only if equal values are identical (BINARY, not 1 and 1.0).

*A single row* beside the rows of every group, that of a derived table that aggregates and does not group,
is the same in all of them.  Without GROUP BY it is not there where no row is.

*DISTINCT* is the canonical form of grouping without aggregates, and goes where nobody counts rows.  It treats
NULLs as equal, so a UNIQUE column that may be NULL is no reason to drop it, and it uses the column's
collation, so a key must compare by BINARY.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from equiv.answers.representatives import is_plain_extreme
from equiv.core.claims.blocks import aggregates, is_aggregate, source_aliases, walk_block
from equiv.core.claims.fingerprint import sources
from equiv.core.claims.value_types import HoldingFacts, all_of
from equiv.core.model import Context
from equiv.core.printing import key, to_sql
from equiv.relation import Rows
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import (
    alias_of,
    body,
    columns,
    conjoin,
    conjuncts,
    drop_source,
    filters,
    group_keys,
    has_windows,
    inner_sources,
    is_block,
    mentions,
    order_terms,
    output_named,
    outputs,
    place_of,
    set_filters,
)
from equiv.rules.guards.dependencies import Closure, closure, forms_of, is_exact, one_form
from equiv.rules.guards.selects import (
    Choice,
    bare_columns,
    equal_members_act_alike,
    groups_by_strict_key,
    has_group_keys,
    is_distinct,
    is_read_as_set,
    is_ungrouped,
    is_unlimited,
    orders_by_outputs,
    outputs_compare_binary,
    projects_strict_key,
    reads_a_bare_column,
)
from equiv.rules.queries.derived_tables import Derived, derived_tables
from equiv.rules.queries.wrappers import is_uncorrelated, leaves_no_choice


def closure_of_keys(select: exp.Expression, keys: list[exp.Expression], ctx: Context) -> Closure:
    """What some group keys determine; of the keys, plain columns count."""
    return closure(select, ctx, {place_of(x) for x in keys if isinstance(x, exp.Column)})


def has_several_keys(select: exp.Expression) -> bool:
    """GROUP BY of at least two expressions."""
    return len(group_keys(select)) > 1


def keys_by_preference(
    select: exp.Expression, ctx: Context
) -> Iterator[tuple[exp.Expression, exp.Expression]]:
    """(SELECT, group key), the key that sorts last first."""
    keys = sorted(group_keys(select), key=lambda x: (isinstance(x, exp.Column), to_sql(x)), reverse=True)
    return ((select, x) for x in keys)


def key_is_determined(found: tuple[exp.Expression, exp.Expression], ctx: Context) -> HoldingFacts:
    """The other keys determine the key."""
    select, dropped = found
    rest = [x for x in group_keys(select) if key(x) != key(dropped)]
    known = closure_of_keys(select, rest, ctx)
    fixed = known.has_all(dropped) and dropped.find(exp.Query) is None
    read = [c for c in columns(dropped) if c.text("table") not in known.whole]
    if not fixed:
        return None
    if isinstance(dropped, exp.Column):
        return tuple(known.facts)
    exact = all_of(*(one_form(c, ctx) for c in read))
    return None if exact is None else (*known.facts, *exact)


DETERMINED_KEY = Choice(keys_by_preference, (key_is_determined,))


@rule(on=exp.Select, shape=(has_several_keys,), needs=DETERMINED_KEY.needs, esm_plus=5)
def eliminate_determined_group_key(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop a group key that the other keys determine.

    Before:  SELECT a.x, COUNT(*) FROM a GROUP BY a.id, a.x
    After:   SELECT a.x, COUNT(*) FROM a GROUP BY a.id
    Refuse:  a.id is not unique, or may be NULL: several rows with NULL keys fall into groups by a.x
    Sound:   rows that agree on the other keys agree on this one, so the groups are the same
    """
    found = DETERMINED_KEY.pick(select, ctx)
    if found is None:
        return None
    rest = [x for x in group_keys(select) if key(x) != key(found[1])]
    if not rest:
        rest = [found[1]]
    if len(rest) == len(group_keys(select)):
        return None
    select.args["group"].set("expressions", rest)
    return select


def filters_groups(select: exp.Expression) -> bool:
    """GROUP BY with HAVING."""
    return has_group_keys(select) and select.args.get("having") is not None


def row_conditions(select: exp.Expression, ctx: Context) -> Iterator[tuple[exp.Expression, exp.Expression]]:
    """(SELECT, conjunct of HAVING) for each conjunct without aggregates and subqueries."""
    having = select.args.get("having")
    for part in conjuncts(having.this if having is not None else None):
        if part.find(exp.Query) is None and not any(is_aggregate(node) for node in walk_block(part)):
            yield select, part


def condition_reads_keys(found: tuple[exp.Expression, exp.Expression], ctx: Context) -> HoldingFacts:
    """The condition reads nothing but what the group keys fix exactly."""
    select, part = found
    known = closure_of_keys(select, group_keys(select), ctx)
    fixed = all(known.has(place_of(c)) and is_exact(c, ctx) for c in columns(part))
    return (*known.facts, *forms_of(columns(part), ctx)) if fixed else None


ROW_CONDITION = Choice(row_conditions, (condition_reads_keys,))


def keep_in_having(select: exp.Expression, kept: list[exp.Expression]) -> None:
    """Make some conjuncts the whole HAVING."""
    condition = conjoin([part.copy() for part in kept])
    select.set("having", exp.Having(this=condition) if condition is not None else None)


@rule(on=exp.Select, shape=(filters_groups,), needs=ROW_CONDITION.needs)
def push_having_to_filter(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Filter on group keys before grouping.

    Before:  SELECT a.x, COUNT(*) FROM a GROUP BY a.x HAVING a.x > 1 AND COUNT(*) > 1
    After:   SELECT a.x, COUNT(*) FROM a WHERE a.x > 1 GROUP BY a.x HAVING COUNT(*) > 1
    Refuse:  an aggregate; a bare column; a key whose equal values may differ (NOCASE, 1 and 1.0)
    Sound:   the condition has one value in a group, and a group without rows does not appear
    """
    found = ROW_CONDITION.pick(select, ctx)
    if found is None:
        return None
    kept = [part for part in conjuncts(select.args["having"].this) if part is not found[1]]
    set_filters(select, [*filters(select), found[1]])
    keep_in_having(select, kept)
    return select


def requires_a_row(part: exp.Expression) -> bool:
    """``COUNT(*) > 0`` or ``COUNT(*) >= 1``, either way round."""
    left, right = part.args.get("this"), part.args.get("expression")
    if isinstance(part, exp.LT | exp.LTE):
        left, right = right, left
    if not isinstance(left, exp.Count) or not isinstance(left.this, exp.Star) or right is None:
        return False
    if not isinstance(right, exp.Literal) or right.is_string:
        return False
    strict = isinstance(part, exp.GT | exp.LT) and right.name == "0"
    return strict or (isinstance(part, exp.GTE | exp.LTE) and right.name == "1")


def requires_a_row_of_groups(select: exp.Expression) -> bool:
    """HAVING has a conjunct ``COUNT(*) > 0``, over GROUP BY."""
    return filters_groups(select) and any(map(requires_a_row, conjuncts(select.args["having"].this)))


@rule(on=exp.Select, shape=(requires_a_row_of_groups,))
def eliminate_having_any_row(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop HAVING COUNT(*) > 0.

    Before:  SELECT a.x FROM a GROUP BY a.x HAVING COUNT(*) > 0
    After:   SELECT a.x FROM a GROUP BY a.x
    Refuse:  no GROUP BY: the one group may be empty; COUNT(a.y) of a column that may be NULL
    Sound:   a group has at least one row
    """
    keep_in_having(select, [p for p in conjuncts(select.args["having"].this) if not requires_a_row(p)])
    return select


def single_rows(select: exp.Expression, ctx: Context) -> Iterator[Derived]:
    """The derived tables that are one row, joined on nothing, of which MIN and MAX of groups alone read."""
    keys = {key(x) for x in group_keys(select)}
    reads = body(select) if keys and not has_windows(select) else []
    # A MIN or MAX decides the row of a bare column.
    if len(inner_sources(select)) < 2 or any(
        reads_a_bare_column(part, keys) for part in reads if not isinstance(part, exp.Group)
    ):
        return
    for found in derived_tables(select):
        stands_inside = any(found.source is source for source in inner_sources(select))
        if stands_inside and _is_single_row(found.query) and all(map(_is_extreme_of_group, found.reads)):
            yield found


def _is_single_row(query: exp.Expression) -> bool:
    """Whether a SELECT has one row that its aggregates alone make, and no columns but of these."""
    plain = all(query.args.get(name) is None for name in ("with_", "having", "group", "order"))
    return (
        plain
        and is_unlimited(query)
        and not is_distinct(query)
        and not has_windows(query)
        and is_uncorrelated(query)
        and all(any(map(is_aggregate, walk_block(value))) for value in outputs(query))
    )


def _is_extreme_of_group(read: exp.Expression) -> bool:
    return isinstance(read.parent, exp.Expression) and is_plain_extreme(read.parent)


def joins_a_single_row(select: exp.Expression) -> bool:
    """GROUP BY over several sources."""
    return (
        has_group_keys(select) and len(sources(select)) > 1 and next(derived_tables(select), None) is not None
    )


def single_row_leaves_no_choice(found: Derived, ctx: Context) -> HoldingFacts:
    """The derived table may be evaluated anew for each group and each place where it is read."""
    return leaves_no_choice(found.query, ctx)


SINGLE_ROW = Choice(single_rows, (single_row_leaves_no_choice,))


@rule(on=exp.Select, shape=(joins_a_single_row,), needs=SINGLE_ROW.needs)
def convert_joined_row_to_subquery(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Ask a subquery for the single row that is joined to all rows of all groups.

    Before:  SELECT b.x FROM b JOIN (SELECT SUM(a.y) AS n FROM a) AS q GROUP BY b.x HAVING COUNT(*) > MAX(q.n)
    After:   SELECT b.x FROM b GROUP BY b.x HAVING COUNT(*) > (SELECT SUM(a.y) FROM a)
    Refuse:  no GROUP BY: of no rows MAX is NULL; SUM(q.n); a row that a choice makes, read twice
    Sound:   a group has rows, each of them beside the same one row, whose value is the greatest and the least
    """
    found = SINGLE_ROW.pick(select, ctx)
    if found is None:
        return None
    for read in found.reads:
        query = found.query.copy()
        query.set("expressions", [output_named(query, read.name)])
        assert read.parent is not None
        read.parent.replace(exp.Subquery(this=query))
    drop_source(select, alias_of(found.source))
    return select


def aggregates_nothing(select: exp.Expression) -> bool:
    """GROUP BY without aggregates, HAVING or windows."""
    plain = not aggregates(select) and select.args.get("having") is None and not has_windows(select)
    return has_group_keys(select) and plain


@rule(on=exp.Select, shape=(aggregates_nothing,), needs=(groups_by_strict_key,))
def eliminate_grouping_on_key(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop GROUP BY when every group is one row and nothing is aggregated.

    Before:  SELECT a.x FROM a GROUP BY a.id
    After:   SELECT a.x FROM a
    Refuse:  the key may be NULL or repeat: then a group has several rows
    Sound:   each row is its own group
    """
    select.set("group", None)
    return select


def _is_fixed_by_keys(value: exp.Expression, select: exp.Expression, ctx: Context) -> bool:
    """Whether a value reads nothing of which equal instances may differ, as those of COALESCE(x, 1.0) do."""
    computed = {key(x) for x in group_keys(select) if not isinstance(x, exp.Column)}
    exact = value.find(exp.Collate) is None and all(is_exact(c, ctx) for c in columns(value))
    return exact and not any(key(node) in computed for node in value.find_all(exp.Expression))


def outputs_follow_from_keys(select: exp.Expression, ctx: Context) -> HoldingFacts:
    """Each output is a group key, or the same for all rows whose keys count as equal."""
    keys = {key(x) for x in group_keys(select)}
    others = [value for value in outputs(select) if key(value) not in keys]
    fixed = all(_is_fixed_by_keys(value, select, ctx) for value in others)
    return forms_of((c for value in others for c in columns(value)), ctx) if fixed else None


def projects_keys_alone(select: exp.Expression) -> bool:
    """Every group key is projected, and nothing else is read."""
    keys = {key(x) for x in group_keys(select)}
    reads = [*outputs(select), *(term.this for term in order_terms(select))]
    return keys <= {key(x) for x in outputs(select)} and not any(
        True for r in reads for _ in bare_columns(r, keys)
    )


@rule(
    on=exp.Select,
    shape=(aggregates_nothing, projects_keys_alone, orders_by_outputs),
    needs=(outputs_follow_from_keys,),
)
def convert_grouping_to_distinct(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write GROUP BY without aggregates as DISTINCT.

    Before:  SELECT a.x, a.y FROM a GROUP BY a.x, a.y
    After:   SELECT DISTINCT a.x, a.y FROM a
    Refuse:  a key is not projected: SELECT a.x … GROUP BY a.x, a.y repeats a.x; k || 'x' of a NOCASE key k
    Sound:   there is one row for each combination of the keys, NULLs being equal in both forms
    """
    select.set("group", None)
    select.set("distinct", exp.Distinct())
    return select


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


def distinct_value_is_never_null(select: exp.Expression, ctx: Context) -> HoldingFacts:
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


def counted_column_is_key(call: exp.Expression, ctx: Context) -> HoldingFacts:
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
