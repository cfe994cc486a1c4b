"""Derived tables: inlined where their rows are those of a join, filter and projection, or of one grouping.

On the right of a LEFT JOIN a derived table pads its *outputs*: a plain column is NULL there as before, an
expression such as COALESCE(x, 0) would be evaluated on the padded row instead.  An expression in place of a
column also changes which collation a comparison uses, so then all must be BINARY.

*Derived tables that group*, joined by queries that aggregate, leave one grouping instead of two.  An
aggregate of groups is an aggregate of their rows, if joining these one by one instead of together changes
nothing else: MIN and MAX do not mind how often a row comes, and a SUM of what each group's SUM or COUNT
is multiplied with has a summand for each row of the group.  COUNT(*) outside counts groups, and AVG
averages them: both refuse. Bare columns of the outer query come from one of the same rows as before, of
the row of the MIN or MAX if there is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from sqlglot import exp

from equiv.core.claims.blocks import COMPARISONS, aggregates, ancestry, is_aggregate, is_grouped, walk_block
from equiv.core.claims.fingerprint import chain, sources
from equiv.core.claims.value_types import HoldingFacts, all_of, conforms
from equiv.core.model import Context, Domain
from equiv.relation import Rows
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import (
    Place,
    alias_of,
    columns,
    conjoin,
    conjuncts,
    enclosing_select,
    filters,
    group_keys,
    has_windows,
    inner_sources,
    is_block,
    only_pads_right,
    outer_joins,
    output_named,
    outputs,
    place_of,
    set_filters,
    set_sources,
    side_of,
    substitute,
)
from equiv.rules.guards.dependencies import closure, forms_of, is_exact, one_form
from equiv.rules.guards.expressions import arithmetic_is_exact
from equiv.rules.guards.selects import (
    Choice,
    compares_binary,
    has_order,
    ignores_duplicates,
    is_distinct,
    is_read_as_text,
    is_ungrouped,
    is_unlimited,
    may_convert_to_text,
    picks_nothing_for_each_row,
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
        if _aggregates(value) and any(enclosing_select(c) is not found.select for c in reads):
            return False
        if _is_outer(value, found) and any(map(_is_aggregated, reads)):
            return False
        if isinstance(value, exp.Literal) and any(
            isinstance(c.parent, exp.Ordered | exp.Group) for c in reads
        ):
            return False
    return len({place_of(c) for c in found.reads}) == len(found.mapping)


def _aggregates(value: exp.Expression) -> bool:
    """Whether a value is bound to the query that computes it: in a subquery it would be that one's."""
    return any(is_aggregate(node) or isinstance(node, exp.Window) for node in walk_block(value))


def _is_outer(value: exp.Expression, found: Derived) -> bool:
    """Whether a value reads columns of outer queries alone: an aggregate of it would belong to these."""
    tables = {place_of(column)[0] for column in columns(value)}
    return bool(tables) and not tables & _own(found)


def _is_aggregated(read: exp.Expression) -> bool:
    """Whether a column is read by an aggregate of its SELECT."""
    return any(map(is_aggregate, takewhile(lambda node: not isinstance(node, exp.Select), ancestry(read))))


def inlinable(select: exp.Expression, *, drops_duplicates: bool) -> Iterator[Derived]:
    """The derived tables that are plain blocks and stand where a join may."""
    if not only_pads_right(select):
        return
    for found in derived_tables(select):
        query = found.query
        if not is_block(query) or not only_pads_right(query) or not may_be_copied(found):
            continue
        if has_order(query):  # Dropped by a rule of its own, where nobody relies on it.
            continue
        if is_distinct(query) and not drops_duplicates:
            continue
        if len(sources(select)) > 1 and not picks_nothing_for_each_row(query):
            continue  # A row that is joined to several is one row, with what was picked for it.
        if not _is_left_joined(found.source) or _pads_alike(found):
            yield found


def _is_left_joined(source: exp.Expression) -> bool:
    return isinstance(source.parent, exp.Join) and bool(side_of(source.parent))


def _pads_alike(found: Derived) -> bool:
    """One source, of which plain columns are read: padding reaches them as it did the derived table."""
    plain = all(isinstance(v, exp.Column) and place_of(v)[0] in _own(found) for v in found.mapping.values())
    return plain and len(sources(found.query)) == 1


def _own(found: Derived) -> set[str]:
    return {alias_of(s) for s in sources(found.query)}


def collations_survive(found: Derived, ctx: Context) -> HoldingFacts:
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
    join = found.source.parent
    if isinstance(join, exp.Join) and side_of(join):
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


def distinct_compares_binary(found: Derived, ctx: Context) -> HoldingFacts:
    """The DISTINCT inside compares by BINARY, so that it drops nothing but repetitions."""
    return () if all(compares_binary(x, ctx) for x in outputs(found.query)) else None


def equal_values_act_alike(found: Derived, ctx: Context) -> HoldingFacts:
    """Values that DISTINCT takes for equal are identical, or only projected and compared: not 1.0 / 2."""
    claims = []
    for place, value in found.mapping.items():
        reads = [c for c in found.reads if place_of(c) == place]
        if all(_is_merely_compared(read, ctx) for read in reads):
            continue
        exact = one_form(value, ctx) if isinstance(value, exp.Column) else None
        text, whole = (conforms(value, domain, ctx) for domain in (Domain.TEXT, Domain.INTEGER))
        claims.append(next((claim for claim in (exact, text) if claim is not None), whole))
    return all_of(*claims)


def _is_merely_compared(read: exp.Expression, ctx: Context) -> bool:
    """Whether a column is a projection, or an operand of a comparison, that is not read as text."""
    parent = read.parent.parent if isinstance(read.parent, exp.Alias) else read.parent
    if isinstance(parent, exp.Select):
        return not is_read_as_text(parent, ctx)
    if isinstance(parent, (exp.Is, *COMPARISONS)):
        return not any(
            may_convert_to_text(side, ctx) for side in parent.iter_expressions() if side is not read
        )
    return isinstance(parent, exp.Ordered)


DISTINCT_BLOCK = Choice(
    distinct_blocks, (collations_survive, distinct_compares_binary, equal_values_act_alike)
)


@rule(
    on=exp.Select,
    shape=(ignores_duplicates, reads_distinct_block, picks_nothing_for_each_row),
    needs=DISTINCT_BLOCK.needs,
)
def inline_distinct_derived_table(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Inline a DISTINCT derived table where duplicates have no effect.

    Before:  SELECT MAX(q.x) FROM (SELECT DISTINCT a.x FROM a) AS q
    After:   SELECT MAX(a.x) FROM a
    Refuse:  SUM or COUNT(*) outside; NOCASE, under which DISTINCT drops 'A' beside 'a'; q.x / 2 of 1 and 1.0
    Sound:   the inlined rows are the derived ones, some of them repeated
    """
    found = DISTINCT_BLOCK.pick(select, ctx)
    return None if found is None else inline(found)


@rule(
    on=exp.Select,
    shape=(is_ungrouped, is_unlimited, reads_distinct_block, picks_nothing_for_each_row),
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


def distinct_groups(select: exp.Expression, ctx: Context) -> Iterator[Derived]:
    """The derived tables that group, with DISTINCT."""
    for found in derived_tables(select) if only_pads_right(select) else ():
        query = found.query
        if is_distinct(query) and is_grouped(query) and is_unlimited(query) and not has_windows(query):
            yield found


def reads_distinct_groups(select: exp.Expression) -> bool:
    """A derived table groups, with DISTINCT."""
    return any(is_distinct(found.query) and is_grouped(found.query) for found in derived_tables(select))


DISTINCT_GROUPS = Choice(distinct_groups, (distinct_compares_binary, equal_values_act_alike))


@rule(
    on=exp.Select,
    shape=(ignores_duplicates, reads_distinct_groups, picks_nothing_for_each_row),
    needs=DISTINCT_GROUPS.needs,
)
def eliminate_distinct_in_derived_table(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop the DISTINCT of a derived table that groups where duplicates have no effect.

    Before:  SELECT MAX(q.n) FROM (SELECT DISTINCT COUNT(*) AS n FROM a GROUP BY a.x) AS q
    After:   SELECT MAX(q.n) FROM (SELECT COUNT(*) AS n FROM a GROUP BY a.x) AS q
    Refuse:  SUM or COUNT(*) outside; NOCASE, under which DISTINCT drops 'A' beside 'a'; q.n / 2 of 1 and 1.0
    Sound:   the derived rows are the same, some of them repeated
    """
    found = DISTINCT_GROUPS.pick(select, ctx)
    if found is not None:
        found.query.set("distinct", None)
    return None if found is None else select


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


def keys_fix_columns_read(found: Derived, ctx: Context) -> HoldingFacts:
    """The columns that are read of a group are identical in all its rows."""
    read = [value for value in found.mapping.values() if isinstance(value, exp.Column)]
    places = {place_of(x) for x in group_keys(found.query) if isinstance(x, exp.Column)}
    known = closure(found.query, ctx, places)
    fixed = all(known.has(place_of(column)) and is_exact(column, ctx) for column in read)
    return (*known.facts, *forms_of(read, ctx)) if fixed else None


def extremes_have_one_form(found: Derived, ctx: Context) -> HoldingFacts:
    """What MIN or MAX picks is one value: BINARY, and not 1 or 1.0."""
    picked = [value.this for value in found.mapping.values() if isinstance(value, EXTREMES)]
    return all_of(*(_one_form(value, ctx) for value in picked))


def _one_form(value: exp.Expression, ctx: Context) -> HoldingFacts:
    if not compares_binary(value, ctx):
        return None
    if isinstance(value, exp.Column):
        return one_form(value, ctx)
    text = conforms(value, Domain.TEXT, ctx)
    return text if text is not None else conforms(value, Domain.INTEGER, ctx)


def sums_are_exact(found: Derived, ctx: Context) -> HoldingFacts:
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
