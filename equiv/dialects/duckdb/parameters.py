"""The parameters of a text: where they stand, of what types they are, the text with values in their places.

DuckDB takes a value of any type for a parameter and binds the query anew, so that what ``b = $1`` means hangs
on the type that the application gives: a text that is not a number is an error beside an integer, and
``'10' < $1`` compares texts if that is one.  A query is therefore read for values of one type, the one that
PostgreSQL would take from what stands beside the parameter, and that is a part of what is claimed; but a
parameter that is cast wherever it stands may have values of any.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise

from equiv.cells import Cell
from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.database import tokens_of
from equiv.dialects.duckdb.macros import Tree, nodes
from equiv.dialects.duckdb.resolving import scope as s
from equiv.dialects.duckdb.resolving import tree as d
from equiv.dialects.duckdb.resolving.calls import INSTANTS
from equiv.dialects.duckdb.values import shown, string
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.build import INTEGERS
from equiv.dialects.typed.reader import untyped
from equiv.dialects.typed.walks import parts_of
from equiv.names import fold

_FAMILIES = {
    **dict.fromkeys(INTEGERS, "integer"),
    "numeric": "number",
    "float8": "float",
    "bool": "boolean",
    **{each: each for each in ("text", "date", "timestamp", "timestamptz", "uuid", "interval")},
    "JSON": "document",
}
"""Types of parameters, and what their values are."""


def family_of_parameter(found: d.DuckType) -> str:
    """The family of a parameter's values; for an enumeration, its labels.

    Raises:
        UnsupportedError: a type of which no values are known.
    """
    if found.labels:
        return f"one of {json.dumps(found.labels)}"
    inner = d.type_named(found.spelt.removesuffix("[]"))
    family = _FAMILIES.get(inner.name)
    is_list = inner.spelt != found.spelt
    if family is None or (is_list and family == "document"):
        raise UnsupportedError("Parameter", f"of type {found.spelt}")
    return f"list of {family}" if is_list else family


def places_in(tree: Tree) -> dict[s.ParameterPlace, int]:
    """The places of the parameters of a parsed query, in order, each with how often it stands in the tree.

    What a macro is given stands there as often as in its body.
    """
    found = Counter(s.place_of(node) for node in nodes(tree) if node.get("class") == "PARAMETER")
    return {place: found[place] for place in sorted(found)}


def rewritten(text: str, places: Iterable[s.ParameterPlace], spell: Callable[[s.ParameterPlace], str]) -> str:
    """The text with something else in each place."""
    whole, parts, position = text.encode(), [], 0
    for place in places:
        parts += [whole[position : place.start].decode(), spell(place)]
        position = place.end
    return "".join([*parts, whole[position:].decode()])


def types_of(typed: t.TypedQuery, names: tuple[str, ...], probe: s.Probe) -> dict[str, d.DuckType]:
    """The type of each parameter of a query that was read without: what it is converted to where it stands.

    Of several numbers it is the type that holds all of them, and a text where nothing says what it is.

    Raises:
        UnsupportedError: different places ask for different types.
    """
    found: dict[str, dict[str, d.DuckType]] = {name: {} for name in names}
    for part in parts_of(typed):
        match part:
            case t.RoutineCall(cast=True, type=d.DuckType() as kind, arguments=(d.OpenParameter(name=name),)):
                found[name][kind.spelt] = kind
    return {name: _common(name, list(kinds.values()), probe) for name, kinds in found.items()}


_NUMBERS = INTEGERS | {"numeric", "float8"}


def _common(name: str, kinds: list[d.DuckType], probe: s.Probe) -> d.DuckType:
    first, *others = kinds or [d.VARCHAR]
    for each in others:
        if not {first.name, each.name} <= _NUMBERS:
            why = f"{name} is taken for {first.spelt} in one place and for {each.spelt} in another"
            raise UnsupportedError("Parameter", why)
        first = probe.common(first, each)
    return first


def filled(text: str, literals: Mapping[str, str]) -> str:
    """The text, each of its parameters cast, with literals of the core in their places."""
    return _replaced(text, {name: untyped(found) for name, found in literals.items()})


def bound(text: str, values: Mapping[str, Cell]) -> str:
    """The text, each of its parameters cast, with values in their places."""
    texts = {name: "NULL" if value is None else string(str(shown(value))) for name, value in values.items()}
    return _replaced(text, texts)


_NAME = re.compile(r"\w+\Z")


def _parameters(text: str) -> Iterator[s.ParameterPlace]:
    """The places of ``$name`` in a text, by its tokens."""
    found = tokens_of(text) if "$" in text else []
    for (start, word), (after, name) in pairwise(found):
        if word == "$" and after == start + 1 and _NAME.match(name):
            yield s.ParameterPlace(start, after + len(name.encode()), f"${fold(name)}")


def _replaced(text: str, values: Mapping[str, str]) -> str:
    places = [each for each in _parameters(text) if each.name in values]
    return rewritten(text, places, lambda place: f"({values[place.name]})")


def at_instant(text: str, instant: str) -> str | None:
    """The text with an instant for the current time, and with its date by the session's clock.

    None if DuckDB's own tokens do not say where that is, or if it is nowhere in the text.
    """
    whole, found = text.encode(), tokens_of(text)
    starts, words = [start for start, _ in found], [word for _, word in found]
    parts, position, place = [], 0, 0
    while place < len(words):
        word, after = fold(words[place]), words[place + 1 : place + 3]
        is_call = after == ["(", ")"] and word in INSTANTS | {"today", "current_date"}
        if is_call or (word in ("current_date", "current_timestamp") and after[:1] != ["("]):
            if place and words[place - 1] == ".":
                return None
            cast = "" if word in INSTANTS else "::DATE"
            last = place + (2 if is_call else 0)
            parts += [whole[position : starts[place]].decode(), f"(TIMESTAMPTZ '{instant}+00'{cast})"]
            position, place = starts[last] + len(words[last].encode()), last
        place += 1
    return "".join([*parts, whole[position:].decode()]) if parts else None
