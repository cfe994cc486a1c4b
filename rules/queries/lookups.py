"""The row that the first group refers to: looked up by its key, or joined before grouping.

Each row of the child has exactly one parent where the reference is a foreign key
that is never NULL, so joining first leaves the groups as they are.  Were a
reference NULL or without parent, the first group could be one that no parent
has: a lookup then finds nothing, and a join goes on to the next group.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from equiv.core.claims.fingerprint import sources
from equiv.core.claims.nullness import never_null
from equiv.core.claims.value_types import Claim
from equiv.core.model import Context
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import (
    filters,
    group_keys,
    has_settled_joins,
    has_windows,
    is_block,
    is_own,
    order_terms,
    outputs,
    set_filters,
    set_sources,
)
from equiv.rules.guards.expressions import same
from equiv.rules.guards.selects import Choice, has_limit_one, has_one_source, is_distinct, joins_nothing_outer
from equiv.rules.queries.ctes import is_uncorrelated
from equiv.rules.queries.joins import (
    ParentJoin,
    child_is_included,
    key_and_reference_compare_alike,
    parent_columns_are_unique,
)


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


def key_is_unique(found: tuple[exp.Expression, Lookup], ctx: Context) -> Claim:
    """The column that is compared is a key of its table."""
    return parent_columns_are_unique(found[1].as_join(found[0]), ctx)


def group_key_is_included(found: tuple[exp.Expression, Lookup], ctx: Context) -> Claim:
    """The group key is a foreign key to it."""
    return child_is_included(found[1].as_join(found[0]), ctx)


def group_key_compares_alike(found: tuple[exp.Expression, Lookup], ctx: Context) -> Claim:
    """Both have one affinity and compare by BINARY."""
    return key_and_reference_compare_alike(found[1].as_join(found[0]), ctx)


def group_key_is_never_null(found: tuple[exp.Expression, Lookup], ctx: Context) -> Claim:
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


RULES = (convert_lookup_of_group_to_join,)
