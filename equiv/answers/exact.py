"""Exact arithmetic, as the facts assume it: SQL functions in place of SQLite's operators and aggregates.

Under ``exact_arithmetic`` every REAL is finite and stands for a rational number. One that is computed here
stands for the number that it was computed from, which is remembered: two computations of one number give
one REAL, whatever their order. A REAL from elsewhere stands for what :func:`stands_for` says. Under
``no_overflow`` no integer leaves the 64 bits. What the facts in force exclude raises an error, so that the
query fails: an infinity, an integer that overflows, two numbers that one REAL would have to stand for.

SUM, AVG and TOTAL are aggregates, and for windows scalar functions of packed rows. Python's window
aggregates end the process if SQLite asks one for its value before its first step, as it does for a frame
that is empty or whose first rows a FILTER leaves out. So over windows GROUP_CONCAT collects the values of
a frame as text, and a scalar function adds them up.

A query's arithmetic is done once more by these functions in a copy of its tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite
from random import Random
from typing import Any, cast

from sqlglot import exp

from equiv.cells import Cell
from equiv.core.claims.blocks import is_number, is_real_literal
from equiv.core.claims.value_types import HoldingFacts, all_of, conforms
from equiv.core.functions.table import calls_of, cast_affinity, function_of
from equiv.core.functions.traits import Rounds
from equiv.core.model import Affinity, Context, Domain
from equiv.core.runner import Connection
from equiv.core.single_values import Calculator
from equiv.facts import FactKind

BEGIN, MET_LONG = "equiv_begin", "equiv_met_long"
ADD, SUBTRACT, MULTIPLY, DIVIDE = "equiv_add", "equiv_subtract", "equiv_multiply", "equiv_divide"
TO_REAL, TO_INTEGER, WRITTEN = "equiv_to_real", "equiv_to_integer", "equiv_written"
DAYS, ROUNDED = "equiv_days", "equiv_rounded"

SIMPLE_DENOMINATOR = 10_000
"""Results this close to a fraction with at most this denominator are taken for the fraction."""

_NEARBY = 1e-12
_DECIMAL_DIGITS = 15
"""A stored REAL of more digits, a long one, is most likely itself the outcome of rounding."""

SHORT_DIGITS = 12
"""A REAL of no more digits may also be met as it stands where another number rounds to it."""

_MILLISECONDS_A_DAY = 86_400_000
_WHOLE = range(-(2**63), 2**63)
_EXACT = 2.0**53
_OPERATORS = {ADD: "+", SUBTRACT: "-", MULTIPLY: "*", DIVIDE: "/"}
_KEPT = 1_000_000

_SQLITE = Calculator()


class ExcludedError(ArithmeticError):
    """The facts about arithmetic do not allow what a query computes."""


def stands_for(value: float) -> Fraction:
    """The number that a finite REAL stands for: its shortest decimal notation, from 2**53 on itself.

    This keeps order and equality among REALs, and of REALs with integers.
    """
    return Fraction(repr(value)) if abs(value) < _EXACT else Fraction(value)


def digits(value: float) -> int:
    """How many significant digits the shortest decimal notation of a REAL has."""
    return len(repr(value).split("e")[0].replace(".", "").strip("-0"))


def nearest_simple(value: float) -> float:
    """The rational number that a rounded REAL stands for: a simple fraction nearby, or else 12 digits."""
    simple = Fraction(value).limit_denominator(SIMPLE_DENOMINATOR)
    if abs(value - simple) <= _NEARBY * max(1.0, abs(value)):
        return float(simple)
    return float(f"{value:.12g}")


class Rationals:
    """The rational number that each REAL stands for, while one query runs.

    Attributes:
        exact: whether REALs do not round.
        bounded: whether integers do not overflow.
        decimal: whether a long REAL from elsewhere stands for its notation, too, and not for a number nearby.
        queries: how often :meth:`begin` was called.
        order: draws the order in which a sum adds REALs that round.
    """

    def __init__(self) -> None:
        self.queries = 0
        self._met_long = False
        self.begin()

    def begin(self, exact: int = 1, bounded: int = 1, decimal: int = 0, seed: int = 0) -> None:
        """Forget all numbers, and heed these facts from now on."""
        self.order = Random(seed)
        self.exact, self.bounded, self.decimal = bool(exact), bool(bounded), bool(decimal)
        self.queries += 1
        self._known: dict[float, Fraction] = {}
        self._rough: dict[float, Fraction] = {}

    def of(self, value: float) -> Fraction:
        """The number that an integer or a finite REAL stands for."""
        if isinstance(value, int):
            return Fraction(value)
        for known in (self._known, self._rough):
            for sign in (1, -1):
                if sign * value in known:
                    return sign * known[sign * value]
        return stands_for(value)

    def is_rounded(self, value: float) -> bool:
        """Whether a REAL comes from a function that rounds, such as SQRT, or equals a value that does."""
        if isinstance(value, int) or abs(value) in self._rough:
            return not isinstance(value, int)
        if digits(value) <= _DECIMAL_DIGITS or value in self._known or -value in self._known:
            return False
        self._met_long = True
        if self.decimal:
            self._remember(value, stands_for(value))
        return not self.decimal

    def met_long(self) -> int:
        """Whether arithmetic met a long REAL that it had not computed, since this was asked last."""
        met, self._met_long = self._met_long, False
        return int(met)

    def real(self, number: Fraction, *, rounded: bool) -> float:
        """The REAL that stands for a number.

        Raises:
            ExcludedError: one that stands for another number, too, would have to.
        """
        if rounded:
            return self._trusted(number)
        try:
            value = float(number)
        except OverflowError as error:
            raise ExcludedError("an infinite number") from error
        if stands_for(value) != number and (abs(value) >= _EXACT or digits(value) <= SHORT_DIGITS):
            raise ExcludedError("a number that REAL cannot represent exactly")
        self._remember(value, number)
        return value

    def _remember(self, value: float, number: Fraction) -> None:
        if len(self._known) > _KEPT:
            raise OverflowError("too much arithmetic")
        if self._known.setdefault(value, number) != number:
            raise ExcludedError("two numbers that REAL rounds to the same value")

    def written(self, value: Cell) -> Cell:
        """A REAL literal of many digits."""
        if self.exact and isinstance(value, float):
            self._remember(value, stands_for(value))
        return value

    def days(self, value: Cell) -> Cell:
        """A Julian day number, which SQLite computes from whole milliseconds."""
        if self.exact and isinstance(value, float) and isfinite(value):
            number = Fraction(round(value * _MILLISECONDS_A_DAY), _MILLISECONDS_A_DAY)
            if float(number) == value:
                self._known.setdefault(value, number)
        return value

    def rounded(self, value: Cell) -> Cell:
        """The result of a function that rounds, cut to trusted digits; arithmetic goes on with all digits."""
        if not self.exact or not isinstance(value, float) or not isfinite(value):
            return value
        return self._trusted(Fraction(value))

    def _trusted(self, number: Fraction) -> float:
        simple = nearest_simple(float(number))
        self._rough.setdefault(abs(simple), abs(number))
        return simple

    def operator(self, name: str) -> Callable[[Cell, Cell], Cell]:
        """The SQL function that computes one of the four operators."""
        sign = _OPERATORS[name]

        def compute(left: Cell, right: Cell) -> Cell:
            if left is None or right is None:
                return None
            a, b = number_of(left), number_of(right)
            whole = isinstance(a, int) and isinstance(b, int)
            if whole or not self.exact:
                result: Cell = _SQLITE.value(f"? {sign} ?", (a, b))
                if whole and self.bounded and isinstance(result, float):
                    raise ExcludedError("integer overflow")
                return result
            self.require_finite(a, b)
            if sign == "/" and b == 0:
                return None
            number = _APPLY[sign](self.of(a), self.of(b))
            return self.real(number, rounded=self.is_rounded(a) or self.is_rounded(b))

        return compute

    def require_finite(self, *values: float) -> None:
        """Refuse infinities.

        Raises:
            ExcludedError: there is one.
        """
        if self.exact and not all(map(isfinite, values)):
            raise ExcludedError("an infinite number")

    def to_real(self, value: Cell) -> Cell:
        """``CAST(value AS REAL)``."""
        if isinstance(value, int) and self.exact and int(float(value)) != value:
            raise ExcludedError("an integer that REAL cannot represent")
        if value is None or isinstance(value, float):
            return value
        real: float = _SQLITE.value("CAST(? AS REAL)", (value,))
        self.require_finite(real)
        return real

    def to_integer(self, value: Cell) -> Cell:
        """``CAST(value AS INTEGER)``: a number towards zero."""
        if not isinstance(value, float):
            return value
        self.require_finite(value)
        if isfinite(value) and self.bounded and int(value) not in _WHOLE:
            raise ExcludedError("an integer beyond 64 bits")
        if self.exact and not self.is_rounded(value):
            return max(_WHOLE[0], min(_WHOLE[-1], int(self.of(value))))
        found: Cell = _SQLITE.value("CAST(? AS INTEGER)", (value,))
        return found


_APPLY: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}


def number_of(value: Cell) -> Any:
    """An operand as the number that SQLite's operators take it for."""
    if isinstance(value, int | float):
        return value
    return _SQLITE.value("? + 0", (value,))


def summand(value: Cell) -> Any:
    """A value as the number that SQLite's SUM takes it for."""
    if isinstance(value, int | float):
        return value
    return _SQLITE.value("SUM(?)", (value,))


def register(connection: Connection) -> Rationals:
    """Make the functions known to a connection; :data:`BEGIN` must run before each query that uses them."""
    rationals = Rationals()
    connection.create_function(BEGIN, -1, rationals.begin)
    connection.create_function(MET_LONG, 0, rationals.met_long)
    for name in _OPERATORS:
        connection.create_function(name, 2, rationals.operator(name), deterministic=True)
    for name, function in (
        (TO_REAL, rationals.to_real),
        (TO_INTEGER, rationals.to_integer),
        (WRITTEN, rationals.written),
        (DAYS, rationals.days),
        (ROUNDED, rationals.rounded),
    ):
        connection.create_function(name, 1, function, deterministic=True)
    return rationals


SUM, AVG, TOTAL = "equiv_sum", "equiv_avg", "equiv_total"
PACKED = "equiv_packed"
OF_PACKED = {SUM: "equiv_packed_sum", AVG: "equiv_packed_avg", TOTAL: "equiv_packed_total"}
"""For each aggregate the scalar function of what GROUP_CONCAT makes of packed values, NULL for none."""

SEPARATOR = ","
"""The separator of GROUP_CONCAT in packed rows."""


@dataclass
class _Sum:
    """The total so far."""

    rationals: Rationals
    sum: Fraction = Fraction(0)
    count: int = 0
    reals: int = 0
    rounded: int = 0
    addends: list[float] = field(default_factory=list)
    """The numbers as they are, where REALs round."""

    def add(self, value: Cell) -> None:
        if value is None:
            return
        number = summand(value)
        if not self.rationals.exact:
            self.addends.append(number)
            return
        self.rationals.require_finite(number)
        self.sum += self.rationals.of(number)
        self.count += 1
        self.reals += isinstance(number, float)
        self.rounded += self.rationals.is_rounded(number)

    def value(self, name: str) -> Cell:
        if self.addends:
            return self._added_up(name)
        if not self.count:
            return 0.0 if name == TOTAL else None
        if name == SUM and not self.reals:
            if int(self.sum) not in _WHOLE:
                raise ExcludedError("integer overflow")
            return int(self.sum)
        number = self.sum / self.count if name == AVG else self.sum
        return self.rationals.real(number, rounded=self.rounded > 0)

    def _added_up(self, name: str) -> Cell:
        """The sum of numbers that round, in some order."""
        if name == SUM and all(isinstance(number, int) for number in self.addends):
            total = sum(self.addends)
            if total not in _WHOLE:
                raise ExcludedError("integer overflow")
            return total
        total = 0.0
        for number in self.rationals.order.sample(self.addends, len(self.addends)):
            total += number
        return total / len(self.addends) if name == AVG else total


def _aggregate(name: str, rationals: Rationals) -> type:
    class Aggregate:
        """Adds up in any order with one outcome."""

        def __init__(self) -> None:
            self._sum = _Sum(rationals)

        def step(self, value: Cell) -> None:
            self._sum.add(value)

        def final(self) -> Cell:
            return self._sum.value(name)

    return Aggregate


def _packed(value: Cell) -> str | None:
    return None if value is None else repr(summand(value))


@dataclass
class _Frames:
    """Adds up packed frames; one that goes on where the last one ended adds only what is new."""

    rationals: Rationals
    name: str
    _seen: str = ""
    _query: int = 0
    _sum: _Sum = field(init=False)

    def value(self, text: str | None) -> Cell:
        if text is None:
            return _Sum(self.rationals).value(self.name)
        if self._query == self.rationals.queries and f"{text}{SEPARATOR}".startswith(self._seen):
            new = text[len(self._seen) :]
        else:
            self._query, self._sum, new = self.rationals.queries, _Sum(self.rationals), text
        self._query, query = 0, self._query
        for part in new.split(SEPARATOR) if new else ():
            self._sum.add(int(part) if part.lstrip("-").isdigit() else float(part))
        self._seen, self._query = f"{text}{SEPARATOR}", query
        return self._sum.value(self.name)


def register_all(connection: Connection) -> None:
    """Make these functions and those of :mod:`equiv.answers.exact` known to a connection."""
    rationals = register(connection)
    connection.create_function(PACKED, 1, _packed, deterministic=True)
    for name, of_packed in OF_PACKED.items():
        connection.create_aggregate(name, 1, _aggregate(name, rationals))
        connection.create_function(of_packed, 1, _Frames(rationals, name).value)


def sql_call(name: str, *arguments: exp.Expression) -> exp.Expression:
    """A tree node that calls a function by name."""
    return exp.Anonymous(this=name, expressions=list(arguments))


_FUNCTIONS: dict[type[exp.Expr], str] = {
    exp.Add: ADD,
    exp.Sub: SUBTRACT,
    exp.Mul: MULTIPLY,
    exp.Div: DIVIDE,
}
_AGGREGATES = {"SUM": SUM, "AVG": AVG, "TOTAL": TOTAL}
_CASTS = {Affinity.REAL: TO_REAL, Affinity.INTEGER: TO_INTEGER}


def computes(root: exp.Expression) -> bool:
    """Whether arithmetic of the query may round or overflow."""
    if any(function.rounds is not Rounds.NO for function in calls_of(root)):
        return True
    if any(not is_number(node) for node in root.find_all(exp.Neg)):
        return True
    return any(cast_affinity(node) in _CASTS for node in root.find_all(exp.Cast))


def sums_in_any_order(root: exp.Expression, ctx: Context) -> HoldingFacts:
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
                node.replace(sql_call(_FUNCTIONS[type(node)], node.this, node.expression))
            case exp.Neg() if not is_number(node):
                node.replace(sql_call(SUBTRACT, exp.Literal.number(0), node.this))
            case exp.Cast() if cast_affinity(node) in _CASTS:
                node.set("this", sql_call(_CASTS[cast_affinity(node)], node.this))
            case _ if not rounds:
                _replace_rounding(cast(exp.Expression, node))
    return root


def _replace_rounding(node: exp.Expression) -> None:
    """Put an exact function in the place of what rounds REALs."""
    if isinstance(node, exp.Literal) and is_real_literal(node):
        if digits(float(node.name)) > SHORT_DIGITS:
            _wrap(node, WRITTEN)
        return
    function = function_of(node)
    if function is None:
        return
    if function.name in _AGGREGATES:
        argument = node.expressions[0] if isinstance(node, exp.Anonymous) else node.this
        _replace_sum(node, _AGGREGATES[function.name], argument)
    elif function.rounds in _ROUNDED:
        _wrap(node, _ROUNDED[function.rounds])


_ROUNDED = {Rounds.MILLISECONDS: DAYS, Rounds.IRRATIONAL: ROUNDED}


def _replace_sum(node: exp.Expression, name: str, argument: exp.Expression) -> None:
    """An aggregate, or over a window what adds up the values that GROUP_CONCAT collects."""
    whole: exp.Expr = node
    if isinstance(node.parent, exp.Filter) and node.arg_key == "this":
        whole = node.parent
    window = whole.parent if isinstance(whole.parent, exp.Window) and whole.arg_key == "this" else None
    if window is not None:
        node.replace(sql_call("GROUP_CONCAT", sql_call(PACKED, argument)))
        _wrap(window, OF_PACKED[name])
        return
    new = sql_call(name, argument)
    node.replace(new)
    if name == TOTAL:
        outermost = whole if whole is not node else new
        call = exp.Coalesce(this=exp.Null(), expressions=[exp.Literal.number("0.0")])
        outermost.replace(call)
        call.set("this", outermost)


def _wrap(node: exp.Expr, name: str) -> None:
    wrapper = sql_call(name)
    node.replace(wrapper)
    wrapper.set("expressions", [node])
