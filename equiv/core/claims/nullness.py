"""Nullness: expressions that are never NULL, columns in which a predicate rejects NULL.

A *condition* is a place where NULL and false have the same effect: WHERE,
HAVING, ON, FILTER, the WHEN of a searched CASE, and the operands of AND and
OR there.  A predicate *rejects* NULL in a column if it is false or NULL
whenever that column is NULL.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.predicates import COMPARISONS, is_literal, is_text
from equiv.core.claims.sources import ancestry, base_column, feeds, is_bare_in_ungrouped, is_padded
from equiv.core.claims.value_types import Claim, all_of, conforms, results
from equiv.core.context import Context
from equiv.core.functions.nodes import function_of
from equiv.core.functions.traits import Nulls
from equiv.core.model import Domain

_PASSING_NULL = (*COMPARISONS, exp.Not, exp.Between, exp.Cast, exp.Collate)
"""No functions, and NULL just if an operand is; Between only as far as its own subject."""


def is_strict(node: exp.Expression) -> bool:
    """Whether a node is NULL as soon as one operand is; Between only as far as its own subject."""
    function = function_of(node)
    return isinstance(node, _PASSING_NULL) or (function is not None and function.is_strict)


def is_never_null(node: exp.Expression) -> bool:
    """Whether a call is never NULL, whatever its arguments are."""
    function = function_of(node)
    return function is not None and function.nulls is Nulls.NEVER


def is_sure(node: exp.Expression) -> bool:
    """Whether a node is not NULL if no operand is.

    Not arithmetic: x / 0 is NULL, and so are infinity - infinity and 0 * infinity.
    """
    function = function_of(node)
    return isinstance(node, (*_PASSING_NULL, exp.And, exp.Or)) or (function is not None and function.is_sure)


def never_null(node: exp.Expression, ctx: Context) -> Claim:
    """The facts by which an expression is never NULL where it stands, or None."""
    match node:
        case exp.Literal() | exp.Boolean() | exp.Is() | exp.NullSafeEQ() | exp.NullSafeNEQ() | exp.Exists():
            return ()
        case exp.Filter() | exp.Window():
            return () if is_never_null(node.this) else None
        case exp.Column():
            return _never_null_column(node, ctx)
        case exp.Coalesce():
            claims = (never_null(value, ctx) for value in results(node))
            return next((claim for claim in claims if claim is not None), None)
        case exp.Case():
            return all_of(*(never_null(value, ctx) for value in results(node)))
        case exp.In() if node.expressions:
            return all_of(never_null(node.this, ctx), *(never_null(value, ctx) for value in node.expressions))
    if is_never_null(node):
        return ()
    if isinstance(node, exp.Add | exp.Sub | exp.Mul):
        # Infinity - Infinity and Infinity * 0 are NULL: only integers give no NULL of their own.
        whole = conforms(node, Domain.INTEGER, ctx)
        return all_of(whole, never_null(node.this, ctx), never_null(node.expression, ctx))
    if is_sure(node):
        operands = (o for o in node.iter_expressions() if not isinstance(o, exp.DataType))
        return all_of(*(never_null(operand, ctx) for operand in operands))
    return None


def _never_null_column(column: exp.Expression, ctx: Context) -> Claim:
    # NOT NULL binds stored rows: outer joins pad, and aggregates over no rows leave, NULL.
    if is_padded(column) or is_bare_in_ungrouped(column):
        return None
    base = base_column(column, ctx)
    if base is None:
        fed = feeds(column)
        return all_of(*(never_null(feed, ctx) for feed in fed)) if fed else None
    table, found = base
    fact = ctx.facts.not_null(table.name, found.name)
    return (fact,) if fact is not None else None


def is_condition(node: exp.Expression) -> bool:
    """Whether NULL has the effect of false where the node stands."""
    node = next(n for n in ancestry(node) if not isinstance(n.parent, exp.And | exp.Or))
    parent = node.parent
    if isinstance(parent, exp.Where | exp.Having):
        return True
    if isinstance(parent, exp.Join):
        return node.arg_key == "on"
    if isinstance(parent, exp.If):
        case = parent.parent if parent.arg_key == "ifs" else None
        # CASE x WHEN y compares values: NULL there is no condition.
        return node.arg_key == "this" and (case is None or case.args.get("this") is None)
    return False


def is_null_test(node: exp.Expression) -> bool:
    """``x IS NULL``."""
    return isinstance(node, exp.Is) and isinstance(node.expression, exp.Null)


def strict_columns(node: exp.Expression) -> frozenset[tuple[str, str]]:
    """(alias, column) pairs of which one being NULL makes the expression NULL."""
    if isinstance(node, exp.Column):
        return frozenset({(node.table, node.name)})
    if isinstance(node, exp.In):
        # NULL IN (a subquery without rows) is false, not NULL.
        return strict_columns(node.this) if node.expressions else frozenset()
    # A NULL bound need not give NULL: 9 BETWEEN NULL AND 5 is false.
    if isinstance(node, exp.Between):
        return strict_columns(node.this)
    if isinstance(node, exp.Escape):
        return strict_columns(node.this)
    if isinstance(node, exp.Like | exp.Glob):
        # A BLOB on either side gives 0 before NULL is looked at, in some builds.
        return strict_columns(node.this) if is_text(node.expression) else frozenset()
    if is_strict(node):
        columns: frozenset[tuple[str, str]] = frozenset()
        for operand in node.iter_expressions():
            columns |= strict_columns(operand)
        return columns
    return frozenset()


def rejected_nulls(predicate: exp.Expression) -> frozenset[tuple[str, str]]:
    """The columns in which a predicate rejects NULL, as (alias, column): it is not true if one is NULL."""
    match predicate:
        case exp.And():
            return rejected_nulls(predicate.this) | rejected_nulls(predicate.expression)
        case exp.Or():
            return rejected_nulls(predicate.this) & rejected_nulls(predicate.expression)
        case exp.Not() if is_null_test(predicate.this):
            return strict_columns(predicate.this.this)
        case exp.Is() | exp.NullSafeEQ() if is_literal(predicate.expression):
            return strict_columns(predicate.this)
        case exp.In():
            return strict_columns(predicate.this)
        case exp.Like() | exp.Glob():
            return strict_columns(predicate.this) | strict_columns(predicate.expression)
        case exp.Escape():
            return rejected_nulls(predicate.this)
    return strict_columns(predicate)
