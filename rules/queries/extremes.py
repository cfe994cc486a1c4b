"""The greatest and the least: MAX and MIN against ORDER BY with LIMIT 1, the first group, what it refers to.

Of no rows an aggregate yields one row of NULL and LIMIT 1 yields no row: as a value they agree, as rows
they do not.  NULL comes first in ascending order, while MIN skips it.  A column has an affinity for
comparisons, MAX of it none.

*The first group by its greatest value.*  The group whose MAX(v) is the greatest holds the rows whose v is the
greatest, so ``GROUP BY x ORDER BY MAX(v) DESC LIMIT 1`` shows what ``ORDER BY v DESC LIMIT 1`` does, ties
included.  A second row may be of the same group, so only LIMIT 1.

*The row that the first group refers to* is looked up by its key, or joined before grouping.  Each row of the
child has exactly one parent where the reference is a foreign key that is never NULL, so joining first leaves
the groups as they are.  Were a reference NULL or without parent, the first group could be one that no parent
has: a lookup then finds nothing, and a join goes on to the next group.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from equiv.core.claims.blocks import COMPARISONS, aggregates, home, is_scalar, source_aliases
from equiv.core.claims.fingerprint import sources
from equiv.core.claims.nullness import never_null, rejected_nulls
from equiv.core.claims.value_types import HoldingFacts, affinity, all_of
from equiv.core.model import Context
from equiv.core.printing import key
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import (
    alias_of,
    columns,
    filters,
    group_keys,
    has_settled_joins,
    has_windows,
    is_block,
    is_own,
    mentions,
    order_terms,
    outputs,
    place_of,
    set_filters,
    set_sources,
    substituted,
)
from equiv.rules.guards.dependencies import compares_as_stored, equalities, one_form, stored_column, table_of
from equiv.rules.guards.expressions import same
from equiv.rules.guards.selects import (
    Choice,
    compares_binary,
    has_limit_one,
    has_no_filter,
    has_one_source,
    is_distinct,
    is_root,
    is_ungrouped,
    is_unlimited,
    joins_nothing_outer,
    source_has_rows,
)
from equiv.rules.queries.joins import (
    ParentJoin,
    child_is_included,
    key_and_reference_compare_alike,
    parent_columns_are_unique,
    unique_within,
)
from equiv.rules.queries.wrappers import is_uncorrelated


def sorts_by_its_value(query: exp.Expression) -> bool:
    """``SELECT x … ORDER BY x LIMIT 1`` over a plain block, x being no outer column."""
    if not has_limit_one(query):
        return False
    terms = order_terms(query)
    bare = query.copy()
    bare.set("limit", None)
    return (
        is_block(bare)
        and len(query.expressions) == 1
        and len(terms) == 1
        and key(terms[0].this) == key(outputs(query)[0])
        and mentions(terms[0], source_aliases(query))
    )


def picks_first_value(query: exp.Expression) -> bool:
    """A scalar ``SELECT x … ORDER BY x LIMIT 1``."""
    return sorts_by_its_value(query) and is_scalar(query)


def order_puts_null_last(query: exp.Expression, ctx: Context) -> HoldingFacts:
    """NULL comes last in the order, or the value is never NULL."""
    (term,) = order_terms(query)
    if term.args.get("desc") and not term.args.get("nulls_first"):
        return ()
    value = outputs(query)[0]
    if isinstance(value, exp.Column) and any(place_of(value) in rejected_nulls(c) for c in filters(query)):
        return ()
    return never_null(value, ctx)


def value_keeps_its_affinity(query: exp.Expression, ctx: Context) -> HoldingFacts:
    """The value is not compared, or with a column of its own affinity: MAX(x) has none."""
    scalar = query.parent
    value = outputs(query)[0]
    if scalar is None or not compares_binary(value, ctx):
        return None
    parent = scalar.parent
    if isinstance(parent, exp.Add | exp.Sub | exp.Mul | exp.Div):
        return ()
    if isinstance(parent, COMPARISONS):
        other = parent.expression if parent.this is scalar else parent.this
        alike = isinstance(other, exp.Column) and affinity(other, ctx) is affinity(value, ctx)
        return one_form(other, ctx) if alike else None
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
    return _as_extreme(query)


def _as_extreme(query: exp.Expression) -> exp.Expression:
    (term,) = order_terms(query)
    value = outputs(query)[0].copy()
    call = exp.Max(this=value) if term.args.get("desc") else exp.Min(this=value)
    query.set("expressions", [exp.alias_(call, query.expressions[0].alias or "extreme")])
    for name in ("order", "limit", "distinct"):
        query.set(name, None)
    return query


def value_is_binary(query: exp.Expression, ctx: Context) -> HoldingFacts:
    """The value compares by BINARY: rows that tie hold one value."""
    return () if compares_binary(outputs(query)[0], ctx) else None


@rule(
    on=exp.Select,
    shape=(is_root, sorts_by_its_value, has_one_source, has_no_filter),
    needs=(source_has_rows, order_puts_null_last, value_is_binary),
    esm_plus=9,
)
def convert_first_row_to_extreme(query: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write ORDER BY … LIMIT 1 of its own value as MIN or MAX where there is a row.

    Before:  SELECT a.x FROM a ORDER BY a.x DESC LIMIT 1
    After:   SELECT MAX(a.x) FROM a
    Refuse:  an empty table, of which MAX makes a row and LIMIT 1 none; a filter, which may leave none;
             ascending and the value may be NULL, which comes first; NOCASE, under which ties differ
    Sound:   both yield one row: the extreme, or NULL where every value is
    """
    return _as_extreme(query)


@dataclass(frozen=True)
class ExtremeFilter:
    """``x = (SELECT MAX(x) …)`` over the one source that is filtered."""

    select: exp.Expression
    condition: exp.Expression
    column: exp.Expression
    call: exp.Expression


def extreme_filters(select: exp.Expression, ctx: Context) -> Iterator[ExtremeFilter]:
    """Filters that equate an own column with its extreme over the source under the same other filters."""
    for condition in filters(select):
        for column, other in equalities([condition]):
            query = other.this if isinstance(other, exp.Subquery) else None
            if not isinstance(query, exp.Select) or not has_one_source(query) or len(outputs(query)) != 1:
                continue
            call = outputs(query)[0]
            if not is_own(column, select):
                continue
            if _is_extreme_of(call, column, query) and _same_rows(select, condition, query, ctx):
                yield ExtremeFilter(select, condition, column, call)


def _is_extreme_of(call: exp.Expression, column: exp.Expression, query: exp.Expression) -> bool:
    if not isinstance(call, exp.Min | exp.Max):
        return False
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


def extreme_is_unique(found: ExtremeFilter, ctx: Context) -> HoldingFacts:
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
    term = exp.Ordered(this=found.column.copy(), desc=desc)
    set_filters(select, [c for c in filters(select) if c is not found.condition])
    select.set("order", exp.Order(expressions=[term]))
    select.set("limit", exp.Limit(expression=exp.Literal.number(1)))
    select.set("distinct", None)
    return select


def first_extreme(select: exp.Expression) -> exp.Expression | None:
    """The MAX of a column by which alone the groups are ordered, the greatest first and NULL last."""
    terms = order_terms(select)
    if len(terms) != 1 or not terms[0].args.get("desc") or terms[0].args.get("nulls_first"):
        return None
    call = terms[0].this
    plain = isinstance(call, exp.Max) and not call.expressions and isinstance(call.this, exp.Column)
    return call if plain and home(call.this) is select else None


def picks_first_group(select: exp.Expression) -> bool:
    """``SELECT k … GROUP BY k ORDER BY MAX(v) DESC LIMIT 1``; a whole query may show MAX(v)."""
    call = first_extreme(select)
    clauses = ("having", "with_", "qualify")
    if call is None or not has_limit_one(select) or is_distinct(select) or has_windows(select):
        return False
    if len(group_keys(select)) != 1 or any(select.args.get(name) is not None for name in clauses):
        return False
    shown = {key(x) for x in group_keys(select)} | ({key(call)} if is_root(select) else set())
    alone = all(key(found) == key(call) for found in aggregates(select))
    return alone and all(key(x) in shown for x in outputs(select))


def extreme_is_binary(select: exp.Expression, ctx: Context) -> HoldingFacts:
    """Values compare by BINARY, so that those that tie are equal."""
    call = first_extreme(select)
    return () if call is not None and compares_binary(call, ctx) else None


def keys_are_columns(select: exp.Expression) -> bool:
    """The group key is a plain column."""
    return all(isinstance(x, exp.Column) for x in group_keys(select))


def keys_are_binary(select: exp.Expression, ctx: Context) -> HoldingFacts:
    """Group keys compare by BINARY, so that equal ones are one value."""
    return () if all(compares_binary(x, ctx) for x in group_keys(select)) else None


@rule(
    on=exp.Select,
    shape=(picks_first_group, keys_are_columns),
    needs=(extreme_is_binary, keys_are_binary),
)
def convert_group_with_extreme_to_first_row(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write the group with the greatest MAX as the row with the greatest value.

    Before:  SELECT a.x FROM a GROUP BY a.x ORDER BY MAX(a.y) DESC LIMIT 1
    After:   SELECT a.x FROM a ORDER BY a.y DESC LIMIT 1
    Refuse:  LIMIT 2: two rows may be of one group; ORDER BY MIN(a.y): NULL comes first, and MIN skips it;
             ORDER BY MAX(a.y) ascending, the group whose greatest is least; HAVING; ORDER BY SUM(a.y)
    Sound:   the groups with the greatest MAX are those of the rows with the greatest value; NULL is last
    """
    call = first_extreme(select)
    if call is None:
        return None
    for value in [*select.expressions, *order_terms(select)]:
        for found in [node for node in value.find_all(type(call)) if key(node) == key(call)]:
            found.replace(call.this.copy())
    select.set("group", None)
    return select


@dataclass(frozen=True)
class Lookup:
    """``parent.key = (SELECT child.key … GROUP BY child.key ORDER BY … LIMIT 1)``, alone in its WHERE."""

    condition: exp.Expression
    key: exp.Expression
    query: exp.Expression

    def as_join(self, select: exp.Expression) -> ParentJoin:
        """The parent, as a join with the child would have it."""
        return ParentJoin(sources(select)[0], ((self.key, outputs(self.query)[0]),))


def looks_up_a_row(select: exp.Expression) -> bool:
    """One filter over one source, without order: what stands there is a key or it is not."""
    plain = is_block(select) and has_one_source(select) and not is_distinct(select)
    return plain and not order_terms(select) and len(filters(select)) == 1


def lookups(select: exp.Expression, ctx: Context) -> Iterator[tuple[exp.Expression, Lookup]]:
    """(SELECT, lookup) where its filter compares an own column with the key of the first group."""
    if any(x.find(exp.Query) for x in outputs(select)):
        return
    for condition in filters(select):
        for column, other in _compared(condition):
            query = other.this if isinstance(other, exp.Subquery) else other
            if not isinstance(column, exp.Column) or not is_own(column, select):
                continue
            if isinstance(query, exp.Select) and _is_first_group(query):
                yield select, Lookup(condition, column, query)


def _compared(condition: exp.Expression) -> Iterator[tuple[exp.Expression, exp.Expression | None]]:
    """What an equality or IN compares, an equality both ways round."""
    if isinstance(condition, exp.EQ):
        yield condition.this, condition.expression
        yield condition.expression, condition.this
    elif isinstance(condition, exp.In):
        yield condition.this, condition.args.get("query")


def _is_first_group(query: exp.Expression) -> bool:
    """``SELECT k … GROUP BY k ORDER BY … LIMIT 1`` of a column, over inner joins, by itself."""
    keys, clauses = group_keys(query), ("distinct", "with_")
    if len(keys) != 1 or len(outputs(query)) != 1 or any(query.args.get(name) for name in clauses):
        return False
    reads = has_settled_joins(query) and joins_nothing_outer(query) and not has_windows(query)
    shown = isinstance(keys[0], exp.Column) and same(keys[0], outputs(query)[0])
    return shown and reads and has_limit_one(query) and bool(order_terms(query)) and is_uncorrelated(query)


def key_is_unique(found: tuple[exp.Expression, Lookup], ctx: Context) -> HoldingFacts:
    """The column that is compared is a key of its table."""
    return parent_columns_are_unique(found[1].as_join(found[0]), ctx)


def group_key_is_included(found: tuple[exp.Expression, Lookup], ctx: Context) -> HoldingFacts:
    """The group key is a foreign key to it."""
    return child_is_included(found[1].as_join(found[0]), ctx)


def group_key_compares_alike(found: tuple[exp.Expression, Lookup], ctx: Context) -> HoldingFacts:
    """Both have one affinity and compare by BINARY."""
    return key_and_reference_compare_alike(found[1].as_join(found[0]), ctx)


def group_key_is_never_null(found: tuple[exp.Expression, Lookup], ctx: Context) -> HoldingFacts:
    """The group key is never NULL."""
    return never_null(outputs(found[1].query)[0], ctx)


LOOKUP = Choice(
    lookups, (key_is_unique, group_key_is_included, group_key_compares_alike, group_key_is_never_null)
)


@rule(on=exp.Select, shape=(looks_up_a_row,), needs=LOOKUP.needs)
def convert_lookup_of_group_to_join(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Join the parent before grouping instead of looking up the key of the first group.

    Before:  SELECT a.x FROM a
             WHERE a.id = (SELECT b.a_id FROM b GROUP BY b.a_id ORDER BY COUNT(*) DESC LIMIT 1)
    After:   SELECT a.x FROM a JOIN b WHERE a.id = b.a_id GROUP BY b.a_id ORDER BY COUNT(*) DESC LIMIT 1
    Refuse:  b.a_id may be NULL or have no parent, and its group be the first; a further filter on a,
             which a lookup applies after LIMIT; LIMIT 2
    Sound:   each row of b joins one row of a, so the groups are the same, and each has one row of a
    """
    found = LOOKUP.pick(select, ctx)
    if found is None:
        return None
    lookup, parent = found[1], sources(select)[0]
    query = lookup.query.copy()
    (reference,) = outputs(query)
    match = exp.EQ(this=lookup.key.copy(), expression=reference.copy())
    query.set("expressions", [x.copy() for x in select.expressions])
    set_sources(query, [parent, *sources(query)])
    others = [part for part in filters(select) if part is not lookup.condition]
    set_filters(query, [*filters(query), match, *others])
    return query
