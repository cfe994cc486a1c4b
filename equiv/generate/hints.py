"""Hints: which literals a query holds against which columns, and in what manner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from equiv.generate.goals import Place, place_of

_FIRST_YEAR = 1000


@dataclass(frozen=True, slots=True)
class Hint:
    """A literal and how it meets a column.

    ``style`` is ``plain``, ``pattern`` (LIKE or GLOB), ``part`` (a substring;
    ``detail`` is its 1-based start, negative from the end), ``length`` (a number
    of characters) or ``time`` (``detail`` is the strftime format).
    """

    value: int | float | str
    style: str = "plain"
    detail: str = ""


def hints_in(node: exp.Expr) -> Iterator[tuple[Place, Hint]]:
    """The hints of a grounded condition: each literal goes to the columns that stand nearest to it."""
    for literal in node.find_all(exp.Literal):
        if _is_parameter(literal):
            continue
        near = _nearest_with_column(literal, node)
        if near is None:
            continue
        hint = _hint(literal, near)
        for column in near.find_all(exp.Column):
            yield place_of(column), hint


def literal_value(literal: exp.Literal) -> int | float | str:
    """The value of a literal, with the sign of a minus before it."""
    if literal.is_string:
        return str(literal.this)
    text = str(literal.this)
    try:
        value: int | float = int(text, 16) if text[:2].lower() == "0x" else int(text)
    except ValueError:
        value = float(text)
    return -value if isinstance(literal.parent, exp.Neg) else value


def _is_parameter(literal: exp.Literal) -> bool:
    """Whether a literal sets up a function: a start, a length, a format, a number of digits."""
    parent = literal.parent
    if isinstance(parent, exp.Neg) and isinstance(parent.parent, exp.Substring):
        return True
    match parent:
        case exp.Substring() | exp.Round() | exp.DataTypeParam() | exp.Limit() | exp.Offset():
            return literal is not parent.this
        case exp.TimeToStr():
            return literal is parent.args.get("format")
    return literal.is_string and str(literal.this).startswith("%") and _is_strftime(parent)


def _is_strftime(node: exp.Expr | None) -> bool:
    return isinstance(node, exp.Anonymous) and str(node.this).lower() == "strftime"


def _nearest_with_column(literal: exp.Expr, top: exp.Expr) -> exp.Expr | None:
    node: exp.Expr | None = literal
    while node is not None:
        if node.find(exp.Column):
            return node
        if node is top:
            return None
        node = node.parent
    return None


def _hint(literal: exp.Literal, near: exp.Expr) -> Hint:
    value = literal_value(literal)
    if isinstance(near, exp.Like | exp.ILike | exp.Glob):
        return Hint(value, "pattern", "glob" if isinstance(near, exp.Glob) else "like")
    part = near.find(exp.Substring)
    start = part.args.get("start") if part is not None else None
    if isinstance(start, exp.Literal):
        return Hint(value, "part", str(start.this))
    if isinstance(start, exp.Neg) and isinstance(start.this, exp.Literal):
        return Hint(value, "part", f"-{start.this.this}")
    if isinstance(value, int) and near.find(exp.Length):
        return Hint(value, "length")
    time = near.find(exp.TimeToStr)
    if time is not None and isinstance(time.args.get("format"), exp.Literal):
        form = str(time.args["format"].this)
        # A small number beside a year is a difference of years.
        if isinstance(value, str) or form != "%Y" or value >= _FIRST_YEAR:
            return Hint(value, "time", form)
    for call in near.find_all(exp.Anonymous):
        if _is_strftime(call) and call.expressions and isinstance(call.expressions[0], exp.Literal):
            return Hint(value, "time", str(call.expressions[0].this))
    return Hint(value)
