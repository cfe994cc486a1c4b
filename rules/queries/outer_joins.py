"""Outer joins: reduced where padded rows do not pass, dropped where nobody reads them; columns made equal.

A LEFT JOIN pads its right side with NULL where nothing matches.  A filter that rejects NULL there drops the
padded rows, so the join may as well be inner; and a NOT NULL reference always matches, so none is padded.

*Columns that a filter makes equal*: one of them is read for all.  They may stand for each other only if equal
values are identical: the same storage affinity and the collation BINARY, and not a column without affinity,
where 1 and 1.0 are equal and yet divide differently.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from equiv.core.claims.blocks import base_column, is_grouped, source_aliases
from equiv.core.claims.fingerprint import sources
from equiv.core.claims.nullness import never_null, rejected_nulls
from equiv.core.claims.value_types import HoldingFacts, all_of
from equiv.core.model import Context
from equiv.facts import FactKind
from equiv.names import fold
from equiv.relation import Rows
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import (
    Place,
    alias_of,
    body,
    columns,
    conjuncts,
    drop_source,
    filters,
    group_keys,
    joins_of,
    mentions,
    outer_joins,
    place_of,
    set_filters,
    side_of,
    substitute,
    substituted,
)
from equiv.rules.guards.dependencies import (
    EqualColumns,
    equal_columns,
    equalities,
    interchangeable,
    matches_at_most_once,
    stored_column,
    table_of,
)
from equiv.rules.guards.selects import (
    Choice,
    ignores_duplicates,
    is_ungrouped,
    is_unlimited,
    picks_nothing_for_each_row,
)
from equiv.rules.queries.joins import has_only_left_padding, unique_within


def starts_with_right_join(select: exp.Expression) -> bool:
    """The first join is a RIGHT JOIN."""
    joins = joins_of(select)
    return bool(joins) and side_of(joins[0]) == "RIGHT"


@rule(on=exp.Select, shape=(starts_with_right_join,))
def convert_right_join_to_left(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Turn a leading RIGHT JOIN round.

    Before:  SELECT a.x, b.y FROM a RIGHT JOIN b ON a.id = b.a_id
    After:   SELECT a.x, b.y FROM b LEFT JOIN a ON a.id = b.a_id
    Refuse:  a join stands before it: its left side is not one source
    Sound:   a RIGHT JOIN keeps every row of its right side, as a LEFT JOIN does of its left
    """
    first, *rest = joins_of(select)
    left, right = select.args["from_"].this, first.this
    turned = exp.Join(this=left.copy(), side="LEFT", on=first.args.get("on"))
    select.set("from_", exp.From(this=right.copy()))
    select.set("joins", [turned, *rest])
    return select


def full_join_side_rejected(select: exp.Expression) -> str:
    """How a FULL JOIN may be reduced: "LEFT", "RIGHT", or "" if it may not."""
    joins = joins_of(select)
    rejected = {place[0] for condition in filters(select) for place in rejected_nulls(condition)}
    for position, join in enumerate(joins):
        if side_of(join) == "FULL":
            if {alias_of(s) for s in sources(select)[: position + 1]} & rejected:
                return "LEFT"
            return "RIGHT" if alias_of(join.this) in rejected else ""
    return ""


def rejects_a_side_of_full_join(select: exp.Expression) -> bool:
    """A filter rejects NULL on one side of a FULL JOIN."""
    return bool(full_join_side_rejected(select))


@rule(on=exp.Select, shape=(rejects_a_side_of_full_join,))
def reduce_full_join(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Make a FULL JOIN one-sided when a filter rejects the rows padded on the other side.

    Before:  SELECT a.x, b.y FROM a FULL JOIN b ON a.id = b.a_id WHERE a.x > 1
    After:   SELECT a.x, b.y FROM a LEFT JOIN b ON a.id = b.a_id WHERE a.x > 1
    Refuse:  the filter may hold on padded rows: a.x IS NULL, COALESCE(a.x, 2) > 1
    Sound:   rows padded on that side have NULL in all its columns and never pass the filter
    """
    side = full_join_side_rejected(select)
    first = next(join for join in joins_of(select) if side_of(join) == "FULL")
    first.set("side", side)
    return select


def null_rejected_join(select: exp.Expression) -> exp.Expression | None:
    """The first LEFT JOIN of which a filter rejects the padded rows."""
    rejected = {place[0] for condition in filters(select) for place in rejected_nulls(condition)}
    return next((join for join in outer_joins(select) if alias_of(join.this) in rejected), None)


def rejects_padded_rows(select: exp.Expression) -> bool:
    """A filter rejects NULL in a column of the right side of a LEFT JOIN."""
    return null_rejected_join(select) is not None


def make_inner(select: exp.Expression, join: exp.Expression) -> exp.Expression:
    """Turn a LEFT JOIN into an inner one, its condition into filters."""
    conditions = conjuncts(join.args.get("on"))
    join.set("side", None)
    join.set("on", None)
    set_filters(select, [*conditions, *filters(select)])
    return select


@rule(on=exp.Select, shape=(has_only_left_padding, rejects_padded_rows))
def reduce_left_join_to_inner(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Make a LEFT JOIN an inner join when a filter rejects its padded rows.

    Before:  SELECT a.x FROM a LEFT JOIN b ON a.id = b.a_id WHERE b.y > 1
    After:   SELECT a.x FROM a JOIN b WHERE a.id = b.a_id AND b.y > 1
    Refuse:  the filter may hold on NULL: b.y IS NULL, COALESCE(b.y, 2) > 1, b.y > 1 OR a.x = 1
    Sound:   a padded row has NULL in every column of b, so the filter is not true for it
    """
    join = null_rejected_join(select)
    return None if join is None else make_inner(select, join)


def always_matching(select: exp.Expression, ctx: Context) -> Iterator[tuple[exp.Expression, exp.Expression]]:
    """LEFT JOINs whose whole condition equates a column of the right side with another column."""
    for join in outer_joins(select):
        condition = join.args.get("on")
        for own, other in equalities([condition] if condition is not None else []):
            if own.text("table") == alias_of(join.this) != other.text("table") and isinstance(
                other, exp.Column
            ):
                yield own, other


def reference_is_included(pair: tuple[exp.Expression, exp.Expression], ctx: Context) -> HoldingFacts:
    """The column is a reference: each of its values occurs in the column that it is compared with."""
    own, other = pair
    child, parent = stored_column(other, ctx), base_column(own, ctx)
    alike = interchangeable(own, other, ctx)
    if child is None or parent is None or alike is None:
        return None
    for fact in ctx.facts.of(FactKind.INCLUSION, child[0].name):
        wanted = {(fold(child[1].name), fold(parent[1].name))}
        if fact.refers_to(parent[0].name) and fact.pairs == wanted:
            return (fact, *alike)
    return None


def reference_is_never_null(pair: tuple[exp.Expression, exp.Expression], ctx: Context) -> HoldingFacts:
    """The referring column holds no NULL."""
    return never_null(pair[1], ctx)


MATCHING_REFERENCE = Choice(always_matching, (reference_is_included, reference_is_never_null))


@rule(on=exp.Select, shape=(has_only_left_padding,), needs=MATCHING_REFERENCE.needs)
def reduce_left_join_on_reference(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Make a LEFT JOIN along a NOT NULL foreign key an inner join.

    Before:  SELECT b.y, a.x FROM b LEFT JOIN a ON a.id = b.a_id
    After:   SELECT b.y, a.x FROM b JOIN a WHERE a.id = b.a_id
    Refuse:  b.a_id may be NULL: that row is padded, and an inner join drops it
    Sound:   every row finds a match, so none is padded
    """
    pair = MATCHING_REFERENCE.pick(select, ctx)
    join = pair[0].find_ancestor(exp.Join) if pair is not None else None
    return None if join is None else make_inner(select, join)


def unused_left_joins(select: exp.Expression) -> Iterator[exp.Expression]:
    """LEFT JOINs whose right side nothing but their own condition reads."""
    for join in outer_joins(select):
        others = [*body(select), *filters(select), *(j for j in joins_of(select) if j is not join)]
        if not mentions(others, alias_of(join.this)):
            yield join


def joins_left_in_vain(select: exp.Expression) -> bool:
    """A LEFT JOIN whose right side is not read."""
    return any(True for _ in unused_left_joins(select))


def at_most_one_match(join: exp.Expression, ctx: Context) -> HoldingFacts:
    """A row of the left side meets at most one row of the joined source."""
    select = join.find_ancestor(exp.Select)
    return None if select is None else matches_at_most_once(select, alias_of(join.this), ctx)


UNUSED_LEFT_JOIN = Choice(lambda select, ctx: unused_left_joins(select), (at_most_one_match,))


@rule(on=exp.Select, shape=(has_only_left_padding, joins_left_in_vain), needs=UNUSED_LEFT_JOIN.needs)
def eliminate_unused_left_join(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop a LEFT JOIN that is not read and matches at most once.

    Before:  SELECT b.y FROM b LEFT JOIN a ON a.id = b.a_id
    After:   SELECT b.y FROM b
    Refuse:  a row of b may match several rows of a, and is repeated then
    Sound:   each row of the left side appears exactly once, matched or padded
    """
    join = UNUSED_LEFT_JOIN.pick(select, ctx)
    if join is not None:
        drop_source(select, alias_of(join.this))
    return None if join is None else select


def drop_unused_left_joins(select: exp.Expression) -> exp.Expression:
    """Drop every LEFT JOIN that is not read."""
    while (join := next(unused_left_joins(select), None)) is not None:
        drop_source(select, alias_of(join.this))
    return select


@rule(
    on=exp.Select,
    shape=(has_only_left_padding, joins_left_in_vain, ignores_duplicates, picks_nothing_for_each_row),
)
def eliminate_unused_left_join_among_duplicates(
    select: exp.Expression, ctx: Context
) -> exp.Expression | None:
    """Drop a LEFT JOIN that is not read where duplicates have no effect.

    Before:  SELECT DISTINCT a.x FROM a LEFT JOIN b ON a.id = b.a_id
    After:   SELECT DISTINCT a.x FROM a
    Refuse:  COUNT(*) counts the repetitions
    Sound:   each row of the left side appears at least once, and repetitions do not count
    """
    return drop_unused_left_joins(select)


def equates_columns(select: exp.Expression) -> bool:
    """A filter equates two columns."""
    return any(isinstance(other, exp.Column) for _, other in equalities(filters(select)))


def classes_of_columns(select: exp.Expression, ctx: Context) -> Iterator[list[EqualColumns]]:
    """The columns that filters make equal: those that are then identical, if there are any."""
    for identical in (True, False):
        found = equal_columns(select, ctx, identical=identical)
        if found:
            yield found


def equal_columns_are_identical(classes: list[EqualColumns], _ctx: Context) -> HoldingFacts:
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
    first, *others = _by_preference(select, members, reads, ctx)
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


def _by_preference(
    select: exp.Expression, members: set[Place], reads: list[Place], ctx: Context
) -> list[Place]:
    """Equal columns as they are preferred, by nothing that renaming changes but the last.

    An outer column first, since a condition on it need not stand in a subquery (an aggregate of one
    would be the outer query's, though); then one of a source that is read anyway; then a key where rows
    that match only need to be tested for, else no key, so that the source less worth reading is not read.
    """
    own = source_aliases(select)
    grouped = is_grouped(select)
    anchored = {place[0] for place in map(place_of, columns(body(select))) if place not in members}

    def rank(place: Place) -> tuple[tuple[bool, bool], bool, tuple[str, str, int, str]]:
        source = next((s for s in sources(select) if alias_of(s) == place[0]), None)
        table = table_of(source, ctx) if source is not None else None
        alone = table is not None and unique_within(table.name, frozenset({place[1]}), ctx) is not None
        name = fold(source.name) if isinstance(source, exp.Table) else ""
        known = (place[0] in own) is not grouped, place[0] not in anchored
        return known, alone, (name, fold(place[1]), -reads.count(place), place[0])

    ranks = {place: rank(place) for place in members}
    without_keys, keys_first = (
        sorted(members, key=lambda place: (ranks[place][0], ranks[place][1] is not wanted, ranks[place][2]))
        for wanted in (False, True)
    )
    # A form for which nobody asked how rows are compared serves every comparison.
    is_one = without_keys == keys_first
    return without_keys if is_one or not _reads_rows_once(select, ctx) else keys_first


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
