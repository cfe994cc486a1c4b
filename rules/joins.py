"""Joins: one place for inner-join conditions, outer joins reduced, redundant sources dropped.

All conditions of inner joins stand in WHERE; sources are ordered by the
normaliser.  A LEFT JOIN pads its right side with NULLs where nothing matches:
a condition that rejects NULL there makes it an inner join, and so does a
reference that always matches.  A source that nothing else reads may go if
each row meets exactly one row of it.  Two columns that WHERE makes equal may
stand for each other only if equal values are identical: same storage
affinity, collation BINARY, not a column without affinity (1 = 1.0 there).

A column that a comparison would convert does not keep its key: '1' and '1.0'
of a TEXT key both equal 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, product

from sqlglot import exp

from equiv.fingerprint import sources
from equiv.nullness import never_null, rejected_nulls
from equiv.relation import Rows
from equiv.rule import Context, rule
from equiv.schema.facts import FactKind
from equiv.scope import source_aliases
from equiv.sql import key
from equiv.value_types import Claim

from .dependencies import (
    are_interchangeable,
    equal_columns,
    equalities,
    matches_at_most_once,
    stored_column,
    table_of,
)
from .structure import (
    Place,
    alias_of,
    body,
    columns,
    conjuncts,
    drop_source,
    filters,
    group_keys,
    inner_sources,
    is_inner,
    joins_of,
    mentions,
    only_pads_right,
    outer_joins,
    place_of,
    set_filters,
    substitute,
    substituted,
)
from .structure_guards import Choice, ignores_duplicates, is_ungrouped, is_unlimited


def pads_left_side_nowhere(select: exp.Expression) -> bool:
    """No RIGHT or FULL JOIN."""
    return all(join.side.upper() in {"", "LEFT"} for join in joins_of(select))


def has_only_left_padding(select: exp.Expression) -> bool:
    """No RIGHT or FULL JOIN, and all conditions of inner joins in WHERE."""
    return only_pads_right(select)


def has_join_condition(select: exp.Expression) -> bool:
    """An inner join carries a condition."""
    return any(is_inner(join) and join.args.get("on") is not None for join in joins_of(select))


@rule(on=exp.Select, shape=(has_join_condition, pads_left_side_nowhere))
def push_join_condition_to_filter(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Move the conditions of inner joins into WHERE.

    Before:  SELECT a.x FROM a JOIN b ON a.id = b.a_id WHERE b.y > 1
    After:   SELECT a.x FROM a JOIN b WHERE a.id = b.a_id AND b.y > 1
    Refuse:  a RIGHT or FULL JOIN follows: its padded rows would be filtered too
    Sound:   an inner join is a filtered product, and filters on its rows commute with LEFT JOINs
    """
    moved: list[exp.Expression] = []
    for join in joins_of(select):
        if is_inner(join) and join.args.get("on") is not None:
            moved += conjuncts(join.args["on"])
            join.set("on", None)
    set_filters(select, [*moved, *filters(select)])
    return select


def starts_with_right_join(select: exp.Expression) -> bool:
    """The first join is a RIGHT JOIN."""
    joins = joins_of(select)
    return bool(joins) and joins[0].side.upper() == "RIGHT"


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
        if join.side.upper() == "FULL":
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
    first = next(join for join in joins_of(select) if join.side.upper() == "FULL")
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


def reference_is_included(pair: tuple[exp.Expression, exp.Expression], ctx: Context) -> Claim:
    """The column is a reference: each of its values occurs in the column that it is compared with."""
    own, other = pair
    child, parent = stored_column(other, ctx), stored_column(own, ctx)
    if child is None or parent is None or not are_interchangeable(own, other, ctx):
        return None
    for fact in ctx.facts.of(FactKind.INCLUSION, child[0].name):
        names = (tuple(map(str.lower, fact.columns)), tuple(map(str.lower, fact.parent_columns)))
        wanted = ((child[1].name.lower(),), (parent[1].name.lower(),))
        if fact.parent.lower() == parent[0].name.lower() and names == wanted:
            return (fact,)
    return None


def reference_is_never_null(pair: tuple[exp.Expression, exp.Expression], ctx: Context) -> Claim:
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


def at_most_one_match(join: exp.Expression, ctx: Context) -> Claim:
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


@rule(on=exp.Select, shape=(has_only_left_padding, joins_left_in_vain, ignores_duplicates))
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


@rule(
    on=exp.Select,
    shape=(has_only_left_padding, joins_left_in_vain, is_ungrouped, is_unlimited),
    under=Rows.SET,
)
def eliminate_unused_left_join_under_set(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop a LEFT JOIN that is not read when results compare as sets.

    Before:  SELECT a.x FROM a LEFT JOIN b ON a.id = b.a_id
    After:   SELECT a.x FROM a
    Refuse:  LIMIT: repetitions use it up
    Sound:   each row of the left side appears at least once, and repetitions do not count
    """
    return drop_unused_left_joins(select)


@dataclass(frozen=True)
class SelfJoin:
    """Two sources over one table, and the columns in which filters equate them."""

    kept: exp.Expression
    dropped: exp.Expression
    names: frozenset[str]


def self_joins(select: exp.Expression, ctx: Context) -> Iterator[SelfJoin]:
    """The pairs of inner sources over one table of which some equally named columns are equated."""
    for kept, dropped in combinations(inner_sources(select), 2):
        table = table_of(kept, ctx)
        if table is not None and table is table_of(dropped, ctx):
            names = same_named_equalities(filters(select), alias_of(kept), alias_of(dropped))
            if names:
                yield SelfJoin(kept, dropped, names)


def same_named_equalities(conditions: list[exp.Expression], left: str, right: str) -> frozenset[str]:
    """The columns of that name of two sources that conditions equate."""
    return frozenset(
        column.name
        for column, other in equalities(conditions)
        if isinstance(other, exp.Column)
        and column.name == other.name
        and {column.text("table"), other.text("table")} == {left, right}
    )


def equated_columns_are_unique(pair: SelfJoin, ctx: Context) -> Claim:
    """The equated columns contain a key: rows that agree on it are one row."""
    table = table_of(pair.kept, ctx)
    return None if table is None else unique_within(table.name, pair.names, ctx)


def unique_within(table_name: str, names: frozenset[str], ctx: Context) -> Claim:
    """The fact by which some columns, all BINARY, contain a key (which may be NULL)."""
    table = ctx.schema.table(table_name)
    given = {name.lower() for name in names}
    for fact in ctx.facts.keys(table_name):
        found = [table.column(name) if table is not None else None for name in fact.columns]
        if {name.lower() for name in fact.columns} <= given:
            if all(column is not None and column.collation.upper() == "BINARY" for column in found):
                return (fact,)
    return None


SELF_JOIN = Choice(self_joins, (equated_columns_are_unique,))


def require_values(conditions: list[exp.Expression]) -> list[exp.Expression]:
    """Conditions with each ``x = x`` replaced by ``x IS NOT NULL``."""
    return [
        not_null(part.this) if isinstance(part, exp.EQ) and key(part.this) == key(part.expression) else part
        for part in conditions
    ]


def not_null(node: exp.Expression) -> exp.Expression:
    """``x IS NOT NULL``."""
    return exp.Not(this=exp.Is(this=node.copy(), expression=exp.Null()))


def replace_source(select: exp.Expression, alias: str, mapping: dict[Place, exp.Expression]) -> None:
    """Drop a source whose columns are available elsewhere."""
    drop_source(select, alias)
    substitute(select, mapping)
    set_filters(select, require_values(filters(select)))


@rule(on=exp.Select, shape=(has_only_left_padding,), needs=SELF_JOIN.needs)
def merge_self_join_on_key(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Merge two sources over one table that are joined on a key.

    Before:  SELECT a.x, a2.y FROM a JOIN a AS a2 WHERE a.id = a2.id
    After:   SELECT a.x, a.y FROM a WHERE a.id IS NOT NULL
    Refuse:  the columns are not unique: a row then meets others than itself
    Sound:   rows that agree on a key are the same row; NULL agrees with nothing
    """
    pair = SELF_JOIN.pick(select, ctx)
    if pair is None:
        return None
    old, new = alias_of(pair.dropped), alias_of(pair.kept)
    places = {place_of(column) for column in columns(select) if column.text("table") == old}
    replace_source(select, old, {place: exp.column(place[1], table=new) for place in places})
    return select


@dataclass(frozen=True)
class ParentJoin:
    """A source of which only equated columns are read, and the columns that can stand for them."""

    parent: exp.Expression
    pairs: tuple[tuple[exp.Expression, exp.Expression], ...]
    """(column of the parent, column equated with it)."""


def parent_joins(select: exp.Expression, ctx: Context) -> Iterator[ParentJoin]:
    """Inner sources of which only columns are read that filters equate with columns of one other source."""
    candidates = inner_sources(select)
    if len(candidates) < 2:
        return
    classes = equal_columns(select, ctx)
    for parent in candidates:
        alias = alias_of(parent)
        read = sorted({place_of(c) for c in columns(select) if c.text("table") == alias})
        partners = [sorted(_partners(select, place, classes)) for place in read]
        for chosen in product(*partners):
            if read and len({place[0] for place in chosen}) == 1:
                pairs = zip(map(_find(select), read), map(_find(select), chosen), strict=True)
                yield ParentJoin(parent, tuple(pairs))


def _partners(select: exp.Expression, place: Place, classes: list[set[Place]]) -> set[Place]:
    found = {p for members in classes if place in members for p in members if p[0] != place[0]}
    for column, other in equalities(filters(select)):
        if place_of(column) == place and isinstance(other, exp.Column) and place_of(other)[0] != place[0]:
            found.add(place_of(other))
    return found


def _find(select: exp.Expression):  # type: ignore[no-untyped-def]
    return lambda place: next(column for column in columns(select) if place_of(column) == place)


def parent_columns_are_unique(join: ParentJoin, ctx: Context) -> Claim:
    """The equated columns are a key of the parent: at most one row matches."""
    table = table_of(join.parent, ctx)
    names = frozenset(own.name for own, _ in join.pairs)
    return None if table is None else unique_within(table.name, names, ctx)


def child_is_included(join: ParentJoin, ctx: Context) -> Claim:
    """The other columns reference the parent's: unless one is NULL, a row matches."""
    child, parent = stored_column(join.pairs[0][1], ctx), table_of(join.parent, ctx)
    if child is None or parent is None:
        return None
    wanted = {(own.name.lower(), other.name.lower()) for own, other in join.pairs}
    for fact in ctx.facts.of(FactKind.INCLUSION, child[0].name):
        pairs = zip(fact.parent_columns, fact.columns, strict=True)
        if (
            fact.parent.lower() == parent.name.lower()
            and {(p.lower(), c.lower()) for p, c in pairs} == wanted
        ):
            return (fact,)
    return None


def key_and_reference_compare_alike(join: ParentJoin, ctx: Context) -> Claim:
    """Key and reference have one affinity and compare by BINARY, so that equal values are identical."""
    alike = all(are_interchangeable(own, other, ctx) for own, other in join.pairs)
    return () if alike else None


PARENT_JOIN = Choice(
    parent_joins, (parent_columns_are_unique, child_is_included, key_and_reference_compare_alike)
)


@rule(on=exp.Select, shape=(has_only_left_padding,), needs=PARENT_JOIN.needs, esm_plus=13)
def eliminate_parent_join(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop a join along a foreign key when of the parent only the key is read.

    Before:  SELECT b.y FROM b JOIN a WHERE a.id = b.a_id
    After:   SELECT b.y FROM b WHERE b.a_id IS NOT NULL
    Refuse:  a.id is not unique; b.a_id references nothing; key and reference differ in affinity or collation
    Sound:   unless b.a_id is NULL exactly one row of a matches, and its key is the reference itself
    """
    join = PARENT_JOIN.pick(select, ctx)
    if join is None:
        return None
    mapping = {place_of(own): other.copy() for own, other in join.pairs}
    replace_source(select, alias_of(join.parent), mapping)
    return select


def equates_columns(select: exp.Expression) -> bool:
    """A filter equates two columns."""
    return any(isinstance(other, exp.Column) for _, other in equalities(filters(select)))


@rule(on=exp.Select, shape=(has_only_left_padding, equates_columns), esm_plus=16)
def convert_to_representative_column(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Read one column for all that filters make equal, and equate each of them with that one.

    Before:  SELECT b.a_id FROM a JOIN b JOIN c WHERE a.id = b.a_id AND b.a_id = c.a_id
    After:   SELECT a.id FROM a JOIN b JOIN c WHERE a.id = b.a_id AND a.id = c.a_id
    Refuse:  other affinities or collations: TEXT '01' = INTEGER 1, 'a' = 'A' under NOCASE
    Sound:   in every row that passes WHERE the columns hold the identical value
    """
    padded = {alias_of(join.this) for join in outer_joins(select)}
    changed = False
    for members in equal_columns(select, ctx):
        unpadded = {place for place in members if place[0] not in padded}
        if len(unpadded) > 1:
            changed |= _represent(select, unpadded, ctx)
    return select if changed else None


def _represent(select: exp.Expression, members: set[Place], ctx: Context) -> bool:
    """Make one of some equal columns stand for all; whether anything changed."""
    inside = [c for c in filters(select) if _links(c) and _links(c) <= members]
    outside = [c for c in filters(select) if not (_links(c) and _links(c) <= members)]
    reads = [place_of(c) for c in columns([*body(select), *outside, *outer_joins(select)])]
    first, *others = sorted(members, key=_preference(select, reads, ctx))
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
    select: exp.Expression, reads: list[Place], ctx: Context
) -> Callable[[Place], tuple[bool, bool, str, str, int, str]]:
    """The order in which equal columns are preferred, by nothing that renaming changes but the last.

    An outer column first, since a condition on it need not stand in a subquery (SQLite does not group
    by one, though).  Then a key where rows that match only need to be tested for, else no key: so that
    the source less worth reading is the one that is not read.
    """
    own = source_aliases(select)
    grouped = bool(group_keys(select))
    wants_key = _reads_rows_once(select, ctx)

    def rank(place: Place) -> tuple[bool, bool, str, str, int, str]:
        source = next((s for s in sources(select) if alias_of(s) == place[0]), None)
        table = table_of(source, ctx) if source is not None else None
        key_alone = table is not None and unique_within(table.name, frozenset({place[1]}), ctx) is not None
        name = source.name.lower() if isinstance(source, exp.Table) else ""
        is_far = (place[0] in own) is not grouped
        return (is_far, key_alone is not wants_key, name, place[1].lower(), -reads.count(place), place[0])

    return rank


def _reads_rows_once(select: exp.Expression, ctx: Context) -> bool:
    """Whether repeated rows do not count, so that other sources can be tested for instead of joined."""
    if select.parent is None and ctx.rows is Rows.SET:
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


RULES = (
    push_join_condition_to_filter,
    convert_right_join_to_left,
    reduce_full_join,
    reduce_left_join_to_inner,
    reduce_left_join_on_reference,
    eliminate_unused_left_join,
    eliminate_unused_left_join_among_duplicates,
    eliminate_unused_left_join_under_set,
    merge_self_join_on_key,
    eliminate_parent_join,
    convert_to_representative_column,
)
