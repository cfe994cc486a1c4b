"""What the tokens of a text say: its parameters, kind of statement, the statements of a script or a dump.

One name of a parameter is one unknown constant, on both sides of a pair.  After
https://sqlite.org/lang_expr.html#varparam: ``?`` takes the number after the largest so far, ``?7`` is
number 7; ``:x``, ``@x`` and ``$x`` are names, sign included, with the next number where they first stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from equiv.cells import Cell
from equiv.core.lexer import Token, TokenKind, closing_index, depths, tokens, unquoted
from equiv.names import fold

SIGNS = "?:@$"
"""The first characters of parameters."""

_LARGEST = 32_766
_MOST_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Placeholder:
    """One place of a text at which a parameter stands."""

    name: str
    """``?1`` for a parameter that is known by its number, else as written: ``:x``, ``@x``, ``$x``."""
    number: int
    start: int
    end: int


def placeholders(text: str, found: Sequence[Token]) -> tuple[Placeholder, ...]:
    """The places of parameters among the tokens of a text, in order."""
    if not any(sign in text for sign in SIGNS):
        return ()
    numbers: dict[str, int] = {}
    largest = 0
    places = []
    for token in found:
        if token.kind is not TokenKind.PARAMETER:
            continue
        source = text[token.start : token.end]
        if source[0] != "?":
            number, name = numbers.get(source, largest + 1), source
            numbers[source] = number
        else:
            number = int(source[1 : _MOST_DIGITS + 1]) if source[1:] else largest + 1
            name = f"?{number}"
        largest = max(largest, number)
        places.append(Placeholder(name, number, token.start, token.end))
    return tuple(places)


def replaced(text: str, places: Iterable[Placeholder], change: Callable[[Placeholder], str]) -> str:
    """The text with each parameter replaced, and a blank wherever a replacement would join its neighbour."""
    parts, position = [], 0
    for place in places:
        before, after = text[place.start - 1 : place.start], text[place.end : place.end + 1]
        parts += [text[position : place.start], " " * _joins(before), change(place), " " * _joins(after)]
        position = place.end
    return "".join([*parts, text[position:]])


def _joins(character: str) -> bool:
    """Whether a literal would merge with what stands directly beside it."""
    return character.isalnum() or character in ("_", "'", '"', ".", "$", "-")


def told_apart(text: str) -> str:
    """The text, or if it writes one parameter as ``?`` and as ``?1``, with the numbers of all.

    SQLite computes with two values where the spellings differ.
    """
    places = placeholders(text, tokens(text)) if "?" in text else ()
    written = {text[place.start : place.end] for place in places}
    if "?" not in written or written == {"?"}:
        return text
    return replaced(text, places, lambda place: f"?{place.number}")


def values_for(text: str, values: Mapping[str, Cell]) -> dict[str, Cell] | list[Cell]:
    """The argument with which Python's sqlite3 binds the parameters of a text; missing values are NULL.

    By name where all have names, else by position; :func:`clash` tells texts that do both, which
    newer Pythons do not take.
    """
    if not any(sign in text for sign in SIGNS):
        return []
    places = placeholders(text, tokens(text))
    if places and all(place.name[0] != "?" for place in places):
        return {place.name[1:]: values.get(place.name) for place in places}
    bound: list[Cell] = [None] * min(max((place.number for place in places), default=0), _LARGEST)
    for place in places:
        if 0 < place.number <= _LARGEST:
            bound[place.number - 1] = values.get(place.name)
    return bound


def clash(names: Iterable[str]) -> str:
    """Why it is open which parameters of a pair are the same, or ''."""
    by_stem: dict[str, str] = {}
    counted = ""
    for name in names:
        if name[0] == "?":
            counted = name
        elif by_stem.setdefault(name[1:], name) != name:
            return f"{by_stem[name[1:]]} and {name}: the same name with two different prefixes"
    if counted and by_stem:
        return f"{counted} and {next(iter(by_stem.values()))}: some parameters are named, others not"
    return ""


MAX_BYTES = 100_000
"""The longest text of a query, in bytes of UTF-8, that is read."""

MAX_EXPANSIONS = 2_000
_ROUNDS = 50
_MAX_MENTIONS = 200_000
"""How many names all bodies may hold together, those of a body within another once for each."""
_NAMES = (TokenKind.NAME, TokenKind.QUOTED, TokenKind.STRING)
_QUERIES = ("SELECT", "VALUES")
OTHER_STATEMENTS = frozenset(
    """ALTER ANALYZE ATTACH BEGIN COMMIT CREATE DELETE DETACH DROP END EXPLAIN INSERT PRAGMA REINDEX
    RELEASE REPLACE ROLLBACK SAVEPOINT UPDATE VACUUM""".split()  # noqa: SIM905
)


def is_query(word: str) -> bool:
    """Whether the main word of a statement makes it a query."""
    return word in _QUERIES


def main_word(found: Sequence[Token]) -> str:
    """The keyword that names the kind of statement: the first word, or after WITH the body's first word."""
    if found[0].word != "WITH":
        return found[0].word
    starts = (*_QUERIES, "INSERT", "REPLACE", "UPDATE", "DELETE")
    return next((token.word for token in _outermost(found) if token.word in starts), "WITH")


def orders(found: Sequence[Token]) -> bool:
    """Whether a query has an ORDER BY of its own: one outside all parentheses."""
    outside = list(_outermost(found))
    return any(
        token.kind is TokenKind.NAME and token.word == "ORDER" and after.word == "BY"
        for token, after in pairwise(outside)
    )


def _outermost(found: Sequence[Token]) -> Iterator[Token]:
    return (token for token, depth in zip(found, depths(found), strict=True) if depth == 0)


def expands_much(text: str, found: Sequence[Token]) -> bool:
    """Whether SQLite might expand common table expressions more than :data:`MAX_EXPANSIONS` times.

    It copies the body at every reference, so that a short text, each of whose
    expressions refers twice to the one before, takes hours and all memory to
    prepare, and cannot be interrupted meanwhile.
    """
    names = [
        # What stands before a point qualifies a column, and reads no rows.
        None if after is not None and after.word == "." else _name(text, token)
        for token, after in zip(found, [*found[1:], None], strict=True)
    ]
    bodies: dict[str, list[str]] = {}
    mentions = 0
    for name, first, last in _bodies(found, names):
        mentions += last - first
        if mentions > _MAX_MENTIONS:
            return True
        bodies.setdefault(name, []).extend(each for each in names[first:last] if each not in (None, name))
    weights = dict.fromkeys(bodies, 1)
    for _ in range(_ROUNDS):
        before = dict(weights)
        for name, mentioned in bodies.items():
            weights[name] = 1 + sum(weights.get(each, 0) for each in mentioned)
        if max(weights.values(), default=0) > MAX_EXPANSIONS:
            return True
        if weights == before:
            return sum(weights.get(name, 0) for name in names if name is not None) > MAX_EXPANSIONS
    return True


def _name(text: str, token: Token) -> str | None:
    if token.kind not in _NAMES:
        return None
    source = text[token.start : token.end]
    return fold(source if token.kind is TokenKind.NAME else unquoted(source))


def _bodies(found: Sequence[Token], names: Sequence[str | None]) -> Iterator[tuple[str, int, int]]:
    """The token ranges of the bodies of common table expressions: ``name [(columns)] AS [hint] (body)``."""
    partner = _parentheses(found)
    for place, token in enumerate(found):
        if token.kind is not TokenKind.NAME or token.word != "AS" or place == 0:
            continue
        first = place + 1
        while found[first].word in ("NOT", "MATERIALIZED"):
            first += 1
        before = partner.get(place - 1, place) - 1 if found[place - 1].word == ")" else place - 1
        name = names[before]
        if first in partner and name is not None:
            yield name, first, partner[first]


def _parentheses(found: Sequence[Token]) -> dict[int, int]:
    """For each parenthesis that has a partner the place of that."""
    partner: dict[int, int] = {}
    opened: list[int] = []
    for place, token in enumerate(found):
        if token.word == "(":
            opened.append(place)
        elif token.word == ")" and opened:
            partner[place] = opened.pop()
            partner[partner[place]] = place
    return partner


def statements(text: str) -> Iterator[str]:
    """The statements of a script with their comments and semicolons; the last may be incomplete or empty."""
    start = 0
    for parts in _split(text):
        end = parts[-1].end if parts[-1].word == ";" else len(text)
        yield text[start:end]
        start = end


def bare_statements(text: str, *, bodiless: bool = False) -> list[str]:
    r"""The statements of a script without semicolons and the comments between them; empty ones are left out.

    Args:
        text: the script.
        bodiless: whether every semicolon ends a statement: triggers in dumps of other systems call functions.

    >>> bare_statements("SELECT ';' -- one; two\n; SELECT 2;;")
    ["SELECT ';'", 'SELECT 2']
    """
    bare = ([part for part in parts if part.kind is not TokenKind.END] for parts in _split(text, bodiless))
    ended = (parts[:-1] if parts and parts[-1].word == ";" else parts for parts in bare)
    return [text[parts[0].start : parts[-1].end] for parts in ended if parts]


def _split(text: str, bodiless: bool = False) -> Iterator[list[Token]]:
    """The tokens of each statement, its semicolon the last; of what follows the last one, up to END."""
    parts: list[Token] = []
    state = "start"
    for token in tokens(text):
        parts.append(token)
        state = _after(state, token)
        if token.word == ";" and (bodiless or state == "start"):
            yield parts
            parts = []
    yield parts


_STATES: dict[str, dict[str, str]] = {
    "start": {";": "start", "EXPLAIN": "explain", "CREATE": "create"},
    "normal": {";": "start"},
    "explain": {";": "start", "CREATE": "create", "": "explain"},
    "create": {";": "start", "TEMP": "create", "TEMPORARY": "create", "TRIGGER": "trigger"},
    "trigger": {";": "semicolon", "": "trigger"},
    "semicolon": {";": "semicolon", "END": "end", "": "trigger"},
    "end": {";": "start", "": "trigger"},
}
"""Where a statement ends, after sqlite3_complete: a trigger has semicolons of its own.

For each state the next one by a token's word, '' for any other word; where that is missing, ``normal``.
"""


def _after(state: str, token: Token) -> str:
    word = token.word if token.kind in (TokenKind.NAME, TokenKind.SIGN) else "other"
    following = _STATES[state]
    return following.get(word) or following.get("", "normal")


_T = TypeVar("_T")


def _next(kept: Sequence[object], words: Sequence[str]) -> int | None:
    """Where the transaction begins that AND CHAIN begins, behind so many statements; None without it."""
    return len(kept) if "CHAIN" in words and "NO" not in words else None


def standing(script: Sequence[_T], words: Callable[[_T], Sequence[str]]) -> list[_T]:
    """The statements of a script that it does not roll back.

    Args:
        script: the statements.
        words: gives the first words of one, in upper case, without comments; what is not in upper case is a
            name in quotes.
    """
    kept: list[_T] = []
    begun: int | None = None
    saved: list[tuple[str, int]] = []
    for each in script:
        match [word for word in words(each) if word != ";"]:
            case ["BEGIN", *_] | ["START", "TRANSACTION", *_]:
                begun = len(kept) if begun is None else begun
            case ["COMMIT" | "END", *further]:
                begun, saved = _next(kept, further), []
            case ["ROLLBACK", *_, "TO", name] | ["ROLLBACK", *_, "TO", "SAVEPOINT", name]:
                if (place := _last(saved, name)) is not None:
                    del kept[saved[place][1] :], saved[place + 1 :]
            case ["ROLLBACK" | "ABORT", *further]:
                del kept[len(kept) if begun is None else begun :]
                begun, saved = _next(kept, further), []
            case ["SAVEPOINT", name] if begun is not None:
                saved.append((name, len(kept)))
            case ["RELEASE", name] | ["RELEASE", "SAVEPOINT", name]:
                if (place := _last(saved, name)) is not None:
                    del saved[place:]
        kept.append(each)
    return kept


def _last(saved: Sequence[tuple[str, int]], name: str) -> int | None:
    """The place of the last savepoint of a name, which hides those before it."""
    return next((i for i in reversed(range(len(saved))) if saved[i][0] == name), None)


_SIGNS = ("-- PostgreSQL database dump", "\\restrict ", "\\connect ")
_TAG = re.compile(r"\$(?:[A-Za-z_]\w*)?\$")


_NAMED = re.compile(
    r"CREATE\s+(?:OR\s+REPLACE\s+)?(?:MATERIALIZED\s+|VIRTUAL\s+)?\w+\s+(?:IF\s+NOT\s+EXISTS\s+)?"
    r"""(?:(?:\w+|"[^"]*")\s*\.\s*)?(\w+|"[^"]*")""",
    re.IGNORECASE,
)


def is_of_columns(index: str) -> bool:
    """Whether an index, as its statement creates it, is on columns alone and on every row."""
    found = tokens(index)
    opening = next((place for place, each in enumerate(found) if each.word == "("), len(found) - 1)
    closing = closing_index(found, opening)
    names = (TokenKind.NAME, TokenKind.QUOTED)
    plain = all(each.kind in names or each.word == "," for each in found[opening + 1 : closing])
    return plain and all(each.word != "WHERE" for each in found[closing:])


def name_in(definition: str) -> str:
    """The name of what a CREATE statement defines, in lower case, without that of its schema; or ''."""
    found = _NAMED.match(definition)
    return fold(found[1].strip('"')) if found else ""


_OF_POSTGRES = re.compile(
    r"\b(?:(?:big|small)?serial|timestamptz|jsonb|uuid|bytea|plpgsql)\b|\$\$|::\w|\bCREATE\s+(?:TYPE|DOMAIN|EXTENSION)\b"
    r"|\bALTER\s+TABLE\s+ONLY\b|\bnextval\b",
    re.IGNORECASE,
)


def reads_as_postgres(text: str) -> bool:
    """Whether DDL says what PostgreSQL alone does, or is a dump of it."""
    return is_dump(text) or _OF_POSTGRES.search(text) is not None


def is_dump(text: str) -> bool:
    """Whether a text reads as ``pg_dump`` writes."""
    return any(_is_copy(line) or line.startswith(_SIGNS) for line in text.split("\n"))


def _is_copy(line: str) -> bool:
    return line.startswith("COPY ") and line.rstrip().endswith(" FROM stdin;")


def without_rows(text: str) -> str:
    """A dump without rows and commands, each body in dollar quotes empty; linear in the text."""
    kept, copying = [], False
    for line in text.split("\n"):
        if copying:
            copying = line != "\\."
        elif _is_copy(line):
            copying = True
        elif not line.startswith("\\"):
            kept.append(line)
    return _without_bodies("\n".join(kept))


def _without_bodies(text: str) -> str:
    parts, position = [], 0
    while (tag := _TAG.search(text, position)) is not None:
        closing = text.find(tag[0], tag.end())
        if closing < 0:
            break
        parts += [text[position : tag.start()], "''"]
        position = closing + len(tag[0])
    return "".join([*parts, text[position:]])
