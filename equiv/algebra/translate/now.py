"""The current time: one frozen instant, known by three texts and by itself.

A date function of 'now' is the same function of the text NOW_TIMESTAMP, which lacks only the part of a
second, if what it shows and what its modifiers do leave that part out of account.  NOW_INSTANT stands for the
exact instant elsewhere.
"""

from __future__ import annotations

import re

from equiv.algebra.terms import Apply, Constant, Expression
from equiv.core.claims.choices import moment_of
from equiv.core.functions.table import names

_TIME_FUNCTIONS = names(lambda function: function.reads_time)
_INSTANT = Apply("NOW_INSTANT")
_TIMESTAMP = Apply("NOW_TIMESTAMP")
_DATE = Apply("NOW_DATE")
_TIME = Apply("NOW_TIME")
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


def time_call(name: str, arguments: tuple[Expression, ...]) -> Expression | None:
    """A date function with the current time written out; None for any other call."""
    if name not in _TIME_FUNCTIONS:
        return None
    first = moment_of(name)
    if len(arguments) == first:
        arguments = (*arguments, Constant("text", "now"))
    if len(arguments) < first:
        return None
    if _is_now(arguments[first]):
        moment = _TIMESTAMP if _matches(name, arguments, _WHOLE_FORMAT, _WHOLE_MODIFIER) else _INSTANT
        arguments = (*arguments[:first], moment, *arguments[first + 1 :])
    if arguments[first] == _TIMESTAMP and _shows_a_day(name, arguments):
        arguments = (*arguments[:first], _DATE, *arguments[first + 1 :])
    if len(arguments) == 1 and isinstance(arguments[0], Apply):
        time_format = _SHOWN.get((name, arguments[0]))
        if time_format is not None:
            return time_format
    return Apply(name, arguments)


def _is_now(value: Expression) -> bool:
    return isinstance(value, Constant) and value.kind == "text" and value.text.lower() == "now"


def _shows_a_day(name: str, arguments: tuple[Expression, ...]) -> bool:
    """Whether the time of the day makes no difference: every step adds whole days, and it is cut off."""
    return name in ("DATE", "STRFTIME") and _matches(name, arguments, _DAY_FORMAT, _DAY_MODIFIER)


def _matches(
    name: str, arguments: tuple[Expression, ...], shown: re.Pattern[str], modifier: re.Pattern[str]
) -> bool:
    """Whether the format, if there is one, and all modifiers are texts of some form.

    With whole seconds in all of these the part of a second makes no difference, but to JULIANDAY.
    """
    if name == "JULIANDAY":
        return False
    modifiers = arguments[2:] if name == "STRFTIME" else arguments[1:]
    texts = [each.text for each in modifiers if isinstance(each, Constant) and each.kind == "text"]
    if len(texts) < len(modifiers) or not all(modifier.fullmatch(text) for text in texts):
        return False
    if name != "STRFTIME":
        return True
    form = arguments[0]
    return isinstance(form, Constant) and form.kind == "text" and shown.fullmatch(form.text) is not None
