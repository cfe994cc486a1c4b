"""Joins that only filter: a source that nothing else reads stands under EXISTS.

That is sound where duplicates have no effect, or where the source matches at
most once.  A LEFT JOIN whose padded rows alone pass is an anti-join.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from equiv.core.claims.blocks import base_column, of_node, source_aliases
from equiv.core.claims.fingerprint import sources
from equiv.core.claims.nullness import rejected_nulls
from equiv.core.claims.value_types import HoldingFacts, all_of
from equiv.core.model import Context
from equiv.names import fold
from equiv.relation import Rows
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import (
    alias_of,
    aliases_in,
    body,
    columns,
    filters,
    inner_sources,
    joins_of,
    mentions,
    outer_joins,
    place_of,
    set_filters,
    set_sources,
)
from equiv.rules.guards.dependencies import matches_at_most_once
from equiv.rules.guards.selects import (
    Choice,
    ignores_duplicates,
    is_ungrouped,
    is_unlimited,
    picks_nothing_for_each_row,
)
from equiv.rules.queries.exists import block_from, components
from equiv.rules.queries.joins import has_only_left_padding
from equiv.rules.queries.wrappers import source_leaves_no_choice


def read_aliases(select: exp.Expression) -> set[str]:
    """The sources that more than filters read."""
    parts = [*body(select), *outer_joins(select)]
    return source_aliases(select) & {alias for part in parts for alias in aliases_in(part)}


@of_node
def filtering_aliases(select: exp.Expression) -> set[str]:
    """The inner sources that nothing but filters reads; none if LEFT JOINs would be left alone."""
    inner = {alias_of(source) for source in inner_sources(select)}
    found = inner - read_aliases(select)
    return set() if found == inner and outer_joins(select) else found


def joins_to_filter(select: exp.Expression) -> bool:
    """An inner source is read, and another one by filters alone."""
    return 0 < len(filtering_aliases(select)) < len(inner_sources(select))


def joins_unread(select: exp.Expression) -> bool:
    """Several inner sources, of which one is read by filters alone; not the flat body of an EXISTS."""
    several = len(inner_sources(select)) > 1 and not isinstance(select.parent, exp.Exists)
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


def filtering_sources_leave_no_choice(select: exp.Expression, ctx: Context) -> HoldingFacts:
    """The sources that only filter may be evaluated for each row, as under EXISTS."""
    names = filtering_aliases(select)
    moved = [source for source in sources(select) if alias_of(source) in names]
    return all_of(*(source_leaves_no_choice(source, ctx) for source in moved))


@rule(
    on=exp.Select,
    shape=(has_only_left_padding, joins_to_filter, ignores_duplicates, picks_nothing_for_each_row),
    needs=(filtering_sources_leave_no_choice,),
)
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
    shape=(has_only_left_padding, joins_to_filter, is_ungrouped, is_unlimited, picks_nothing_for_each_row),
    needs=(filtering_sources_leave_no_choice,),
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
    found = sorted(sources(select), key=lambda s: (fold(s.name), alias_of(s)), reverse=True)
    return ((select, alias_of(source)) for source in found if alias_of(source) in names)


def match_is_unique(found: tuple[exp.Expression, str], ctx: Context) -> HoldingFacts:
    """A row of the other sources meets at most one row of the source."""
    return matches_at_most_once(found[0], found[1], ctx)


def moved_source_leaves_no_choice(found: tuple[exp.Expression, str], ctx: Context) -> HoldingFacts:
    """The source may be evaluated for each row, as under EXISTS."""
    source = next(s for s in sources(found[0]) if alias_of(s) == found[1])
    return source_leaves_no_choice(source, ctx)


FILTERING_SOURCE = Choice(filtering_sources, (match_is_unique, moved_source_leaves_no_choice))


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


@dataclass(frozen=True)
class TestedJoin:
    """A LEFT JOIN of which no more is read than whether a column is NULL, and that test."""

    join: exp.Expression
    test: exp.Expression


def tested_joins(select: exp.Expression, ctx: Context) -> Iterator[TestedJoin]:
    """LEFT JOINs that are read by nothing but their condition and one ``x IS NULL`` within a filter."""
    for join in outer_joins(select):
        alias = alias_of(join.this)
        rest = [*body(select), *(each for each in joins_of(select) if each is not join)]
        read = [column for column in columns(filters(select)) if place_of(column)[0] == alias]
        test = read[0].parent if len(read) == 1 else None
        if not isinstance(test, exp.Is) or test.find_ancestor(exp.Select) is not select:
            continue
        if _tests_null_of(test, alias) and not mentions(rest, alias):
            yield TestedJoin(join, test)


def anti_joins(select: exp.Expression, ctx: Context) -> Iterator[TestedJoin]:
    """The tested LEFT JOINs of which a filter keeps the padded rows alone."""
    for found in tested_joins(select, ctx):
        if any(found.test is each for each in filters(select)):
            yield found


def _tests_null_of(condition: exp.Is, alias: str) -> bool:
    return (
        isinstance(condition.expression, exp.Null)
        and isinstance(condition.this, exp.Column)
        and condition.this.text("table") == alias
    )


def column_is_null_only_when_padded(found: TestedJoin, ctx: Context) -> HoldingFacts:
    """The tested column is not NULL in a matched row: by a fact, or since the join condition rejects NULL."""
    column = found.test.this
    condition = found.join.args.get("on")
    if condition is not None and place_of(column) in rejected_nulls(condition):
        return ()
    base = base_column(column, ctx)
    fact = ctx.facts.not_null(base[0].name, base[1].name) if base is not None else None
    return (fact,) if fact is not None else None


def joined_source_leaves_no_choice(found: TestedJoin, ctx: Context) -> HoldingFacts:
    """The joined source may be evaluated for each row, as under NOT EXISTS."""
    return source_leaves_no_choice(found.join.this, ctx)


ANTI_JOIN = Choice(anti_joins, (column_is_null_only_when_padded, joined_source_leaves_no_choice))


@rule(on=exp.Select, shape=(has_only_left_padding,), needs=ANTI_JOIN.needs, esm_plus=6)
def convert_anti_join_to_not_exists(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Write LEFT JOIN … IS NULL as NOT EXISTS.

    Before:  SELECT a.x FROM a LEFT JOIN b ON b.a_id = a.id WHERE b.id IS NULL
    After:   SELECT a.x FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.a_id = a.id)
    Refuse:  the tested column may be NULL in a matched row, which then passes too
    Sound:   exactly the padded rows pass, one for each row without a match
    """
    found = ANTI_JOIN.pick(select, ctx)
    return None if found is None else _tested_by_exists(select, found)


def match_of_join_is_unique(found: TestedJoin, ctx: Context) -> HoldingFacts:
    """A row of the left side meets at most one row of the joined source."""
    select = found.join.find_ancestor(exp.Select)
    return None if select is None else matches_at_most_once(select, alias_of(found.join.this), ctx)


TESTED_JOIN = Choice(
    tested_joins, (column_is_null_only_when_padded, joined_source_leaves_no_choice, match_of_join_is_unique)
)


@rule(on=exp.Select, shape=(has_only_left_padding,), needs=TESTED_JOIN.needs)
def convert_tested_join_to_exists(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Ask with EXISTS whether a LEFT JOIN that matches at most once found a row, where no more is read of it.

    Before:  SELECT b.y FROM b LEFT JOIN a ON a.id = b.a_id WHERE a.id IS NULL OR b.y > 1
    After:   SELECT b.y FROM b WHERE NOT EXISTS (SELECT 1 FROM a WHERE a.id = b.a_id) OR b.y > 1
    Refuse:  a row of b may match several rows of a, and is repeated then; a.x may be NULL in a match
    Sound:   each row of the left side appears once, and the column is NULL just if it is padded
    """
    found = TESTED_JOIN.pick(select, ctx)
    return None if found is None else _tested_by_exists(select, found)


def _tested_by_exists(select: exp.Expression, found: TestedJoin) -> exp.Expression:
    """The SELECT without the join, EXISTS or NOT EXISTS in place of its test."""
    query = exp.Select(expressions=[exp.Literal.number(1)])
    set_sources(query, [found.join.this])
    condition = found.join.args.get("on")
    set_filters(query, [condition] if condition is not None else [])
    is_matched = exp.Exists(this=query)
    if isinstance(found.test.parent, exp.Not):
        found.test.parent.replace(is_matched)
    else:
        found.test.replace(exp.Not(this=is_matched))
    left = [j for j in outer_joins(select) if j is not found.join]
    set_sources(select, inner_sources(select), left)
    return select
