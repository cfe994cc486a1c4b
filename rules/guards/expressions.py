"""Shapes and needs that expression rules share, and the small builders of their bodies.

A shape looks at the tree alone.  A need returns the facts by which its claim
holds, or None if it does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import cast

from sqlglot import exp

from equiv.core.claims.blocks import COMPARISONS, base_column, escapes, is_aggregate, of_node
from equiv.core.claims.fingerprint import operands
from equiv.core.claims.nullness import is_condition, is_null_test, never_null
from equiv.core.claims.value_types import (
    Applied,
    HoldingFacts,
    affinity,
    all_of,
    conforms,
    is_binary,
    is_repeatable,
)
from equiv.core.model import Context, Domain
from equiv.core.printing import key
from equiv.facts import Fact, FactKind

Node = exp.Expression

REAL_DIGITS = 15
"""Decimal numbers of up to so many digits are distinguished by REAL."""
FIXED = frozenset(Applied) - {Applied.WEAK, Applied.UNKNOWN}
"""Affinities that the documentation fixes."""


def number(value: int | Fraction) -> Node:
    """The literal of a number of few decimals; a negative one as the parser has it, under a minus."""
    size = abs(Fraction(value))
    decimal = f"{Decimal(size.numerator) / size.denominator:f}"
    literal = exp.Literal.number(size if size.denominator == 1 else decimal)
    return exp.Neg(this=literal) if value < 0 else literal


def parts_of(node: Node) -> list[Node]:
    """The operands of an AND or OR chain."""
    return list(operands(node, type(node)))


def dual(kind: type[Node]) -> type[Node]:
    """OR for AND, AND for OR."""
    return exp.Or if kind is exp.And else exp.And


def same(left: Node, right: Node) -> bool:
    """Structural equality."""
    return key(left) == key(right)


def unlike(nodes: Iterable[Node]) -> list[Node]:
    """The first of each group of structurally equal nodes, in order."""
    found: dict[tuple[object, ...], Node] = {}
    for node in nodes:
        found.setdefault(key(node), node)
    return list(found.values())


# shapes


def is_whole_chain(node: Node) -> bool:
    """An AND or OR that is not an operand of the same operator."""
    return type(node.parent) is not type(node)


def stands_in_condition(node: Node) -> bool:
    """NULL has the effect of false where the node stands."""
    return is_condition(node)


@of_node
@of_node
def loses_no_aggregate(node: Node) -> bool:
    """Dropping the node cannot turn an aggregate query without GROUP BY into a plain one.

    With GROUP BY, nor can it take away the MIN or MAX whose row the bare columns are read from.  Those of
    queries within it are their own, unless they escape.
    """
    select = node.find_ancestor(exp.Select)
    is_grouped = select is not None and select.args.get("group") is not None
    calls = (cast(Node, part) for part in node.walk() if is_aggregate(cast(Node, part)))
    lost = (call for call in calls if call.find_ancestor(exp.Select) is select or escapes(call))
    return not any(not is_grouped or isinstance(part, exp.Min | exp.Max) for part in lost)


def subject_is_repeatable(node: Node) -> bool:
    """The left operand may stand twice."""
    return node.this is not None and is_repeatable(node.this)


def is_listed(node: Node) -> bool:
    """``x IN (a, b, ...)``, not ``x IN (SELECT ...)``."""
    return bool(node.expressions)


def tests_for_null(node: Node) -> bool:
    """``x IS NULL``."""
    return is_null_test(node)


# needs


def operand_is_never_null(node: Node, ctx: Context) -> HoldingFacts:
    """The (left) operand cannot be NULL where it stands."""
    return never_null(node.this, ctx)


def subject_is_whole(node: Node, ctx: Context) -> HoldingFacts:
    """Every value of the left operand is NULL, an integer, or a multiple of the least that its type tells."""
    scaled = _scaled_column(node.this, ctx)
    return conforms(node.this, Domain.INTEGER, ctx) if scaled is None else (scaled[0],)


def step_of(operand: Node, ctx: Context) -> Fraction:
    """The least difference of two numbers that an operand takes: 1 of integers."""
    scaled = _scaled_column(operand, ctx)
    return Fraction(1) if scaled is None else Fraction(1, 10 ** scaled[1])


def _scaled_column(operand: Node, ctx: Context) -> tuple[Fact, int] | None:
    """The type, as a fact, and the decimals of a column such as DECIMAL(10, 2), if REAL has all its numbers.

    PostgreSQL's has NaN besides, which lies above each bound.
    """
    base = base_column(operand, ctx) if isinstance(operand, exp.Column) else None
    if (
        base is None
        or base[1].decimals is None
        or base[1].decimals < 0
        or base[1].domain is not Domain.NUMBER
    ):
        return None
    table, column = base
    decimals = column.decimals or 0
    fact = ctx.facts.find(FactKind.TYPE, table.name, column.name)
    is_exact = 0 < column.below * 10**decimals <= 10**REAL_DIGITS
    return (fact, decimals) if fact is not None and is_exact else None


def arithmetic_is_exact(node: Node, ctx: Context) -> HoldingFacts:
    """REAL arithmetic does not round, and integers do not overflow."""
    exact = ctx.facts.find(FactKind.EXACT_ARITHMETIC)
    bounded = ctx.facts.find(FactKind.NO_OVERFLOW)
    return (exact, bounded) if exact is not None and bounded is not None else None


def may_replace(node: Node, new: Node, ctx: Context) -> HoldingFacts:
    """The facts by which an expression of equal value but other affinity or collation serves in its place.

    Affinity tells in comparisons and in columns that are read by an outer
    query; collation wherever values are compared, grouped or ordered.
    """
    if not is_binary(new, ctx) or not is_binary(node, ctx):
        return None
    if affinity(new, ctx) is affinity(node, ctx) and affinity(new, ctx) in FIXED:
        return ()
    parent = node.parent
    if isinstance(parent, COMPARISONS):
        others = [parent.expression if parent.this is node else parent.this]
    elif isinstance(parent, exp.In) and parent.this is node and parent.expressions:
        others = parent.expressions
    else:
        return () if _reads_value_only(node) else None
    return all_of(*(_compares_alike(node, new, other, ctx) for other in others))


def may_become(node: Node, new: Node, ctx: Context) -> bool:
    """Whether an expression may give way to an equal one, whatever the facts are."""
    return may_replace(node, new, ctx) == ()


def _compares_alike(old: Node, new: Node, other: Node, ctx: Context) -> HoldingFacts:
    """The facts by which no affinity changes an operand: all are numbers, or all are text."""
    kinds = {affinity(operand, ctx) for operand in (old, new, other)}
    for domain, harmful in ((Domain.NUMBER, Applied.TEXT), (Domain.TEXT, Applied.NUMERIC)):
        claim = all_of(conforms(new, domain, ctx), conforms(other, domain, ctx))
        if claim is not None and not kinds & {harmful, Applied.UNKNOWN}:
            return claim
    return None


PASSES_ON = (
    exp.Subquery,
    exp.In,
    exp.Is,
    exp.NullSafeEQ,
    exp.NullSafeNEQ,
    exp.Between,
    exp.Collate,
    exp.Tuple,
    exp.Nullif,
)
"""Where affinity or collation is looked at, or handed on."""


def _reads_value_only(node: Node) -> bool:
    """Whether the parent looks at the value alone: an operator, a call, a clause of the outermost query."""
    parent = node.parent
    if isinstance(parent, exp.Alias):
        parent = parent.parent
    if isinstance(parent, exp.Select):
        return parent.parent is None
    if isinstance(parent, exp.Case | exp.If) and node.arg_key == "this" and not is_condition(node):
        return False
    return parent is not None and not isinstance(parent, PASSES_ON)
