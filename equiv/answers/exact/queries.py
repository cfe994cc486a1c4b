"""Queries whose arithmetic keeps to the facts, by the functions of :mod:`equiv.answers.exact.arithmetic`."""

from __future__ import annotations

from typing import cast

from sqlglot import exp

from equiv.answers.calls import sql_call
from equiv.answers.exact import arithmetic as exact_arithmetic
from equiv.answers.exact import sums as exact_sums
from equiv.core.claims.blocks import is_number, is_real_literal
from equiv.core.claims.value_types import Claim, all_of, cast_affinity, conforms
from equiv.core.functions.table import calls_of, function_of
from equiv.core.functions.traits import Rounds
from equiv.core.model import Affinity, Context, Domain
from equiv.facts import FactKind

_OPERATORS: dict[type[exp.Expr], str] = {
    exp.Add: exact_arithmetic.ADD,
    exp.Sub: exact_arithmetic.SUBTRACT,
    exp.Mul: exact_arithmetic.MULTIPLY,
    exp.Div: exact_arithmetic.DIVIDE,
}
_AGGREGATES = {"SUM": exact_sums.SUM, "AVG": exact_sums.AVG, "TOTAL": exact_sums.TOTAL}
_CASTS = {Affinity.REAL: exact_arithmetic.TO_REAL, Affinity.INTEGER: exact_arithmetic.TO_INTEGER}


def computes(root: exp.Expression) -> bool:
    """Whether arithmetic of the query may round or overflow."""
    if any(function.rounds is not Rounds.NO for function in calls_of(root)):
        return True
    if any(not is_number(node) for node in root.find_all(exp.Neg)):
        return True
    return any(cast_affinity(node) in _CASTS for node in root.find_all(exp.Cast))


def sums_in_any_order(root: exp.Expression, ctx: Context) -> Claim:
    """The facts by which no sum depends on the order of its rows; None if one may depend on it.

    SUM of integers is exact, or an error; AVG and TOTAL add up REALs whatever their argument is.
    """
    exact = ctx.facts.find(FactKind.EXACT_ARITHMETIC)
    rounds = any(function.adds_reals for function in calls_of(root))
    sums = root.find_all(exp.Sum)
    whole = all_of(*(conforms(_argument(node), Domain.INTEGER, ctx) for node in sums))
    if whole is not None and not rounds:
        return whole
    return None if exact is None else (exact,)


def _argument(call: exp.Expression) -> exp.Expression:
    found = call.this
    assert isinstance(found, exp.Expression)
    return found.expressions[0] if isinstance(found, exp.Distinct) else found


def exact(root: exp.Expression, *, rounds: bool = False) -> exp.Expression:
    """The query with every arithmetic step computed as the facts have it.

    Args:
        root: the query, which stays as it is.
        rounds: whether REALs round: then only integers are watched.
    """
    root = root.copy()
    for node in reversed(list(root.walk(bfs=True))):
        match node:
            case exp.Add() | exp.Sub() | exp.Mul() | exp.Div():
                node.replace(sql_call(_OPERATORS[type(node)], node.this, node.expression))
            case exp.Neg() if not is_number(node):
                node.replace(sql_call(exact_arithmetic.SUBTRACT, exp.Literal.number(0), node.this))
            case exp.Cast() if cast_affinity(node) in _CASTS:
                node.set("this", sql_call(_CASTS[cast_affinity(node)], node.this))
            case _ if not rounds:
                _replace_rounding(cast(exp.Expression, node))
    return root


def _replace_rounding(node: exp.Expression) -> None:
    """Put an exact function in the place of what rounds REALs."""
    if isinstance(node, exp.Literal) and is_real_literal(node):
        if exact_arithmetic.digits(float(node.name)) > exact_arithmetic.SHORT_DIGITS:
            _wrap(node, exact_arithmetic.WRITTEN)
        return
    function = function_of(node)
    if function is None:
        return
    if function.name in _AGGREGATES:
        argument = node.expressions[0] if isinstance(node, exp.Anonymous) else node.this
        _replace_sum(node, _AGGREGATES[function.name], argument)
    elif function.rounds in _ROUNDED:
        _wrap(node, _ROUNDED[function.rounds])


_ROUNDED = {Rounds.MILLISECONDS: exact_arithmetic.DAYS, Rounds.IRRATIONAL: exact_arithmetic.ROUNDED}


def _replace_sum(node: exp.Expression, name: str, argument: exp.Expression) -> None:
    """An aggregate, or over a window what adds up the values that GROUP_CONCAT collects."""
    whole: exp.Expr = node
    if isinstance(node.parent, exp.Filter) and node.arg_key == "this":
        whole = node.parent
    window = whole.parent if isinstance(whole.parent, exp.Window) and whole.arg_key == "this" else None
    if window is not None:
        node.replace(sql_call("GROUP_CONCAT", sql_call(exact_sums.PACKED, argument)))
        _wrap(window, exact_sums.OF_PACKED[name])
        return
    new = sql_call(name, argument)
    node.replace(new)
    if name == exact_sums.TOTAL:
        outermost = whole if whole is not node else new
        call = exp.Coalesce(this=exp.Null(), expressions=[exp.Literal.number("0.0")])
        outermost.replace(call)
        call.set("this", outermost)


def _wrap(node: exp.Expr, name: str) -> None:
    wrapper = sql_call(name)
    node.replace(wrapper)
    wrapper.set("expressions", [node])
