"""Small changes to a query, most of which change what it means.

Some of them change one node, the others one SELECT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from random import Random
from typing import cast

from sqlglot import exp

from equiv.core.model import Schema
from equiv.core.printing import to_sql
from equiv.testing.making.select_changes import MARK, Changes


def mutants(
    tree: exp.Expression, schema: Schema, seed: int, number: int, asides: Sequence[str] = ()
) -> Iterator[str]:
    """Up to ``number`` different mutants of a resolved query, as SQL.

    Args:
        tree: the query; left as it is.
        schema: its tables, of which a mutant may read others.
        seed: what the mutants depend on.
        number: how many.
        asides: other queries on the schema, which a condition may ask for a row.
    """
    yield from drawn_mutants(tree, schema, Random(seed), number, asides)


def drawn_mutants(
    tree: exp.Expression, schema: Schema, rng: Random, number: int, asides: Sequence[str] = ()
) -> Iterator[str]:
    """As :func:`mutants`, from any source of choices."""
    seen = {to_sql(tree)}
    for _ in range(number * 4):
        text = _mutant(tree.copy(), Changes(schema, rng, asides))
        if text and text not in seen:
            seen.add(text)
            yield text
        if len(seen) > number:
            return


def _mutant(tree: exp.Expression, changes: Changes) -> str:
    """The SQL of a changed tree; nothing where a change led out of what can be printed."""
    rng = changes.random
    for _ in range(rng.choice((1, 1, 1, 1, 2))):
        changed = _change_select(tree, changes) if rng.random() < 0.6 else _change_node(tree, changes)
        if changed is None:
            return ""
        tree = changed
    try:
        return changes.printed(tree)
    except (AttributeError, KeyError, TypeError, ValueError):
        return ""


def _change_select(tree: exp.Expression, changes: Changes) -> exp.Expression | None:
    selects = list(tree.find_all(exp.Select))
    return tree if any(changes.change(changes.random.choice(selects)) for _ in range(8)) else None


def _change_node(tree: exp.Expression, changes: Changes) -> exp.Expression | None:
    rng = changes.random
    nodes = [node for node in tree.find_all(exp.Expression) if not node.name.startswith(MARK)]
    for _ in range(20):
        node = rng.choice(nodes)
        kinds = [m for kinds, m in _MUTATIONS if isinstance(node, kinds)]
        if isinstance(node, exp.Column):
            kinds.append(lambda n, r: _other_column(n, tree, changes.schema, r))
        if kinds and rng.choice(kinds)(node, rng) is not None:
            return tree
    return None


_Mutate = Callable[[exp.Expression, Random], exp.Expression | None]
"""Changes a node in place or replaces it; None if it has nothing to change there."""

_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)
_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod)
_SET_OPERATIONS = (exp.Union, exp.Intersect, exp.Except)
_AGGREGATES = (exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max)


def _other_column(
    node: exp.Expression, tree: exp.Expression, schema: Schema, rng: Random
) -> exp.Expression | None:
    """The column exchanged for another one of its table."""
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


def _other_connector(node: exp.Expression, _: Random) -> exp.Expression:
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


def _toggle_inner_distinct(node: exp.Expression, _: Random) -> exp.Expression | None:
    if isinstance(node.this, exp.Star):
        return None
    inner = node.this
    node.set(
        "this", inner.expressions[0] if isinstance(inner, exp.Distinct) else exp.Distinct(expressions=[inner])
    )
    return node


def _count_star(node: exp.Expression, _: Random) -> exp.Expression:
    return _swap(node, exp.Count(this=exp.Star()))


def _toggle_distinct(node: exp.Expression, _: Random) -> exp.Expression:
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


def _flip_order(node: exp.Expression, _: Random) -> exp.Expression:
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


def _drop_join(node: exp.Expression, rng: Random) -> exp.Expression | None:
    """The query without one of its joins; it is none if something else names the source."""
    joins = list(node.args.get("joins") or ())
    if not joins:
        return None
    joins.pop(rng.randrange(len(joins)))
    node.set("joins", joins)
    return node


def _drop_condition(node: exp.Expression, rng: Random) -> exp.Expression:
    """The query without one conjunct of its WHERE or HAVING."""
    parts = list(node.this.flatten()) if isinstance(node.this, exp.And) else []
    if len(parts) < 2:
        return _swap(node.this, exp.Literal.number(1))
    parts.pop(rng.randrange(len(parts)))
    kept = reduce(lambda a, b: exp.And(this=a, expression=b), [part.copy() for part in parts])
    return _swap(node.this, cast(exp.Expression, kept))


def _drop_call(node: exp.Expression, _: Random) -> exp.Expression:
    """A cast, a COALESCE or the like without the call."""
    return _swap(node, node.this.copy())


def _other_arithmetic(node: exp.Expression, rng: Random) -> exp.Expression:
    kind = rng.choice([k for k in _ARITHMETIC if not isinstance(node, k)])
    return _swap(node, kind(this=node.this.copy(), expression=node.expression.copy()))


def _swap_operands(node: exp.Expression, _: Random) -> exp.Expression:
    return _swap(node, type(node)(this=node.expression.copy(), expression=node.this.copy()))


def _drop_branch(node: exp.Expression, rng: Random) -> exp.Expression | None:
    branches = list(node.args.get("ifs") or ())
    if len(branches) < 2 or rng.random() < 0.5:
        if node.args.get("default") is None:
            return None
        node.set("default", None)
        return node
    branches.pop(rng.randrange(len(branches)))
    node.set("ifs", branches)
    return node


def _other_nulls(node: exp.Expression, _: Random) -> exp.Expression:
    node.set("nulls_first", not node.args.get("nulls_first"))
    return node


def _negate(node: exp.Expression, _: Random) -> exp.Expression:
    return _swap(node, exp.Not(this=node.copy()))


def _drop_not(node: exp.Expression, _: Random) -> exp.Expression:
    return _swap(node, node.this.copy())


def _other_set_operation(node: exp.Expression, rng: Random) -> exp.Expression:
    if isinstance(node, exp.Union) and rng.random() < 0.5:
        node.set("distinct", not node.args.get("distinct"))
        return node
    kind = rng.choice([k for k in _SET_OPERATIONS if not isinstance(node, k)])
    return _swap(node, kind(**{**node.copy().args, "distinct": True}))


_MUTATIONS: tuple[tuple[tuple[type[exp.Expression], ...], _Mutate], ...] = (
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
    (_SET_OPERATIONS, _other_set_operation),
    ((exp.Select,), _drop_join),
    ((exp.Where, exp.Having), _drop_condition),
    ((exp.Cast, exp.Coalesce, exp.Round, exp.Abs, exp.Lower, exp.Upper, exp.Trim), _drop_call),
    (_ARITHMETIC, _other_arithmetic),
    ((exp.Sub, exp.Div, exp.LT, exp.LTE, exp.GT, exp.GTE), _swap_operands),
    ((exp.Case,), _drop_branch),
    ((exp.Ordered,), _other_nulls),
)
"""Which nodes each change takes."""
