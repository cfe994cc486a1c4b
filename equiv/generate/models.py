"""This module asks Z3 for values of a few cells that meet some conditions.

It encodes the conditions as formulas of Z3.  The encoding is loose where that is convenient: numbers are not
negative, letter case of LIKE is ignored, a text is ASCII, UPPER and ROUND keep what they read.  So a model is
a guess: SQLite is asked whether it is a solution, and a wrong one costs a try.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import z3
from sqlglot import exp

from equiv.cells import Cell
from equiv.core.claims.blocks import COMPARISONS
from equiv.core.model import Column, Domain
from equiv.core.printing import BINARY
from equiv.core.reading.goals import SlotColumn
from equiv.core.reading.hints import literal_value
from equiv.generate.scratch import TriedCondition

_RESOURCES, _RESOURCES_OF_TEXTS = 400_000, 120_000
"""Resource units of Z3 for one model, so that runs repeat; those of texts take longer."""

_MODELS = 3
_LARGEST = 10**7
_LONGEST = 40


def new_context() -> z3.Context:
    """A context of Z3 that nothing else uses."""
    return z3.Context()


def models(
    columns: Mapping[SlotColumn, Column], conditions: Sequence[TriedCondition], context: object
) -> Iterator[dict[SlotColumn, Cell]]:
    """A few models of the conditions that can be encoded, each with a different value of some cell."""
    assert isinstance(context, z3.Context)
    cells = {place: _cell(place, column, context) for place, column in columns.items()}
    texts = any(map(z3.is_string, cells.values()))
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", _RESOURCES_OF_TEXTS if texts else _RESOURCES)
    encoder = _Encoder(cells, context)
    for cell in cells.values():
        for bound in _bounds(cell, context):
            solver.add(bound)
    encoded = 0
    for node, wanted in conditions:
        try:
            truth = encoder.truth(node)
        except (_UnencodedError, z3.Z3Exception):
            continue
        if wanted is not None:
            encoded += 1
            solver.add(truth if wanted else z3.Not(truth))
    if not encoded:
        return
    # With one factor of each product known, what is left is linear and solved at once.
    known = [[cell == factor for cell in encoder.factors] for factor in (2, 1) if encoder.factors]
    defined = [[divisor != 0 for divisor in encoder.divisors]] if encoder.divisors else []
    for assumed in (*known, *defined, []):
        solver.push()
        solver.add(*assumed)
        for _ in range(_MODELS):
            model = _model(solver)
            if model is None:
                break
            found = {place: model.eval(cell, model_completion=True) for place, cell in cells.items()}
            yield {place: _value(value) for place, value in found.items()}
            solver.add(z3.Or([cell != found[place] for place, cell in cells.items()]))
        solver.pop()


def _model(solver: z3.Solver) -> Any:
    """A model of what a solver holds, or None if none is found within its resources."""
    try:
        return solver.model() if solver.check() == z3.sat else None
    except z3.Z3Exception:
        return None


def _cell(place: SlotColumn, column: Column, context: z3.Context) -> Any:
    name = f"{place[0]}.{place[1]}"
    match column.domain:
        case Domain.INTEGER | Domain.BOOLEAN | Domain.ANY:
            return z3.Int(name, context)
        case Domain.NUMBER:
            return z3.Real(name, context)
        case Domain.TEXT:
            return z3.String(name, context)


def _bounds(cell: Any, context: z3.Context) -> Iterator[Any]:
    if z3.is_string(cell):
        yield z3.Length(cell) <= _LONGEST
        yield z3.InRe(cell, z3.Star(_any_letter(context)))
    else:
        yield cell >= 0
        yield cell <= _LARGEST


def _value(value: Any) -> Cell:
    if z3.is_string_value(value):
        return str(value.as_string())
    if z3.is_int_value(value):
        return int(value.as_long())
    if z3.is_rational_value(value):
        return float(value.as_fraction())
    return None


class _UnencodedError(Exception):
    """A part of a condition that has no encoding."""


def _any_letter(context: z3.Context) -> Any:
    """The characters that texts are made of."""
    return z3.Range(" ", "~", context)


class _Encoder:
    """Conditions over cells as formulas."""

    def __init__(self, cells: Mapping[SlotColumn, Any], context: z3.Context) -> None:
        self._cells = cells
        self._context = context
        self.factors: list[Any] = []
        """The right factors of products of two cells."""
        self.divisors: list[Any] = []
        """What is divided by; Z3 gives a quotient by 0 any value, and SQLite NULL."""

    def truth(self, node: exp.Expr) -> Any:
        """A condition as a formula.

        Raises:
            UnencodedError: it has none.
        """
        match node:
            case exp.Paren():
                return self.truth(node.this)
            case exp.And():
                return z3.And(self.truth(node.left), self.truth(node.right))
            case exp.Or():
                return z3.Or(self.truth(node.left), self.truth(node.right))
            case exp.Not():
                return z3.Not(self.truth(node.this))
            case exp.Between():
                value = self.value(node.this)
                low, high = self.value(node.args["low"]), self.value(node.args["high"])
                return z3.And(_compared(exp.GTE, value, low), _compared(exp.LTE, value, high))
            case exp.In() if node.expressions:
                value = self.value(node.this)
                return z3.Or([_compared(exp.EQ, value, self.value(each)) for each in node.expressions])
            case exp.Is() if isinstance(node.expression, exp.Null):
                return z3.BoolVal(False, self._context)
            case exp.Like() | exp.Glob() if isinstance(node.expression, exp.Literal):
                return self._matches(node)
            case exp.Binary() if type(node) in _SIGNS:
                return _compared(type(node), self.value(node.this), self.value(node.expression))
        raise _UnencodedError

    def value(self, node: exp.Expr) -> Any:
        """An expression as a term of numbers or texts.

        Raises:
            UnencodedError: it has none.
        """
        match node:
            case exp.Paren():
                return self.value(node.this)
            case exp.Column():
                return self._cells[int(node.table[1:]), node.name]
            case exp.Literal():
                return _literal(literal_value(node), self._context)
            case exp.Neg(this=exp.Literal() as literal):
                return _literal(literal_value(literal), self._context)
            case exp.Neg():
                return -_number(self.value(node.this))
            case exp.Case():
                return self._branches(node)
            case exp.Upper() | exp.Lower() | exp.Trim() | exp.Round() | exp.Coalesce():
                # That the value is one already is the simplest solution.
                return self.value(node.this)
            case exp.Binary() if type(node) in _ARITHMETIC:
                left, right = _number(self.value(node.this)), _number(self.value(node.expression))
                if isinstance(node, exp.Mul) and z3.is_const(right) and not z3.is_int_value(left):
                    self.factors += [] if z3.is_int_value(right) or z3.is_rational_value(right) else [right]
                if isinstance(node, exp.Div | exp.Mod) and not isinstance(node.expression, exp.Literal):
                    self.divisors.append(right)
                return _ARITHMETIC[type(node)](left, right)
        return self._call(node)

    def _call(self, node: exp.Expr) -> Any:
        match node:
            case exp.Abs():
                inner = _number(self.value(node.this))
                return z3.If(inner >= 0, inner, -inner)
            case exp.Length():
                return z3.Length(_text(self.value(node.this)))
            case exp.StrPosition():
                return z3.IndexOf(_text(self.value(node.this)), _text(self.value(node.args["substr"])), 0) + 1
            case exp.Substring():
                text, start = _text(self.value(node.this)), _number(self.value(node.args["start"]))
                length = node.args.get("length")
                count = z3.Length(text) if length is None else _number(self.value(length))
                negative = isinstance(node.args["start"], exp.Neg)
                return z3.SubString(text, z3.Length(text) + start if negative else start - 1, count)
            case exp.Cast():
                return self._cast(node)
            case exp.Least() | exp.Greatest():
                return self._extreme(node)
            case exp.DPipe():
                return z3.Concat(_text(self.value(node.this)), _text(self.value(node.expression)))
        raise _UnencodedError

    def _cast(self, node: exp.Cast) -> Any:
        value, kind = self.value(node.this), node.to.this.value.upper()
        if "INT" in kind:
            return (
                z3.StrToInt(value) if z3.is_string(value) else z3.ToInt(value) if z3.is_real(value) else value
            )
        if kind in ("TEXT", "VARCHAR", "CHAR"):
            return _text(value)
        return z3.ToReal(value) if z3.is_int(value) else value

    def _branches(self, node: exp.Case) -> Any:
        default = node.args.get("default")
        value = self.value(default) if default is not None and not isinstance(default, exp.Null) else None
        for branch in reversed(node.args["ifs"]):
            test = (
                branch.this
                if node.this is None
                else exp.EQ(this=node.this.copy(), expression=branch.this.copy())
            )
            if isinstance(branch.args["true"], exp.Null):
                continue
            result = self.value(branch.args["true"])
            value = result if value is None else z3.If(self.truth(test), result, value)
        if value is None:
            raise _UnencodedError
        return value

    def _extreme(self, node: exp.Expr) -> Any:
        values = [_number(self.value(each)) for each in (node.this, *node.expressions)]
        found = values[0]
        for value in values[1:]:
            found = z3.If(value < found if isinstance(node, exp.Least) else value > found, value, found)
        return found

    def _matches(self, node: exp.Expr) -> Any:
        text, pattern = _text(self.value(node.this)), str(node.expression.this)
        many, one = ("*", "?") if isinstance(node, exp.Glob) else ("%", "_")
        parts: list[Any] = []
        at = 0
        while at < len(pattern):
            letter, at = pattern[at], at + 1
            if letter == "[" and many == "*" and "]" in pattern[at + 1 :]:
                end = pattern.index("]", at + 1)
                parts.append(_class(pattern[at:end], self._context))
                at = end + 1
            elif letter == many:
                parts.append(z3.Star(_any_letter(self._context)))
            else:
                parts.append(_any_letter(self._context) if letter == one else z3.Re(letter, self._context))
        if not parts:
            return text == ""
        return z3.InRe(text, parts[0] if len(parts) == 1 else z3.Concat(*parts))


def _class(text: str, context: z3.Context) -> Any:
    """The characters that a class of GLOB allows.

    Raises:
        UnencodedError: it is a negated one.
    """
    if text.startswith("^"):
        raise _UnencodedError
    kinds, at = [], 0
    while at < len(text):
        if text[at + 1 : at + 2] == "-" and at + 2 < len(text):
            kinds.append(z3.Range(text[at], text[at + 2], context))
            at += 3
        else:
            kinds.append(z3.Re(text[at], context))
            at += 1
    return kinds[0] if len(kinds) == 1 else z3.Union(*kinds)


_SIGNS: Mapping[type[exp.Expr], str] = {node: BINARY[node][1] for node in COMPARISONS} | {exp.Is: "="}


def _compared(kind: type[exp.Expr], left: Any, right: Any) -> Any:
    if z3.is_string(left) != z3.is_string(right):
        left, right = (each if z3.is_string(each) else _text(each) for each in (left, right))
    match _SIGNS[kind]:
        case "=":
            return left == right
        case "<>":
            return left != right
        case ">":
            return right < left
        case ">=":
            return right <= left
        case "<":
            return left < right
    return left <= right


def _literal(value: float | str, context: z3.Context) -> Any:
    if isinstance(value, str):
        return z3.StringVal(value, context)
    return z3.IntVal(value, context) if isinstance(value, int) else z3.RealVal(repr(value), context)


def _number(value: Any) -> Any:
    return z3.StrToInt(value) if z3.is_string(value) else value


def _text(value: Any) -> Any:
    if z3.is_string(value):
        return value
    if z3.is_int(value):
        return z3.IntToStr(value)
    raise _UnencodedError


_ARITHMETIC: Mapping[type[exp.Expr], Callable[[Any, Any], Any]] = {
    exp.Add: lambda left, right: left + right,
    exp.Sub: lambda left, right: left - right,
    exp.Mul: lambda left, right: left * right,
    exp.Div: lambda left, right: left / right,
    exp.Mod: lambda left, right: z3.ToInt(left) % right if z3.is_real(left) else left % right,
}
