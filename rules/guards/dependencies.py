"""Functional dependencies within one SELECT: what follows from the keys and equalities that hold there.

All claims are about the rows that FROM and WHERE let through.  "Determined"
means up to ``=`` under BINARY; a column of another collation never takes part.
Keys must be unique and, since NULLs are many, free of NULL: by a fact, by a
filter that rejects NULL, or because an equality holds on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from equiv.core.claims.blocks import (
    base_column,
    defining_query,
    feeds,
    is_literal,
    of_node_in_context,
    returns_one_row,
    source_aliases,
)
from equiv.core.claims.fingerprint import sources
from equiv.core.claims.nullness import rejected_nulls
from equiv.core.claims.value_types import Applied, HoldingFacts, affinity, all_of, is_binary
from equiv.core.model import Affinity, Column, Context, Domain, Table
from equiv.core.printing import key
from equiv.facts import Fact, FactKind
from equiv.graphs import components
from equiv.names import folded
from equiv.rules.guards.clauses import (
    Place,
    alias_of,
    columns,
    conjuncts,
    filters,
    group_keys,
    joins_of,
    place_of,
    side_of,
)


def table_of(source: exp.Expression, ctx: Context) -> Table | None:
    """The base table behind a source, or None for a derived table or a CTE."""
    if not isinstance(source, exp.Table) or defining_query(source) is not None:
        return None
    return ctx.schema.table(source.name)


@of_node_in_context
def stored_column(column: exp.Expression, ctx: Context) -> tuple[Table, Column] | None:
    """The base column whose stored values a column reference yields, through plain derived columns."""
    base = base_column(column, ctx)
    if base is not None:
        return base
    fed = feeds(column)
    if fed and len(fed) == 1 and isinstance(fed[0], exp.Column):
        return stored_column(fed[0], ctx)
    return None


def one_form(column: exp.Expression, ctx: Context) -> HoldingFacts:
    """The facts by which equal values of a column are identical: BINARY, and 1 or 1.0 is fixed.

    INTEGER and NUMERIC affinity fix it for all numbers but -9223372036854775808.0, which SQLite keeps.
    """
    base = stored_column(column, ctx)
    if base is None or base[1].collation.upper() != "BINARY":
        return None
    storage = _storage(base)
    return _whole_if_it_can_be(base, ctx) if storage is Affinity.NUMERIC else None if storage is None else ()


def _whole_if_it_can_be(base: tuple[Table, Column], ctx: Context) -> HoldingFacts:
    table, column = base
    if table.rowid_alias == column.name:
        return ()
    conforms = ctx.facts.find(FactKind.TYPE, table.name, column.name)
    if conforms is not None and column.domain in (Domain.INTEGER, Domain.BOOLEAN, Domain.TEXT):
        return (conforms,)
    bounded = ctx.facts.find(FactKind.NO_OVERFLOW)
    return None if bounded is None else (bounded,)


def is_exact(column: exp.Expression, ctx: Context) -> bool:
    """Whether equal values of a column are identical by :func:`one_form`."""
    return one_form(column, ctx) is not None


def forms_of(values: Iterable[exp.Expression], ctx: Context) -> tuple[Fact, ...]:
    """The facts by which equal values of those columns that :func:`is_exact` names are identical."""
    return tuple(dict.fromkeys(fact for value in values for fact in one_form(value, ctx) or ()))


def _storage(base: tuple[Table, Column]) -> Affinity | None:
    table, column = base
    if column.affinity is Affinity.BLOB or (table.strict and column.declared_type.upper() == "ANY"):
        return None
    return Affinity.NUMERIC if column.affinity is Affinity.INTEGER else column.affinity


def interchangeable(left: exp.Expression, right: exp.Expression, ctx: Context) -> HoldingFacts:
    """The facts by which two columns, once equal, are identical."""
    if not (isinstance(left, exp.Column) and isinstance(right, exp.Column)):
        return None
    first, second = stored_column(left, ctx), stored_column(right, ctx)
    if first is None or second is None or _storage(first) is not _storage(second):
        return None
    return all_of(one_form(left, ctx), one_form(right, ctx))


def compares_as_stored(column: exp.Expression, other: exp.Expression, ctx: Context) -> bool:
    """Whether ``column = other`` leaves the column's values unconverted and uses BINARY."""
    if not (is_binary(column, ctx) and is_binary(other, ctx)):
        return False
    own, its = affinity(column, ctx), affinity(other, ctx)
    match own:
        case Applied.NUMERIC:
            return its is not Applied.UNKNOWN
        case Applied.TEXT:
            return its in (Applied.TEXT, Applied.BLOB, Applied.NONE)
        case Applied.BLOB:
            return its is Applied.BLOB or is_literal(other)
    return False


def equalities(conditions: Iterable[exp.Expression]) -> Iterator[tuple[exp.Expression, exp.Expression]]:
    """Each equality between a column and something, both ways round."""
    for condition in conditions:
        if isinstance(condition, exp.EQ):
            for left, right in (
                (condition.this, condition.expression),
                (condition.expression, condition.this),
            ):
                if isinstance(left, exp.Column):
                    yield left, right


@dataclass(frozen=True, slots=True)
class EqualColumns:
    """Columns that filters make equal."""

    places: frozenset[Place]
    facts: HoldingFacts
    """The facts by which they are then identical; None if they need not be."""


def equal_columns(select: exp.Expression, ctx: Context, *, identical: bool = True) -> list[EqualColumns]:
    """The classes of columns that the filters of a SELECT make equal.

    Args:
        select: the SELECT.
        ctx: schema and facts.
        identical: whether only columns count that are identical once they are equal.
    """
    return list((_identical_columns if identical else _all_equal_columns)(select, ctx))


@of_node_in_context
def _identical_columns(select: exp.Expression, ctx: Context) -> list[EqualColumns]:
    return _classes(select, ctx, identical=True)


@of_node_in_context
def _all_equal_columns(select: exp.Expression, ctx: Context) -> list[EqualColumns]:
    return _classes(select, ctx, identical=False)


def _classes(select: exp.Expression, ctx: Context, *, identical: bool) -> list[EqualColumns]:
    claims: list[tuple[tuple[Place, Place], HoldingFacts]] = []
    for left, right in equalities(filters(select)):
        claim = interchangeable(left, right, ctx)
        if isinstance(right, exp.Column) and not (identical and claim is None):
            claims.append(((place_of(left), place_of(right)), claim))
    edges = [ends for ends, _ in claims]
    return [
        EqualColumns(frozenset(own), all_of(*(claim for (place, _), claim in claims if place in own)))
        for own in components((place for ends in edges for place in ends), edges)
    ]


@dataclass
class Closure:
    """What some columns determine in the rows of a SELECT, and the facts used on the way."""

    select: exp.Expression
    ctx: Context
    places: set[Place] = field(default_factory=set)
    whole: set[str] = field(default_factory=set)
    """Aliases of the sources of which every column is determined."""
    facts: list[Fact] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.own = source_aliases(self.select)
        self.conditions = filters(self.select)
        self.pads_right = all(side_of(join) in ("", "LEFT") for join in joins_of(self.select))

    def has(self, place: Place) -> bool:
        """Whether a column is determined; one of an enclosing SELECT always is."""
        return place[0] not in self.own or place[0] in self.whole or place in self.places

    def has_all(self, node: exp.Expression | Iterable[exp.Expression]) -> bool:
        """Whether every column of a tree is determined."""
        return all(self.has(place_of(column)) for column in columns(node))

    def close(self) -> Closure:
        """Add what follows until nothing does."""
        while self._equalities() or any(self._source(source) for source in sources(self.select)):
            pass
        return self

    def _equalities(self) -> bool:
        before = len(self.places)
        for column, other in equalities(self.conditions):
            if not self.has(place_of(column)) and self._fixes(column, other):
                self.places.add(place_of(column))
        return len(self.places) > before

    def _fixes(self, column: exp.Expression, other: exp.Expression) -> bool:
        known = is_literal(other) or (isinstance(other, exp.Column) and self.has(place_of(other)))
        return known and compares_as_stored(column, other, self.ctx)

    def _source(self, source: exp.Expression) -> bool:
        if alias_of(source) in self.whole:
            return False
        found = self._by_key(source)
        if found is None:
            return False
        self.whole.add(alias_of(source))
        self.facts += found
        return True

    def _by_key(self, source: exp.Expression) -> HoldingFacts:
        names = {name for alias, name in self.places if alias == alias_of(source)}
        table = table_of(source, self.ctx)
        join = source.parent
        if not isinstance(join, exp.Join) or not side_of(join):
            # A derived key may be NULL, as padded rows are.
            if table is None:
                return () if self.pads_right and _has_derived_key(source, names) else None
            found = key_within(table, alias_of(source), names, self.conditions, self.ctx)
            # Of a padded row the columns are NULL, and it is none of the table's.
            return self._by_dependency(table, names) if found is None and self.pads_right else found
        fixed = self._fixed_by_join(join)
        if table is None:
            return () if _has_derived_key(source, fixed) else None
        rejecting = conjuncts(join.args.get("on")) if fixed else []
        return key_within(table, alias_of(source), names | fixed, rejecting, self.ctx)

    def _by_dependency(self, table: Table, names: set[str]) -> HoldingFacts:
        """The facts by which columns, NULLs among them, determine a key that is never NULL."""
        given = folded(names)
        for fact in self.ctx.facts.of(FactKind.FUNCTIONAL, table.name):
            members = [table.column(name) for name in (*fact.columns, *fact.parent_columns)]
            is_binary = all(member is not None and member.collation.upper() == "BINARY" for member in members)
            key = self.ctx.facts.strict_key(table.name, fact.parent_columns)
            if is_binary and key is not None and folded(fact.columns) <= given:
                return (fact, *key)
        return None

    def _is_fixed(self, column: exp.Expression) -> bool:
        """Whether a column is determined up to identity: a condition may tell 1 from 1.0, or 'a' from 'A'."""
        alias = place_of(column)[0]
        if not self.has(place_of(column)):
            return False
        if alias not in self.own or alias in self.whole:
            return True
        self.facts += forms_of([column], self.ctx)
        return is_exact(column, self.ctx)

    def _fixed_by_join(self, join: exp.Expression) -> set[str]:
        """The columns that a LEFT JOIN fixes, if what it reads of the left side is determined."""
        alias = alias_of(join.this)
        condition = join.args.get("on")
        if condition is None or side_of(join) != "LEFT" or not self.pads_right:
            return set()
        if not all(place_of(c)[0] == alias or self._is_fixed(c) for c in columns(condition)):
            return set()
        return {
            column.name
            for column, other in equalities(conjuncts(condition))
            if column.text("table") == alias
            and (is_literal(other) or isinstance(other, exp.Column))
            and (is_literal(other) or other.text("table") != alias)
            and compares_as_stored(column, other, self.ctx)
        }


def key_within(
    table: Table, alias: str, names: Iterable[str], conditions: list[exp.Expression], ctx: Context
) -> HoldingFacts:
    """The facts by which some columns contain a key that is never NULL where the conditions hold."""
    given = folded(names)
    for unique in ctx.facts.keys(table.name):
        if folded(unique.columns) <= given:
            members = [_non_null_member(table, alias, name, conditions, ctx) for name in unique.columns]
            if all(member is not None for member in members):
                return (unique, *(fact for member in members for fact in member or ()))
    return None


def _non_null_member(
    table: Table, alias: str, name: str, conditions: list[exp.Expression], ctx: Context
) -> HoldingFacts:
    column = table.column(name)
    if column is None or column.collation.upper() != "BINARY":
        return None
    if any((alias, column.name) in rejected_nulls(condition) for condition in conditions):
        return ()
    fact = ctx.facts.not_null(table.name, name)
    return (fact,) if fact is not None else None


def _has_derived_key(source: exp.Expression, names: set[str]) -> bool:
    """Whether columns of a derived table or CTE determine its row: DISTINCT, GROUP BY or a single row."""
    query = defining_query(source)
    if not isinstance(query, exp.Select):
        return False
    if returns_one_row(query):
        return True
    if query.args.get("distinct") is not None:
        return {x.alias_or_name for x in query.expressions} <= names
    keys = {key(x) for x in group_keys(query)}
    return bool(keys) and keys <= {key(x.unalias()) for x in query.expressions if x.alias_or_name in names}


def closure(
    select: exp.Expression,
    ctx: Context,
    places: Iterable[Place] = (),
    whole: Iterable[str] = (),
    given: Iterable[exp.Expression] = (),
) -> Closure:
    """What some columns and whole sources determine in the rows of a SELECT that meet further conditions."""
    found = Closure(select, ctx, set(places), set(whole))
    found.conditions += given
    return found.close()


def matches_at_most_once(select: exp.Expression, alias: str, ctx: Context) -> HoldingFacts:
    """The facts by which a row of the other sources meets at most one row of a source."""
    found = closure(select, ctx, whole=source_aliases(select) - {alias})
    return tuple(found.facts) if alias in found.whole else None


def is_one_row_per(select: exp.Expression, keys: Iterable[exp.Expression], ctx: Context) -> HoldingFacts:
    """The facts by which no two rows agree on some expressions, of which the plain columns count."""
    found = closure(select, ctx, {place_of(x) for x in keys if isinstance(x, exp.Column)})
    return tuple(found.facts) if found.whole >= found.own else None
