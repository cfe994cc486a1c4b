"""Expressions of a resolved tree as expressions of the algebra.

IN over a subquery compares as ``=`` does with its column, a row value component by component.  Literals are
text, integers, and REALs in a spelling that distinguishes them.

The current time is one frozen instant, known by three texts and by itself.  A date function of 'now' is the
same function of the text NOW_TIMESTAMP, which lacks only the part of a second, if what it shows and what its
modifiers do leave that part out of account.  NOW_INSTANT stands for the exact instant elsewhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.algebra import terms as t
from equiv.algebra.kinds import as_truth
from equiv.algebra.translate.comparison import (
    TranslatedOperand,
    between,
    call_collation,
    compared,
    compared_rows,
    comparing,
    keyed,
    listed,
    not_false,
)
from equiv.algebra.translate.symbol_table import SymbolTable
from equiv.core.claims.blocks import COMPARISONS, select_operands
from equiv.core.claims.choices import moment_of
from equiv.core.claims.fingerprint import operands
from equiv.core.functions.catalogue import Known, knowledge, symbol_of
from equiv.core.functions.table import cast_affinity, function_of, names
from equiv.core.functions.traits import FunctionSort
from equiv.core.query import UnsupportedError

_TIME_FUNCTIONS = names(lambda function: function.reads_time)
_INSTANT = t.Apply("NOW_INSTANT")
_TIMESTAMP = t.Apply("NOW_TIMESTAMP")
_DATE = t.Apply("NOW_DATE")
_TIME = t.Apply("NOW_TIME")
_SHOWN = {
    ("DATE", _TIMESTAMP): _DATE,
    ("DATE", _DATE): _DATE,
    ("TIME", _TIMESTAMP): _TIME,
    ("TIME", _TIME): _TIME,
    ("DATETIME", _TIMESTAMP): _TIMESTAMP,
}
_WHOLE_FORMAT = re.compile(r"(?:[^%]|%[dHmMSwWjY%])*")
_WHOLE_MODIFIER = re.compile(
    r"[+-]?\d{1,9} (?:day|hour|minute|second|month|year)s?|start of (?:day|month|year)|weekday [0-6]",
    re.IGNORECASE,
)


_DAY_FORMAT = re.compile(r"(?:[^%]|%[dmYjwW%])*")
_DAY_MODIFIER = re.compile(
    r"[+-]?\d{1,9} (?:day|month|year)s?|start of (?:day|month|year)|weekday [0-6]", re.IGNORECASE
)


def time_call(name: str, arguments: tuple[t.Expression, ...]) -> t.Expression | None:
    """A date function with the current time written out; None for any other call."""
    if name not in _TIME_FUNCTIONS:
        return None
    first = moment_of(name)
    if len(arguments) == first:
        arguments = (*arguments, t.Constant("text", "now"))
    if len(arguments) < first:
        return None
    if _is_now(arguments[first]):
        moment = _TIMESTAMP if _matches(name, arguments, _WHOLE_FORMAT, _WHOLE_MODIFIER) else _INSTANT
        arguments = (*arguments[:first], moment, *arguments[first + 1 :])
    if arguments[first] == _TIMESTAMP and _shows_a_day(name, arguments):
        arguments = (*arguments[:first], _DATE, *arguments[first + 1 :])
    if len(arguments) == 1 and isinstance(arguments[0], t.Apply):
        time_format = _SHOWN.get((name, arguments[0]))
        if time_format is not None:
            return time_format
    return t.Apply(name, arguments)


def _is_now(value: t.Expression) -> bool:
    return isinstance(value, t.Constant) and value.kind == "text" and value.text.lower() == "now"


def _shows_a_day(name: str, arguments: tuple[t.Expression, ...]) -> bool:
    """Whether the time of the day makes no difference: every step adds whole days, and it is cut off."""
    return name in ("DATE", "STRFTIME") and _matches(name, arguments, _DAY_FORMAT, _DAY_MODIFIER)


def _matches(
    name: str, arguments: tuple[t.Expression, ...], shown: re.Pattern[str], modifier: re.Pattern[str]
) -> bool:
    """Whether the format, if there is one, and all modifiers are texts of some form.

    With whole seconds in all of these the part of a second makes no difference, but to JULIANDAY.
    """
    if name == "JULIANDAY":
        return False
    modifiers = arguments[2:] if name == "STRFTIME" else arguments[1:]
    texts = [each.text for each in modifiers if isinstance(each, t.Constant) and each.kind == "text"]
    if len(texts) < len(modifiers) or not all(modifier.fullmatch(text) for text in texts):
        return False
    if name != "STRFTIME":
        return True
    form = arguments[0]
    return isinstance(form, t.Constant) and form.kind == "text" and shown.fullmatch(form.text) is not None


@dataclass(frozen=True)
class _Membership:
    """``x IN (subquery)``, also for row values.

    It is true if a row equals x; else NULL if the comparison with some row is NULL; else false, so that over
    no rows it is false even for NULL.

    Attributes:
        bag: the rows of the subquery.
        fields: the operands on the left, each with an operand of the subquery's column, which fixes how the
            two compare; its translation does not count.
        symbols: where it stands.
    """

    bag: t.Bag
    fields: tuple[tuple[TranslatedOperand, TranslatedOperand], ...]
    symbols: SymbolTable

    @staticmethod
    def of(node: exp.Expression, symbols: SymbolTable) -> _Membership:
        """The parts of an IN over a subquery."""
        from equiv.algebra.translate.query import query

        subquery = node.args["query"]
        result = query(subquery, symbols.around())
        bag = result.rows(symbols)
        lefts = node.this.expressions if isinstance(node.this, exp.Tuple) else [node.this]
        if len(lefts) != result.visible:
            raise UnsupportedError("In", "a subquery with the wrong number of columns")
        rights = _projections(subquery, result.visible)
        left = [operand(each, symbols) for each in lefts]
        fields = tuple((one, _column(one, nodes, symbols)) for one, nodes in zip(left, rights, strict=True))
        return _Membership(bag, fields, symbols)

    @property
    def true(self) -> t.Expression:
        """The truth value that is true where the membership is true, and false otherwise."""
        return self._some(lambda term: t.conjunction(self._equations(term)))

    @property
    def false(self) -> t.Expression:
        """The truth value that is true where the membership is false, and false otherwise."""
        # NOT IN is true only if no comparison is true or NULL: a NULL in the subquery spoils it.
        return t.Not(self._unknown())

    @property
    def value(self) -> t.Expression:
        """1, 0 or NULL."""
        # True goes first: x IN (x, NULL) is true. Over no rows it is false, even for NULL.
        return t.Case(((self.true, t.TRUE), (self._unknown(), t.NULL)), t.FALSE)

    def _unknown(self) -> t.Expression:
        """Whether it is true or NULL."""
        values = [left[1] for left, _ in self.fields]
        return self._some(lambda term: not_false(values, term.outputs, t.conjunction(self._equations(term))))

    def _some(self, condition: Callable[[t.Term], t.Expression]) -> t.Expression:
        """Whether some row meets a condition."""
        terms = (
            t.Term(each.bindings, t.conjunction((each.condition, condition(each))), ())
            for each in self.bag.terms
        )
        return self.symbols.world.names.copy_of(t.Exists(t.Bag(tuple(terms))))

    def _equations(self, term: t.Term) -> tuple[t.Expression, ...]:
        pairs = zip(self.fields, term.outputs, strict=True)
        return tuple(
            compared(exp.EQ, left, (right[0], value), self.symbols) for (left, right), value in pairs
        )


def _column(
    left: TranslatedOperand, nodes: Sequence[exp.Expression], symbols: SymbolTable
) -> TranslatedOperand:
    """One of the operands of a subquery's column, if an operand compares with all of them in one way."""
    if len({comparing(left[0], node, symbols) for node in nodes}) > 1:
        raise UnsupportedError("In", "a set operation whose operands differ in affinity")
    return nodes[0], t.NULL


def _projections(subquery: exp.Expression, width: int) -> list[list[exp.Expression]]:
    """For each column of a query the expressions of its operands."""
    operands = [x.expressions for x in select_operands(subquery) if isinstance(x, exp.Select)]
    if any(len(each) != width for each in operands):
        raise UnsupportedError("In", "a subquery with the wrong number of columns")
    return [[each.unalias() for each in column] for column in zip(*operands, strict=True)]


def _exists(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
    """``EXISTS (subquery)``: a limit matters only if it is 0, an offset always."""
    from equiv.algebra.translate.query import query

    result = query(node.this, symbols.around())
    if result.limit == 0:
        return t.FALSE
    # LIMIT 1 cannot make the rows fewer than one; OFFSET can.
    if not result.offset:
        result = replace(result, limit=None)
    bag = result.rows(symbols)
    return t.Exists(t.Bag(tuple(t.Term(each.bindings, each.condition, ()) for each in bag.terms)))


def _scalar(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
    """A subquery as a value: the first column of its first row, or NULL."""
    from equiv.algebra.translate.query import query

    result = query(node, symbols.around())
    if result.visible != 1:
        raise UnsupportedError("Subquery", "a row value outside a comparison")
    if result.limit == 0:
        return t.NULL
    terms = result.bag.terms
    if len(terms) == 1 and not terms[0].bindings and not result.offset:
        term = terms[0]
        return (
            term.outputs[0]
            if term.condition == t.TRUE
            else t.Case(((term.condition, term.outputs[0]),), t.NULL)
        )
    site = symbols.translation.site(node, "first")
    return t.First(t.Limited(result.bag, 1, result.directions, 1, result.offset, site))


_WRITTEN = (FunctionSort.OPERATOR, FunctionSort.INSTANT)
"""Sorts of functions that SQL does not write as calls by name."""
_COMPARISONS = (*COMPARISONS, exp.NullSafeEQ, exp.NullSafeNEQ)


def expression(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
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
        return t.Apply(function.name, tuple(expression(each, symbols) for each in operands_))
    return _call(node, symbols)


def truth(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
    """The truth of an expression: 1, 0 or NULL."""
    return as_truth(expression(node, symbols))


def holds(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
    """A condition in the algebra: true exactly where the expression is; FALSE and NULL may be exchanged."""
    if isinstance(node, exp.And | exp.Or):
        parts = tuple(holds(part, symbols) for part in operands(node, type(node)))
        return t.And(parts) if isinstance(node, exp.And) else t.Or(parts)
    if isinstance(node, exp.In) and node.args.get("query") is not None:
        return _Membership.of(node, symbols).true
    if (
        isinstance(node, exp.Not)
        and isinstance(node.this, exp.In)
        and node.this.args.get("query") is not None
    ):
        return _Membership.of(node.this, symbols).false
    return truth(node, symbols)


def operand(node: exp.Expression, symbols: SymbolTable) -> TranslatedOperand:
    """An expression with its translation."""
    return node, expression(node, symbols)


def _comparison(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
    left, right = node.this, node.expression
    if isinstance(left, exp.Tuple) and isinstance(right, exp.Tuple):
        return _rows(type(node), left, right, symbols)
    return compared(type(node), operand(left, symbols), operand(right, symbols), symbols)


def _rows(
    operator: type[exp.Expression], left: exp.Tuple, right: exp.Tuple, symbols: SymbolTable
) -> t.Expression:
    rows = [[operand(each, symbols) for each in side.expressions] for side in (left, right)]
    return compared_rows(operator, rows[0], rows[1], symbols)


def _negative(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
    return _negative_literal(node.this) or t.Apply("NEG", (expression(node.this, symbols),))


def _is(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
    if isinstance(node.expression, exp.Null):
        return t.IsNull(expression(node.this, symbols))
    if not isinstance(node.expression, exp.Boolean):
        raise UnsupportedError("Is", "IS with an operand other than NULL, TRUE and FALSE")
    found = truth(node.this, symbols)
    return t.IsTrue(found if node.expression.this else t.Not(found))


def _in(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
    if node.args.get("query") is not None:
        return _Membership.of(node, symbols).value
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
    return equalities[0] if len(equalities) == 1 else t.Or(tuple(equalities))


def _between(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
    low, high = node.args["low"], node.args["high"]
    if isinstance(node.this, exp.Tuple):
        if not (isinstance(low, exp.Tuple) and isinstance(high, exp.Tuple)):
            raise UnsupportedError("Tuple", "BETWEEN row values of a subquery")
        return t.And(
            tuple(_rows(way, node.this, end, symbols) for way, end in ((exp.GTE, low), (exp.LTE, high)))
        )
    return between(node, (operand(node.this, symbols), operand(node.this, symbols)), symbols)


def _case(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
    subject = node.args.get("this")
    branches = []
    for branch in node.args["ifs"]:
        if subject is None:
            condition = holds(branch.this, symbols)
        else:
            condition = compared(exp.EQ, operand(subject, symbols), operand(branch.this, symbols), symbols)
        branches.append((condition, expression(branch.args["true"], symbols)))
    default = node.args.get("default")
    return t.Case(tuple(branches), t.NULL if default is None else expression(default, symbols))


def _if(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
    other = node.args.get("false")
    branch = (holds(node.this, symbols), expression(node.args["true"], symbols))
    return t.Case((branch,), t.NULL if other is None else expression(other, symbols))


def _coalesce(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
    *first, last = [node.this, *node.expressions]
    copy = symbols.world.names.copy_of
    values = [expression(each, symbols) for each in first]
    branches = tuple((t.Not(t.IsNull(value)), copy(value)) for value in values)
    return t.Case(branches, expression(last, symbols))


def _nullif(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
    """NULLIF is a function: its arguments are compared without conversion, by the first collation of one."""
    value, other = expression(node.this, symbols), expression(node.expression, symbols)
    sides = value, other
    if symbols.translation.folds:
        name = call_collation((node.this, node.expression), symbols.translation.context)
        sides = keyed(name, value), keyed(name, other)
    return t.Case(((t.Compare("=", *sides), t.NULL),), symbols.world.names.copy_of(value))


def _extreme(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
    symbols.translation.require_binary((node.this, *node.expressions), "MIN or MAX")
    return _call(node, symbols)


def _cast(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
    return t.Convert(cast_affinity(node).value, expression(node.this, symbols), explicit=True)


def _like(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
    name = "GLOB" if isinstance(node, exp.Glob) else "LIKE"
    return t.Apply(name, (expression(node.this, symbols), expression(node.expression, symbols)))


def _escape(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
    if not isinstance(node.this, exp.Like):
        raise UnsupportedError("Escape", "ESCAPE after an operator other than LIKE")
    like = expression(node.this, symbols)
    assert isinstance(like, t.Apply)
    return replace(like, arguments=(*like.arguments, expression(node.expression, symbols)))


_KEY = re.compile(r"[A-Za-z][A-Za-z0-9]*")


def _json_value(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
    """``document ->> path`` as JSON_EXTRACT, whose value is the same by a path that begins with ``$``.

    It has a subtype that ``->>`` has not, which a function of JSON around it would read: there it stays.
    """
    given = tuple(expression(each, symbols) for each in (node.this, node.expression))
    path = node.expression.name if isinstance(node.expression, exp.Literal) else ""
    if not node.expression.is_string:
        path = f"$[{path}]" if path.isdigit() else ""
    elif _KEY.fullmatch(path):
        path = f"$.{path}"
    if not path.startswith("$") or isinstance(node.parent, exp.Anonymous | exp.Distinct):
        return t.Apply("->>", given)
    return t.Apply("JSON_EXTRACT", (given[0], t.Constant("text", path)))


def _call(node: exp.Expression, symbols: SymbolTable) -> t.Expression:
    function = function_of(node)
    is_late = function is not None and function.sort in (FunctionSort.AGGREGATE, FunctionSort.WINDOW)
    if is_late or isinstance(node, exp.Filter | exp.Window):
        raise UnsupportedError(type(node).__name__, "a misplaced aggregate or window function")
    call = symbol_of(node)
    if call is None:
        raise UnsupportedError(type(node).__name__, "this kind of expression")
    name, arguments = call[0].upper(), call[1]
    if knowledge(name.partition("(")[0], len(arguments)) is Known.REFUSED:
        raise UnsupportedError("Func", f"the function {name}")
    if any(isinstance(each, exp.Star | exp.Distinct) for each in arguments):
        raise UnsupportedError("Func", f"{name} with these arguments")
    values = tuple(expression(each, symbols) for each in arguments)
    if name in ("LIKE", "GLOB"):
        # The function takes the pattern first: like(p, x) is x LIKE p.
        values = (values[1], values[0], *values[2:])
    return time_call(name, values) or t.Apply(name, values)


_HANDLERS: dict[type, Callable[[exp.Expression, SymbolTable], t.Expression]] = {
    exp.Alias: lambda node, symbols: expression(node.this, symbols),
    exp.Column: lambda node, symbols: symbols.column(node),
    exp.Literal: lambda node, _: literal(node),
    exp.HexString: lambda node, _: t.Constant("blob", str(node.this).lower()),
    exp.Null: lambda _, __: t.NULL,
    exp.Parameter: lambda node, _: t.Apply(node.name),
    exp.Boolean: lambda node, _: t.TRUE if node.this else t.FALSE,
    exp.Neg: _negative,
    exp.And: lambda node, symbols: t.And(tuple(truth(part, symbols) for part in operands(node, exp.And))),
    exp.Or: lambda node, symbols: t.Or(tuple(truth(part, symbols) for part in operands(node, exp.Or))),
    exp.Not: lambda node, symbols: t.Not(truth(node.this, symbols)),
    exp.Is: _is,
    exp.In: _in,
    exp.Between: _between,
    exp.JSONExtractScalar: _json_value,
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
    exp.Exists: _exists,
    exp.Subquery: _scalar,
    exp.Select: _scalar,
}


_LARGEST = 2**63 - 1
_EXACT_DIGITS = 15
"""So many significant digits a REAL keeps apart."""


def literal(node: exp.Expression) -> t.Constant:
    """The constant of a literal; digits beyond 64 bits are a REAL.

    Raises:
        UnsupportedError: an infinite number.
    """
    text = node.name
    if node.is_string:
        return t.Constant("text", text)
    if text.isdigit() and int(text) <= _LARGEST:
        return t.Constant("integer", str(int(text)))
    return t.Constant("real", _real(text))


def _negative_literal(node: exp.Expression) -> t.Constant | None:
    """The constant of a negated number; None for anything else, and for zero.

    -9223372036854775808 is an integer although its digits alone are not.
    """
    if not isinstance(node, exp.Literal) or node.is_string or not float(node.name):
        return None
    if node.name.isdigit() and int(node.name) <= _LARGEST + 1:
        return t.Constant("integer", str(-int(node.name)))
    return t.Constant("real", f"-{_real(node.name)}")


def _real(text: str) -> str:
    """A spelling of a REAL: two literals are one REAL only if their spellings are one number."""
    if math.isinf(float(text)):
        raise UnsupportedError("Literal", "an infinite number")
    digits = text.lower().split("e")[0].replace(".", "").strip("0")
    return text if len(digits) <= _EXACT_DIGITS else repr(float(text))
