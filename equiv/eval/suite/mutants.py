"""Mutants of a query: each changes one place in one way, as a slip of a system would.

The changes are those of the mutation operators for SQL (Tuya, Suarez-Cabal and de la Riva 2007, Mutating
database queries: clauses, operators, NULLs, identifiers) and of the neighbour queries that Spider's test
suites are distilled by (arXiv 2010.02840).  Whether a mutant means something else is the engine's to say.

A change gives what may stand in the place of a node, which stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest

from sqlglot import exp

from equiv.core.model import Schema
from equiv.core.printing import to_sql

Mutation = Callable[[exp.Expression, Schema], Iterator[exp.Expression]]
NodeClasses = tuple[type[exp.Expression], ...]

_COMPARISONS: dict[type[exp.Expression], tuple[type[exp.Expression], ...]] = {
    exp.EQ: (exp.NEQ, exp.GTE),
    exp.NEQ: (exp.EQ,),
    exp.GT: (exp.GTE, exp.LT),
    exp.GTE: (exp.GT, exp.LTE),
    exp.LT: (exp.LTE, exp.GT),
    exp.LTE: (exp.LT, exp.GTE),
}
_ARITHMETIC: dict[type[exp.Expression], tuple[type[exp.Expression], ...]] = {
    exp.Add: (exp.Sub,),
    exp.Sub: (exp.Add,),
    exp.Mul: (exp.Div,),
    exp.Div: (exp.Mul,),
}
_AGGREGATES: dict[type[exp.Expression], tuple[type[exp.Expression], ...]] = {
    exp.Count: (exp.Sum, exp.Max),
    exp.Sum: (exp.Count, exp.Avg),
    exp.Avg: (exp.Sum, exp.Max),
    exp.Min: (exp.Max,),
    exp.Max: (exp.Min, exp.Avg),
}
_CONNECTORS: dict[type[exp.Expression], tuple[type[exp.Expression], ...]] = {
    exp.And: (exp.Or,),
    exp.Or: (exp.And,),
}
_CALLS = (exp.Cast, exp.Coalesce, exp.Round, exp.Abs, exp.Lower, exp.Upper, exp.Trim)
_TRUTHS = (exp.In, exp.Like, exp.Is, exp.Exists, exp.Between)


def _other_operator(node: exp.Expression, schema: Schema) -> Iterator[exp.Expression]:
    del schema
    for others in (_COMPARISONS, _ARITHMETIC, _CONNECTORS):
        for kind in others.get(type(node), ()):
            yield kind(this=node.this.copy(), expression=node.expression.copy())


def _drop_side(node: exp.Expression, schema: Schema) -> Iterator[exp.Expression]:
    del schema
    yield from (node.this.copy(), node.expression.copy())


def _other_value(node: exp.Expression, schema: Schema) -> Iterator[exp.Expression]:
    del schema
    if node.find_ancestor(exp.Limit, exp.Offset):
        return
    if node.is_string:
        yield from (exp.Literal.string(text) for text in (f"{node.name}x", node.name.swapcase()))
    else:
        yield exp.Literal.number(int(float(node.name)) + 1)


def _other_limit(node: exp.Expression, schema: Schema) -> Iterator[exp.Expression]:
    del schema
    count = node.args.get("expression")
    if isinstance(count, exp.Literal) and not count.is_string:
        new = node.copy()
        new.set("expression", exp.Literal.number(int(float(count.name)) + 1))
        yield new


def _other_aggregate(node: exp.Expression, schema: Schema) -> Iterator[exp.Expression]:
    del schema
    if node.this is None or isinstance(node.this, exp.Star | exp.Distinct):
        return
    for kind in _AGGREGATES[type(node)]:
        yield kind(this=node.this.copy())


def _inner_distinct(node: exp.Expression, schema: Schema) -> Iterator[exp.Expression]:
    del schema
    if node.this is None or isinstance(node.this, exp.Star):
        return
    inner = node.this
    new = (
        inner.expressions[0].copy()
        if isinstance(inner, exp.Distinct)
        else exp.Distinct(expressions=[inner.copy()])
    )
    yield type(node)(this=new)


def _count_rows(node: exp.Expression, schema: Schema) -> Iterator[exp.Expression]:
    del schema
    if not isinstance(node.this, exp.Star):
        yield exp.Count(this=exp.Star())


def _without(*names: str) -> Mutation:
    """Drops one of a node's clauses, whichever is there."""

    def drop(node: exp.Expression, schema: Schema) -> Iterator[exp.Expression]:
        del schema
        for name in names:
            if node.args.get(name):
                new = node.copy()
                new.set(name, None)
                yield new

    return drop


def _toggle_distinct(node: exp.Expression, schema: Schema) -> Iterator[exp.Expression]:
    del schema
    new = node.copy()
    new.set("distinct", None if node.args.get("distinct") else exp.Distinct())
    yield new


def _flip_order(node: exp.Expression, schema: Schema) -> Iterator[exp.Expression]:
    del schema
    new = node.copy()
    new.set("desc", not node.args.get("desc"))
    yield new


def _drop_item(node: exp.Expression, schema: Schema) -> Iterator[exp.Expression]:
    del schema
    for place in range(len(node.expressions) if len(node.expressions) > 1 else 0):
        new = node.copy()
        new.set("expressions", [each.copy() for at, each in enumerate(node.expressions) if at != place])
        yield new


def _outer_join(node: exp.Expression, schema: Schema) -> Iterator[exp.Expression]:
    del schema
    if node.args.get("on"):
        new = node.copy()
        new.set("side", None if node.text("side") else "LEFT")
        yield new


def _negate(node: exp.Expression, schema: Schema) -> Iterator[exp.Expression]:
    del schema
    yield exp.Not(this=node.copy())


def _drop_call(node: exp.Expression, schema: Schema) -> Iterator[exp.Expression]:
    del schema
    yield node.this.copy()


def _swap_sides(node: exp.Expression, schema: Schema) -> Iterator[exp.Expression]:
    del schema
    yield type(node)(this=node.expression.copy(), expression=node.this.copy())


def _other_compound(node: exp.Expression, schema: Schema) -> Iterator[exp.Expression]:
    del schema
    if isinstance(node, exp.Union):
        new = node.copy()
        new.set("distinct", not node.args.get("distinct"))
        yield new
    kinds = [kind for kind in (exp.Union, exp.Intersect, exp.Except) if not isinstance(node, kind)]
    for kind in kinds:
        yield kind(**{**node.copy().args, "distinct": True})


def _other_column(node: exp.Expression, schema: Schema) -> Iterator[exp.Expression]:
    """The columns that stand next to a column in its table, of those with its domain."""
    root = node.root()
    source = next((t for t in root.find_all(exp.Table) if t.alias_or_name == node.text("table")), None)
    table = schema.table(source.name) if source is not None else None
    own = table.column(node.name) if table is not None else None
    if table is None or own is None:
        return
    alike = [column.name for column in table.columns if column.domain is own.domain]
    place = alike.index(own.name)
    for name in (*alike[place + 1 : place + 2], *alike[max(place - 1, 0) : place]):
        new = node.copy()
        new.set("this", exp.to_identifier(name, quoted=True))
        yield new


CHANGES: tuple[tuple[str, NodeClasses, Mutation], ...] = (
    ("other comparison", tuple(_COMPARISONS), _other_operator),
    ("condition dropped", (exp.And, exp.Or), _drop_side),
    ("other value", (exp.Literal,), _other_value),
    ("other aggregate", tuple(_AGGREGATES), _other_aggregate),
    ("other column", (exp.Column,), _other_column),
    ("clause dropped", (exp.Select,), _without("where", "having", "group", "limit", "order")),
    ("other connector", (exp.And, exp.Or), _other_operator),
    ("distinct aggregate", (exp.Count, exp.Sum, exp.Avg), _inner_distinct),
    ("rows counted", tuple(_AGGREGATES), _count_rows),
    ("order turned", (exp.Ordered,), _flip_order),
    ("other limit", (exp.Limit,), _other_limit),
    ("outer join", (exp.Join,), _outer_join),
    ("join condition dropped", (exp.Join,), _without("on")),
    ("distinct", (exp.Select,), _toggle_distinct),
    ("key dropped", (exp.Group, exp.Order, exp.In), _drop_item),
    ("negated", _TRUTHS, _negate),
    ("negation dropped", (exp.Not,), _drop_call),
    ("other set operation", (exp.Union, exp.Intersect, exp.Except), _other_compound),
    ("other arithmetic", tuple(_ARITHMETIC), _other_operator),
    ("operands swapped", (exp.Sub, exp.Div), _swap_sides),
    ("call dropped", _CALLS, _drop_call),
    ("branch dropped", (exp.Case,), _without("default")),
)
"""Name, nodes, and what may stand in their place; the order is that in which they take turns."""


def mutants(tree: exp.Expression, schema: Schema, number: int) -> list[tuple[str, str]]:
    """Up to so many mutants of a resolved query: what was changed, and the SQL.

    The kinds of changes take turns, so that few mutants still are of many kinds.
    """
    by_kind = [_of_kind(tree, schema, name, kinds, change) for name, kinds, change in CHANGES]
    seen = {to_sql(tree)}
    texts: list[tuple[str, str]] = []
    for turn in zip_longest(*by_kind):
        for mutant in filter(None, turn):
            if mutant[1] and mutant[1] not in seen and len(texts) < number:
                seen.add(mutant[1])
                texts.append(mutant)
        if len(texts) == number:
            break
    return texts


def _of_kind(
    tree: exp.Expression, schema: Schema, name: str, kinds: NodeClasses, change: Mutation
) -> Iterator[tuple[str, str]]:
    for place, node in enumerate(tree.walk()):
        if isinstance(node, kinds):
            for new in change(node, schema):
                yield name, _replaced(tree, place, new)


def _replaced(tree: exp.Expression, place: int, new: exp.Expression) -> str:
    """The SQL of a tree with another node at a place; nothing where that cannot be printed."""
    changed = tree.copy()
    node = next(node for at, node in enumerate(changed.walk()) if at == place)
    if node is changed:
        changed = new
    else:
        node.replace(new)
    try:
        return to_sql(changed)
    except (AttributeError, KeyError, TypeError, ValueError):
        return ""
