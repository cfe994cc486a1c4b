"""What DuckDB's operators and functions of single values are in the core.

A row holds for the argument types that it names.  Where PostgreSQL's function means the same for these types
its lowering is taken; where DuckDB raises an error the core may give any value (see ``docs/duckdb.md``).
What no row names is refused.  Regular expressions are RE2's: a ``.`` matches no newline unless the option
``s`` says so; ``^`` and ``$`` are the ends of the text alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.lowering import casts, dates
from equiv.dialects.duckdb.resolving.tree import VARCHAR, DuckType
from equiv.dialects.typed.lowering import build as b
from equiv.dialects.typed.lowering.calls import (
    DATE,
    INTERVAL,
    NUMERIC,
    STAMP,
    Given,
    LoweringPlace,
    Meaning,
    MeaningTable,
    function,
    same,
)
from equiv.dialects.typed.lowering.operators import called as as_in_postgres
from equiv.dialects.typed.lowering.operators import rounded
from equiv.dialects.typed.lowering.texts import (
    MOST_DECIMALS,
    concatenated,
    glob_literal,
    like_computed,
    matches,
)
from equiv.dialects.typed.tree import Expr, RoutineCall, Type, TypedConstant

_PLACES = frozenset(("length", "len", "char_length", "character_length", "strpos", "instr", "position"))
LONGEST = 10_000_000
"""No text of the core's runner has more characters."""


def within(name: str) -> Callable[[Given], exp.Expression]:
    """A function of a text and places, which the core reads with 32 bits, within those of any text."""

    def build(given: Given) -> exp.Expression:
        text, *places = given.values()
        bound = [
            place if _lies_within(value) else _held(place)
            for place, value in zip(places, given.call.arguments[1:], strict=True)
        ]
        return b.call(name, text, *bound)

    return build


def _held(place: exp.Expression) -> exp.Expression:
    return b.call("MIN", b.call("MAX", place, b.number(str(-LONGEST))), b.number(str(LONGEST)))


def _lies_within(value: Expr) -> bool:
    """Whether a number is of 16 bits, a small constant, a place in a text, or a sum of such."""
    if value.type.name == "int2":
        return True
    match value:
        case TypedConstant(text=text):
            return text is None or abs(int(text)) <= LONGEST
        case RoutineCall(cast=True, arguments=(inner,)) if inner.type.name in b.INTEGERS:
            return _lies_within(inner)
        case RoutineCall(routine=routine, arguments=arguments) if routine.name in ("+", "-"):
            return all(map(_lies_within, arguments))
        case RoutineCall(routine=routine):
            return routine.name in _PLACES
    return False


_NO_NEWLINE = "[^\n]"


def found(given: Given) -> exp.Expression:
    """REGEXP_MATCHES: a part of the text matches.

    Raises:
        UnsupportedError: the expression is not plain, or of other options.
    """
    options = given.literal(2) if len(given.call.arguments) > 2 else ""
    if not set(options) <= {"s", "c"}:
        raise UnsupportedError("Regexp", f"with the options {options[:20]!r}")
    return _matched(given, given.literal(1), "s" in options)


def whole(given: Given) -> exp.Expression:
    """REGEXP_FULL_MATCH and SIMILAR TO: all of the text matches.

    Raises:
        UnsupportedError: the expression is not plain.
    """
    pattern = given.literal(1)
    if "^" in pattern.replace("[^", "") or "$" in pattern:
        raise UnsupportedError("Regexp", f"the anchored regular expression {pattern[:60]!r}")
    return _matched(given, f"^({pattern})$" if "|" in pattern else f"^{pattern}$", False)


def _matched(given: Given, pattern: str, sees_newlines: bool) -> exp.Expression:
    if sees_newlines:
        return matches(given.value(0), pattern)
    if "|" not in pattern:
        # What is found without them is found with them.
        while pattern.startswith(".*"):
            pattern = pattern[2:]
        while pattern.endswith(".*") and not pattern.endswith("\\.*"):
            pattern = pattern[:-2]
    return matches(given.value(0), pattern, any_character=_NO_NEWLINE)


_INT, _FLOAT, _SINGLE = b.INTEGERS, frozenset(("float8",)), frozenset(("float4",))
_NUMBER, _TEXT = _INT | NUMERIC | _FLOAT, frozenset(("text",))
_STAMP = frozenset(("timestamp",))
_TIMES = DATE | STAMP
"""With instants, which are the timestamps that they are in UTC: of another zone they are symbols before."""
_BLANKS = " \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
"""The characters that TRIM takes away by itself: Unicode's space separators."""


def _postgres(name: str = "") -> Callable[[Given], exp.Expression]:
    """What PostgreSQL's function of a name is in the core; by default of the same name."""
    return lambda given: casts.in_postgres(given, name)


def _rounded(given: Given) -> exp.Expression:
    """To so many decimals, half away from zero."""
    digits, found = int(given.literal(1)), given.call.arguments[0].type
    if digits < 0 and _has_fewer_digits(found, -digits):
        raise UnsupportedError("Func", "ROUND to more tens than a DECIMAL has (0 even for NULL)")
    is_kept = found.name in _INT and 0 <= digits <= MOST_DECIMALS
    return given.value(0) if is_kept else rounded(given)


def _has_fewer_digits(found: Type, count: int) -> bool:
    """Whether a decimal has fewer digits before the point."""
    return found.name == "numeric" and ((found.modifier - 4) >> 16) - (found.scale or 0) < count


def _end(given: Given) -> exp.Expression:
    """LEFT or RIGHT, which mean the same in PostgreSQL."""
    text, count = given.call.arguments
    if abs(int(given.literal(1))) > LONGEST:
        held = TypedConstant(count.type, str(LONGEST if int(given.literal(1)) > 0 else -LONGEST))
        return _postgres()(replace(given, call=replace(given.call, arguments=(text, held))))
    return _postgres()(given)


def _like(given: Given) -> exp.Expression:
    """LIKE without an escape character: PostgreSQL's, a backslash for each backslash."""
    _, pattern = given.call.arguments
    if not isinstance(pattern, TypedConstant) or pattern.text is None:
        return _like_computed(given)
    escaped = TypedConstant(VARCHAR, pattern.text.replace("\\", "\\\\"))
    return _liked(given, escaped, given.call.routine.name)


def _like_computed(given: Given) -> exp.Expression:
    found, pattern = given.values()
    pattern = b.call("REPLACE", pattern, b.string("\\"), b.string("\\\\"))
    return like_computed(given.call.routine.name, found, pattern)


def _like_escape(given: Given) -> exp.Expression:
    """LIKE with an escape character, as PostgreSQL's with a backslash."""
    _, pattern, _ = given.call.arguments
    sign = given.literal(2)
    if not isinstance(pattern, TypedConstant) or pattern.text is None or len(sign) != 1:
        raise UnsupportedError("Like", "a pattern or escape character that is not a constant")
    found, characters = [], iter(pattern.text)
    for each in characters:
        if each == sign:
            escaped = next(characters, "")
            if escaped not in ("%", "_", sign):
                raise UnsupportedError("Like", "an escape character before a character that needs no escape")
            found.append("\\" + escaped)
        else:
            found.append("\\\\" if each == "\\" else each)
    negated = "!" if given.call.routine.name.startswith("not_") else ""
    return _liked(given, TypedConstant(VARCHAR, "".join(found)), f"{negated}~~")


def _liked(given: Given, pattern: TypedConstant, name: str) -> exp.Expression:
    subject = given.call.arguments[0]
    routine = replace(given.call.routine, name=name, schema="pg_catalog", arguments=("text", "text"))
    known = RoutineCall(given.call.type, routine, (subject, pattern))
    return as_in_postgres(known, given.place)


def _glob(given: Given) -> exp.Expression:
    """GLOB of ``*`` alone: sets and escapes are others than the core's, and ``?`` is a byte."""
    pattern = given.literal(1)
    if set(pattern) & set("?[]\\"):
        raise UnsupportedError("Glob", f"the pattern {pattern[:40]!r}")
    return exp.Glob(this=given.value(0), expression=b.string(pattern))


def _concatenated(given: Given) -> exp.Expression:
    """CONCAT takes NULL for nothing."""
    if any(each.type.name != "text" for each in given.call.arguments):
        raise UnsupportedError("Func", "CONCAT of a value that is not text")
    return concatenated(given)


def _contains(given: Given) -> exp.Expression:
    found = _pattern(given)
    if found is not None:
        return exp.Glob(this=given.value(0), expression=b.string(f"*{found}*"))
    return exp.GT(this=b.call("INSTR", *given.values()), expression=b.number("0"))


def _pattern(given: Given) -> str | None:
    """What of GLOB matches the text that a function looks for, as LIKE does; None if it is not known."""
    sought = given.call.arguments[1]
    return glob_literal(sought.text) if isinstance(sought, TypedConstant) and sought.text else None


def _ends(given: Given) -> exp.Expression:
    pattern = _pattern(given)
    if pattern is not None:
        return exp.Glob(this=given.value(0), expression=b.string(f"*{pattern}"))
    length = b.call("LENGTH", given.value(1))
    whole = b.call("LENGTH", given.value(0))
    start = exp.Add(this=exp.Sub(this=whole, expression=length), expression=b.number("1"))
    found = b.call("SUBSTR", given.value(0), start, b.call("LENGTH", given.value(1)))
    fits = exp.GTE(this=b.call("LENGTH", given.value(0)), expression=b.call("LENGTH", given.value(1)))
    return exp.And(this=fits, expression=exp.EQ(this=found, expression=given.value(1)))


def _upper(given: Given) -> exp.Expression:
    """Of ß too there is a capital letter."""
    return b.call("UPPERCASE", b.call("REPLACE", given.value(0), b.string("ß"), b.string("\u1e9e")))


def _trimmed(name: str) -> Callable[[Given], exp.Expression]:
    return lambda given: b.call(name, given.value(0), b.string(_BLANKS))


def _turned(given: Given) -> exp.Expression:
    _width(given)
    return _postgres()(given)


def _shifted(given: Given) -> exp.Expression:
    """Bits moved by a constant; to the left it raises where one is lost or the number is negative."""
    width, count = _width(given), int(given.literal(1))
    if not 0 <= count < width:
        raise UnsupportedError("Operator", f"{given.call.routine.name} by bits outside 0 to {width - 1}")
    node = exp.BitwiseLeftShift if given.call.routine.name == "<<" else exp.BitwiseRightShift
    return node(this=given.value(0), expression=b.number(str(count)))


def _width(given: Given) -> int:
    """The bits of the number whose bits are moved or turned."""
    found = given.call.type
    width = casts.BITS.get(found.spelt) if isinstance(found, DuckType) else None
    if width is None:
        raise UnsupportedError("Operator", f"{given.call.routine.name} of {found}")
    return width


def _divided(given: Given) -> exp.Expression:
    return exp.Div(this=given.value(0), expression=given.value(1))


TABLE: tuple[Meaning, ...] = (
    Meaning(("+", "-", "*"), (_NUMBER, _NUMBER), _postgres()),
    Meaning(("add",), (_NUMBER, _NUMBER), _postgres("+")),
    Meaning(("subtract",), (_NUMBER, _NUMBER), _postgres("-")),
    Meaning(("multiply",), (_NUMBER, _NUMBER), _postgres("*")),
    Meaning(("/",), (_FLOAT, _FLOAT), _postgres()),
    Meaning(("+", "-", "*", "/"), (_SINGLE, _SINGLE), _postgres()),
    Meaning(("-", "+", "abs", "floor", "ceil", "ceiling", "trunc"), (_SINGLE,), _postgres()),
    Meaning(("//", "divide"), (_INT, _INT), _divided),
    Meaning(("%", "mod"), (_INT, _INT), _postgres("%")),
    Meaning(("%",), (_INT | NUMERIC, _INT | NUMERIC), function("REMAINDER")),
    Meaning(("-", "+"), (_NUMBER,), _postgres()),
    Meaning(("&", "|"), (_INT, _INT), _postgres()),
    Meaning(("xor",), (_INT, _INT), _postgres("#")),
    Meaning(("~",), (_INT,), _turned),
    Meaning(("<<", ">>"), (_INT, _INT), _shifted),
    Meaning(("abs",), (_NUMBER,), _postgres()),
    Meaning(("round",), (NUMERIC | _FLOAT,), function("ROUND")),
    Meaning(("round",), (_NUMBER, _INT), _rounded),
    Meaning(("floor", "ceil", "ceiling", "trunc"), (NUMERIC | _FLOAT,), _postgres()),
    Meaning(("round", "floor", "ceil", "ceiling", "trunc"), (_INT,), same),
    Meaning(("sign",), (_NUMBER,), function("SIGN")),
    Meaning(("sqrt",), (_FLOAT,), _postgres()),
    Meaning(("pow", "power", "**", "^"), (_FLOAT, _FLOAT), function("POW")),
    Meaning(("~~", "!~~", "~~*", "!~~*"), (_TEXT, _TEXT), _like),
    Meaning(("~~~",), (_TEXT, _TEXT), _glob),
    Meaning(("regexp_matches",), (_TEXT, _TEXT), found),
    Meaning(("regexp_matches",), (_TEXT, _TEXT, _TEXT), found),
    Meaning(("regexp_full_match",), (_TEXT, _TEXT), whole),
    Meaning(("like_escape", "not_like_escape"), (_TEXT, _TEXT, _TEXT), _like_escape),
    Meaning(("||",), (_TEXT, _TEXT), _postgres()),
    Meaning(("substring", "substr"), (_TEXT, _INT), within("SUBSTR")),
    Meaning(("substring", "substr"), (_TEXT, _INT, _INT), within("SUBSTR")),
    Meaning(("left", "right"), (_TEXT, _INT), _end),
    Meaning(("length", "len", "char_length", "character_length"), (_TEXT,), _postgres("length")),
    Meaning(("strpos", "instr", "position"), (_TEXT, _TEXT), _postgres("strpos")),
    Meaning(("starts_with", "prefix", "^@"), (_TEXT, _TEXT), _postgres("starts_with")),
    Meaning(("ends_with", "suffix"), (_TEXT, _TEXT), _ends),
    Meaning(("contains",), (_TEXT, _TEXT), _contains),
    Meaning(("lower", "lcase"), (_TEXT,), _postgres("lower")),
    Meaning(("upper", "ucase"), (_TEXT,), _upper),
    *(Meaning((name,), (_TEXT,), _trimmed(name.upper())) for name in ("trim", "ltrim", "rtrim")),
    *(Meaning((name,), (_TEXT, _TEXT), function(name.upper())) for name in ("trim", "ltrim", "rtrim")),
    Meaning(("replace",), (_TEXT, _TEXT, _TEXT), function("REPLACE")),
    Meaning(("date_add",), (DATE | _STAMP, INTERVAL), _postgres("+")),
    *(Meaning(names, (_TIMES,), dates.part_named(field)) for field, names in dates.PARTS.items()),
    Meaning(("monthname",), (_TIMES,), dates.month_name),
    Meaning(("dayname",), (_TIMES,), dates.day_name),
    Meaning(("date_part", "datepart"), (_TEXT, _TIMES), dates.part),
    Meaning(("date_trunc", "datetrunc"), (_TEXT, _TIMES), dates.truncated),
    Meaning(("date_diff", "datediff"), (_TEXT, DATE, DATE), dates.between),
    Meaning(("date_diff", "datediff"), (_TEXT, _STAMP, _STAMP), dates.between),
    Meaning(("strftime",), (_TIMES, _TEXT), dates.formatted),
    Meaning(("strftime",), (_TEXT, _TIMES), dates.formatted),
)
"""All operators and functions of single values that are known, by name and types of arguments."""

_MEANINGS = MeaningTable(TABLE)
FUNCTIONS = _MEANINGS.names | {"concat", "greatest", "least", "nullif", "ifnull", "nvl"}
"""The names of all that is known."""


def called(value: RoutineCall, place: LoweringPlace) -> exp.Expression:
    """A call of DuckDB's in the core.

    Raises:
        UnsupportedError: it is not known there.
    """
    given = Given(value, place)
    if value.cast:
        return casts.cast_of(given)
    if value.routine.name == "try_cast":
        return casts.tried(given)
    if value.routine.name == "concat":
        return _concatenated(given)
    return _MEANINGS.meaning_of(value.routine).build(given)
