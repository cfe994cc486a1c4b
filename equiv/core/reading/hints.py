"""Hints: the literals that a query holds against columns, and how; mentions of one that is not resolved.

A column that is compared with others is solved for: the value by which the comparison is met exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from sqlglot import exp

from equiv.core.claims.blocks import COMPARISONS
from equiv.core.functions.table import function_of, uncall
from equiv.core.functions.traits import LiteralStyle
from equiv.core.lexer import Token, TokenKind, name_of, tokens
from equiv.core.model import Schema, Table
from equiv.core.reading.goals import SlotColumn, place_of
from equiv.graphs import depth_first_postorder, grouped_by
from equiv.names import fold

_FIRST_YEAR = 1000


@dataclass(frozen=True, slots=True)
class Hint:
    """A literal and how it meets a column.

    ``style`` is a :class:`~equiv.core.functions.traits.LiteralStyle`; ``detail`` is of a pattern ``like`` or
    ``glob``, of a part its 1-based start (negative from the end), of a time its strftime format, of JSON the
    path; a path beside nothing is its own value.
    """

    value: int | float | str
    style: str = LiteralStyle.PLAIN
    detail: str = ""


def hints_in(node: exp.Expr) -> Iterator[tuple[SlotColumn, Hint]]:
    """The hints of a grounded condition: each literal goes to the columns that stand nearest to it."""
    known: dict[int, _Manner] = {}
    for literal in node.find_all(exp.Literal, exp.HexString):
        if isinstance(literal, exp.Literal) and is_parameter(literal):
            continue
        manner = _nearest(literal, node, known)
        if manner.places:
            if isinstance(literal, exp.Literal):
                hint = manner.hint(literal_value(literal))
            else:
                hint = Hint(str(literal.this), LiteralStyle.BLOB)
            for place in manner.places:
                yield place, hint


_HALVES = tuple(map(Hint, (1.5, 2.5, -0.7, -1.5)))
_TO_WHOLE = ("ROUND", "FLOOR", "CEIL", "TRUNC", "CORE_ROUND_EVEN")
_ENDS_OF_MONTHS = tuple(map(Hint, ("2020-01-31", "2020-02-29", "2020-03-31")))
_OF_TWO_BYTES = (Hint("é", LiteralStyle.BYTES),)
_MONTHS = re.compile(r"\s*[+-]?[0-9]+ (?:month|year)s?\s*", re.IGNORECASE)
_BYTES = re.compile(r"\b(?:octet_length|bit_length|strlen)\(|\(bytea\b|\(BLOB\b|(?:bytea|BLOB)\Z")


def own_hints(call: exp.Expr) -> tuple[Hint, ...]:
    """Values of a column on which a call that reads it differs from similar calls; no literal asks for them.

    They are halves to round, ends of months to move, and letters of two bytes.
    """
    name, function = call.name.upper() if isinstance(call, exp.Anonymous) else "", function_of(call)
    if function is not None and function.name in _TO_WHOLE:
        return _HALVES
    if name == "CORE_ADD_INTERVAL":
        return _ENDS_OF_MONTHS if call.expressions[1].name != "0" else ()
    if name == "OCTET_LENGTH" or (name.endswith("_SYMBOL") and _BYTES.search(call.expressions[0].name)):
        return _OF_TWO_BYTES
    if isinstance(call, exp.Cast):
        return _OF_TWO_BYTES if call.to.sql("sqlite") == "BLOB" else ()
    reads_time = function is not None and function.reads_time
    moves = reads_time and any(_MONTHS.fullmatch(part.name) for part in call.find_all(exp.Literal))
    return _ENDS_OF_MONTHS if moves else ()


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


def is_parameter(literal: exp.Literal) -> bool:
    """Whether a literal sets up a function: a start, a length, a format, a number of digits."""
    node: exp.Expr = literal.parent if isinstance(literal.parent, exp.Neg) else literal
    parent = node.parent
    if isinstance(parent, exp.DataTypeParam | exp.Limit | exp.Offset):
        return node is not parent.this
    function = function_of(parent)
    return function is not None and any(node is _argument(parent, at) for at in function.parameters)


def _argument(call: exp.Expr | None, position: int) -> exp.Expr | None:
    """An argument of a call, if it has so many."""
    if isinstance(call, exp.JSONExtract | exp.JSONExtractScalar):
        path: exp.Expr = call.expression if position else call.this
        return path
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
            self._part = next(filter(None, map(_start, _called(near, LiteralStyle.PART))), None)
            self._has_length = next(_called(near, LiteralStyle.LENGTH), None) is not None
            self._is_hexadecimal = next(_called(near, LiteralStyle.HEXADECIMAL), None) is not None
            self._path = next(filter(None, map(_path, _called(near, LiteralStyle.JSON))), None)
            formats = (_argument(call, 0) for call in _called(near, LiteralStyle.TIME))
            self._form = next((str(form.this) for form in formats if isinstance(form, exp.Literal)), None)

    def hint(self, value: float | str) -> Hint:
        """The hint that a literal of some value gives."""
        if self._pattern:
            return Hint(value, LiteralStyle.PATTERN, self._pattern)
        if self._part is not None:
            return Hint(value, LiteralStyle.PART, self._part)
        if isinstance(value, int) and self._has_length:
            return Hint(value, LiteralStyle.LENGTH)
        if self._path is not None:
            return Hint(value, LiteralStyle.JSON, self._path)
        if isinstance(value, str) and self._is_hexadecimal:
            return Hint(_text_of_bytes(value))
        # A small number beside a year is a difference of years.
        if self._form is not None and (isinstance(value, str) or self._form != "%Y" or value >= _FIRST_YEAR):
            return Hint(value, LiteralStyle.TIME, self._form)
        return Hint(value)


def _text_of_bytes(digits: str) -> str:
    """The text whose bytes have these hexadecimal digits; the digits themselves where it has none."""
    try:
        return bytes.fromhex(digits).decode()
    except ValueError:
        return digits


def _called(near: exp.Expr, style: LiteralStyle) -> Iterator[exp.Expr]:
    """The calls in an expression of functions that a literal bears on in some manner."""
    for node in near.walk():
        function = function_of(node)
        if function is not None and function.style is style:
            yield node


def _path(call: exp.Expr | None) -> str | None:
    """The literal path that a call reads, behind those that calls in the place of its document read."""
    if call is None or (function := function_of(call)) is None or function.style is not LiteralStyle.JSON:
        return None
    path, before = _argument(call, 1), _path(_argument(call, 0))
    if not isinstance(path, exp.Literal):
        return None
    return str(path.this) if before is None else f"{before}.{path.this}"


def _start(part: exp.Expr) -> str | None:
    """The literal start of a substring, with its sign."""
    start = _argument(part, 1)
    if isinstance(start, exp.Literal):
        return str(start.this)
    if isinstance(start, exp.Neg) and isinstance(start.this, exp.Literal):
        return f"-{start.this.this}"
    return None


_REACH = 8
"""How many tokens a literal may stand away from the column that it is compared with."""

_MAX_TOKENS = 5_000


@dataclass(frozen=True, slots=True)
class _Lexeme:
    """A token, and what it names, quotes removed."""

    token: Token
    text: str

    @property
    def name(self) -> str:
        """In lower case, as names are compared; a string may be a name too; '' where it cannot be one."""
        named = self.token.kind in (TokenKind.NAME, TokenKind.QUOTED, TokenKind.STRING)
        return fold(self.text) if named else ""


def mentions_of_text(
    sql: str,
    schema: Schema,
    mentioned: dict[str, dict[str, None]],
    hints: dict[tuple[str, str], list[Hint]],
) -> None:
    """Add what the tokens of a query mention: tables, columns of theirs, literals near these.

    A star mentions every column; views mention what their own text mentions.
    """

    @cache
    def lexemes_of(text: str) -> list[_Lexeme]:
        return list(islice(_lexemes(text), _MAX_TOKENS))

    def views_in(text: str) -> list[str]:
        names = {lexeme.name for lexeme in lexemes_of(text)}
        return [view.sql for view in schema.views if fold(view.name) in names]

    for text in depth_first_postorder([sql], views_in):
        _add(lexemes_of(text), schema, mentioned, hints)


def _lexemes(text: str) -> Iterator[_Lexeme]:
    """The lexemes of a text; of a name in square brackets (elsewhere a list) what is in it too."""
    for token in tokens(text):
        yield _Lexeme(token, name_of(text, token))
        if token.kind is TokenKind.QUOTED and text[token.start] == "[":
            inner = text[token.start + 1 : token.end - 1]
            yield from (_Lexeme(each, name_of(inner, each)) for each in tokens(inner))


def _add(
    lexemes: Sequence[_Lexeme],
    schema: Schema,
    mentioned: dict[str, dict[str, None]],
    hints: dict[tuple[str, str], list[Hint]],
) -> None:
    names = {lexeme.name for lexeme in lexemes}
    tables = [table for table in schema.tables if fold(table.name) in names]
    everything = "natural" in names or any(_is_star(lexemes, at) for at in range(1, len(lexemes)))
    for table in tables:
        known = mentioned.setdefault(table.name, {})
        known.update((c.name, None) for c in table.columns if everything or fold(c.name) in names)
    _add_hints(lexemes, tables, hints)


def _is_star(lexemes: Sequence[_Lexeme], at: int) -> bool:
    """Whether a token is the star of a column list: after SELECT, DISTINCT, a comma or a dot."""
    return lexemes[at].token.word == "*" and lexemes[at - 1].token.word in ("SELECT", "DISTINCT", ",", ".")


def _add_hints(
    lexemes: Sequence[_Lexeme], tables: Sequence[Table], hints: dict[tuple[str, str], list[Hint]]
) -> None:
    places = grouped_by(lambda at: lexemes[at].name, range(len(lexemes)))
    named = [
        (at, (table.name, column.name))
        for table in tables
        for column in table.columns
        for at in places.get(fold(column.name), ())
    ]
    for at, lexeme in enumerate(lexemes):
        hint = _hint_of(lexeme, lexemes[at - 1].token.word if at else "")
        if hint is None:
            continue
        for place, key in named:
            if abs(place - at) <= _REACH and hint not in hints[key]:
                hints[key].append(hint)


def _hint_of(lexeme: _Lexeme, before: str) -> Hint | None:
    text = lexeme.text
    match lexeme.token.kind:
        case TokenKind.NUMBER:
            try:
                return Hint(int(text))
            except ValueError:
                return Hint(float(text)) if text.replace(".", "", 1).isdigit() else None
        case TokenKind.STRING:
            return Hint(text, "pattern", before.lower()) if before in ("LIKE", "GLOB") else Hint(text)
    return None


_MAX_DEPTH = 6
_MIDDAY = {"%Y": "-06-15", "%Y-%m": "-15", "%Y-%m-%d": ""}
"""What makes a date of the text that strftime gives under a format."""


def solved_columns(node: exp.Expr) -> Iterator[tuple[SlotColumn, exp.Expr]]:
    """Equations that make both sides of a comparison equal: a column, and what it would have to equal.

    What it would have to equal is computed from other columns: literals are left to hints, and a bare column
    beside a bare column is left out.
    """
    if isinstance(node, exp.Between):
        sides = [(node.this, node.args["low"]), (node.this, node.args["high"])]
    elif isinstance(node, COMPARISONS):
        sides = [(node.this, node.expression), (node.expression, node.this)]
    else:
        return
    for left, right in sides:
        for place, value in _solve(left, right, 0):
            read = {place_of(column) for column in value.find_all(exp.Column)}
            if read and place not in read:
                yield place, value


def _solve(side: exp.Expr, target: exp.Expr, depth: int) -> Iterator[tuple[SlotColumn, exp.Expr]]:
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


def _solve_date(side: exp.Expr, target: exp.Expr, depth: int) -> Iterator[tuple[SlotColumn, exp.Expr]]:
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
