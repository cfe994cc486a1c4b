"""Derived tables that group, joined by queries that aggregate: one grouping instead of two.

An aggregate of groups is an aggregate of their rows, if joining these one by one
instead of together changes nothing else: MIN and MAX do not mind how often a
row comes, and a SUM of what each group's SUM or COUNT is multiplied with has a
summand for each row of the group.  COUNT(*) outside counts groups, and AVG
averages them: both refuse.  Bare columns of the outer query come from one of the
same rows as before, of the row of the MIN or MAX if there is one.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from equiv.core.claims.blocks import aggregates, is_aggregate, is_grouped
from equiv.core.claims.value_types import Claim, all_of, conforms
from equiv.core.model import Context, Domain
from equiv.rewrite.rule import rule
from equiv.rules.guards.choices import picks_nothing_for_each_row
from equiv.rules.guards.clauses import (
    columns,
    group_keys,
    has_windows,
    inner_sources,
    only_pads_right,
    outputs,
    place_of,
)
from equiv.rules.guards.dependencies import closure, forms_of, is_exact, one_form
from equiv.rules.guards.expressions import arithmetic_is_exact, chain
from equiv.rules.guards.selects import Choice, compares_binary, has_order, is_distinct, is_unlimited
from equiv.rules.queries.derived_tables import Derived, derived_tables, inline

EXTREMES = (exp.Min, exp.Max)


def grouped_sources(select: exp.Expression, ctx: Context) -> Iterator[Derived]:
    """The derived tables whose groups a SELECT that aggregates may as well read row by row."""
    if not is_grouped(select) or has_windows(select) or not only_pads_right(select):
        return
    inner = inner_sources(select)
    for found in derived_tables(select):
        stands_inside = any(found.source is source for source in inner)
        if not stands_inside or not _groups_plainly(found.query) or not _reads_no_group(found):
            continue
        if all(_may_read_rows(call, found) for call in aggregates(select)):
            yield found


def _groups_plainly(query: exp.Expression) -> bool:
    """Whether a query only groups, and projects columns and single aggregate calls."""
    clauses = (query.args.get(name) is None for name in ("with_", "having"))
    plain = all(clauses) and is_unlimited(query) and not is_distinct(query) and not has_order(query)
    return (
        plain
        and bool(group_keys(query))
        and query.args.get("from_") is not None
        and only_pads_right(query)
        and not has_windows(query)
        and all(isinstance(value, exp.Column) or _is_plain_call(value) for value in outputs(query))
    )


def _is_plain_call(value: exp.Expression) -> bool:
    """Whether a value is MIN, MAX, SUM or COUNT of something, without DISTINCT."""
    if not isinstance(value, (*EXTREMES, exp.Sum, exp.Count)) or not is_aggregate(value):
        return False
    return not isinstance(value.this, exp.Distinct) and value.find(exp.Query) is None


def _calls_read(node: exp.Expression, found: Derived) -> list[exp.Expression]:
    """The columns in a tree that are aggregates of the groups."""
    mapping = found.mapping
    read = (c for c in columns(node) if any(c is own for own in found.reads))
    return [c for c in read if not isinstance(mapping.get(place_of(c)), exp.Column)]


def _reads_no_group(found: Derived) -> bool:
    """Whether aggregates of the groups are read, and by aggregates of the SELECT alone."""
    inside = [c for call in aggregates(found.select) for c in _calls_read(call, found)]
    read = _calls_read(found.select, found)
    known = len({place_of(c) for c in found.reads}) == len(found.mapping)
    return known and bool(read) and all(any(c is own for own in inside) for c in read)


def _may_read_rows(call: exp.Expression, found: Derived) -> bool:
    """Whether an aggregate call says the same of the rows of the groups, one by one."""
    read = _calls_read(call, found)
    if isinstance(call.parent, exp.Filter) and _calls_read(call.parent.expression, found):
        return False
    if isinstance(call, EXTREMES):
        return not read or (call.this is read[0] and isinstance(found.mapping[place_of(read[0])], type(call)))
    if isinstance(call.this, exp.Distinct):
        return not read
    if not isinstance(call, exp.Sum) or len(read) != 1:
        return False
    summed = isinstance(found.mapping[place_of(read[0])], exp.Sum | exp.Count)
    return summed and any(factor is read[0] for factor in factors(call.this))


def factors(node: exp.Expression) -> list[exp.Expression]:
    """The factors of a product."""
    if isinstance(node, exp.Paren):
        return factors(node.this)
    return [*factors(node.this), *factors(node.expression)] if isinstance(node, exp.Mul) else [node]


def keys_fix_columns_read(found: Derived, ctx: Context) -> Claim:
    """The columns that are read of a group are identical in all its rows."""
    read = [value for value in found.mapping.values() if isinstance(value, exp.Column)]
    places = {place_of(x) for x in group_keys(found.query) if isinstance(x, exp.Column)}
    known = closure(found.query, ctx, places)
    fixed = all(known.has(place_of(column)) and is_exact(column, ctx) for column in read)
    return (*known.facts, *forms_of(read, ctx)) if fixed else None


def extremes_have_one_form(found: Derived, ctx: Context) -> Claim:
    """What MIN or MAX picks is one value: BINARY, and not 1 or 1.0."""
    picked = [value.this for value in found.mapping.values() if isinstance(value, EXTREMES)]
    return all_of(*(_one_form(value, ctx) for value in picked))


def _one_form(value: exp.Expression, ctx: Context) -> Claim:
    if not compares_binary(value, ctx):
        return None
    if isinstance(value, exp.Column):
        return one_form(value, ctx)
    text = conforms(value, Domain.TEXT, ctx)
    return text if text is not None else conforms(value, Domain.INTEGER, ctx)


def sums_are_exact(found: Derived, ctx: Context) -> Claim:
    """What is summed and multiplied are numbers, and a sum is the same in whatever order it is made."""
    values = found.mapping.values()
    if not any(isinstance(value, exp.Sum | exp.Count) for value in values):
        return ()
    numbers = [value.this for value in values if isinstance(value, exp.Sum)]
    for call in _sums_of_groups(found):
        numbers += [factor for factor in factors(call.this) if not _calls_read(factor, found)]
    exact = arithmetic_is_exact(found.select, ctx)
    return all_of(*(conforms(value, Domain.NUMBER, ctx) for value in numbers), exact)


def _sums_of_groups(found: Derived) -> list[exp.Expression]:
    """The SUMs of what aggregates of the groups are multiplied with."""
    sums = (call for call in aggregates(found.select) if isinstance(call, exp.Sum))
    return [call for call in sums if _calls_read(call, found)]


GROUPED_SOURCE = Choice(grouped_sources, (keys_fix_columns_read, extremes_have_one_form, sums_are_exact))


def aggregates_a_grouped_source(select: exp.Expression) -> bool:
    """An aggregating SELECT reads a derived table that groups, beside nothing that is picked for each row."""
    groups = any(group_keys(found.query) for found in derived_tables(select))
    return groups and is_grouped(select) and picks_nothing_for_each_row(select)


@rule(on=exp.Select, shape=(aggregates_a_grouped_source,), needs=GROUPED_SOURCE.needs)
def inline_groups_of_aggregates(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Aggregate the rows of a derived table's groups instead of its aggregates.

    Before:  SELECT b.y, SUM(q.n * b.x) FROM b, (SELECT a.x, COUNT(*) AS n FROM a GROUP BY a.x) AS q
             WHERE q.x = b.y GROUP BY b.y
    After:   SELECT b.y, SUM(b.x) FROM b, a WHERE a.x = b.y GROUP BY b.y
    Refuse:  COUNT(*) or AVG outside; a condition on q.n; HAVING inside; SUM(q.n * q.m); MAX of a MIN
    Sound:   MIN, MAX and sums of products distribute over the rows of a group; what is read besides is theirs
    """
    found = GROUPED_SOURCE.pick(select, ctx)
    if found is None:
        return None
    for call in _sums_of_groups(found):
        _sum_rows(call, found)
    found.query.set("group", None)
    for projection in found.query.expressions:
        call = projection.unalias()
        if isinstance(call, (*EXTREMES, exp.Sum)):
            call.replace(call.this.copy())
        elif isinstance(call, exp.Count):
            call.replace(exp.Literal.number(1))
    return inline(found)


def _sum_rows(call: exp.Expression, found: Derived) -> None:
    """Put the bit that a COUNT counts in its place in a product of numbers, and drop it where it is 1."""
    (read,) = _calls_read(call, found)
    counted = found.mapping[place_of(read)]
    if not isinstance(counted, exp.Count):
        return
    others = [factor.copy() for factor in factors(call.this) if factor is not read]
    if isinstance(counted.this, exp.Expression) and not isinstance(counted.this, exp.Star):
        bit = exp.If(this=exp.Is(this=counted.this.copy(), expression=exp.Null()), true=exp.Literal.number(0))
        others.append(exp.Case(ifs=[bit], default=exp.Literal.number(1)))
    call.set("this", chain(exp.Mul, others or [exp.Literal.number(1)]))


RULES = (inline_groups_of_aggregates,)
