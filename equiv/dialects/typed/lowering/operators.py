"""What PostgreSQL's operators and functions of single values are in the core, and where they raise errors.

A row holds for the argument types that it names, and says what the core computes; where PostgreSQL raises an
error the core may give any value (see ``docs/postgres.md``).  What no row names is refused.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from equiv.core.functions.traits import PREFIX
from equiv.core.query import UnsupportedError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering import build as b
from equiv.dialects.typed.lowering.arrays import OF_ARRAYS
from equiv.dialects.typed.lowering.calls import (
    ANY_INT,
    BOOL,
    BPCHAR,
    DATE,
    FLOAT,
    INTERVAL,
    NUMBER,
    NUMERIC,
    STAMP,
    TEXT,
    Given,
    LoweringPlace,
    Meaning,
    MeaningTable,
    Types,
    binary,
    constant_of,
    function,
    same,
)
from equiv.dialects.typed.lowering.comparisons import NODES, compared
from equiv.dialects.typed.lowering.dates import OF_DATES, is_of_clock
from equiv.dialects.typed.lowering.numbers import is_cut, widened
from equiv.dialects.typed.lowering.texts import MOST_DECIMALS, OF_TEXTS
from equiv.dialects.typed.walks import parts_of

_CALLS = frozenset(
    ("/", "%", "mod", "div", "sqrt", "power", "pow", "substring", "substr", "split_part", "to_date")
)
_DIVISIONS = frozenset(("/", "//", "%", "mod", "div"))
_PATTERNS = frozenset(("~~", "!~~", "~~*", "!~~*"))
_MOVES = frozenset(("+", "-", "make_date", "make_timestamp", "to_timestamp", "date_add", "date_sub"))
_CALENDAR = frozenset(("date", "timestamp", "timestamptz"))


def may_fail(query: t.TypedQuery) -> bool:
    """Whether a query divides, casts, moves a date, or takes a subquery's one row; overflow is left out."""
    return has_failing_part(query, _may_raise)


def has_failing_part(query: t.TypedQuery, may_raise: Callable[[object], bool]) -> bool:
    """Whether a part of a query may raise an error, leave the calendar, or be a LIMIT below 0."""
    return any(
        may_raise(part) or _may_leave_calendar(part) or _is_cut_by_any(part) for part in parts_of(query)
    )


def has_constant_error(query: t.TypedQuery) -> bool:
    """Whether a query divides a constant by the constant zero."""
    return any(
        isinstance(part, t.RoutineCall)
        and part.routine.name in _DIVISIONS
        and len(part.arguments) == 2
        and _number(part.arguments[0]) is not None
        and _number(part.arguments[1]) == 0
        for part in parts_of(query)
    )


def _number(part: t.Expr) -> float | None:
    """The number that a constant is, whatever it is cast to; None if it is none."""
    match part:
        case t.TypedConstant(text=str(text)):
            try:
                return float(text)
            except ValueError:
                return None
        case t.RoutineCall(cast=True, arguments=(value, *_)):
            return _number(value)
    return None


def _is_cut_by_any(part: object) -> bool:
    """Whether a part is a LIMIT or OFFSET by a parameter: a negative one raises an error."""
    return isinstance(part, t.Limit) and any(
        each is not None and b.parameter_of(each) is not None for each in (part.count, part.offset)
    )


def _may_leave_calendar(part: object) -> bool:
    """Whether a part computes a date that may be beyond the years 1 to 9999."""
    if not isinstance(part, t.RoutineCall):
        return False
    is_moved = part.type.name in _CALENDAR and part.routine.name in _MOVES
    # What is between two times is compared as one that is moved with the other.
    return is_moved or (part.routine.arguments == ("interval", "interval") and part.routine.name in NODES)


def _may_raise(part: object) -> bool:
    match part:
        case t.RoutineCall(cast=True, routine=routine, arguments=arguments):
            return _narrows(arguments[0].type.name, routine.name) or len(arguments) > 1
        case t.RoutineCall(routine=routine, arguments=arguments) if routine.name in _PATTERNS:
            return not isinstance(arguments[1], t.TypedConstant)
        case t.RoutineCall(routine=routine):
            return routine.name in _CALLS
        case t.Conversion(through_text=through_text, type=target):
            return through_text and target.name != "text" and b.parameter_of(part) is None
        case t.NestedQuery(form=form):
            return form == "scalar"
    return False


def _narrows(source: str, target: str) -> bool:
    """Whether a number of one type may be none of another."""
    return target in b.INTEGERS and source != target and not b.is_widened(source, target)


def _quotient(given: Given) -> exp.Expression:
    return exp.Div(this=b.real(given.value(0)), expression=given.value(1))


def rounded(given: Given) -> exp.Expression:
    """To so many decimals, half away from zero."""
    digits = int(given.literal(1))
    if digits < 0:
        return b.call("ROUND_TENS", given.value(0), b.number(str(-digits)))
    if digits > MOST_DECIMALS:
        raise UnsupportedError("Func", "ROUND to more than 15 decimals")
    return b.call("ROUND", given.value(0), b.number(str(digits)))


def _scaled(given: Given) -> exp.Expression:
    scale = given.call.type.scale
    if scale is None or not 0 <= scale <= MOST_DECIMALS:
        raise UnsupportedError("Cast", f"to {given.call.type.name} with a scale outside 0 to {MOST_DECIMALS}")
    own = _scale(given.call.arguments[0])
    if own is not None and own <= scale:
        return given.value(0)
    return b.call("ROUND", given.value(0), b.number(str(scale)))


def _scale(value: t.Expr) -> int | None:
    """The most decimals that a number has by its type, if that says."""
    if (
        isinstance(value, t.RoutineCall)
        and value.cast
        and value.routine.name == "numeric"
        and value.type.scale is None
    ):
        return _scale(value.arguments[0])
    return 0 if value.type.name in b.INTEGERS else value.type.scale


def _whole(given: Given) -> exp.Expression:
    return b.cast(b.call("ROUND", given.value(0)), "INTEGER")


def _divided(given: Given) -> exp.Expression:
    return b.call("TRUNC", _quotient(given))


_BITS: dict[str, type[exp.Expression]] = {"&": exp.BitwiseAnd, "|": exp.BitwiseOr}
_KEEPING = {"&": -1, "|": 0, "#": 0}
"""By operator the number that leaves the other operand as it is."""
_WIDTHS = {"int2": 16, "int4": 32, "int8": 64}


def _bits(given: Given) -> exp.Expression:
    """The bits of two integers; what needs no operator is said without."""
    name, (left, right) = given.call.routine.name, given.call.arguments
    if left == right:
        return given.value(0) if name in _BITS else exp.Sub(this=given.value(0), expression=given.value(1))
    for at, each in enumerate((left, right)):
        known = constant_of(each)
        if known is None or known.text is None:
            continue
        if int(known.text) == _KEEPING[name]:
            return given.value(1 - at)
        if name == "&" and int(known.text) == 0:
            return exp.Mul(this=given.value(1 - at), expression=b.number("0"))
    if name in _BITS:
        return _BITS[name](this=given.value(0), expression=given.value(1))
    # The bits of both are among those of either, so that the difference borrows nothing, sign and all.
    either = exp.BitwiseOr(this=given.value(0), expression=given.value(1))
    both = exp.BitwiseAnd(this=given.value(0), expression=given.value(1))
    return exp.Sub(this=either, expression=both)


def _shifted(given: Given) -> exp.Expression:
    """Bits moved by a constant, less than there are: by others it depends on the processor."""
    width, count = _WIDTHS[given.call.type.name], int(given.literal(1))
    if not 0 <= count < width:
        raise UnsupportedError("Operator", f"{given.call.routine.name} by bits outside 0 to {width - 1}")
    if not count:
        return given.value(0)
    if given.call.routine.name == ">>":
        return exp.BitwiseRightShift(this=given.value(0), expression=b.number(str(count)))
    found: exp.Expression = exp.BitwiseLeftShift(this=given.value(0), expression=b.number(str(count)))
    if width == 64:
        return found
    # Of the core's 64 bits the lowest are kept, the first of them for the sign.
    half = b.number(str(2 ** (width - 1)))
    found = exp.BitwiseAnd(this=exp.Add(this=found, expression=half), expression=b.number(str(2**width - 1)))
    return exp.Sub(this=found, expression=half.copy())


_OF_NUMBERS: tuple[Meaning, ...] = (
    Meaning(("+",), (NUMBER, NUMBER), binary(exp.Add), "numbers add; overflow raises"),
    Meaning(("-",), (NUMBER, NUMBER), binary(exp.Sub), "as above"),
    Meaning(("*",), (NUMBER, NUMBER), binary(exp.Mul), "as above"),
    Meaning(("/",), (ANY_INT, ANY_INT), binary(exp.Div), "both cut off towards zero; by zero raises"),
    Meaning(("/",), (NUMBER, NUMBER), _quotient, "a fraction, under exact arithmetic; by zero raises"),
    Meaning(("%", "mod"), (ANY_INT, ANY_INT), binary(exp.Mod), "the sign of the dividend; by zero raises"),
    Meaning(("%", "mod"), (NUMERIC, NUMERIC), function("REMAINDER"), "own: with decimals"),
    Meaning(("-",), (NUMBER,), lambda given: exp.Neg(this=given.value(0)), "the opposite"),
    Meaning(("+",), (NUMBER,), same, "the number"),
    Meaning(("&", "|", "#"), (ANY_INT, ANY_INT), _bits, "bits of two's complement; # is | less &"),
    Meaning(("~",), (ANY_INT,), lambda given: exp.BitwiseNot(this=given.value(0)), "all bits turned"),
    Meaning(("<<", ">>"), (ANY_INT, ANY_INT), _shifted, "by a constant; the sign moves in, bits move out"),
    Meaning(("abs", "@"), (NUMBER,), function("ABS"), "the absolute value"),
    Meaning(("round",), (NUMERIC,), function("ROUND"), "half away from zero"),
    Meaning(("round",), (NUMERIC, ANY_INT), rounded, "half away from zero; own for negative places"),
    Meaning(("round",), (FLOAT,), function("ROUND_EVEN"), "own: half to even"),
    Meaning(("floor",), (NUMERIC | FLOAT,), function("FLOOR"), "the next whole number below"),
    Meaning(("ceil", "ceiling"), (NUMERIC | FLOAT,), function("CEIL"), "the next whole number above"),
    Meaning(("trunc",), (NUMERIC | FLOAT,), function("TRUNC"), "towards zero"),
    Meaning(("div",), (NUMERIC, NUMERIC), _divided, "cut off towards zero; by zero raises"),
    Meaning(("sign",), (NUMERIC | FLOAT,), function("SIGN"), "-1, 0 or 1"),
    Meaning(("sqrt",), (NUMERIC | FLOAT,), function("SQRT"), "the root; of a negative number raises"),
    Meaning(("power", "pow"), (NUMERIC | FLOAT, NUMERIC | FLOAT), function("POW"), "the power"),
    Meaning(("int2", "int4", "int8"), (ANY_INT,), same, "the number; out of range raises"),
    Meaning(("int2", "int4", "int8"), (NUMERIC,), _whole, "half away from zero"),
    Meaning(
        ("int2", "int4", "int8"),
        (FLOAT,),
        lambda given: b.cast(b.call("ROUND_EVEN", given.value(0)), "INTEGER"),
        "half to even",
    ),
    Meaning(("numeric",), (ANY_INT,), same, "the number"),
    Meaning(
        ("numeric",),
        (frozenset(("float8",)),),
        lambda given: b.call("SIGNIFICANT", given.value(0), b.number("15")),
        "own: 15 significant digits",
    ),
    Meaning(
        ("numeric",),
        (frozenset(("float4",)),),
        lambda given: b.call("SIGNIFICANT", given.value(0), b.number("6")),
        "own: 6 significant digits",
    ),
    Meaning(("numeric",), (NUMERIC, ANY_INT), _scaled, "rounds half away to the scale; too long raises"),
    Meaning(
        ("float8",),
        (frozenset(("float4",)),),
        lambda given: widened(given.call.arguments[0], given.value(0)),
        "own: what 32 bits say",
    ),
    Meaning(("float4", "float8"), (NUMBER,), same, "the number, under exact arithmetic"),
    Meaning(("int4",), (BOOL,), same, "1 or 0"),
    Meaning(
        ("bool",),
        (ANY_INT,),
        lambda given: exp.NEQ(this=given.value(0), expression=b.number("0")),
        "not zero",
    ),
)
"""Their rows, by name and types of arguments."""


def _comparison(given: Given) -> exp.Expression:
    left, right = given.call.arguments
    return compared(given.call.routine, left, right, given.place)


_COMPARISONS = tuple(NODES)
_COMPARABLE: tuple[tuple[Types, Types], ...] = (
    *((group, group) for group in (NUMBER, TEXT, BPCHAR, DATE, STAMP, BOOL, frozenset(("time", "uuid")))),
    (DATE, STAMP),
    (STAMP, DATE),
)

TABLE: tuple[Meaning, ...] = (
    *(
        Meaning(_COMPARISONS, arguments, _comparison, "cells of one family compare as their values do")
        for arguments in _COMPARABLE
    ),
    Meaning(_COMPARISONS, (INTERVAL, INTERVAL), _comparison, "of times, one of them moved"),
    Meaning(_COMPARISONS, (frozenset(("anyenum",)),) * 2, _comparison, "labels compare as they are declared"),
    *(
        Meaning(("=", "<>"), (frozenset((kind,)),) * 2, _comparison, "what is the same shows the same")
        for kind in ("oid", "char")
    ),
    *_OF_NUMBERS,
    *OF_TEXTS,
    *OF_DATES,
    *OF_ARRAYS,
)
"""All operators and functions of single values that are known, by name and types of arguments."""

_MEANINGS = MeaningTable(TABLE)


def has_meaning(routine: t.Routine) -> bool:
    """Whether the core has a meaning for a function or operator, perhaps for some constants alone."""
    try:
        _MEANINGS.meaning_of(routine)
    except UnsupportedError:
        return False
    return True


def called(value: t.RoutineCall, place: LoweringPlace) -> exp.Expression:
    """A call in the core.

    Raises:
        UnsupportedError: it is not known there.
    """
    found = _called(value, place)
    if is_of_clock(value):
        # What is made of the current time and of constants is never NULL.
        is_known = isinstance(found, exp.Coalesce)
        return found if is_known else exp.Coalesce(this=found, expressions=[b.string("")])
    return b.call("SINGLE", found) if is_cut(value) and not _is_single(found) else found


def _is_single(found: exp.Expression) -> bool:
    return isinstance(found, exp.Anonymous) and found.name == f"{PREFIX}SINGLE"


def _called(value: t.RoutineCall, place: LoweringPlace) -> exp.Expression:
    own = place.state.routines.get(value.routine.schema)
    if own is not None:
        return own(value, place)
    if value.routine.schema != "pg_catalog":
        raise UnsupportedError("Func" if not value.routine.operator else "Operator", str(value.routine))
    return _MEANINGS.meaning_of(value.routine).build(Given(value, place))
