"""Values that one column must take for a comparison with others to be met exactly.

``a = b + 4``, ``x - y > 30`` or ``strftime('%Y', a) - strftime('%Y', b) >= 18`` hold between columns whose
pools have nothing to do with one another.  Solved for one column, each gives an expression over the others;
what it yields on their pools goes into that column's pool.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from equiv.core.reading.goals import Place, place_of

_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)
_MAX_DEPTH = 6
_MIDDAY = {"%Y": "-06-15", "%Y-%m": "-15", "%Y-%m-%d": ""}
"""What makes a date of the text that strftime gives under a format."""


def solved(node: exp.Expr) -> Iterator[tuple[Place, exp.Expr]]:
    """Equations that make a comparison exact: a column, and the expression that it would have to equal.

    Only expressions over other columns are given: literals are what hints are for.
    """
    if isinstance(node, exp.Between):
        sides = [(node.this, node.args["low"]), (node.this, node.args["high"])]
    elif isinstance(node, _COMPARISONS):
        sides = [(node.this, node.expression), (node.expression, node.this)]
    else:
        return
    for left, right in sides:
        for place, value in _solve(left, right, 0):
            read = {place_of(column) for column in value.find_all(exp.Column)}
            if read and place not in read:
                yield place, value


def _solve(side: exp.Expr, target: exp.Expr, depth: int) -> Iterator[tuple[Place, exp.Expr]]:
    """The columns of one side, each with the value that makes the side equal the target."""
    if depth > _MAX_DEPTH:
        return
    match side:
        case exp.Column():
            if not isinstance(target, exp.Column):
                yield place_of(side), target.copy()
        case exp.Paren() | exp.Cast():
            yield from _solve(side.this, target, depth + 1)
        case exp.Add(this=left, expression=right):
            yield from _solve(left, _binary(exp.Sub, target, right), depth + 1)
            yield from _solve(right, _binary(exp.Sub, target, left), depth + 1)
        case exp.Sub(this=left, expression=right):
            yield from _solve(left, _binary(exp.Add, target, right), depth + 1)
            yield from _solve(right, _binary(exp.Sub, left, target), depth + 1)
        case exp.Mul(this=left, expression=right):
            yield from _solve(left, _binary(exp.Div, target, right), depth + 1)
            yield from _solve(right, _binary(exp.Div, target, left), depth + 1)
        case exp.Div(this=left, expression=right):
            yield from _solve(left, _binary(exp.Mul, target, right), depth + 1)
        case _:
            yield from _solve_date(side, target, depth)


def _solve_date(side: exp.Expr, target: exp.Expr, depth: int) -> Iterator[tuple[Place, exp.Expr]]:
    """The argument of a date function, as the date that the target stands for."""
    match side:
        case exp.TimeToStr(this=argument) if side.text("format") in _MIDDAY:
            text = _binary(exp.DPipe, target, exp.Literal.string(_MIDDAY[side.text("format")]))
            yield from _solve(argument, text, depth + 1)
        case exp.TsOrDsToTimestamp() | exp.TsOrDsToDate() | exp.Date():
            yield from _solve(side.this, target, depth + 1)
        case exp.Anonymous(expressions=[argument]) if str(side.this).lower() == "julianday":
            day = exp.Anonymous(this="date", expressions=[target.copy()])
            yield from _solve(argument, day, depth + 1)
        case exp.Anonymous(expressions=[argument]) if str(side.this).lower() in ("date", "datetime"):
            yield from _solve(argument, target, depth + 1)


def _binary(kind: type[exp.Binary], left: exp.Expr, right: exp.Expr) -> exp.Expr:
    return kind(this=exp.paren(left.copy()), expression=exp.paren(right.copy()))
