"""Small changes to a query, most of which change what it means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from sqlglot import exp

from equiv.schema.model import Schema
from equiv.sql import to_sql

Mutate = Callable[[exp.Expression, Random], exp.Expression | None]
"""Changes a node in place or replaces it; None if it has nothing to change there."""

_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)
_AGGREGATES = (exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max)


def mutants(tree: exp.Expression, schema: Schema, seed: int, number: int) -> Iterator[str]:
    """Up to ``number`` different mutants of a resolved query, as SQL."""
    rng = Random(seed)
    seen = {to_sql(tree)}
    for _ in range(number * 4):
        mutant = _mutate(tree.copy(), schema, rng)
        text = to_sql(mutant) if mutant is not None else ""
        if text and text not in seen:
            seen.add(text)
            yield text
        if len(seen) > number:
            return


def _mutate(tree: exp.Expression, schema: Schema, rng: Random) -> exp.Expression | None:
    nodes = list(tree.find_all(exp.Expression))
    for _ in range(20):
        node = rng.choice(nodes)
        changes = [m for kinds, m in _MUTATIONS if isinstance(node, kinds)]
        if isinstance(node, exp.Column):
            changes.append(lambda n, r: _other_column(n, tree, schema, r))
        if changes and rng.choice(changes)(node, rng) is not None:
            return tree
    return None


def _other_column(
    node: exp.Expression, tree: exp.Expression, schema: Schema, rng: Random
) -> exp.Expression | None:
    table = next((s for s in tree.find_all(exp.Table) if s.alias_or_name == node.text("table")), None)
    found = schema.table(table.name) if table is not None else None
    if found is None:
        return None
    node.set("this", exp.to_identifier(rng.choice(found.columns).name))
    return node


def _other_comparison(node: exp.Expression, rng: Random) -> exp.Expression:
    kind = rng.choice([k for k in _COMPARISONS if not isinstance(node, k)])
    return _swap(node, kind(this=node.this.copy(), expression=node.expression.copy()))


def _swap(node: exp.Expression, new: exp.Expression) -> exp.Expression:
    node.replace(new)
    return new


def _drop_operand(node: exp.Expression, rng: Random) -> exp.Expression:
    return _swap(node, rng.choice([node.this, node.expression]).copy())


def _other_connector(node: exp.Expression, rng: Random) -> exp.Expression:
    del rng
    kind = exp.Or if isinstance(node, exp.And) else exp.And
    return _swap(node, kind(this=node.this.copy(), expression=node.expression.copy()))


def _other_literal(node: exp.Expression, rng: Random) -> exp.Expression | None:
    if not node.is_string:
        return _swap(node, exp.Literal.number(abs(int(float(node.name))) + rng.choice((0, 1, 2))))
    text = rng.choice((node.name.swapcase(), node.name + "x", node.name[:-1], "%" + node.name, ""))
    return _swap(node, exp.Literal.string(text))


def _other_aggregate(node: exp.Expression, rng: Random) -> exp.Expression | None:
    if isinstance(node.this, exp.Star):
        return None
    return _swap(node, rng.choice(_AGGREGATES)(this=node.this.copy()))


def _toggle_inner_distinct(node: exp.Expression, rng: Random) -> exp.Expression | None:
    del rng
    if isinstance(node.this, exp.Star):
        return None
    inner = node.this
    node.set(
        "this", inner.expressions[0] if isinstance(inner, exp.Distinct) else exp.Distinct(expressions=[inner])
    )
    return node


def _count_star(node: exp.Expression, rng: Random) -> exp.Expression:
    del rng
    return _swap(node, exp.Count(this=exp.Star()))


def _toggle_distinct(node: exp.Expression, rng: Random) -> exp.Expression:
    del rng
    node.set("distinct", None if node.args.get("distinct") else exp.Distinct())
    return node


def _drop_clause(node: exp.Expression, rng: Random) -> exp.Expression | None:
    present = [
        name for name in ("where", "having", "group", "order", "limit", "distinct") if node.args.get(name)
    ]
    if not present:
        return None
    node.set(rng.choice(present), None)
    return node


def _flip_order(node: exp.Expression, rng: Random) -> exp.Expression:
    del rng
    node.set("desc", not node.args.get("desc"))
    return node


def _drop_key(node: exp.Expression, rng: Random) -> exp.Expression | None:
    if len(node.expressions) < 2:
        return None
    kept = list(node.expressions)
    kept.pop(rng.randrange(len(kept)))
    node.set("expressions", kept)
    return node


def _other_join(node: exp.Expression, rng: Random) -> exp.Expression | None:
    if not node.args.get("on"):
        return None
    if rng.random() < 0.3:
        node.set("on", None)
        node.set("side", None)
    else:
        node.set("side", None if node.text("side") else "LEFT")
    return node


def _negate(node: exp.Expression, rng: Random) -> exp.Expression:
    del rng
    return _swap(node, exp.Not(this=node.copy()))


def _drop_not(node: exp.Expression, rng: Random) -> exp.Expression:
    del rng
    return _swap(node, node.this.copy())


def _other_set_operation(node: exp.Expression, rng: Random) -> exp.Expression:
    del rng
    node.set("distinct", not node.args.get("distinct"))
    return node


_MUTATIONS: tuple[tuple[tuple[type[exp.Expression], ...], Mutate], ...] = (
    (_COMPARISONS, _other_comparison),
    ((exp.And, exp.Or), _drop_operand),
    ((exp.And, exp.Or), _other_connector),
    ((exp.Literal,), _other_literal),
    (_AGGREGATES, _other_aggregate),
    (_AGGREGATES, _toggle_inner_distinct),
    (_AGGREGATES, _count_star),
    ((exp.Select,), _toggle_distinct),
    ((exp.Select,), _drop_clause),
    ((exp.Ordered,), _flip_order),
    ((exp.Group, exp.Order, exp.In), _drop_key),
    ((exp.Join,), _other_join),
    ((exp.In, exp.Like, exp.Is, exp.Exists, exp.Between), _negate),
    ((exp.Not,), _drop_not),
    ((exp.Union,), _other_set_operation),
)
