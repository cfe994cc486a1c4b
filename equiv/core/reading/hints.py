"""Hints: which literals a query holds against which columns, and in what manner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from equiv.core.functions.nodes import function_of, uncall
from equiv.core.functions.traits import Style
from equiv.core.reading.goals import Place, place_of

_FIRST_YEAR = 1000


@dataclass(frozen=True, slots=True)
class Hint:
    """A literal and how it meets a column.

    ``style`` is a :class:`~equiv.core.functions.traits.Style`; ``detail`` is of a pattern ``like`` or
    ``glob``, of a part its 1-based start (negative from the end), of a time its strftime format.
    """

    value: int | float | str
    style: str = Style.PLAIN
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
    node: exp.Expr = literal.parent if isinstance(literal.parent, exp.Neg) else literal
    parent = node.parent
    if isinstance(parent, exp.DataTypeParam | exp.Limit | exp.Offset):
        return node is not parent.this
    function = function_of(parent)
    return function is not None and any(node is _argument(parent, at) for at in function.parameters)


def _argument(call: exp.Expr | None, position: int) -> exp.Expr | None:
    """An argument of a call, if it has so many."""
    found = uncall(call) if isinstance(call, exp.Expression) else None
    return found[1][position] if found is not None and position < len(found[1]) else None


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
            self._part = next(filter(None, map(_start, _called(near, Style.PART))), None)
            self._has_length = next(_called(near, Style.LENGTH), None) is not None
            self._is_hexadecimal = next(_called(near, Style.HEXADECIMAL), None) is not None
            formats = (_argument(call, 0) for call in _called(near, Style.TIME))
            self._form = next((str(form.this) for form in formats if isinstance(form, exp.Literal)), None)

    def hint(self, value: float | str) -> Hint:
        """The hint that a literal of some value gives."""
        if self._pattern:
            return Hint(value, Style.PATTERN, self._pattern)
        if self._part is not None:
            return Hint(value, Style.PART, self._part)
        if isinstance(value, int) and self._has_length:
            return Hint(value, Style.LENGTH)
        if isinstance(value, str) and self._is_hexadecimal:
            return Hint(_text_of_bytes(value))
        # A small number beside a year is a difference of years.
        if self._form is not None and (isinstance(value, str) or self._form != "%Y" or value >= _FIRST_YEAR):
            return Hint(value, Style.TIME, self._form)
        return Hint(value)


def _text_of_bytes(digits: str) -> str:
    """The text whose bytes have these hexadecimal digits; the digits themselves where it has none."""
    try:
        return bytes.fromhex(digits).decode()
    except ValueError:
        return digits


def _called(near: exp.Expr, style: Style) -> Iterator[exp.Expr]:
    """The calls in an expression of functions that a literal bears on in some manner."""
    for node in near.walk():
        function = function_of(node)
        if function is not None and function.style is style:
            yield node


def _start(part: exp.Expr) -> str | None:
    """The literal start of a substring, with its sign."""
    start = _argument(part, 1)
    if isinstance(start, exp.Literal):
        return str(start.this)
    if isinstance(start, exp.Neg) and isinstance(start.this, exp.Literal):
        return f"-{start.this.this}"
    return None
