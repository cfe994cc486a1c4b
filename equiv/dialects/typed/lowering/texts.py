"""Operators and functions of texts in the core, casts through a text, and patterns as GLOB.

Patterns are LIKE's, and plain regular expressions: texts, any characters and sets of them, side by side. In
PostgreSQL's regular expressions ``.`` matches a newline too, and ``^`` and ``$`` the ends of the text
alone. What repeats other than ``.`` is read where it is the whole (``^[0-9]+$``); classes by name and
escapes of letters depend on the locale, and are refused with the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sqlglot import exp

from equiv.core.functions.own import lowercase
from equiv.core.query import UnsupportedError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering import build as b
from equiv.dialects.typed.lowering.calls import (
    ANY_INT,
    BOOL,
    BPCHAR,
    TEXT,
    Given,
    LoweringPlace,
    Meaning,
    binary,
    constant_of,
    function,
    same,
)

_SPECIAL = {"*": "[*]", "?": "[?]", "[": "[[]"}
_MOST = 24
"""Alternatives, and repetitions of one character."""
_MOST_STARS = 6
_SET = r"\[\^?[A-Za-z0-9 _.,:;/@#%&=!-]+\]"
_WHOLE = re.compile(r"(\^?)\((?:\?:)?(?:\((?:\?:)?([^()]*)\)|([^()]*))\)(\$?)")
_REPEATED = re.compile(rf"\^({_SET})([+*])\$")
_ATOM = re.compile(
    rf"(?P<plain>[^\\\[\](){{}}|*+?.^$]|\\[!-/:-@\[-^`{{-~])|(?P<any>\.)|(?P<set>{_SET})",
    re.DOTALL,
)
_COUNT = re.compile(r"\{([0-9]{1,2})\}")
_RANGE = re.compile(r"([A-Za-z0-9])-([A-Za-z0-9])")


def _as_glob(pattern: str) -> str:
    """The pattern of GLOB that matches what a pattern of LIKE does, a backslash escaping.

    Raises:
        UnsupportedError: PostgreSQL refuses the pattern, or may.
    """
    found, characters = [], iter(pattern)
    for each in characters:
        if each == "\\":
            escaped = next(characters, None)
            if escaped is None:
                raise UnsupportedError("Like", "a pattern that ends with its escape character")
            found.append(_SPECIAL.get(escaped, escaped))
        else:
            found.append({"%": "*", "_": "?"}.get(each) or _SPECIAL.get(each, each))
    return "".join(found)


def glob_literal(text: str) -> str:
    """The pattern of GLOB that matches one text."""
    return "".join(_SPECIAL.get(each, each) for each in text)


def as_text(pattern: str) -> str | None:
    """The one text that a pattern of LIKE matches, or None if it has a wildcard."""
    found, characters = [], iter(pattern)
    for each in characters:
        if each in "%_":
            return None
        found.append(next(characters, "") if each == "\\" else each)
    return "".join(found)


def _sees_padding(pattern: str) -> bool:
    """Whether blanks after a text may count: for ``_``, a blank, and the end of a pattern without %."""
    return not pattern.endswith("%") or pattern.endswith("\\%") or bool(set(pattern) & {"_", " ", "\\"})


def matches(subject: exp.Expression, pattern: str, *, any_character: str = "?") -> exp.Expression:
    """The condition that a text matches a regular expression.

    Args:
        subject: the text.
        pattern: the expression.
        any_character: what of GLOB a ``.`` is; if that is not each character, ``.`` may not repeat.

    Raises:
        UnsupportedError: the expression is not plain.
    """
    parts = [_alternative(subject.copy(), each, any_character) for each in _alternatives(pattern)]
    return b.all_of(parts, exp.Or)


def _alternatives(pattern: str) -> Iterator[str]:
    """The alternatives, those of a group that is the whole with its anchors."""
    whole = _WHOLE.fullmatch(pattern)
    if whole is None:
        parts = pattern.split("|")
    else:
        inner = whole[2] if whole[2] is not None else whole[3]
        parts = [f"{whole[1]}{each}{whole[4]}" for each in inner.split("|")]
    if len(parts) > _MOST:
        raise _refusal(pattern)
    yield from parts


def _alternative(subject: exp.Expression, pattern: str, any_character: str) -> exp.Expression:
    repeated = _REPEATED.fullmatch(pattern)
    if repeated is not None:
        others = exp.Glob(this=subject, expression=b.string(f"*{_opposite(_set(repeated[1], pattern))}*"))
        only: exp.Expression = exp.Not(this=others)
        if repeated[2] == "*":
            return only
        return exp.And(this=exp.NEQ(this=subject.copy(), expression=b.string("")), expression=only)
    start, end = pattern.startswith("^"), pattern.endswith("$") and not pattern.endswith("\\$")
    inner = pattern[start : len(pattern) - end]
    parts = list(_parts(inner, pattern, any_character))
    if start and end and all(plain for plain, _ in parts):
        return exp.EQ(this=subject, expression=b.string("".join(text for _, text in parts)))
    glob = "".join(glob_literal(text) if plain else text for plain, text in parts)
    if glob.count("*") > _MOST_STARS:
        raise _refusal(pattern)
    return exp.Glob(this=subject, expression=b.string("*" * (not start) + glob + "*" * (not end)))


def _parts(inner: str, pattern: str, any_character: str) -> Iterator[tuple[bool, str]]:
    """What stands side by side: a character, or a part of a GLOB pattern."""
    place = 0
    while place < len(inner):
        found = _ATOM.match(inner, place)
        if found is None:
            raise _refusal(pattern)
        place = found.end()
        plain = found["plain"]
        text = plain[-1] if plain else any_character if found["any"] else _set(found["set"], pattern)
        after = inner[place : place + 1]
        counted = _COUNT.match(inner, place)
        if counted is not None and int(counted[1]) <= _MOST:
            yield from [(bool(plain), text)] * int(counted[1])
            place = counted.end()
        elif after and after in "*+?{":
            is_any = text == "?" and not plain
            if not is_any or after not in "*+" or inner[place + 1 : place + 2] in ("*", "+", "?", "{"):
                raise _refusal(pattern)
            yield False, "*" if after == "*" else "?*"
            place += 1
        else:
            yield bool(plain), text


def _set(found: str, pattern: str) -> str:
    """A set of characters as GLOB has it: ranges first, the hyphen last."""
    inner = found[2:-1] if found.startswith("[^") else found[1:-1]
    ranges = [one + "-" + other for one, other in _RANGE.findall(inner) if one <= other]
    rest = _RANGE.sub("", inner)
    hyphens = inner.count("-") - len(ranges)
    if hyphens > 1 or (hyphens and not inner.startswith("-") and not inner.endswith("-")):
        raise _refusal(pattern)
    others = rest.replace("-", "") + "-" * ("-" in rest)
    return ("[^" if found.startswith("[^") else "[") + "".join(ranges) + others + "]"


def _opposite(found: str) -> str:
    return "[" + found[2:] if found.startswith("[^") else "[^" + found[1:]


def _refusal(pattern: str) -> UnsupportedError:
    return UnsupportedError("Regexp", f"the regular expression {pattern[:60]!r}")


MOST_DECIMALS = 15
_PARSED = {
    **dict.fromkeys(b.INTEGERS, "PARSE_INTEGER"),
    **dict.fromkeys(b.FLOATS, "PARSE_NUMBER"),
    "numeric": "PARSE_NUMBER",
    "date": "PARSE_DATE",
    **dict.fromkeys(b.STAMPS, "PARSE_TIMESTAMP"),
}
"""Own functions that read a text; what is none of the type raises an error in PostgreSQL."""


def converted(value: t.Conversion, place: LoweringPlace) -> exp.Expression:
    """A cast in the core.

    Raises:
        UnsupportedError: the core has none that agrees.
    """
    source, target = value.value.type, value.type
    found = place.lowered(value.value)
    if not value.through_text:
        if {source.name, target.name} <= b.TEXTS or source.name == target.name:
            return found
        if source.name in b.TEXTS and target.name == "bpchar":
            return b.call("RTRIM", found)
        raise UnsupportedError("Cast", f"{source.name} as {target.name}")
    if target.name in b.TEXTS and target.length is None:
        if source.name in b.INTEGERS:
            return b.cast(found, "TEXT")
        if (
            source.name == "numeric"
            and 0 <= (source.scale if source.scale is not None else -1) <= MOST_DECIMALS
        ):
            # Values of numeric(p, s) show s decimals; of numeric alone those that they came with.
            return b.call("DECIMAL_TEXT", found, b.number(str(source.scale)))
        if source.name in {"date", "timestamp", "time", "uuid"} or source.sort == "e":
            return found
    if source.name in b.TEXTS and target.sort == "e":
        # What is no label of the type raises an error.
        return found
    if source.name in b.TEXTS and target.name in _PARSED and target.modifier == -1:
        return b.call(_PARSED[target.name], found)
    raise UnsupportedError("Cast", f"{source.name} as {target.name}")


def _like(given: Given) -> exp.Expression:
    subject, pattern = given.call.arguments
    found, negated = given.value(0), given.call.routine.name.startswith("!")
    folds = given.call.routine.name.endswith("*")
    if isinstance(pattern, t.TypedConstant) and pattern.text is not None:
        if subject.type.name == "bpchar" and _sees_padding(pattern.text):
            if subject.type.length is None:
                raise UnsupportedError("Like", "a pattern that matches the trailing blanks of a char(n)")
            found = b.call("PADDED", found, b.number(str(subject.type.length)))
        text = _as_glob(pattern.text)
        if folds:
            found, text = b.call("LOWERCASE", found), lowercase(text)
        like: exp.Expression = exp.Glob(this=found, expression=b.string(text))
        plain = as_text(pattern.text)
        if plain is not None:
            like = exp.EQ(this=found, expression=b.string(lowercase(plain) if folds else plain))
    else:
        if subject.type.name == "bpchar":
            raise UnsupportedError("Like", "a pattern that may match the trailing blanks of a char(n)")
        return like_computed(given.call.routine.name, found, given.value(1))
    return exp.Not(this=like) if negated else like


def like_computed(name: str, found: exp.Expression, pattern: exp.Expression) -> exp.Expression:
    """A LIKE whose pattern is not a constant; its operator is given by PostgreSQL's name."""
    if name.endswith("*"):
        found, pattern = b.call("LOWERCASE", found), b.call("LOWERCASE", pattern)
    like = b.call("LIKE_CASED", found, pattern)
    return exp.Not(this=like) if name.startswith("!") else like


def _regular(given: Given) -> exp.Expression:
    found = matches(given.value(0), given.literal(1))
    return exp.Not(this=found) if given.call.routine.name.startswith("!") else found


def _cut(given: Given) -> exp.Expression:
    length = given.call.type.length
    if length is None:
        raise UnsupportedError("Cast", "a length that is not a constant")
    source = given.call.arguments[0]
    if (
        source.type.name == given.call.type.name
        and source.type.length is not None
        and source.type.length <= length
    ):
        return given.value(0)
    found = b.part(given.value(0), 1, length)
    return b.call("RTRIM", found) if given.call.type.name == "bpchar" else found


def _substring(given: Given) -> exp.Expression:
    """By literal bounds SUBSTR: places before the first character count, and hold nothing."""
    bounds = [constant_of(each) for each in given.call.arguments[1:]]
    whole = [int(each.text) for each in bounds if each is not None and each.text is not None]
    if len(whole) < len(bounds) or (len(whole) == 2 and whole[1] < 0):
        return b.call("SUBSTRING_OF", *given.values())
    start, before = max(whole[0], 1), min(whole[0], 1) - 1
    lengths = [max(length + before, 0) for length in whole[1:]]
    if start == 1 and _fits(given.call.arguments[0], lengths):
        return given.value(0)
    return b.part(given.value(0), start, *lengths)


def _fits(value: t.Expr, lengths: Sequence[int]) -> bool:
    """Whether a text is by its type no longer than the first of some lengths."""
    while True:
        match value:
            case t.Conversion(value=inner, through_text=False):
                value = inner
            case t.RoutineCall(cast=True, routine=t.Routine(name="text"), arguments=(inner,)):
                value = inner
            case _:
                break
    longest = value.type.length if value.type.name in ("varchar", "bpchar") else None
    return longest is not None and any(longest <= length for length in lengths[:1])


def _left(given: Given) -> exp.Expression:
    """The first characters; by a negative number all but so many of the last."""
    count = int(given.literal(1))
    if count < 0:
        kept = exp.Sub(this=b.call("LENGTH", given.value(0)), expression=b.number(str(-count)))
        return b.call("SUBSTR", given.value(0), b.number("1"), b.call("MAX", kept, b.number("0")))
    if _fits(given.call.arguments[0], [count]):
        return given.value(0)
    return b.part(given.value(0), 1, count)


def _right(given: Given) -> exp.Expression:
    """The last characters; by a negative number all but so many of the first."""
    count = int(given.literal(1))
    if count < 0:
        return b.part(given.value(0), 1 - count)
    return b.part(given.value(0), -count) if count else b.part(given.value(0), 1, 0)


def _starts(given: Given) -> exp.Expression:
    length = b.call("LENGTH", given.value(1))
    return exp.EQ(this=b.call("SUBSTR", given.value(0), b.number("1"), length), expression=given.value(1))


def _replaced(given: Given) -> exp.Expression:
    if not given.literal(1):
        raise UnsupportedError("Func", "REPLACE of an empty text")
    return b.call("REPLACE", *given.values())


def concatenated(given: Given) -> exp.Expression:
    """CONCAT takes NULL for nothing; of other types than texts and integers it writes the text of a value."""
    parts = []
    for index, each in enumerate(given.call.arguments):
        if each.type.name not in b.TEXTS | b.INTEGERS | {"bpchar", "date", "unknown"}:
            raise UnsupportedError("Func", f"CONCAT of {each.type.name}")
        if each.type.name == "bpchar":
            raise UnsupportedError("Func", "CONCAT of the trailing blanks of a char(n)")
        value = given.value(index)
        value = b.cast(value, "TEXT") if each.type.name in b.INTEGERS else value
        parts.append(exp.Coalesce(this=value, expressions=[b.string("")]))
    return b.joined(b.string(""), *parts)


def _joined(given: Given) -> exp.Expression:
    """A text and the text of another value."""
    sides = []
    for at, each in enumerate(given.call.arguments):
        is_text = each.type.name in b.TEXTS
        text = t.Conversion(t.Type("text"), each, through_text=True)
        sides.append(given.value(at) if is_text else converted(text, given.place))
    return exp.DPipe(this=sides[0], expression=sides[1])


def _truth_as_text(given: Given) -> exp.Expression:
    """``true`` or ``false``."""
    value = given.value(0)
    return b.case([(value, b.string("true")), (exp.Not(this=value.copy()), b.string("false"))], exp.Null())


_ANY = frozenset(("anynonarray",))
_TRIMS = (("btrim", "TRIM", "around"), ("ltrim", "LTRIM", "before"), ("rtrim", "RTRIM", "behind"))
OF_TEXTS: tuple[Meaning, ...] = (
    Meaning(
        ("~~", "!~~"), (TEXT | BPCHAR, TEXT), _like, "GLOB, which minds case too; own for other patterns"
    ),
    Meaning(("~", "!~"), (TEXT, TEXT), _regular, "GLOB, of plain regular expressions"),
    Meaning(("~~*", "!~~*"), (TEXT, TEXT), _like, "GLOB over small letters, by an own function"),
    Meaning(("||",), (TEXT, TEXT), binary(exp.DPipe), "one after the other; NULL if one is"),
    Meaning(("||",), (TEXT, _ANY), _joined, "one after the other, as a cast writes the second"),
    Meaning(("||",), (_ANY, TEXT), _joined, "as above"),
    Meaning(("concat",), (frozenset(("any",)),), concatenated, "without NULLs"),
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
    *(
        Meaning((name,), arguments, function(own), f"without blanks or such characters {where}")
        for name, own, where in _TRIMS
        for arguments in ((TEXT,), (TEXT, TEXT))
    ),
    Meaning(("replace",), (TEXT, TEXT, TEXT), _replaced, "every occurrence, if there is something to find"),
    Meaning(("split_part",), (TEXT, TEXT, ANY_INT), function("SPLIT_PART"), "own"),
    Meaning(("text",), (BPCHAR,), same, "the text without blanks behind, as it is kept"),
    Meaning(("text",), (BOOL,), _truth_as_text, "true or false"),
    Meaning(("varchar", "bpchar"), (TEXT | BPCHAR, ANY_INT, BOOL), _cut, "cut; what is too long else raises"),
    Meaning(("bpchar",), (TEXT,), lambda given: b.call("RTRIM", given.value(0)), "without blanks behind"),
)
"""Their rows, by name and types of arguments."""
