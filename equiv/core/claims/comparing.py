"""The comparisons that a resolved tree makes, each with the collation and the conversion in force.

Beside its value an expression brings a collation and an affinity to whatever compares it
(https://sqlite.org/datatype3.html sections 4.2 and 7.1).  A column has both, a CASE of it neither; a scalar
subquery has the affinity of its column, and no collation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from sqlglot import exp

from equiv.core.claims.fingerprint import sources
from equiv.core.claims.predicates import COMPARISONS
from equiv.core.claims.sources import defining_query, select_operands
from equiv.core.claims.value_types import Applied, affinity, collation, results
from equiv.core.context import Context

BINARY = "BINARY"
UNKNOWN = "?"
"""A collation that the tree does not tell."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Values that are compared with one another."""

    left: tuple[exp.Expression, ...]
    right: tuple[exp.Expression, ...]
    """The right operands; none: the values on the left are grouped, deduplicated or sorted."""
    collation: str
    conversion: Applied = Applied.NONE
    """The affinity that is applied to both sides; WEAK: TEXT or none, by the plan; UNKNOWN: any."""
    of_rows: bool = False
    """Whether it is of components of row values under IN, which where one is NULL converts no other."""


def comparisons(root: exp.Expression, ctx: Context) -> Iterator[Comparison]:
    """The comparisons of a resolved tree."""
    for node in root.find_all(exp.Expression):
        found = _READERS.get(type(node))
        if found is not None:
            yield from found(node, ctx, _collation)


def conversions(node: exp.Expression, ctx: Context) -> Iterator[Comparison]:
    """The comparisons of one node that convert something, where every collation is BINARY."""
    for comparison in _READERS[type(node)](node, ctx, _binary):
        if comparison.conversion is not Applied.NONE:
            yield comparison


Collation = Callable[[Sequence[exp.Expression], Context], str]
Reader = Callable[[exp.Expression, Context, Collation], Iterable[Comparison]]


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


def _conversion(left: Applied, right: Applied) -> Applied:
    """The affinity that a comparison applies to both sides (``sqlite3CompareAffinity``)."""
    both = (left, right)
    if Applied.NUMERIC in both:
        return Applied.NUMERIC
    if Applied.UNKNOWN in both:
        return Applied.UNKNOWN
    if Applied.TEXT in both and Applied.NONE in both:
        return Applied.TEXT
    return Applied.WEAK if Applied.TEXT in both and Applied.WEAK in both else Applied.NONE


def _components(node: exp.Expression) -> list[exp.Expression]:
    """The values of a row value; a single value is a row of itself."""
    if isinstance(node, exp.Tuple):
        return list(node.expressions)
    if isinstance(node, exp.Subquery) and len(node.this.expressions) > 1:
        return [projection.unalias() for projection in node.this.expressions]
    return [node]


def _compared(
    left: exp.Expression, right: exp.Expression, ctx: Context, collation_of: Collation
) -> Iterator[Comparison]:
    for one, other in zip(_components(left), _components(right), strict=False):
        applied = _conversion(affinity(one, ctx), affinity(other, ctx))
        yield Comparison((one,), (other,), collation_of((one, other), ctx), applied)


def _sides(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    return _compared(node.this, node.expression, ctx, collation_of)


def _is(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterable[Comparison]:
    tests_null_or_truth = isinstance(node.expression, exp.Null | exp.Boolean)
    return () if tests_null_or_truth else _sides(node, ctx, collation_of)


def _between(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    for bound in ("low", "high"):
        yield from _compared(node.this, node.args[bound], ctx, collation_of)


def _in(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    query = node.args.get("query")
    if query is None:
        return _in_list(node, ctx, collation_of)
    return _in_query(node, query, ctx, collation_of)


def _in_list(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """Of a list only the left side has a say, but where SQLite makes ``=`` of it: one constant."""
    left, listed = node.this, node.expressions
    applied = _conversion(affinity(left, ctx), Applied.NONE)
    is_equation = len(listed) == 1 and listed[0].find(exp.Column, exp.Query) is None
    for item in listed:
        name = collation_of((left, item) if is_equation else (left,), ctx)
        yield Comparison((left,), (item,), name, applied)


def _in_query(
    node: exp.Expression, query: exp.Expression, ctx: Context, collation_of: Collation
) -> Iterator[Comparison]:
    left = _components(node.this)
    rows = [[x.unalias() for x in operand.expressions] for operand in select_operands(query)]
    is_misread = len(left) > 1 and _may_use_index(query) and _differ(chain(left, *rows), ctx)
    for one, *others in zip(left, *rows, strict=False):
        conversions = {_conversion(affinity(one, ctx), affinity(other, ctx)) for other in others}
        if is_misread:
            conversions = {Applied.UNKNOWN}
        names = {collation_of((one, other), ctx) for other in others}
        yield Comparison(
            (one,),
            tuple(others),
            names.pop() if len(names) == 1 else UNKNOWN,
            conversions.pop() if len(conversions) == 1 else Applied.UNKNOWN,
            of_rows=len(left) > 1,
        )


def _may_use_index(query: exp.Expression) -> bool:
    """Whether SQLite may look rows up in an index of the subquery's table (``isCandidateForInOpt``).

    SQLite 3.40 then converts each component as the column at its place in the index asks for.
    """
    select = query.this if isinstance(query, exp.Subquery) else query
    clauses = ("joins", "where", "group", "having", "distinct", "limit", "with_")
    if not isinstance(select, exp.Select) or any(select.args.get(name) for name in clauses):
        return False
    source = next(iter(sources(select)), None)
    if not isinstance(source, exp.Table) or defining_query(source) is not None:
        return False
    return all(isinstance(projection.unalias(), exp.Column) for projection in select.expressions)


def _differ(nodes: Iterable[exp.Expression], ctx: Context) -> bool:
    return len({affinity(node, ctx) for node in nodes}) > 1


def _case(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    operand: exp.Expression | None = node.args.get("this")
    if operand is not None:
        for branch in node.args["ifs"]:
            yield from _compared(operand, branch.this, ctx, collation_of)


def _arguments(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """NULLIF, scalar MIN and MAX: they convert nothing, and take the first collation that there is."""
    found = (node.this, *((node.expression,) if isinstance(node, exp.Nullif) else node.expressions))
    yield Comparison(found, (), collation_of(found, ctx))


def _extreme(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    return _told_apart(results(node)[:1], ctx, collation_of)


def _told_apart(
    values: Iterable[exp.Expression], ctx: Context, collation_of: Collation
) -> Iterator[Comparison]:
    for value in values:
        yield Comparison((value,), (), collation_of((value,), ctx))


def _distinct(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    parent = node.parent
    is_clause = isinstance(parent, exp.Select) and node.arg_key == "distinct"
    values = [x.unalias() for x in parent.expressions] if is_clause and parent else node.expressions
    return _told_apart(values, ctx, collation_of)


def _group(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    return _told_apart(node.expressions, ctx, collation_of)


def _window(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    return _told_apart(node.args.get("partition_by") or (), ctx, collation_of)


def _ordered(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    compound = node.parent.parent if node.parent is not None else None
    position = node.this.this if isinstance(node.this, exp.Collate) else node.this
    if not isinstance(compound, exp.SetOperation) or not isinstance(position, exp.Literal):
        yield from _told_apart((node.this,), ctx, collation_of)
        return
    column = tuple(
        operand.expressions[int(position.name) - 1].unalias() for operand in select_operands(compound)
    )
    own = (node.this,) if isinstance(node.this, exp.Collate) else column
    yield Comparison(column, (), collation_of(own, ctx))


def _compound(node: exp.Expression, ctx: Context, collation_of: Collation) -> Iterator[Comparison]:
    """A compound that tells rows apart does so by the first collation that an operand has."""
    if isinstance(node, exp.Union) and not node.args.get("distinct"):
        return
    rows = [[x.unalias() for x in operand.expressions] for operand in select_operands(node)]
    for column in zip_longest(*rows, fillvalue=exp.Null()):
        yield Comparison(column, (), collation_of(column, ctx))


_READERS: dict[type[exp.Expr], Reader] = dict(
    chain(
        ((kind, _sides) for kind in (*COMPARISONS, exp.NullSafeEQ, exp.NullSafeNEQ)),
        ((kind, _arguments) for kind in (exp.Nullif, exp.Least, exp.Greatest)),
        ((kind, _extreme) for kind in (exp.Min, exp.Max)),
        ((kind, _compound) for kind in (exp.Union, exp.Intersect, exp.Except)),
        (
            (exp.Is, _is),
            (exp.Between, _between),
            (exp.In, _in),
            (exp.Case, _case),
            (exp.Distinct, _distinct),
            (exp.Group, _group),
            (exp.Window, _window),
            (exp.Ordered, _ordered),
        ),
    )
)
