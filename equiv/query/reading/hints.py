"""Hints: which literals a query holds against which columns, and in what manner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from equiv.query.reading.goals import Place, place_of

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
    known: dict[int, _Manner] = {}
    for literal in node.find_all(exp.Literal):
        if _is_parameter(literal):
            continue
        manner = _nearest(literal, node, known)
        if manner.places:
            hint = manner.hint(literal_value(literal))
            for place in manner.places:
                yield place, hint


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


def _nearest(literal: exp.Expr, top: exp.Expr, known: dict[int, _Manner]) -> _Manner:
    """How a literal meets the columns of the innermost node that has any; ``known`` is filled by node.

    A list is walked once, not once for each of its members.
    """
    node: exp.Expr = literal
    while True:
        if id(node) not in known:
            known[id(node)] = _Manner(node)
        found = known[id(node)]
        if found.places or node is top or node.parent is None:
            return found
        node = node.parent


class _Manner:
    """How a node holds literals against its columns.

    Attributes:
        places: its columns, in order; with none, the rest says nothing.
    """

    def __init__(self, near: exp.Expr) -> None:
        self.places = tuple(dict.fromkeys(map(place_of, near.find_all(exp.Column))))
        if self.places:
            self._pattern = ""
            if isinstance(near, exp.Like | exp.ILike | exp.Glob):
                self._pattern = "glob" if isinstance(near, exp.Glob) else "like"
            self._part = _part(near)
            self._has_length = near.find(exp.Length) is not None
            time = near.find(exp.TimeToStr)
            form = time.args.get("format") if time is not None else None
            self._form = str(form.this) if isinstance(form, exp.Literal) else None
            self._called = _strftime_format(near)

    def hint(self, value: float | str) -> Hint:
        """The hint that a literal of some value gives."""
        if self._pattern:
            return Hint(value, "pattern", self._pattern)
        if self._part is not None:
            return Hint(value, "part", self._part)
        if isinstance(value, int) and self._has_length:
            return Hint(value, "length")
        # A small number beside a year is a difference of years.
        if self._form is not None and (isinstance(value, str) or self._form != "%Y" or value >= _FIRST_YEAR):
            return Hint(value, "time", self._form)
        return Hint(value) if self._called is None else Hint(value, "time", self._called)


def _part(near: exp.Expr) -> str | None:
    """The literal start of a substring, with its sign."""
    part = near.find(exp.Substring)
    start = part.args.get("start") if part is not None else None
    if isinstance(start, exp.Literal):
        return str(start.this)
    if isinstance(start, exp.Neg) and isinstance(start.this, exp.Literal):
        return f"-{start.this.this}"
    return None


def _strftime_format(near: exp.Expr) -> str | None:
    """The literal format of a call of strftime."""
    for call in near.find_all(exp.Anonymous):
        if _is_strftime(call) and call.expressions and isinstance(call.expressions[0], exp.Literal):
            return str(call.expressions[0].this)
    return None
