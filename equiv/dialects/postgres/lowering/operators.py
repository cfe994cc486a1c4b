"""What PostgreSQL's operators and functions of single values are in the core, and why they agree.

A row holds for the argument types that it names, and says what the core computes; where PostgreSQL raises an
error the core may give any value (see ``docs/postgres.md``).  What no row names is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from equiv.core.functions.dates_by_format import is_known
from equiv.core.functions.own import lowercase
from equiv.core.unsupported import UnsupportedError
from equiv.dialects.postgres.analysis.tree import Call, Constant, Convert, Expr, Routine
from equiv.dialects.postgres.lowering import dates
from equiv.dialects.postgres.lowering.build import call, case, cast, joined, number, part, real, string
from equiv.dialects.postgres.lowering.comparisons import NODES, compared
from equiv.dialects.postgres.lowering.context import Place
from equiv.dialects.postgres.lowering.patterns import as_glob, as_text, sees_padding
from equiv.dialects.postgres.lowering.singles import widened
from equiv.dialects.postgres.lowering.types import FLOATS, INTEGERS, NUMBERS, STAMPS, TEXTS

Types = frozenset[str]
_ANY_INT, _NUMERIC, _FLOAT, _NUMBER = INTEGERS, frozenset(("numeric",)), FLOATS, NUMBERS
_TEXT, _BPCHAR, _DATE, _STAMP = TEXTS, frozenset(("bpchar",)), frozenset(("date",)), STAMPS
_INTERVAL, _BOOL, _TIME = frozenset(("interval",)), frozenset(("bool",)), frozenset(("time",))


@dataclass(frozen=True)
class Given:
    """A call: its typed arguments, and how they are lowered."""

    call: Call
    place: Place

    def value(self, index: int) -> exp.Expression:
        """An argument in the core."""
        from equiv.dialects.postgres.lowering.expressions import lowered

        value = self.call.arguments[index]
        found = lowered(value, self.place)
        return widened(value, found) if {"float4", "float8"} == {*self.call.routine.arguments} else found

    def values(self) -> list[exp.Expression]:
        """All arguments in the core."""
        return [self.value(index) for index in range(len(self.call.arguments))]

    def literal(self, index: int) -> str:
        """The text of an argument that must be constant.

        Raises:
            UnsupportedError: it is none.
        """
        found = constant_of(self.call.arguments[index])
        if found is None or found.text is None:
            raise UnsupportedError("Func", f"{self.call.routine.name} with an argument that is no constant")
        return found.text


def constant_of(value: Expr) -> Constant | None:
    """The constant that an expression is, under casts among integers."""
    while isinstance(value, Call) and value.cast and value.routine.name in INTEGERS:
        value = value.arguments[0]
        if value.type.name not in INTEGERS:
            return None
    return value if isinstance(value, Constant) else None


@dataclass(frozen=True)
class Meaning:
    """A row: names, the types of the arguments, what the core computes, and why that agrees."""

    names: tuple[str, ...]
    arguments: tuple[Types, ...]
    build: Callable[[Given], exp.Expression]
    why: str


def _same(given: Given) -> exp.Expression:
    return given.value(0)


def _binary(node: type[exp.Expression]) -> Callable[[Given], exp.Expression]:
    return lambda given: node(this=given.value(0), expression=given.value(1))


def _function(name: str) -> Callable[[Given], exp.Expression]:
    return lambda given: call(name, *given.values())


def _comparison(given: Given) -> exp.Expression:
    left, right = given.call.arguments
    return compared(given.call.routine, left, right, given.place)


def _quotient(given: Given) -> exp.Expression:
    return exp.Div(this=real(given.value(0)), expression=given.value(1))


def _like(given: Given) -> exp.Expression:
    subject, pattern = given.call.arguments
    found, negated = given.value(0), given.call.routine.name.startswith("!")
    folds = given.call.routine.name.endswith("*")
    if isinstance(pattern, Constant) and pattern.text is not None:
        if subject.type.name == "bpchar" and sees_padding(pattern.text):
            if subject.type.length is None:
                raise UnsupportedError("Like", "a pattern that sees the blanks behind a character(n)")
            found = call("PADDED", found, number(str(subject.type.length)))
        text = as_glob(pattern.text)
        if folds:
            found, text = call("LOWERCASE", found), lowercase(text)
        like: exp.Expression = exp.Glob(this=found, expression=string(text))
        plain = as_text(pattern.text)
        if plain is not None:
            like = exp.EQ(this=found, expression=string(lowercase(plain) if folds else plain))
    else:
        if subject.type.name == "bpchar":
            raise UnsupportedError("Like", "a pattern that may see the blanks behind a character(n)")
        other = given.value(1)
        if folds:
            found, other = call("LOWERCASE", found), call("LOWERCASE", other)
        like = call("LIKE_CASED", found, other)
    return exp.Not(this=like) if negated else like


def _rounded(given: Given) -> exp.Expression:
    digits = int(given.literal(1))
    if digits < 0:
        return call("ROUND_TENS", given.value(0), number(str(-digits)))
    if digits > 15:
        raise UnsupportedError("Func", "ROUND to more than 15 decimals")
    return call("ROUND", given.value(0), number(str(digits)))


def _scaled(given: Given) -> exp.Expression:
    scale = given.call.type.scale
    if scale is None or not 0 <= scale <= 15:
        raise UnsupportedError("Cast", "a scale of numeric")
    own = _scale(given.call.arguments[0])
    if own is not None and own <= scale:
        return given.value(0)
    return call("ROUND", given.value(0), number(str(scale)))


def _scale(value: Expr) -> int | None:
    """The most decimals that a number has by its type, if that says."""
    if (
        isinstance(value, Call)
        and value.cast
        and value.routine.name == "numeric"
        and value.type.scale is None
    ):
        return _scale(value.arguments[0])
    return 0 if value.type.name in INTEGERS else value.type.scale


def _whole(given: Given) -> exp.Expression:
    return cast(call("ROUND", given.value(0)), "INTEGER")


def _cut(given: Given) -> exp.Expression:
    length = given.call.type.length
    if length is None:
        raise UnsupportedError("Cast", "a length that is no constant")
    source = given.call.arguments[0]
    if (
        source.type.name == given.call.type.name
        and source.type.length is not None
        and source.type.length <= length
    ):
        return given.value(0)
    found = part(given.value(0), 1, length)
    return call("RTRIM", found) if given.call.type.name == "bpchar" else found


def _substring(given: Given) -> exp.Expression:
    """By literal bounds SUBSTR: places before the first character count, and hold nothing."""
    bounds = [constant_of(each) for each in given.call.arguments[1:]]
    whole = [int(each.text) for each in bounds if each is not None and each.text is not None]
    if len(whole) < len(bounds) or (len(whole) == 2 and whole[1] < 0):
        return call("SUBSTRING_OF", *given.values())
    start, before = max(whole[0], 1), min(whole[0], 1) - 1
    lengths = [max(length + before, 0) for length in whole[1:]]
    if start == 1 and _fits(given.call.arguments[0], lengths):
        return given.value(0)
    return part(given.value(0), start, *lengths)


def _fits(value: Expr, lengths: Sequence[int]) -> bool:
    """Whether a text is by its type no longer than the first of some lengths."""
    while True:
        match value:
            case Convert(value=inner, through_text=False):
                value = inner
            case Call(cast=True, routine=Routine(name="text"), arguments=(inner,)):
                value = inner
            case _:
                break
    longest = value.type.length if value.type.name in ("varchar", "bpchar") else None
    return longest is not None and any(longest <= length for length in lengths[:1])


def _left(given: Given) -> exp.Expression:
    """The first characters; by a negative number all but so many of the last."""
    count = int(given.literal(1))
    if count < 0:
        kept = exp.Sub(this=call("LENGTH", given.value(0)), expression=number(str(-count)))
        return call("SUBSTR", given.value(0), number("1"), call("MAX", kept, number("0")))
    if _fits(given.call.arguments[0], [count]):
        return given.value(0)
    return part(given.value(0), 1, count)


def _right(given: Given) -> exp.Expression:
    """The last characters; by a negative number all but so many of the first."""
    count = int(given.literal(1))
    if count < 0:
        return part(given.value(0), 1 - count)
    return part(given.value(0), -count) if count else part(given.value(0), 1, 0)


def _starts(given: Given) -> exp.Expression:
    length = call("LENGTH", given.value(1))
    return exp.EQ(this=call("SUBSTR", given.value(0), number("1"), length), expression=given.value(1))


def _divided(given: Given) -> exp.Expression:
    return call("TRUNC", _quotient(given))


def _signed(given: Given) -> exp.Expression:
    return call("SIGN", given.value(0))


def _replaced(given: Given) -> exp.Expression:
    if not given.literal(1):
        raise UnsupportedError("Func", "REPLACE of nothing")
    return call("REPLACE", *given.values())


def _concatenated(given: Given) -> exp.Expression:
    """CONCAT takes NULL for nothing; of other types than texts and integers it writes the text of a value."""
    parts = []
    for index, each in enumerate(given.call.arguments):
        if each.type.name not in TEXTS | INTEGERS | {"bpchar", "date", "unknown"}:
            raise UnsupportedError("Func", f"CONCAT of {each.type.name}")
        if each.type.name == "bpchar":
            raise UnsupportedError("Func", "CONCAT of the blanks behind a character(n)")
        value = given.value(index)
        value = cast(value, "TEXT") if each.type.name in INTEGERS else value
        parts.append(exp.Coalesce(this=value, expressions=[string("")]))
    return joined(string(""), *parts)


def _trimmed(name: str) -> Callable[[Given], exp.Expression]:
    return lambda given: call(name, *given.values())


def _power(given: Given) -> exp.Expression:
    return call("POW", *given.values())


def _plus_interval(given: Given) -> exp.Expression:
    """A timestamp, from a date too."""
    date, span, sign = _moving(given)
    months, days, micros = (sign * each for each in span)
    found = dates.moved(given.value(date), months, days, micros)
    return found if micros else dates.as_timestamp(found)


def _moving(given: Given) -> tuple[int, tuple[int, int, int], int]:
    """The index of the date, the constant interval, and its sign."""
    arguments = given.call.arguments
    date = 1 if arguments[0].type.name == "interval" else 0
    span = dates.interval_of(arguments[1 - date])
    if span is None:
        raise UnsupportedError("Operator", f"{given.call.routine} with an interval that is no constant")
    return date, span, -1 if given.call.routine.name == "-" else 1


def _plus_stamp_interval(given: Given) -> exp.Expression:
    date, span, sign = _moving(given)
    months, days, micros = (number(str(sign * each)) for each in span)
    return call("ADD_INTERVAL", given.value(date), months, days, micros)


def day_of(value: Expr, place: Place) -> exp.Expression | None:
    """The date of a timestamp that begins a day: of a date, or of one and whole days or months."""
    inner = dates.at_midnight(value)
    if inner is not None:
        from equiv.dialects.postgres.lowering.expressions import lowered

        return lowered(inner, place)
    if not isinstance(value, Call) or value.routine.name not in "+-" or len(value.arguments) != 2:
        return None
    if {each.type.name for each in value.arguments} != {"date", "interval"}:
        return None
    given = Given(value, place)
    date, span, sign = _moving(given)
    if span[2]:
        return None
    return dates.moved(given.value(date), sign * span[0], sign * span[1], 0)


def _day(given: Given) -> exp.Expression:
    known = day_of(given.call.arguments[0], given.place)
    return dates.of_timestamp(given.value(0)) if known is None else known


def _plus_days(given: Given) -> exp.Expression:
    arguments = given.call.arguments
    date = 0 if arguments[0].type.name == "date" else 1
    days = given.value(1 - date)
    if given.call.routine.name == "-":
        days = exp.Neg(this=days)
    return call("ADD_INTERVAL", given.value(date), number("0"), days, number("0"))


def _extracted(given: Given) -> exp.Expression:
    subject = given.call.arguments[1]
    if subject.type.name == "interval":
        return call("INTERVAL_PART", string(given.literal(0).lower()), given.value(1))
    if subject.type.name == "time":
        return dates.of_clock(given.literal(0), given.value(1))
    day = day_of(subject, given.place) if subject.type.name in STAMPS else None
    if day is not None:
        return dates.extracted(given.literal(0), day, is_date=True)
    return dates.extracted(given.literal(0), given.value(1), is_date=subject.type.name == "date")


def _age(given: Given) -> exp.Expression:
    if len(given.call.arguments) == 2:
        return call("AGE", *given.values())
    return call("AGE", exp.CurrentDate(), given.value(0))


def _truth_as_text(given: Given) -> exp.Expression:
    value = given.value(0)
    return case([(value, string("true")), (exp.Not(this=value.copy()), string("false"))], exp.Null())


def _to_date(given: Given) -> exp.Expression:
    if not is_known(form := given.literal(1)):
        raise UnsupportedError("Func", f"TO_DATE with the format {form!r}")
    return call("PARSE_DATE", given.value(0), string(form))


_COMPARISONS = tuple(NODES)
_COMPARABLE: tuple[tuple[Types, Types], ...] = (
    *(
        (group, group)
        for group in (_NUMBER, _TEXT, _BPCHAR, _DATE, _STAMP, _BOOL, frozenset(("time", "uuid")))
    ),
    (_DATE, _STAMP),
    (_STAMP, _DATE),
)

TABLE: tuple[Meaning, ...] = (
    *(
        Meaning(_COMPARISONS, arguments, _comparison, "cells of one family compare as their values do")
        for arguments in _COMPARABLE
    ),
    Meaning(("=", "<>"), (frozenset(("anyenum",)),) * 2, _comparison, "labels are equal as texts"),
    Meaning(("+",), (_NUMBER, _NUMBER), _binary(exp.Add), "numbers add; overflow raises"),
    Meaning(("-",), (_NUMBER, _NUMBER), _binary(exp.Sub), "as above"),
    Meaning(("*",), (_NUMBER, _NUMBER), _binary(exp.Mul), "as above"),
    Meaning(("/",), (_ANY_INT, _ANY_INT), _binary(exp.Div), "both cut off towards zero; by zero raises"),
    Meaning(("/",), (_NUMBER, _NUMBER), _quotient, "a fraction, under exact arithmetic; by zero raises"),
    Meaning(("%", "mod"), (_ANY_INT, _ANY_INT), _binary(exp.Mod), "the sign of the dividend; by zero raises"),
    Meaning(("%", "mod"), (_NUMERIC, _NUMERIC), _function("REMAINDER"), "own: with decimals"),
    Meaning(("-",), (_NUMBER,), lambda given: exp.Neg(this=given.value(0)), "the opposite"),
    Meaning(("+",), (_NUMBER,), _same, "the number"),
    Meaning(("abs", "@"), (_NUMBER,), _function("ABS"), "the absolute value"),
    Meaning(("round",), (_NUMERIC,), _function("ROUND"), "half away from zero"),
    Meaning(("round",), (_NUMERIC, _ANY_INT), _rounded, "half away from zero; own for negative places"),
    Meaning(("round",), (_FLOAT,), _function("ROUND_EVEN"), "own: half to even"),
    Meaning(("floor",), (_NUMERIC | _FLOAT,), _function("FLOOR"), "the next whole number below"),
    Meaning(("ceil", "ceiling"), (_NUMERIC | _FLOAT,), _function("CEIL"), "the next whole number above"),
    Meaning(("trunc",), (_NUMERIC | _FLOAT,), _function("TRUNC"), "towards zero"),
    Meaning(("div",), (_NUMERIC, _NUMERIC), _divided, "cut off towards zero; by zero raises"),
    Meaning(("sign",), (_NUMERIC | _FLOAT,), _signed, "-1, 0 or 1"),
    Meaning(("sqrt",), (_NUMERIC | _FLOAT,), _function("SQRT"), "the root; of a negative number raises"),
    Meaning(("power", "pow"), (_NUMERIC | _FLOAT, _NUMERIC | _FLOAT), _power, "the power"),
    Meaning(("int2", "int4", "int8"), (_ANY_INT,), _same, "the number; out of range raises"),
    Meaning(("int2", "int4", "int8"), (_NUMERIC,), _whole, "half away from zero"),
    Meaning(
        ("int2", "int4", "int8"),
        (_FLOAT,),
        lambda given: cast(call("ROUND_EVEN", given.value(0)), "INTEGER"),
        "half to even",
    ),
    Meaning(("numeric",), (_ANY_INT,), _same, "the number"),
    Meaning(
        ("numeric",),
        (frozenset(("float8",)),),
        lambda given: call("SIGNIFICANT", given.value(0), number("15")),
        "own: 15 significant digits",
    ),
    Meaning(
        ("numeric",),
        (frozenset(("float4",)),),
        lambda given: call("SIGNIFICANT", given.value(0), number("6")),
        "own: 6 significant digits",
    ),
    Meaning(("numeric",), (_NUMERIC, _ANY_INT), _scaled, "rounds half away to the scale; too long raises"),
    Meaning(
        ("float8",),
        (frozenset(("float4",)),),
        lambda given: widened(given.call.arguments[0], given.value(0)),
        "own: what 32 bits say",
    ),
    Meaning(("float4", "float8"), (_NUMBER,), _same, "the number, under exact arithmetic"),
    Meaning(("int4",), (_BOOL,), _same, "1 or 0"),
    Meaning(
        ("bool",), (_ANY_INT,), lambda given: exp.NEQ(this=given.value(0), expression=number("0")), "not zero"
    ),
    Meaning(
        ("~~", "!~~"), (_TEXT | _BPCHAR, _TEXT), _like, "GLOB, which minds case too; own for other patterns"
    ),
    Meaning(("~~*", "!~~*"), (_TEXT, _TEXT), _like, "GLOB over small letters, by an own function"),
    Meaning(("||",), (_TEXT, _TEXT), _binary(exp.DPipe), "one after the other; NULL if one is"),
    Meaning(("concat",), (frozenset(("any",)),), _concatenated, "without NULLs"),
    Meaning(("substring", "substr"), (_TEXT, _ANY_INT), _substring, "SUBSTR from 1 on; else own"),
    Meaning(("substring", "substr"), (_TEXT, _ANY_INT, _ANY_INT), _substring, "SUBSTR from 1 on; else own"),
    Meaning(("left",), (_TEXT, _ANY_INT), _left, "the first characters"),
    Meaning(("right",), (_TEXT, _ANY_INT), _right, "the last characters"),
    Meaning(
        ("length", "char_length", "character_length"), (_TEXT | _BPCHAR,), _function("LENGTH"), "characters"
    ),
    Meaning(("strpos", "position"), (_TEXT, _TEXT), _function("INSTR"), "the place of the first, or 0"),
    Meaning(("starts_with",), (_TEXT, _TEXT), _starts, "the first characters are the text"),
    Meaning(("lower",), (_TEXT,), _function("LOWERCASE"), "own: small letters of all scripts"),
    Meaning(("upper",), (_TEXT,), _function("UPPERCASE"), "own: capitals of all scripts"),
    Meaning(("btrim",), (_TEXT,), _trimmed("TRIM"), "without blanks around"),
    Meaning(("btrim",), (_TEXT, _TEXT), _trimmed("TRIM"), "without such characters around"),
    Meaning(("ltrim",), (_TEXT,), _trimmed("LTRIM"), "without blanks before"),
    Meaning(("ltrim",), (_TEXT, _TEXT), _trimmed("LTRIM"), "without such characters before"),
    Meaning(("rtrim",), (_TEXT,), _trimmed("RTRIM"), "without blanks behind"),
    Meaning(("rtrim",), (_TEXT, _TEXT), _trimmed("RTRIM"), "without such characters behind"),
    Meaning(
        ("replace",), (_TEXT, _TEXT, _TEXT), _replaced, "every occurrence, if there is something to find"
    ),
    Meaning(("split_part",), (_TEXT, _TEXT, _ANY_INT), _function("SPLIT_PART"), "own"),
    Meaning(("text",), (_BPCHAR,), _same, "the text without blanks behind, as it is kept"),
    Meaning(("text",), (_BOOL,), _truth_as_text, "true or false"),
    Meaning(
        ("varchar", "bpchar"), (_TEXT | _BPCHAR, _ANY_INT, _BOOL), _cut, "cut; what is too long else raises"
    ),
    Meaning(("bpchar",), (_TEXT,), lambda given: call("RTRIM", given.value(0)), "without blanks behind"),
    Meaning(
        ("timestamp", "timestamptz"), (_DATE,), lambda given: dates.as_timestamp(given.value(0)), "its begin"
    ),
    Meaning(("timestamp", "timestamptz"), (_STAMP,), _same, "the same under UTC"),
    Meaning(("date",), (_STAMP,), _day, "its day"),
    Meaning(("time",), (_STAMP,), lambda given: part(given.value(0), 12), "the time of its day"),
    Meaning(("+", "-"), (_DATE, _INTERVAL), _plus_interval, "own for months; DATE for days"),
    Meaning(("+",), (_INTERVAL, _DATE), _plus_interval, "as above"),
    Meaning(("+", "-"), (_STAMP, _INTERVAL), _plus_stamp_interval, "own"),
    Meaning(("+", "-"), (_DATE, _ANY_INT), _plus_days, "own"),
    Meaning(("+",), (_ANY_INT, _DATE), _plus_days, "own"),
    Meaning(
        ("-",), (_DATE, _DATE), lambda given: dates.days_between(given.value(0), given.value(1)), "whole days"
    ),
    Meaning(
        ("extract",),
        (_TEXT, _DATE | _STAMP | _INTERVAL | _TIME),
        _extracted,
        "STRFTIME and parts of the text",
    ),
    Meaning(("date_part",), (_TEXT, _DATE | _STAMP | _INTERVAL | _TIME), _extracted, "as above"),
    Meaning(("now", "transaction_timestamp"), (), lambda given: dates.now(), "one unknown instant"),
    Meaning(("age",), (_STAMP,), _age, "own: from the current date"),
    Meaning(("age",), (_STAMP, _STAMP), _age, "own"),
    Meaning(
        ("date_trunc",),
        (_TEXT, _STAMP),
        lambda given: dates.truncated(given.literal(0), given.value(1)),
        "the first part of the text",
    ),
    Meaning(
        ("to_char",),
        (_STAMP, _TEXT),
        lambda given: dates.formatted(
            given.value(0), given.literal(1), day_of(given.call.arguments[0], given.place)
        ),
        "STRFTIME, of plain formats",
    ),
    Meaning(("to_date",), (_TEXT, _TEXT), _to_date, "own"),
)
"""All operators and functions of single values that are known, by name and types of arguments."""

_BY_NAME: dict[str, list[Meaning]] = {}
for _row in TABLE:
    for _name in _row.names:
        _BY_NAME.setdefault(_name, []).append(_row)


def meaning_of(value: Call) -> Meaning | None:
    """The row for a call."""
    routine = value.routine
    if routine.schema != "pg_catalog":
        return None
    declared = routine.arguments
    for row in _BY_NAME.get(routine.name, ()):
        if len(row.arguments) == len(declared) and all(
            name in types for name, types in zip(declared, row.arguments, strict=True)
        ):
            return row
    return None


def called(value: Call, place: Place) -> exp.Expression:
    """A call in the core.

    Raises:
        UnsupportedError: it is not known there.
    """
    own = place.state.routines.get(value.routine.schema)
    if own is not None:
        return own(value, place)
    row = meaning_of(value)
    if row is None:
        raise UnsupportedError("Func" if not value.routine.operator else "Operator", str(value.routine))
    return row.build(Given(value, place))
