"""The statements of a script of PostgreSQL's, as ``psql`` would send them; linear in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from equiv.core.lexer import Token, TokenKind, tokens

_COPY = re.compile(r"COPY\b", re.IGNORECASE)
_FROM_STDIN = re.compile(r"\bFROM\s+STDIN\b", re.IGNORECASE)
_ATOMIC = re.compile(r"\bBEGIN\s+ATOMIC\b", re.IGNORECASE)
_TAG = re.compile(r"\$(?:[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*)?\$")
_STOP = re.compile(r"""['"$;\\]|--|/\*""")
_NAME_CHARACTER = re.compile(r"[\w$]")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement, without the semicolon that ends it."""

    text: str
    """As written, with its comments."""
    data: str | None = None
    """What follows a ``COPY … FROM stdin``, up to the line ``\\.``."""

    @property
    def bare(self) -> str:
        """The text without comments and white space before it."""
        return self.text[_start(self.text) :]

    @property
    def words(self) -> tuple[str, ...]:
        """The first words, in upper case."""
        return tuple(_WORD.findall(_shortened(self.bare).upper()))[:6]

    @property
    def objects(self) -> tuple[str, ...]:
        """The bare names of what the statement makes, changes or drops; of an index, its table too."""
        found = tokens(self.bare)
        place = _past(found, 1, _KINDS_OF_KINDS)
        kind = found[place].word if place < len(found) else ""
        place = _past(found, place + 1, _BEFORE_NAMES)
        names = []
        if found[0].word in _DEFINING and kind:
            if kind != "INDEX" or found[place].word != "ON":
                listed, place = self._names(found, place)
                names += listed if found[0].word == "DROP" else listed[:1]
            if kind == "INDEX" and found[place].word == "ON":
                names += self._names(found, _past(found, place + 1, _BEFORE_NAMES))[0][:1]
        if kind in ("TABLE", "INDEX"):
            for at, (one, two) in enumerate(pairwise(each.word for each in found)):
                if (one, two) in _OF_A_FAMILY:
                    names += self._names(found, at + 2)[0][: None if one == "INHERITS" else 1]
                elif one == "INHERIT":
                    names += self._names(found, at + 1)[0][:1]
        return tuple(dict.fromkeys(names))

    def _names(self, found: list[Token], place: int) -> tuple[list[str], int]:
        """The bare names in a list that begins at a token, and the place after it."""
        names: list[str] = []
        while found[place].kind in (TokenKind.NAME, TokenKind.QUOTED):
            while found[place + 1].word == "." and found[place + 2].kind in (
                TokenKind.NAME,
                TokenKind.QUOTED,
            ):
                place += 2
            names.append(bare_name(self.bare[found[place].start : found[place].end]))
            place += 1
            if found[place].word != ",":
                break
            place += 1
        return names, place


_DEFINING = ("CREATE", "ALTER", "DROP")
_KINDS_OF_KINDS = frozenset(
    """OR REPLACE GLOBAL LOCAL TEMP TEMPORARY UNLOGGED RECURSIVE MATERIALIZED FOREIGN UNIQUE""".split()  # noqa: SIM905
)
_BEFORE_NAMES = frozenset(("CONCURRENTLY", "IF", "NOT", "EXISTS", "ONLY"))
_OF_A_FAMILY = frozenset(
    (
        ("PARTITION", "OF"),
        ("ATTACH", "PARTITION"),
        ("DETACH", "PARTITION"),
        ("RENAME", "TO"),
        ("INHERITS", "("),
    )
)


def _past(found: list[Token], place: int, words: frozenset[str]) -> int:
    while place < len(found) - 1 and found[place].word in words:
        place += 1
    return min(place, len(found) - 1)


def bare_name(name: str) -> str:
    """A name as PostgreSQL keeps it, without those of schemas before it."""
    found = [each for each in tokens(name) if each.kind in (TokenKind.NAME, TokenKind.QUOTED)]
    if not found:
        return ""
    last = name[found[-1].start : found[-1].end]
    return last[1:-1].replace('""', '"') if last.startswith('"') else last.lower()


_WORD = re.compile(r"[A-Z_][A-Z_0-9]*|\S")


def _shortened(text: str) -> str:
    return text[:400]


def statements(text: str) -> Iterator[Statement]:
    """The statements that hold anything but comments; commands of ``psql`` are passed over."""
    position, first = 0, _start(text)
    while (found := _STOP.search(text, position)) is not None:
        match found[0]:
            case ";" if first < found.start():
                statement, position = _ended(text, first, found)
                yield statement
                first = _start(text, position)
            case ";":
                position = found.end()
                first = _start(text, position)
            case "\\" if first == found.start():
                position = _after_line(text, found.start())
                first = _start(text, position)
            case _:
                position = _after(text, found)
    if first < len(text):
        yield Statement(text[first:].strip())


def _ended(text: str, first: int, found: re.Match[str]) -> tuple[Statement, int]:
    """The statement that a semicolon ends, and where what follows it begins."""
    statement = text[first : found.start()].rstrip()
    if _begins_atomic(statement):
        return Statement(statement), _after_atomic(text, found.end())
    if _COPY.match(statement) and _FROM_STDIN.search(statement):
        data, position = _copied(text, found.end())
        return Statement(statement, data), position
    return Statement(statement), found.end()


def code(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of a text that stand outside of strings, quoted names and comments."""
    position = start = 0
    while (found := _STOP.search(text, position)) is not None:
        position = _after(text, found)
        if found[0] not in (";", "\\", "$") or position > found.end():
            yield start, found.start()
            start = position
    yield start, len(text)


def _start(text: str, position: int = 0) -> int:
    """Where, from a place on, the first character is that is no white space and in no comment."""
    while position < len(text):
        if text[position].isspace():
            position += 1
        elif text.startswith("--", position):
            position = _after_line(text, position)
        elif text.startswith("/*", position):
            position = _after_comment(text, position)
        else:
            break
    return position


def _after(text: str, found: re.Match[str]) -> int:
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
            return _after_line(text, place)
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


def _after_line(text: str, place: int) -> int:
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


def _copied(text: str, position: int) -> tuple[str, int]:
    """The lines of a COPY, and where the statement after them begins."""
    begin = _after_line(text, position)
    end = begin if text.startswith("\\.", begin) else text.find("\n\\.", begin) + 1
    if end <= 0:
        return text[begin:], len(text)
    return text[begin:end], _after_line(text, end)


def _begins_atomic(statement: str) -> bool:
    return "ATOMIC" in statement.upper() and _ATOMIC.search(statement) is not None


_END = re.compile(r"\bEND\s*;", re.IGNORECASE)


def _after_atomic(text: str, position: int) -> int:
    """The end of the body of a function that is written in SQL, which holds semicolons."""
    found = _END.search(text, position)
    return len(text) if found is None else found.end()
