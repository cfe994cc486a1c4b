"""The parameters of a text: their names and numbers, and the text with values in their place.

One name is one unknown constant, on both sides of a pair.

After https://sqlite.org/lang_expr.html#varparam: ``?`` takes the number after the largest so far, ``?7``
is number 7; ``:x``, ``@x`` and ``$x`` are names, sign included, with the next number where they first stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from equiv.cells import Cell
from equiv.core.lexer import Kind, Token, tokens

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
        if token.kind is not Kind.PARAMETER:
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
    """The text with something else for each parameter, set apart from what stands beside it."""
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
            return f"{by_stem[name[1:]]} and {name}: one name under two signs"
    if counted and by_stem:
        return f"{counted} and {next(iter(by_stem.values()))}: some parameters have names, others are counted"
    return ""
