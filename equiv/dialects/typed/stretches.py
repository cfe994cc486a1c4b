"""Where the strings, quoted names and comments of a text stand, as PostgreSQL and DuckDB read them alike."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TAG = re.compile(r"\$(?:[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*)?\$")
STOP = re.compile(r"""['"$;\\]|--|/\*""")
_NAME_CHARACTER = re.compile(r"[\w$]")


def code(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of a text that stand outside of strings, quoted names and comments."""
    position = start = 0
    while (found := STOP.search(text, position)) is not None:
        position = after_stop(text, found)
        if found[0] not in (";", "\\", "$") or position > found.end():
            yield start, found.start()
            start = position
    yield start, len(text)


def code_start(text: str, position: int = 0) -> int:
    """Where, from a place on, the first character is that is not a white space and in no comment."""
    while position < len(text):
        if text[position].isspace():
            position += 1
        elif text.startswith("--", position):
            position = after_line(text, position)
        elif text.startswith("/*", position):
            position = _after_comment(text, position)
        else:
            break
    return position


def after_stop(text: str, found: re.Match[str]) -> int:
    """The end of the string, name, comment or sign that begins at a place."""
    place = found.start()
    match found[0]:
        case "'":
            escapes = place > 0 and text[place - 1] in "eE" and not _is_name(text, place - 2)
            return _after_string(text, place, escapes=escapes)
        case '"':
            closing = text.find('"', place + 1)
            return len(text) if closing < 0 else closing + 1
        case "$":
            tag = _TAG.match(text, place)
            if tag is None or _is_name(text, place - 1):
                return place + 1
            closing = text.find(tag[0], tag.end())
            return len(text) if closing < 0 else closing + len(tag[0])
        case "--":
            return after_line(text, place)
        case "/*":
            return _after_comment(text, place)
    return found.end()


def _is_name(text: str, place: int) -> bool:
    return place >= 0 and _NAME_CHARACTER.match(text, place) is not None


def _after_string(text: str, place: int, *, escapes: bool) -> int:
    if not escapes:
        # A doubled quote ends one string and begins the next: the end is the same.
        closing = text.find("'", place + 1)
        return len(text) if closing < 0 else closing + 1
    position = place + 1
    while position < len(text):
        if text[position] == "\\":
            position += 2
        elif text[position] == "'":
            return position + 1
        else:
            position += 1
    return len(text)


def after_line(text: str, place: int) -> int:
    """Where the line after a place begins."""
    end = text.find("\n", place)
    return len(text) if end < 0 else end + 1


_COMMENT = re.compile(r"/\*|\*/")


def _after_comment(text: str, place: int) -> int:
    """The end of a comment, in which others may be nested."""
    depth = 0
    for sign in _COMMENT.finditer(text, place):
        depth += 1 if sign[0] == "/*" else -1
        if not depth:
            return sign.end()
    return len(text)
