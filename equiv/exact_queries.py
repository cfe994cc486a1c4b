"""Queries whose arithmetic does not round, by the functions of :mod:`equiv.exact_arithmetic`."""

from __future__ import annotations

from sqlglot import exp

from equiv import exact_arithmetic
from equiv.choice_calls import sql_call
from equiv.rule import Context
from equiv.schema.facts import FactKind
from equiv.schema.model import Domain
from equiv.value_types import conforms

_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div)
_ROUNDING_CALLS = exact_arithmetic.ROUNDING | {"TOTAL", "JULIANDAY"}
_EXACT_NAMES: dict[type[exp.Expr], str] = {
    exp.Add: exact_arithmetic.ADD,
    exp.Sub: exact_arithmetic.SUBTRACT,
    exp.Mul: exact_arithmetic.MULTIPLY,
    exp.Div: exact_arithmetic.DIVIDE,
    exp.Sum: exact_arithmetic.SUM,
    exp.Avg: exact_arithmetic.AVG,
}


def computes_reals(root: exp.Expression) -> bool:
    """Whether arithmetic of the query may round."""
    if root.find(exp.Avg, *_ARITHMETIC, exp.Sum, exp.Round) is not None:
        return True
    return any(call.name.upper() in _ROUNDING_CALLS for call in root.find_all(exp.Anonymous))


def sums_in_order(root: exp.Expression, ctx: Context) -> bool:
    """Whether a sum rounds, so that it depends on the order of the rows, which a query leaves open.

    SUM of integers is exact, or an error; AVG and TOTAL add up REALs whatever their argument is.
    """
    if ctx.facts.find(FactKind.EXACT_ARITHMETIC) is not None:
        return False
    if root.find(exp.Avg) is not None or any(c.name.upper() == "TOTAL" for c in root.find_all(exp.Anonymous)):
        return True
    return any(conforms(_argument(node), Domain.INTEGER, ctx) is None for node in root.find_all(exp.Sum))


def _argument(call: exp.Expression) -> exp.Expression:
    found = call.this
    assert isinstance(found, exp.Expression)
    return found.expressions[0] if isinstance(found, exp.Distinct) else found


def exact(root: exp.Expression) -> exp.Expression:
    """The query with every arithmetic step computed as on rational numbers."""
    root = root.copy()
    for node in reversed(list(root.walk(bfs=True))):
        match node:
            case exp.Add() | exp.Sub() | exp.Mul() | exp.Div():
                node.replace(sql_call(_EXACT_NAMES[type(node)], node.this, node.expression))
            case exp.Sum() | exp.Avg():
                node.replace(sql_call(_EXACT_NAMES[type(node)], node.this))
            case exp.Anonymous() if node.name.upper() == "TOTAL":
                node.set("this", exact_arithmetic.TOTAL)
            case exp.Anonymous() if node.name.upper() == "JULIANDAY":
                _wrap_call(node, exact_arithmetic.DAYS)
            case exp.Anonymous() if node.name.upper() in exact_arithmetic.ROUNDING:
                _wrap_call(node, exact_arithmetic.ROUNDED)
    return root


def _wrap_call(node: exp.Expression, name: str) -> None:
    wrapper = sql_call(name)
    node.replace(wrapper)
    wrapper.set("expressions", [node])
