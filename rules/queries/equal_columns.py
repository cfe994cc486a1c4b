"""Columns that a filter makes equal: one of them is read for all.

They may stand for each other only if equal values are identical: the same
storage affinity and the collation BINARY, and not a column without affinity,
where 1 and 1.0 are equal and yet divide differently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlglot import exp

from equiv.core.claims.blocks import is_grouped, source_aliases
from equiv.core.claims.fingerprint import sources
from equiv.core.claims.value_types import Claim, all_of
from equiv.core.model import Context
from equiv.relation import Rows
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import (
    Place,
    alias_of,
    body,
    columns,
    filters,
    group_keys,
    outer_joins,
    place_of,
    set_filters,
    substitute,
    substituted,
)
from equiv.rules.guards.dependencies import EqualColumns, equal_columns, equalities, table_of
from equiv.rules.guards.selects import Choice, ignores_duplicates, is_ungrouped, is_unlimited
from equiv.rules.queries.joins import has_only_left_padding, unique_within


def equates_columns(select: exp.Expression) -> bool:
    """A filter equates two columns."""
    return any(isinstance(other, exp.Column) for _, other in equalities(filters(select)))


def classes_of_columns(select: exp.Expression, ctx: Context) -> Iterator[list[EqualColumns]]:
    """The columns that filters make equal: those that are then identical, if there are any."""
    for identical in (True, False):
        found = equal_columns(select, ctx, identical=identical)
        if found:
            yield found


def equal_columns_are_identical(classes: list[EqualColumns], _ctx: Context) -> Claim:
    """Columns of one class have one storage form and the collation BINARY."""
    return all_of(*(members.facts for members in classes))


EQUAL_COLUMNS = Choice(classes_of_columns, (equal_columns_are_identical,))


@rule(on=exp.Select, shape=(has_only_left_padding, equates_columns), needs=EQUAL_COLUMNS.needs, esm_plus=16)
def convert_to_representative_column(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Read one column for all that filters make equal, and equate each of them with that one.

    Before:  SELECT a.id FROM a JOIN b JOIN c WHERE a.id = b.x AND a.id = c.y
    After:   SELECT b.x FROM a JOIN b JOIN c WHERE b.x = a.id AND b.x = c.y
    Refuse:  other affinities or collations: TEXT '01' = INTEGER 1, 'a' = 'A' under NOCASE
    Sound:   in every row that passes WHERE the columns hold the identical value
    """
    padded = {alias_of(join.this) for join in outer_joins(select)}
    changed = False
    for members in EQUAL_COLUMNS.pick(select, ctx) or ():
        unpadded = {place for place in members.places if place[0] not in padded}
        if len(unpadded) > 1:
            changed |= _represent(select, unpadded, ctx)
    return select if changed else None


def _represent(select: exp.Expression, members: set[Place], ctx: Context) -> bool:
    """Make one of some equal columns stand for all; whether anything changed."""
    inside = [c for c in filters(select) if _links(c) and _links(c) <= members]
    outside = [c for c in filters(select) if not (_links(c) and _links(c) <= members)]
    reads = [place_of(c) for c in columns([*body(select), *outside, *outer_joins(select)])]
    first, *others = sorted(members, key=_preference(select, members, reads, ctx))
    star = [frozenset({first, other}) for other in others]
    if sorted(map(sorted, star)) == sorted(sorted(_links(c)) for c in inside) and not set(reads) & set(
        others
    ):
        return False
    mapping: dict[Place, exp.Expression] = {other: exp.column(first[1], table=first[0]) for other in others}
    links = [
        exp.EQ(this=exp.column(first[1], table=first[0]), expression=exp.column(o[1], table=o[0]))
        for o in others
    ]
    for part in [*body(select), *outer_joins(select)]:
        substitute(part, mapping)
    _substitute_whole(select, mapping)
    set_filters(select, [*links, *(substituted(c, mapping) for c in outside)])
    return True


def _preference(
    select: exp.Expression, members: set[Place], reads: list[Place], ctx: Context
) -> Callable[[Place], tuple[bool, bool, bool, str, str, int, str]]:
    """The order in which equal columns are preferred, by nothing that renaming changes but the last.

    An outer column first, since a condition on it need not stand in a subquery (an aggregate of one
    would be the outer query's, though); then one of a source that is read anyway; then a key where rows
    that match only need to be tested for, else no key, so that the source less worth reading is not read.
    """
    own = source_aliases(select)
    grouped = is_grouped(select)
    wants_key = _reads_rows_once(select, ctx)
    anchored = {place[0] for place in map(place_of, columns(body(select))) if place not in members}

    def rank(place: Place) -> tuple[bool, bool, bool, str, str, int, str]:
        source = next((s for s in sources(select) if alias_of(s) == place[0]), None)
        table = table_of(source, ctx) if source is not None else None
        alone = table is not None and unique_within(table.name, frozenset({place[1]}), ctx) is not None
        name = source.name.lower() if isinstance(source, exp.Table) else ""
        is_far = (place[0] in own) is not grouped
        known = (is_far, place[0] not in anchored, alone is not wants_key)
        return (*known, name, place[1].lower(), -reads.count(place), place[0])

    return rank


def _reads_rows_once(select: exp.Expression, ctx: Context) -> bool:
    """Whether repeated rows do not count, so that other sources can be tested for instead of joined."""
    if select.parent is None and ctx.compares_as(Rows.SET):
        return is_ungrouped(select) and is_unlimited(select)
    return ignores_duplicates(select) and not group_keys(select)


def _substitute_whole(select: exp.Expression, mapping: dict[Place, exp.Expression]) -> None:
    """Replace projections that are nothing but a column."""
    for projection in list(select.expressions):
        if isinstance(projection, exp.Column) and place_of(projection) in mapping:
            projection.replace(mapping[place_of(projection)].copy())


def _links(condition: exp.Expression) -> frozenset[Place]:
    """The two columns that a condition equates, or nothing."""
    if not isinstance(condition, exp.EQ):
        return frozenset()
    sides = (condition.this, condition.expression)
    if not all(isinstance(side, exp.Column) for side in sides):
        return frozenset()
    return frozenset(place_of(side) for side in sides)


RULES = (convert_to_representative_column,)
