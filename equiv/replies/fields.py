"""The query in a field of JSON that a reply holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_FIELDS = (
    "sql",
    "query",
    "sql_query",
    "predicted_sql",
    "pred_sql",
    "final_sql",
    "generated_sql",
    "answer",
    "final_answer",
    "response",
    "output",
    "result",
)
_TRIES, _DEPTH = 4, 6
_LINE = re.compile(r"^[ \t]*+(?=[{\[])", re.MULTILINE)
_DECODER = json.JSONDecoder(strict=False)
"""It takes a line break within a string, which models write."""


def texts_in_json(text: str) -> Iterator[str]:
    """The texts in JSON's fields that queries are called by, of the last value of a text first."""
    for value in _values(text):
        yield from reversed(list(_texts(value)))


def _values(text: str) -> Iterator[Any]:
    """The JSON of a text: a whole string, from the first brace to the last, or from the start of a line."""
    stripped = text.strip()
    if stripped.startswith('"'):
        yield from _decoded(stripped)
    start, end = text.find("{"), text.rfind("}")
    if not 0 <= start < end or text[start - 1 : start] in ("'", '"'):
        return
    yield from _decoded(text[start : end + 1])
    for line in [match.end() for match in _LINE.finditer(text)][: -_TRIES - 1 : -1]:
        yield from _decoded(text[line : end + 2])


def _decoded(text: str) -> Iterator[Any]:
    try:
        yield _DECODER.raw_decode(text)[0]
    except (ValueError, RecursionError):
        return


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    match value:
        case str() if depth == 0:
            yield value
        case list() if depth < _DEPTH:
            for each in value:
                yield from _texts(each, depth + 1)
        case dict() if depth < _DEPTH:
            named = {name.lower(): each for name, each in value.items()}
            for each in value.values():
                if not isinstance(each, str):
                    yield from _texts(each, depth + 1)
            # Last, since the last that is given counts.
            for name in reversed(_FIELDS):
                if isinstance(named.get(name), str):
                    yield named[name]
