"""Guards of the structural rules: claims about one SELECT, and the choice among several places to rewrite.

A rule that could rewrite several parts of one SELECT (which source to drop, which pair to merge) makes a
:class:`Choice`: candidates by shape, and the claims that a candidate must meet.  Each claim becomes a
guard of its own, and all guards and the body speak of the same candidate: the one that meets most.

A choice that is made anew for each row shows how often the row is repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar, cast

from sqlglot import exp

from equiv.answers.choices import randomised
from equiv.core.claims.blocks import (
    QUERY_BLOCKS,
    TREE_MEMO,
    aggregates,
    is_aggregate,
    is_grouped,
    of_node_in_context,
    select_operands,
)
from equiv.core.claims.fingerprint import sources
from equiv.core.claims.value_types import (
    Applied,
    HoldingFacts,
    affinity,
    all_of,
    always_real,
    collation,
    conforms,
)
from equiv.core.model import Context, Domain
from equiv.core.printing import key
from equiv.core.query import Opaque
from equiv.rewrite.rule import Need
from equiv.rules.guards.clauses import (
    body,
    columns,
    filters,
    group_keys,
    has_windows,
    is_limited,
    joins_of,
    order_terms,
    outer_joins,
    outputs,
)
from equiv.rules.guards.dependencies import is_exact, is_one_row_per, one_form, table_of

C = TypeVar("C")


@dataclass(frozen=True)
class Choice(Generic[C]):
    """Where a rule applies: ``candidates`` by shape, most wanted first, and what each must promise."""

    candidates: Callable[[exp.Expression, Context], Iterator[C]]
    claims: tuple[Callable[[C, Context], HoldingFacts], ...]

    def pick(self, node: exp.Expression, ctx: Context) -> C | None:
        """The first candidate that meets all claims, else one that meets most, else None.

        The body of a rule asks before it changes the tree: it is given what the guards were.
        """
        handed = TREE_MEMO.take_handed()
        asked = (self._pick, id(node))
        if asked in handed and ctx is TREE_MEMO.ctx:
            found: C | None = handed[asked]
            return found
        return self._picks(node, ctx)

    @cached_property
    def _picks(self) -> Callable[[exp.Expression, Context], C | None]:
        return of_node_in_context(self._pick)

    def _pick(self, node: exp.Expression, ctx: Context) -> C | None:
        best, most = None, -1
        for candidate in self.candidates(node, ctx):
            met = sum(claim(candidate, ctx) is not None for claim in self.claims)
            if met > most:
                best, most = candidate, met
            if met == len(self.claims):
                break
        return best

    @property
    def needs(self) -> tuple[Need, ...]:
        """One guard for each claim, of the claim's name."""
        return tuple(self._need(claim) for claim in self.claims)

    def _need(self, claim: Callable[[C, Context], HoldingFacts]) -> Need:
        def need(node: exp.Expression, ctx: Context) -> HoldingFacts:
            picked = self.pick(node, ctx)
            return None if picked is None else claim(picked, ctx)

        need.__name__, need.__doc__ = claim.__name__, claim.__doc__
        return need


def is_root(node: exp.Expression) -> bool:
    """Whether a query is the whole query."""
    return node.parent is None


def is_distinct(select: exp.Expression) -> bool:
    """SELECT DISTINCT."""
    return select.args.get("distinct") is not None


def is_ungrouped(select: exp.Expression) -> bool:
    """Neither GROUP BY nor an aggregate, HAVING or a window."""
    return not is_grouped(select) and select.args.get("having") is None and not has_windows(select)


def is_unlimited(query: exp.Expression) -> bool:
    """Neither LIMIT nor OFFSET."""
    return not is_limited(query)


def has_limit_one(query: exp.Expression) -> bool:
    """LIMIT 1 without OFFSET."""
    limit = query.args.get("limit")
    count = limit.expression if limit is not None else None
    one = isinstance(count, exp.Literal) and not count.is_string and count.name == "1"
    return one and query.args.get("offset") is None


def has_group_keys(select: exp.Expression) -> bool:
    """GROUP BY."""
    return bool(group_keys(select))


def has_order(query: exp.Expression) -> bool:
    """ORDER BY."""
    return bool(order_terms(query))


def orders_by_outputs(select: exp.Expression) -> bool:
    """Every ORDER BY term is a projection too (or there is none)."""
    projected = {key(x) for x in outputs(select)}
    return all(key(term.this) in projected for term in order_terms(select))


def counts_no_duplicates(select: exp.Expression) -> bool:
    """Grouping in which repeated rows change nothing: only MIN, MAX and DISTINCT aggregates."""
    if has_windows(select) or not is_grouped(select):
        return False
    return all(
        isinstance(call, exp.Min | exp.Max) or isinstance(call.this, exp.Distinct)
        for call in aggregates(select)
    )


def is_read_as_set(query: exp.Expression) -> bool:
    """Only which rows occur matters: under IN, EXISTS, or a set operation that removes duplicates."""
    parent = query.parent
    while isinstance(parent, exp.Subquery) and not isinstance(parent.parent, exp.From | exp.Join):
        query, parent = parent, parent.parent
    if isinstance(parent, exp.SetOperation):
        own = all(parent.args.get(name) is None for name in ("limit", "offset"))
        return bool(parent.args.get("distinct")) or (own and is_read_as_set(parent))
    return isinstance(parent, exp.Exists) or (isinstance(parent, exp.In) and query.arg_key == "query")


def ignores_duplicates(select: exp.Expression) -> bool:
    """Duplicate rows of FROM and WHERE have no effect on the result, or none that anyone sees."""
    if has_windows(select):
        return False
    if is_grouped(select) or select.args.get("having") is not None:
        return counts_no_duplicates(select)
    if is_distinct(select):
        return orders_by_outputs(select)
    return is_unlimited(select) and is_read_as_set(select)


def joins_nothing_outer(select: exp.Expression) -> bool:
    """No outer join."""
    return not any(join.args.get("side") for join in joins_of(select))


def has_one_source(select: exp.Expression) -> bool:
    """FROM one source."""
    return len(sources(select)) == 1


def has_no_filter(select: exp.Expression) -> bool:
    """No WHERE."""
    return not filters(select)


def source_has_rows(select: exp.Expression, ctx: Context) -> HoldingFacts:
    """What stands in FROM is a base table that is not empty: not a view, a CTE or a nested query of it."""
    table = table_of(sources(select)[0], ctx)
    fact = ctx.facts.not_empty(table.name) if table is not None else None
    return (fact,) if fact is not None else None


def projects_strict_key(select: exp.Expression, ctx: Context) -> HoldingFacts:
    """The projected columns determine the row of every source, so that no two rows agree."""
    return is_one_row_per(select, outputs(select), ctx)


def groups_by_strict_key(select: exp.Expression, ctx: Context) -> HoldingFacts:
    """The group keys determine the row of every source, so that every group is one row."""
    return is_one_row_per(select, group_keys(select), ctx)


def bare_columns(node: exp.Expression, keys: set[tuple[object, ...]]) -> Iterator[exp.Expression]:
    """The columns of a tree outside subtrees that are group keys."""
    inner = node.this if isinstance(node, exp.Ordered) else node
    if key(inner) in keys:
        return
    if isinstance(inner, exp.Column):
        yield inner
    for child in inner.iter_expressions():
        yield from bare_columns(child, keys)


def reads_a_bare_column(node: exp.Expression, keys: set[tuple[object, ...]]) -> bool:
    """Whether a tree reads a column outside aggregates and subtrees that are group keys."""
    if key(node) in keys or is_aggregate(node):
        return False
    return isinstance(node, exp.Column) or any(
        reads_a_bare_column(child, keys) for child in node.iter_expressions()
    )


def compares_binary(node: exp.Expression, ctx: Context) -> bool:
    """Every column of a tree has the collation BINARY, and no COLLATE occurs."""
    if node.find(exp.Collate) is not None:
        return False
    return all(collation(column, ctx) == "BINARY" for column in columns(node))


def outputs_compare_binary(query: exp.Expression, ctx: Context) -> HoldingFacts:
    """Projections compare by BINARY, so that rows that count as equal are equal."""
    selects = operands_of(query)
    return () if all(compares_binary(x, ctx) for select in selects for x in outputs(select)) else None


def may_convert_to_text(node: exp.Expression, ctx: Context) -> bool:
    """Whether a comparison with this operand may convert the other one to text, where 1 and 1.0 part."""
    return affinity(node, ctx) in (Applied.TEXT, Applied.UNKNOWN)


def is_read_as_text(query: exp.Expression, ctx: Context) -> bool:
    """The query holds members of an IN whose operand may convert them to text."""
    node: exp.Expr = query
    while isinstance(node.parent, exp.Subquery | exp.SetOperation):
        node = node.parent
    if not isinstance(node.parent, exp.In) or node.arg_key != "query":
        return False
    operand: exp.Expression = node.parent.this
    row = isinstance(operand, exp.Tuple)
    parts = operand.expressions if row else outputs(operand.this) if operand.find(exp.Query) else [operand]
    return any(may_convert_to_text(part, ctx) for part in parts)


def equal_members_act_alike(query: exp.Expression, ctx: Context) -> HoldingFacts:
    """Members of an IN that count as equal match alike: no 1 beside 1.0 is converted to text."""
    if not is_read_as_text(query, ctx):
        return ()
    return all_of(*(_has_one_form(x, ctx) for select in operands_of(query) for x in outputs(select)))


def _has_one_form(value: exp.Expression, ctx: Context) -> HoldingFacts:
    """The facts by which equal values of an expression are identical."""
    if isinstance(value, exp.Column) and is_exact(value, ctx):
        return one_form(value, ctx)
    claims = (*(conforms(value, d, ctx) for d in (Domain.TEXT, Domain.INTEGER)), always_real(value, ctx))
    return next((claim for claim in claims if claim is not None), None)


def operands_of(query: exp.Expression) -> list[exp.Expression]:
    """The SELECTs of a compound query."""
    return list(select_operands(query))


def picks_nothing_for_each_row(select: exp.Expression) -> bool:
    """No subquery that is run for each row picks one of several rows: for a repeated row it picks anew."""
    parts = [*body(select), *filters(select), *outer_joins(select)]
    return not any(_is_correlated(query) and _picks(query) for part in parts for query in _nested(part))


def _nested(part: exp.Expression) -> list[exp.Expression]:
    """The outermost queries in a part of a SELECT, derived tables that are joined apart."""
    found: list[exp.Expression] = []
    stack = [part]
    while stack:
        node = stack.pop()
        if isinstance(node, QUERY_BLOCKS):
            found.append(node)
        elif not isinstance(node, exp.Join):
            stack += node.iter_expressions()
        elif node.args.get("on") is not None:
            stack.append(node.args["on"])
    return found


def _is_correlated(query: exp.Expression) -> bool:
    own = {clause.this.alias_or_name for clause in query.find_all(exp.From, exp.Join)}
    return any(column.text("table") not in own for column in columns(query))


def _picks(query: exp.Expression) -> bool:
    """Whether a nested query, as it is read where it stands, leaves a choice."""
    node = query
    while isinstance(node.parent, exp.Subquery | exp.Exists) or (
        isinstance(node.parent, exp.In) and node.arg_key == "query"
    ):
        node = cast(exp.Expression, node.parent)
    try:
        return randomised(exp.Select(expressions=[node.copy()])) is not None
    except Opaque:
        return True
