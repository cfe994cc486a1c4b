"""Subqueries that filter: one form for semi-joins, anti-joins and extremes.

A source that only filters stands under EXISTS: where duplicates have no
effect, or where it matches at most once.  The body of an EXISTS is flat: no
EXISTS below its own filters, one EXISTS for each connected group of sources,
conditions on outer columns alone outside.  IN becomes EXISTS where NULL and
false have the same effect, or where neither side can be NULL; IN uses the
collation of its left side and ``=`` that of its left operand, so BINARY only.

``x NOT IN (q)`` is never true once q yields a NULL (unless q is empty), while
NOT EXISTS does not care: they agree only where neither side can be NULL.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from equiv.fingerprint import sources
from equiv.nullness import is_condition, never_null, rejected_nulls
from equiv.relation import Rows
from equiv.rule import Context, rule
from equiv.scope import aggregates, source_aliases
from equiv.sources import base_column
from equiv.sql import key
from equiv.value_types import Claim, affinity, all_of, collation

from .dependencies import (
    compares_as_stored,
    equalities,
    is_exact,
    matches_at_most_once,
    stored_column,
    table_of,
)
from .joins import (
    ParentJoin,
    child_is_included,
    has_only_left_padding,
    key_and_reference_compare_alike,
    not_null,
    require_values,
    same_named_equalities,
    unique_within,
)
from .structure import (
    alias_of,
    aliases_in,
    body,
    columns,
    filters,
    group_keys,
    inner_sources,
    is_block,
    joins_of,
    mentions,
    order_terms,
    outer_joins,
    outputs,
    place_of,
    set_filters,
    set_sources,
    substituted,
)
from .structure_guards import (
    Choice,
    compares_binary,
    has_limit_one,
    has_one_source,
    ignores_duplicates,
    is_ungrouped,
    is_unlimited,
    joins_nothing_outer,
)

# --- EXISTS -----------------------------------------------------------------------------------------


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

    Before:  SELECT a.x FROM a WHERE EXISTS (SELECT DISTINCT b.y FROM b WHERE b.a_id = a.id ORDER BY b.y LIMIT 5)
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
    bare = query.copy()
    for name in ("distinct", "group", "order", "limit"):
        bare.set(name, None)
    bare.set("expressions", [exp.Literal.number(1)])
    if key(bare) == key(query):
        return None
    return exp.Exists(this=bare)


def tests_membership(node: exp.Expression) -> bool:
    """IN over a plain block, with an operand that is no aggregate or window."""
    query = node.args.get("query")
    if query is None or isinstance(node.this, exp.Tuple):
        return False
    plain = node.this.find(exp.AggFunc, exp.Window, exp.Anonymous, exp.Query) is None
    return plain and is_block(block_of(node)) and len(block_of(node).expressions) == 1


def is_condition_here(node: exp.Expression) -> bool:
    """NULL and false have the same effect where the node stands."""
    return is_condition(node)


def membership_compares_binary(node: exp.Expression, ctx: Context) -> Claim:
    """Both sides of IN compare by BINARY."""
    member = outputs(block_of(node))[0]
    known = collation(node.this, ctx) in ("", "BINARY") and collation(member, ctx) in ("", "BINARY")
    return () if known else None


def to_exists(node: exp.Expression) -> exp.Expression:
    """``x IN (SELECT y …)`` as ``EXISTS (SELECT 1 … AND y = x)``."""
    query = block_of(node).copy()
    equal = exp.EQ(this=node.this.copy(), expression=outputs(query)[0].copy())
    set_filters(query, [*filters(query), equal])
    query.set("distinct", None)
    return exists(query)


@rule(
    on=exp.In, shape=(tests_membership, is_condition_here), needs=(membership_compares_binary,), esm_plus=12
)
def convert_in_to_exists(node: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write IN over a query as EXISTS.

    Before:  SELECT b.y FROM b WHERE b.a_id IN (SELECT a.id FROM a WHERE a.x = 1)
    After:   SELECT b.y FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.x = 1 AND b.a_id = a.id)
    Refuse:  under NOT or in the output, where NULL is not false; a query that groups or limits
    Sound:   IN is true iff a row's comparison is true; false and NULL have the same effect here
    """
    return to_exists(node)


def neither_side_is_null(node: exp.Expression, ctx: Context) -> Claim:
    """Neither the operand of IN nor any member can be NULL, so that IN is never NULL."""
    query = block_of(node)
    member = outputs(query)[0]
    if isinstance(member, exp.Column) and any(place_of(member) in rejected_nulls(c) for c in filters(query)):
        return never_null(node.this, ctx)
    return all_of(never_null(node.this, ctx), never_null(member, ctx))


@rule(
    on=exp.In, shape=(tests_membership,), needs=(neither_side_is_null, membership_compares_binary), esm_plus=6
)
def convert_not_in_to_not_exists(node: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write IN over a query as EXISTS also where NULL would count, if there is none.

    Before:  SELECT b.y FROM b WHERE NOT b.id IN (SELECT a.id FROM a)
    After:   SELECT b.y FROM b WHERE NOT EXISTS (SELECT 1 FROM a WHERE b.id = a.id)
    Refuse:  a member may be NULL: NOT IN is then never true, NOT EXISTS is
    Sound:   without NULL both are two-valued and agree
    """
    return to_exists(node)


# --- shape of an EXISTS body ------------------------------------------------------------------------


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

    Before:  SELECT a.x FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.a_id = a.id AND EXISTS (SELECT 1 FROM c WHERE c.a_id = b.id))
    After:   SELECT a.x FROM a WHERE EXISTS (SELECT 1 FROM b JOIN c WHERE b.a_id = a.id AND c.a_id = b.id)
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
    groups: list[tuple[set[str], list[exp.Expression]]] = [({alias}, []) for alias in aliases]
    for condition in conditions:
        reads = aliases_in(condition)
        touched = [group for group in groups if group[0] & reads]
        if not touched:
            continue
        names = set().union(*(group[0] for group in touched))
        groups = [group for group in groups if not group[0] & reads]
        groups.append((names, [*(c for group in touched for c in group[1]), condition]))
    return groups


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


@rule(on=exp.Exists, shape=(is_plain_exists, is_condition_here, falls_apart))
def reduce_exists_to_components(node: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Split an EXISTS into one for each linked group of sources; conditions on none go outside.

    Before:  SELECT a.x FROM a WHERE EXISTS (SELECT 1 FROM b JOIN c WHERE b.a_id = a.id AND c.y = 1 AND a.x > 0)
    After:   SELECT a.x FROM a WHERE a.x > 0 AND EXISTS (SELECT 1 FROM b WHERE b.a_id = a.id) AND EXISTS (SELECT 1 FROM c WHERE c.y = 1)
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


@dataclass(frozen=True)
class OuterKey:
    """An EXISTS over one source joined to a row of the same table outside."""

    node: exp.Expression
    inner: exp.Expression
    outer: str
    names: frozenset[str]


def tests_one_source(node: exp.Expression) -> bool:
    """EXISTS over a plain block of one source."""
    return is_block(block_of(node)) and has_one_source(block_of(node))


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


def outer_columns_are_unique(found: OuterKey, ctx: Context) -> Claim:
    """The equated columns contain a key: the row tested is the outer row itself."""
    table = table_of(found.inner, ctx)
    return None if table is None else unique_within(table.name, found.names, ctx)


OUTER_KEY = Choice(outer_keys, (outer_columns_are_unique,))


@rule(on=exp.Exists, shape=(tests_one_source, is_condition_here), needs=OUTER_KEY.needs, esm_plus=17)
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


@rule(on=exp.Exists, shape=(tests_one_source, is_condition_here), needs=TESTED_PARENT.needs, esm_plus=13)
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


# --- joins that only filter -------------------------------------------------------------------------


def read_aliases(select: exp.Expression) -> set[str]:
    """The sources that more than filters read."""
    parts = [*body(select), *outer_joins(select)]
    return source_aliases(select) & {alias for part in parts for alias in aliases_in(part)}


def filtering_aliases(select: exp.Expression) -> set[str]:
    """The inner sources that nothing but filters reads."""
    return {alias_of(source) for source in inner_sources(select)} - read_aliases(select)


def joins_to_filter(select: exp.Expression) -> bool:
    """A source is read, and another one by filters alone."""
    return bool(filtering_aliases(select) and read_aliases(select))


def joins_unread(select: exp.Expression) -> bool:
    """Several sources, of which one is read by filters alone; not the flat body of an EXISTS."""
    several = len(sources(select)) > 1 and not isinstance(select.parent, exp.Exists)
    return several and bool(filtering_aliases(select))


def test_instead_of_joining(select: exp.Expression, names: set[str]) -> exp.Expression:
    """Move sources that only filter under EXISTS, each linked group under its own."""
    conditions = filters(select)
    kept = [c for c in conditions if not mentions(c, names)]
    for group, linked in components(sorted(names), conditions):
        kept.append(exp.Exists(this=block_from(select, group, linked)))
    remaining = [s for s in inner_sources(select) if alias_of(s) not in names]
    set_sources(select, remaining, outer_joins(select))
    set_filters(select, kept)
    return select


@rule(on=exp.Select, shape=(has_only_left_padding, joins_to_filter, ignores_duplicates))
def convert_filtering_join_to_exists(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Test with EXISTS for a source that only filters, where duplicates have no effect.

    Before:  SELECT DISTINCT a.x FROM a JOIN b WHERE a.id = b.a_id AND b.y > 1
    After:   SELECT DISTINCT a.x FROM a WHERE EXISTS (SELECT 1 FROM b WHERE a.id = b.a_id AND b.y > 1)
    Refuse:  COUNT(*) counts the matches; DISTINCT with an ORDER BY that it does not project
    Sound:   the same rows of a remain, each once instead of once a match
    """
    return test_instead_of_joining(select, filtering_aliases(select))


@rule(
    on=exp.Select,
    shape=(has_only_left_padding, joins_to_filter, is_ungrouped, is_unlimited),
    under=Rows.SET,
)
def convert_filtering_join_under_set(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Test with EXISTS for a source that only filters when results compare as sets.

    Before:  SELECT a.x FROM a JOIN b WHERE a.id = b.a_id
    After:   SELECT a.x FROM a WHERE EXISTS (SELECT 1 FROM b WHERE a.id = b.a_id)
    Refuse:  LIMIT: repetitions use it up
    Sound:   the same rows of a remain, each once instead of once a match
    """
    return test_instead_of_joining(select, filtering_aliases(select))


def filtering_sources(select: exp.Expression, ctx: Context) -> Iterator[tuple[exp.Expression, str]]:
    """The sources that only filter, by the names of their tables, last first."""
    names = filtering_aliases(select)
    found = sorted(sources(select), key=lambda s: (s.name.lower(), alias_of(s)), reverse=True)
    return ((select, alias_of(source)) for source in found if alias_of(source) in names)


def match_is_unique(found: tuple[exp.Expression, str], ctx: Context) -> Claim:
    """A row of the other sources meets at most one row of the source."""
    return matches_at_most_once(found[0], found[1], ctx)


FILTERING_SOURCE = Choice(filtering_sources, (match_is_unique,))


@rule(
    on=exp.Select,
    shape=(has_only_left_padding, joins_unread),
    needs=FILTERING_SOURCE.needs,
    esm_plus=12,
)
def convert_unique_join_to_exists(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Test with EXISTS for a source that only filters and matches at most once.

    Before:  SELECT b.y FROM a JOIN b WHERE a.id = b.a_id AND a.x = 1
    After:   SELECT b.y FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.id = b.a_id AND a.x = 1)
    Refuse:  a row of b may match several rows of a, and is repeated then
    Sound:   each row of b appears once if it matches, never otherwise
    """
    found = FILTERING_SOURCE.pick(select, ctx)
    return None if found is None else test_instead_of_joining(select, {found[1]})


# --- anti-joins -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AntiJoin:
    """A LEFT JOIN and the filter that keeps its padded rows."""

    join: exp.Expression
    condition: exp.Expression


def anti_joins(select: exp.Expression, ctx: Context) -> Iterator[AntiJoin]:
    """LEFT JOINs that are read by nothing but their condition and one ``x IS NULL`` filter."""
    for join in outer_joins(select):
        alias = alias_of(join.this)
        for condition in filters(select):
            others = [c for c in filters(select) if c is not condition]
            rest = [*body(select), *others, *(j for j in joins_of(select) if j is not join)]
            if _tests_null_of(condition, alias) and not mentions(rest, alias):
                yield AntiJoin(join, condition)


def _tests_null_of(condition: exp.Expression, alias: str) -> bool:
    return (
        isinstance(condition, exp.Is)
        and isinstance(condition.expression, exp.Null)
        and isinstance(condition.this, exp.Column)
        and condition.this.text("table") == alias
    )


def column_is_null_only_when_padded(found: AntiJoin, ctx: Context) -> Claim:
    """The tested column is not NULL in a matched row: by a fact, or since the join condition rejects NULL."""
    column = found.condition.this
    condition = found.join.args.get("on")
    if condition is not None and place_of(column) in rejected_nulls(condition):
        return ()
    base = base_column(column, ctx)
    fact = ctx.facts.not_null(base[0].name, base[1].name) if base is not None else None
    return (fact,) if fact is not None else None


ANTI_JOIN = Choice(anti_joins, (column_is_null_only_when_padded,))


@rule(on=exp.Select, shape=(has_only_left_padding,), needs=ANTI_JOIN.needs, esm_plus=6)
def convert_anti_join_to_not_exists(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write LEFT JOIN … IS NULL as NOT EXISTS.

    Before:  SELECT a.x FROM a LEFT JOIN b ON b.a_id = a.id WHERE b.id IS NULL
    After:   SELECT a.x FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.a_id = a.id)
    Refuse:  the tested column may be NULL in a matched row, which then passes too
    Sound:   exactly the padded rows pass, one for each row without a match
    """
    found = ANTI_JOIN.pick(select, ctx)
    if found is None:
        return None
    query = exp.Select(expressions=[exp.Literal.number(1)])
    set_sources(query, [found.join.this])
    condition = found.join.args.get("on")
    set_filters(query, [condition] if condition is not None else [])
    kept = [c for c in filters(select) if c is not found.condition]
    left = [j for j in outer_joins(select) if j is not found.join]
    set_sources(select, inner_sources(select), left)
    set_filters(select, [*kept, exp.Not(this=exp.Exists(this=query))])
    return select


# --- extremes ---------------------------------------------------------------------------------------


def picks_first_value(query: exp.Expression) -> bool:
    """A scalar ``SELECT x … ORDER BY x LIMIT 1`` over a plain block."""
    terms = order_terms(query)
    bare = query.copy()
    bare.set("limit", None)
    return (
        has_limit_one(query)
        and is_block(bare)
        and is_scalar(query)
        and len(query.expressions) == 1
        and len(terms) == 1
        and key(terms[0].this) == key(outputs(query)[0])
    )


def is_scalar(query: exp.Expression) -> bool:
    """A query that stands for a value."""
    parent = query.parent
    if not isinstance(parent, exp.Subquery):
        return False
    return not isinstance(parent.parent, exp.From | exp.Join | exp.In | exp.Exists | exp.SetOperation)


def order_puts_null_last(query: exp.Expression, ctx: Context) -> Claim:
    """NULL comes last in the order, or the value is never NULL."""
    (term,) = order_terms(query)
    if term.args.get("desc") and not term.args.get("nulls_first"):
        return ()
    value = outputs(query)[0]
    if isinstance(value, exp.Column) and any(place_of(value) in rejected_nulls(c) for c in filters(query)):
        return ()
    return never_null(value, ctx)


def value_keeps_its_affinity(query: exp.Expression, ctx: Context) -> Claim:
    """The value is not compared, or with a column of its own affinity: MAX(x) has none."""
    scalar = query.parent
    value = outputs(query)[0]
    if scalar is None or not compares_binary(value, ctx):
        return None
    parent = scalar.parent
    if isinstance(parent, exp.Add | exp.Sub | exp.Mul | exp.Div):
        return ()
    if isinstance(parent, exp.EQ | exp.NEQ | exp.LT | exp.LTE | exp.GT | exp.GTE):
        other = parent.expression if parent.this is scalar else parent.this
        alike = isinstance(other, exp.Column) and affinity(other, ctx) is affinity(value, ctx)
        return () if alike and is_exact(other, ctx) else None
    return None


@rule(
    on=exp.Select,
    shape=(picks_first_value,),
    needs=(order_puts_null_last, value_keeps_its_affinity),
    esm_plus=9,
)
def convert_first_value_to_extreme(query: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write a scalar ORDER BY … LIMIT 1 of its own value as MIN or MAX.

    Before:  SELECT a.x FROM a WHERE a.x = (SELECT a2.x FROM a AS a2 ORDER BY a2.x DESC LIMIT 1)
    After:   SELECT a.x FROM a WHERE a.x = (SELECT MAX(a2.x) FROM a AS a2)
    Refuse:  ascending and the value may be NULL, which comes first; a comparison that converts a column
    Sound:   as a value both are the extreme, or NULL if there is none
    """
    (term,) = order_terms(query)
    value = outputs(query)[0].copy()
    call = exp.Max(this=value) if term.args.get("desc") else exp.Min(this=value)
    query.set("expressions", [exp.alias_(call, query.expressions[0].alias or "extreme")])
    for name in ("order", "limit", "distinct"):
        query.set(name, None)
    return query


@dataclass(frozen=True)
class ExtremeFilter:
    """``x = (SELECT MAX(x) …)`` over the one source that is filtered."""

    select: exp.Expression
    condition: exp.Expression
    column: exp.Expression
    call: exp.Expression


def extreme_filters(select: exp.Expression, ctx: Context) -> Iterator[ExtremeFilter]:
    """Filters that equate a column with its extreme over the same source under the same other filters."""
    for condition in filters(select):
        for column, other in equalities([condition]):
            query = other.this if isinstance(other, exp.Subquery) else None
            if not isinstance(query, exp.Select) or not has_one_source(query) or len(outputs(query)) != 1:
                continue
            call = outputs(query)[0]
            if isinstance(call, exp.Min | exp.Max) and _is_extreme_of(call, column, query):
                if _same_rows(select, condition, query, ctx):
                    yield ExtremeFilter(select, condition, column, call)


def _is_extreme_of(call: exp.Expression, column: exp.Expression, query: exp.Expression) -> bool:
    inner = call.this
    clauses = ("group", "having", "limit", "offset", "distinct", "with_")
    plain = not call.expressions and all(query.args.get(name) is None for name in clauses)
    return plain and isinstance(inner, exp.Column) and inner.name == column.name


def _same_rows(
    select: exp.Expression, condition: exp.Expression, query: exp.Expression, ctx: Context
) -> bool:
    """Whether the extreme is taken over the rows that the other filters of the SELECT let through."""
    outer, inner = sources(select)[0], sources(query)[0]
    table = table_of(outer, ctx)
    if table is None or table is not table_of(inner, ctx):
        return False
    old, new = alias_of(inner), alias_of(outer)
    if mentions(query, new):
        return False
    mapping = {place_of(c): exp.column(c.name, table=new) for c in columns(query) if c.text("table") == old}
    own = {key(c) for c in filters(select) if c is not condition}
    return own == {key(substituted(c, mapping)) for c in filters(query)}


def extreme_is_unique(found: ExtremeFilter, ctx: Context) -> Claim:
    """The column is a key without NULL: exactly one row holds the extreme, if there is a row."""
    base = stored_column(found.column, ctx)
    if base is None or not compares_as_stored(found.column, found.column, ctx):
        return None
    unique = unique_within(base[0].name, frozenset({base[1].name}), ctx)
    value = ctx.facts.not_null(base[0].name, base[1].name)
    return all_of(unique, (value,) if value is not None else None)


EXTREME_FILTER = Choice(extreme_filters, (extreme_is_unique,))


@rule(
    on=exp.Select,
    shape=(has_one_source, is_ungrouped, is_unlimited),
    needs=EXTREME_FILTER.needs,
    esm_plus=1,
)
def convert_extreme_filter_to_first_row(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write "the row with the extreme key" as ORDER BY … LIMIT 1.

    Before:  SELECT a.x FROM a WHERE a.id = (SELECT MAX(a2.id) FROM a AS a2)
    After:   SELECT a.x FROM a ORDER BY a.id DESC LIMIT 1
    Refuse:  ties, which = keeps all of; NULL, which ORDER BY may pick and = never does; other filters
    Sound:   one row holds the extreme; of no rows both forms yield none
    """
    found = EXTREME_FILTER.pick(select, ctx)
    if found is None:
        return None
    desc = isinstance(found.call, exp.Max)
    term = exp.Ordered(this=found.column.copy(), desc=desc, nulls_first=not desc)
    set_filters(select, [c for c in filters(select) if c is not found.condition])
    select.set("order", exp.Order(expressions=[term]))
    select.set("limit", exp.Limit(expression=exp.Literal.number(1)))
    select.set("distinct", None)
    return select


RULES = (
    reduce_exists_clauses,
    convert_in_to_exists,
    convert_not_in_to_not_exists,
    merge_nested_exists,
    reduce_exists_to_components,
    merge_semi_join_on_key,
    reduce_exists_on_reference,
    convert_filtering_join_to_exists,
    convert_filtering_join_under_set,
    convert_unique_join_to_exists,
    convert_anti_join_to_not_exists,
    convert_first_value_to_extreme,
    convert_extreme_filter_to_first_row,
)
