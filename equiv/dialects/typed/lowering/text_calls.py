"""Operators and functions of texts in the core."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from equiv.core.functions.own import lowercase
from equiv.core.query import UnsupportedError
from equiv.dialects.typed.lowering.build import call, case, cast, joined, number, part, string
from equiv.dialects.typed.lowering.calls import (
    ANY_INT,
    BOOL,
    BPCHAR,
    TEXT,
    Given,
    Meaning,
    binary,
    constant_of,
    function,
    same,
)
from equiv.dialects.typed.lowering.conversions import converted
from equiv.dialects.typed.lowering.patterns import as_glob, as_text, matches, sees_padding
from equiv.dialects.typed.lowering.types import INTEGERS, TEXTS
from equiv.dialects.typed.tree import Call, Constant, Convert, Expr, Routine, Type


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


def _regular(given: Given) -> exp.Expression:
    found = matches(given.value(0), given.literal(1))
    return exp.Not(this=found) if given.call.routine.name.startswith("!") else found


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


def _joined(given: Given) -> exp.Expression:
    """A text and the text of another value."""
    sides = []
    for at, each in enumerate(given.call.arguments):
        is_text = each.type.name in TEXTS
        text = Convert(Type("text"), each, through_text=True)
        sides.append(given.value(at) if is_text else converted(text, given.place))
    return exp.DPipe(this=sides[0], expression=sides[1])


def _trimmed(name: str) -> Callable[[Given], exp.Expression]:
    return lambda given: call(name, *given.values())


def _truth_as_text(given: Given) -> exp.Expression:
    value = given.value(0)
    return case([(value, string("true")), (exp.Not(this=value.copy()), string("false"))], exp.Null())


_ANY = frozenset(("anynonarray",))
OF_TEXTS: tuple[Meaning, ...] = (
    Meaning(
        ("~~", "!~~"), (TEXT | BPCHAR, TEXT), _like, "GLOB, which minds case too; own for other patterns"
    ),
    Meaning(("~", "!~"), (TEXT, TEXT), _regular, "GLOB, of plain regular expressions"),
    Meaning(("~~*", "!~~*"), (TEXT, TEXT), _like, "GLOB over small letters, by an own function"),
    Meaning(("||",), (TEXT, TEXT), binary(exp.DPipe), "one after the other; NULL if one is"),
    Meaning(("||",), (TEXT, _ANY), _joined, "one after the other, as a cast writes the second"),
    Meaning(("||",), (_ANY, TEXT), _joined, "as above"),
    Meaning(("concat",), (frozenset(("any",)),), _concatenated, "without NULLs"),
    Meaning(("substring", "substr"), (TEXT, ANY_INT), _substring, "SUBSTR from 1 on; else own"),
    Meaning(("substring", "substr"), (TEXT, ANY_INT, ANY_INT), _substring, "SUBSTR from 1 on; else own"),
    Meaning(("left",), (TEXT, ANY_INT), _left, "the first characters"),
    Meaning(("right",), (TEXT, ANY_INT), _right, "the last characters"),
    Meaning(
        ("length", "char_length", "character_length"), (TEXT | BPCHAR,), function("LENGTH"), "characters"
    ),
    Meaning(("strpos", "position"), (TEXT, TEXT), function("INSTR"), "the place of the first, or 0"),
    Meaning(("starts_with",), (TEXT, TEXT), _starts, "the first characters are the text"),
    Meaning(("lower",), (TEXT,), function("LOWERCASE"), "own: small letters of all scripts"),
    Meaning(("upper",), (TEXT,), function("UPPERCASE"), "own: capitals of all scripts"),
    Meaning(("btrim",), (TEXT,), _trimmed("TRIM"), "without blanks around"),
    Meaning(("btrim",), (TEXT, TEXT), _trimmed("TRIM"), "without such characters around"),
    Meaning(("ltrim",), (TEXT,), _trimmed("LTRIM"), "without blanks before"),
    Meaning(("ltrim",), (TEXT, TEXT), _trimmed("LTRIM"), "without such characters before"),
    Meaning(("rtrim",), (TEXT,), _trimmed("RTRIM"), "without blanks behind"),
    Meaning(("rtrim",), (TEXT, TEXT), _trimmed("RTRIM"), "without such characters behind"),
    Meaning(("replace",), (TEXT, TEXT, TEXT), _replaced, "every occurrence, if there is something to find"),
    Meaning(("split_part",), (TEXT, TEXT, ANY_INT), function("SPLIT_PART"), "own"),
    Meaning(("text",), (BPCHAR,), same, "the text without blanks behind, as it is kept"),
    Meaning(("text",), (BOOL,), _truth_as_text, "true or false"),
    Meaning(("varchar", "bpchar"), (TEXT | BPCHAR, ANY_INT, BOOL), _cut, "cut; what is too long else raises"),
    Meaning(("bpchar",), (TEXT,), lambda given: call("RTRIM", given.value(0)), "without blanks behind"),
)
"""Their rows, by name and types of arguments."""
