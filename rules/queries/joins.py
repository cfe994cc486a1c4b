"""Inner joins: one place for conditions, sources merged or dropped along keys.

All conditions of inner joins stand in WHERE; the normaliser orders sources.
Two rows that agree on a key are one row, so a self-join on a key is no join.
A source of which only the key is read, by a reference to it, matches exactly
once unless the reference is NULL.  Key and reference must compare without
conversion: '1' and '1.0' of a TEXT key both equal 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations, product

from sqlglot import exp

from equiv.core.claims.blocks import base_column, is_grouped, source_aliases
from equiv.core.claims.value_types import HoldingFacts, all_of
from equiv.core.model import Context
from equiv.core.printing import key
from equiv.facts import Fact, FactKind
from equiv.names import fold, folded
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import (
    Place,
    alias_of,
    columns,
    conjuncts,
    drop_source,
    filters,
    inner_sources,
    is_inner,
    joins_of,
    only_pads_right,
    place_of,
    set_filters,
    side_of,
    substitute,
)
from equiv.rules.guards.dependencies import (
    EqualColumns,
    equal_columns,
    equalities,
    interchangeable,
    stored_column,
    table_of,
)
from equiv.rules.guards.selects import Choice


def has_join_condition(select: exp.Expression) -> bool:
    """An inner join carries a condition."""
    return any(is_inner(join) and join.args.get("on") is not None for join in joins_of(select))


def pads_left_side_nowhere(select: exp.Expression) -> bool:
    """No RIGHT or FULL JOIN."""
    return all(side_of(join) in {"", "LEFT"} for join in joins_of(select))


def has_only_left_padding(select: exp.Expression) -> bool:
    """No RIGHT or FULL JOIN, and all conditions of inner joins in WHERE."""
    return only_pads_right(select)


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
    """The names of columns that both sources have, and that the conditions equate with each other."""
    return frozenset(
        column.name
        for column, other in equalities(conditions)
        if isinstance(other, exp.Column)
        and column.name == other.name
        and {column.text("table"), other.text("table")} == {left, right}
    )


def equated_columns_are_unique(pair: SelfJoin, ctx: Context) -> HoldingFacts:
    """The equated columns contain a key: rows that agree on it are one row."""
    table = table_of(pair.kept, ctx)
    return None if table is None else unique_within(table.name, pair.names, ctx)


def unique_within(table_name: str, names: frozenset[str], ctx: Context) -> HoldingFacts:
    """The fact by which some columns, all BINARY, contain a key (which may be NULL)."""
    table = ctx.schema.table(table_name)
    given = folded(names)
    for fact in ctx.facts.keys(table_name):
        found = [table.column(name) if table is not None else None for name in fact.columns]
        binary = all(column is not None and column.collation.upper() == "BINARY" for column in found)
        if binary and folded(fact.columns) <= given:
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
    equal: tuple[Fact, ...] = ()
    """The facts by which each pair is equal, if filters equate it only through other columns."""


def parent_joins(select: exp.Expression, ctx: Context) -> Iterator[ParentJoin]:
    """Inner sources of which only columns are read that filters equate with columns of one other source."""
    candidates, own = inner_sources(select), source_aliases(select)
    if len(candidates) < 2:
        return
    classes = equal_columns(select, ctx)
    firsts: dict[Place, exp.Expression] = {}
    for column in columns(select):
        firsts.setdefault(place_of(column), column)
    is_free = not is_grouped(select)
    usable = {place for place in firsts if is_free or place[0] in own}
    for parent in candidates:
        alias = alias_of(parent)
        read = sorted(place for place in firsts if place[0] == alias)
        partners = [sorted(_partners(select, place, classes) & usable) for place in read]
        for chosen in product(*partners):
            if read and len({place[0] for place in chosen}) == 1:
                pairs = [(firsts[own], firsts[other]) for own, other in zip(read, chosen, strict=True)]
                facts = (c.facts or () for c in classes if c.places & {*read, *chosen})
                yield ParentJoin(parent, tuple(pairs), tuple(dict.fromkeys(chain.from_iterable(facts))))


def _partners(select: exp.Expression, place: Place, classes: list[EqualColumns]) -> set[Place]:
    # An aggregate of an outer column would belong to the outer query.
    own = source_aliases(select) if is_grouped(select) else set()
    found = {p for c in classes if place in c.places for p in c.places if p[0] != place[0]}
    for column, other in equalities(filters(select)):
        if place_of(column) == place and isinstance(other, exp.Column) and place_of(other)[0] != place[0]:
            found.add(place_of(other))
    return {p for p in found if p[0] in own} if own else found


def parent_columns_are_unique(join: ParentJoin, ctx: Context) -> HoldingFacts:
    """The equated columns are a key of the parent: at most one row matches."""
    table = table_of(join.parent, ctx)
    names = frozenset(own.name for own, _ in join.pairs)
    return None if table is None else unique_within(table.name, names, ctx)


def child_is_included(join: ParentJoin, ctx: Context) -> HoldingFacts:
    """The other columns reference the parent's: unless one is NULL, a row matches."""
    # Of several columns of a derived table each may come from another row.
    column = stored_column if len(join.pairs) == 1 else base_column
    children, parent = [column(other, ctx) for _, other in join.pairs], table_of(join.parent, ctx)
    stored = [child for child in children if child is not None]
    if len(stored) < len(children) or parent is None:
        return None
    names = zip(join.pairs, stored, strict=True)
    wanted = {(fold(child.name), fold(own.name)) for (own, _), (_, child) in names}
    for fact in ctx.facts.of(FactKind.INCLUSION, stored[0][0].name):
        if fact.refers_to(parent.name) and fact.pairs == wanted:
            return (fact,)
    return None


def key_and_reference_compare_alike(join: ParentJoin, ctx: Context) -> HoldingFacts:
    """Key and reference have one affinity and compare by BINARY, so that equal values are identical."""
    return all_of(join.equal, *(interchangeable(own, other, ctx) for own, other in join.pairs))


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
