"""Expressions of a resolved tree as expressions of the algebra."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from equiv.algebra.terms import (
    FALSE,
    NULL,
    TRUE,
    And,
    Apply,
    Case,
    Compare,
    Constant,
    Convert,
    Expression,
    IsNull,
    IsTrue,
    Not,
    Or,
)
from equiv.algebra.translate.collation import call_collation, keyed
from equiv.algebra.translate.comparison import Operand, between, compared, compared_rows, listed
from equiv.algebra.translate.literals import literal, negative_literal
from equiv.algebra.translate.membership import Membership, exists, scalar
from equiv.algebra.translate.now import time_call
from equiv.algebra.translate.symbol_table import SymbolTable
from equiv.algebra.truths import as_truth
from equiv.core.claims.fingerprint import operands
from equiv.core.claims.predicates import COMPARISONS
from equiv.core.claims.value_types import cast_affinity
from equiv.core.functions.nodes import function_of, is_sayable, uncall
from equiv.core.functions.traits import Sort
from equiv.core.unsupported import UnsupportedError

_WRITTEN = (Sort.OPERATOR, Sort.INSTANT)
"""Sorts of functions that SQL does not write as calls by name."""
_COMPARISONS = (*COMPARISONS, exp.NullSafeEQ, exp.NullSafeNEQ)


def expression(node: exp.Expression, symbols: SymbolTable) -> Expression:
    """The value of an expression.

    Raises:
        UnsupportedError: the algebra cannot say it.
    """
    known = symbols.value(node)
    if known is not None:
        return known
    handler = _HANDLERS.get(type(node))
    if handler is not None:
        return handler(node, symbols)
    if isinstance(node, _COMPARISONS):
        return _comparison(node, symbols)
    function = function_of(node)
    if function is not None and type(node) is function.node and function.sort in _WRITTEN:
        operands_ = (node.args[place] for place in function.places)
        return Apply(function.name, tuple(expression(each, symbols) for each in operands_))
    return _call(node, symbols)


def truth(node: exp.Expression, symbols: SymbolTable) -> Expression:
    """The truth of an expression: 1, 0 or NULL."""
    return as_truth(expression(node, symbols))


def holds(node: exp.Expression, symbols: SymbolTable) -> Expression:
    """A condition in the algebra: true exactly where the expression is; FALSE and NULL may be exchanged."""
    if isinstance(node, exp.And | exp.Or):
        parts = tuple(holds(part, symbols) for part in operands(node, type(node)))
        return And(parts) if isinstance(node, exp.And) else Or(parts)
    if isinstance(node, exp.In) and node.args.get("query") is not None:
        return Membership.of(node, symbols).true
    if (
        isinstance(node, exp.Not)
        and isinstance(node.this, exp.In)
        and node.this.args.get("query") is not None
    ):
        return Membership.of(node.this, symbols).false
    return truth(node, symbols)


def operand(node: exp.Expression, symbols: SymbolTable) -> Operand:
    """An expression with its translation."""
    return node, expression(node, symbols)


def _comparison(node: exp.Expression, symbols: SymbolTable) -> Expression:
    left, right = node.this, node.expression
    if isinstance(left, exp.Tuple) and isinstance(right, exp.Tuple):
        return _rows(type(node), left, right, symbols)
    return compared(type(node), operand(left, symbols), operand(right, symbols), symbols)


def _rows(
    operator: type[exp.Expression], left: exp.Tuple, right: exp.Tuple, symbols: SymbolTable
) -> Expression:
    rows = [[operand(each, symbols) for each in side.expressions] for side in (left, right)]
    return compared_rows(operator, rows[0], rows[1], symbols)


def _literal(node: exp.Expression, _: SymbolTable) -> Expression:
    return literal(node)


def _negative(node: exp.Expression, symbols: SymbolTable) -> Expression:
    return negative_literal(node.this) or Apply("NEG", (expression(node.this, symbols),))


def _is(node: exp.Expression, symbols: SymbolTable) -> Expression:
    if isinstance(node.expression, exp.Null):
        return IsNull(expression(node.this, symbols))
    if not isinstance(node.expression, exp.Boolean):
        raise UnsupportedError("Is", "IS with what is neither NULL nor a truth value")
    found = truth(node.this, symbols)
    return IsTrue(found if node.expression.this else Not(found))


def _in(node: exp.Expression, symbols: SymbolTable) -> Expression:
    if node.args.get("query") is not None:
        return Membership.of(node, symbols).value
    if isinstance(node.this, exp.Tuple):
        raise UnsupportedError("Tuple", "a row value in a list")
    if len(node.expressions) == 1 and isinstance(node.expressions[0], exp.Subquery):
        # As text it is IN over all its rows.
        raise UnsupportedError("In", "a list of one subquery")
    left = operand(node.this, symbols)
    equalities = []
    for number, each in enumerate(node.expressions):
        mine = left if not number else (node.this, symbols.world.names.copy_of(left[1]))
        equalities.append(listed(mine, operand(each, symbols), symbols))
    return equalities[0] if len(equalities) == 1 else Or(tuple(equalities))


def _between(node: exp.Expression, symbols: SymbolTable) -> Expression:
    low, high = node.args["low"], node.args["high"]
    if isinstance(node.this, exp.Tuple):
        if not (isinstance(low, exp.Tuple) and isinstance(high, exp.Tuple)):
            raise UnsupportedError("Tuple", "BETWEEN row values of a subquery")
        return And(
            tuple(_rows(way, node.this, end, symbols) for way, end in ((exp.GTE, low), (exp.LTE, high)))
        )
    return between(node, (operand(node.this, symbols), operand(node.this, symbols)), symbols)


def _case(node: exp.Expression, symbols: SymbolTable) -> Expression:
    subject = node.args.get("this")
    branches = []
    for branch in node.args["ifs"]:
        if subject is None:
            condition = holds(branch.this, symbols)
        else:
            condition = compared(exp.EQ, operand(subject, symbols), operand(branch.this, symbols), symbols)
        branches.append((condition, expression(branch.args["true"], symbols)))
    default = node.args.get("default")
    return Case(tuple(branches), NULL if default is None else expression(default, symbols))


def _if(node: exp.Expression, symbols: SymbolTable) -> Expression:
    other = node.args.get("false")
    branch = (holds(node.this, symbols), expression(node.args["true"], symbols))
    return Case((branch,), NULL if other is None else expression(other, symbols))


def _coalesce(node: exp.Expression, symbols: SymbolTable) -> Expression:
    *first, last = [node.this, *node.expressions]
    copy = symbols.world.names.copy_of
    values = [expression(each, symbols) for each in first]
    branches = tuple((Not(IsNull(value)), copy(value)) for value in values)
    return Case(branches, expression(last, symbols))


def _nullif(node: exp.Expression, symbols: SymbolTable) -> Expression:
    """NULLIF is a function: its arguments are compared without conversion, by the first collation of one."""
    value, other = expression(node.this, symbols), expression(node.expression, symbols)
    sides = value, other
    if symbols.translation.folds:
        name = call_collation((node.this, node.expression), symbols.translation.context)
        sides = keyed(name, value), keyed(name, other)
    return Case(((Compare("=", *sides), NULL),), symbols.world.names.copy_of(value))


def _extreme(node: exp.Expression, symbols: SymbolTable) -> Expression:
    symbols.translation.require_binary((node.this, *node.expressions), "MIN or MAX")
    return _call(node, symbols)


def _cast(node: exp.Expression, symbols: SymbolTable) -> Expression:
    return Convert(cast_affinity(node).value, expression(node.this, symbols), explicit=True)


def _like(node: exp.Expression, symbols: SymbolTable) -> Expression:
    name = "GLOB" if isinstance(node, exp.Glob) else "LIKE"
    return Apply(name, (expression(node.this, symbols), expression(node.expression, symbols)))


def _escape(node: exp.Expression, symbols: SymbolTable) -> Expression:
    if not isinstance(node.this, exp.Like):
        raise UnsupportedError("Escape", "ESCAPE after another operator than LIKE")
    like = expression(node.this, symbols)
    assert isinstance(like, Apply)
    return replace(like, arguments=(*like.arguments, expression(node.expression, symbols)))


def _call(node: exp.Expression, symbols: SymbolTable) -> Expression:
    function = function_of(node)
    is_late = function is not None and function.sort in (Sort.AGGREGATE, Sort.WINDOW)
    if is_late or isinstance(node, exp.Filter | exp.Window):
        raise UnsupportedError(type(node).__name__, "an aggregate or a window function where none can be")
    call = uncall(node)
    if call is None:
        raise UnsupportedError(type(node).__name__, "an expression that the algebra does not know")
    name, arguments = call[0].upper(), call[1]
    if not is_sayable(name, len(arguments)):
        raise UnsupportedError("Func", f"the function {name}")
    if any(isinstance(each, exp.Star | exp.Distinct) for each in arguments):
        raise UnsupportedError("Func", f"{name} with such arguments")
    values = tuple(expression(each, symbols) for each in arguments)
    if name in ("LIKE", "GLOB"):
        # The function takes the pattern first: like(p, x) is x LIKE p.
        values = (values[1], values[0], *values[2:])
    return time_call(name, values) or Apply(name, values)


_HANDLERS: dict[type, Callable[[exp.Expression, SymbolTable], Expression]] = {
    exp.Alias: lambda node, symbols: expression(node.this, symbols),
    exp.Column: lambda node, symbols: symbols.column(node),
    exp.Literal: _literal,
    exp.HexString: lambda node, _: Constant("blob", str(node.this).lower()),
    exp.Null: lambda _, __: NULL,
    exp.Parameter: lambda node, _: Apply(node.name),
    exp.Boolean: lambda node, _: TRUE if node.this else FALSE,
    exp.Neg: _negative,
    exp.And: lambda node, symbols: And(tuple(truth(part, symbols) for part in operands(node, exp.And))),
    exp.Or: lambda node, symbols: Or(tuple(truth(part, symbols) for part in operands(node, exp.Or))),
    exp.Not: lambda node, symbols: Not(truth(node.this, symbols)),
    exp.Is: _is,
    exp.In: _in,
    exp.Between: _between,
    exp.Like: _like,
    exp.Glob: _like,
    exp.Escape: _escape,
    exp.Case: _case,
    exp.If: _if,
    exp.Coalesce: _coalesce,
    exp.Nullif: _nullif,
    exp.Greatest: _extreme,
    exp.Least: _extreme,
    exp.Cast: _cast,
    exp.Collate: lambda node, symbols: expression(node.this, symbols),
    exp.Exists: exists,
    exp.Subquery: scalar,
    exp.Select: scalar,
}
