"""The comparisons of a resolved tree, each with collation and conversion, and those that depend on a plan.

Beside its value an expression brings a collation and an affinity to whatever compares it
(https://sqlite.org/datatype3.html sections 4.2 and 7.1).  A column has both, a CASE of it neither; a scalar
subquery has the affinity of its column, and no collation.

A COLLATE anywhere in a call, an operator or a CASE (in a condition even)
becomes the collation of the whole (``EP_Collate`` in sqlite3's ``expr.c``), so
that what a rewrite drops there can change how the whole is compared.

A comparison of a column of a compound query whose operands disagree in affinity or collation depends on the
plan: SQLite compares it as each operand's expression if it flattens the subquery, else as that of the first
operand.  The documentation fixes neither, and a join or a condition elsewhere in the query can change it.

A column of a derived table that hands on one of a derived table of a query around has neither, since it is
typed first (:func:`equiv.core.claims.blocks.is_typed_early`); one that hands on a base table's has both.

Under RTRIM a Bloom filter before an index of a join distinguishes two texts of different lengths, which RTRIM
may compare as equal; whether there is one is up to the plan.  (An automatic index on ``u.a COLLATE RTRIM =
t.code`` finds 'a' for 'a ' in 3.54, and not in 3.40, where EXPLAIN shows the filter before it.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from typing import cast

from sqlglot import exp

from equiv.core.claims import blocks
from equiv.core.claims.value_types import (
    Applied,
    affinity,
    collation,
    loses_affinity,
    loses_collation,
    results,
)
from equiv.core.functions.table import function_of
from equiv.core.model import Context, Schema
from equiv.facts import Facts

BINARY = "BINARY"
UNKNOWN = "?"
"""A collation that the tree does not tell."""


@dataclass(frozen=True, slots=True)
class ValueComparison:
    """Values that are compared with one another."""

    left: tuple[exp.Expression, ...]
    right: tuple[exp.Expression, ...]
    """The right operands; none: the values on the left are grouped, deduplicated or sorted."""
    collation: str
    conversion: Applied = Applied.NONE
    """The affinity that is applied to both sides; WEAK: TEXT or none, by the plan; UNKNOWN: any."""
    of_rows: bool = False
    """Whether it is of components of row values under IN, which where one is NULL converts no other."""


CollationOf = Callable[[Sequence[exp.Expression], Context], str]
"""Gives the collation of a comparison from its sides, the left one first."""
ComparisonReader = Callable[[exp.Expression, Context, CollationOf], Iterable[ValueComparison]]
"""Gives the comparisons that a node makes."""


def components(node: exp.Expression) -> list[exp.Expression]:
    """The values of a row value; a single value is a row of itself."""
    if isinstance(node, exp.Tuple):
        return list(node.expressions)
    if isinstance(node, exp.Subquery) and len(node.this.expressions) > 1:
        return [projection.unalias() for projection in node.this.expressions]
    return [node]


def compared(
    left: exp.Expression, right: exp.Expression, ctx: Context, collation_of: CollationOf
) -> Iterator[ValueComparison]:
    """The comparisons of two values, or of two row values component by component."""
    for one, other in zip(components(left), components(right), strict=False):
        applied = conversion(affinity(one, ctx), affinity(other, ctx))
        yield ValueComparison((one,), (other,), collation_of((one, other), ctx), applied)


def conversion(left: Applied, right: Applied) -> Applied:
    """The affinity that a comparison applies to both sides (``sqlite3CompareAffinity``)."""
    both = (left, right)
    if Applied.NUMERIC in both:
        return Applied.NUMERIC
    if Applied.UNKNOWN in both:
        return Applied.UNKNOWN
    if Applied.TEXT in both and Applied.NONE in both:
        return Applied.TEXT
    return Applied.WEAK if Applied.TEXT in both and Applied.WEAK in both else Applied.NONE


def _told_apart(
    values: Iterable[exp.Expression], ctx: Context, collation_of: CollationOf
) -> Iterator[ValueComparison]:
    for value in values:
        yield ValueComparison((value,), (), collation_of((value,), ctx))


def _by_arguments(node: exp.Expression, ctx: Context, collation_of: CollationOf) -> Iterator[ValueComparison]:
    """NULLIF, scalar MIN and MAX: they convert nothing, and take the first collation that there is."""
    found = (node.this, *((node.expression,) if isinstance(node, exp.Nullif) else node.expressions))
    yield ValueComparison(found, (), collation_of(found, ctx))


def _by_extreme(node: exp.Expression, ctx: Context, collation_of: CollationOf) -> Iterator[ValueComparison]:
    """MIN and MAX as aggregates."""
    return _told_apart(results(node)[:1], ctx, collation_of)


def _by_distinct(node: exp.Expression, ctx: Context, collation_of: CollationOf) -> Iterator[ValueComparison]:
    """SELECT DISTINCT, and DISTINCT in an aggregate."""
    parent = node.parent
    is_clause = isinstance(parent, exp.Select) and node.arg_key == "distinct"
    values = [x.unalias() for x in parent.expressions] if is_clause and parent else node.expressions
    return _told_apart(values, ctx, collation_of)


def _by_window(node: exp.Expression, ctx: Context, collation_of: CollationOf) -> Iterator[ValueComparison]:
    """PARTITION BY."""
    return _told_apart(node.args.get("partition_by") or (), ctx, collation_of)


def _by_ordered(node: exp.Expression, ctx: Context, collation_of: CollationOf) -> Iterator[ValueComparison]:
    """A term of ORDER BY; of a compound, it may be a position."""
    compound = node.parent.parent if node.parent is not None else None
    position = node.this.this if isinstance(node.this, exp.Collate) else node.this
    if not isinstance(compound, exp.SetOperation) or not isinstance(position, exp.Literal):
        yield from _told_apart((node.this,), ctx, collation_of)
        return
    column = tuple(
        operand.expressions[int(position.name) - 1].unalias() for operand in blocks.select_operands(compound)
    )
    own = (node.this,) if isinstance(node.this, exp.Collate) else column
    yield ValueComparison(column, (), collation_of(own, ctx))


def _by_compound(node: exp.Expression, ctx: Context, collation_of: CollationOf) -> Iterator[ValueComparison]:
    """A compound that distinguishes rows does so by the first collation that an operand has."""
    if isinstance(node, exp.Union) and not node.args.get("distinct"):
        return
    rows = [[x.unalias() for x in operand.expressions] for operand in blocks.select_operands(node)]
    for column in zip_longest(*rows, fillvalue=exp.Null()):
        yield ValueComparison(column, (), collation_of(column, ctx))


def _membership(node: exp.Expression, ctx: Context, collation_of: CollationOf) -> Iterator[ValueComparison]:
    """IN, with a list or a subquery."""
    query = node.args.get("query")
    if query is None:
        return _in_list(node, ctx, collation_of)
    return _in_query(node, query, ctx, collation_of)


def _in_list(node: exp.Expression, ctx: Context, collation_of: CollationOf) -> Iterator[ValueComparison]:
    """Of a list only the left side has a say."""
    left = node.this
    applied = conversion(affinity(left, ctx), Applied.NONE)
    for item in node.expressions:
        yield ValueComparison((left,), (item,), collation_of((left,), ctx), applied)


def _in_query(
    node: exp.Expression, query: exp.Expression, ctx: Context, collation_of: CollationOf
) -> Iterator[ValueComparison]:
    left = components(node.this)
    rows = [[x.unalias() for x in operand.expressions] for operand in blocks.select_operands(query)]
    for one, *others in zip(left, *rows, strict=False):
        found = {conversion(affinity(one, ctx), affinity(other, ctx)) for other in others}
        names = {collation_of((one, other), ctx) for other in others}
        yield ValueComparison(
            (one,),
            tuple(others),
            names.pop() if len(names) == 1 else UNKNOWN,
            found.pop() if len(found) == 1 else Applied.UNKNOWN,
            of_rows=len(left) > 1,
        )


def comparisons(root: exp.Expression, ctx: Context) -> Iterator[ValueComparison]:
    """The comparisons of a resolved tree."""
    for node in root.find_all(exp.Expression):
        found = _READERS.get(type(node))
        if found is not None:
            yield from found(node, ctx, _collation)


def conversions(node: exp.Expression, ctx: Context) -> Iterator[ValueComparison]:
    """The comparisons of one node that convert something, where every collation is BINARY."""
    for comparison in _READERS[type(node)](node, ctx, _binary):
        if comparison.conversion is not Applied.NONE:
            yield comparison


def _binary(sides: Sequence[exp.Expression], ctx: Context) -> str:
    del sides, ctx
    return BINARY


def _collation(sides: Sequence[exp.Expression], ctx: Context) -> str:
    """The collation of a comparison: of a COLLATE, else of a column, the left one first."""
    explicit = [side for side in sides if _is_explicit(side)]
    for side in explicit or sides:
        found = collation(side, ctx)
        if found != "":
            return UNKNOWN if found is None else found
    return BINARY


def _is_explicit(node: exp.Expression) -> bool:
    while isinstance(node, exp.Cast):
        node = node.this
    return isinstance(node, exp.Collate)


def _sides(node: exp.Expression, ctx: Context, collation_of: CollationOf) -> Iterator[ValueComparison]:
    return compared(node.this, node.expression, ctx, collation_of)


def _is(node: exp.Expression, ctx: Context, collation_of: CollationOf) -> Iterable[ValueComparison]:
    tests_null_or_truth = isinstance(node.expression, exp.Null | exp.Boolean)
    return () if tests_null_or_truth else _sides(node, ctx, collation_of)


def _between(node: exp.Expression, ctx: Context, collation_of: CollationOf) -> Iterator[ValueComparison]:
    for bound in ("low", "high"):
        yield from compared(node.this, node.args[bound], ctx, collation_of)


def _case(node: exp.Expression, ctx: Context, collation_of: CollationOf) -> Iterator[ValueComparison]:
    operand: exp.Expression | None = node.args.get("this")
    if operand is not None:
        for branch in node.args["ifs"]:
            yield from compared(operand, branch.this, ctx, collation_of)


_READERS: dict[type[exp.Expr], ComparisonReader] = dict(
    chain(
        ((kind, _sides) for kind in (*blocks.COMPARISONS, exp.NullSafeEQ, exp.NullSafeNEQ)),
        ((kind, _by_arguments) for kind in (exp.Nullif, exp.Least, exp.Greatest)),
        ((kind, _by_extreme) for kind in (exp.Min, exp.Max)),
        ((kind, _by_compound) for kind in (exp.Union, exp.Intersect, exp.Except)),
        (
            (exp.Is, _is),
            (exp.Between, _between),
            (exp.In, _membership),
            (exp.Case, _case),
            (exp.Distinct, _by_distinct),
            (exp.Group, lambda node, ctx, collation_of: _told_apart(node.expressions, ctx, collation_of)),
            (exp.Window, _by_window),
            (exp.Ordered, _by_ordered),
        ),
    )
)


_CLAUSES = (exp.Where, exp.Having, exp.Join, exp.Limit, exp.Offset)
"""Node classes through which a collation does not pass."""


def hands_on_collation(tree: exp.Expression) -> bool:
    """Whether the collation of a text follows from a COLLATE deeper inside its expression."""
    return any(_is_handed_on(collate) for collate in tree.find_all(exp.Collate))


def _is_handed_on(collate: exp.Expression) -> bool:
    is_direct = True
    for node in _operands_above(collate):
        parent = cast(exp.Expression, node.parent)
        if _compares(parent, node) and not is_direct and not _is_number(node):
            return True
        is_direct = is_direct and isinstance(parent, exp.Collate | exp.Cast | exp.Alias)
    return False


def _operands_above(node: exp.Expression) -> Iterator[exp.Expression]:
    """The node and the expressions that it is part of, up to the clause of its query."""
    while node.parent is not None and not isinstance(node.parent, _CLAUSES):
        yield node
        node = cast(exp.Expression, node.parent)
        if isinstance(node, exp.Query):
            return


def _compares(parent: exp.Expression, node: exp.Expression) -> bool:
    if isinstance(parent, exp.Select):
        return parent.parent is not None or parent.args.get("distinct") is not None
    if isinstance(parent, exp.If) and node.arg_key == "this":
        case = parent.parent
        return isinstance(case, exp.Case) and case.args.get("this") is not None
    if isinstance(parent, exp.Case):
        return node.arg_key == "this"
    return isinstance(parent, blocks.COLLATION_READERS)


def _is_number(node: exp.Expression) -> bool:
    """Whether a value is no text, so that no collation matters."""
    if isinstance(node, exp.Alias | exp.Filter):
        return _is_number(node.this)
    if isinstance(node, exp.Case | exp.If):
        return all(map(_is_number, results(node)))
    function = function_of(node)
    is_call = function is not None and function.is_number
    return is_call or blocks.is_boolean(node) or blocks.is_number(node) or isinstance(node, exp.Null)


_LOOKING = (*blocks.COLLATION_READERS, exp.Collate, exp.Case, exp.If)
"""Node classes that may depend on the affinity or the collation of a column."""
_HANDING_ON = (exp.Alias, exp.Paren, exp.Query)
"""Those that hand on both: a subquery has those of its first column."""
_SORTING = (exp.Ordered, exp.Group, exp.Window)
"""Those of them that depend on the collation alone: rows are sorted and grouped without any conversion
(https://sqlite.org/datatype3.html, section 5)."""


def compares_by_plan(tree: exp.Expression, schema: Schema) -> bool:
    """Whether the tree compares, groups or orders a column that SQLite types by its plan.

    Columns of set operations alone are fed by several expressions.
    """
    if tree.find(exp.SetOperation) is None:
        return False
    ctx = Context(schema, Facts())
    columns = filter(_is_looked_at, tree.find_all(exp.Column))
    return any(_is_ambiguous(column, ctx) for column in columns)


def compares_early(tree: exp.Expression, schema: Schema) -> bool:
    """Whether the tree compares, groups or orders a column that SQLite types before its origin has a type."""
    if tree.find(exp.Subquery, exp.CTE) is None:
        return False
    ctx = Context(schema, Facts())
    columns = filter(_is_looked_at, tree.find_all(exp.Column))
    return any(_hangs_on_early(column, ctx) for column in columns)


def _is_looked_at(column: exp.Column) -> bool:
    """Whether a column, or a subquery whose value it is, stands where affinity or collation counts."""
    node: exp.Expr = column
    while (parent := node.parent) is not None and not isinstance(parent, _LOOKING):
        if isinstance(parent, exp.Select) and node is not parent.expressions[0]:
            return False
        if not isinstance(parent, _HANDING_ON) or isinstance(parent.parent, exp.From | exp.Join):
            return False
        node = parent
    return node.parent is not None


def _hangs_on_early(node: exp.Expression, ctx: Context) -> bool:
    """Whether an affinity or a collation comes by way of a column that is typed early."""
    fed = blocks.feeds(node) if isinstance(node, exp.Column) else None
    for feed in fed or ():
        if loses_affinity(feed, ctx) or loses_collation(feed, ctx):
            return True
        if any(_hangs_on_early(column, ctx) for column in feed.find_all(exp.Column)):
            return True
    return False


def looks_up_by_plan(tree: exp.Expression, schema: Schema) -> bool:
    """Whether an IN has members under a COLLATE of their own, which an index on the left side overlooks.

    SQLite looks ``c IN (SELECT x COLLATE NOCASE …)`` up in an index on c, under the collation of that index,
    and compares under NOCASE where there is none, or where it does not use it.
    """
    ctx = Context(schema, Facts())
    for node in tree.find_all(exp.In):
        query = node.args.get("query")
        sides = node.this.expressions if isinstance(node.this, exp.Tuple) else [node.this]
        for operand in blocks.select_operands(query) if query is not None else ():
            for side, member in zip(sides, operand.expressions, strict=False):
                named = member.unalias()
                if isinstance(named, exp.Collate) and collation(side, ctx) != collation(named, ctx):
                    return True
    return False


def _is_ambiguous(column: exp.Column, ctx: Context) -> bool:
    traits = _traits(column, ctx)
    if isinstance(column.parent, _SORTING):
        return len({collated for _, collated in traits}) > 1
    return len(traits) > 1


def _traits(node: exp.Expression, ctx: Context) -> set[tuple[Applied, str]]:
    """The affinities and collations under which an expression may be compared."""
    fed = blocks.feeds(node) if isinstance(node, exp.Column) else None
    if fed is None:
        return {(affinity(node, ctx), collation(node, ctx) or "BINARY")}
    return {trait for feed in fed for trait in _traits(feed, ctx)}


def joins_under_rtrim(tree: exp.Expression, schema: Schema) -> bool:
    """Whether a query of several sources compares a column with anything under RTRIM."""
    if "RTRIM" not in schema.collations and tree.find(exp.Collate) is None:
        return False
    if len(list(islice(tree.find_all(exp.Table), 2))) < 2:
        return False
    found = comparisons(tree, Context(schema, Facts()))
    return any(
        each.right
        and each.collation in ("RTRIM", UNKNOWN)
        and any(side.find(exp.Column) is not None for side in (*each.left, *each.right))
        for each in found
    )
