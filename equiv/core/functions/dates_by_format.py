"""TO_DATE of PostgreSQL: the date in a text, by a format of years, months and days, read as loosely.

After ``DCH_from_char`` and ``from_char_parse_int_len`` of its formatting.c: blanks around fields count for
nothing, a separator of the format stands for one of the text or none, and the rest is passed over.
"""

from __future__ import annotations

import re
from datetime import date

_LENGTHS = {"YYYY": 4, "MM": 2, "DD": 2}
_FORMAT = re.compile(r"YYYY|MM|DD|[-/. ]")
_BLANKS = " \t\n\v\f\r"
_WHOLE = re.compile(r"[ \t\n\v\f\r]*([+-]?[0-9]+)", re.ASCII)
_LONGEST = 200
_MOST = 2**31


def is_known(form: str) -> bool:
    """Whether a format is one of years, months and days, each once at most, and plain separators."""
    fields = _FORMAT.findall(form)
    return "".join(fields) == form and all(fields.count(name) <= 1 for name in _LENGTHS) and "YYYY" in fields


def to_date(text: str, form: str) -> str | None:
    """The date that a text has by a format; None where PostgreSQL raises, or has a year before the first."""
    if len(text) > _LONGEST or "\0" in text or not is_known(form):
        return None
    found = _fields(text, _FORMAT.findall(form))
    if found is None:
        return None
    try:
        # A field that is 0 counts as missing.
        return date(found.get("YYYY", 0), found.get("MM") or 1, found.get("DD") or 1).isoformat()
    except ValueError:
        return None


def _fields(text: str, form: list[str]) -> dict[str, int] | None:
    """The numbers of the fields; None if one is none."""
    found: dict[str, int] = {}
    place = 0
    for at, name in enumerate(form):
        if place == len(text):
            break
        if name in _LENGTHS or not at:
            place = _after_blanks(text, place)
            if place == len(text):
                break
        if name not in _LENGTHS:
            place += _is_separator(text[place])
            continue
        is_open = at + 1 == len(form) or form[at + 1] not in _LENGTHS
        read = _number(text, place, 0 if is_open else _LENGTHS[name])
        if read is None:
            return None
        found[name], place = read
        place = _after_blanks(text, place)
    return found


def _number(text: str, place: int, length: int) -> tuple[int, int] | None:
    """A number at a place, of a length unless that is 0, and where it ends."""
    part = text[place : place + length] if length else text[place:]
    found = _WHOLE.match(part)
    if found is None or len(part) < length or (length and found.end() < length):
        return None
    value = int(found[1])
    return (value, place + found.end()) if -_MOST <= value < _MOST else None


def _after_blanks(text: str, place: int) -> int:
    while place < len(text) and text[place] in _BLANKS:
        place += 1
    return place


def _is_separator(character: str) -> bool:
    """A blank, or a sign of ASCII that is neither a letter nor a digit."""
    return character in _BLANKS or (" " < character < "\x7f" and not character.isalnum())
