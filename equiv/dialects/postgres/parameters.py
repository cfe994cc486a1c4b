"""The parameters of a text, ``$1`` or ``:name``; texts that surely have one answer, in which nothing rounds.

PostgreSQL has no views with parameters.  So a query is read with calls of ``current_setting`` in their
places, cast to the type that PostgreSQL itself takes each of them for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from equiv.cells import Cell
from equiv.core.model import Affinity, Schema
from equiv.core.query import UnsupportedError
from equiv.dialects.postgres.script import literal
from equiv.dialects.typed.lowering.build import INTEGERS, setting
from equiv.dialects.typed.query_texts import code
from equiv.dialects.typed.reader import untyped
from equiv.dialects.typed.tree import Type
from equiv.names import fold, quoted_name

MERGING = frozenset("distinct group union intersect except max min".split())  # noqa: SIM905
"""Names of what keeps one of several values that are equal, which shows where they are not identical."""
_WATCHED_WORDS = MERGING | frozenset("limit offset fetch over window any_value first_value".split())  # noqa: SIM905
WATCHED = _WATCHED_WORDS | {"mode"}
"""Names of what may choose, and of which a text that is watched tells whether it does."""
_CHOOSING = _WATCHED_WORDS | frozenset(
    """tablesample collate distinct_on user ctid tableoid xmin xmax cmin cmax current_date current_time
    current_timestamp current_user current_role localtime localtimestamp session_user system_user real double
    float float4 float8 reltuples relpages relallvisible relallfrozen
    relfrozenxid relminmxid""".split()  # noqa: SIM905
)
"""Words of what chooses or reads the clock or the server, of what rounds, and columns of the system's tables
that no transaction keeps as they were."""
_CHOOSING_CALLS = frozenset(
    """xmlagg mode age clock_timestamp statement_timestamp transaction_timestamp timeofday avg variance corr
    percentile_cont sqrt cbrt power pow exp ln pi degrees radians dsqrt dpow dexp current_setting
    current_query""".split()  # noqa: SIM905
)
"""Names of functions that do the same, which columns may have as well."""
_BEGINNINGS = (
    *("random", "regr_", "stddev", "var_", "covar_", "float", "log", "sin", "cos", "tan", "asin", "acos"),
    *("atan", "cot", "dlog", "numeric_"),
)
_WORD = re.compile(r"\w+")
_NAME = re.compile(r"\w+(?:\s*\()?")
_CONTAINING = re.compile(r"@>|<@|@@|@\?")
_OF_ROWS = re.compile(r"\barray\s*\(", re.IGNORECASE)
"""An array of a subquery's rows, in whatever order they come."""
_CLOCK = re.compile(r"(?<![a-z])(?:now|today|tomorrow|yesterday)(?![a-z])")


def is_plain_text(text: str, schema: Schema, allowed: frozenset[str] = frozenset()) -> bool:
    """Whether a query, as given or as PostgreSQL prints it, holds nothing that chooses or rounds.

    Args:
        text: the query.
        schema: the tables.
        allowed: what may stand in it, since that it chooses nothing is known otherwise.
    """
    if _CLOCK.search(fold(text)):
        return False
    parts = " ".join(text[start:end] for start, end in code(text))
    parts = _CONTAINING.sub(" ", parts)
    found = _NAME.findall(fold(parts))
    words = [each.removesuffix("(").rstrip() for each in found]
    called = {word for word, each in zip(words, found, strict=True) if word != each}
    takes_order = allowed < WATCHED and (
        _OF_ROWS.search(parts) or ("distinct", "on") in pairwise(words) or any(map(_gathers, words))
    )
    chooses = not _CHOOSING.isdisjoint({*words} - allowed) or any(map(_is_choosing_call, called - allowed))
    if takes_order or chooses or set("/^@%") & set(parts):
        return False
    real = {fold(c.name) for t in schema.tables for c in t.columns if c.affinity is Affinity.REAL}
    adds = "sum" in words or bool(set("-+*") & set(parts))
    return not adds or real.isdisjoint(_WORD.findall(fold(text)))


def _is_choosing_call(name: str) -> bool:
    return name in _CHOOSING_CALLS or name.startswith(_BEGINNINGS) or "div" in name


def _gathers(word: str) -> bool:
    """Whether a word is the name of an aggregate that lists its rows in the order in which they come."""
    return word.endswith("_agg") or word in ("json_arrayagg", "json_objectagg")


FAMILIES = {
    **dict.fromkeys(INTEGERS, "integer"),
    "numeric": "number",
    "float8": "float",
    "bool": "boolean",
    "text": "text",
    "varchar": "text",
    "name": "text",
    "date": "date",
    "timestamp": "timestamp",
    "timestamptz": "timestamptz",
    "uuid": "uuid",
    "jsonb": "document",
    "json": "document",
    "interval": "interval",
    "bytea": "bytes",
}
"""Types of parameters, and what their values are."""


def family_of_parameter(found: Type) -> str:
    """The family of a parameter's values; for an enumeration or an array of its labels, the labels.

    Raises:
        UnsupportedError: a type of which no values are known.
    """
    if found.labels:
        return f"{'several' if found.name.startswith('_') else 'one'} of {json.dumps(found.labels)}"
    element = found.name.removeprefix("_")
    family = FAMILIES.get(element)
    is_array = element != found.name
    if family is None or found.schema != "pg_catalog" or (is_array and family == "bytes"):
        raise UnsupportedError("Parameter", f"of type {found.name}")
    return f"{family}[]" if is_array else family


_PLACE = re.compile(r"(?<![\w$:\]])(\$[1-9]\d{0,4}|:[A-Za-z_]\w*)(?![\w$(])")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One place of a text at which a parameter stands."""

    name: str
    start: int
    end: int


def parameters_in(text: str) -> Iterator[Parameter]:
    """The places of parameters, outside of strings, quoted names and comments."""
    if "$" not in text and ":" not in text:
        return
    for start, end in code(text):
        for found in _PLACE.finditer(text, start, end):
            yield Parameter(found[1], found.start(1), found.end(1))


def replaced(text: str, values: Mapping[str, str]) -> str:
    """The text with an expression, in parentheses, for each parameter that has one."""
    parts, position = [], 0
    for place in parameters_in(text):
        if place.name in values:
            parts += [text[position : place.start], f"({values[place.name]})"]
            position = place.end
    return "".join([*parts, text[position:]])


def bound(text: str, values: Mapping[str, Cell]) -> str:
    """The text with values for its parameters, each a literal without a type, as a parameter is one."""
    return replaced(text, {name: _untyped(value) for name, value in values.items()})


def _untyped(value: Cell) -> str:
    found = literal(value).removesuffix("::bytea")
    return f"'{found}'" if isinstance(value, int | float) and not found.startswith("'") else found


def filled(text: str, literals: Mapping[str, str]) -> str:
    """The text with literals of the core for its parameters, each without a type."""
    return replaced(text, {name: untyped(found) for name, found in literals.items()})


_TIMES = re.compile(
    r"\b(?:(?:now|transaction_timestamp)\b ?\( ?\)|"
    r"(?:current_timestamp|(localtimestamp)|(current_date))\b(?! ?\())",
    re.IGNORECASE,
)


def at_instant(text: str, instant: str) -> str:
    """The text with an instant for the current time, and with its date by the session's clock."""
    parts, position = [], 0
    for start, end in code(text):
        for found in _TIMES.finditer(text, start, end):
            cast = "::timestamp" if found[1] else "::date" if found[2] else ""
            parts += [text[position : found.start()], f"('{instant}+00'::timestamptz{cast})"]
            position = found.end()
    return "".join([*parts, text[position:]])


def typed_places(text: str, types: Mapping[str, Type]) -> str:
    """The text with an expression of its type for each parameter, by which the lowering knows it."""
    return replaced(
        text,
        {
            name: f"CAST(pg_catalog.current_setting('{setting(kind.name, name)}') AS {_written(kind)})"
            for name, kind in types.items()
        },
    )


def _written(found: Type) -> str:
    return f"{quoted_name(found.schema)}.{quoted_name(found.name)}"
