"""Patterns of PostgreSQL's as GLOB, which minds the case of letters too.

These are LIKE's, and plain regular expressions: texts, any characters and sets of them, side by side. In
PostgreSQL's regular expressions ``.`` matches a newline too, and ``^`` and ``$`` the ends of the text
alone. What repeats other than ``.`` is read where it is the whole (``^[0-9]+$``); classes by name and
escapes of letters hang on the locale, and are refused with the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from equiv.core.query import UnsupportedError
from equiv.dialects.typed.lowering.build import all_of, string

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


def as_glob(pattern: str) -> str:
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


def sees_padding(pattern: str) -> bool:
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
    return all_of(parts, exp.Or)


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
        others = exp.Glob(this=subject, expression=string(f"*{_opposite(_set(repeated[1], pattern))}*"))
        only: exp.Expression = exp.Not(this=others)
        if repeated[2] == "*":
            return only
        return exp.And(this=exp.NEQ(this=subject.copy(), expression=string("")), expression=only)
    start, end = pattern.startswith("^"), pattern.endswith("$") and not pattern.endswith("\\$")
    inner = pattern[start : len(pattern) - end]
    parts = list(_parts(inner, pattern, any_character))
    if start and end and all(plain for plain, _ in parts):
        return exp.EQ(this=subject, expression=string("".join(text for _, text in parts)))
    glob = "".join(glob_literal(text) if plain else text for plain, text in parts)
    if glob.count("*") > _MOST_STARS:
        raise _refusal(pattern)
    return exp.Glob(this=subject, expression=string("*" * (not start) + glob + "*" * (not end)))


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
