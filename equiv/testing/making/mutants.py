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
_CALLS = (exp.Cast, exp.Coalesce, exp.Round, exp.Abs, exp.Lower, exp.Upper, exp.Trim)
_ORDERED = (exp.Sub, exp.Div, exp.LT, exp.LTE, exp.GT, exp.GTE)
"""Operators to which it matters which operand is which."""
_AGGREGATES = (exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max)


def _other_column(
    node: exp.Expression, tree: exp.Expression, schema: Schema, rng: Random
) -> exp.Expression | None:
    """The column exchanged for another one of its table."""
    table = next((s for s in tree.find_all(exp.Table) if s.alias_or_name == node.text("table")), None)
    found = schema.table(table.name) if table is not None else None
    if found is None:
        return None
    return _set(node, "this", exp.to_identifier(rng.choice(found.columns).name))


def _swap(node: exp.Expression, new: exp.Expression) -> exp.Expression:
    node.replace(new)
    return new


def _set(node: exp.Expression, name: str, value: object) -> exp.Expression:
    node.set(name, value)
    return node


def _kind(node: exp.Expression, kind: type[exp.Expression]) -> exp.Expression:
    """The node exchanged for one of another class with the same operands."""
    return _swap(node, kind(this=node.this.copy(), expression=node.expression.copy()))


def _other_of(kinds: tuple[type[exp.Expression], ...]) -> _Mutate:
    return lambda node, rng: _kind(node, rng.choice([k for k in kinds if not isinstance(node, k)]))


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
    is_there = isinstance(inner, exp.Distinct)
    return _set(node, "this", inner.expressions[0] if is_there else exp.Distinct(expressions=[inner]))


def _drop_clause(node: exp.Expression, rng: Random) -> exp.Expression | None:
    present = [
        name for name in ("where", "having", "group", "order", "limit", "distinct") if node.args.get(name)
    ]
    if not present:
        return None
    return _set(node, rng.choice(present), None)


def _drop_one(name: str, least: int) -> _Mutate:
    """Drops one of a node's parts of a name, where there are at least so many."""

    def drop(node: exp.Expression, rng: Random) -> exp.Expression | None:
        kept = list(node.args.get(name) or ())
        if len(kept) < least:
            return None
        kept.pop(rng.randrange(len(kept)))
        return _set(node, name, kept)

    return drop


def _other_join(node: exp.Expression, rng: Random) -> exp.Expression | None:
    if not node.args.get("on"):
        return None
    if rng.random() < 0.3:
        node.set("on", None)
        return _set(node, "side", None)
    return _set(node, "side", None if node.text("side") else "LEFT")


def _drop_condition(node: exp.Expression, rng: Random) -> exp.Expression:
    """The query without one conjunct of its WHERE or HAVING."""
    parts = list(node.this.flatten()) if isinstance(node.this, exp.And) else []
    if len(parts) < 2:
        return _swap(node.this, exp.Literal.number(1))
    parts.pop(rng.randrange(len(parts)))
    kept = reduce(lambda a, b: exp.And(this=a, expression=b), [part.copy() for part in parts])
    return _swap(node.this, cast(exp.Expression, kept))


def _drop_branch(node: exp.Expression, rng: Random) -> exp.Expression | None:
    branches = list(node.args.get("ifs") or ())
    if len(branches) < 2 or rng.random() < 0.5:
        if node.args.get("default") is None:
            return None
        return _set(node, "default", None)
    return _DROP_IF(node, rng)


_DROP_IF = _drop_one("ifs", 2)


def _other_set_operation(node: exp.Expression, rng: Random) -> exp.Expression:
    if isinstance(node, exp.Union) and rng.random() < 0.5:
        node.set("distinct", not node.args.get("distinct"))
        return node
    kind = rng.choice([k for k in _SET_OPERATIONS if not isinstance(node, k)])
    return _swap(node, kind(**{**node.copy().args, "distinct": True}))


_MUTATIONS: tuple[tuple[tuple[type[exp.Expression], ...], _Mutate], ...] = (
    (_COMPARISONS, _other_of(_COMPARISONS)),
    ((exp.And, exp.Or), lambda n, rng: _swap(n, rng.choice([n.this, n.expression]).copy())),
    ((exp.And, exp.Or), lambda n, _: _kind(n, exp.Or if isinstance(n, exp.And) else exp.And)),
    ((exp.Literal,), _other_literal),
    (_AGGREGATES, _other_aggregate),
    (_AGGREGATES, _toggle_inner_distinct),
    (_AGGREGATES, lambda n, _: _swap(n, exp.Count(this=exp.Star()))),
    ((exp.Select,), lambda n, _: _set(n, "distinct", None if n.args.get("distinct") else exp.Distinct())),
    ((exp.Select,), _drop_clause),
    ((exp.Ordered,), lambda n, _: _set(n, "desc", not n.args.get("desc"))),
    ((exp.Group, exp.Order, exp.In), _drop_one("expressions", 2)),
    ((exp.Join,), _other_join),
    ((exp.In, exp.Like, exp.Is, exp.Exists, exp.Between), lambda n, _: _swap(n, exp.Not(this=n.copy()))),
    ((exp.Not,), lambda n, _: _swap(n, n.this.copy())),
    (_SET_OPERATIONS, _other_set_operation),
    ((exp.Select,), _drop_one("joins", 1)),
    ((exp.Where, exp.Having), _drop_condition),
    (_CALLS, lambda n, _: _swap(n, n.this.copy())),
    (_ARITHMETIC, _other_of(_ARITHMETIC)),
    (_ORDERED, lambda n, _: _swap(n, type(n)(this=n.expression.copy(), expression=n.this.copy()))),
    ((exp.Case,), _drop_branch),
    ((exp.Ordered,), lambda n, _: _set(n, "nulls_first", not n.args.get("nulls_first"))),
)
"""Which nodes each change takes."""
